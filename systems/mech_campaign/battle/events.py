"""FACTS: every kind of event in a battle; and the changes of units that spectators see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from systems.battle_display import Situation
from systems.engine.events import Event, EventWords, Fact, Facts, alters, part, shows, when
from systems.mech_campaign.battle import state as codes
from systems.mech_campaign.catalogue import CATALOGUE, DAMAGE_TO_ELIMINATE
from systems.spaces import Stand, TableView


@dataclass(frozen=True, slots=True)
class MechView(TableView):
    """A mech, track, drone or gun sentry."""

    specials: int = 0  # number of successful special actions


PLACES = {codes.AWAY: "away", codes.UNDER: "underground"}
FACINGS = {codes.SIDE_A: (0, 1), codes.SIDE_B: (0, -1)}


def hits_left(event: Event) -> int:
    return DAMAGE_TO_ELIMINATE - event.number("damage")


def deployed(unit: MechView, event: Event) -> MechView:
    status = event.number("status")
    if status != codes.TABLE:
        return replace(unit, place=PLACES[status])
    ahead = event.number("ahead_x"), event.number("ahead_y")
    return replace(unit, stand=Stand(event.number("x"), event.number("y"), *ahead), place="")


def moved(unit: MechView, event: Event) -> MechView:
    """Return the unit at its new place. Units entering the table face the enemy's edge."""
    ahead = (unit.stand.face_x, unit.stand.face_y) if unit.stand else FACINGS[unit.side]
    return replace(unit, stand=Stand(event.number("x"), event.number("y"), *ahead), place="")


def turned(unit: MechView, event: Event) -> MechView:
    assert unit.stand is not None
    return replace(unit, stand=replace(unit.stand, face_x=event.number("ahead_x"), face_y=event.number("ahead_y")))


def uses_lock(event: Event) -> bool:
    """Return True if a shot used a target lock, which removes it. MC-075."""
    return any(part.rule == "MC-075" for part in event.modifiers)


def succeeded(unit: MechView, event: Event) -> MechView:
    return replace(unit, specials=unit.specials + 1)


def eliminated(situation: Situation, event: Event) -> Situation:
    gone = shows(destroyed=True, stand=None, suppression=0, locked_by=None)(situation, event)
    return gone.changed(str(event.result["by"]), lambda unit: replace(unit, kills=unit.kills + 1))


def retreated(unit: MechView, event: Event) -> MechView:
    return replace(unit, withdrew=not unit.destroyed)


def freed(unit: MechView, event: Event) -> MechView:
    return replace(unit, suppression=0, locked_by=None)


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
REASON_TEXTS = {
    codes.RETREAT: "the other force retreats",
    codes.WIPED_OUT: "the other force is wiped out",
    codes.LEFT_FIELD: "the other force has nothing left on the table",
    codes.SABOTAGED: "the drill is blown up",
}
END_TEXTS = {REASONS[code]: REASON_TEXTS.get(code, "time is up") for code in REASONS}
DECIDED_TEXTS = {
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
_SHOT = "unit target cost face number cover height lock aim hit?"
_HIT_OR_MISS = {"hit": ("miss", "hit")}
_LOCK_GONE = when(uses_lock, shows("target", locked_by=None))


def inches(hundredths: int) -> str:
    """Return a length in inches, in the shortest exact form."""
    return f"{hundredths / 100:g}"


def event_parts(objectives: Sequence[str]) -> Callable[[Event], Mapping[str, str]]:
    """Return a function that names an event's objective and its place, in inches from the left and side A's edge."""

    def of(event: Event) -> Mapping[str, str]:
        found = {}
        if "x" in event.result:
            found["spot"] = f"({inches(event.number('x'))}, {inches(event.number('y'))})"
        if "objective" in event.result:
            found["objective"] = objectives[event.number("objective")]
        return found

    return of


def _terrain(words: EventWords) -> str:
    if not words["disc"]:
        return f"Sector {words['sector']} is open ground."
    name = CATALOGUE.terrain[DISC_KINDS[words.number("disc")]].name.lower()
    return f"Sector {words['sector']} holds a {name} at {words['spot']}."


def _first(words: EventWords) -> str:
    first = words.number("first")
    if first == codes.NOBODY:
        return "The roll for the first turn is tied: both roll again."
    return f"{words.sides[first]} takes the first turn."


def _deployed(words: EventWords) -> str:
    status = words.number("status")
    if status == codes.TABLE:
        return f"{words['unit']} sets up at {words['spot']}."
    return f"{words['unit']} starts {STATUS_WORDS[status]}."


def _moved(goes: str, turns: str) -> Callable[[EventWords], str]:
    def tell(words: EventWords) -> str:
        before, now = [(words.number(f"{which}x"), words.number(f"{which}y")) for which in ("from_", "")]
        return (
            f"{words['unit']} {turns} on the spot." if before == now else f"{words['unit']} {goes} to {words['spot']}."
        )

    return tell


def _recovered(words: EventWords) -> str:
    left = f"{words['markers']:suppression marker} left" if words["markers"] else "free to act"
    return f"{words['unit']} recovers: {left}."


def _charged(words: EventWords) -> str:
    done = f"sets charge {words['charges']}" if words["success"] else "fails to set a charge"
    return f"{words['unit']} {done}: {words['last']} against {words['number']}+."


def _turn_ended(words: EventWords) -> str:
    points = words["left_over"]
    left = f"{points:action point}" if points else "no action points"
    return f"{words['side']}'s turn ends with {left} left. Its markers are removed."


def _ended(words: EventWords) -> str:
    winner, reason = words.number("winner"), words.number("reason")
    if reason == codes.TIME:
        who = "a draw" if winner == codes.NOBODY else f"{words.sides[winner]} wins"
        return f"Time is up after turn {words['turns']}: {who}, {DECIDED_TEXTS[words.number('decided_by')]}."
    return f"{words.sides[winner]} wins in turn {words['turns']}: {REASON_TEXTS[reason]}."


FACTS = Facts(
    Fact("terrain-rolled", "MC-022", "set-up", "sector face1 face2 face3 disc x y", _terrain),
    Fact("first-rolled", "MC-031", "set-up", "face1 face2 first", _first),
    Fact(
        "unit-deployed", "MC-024", "set-up", "unit status x y ahead_x ahead_y", _deployed,
        effect=alters(deployed),
    ),
    Fact("turn-began", "MC-030", "turn", "number", "Turn {number}."),
    Fact(
        "points-rolled", "MC-033", "points", "side face1 active points",
        "{side} has {points:action point}: {active:active unit} plus the die.",
    ),
    Fact(
        "unit-moved", "MC-047", "actions", "unit cost from_x from_y x y", _moved("moves", "turns"),
        effect=alters(moved),
    ),
    Fact(
        "unit-flew", "MC-054", "actions", "unit cost from_x from_y x y", _moved("flies", "circles"),
        effect=alters(moved),
    ),
    Fact(
        "unit-returned", "MC-058", "actions", "unit cost x y", "{unit} returns to the table at {spot}.",
        effect=alters(moved),
    ),
    Fact(
        "unit-emerged", "MC-060", "actions", "unit cost x y", "{unit} surfaces at the tunnel mouth {spot}.",
        effect=alters(moved),
    ),
    Fact(
        "unit-turned", "MC-047", "actions", "unit target ahead_x ahead_y", "{unit} turns to face {target}.",
        effect=alters(turned),
    ),
    Fact(
        "shot-rolled", "MC-073", "actions", _SHOT, "{unit} fires at {target}: {sum} against {number}+, {hit}.",
        words=_HIT_OR_MISS, modifiers=_TO_HIT, decided="hit", effect=_LOCK_GONE,
    ),
    Fact(
        "suppression-rolled", "MC-081", "actions", _SHOT,
        "{unit} lays suppressive fire on {target}: {sum} against {number}+, {hit}.",
        words=_HIT_OR_MISS, modifiers=_TO_HIT, decided="hit", effect=_LOCK_GONE,
    ),
    Fact(
        "suppression-placed", "MC-081", "actions", "unit target cost markers",
        "{unit} suppresses {target}: it has {markers:suppression marker}.",
        effect=shows("target", suppression=part("markers")),
    ),
    Fact(
        "lock-placed", "MC-086", "actions", "unit target cost", "{unit} puts a target lock on {target}.",
        effect=shows("target", locked_by=lambda event: event.unit),
    ),
    Fact(
        "repair-rolled", "MC-090", "actions", "unit cost face number success? damage",
        "{unit} {success}: {last} against {number}+, {damage} damage left.",
        words={"success": ("repairs nothing", "removes 1 damage")}, decided="success",
        effect=shows(hits=hits_left), mark="support", when="success",
    ),
    Fact(
        "suppression-removed", "MC-084", "actions", "unit cost markers", _recovered,
        effect=shows(suppression=part("markers")),
    ),
    Fact(
        "beacon-claimed", "MC-124", "actions", "unit cost objective side", "{unit} claims {objective}.",
        effect=alters(succeeded), mark="objective",
    ),
    Fact(
        "charge-rolled", "MC-125", "actions", "unit cost face number success? charges", _charged,
        decided="success", effect=when("success", alters(succeeded)), mark="objective", when="success",
    ),
    Fact(
        "hit-taken", "MC-073", "actions", "unit target damage",
        "{unit} takes 1 damage from {target}: {damage} in all.",
        look="hit", effect=shows(hits=hits_left),
    ),
    Fact(
        "unit-eliminated", "MC-100", "actions", "unit by lost",
        "{unit} is eliminated by {by}: its side has lost {lost:unit}.",
        effect=eliminated, mark="kill",
    ),
    Fact(
        "resolve-rolled", "MC-101", "actions", "side face bonus losses score retreats?",
        "{side} tests resolve: {score}, {retreats}.",
        words={"retreats": ("it fights on", "its force retreats")},
        modifiers={"bonus": ("resolve bonus", "MC-101"), "losses": ("units eliminated", "MC-101")},
        rules={"retreats": "MC-102"}, effect=when("retreats", alters(retreated, "side")),
    ),
    Fact(
        "unit-left", "MC-057", "player-turn-end", "unit", "{unit} hasn’t moved and leaves the table.",
        effect=shows(stand=None, place="away"),
    ),
    Fact(
        "player-turn-ended", "MC-032", "player-turn-end", "side left_over", _turn_ended,
        effect=alters(freed, "side"),
    ),
    Fact(
        "beacons-scored", "MC-124", "turn-end", "points_a points_b",
        "Beacon points: {sides[0]} {points_a}, {sides[1]} {points_b}.",
    ),
    Fact("battle-ended", "MC-122", "end", "winner reason turns decided_by", _ended),
)  # fmt: skip
