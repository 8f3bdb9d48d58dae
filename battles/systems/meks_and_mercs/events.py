"""EVENTS: how each note of the rules is read, which rule it comes from, and what it says in words."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.events import Event, NoteForm
from battles.systems.meks_and_mercs import notes
from battles.systems.meks_and_mercs.setup import LOST_BY, REASONS

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
}
CRITICALS = {1: "pilot", 2: "leg", 3: "weapon", 4: "reactor", 5: "computers", 6: "system"}
REROLLS = {1: "Spaul Liner", 2: "PPC at Long", 3: "Sharpshooter"}
EFFECTS_OF_CRITICALS = {
    notes.PILOT_WOUNDED,
    notes.LEG_DAMAGED,
    notes.WEAPON_DESTROYED,
    notes.REACTOR_ROLLED,
    notes.COMPUTERS_DAMAGED,
    notes.SYSTEM_LOST,
}

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
}
EVENT_CODES = {form.kind: code for code, form in EVENTS.items()}


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
            how = LOST_BY[int(r["how"] or 0)]
            by = names.get(str(r["by"]), "")
            if how == "explosion":
                return f"{unit} explodes" + (f": a kill for {by}." if by else ".")
            if how == "overheating":
                return f"{unit} is destroyed by its own heat."
            if how == "morale":
                return f"{unit} breaks and is removed."
            return f"{unit} is destroyed" + (f" by {by}." if by else ".")
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
            return f"{unit}'s computers are damaged: -1 to hit in its next round."
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
