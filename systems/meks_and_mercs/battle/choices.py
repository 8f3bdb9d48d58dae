"""The questions to a player: every choice that the AI would make, with all legal answers in words.

The rules decide which answers are legal; the AI only suggests one. The AI still decides support orders and when special
skills are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from systems.engine.choices import Answer, Asks, Chooser, InHand, Value
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.ai import can_aim_at, gains_by_link
from systems.meks_and_mercs.battle.ai_fire import best_at, fire_order, is_planned_target
from systems.meks_and_mercs.battle.ai_map import can_be_called_on
from systems.meks_and_mercs.battle.events import BANDS
from systems.meks_and_mercs.battle.rules import (
    distance,
    end_of,
    first_of,
    has_contact,
    has_visible,
    in_contact,
    is_exit,
    is_mek,
    is_unknown,
    is_visible,
    pair_of,
    reaches,
    weapon_of,
)
from systems.meks_and_mercs.battle.state import State

PACKAGE = "systems.meks_and_mercs.battle"
MAX_WEAPONS_FOR_ALL_SETS = 4  # up to this many weapons, every combination is offered
NO, YES = (0,), (1,)


def _yes_no(yes: str, no: str) -> tuple[Answer, Answer]:
    return Answer(YES, yes), Answer(NO, no)


def _unit_answers(chooser: Chooser, units: Iterable[int], nobody: str = "") -> list[Answer]:
    """Return one answer for each unit and, if `nobody` is given, one for no unit."""
    found = [Answer((i,), chooser.unit(i)) for i in units]
    return [*found, Answer((c.NOBODY,), nobody)] if nobody else found


def _zone(zone: int) -> str:
    return f"zone {zone}"


# --- a fight ----------------------------------------------------------------------------------------------------------


def ask_break_contact(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask whether a unit tries to break contact; only if it can, at Long from every enemy. MM-A12."""

    def wants_to_break(s: State, i: int) -> bool:
        u, theirs = s.units[i], bool(doctrine(s, i))
        foes = [e for e in range(first_of(s.battle, 1 - u.side), end_of(s.battle, 1 - u.side)) if in_contact(s, i, e)]
        if u.kind == c.INFANTRY or not foes or any(pair_of(s, i, e).band != c.LONG for e in foes):
            return theirs
        answers = _yes_no("Try to break contact", "Stay in the fight")
        words = f"Does {chooser.unit(i)} try to break contact? It has to be faster than each enemy."
        return chooser.choose(u.side, words, answers, (int(theirs),), i) == YES

    return wants_to_break


def ask_jump_jets(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask whether a unit uses its jump jets, for 2 heat. MM-028."""

    def uses_jets(s: State, i: int) -> bool:
        answers = _yes_no("Use the jump jets, for 2 heat", "Stay on the ground")
        words = f"Does {chooser.unit(i)} use its jump jets this round?"
        return chooser.choose(s.units[i].side, words, answers, (int(doctrine(s, i)),), i) == YES

    return uses_jets


def ask_band(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask which band the faster unit of a pair seeks. MM-030, MM-031."""

    def preferred_band(s: State, i: int, e: int) -> int:
        now = pair_of(s, i, e).band
        steps = 2 if s.units[i].total > 2 * s.units[e].total else 1
        theirs = int(doctrine(s, i, e))
        aimed = max(now - steps, min(now + steps, theirs))
        answers = [
            Answer((band,), f"Stay at {BANDS[band]}" if band == now else f"Go to {BANDS[band]}")
            for band in range(3)
            if abs(band - now) <= steps
        ]
        words = f"{chooser.unit(i)} is faster than {chooser.unit(e)}. At what range will it be?"
        return chooser.choose(s.units[i].side, words, answers, (aimed,), i)[0]

    return preferred_band


def ask_infantry_target(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask which unit a strongpoint attacks, out of those it can target. MM-063, MM-035."""

    def infantry_target(s: State, i: int) -> int:
        side = s.units[i].side
        found = [
            e
            for e in range(first_of(s.battle, 1 - side), end_of(s.battle, 1 - side))
            if can_aim_at(s, i, e) == 1 and pair_of(s, i, e).band == c.SHORT and s.units[e].kind != c.INFANTRY
        ]
        words = f"Who does {chooser.unit(i)} attack?"
        return chooser.choose(side, words, _unit_answers(chooser, found, "Nobody"), (doctrine(s, i),), i)[0]

    return infantry_target


def ask_fire_plan(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask for the target of a fire plan, then for the weapons fired at it. MM-041, MM-042, MM-059."""

    def plan_target(s: State, i: int, limit: int, primary: int) -> int:
        u = s.units[i]
        if not chooser.is_asked(u.side):
            return int(doctrine(s, i, limit, primary))
        theirs, fired = _preview_plan(s, i, lambda: doctrine(s, i, limit, primary))
        targets = [
            e
            for e in range(first_of(s.battle, 1 - u.side), end_of(s.battle, 1 - u.side))
            if (aim := can_aim_at(s, i, e))
            and not (primary == 0 and is_planned_target(s, i, e))
            and _can_hurt(s, i, e, limit, primary, aim)
        ]
        if not targets:
            return int(doctrine(s, i, limit, primary))
        words = f"Who does {chooser.unit(i)} fire at{'' if primary else ' as well'}?"
        answers = [Answer((e,), f"{chooser.unit(e)}, at {BANDS[pair_of(s, i, e).band]}") for e in targets]
        (e,) = chooser.choose(u.side, words, [*answers, Answer((c.NOBODY,), "Hold its fire")], (theirs,), i)
        if e == c.NOBODY:
            return e
        _can_hurt(s, i, e, limit, primary, can_aim_at(s, i, e))
        slots = _useful_weapons(s, i)
        mine = fired if e == theirs else tuple(slot for slot in slots if u.chosen & _slot_bit(slot))
        offered: dict[str, Value] = {}
        for each in _weapon_sets(slots, mine):
            offered.setdefault(_describe_fire(chooser, s, i, each, limit), _pack_slots(each))
        answers = [Answer(value, description) for description, value in offered.items()]
        words = f"What does {chooser.unit(i)} fire at {chooser.unit(e)}? Heat left: {max(0, limit)}."
        (mask,) = chooser.choose(u.side, words, answers, _pack_slots(mine), i)
        if not mask:
            return c.NOBODY
        if e == theirs and (mask,) == _pack_slots(fired):
            return int(doctrine(s, i, limit, primary))
        _add_firings(s, i, e, [slot for slot in slots if mask & 1 << slot])
        return e

    return plan_target


def _can_hurt(s: State, i: int, e: int, limit: int, primary: int, aim: int) -> bool:
    """Return whether any weapon can hurt an enemy, regardless of heat. Leaves the results in the weapons."""
    best_at(s, i, e, limit, primary, 1 if aim == 2 else 0)
    return bool(_useful_weapons(s, i))


def _useful_weapons(s: State, i: int) -> list[int]:
    """Return the weapons that can hurt the enemy just considered."""
    return [slot for slot in range(s.units[i].arms) if weapon_of(s, i, slot).expected > 0]


def _slot_bit(slot: int) -> int:
    return 1 << (c.WEAPON_SLOTS - 1 - slot)


def _pack_slots(slots: Sequence[int]) -> Value:
    """Return a set of weapons as one number, for an answer: bit 0 is slot 0."""
    return (sum(1 << slot for slot in slots),)


def _weapon_sets(slots: Sequence[int], mine: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the sets of weapons to offer: the AI's choice, all, all but one, each alone; if few weapons, every set."""
    sizes = range(len(slots), 0, -1) if len(slots) <= MAX_WEAPONS_FOR_ALL_SETS else (len(slots), len(slots) - 1, 1)
    found = [each for size in sizes for each in combinations(slots, size)]
    return list(dict.fromkeys([*((tuple(sorted(mine)),) if mine else ()), *found]))


def _describe_fire(chooser: Chooser, s: State, i: int, slots: Sequence[int], limit: int) -> str:
    names = Counter(chooser.weapon(i, slot) for slot in slots)
    named = ", ".join(name if count == 1 else f"{count} × {name}" for name, count in names.items())
    if s.units[i].kind != c.MEK:
        return named
    heat = sum(weapon_of(s, i, slot).heat for slot in slots)
    over = heat - limit
    return f"{named}: {heat} heat" + (f", {over} too hot" if heat and over > 0 else "")


def _preview_plan(s: State, i: int, plan: Callable[[], int]) -> tuple[int, tuple[int, ...]]:
    """Return the target and weapons that a plan would add, then undo the plan."""
    u, base = s.units[i], i * (c.WEAPON_SLOTS + 1)
    before, heat, targets = u.firings, u.planned_heat, u.targets
    target = int(plan())
    slots = tuple(s.firings[base + k].slot for k in range(before, u.firings))
    for slot in slots:
        weapon_of(s, i, slot).planned = 0
    u.firings, u.planned_heat, u.targets = before, heat, targets
    return target, slots


def _add_firings(s: State, i: int, e: int, slots: Sequence[int]) -> None:
    """Add firings to a plan, in the AI's firing order. MM-A33."""
    u, base = s.units[i], i * (c.WEAPON_SLOTS + 1)
    order = fire_order(s, i, sum(_slot_bit(slot) for slot in slots))
    while order:
        firing = s.firings[base + u.firings]
        firing.slot, firing.target, firing.gunnery = (order & 15) - 1, e, 0
        weapon_of(s, i, firing.slot).planned = 1
        u.firings += 1
        order >>= 4
    u.planned_heat += sum(weapon_of(s, i, slot).heat for slot in slots)
    u.targets += 1


def ask_commandos(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask what commandos do this round: identify an enemy unit, or mark a Mek or vehicle for their friends. MM-090."""

    def commandos_choice(s: State, i: int) -> tuple[int, int]:
        side, theirs = s.units[i].side, doctrine(s, i)
        answers = []
        for e in range(first_of(s.battle, 1 - side), end_of(s.battle, 1 - side)):
            target = s.units[e]
            if not is_visible(target) or target.zone != s.units[i].zone:
                continue
            if is_unknown(s, e) or (target.systems & c.MASKING and gains_by_link(s, side, e)):
                answers.append(Answer((e, 0), f"Identify {chooser.unit(e)}"))
            if target.kind != c.INFANTRY and not target.decoy and has_contact(s, e):
                answers.append(Answer((e, 1), f"Mark {chooser.unit(e)}: friends have +1 to hit it"))
        if not answers:
            return int(theirs[0]), int(theirs[1])
        e, mark = chooser.choose(side, f"What do {chooser.unit(i)} do this round?", answers, theirs, i)
        return e, mark

    return commandos_choice


# --- the map ----------------------------------------------------------------------------------------------------------


def ask_first_mover(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask the winner of the initiative whether to move first, where there is a choice. MM-017."""

    def goes_first(s: State, side: int) -> bool:
        answers = _yes_no("Move first", "Let the enemy move first")
        words = "You won the initiative. Move first?"
        return chooser.choose(side, words, answers, (int(doctrine(s, side)),)) == YES

    return goes_first


def ask_zone(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask where a free unit moves: to an adjacent zone, off the map at an exit, or nowhere. MM-018 to MM-022."""

    def choose_zone(s: State, i: int, second: int) -> int:
        b, u = s.battle, s.units[i]
        answers = [Answer((u.zone,), f"Stay in {_zone(u.zone)}")]
        for zone in range(1, c.LAST_ZONE + 1):
            enemy = has_visible(s, 1 - u.side, zone)
            if distance(b, u.zone, zone) == 1 and not (second and enemy):
                answers.append(Answer((zone,), f"Move to {_zone(zone)}{', where the enemy is' if enemy else ''}"))
        if is_exit(b, u.zone):
            answers.append(Answer((c.OFF_MAP,), "Leave the map"))
        words = f"Where does {chooser.unit(i)} {'go in its second move' if second else 'move'}?"
        return chooser.choose(u.side, words, answers, (int(doctrine(s, i, second)),), i)[0]

    return choose_zone


def ask_reveal_band(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask at which band a hidden Mek reveals itself. MM-082."""

    def reveal_band(s: State, i: int) -> int:
        answers = [Answer((band,), BANDS[band]) for band in range(3)]
        words = f"{chooser.unit(i)} shows itself. At what range?"
        return chooser.choose(s.units[i].side, words, answers, (int(doctrine(s, i)),), i)[0]

    return reveal_band


def ask_ambush(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask for an ambush's free shot: shooter, target and weapon; or none in this fight. MM-076."""

    def ambush_choice(s: State, side: int, zone: int) -> tuple[int, int, int]:
        theirs, b = doctrine(s, side, zone), s.battle
        answers = [Answer((c.NOBODY,), "Keep the ambush for later")]
        for i in range(first_of(b, side), end_of(b, side)):
            for e in range(first_of(b, 1 - side), end_of(b, 1 - side)):
                target = s.units[e]
                masked = target.systems & c.MASKING and target.exposed == 0
                if target.zone != zone or target.kind == c.INFANTRY or masked:
                    continue
                if is_mek(s.units[i]) and in_contact(s, i, e):
                    answers += [
                        Answer((i, e, slot), f"{chooser.unit(i)}: {chooser.weapon(i, slot)} at {chooser.unit(e)}")
                        for slot in range(s.units[i].arms)
                        if reaches(weapon_of(s, i, slot), c.SHORT)
                    ]
        kept = theirs if theirs[0] != c.NOBODY else (c.NOBODY,)
        value = chooser.choose(side, "Spring the ambush: one free shot as if at Short?", answers, kept)
        return (value[0], value[1], value[2]) if len(value) == 3 else (c.NOBODY, c.NOBODY, 0)

    return ambush_choice


def ask_off_board_target(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask for the target of Support Fire or an Air Strike, or none this round. MM-079, MM-080."""

    def off_board_target(s: State, side: int, slot: int) -> int:
        theirs, b = int(doctrine(s, side, slot)), s.battle
        found = [e for e in range(first_of(b, 1 - side), end_of(b, 1 - side)) if can_be_called_on(s, side, e)]
        what = "an Air Strike" if slot == c.MISSILE_SLOT else "Support Fire"
        return chooser.choose(side, f"Call {what}?", _unit_answers(chooser, found, "Not this round"), (theirs,))[0]

    return off_board_target


def ask_drone_zone(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask which zone a drone uncovers, or none now. MM-084."""

    def drone_zone(s: State, side: int) -> int:
        theirs = int(doctrine(s, side))
        answers = [Answer((zone,), f"Look into {_zone(zone)}") for zone in range(1, c.LAST_ZONE + 1)]
        keep = Answer((c.OFF_MAP,), "Keep it")
        return chooser.choose(side, "Send the recon drone?", [keep, *answers], (theirs,))[0]

    return drone_zone


def ask_landing(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask whether an APC unloads its infantry. MM-089."""

    def lands(s: State, i: int) -> bool:
        answers = _yes_no("Unload the infantry", "Keep it aboard")
        words = f"Does {chooser.unit(i)} unload its infantry in {_zone(s.units[i].zone)}?"
        return chooser.choose(s.units[i].side, words, answers, (int(doctrine(s, i)),), i) == YES

    return lands


def ask_truck_target(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask which Mek the Repair Truck fully repairs, out of those without an enemy in their zone. MM-085."""

    def truck_target(s: State, side: int) -> int:
        found = [
            i
            for i in range(first_of(s.battle, side), end_of(s.battle, side))
            if is_mek(s.units[i]) and s.units[i].present and not has_visible(s, 1 - side, s.units[i].zone)
        ]
        words = "Which Mek does the Repair Truck repair?"
        return chooser.choose(side, words, _unit_answers(chooser, found, "None yet"), (int(doctrine(s, side)),))[0]

    return truck_target


def ask_digger(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask which Mek digs in, out of those in cover and out of contact that gave up their move. MM-086."""

    def digger(s: State, side: int) -> int:
        found = []
        for i in range(first_of(s.battle, side), end_of(s.battle, side)):
            u = s.units[i]
            if is_mek(u) and is_visible(u) and not u.dug_in and u.moved != 2 and not has_contact(s, i):
                found += [i] if s.zones[u.zone].to_hit < 0 else []
        answers = _unit_answers(chooser, found, "None yet")
        return chooser.choose(side, "Which Mek digs in?", answers, (int(doctrine(s, side)),))[0]

    return digger


def ask_hider(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask which Mek starts hidden. MM-082."""

    def hider(s: State, side: int) -> int:
        meks = [
            i
            for i in range(first_of(s.battle, side), end_of(s.battle, side))
            if is_mek(s.units[i]) and is_visible(s.units[i])
        ]
        answers = _unit_answers(chooser, meks, "None")
        return chooser.choose(side, "Which Mek starts hidden?", answers, (int(doctrine(s, side)),))[0]

    return hider


def ask_damage_target(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask which enemy Mek suffers Battle Damage. MM-077."""

    def damage_target(s: State, side: int) -> int:
        meks = [
            e
            for e in range(first_of(s.battle, 1 - side), end_of(s.battle, 1 - side))
            if is_mek(s.units[e]) and s.units[e].lost_by == 0 and not is_unknown(s, e)
        ]
        words = "Which enemy Mek starts damaged?"
        return chooser.choose(side, words, _unit_answers(chooser, meks), (int(doctrine(s, side)),))[0]

    return damage_target


IN_HAND = InHand(
    modules=(f"{PACKAGE}.ai", f"{PACKAGE}.ai_fire", f"{PACKAGE}.play"),
    takes={
        "wants_to_break": ask_break_contact,
        "ordered_to_break": ask_break_contact,
        "uses_jets": ask_jump_jets,
        "preferred_band": ask_band,
        "band_by_orders": ask_band,
        "infantry_target": ask_infantry_target,
        "commandos_choice": ask_commandos,
        "plan_target": ask_fire_plan,
        "goes_first": ask_first_mover,
        "choose_zone": ask_zone,
        "zone_by_orders": ask_zone,
        "reveal_band": ask_reveal_band,
        "ambush_choice": ask_ambush,
        "off_board_target": ask_off_board_target,
        "drone_zone": ask_drone_zone,
        "lands": ask_landing,
        "truck_target": ask_truck_target,
        "digger": ask_digger,
        "hider": ask_hider,
        "damage_target": ask_damage_target,
    },
)
