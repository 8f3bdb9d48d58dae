"""What a battle leaves behind: experience, levels, fates of crews, income, victory points in the standings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.models import Battle
from campaigns.results.aftermath import game_losses, game_scores
from systems import BATTLES
from systems.engine.dice import ScriptedDice
from systems.mechastellar.build import SYSTEM as ROSTERS
from systems.mechastellar.season import SYSTEM
from systems.report_fields import UnitFate
from systems.roster import CompanyMember, PilotSpec
from systems.season import Career, Flight, Fought, GameSide, UnitBefore
from tests.systems.mechastellar.battle.tables import setup


def flight(design: str = "gamma-apollo", *, key: str = "p1", before: Career | None = None, **fate: Any) -> Flight[Any]:
    return Flight(
        key=key, before=before or Career(level="basic"), spec=ROSTERS.published[design].spec, fate=UnitFate(fate)
    )


def worth(flight: Flight[Any]) -> int:
    return ROSTERS.points_flown(flight.spec, {"experience": flight.before.level})


def side(*flights: Flight[Any], result: Any = "lost", units: tuple[Any, ...] = (), **what: Any) -> GameSide[Any]:
    """Return a side whose units are all flown by its own pilots, unless a test says otherwise."""
    battles = tuple(Fought(points=worth(each), fate=each.fate) for each in flights)
    return GameSide(result=result, flights=flights, units=units, **{"fought": battles, **what})


def after(*sides: GameSide[Any], dice: tuple[int, ...] = ()) -> Any:
    """Return the sides after the battle, with exactly these dice."""
    script = ScriptedDice(dice)
    results = SYSTEM.aftermath(sides, script, standing=True)
    assert not script.faces, "dice were left over"
    return results if len(results) > 1 else results[0]


@pytest.mark.rule("ST-403")
@pytest.mark.parametrize(
    ("fate", "result", "points"),
    [
        ({}, "lost", 1),
        ({}, "won", 2),
        ({"kills": 2}, "drawn", 3),
        ({"kills": 2, "leaders": 1}, "won", 5),
    ],
)
def test_survival_kills_leaders_and_win_give_experience(fate, result, points):
    (done,) = after(side(flight(**fate), result=result)).flights
    assert (done.after.points, done.after.kills, done.after.games) == (points, fate.get("kills", 0), 1)


@pytest.mark.rule("ST-403", "ST-405")
def test_dead_pilot_gains_only_kills():
    (done,) = after(side(flight(destroyed=True, kills=2), result="won"), dice=(1,)).flights
    assert (done.is_dead, done.after.points, done.after.kills, done.after.games) == (True, 0, 2, 1)


@pytest.mark.rule("ST-404")
@pytest.mark.parametrize(("points", "level", "promoted"), [(6, "basic", False), (7, "skilled", True), (18, "skilled", False), (19, "ace", True)])  # fmt: skip
def test_levels_start_at_8_and_20_points(points, level, promoted):
    was = "basic" if points < 8 else "skilled"
    (done,) = after(side(flight(before=Career(level=was, points=points)))).flights
    assert (done.after.level, done.promoted) == (level, promoted)


@pytest.mark.rule("ST-404")
@pytest.mark.parametrize(("kaiju_level", "points", "level"), [(1, 9, "skilled"), (2, 21, "ace")])
def test_kaiju_starts_with_experience_of_printed_level(kaiju_level, points, level):
    drake = replace(flight("trident-drake"), spec=replace(ROSTERS.published["trident-drake"].spec, level=kaiju_level))
    (done,) = after(side(drake)).flights
    assert (done.after.points, done.after.level, done.promoted) == (points, level, True)


@pytest.mark.rule("ST-404")
@pytest.mark.parametrize("design", ["white-asura", "blue-djinn", "escort-carrier"])
def test_pilot_of_high_level_profile_starts_from_zero(design):
    spec = ROSTERS.published[design].spec
    assert spec.level > 0
    (done,) = after(side(flight(design))).flights
    assert (done.after.points, done.after.level, done.promoted) == (1, "basic", False)
    assert ROSTERS.points_flown(spec, {"experience": done.after.level}) == ROSTERS.check_design(spec).points


@pytest.mark.rule("ST-404")
def test_promotion_raises_unit_cost_at_once():
    spec = ROSTERS.published["gamma-apollo"].spec
    worth = [ROSTERS.check_company("", [CompanyMember("x", spec, PilotSpec(level))]).points for level in ("basic", "skilled", "ace")]  # fmt: skip
    assert worth == [190, 230, 270]


@pytest.mark.rule("ST-405")
def test_fate_die_decides_crew_of_destroyed_unit():
    pilots = [after(side(flight(destroyed=True)), dice=(face,)).flights[0].fate.fate for face in range(1, 11)]
    assert pilots == ["killed"] * 2 + ["injured"] * 3 + ["unhurt"] * 5
    ship = [
        after(side(flight("escort-carrier", destroyed=True)), dice=(face,)).flights[0].fate.fate for face in (2, 3, 6)
    ]
    assert ship == ["killed", "injured", "unhurt"]
    kaiju = [
        after(side(flight("trident-drake", destroyed=True)), dice=(face,)).flights[0].fate.fate for face in range(1, 11)
    ]
    assert kaiju == ["killed"] * 5 + ["injured"] * 5


@pytest.mark.rule("ST-405")
def test_fate_rolled_at_table_is_kept():
    (done,) = after(side(flight(destroyed=True, fate="injured"))).flights
    assert (done.fate.fate, done.fate.face) == ("injured", 0)


@pytest.mark.rule("ST-405")
def test_surviving_kaiju_misses_battle_despite_reported_fate():
    """A crew may be unhurt; a Kaiju is its own pilot."""
    unit = UnitBefore(key="u1", spec=flight("trident-drake").spec, lost=True, pilot="p1")
    done = after(side(flight("trident-drake", destroyed=True, fate="unhurt"), units=(unit,)))
    assert (done.flights[0].fate.fate, done.flights[0].fate.face) == ("injured", 0)
    assert done.units[0].condition == {"hits": 5500}


@pytest.mark.rule("ST-405")
@pytest.mark.parametrize(("face", "condition"), [(5, None), (6, {"hits": 5500})])
def test_kaiju_without_company_pilot_rolls_for_itself(face, condition):
    drake = flight("trident-drake").spec
    unit = UnitBefore(key="u1", spec=drake, lost=True, fate=UnitFate(destroyed=True))
    (done,) = after(side(units=(unit,)), dice=(face,)).units
    assert (done.condition, done.face) == (condition, face)


@pytest.mark.rule("ST-405")
def test_pilot_of_lost_lent_unit_rolls_fate():
    unit = UnitBefore(key="u1", spec=flight("green-viking").spec, lost=True, pilot="p1", lent=True)
    done = after(side(flight("green-viking", destroyed=True), units=(unit,)), dice=(3,))
    assert (done.flights[0].fate.fate, done.units) == ("injured", ())


@pytest.mark.rule("ST-405")
@pytest.mark.parametrize(("face", "condition"), [(5, None), (6, {"hits": 5500})])
def test_destroyed_kaiju_dies_or_returns_with_half_hp(face, condition):
    drake = ROSTERS.published["trident-drake"].spec
    unit = UnitBefore(key="u1", spec=drake, lost=True, pilot="p1", fate=UnitFate(destroyed=True))
    (done,) = after(side(flight("trident-drake", destroyed=True), units=(unit,)), dice=(face,)).units
    assert (done.key, done.condition, done.face) == ("u1", condition, face)
    assert not ROSTERS.loss_is_final(drake)
    assert ROSTERS.loss_is_final(ROSTERS.published["gamma-apollo"].spec)


def test_dice_fall_for_side_a_first_in_fielded_order():
    sides = side(flight(key="a1", destroyed=True), flight(key="a2", destroyed=True)), side(flight(key="b1", destroyed=True), result="won")  # fmt: skip
    first, second = after(*sides, dice=(1, 4, 7))
    assert [(each.key, each.fate.face) for each in (*first.flights, *second.flights)] == [
        ("a1", 1),
        ("a2", 4),
        ("b1", 7),
    ]


@pytest.mark.rule("ST-402", "ST-408")
@pytest.mark.parametrize(
    ("fates", "result", "income", "league"),
    [
        ([{}, {}, {}], "lost", 100, 0),
        ([{"scored": 7}, {}, {}], "won", 220, 3),
        ([{"scored": 7}, {"scored": 4}, {}], "drawn", 210, 1),
        ([{"scored": 7, "destroyed": True}, {}, {}], "lost", 170, 0),
        ([{"scored": 7, "destroyed": True}, {"destroyed": True}, {}], "lost", 150, 0),
        ([{"destroyed": True}, {"destroyed": True}, {}], "lost", 100, 0),
    ],
)
def test_income_depends_on_victory_points_losses_and_win(fates, result, income, league):
    flights = [flight(key=f"p{at}", **fate) for at, fate in enumerate(fates)]
    dice = tuple(10 for fate in fates if "destroyed" in fate)
    takings = after(side(*flights, result=result), dice=dice).takings
    assert (takings.income, takings.season_points, takings.repaid) == (income, league, 0)


@pytest.mark.rule("ST-402", "ST-380", "ST-381", "ST-382", "ST-410")
def test_finale_waives_penalties_in_tie_break_scores():
    lost = UnitFate(destroyed=True, scored=4)
    sides = [
        [Fought(points=320, fate=lost), Fought(points=110, fate=UnitFate())],
        [Fought(points=190, fate=UnitFate(scored=12))],
    ]
    assert SYSTEM.scores(sides, {}) == (-100, 1200)
    assert SYSTEM.scores(sides, {"finale": True}) == (400, 1200)
    assert SYSTEM.tie_breakers == ("score-difference", "score")
    assert dict(SYSTEM.season_points) == {"won": 3, "drawn": 1, "lost": 0}


@pytest.mark.rule("ST-380", "ST-404", "ST-408")
@pytest.mark.parametrize(("level", "income"), [("skilled", 170), ("ace", 140)])
def test_loss_penalty_depends_on_level_flown(level, income):
    asura = flight("white-asura", before=Career(level=level), destroyed=True, scored=7)
    assert after(side(asura, flight(key="p2"), flight(key="p3")), dice=(10,)).takings.income == income


@pytest.mark.rule("ST-380", "ST-404")
def test_standings_count_units_at_level_flown():
    asura = {"key": "a1", "design": "white-asura", "pilot": {"experience": "ace"}}
    given = setup([asura, {"key": "a2", "design": "green-viking"}, {"key": "a3", "design": "green-viking"}])
    fates = [{"key": key, "destroyed": key == "a1", "lost": key == "a1", "side": "Red"} for key in ("a1", "a2", "a3")]
    battle = Battle(system="mechastellar", result={"units": [*fates, {"key": "b1", "side": "Blue", "lost": False}]})
    assert game_scores(battle, given) == [-300, 0]
    assert game_losses(battle, given, "Blue") == (1, 0, 300)


@pytest.mark.rule("ST-382", "ST-408")
def test_finale_income_is_not_reduced_by_losses():
    lost = flight("iron-castle", destroyed=True, scored=7)
    assert after(side(lost, options={"finale": True}), dice=(10,)).takings.income == 170
    assert after(side(lost), dice=(10,)).takings.income == 120


def fielded(*designs: str, most: int = 12, **options: Any) -> tuple[int, ...]:
    rules = {name.replace("_", "-"): value for name, value in options.items()}
    of = [CompanyMember(each, ROSTERS.published[each].spec, PilotSpec("basic")) for each in designs]
    return SYSTEM.standing_force("versus", of, rules, side="attacker", most=most, allows=lambda places: True)


@pytest.mark.rule("ST-013")
def test_default_force_has_most_points_within_limit():
    assert fielded("gamma-apollo", "trident-drake", "green-viking") == (0, 1, 2)
    assert fielded("gamma-apollo", "trident-drake", "green-viking", points_limit=600) == (1, 2)
    assert fielded("escort-carrier", "green-viking") == (1,)
    assert fielded("escort-carrier", "green-viking", tier="advanced") == (0, 1)
    assert len(fielded(*["green-viking"] * 14, points_limit=0)) == 12


def test_house_lends_green_viking_to_company_without_ready_unit():
    assert SYSTEM.house_loan("", []) == 1
    assert ROSTERS.is_stuck([], balance=109, games=1)
    assert not ROSTERS.is_stuck([], balance=110, games=1)


@pytest.mark.rule("ST-402", "ST-408")
def test_lent_unit_score_counts_in_income_and_league():
    lent = Fought(points=110, fate=UnitFate(scored=9))
    given = side(fought=(lent,))
    assert after(given).takings.income == 100 + 90
    assert SYSTEM.scores([given.fought, ()], {}) == (900, 0)


def end(key: str, side_: str, by: str | None = None, **more: Any) -> dict[str, Any]:
    return {"key": key, "side": side_, "killed_by": by, **more}


@pytest.mark.rule("ST-409")
def test_pilot_record_counts_kills_by_kind_and_commands():
    given = setup(
        ["gamma-apollo", "gamma-apollo"],
        ["white-asura", {"key": "b2", "design": "trident-drake", "pilot": {"experience": "ace"}}, "white-asura"],
        options={"points-limit": 0},
    )
    ends = {each["key"]: each for each in (
        end("a1", "Red", commander=True), end("a2", "Red", "a1"),
        end("b1", "Blue", "a1"), end("b2", "Blue", "a1"), end("b3", "Blue", "a1"),
    )}  # fmt: skip
    assert BATTLES["mechastellar"].deeds(given, "a1", ends) == {
        "kills, Kaiju level 2": 1,
        "kills, MS level 1": 2,
        "times Commander": 1,
    }
    assert BATTLES["mechastellar"].deeds(given, "b1", ends) == {}
