"""Company records calculated from ledger entries, without a database."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters.entries import every_kind
from rosters.ledger.projection import describe_entry, plain, project_entries
from systems.ledger import LedgerError, PostedEntry, Subject

SETTINGS = {"name": "Hounds", "motto": "", "colour": "#112233", "visibility": "private"}
FOUNDED = PostedEntry(id=1, kind="founded", points=60, facts={"to": SETTINGS})
BOUGHT = PostedEntry(id=2, kind="bought", unit=7, points=-9, facts={"name": "Ghost", "design": "WASP", "spec": {}})
HIRED = PostedEntry(id=3, kind="hired", pilot=8, facts={"name": "Ada", "callsign": "", "experience": "green"})
BASE = [FOUNDED, BOUGHT, HIRED]

FACTS_OF = {
    "changed": {"to": {"motto": "Grr"}},
    "renamed": {"from": "Ghost", "to": "Wraith"},
    "kill": {"count": 2},
    "damaged": {"to": {"hits": 1}},
    "repaired": {"to": {}},
    "refitted": {"to": {"chassis": "light", "weapons": ["laser"], "systems": []}, "design": "WASP B"},
    "destroyed": {"to": {"hits": 0}},
    "skill-gained": {"skill": "accuracy"},
    "experience": {"count": 3},
    "promoted": {"from": "green", "to": "regular"},
    "skill-rolled": {"face": 5, "bonus": 0, "needed": 5, "gained": True, "default": "accuracy"},
    "release-adopted": {"from": "1", "to": "2"},
    "game": {"result": "won", "season_points": 3, "income": 12, "repaid": 0},
}


def entry(kind, number=4, **fields):
    return PostedEntry(**{"id": number, "kind": kind, "unit": 7, "pilot": 8, "facts": FACTS_OF.get(kind, {}), **fields})


@pytest.mark.parametrize(
    "kind", [kind.slug for kind in every_kind() if kind.slug not in ("founded", "bought", "hired")]
)
def test_every_kind_of_entry_has_meaning_and_sentence(kind):
    if kind == "reversed":
        assert project_entries([*BASE, entry(kind, unit=7, points=9, reverses=2)]).balance == 60
    else:
        project_entries([*BASE, entry(kind)])
    assert plain(describe_entry(kind, FACTS_OF.get(kind, {}), Subject(7, "Ghost"), Subject(8, "Ada")))


def test_pilots_numbers_name_their_entries():
    record = project_entries(
        [*BASE, entry("kill", 4), entry("fought", 5), entry("kill", 6), entry("promoted", 7)]
    ).pilots[8]
    assert (record.kills, record.games, record.experience) == (4, 1, "regular")
    assert record.explained["kills"] == (4, 6)
    assert record.explained["games"] == (5,)
    assert record.explained["experience"] == (3, 7)


def test_experience_adds_up_and_names_its_entries():
    pilot = project_entries([*BASE, entry("experience", 4), entry("experience", 5)]).pilots[8]
    assert (pilot.points, pilot.explained["points"]) == (6, (4, 5))


def test_unit_counts_its_losses():
    assert (
        project_entries([*BASE, entry("fought", 4, facts={"lost": True}), entry("fought", 5)]).units[7].times_lost == 1
    )


def test_returned_unit_and_pilot_are_out_of_play():
    record = project_entries([*BASE, entry("returned", 4), entry("returned", 5, unit=None)])
    assert (record.units[7].status, record.pilots[8].status) == ("undone", "undone")


def test_fate_injury_lasts_until_recovery():
    injured = entry("wounded", 4, facts={"misses": 1, "face": 2})
    assert project_entries([*BASE, injured]).pilots[8].status == "wounded"
    assert project_entries([*BASE, injured, entry("recovered", 5)]).pilots[8].status == "active"
    assert project_entries([*BASE, entry("wounded", 4)]).pilots[8].status == "active"


@pytest.mark.rule("MM-S03", "MM-S04")
def test_older_death_still_removes_the_last_game():
    dead = project_entries([*BASE, entry("fought", 4), entry("died", 5, facts={"game_lost": True})]).pilots[8]
    assert (dead.status, dead.games) == ("dead", 0)


def test_earned_skill_is_pending_until_chosen():
    rolled = entry("skill-rolled", 4)
    assert project_entries([*BASE, rolled]).pilots[8].pending == ("accuracy",)
    chosen = project_entries(
        [*BASE, rolled, entry("skill-gained", 5, facts={"skill": "spoof", "earned": True})]
    ).pilots[8]
    assert (chosen.skills, chosen.pending) == (("spoof",), ())
    with pytest.raises(LedgerError, match="not earned"):
        project_entries([*BASE, entry("skill-gained", 5, facts={"skill": "spoof", "earned": True})])


@pytest.mark.rule("MM-S01", "MM-S10")
def test_games_add_up_to_record_and_repay_debt():
    lent = PostedEntry(id=4, kind="bought", unit=9, facts={**BOUGHT.facts, "loan": 9})
    lost = {"result": "lost", "season_points": 0, "income": 6, "repaid": 6}
    games = [entry("game", 5), entry("game", 6, points=0, facts=lost)]
    record = project_entries([*BASE, lent, *games])
    assert (record.won, record.drawn, record.lost, record.season_points, record.debt) == (1, 0, 1, 3, 3)


@pytest.mark.parametrize(
    "wrong",
    [
        PostedEntry(id=9, kind="gift"),
        PostedEntry(id=9, kind="sold", unit=99),
        PostedEntry(id=9, kind="sold"),
        PostedEntry(id=9, kind="bought", unit=7, facts=BOUGHT.facts),
        PostedEntry(id=9, kind="hired", pilot=11),
        PostedEntry(id=9, kind="kill", pilot=8, facts={"count": "many"}),
        PostedEntry(id=9, kind="changed", facts={"to": {"balance": "9000"}}),
        PostedEntry(id=9, kind="changed", facts={"to": "all"}),
        PostedEntry(id=9, kind="game", facts={"result": "cheated", "season_points": 90}),
        PostedEntry(id=9, kind="skill-rolled", pilot=8),
    ],
)
def test_contradictory_entries_are_refused_by_number(wrong):
    with pytest.raises(LedgerError, match="entry 9"):
        project_entries([*BASE, wrong])


KINDS = [
    "changed",
    "assigned",
    "renamed",
    "fought",
    "kill",
    "damaged",
    "destroyed",
    "wounded",
    "repaired",
    "refitted",
    "sold",
    "promoted",
    "unhurt",
    "recovered",
    "skill-rolled",
    "game",
]


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(-9, 9)), max_size=12), st.data())
def test_reversed_entries_restore_the_earlier_state(acts, data):
    numbers = itertools.count(4)
    entries = [entry(kind, next(numbers), points=points) for kind, points in acts]
    kept = data.draw(st.integers(0, len(entries)))
    undone = [
        PostedEntry(id=next(numbers), kind="reversed", points=-each.points, reverses=each.id)
        for each in reversed(entries[kept:])
    ]
    assert project_entries([*BASE, *entries, *undone]) == project_entries([*BASE, *entries[:kept]])


def test_entry_counts_at_its_named_place():
    first = entry("promoted", 4, facts={"from": "green", "to": "regular"})
    second = entry("promoted", 5, facts={"from": "regular", "to": "veteran"})
    away = PostedEntry(id=6, kind="reversed", pilot=8, reverses=4, facts={"kind": "promoted"})
    promotion = entry("promoted", 7, facts={"from": "green", "to": "regular", "place": 4})
    assert project_entries([*BASE, first, second, away, promotion]).pilots[8].experience == "veteran"


@pytest.mark.parametrize("place", [9, "first", True, None])
def test_entry_at_an_impossible_place_is_refused(place):
    with pytest.raises(LedgerError, match="can't stand in place"):
        project_entries([*BASE, entry("kill", 4, facts={"count": 1, "place": place})])


def test_dead_pilot_takes_no_seat_and_does_not_recover():
    died, seated = (
        entry("died", 4),
        PostedEntry(id=5, kind="assigned", unit=7, pilot=8, facts={"from": None, "to": "Ada"}),
    )
    record = project_entries([*BASE, died, seated, entry("recovered", 6)])
    assert (record.units[7].pilot, record.pilots[8].status) == (None, "dead")
