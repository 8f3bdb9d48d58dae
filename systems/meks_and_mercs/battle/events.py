"""EVENTS: how each note of the rules is read, which rule it comes from, and what it says in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.engine.events import Event, NoteForm
from systems.meks_and_mercs.battle import notes
from systems.meks_and_mercs.battle.losses import cause_told
from systems.meks_and_mercs.battle.setup import LOST_BY, REASONS
from systems.meks_and_mercs.catalogue import CATALOGUE

BANDS = ("Short", "Medium", "Long")
STEPS = {
    "start": "Round begins",
    "contact": "Contact",
    "wounds": "Wounded pilots",
    "movement": "Movement",
    "detection": "Detection",
    "fire": "Fire",
    "damage": "Damage",
    "heat": "Overheating",
    "infantry": "Infantry losses",
    "end": "End",
    "set-up": "Set-up",
    "turn": "Turn begins",
    "initiative": "Initiative",
    "zones": "Zone movement",
    "zone": "Tactical zone combat",
    "reveal": "Out of hiding",
    "ambush": "Ambush",
    "victory": "Turn end",
}
OFF_BOARD_WEAPONS = ("Howitzer-Cannon", "Missile")
SUPPORT_RESULTS = tuple(
    result.slug for result in sorted(CATALOGUE.support.values(), key=lambda result: (result.table, result.face))
)
RANDOM_TERRAIN = ("plain", "wood", "urban", "highlands", "moors")
CRITICALS = {1: "pilot", 2: "leg", 3: "weapon", 4: "reactor", 5: "computers", 6: "system"}
REROLLS = {1: "Spaul Liner", 2: "PPC at Long", 3: "Sharpshooter"}

_MOVEMENT = {
    "bonus": ("chassis", "MM-028"),
    "level": ("pilot level", "MM-028"),
    "maneuver": ("Maneuver", "MM-028"),
    "familiar": ("Chassis Familiarity", "MM-028"),
    "servo": ("Servo Boosters", "MM-028"),
    "legs": ("leg damage", "MM-056"),
    "terrain": ("terrain", "MM-028"),
}
_TO_HIT = {
    "level": ("pilot level", "MM-044"),
    "terrain": ("terrain", "MM-044"),
    "jammer": ("jammer", "MM-044"),
    "array": ("Targeting Array", "MM-044"),
    "computers": ("computers", "MM-056"),
    "point_defense": ("Point Defense", "MM-046"),
    "phalanx": ("Phalanx", "MM-047"),
    "skill": ("aiming skill", "MM-066"),
    "spoof": ("Spoof", "MM-072"),
    "gunnery": ("Gunnery", "MM-069"),
    "marked": ("commandos", "MM-090"),
}
_TO_KILL = {"terrain": ("terrain", "MM-064"), "gunnery": ("Gunnery", "MM-069")}

_INITIATIVE = {
    "tactics": ("attacker's Tactics", "MM-016"),
    "surprise": ("attacker's Surprise", "MM-078"),
    "their_tactics": ("defender's Tactics", "MM-016"),
    "their_surprise": ("defender's Surprise", "MM-078"),
}

EVENTS: Mapping[int, NoteForm] = {
    notes.ROUND_BEGAN: NoteForm("round-began", "MM-025", "start", ("number",)),
    notes.CONTACT_MADE: NoteForm("contact-made", "MM-024", "contact", ("unit", "target")),
    notes.WOUND_ROLLED: NoteForm("wound-rolled", "MM-056", "wounds", ("unit", "face", "stunned"), flags=("stunned",)),
    notes.MOVEMENT_ROLLED: NoteForm(
        "movement-rolled",
        "MM-028",
        "movement",
        ("unit", "face1", "face2", "face3", *_MOVEMENT, "jets", "total"),
        _MOVEMENT,
        flags=("jets",),
        rules=(("jets", "MM-029"),),
    ),
    notes.CONTACT_BROKEN: NoteForm("contact-broken", "MM-032", "movement", ("unit", "total")),
    notes.BAND_CHANGED: NoteForm(
        "band-changed", "MM-030", "movement", ("unit", "target", "before", "band", "total", "theirs")
    ),
    notes.TERRAIN_DOUBLED: NoteForm("terrain-doubled", "MM-031", "movement", ("unit", "target", "total", "theirs")),
    notes.TARGETING_ROLLED: NoteForm(
        "targeting-rolled", "MM-036", "detection", ("unit", "target", "face", "needed", "success"), flags=("success",)
    ),
    notes.HAWKEYE_ROLLED: NoteForm(
        "hawkeye-rolled", "MM-074", "detection", ("unit", "target", "face", "needed", "success"), flags=("success",)
    ),
    notes.UNIT_IDENTIFIED: NoteForm("unit-identified", "MM-037", "detection", ("unit", "target")),
    notes.IDENTIFICATION_ROLLED: NoteForm(
        "identification-rolled",
        "MM-037",
        "detection",
        ("unit", "target", "face", "needed", "success"),
        flags=("success",),
    ),
    notes.INFANTRY_SEARCHED: NoteForm(
        "infantry-searched",
        "MM-038",
        "detection",
        ("unit", "target", "face", "range", "needed", "success"),
        {"range": ("range", "MM-038")},
        flags=("success",),
    ),
    notes.COMMANDOS_DETECTED: NoteForm("commandos-detected", "MM-090", "detection", ("unit", "target")),
    notes.COMMANDOS_MARKED: NoteForm("commandos-marked", "MM-090", "detection", ("unit", "target")),
    notes.AGILITY_DECLARED: NoteForm("agility-declared", "MM-067", "fire", ("unit", "total")),
    notes.SHOT_ROLLED: NoteForm(
        "shot-rolled",
        "MM-043",
        "fire",
        ("unit", "target", "slot", "band", "face1", "face2", "number", *_TO_HIT, "hit"),
        _TO_HIT,
        flags=("hit",),
        rules=(("face2", "MM-048"),),
    ),
    notes.KILLS_ROLLED: NoteForm(
        "kills-rolled",
        "MM-064",
        "fire",
        ("unit", "target", "slot", "band", "face1", "face2", "face3", *_TO_KILL, "kills"),
        _TO_KILL,
    ),
    notes.HEAT_ROLLED: NoteForm(
        "heat-rolled",
        "MM-060",
        "fire",
        ("unit", "slot", "face", "heat", "rating", "overheated", "ignored"),
        flags=("overheated", "ignored"),
        rules=(("ignored", "MM-071"),),
    ),
    notes.HEAT_USED: NoteForm("heat-used", "MM-059", "fire", ("unit", "heat", "rating")),
    notes.INFANTRY_ATTACKED: NoteForm(
        "infantry-attacked", "MM-063", "fire", ("unit", "target", "face", "armor", "hit"), flags=("hit",)
    ),
    notes.ATTACK_DODGED: NoteForm("attack-dodged", "MM-067", "damage", ("unit", "target", "slot")),
    notes.SAVE_ROLLED: NoteForm(
        "save-rolled",
        "MM-051",
        "damage",
        ("unit", "target", "slot", "face1", "face2", "weapon", "armor", "saved"),
        {"weapon": ("weapon against armor", "MM-051")},
        flags=("saved",),
        rules=(("face2", "MM-052"),),
    ),
    notes.HIT_TAKEN: NoteForm("hit-taken", "MM-053", "damage", ("unit", "target", "hits")),
    notes.UNIT_DESTROYED: NoteForm("unit-destroyed", "MM-053", "damage", ("unit", "by", "how")),
    notes.CRITICAL_CHECKED: NoteForm(
        "critical-checked",
        "MM-054",
        "damage",
        ("unit", "target", "face1", "face2", "hits", "reroll", "critical"),
        flags=("critical",),
        rules=(("reroll", "MM-055"),),
    ),
    notes.PINPOINT_USED: NoteForm(
        "pinpoint-used", "MM-068", "damage", ("unit", "target", "checked"), flags=("checked",)
    ),
    notes.DAMAGE_CONTROL_USED: NoteForm("damage-control-used", "MM-070", "damage", ("unit",)),
    notes.CRITICAL_ROLLED: NoteForm("critical-rolled", "MM-056", "damage", ("unit", "by", "face")),
    notes.PILOT_WOUNDED: NoteForm("pilot-wounded", "MM-056", "damage", ("unit",)),
    notes.LEG_DAMAGED: NoteForm("leg-damaged", "MM-056", "damage", ("unit", "legs")),
    notes.WEAPON_DESTROYED: NoteForm("weapon-destroyed", "MM-056", "damage", ("unit", "slot", "among")),
    notes.REACTOR_ROLLED: NoteForm(
        "reactor-rolled", "MM-057", "damage", ("unit", "face", "exploded"), flags=("exploded",)
    ),
    notes.COMPUTERS_DAMAGED: NoteForm("computers-damaged", "MM-056", "damage", ("unit",)),
    notes.SYSTEM_LOST: NoteForm("system-lost", "MM-056", "damage", ("unit", "slot", "among")),
    notes.OVERHEAT_TAKEN: NoteForm("overheat-taken", "MM-061", "heat", ("unit", "slot", "taken", "hits")),
    notes.KILLS_TAKEN: NoteForm("kills-taken", "MM-065", "infantry", ("unit", "kills", "total")),
    notes.MORALE_ROLLED: NoteForm(
        "morale-rolled", "MM-065", "infantry", ("unit", "face", "kills", "broke"), flags=("broke",)
    ),
    notes.INFANTRY_REVEALED: NoteForm("infantry-revealed", "MM-038", "end", ("unit",)),
    notes.BATTLE_ENDED: NoteForm("battle-ended", "MM-025", "end", ("winner", "reason", "rounds")),
    notes.TERRAIN_ROLLED: NoteForm("terrain-rolled", "MM-012", "set-up", ("zone", "face", "terrain")),
    notes.SUPPORT_ROLLED: NoteForm("support-rolled", "MM-014", "set-up", ("unit", "face1", "face2", "side", "support")),
    notes.UNIT_PLACED: NoteForm("unit-placed", "MM-013", "set-up", ("unit", "zone")),
    notes.MEK_HIDDEN: NoteForm("mek-hidden", "MM-082", "set-up", ("unit", "zone")),
    notes.MINES_LAID: NoteForm("mines-laid", "MM-081", "set-up", ("side", "zone", "count")),
    notes.BATTLE_DAMAGE_DONE: NoteForm("battle-damage-done", "MM-077", "set-up", ("unit", "side")),
    notes.TURN_BEGAN: NoteForm("turn-began", "MM-015", "turn", ("number",)),
    notes.INITIATIVE_ROLLED: NoteForm(
        "initiative-rolled", "MM-016", "initiative", ("face1", "face2", *_INITIATIVE, "winner"), _INITIATIVE
    ),
    notes.PHASE_BEGAN: NoteForm(
        "phase-began", "MM-015", "zones", ("side", "second"), flags=("second",), rules=(("second", "MM-018"),)
    ),
    notes.DRONE_SENT: NoteForm("drone-sent", "MM-084", "zones", ("side", "zone")),
    notes.THING_FOUND: NoteForm("thing-found", "MM-084", "zones", ("unit", "what")),
    notes.SWEEP_ROLLED: NoteForm(
        "sweep-rolled",
        "MM-038",
        "zones",
        ("unit", "target", "face", "range", "needed", "success"),
        {"range": ("next zone", "MM-038")},
        flags=("success",),
    ),
    notes.HAWKEYE_SWEPT: NoteForm(
        "hawkeye-swept", "MM-074", "zones", ("unit", "target", "face", "needed", "success"), flags=("success",)
    ),
    notes.ARRIVAL_ZONE_ROLLED: NoteForm("arrival-zone-rolled", "MM-098", "zones", ("face", "zone")),
    notes.ARRIVAL_ROLLED: NoteForm(
        "arrival-rolled", "MM-098", "zones", ("unit", "face", "needed", "arrived"), flags=("arrived",)
    ),
    notes.UNIT_ARRIVED: NoteForm("unit-arrived", "MM-098", "zones", ("unit", "zone")),
    notes.MOVE_ROLLED: NoteForm("move-rolled", "MM-023", "zones", ("unit", "face", "moves"), flags=("moves",)),
    notes.UNIT_MOVED: NoteForm(
        "unit-moved",
        "MM-019",
        "zones",
        ("unit", "before", "zone", "second"),
        flags=("second",),
        rules=(("second", "MM-018"),),
    ),
    notes.UNIT_LEFT: NoteForm("unit-left", "MM-021", "zones", ("unit", "zone")),
    notes.MINE_TRIGGERED: NoteForm(
        "mine-triggered", "MM-081", "zones", ("unit", "zone", "face", "hit"), flags=("hit",)
    ),
    notes.INFANTRY_LANDED: NoteForm("infantry-landed", "MM-089", "zones", ("unit", "target", "zone")),
    notes.CONTACT_REOPENED: NoteForm("contact-reopened", "MM-033", "zones", ("unit", "target")),
    notes.UNIT_REPAIRED: NoteForm("unit-repaired", "MM-085", "zones", ("unit", "hits")),
    notes.UNIT_DUG_IN: NoteForm("unit-dug-in", "MM-086", "zones", ("unit", "zone")),
    notes.ZONE_CONTESTED: NoteForm("zone-contested", "MM-025", "zone", ("zone",)),
    notes.UNIT_REVEALED: NoteForm("unit-revealed", "MM-082", "reveal", ("unit", "zone", "band")),
    notes.REVEALED_AT: NoteForm("revealed-at", "MM-082", "reveal", ("unit", "target", "band")),
    notes.AMBUSH_SPRUNG: NoteForm("ambush-sprung", "MM-076", "ambush", ("unit", "target", "slot")),
    notes.OFF_BOARD_FIRED: NoteForm(
        "off-board-fired", "MM-079", "fire", ("unit", "target", "side", "slot"), rules=(("slot", "MM-080"),)
    ),
    notes.DECOY_REMOVED: NoteForm("decoy-removed", "MM-083", "detection", ("unit", "by")),
    notes.TURN_ENDED: NoteForm("turn-ended", "MM-091", "victory", ("number", "held")),
    notes.GAME_ENDED: NoteForm("game-ended", "MM-091", "victory", ("winner", "reason", "turns")),
}
MAP_CODES = range(notes.TERRAIN_ROLLED, notes.GAME_ENDED + 1)
MAP_SENTENCES = {EVENTS[code].kind for code in MAP_CODES}


def _plural(count: object, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _total(event: Event) -> int:
    return sum(modifier.value for modifier in event.modifiers)


def sentence(event: Event, names: Mapping[str, str], weapon: str, system: str) -> str:
    """The event in words. `weapon` and `system` name the slot it speaks of, where it does."""
    unit = names.get(event.unit or "", "")
    target = names.get(event.target or "", "")
    r = event.result
    faces = event.faces
    last = faces[-1] if faces else 0
    match event.kind:
        case "round-began":
            return f"Round {r['number']}."
        case "contact-made":
            return f"{unit} and {target} make contact at Long."
        case "wound-rolled":
            done = "can do nothing this round" if r["stunned"] else "fights on"
            return f"{unit}'s wounded pilot {done}."
        case "movement-rolled":
            jets = " on jump jets" if r["jets"] else ""
            return f"{unit} moves{jets}: total {r['total']}."
        case "contact-broken":
            return f"{unit} breaks contact with a total of {r['total']}."
        case "band-changed":
            before, band = int(r["before"] or 0), int(r["band"] or 0)
            verb = "closes with" if band < before else "draws away from"
            return f"{unit} ({r['total']}) {verb} {target} ({r['theirs']}): {BANDS[before]} to {BANDS[band]}."
        case "terrain-doubled":
            return f"{unit} ({r['total']}) keeps the range and doubles the terrain against {target} ({r['theirs']})."
        case "targeting-rolled":
            return f"{unit} {'targets' if r['success'] else 'fails to target'} the masked {target}, needing {r['needed']}+."
        case "hawkeye-rolled":
            return f"{unit}'s Hawkeye {'finds' if r['success'] else 'misses'} {target}, needing 5+."
        case "unit-identified":
            return f"{unit} identifies {target} for its data link."
        case "identification-rolled":
            return f"{unit} {'identifies' if r['success'] else 'fails to identify'} {target}, needing {r['needed']}+."
        case "infantry-searched":
            return f"{unit} {'finds' if r['success'] else 'does not find'} {target}, needing {r['needed']}+."
        case "commandos-detected":
            return f"{unit} give away {target}."
        case "commandos-marked":
            return f"{unit} mark {target}: friends have +1 to hit it."
        case "agility-declared":
            return f"{unit} moves with agility (total {r['total']}): the first attack that hits will be dodged."
        case "shot-rolled":
            done = "hit" if r["hit"] else "miss"
            again = " after a re-roll" if len(faces) > 1 else ""
            reach = BANDS[int(r["band"] or 0)]
            result = f"{last + _total(event)} against {r['number']}+, {done}{again}"
            return f"{unit} fires {weapon} at {target} ({reach}): {result}."
        case "kills-rolled":
            return f"{unit} fires {weapon} at {target}: {_plural(r['kills'], 'kill')}."
        case "heat-rolled":
            excess = int(r["heat"] or 0) - int(r["rating"] or 0)
            if r["ignored"]:
                done = "would overheat, but the pilot is an Ice Man"
            else:
                done = "overheats and is destroyed" if r["overheated"] else "holds"
            return f"{unit}'s {weapon} is {excess} over the heat rating ({r['heat']} of {r['rating']}): it {done}."
        case "heat-used":
            return f"{unit} has used {r['heat']} of {r['rating']} heat."
        case "infantry-attacked":
            return f"{unit} attacks {target}: {'hit' if r['hit'] else 'miss'}, needing less than {r['armor']}."
        case "attack-dodged":
            return f"{unit} dodges the attack of {target}."
        case "save-rolled":
            done = "saves" if r["saved"] else "fails to save"
            again = " after a re-roll" if len(faces) > 1 else ""
            return f"{unit} {done} against {target}'s {weapon}{again}: {last + _total(event)}, needing {r['armor']}+."
        case "hit-taken":
            return f"{unit} loses a Hit to {target}: {r['hits']} left."
        case "unit-destroyed":
            cause = cause_told(LOST_BY[int(r["how"] or 0)], names.get(str(r["by"]), ""))
            return f"{unit} is destroyed: {cause}."
        case "critical-checked":
            done = "critical hit" if r["critical"] else "no critical hit"
            again = f" ({REROLLS[int(r['reroll'] or 0)]}: rolled again)" if r["reroll"] else ""
            return f"Critical check on {unit}: {last} against {_plural(r['hits'], 'Hit')} left, {done}{again}."
        case "pinpoint-used":
            if r["checked"]:
                return f"{unit}'s Pinpoint Attack meets the Spaul Liner of {target}: an ordinary check."
            return f"{unit}'s Pinpoint Attack: a critical hit on {target} without a check."
        case "damage-control-used":
            return f"{unit}'s Damage Control: the critical hit is ignored."
        case "critical-rolled":
            return f"Critical hit on {unit}: {CRITICALS[last]}."
        case "pilot-wounded":
            return f"{unit}'s pilot is wounded: 5+ each round to do anything."
        case "leg-damaged":
            return f"{unit}'s leg is damaged: -{r['legs']} on movement rolls."
        case "weapon-destroyed":
            return f"{unit} loses its {weapon}."
        case "reactor-rolled":
            return f"{unit}'s reactor core {'explodes' if r['exploded'] else 'holds'}."
        case "computers-damaged":
            return f"{unit}'s computers are damaged: −1 to hit in its next round."
        case "system-lost":
            return f"{unit} loses its {system}."
        case "overheat-taken":
            return f"{unit} takes {_plural(r['taken'], 'Hit')} from its overheated {weapon}: {r['hits']} left."
        case "kills-taken":
            return f"{unit} loses {_plural(r['kills'], 'squad')}: {r['total']} in all."
        case "morale-rolled":
            return f"{unit} {'breaks' if r['broke'] else 'holds'}: {last} against {_plural(r['kills'], 'kill')} taken."
        case "infantry-revealed":
            return f"{unit} has given itself away by attacking."
        case "battle-ended":
            why = REASONS[int(r["reason"] or 0)]
            return f"The battle ends after {_plural(r['rounds'], 'round')}: {why}."
    raise ValueError(f"no words for {event.kind}")


def map_sentence(event: Event, names: Mapping[str, str], sides: Sequence[str], weapon: str) -> str:
    """An event of a game on the map in words; `sides` are the sides' names, attacker first."""
    unit = names.get(event.unit or "", "")
    target = names.get(event.target or "", "")
    r = event.result
    side = sides[int(r["side"] or 0)] if "side" in r else ""
    match event.kind:
        case "terrain-rolled":
            return f"Zone {r['zone']} is {CATALOGUE.terrain[RANDOM_TERRAIN[int(r['terrain'] or 0)]].name}."
        case "support-rolled":
            result = CATALOGUE.support[SUPPORT_RESULTS[int(r["support"] or 0)]]
            return f"Support roll of {side}: table {result.table}, entry {result.face}: {result.name}."
        case "unit-placed":
            return f"{unit} joins in zone {r['zone']}." if r["zone"] else f"{unit} waits off the map."
        case "mek-hidden":
            return f"{unit} hides in zone {r['zone']}."
        case "mines-laid":
            return f"{side} mines zone {r['zone']}."
        case "battle-damage-done":
            return f"Battle Damage: {side} names {unit}."
        case "turn-began":
            return f"Turn {r['number']}."
        case "initiative-rolled":
            winner = int(r["winner"] or 0)
            return f"{sides[winner]} wins the initiative." if winner >= 0 else "Initiative is tied: both roll again."
        case "phase-began":
            return f"{side} {'makes its second move' if r['second'] else 'moves'}."
        case "drone-sent":
            return f"{side} sends its recon drone to zone {r['zone']}."
        case "thing-found":
            what = ("", "is found", "is no longer hidden", "is targeted by everybody until the turn ends")
            return f"{unit} {what[int(r['what'] or 0)]}."
        case "sweep-rolled":
            return f"{unit} {'finds' if r['success'] else 'does not find'} {target} in the next zone."
        case "hawkeye-swept":
            return f"{unit}'s Hawkeye {'reveals' if r['success'] else 'misses'} {target} in the next zone, needing 5+."
        case "arrival-zone-rolled":
            return f"Whoever arrives this turn arrives in zone {r['zone']}."
        case "arrival-rolled":
            return f"{unit} {'arrives' if r['arrived'] else 'does not arrive yet'}, needing {r['needed']}+."
        case "unit-arrived":
            return f"{unit} enters the map in zone {r['zone']}."
        case "move-rolled":
            return f"{unit}'s wounded pilot {'can move' if r['moves'] else 'stays where he is'}."
        case "unit-moved":
            hot = ", 2 heat carried" if r["second"] else ""
            return f"{unit} moves from zone {r['before']} to zone {r['zone']}{hot}."
        case "unit-left":
            return f"{unit} leaves the map from zone {r['zone']}."
        case "mine-triggered":
            return f"{unit} steps on a mine in zone {r['zone']}: {'a Hit' if r['hit'] else 'it does no harm'}."
        case "infantry-landed":
            return f"{target} puts {unit} down in zone {r['zone']}."
        case "contact-reopened":
            return f"{unit} and {target} may meet again."
        case "unit-repaired":
            return f"The Repair Truck makes {unit} as new: {_plural(r['hits'], 'Hit')}."
        case "unit-dug-in":
            return f"{unit} digs in in zone {r['zone']}."
        case "zone-contested":
            return f"Both sides are in zone {r['zone']}."
        case "unit-revealed":
            return f"{unit} comes out of hiding in zone {r['zone']} at {BANDS[int(r['band'] or 0)]}."
        case "revealed-at":
            return f"{unit} and {target} are in contact at {BANDS[int(r['band'] or 0)]}."
        case "ambush-sprung":
            return f"{unit} ambushes {target} with its {weapon}, as if at Short."
        case "off-board-fired":
            called = "an Air Strike" if r["slot"] else "Support Fire"
            return f"{side} calls {called} on {target}."
        case "decoy-removed":
            by = names.get(str(r["by"]), "")
            return f"{by} sees through {unit}." if by else f"The drone sees through {unit}."
        case "turn-ended":
            held = f" The attacker holds the key zone: {r['held']} of 3." if r["held"] else ""
            return f"Turn {r['number']} ends.{held}"
        case "game-ended":
            winner = int(r["winner"] or 0)
            who = f"{sides[winner]} wins" if winner >= 0 else "A draw"
            return f"{who} after {_plural(r['turns'], 'turn')}: {REASONS[int(r['reason'] or 0)]}."
    raise ValueError(f"no words for {event.kind}")
