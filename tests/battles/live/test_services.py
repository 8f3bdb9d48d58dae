"""Acts at a table through the services: permissions, order, repetition and abuse."""

import hashlib
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from battles.live import acts as live_acts
from battles.live.acts import act_do
from battles.live.services import table_join, table_log, table_open
from battles.live.sheet import ROUND, WINNER, table_sheet
from battles.live.state import AGREE, OPEN, ROLL, SEAL, SET, TYPED, UNDO, acts_of, purpose_of, report_digest
from battles.models import Battle, LiveEvent, LiveTable, SealedDice
from battles.services.dice import dice_secret
from battles.services.setups import SideForce
from rosters.models import LedgerEntry
from rosters.services import RateLimitedError, RefusedError
from systems.engine.dice import SeededDice, commitment, roll, sealed_seed
from systems.reading import stored_setup
from tests.battles.builders import company, company_battle, duel, player
from tests.battles.live.builders import a_table, do, mark, state_of

pytestmark = pytest.mark.django_db
HITS = "a1.hits"


def agree(seat):
    table = LiveTable.objects.get(pk=seat.table_id)
    digest = report_digest(table_sheet(stored_setup(table.setup)).report(state_of(seat).values))
    return do(seat, AGREE, digest=digest)


def test_table_waits_with_a_code_until_joined():
    first = table_open(setup=duel(), name="Ann")
    code = first.table.code
    assert len(code) == 6
    other = table_join(code=f" {code.lower()} ", name="Ben")
    assert (other.side, other.name) == (1, "Ben")
    with pytest.raises(RefusedError, match="No game is waiting"):
        table_join(code=code)


def test_opponent_brings_own_units_before_the_first_mark():
    first = table_open(setup=duel())
    other = table_join(code=first.table.code, own=[{"key": "b1", "design": "thor"}, {"key": "b2", "design": "wasp"}])
    assert [unit["design"] for unit in other.table.setup["sides"][1]["units"]] == ["thor", "wasp"]
    begun = table_open(setup=duel())
    mark(begun, HITS, 1)
    with pytest.raises(RefusedError, match="The game has begun"):
        table_join(code=begun.table.code, own=[{"key": "b1", "design": "thor"}])


def test_opponent_is_not_given_the_hosts_company():
    ann, ben = player("ann"), player("ben")
    own = company(ann)
    setup, forces = company_battle(own)
    laid = SideForce(company=own, units={"b1": {"unit": own.units.get().pk, "pilot": None}})
    first = table_open(setup=setup, forces=forces, actor=ann)
    LiveTable.objects.update(forces=[None, {"company": own.pk, "units": dict(laid.units)}])
    other = table_join(code=first.table.code, actor=ben)
    assert (first.company_id, other.company_id) == (own.pk, None)


def test_every_act_has_its_place_and_side():
    ann, ben = a_table()
    assert [mark(ann, HITS, 1), mark(ben, HITS, 2), mark(ann, ROUND, 2)] == [1, 2, 3]
    assert [(act.place, act.side) for act in acts_of(ann.table)] == [(1, 0), (2, 1), (3, 0)]
    assert state_of(ben).values[HITS] == 2


def test_act_sent_again_is_done_once():
    ann, ben = a_table()
    assert mark(ann, HITS, 1, once="the-same-key") == 1
    mark(ben, HITS, 2)
    assert mark(ann, HITS, 1, once="the-same-key") == 1
    assert state_of(ann).values[HITS] == 2
    assert mark(ben, HITS, 0, once="the-same-key") == 3, "the other side's key is a different one"


def test_marks_of_both_sides_on_one_unit_are_kept():
    ann, ben = a_table()
    mark(ann, HITS, 1, seen=0)
    mark(ben, HITS, 2, seen=0)
    state = state_of(ann)
    assert state.values[HITS] == 2
    (crossing,) = state.crossings
    assert (crossing.of(crossing.first), crossing.of(crossing.second)) == ((0, 1), (1, 2))
    mark(ann, HITS, 2)
    assert state_of(ann).crossings == ()


def test_side_undoes_own_acts_only():
    ann, ben = a_table()
    place = mark(ann, HITS, 2)
    with pytest.raises(RefusedError, match="only undo your own"):
        do(ben, UNDO, place=place)
    do(ann, UNDO, place=place)
    assert state_of(ann).values[HITS] == 0
    with pytest.raises(RefusedError, match="already undone"):
        do(ann, UNDO, place=place)


def test_roll_and_sealed_note_cannot_be_undone():
    ann, _ = a_table()
    for place in (do(ann, ROLL, dice=2, sides=6), do(ann, SEAL, text="A mine")):
        with pytest.raises(RefusedError, match="can’t undo rolls"):
            do(ann, UNDO, place=place)


@pytest.mark.parametrize(
    "changes",
    [[], None, "a1.hits:1", [["a1.hits", 99]], [["a1.hits", -1]], [["a1.hits", "1"]], [["a1.hits", True]],
     [["no.such", 1]], [["table.winner", "me"]], [["a1.hits", 1]] * 9],
)  # fmt: skip
def test_bad_mark_is_refused(changes):
    ann, _ = a_table()
    with pytest.raises(RefusedError):
        do(ann, SET, changes=changes)
    assert not LiveEvent.objects.exists()


@pytest.mark.parametrize("kind", ["", "win", "delete"])
def test_unknown_kind_of_act_is_refused(kind):
    ann, _ = a_table()
    with pytest.raises(RefusedError, match="doesn't exist"):
        do(ann, kind)


@pytest.mark.parametrize("once", ["", "short", "x" * 65, "a b c d e f g h"])
def test_act_without_its_own_key_is_refused(once):
    ann, _ = a_table()
    with pytest.raises(RefusedError, match="has no key"):
        act_do(seat=ann, once=once, kind=SET, facts={"changes": [[HITS, 1]]})


def test_log_cannot_be_changed():
    ann, _ = a_table()
    mark(ann, HITS, 1)
    event = LiveEvent.objects.get()
    event.side = 1
    with pytest.raises(TypeError, match="never changed"):
        event.save()


def test_revealed_note_matches_its_hash():
    ann, ben = a_table()
    place = do(ann, SEAL, text="A mine at the ford", hash="forged", salt="forged")
    (note,) = state_of(ann).notes
    assert note.hash == hashlib.sha256(note.hashed.encode()).hexdigest()
    assert note.hashed.endswith("\nA mine at the ford")
    with pytest.raises(RefusedError, match="your own notes"):
        do(ben, OPEN, place=place)
    do(ann, OPEN, place=place)
    assert state_of(ben).notes[0].is_open
    with pytest.raises(RefusedError, match="already revealed"):
        do(ann, OPEN, place=place)


def test_rolls_follow_from_the_sealed_seed():
    ann, ben = a_table()
    published = ann.table.dice.commitment
    do(ann, ROLL, dice=5, sides=6, what="Wasp fires", need=4, faces=[6, 6, 6, 6, 6])
    do(ben, ROLL, dice=3, sides=10)
    rolls = state_of(ann).rolls
    secret = dice_secret(SealedDice.objects.get())
    assert commitment(secret) == published
    for number, act in enumerate(rolls, start=1):
        stream = SeededDice(sealed_seed(secret, purpose_of(number)))
        assert list(act.facts["faces"]) == [roll(stream, act.facts["sides"]) for _ in act.facts["faces"]]
    assert rolls[0].facts["what"] == "Wasp fires"


def test_typed_dice_are_marked_and_impossible_faces_refused():
    ann, _ = a_table()
    do(ann, TYPED, sides=6, faces=[1, 6], what="by hand")
    assert state_of(ann).rolls[0].kind == TYPED
    for faces in ([0], [7], [], ["6"], None):
        with pytest.raises(RefusedError):
            do(ann, TYPED, sides=6, faces=faces)


@pytest.mark.parametrize(("dice", "sides"), [(0, 6), (41, 6), (1, 1), (1, 101), (True, 6)])
def test_bad_dice_are_refused(dice, sides):
    ann, _ = a_table()
    with pytest.raises(RefusedError):
        do(ann, ROLL, dice=dice, sides=sides)


def test_agreement_of_both_closes_table_and_reveals_dice():
    ann, ben = a_table()
    do(ann, ROLL, dice=1, sides=6)
    mark(ann, WINNER, "attacker")
    agree(ann)
    assert LiveTable.objects.get().ended_at is None
    agree(ben)
    table = LiveTable.objects.get()
    assert table.ended_at is not None
    assert commitment(table.dice.secret) == table.dice.commitment
    with pytest.raises(RefusedError, match="closed"):
        mark(ann, HITS, 1)


def test_outdated_or_impossible_agreement_is_refused():
    ann, ben = a_table()
    with pytest.raises(RefusedError, match="Choose the winner"):
        agree(ann)
    mark(ann, WINNER, "attacker")
    agree(ann)
    mark(ann, HITS, 1)
    agree(ben)
    assert LiveTable.objects.get().ended_at is None, "they had agreed to a different state"
    with pytest.raises(RefusedError, match="changed since"):
        do(ann, AGREE, digest="0" * 64)
    mark(ann, "a1.fate-kills", 3)
    with pytest.raises(RefusedError, match="3 kills"):
        agree(ann)


def test_open_conflict_blocks_agreement():
    ann, ben = a_table()
    mark(ann, WINNER, "attacker")
    mark(ann, HITS, 1, seen=1)
    mark(ben, HITS, 2, seen=1)
    with pytest.raises(RefusedError, match="both changed the same"):
        agree(ann)


def test_end_is_logged_to_the_company_once():
    owner = player()
    own = company(owner)
    setup, forces = company_battle(own)
    ann = table_open(setup=setup, forces=forces, actor=owner)
    ben = table_join(code=ann.table.code, name="Ben")
    keys = [unit["key"] for unit in setup["sides"][0]["units"]]
    mark(ann, "b1.hits", state_of(ann).values["b1.hits"] + 2)
    mark(ann, f"{keys[0]}.fate-kills", 1)
    mark(ann, "b1.fate-destroyed", 1)
    mark(ann, WINNER, "attacker")
    with pytest.raises(RefusedError, match="must confirm the result"):
        table_log(seat=ann, actor=owner)
    agree(ann)
    agree(ben)
    battle = table_log(seat=ann, actor=owner)
    assert table_log(seat=ann, actor=owner) == battle
    assert Battle.objects.get().fought_by_hand
    assert LedgerEntry.objects.filter(company=own, cause_ref=str(battle.key), kind="kill").exists()
    with pytest.raises(RefusedError, match="You have no company"):
        table_log(seat=ben, actor=owner)


def test_starting_tables_has_an_hourly_limit(monkeypatch):
    monkeypatch.setattr("battles.live.services.MAX_TABLES_PER_HOUR", 2)
    for _ in range(2):
        table_open(setup=duel(), visitor="somebody")
    with pytest.raises(RefusedError, match="this hour"):
        table_open(setup=duel(), visitor="somebody")
    table_open(setup=duel(), visitor="another")


def test_keys_and_codes_are_drawn_again_for_each_table():
    seats = [table_open(setup=duel(), visitor=uuid4().hex) for _ in range(3)]
    assert len({seat.key for seat in seats}) == len({seat.table.code for seat in seats}) == 3


# --- a side that does too much ---


def type_dice(seat, **more):
    return do(seat, TYPED, faces=[6], sides=6, what="to fill the log", **more)


def test_full_log_of_a_side_does_not_block_opponent(monkeypatch):
    """The opponent writes dice until nothing more is taken. Ann still marks, rolls, reveals, undoes and agrees."""
    monkeypatch.setattr(live_acts, "MAX_SIDE_ACTS", 4)
    ann, ben = a_table()
    note = do(ann, SEAL, text="We go left")
    for _ in range(4):
        type_dice(ben)
    with pytest.raises(RefusedError, match="Your side has reached the limit of 4 marks"):
        type_dice(ben)
    done = [mark(ann, HITS, 1), do(ann, ROLL, dice=2, sides=6), mark(ann, WINNER, "attacker")]
    assert LiveTable.objects.get(pk=ann.table_id).length == done[-1]
    with pytest.raises(RefusedError, match="You can still reveal notes, undo, and confirm"):
        mark(ann, HITS, 2)
    do(ann, OPEN, place=note)
    do(ann, UNDO, place=done[0])
    for seat in (ben, ann):
        agree(seat)
    assert LiveTable.objects.get(pk=ann.table_id).ended_at is not None


def test_side_over_the_rate_limit_waits_alone(monkeypatch):
    monkeypatch.setattr(live_acts, "MAX_ACTS_PER_MINUTE", 3)
    ann, ben = a_table()
    note = do(ann, SEAL, text="We go left")
    done = [type_dice(ann), type_dice(ann)]
    with pytest.raises(RateLimitedError, match=r"3 things within a minute. Continue in \d+ seconds?\.") as refused:
        type_dice(ann)
    assert 1 <= refused.value.wait <= 60
    do(ann, OPEN, place=note)
    do(ann, UNDO, place=done[0])
    type_dice(ben)
    LiveEvent.objects.filter(side=0).update(occurred_at=timezone.now() - timedelta(seconds=61))
    type_dice(ann)


def test_repeated_act_counts_once_for_the_rate_limit(monkeypatch):
    monkeypatch.setattr(live_acts, "MAX_ACTS_PER_MINUTE", 2)
    ann, _ben = a_table()
    assert [type_dice(ann, once="the-same-act") for _ in range(5)] == [1] * 5
    type_dice(ann)


def test_agreeing_and_undoing_has_a_limit(monkeypatch):
    monkeypatch.setattr(live_acts, "MAX_AGREES", 3)
    ann, ben = a_table()
    mark(ann, WINNER, "attacker")
    for _ in range(3):
        do(ben, UNDO, place=agree(ben))
    with pytest.raises(RefusedError, match="confirmed 3 times"):
        agree(ben)


def test_rate_limited_sheet_gets_a_time_to_wait(client, monkeypatch):
    monkeypatch.setattr(live_acts, "MAX_ACTS_PER_MINUTE", 1)
    ann, _ben = a_table()
    url = reverse("battles:seat-act", args=[ann.key])
    sent = {"do": "typed", "faces": "6", "sides": "6"}
    assert client.post(url, {**sent, "act": "first-of-all"}, HTTP_X_LIVE="1").status_code == 200
    answer = client.post(url, {**sent, "act": "second-one"}, HTTP_X_LIVE="1")
    assert (answer.status_code, answer["Retry-After"].isdecimal()) == (429, True)
    assert "Continue in" in answer.json()["reason"]
    page = client.post(url, {**sent, "act": "second-one"}, follow=True)
    assert "Continue in" in page.content.decode()
    ahead = client.post(
        reverse("battles:seat-prepare-rolls", args=[ann.key]), {"phone": "a-phone-of-mine"}, HTTP_X_LIVE="1"
    )
    assert ahead.status_code == 429
