"""The ledger's worked examples MM-X10 to MM-X32, MM-X44 and MM-X45, each with its own dice and numbers."""

from __future__ import annotations

import pytest

from systems.engine.dice import ScriptedDice
from systems.engine.events import Event
from systems.meks_and_mercs.battle.play import change_bands, decide_breaks, fight_round, roll_movement
from systems.meks_and_mercs.battle.rules import has_contact
from systems.meks_and_mercs.battle.rules.firepower import expected_hits
from systems.meks_and_mercs.battle.rules.zone_combat import break_contact, end_round, make_contact, roll_wounds
from systems.meks_and_mercs.battle.state import INFANTRY, JAMMER, LONG, MEDIUM, REACTIVE_ARMOR, SHORT

from .builders import Table, mek, total, unit
from .states import modifiers

RAIL_1, RAIL_2, HAMMER = 0, 1, 2  # slots of the DRAKEN


def dice_of(*faces: int) -> ScriptedDice:
    return ScriptedDice(faces)


def all_rolled(dice: ScriptedDice) -> bool:
    return not dice.faces and not dice.choices


def only(events: list[Event]) -> Event:
    (event,) = events
    return event


@pytest.mark.rule("MM-024", "MM-026", "MM-028", "MM-030", "MM-043", "MM-051", "MM-053", "MM-054", "MM-056", "MM-059")
def test_x10_first_exchange_of_source_example():
    table = Table(["wasp"], ["draken"])
    table.state.pairs[0].made = 0
    dice = dice_of(3, 4, 5, 2, 6, 4, 3, 2)

    assert make_contact(table.state, 0, table.log)
    assert table.band("a1", "d1") == LONG
    decide_breaks(table.state, [])
    roll_movement(table.state, dice, table.log)
    change_bands(table.state, table.log)
    table.plan()
    assert table["a1"].firings == 0  # the cannon does not reach Medium
    table["d1"].firings = 0
    table.aim("d1", "a1", RAIL_1, RAIL_2)  # the player in the example holds the Hammer back
    table.fire(dice)
    table.damage(dice)
    end_round(table.state, 0, table.log)

    assert all_rolled(dice)
    wasp, draken = table.events_of("movement-rolled")
    assert (wasp.faces, modifiers(wasp), wasp.result["total"]) == ((3, 4), {"chassis": 2}, 9)
    assert (draken.faces, modifiers(draken), draken.result["total"]) == ((5,), {"chassis": 2}, 7)
    closing = only(table.events_of("band-changed"))
    assert (closing.unit, closing.result["before"], closing.result["band"]) == ("a1", LONG, MEDIUM)
    first, second = table.events_of("shot-rolled")
    assert (first.faces, modifiers(first), total(first)) == ((2,), {"jammer": -1}, 1)
    assert (first.result["number"], first.result["hit"]) == (5, False)
    assert (second.faces, total(second), second.result["number"], second.result["hit"]) == ((6,), 5, 5, True)
    save = only(table.events_of("save-rolled"))
    assert (save.unit, save.faces, save.result["armor"], save.result["saved"]) == ("a1", (4,), 5, False)
    assert only(table.events_of("hit-taken")).result["hits"] == 1
    check = only(table.events_of("critical-checked"))
    assert (check.faces, check.result["hits"], check.result["critical"]) == ((3,), 1, True)
    assert only(table.events_of("critical-rolled")).faces == (2,)
    heat = only(table.events_of("heat-used"))
    assert (heat.unit, heat.result["heat"], heat.result["rating"]) == ("d1", 2, 5)
    assert (table["a1"].hits, table["a1"].legs, table["d1"].hits) == (1, 1, 4)


@pytest.mark.rule("MM-028", "MM-030", "MM-043", "MM-051", "MM-053", "MM-056", "MM-059", "MM-060", "MM-099")
def test_x11_second_exchange_of_source_example():
    table = Table([unit("wasp", hits=1, legs=1)], ["draken"], band=MEDIUM)
    dice = dice_of(2, 4, 3, 4, 4, 5, 6, 4, 5, 4)

    roll_movement(table.state, dice, table.log)
    change_bands(table.state, table.log)
    table.aim("a1", "d1", 0).aim("d1", "a1", RAIL_1, RAIL_2, HAMMER)
    table.fire(dice)
    table.damage(dice)

    assert all_rolled(dice)
    wasp, draken = table.events_of("movement-rolled")
    assert (wasp.faces, modifiers(wasp)) == ((2, 4), {"chassis": 2, "leg damage": -1})
    assert (wasp.result["total"], draken.result["total"]) == (7, 5)
    assert only(table.events_of("band-changed")).result["band"] == SHORT
    cannon, rail_1, rail_2, hammer = table.events_of("shot-rolled")
    assert (total(cannon), cannon.result["number"], cannon.result["hit"]) == (4, 4, True)
    assert (total(rail_1), rail_1.result["number"], rail_1.result["hit"]) == (3, 4, False)
    assert (total(rail_2), rail_2.result["number"], rail_2.result["hit"]) == (4, 4, True)
    assert (total(hammer), hammer.result["number"], hammer.result["hit"]) == (5, 3, True)
    draken_save, against_rail, against_hammer = table.events_of("save-rolled")
    assert (draken_save.unit, total(draken_save), draken_save.result["saved"]) == ("d1", 4, True)
    assert (total(against_rail), against_rail.result["armor"], against_rail.result["saved"]) == (5, 5, True)
    assert modifiers(against_hammer) == {"weapon against armor": -1}
    assert (total(against_hammer), against_hammer.result["saved"]) == (3, False)
    destroyed = only(table.events_of("unit-destroyed"))
    assert (destroyed.unit, destroyed.result["by"]) == ("a1", "d1")
    assert (table["a1"].hits, table["a1"].present, table["d1"].hits, table["d1"].scored) == (0, 0, 4, 1)
    used = {event.unit: (event.result["heat"], event.result["rating"]) for event in table.events_of("heat-used")}
    assert used == {"a1": (1, 2), "d1": (5, 5)}
    assert not table.events_of("heat-rolled")


@pytest.mark.rule("MM-043", "MM-051", "MM-053")
def test_x12_literal_dice_of_source_example_score_one_hit():
    table = Table([unit("wasp", hits=1)], ["draken"], band=SHORT)
    dice = dice_of(3, 4, 6, 4)

    table.aim("d1", "a1", RAIL_1, RAIL_2, HAMMER)
    table.fire(dice)
    table.damage(dice)

    assert all_rolled(dice)
    assert [total(event) for event in table.events_of("shot-rolled")] == [2, 3, 5]
    assert [event.result["hit"] for event in table.events_of("shot-rolled")] == [False, False, True]
    save = only(table.events_of("save-rolled"))
    assert (total(save), save.result["armor"], save.result["saved"]) == (3, 5, False)
    assert table["a1"].present == 0


@pytest.mark.rule("MM-028", "MM-031")
@pytest.mark.parametrize(
    ("band", "expected", "doubled"),
    [(LONG, SHORT, 0), (MEDIUM, SHORT, 0), (SHORT, SHORT, 1)],
    ids=["two steps", "one step", "stays and doubles"],
)
def test_x13_more_than_double_moves_two_bands_or_doubles_terrain(band, expected, doubled):
    table = Table([unit("wasp", experience="veteran")], ["draken"], band=band)
    dice = dice_of(6, 5, 2)

    roll_movement(table.state, dice, table.log)
    change_bands(table.state, table.log)

    assert all_rolled(dice)
    wasp, draken = table.events_of("movement-rolled")
    assert (modifiers(wasp), wasp.result["total"]) == ({"chassis": 2, "pilot level": 1}, 14)
    assert draken.result["total"] == 4
    assert table.band("a1", "d1") == expected
    assert (table.sight("d1", "a1").doubled, table.sight("a1", "d1").doubled) == (doubled, 0)
    assert len(table.events_of("terrain-doubled")) == doubled


@pytest.mark.rule("MM-031")
def test_x13_exactly_double_moves_one_band():
    table = Table(["wasp"], ["draken"])
    table["a1"].total, table["d1"].total = 12, 6

    change_bands(table.state, table.log)

    assert table.band("a1", "d1") == MEDIUM


@pytest.mark.rule("MM-028", "MM-030", "MM-056")
def test_x14_movement_total_stops_at_zero_and_tie_moves_nobody():
    table = Table(
        [unit(mek("assault", ["cannon"]), experience="green", legs=1)], [mek("titan", ["cannon"])], terrain="urban"
    )
    dice = dice_of(3, 2)

    roll_movement(table.state, dice, table.log)
    change_bands(table.state, table.log)

    assert all_rolled(dice)
    a, b = table.events_of("movement-rolled")
    assert modifiers(a) == {"pilot level": -1, "leg damage": -1, "terrain": -2}
    assert (total(a), a.result["total"]) == (-1, 0)
    assert (total(b), b.result["total"]) == (0, 0)
    assert (table.band("a1", "d1"), table.events_of("band-changed"), table.events_of("terrain-doubled")) == (
        LONG,
        [],
        [],
    )


@pytest.mark.rule("MM-029", "MM-059")
def test_x15_jump_jets_ignore_wood_and_use_two_heat():
    table = Table(["saber"], [mek("light")], terrain="wood")
    dice = dice_of(1, 4, 5, 1, 1)  # the enemy's two dice come last

    roll_movement(table.state, dice, table.log)
    table.fire(dice)

    assert all_rolled(dice)
    saber = table.events_of("movement-rolled")[0]
    assert (saber.rule, saber.faces, modifiers(saber)) == ("MM-029", (1, 4, 5), {})
    assert (saber.result["total"], saber.result["jets"]) == (10, True)
    heat = only(table.events_of("heat-used"))
    assert (heat.result["heat"], heat.result["rating"]) == (2, 4)


@pytest.mark.rule("MM-043", "MM-044")
@pytest.mark.parametrize(("face", "hit"), [(5, False), (6, True)])
def test_x16_to_hit_modifiers_add_up(face, hit):
    table = Table([unit("viper", experience="green")], ["demon"], terrain="wood", band=SHORT)

    table.aim("a1", "d1", 0)
    table.fire(dice_of(face))

    shot = only(table.events_of("shot-rolled"))
    assert modifiers(shot) == {"Targeting Array": 1, "jammer": -1, "terrain": -1, "pilot level": -1}
    assert (total(shot), shot.result["number"], shot.result["hit"]) == (face - 2, 4, hit)


@pytest.mark.rule("MM-043")
def test_x17_impossible_shot_is_not_fired():
    table = Table(["wasp"], ["wasp"], terrain="urban", band=SHORT)
    assert expected_hits(table.state, 0, 1, table.weapon("a1", 0), SHORT, -3) == 0

    table.plan()
    table.fire(dice_of())
    assert not table.events_of("shot-rolled")

    table.aim("a1", "d1", 0)
    table.fire(dice_of(6))
    shot = only(table.events_of("shot-rolled"))
    assert (total(shot), shot.result["number"], shot.result["hit"]) == (3, 4, False)


@pytest.mark.rule("MM-043")
def test_x17_natural_rolls_house_rule_hits_on_six():
    table = Table(["wasp"], ["wasp"], terrain="urban", band=SHORT, options={"natural-rolls": "six-hits-one-misses"})

    table.plan()
    assert (table["a1"].firings, table["d1"].firings) == (1, 1)
    table.fire(dice_of(6, 5))

    assert [event.result["hit"] for event in table.events_of("shot-rolled")] == [True, False]


@pytest.mark.rule("MM-046", "MM-051")
def test_x18_point_defense_hampers_hammer_missile():
    table = Table(["draken"], ["draken"], band=MEDIUM)
    dice = dice_of(4, 5, 3, 1)

    table.aim("a1", "d1", HAMMER)
    table.fire(dice)
    table.fire(dice)  # the same again: the example's second shot
    table.damage(dice)  # its save, and the check of the Hit that gets through

    assert all_rolled(dice)
    first, second = table.events_of("shot-rolled")
    assert modifiers(first) == {"Point Defense": -2}
    assert (total(first), first.result["number"], first.result["hit"]) == (2, 3, False)
    assert (total(second), second.result["hit"]) == (3, True)
    save = only(table.events_of("save-rolled"))
    assert (total(save), save.result["armor"], save.result["saved"]) == (2, 3, False)


@pytest.mark.rule("MM-046")
@pytest.mark.parametrize(("face", "hit"), [(2, False), (3, True)])
def test_x18_point_defense_does_not_work_at_short(face, hit):
    table = Table(["draken"], ["draken"], band=SHORT)

    table.aim("a1", "d1", HAMMER)
    table.fire(dice_of(face))

    shot = only(table.events_of("shot-rolled"))
    assert (modifiers(shot), shot.result["hit"]) == ({}, hit)


@pytest.mark.rule("MM-046", "MM-047")
def test_x19_phalanx_and_point_defense_do_not_add_up():
    phalanx = mek("medium", [], ["phalanx"])
    table = Table(["warthog"], ["draken", phalanx], band=LONG)

    table.aim("a1", "d1", 2)
    table.fire(dice_of(4))

    shot = only(table.events_of("shot-rolled"))
    assert modifiers(shot) == {"Phalanx": -2}
    assert (total(shot), shot.result["number"], shot.result["hit"]) == (2, 3, False)


@pytest.mark.rule("MM-058", "MM-059", "MM-060", "MM-061")
def test_x20_overheated_weapon_is_lost_and_costs_hit():
    table = Table(["thor"], [mek("assault")], band=SHORT)
    dice = dice_of(3, 4, 1, 5, 3)

    table.aim("a1", "d1", 0, 1, 2)
    table.fire(dice)
    assert table["a1"].hits == 5
    table.damage(dice_of(2, 2, 2))  # the enemy's saves; no check for the THOR's own Hit

    assert all_rolled(dice)
    assert [event.result["hit"] for event in table.events_of("shot-rolled")] == [True, True, True]
    second_ppc, cannon = table.events_of("heat-rolled")
    assert (second_ppc.result["slot"], second_ppc.faces) == (1, (1,))
    assert (second_ppc.result["heat"], second_ppc.result["rating"], second_ppc.result["overheated"]) == (8, 7, True)
    assert (cannon.result["slot"], cannon.faces) == (2, (3,))
    assert (cannon.result["heat"], cannon.result["overheated"]) == (9, False)
    own = only(table.events_of("overheat-taken"))
    assert (own.unit, own.result["taken"], own.result["hits"]) == ("a1", 1, 4)
    assert not table.events_of("critical-checked")
    assert [table.weapon("a1", slot).intact for slot in range(3)] == [1, 0, 1]


@pytest.mark.rule("MM-049", "MM-060", "MM-061")
def test_x21_an_overheated_missile_costs_two_hits():
    heavy = mek("heavy", ["rail-cannon", "rail-cannon", "swarm-missile"])
    table = Table([heavy], [mek("assault")], band=SHORT)
    dice = dice_of(4, 4, 4, 4, 1)

    table.aim("a1", "d1", 0, 1, 2)
    table.fire(dice)
    table.damage(dice_of(2, 2, 2, 2))

    assert all_rolled(dice)
    heat = only(table.events_of("heat-rolled"))
    assert (heat.result["slot"], heat.faces, heat.result["heat"], heat.result["rating"]) == (2, (1,), 6, 5)
    assert only(table.events_of("overheat-taken")).result["taken"] == 2
    assert (table.weapon("a1", 2).intact, table["a1"].hits) == (0, 2)


@pytest.mark.rule("MM-051", "MM-052", "MM-054", "MM-056")
def test_x22_reactive_armor_rerolls_failed_save_and_stays():
    table = Table(["warthog"], ["odin"], band=LONG)
    dice = dice_of(1, 1, 6, 6)

    table.hit("a1", "d1", 2)
    table.damage(dice)

    assert all_rolled(dice)
    save = only(table.events_of("save-rolled"))
    assert (save.rule, save.faces, save.result["armor"], save.result["saved"]) == ("MM-052", (1, 1), 2, False)
    check = only(table.events_of("critical-checked"))
    assert (check.faces, check.result["hits"], check.result["critical"]) == ((6,), 5, True)
    assert only(table.events_of("critical-rolled")).faces == (6,)
    lost = only(table.events_of("system-lost"))
    assert (lost.result["slot"], lost.result["among"]) == (0, 1)
    assert table["d1"].systems & JAMMER == 0
    assert table["d1"].systems & REACTIVE_ARMOR
    assert table["d1"].hits == 5


@pytest.mark.rule("MM-051")
def test_x23_space_lam_armor_adds_one_to_saves_against_cannons():
    table = Table(["wasp"], ["panzer"], band=SHORT)
    dice = dice_of(3)

    table.hit("a1", "d1", 0)
    table.damage(dice)

    assert all_rolled(dice)
    save = only(table.events_of("save-rolled"))
    assert modifiers(save) == {"weapon against armor": 1}
    assert (total(save), save.result["armor"], save.result["saved"]) == (4, 4, True)
    assert table["d1"].hits == 2


@pytest.mark.rule("MM-054", "MM-055", "MM-056", "MM-057", "MM-099")
def test_x24_ppc_at_long_rerolls_failed_critical_check():
    table = Table(["thor"], ["thor"], band=LONG)
    dice = dice_of(1, 3, 5, 4, 2)

    table.hit("a1", "d1", 0)
    table.damage(dice)

    assert all_rolled(dice)
    save = only(table.events_of("save-rolled"))
    assert (save.faces, save.result["armor"], save.result["saved"]) == ((1,), 2, False)
    check = only(table.events_of("critical-checked"))
    assert (check.rule, check.faces, check.result["hits"], check.result["critical"]) == ("MM-055", (3, 5), 4, True)
    assert only(table.events_of("critical-rolled")).faces == (4,)
    reactor = only(table.events_of("reactor-rolled"))
    assert (reactor.faces, reactor.result["exploded"]) == ((2,), True)
    assert only(table.events_of("unit-destroyed")).result["by"] == "a1"
    assert (table["d1"].present, table["a1"].scored) == (0, 1)


@pytest.mark.rule("MM-054", "MM-055")
def test_x25_spaul_liner_rerolls_successful_check():
    table = Table(["wasp"], ["saber"], band=SHORT)
    dice = dice_of(2, 4, 2)

    table.hit("a1", "d1", 0)
    table.damage(dice)

    assert all_rolled(dice)
    save = only(table.events_of("save-rolled"))
    assert (save.faces, save.result["armor"], save.result["saved"]) == ((2,), 4, False)
    check = only(table.events_of("critical-checked"))
    assert (check.faces, check.result["hits"], check.result["critical"]) == ((4, 2), 2, False)
    assert not table.events_of("critical-rolled")
    assert table["d1"].hits == 2


@pytest.mark.rule("MM-026", "MM-053", "MM-099")
def test_x26_simultaneous_fire_can_destroy_both():
    table = Table([unit("wasp", hits=1)], [unit("wasp", hits=1)], band=SHORT)
    dice = dice_of(5, 6, 2, 3)

    table.plan()
    table.fire(dice)
    table.damage(dice)

    assert all_rolled(dice)
    assert [(event.unit, total(event), event.result["hit"]) for event in table.events_of("shot-rolled")] == [
        ("a1", 4, True),
        ("d1", 5, True),
    ]
    assert [(event.unit, event.faces) for event in table.events_of("save-rolled")] == [("d1", (2,)), ("a1", (3,))]
    assert [(event.unit, event.result["by"]) for event in table.events_of("unit-destroyed")] == [
        ("d1", "a1"),
        ("a1", "d1"),
    ]
    assert (table["a1"].scored, table["d1"].scored) == (1, 1)


@pytest.mark.rule("MM-054", "MM-056", "MM-063")
def test_x27_infantry_attack_allows_no_save():
    table = Table(["infantry"], ["wasp"], band=SHORT)
    dice = dice_of(4, 5, 5)

    table.aim("a1", "d1")
    table.fire(dice)
    table.damage(dice)

    assert all_rolled(dice)
    attack = only(table.events_of("infantry-attacked"))
    assert (attack.faces, attack.result["armor"], attack.result["hit"]) == ((4,), 5, True)
    assert not table.events_of("save-rolled")
    check = only(table.events_of("critical-checked"))
    assert (check.faces, check.result["hits"], check.result["critical"]) == ((5,), 1, True)
    assert only(table.events_of("critical-rolled")).faces == (5,)
    assert table["d1"].hits == 1
    end_round(table.state, 0, table.log)
    assert (table["d1"].computers, table["d1"].computers_next) == (1, 0)


@pytest.mark.rule("MM-056")
def test_x27_damaged_computers_hamper_next_round_only():
    table = Table(["thor"], ["wasp"], band=SHORT)
    table["d1"].computers_next = 1
    seen = []
    for _round in range(2):
        end_round(table.state, 0, table.log)
        table["d1"].firings = 0
        table.aim("d1", "a1", 0)
        table.fire(dice_of(1))
        seen.append(modifiers(table.events_of("shot-rolled")[-1]))

    assert seen == [{"computers": -1}, {}]


@pytest.mark.rule("MM-064", "MM-065")
def test_x28_fire_at_infantry_kills_and_breaks_strongpoint():
    table = Table(["wasp"], ["infantry"], terrain="wood", band=SHORT)
    table["d1"].detected = 1
    dice = dice_of(4, 1, 3, 2)

    table.aim("a1", "d1", 0, 1, 2)
    table.fire(dice)
    table.damage(dice)

    assert all_rolled(dice)
    rolls = table.events_of("kills-rolled")
    assert [(event.faces, total(event), event.result["kills"]) for event in rolls] == [
        ((4,), 3, 1),
        ((1,), 0, 0),
        ((3,), 2, 2),
    ]
    assert [modifiers(event) for event in rolls] == [{"terrain": -1}] * 3
    assert only(table.events_of("kills-taken")).result["total"] == 3
    morale = only(table.events_of("morale-rolled"))
    assert (morale.faces, morale.result["kills"], morale.result["broke"]) == ((2,), 3, True)
    assert table["d1"].present == 0


@pytest.mark.rule("MM-038")
def test_x29_basic_sensor_finds_infantry_at_short_on_six():
    table = Table(["wasp"], ["infantry"], band=MEDIUM)
    dice = dice_of(6)

    table.detect(dice)
    assert not dice.rolled
    table.set_band("a1", "d1", SHORT)
    table.detect(dice)

    assert all_rolled(dice)
    search = only(table.events_of("infantry-searched"))
    assert (search.faces, search.result["needed"], search.result["success"]) == ((6,), 6, True)
    assert (table["d1"].kind, table["d1"].detected) == (INFANTRY, 1)


@pytest.mark.rule("MM-035", "MM-036")
def test_x30_masked_mek_targeted_at_medium_stays_targeted():
    table = Table(["demon"], [mek("light", [], ["masking"])], band=LONG)
    dice = dice_of(4)

    table.detect(dice)
    table.set_band("a1", "d1", MEDIUM)
    table.plan()
    assert (dice.rolled, table["a1"].firings) == ([], 0)
    table.detect(dice)
    table.detect(dice)  # the target stays: no die

    assert all_rolled(dice)
    found = only(table.events_of("targeting-rolled"))
    assert (found.faces, found.result["needed"], found.result["success"]) == ((4,), 4, True)
    table.plan()
    assert table["a1"].firings == 2


@pytest.mark.rule("MM-032")
def test_x31_enemy_nearer_than_long_holds_contact():
    table = Table(["wasp"], ["draken", "demon"], band=LONG)
    table.set_band("a1", "d2", MEDIUM)
    table["a1"].total, table["d1"].total, table["d2"].total = 11, 5, 7
    table["a1"].wants_break = 1

    break_contact(table.state, table.log)

    assert (table["a1"].withdrew, has_contact(table.state, 0)) == (0, True)


@pytest.mark.rule("MM-020", "MM-032", "MM-033")
def test_x32_highest_total_at_long_breaks_contact():
    table = Table(["wasp"], ["draken", "demon"], band=LONG)
    table["a1"].total, table["d1"].total, table["d2"].total = 8, 5, 7
    table["a1"].wants_break = 1

    break_contact(table.state, table.log)
    table.plan()
    table.fire(dice_of())

    broken = only(table.events_of("contact-broken"))
    assert (broken.unit, broken.result["total"]) == ("a1", 8)
    assert [table[key].firings for key in table.keys] == [0, 0, 0]
    assert not has_contact(table.state, 0)  # so the unit may leave its zone


@pytest.mark.rule("MM-032")
def test_x32_tie_with_one_enemy_holds_contact():
    table = Table(["wasp"], ["draken", "demon"], band=LONG)
    table["a1"].total, table["d1"].total, table["d2"].total = 7, 5, 7
    table["a1"].wants_break = 1

    break_contact(table.state, table.log)

    assert has_contact(table.state, 0)


@pytest.mark.rule("MM-051", "MM-056")
def test_x44_stunned_wounded_pilot_only_saves():
    table = Table([unit("wasp", wounded=True)], ["draken"], band=SHORT)
    dice = dice_of(4)

    roll_wounds(table.state, dice, table.log)
    roll_movement(table.state, dice_of(1), table.log)  # the DRAKEN's die: the WASP rolls none
    table.detect(dice_of())
    table["d1"].in_fight = 0
    table.plan()
    table.fire(dice_of())
    table.hit("d1", "a1", RAIL_1)
    table.damage(dice_of(5))

    assert all_rolled(dice)
    wound = only(table.events_of("wound-rolled"))
    assert (wound.faces, wound.result["stunned"]) == ((4,), True)
    assert (table["a1"].total, table["a1"].firings, table.events_of("shot-rolled")) == (0, 0, [])
    assert only(table.events_of("save-rolled")).result["saved"]


@pytest.mark.rule("MM-041", "MM-042", "MM-044")
def test_x45_targeting_array_helps_on_first_target_only():
    shooter = mek("heavy", ["rail-cannon", "rail-cannon"], ["director", "targeting-array"])
    table = Table([shooter], [unit("wasp", hits=1), unit("wasp", hits=1)], band=SHORT)

    table.aim("a1", "d1", 0).aim("a1", "d2", 1)
    table.fire(dice_of(3, 3))

    first, second = table.events_of("shot-rolled")
    assert (first.target, modifiers(first)) == ("d1", {"Targeting Array": 1, "jammer": -1})
    assert (second.target, modifiers(second)) == ("d2", {"jammer": -1})


@pytest.mark.rule("MM-041", "MM-042")
def test_x45_each_weapon_fires_once():
    shooter = mek("heavy", ["vulcan-cannon", "rail-cannon", "swarm-missile"], ["director"])
    table = Table([shooter], [unit("wasp", hits=1), unit("wasp", hits=1)], band=SHORT)

    table.plan()

    planned = [(firing.slot, firing.target) for firing in table.state.firings[: table["a1"].firings]]
    # swarm and rail, 5 of 5 heat, are worth more than one Hit can take; no heat is left for the second WASP
    assert planned == [(2, 1), (1, 1)]


@pytest.mark.rule("MM-041", "MM-042")
@pytest.mark.parametrize(("systems", "firings"), [([], [(0, "d1")]), (["director"], [(0, "d1"), (1, "d2")])])
def test_x45_director_lets_spare_weapon_fire_at_second_target(systems, firings):
    table = Table([mek("heavy", ["rail-cannon", "cannon"], systems)], [unit("wasp", hits=1), "odin"], band=SHORT)
    table.set_band("a1", "d1", MEDIUM)  # the cannon does not reach it

    table.plan()

    planned = table.state.firings[: table["a1"].firings]
    assert [(firing.slot, table.keys[firing.target]) for firing in planned] == firings


@pytest.mark.rule("MM-025", "MM-026")
def test_round_rolls_movement_then_fire_then_saves():
    table = Table(["wasp"], ["draken"])
    table.state.pairs[0].made = 0
    dice = dice_of(3, 4, 5, 6, 2, 6, 6, 5)  # two moves; Hammer first, then the rails; two saves

    assert fight_round(table.state, 0, dice, table.log)

    assert all_rolled(dice)
    assert [event.kind for event in table.events] == [
        "contact-made",
        "round-began",
        "movement-rolled",
        "movement-rolled",
        "band-changed",
        "shot-rolled",
        "shot-rolled",
        "shot-rolled",
        "heat-used",
        "save-rolled",
        "save-rolled",
    ]
    assert [event.result["slot"] for event in table.events_of("shot-rolled")] == [HAMMER, RAIL_1, RAIL_2]
