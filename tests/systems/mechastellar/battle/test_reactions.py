"""What answers an attack or a move under the advanced rules: Revenge, reloading, breaches, jamming, walls, wreckage."""

from __future__ import annotations

import pytest

from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.doctrine_advanced import consider_revenge
from systems.mechastellar.battle.doctrine_turn import must_answer
from systems.mechastellar.battle.play_attack import answer, jam, reckon
from systems.mechastellar.battle.rules.challenges import challenge, may_challenge
from systems.mechastellar.battle.rules.facts import partner_of
from systems.mechastellar.battle.rules.special import push
from systems.mechastellar.battle.rules.terrain import breach, scrape
from systems.mechastellar.battle.rules.warships import empty, reload, reload_all

from .tables import Table, disc, foe, unit


def advanced(*forces, **more):
    return Table(*forces, tier="advanced", **more)


@pytest.mark.rule("ST-047")
def test_partners_in_a_challenge_are_harder_to_hit_for_everybody_else():
    table = advanced([unit("white-asura"), unit()], [foe("blue-djinn"), foe("argonaut")])
    assert may_challenge(table.state, 0)
    challenge(table.state, 0, 2, [])
    assert not may_challenge(table.state, 0)
    for attacker, more in ((0, 0), (1, 2)):
        reckon(table.state, attacker, table.state.units[attacker].weapon, 2, 0, c.PLAIN)
        assert table.state.clashes[c.MAIN].challenge == more
    assert must_answer(table.state, 2) == 0


@pytest.mark.rule("ST-048")
def test_revenge_pairs_the_destroyer_with_the_worthiest_friend_once():
    table = advanced([unit()], [foe("white-asura"), foe("argonaut"), foe("blue-djinn")])
    table["b1"].status = c.DESTROYED
    consider_revenge(table.state, 1, 0, [])
    assert (partner_of(table.state, 3), partner_of(table.state, 0)) == (0, 3)
    table["b3"].status = c.DESTROYED
    consider_revenge(table.state, 3, 0, [])
    assert table.state.sides[1].avenger == 3


@pytest.mark.rule("ST-205")
def test_a_ship_reloads_what_is_explosive_or_waits_until_the_end_of_the_next_round():
    table = advanced([unit("escort-carrier"), unit("cyclodom")], [foe()])
    tubes, bazooka = table.weapon("a1", "missile-tubes"), table.weapon("a2", "giant-bazooka")
    empty(table.state, 0, tubes)
    empty(table.state, 1, bazooka)
    assert [table.state.weapons[each].reloading for each in (tubes, bazooka)] == [2, 0]
    reload_all(table.state)
    assert table.state.weapons[tubes].reloading == 1
    reload(table.state, 0, tubes, [])
    assert table.state.weapons[tubes].reloading == 0


@pytest.mark.rule("ST-230", "ST-345")
def test_havoc_attacks_the_cover_of_a_target():
    table = advanced([unit("trident-drake", havoc=1)], [foe()], terrain=[disc(24, 20)])
    table.run(lambda s, dice, log: breach(s, 0, 0, 300, dice, log), [10, 10, 10, 10, 2])
    assert (table["a1"].havoc, table.state.discs[0].gone) == (0, 1)


@pytest.mark.rule("ST-331")
def test_an_ace_shoots_down_what_is_sent_at_him():
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
def test_a_shot_through_walls_has_less_pen_and_never_below_one():
    table = advanced([unit(y=10)], [foe(y=20)])
    rifle = table.weapon("a1", "beam-rifle")
    for pen, lowered in ((6, 3), (2, 1)):
        table.state.weapons[rifle].pen = pen
        reckon(table.state, 0, rifle, 1, 0, c.THROUGH_WALLS)
        assert table.state.clashes[c.MAIN].pen == lowered


@pytest.mark.rule("ST-352")
def test_a_ship_that_runs_into_terrain_makes_five_saves():
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
def test_who_is_pushed_away_can_not_counter_and_brings_down_what_it_is_pushed_into():
    table = advanced(
        [unit("tankcrawler", y=10)], [foe("white-asura", y=16)], terrain=[disc(24, 20, 2)], momentum=(0, 1)
    )
    reckon(table.state, 0, table.weapon("a1", "crush-treads"), 1, 0, c.PLAIN)
    p = table.state.clashes[c.MAIN]
    p.tag, p.pen, p.fails = c.PUSHES, 5, 1
    push(table.state, p, [])
    assert (table["b1"].y, table.state.discs[0].gone, table.state.sides[1].momentum) == (19, 1, 0)
    table["b1"].x = 30
    p.fails, p.pen = 1, 5
    weapon = table.weapon("b1", "asura-saber")
    table.run(lambda s, dice, log: answer(s, weapon, 2, dice, log))
    assert table.kinds() == ["counter-lost"]
