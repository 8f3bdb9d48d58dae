"""EVENTS: how each note of the rules is read as an event, and what it is in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.engine.events import Event, NoteForm
from systems.mech_campaign.battle import notes
from systems.mech_campaign.battle import state as codes
from systems.mech_campaign.catalogue import CATALOGUE

STEPS = {
    "set-up": "Set-up",
    "turn": "Turn",
    "points": "Action points",
    "actions": "Actions",
    "player-turn-end": "End of the player turn",
    "turn-end": "End of the turn",
    "end": "End of the battle",
}
DISC_KINDS = {codes.RUBBLE: "rubble", codes.HILL: "hill", codes.WORKS: "works"}
STATUS_SLUGS = {codes.TABLE: "table", codes.AWAY: "away", codes.UNDER: "underground", codes.DEAD: "dead"}
STATUS_WORDS = {codes.AWAY: "away", codes.UNDER: "underground"}
REASONS = {
    codes.RETREAT: "retreat",
    codes.WIPED_OUT: "wiped-out",
    codes.LEFT_FIELD: "left-the-field",
    codes.SABOTAGED: "sabotage",
    codes.TIME: "time",
}
REASONS_TOLD = {
    codes.RETREAT: "the other force retreats",
    codes.WIPED_OUT: "the other force is wiped out",
    codes.LEFT_FIELD: "the other force has nothing left on the table",
    codes.SABOTAGED: "the drill is blown up",
}
ENDS_TOLD = {REASONS[code]: REASONS_TOLD.get(code, "time is up") for code in REASONS}
DECIDED_TOLD = {
    0: "nothing between them",
    codes.BY_LOSSES: "fewer units lost",
    codes.BY_DAMAGE: "less damage on the survivors",
    codes.BY_BEACONS: "more beacon points",
    codes.BY_HOLDING: "the drill still turns",
}
_TO_HIT = {
    "cover": ("cover", "MC-078"),
    "height": ("higher ground", "MC-079"),
    "lock": ("target lock", "MC-075"),
    "aim": ("drone or sentry", "MC-074"),
}
_SHOT = ("unit", "target", "cost", "face", "number", *_TO_HIT, "hit")

EVENTS: Mapping[int, NoteForm] = {
    notes.TERRAIN_ROLLED: NoteForm(
        "terrain-rolled", "MC-022", "set-up", ("sector", "face1", "face2", "face3", "disc", "x", "y")
    ),
    notes.FIRST_ROLLED: NoteForm("first-rolled", "MC-031", "set-up", ("face1", "face2", "first")),
    notes.UNIT_DEPLOYED: NoteForm(
        "unit-deployed", "MC-024", "set-up", ("unit", "status", "x", "y", "ahead_x", "ahead_y")
    ),
    notes.TURN_BEGAN: NoteForm("turn-began", "MC-030", "turn", ("number",)),
    notes.POINTS_ROLLED: NoteForm("points-rolled", "MC-033", "points", ("side", "face1", "active", "points")),
    notes.UNIT_MOVED: NoteForm("unit-moved", "MC-047", "actions", ("unit", "cost", "from_x", "from_y", "x", "y")),
    notes.UNIT_FLEW: NoteForm("unit-flew", "MC-054", "actions", ("unit", "cost", "from_x", "from_y", "x", "y")),
    notes.UNIT_RETURNED: NoteForm("unit-returned", "MC-058", "actions", ("unit", "cost", "x", "y")),
    notes.UNIT_EMERGED: NoteForm("unit-emerged", "MC-060", "actions", ("unit", "cost", "x", "y")),
    notes.UNIT_TURNED: NoteForm("unit-turned", "MC-047", "actions", ("unit", "target", "ahead_x", "ahead_y")),
    notes.SHOT_ROLLED: NoteForm("shot-rolled", "MC-073", "actions", _SHOT, _TO_HIT, flags=("hit",)),
    notes.SUPPRESSION_ROLLED: NoteForm("suppression-rolled", "MC-081", "actions", _SHOT, _TO_HIT, flags=("hit",)),
    notes.SUPPRESSION_PLACED: NoteForm(
        "suppression-placed", "MC-081", "actions", ("unit", "target", "cost", "markers")
    ),
    notes.LOCK_PLACED: NoteForm("lock-placed", "MC-086", "actions", ("unit", "target", "cost")),
    notes.REPAIR_ROLLED: NoteForm(
        "repair-rolled",
        "MC-090",
        "actions",
        ("unit", "cost", "face", "number", "success", "damage"),
        flags=("success",),
    ),
    notes.SUPPRESSION_REMOVED: NoteForm("suppression-removed", "MC-084", "actions", ("unit", "cost", "markers")),
    notes.BEACON_CLAIMED: NoteForm("beacon-claimed", "MC-124", "actions", ("unit", "cost", "objective", "side")),
    notes.CHARGE_ROLLED: NoteForm(
        "charge-rolled",
        "MC-125",
        "actions",
        ("unit", "cost", "face", "number", "success", "charges"),
        flags=("success",),
    ),
    notes.HIT_TAKEN: NoteForm("hit-taken", "MC-073", "actions", ("unit", "target", "damage")),
    notes.UNIT_ELIMINATED: NoteForm("unit-eliminated", "MC-100", "actions", ("unit", "by", "lost")),
    notes.RESOLVE_ROLLED: NoteForm(
        "resolve-rolled",
        "MC-101",
        "actions",
        ("side", "face", "bonus", "losses", "score", "retreats"),
        {"bonus": ("resolve bonus", "MC-101"), "losses": ("units eliminated", "MC-101")},
        flags=("retreats",),
        rules=(("retreats", "MC-102"),),
    ),
    notes.UNIT_LEFT: NoteForm("unit-left", "MC-057", "player-turn-end", ("unit",)),
    notes.PLAYER_TURN_ENDED: NoteForm("player-turn-ended", "MC-032", "player-turn-end", ("side", "left_over")),
    notes.BEACONS_SCORED: NoteForm("beacons-scored", "MC-124", "turn-end", ("points_a", "points_b")),
    notes.BATTLE_ENDED: NoteForm("battle-ended", "MC-122", "end", ("winner", "reason", "turns", "decided_by")),
}


def number(event: Event, name: str) -> int:
    """A whole number of an event's result."""
    return int(event.result[name] or 0)


def inches(hundredths: int) -> str:
    """A length in inches, as short as it is exact."""
    return f"{hundredths / 100:g}"


def spot(event: Event) -> str:
    """The place of which an event speaks, in inches from the left and from side A's edge."""
    return f"({inches(number(event, 'x'))}, {inches(number(event, 'y'))})"


def total(event: Event) -> int:
    """The die of an event with all that is added to it."""
    return event.faces[-1] + sum(modifier.value for modifier in event.modifiers)


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _markers(count: int) -> str:
    return _plural(count, "suppression marker")


def sentence(event: Event, names: Mapping[str, str], sides: Sequence[str], objectives: Sequence[str]) -> str:
    """The event in words."""
    unit = names.get(event.unit or "", "")
    target = names.get(event.target or "", "")
    r = event.result
    match event.kind:
        case "terrain-rolled":
            if not r["disc"]:
                return f"Sector {r['sector']} is open ground."
            name = CATALOGUE.terrain[DISC_KINDS[number(event, "disc")]].name.lower()
            return f"Sector {r['sector']} holds a {name} at {spot(event)}."
        case "first-rolled":
            first = number(event, "first")
            if first == codes.NOBODY:
                return "The roll for the first turn is a tie: once more."
            return f"{sides[first]} takes the first turn."
        case "unit-deployed":
            status = number(event, "status")
            if status == codes.TABLE:
                return f"{unit} sets up at {spot(event)}."
            return f"{unit} starts {STATUS_WORDS[status]}."
        case "turn-began":
            return f"Turn {r['number']}."
        case "points-rolled":
            side, active = sides[number(event, "side")], _plural(number(event, "active"), "active unit")
            return f"{side} has {_plural(number(event, 'points'), 'action point')}: {active} and the die."
        case "unit-moved" | "unit-flew":
            if (r["from_x"], r["from_y"]) == (r["x"], r["y"]):
                return f"{unit} {'circles' if event.kind == 'unit-flew' else 'turns'} on the spot."
            verb = "flies" if event.kind == "unit-flew" else "moves"
            return f"{unit} {verb} to {spot(event)}."
        case "unit-returned":
            return f"{unit} returns to the table at {spot(event)}."
        case "unit-emerged":
            return f"{unit} comes up at the tunnel mouth {spot(event)}."
        case "unit-turned":
            return f"{unit} turns to face {target}."
        case "shot-rolled" | "suppression-rolled":
            done = "hit" if r["hit"] else "miss"
            verb = "fires at" if event.kind == "shot-rolled" else "lays suppressive fire on"
            return f"{unit} {verb} {target}: {total(event)} against {r['number']}+, {done}."
        case "suppression-placed":
            return f"{unit} suppresses {target}: it has {_markers(number(event, 'markers'))}."
        case "lock-placed":
            return f"{unit} puts a target lock on {target}."
        case "repair-rolled":
            done = "removes 1 damage" if r["success"] else "repairs nothing"
            return f"{unit} {done}: {event.faces[0]} against {r['number']}+, {r['damage']} damage left."
        case "suppression-removed":
            left = f"{_markers(number(event, 'markers'))} left" if r["markers"] else "free to act"
            return f"{unit} recovers: {left}."
        case "beacon-claimed":
            return f"{unit} claims {objectives[number(event, 'objective')]}."
        case "charge-rolled":
            done = f"sets charge {r['charges']}" if r["success"] else "fails to set a charge"
            return f"{unit} {done}: {event.faces[0]} against {r['number']}+."
        case "hit-taken":
            return f"{unit} takes 1 damage from {target}: {r['damage']} in all."
        case "unit-eliminated":
            lost = _plural(number(event, "lost"), "unit")
            return f"{unit} is eliminated by {names.get(str(r['by']), '')}: its side has lost {lost}."
        case "resolve-rolled":
            done = "its force retreats" if r["retreats"] else "it fights on"
            return f"{sides[number(event, 'side')]} tests resolve: {r['score']}, {done}."
        case "unit-left":
            return f"{unit} has not moved and leaves the table."
        case "player-turn-ended":
            points = number(event, "left_over")
            spent = f"{_plural(points, 'action point')} left over" if points else "all action points are spent"
            return f"{sides[number(event, 'side')]}'s turn ends, {spent}; its markers are taken off."
        case "beacons-scored":
            return f"Beacon points: {sides[0]} {r['points_a']}, {sides[1]} {r['points_b']}."
        case "battle-ended":
            return _ending(event, sides)
    raise ValueError(f"no words for {event.kind}")


def _ending(event: Event, sides: Sequence[str]) -> str:
    winner, reason = number(event, "winner"), number(event, "reason")
    when = f"in turn {event.result['turns']}"
    if reason == codes.TIME:
        told = DECIDED_TOLD[number(event, "decided_by")]
        who = "a draw" if winner == codes.NOBODY else f"{sides[winner]} wins"
        return f"Time is up after turn {event.result['turns']}: {who}, {told}."
    return f"{sides[winner]} wins {when}: {REASONS_TOLD[reason]}."
