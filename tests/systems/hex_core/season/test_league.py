"""The default force, the house loan, and the price of a refit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.hex_core.build import SYSTEM as ROSTERS
from systems.hex_core.season import SYSTEM
from systems.roster import CompanyMember, PilotSpec

TWELVE = list(ROSTERS.published)


def members(*designs, pilot=None):
    return [CompanyMember(f"{each} {at}", ROSTERS.published[each].spec, pilot) for at, each in enumerate(designs)]


def fielded(*designs, most=12, pilot=None, **options):
    of, rules = members(*designs, pilot=pilot), {name.replace("_", "-"): value for name, value in options.items()}

    def allows(places):
        return ROSTERS.check_company("elimination", [of[place] for place in places], rules).legal

    return SYSTEM.standing_force("elimination", of, rules, side="attacker", most=most, allows=allows)


@pytest.mark.rule("HX-174")
def test_default_force_is_dearest_squad_within_size():
    assert fielded("warden", "longbow", "mauler", "wisp") == (0, 1, 2, 3)
    assert fielded("bastion", "bastion", "bastion", "bastion") == (0, 1, 2)
    assert fielded("bastion", "trooper", "mauler", squad_size="patrol") == (0, 2)
    assert len(fielded(*["trooper"] * 9)) == 6
    assert fielded("bastion", "bastion", "bastion", pilot=PilotSpec("regular", ("wary",))) == (0, 1, 2)
    assert fielded() == ()


@pytest.mark.rule("HX-051", "HX-174")
def test_illegal_unit_stays_home_alone():
    assert fielded("longbow", "warden", "wisp", pilot=PilotSpec("regular", ("marksman",))) == (1, 2)


@given(st.lists(st.sampled_from(TWELVE), min_size=1, max_size=9))
def test_no_other_squad_within_size_costs_more(designs):
    costs = [ROSTERS.published[each].printed_points for each in designs]
    chosen = fielded(*designs)
    sums = {(0, 0)}
    for each in costs:
        sums |= {(cost + each, number + 1) for cost, number in sums if cost + each <= 320 and number < 6}
    assert sum(costs[place] for place in chosen) == max(cost for cost, _ in sums)


@pytest.mark.rule("HX-174")
def test_house_lends_trooper_to_company_without_ready_unit():
    assert SYSTEM.house_loan("", []) == 1
    assert SYSTEM.house_loan("", members("trooper")) == 0
    assert SYSTEM.lends_for_a_game
    assert ROSTERS.is_stuck([], balance=36, games=1)
    assert not ROSTERS.is_stuck([], balance=37, games=1)


@pytest.mark.rule("HX-183")
def test_ties_are_broken_by_points_destroyed_then_lost():
    assert SYSTEM.tie_breakers == ("destroyed-points", "fewest-points-lost")


# --- refits -----------------------------------------------------------------------------------------------------------

WARDEN = ROSTERS.spec_json(ROSTERS.published["warden"].spec)


def refit(**changes):
    check = ROSTERS.check_refit(ROSTERS.parse_spec(WARDEN), ROSTERS.parse_spec(WARDEN | changes))
    return check.points, {line.label: line.points for line in check.bill}, [each.code for each in check.problems]


RIFLE, SABER = WARDEN["weapons"]


@pytest.mark.rule("HX-182")
def test_refit_adds_at_list_price_and_refunds_half():
    assert refit(mods=["capacitor"]) == (8, {"Capacitor": 8}, [])
    beam = RIFLE | {"weapon": "beam-rifle"}
    assert refit(weapons=[beam, SABER]) == (7, {"Beam rifle": 12, "Assault rifle taken off": -5}, [])
    assert refit(shields=[]) == (-4, {"Shield taken off": -4}, [])
    assert refit(weapons=[RIFLE]) == (-4, {"Beam saber taken off": -4}, [])
    assert refit(drones=["gun-drone"], royroy=1) == (11, {"Gun drone": 7, "RoyRoy head": 4}, [])
    assert refit(systems=["thrusters"]) == (6, {"Thrusters": 6}, [])
    assert refit(shields=[{"shield": "buckler"}])[0] == 5 - 4


@pytest.mark.rule("HX-182")
def test_armour_and_stat_reductions_are_bought_and_sold():
    assert refit(armour={"torso": 6}) == (2, {"Torso: armour 6 for 4": 2}, [])
    assert refit(armour={"torso": 1}) == (-1, {"Torso: armour 1 for 4": -1}, [])
    assert refit(srm=[2, 0, 0]) == (9, {"ACC: 2 steps for 1": 9}, [])
    assert refit(srm=[0, 0, 1]) == (3, {"ACC: 0 steps for 1": -3, "EVA: 1 steps for 0": 6}, [])


@pytest.mark.rule("HX-182")
def test_moving_weapon_costs_nothing():
    assert refit(weapons=[RIFLE | {"place": "carried"}, SABER | {"place": "right"}]) == (0, {}, [])


@pytest.mark.rule("HX-177", "HX-182")
def test_refit_keeps_core_and_traits_and_must_be_legal():
    assert refit(core="gunner")[2] == ["refit-core"]
    assert refit(traits=["wary"])[2] == ["refit-traits"]
    assert refit(armour={"torso": 8})[2] == ["armour-over-limit"]
