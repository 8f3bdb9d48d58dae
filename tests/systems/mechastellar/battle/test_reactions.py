"""Reactions to attacks and moves under the advanced rules: Revenge, reloading, breaches, jamming, walls, wreckage."""

from __future__ import annotations

import pytest

from systems.engine.dice import ScriptedDice
from systems.mechastellar.battle import play_attack
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai_advanced import consider_revenge
from systems.mechastellar.battle.ai_turn import must_answer
from systems.mechastellar.battle.play_attack import answer, attack, jam, reckon
from systems.mechastellar.battle.rules import partner_of
from systems.mechastellar.battle.rules.movement import breach, scrape
from systems.mechastellar.battle.rules.special import push
from systems.mechastellar.battle.rules.targets import challenge, may_challenge
from systems.mechastellar.battle.rules.warships import empty_weapon, reload, reload_all

from .tables import Table, disc, foe, unit


def advanced(*forces, **more):
    return Table(*forces, tier="advanced", **more)


@pytest.mark.rule("ST-047")
def test_challenge_partners_are_harder_to_hit_for_others():
    table = advanced([unit("white-asura"), unit()], [foe("blue-djinn"), foe("argonaut")])
    assert may_challenge(table.state, 0)
    challenge(table.state, 0, 2, [])
    assert not may_challenge(table.state, 0)
    for attacker, more in ((0, 0), (1, 2)):
        reckon(table.state, attacker, table.state.units[attacker].weapon, 2, 0, c.PLAIN)
        assert table.state.clashes[c.MAIN].challenge == more
    assert must_answer(table.state, 2) == 0


@pytest.mark.rule("ST-048")
def test_revenge_pairs_destroyer_with_worthiest_friend_once():
    table = advanced([unit()], [foe("white-asura"), foe("argonaut"), foe("blue-djinn")])
    table["b1"].status = c.DESTROYED
    consider_revenge(table.state, 1, 0, [])
    assert (partner_of(table.state, 3), partner_of(table.state, 0)) == (0, 3)
    table["b3"].status = c.DESTROYED
    consider_revenge(table.state, 3, 0, [])
    assert table.state.sides[1].avenger == 3


@pytest.mark.rule("ST-205")
def test_ship_reloads_explosives_or_waits_a_round():
    table = advanced([unit("escort-carrier"), unit("cyclodom")], [foe()])
    tubes, bazooka = table.weapon("a1", "missile-tubes"), table.weapon("a2", "giant-bazooka")
    empty_weapon(table.state, 0, tubes)
    empty_weapon(table.state, 1, bazooka)
    assert [table.state.weapons[each].reloading for each in (tubes, bazooka)] == [2, 0]
    reload_all(table.state)
    assert table.state.weapons[tubes].reloading == 1
    reload(table.state, 0, tubes, [])
    assert table.state.weapons[tubes].reloading == 0


@pytest.mark.rule("ST-230", "ST-345")
def test_havoc_attacks_cover_of_target():
    table = advanced([unit("trident-drake", havoc=1)], [foe()], terrain=[disc(24, 20)])
    table.run(lambda s, dice, log: breach(s, 0, 0, 300, dice, log), [10, 10, 10, 10, 2])
    assert (table["a1"].havoc, table.state.discs[0].gone) == (0, 1)


@pytest.mark.rule("ST-331")
def test_ace_shoots_down_remote_weapons():
    table = advanced([unit("laughing-joker")], [foe("blue-djinn"), foe("argonaut")])
    bits = table.weapon("a1", "card-bits")
    for target, left in ((2, 4), (1, 1)):
        reckon(table.state, 0, bits, target, 0, c.REMOTE)
        p = table.state.clashes[c.MAIN]
        assert (p.blindside, p.advantage, p.crit) == (1, 0, 11)
        for at in range(p.guard_dice):
            table.state.faces[at].guard = 10 if at < 3 else 9
        jam(table.state, p, [])
        assert table.state.weapons[bits].dice == left


@pytest.mark.rule("ST-350")
def test_shot_through_walls_has_less_pen():
    table = advanced([unit(y=10)], [foe(y=20)])
    rifle = table.weapon("a1", "beam-rifle")
    for pen, lowered in ((6, 3), (2, 1)):
        table.state.weapons[rifle].pen = pen
        reckon(table.state, 0, rifle, 1, 0, c.THROUGH_WALLS)
        assert table.state.clashes[c.MAIN].pen == lowered


@pytest.mark.rule("ST-352")
def test_ship_hitting_terrain_makes_five_saves():
    table = advanced([unit("escort-carrier", 24, 20)], [foe()], terrain=[disc(24, 18, 1)])
    table["a1"].moved_from_x, table["a1"].moved_from_y = 24.0, 15.0
    table.run(scrape_of_a1, [4, 5, 6, 1, 10])
    assert table["a1"].damage == 2000
    table["a1"].moved_from_y = 20.0
    table.run(scrape_of_a1)
    assert table["a1"].damage == 2000


def scrape_of_a1(s, dice, log):
    scrape(s, 0, dice, log)


@pytest.mark.rule("ST-169", "ST-310", "ST-313", "ST-314")
def test_pushed_unit_cannot_counter_and_knocks_down_piece():
    table = advanced(
        [unit("tankcrawler", y=10)], [foe("white-asura", y=16)], terrain=[disc(24, 20, 2)], momentum=(0, 1)
    )
    reckon(table.state, 0, table.weapon("a1", "crush-treads"), 1, 0, c.PLAIN)
    p = table.state.clashes[c.MAIN]
    p.tag, p.pen, p.fails = c.PUSHES, 5, 1
    push(table.state, p, [])
    assert (table["b1"].y, table.state.discs[0].gone, table.state.sides[1].momentum) == (18, 1, 0)
    table["b1"].x = 30
    p.fails, p.pen = 1, 5
    weapon = table.weapon("b1", "asura-saber")
    table.run(lambda s, dice, log: answer(s, weapon, 2, 1, dice, log))
    assert table.kinds() == ["counter-lost"]


def pushed(fails, *others, terrain=(), momentum=3):
    """Return a table after a push from the south moved a unit at (24, 16), with this many failed saves."""
    table = advanced(
        [unit("tankcrawler", y=10)], [foe("green-viking", y=16), *others], terrain=terrain, momentum=(0, momentum)
    )
    reckon(table.state, 0, table.weapon("a1", "crush-treads"), 1, 0, c.PLAIN)
    p = table.state.clashes[c.MAIN]
    p.tag, p.pen, p.fails = c.PUSHES, 5, fails
    return table.run(lambda s, dice, log: push(s, p, log))


@pytest.mark.rule("ST-310", "ST-313", "ST-314")
@pytest.mark.parametrize("fails", [1, 2, 3, 5])
def test_stronger_push_stops_at_same_piece(fails):
    table = pushed(fails, terrain=[disc(24, 30, 2), disc(24, 20, 2)])
    assert (table["b1"].y, table.state.sides[1].momentum) == (18, 2)
    assert [each.gone for each in table.state.discs] == [0, 1]
    assert table.kinds() == ["unit-pushed", "unit-knocked", "piece-knocked-down"]


@pytest.mark.rule("ST-310", "ST-313")
@pytest.mark.parametrize("fails", [2, 3, 5])
def test_push_stops_at_first_unit_and_knocks_both(fails):
    table = pushed(fails, foe("argonaut", 24, 22), foe("argonaut", 24, 26), momentum=1)
    assert (round(table["b1"].y, 3), table["b2"].y, table["b3"].y) == (21, 22, 26)
    assert [event.unit for event in table.events if event.kind == "unit-knocked"] == ["b1", "b2"]
    assert [event.number("damage") for event in table.events if event.kind == "unit-knocked"] == [0, 1000]


@pytest.mark.rule("ST-313")
@pytest.mark.parametrize(
    ("other", "piece", "knocked", "y"),
    [
        ((24, 20), (24, 24, 2), ["b1", "b2"], 19),  # the unit is first
        ((24, 24), (24, 20, 2), ["b1"], 18),  # the piece is first
        ((26.5, 20), (28, 20, 2), [], 22),  # beside the path
        ((24, 15.5), (24, 16, 2), [], 22),  # behind it, and where it already stands
    ],
)
def test_push_meets_only_first_obstacle(other, piece, knocked, y):
    table = pushed(2, foe("argonaut", *other), terrain=[disc(*piece)])
    assert [event.unit for event in table.events if event.kind == "unit-knocked"] == knocked
    assert table["b1"].y == pytest.approx(y, abs=0.001)


@pytest.mark.rule("ST-163", "ST-167", "ST-169")
def test_earlier_push_does_not_cancel_counter(monkeypatch):
    table = advanced([unit("trident-drake", y=10, improvised=1)], [foe("white-asura", y=24, improvised=1)])
    table.state.clashes[c.MAIN].pushed = 1
    rifle, at = table.weapon("b1", "asura-rifle"), table["a1"].weapon
    table.state.weapons[at].melee, table.state.weapons[at].range = 0, 30.0
    monkeypatch.setattr(play_attack, "choose_defence_bonus", lambda s, p: (c.COUNTER, rifle))
    monkeypatch.setattr(play_attack, "choose_attack_bonus", lambda s, p: c.POWER_BONUS)
    log = []
    attack(table.state, 0, at, 1, 0, c.PLAIN, ScriptedDice([1] * 60), log)
    kinds = [kind for kind, _ in log]
    assert "counter-lost" not in kinds
    assert kinds.index("counter-made") < kinds.index("attack-rolled")


@pytest.mark.rule("ST-169")
@pytest.mark.parametrize(("y", "kind"), [(26, "counter-made"), (14, "counter-lost")])
def test_only_push_out_of_engagement_cancels_counter(y, kind, monkeypatch):
    table = advanced([unit("falconeye", y=10, improvised=1)], [foe("white-asura", y=y, hp=20000, improvised=1)])
    table.state.sides[1].ordered = 1
    carbine, rifle = table.weapon("a1", "beam-carbine"), table.weapon("b1", "asura-rifle")
    table.state.weapons[carbine].tag = c.PUSHES
    table.state.weapons[rifle].range = 40.0
    monkeypatch.setattr(play_attack, "choose_defence_bonus", lambda s, p: (c.COUNTER, rifle))
    log = []
    attack(table.state, 0, carbine, 1, int(y == 14), c.PLAIN, ScriptedDice([10] * 7 + [1] * 60), log)
    kinds = [kind for kind, _ in log if kind in ("unit-pushed", "counter-made", "counter-lost")]
    assert kinds == ["unit-pushed", kind]
