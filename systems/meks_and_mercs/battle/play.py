"""The order of play from set-up to victory: the AI makes the units' choices, and the rules carry them out.

Only this module knows both AI and rules, so this is where a player takes the AI's place.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.ai import (
    band_by_orders,
    commandos_choice,
    ordered_to_break,
    preferred_band,
    uses_jets,
    wants_to_break,
)
from systems.meks_and_mercs.battle.ai_fire import plan_fire
from systems.meks_and_mercs.battle.ai_map import (
    ambush_choice,
    choose_zone,
    damage_target,
    digger,
    drone_zone,
    goes_first,
    hider,
    lands,
    off_board_target,
    reveal_band,
    truck_target,
    update_orders,
    zone_by_orders,
)
from systems.meks_and_mercs.battle.rules import count_units, end_of, first_of, has_contact, has_visible, unit_in_order
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.battle.rules.fire import act_commandos, fire_off_board, fire_unit, use_sensors
from systems.meks_and_mercs.battle.rules.firepower import mark_changed
from systems.meks_and_mercs.battle.rules.support import (
    damage_mek,
    dig_in,
    fire_from_ambush,
    hide,
    land_infantry,
    lay_mines,
    place_support,
    repair,
    reveal,
    roll_support,
    roll_terrain,
    send_drone,
)
from systems.meks_and_mercs.battle.rules.turn import (
    arrive,
    has_side,
    is_contested,
    is_free_to_move,
    judge,
    look_around,
    move_unit,
    reopen_contacts,
    roll_initiative,
)
from systems.meks_and_mercs.battle.rules.zone_combat import (
    break_contact,
    change_band,
    end_round,
    faster_of,
    judge_zone_battle,
    make_contact,
    roll_total,
    roll_wounds,
    start_round,
    tidy_pairs,
)
from systems.meks_and_mercs.battle.state import State


def reveal_side(s: State, side: int, zone: int, log: Log) -> None:
    """Reveal the hidden Meks of a side that have a visible enemy in their zone. MM-082, MM-A07, MM-D60."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        u = s.units[i]
        if u.hidden and u.present and u.zone == zone and has_visible(s, 1 - side, zone):
            reveal(s, i, reveal_band(s, i), log)


def reveal_hidden(s: State, zone: int, log: Log) -> None:
    """Reveal hidden Meks, the first step of a round, phasing side first. MM-A07."""
    s.battle.revealing = 0
    reveal_side(s, s.battle.phasing, zone, log)
    reveal_side(s, 1 - s.battle.phasing, zone, log)


def spring_ambush(s: State, side: int, zone: int, dice: Dice, log: Log) -> None:
    """Spring a side's ambush in a new fight, if it has one and a worthwhile shot. MM-076, MM-A09."""
    if s.sides[side].ambushes == 0:
        return
    i, e, slot = ambush_choice(s, side, zone)
    if i != c.NOBODY:
        fire_from_ambush(s, i, e, slot, dice, log)


def spring_ambushes(s: State, zone: int, dice: Dice, log: Log) -> None:
    """Spring the ambushes of a new fight, phasing side first; units left without an enemy drop out of it. MM-076."""
    spring_ambush(s, s.battle.phasing, zone, dice, log)
    spring_ambush(s, 1 - s.battle.phasing, zone, dice, log)
    s.battle.ambush_open = 0
    for i in range(count_units(s)):
        if not has_contact(s, i):
            s.units[i].in_fight = 0


def decide_breaks(s: State, log: Log) -> None:
    """Decide which units want to break contact, before any roll. MM-A12, MM-A43."""
    for i in range(count_units(s)):
        u = s.units[i]
        if u.in_fight and u.stunned == 0:
            if u.has_orders == 0:
                u.wants_break = 1 if wants_to_break(s, i) else 0
                continue
            u.obeys = 0
            u.wants_break = 1 if ordered_to_break(s, i) else 0
            if u.obeys == u.wants_break + 1:
                note(log, "order-of-retreat", unit=i, breaks=u.wants_break)


def roll_movement(s: State, dice: Dice, log: Log) -> None:
    """Roll the movement totals of all units in the fight; a stunned unit has 0 without a roll. MM-028, MM-034."""
    for place in range(count_units(s)):
        i = unit_in_order(s.battle, place)
        u = s.units[i]
        if u.in_fight and u.stunned == 0 and u.revealing == 0:
            roll_total(s, i, 1 if u.systems & c.JUMP_JETS and uses_jets(s, i) else 0, dice, log)


def ordered_band(s: State, i: int, e: int, log: Log) -> int:
    """Return the band that unit i seeks, which has orders for it. MM-A43."""
    s.units[i].obeys = 0
    band = band_by_orders(s, i, e)
    if s.units[i].obeys == band + 1:
        note(log, "order-of-range", unit=i, target=e, band=band)
    return band


def change_bands(s: State, log: Log) -> None:
    """Let the faster unit of each pair change its band. MM-030, MM-A16."""
    b = s.battle
    for i in range(first_of(b, b.phasing), end_of(b, b.phasing)):
        for e in range(first_of(b, 1 - b.phasing), end_of(b, 1 - b.phasing)):
            winner = faster_of(s, i, e)
            if winner != c.NOBODY:
                loser = i + e - winner
                band = (
                    ordered_band(s, winner, loser, log)
                    if s.units[winner].ordered_range
                    else preferred_band(s, winner, loser)
                )
                change_band(s, winner, loser, band, log)


def send_commandos(s: State, side: int, zone: int, log: Log) -> None:
    """Let each of a side's commandos in the zone act once, in order. MM-090."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        u = s.units[i]
        if u.kind == c.COMMANDOS and u.present and u.zone == zone:
            e, mark = commandos_choice(s, i)
            if e != c.NOBODY:
                act_commandos(s, i, e, mark, log)


def play_detection(s: State, zone: int, dice: Dice, log: Log) -> None:
    """Play the detection step: sensors, then commandos, phasing side first. MM-026, MM-A17."""
    use_sensors(s, dice, log)
    send_commandos(s, s.battle.phasing, zone, log)
    send_commandos(s, 1 - s.battle.phasing, zone, log)


def plan(s: State, log: Log) -> None:
    """Make the fire plans of all units in the fight from the state after detection. MM-A18, MM-A43."""
    for i in range(count_units(s)):
        u = s.units[i]
        if u.in_fight and u.stunned == 0 and has_contact(s, i):
            u.obeys = 0
            plan_fire(s, i)
            if u.ordered_target and u.obeys and u.firings and s.firings[i * (c.WEAPON_SLOTS + 1)].target == u.obeys - 1:
                note(log, "order-of-target", unit=i, target=u.obeys - 1)


def call_off_board(s: State, side: int, dice: Dice, log: Log) -> None:
    """Make a side's off-board attacks in a fire step, at most one of each kind, if a target is worth it.

    MM-A19.
    """
    own = s.sides[side]
    target = off_board_target(s, side, c.HOWITZER_SLOT) if own.support_fires else c.NOBODY
    if target != c.NOBODY:
        own.support_fires -= 1
        fire_off_board(s, side, c.HOWITZER_SLOT, target, dice, log)
    target = off_board_target(s, side, c.MISSILE_SLOT) if own.air_strikes else c.NOBODY
    if target != c.NOBODY:
        own.air_strikes -= 1
        fire_off_board(s, side, c.MISSILE_SLOT, target, dice, log)


def roll_fire(s: State, dice: Dice, log: Log) -> None:
    """Roll all units' fire dice, phasing side first. MM-026, MM-A19."""
    b = s.battle
    b.shots = 0
    for place in range(count_units(s)):
        i = unit_in_order(b, place)
        if s.units[i].in_fight and s.units[i].stunned == 0:
            fire_unit(s, i, dice, log)
        if b.turn and place + 1 == end_of(b, b.phasing) - first_of(b, b.phasing):
            call_off_board(s, b.phasing, dice, log)
    if b.turn:
        call_off_board(s, 1 - b.phasing, dice, log)


def fight_round(s: State, zone: int, dice: Dice, log: Log) -> bool:
    """Fight one round in a zone; return False, without a round, if no pair is in unbroken contact there.

    MM-026, MM-A07 to MM-A23.
    """
    if s.battle.turn:
        reveal_hidden(s, zone, log)
    if not make_contact(s, zone, log):
        return False
    s.battle.round += 1
    note(log, "round-began", number=s.battle.round)
    start_round(s, zone)
    if s.battle.ambush_open:
        spring_ambushes(s, zone, dice, log)
    roll_wounds(s, dice, log)
    decide_breaks(s, log)
    roll_movement(s, dice, log)
    break_contact(s, log)
    change_bands(s, log)
    play_detection(s, zone, dice, log)
    plan(s, log)
    roll_fire(s, dice, log)
    apply_damage(s, dice, log)
    end_round(s, zone, log)
    return True


def fight_zones(s: State, dice: Dice, log: Log) -> None:
    """Play one phase's T.Z.C.: each zone in turn, at most `phase_rounds` rounds each. MM-015, MM-025, MM-D13."""
    b = s.battle
    for zone in range(1, c.LAST_ZONE + 1):
        if not has_side(s, c.ATTACKER, zone) or not has_side(s, c.DEFENDER, zone):
            continue
        b.ambush_open = 0
        if not is_contested(s, zone):  # a new fight
            b.ambush_open = 1
            s.zones[zone].quiet = 0
        note(log, "zone-contested", zone=zone)
        rounds = 0
        while rounds < b.phase_rounds and fight_round(s, zone, dice, log):
            rounds += 1
    b.ambush_open = 0


def hide_and_mine(s: State, side: int, log: Log) -> None:
    """Hide a side's hidden Meks and lay its mines. MM-081, MM-082; the AI hides attackers only when ordered to."""
    own = s.sides[side]
    while (side == c.DEFENDER or own.order_hide > 0) and own.hidden_meks > 0:
        own.hidden_meks -= 1
        i = hider(s, side)
        if i != c.NOBODY:
            hide(s, i, log)
    lay_mines(s, side, log)


def damage_before(s: State, side: int, dice: Dice, log: Log) -> None:
    """Apply a side's Battle Damage results, each to one enemy Mek. MM-077."""
    own = s.sides[side]
    while own.battle_damages > 0:
        own.battle_damages -= 1
        e = damage_target(s, side)
        if e != c.NOBODY:
            damage_mek(s, side, e, dice, log)


def set_up(s: State, dice: Dice, log: Log) -> None:
    """Do everything before the first turn that the set-up document leaves open. MM-012, MM-013."""
    if s.battle.random_terrain:
        roll_terrain(s, dice, log)
    roll_support(s, dice, log)
    place_support(s, log)
    hide_and_mine(s, c.DEFENDER, log)
    hide_and_mine(s, c.ATTACKER, log)
    damage_before(s, c.ATTACKER, dice, log)
    damage_before(s, c.DEFENDER, dice, log)


def send_drones(s: State, side: int, log: Log) -> None:
    """Send a side's recon drone, if a zone is worth it. MM-084."""
    zone = drone_zone(s, side) if s.sides[side].drones else c.OFF_MAP
    if zone != c.OFF_MAP:
        send_drone(s, side, zone, log)


def ordered_zone(s: State, i: int, second: int, log: Log) -> int:
    """Return where unit i, which has autoplay orders, moves. MM-A43."""
    s.units[i].obeys = 0
    zone = zone_by_orders(s, i, second)
    if s.units[i].obeys == zone + 1:
        note(log, "order-of-move", unit=i, zone=zone, stays=zone == s.units[i].zone)
    return zone


def move_units(s: State, side: int, second: int, dice: Dice, log: Log) -> None:
    """Move all of a side's units that are free and may move, in order. MM-020, MM-022."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        if is_free_to_move(s, i):
            zone = ordered_zone(s, i, second, log) if s.units[i].has_orders else choose_zone(s, i, second)
            move_unit(s, i, zone, second, dice, log)


def land_where_needed(s: State, side: int, log: Log) -> None:
    """Unload the infantry of a side's APCs where the AI wants it. MM-089."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        if s.units[i].present and s.units[i].cargo and lands(s, i):
            land_infantry(s, i, log)


def end_phase_support(s: State, side: int, log: Log) -> None:
    """Use Repair Truck and Digging In at the end of a side's movement phase. MM-085, MM-086."""
    own = s.sides[side]
    i = truck_target(s, side) if own.trucks else c.NOBODY
    if i != c.NOBODY:
        own.trucks -= 1
        repair(s, i, log)
    i = digger(s, side) if own.diggings else c.NOBODY
    if i != c.NOBODY:
        own.diggings -= 1
        dig_in(s, i, log)


def movement_phase(s: State, side: int, dice: Dice, log: Log) -> None:
    """Play a side's zone movement. MM-A40."""
    b = s.battle
    b.phasing = side
    note(log, "phase-began", side=side)
    update_orders(s, side)
    for i in range(first_of(b, side), end_of(b, side)):
        s.units[i].moved = 0
    send_drones(s, side, log)
    look_around(s, side, dice, log)
    if side == c.ATTACKER:
        arrive(s, side, dice, log)
    move_units(s, side, 0, dice, log)
    for i in range(first_of(b, side), end_of(b, side)):
        s.units[i].withdrew = 0
    land_where_needed(s, side, log)
    reopen_contacts(s, side, log)
    end_phase_support(s, side, log)
    tidy_pairs(s)


def second_move(s: State, side: int, dice: Dice, log: Log) -> None:
    """Play the initiative winner's second move; units that move start hot. MM-018, MM-A42, MM-D38."""
    b = s.battle
    note(log, "phase-began", side=side, second=1)
    for i in range(count_units(s)):
        if s.units[i].carried_heat:
            s.units[i].carried_heat = 0
            mark_changed(s, i)
    for i in range(first_of(b, side), end_of(b, side)):
        s.units[i].moved = 0
    update_orders(s, side)
    move_units(s, side, 1, dice, log)
    for i in range(first_of(b, side), end_of(b, side)):
        u = s.units[i]
        if u.moved == 2 and u.present:
            u.carried_heat = 2
            mark_changed(s, i)
    tidy_pairs(s)


def first_mover(s: State, winner: int) -> int:
    """Return the side that moves first: the attacker; in Head to Head the initiative winner decides. MM-017, MM-A38."""
    if s.battle.objective != c.LAST_STANDING:
        return c.ATTACKER
    return winner if goes_first(s, winner) else 1 - winner


def take_turn(s: State, dice: Dice, log: Log) -> None:
    """Play one turn, up to the victory check. MM-015."""
    note(log, "turn-began", number=s.battle.turn)
    winner = roll_initiative(s, dice, log)
    first = first_mover(s, winner)
    for second in range(2):
        movement_phase(s, 1 - first if second else first, dice, log)
        fight_zones(s, dice, log)
    second_move(s, winner, dice, log)
    for i in range(count_units(s)):
        s.units[i].exposed = 0  # MM-D63


def begin(s: State, dice: Dice, log: Log) -> None:
    """Play everything before the first turn; nothing in a one-zone fight."""
    if s.battle.objective:
        set_up(s, dice, log)


def go_on(s: State, dice: Dice, log: Log) -> bool:
    """Play the next turn or, in one zone, round; return False once the battle has ended. MM-015, MM-025, MM-A37."""
    b = s.battle
    if b.objective == 0:
        if b.round < c.ROUND_CAP and fight_round(s, 0, dice, log):
            return True
        judge_zone_battle(s, log)
        return False
    b.turn += 1
    take_turn(s, dice, log)
    over = judge(s)
    note(log, "turn-ended", number=b.turn, held=b.held)
    if over:
        note(log, "game-ended", winner=b.winner, reason=b.reason, turns=b.turn)
    return not over
