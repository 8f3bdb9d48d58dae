"""The AI under the advanced rules: Challenges, Overwatch, Captains, forests, attacks that count on orders."""

from __future__ import annotations

import dataclasses

import pytest

from systems.engine.choices import ENOUGH, Chooser, Hand, StoppedError
from systems.engine.dice import SeededDice
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai import best
from systems.mechastellar.battle.ai_advanced import further_target, overwatch_weapon, remote_target
from systems.mechastellar.battle.ai_turn import best_here
from systems.mechastellar.battle.choices_combat import _ask_press
from systems.mechastellar.battle.play_attack import bury, crash
from systems.mechastellar.battle.rules.damage import check_cover, hurt
from systems.mechastellar.battle.rules.movement import attack_cover, disengage, move
from systems.mechastellar.battle.rules.resources import may_rage, rage, refresh
from systems.mechastellar.battle.rules.special import pull_to, throwable_piece
from systems.mechastellar.battle.rules.targets import remote_price
from systems.mechastellar.battle.rules.warships import captain_of
from systems.mechastellar.battle.setup import outcome, prepare
from systems.mechastellar.catalogue import CATALOGUE

from .tables import Table, disc, foe, setup, spec_of, unit


def advanced(*forces, **more):
    return Table(*forces, tier="advanced", **more)


@pytest.mark.rule("ST-281")
def test_attack_hitting_on_3_is_valued_above_5():
    table = advanced([unit()], [foe("argonaut")])
    weapon = table.weapon("a1", "beam-rifle")
    plain = best(table.state, 0, weapon, 1, 24, 10, 0)
    table["a1"].supported = 1
    supported = best(table.state, 0, weapon, 1, 24, 10, 0)
    assert supported > plain
    table["a1"].supported = 0
    assert best(table.state, 0, weapon, 1, 24, 10, 0) == plain


def duel(**challenge):
    """Return a table with a pilot of Level 1+ between a weak enemy nearby and a strong one."""
    table = advanced([unit("white-asura", y=10)], [foe("argonaut", 24, 24, hp=100), foe("white-asura", 26, 26)])
    for name, value in challenge.items():
        setattr(table.battle, name, value)
    return table


@pytest.mark.rule("ST-047")
def test_challenge_attacks_go_to_partner_while_in_range():
    assert best_here(duel().state, 0, 1)[1] == 1
    challenged = duel(challenger=0, challenged=2)
    assert best_here(challenged.state, 0, 1)[1] == 2
    challenged["b2"].y = 47.0  # out of range
    assert best_here(challenged.state, 0, 1)[1] == 1


@pytest.mark.rule("ST-047", "ST-320", "ST-330")
def test_challenge_keeps_remote_and_further_attacks_from_others():
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
def test_overwatch_fires_first_worthwhile_weapon():
    carrier = spec_of("escort-carrier")
    turrets = CATALOGUE.weapons["aa-turrets"]
    flares = dataclasses.replace(turrets, slug="flares", dice=1, hits=0)
    ship = dataclasses.replace(carrier, weapons=(flares, dataclasses.replace(turrets, dmg=600)))
    table = advanced([unit(ship, y=10)], [foe("argonaut", 24, 24, hp=500)])
    table["b1"].moved_from_x, table["b1"].moved_from_y = 24.0, 28.0
    assert overwatch_weapon(table.state, 0, 1) == table["a1"].weapon + 1


@pytest.mark.rule("ST-347")
def test_forest_falls_only_to_area_weapons():
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
    assert throwable_piece(table.state, 0) == c.NOBODY


@pytest.mark.rule("ST-280", "ST-281", "ST-282")
@pytest.mark.parametrize(
    ("orders", "tactical", "operations"),
    [((), 0, 0), (("tactical-support",), 0, c.NOBODY), (("operations-support",), c.NOBODY, 0)],
)
def test_captain_gives_only_printed_orders(orders, tactical, operations):
    ship = dataclasses.replace(spec_of("escort-carrier"), orders=orders)
    table = advanced([unit(ship, y=10), unit(y=10)], [foe("argonaut", 24, 44)])
    assert captain_of(table.state, c.SIDE_A, 1, c.TACTICAL_SUPPORT) == tactical
    assert captain_of(table.state, c.SIDE_A, 1, c.OPERATIONS_SUPPORT) == operations


@pytest.mark.rule("ST-232", "ST-233")
def test_house_rule_lets_havoc_buy_actions():
    table = Table([unit("trident-drake")], [foe()], havoc_actions=True)
    drake = table["a1"]
    assert table.run(lambda s, dice, log: rage(s, 0, log))["a1"].havoc == 2
    assert table.event("havoc-spent").number("step") == c.STEP_ACTIONS
    assert (rage(table.state, 0, []), drake.havoc, rage(table.state, 0, [])) == (2, 0, 0)
    refresh(drake)
    assert (drake.havoc, may_rage(table.state, 0)) == (3, True)
    drake.penalties, drake.more = 2, 0  # in a turn without more Actions
    assert not may_rage(table.state, 0)


@pytest.mark.rule("ST-232")
def test_havoc_buys_no_actions_without_house_rule():
    table = Table([unit("trident-drake")], [foe()])
    assert (rage(table.state, 0, []), table["a1"].havoc) == (0, 3)


@pytest.mark.rule("ST-232")
def test_player_is_offered_hits_for_the_last_havoc():
    table = Table([unit("trident-drake")], [foe()])
    chooser = Chooser(Hand(sides=(c.SIDE_A,)), SeededDice(1), unit=str, weapon=lambda i, slot: "")
    table["a1"].havoc = 1
    with pytest.raises(StoppedError) as stopped:
        _ask_press(chooser, table.state, c.Clash(unit=0), ENOUGH)
    assert any(answer.words.startswith("Havoc: ") for answer in stopped.value.question.answers)
    table["a1"].havoc = 0
    assert _ask_press(chooser, table.state, c.Clash(unit=0), ENOUGH) == ENOUGH


@pytest.mark.rule("ST-193", "ST-345")
def test_crash_attacks_piece_with_double_dmg():
    ram = dataclasses.replace(spec_of("tankcrawler"), move_half=20)
    table = advanced([unit(ram, y=10)], [foe("argonaut", y=13)], terrain=[disc(24, 18, 1)])
    table.state.sides[1].ordered = 1
    table.run(lambda s, dice, log: crash(s, 0, 1, dice, log), [*[1] * 4, *[10] * 4, 9, 9, 9, 7, 9])
    checked = table.event("cover-attacked")
    assert (checked.number("dmg"), checked.result["gone"], table.state.discs[0].gone) == (2 * 400, True, 1)
    assert table["a1"].y == 20


@pytest.mark.rule("ST-314", "ST-343")
def test_pulling_weapon_moves_user_towards_standing_cover():
    puller = dataclasses.replace(
        spec_of("trident-drake"),
        weapons=(dataclasses.replace(CATALOGUE.weapons["tail-lash"], type="shooting", range_in=12, dmg=300),),
    )
    table = advanced([unit(puller, y=10)], [foe(y=40)], terrain=[disc(24, 20, 2)])
    weapon = table["a1"].weapon
    table.run(lambda s, dice, log: pull_to(s, 0, weapon, 0, dice, log), [3])
    assert (table["a1"].y, table.kinds()) == (13, ["cover-checked", "unit-pulled"])
    table.run(lambda s, dice, log: pull_to(s, 0, weapon, 0, dice, log), [2])
    assert (table["a1"].y, table.state.discs[0].gone) == (13, 1)


@pytest.mark.rule("ST-330")
def test_second_remote_attack_costs_more():
    table = advanced([unit("laughing-joker")], [foe()])
    bits = next(each for each in table.state.weapons if each.remote)
    assert remote_price(bits) == 1
    bits.remoted = 1
    assert remote_price(bits) == 2


@pytest.mark.rule("ST-074", "ST-076")
def test_house_rule_makes_disengaging_after_attack_free():
    table = Table([unit("argonaut", y=15)], [foe("argonaut")], momentum=(1, 0), free_disengage=True)
    table["a1"].struck = 1
    table.run(lambda s, dice, log: disengage(s, 0, log))
    assert (table.event("unit-disengaged").number("price"), table.state.sides[0].momentum) == (0, 1)
    table.run(lambda s, dice, log: move(s, 0, 24, 15, 24, 20, log))  # turned in between
    table.run(lambda s, dice, log: disengage(s, 0, log))
    assert (table.event("unit-disengaged").number("price"), table.state.sides[0].momentum) == (1, 0)


@pytest.mark.rule("ST-047", "ST-048", "ST-409")
@pytest.mark.parametrize(("between", "won"), [((0, 2), 1), ((c.NOBODY, c.NOBODY), 0)])
def test_destroying_challenge_partner_wins_challenge(between, won):
    table = duel(challenger=between[0], challenged=between[1])
    hurt(table.state, 2, 9000, 0)
    table.run(lambda s, dice, log: bury(s, 2, 0, dice, log), [10, 10])
    table.battle.reason = c.LAST_ROUND
    given = setup(["white-asura"], ["argonaut", "white-asura"], options={"tier": "advanced"})
    ends = {unit.key: unit.own for unit in outcome(given, table.state).units}
    assert [ends[key].challenges for key in ("a1", "b1", "b2")] == [won, 0, 0]
