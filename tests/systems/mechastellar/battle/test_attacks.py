"""Attacks of MechaStellar: bonuses, counters, skills, damage, stun and orders, in the core and the advanced rules."""

from __future__ import annotations

import dataclasses

import pytest

from systems.engine.dice import Log, ScriptedDice
from systems.mechastellar.battle import play_attack
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai import best_counter
from systems.mechastellar.battle.ai_plan import plan
from systems.mechastellar.battle.ai_turn import plan_all
from systems.mechastellar.battle.play import go
from systems.mechastellar.battle.play_attack import answer, attack, attack_area, attack_several, bury, reckon
from systems.mechastellar.battle.rules import can_see, mark_engaged
from systems.mechastellar.battle.rules.attacks import face_off_as
from systems.mechastellar.battle.rules.damage import hurt
from systems.mechastellar.battle.rules.movement import accelerate, climb, drop, sink, surface, transform
from systems.mechastellar.battle.rules.resources import may_order
from systems.mechastellar.battle.rules.special import ready_special, remove_thrown_piece, throwable_piece
from systems.mechastellar.battle.rules.targets import can_counter, is_valid
from systems.mechastellar.battle.rules.warships import order, orders_left
from systems.mechastellar.battle.setup import setup_table
from systems.mechastellar.build import SYSTEM as ROSTERS
from systems.simulation.records import resolve

from .tables import Table, disc, foe, parts_of, setup, spec_of, unit

NOTHING = [1, 1, 1, 1, 1]


def main(table: Table):
    return table.state.clashes[c.MAIN]


# --- core -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ST-117", "ST-260", "ST-263")
def test_attacker_decides_on_skills_before_defender():
    table = Table([unit()], [foe("argonaut", hp=2000)], momentum=(5, 5))
    log: Log = []
    attack(table.state, 0, table.weapon("a1", "beam-rifle"), 1, 0, c.PLAIN, ScriptedDice([4] * 12 + [10] * 5), log)
    table.events = table.events_from(log)
    kinds = table.kinds()
    assert kinds.index("attack-rolled") < kinds.index("defence-rolled")
    focused = [event.result["defends"] for event in table.events if event.kind == "focus-used"]
    assert focused[0] is False
    assert focused == sorted(focused)


@pytest.mark.rule("ST-150", "ST-151", "ST-377")
def test_unit_without_hp_is_destroyed_at_once():
    table = Table([unit()], [foe("argonaut"), foe(y=44)])
    hurt(table.state, 1, 4500, 0)
    table.run(lambda s, dice, log: bury(s, 1, 0, dice, log))
    assert table["b1"].status == c.DESTROYED
    assert (table["a1"].kills, table.state.sides[0].score) == (1, 2)


@pytest.mark.rule("ST-167", "ST-168", "ST-170", "ST-261")
def test_counter_costs_hits_and_cannot_be_countered():
    table = Table([unit("argonaut", y=10)], [foe("white-asura", y=15, improvised=1)])
    weapon = table.weapon("b1", "asura-saber")
    reckon(table.state, 0, table.weapon("a1", "combat-knife"), 1, 0, c.PLAIN)
    assert can_counter(table.state, 1, weapon, 0, 0)
    table.run(lambda s, dice, log: answer(s, weapon, 2, 1, dice, log), NOTHING + [5] * 4)
    assert parts_of(table.event("attack-rolled", "b1")) == {"weapon": 7, "counter": -2}
    assert "defence-declared" not in table.kinds()
    assert table.state.clashes[c.ANSWER].bonus == c.NO_BONUS


@pytest.mark.rule("ST-225", "ST-229", "ST-234")
def test_power_and_havoc_raise_barrier_against_attack():
    table = Table([unit(y=10)], [foe("turtle-robo", y=20, havoc=1)])
    table.attack("beam-rifle", [10] * 6 + [1] * 4 + [10] * 5)
    assert table.event("power-spent").number("left") == 0
    assert table.event("havoc-spent").number("left") == 0
    assert main(table).against == 4 + 3 + 1 + 2
    assert main(table).damage > 0  # bought although it didn't help


@pytest.mark.rule("ST-248", "ST-246", "ST-249", "ST-251")
def test_lost_pilot_makes_friends_test_and_commander_orders_once():
    table = Table([unit(hp=9000), unit()], [foe("white-asura", y=20), foe("argonaut", y=24)])
    assert may_order(table.state, c.SIDE_A)
    hurt(table.state, 2, 5000, 0)
    table.run(lambda s, dice, log: bury(s, 2, 0, dice, log), [6, 7])
    tests = [(event.rule, event.faces) for event in table.events if event.kind == "rout-tested"]
    assert tests == [("ST-246", (6,)), ("ST-251", (7,))]
    assert table.state.sides[0].momentum == 1
    assert not may_order(table.state, c.SIDE_A)


@pytest.mark.rule("ST-303")
def test_three_to_one_in_melee_overwhelms():
    friends = [unit("argonaut", 24, 10), unit("argonaut", 22, 11), unit("argonaut", 26, 11)]
    table = Table(friends, [foe("argonaut", 24, 14)])
    reckon(table.state, 0, table.weapon("a1", "combat-knife"), 3, 0, c.PLAIN)
    assert main(table).advantage == 1
    two = Table(friends, [foe("argonaut", 24, 14), foe("argonaut", 23, 8)])
    reckon(two.state, 0, two.weapon("a1", "combat-knife"), 3, 0, c.PLAIN)
    assert main(two).advantage == 0


@pytest.mark.rule("ST-304", "ST-305")
def test_shut_down_unit_rolls_nothing_and_gives_advantage():
    table = Table([unit()], [foe("turtle-robo", penalties=2, shield=1)])
    reckon(table.state, 0, table.weapon("a1", "beam-rifle"), 1, 0, c.PLAIN)
    p = main(table)
    assert (p.guard_dice, p.guard, p.item, p.advantage) == (0, 4 + 1, c.SHIELD, 1)
    assert best_counter(Table([unit()], [foe("white-asura", penalties=2)]).state, 1, 0, 1) == (c.NOBODY, 0.0)


@pytest.mark.rule("ST-344", "ST-346")
def test_nearest_piece_gives_cover_until_destroyed():
    pieces = [disc(24, 27, 1), disc(24, 24.5, 1)]
    table = Table([unit("argonaut", y=14)], [foe("argonaut", y=29)], terrain=pieces)
    reckon(table.state, 0, table.weapon("a1", "heavy-machine-gun"), 1, 0, c.PLAIN)
    assert main(table).disc == 0
    table.state.discs[0].gone = 1
    reckon(table.state, 0, table.weapon("a1", "heavy-machine-gun"), 1, 0, c.PLAIN)
    assert main(table).disc == 1


# --- advanced ---------------------------------------------------------------------------------------------------------


def higher(*a, **more):
    return Table(*a, tier="advanced", **more)


@pytest.mark.rule("ST-069", "ST-080", "ST-084", "ST-085")
def test_high_ground_needs_acceleration_or_flight():
    table = higher(
        [unit("iron-castle", 24, 10)], [foe(y=40)], terrain=[disc(24, 13, 2, c.TALL, high=1)], momentum=(2, 0)
    )
    assert climb(table.state, 0, 0, [])
    assert (table["a1"].high, table.state.sides[0].momentum) == (1, 1)
    drop(table.state, 0, [])
    assert (table["a1"].high, table.state.sides[0].momentum) == (0, 0)
    assert not climb(table.state, 0, 0, [])
    accelerate(table.state, 0, [])
    assert climb(table.state, 0, 0, [])
    table["a1"].climbed = 0
    table.state.sides[0].momentum = 1
    table.run(lambda s, dice, log: go(s, 0, 24.0, 16.0, 24.0, 40.0, dice, log))
    assert (table["a1"].high, table.state.sides[0].momentum) == (0, 2)  # it went on; dropping cost nothing


@pytest.mark.rule("ST-082", "ST-096")
def test_high_ground_sees_over_lower_pieces_and_woods_hide():
    table = higher([unit(y=10)], [foe(y=30)], terrain=[disc(24, 20, 2, c.FOREST), disc(24, 10, 2, c.LOW, high=1)])
    assert not can_see(table.state, 0, 24, 10, 1)
    table["a1"].high = 1
    assert can_see(table.state, 0, 24, 10, 1)


@pytest.mark.rule("ST-097", "ST-098", "ST-100")
def test_indirect_fire_needs_no_line_and_never_crits():
    terrain = [disc(24, 20, 2, c.TALL), disc(24, 33, 2)]
    table = higher([unit("tankcrawler", y=10)], [foe("argonaut", y=30)], terrain=terrain)
    plan_all(table.state, 0, c.NOBODY, 0, 0)
    assert (table.state.plans[0].manner, table.state.plans[0].target) == (c.INDIRECT, 1)
    reckon(table.state, 0, table.weapon("a1", "main-cannon"), 1, 0, c.INDIRECT)
    p = main(table)
    assert (p.crit, p.item, p.disc) == (11, c.COVER, 1)
    table.state.discs[1].y, table.state.discs[1].roofed = 30, 1
    plan_all(table.state, 0, c.NOBODY, 0, 0)
    assert table.state.plans[0].target == c.NOBODY


@pytest.mark.rule("ST-097", "ST-099")
@pytest.mark.parametrize(
    ("scenario", "is_indirect"), [({}, True), ({"stellar": False}, True), ({"stellar": True}, False)]
)
@pytest.mark.parametrize("tags", [["idf"], ["idf", "cannon"]])
def test_cannon_fires_indirectly_except_in_space(scenario, is_indirect, tags):
    gunner = ROSTERS.spec_json(spec_of("tankcrawler"))
    gunner["weapons"][0] |= {"tags": tags, "range_in": 48}
    table = {"points": [[24, 24], [12, 16], [36, 16], [12, 32], [36, 32]]}
    table["pieces"] = [{"x": 24, "y": 24, "radius": 4, "kind": "tall"}]
    given = {"name": "Somewhere", "spec": {**table, **scenario}}
    options = {"tier": "advanced", "points-limit": 0}
    battle = setup([gunner], ["argonaut"], scenario=given, terrain="own-table", options=options)
    manners = [event.number("manner") for event in resolve(battle, 3).events if event.kind == "attack-declared"]
    assert manners
    assert (c.INDIRECT in manners) is (is_indirect or tags == ["idf"])


@pytest.mark.rule("ST-099")
def test_battlefield_in_space_can_use_printed_table():
    given = {"name": "Orbit", "spec": {"stellar": True}}
    assert setup_table(setup(scenario=given)).stellar
    assert not setup_table(setup()).stellar


@pytest.mark.rule("ST-105")
def test_basic_captain_spares_enemy_near_allies():
    ship = dataclasses.replace(spec_of("escort-carrier"), level=0)
    table = higher([unit(ship, y=4), unit(x=30, y=20)], [foe(x=24, y=20)])
    assert not is_valid(table.state, 0, 2, 1, 24, 4, 0.0, 1.0)
    table["a1"].level = 1
    assert is_valid(table.state, 0, 2, 1, 24, 4, 0.0, 1.0)


@pytest.mark.rule("ST-190", "ST-310", "ST-311", "ST-312")
def test_throw_pushes_three_inches_per_failed_save():
    table = higher([unit("deathly-beastman", y=10)], [foe("argonaut", y=16, size=2)], momentum=(0, 3))
    weapon = ready_special(table.state, 0, c.THROW_ENEMY)
    table.run(
        lambda s, dice, log: attack(s, 0, weapon, 1, 0, c.THROW_ENEMY, dice, log), [5] * 5 + [1] * 4 + [5, 6, 6, 6, 6]
    )
    saves = table.event("saves-rolled")
    assert (saves.number("pen"), saves.number("bonus"), saves.number("fails")) == (8, 2, 1)
    assert table["b1"].y == 19
    accelerate(table.state, 0, [])
    face_off_as(table.state, c.MAIN, 0, weapon, 1, 24.0, 10.0, 0, c.THROW_ENEMY)
    assert main(table).pen == 10


@pytest.mark.rule("ST-191")
def test_terrain_piece_is_thrown_once():
    table = higher([unit("deathly-beastman", y=10)], [foe("argonaut", y=20)], terrain=[disc(24, 14, 1)])
    assert throwable_piece(table.state, 0) == 0
    remove_thrown_piece(table.state, 0, 0, [])
    assert (table.state.discs[0].gone, throwable_piece(table.state, 0)) == (1, c.NOBODY)
    weapon = ready_special(table.state, 0, c.THROW_TERRAIN)
    reckon(table.state, 0, weapon, 1, 0, c.THROW_TERRAIN)
    p = main(table)
    assert (p.dice, p.hits, p.dmg, p.pen) == (5, 5 + 2, 300, 0)


@pytest.mark.rule("ST-280", "ST-281", "ST-282")
def test_captain_gives_as_many_orders_as_level():
    table = higher([unit("escort-carrier", level=2), unit()], [foe()])
    assert orders_left(table["a1"], c.TACTICAL_SUPPORT) == 2
    order(table.state, 0, c.TACTICAL_SUPPORT, 1, [])
    assert (orders_left(table["a1"], c.TACTICAL_SUPPORT), table["a2"].supported) == (1, 1)
    reckon(table.state, 1, table.weapon("a2", "beam-rifle"), 2, 0, c.PLAIN)
    assert main(table).success == 3
    order(table.state, 0, c.OPERATIONS_SUPPORT, 0, [])
    assert orders_left(table["a1"], c.TACTICAL_SUPPORT) == 0
    assert orders_left(Table([unit("escort-carrier", level=0)])["a1"], c.TACTICAL_SUPPORT) == 0


@pytest.mark.rule("ST-324", "ST-325", "ST-347", "ST-348", "ST-349")
def test_area_attack_burns_woods_and_fells_units_on_pieces():
    ship = [unit("escort-carrier", y=4)]
    foes = [foe("argonaut", 24, 20, high=1), foe("argonaut", 24, 26), foe("argonaut", 24, 36)]
    terrain = [disc(24, 14, 1, c.FOREST, destructible=0), disc(24, 20, 1, c.LOW, high=1), disc(24, 31, 1)]
    table = higher(ship, foes, terrain=terrain)
    ray = table.weapon("a1", "death-ray")
    table.state.sides[1].ordered = 1
    pool = [1] * 6
    table.run(lambda s, dice, log: attack_area(s, 0, ray, 1, dice, log), [1, 1, *pool, *[10] * 6])
    assert [each.gone for each in table.state.discs] == [1, 1, 0]
    assert (table["b1"].high, table["b1"].crumbled) == (0, 1)
    assert "area-stopped" in table.kinds()  # at the second piece: b2 and b3 are safe
    assert main(table).target == 1
    locked = higher([unit("escort-carrier", y=4)], [foe("argonaut", 24, 10), foe("argonaut", 24, 12)])
    plan_all(locked.state, 0, c.NOBODY, 0, 0)
    assert locked.state.plans[0].manner != c.STRIP


@pytest.mark.rule("ST-320", "ST-321", "ST-322")
def test_several_targets_share_dice_and_one_bonus():
    table = higher([unit("falconeye", improvised=1)], [foe("argonaut", 23, 22), foe("argonaut", 26, 22)])
    weapon = table.weapon("a1", "micromissiles")
    table.state.weapons[weapon].targets = 2
    table.state.sides[1].ordered = 1
    table.run(lambda s, dice, log: attack_several(s, 0, weapon, 1, dice, log), [4] * 10 + [5] * 6 + [5] * 6)
    rolled = [event.faces for event in table.events if event.kind == "attack-rolled"]
    assert rolled == [(4,) * 10, (4,) * 10]
    crits = {event.number("crit") for event in table.events if event.kind == "attack-rolled"}
    assert crits == {8}  # Bullseye with Target Lock, against both targets


def volley(*foes, **weapon):
    """Return a table with a shooter whose weapon has several targets, and enemies without counters by default."""
    table = higher([unit("falconeye", improvised=1)], foes)
    at = table.weapon("a1", "micromissiles")
    table.state.weapons[at].targets = 3
    for name, value in weapon.items():
        setattr(table.state.weapons[at], name, value)
    table.state.sides[1].ordered = 1
    return table, at


def rolled_by(table: Table, key: str):
    return [event.faces for event in table.events if event.kind == "attack-rolled" and event.unit == key]


@pytest.mark.rule("ST-167", "ST-320")
def test_counter_between_targets_keeps_attack_dice(monkeypatch):
    table, at = volley(foe("white-asura", 23, 22, improvised=1), foe("argonaut", 26, 22))
    rifle = table.weapon("b1", "asura-rifle")
    monkeypatch.setattr(
        play_attack,
        "choose_defence_bonus",
        lambda s, p: (c.COUNTER, rifle) if p.target == 1 else (c.NO_REPLY, c.NOBODY),
    )
    pool, counter = [4, 3, 2, 1, 4, 3, 2, 1, 4, 3], [1, 2, 1, 2, 1, 2]
    table.run(
        lambda s, dice, log: attack_several(s, 0, at, 1, dice, log),
        [*pool, *[10] * 6, *counter, *[10] * 8, *[10] * 6],
    )
    assert table.kinds().count("counter-made") == 1
    assert rolled_by(table, "b1") == [tuple(counter)]
    assert rolled_by(table, "a1") == [tuple(pool), tuple(pool)]


@pytest.mark.rule("ST-092", "ST-112", "ST-320")
def test_larger_pool_for_further_target_rolls_extra_dice_only():
    foes = [foe("argonaut", 24, 18), foe("argonaut", 24, 22), foe("argonaut", 26, 18.1)]
    table, at = volley(*foes, dice=6, rapid=9.0, rapid_dice=-2)
    table.state.faces[4].hit = table.state.faces[5].hit = table.state.faces[4].first = (
        9  # left over from an earlier attack
    )
    table.run(
        lambda s, dice, log: attack_several(s, 0, at, 1, dice, log),
        [1, 2, 3, 4, *[10] * 6, *[10] * 6, 3, 1, *[10] * 6],
    )
    assert [event.unit for event in table.events if event.kind == "defence-rolled"] == ["b1", "b3", "b2"]
    assert rolled_by(table, "a1") == [(1, 2, 3, 4), (1, 2, 3, 4), (1, 2, 3, 4, 3, 1)]


@pytest.mark.rule("ST-163", "ST-321")
def test_power_adds_hits_against_one_target_only(monkeypatch):
    foes = [foe("argonaut", 23, 22), foe("argonaut", 26, 22)]
    table, at = volley(*foes)
    table["a1"].kind = c.SUPER_ROBOT
    monkeypatch.setattr(play_attack, "choose_attack_bonus", lambda s, p: c.POWER_BONUS)
    table.run(lambda s, dice, log: attack_several(s, 0, at, 1, dice, log), [1] * 10 + [10] * 6 + [10] * 6)
    hits = [parts_of(event).get("attack bonus", 0) for event in table.events if event.kind == "attack-rolled"]
    assert hits == [2, 0]
    assert table["a1"].open == 1


@pytest.mark.rule("ST-378")
@pytest.mark.parametrize(("dmg", "score"), [(1200, 10), (900, 0)])
def test_ten_thousand_damage_sums_over_all_targets(dmg, score):
    foes = [foe("argonaut", 23, 22, hp=30000), foe("argonaut", 26, 22, hp=30000), foe(y=47)]
    table, at = volley(*foes, dice=1, hits=5, dmg=dmg, pen=0)
    for _ in range(2):  # damage of an earlier action does not count
        table.run(lambda s, dice, log: attack_several(s, 0, at, 1, dice, log), [1, *[1] * 6, *[1] * 6])
        damage = [event.number("damage") for event in table.events if event.kind == "damage-taken"]
        assert len(damage) == 2
        assert max(damage) < 10000
        assert [event.number("damage") for event in table.events if event.kind == "big-hit-scored"] == (
            [sum(damage)] if score else []
        )
    assert (table.state.sides[0].score, table["a1"].scored) == (2 * score, 2 * score)


@pytest.mark.rule("ST-351")
def test_unit_stopping_in_deep_water_sinks():
    table = higher(
        [unit("argonaut", 24, 20), unit("turtle-robo", 24, 20)], [foe(y=35)], terrain=[disc(24, 20, 3, c.WATER)]
    )
    sink(table.state, 0, [])
    sink(table.state, 1, [])
    assert not can_see(table.state, 0, 24, 20, 2)
    assert surface(table.state, 0, []) < 0
    assert surface(table.state, 1, []) == 0
    assert table["a2"].sunk == 0
    assert can_see(table.state, 1, 24, 20, 2)


@pytest.mark.rule("ST-087")
def test_mode_b_moves_farther_and_defends_worse():
    table = higher([unit("argonaut", y=10)], [foe("midnight-manta", y=15)])
    manta = table["b1"]
    transform(table.state, 1, 1, [])
    assert (manta.move, manta.melee_success) == (11, 7)
    manta.elite = 0
    mark_engaged(table.state)
    table.attack("combat-knife", [1] * 5 + [10] * 5)
    assert (manta.mode, manta.move, manta.melee_success) == (0, 8, 5)


@pytest.mark.rule("ST-075")
def test_point_blank_fire_ignores_rapid_fire_penalty():
    table = Table([unit("dusk-wraith", level=0)], [foe("argonaut", y=14)], momentum=(5, 0))
    reckon(table.state, 0, table.weapon("a1", "sniper-rifle"), 1, 1, c.PLAIN)
    assert main(table).dice == 6
    plan(table.state, 0, c.NOBODY, 2, 0)
    assert table.state.plans[0].target == 1
