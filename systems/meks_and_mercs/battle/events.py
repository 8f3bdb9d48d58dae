"""FACTS: every kind of event in a battle, one row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from systems.engine.events import Event, EventWords, Fact, Facts, alters, part, shows, then, when
from systems.meks_and_mercs.battle import effects
from systems.meks_and_mercs.battle.effects import describe_loss
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
REROLLS = {
    0: "",
    1: " (Spaul Liner: rolled again)",
    2: " (PPC at Long: rolled again)",
    3: " (Sharpshooter: rolled again)",
}
THINGS_FOUND = {1: "is found", 2: "is no longer hidden", 3: "counts as targeted by everybody until the turn ends"}

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
_INITIATIVE = {
    "tactics": ("attacker's Tactics", "MM-016"),
    "surprise": ("attacker's Surprise", "MM-078"),
    "their_tactics": ("defender's Tactics", "MM-016"),
    "their_surprise": ("defender's Surprise", "MM-078"),
}
_HIT_OR_MISS = {"hit": ("miss", "hit")}
_FINDS = {"success": ("does not find", "finds")}


def parts(
    weapons: dict[str, tuple[str, ...]], systems: Mapping[str, tuple[str, ...]]
) -> Callable[[Event], Mapping[str, str]]:
    """Return a function that names an event's slot, and says whether a die was re-rolled.

    `weapons` and `systems` hold the names of each unit's slots, by unit key.
    """

    def of(event: Event) -> Mapping[str, str]:
        found = {"again": " after a re-roll" if len(event.faces) > 1 else ""}
        slot = event.result.get("slot")
        if isinstance(slot, int) and slot >= 0:
            # saves and dodges concern the attacker's weapon, all else the unit's own
            owner = (event.target if event.step == "damage" and event.target else event.unit) or ""
            if event.kind == "system-lost":
                found["system"] = systems[owner][slot]
            else:
                found["weapon"] = weapons[owner][slot]
        return found

    return of


def _band_changed(words: EventWords) -> str:
    before, band = words.number("before"), words.number("band")
    verb = "closes with" if band < before else "draws away from"
    return f"{words['unit']} ({words['total']}) {verb} {words['target']} ({words['theirs']}): {BANDS[before]} to {BANDS[band]}."


def _overheats(words: EventWords) -> str:
    excess = words.number("heat") - words.number("rating")
    done = "overheats and is destroyed" if words["overheated"] else "holds"
    if words["ignored"]:
        done = "would overheat, but the pilot is an Ice Man"
    over = f"{excess} over the heat rating ({words['heat']} of {words['rating']})"
    return f"{words['unit']}'s {words['weapon']} is {over}: it {done}."


def _destroyed(words: EventWords) -> str:
    return f"{words['unit']} is destroyed: {describe_loss(LOST_BY[words.number('how')], words['by'])}."


def _pinpoint(words: EventWords) -> str:
    if words["checked"]:
        return f"The Spaul Liner of {words['target']} turns {words['unit']}'s Pinpoint Attack into an ordinary check."
    return f"{words['unit']}'s Pinpoint Attack: a critical hit on {words['target']} without a check."


def _order_of_move(words: EventWords) -> str:
    zone = words.number("zone")
    does = f"stays in zone {zone}" if words["stays"] else f"heads for zone {zone}" if zone else "leaves the map"
    return f"{words['unit']} {does}, as ordered."


def _support_rolled(words: EventWords) -> str:
    result = CATALOGUE.support[SUPPORT_RESULTS[words.number("support")]]
    return f"Support roll of {words['side']}: table {result.table}, entry {result.face}: {result.name}."


def _placed(words: EventWords) -> str:
    s = words["s"]
    return (
        f"{words['unit']} start{s} in zone {words['zone']}."
        if words["zone"]
        else f"{words['unit']} wait{s} off the map."
    )


def _initiative(words: EventWords) -> str:
    winner = words.number("winner")
    return f"{words.sides[winner]} wins the initiative." if winner >= 0 else "Initiative is tied: both roll again."


def _decoy_removed(words: EventWords) -> str:
    return f"{words['by'] or 'The drone'} sees through {words['unit']}."


def _turn_ended(words: EventWords) -> str:
    held = f" The attacker holds the key zone: {words['held']} of 3." if words["held"] else ""
    return f"Turn {words['number']} ends.{held}"


def _game_ended(words: EventWords) -> str:
    winner = words.number("winner")
    who = f"{words.sides[winner]} wins" if winner >= 0 else "A draw"
    return f"{who} after {words['turns']:turn}: {words['reason']}."


FIGHT_FACTS = (
    Fact("round-began", "MM-025", "start", "number", "Round {number}."),
    Fact(
        "contact-made", "MM-024", "contact", "unit target", "{unit} and {target} make contact at Long.",
        look="move", effect=effects.meet,
    ),
    Fact(
        "wound-rolled", "MM-056", "wounds", "unit face stunned?", "{unit}'s wounded pilot {stunned}.",
        words={"stunned": ("fights on", "can do nothing this round")},
    ),
    Fact(
        "movement-rolled", "MM-028", "movement",
        "unit face1 face2 face3 bonus level maneuver familiar servo legs terrain jets? total",
        "{unit} moves{jets}: total {total}.",
        words={"jets": ("", " on jump jets")}, modifiers=_MOVEMENT, rules={"jets": "MM-029"}, look="move",
    ),
    Fact(
        "contact-broken", "MM-032", "movement", "unit total", "{unit} breaks contact with a total of {total}.",
        look="move", effect=effects.break_contacts,
    ),
    Fact(
        "order-of-retreat", "MM-A43", "movement", "unit breaks?", "{unit} {breaks}, as ordered.",
        words={"breaks": ("stays in the fight", "tries to break contact")}, look="move",
    ),
    Fact(
        "order-of-range", "MM-A43", "movement", "unit target band", "{unit} tries for {band} range to {target}, as ordered.",
        words={"band": BANDS}, look="move",
    ),
    Fact("order-of-target", "MM-A43", "fire", "unit target", "{unit} aims at {target}, as ordered."),
    Fact(
        "band-changed", "MM-030", "movement", "unit target before band total theirs", _band_changed,
        look="move", effect=effects.change_band,
    ),
    Fact(
        "terrain-doubled", "MM-031", "movement", "unit target total theirs",
        "{unit} ({total}) keeps the range and doubles the terrain against {target} ({theirs}).", look="move",
    ),
    Fact(
        "targeting-rolled", "MM-036", "detection", "unit target face needed success?",
        "{unit} {success} the masked {target}, needing {needed}+.",
        words={"success": ("fails to target", "targets")}, decided="success",
    ),
    Fact(
        "hawkeye-rolled", "MM-074", "detection", "unit target face needed success?",
        "{unit}'s Hawkeye {success} {target}, needing 5+.",
        words={"success": ("misses", "finds")}, decided="success",
    ),
    Fact(
        "unit-identified", "MM-037", "detection", "unit target", "{unit} identifies {target} for its data link.",
    ),
    Fact(
        "identification-rolled", "MM-037", "detection", "unit target face needed success?",
        "{unit} {success} {target}, needing {needed}+.",
        words={"success": ("fails to identify", "identifies")}, decided="success",
    ),
    Fact(
        "infantry-searched", "MM-038", "detection", "unit target face range needed success?",
        "{unit} {success} {target}, needing {needed}+.",
        words=_FINDS, modifiers={"range": ("range", "MM-038")}, decided="success",
    ),
    Fact("commandos-detected", "MM-090", "detection", "unit target", "{unit} give away {target}."),
    Fact(
        "commandos-identified", "MM-090", "detection", "unit target", "{unit} identify {target} for data links.",
    ),
    Fact(
        "commandos-marked", "MM-090", "detection", "unit target",
        "{unit} mark {target}: friends have +1 to hit it.",
    ),
    Fact(
        "agility-declared", "MM-067", "fire", "unit total",
        "{unit} moves with agility (total {total}): the first attack that hits will be dodged.",
    ),
    Fact(
        "shot-rolled", "MM-043", "fire",
        f"unit target slot band face1 face2 number {' '.join(_TO_HIT)} hit?",
        "{unit} fires {weapon} at {target} ({band}): {sum} against {number}+, {hit}{again}.",
        words={"band": BANDS, **_HIT_OR_MISS}, modifiers=_TO_HIT, rules={"face2": "MM-048"}, decided="hit",
    ),
    Fact(
        "kills-rolled", "MM-064", "fire", "unit target slot band face1 face2 face3 terrain gunnery kills",
        "{unit} fires {weapon} at {target}: {kills:kill}.",
        modifiers={"terrain": ("terrain", "MM-064"), "gunnery": ("Gunnery", "MM-069")},
    ),
    Fact(
        "heat-rolled", "MM-060", "fire", "unit slot face heat rating overheated? ignored?", _overheats,
        rules={"ignored": "MM-071"}, look="heat", effect=when("overheated", alters(effects.lose_weapon)),
        mark="heat", when="overheated",
    ),
    Fact(
        "heat-used", "MM-059", "fire", "unit heat rating", "{unit} uses {heat} of its {rating} heat.", look="heat",
    ),
    Fact(
        "infantry-attacked", "MM-063", "fire", "unit target face armor hit?",
        "{unit} attacks {target}: {hit}, needing less than {armor}.", words=_HIT_OR_MISS, decided="hit",
    ),
    Fact("attack-dodged", "MM-067", "damage", "unit target slot", "{unit} dodges the attack of {target}."),
    Fact(
        "save-rolled", "MM-051", "damage", "unit target slot face1 face2 weapon armor saved?",
        "{unit} {saved} against {target}'s {weapon}{again}: {sum}, needing {armor}+.",
        words={"saved": ("fails to save", "saves")}, modifiers={"weapon": ("weapon against armor", "MM-051")},
        rules={"face2": "MM-052"}, decided="saved", look=("hit", "save"),
    ),
    Fact(
        "hit-taken", "MM-053", "damage", "unit target hits", "{unit} loses a Hit to {target}: {hits} left.",
        look="hit", effect=shows(hits=part("hits")),
    ),
    Fact("unit-destroyed", "MM-053", "damage", "unit by how", _destroyed, look="crit", effect=effects.destroy, mark="kill"),
    Fact(
        "critical-checked", "MM-054", "damage", "unit target face1 face2 hits reroll critical?",
        "Critical check on {unit}: {last} against {hits:Hit} left, {critical}{reroll}.",
        words={"critical": ("no critical hit", "critical hit"), "reroll": REROLLS},
        rules={"reroll": "MM-055"}, decided="critical", look=("miss", "crit"),
    ),
    Fact("pinpoint-used", "MM-068", "damage", "unit target checked?", _pinpoint),
    Fact(
        "damage-control-used", "MM-070", "damage", "unit", "{unit}'s Damage Control: the critical hit is ignored.",
    ),
    Fact(
        "critical-rolled", "MM-056", "damage", "unit by face", "Critical hit on {unit}: {last}.",
        words={"last": CRITICALS}, look="crit", mark="critical",
    ),
    Fact(
        "pilot-wounded", "MM-056", "damage", "unit", "{unit}'s pilot is wounded and needs 5+ each round to act.",
        look="crit", effect=shows(wounded=True),
    ),
    Fact(
        "leg-damaged", "MM-056", "damage", "unit legs", "{unit}'s leg is damaged: -{legs} on movement rolls.",
        look="crit", effect=shows(legs=part("legs")),
    ),
    Fact(
        "weapon-destroyed", "MM-056", "damage", "unit slot among", "{unit} loses its {weapon}.",
        look="crit", effect=alters(effects.lose_weapon),
    ),
    Fact(
        "reactor-rolled", "MM-057", "damage", "unit face exploded?", "{unit}'s reactor core {exploded}.",
        words={"exploded": ("holds", "explodes")}, decided="exploded", look=("miss", "crit"),
        mark="critical", when="exploded",
    ),
    Fact(
        "computers-damaged", "MM-056", "damage", "unit",
        "{unit}'s computers are damaged: −1 to hit in its next round.", look="crit",
    ),
    Fact(
        "system-lost", "MM-056", "damage", "unit slot among", "{unit} loses its {system}.",
        look="crit", effect=alters(effects.lose_system),
    ),
    Fact(
        "overheat-taken", "MM-061", "heat", "unit slot taken hits",
        "{unit} takes {taken:Hit} from its overheated {weapon}: {hits} left.",
        look="heat", effect=shows(hits=part("hits")), mark="heat",
    ),
    Fact(
        "kills-taken", "MM-065", "infantry", "unit kills total", "{unit} loses {kills:squad}: {total} in all.",
        look="hit", effect=alters(effects.lose_squads),
    ),
    Fact(
        "morale-rolled", "MM-065", "infantry", "unit face kills broke?",
        "{unit} {broke}: {last} against {kills:kill} taken.",
        words={"broke": ("holds", "breaks")}, decided="broke",
    ),
    Fact("infantry-revealed", "MM-038", "end", "unit", "{unit} has given itself away by attacking."),
    Fact(
        "battle-ended", "MM-025", "end", "winner reason rounds",
        "The battle ends after {rounds:round}: {reason}.", words={"reason": REASONS},
    ),
)  # fmt: skip

MAP_FACTS = (
    Fact(
        "terrain-rolled", "MM-012", "set-up", "zone face terrain", "Zone {zone} is {terrain}.",
        words={"terrain": [CATALOGUE.terrain[slug].name for slug in RANDOM_TERRAIN]},
    ),
    Fact(
        "support-rolled", "MM-014", "set-up", "unit face1 face2 side support", _support_rolled,
        effect=when(effects.is_issued, alters(effects.issue)), mark="support",
    ),
    Fact("unit-placed", "MM-013", "set-up", "unit zone", _placed, effect=shows(zone=part("zone"))),
    Fact("mek-hidden", "MM-082", "set-up", "unit zone", "{unit} hides in zone {zone}.", effect=shows(hidden=True)),
    Fact("mines-laid", "MM-081", "set-up", "side zone count", "{side} mines zone {zone}."),
    Fact("battle-damage-done", "MM-077", "set-up", "unit side", "Battle Damage: {side} chooses {unit}."),
    Fact("turn-began", "MM-015", "turn", "number", "Turn {number}."),
    Fact(
        "initiative-rolled", "MM-016", "initiative",
        f"face1 face2 {' '.join(_INITIATIVE)} winner", _initiative, modifiers=_INITIATIVE,
    ),
    Fact(
        "phase-began", "MM-015", "zones", "side second?", "{side} {second}.",
        words={"second": ("moves", "makes its second move")}, rules={"second": "MM-018"},
    ),
    Fact("drone-sent", "MM-084", "zones", "side zone", "{side} sends its recon drone to zone {zone}.", mark="support"),
    Fact(
        "thing-found", "MM-084", "zones", "unit what", "{unit} {what}.", words={"what": THINGS_FOUND},
        effect=when(lambda event: event.result["what"] == 2, shows(hidden=False)),
    ),
    Fact(
        "sweep-rolled", "MM-038", "zones", "unit target face range needed success?",
        "{unit} {success} {target} in the next zone.",
        words=_FINDS, modifiers={"range": ("next zone", "MM-038")}, decided="success",
    ),
    Fact(
        "hawkeye-swept", "MM-074", "zones", "unit target face needed success?",
        "{unit}'s Hawkeye {success} {target} in the next zone, needing 5+.",
        words={"success": ("misses", "reveals")}, decided="success",
        effect=when("success", shows("target", hidden=False)),
    ),
    Fact(
        "arrival-zone-rolled", "MM-098", "zones", "face zone", "Units that arrive this turn enter in zone {zone}.",
    ),
    Fact(
        "arrival-rolled", "MM-098", "zones", "unit face needed arrived?", "Arrival of {unit}: {arrived}, needing {needed}+.",
        words={"arrived": ("not yet", "now")},
    ),
    Fact(
        "unit-arrived", "MM-098", "zones", "unit zone", "{unit} enter{s} the map in zone {zone}.",
        effect=shows(zone=part("zone"), dug_in=False),
    ),
    Fact(
        "move-rolled", "MM-023", "zones", "unit face moves?", "{unit}'s wounded pilot {moves}.",
        words={"moves": ("stays in place", "can move")},
    ),
    Fact("order-of-move", "MM-A43", "zones", "unit zone stays?", _order_of_move),
    Fact(
        "unit-moved", "MM-019", "zones", "unit before zone second?",
        "{unit} move{s} from zone {before} to zone {zone}{second}.",
        words={"second": ("", ", 2 heat carried")}, rules={"second": "MM-018"},
        effect=then(shows(zone=part("zone"), dug_in=False), effects.drop_pairs),
    ),
    Fact(
        "unit-left", "MM-021", "zones", "unit zone", "{unit} leave{s} the map from zone {zone}.",
        effect=then(shows(zone=0, dug_in=False, withdrew=True), effects.drop_pairs),
    ),
    Fact(
        "mine-triggered", "MM-081", "zones", "unit zone face hit?",
        "{unit} steps on a mine in zone {zone}: {hit}.",
        words={"hit": ("it does no harm", "a Hit")}, decided="hit", mark="support", when="hit",
    ),
    Fact(
        "infantry-landed", "MM-089", "zones", "unit target zone", "{target} puts {unit} down in zone {zone}.",
        effect=shows(zone=part("zone")), mark="support",
    ),
    Fact(
        "contact-reopened", "MM-033", "zones", "unit target", "{unit} and {target} can make contact again.",
        effect=effects.drop_pair,
    ),
    Fact(
        "unit-repaired", "MM-085", "zones", "unit hits", "The Repair Truck fully repairs {unit}: {hits:Hit}.",
        effect=alters(effects.repair), mark="support",
    ),
    Fact("unit-dug-in", "MM-086", "zones", "unit zone", "{unit} digs in (zone {zone}).", effect=shows(dug_in=True)),
    Fact("zone-contested", "MM-025", "zone", "zone", "Both sides are in zone {zone}."),
    Fact(
        "unit-revealed", "MM-082", "reveal", "unit zone band", "{unit} comes out of hiding in zone {zone} at {band}.",
        words={"band": BANDS}, effect=shows(hidden=False),
    ),
    Fact(
        "revealed-at", "MM-082", "reveal", "unit target band", "{unit} and {target} are in contact at {band}.",
        words={"band": BANDS}, effect=effects.meet,
    ),
    Fact(
        "ambush-sprung", "MM-076", "ambush", "unit target slot",
        "{unit} ambushes {target} with its {weapon}, as if at Short.",
    ),
    Fact(
        "off-board-fired", "MM-079", "fire", "unit target side slot", "{side} calls {slot} on {target}.",
        words={"slot": ("Support Fire", "an Air Strike")}, rules={"slot": "MM-080"}, mark="support",
    ),
    Fact(
        "decoy-removed", "MM-083", "detection", "unit by", _decoy_removed,
        effect=then(shows(destroyed=True, zone=0), effects.drop_pairs),
    ),
    Fact("turn-ended", "MM-091", "victory", "number held", _turn_ended, mark="objective", when="held"),
    Fact("game-ended", "MM-091", "victory", "winner reason turns", _game_ended, words={"reason": REASONS}),
)  # fmt: skip

FACTS = Facts(*FIGHT_FACTS, *MAP_FACTS, several=(CATALOGUE.support_units["commandos"].name,))
