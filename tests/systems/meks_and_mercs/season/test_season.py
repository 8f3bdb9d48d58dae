"""The season standings and the house loan."""

import random
from itertools import combinations

import pytest

from campaigns.scoring import Scoring
from campaigns.standings.table import Score, table
from systems.meks_and_mercs.build import SYSTEM as ROSTERS
from systems.meks_and_mercs.season import SYSTEM
from systems.roster import CompanyMember, PilotSpec
from tests.systems.meks_and_mercs.season.builders import spec

WORTH = Scoring(win=SYSTEM.season_points["won"], draw=SYSTEM.season_points["drawn"], loss=SYSTEM.season_points["lost"])


def standing_force(scenario, members, options, *, side=None, most=12):
    """Return the force that a company fields when nobody chose one."""
    return SYSTEM.standing_force(scenario, members, options, side=side, most=most, allows=lambda places: True)


NAMES = dict(enumerate(("Axes", "Bears", "Crows", "Dogs")))


def order(*scores):
    return [row.name for row in table(NAMES, scores, WORTH, SYSTEM.tie_breakers)]


def game(attacker, defender, won="draw", **figures):
    return Score(attacker=attacker, defender=defender, won=won, **figures)


@pytest.mark.rule("MM-S12", "MM-S01")
def test_standings_rank_by_season_points_first():
    scores = [game(0, 1), game(0, 3), game(2, 3, "defender", destroyed=(9, 0))]
    rows = table(NAMES, scores, WORTH, SYSTEM.tie_breakers)
    assert [(row.place, row.name, row.points) for row in rows] == [
        (1, "Dogs", 4),
        (2, "Axes", 2),
        (3, "Bears", 1),
        (4, "Crows", 0),
    ]
    assert (rows[1].won, rows[1].drawn, rows[1].lost) == (0, 2, 0)


@pytest.mark.rule("MM-S12")
def test_standings_rank_then_by_meks_destroyed_less_lost():
    scores = [game(0, 2, destroyed=(3, 0), lost=(3, 0), destroyed_points=(90, 0)), game(1, 3, destroyed=(1, 0))]
    assert order(*scores)[:2] == ["Bears", "Axes"]


@pytest.mark.rule("MM-S12")
def test_standings_rank_then_by_points_destroyed_and_name():
    scores = [game(0, 1, destroyed_points=(9, 9)), game(2, 3, "draw", destroyed_points=(24, 9))]
    assert order(*scores) == ["Crows", "Axes", "Bears", "Dogs"]


def member(mek="thor", pilot="regular"):
    return CompanyMember(mek, spec(mek), PilotSpec(pilot) if pilot else None)


def fielded(scenario, *meks, side="attacker", most=12):
    """Return the names of the units that a company fields when nobody chose."""
    members = [member(mek) for mek in meks]
    return [meks[place] for place in standing_force(scenario, members, {}, side=side, most=most)]


@pytest.mark.rule("MM-010")
def test_mek_too_big_for_scenario_stays_home():
    assert fielded("head-to-head", "warthog", "draken", "wasp") == ["draken", "wasp"]


@pytest.mark.rule("MM-010")
def test_printed_composition_is_filled_with_most_valuable_meks():
    assert fielded("opening-shots", "draken", "wasp", "viper", "wasp", "wasp") == ["wasp", "viper", "wasp"]
    assert fielded("opening-shots", "viper", "wasp") == []


@pytest.mark.rule("MM-010")
def test_unlimited_side_fields_as_many_as_allowed():
    assert fielded("zone-battle", "wasp", "thor", "wasp") == ["wasp", "thor", "wasp"]
    assert fielded("zone-battle", "wasp", "thor", "wasp", most=2) == ["wasp", "thor"]


def test_illegal_or_pilotless_mek_stays_home():
    broken = CompanyMember(
        "Broken", ROSTERS.parse_spec({"chassis": "light", "weapons": ["hammer-missile"]}), PilotSpec("green")
    )
    members = [broken, member(pilot=None), member("wasp")]
    assert standing_force("breach", members, {}, side="attacker") == (2,)


MEKS = ("wasp", "wasp", "viper", "demon", "draken", "thor", "odin", "warthog")


@pytest.mark.rule("MM-010")
@pytest.mark.parametrize("seed", range(60))
def test_autoplay_fields_best_legal_force(seed):
    chance = random.Random(seed)
    members = [member(chance.choice(MEKS)) for _ in range(chance.randint(1, 7))]
    scenario, side = chance.choice(list(ROSTERS.scenarios)), chance.choice(("attacker", "defender"))
    options = {"season-mode": "standing-company"}
    most = chance.randint(1, 7)
    legal = {}
    for count in range(1, most + 1):
        for places in combinations(range(len(members)), count):
            check = ROSTERS.check_company(scenario, [members[place] for place in places], options, side=side)
            if all(problem.place == "scenario" for problem in check.problems):
                legal[places] = check.points
    found = standing_force(scenario, members, options, side=side, most=most)
    assert bool(found) == bool(legal)
    assert legal.get(found, 0) == max(legal.values(), default=0)


@pytest.mark.rule("MM-S10")
def test_company_with_nothing_to_field_is_lent_a_wasp():
    assert SYSTEM.house_loan("", []) == 1
    assert SYSTEM.house_loan("breach", []) == 1
    assert SYSTEM.house_loan("", [member(pilot=None)]) == 1


@pytest.mark.rule("MM-S10")
def test_company_with_legal_force_is_lent_nothing():
    assert SYSTEM.house_loan("", [member()]) == 0
    assert SYSTEM.house_loan("breach", [member("wasp")]) == 0


@pytest.mark.rule("MM-S10")
def test_house_lends_wasps_for_missing_sizes():
    assert SYSTEM.house_loan("opening-shots", [member("viper")]) == 2
    assert SYSTEM.house_loan("opening-shots", [member("viper"), member("wasp")]) == 1
    assert SYSTEM.house_loan("opening-shots", [member("wasp")]) == 0, "WASPs are no Medium: the house can't help"


@pytest.mark.rule("MM-S10")
def test_lent_wasp_has_green_pilot_and_costs_nine_points():
    assert SYSTEM.loan_pilot == PilotSpec("green")
    assert ROSTERS.check_design(ROSTERS.published[SYSTEM.loan_design].spec).points == 9
