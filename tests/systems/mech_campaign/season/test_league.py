"""The standings of a league, battles for zones, default forces and lent mechs."""

import random
from fractions import Fraction
from itertools import combinations

import pytest

from campaigns.scoring import Scoring
from campaigns.standings.table import Score, table
from systems.engine.dice import ScriptedDice
from systems.mech_campaign.build.legality import ForceUnit, check_force
from systems.mech_campaign.build.spec import UnitSpec
from systems.mech_campaign.season import SYSTEM
from systems.roster import CompanyMember
from tests.tools.enumerate import chances

SHORT = {"H": "heavy-mech", "L": "light-mech", "T": "track", "D": "drone", "S": "gun-sentry"}


def members(letters):
    return [CompanyMember(f"{letter}{at}", UnitSpec(SHORT[letter]), None) for at, letter in enumerate(letters)]


def standing_force(put_forward, options):
    """Return the force that a company fields when nobody chose one."""
    return SYSTEM.standing_force("", put_forward, options, side="", most=12, allows=lambda places: True)


@pytest.mark.rule("MC-212")
def test_ties_are_broken_by_eliminated_less_lost():
    names = dict(enumerate(("Alpha", "Bravo", "Coda", "Delta", "Echo", "Foxtrot")))
    scores = [
        Score(attacker=3, defender=5, won="attacker", destroyed=(3, 2), lost=(2, 3)),
        Score(attacker=0, defender=5, won="attacker", destroyed=(4, 3), lost=(3, 4)),
        Score(attacker=4, defender=5, won="attacker", destroyed=(3, 2), lost=(2, 3)),
        Score(attacker=1, defender=5, won="attacker", destroyed=(2, 0), lost=(0, 2)),
        Score(attacker=2, defender=5, won="draw", destroyed=(6, 0), lost=(0, 6)),
    ]
    worth = Scoring(
        win=SYSTEM.season_points["won"], draw=SYSTEM.season_points["drawn"], loss=SYSTEM.season_points["lost"]
    )
    assert [(row.place, row.name, row.points) for row in table(names, scores, worth, SYSTEM.tie_breakers)] == [
        (1, "Bravo", 3),
        (2, "Alpha", 3),
        (3, "Delta", 3),
        (4, "Echo", 3),
        (5, "Coda", 1),
        (6, "Foxtrot", 1),
    ]


@pytest.mark.rule("MC-214")
@pytest.mark.parametrize(
    ("face", "scenario"),
    [
        (1, "claim-dispute"),
        (2, "claim-dispute"),
        (3, "survey-beacons"),
        (4, "survey-beacons"),
        (5, "sabotage"),
        (6, "sabotage"),
    ],
)
def test_zone_battle_scenario_depends_on_die(face, scenario):
    battle = SYSTEM.zone_battle((False, True), ScriptedDice([face]))
    assert (battle.scenario, battle.attacker) == (scenario, 0)


@pytest.mark.rule("MC-214")
def test_side_a_is_the_one_without_the_zone():
    assert SYSTEM.zone_battle((True, False), ScriptedDice([1])).attacker == 1


@pytest.mark.rule("MC-214")
@pytest.mark.parametrize(("dice", "attacker"), [((1, 5, 2), 0), ((1, 2, 5), 1), ((1, 3, 3, 4, 4, 1, 6), 1)])
def test_higher_die_is_side_a_for_unheld_zone(dice, attacker):
    script = ScriptedDice(dice)
    assert SYSTEM.zone_battle((False, False), script).attacker == attacker
    assert not script.faces


@pytest.mark.rule("MC-214")
def test_zone_battle_scenarios_are_equally_likely():
    scenario_chances = chances(lambda dice: SYSTEM.zone_battle((False, True), dice).scenario)
    assert set(scenario_chances.values()) == {Fraction(1, 3)}


@pytest.mark.rule("MC-208")
@pytest.mark.parametrize(
    ("has", "lent"),
    [("HHLL", 0), ("", 4), ("HH", 2), ("HLT", 1), ("TTDS", 3), ("TTT", 3), ("HHH", 1), ("HHHH", 0), ("HLTD", 1)],
)
def test_house_lends_light_mechs_for_a_legal_force(has, lent):
    assert SYSTEM.house_loan("", members(has)) == lent


@pytest.mark.rule("MC-202")
@pytest.mark.parametrize(
    ("has", "fields"),
    [
        ("HHLLT", (0, 1, 2, 3, 4)),
        ("DDSTHLHL", (3, 0, 4, 5, 6, 7)),  # four mechs of six units, and the dearest others
        ("TTTHLHLHHLL", (0, 1, 3, 5, 7, 8)),  # heavy mechs first, then tracks before light mechs: both are worth 8
        ("TTDS", ()),
    ],
)
def test_default_force_is_biggest_then_dearest(has, fields):
    chosen = standing_force(members(has), {})
    kinds = sorted(has[place] for place in chosen)
    assert kinds == sorted(has[place] for place in fields)
    assert list(chosen) == sorted(chosen)


@pytest.mark.rule("MC-202")
@pytest.mark.parametrize("seed", range(40))
def test_autoplay_fields_best_legal_force(seed):
    chance = random.Random(seed)
    put_forward = members([chance.choice("HHLLTDS") for _ in range(chance.randint(3, 8))])
    options = {"points-cap": chance.choice((0, 30, 45)), "heavy-limit": chance.choice(("off", "half"))}
    legal = {
        places: sum(put_forward[place].spec.unit_kind.points for place in places)
        for count in range(1, len(put_forward) + 1)
        for places in combinations(range(len(put_forward)), count)
        if check_force(
            [ForceUnit("", put_forward[place].spec.kind) for place in places],
            options["points-cap"],
            heavy_limit=options["heavy-limit"] == "half",
        ).legal
    }
    found = standing_force(put_forward, options)
    assert bool(found) == bool(legal)
    best = max(((len(places), points) for places, points in legal.items()), default=(0, 0))
    assert (len(found), legal.get(found, 0)) == best


@pytest.mark.rule("MC-004", "MC-202")
def test_default_force_keeps_heavy_limit():
    has = "TTTHLHLHHLL"
    assert sorted(has[place] for place in standing_force(members(has), {"heavy-limit": "half"})) == sorted("HHHLTT")


@pytest.mark.rule("MC-005", "MC-202")
def test_default_force_keeps_points_cap():
    chosen = standing_force(members("HHLLTD"), {"points-cap": 45})
    assert sum(member.spec.unit_kind.points for member in (members("HHLLTD")[at] for at in chosen)) <= 45
