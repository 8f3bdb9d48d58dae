"""Dice of two phones: matching lists are proven by their seals, differences are disputed."""

import hashlib
import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from battles.live.dice import (
    MAX_LISTS_A_DAY,
    PairRoll,
    SentList,
    clear_paired_dice,
    list_rolls,
    paired_list_save,
)
from battles.models import PairedDice, PairedList
from rosters.services import RefusedError
from rosters.site.retention import Clearing
from systems.documents import DocumentError
from systems.engine.dice import (
    LINK_PATTERN,
    PAIRED_CHAIN_LENGTH,
    SeededDice,
    is_next_link,
    link_before,
    links_of,
    pair_faces,
    sealed_seed,
)

LAST = ("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "3ABCDEFGHJKMNPQRSTVWXYZ012")
CHAINS = sorted((links_of(last) for last in LAST), key=lambda links: links[0])
NAMES = ("Ann", "Ben")


def a_roll(side, roll=1, *, by=0, count=3, sides=6, about="Cannon", **other):
    """Return the roll as this side's phone recorded it."""
    links = [chain[roll] for chain in CHAINS]
    faces = pair_faces(links, roll, count, sides)
    given = {"roll": roll, "by": by, "count": count, "sides": sides, "about": about, "other": links[1 - side]}
    return {**given, "refused": "", "faces": faces, **other}


def a_list(side, *rolls, **other):
    given = {"muster": "paired-dice/1", "sealed": CHAINS[side][0], "other": CHAINS[1 - side][0]}
    return {**given, "last": CHAINS[side][PAIRED_CHAIN_LENGTH], "name": NAMES[side], "rolls": list(rolls), **other}


def compare_lists(*lists):
    """Return the verdicts for the lists of the first and second side (None: not sent)."""
    found = [
        each and SentList(
            name=each["name"],
            links=CHAINS[side],
            rolls={row["roll"]: PairRoll.model_validate(row) for row in each["rolls"]},
        )
        for side, each in enumerate(lists)
    ]  # fmt: skip
    return list_rolls((CHAINS[0][0], CHAINS[1][0]), found)


class TestChain:
    def test_link_is_the_hash_of_the_next_one(self):
        links = links_of(LAST[0])
        assert len(links) == PAIRED_CHAIN_LENGTH + 1
        digest = int.from_bytes(hashlib.sha256(f"muster-pair/1\n{links[5]}".encode()).digest()[:16])
        letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
        assert sum(letters.index(each) << 5 * (25 - at) for at, each in enumerate(links[4])) == digest
        assert link_before(links[5]) == links[4]
        assert all(LINK_PATTERN.fullmatch(each) for each in links)

    def test_only_the_rolls_own_link_holds(self):
        links = CHAINS[0]
        assert is_next_link(links[7], 7, links[0])
        assert not is_next_link(links[7], 8, links[0])
        assert not is_next_link(links[8], 7, links[0])
        assert not is_next_link(CHAINS[1][7], 7, links[0])
        assert not is_next_link("nonsense", 7, links[0])
        assert not is_next_link(links[0], 0, links[0])

    def test_faces_match_those_of_fair_dice(self, client):
        given = {"secret": CHAINS[0][4], "purpose": "pair-4", "words": CHAINS[1][4], "sides": 6}
        text = client.get(reverse("campaigns:dice_check"), given).content.decode()
        faces = pair_faces([CHAINS[0][4], CHAINS[1][4]], 4, 6, 6)
        assert str(sealed_seed(CHAINS[0][4], "pair-4", [CHAINS[1][4]])) in text
        for side, is_right in ((0, True), (1, False)):
            text = client.get(
                reverse("campaigns:dice_check"), {**given, "commitment": CHAINS[side][0]}
            ).content.decode()
            assert ("The secret is genuine: its hash matches the published one" in text) == is_right
        dice = SeededDice(sealed_seed(CHAINS[0][4], "pair-4", [CHAINS[1][4]]))
        assert faces == [dice.face(6) for _ in range(6)]

    def test_both_secrets_change_the_faces(self):
        faces = pair_faces([CHAINS[0][1], CHAINS[1][1]], 1, 20, 20)
        assert faces != pair_faces([CHAINS[0][2], CHAINS[1][1]], 1, 20, 20)
        assert faces != pair_faces([CHAINS[0][1], CHAINS[1][2]], 1, 20, 20)
        assert faces != pair_faces([CHAINS[0][1], CHAINS[1][1]], 2, 20, 20)


class TestCompareLists:
    def test_roll_in_both_lists_is_proven(self):
        (row,) = compare_lists(a_list(0, a_roll(0)), a_list(1, a_roll(1)))
        assert (row.verdict, row.why, row.by) == ("proven", (), "Ann")
        assert list(row.faces) == a_roll(0)["faces"]

    def test_roll_in_one_list_is_half_proven(self):
        (row,) = compare_lists(None, a_list(1, a_roll(1)))
        assert (row.verdict, row.why) == ("half", ())
        assert list(row.faces) == a_roll(0)["faces"]

    def test_changed_faces_are_disputed(self):
        lie = a_roll(0, faces=[6, 6, 6])
        (row,) = compare_lists(a_list(0, lie), a_list(1, a_roll(1)))
        assert row.verdict == "disputed"
        assert row.why[0].startswith("Ann reports 6, 6, 6; the two secrets give")

    @pytest.mark.parametrize("change", [{"count": 2}, {"sides": 8}, {"about": "Nothing"}, {"by": 1}])
    def test_different_purpose_is_disputed(self, change):
        (row,) = compare_lists(a_list(0, a_roll(0, **change)), a_list(1, a_roll(1)))
        assert row.verdict == "disputed"
        assert "The lists differ" in row.why[-1]

    def test_unrevealed_roll_names_the_silent_side(self):
        hidden = a_roll(0, other=None, faces=[])
        (row,) = compare_lists(a_list(0, hidden), a_list(1, a_roll(1)))
        assert row.why[0] == "Ann reports that Ben didn't reveal."
        assert list(row.faces) == a_roll(1)["faces"]

    def test_roll_is_unknown_when_only_the_waiting_side_sends(self):
        (row,) = compare_lists(a_list(0, a_roll(0, other=None, faces=[])), None)
        assert (row.faces, row.verdict) == ((), "disputed")

    def test_wrong_revealed_link_is_disputed(self):
        wrong = a_roll(0, other=None, refused=CHAINS[1][9], faces=[])
        (row,) = compare_lists(a_list(0, wrong), a_list(1, a_roll(1)))
        assert "revealed something that doesn't match" in row.why[0]

    def test_link_of_another_chain_is_disputed(self):
        (row,) = compare_lists(a_list(0, a_roll(0, other=CHAINS[0][3])), None)
        assert "doesn't match the other player's seal" in row.why[0]

    def test_roll_missing_in_one_list_is_disputed(self):
        first, second = compare_lists(a_list(0, a_roll(0), a_roll(0, 2)), a_list(1, a_roll(1)))
        assert (first.verdict, second.verdict) == ("proven", "disputed")
        assert second.why == ("Only Ann's list has this roll, not Ben's.",)


@pytest.mark.django_db
class TestSendingLists:
    def send(self, document, visitor="a visitor"):
        return paired_list_save(document=json.dumps(document), visitor=visitor)

    def test_lists_of_both_sides_make_one_pair(self):
        pairs = {self.send(a_list(side, a_roll(side))).pk for side in (1, 0)}
        assert len(pairs) == 1
        assert [row.side for row in PairedList.objects.all()] == [0, 1]

    def test_list_sent_twice_is_kept_once(self):
        for _ in range(2):
            self.send(a_list(0, a_roll(0)))
        assert PairedList.objects.count() == 1

    def test_second_different_list_is_refused(self):
        self.send(a_list(0, a_roll(0)))
        with pytest.raises(RefusedError, match="The first one counts"):
            self.send(a_list(0, a_roll(0, count=2)))

    def test_list_without_its_own_chain_is_refused(self):
        with pytest.raises(RefusedError, match="doesn't match the seal"):
            self.send(a_list(0, a_roll(0), last=CHAINS[1][PAIRED_CHAIN_LENGTH]))
        assert not PairedDice.objects.exists()

    @pytest.mark.parametrize(
        "bad",
        [
            {"rolls": [{**a_roll(0), "roll": PAIRED_CHAIN_LENGTH + 1}]},
            {"rolls": [{**a_roll(0), "sides": 7}]},
            {"rolls": [{**a_roll(0), "count": 21}]},
            {"last": "x"},
            {"name": ""},
            {"more": 1},
        ],
    )
    def test_bad_list_is_refused(self, bad):
        with pytest.raises((DocumentError, RefusedError)):
            self.send({**a_list(0), **bad})
        assert not PairedDice.objects.exists()

    def test_repeated_roll_or_seal_is_refused(self):
        with pytest.raises(RefusedError, match="twice"):
            self.send(a_list(0, a_roll(0), a_roll(0)))
        with pytest.raises(RefusedError, match="same seal"):
            self.send(a_list(0, other=CHAINS[0][0]))

    def test_visitor_has_a_daily_limit_of_lists(self):
        for number in range(MAX_LISTS_A_DAY):
            PairedDice.objects.create(first=f"{number:026}", second="Z" * 26, asked_from="a visitor")
        with pytest.raises(RefusedError, match="tomorrow"):
            self.send(a_list(0))
        self.send(a_list(0), visitor="another")

    def test_page_shows_verdict_and_hides_unused_links(self, client):
        for side in (0, 1):
            answer = client.post(
                reverse("battles:paired-dice"), json.dumps(a_list(side, a_roll(side))), content_type="application/json"
            )
        text = client.get(answer.json()["url"]).content.decode()
        assert "Ann and Ben" in " ".join(text.split())
        assert '<span class="tag tag--good">proven</span>' in text
        link = re.search(r'href="([^"]*secret=[^"]*)"', text)
        assert link
        assert (
            "The secret is genuine: its hash matches the published one"
            in client.get(unescape(link[1])).content.decode()
        )
        assert not [chain[PAIRED_CHAIN_LENGTH] for chain in CHAINS if chain[PAIRED_CHAIN_LENGTH] in text]

    def test_page_shows_fairness_of_undisputed_dice(self, client):
        lie = a_roll(0, 3, count=6, faces=[6] * 6)
        rolls = [[a_roll(side), a_roll(side, 2, count=2, sides=20)] for side in (0, 1)]
        self.send(a_list(0, *rolls[0], lie))
        row = self.send(a_list(1, *rolls[1], a_roll(1, 3, count=6)))
        answer = client.get(reverse("battles:paired-dice-result", args=[row.key]))
        found = answer.context["dice_statistics"]
        assert [(each.sides, each.count) for each in found] == [(6, 3), (20, 2)]
        assert found[0].mean == sum(rolls[0][0]["faces"]) / 3
        text = " ".join(answer.content.decode().split())
        assert "3 dice are too few to judge. Check again after 30." in text
        assert "Without disputed rolls." in text

    def test_page_without_known_faces_shows_no_fairness(self, client):
        row = self.send(a_list(0, a_roll(0, other=None, faces=[])))
        answer = client.get(reverse("battles:paired-dice-result", args=[row.key]))
        assert answer.context["dice_statistics"] == ()
        assert "Dice statistics" not in answer.content.decode()

    def test_refused_list_gets_a_reason(self, client):
        answer = client.post(reverse("battles:paired-dice"), "{}", content_type="application/json")
        assert answer.status_code == 422
        assert answer.json()["said"]

    def test_form_instead_of_a_list_is_refused(self, client):
        answer = client.post(reverse("battles:paired-dice"), {"list": "x"})
        assert answer.status_code == 422
        assert answer.json()["said"] == "This isn’t a list of dice."

    def test_old_pairs_are_deleted(self):
        self.send(a_list(0))
        PairedDice.objects.update(created_at=timezone.now() - timedelta(days=4000))
        clear_paired_dice(Clearing(now=timezone.now()))
        assert not PairedList.objects.exists()
