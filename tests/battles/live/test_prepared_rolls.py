"""Rolls prepared for a phone without a network: sealed before, used in order, disputed if they differ."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from battles.live import acts as live_acts
from battles.live.acts import act_do, rolls_prepare
from battles.live.selectors import live_page
from battles.live.services import table_close
from battles.live.sheet import table_sheet
from battles.live.state import AHEAD, MAX_PHONES, PREPARE, UNDO, acts_of, chains_of, table_state
from battles.models import LiveTable
from campaigns.dice import dice_check
from rosters.services import RefusedError
from systems.engine.dice import PREPARED_CHAIN_LENGTH, ahead_faces, ahead_last, ahead_links, is_next_link
from systems.reading import stored_setup
from tests.battles.live.builders import a_table, do

PHONE, OTHER_PHONE = "phone-of-ann", "other-phone-of-ann"


class Phone:
    """A phone with prepared rolls, honest by default."""

    def __init__(self, seat, name=PHONE):
        self.seat, self.name = seat, name
        self.chain, last = rolls_prepare(seat=seat, phone=name)
        self.links = ahead_links(last)

    def roll(self, roll, *, what="To hit", link="", faces=None, phone="", dice=2):
        true = ahead_faces(self.links[roll], roll, dice, 6)
        do(
            self.seat,
            AHEAD,
            phone=phone or self.name,
            what=what,
            sides=6,
            need=4,
            chain=self.chain.number,
            roll=roll,
            link=link or self.links[roll],
            faces=faces or true,
        )
        return rolls(self.seat)[0]


def rolls(seat):
    """Return all rolls, newest first."""
    seat.table.refresh_from_db()
    return live_page(seat).rolls


def refused(seat, **facts):
    given = {"what": "x", "sides": 6, "faces": [1], "chain": 1, "roll": 1, "link": "0" * 26} | facts
    with pytest.raises(RefusedError) as raised:
        act_do(seat=seat, once="a-key-of-its-own", kind=AHEAD, facts=given, phone=PHONE)
    return raised.value.reason


pytestmark = pytest.mark.django_db


def test_prepared_rolls_are_sealed_and_visible_to_both():
    ann, ben = a_table()
    phone = Phone(ann)
    assert phone.links[0] == phone.chain.sealed
    (prepared,) = live_page(ben).prepared
    assert (prepared.who, prepared.chain.sealed, prepared.chain.left) == ("Ann", phone.links[0], PREPARED_CHAIN_LENGTH)
    assert "Ann" in live_page(ben).log[0].who
    assert "prepared 60 offline rolls" in live_page(ben).log[0].text
    stored = json.dumps([act.facts for act in acts_of(ann.table)])
    assert not any(link in stored for link in phone.links[1:]), "no value in the database gives the rolls away"


def test_honest_prepared_rolls_are_proven():
    ann, ben = a_table()
    phone = Phone(ann)
    for number, what in enumerate(("To hit", "Armor", "Initiative"), start=1):
        phone.roll(number, what=what)
    found = rolls(ben)
    assert [(each.prepared, each.what, each.why, each.skipped) for each in found] == [
        (3, "Initiative", (), ""),
        (2, "Armor", (), ""),
        (1, "To hit", (), ""),
    ]
    assert [face for face, _ in found[2].faces] == ahead_faces(phone.links[1], 1, 2, 6)
    check = dice_check(secret=phone.links[2], purpose="ahead-2", words=(), given=phone.chain.sealed)
    assert check.is_committed
    assert list(check.faces[:2]) == ahead_faces(phone.links[2], 2, 2, 6)


def test_skipped_roll_is_shown_and_disputed_when_late():
    ann, _ben = a_table()
    phone = Phone(ann)
    phone.roll(1)
    assert phone.roll(4).skipped == "Rolls 2 to 3 were skipped."
    late = phone.roll(2)
    assert late.why == ("It came after roll 4. Offline rolls must be used in order.",)
    (prepared,) = live_page(ann).prepared
    assert (prepared.skipped, prepared.chain.left) == ("3", PREPARED_CHAIN_LENGTH - 4)
    assert phone.roll(6).skipped == "Roll 5 was skipped."


def test_prepared_roll_is_used_once():
    ann, _ben = a_table()
    phone = Phone(ann)
    assert not phone.roll(1).why
    again = phone.roll(1, what="Something better")
    assert again.why == ("Roll 1 was used before, at 2.",)
    assert not any(made for _face, made in again.faces), "the roll is void"
    assert live_page(ann).dice_statistics[0].fairness.count == 2, "its faces don't count in the statistics"


def test_faces_that_differ_from_sealed_ones_are_disputed():
    ann, _ben = a_table()
    phone = Phone(ann)
    true = ahead_faces(phone.links[1], 1, 2, 6)
    roll = phone.roll(1, faces=[7 - true[0], true[1]])
    assert roll.why == (f"The phone showed {7 - true[0]}, {true[1]}; roll 1 is {true[0]}, {true[1]}.",)
    assert [face for face, _ in roll.faces] == true
    made_up = phone.roll(2, link="0" * 26, faces=[6, 6])
    assert made_up.why == ("The sealed value of roll 2 is missing.",)
    assert not phone.roll(2).why, "a forged secret uses up no roll"
    other = phone.roll(3, link=phone.links[4])
    assert other.why, "another roll's link is refused"


def test_two_phones_of_a_side_have_their_own_rolls():
    ann, _ben = a_table()
    one, two = Phone(ann), Phone(ann, OTHER_PHONE)
    assert one.links != two.links
    assert not one.roll(1).why
    assert not two.roll(1).why
    assert two.roll(2, phone=PHONE).why == ("It was prepared for another phone of this side.",)
    assert [each.chain.left for each in live_page(ann).prepared] == [
        PREPARED_CHAIN_LENGTH - 2,
        PREPARED_CHAIN_LENGTH - 1,
    ]


def test_phone_cannot_ask_for_better_rolls():
    ann, ben = a_table()
    first = Phone(ann)
    assert Phone(ann).links == first.links, "a phone that asks again gets the same rolls"
    for number in range(1, MAX_PHONES):
        Phone(ann, f"phone-number-{number}")
    with pytest.raises(RefusedError, match="already on 3 phones"):
        rolls_prepare(seat=ann, phone="one-phone-more")
    assert len(live_page(ben).prepared) == MAX_PHONES, "the page lists each of them"
    assert Phone(ben).links not in [first.links]


def test_used_up_rolls_are_followed_by_more():
    ann, _ben = a_table()
    phone = Phone(ann)
    phone.roll(PREPARED_CHAIN_LENGTH)
    more = Phone(ann)
    assert (more.chain.number, more.links != phone.links) == (2, True)
    assert not more.roll(1).why


def test_refused_preparation_names_its_limit(monkeypatch):
    """Phones with used-up rolls count too, and so do a side's own chains and the log's length."""
    ann, _ben = a_table()
    for number in range(MAX_PHONES):
        Phone(ann, f"phone-number-{number}").roll(PREPARED_CHAIN_LENGTH)
    with pytest.raises(RefusedError, match="already on"):
        rolls_prepare(seat=ann, phone="one-phone-more")
    monkeypatch.setattr(live_acts, "MAX_CHAINS", MAX_PHONES)
    with pytest.raises(RefusedError, match=f"{MAX_PHONES * PREPARED_CHAIN_LENGTH} offline rolls, which is the maximum"):
        rolls_prepare(seat=ann, phone="phone-number-0")
    monkeypatch.undo()
    monkeypatch.setattr(live_acts, "MAX_SIDE_ACTS", 6)
    with pytest.raises(RefusedError, match="limit of 6 marks"):
        rolls_prepare(seat=ann, phone="phone-number-0")


def test_prepared_rolls_belong_to_one_side_and_stay():
    ann, ben = a_table()
    phone = Phone(ann)
    phone.seat = ben
    assert "offline roll for this side" in refused(ben, link=phone.links[1])
    phone.seat = ann
    made = phone.roll(1)
    with pytest.raises(RefusedError):
        do(ann, UNDO, place=made.place)
    with pytest.raises(RefusedError):
        do(ann, UNDO, place=1)


@pytest.mark.parametrize(
    "facts", [{"roll": 0}, {"roll": PREPARED_CHAIN_LENGTH + 1}, {"chain": 2}, {"faces": [7]}, {"faces": []}]
)
def test_bad_prepared_roll_is_refused(facts):
    ann, _ben = a_table()
    Phone(ann)
    assert refused(ann, **facts)
    assert not [act for act in acts_of(ann.table) if act.kind == AHEAD]


def test_revealed_secret_gives_every_chain():
    ann, ben = a_table()
    mine, theirs = Phone(ann), Phone(ben)
    table_close(table=LiveTable.objects.get(pk=ann.table_id))
    secret = LiveTable.objects.select_related("dice").get(pk=ann.table_id).dice.secret
    assert ahead_links(ahead_last(secret, 0, 1)) == mine.links
    assert ahead_links(ahead_last(secret, 1, 1)) == theirs.links
    with pytest.raises(RefusedError, match="closed"):
        rolls_prepare(seat=ann, phone=PHONE)


def test_page_gives_prepared_rolls_to_their_phone_only(client):
    ann, ben = a_table()
    address = reverse("battles:seat-prepare-rolls", args=[ann.key])
    given = client.post(address, {"phone": PHONE})
    assert given["Cache-Control"] == "no-store"
    data = given.json()
    sealed = chains_of(acts_of(ann.table))[0].sealed
    assert is_next_link(data["last"], PREPARED_CHAIN_LENGTH, sealed)
    assert (data["used"], data["length"]) == (0, PREPARED_CHAIN_LENGTH)
    for phone in ("", "short", "x" * 33, "no such\x00name"):
        assert client.post(address, {"phone": phone}).status_code == 422
    table = reverse("api-live-table", args=[ann.table.key])
    for page in (Client().get(reverse("battles:seat", args=[ben.key])), Client().get(table)):
        assert data["last"] not in page.content.decode()
    acts = Client().get(table).json()["acts"]
    assert [(act["kind"], act["facts"]["sealed"]) for act in acts] == [(PREPARE, sealed)]


def test_prepared_roll_sent_twice_is_written_once(client):
    ann, _ben = a_table()
    phone = Phone(ann)
    faces = ahead_faces(phone.links[1], 1, 3, 6)
    sent = {
        "do": "ahead", "what": "To hit", "dice": 3, "sides": 6, "need": "", "chain": 1, "roll": 1,
        "link": phone.links[1], "faces": " ".join(map(str, faces)), "act": "once-and-no-more", "phone": PHONE,
    }  # fmt: skip
    for _try in range(2):
        assert client.post(reverse("battles:seat-act", args=[ann.key]), sent, HTTP_X_LIVE="1").status_code == 200
    (made,) = rolls(ann)
    assert ([face for face, _ in made.faces], made.why) == (faces, ())
    page = client.get(reverse("battles:seat", args=[ann.key])).content.decode()
    assert "prepared roll 1" in page
    assert f"secret={phone.links[1]}" in page


def test_table_with_prepared_rolls_can_be_replayed():
    ann, _ben = a_table()
    Phone(ann).roll(1)
    table = LiveTable.objects.get(pk=ann.table_id)
    state = table_state(table_sheet(stored_setup(table.setup)), acts_of(table))
    assert (len(state.rolls), state.last) == (1, 2)
