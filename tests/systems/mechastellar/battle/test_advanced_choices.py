"""What the advanced rules ask of a doctrine: Challenges, Overwatch, Captains, forests, attacks that count on orders."""

from __future__ import annotations

import dataclasses

import pytest

from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.doctrine_advanced import further_target, overwatch_weapon, remote_target
from systems.mechastellar.battle.doctrine_turn import best_here
from systems.mechastellar.battle.doctrine_values import best
from systems.mechastellar.battle.rules.damage import check_cover
from systems.mechastellar.battle.rules.special import ammunition
from systems.mechastellar.battle.rules.terrain import attack_cover
from systems.mechastellar.battle.rules.warships import captain_of
from systems.mechastellar.battle.setup import prepare
from systems.mechastellar.catalogue import CATALOGUE

from .tables import Table, foe, setup, spec_of, unit


def advanced(*forces, **more):
    return Table(*forces, tier="advanced", **more)


@pytest.mark.rule("ST-281")
def test_an_attack_that_hits_on_3_is_worth_more_than_one_that_hits_on_5():
    table = advanced([unit()], [foe("argonaut")])
    weapon = table.weapon("a1", "beam-rifle")
    plain = best(table.state, 0, weapon, 1, 24, 10, 0)
    table["a1"].supported = 1
    supported = best(table.state, 0, weapon, 1, 24, 10, 0)
    assert supported > plain
    table["a1"].supported = 0
    assert best(table.state, 0, weapon, 1, 24, 10, 0) == plain


def duel(**challenge):
    """A pilot of Level 1+ between a weak enemy near by and a strong one."""
    table = advanced([unit("white-asura", y=10)], [foe("argonaut", 24, 24, hp=100), foe("white-asura", 26, 26)])
    for name, value in challenge.items():
        setattr(table.battle, name, value)
    return table


@pytest.mark.rule("ST-047")
def test_all_attacks_of_a_challenge_go_to_the_partner_while_he_can_be_attacked():
    assert best_here(duel().state, 0, 1)[1] == 1
    challenged = duel(challenger=0, challenged=2)
    assert best_here(challenged.state, 0, 1)[1] == 2
    challenged["b2"].y = 47.0  # out of range
    assert best_here(challenged.state, 0, 1)[1] == 1


@pytest.mark.rule("ST-047", "ST-320", "ST-330")
def test_a_challenge_keeps_remote_and_further_attacks_from_others_too():
    remote = advanced(
        [unit("laughing-joker", y=10)],
        [foe("argonaut", 24, 24, hp=100), foe("white-asura", 26, 26)],
        momentum=(9, 9),
    )
    bits = next(at for at, each in enumerate(remote.state.weapons) if each.remote)
    assert remote_target(remote.state, 0, bits) == 1
    remote.battle.challenger, remote.battle.challenged = 0, 2
    assert remote_target(remote.state, 0, bits) == 2
    rifle = remote.weapon("a1", "twin-pistols")
    assert further_target(remote.state, 0, rifle, 1 << 2) == c.NOBODY
    remote.battle.challenger = remote.battle.challenged = c.NOBODY
    assert further_target(remote.state, 0, rifle, 1 << 2) == 1


@pytest.mark.rule("ST-204")
def test_overwatch_fires_the_first_weapon_that_is_worth_it():
    carrier = spec_of("escort-carrier")
    turrets = CATALOGUE.weapons["aa-turrets"]
    flares = dataclasses.replace(turrets, slug="flares", dice=1, hits=0)
    ship = dataclasses.replace(carrier, weapons=(flares, dataclasses.replace(turrets, dmg=600)))
    table = advanced([unit(ship, y=10)], [foe("argonaut", 24, 24, hp=500)])
    table["b1"].moved_from_x, table["b1"].moved_from_y = 24.0, 28.0
    assert overwatch_weapon(table.state, 0, 1) == table["a1"].weapon + 1


@pytest.mark.rule("ST-347")
def test_a_forest_falls_to_area_weapons_alone():
    given = {
        "name": "Woods",
        "spec": {"pieces": [{"x": 24, "y": 20, "radius": 2, "kind": "forest", "is_destructible": True}]},
    }
    state = prepare(setup(scenario=given, options={"tier": "advanced"}))
    table = advanced([unit(y=16)], [foe(y=30)])
    table.state.discs[:] = state.discs
    table.battle.discs = 1
    table.run(lambda s, dice, log: check_cover(s, 0, 900, dice, log), [1])
    assert table.state.discs[0].gone == 0
    table.run(lambda s, dice, log: attack_cover(s, 0, 0, 900, dice, log), [1] * 5)
    assert table.state.discs[0].gone == 0
    assert ammunition(table.state, 0) == c.NOBODY


@pytest.mark.rule("ST-280", "ST-281", "ST-282")
@pytest.mark.parametrize(
    ("orders", "tactical", "operations"),
    [((), 0, 0), (("tactical-support",), 0, c.NOBODY), (("operations-support",), c.NOBODY, 0)],
)
def test_a_captain_gives_only_the_orders_that_he_is_printed_with(orders, tactical, operations):
    ship = dataclasses.replace(spec_of("escort-carrier"), orders=orders)
    table = advanced([unit(ship, y=10), unit(y=10)], [foe("argonaut", 24, 44)])
    assert captain_of(table.state, c.SIDE_A, 1, c.TACTICAL_SUPPORT) == tactical
    assert captain_of(table.state, c.SIDE_A, 1, c.OPERATIONS_SUPPORT) == operations
