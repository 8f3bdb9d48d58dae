"""The battle engine's readings of rules that leave something open."""

from __future__ import annotations

import dataclasses

import pytest

from systems.engine.dice import ScriptedDice
from systems.mechastellar.battle import play, play_attack
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai import best, choose_attack_bonus, parry, press
from systems.mechastellar.battle.ai_advanced import consider_breach, remote_target
from systems.mechastellar.battle.ai_plan import has_plan
from systems.mechastellar.battle.ai_turn import plan_all, zeal_here
from systems.mechastellar.battle.play import spend
from systems.mechastellar.battle.play_attack import attack, attack_area, crash, reckon
from systems.mechastellar.battle.rules import can_see, is_shut_down, mark_engaged
from systems.mechastellar.battle.rules.attacks import choose_bonus, overwhelms
from systems.mechastellar.battle.rules.damage import stun
from systems.mechastellar.battle.rules.resources import score_end
from systems.mechastellar.battle.rules.rounds import begin_turn
from systems.mechastellar.battle.rules.skills import harden, zeal
from systems.mechastellar.battle.rules.special import is_struck, may_crash, ready_special
from systems.mechastellar.battle.rules.targets import has_to_answer
from systems.mechastellar.battle.rules.warships import abandon
from systems.mechastellar.catalogue import CATALOGUE

from .tables import Table, disc, foe, spec_of, unit


def advanced(*forces, **more):
    return Table(*forces, tier="advanced", **more)


@pytest.mark.rule("ST-100", "ST-330")
@pytest.mark.parametrize(("manner", "hits", "with_power"), [(c.PLAIN, 8 + 2, 2), (c.INDIRECT, 8, 0), (c.REMOTE, 8, 0)])
def test_indirect_and_remote_fire_lose_flat_critical_hits(manner, hits, with_power):
    table = advanced([unit("tankcrawler", y=10)], [foe("argonaut", y=30)])
    table["a1"].behind = 1 << 1
    table.battle.counter_penalty = 0
    reckon(table.state, 0, table.weapon("a1", "main-cannon"), 1, 0, manner)
    p = table.state.clashes[c.MAIN]
    assert (p.blindside, p.hits) == (1, hits)
    choose_bonus(table.state, p, c.POWER_BONUS)
    assert p.hits == hits + with_power


@pytest.mark.rule("ST-193")
def test_engaged_unit_can_crash_out():
    table = advanced([unit("tankcrawler", y=10)], [foe("argonaut", y=13), foe("argonaut", y=16.5)])
    assert (table["a1"].locked, may_crash(table["a1"])) == (2, True)
    table.state.sides[1].ordered = 1
    table.run(lambda s, dice, log: crash(s, 0, 1, dice, log), [*[1] * 4, *[10] * 4])
    assert (table["a1"].y, table["a1"].locked, may_crash(table["a1"])) == (14, 2, False)


@pytest.mark.rule("ST-264")
@pytest.mark.parametrize(("armour", "dmg"), [(False, 400), (True, 200)])
def test_iron_wall_adds_saves_once(armour, dmg):
    table = Table([unit(y=15)], [foe("volt-lion", level=2)], iron_wall_armour=armour)
    reckon(table.state, 0, table.weapon("a1", "beam-saber"), 1, 0, c.PLAIN)
    p = table.state.clashes[c.MAIN]
    p.dmg, guard = 400, p.guard
    harden(table.state, p)
    harden(table.state, p)
    assert (p.guard - guard, p.save_bonus, p.dmg) == (10, 3, dmg)


@pytest.mark.rule("ST-306")
def test_stun_in_own_turn_removes_action_at_once():
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
def test_wreck_hides_only_smaller_kinds(viewer, target, is_seen):
    table = advanced([unit(viewer, y=10)], [foe("escort-carrier", y=20), foe(target, y=30)])
    table["b1"].status = c.DESTROYED
    table.run(lambda s, dice, log: abandon(s, 1, dice, log))
    (wreck,) = [each for each in table.state.discs if each.kind == c.WRECK and not each.gone]
    assert (wreck.x, wreck.y, wreck.radius) == (24, 20, 2)
    assert can_see(table.state, 0, 24, 10, 2) is is_seen


@pytest.mark.rule("ST-325", "ST-344")
@pytest.mark.parametrize(("face", "struck"), [(1, ["b1", "b2"]), (10, ["b1"])])
def test_area_attack_stops_at_first_standing_piece(face, struck):
    foes = [foe("argonaut", 24, 10), foe("argonaut", 24, 26)]
    table = advanced([unit("escort-carrier", y=4)], foes, terrain=[disc(24, 18, 1)])
    table.state.sides[1].ordered = 1
    ray, pool = table.weapon("a1", "death-ray"), [1] * 6
    table.run(lambda s, dice, log: attack_area(s, 0, ray, 1, dice, log), [face, *pool, *[10] * 6 * len(struck)])
    assert [event.unit for event in table.events if event.kind == "defence-rolled"] == struck


def with_dice(table, slug, target, hits, guards):
    """Return the main attack of a1 with its dice rolled, before any skill is used."""
    reckon(table.state, 0, table.weapon("a1", slug), target, 0, c.PLAIN)
    p = table.state.clashes[c.MAIN]
    for at in range(p.dice):
        table.state.faces[at].hit = hits
    for at in range(p.guard_dice):
        table.state.faces[at].guard = guards
    return p


@pytest.mark.rule("ST-115", "ST-267")
@pytest.mark.parametrize(("against", "uses"), [(4, False), (3, True)])
def test_valor_decision_uses_true_total(against, uses):
    table = Table([unit("white-asura", y=15, improvised=1)], [foe("argonaut", hp=100)], momentum=(3, 0))
    p = with_dice(table, "asura-saber", 1, 1, 1)
    p.hits, p.success, p.total, p.against = -1, 3, 0, against  # with Focus used
    table.run(lambda s, dice, log: press(s, p, dice, log))
    assert ("valor-used" in table.kinds()) is uses


@pytest.mark.rule("ST-115", "ST-264")
def test_iron_wall_decision_uses_true_total():
    table = Table([unit("argonaut", y=15)], [foe("turtle-robo", hp=100)], momentum=(0, 3))
    p = with_dice(table, "combat-knife", 1, 10, 1)
    p.guard, p.guard_success, p.total, p.against, p.item = -2, 3, 4, 0, c.NO_ITEM
    table.run(lambda s, dice, log: parry(s, p, dice, log))
    assert "iron-wall-used" not in table.kinds()  # -2 + 5 stops 3 of 4 Hits, and the last Hit still destroys the unit


@pytest.mark.rule("ST-230")
@pytest.mark.parametrize(
    ("piece", "dmg", "bought"),
    [({"destructible": 1}, 300, 1), ({"destructible": 0}, 300, 0), ({"destructible": 1}, 100, 0)],
)
def test_havoc_is_not_bought_against_indestructible_cover(piece, dmg, bought):
    table = advanced([unit("trident-drake", y=8)], [foe("argonaut", y=29)], terrain=[disc(24, 26, 2, **piece)])
    weapon = table["a1"].weapon
    table.state.weapons[weapon].melee, table.state.weapons[weapon].range = 0, 30.0
    table.state.weapons[weapon].dmg = dmg
    reckon(table.state, 0, weapon, 1, 0, c.PLAIN)
    p = table.state.clashes[c.MAIN]
    assert p.item == c.COVER
    table.run(lambda s, dice, log: consider_breach(s, p, dice, log), [1, 1, 1, 1, 1] * bought)
    assert table["a1"].steps_cover == bought


@pytest.mark.rule("ST-165", "ST-193")
@pytest.mark.parametrize(("manner", "bonus"), [(c.PLAIN, c.SWIFT), (c.CRASH, c.BALANCED)])
def test_swift_is_not_chosen_for_crash(manner, bonus):
    table = advanced([unit("blue-djinn", y=15)], [foe("white-asura", hp=30000)], doctrines=("cautious", "aggressive"))
    saber = table.weapon("b1", "asura-saber")
    table.state.weapons[saber].dmg = 2000
    weapon = ready_special(table.state, 0, c.CRASH) if manner == c.CRASH else table.weapon("a1", "heat-sword")
    reckon(table.state, 0, weapon, 1, 0, manner)
    assert choose_attack_bonus(table.state, table.state.clashes[c.MAIN]) == bonus


@pytest.mark.rule("ST-102", "ST-350")
@pytest.mark.parametrize(("changes", "shoots"), [({}, False), ({"exempt": 1}, True), ({"sensors": 5.0}, False)])
def test_shot_through_walls_keeps_to_nearest_visible_enemy(changes, shoots):
    foes = [foe("argonaut", 24, 22, hp=100), foe("green-viking", 29, 17, hp=30000)]
    table = advanced([unit("gamma-apollo", y=10, **changes)], foes, terrain=[disc(24, 16, 2, c.TALL)])
    plan_all(table.state, 0, c.NOBODY, 0, 0)
    plan = table.state.plans[0]
    assert (plan.manner == c.THROUGH_WALLS and plan.target == 1) is shoots
    if not changes:
        plan_all(table.state, 0, 1, 0, 0)  # return fire comes first
        assert (plan.manner, plan.target) == (c.THROUGH_WALLS, 1)


@pytest.mark.rule("ST-102", "ST-323")
@pytest.mark.parametrize(("exempt", "aims"), [(0, False), (1, True)])
def test_area_attack_keeps_to_closest_target(exempt, aims):
    ship = [unit("escort-carrier", y=4, exempt=exempt)]
    foes = [foe("argonaut", 30, 14), foe("argonaut", 24, 26), foe("argonaut", 24, 30)]
    table = advanced(ship, foes)
    for at in range(table["a1"].weapon, table["a1"].weapon + table["a1"].weapons):
        table.state.weapons[at].gone = int(table.state.weapons[at].strip == 0)
    table["b1"].x = 40  # beside the strip, but nearest
    table["b1"].y = 8
    plan_all(table.state, 0, c.NOBODY, 0, 0)
    assert has_plan(table.state.plans[0]) is aims


@pytest.mark.rule("ST-193")
@pytest.mark.parametrize("aimed_at", [1, 2])
def test_crash_strikes_in_order_of_path(aimed_at):
    ram = dataclasses.replace(spec_of("tankcrawler"), move_half=20)
    table = advanced([unit(ram, y=10)], [foe("argonaut", y=13), foe("argonaut", y=16.5)])
    table.state.sides[1].ordered = 1
    table.run(lambda s, dice, log: crash(s, 0, aimed_at, dice, log), [*[1] * 4, *[10] * 4, *[1] * 4, *[10] * 4])
    assert [event.target for event in table.events if event.kind == "attack-declared"] == ["b1", "b2"]


@pytest.mark.rule("ST-193", "ST-345")
def test_crash_meets_piece_before_enemy_behind():
    ram = dataclasses.replace(spec_of("tankcrawler"), move_half=20)
    table = advanced([unit(ram, y=10)], [foe("argonaut", y=19)], terrain=[disc(24, 14, 1)])
    table.state.sides[1].ordered = 1
    table.run(lambda s, dice, log: crash(s, 0, 1, dice, log), [9, 9, 9, 7, 9, *[1] * 4, *[10] * 4])
    assert table.kinds().index("cover-attacked") < table.kinds().index("attack-declared")


@pytest.mark.rule("ST-193", "ST-345")
def test_crash_meets_edge_of_large_piece_first():
    ram = dataclasses.replace(spec_of("tankcrawler"), move_half=20)
    table = advanced([unit(ram, y=10)], [foe("argonaut", y=17)], terrain=[disc(28, 18, 4)])
    table.state.sides[1].ordered = 1
    table.run(lambda s, dice, log: crash(s, 0, 1, dice, log), [9, 9, 9, 7, 9, *[1] * 4, *[10] * 4])
    assert table.kinds().index("cover-attacked") < table.kinds().index("attack-declared")


@pytest.mark.rule("ST-378")
def test_crash_is_one_attack_action():
    ram = dataclasses.replace(spec_of("tankcrawler"), move_half=20)
    foes = [foe("argonaut", y=13, hp=30000), foe("argonaut", y=16.5, hp=30000)]
    table = advanced([unit(ram, y=10, steps_crash=1)], foes)
    table.state.sides[1].ordered = 1
    table["a1"].havoc = 0
    table.run(lambda s, dice, log: crash(s, 0, 1, dice, log), [*[10] * 4, *[1] * 4, *[10] * 4, *[1] * 4])
    damage = [event.number("damage") for event in table.events if event.kind == "damage-taken"]
    assert max(damage) < 10000 <= sum(damage)
    assert table.event("big-hit-scored").number("damage") == sum(damage)


@pytest.mark.rule("ST-075", "ST-330")
def test_engaged_unit_sends_no_remote_weapons():
    table = advanced(
        [unit("laughing-joker")], [foe("argonaut", y=20, hp=100), foe("argonaut", x=40, y=12)], momentum=(9, 0)
    )
    bits = next(at for at, each in enumerate(table.state.weapons) if each.remote)
    assert remote_target(table.state, 0, bits) >= 0
    table["b2"].x, table["b2"].y = 24.0, 14.0
    mark_engaged(table.state)
    assert remote_target(table.state, 0, bits) == c.NOBODY


@pytest.mark.rule("ST-305", "ST-306")
def test_zeal_actions_delay_shutdown_until_turn_end():
    table = Table([unit()], [foe("argonaut")], momentum=(3, 0))
    table.run(lambda s, dice, log: zeal(s, 0, 1, log))
    table.run(lambda s, dice, log: stun(s, 0, 2, log))
    assert (is_shut_down(table["a1"]), table.event("unit-stunned").result["down"]) == (False, False)
    table.run(lambda s, dice, log: stun(s, 0, 1, log))
    assert (is_shut_down(table["a1"]), table.event("unit-stunned").result["down"]) == (True, True)
    table["a1"].penalties = 2
    begin_turn(table.state, 1, [])
    assert is_shut_down(table["a1"])


@pytest.mark.rule("ST-306")
def test_zeal_actions_end_with_turn(monkeypatch):
    table = Table([unit()], [foe("argonaut", y=46)], momentum=(3, 0))
    added = []

    def act(s, i, dice, log):
        zeal(s, i, 2, log)
        added.append(s.units[i].more)

    monkeypatch.setattr(play, "act", act)
    table.activate("a1")
    assert (added, table["a1"].more) == ([2], 0)


@pytest.mark.rule("ST-265")
@pytest.mark.parametrize(("actions", "bought"), [(0, 1), (-1, 2)])
def test_zeal_also_buys_missing_action(actions, bought):
    table = Table([unit(y=15)], [foe("argonaut", hp=100)], momentum=(2, 0))
    assert zeal_here(table.state, 0, actions) == bought
    table.state.sides[0].momentum = bought - 1
    assert zeal_here(table.state, 0, actions) == 0


@pytest.mark.rule("ST-380", "ST-381", "ST-382")
@pytest.mark.parametrize(
    ("lost", "big", "finale", "expected"),
    [
        (1, 1, 0, [("ST-380", 3)]),
        (2, 0, 0, [("ST-381", 2)]),
        (2, 2, 0, [("ST-380", 3), ("ST-381", 2)]),
        (2, 2, 1, []),
    ],
)
def test_each_penalty_cites_its_own_rule(lost, big, finale, expected):
    table = Table([unit(), unit(x=26), unit(x=28)], [foe(y=40)])
    table.state.sides[0].lost, table.state.sides[0].lost_big, table.battle.finale = lost, big, finale
    table.run(lambda s, dice, log: score_end(s, log))
    assert [(event.rule, event.number("penalty")) for event in table.events] == expected
    assert table.state.sides[0].score == -sum(penalty for _, penalty in expected)


@pytest.mark.rule("ST-320", "ST-323")
def test_skills_apply_to_nearest_unit_in_area(monkeypatch):
    foes = [foe("argonaut", 24, 10), foe("argonaut", 24, 26)]
    table = advanced([unit("escort-carrier", y=4)], foes)
    table.state.sides[1].ordered = 1
    pressed = []
    monkeypatch.setattr(play_attack, "press", lambda s, p, dice, log: pressed.append(p.target))
    ray, pool = table.weapon("a1", "death-ray"), [1] * 6
    table.run(lambda s, dice, log: attack_area(s, 0, ray, 2, dice, log), [*pool, *[10] * 12])
    assert pressed == [1]


@pytest.mark.rule("ST-100", "ST-232")
def test_indirect_fire_buys_no_hits_with_havoc():
    kinds = []
    for manner in (c.INDIRECT, c.PLAIN):
        table = advanced([unit("tankcrawler", y=10, havoc=1)], [foe("argonaut", y=30)])
        table.state.sides[1].ordered = 1
        at = table.weapon("a1", "main-cannon")
        log = []
        attack(table.state, 0, at, 1, 0, manner, ScriptedDice([5] * 60), log)
        kinds.append([kind for kind, _ in log])
    assert ["havoc-spent" in each for each in kinds] == [False, True]


@pytest.mark.rule("ST-046", "ST-047")
@pytest.mark.parametrize(("slug", "answers"), [("flamethrower", False), ("funnels", False), ("beam-carbine", True)])
def test_remote_and_area_weapons_oblige_no_answer(slug, answers):
    armed = dataclasses.replace(spec_of("argonaut"), weapons=(CATALOGUE.weapons[slug],))
    table = advanced([unit(armed, y=10)], [foe(y=16)])
    assert has_to_answer(table.state, 0, 1) is answers


def struck_first(monkeypatch):
    """Return a table after an attack with Power whose attacker is pushed out of reach by the Counter before it."""
    table = advanced([unit("deathly-beastman", y=10)], [foe("white-asura", y=15, hp=30000, improvised=1)])
    saber, at = table.weapon("b1", "asura-saber"), table["a1"].weapon
    table.state.weapons[saber].tag, table.state.weapons[saber].dmg = c.PUSHES, 50
    table.state.sides[0].ordered = table.state.sides[1].ordered = 1
    monkeypatch.setattr(play_attack, "choose_defence_bonus", lambda s, p: (c.COUNTER, saber))
    monkeypatch.setattr(play_attack, "choose_attack_bonus", lambda s, p: c.POWER_BONUS)
    log = []
    attack(table.state, 0, at, 1, 0, c.PLAIN, ScriptedDice([10] * 5 + [1] * 60), log)
    table.events = table.events_from(log)
    return table


@pytest.mark.rule("ST-163")
def test_power_attack_continues_after_counter_pushes_attacker(monkeypatch):
    table = struck_first(monkeypatch)
    assert [event.unit for event in table.events if event.kind == "attack-rolled"] == ["b1", "a1"]
    assert table["a1"].locked == 0


@pytest.mark.rule("ST-303")
def test_three_around_target_overwhelm():
    table = advanced([unit("argonaut", 24, y) for y in (10, 28, 30, 31)], [foe("argonaut", 24, 27)])
    assert overwhelms(table.state, 0, 4, 24.0, 10.0)
    table["a2"].status = c.DESTROYED
    assert not overwhelms(table.state, 0, 4, 24.0, 10.0)


@pytest.mark.rule("ST-306", "ST-310")
@pytest.mark.parametrize("tag", [c.STUNS, c.PUSHES])
def test_ai_values_tagged_saves_same_with_damage(tag):
    values = []
    for hurts in (False, True):
        table = advanced([unit("argonaut", y=15)], [foe("argonaut")], tagged_pen_damage=hurts)
        at = table.weapon("a1", "combat-knife")
        table.state.weapons[at].tag = tag
        values.append(best(table.state, 0, at, 1, 24.0, 15.0, 0))
    assert values[0] == values[1]


@pytest.mark.rule("ST-310")
def test_unit_without_hp_is_pushed_before_removal():
    table = advanced([unit("argonaut", y=10)], [foe("argonaut", y=14, hp=100)])
    table.state.sides[1].ordered = table.state.sides[0].ordered = 1
    knife = table.weapon("a1", "combat-knife")
    table.state.weapons[knife].tag = c.PUSHES
    table.attack("combat-knife", [10] * 5 + [1] * 4 + [1] * 5)
    assert table.kinds().index("unit-pushed") < table.kinds().index("unit-destroyed")
    assert table["b1"].y > 14


@pytest.mark.rule("ST-072", "ST-193")
def test_crash_ends_facing_last_target():
    ram = dataclasses.replace(spec_of("tankcrawler"), move_half=20)
    table = advanced([unit(ram, y=10)], [foe("argonaut", y=13), foe("argonaut", 24.8, 16.5)])
    table.state.sides[1].ordered = 1
    table.run(lambda s, dice, log: crash(s, 0, 1, dice, log), [*[1] * 4, *[10] * 4, *[1] * 4, *[10] * 4])
    assert table["a1"].face_x > 0


@pytest.mark.rule("ST-323")
@pytest.mark.parametrize(("y", "is_in"), [(33.9, True), (34.4, False)])
def test_strip_ends_at_weapon_range(y, is_in):
    flames = dataclasses.replace(spec_of("argonaut"), weapons=(CATALOGUE.weapons["flamethrower"],))
    table = advanced([unit(flames, y=34 - CATALOGUE.weapons["flamethrower"].range_in)], [foe(y=30), foe(x=24.5, y=y)])
    w = table.state.weapons[table["a1"].weapon]
    assert is_struck(table.state, 0, w, 1, 2) is is_in
