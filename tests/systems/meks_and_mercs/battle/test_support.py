"""The 18 support results: how they are rolled and what each does on the map. Sections 2.11, 2.12 and 6.9."""

import pytest

from systems.engine.events import Event
from systems.meks_and_mercs.battle.effects import MekView, repair
from systems.meks_and_mercs.battle.play import (
    call_off_board,
    change_bands,
    damage_before,
    end_phase_support,
    movement_phase,
    plan,
    play_detection,
    reveal_hidden,
    roll_movement,
    send_drones,
    set_up,
    spring_ambush,
)
from systems.meks_and_mercs.battle.rules import pair_of
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.battle.rules.support import roll_support, step_on_mines
from systems.meks_and_mercs.battle.rules.turn import set_down
from systems.meks_and_mercs.battle.rules.zone_combat import make_contact, start_round
from systems.meks_and_mercs.battle.setup import field_units
from systems.meks_and_mercs.battle.state import (
    ATTACKER,
    BY_TRANSPORT,
    COMMANDOS,
    DEFENDER,
    HOLD,
    INFANTRY,
    JAMMER,
    LONG,
    MEDIUM,
    MISSILE_SLOT,
    PHALANX,
    SHORT,
    VEHICLE,
)

from .games import Map, crew, in_fight, kinds
from .states import fired, hit, mek, modifiers


@pytest.mark.rule("MM-014")
def test_support_roll_takes_table_die_and_entry_die():  # MM-X42
    table = Map("hot-gates", support=((), ("roll", "roll")))
    events = table.play(roll_support, [3, 6, 5, 2])
    assert [event.faces for event in events] == [(3, 6), (5, 2)]
    assert [event.result["support"] for event in events] == [11, 13]  # Rich Uncle; Panzer
    assert table[events[1].unit or ""].kind == VEHICLE
    assert (events[0].unit, table[events[1].unit or ""].full_hits) == (None, 2)


@pytest.mark.rule("MM-014")
def test_every_table_entry_brings_its_own_result():
    given = set()
    for table_face in range(1, 7):
        for entry in range(1, 7):
            table = Map("opening-shots", support=(("roll",), ()))
            before = (repr(table.state.sides), repr(table.state.units))
            (event,) = table.play(roll_support, [table_face, entry])
            given.add((table_face + 1) // 2 * 10 + entry)
            changed = before != (repr(table.state.sides), repr(table.state.units))
            assert changed is (event.result["support"] != 11), "only a Rich Uncle leaves a fixed roster unchanged"
    assert len(given) == 18


@pytest.mark.rule("MM-A01")
def test_units_are_ordered_meks_support_infantry_decoys_landings():
    table = Map("hot-gates", support=((), ("mech-infantry", "decoy", "roll")))
    own = [fielded for fielded in field_units(table.setup) if fielded.side == DEFENDER]
    assert [fielded.role for fielded in own] == [
        *("", "", "support", "support", "scenario", "scenario", "decoy", "decoy", "landing", "landing")
    ]
    assert [fielded.unit.key for fielded in own] == ["d1", "d2", *(f"d+{number}" for number in range(1, 9))]


@pytest.mark.rule("MM-076", "MM-A09")
def test_ambush_fires_at_short_without_heat():
    table = in_fight(Map(support=(("ambush",), ())).put(a1=5, d3=5), 5)
    events = table.play(spring_ambush, [6, 1, 1], ATTACKER, 5)  # hits; not saved; no critical
    assert kinds(events)[:2] == ["ambush-sprung", "shot-rolled"]
    assert (events[1].result["band"], table["a1"].heat, table["d3"].hits) == (SHORT, 0, 2)
    assert table.state.sides[ATTACKER].ambushes == 0


@pytest.mark.rule("MM-077", "MM-070")
def test_battle_damage_strikes_dearest_mek():
    table = Map(support=(("battle-damage",), ()))
    events = table.play(damage_before, [4, 2], ATTACKER)
    assert (events[0].unit, table["d1"].legs, table["d1"].hits) == ("d1", 1, 4)
    controlled = [crew("draken", "veteran", ["damage-control"]), crew("saber")]
    table = Map(support=(("battle-damage",), ()), defenders=controlled)
    assert kinds(table.play(damage_before, [], ATTACKER)) == ["battle-damage-done", "damage-control-used"]


@pytest.mark.rule("MM-079")
def test_support_fire_is_howitzer_at_long_without_modifiers():
    table = in_fight(Map("hot-gates", support=(("support-fire",), ())).put(a1=7, d1=7), 7)
    events = table.play(call_off_board, [4], ATTACKER)
    assert (events[0].kind, events[0].target, events[0].rule) == ("off-board-fired", "d1", "MM-079")
    shot = events[1]
    assert (shot.result["number"], shot.result["band"], shot.result["hit"], shot.modifiers) == (4, LONG, True, ())
    assert not table.play(call_off_board, [], ATTACKER), "it comes once"


@pytest.mark.rule("MM-080")
def test_air_strike_is_missile_at_long_with_terrain():
    table = in_fight(Map("hot-gates", support=(("air-strike",), ())).put(a1=7, d1=7), 7)
    call, shot = table.play(call_off_board, [5], ATTACKER)
    assert (call.rule, call.result["slot"], shot.result["number"]) == ("MM-080", MISSILE_SLOT, 3)
    assert [(part.name, part.value) for part in shot.modifiers] == [("terrain", -1), ("Point Defense", -1)]
    assert shot.result["hit"]
    assert not table.play(call_off_board, [], ATTACKER), "it comes once"


@pytest.mark.rule("MM-079", "MM-080", "MM-064")  # MM-D58
@pytest.mark.parametrize(
    ("result", "rule", "kills", "terrain"),
    [("support-fire", "MM-079", (0, 0, 1, 1, 2, 2), []), ("air-strike", "MM-080", (0, 0, 0, 0, 1, 1), [-1])],
)
def test_off_board_fire_kills_infantry_like_its_weapon(result, rule, kills, terrain):
    for face, killed in enumerate(kills, start=1):
        table = Map("hot-gates", support=((result,), ())).put(**{"a1": 8, "d+1": 8})
        table["d+1"].detected = 1
        call, rolled = in_fight(table, 8).play(call_off_board, [face], ATTACKER)
        assert (call.kind, call.target, call.rule) == ("off-board-fired", "d+1", rule)
        assert (rolled.kind, rolled.target, rolled.result["kills"]) == ("kills-rolled", "d+1", killed)
        assert [part.value for part in rolled.modifiers] == terrain
        assert table["d+1"].round_kills == killed


@pytest.mark.rule("MM-079", "MM-080", "MM-038")
@pytest.mark.parametrize("result", ["support-fire", "air-strike"])
def test_off_board_fire_needs_detected_infantry(result):
    table = in_fight(Map("hot-gates", support=((result,), ())).put(**{"a1": 8, "d+1": 8}), 8)
    assert not table.play(call_off_board, [], ATTACKER)


@pytest.mark.rule("MM-079")  # MM-D58
@pytest.mark.parametrize(("taken", "target"), [(0, "d1"), (5, "d+1")])
def test_off_board_fire_ranks_infantry_with_meks(taken, target):
    table = Map("hot-gates", support=(("support-fire",), ())).put(**{"a1": 8, "d1": 8, "d+1": 8})
    table["d+1"].detected, table["d+1"].kills, table["d1"].hits = 1, taken, 1
    assert in_fight(table, 8).play(call_off_board, [1], ATTACKER)[0].target == target


@pytest.mark.rule("MM-081")
def test_minefield_hits_first_mek_on_three():  # MM-X43
    table = Map("head-to-head", support=((), ("minefield",))).put(a3=4)
    table.run_step(lambda state, log: set_up(state, None, log))
    events = table.play(set_down, [3, 3, 1], table.at("a3"), 5)
    assert kinds(events)[:3] == ["mine-triggered", "hit-taken", "critical-checked"]
    assert (table["a3"].hits, table["a3"].wounded, table.state.sides[DEFENDER].mines) == (2, 1, 0)
    table.play(set_down, [], table.at("a2"), 5)  # the minefield is gone


@pytest.mark.rule("MM-081")
def test_dud_mine_is_gone_and_vehicles_do_not_trigger():
    table = Map("hot-gates", support=(("panzer",), ("minefield",))).put(**{"a1": 8, "a+1": 8})
    table.state.sides[DEFENDER].mines = 1
    table.play(step_on_mines, [], table.at("a+1"))
    table.play(step_on_mines, [2], table.at("a1"))
    assert (table.state.sides[DEFENDER].mines, table["a1"].hits) == (0, 4)


@pytest.mark.rule("MM-082", "MM-A05", "MM-A07")
def test_hidden_mek_reveals_itself_at_preferred_band():
    table = Map("opening-shots", support=((), ("hidden-mek",)))
    table.play(set_up, [])
    assert (table["d1"].hidden, table["d1"].zone) == (1, 3)
    table.put(a2=3, d1=3)
    assert not make_contact(table.state, 3, [])
    events = table.run_step(reveal_hidden, 3)
    assert kinds(events) == ["unit-revealed", "revealed-at"]
    assert (table["d1"].hidden, table["d1"].revealing) == (0, 1)
    start_round(table.state, 3)
    plan(table.state, [])
    assert (table["a2"].firings, table["d1"].firings > 0) == (0, True)


@pytest.mark.rule("MM-082")
def test_attackers_ai_hides_no_mek():
    table = Map("opening-shots", support=(("hidden-mek",), ()))
    assert "mek-hidden" not in kinds(table.play(set_up, []))
    assert not any(unit.hidden for unit in table.state.units)


@pytest.mark.rule("MM-082", "MM-A07", "MM-A16")
def test_revealing_mek_keeps_its_band_without_movement_roll():
    table = Map("opening-shots", support=((), ("hidden-mek",)))
    table.play(set_up, [])
    table.put(a2=3, d1=3)
    table.run_step(reveal_hidden, 3)
    start_round(table.state, 3)
    band = pair_of(table.state, table.at("a2"), table.at("d1")).band
    rolled = [event for event in table.play(roll_movement, [6, 6]) if event.kind == "movement-rolled"]
    assert [event.unit for event in rolled] == ["a2"]
    assert table.run_step(change_bands) == []
    assert pair_of(table.state, table.at("a2"), table.at("d1")).band == band


@pytest.mark.rule("MM-083")
def test_decoy_looks_like_its_mek_until_enemy_is_near():
    table = Map("opening-shots", support=((), ("decoy",)))
    table.play(set_up, [])
    decoy = table["d+1"]
    assert (decoy.zone, decoy.price, decoy.hits) == (3, table["d1"].price, 3)
    in_fight(table.put(**{"a2": 3, "d+1": 3}), 3, LONG)
    assert not table.play(play_detection, [], 3)
    assert decoy.present
    in_fight(table, 3, MEDIUM)
    assert kinds(table.play(play_detection, [], 3)) == ["decoy-removed"]
    assert not decoy.present


@pytest.mark.rule("MM-084")
def test_recon_drone_reveals_a_zone():
    masked = mek("heavy", ["ppc"], ["masking"])
    table = Map("hot-gates", support=(("recon-drone",), ("decoy",)), defenders=[masked, masked])
    table.put(**{"a1": 5, "d1": 8, "d2": 8, "d+1": 8, "d+3": 8})
    table["d2"].hidden = 1
    events = table.run_step(send_drones, ATTACKER)
    assert events[0].result["zone"] == 8
    assert (table["d+1"].detected, table["d2"].hidden, table["d1"].exposed, table["d+3"].present) == (1, 0, 1, 0)
    assert not table.run_step(send_drones, ATTACKER)


@pytest.mark.rule("MM-085")
def test_repair_truck_repairs_mek_but_not_pilot():
    table = Map(support=(("repair-truck",), ())).put(a1=5, d1=5)
    hurt = table["a1"]
    hurt.hits, hurt.legs, hurt.wounded = 2, 2, 1
    table.state.weapons[0].intact = 0
    table.run_step(end_phase_support, ATTACKER)
    assert hurt.hits == 2, "not with an enemy in the zone"
    table["d1"].zone = 6
    assert kinds(table.run_step(end_phase_support, ATTACKER)) == ["unit-repaired"]
    assert (hurt.hits, hurt.legs, hurt.wounded, table.state.weapons[0].intact) == (4, 0, 1, 1)


@pytest.mark.rule("MM-086")
def test_dug_in_mek_doubles_terrain_until_leaving():
    def terrain(table: Map) -> int:
        """Return the terrain modifier of a shot at the defender."""
        table["a1"].present, table["a1"].zone = 1, 7
        (shot,) = fired(in_fight(table, 7, SHORT).state, 1, by=table.at("a1"), on=table.at("d1"))
        return modifiers(shot)["terrain"]

    before = terrain(Map("hot-gates").put(d1=7))
    table = Map("hot-gates", support=((), ("digging-in",))).put(d1=7)
    table["d1"].order = HOLD
    table.play(movement_phase, [], DEFENDER)
    assert table["d1"].dug_in
    assert before < 0
    assert terrain(table) == 2 * before
    table.play(set_down, [], table.at("d1"), 4)
    assert not table["d1"].dug_in


@pytest.mark.rule("MM-088")
def test_support_vehicles_start_with_first_mek_and_its_order():
    names = ["gun-sled", "gunship", "howitzer-battery"]
    table = Map("hot-gates", support=((), names))
    table.play(set_up, [])
    vehicles = [table[f"d+{number}"] for number in (1, 2, 3)]
    assert [(unit.kind, unit.zone, unit.order) for unit in vehicles] == [(VEHICLE, 8, HOLD)] * 3
    assert [(unit.full_hits, unit.armor, unit.heat_rating) for unit in vehicles] == [(3, 3, 0), (1, 5, 0), (2, 5, 0)]


@pytest.mark.rule("MM-089")
def test_apc_unloads_at_setup_or_on_sight():
    table = Map("opening-shots", support=(("mech-infantry",), ("mech-infantry",)))
    events = table.play(set_up, [])
    assert kinds(events).count("infantry-landed") == 1
    assert (table["d+2"].kind, table["d+2"].zone, table["d+2"].present) == (INFANTRY, 3, 1)
    assert not table["a+2"].present
    table.put(**{"a+1": 6, "d1": 3})
    table.play(movement_phase, [], ATTACKER)
    assert (table["a+2"].present, table["a+2"].zone) == (1, 3)


@pytest.mark.rule("MM-089")
def test_infantry_aboard_is_lost_with_its_apc():
    table = Map("opening-shots", support=(("mech-infantry",), ()))
    table.play(set_up, [])
    hit(table.state, by=table.at("d1"), on=table.at("a+1"))
    events = table.play(apply_damage, [1])
    assert [event.unit for event in events if event.kind == "unit-destroyed"] == ["a+1", "a+2"]
    assert table["a+2"].lost_by == BY_TRANSPORT


@pytest.mark.rule("MM-090")
def test_commandos_mark_mek_without_contact():
    table = Map("hot-gates", support=(("commandos",), ())).put(**{"a1": 5, "a+1": 5, "d1": 5})
    assert table["a+1"].kind == COMMANDOS
    in_fight(table, 5)
    assert not pair_of(table.state, table.at("a+1"), table.at("d1")).made
    events = table.play(play_detection, [], 5)
    assert (kinds(events), table["d1"].marked) == (["commandos-marked"], 1)


@pytest.mark.rule("MM-056", "MM-077")
def test_battle_damage_to_computers_counts_in_next_round():
    table = Map(support=(("battle-damage",), ()))
    table.play(damage_before, [5], ATTACKER)
    assert (table["d1"].computers, table["d1"].computers_next) == (1, 0)


@pytest.mark.rule("MM-081")
def test_both_minefields_in_zone_wait_for_first_mek():
    table = Map().put(a1=5)
    table.state.sides[DEFENDER].mines, table.state.sides[DEFENDER].mine_zone = 2, 5
    events = table.play(step_on_mines, [2, 1], table.at("a1"))
    assert (kinds(events), table.state.sides[DEFENDER].mines) == (["mine-triggered"] * 2, 0)


@pytest.mark.rule("MM-083")
def test_decoys_phalanx_protects_nobody():
    guard = mek("assault", ["ppc"], ["phalanx", "jammer"])
    table = Map("breach", support=((), ("decoy",)), defenders=[guard])
    assert table["d1"].systems & PHALANX
    assert table["d+1"].systems & (PHALANX | JAMMER) == JAMMER


@pytest.mark.rule("MM-085")
def test_replay_shows_a_repaired_mek_as_new():
    mek = MekView(
        key="a1", name="Draken", side=0, chassis="medium", hits=1, max_hits=3, legs=2, weapons=(("Rail", False),)
    )
    made = repair(mek, Event(1, "zones", "unit-repaired", "MM-085", "a1"))
    assert (made.hits, made.legs, made.weapons, made.lost_parts) == (3, 0, (("Rail", True),), ())
