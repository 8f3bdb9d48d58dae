"""How the battle engine reads what the rules leave open."""

from __future__ import annotations

import pytest

from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.play_advanced import spend
from systems.mechastellar.battle.play_attack import attack_area, crash, reckon
from systems.mechastellar.battle.rules.attacks import choose_bonus
from systems.mechastellar.battle.rules.facts import can_see
from systems.mechastellar.battle.rules.skills import harden
from systems.mechastellar.battle.rules.special import may_crash
from systems.mechastellar.battle.rules.warships import abandon

from .tables import Table, disc, foe, unit


def advanced(*forces, **more):
    return Table(*forces, tier="advanced", **more)


@pytest.mark.rule("ST-100", "ST-330")
@pytest.mark.parametrize(("manner", "hits", "with_power"), [(c.PLAIN, 8 + 2, 2), (c.INDIRECT, 8, 0), (c.REMOTE, 8, 0)])
def test_indirect_and_remote_fire_lose_flat_critical_hits_too(manner, hits, with_power):
    table = advanced([unit("tankcrawler", y=10)], [foe("argonaut", y=30)])
    table["a1"].behind = 1 << 1
    table.battle.counter_penalty = 0
    reckon(table.state, 0, table.weapon("a1", "main-cannon"), 1, 0, manner)
    p = table.state.clashes[c.MAIN]
    assert (p.blindside, p.hits) == (1, hits)
    choose_bonus(table.state, p, c.POWER_BONUS)
    assert p.hits == hits + with_power


@pytest.mark.rule("ST-193")
def test_a_unit_that_is_engaged_may_crash_out_of_it():
    table = advanced([unit("tankcrawler", y=10)], [foe("argonaut", y=13), foe("argonaut", y=16.5)])
    assert (table["a1"].locked, may_crash(table["a1"])) == (2, True)
    table.state.sides[1].ordered = 1
    table.run(lambda s, dice, log: crash(s, 0, 1, dice, log), [*[1] * 4, *[10] * 4])
    assert (table["a1"].y, table["a1"].locked, may_crash(table["a1"])) == (14, 2, False)


@pytest.mark.rule("ST-264")
@pytest.mark.parametrize(("armour", "dmg"), [(False, 400), (True, 200)])
def test_iron_wall_adds_its_saves_once_an_attack_and_takes_a_hundred_each_time_where_the_house_says_so(armour, dmg):
    table = Table([unit(y=15)], [foe("volt-lion", level=2)], iron_wall_armour=armour)
    reckon(table.state, 0, table.weapon("a1", "beam-saber"), 1, 0, c.PLAIN)
    p = table.state.clashes[c.MAIN]
    p.dmg, guard = 400, p.guard
    harden(table.state, p)
    harden(table.state, p)
    assert (p.guard - guard, p.save_bonus, p.dmg) == (10, 3, dmg)


@pytest.mark.rule("ST-306")
def test_a_stun_in_ones_own_turn_takes_the_action_at_once():
    table = Table([unit("argonaut", y=15)], [foe("blue-djinn", improvised=1)])
    table.state.weapons[table.weapon("b1", "heat-sword")].gone = 1
    table.state.weapons[table.weapon("b1", "arc-whip")].dmg = 1000  # worth a counter
    left = []
    knife = table.weapon("a1", "combat-knife")
    table.run(
        lambda s, dice, log: left.append(spend(s, 0, knife, 1, 3, 0, c.PLAIN, dice, log)),
        [*[1] * 5, *[10] * 3, *[10] * 5, *[1] * 4, 10, 10, 10, 1, 1],
    )
    assert (table["a1"].penalties, left) == (2, [3 - 1 - 2])


@pytest.mark.rule("ST-353")
@pytest.mark.parametrize(
    ("viewer", "target", "is_seen"),
    [("argonaut", "volt-lion", False), ("argonaut", "trident-drake", True), ("tankcrawler", "argonaut", True)],
)
def test_a_wreck_is_half_its_size_in_radius_and_hides_only_the_smaller_kinds_from_each_other(viewer, target, is_seen):
    table = advanced([unit(viewer, y=10)], [foe("escort-carrier", y=20), foe(target, y=30)])
    table["b1"].status = c.DESTROYED
    table.run(lambda s, dice, log: abandon(s, 1, dice, log))
    (wreck,) = [each for each in table.state.discs if each.kind == c.WRECK and not each.gone]
    assert (wreck.x, wreck.y, wreck.radius) == (24, 20, 2)
    assert can_see(table.state, 0, 24, 10, 2) is is_seen


@pytest.mark.rule("ST-325", "ST-344")
@pytest.mark.parametrize(("face", "struck"), [(1, ["b1", "b2"]), (10, ["b1"])])
def test_an_area_attack_stops_at_the_first_piece_that_stands(face, struck):
    foes = [foe("argonaut", 24, 10), foe("argonaut", 24, 26)]
    table = advanced([unit("escort-carrier", y=4)], foes, terrain=[disc(24, 18, 1)])
    table.state.sides[1].ordered = 1
    ray, pool = table.weapon("a1", "death-ray"), [1] * 6
    table.run(lambda s, dice, log: attack_area(s, 0, ray, 1, dice, log), [face, *pool, *[10] * 6 * len(struck)])
    assert [event.unit for event in table.events if event.kind == "defence-rolled"] == struck
