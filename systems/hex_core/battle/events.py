"""FACTS: every kind of battle event, one row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from systems.engine.events import Event, EventWords, Fact, Facts, when
from systems.hex_core.battle import effects
from systems.hex_core.battle import state as codes
from systems.hex_core.battle.effects import AREA_NAMES, states
from systems.hex_core.catalogue import COLUMNS

STEPS = {
    "set-up": "Set-up",
    "start": "The Round begins",
    "turn": "Turn",
    "movement": "Movement Phase",
    "action": "Attacks and actions",
    "end-phase": "End of the Round",
    "end": "End of the battle",
}
REASONS = {
    codes.ELIMINATED: "elimination",
    codes.RETRIEVED: "retrieval",
    codes.POINTS: "points",
    codes.MARK_GONE: "assassination",
    codes.LAST_ROUND: "rounds",
    codes.SURRENDERED: "surrender",
}
END_TEXTS = {
    "elimination": "one side has nobody left",
    "retrieval": "two objects are home",
    "points": "seven points and more than the enemy",
    "assassination": "the marked unit is gone",
    "rounds": "the last Round is over",
    "surrender": "the other side surrenders",
}
CAUSES = {
    codes.BY_ATTACK: "an attack",
    codes.BY_COUNTER: "a counter",
    codes.BY_THROW: "a throw",
    codes.BY_FALL: "a fall",
    codes.BY_BLAST: "an explosion",
    codes.BY_ABYSS: "the deep",
    codes.BY_DISPUTE: "a dispute",
}
FISTS = "fists"
FOUND = "picked-up weapon"  # a friend's weapon, named in the event of picking it up
RESULTS = {
    codes.TIE: "both pass and roll again",
    codes.WIN: "the grapple is won",
    codes.BROKEN_CONTACT: "contact is broken",
    codes.NO_HOLD: "neither gets a hold",
}
_STAND = "at facing level"
FACINGS = (
    "up",
    "up and right",
    "down and right",
    "down",
    "down and left",
    "up and left",
)  # up: the top edge of the map
_HIT_PARTS = {
    "woods": ("woods", "HX-142"),
    "smoke": ("smoke", "HX-144"),
    "plus1": ("level +1", "HX-158"),
    "plus2": ("level +2", "HX-157"),
    "plus3": ("level +3", "HX-156"),
    "kneeling": ("kneeling", "HX-105"),
    "prone": ("prone", "HX-106"),
    "trait": ("trait", "HX-051"),
}
_EVASION_PARTS = {
    "plus3": ("level +3", "HX-156"),
    "minus1": ("level −1", "HX-160"),
    "minus2": ("level −2", "HX-161"),
}


def event_parts(
    weapons: Mapping[str, Mapping[int, str]],
    drones: Mapping[str, tuple[str, ...]],
    vehicles: frozenset[str],
) -> Callable[[Event], Mapping[str, str]]:
    """Return a function that names the hex, weapon, drone and area of an event."""

    def of(event: Event) -> Mapping[str, str]:
        found: dict[str, str] = {}
        result = event.result
        if "at" in result:
            found["spot"] = spot(event.number("at"))
        if "object" in result:
            found["goal"] = str(event.number("object") + 1)
        if "slot" in result and event.number("slot") >= 0:
            slot = event.number("slot")
            found["weapon"] = weapons.get(event.unit or "", {}).get(slot, FISTS if slot == codes.UNARMED else FOUND)
        if "drone" in result and event.number("drone") >= 0:
            found["which"] = drones[event.unit or ""][event.number("drone")]
        if "prey" in result and event.number("prey") >= 0:
            found["victim"] = drones[event.target or ""][event.number("prey")]
        if "area" in result:
            found["part"] = area_name(event, event.target if event.kind == "attack-rolled" else event.unit)
        return found

    def area_name(event: Event, whose: str | None) -> str:
        area = event.number("area")
        if area < codes.AREAS:
            return AREA_NAMES[whose in vehicles][area].lower()
        if area == codes.SHIELD:
            return "shield"
        return weapons.get(whose or "", {}).get(area - codes.WEAPONS, FOUND)

    return of


def spot(at: int) -> str:
    """Describe a hex: column and row from the top left, from 0."""
    return f"({at % COLUMNS}, {at // COLUMNS})"


def _off(words: EventWords) -> str:
    first = words.number("first")
    if first == codes.NOBODY:
        return "The roll is tied: both roll again."
    what = "goes first" if words.number("what") else "places the next one"
    return f"{words.sides[first]} rolls higher and {what}."


def _pool(words: EventWords) -> str:
    frozen = ", limited because it is frozen" if words.number("frozen") else ""
    return f"{words['unit']} has {words['pool']} AP: {words['base']} + {words['last']}{frozen}."


def _level(words: EventWords) -> str:
    level = words.number("level")
    return f" at level {level:+d}".replace("-", "−") if level else ""


def _set_up(words: EventWords) -> str:
    return f"{words['unit']} is set up at {words['spot']}{_level(words)}, facing {FACINGS[words.number('facing')]}."


def _stepped(words: EventWords) -> str:
    return f"{words['unit']} moves to {words['spot']}{_level(words)}."


def _freed(words: EventWords) -> str:
    return f"{words['unit']} is free and stands at {words['spot']}, facing {FACINGS[words.number('facing')]}."


def _hexes(count: int) -> str:
    return "1 hex" if count == 1 else f"{count} hexes"


def _thrown(words: EventWords) -> str:
    far, facing = _hexes(words.number("hexes")), FACINGS[words.number("facing")]
    return f"{words['unit']} is thrown {far} to {words['spot']} by {words['by']}, facing {facing}."


def _away(words: EventWords) -> str:
    """Describe the distance and levels of an attack; records under older rules lack them."""
    if "distance" not in words.event.result:
        return ""
    rise = f" and {words['rise']:level}" if words.number("rise") else ""
    return f", {_hexes(words.number('distance'))}{rise} away"


def _paid(words: EventWords) -> str:
    """Describe an attack's cost and the remaining AP."""
    if not words.event.result.get("paid"):
        return ""
    left = f", {words['left']} left" if "left" in words.event.result else ""
    return f" {words['paid']} AP{left}."


def _attacked(words: EventWords) -> str:
    with_what = words.parts.get("weapon", "fists")
    who = words["unit"] if "which" not in words.parts else f"{words['unit']}’s {words.parts['which']}"
    aim = (
        f"{words['target']}’s {words.parts['victim']}"
        if "victim" in words.parts
        else f"{words['target']}’s {words['part']}"
    )
    tool = "" if "which" in words.parts else f" with its {with_what}"
    verb = "strikes at" if words.number("melee") else "fires at"
    return f"{who} {verb} {aim}{tool}{_away(words)}: {words['sum']}, needs {words['need']}.{_paid(words)}"


def _evaded(words: EventWords) -> str:
    who = words["unit"] if "which" not in words.parts else f"{words['unit']}’s {words.parts['which']}"
    made = "evades" if words.event.result["made"] else "fails to evade"
    return f"{who} {made}: {words['sum']}, needs {words['need']}."


def _countered(words: EventWords) -> str:
    made = "hits" if words.event.result["made"] else "misses"
    return f"{words['unit']} returns fire with its {words.parts.get('weapon', FISTS)} and {made}: {words['last']}, needs {words['need']}."


def _critical(words: EventWords) -> str:
    flank = f", {words['flank']} of it for the Flank" if words.number("flank") else ""
    what = "Critical hit" if words.event.result["made"] else "Hit"
    return f"{what}: {words['amount']} damage to {words['target']}{flank}."


def _hurt(words: EventWords) -> str:
    left = words.number("left")
    rest = f"{left} DP left" if left else "nothing left of it"
    how = "" if words.number("cause") == codes.BY_ATTACK else f" from {CAUSES[words.number('cause')]}"
    return f"{words['unit']} takes {words['amount']} damage to its {words['part']}{how}: {rest}."


def _item(name: str) -> Callable[[EventWords], str]:
    def tell(words: EventWords) -> str:
        left = words.number("left")
        rest = f"{left} DP left" if left else "destroyed"
        what = name or words.parts.get("weapon") or words.parts.get("which", "")
        return f"{words['unit']}’s {what} takes {words['amount']} damage: {rest}."

    return tell


def _by(what: str) -> Callable[[EventWords], str]:
    def tell(words: EventWords) -> str:
        by = f" by {words['by']}" if words.event.result.get("by") else ""
        return f"{words['unit']} {what}: {CAUSES[words.number('cause')]}{by}."

    return tell


def _grappled(words: EventWords) -> str:
    paid = f" ({words['paid']} AP)" if words.event.result.get("paid") else ""
    return f"{words['unit']} grapples {words['target']}{paid}: {words['result']}."


def _turned(words: EventWords) -> str:
    paid = ", for 1 SM point" if words.number("cost") else ""
    return f"{words['unit']} turns to face {FACINGS[words.number('facing')]}{paid}."


def _swapped(words: EventWords) -> str:
    return f"{words['unit']} draws its {words['weapon']} (2 AP)."


def _formed(words: EventWords) -> str:
    form = words.number("form")
    what = "transforms" if form != codes.MECH else "changes back"
    return f"{words['unit']} {what} (2 AP){_level(words)}."


def _pushed(made: str, failed: str, flag: str) -> Callable[[EventWords], str]:
    def tell(words: EventWords) -> str:
        return (made if words.event.result[flag] else failed).format_map(words)

    return tell


def _ended(words: EventWords) -> str:
    winner = words.number("winner")
    who = "A draw" if winner == codes.NOBODY else f"{words.sides[winner]} wins"
    why = END_TEXTS[REASONS[words.number("reason")]]
    points = (
        f" Points: {words['points_a']} to {words['points_b']}."
        if words.number("points_a") or words.number("points_b")
        else ""
    )
    home = ""
    if words.number("secured_a") or words.number("secured_b"):
        home = f" Objects brought home: {words['secured_a']} and {words['secured_b']}."
    return f"{who} after {words['rounds']:Round}: {why}.{points}{home}"


FACTS = Facts(
    Fact("off-rolled", "HX-058", "set-up", "face1 face2 first what", _off),
    Fact("objective-placed", "HX-166", "set-up", "side object at", "{side} places marker {goal} at {spot}."),
    Fact(
        "mark-chosen", "HX-169", "set-up", "unit side", "{side} marks {unit} as its target.",
        effect=states(marked_by_the_enemy=True),
    ),
    Fact("unit-deployed", "HX-059", "set-up", f"unit {_STAND}", _set_up, effect=effects.goes),
    Fact("round-began", "HX-034", "start", "number", "Round {number}."),
    Fact("turn-began", "HX-032", "turn", "unit turn", "It is {unit}’s turn.", effect=effects.turn_began),
    Fact(
        "dispute-rolled", "HX-116", "turn", "unit face1 face2 acts?",
        _pushed("{unit} can act: the dispute is won.", "{unit} can’t act: the dispute isn’t won.", "acts"),
    ),
    Fact("unit-inoperative", "HX-115", "turn", "unit", "{unit} is Inoperative and out of the battle.", look="crit",
         effect=effects.out, mark="kill"),
    Fact("pool-rolled", "HX-061", "turn", "unit face base frozen pool", _pool, rules={"frozen": "HX-133"},
         effect=effects.pooled),
    Fact(
        "break-rolled", "HX-101", "turn", "unit target face grip need made?",
        _pushed("{unit} breaks free of {target} (2 AP): {sum}, needs {need}.",
                "{unit} can’t break free of {target} (2 AP): {sum}, needs {need}.", "made"),
        modifiers={"grip": ("reinforced grip", "HX-050")}, decided="made",
    ),
    Fact("unit-freed", "HX-130", "turn", f"unit target {_STAND}", _freed,
         effect=effects.freed),
    Fact("hold-ended", "HX-130", "turn", "unit", "{unit} no longer holds anyone.", effect=states(holds_an_enemy=False)),
    Fact("got-up", "HX-099", "movement", "unit", "{unit} gets up (2 AP).", effect=states(down=False)),
    Fact("weapon-swapped", "HX-102", "movement", "unit slot stowed place", _swapped),
    Fact("weapon-stowed", "HX-102", "movement", "unit slot", "{unit} puts its {weapon} away (2 AP)."),
    Fact("weapon-retrieved", "HX-103", "movement", "unit target slot place", "{unit} picks up a weapon of {target} (2 AP)."),
    Fact("unit-transformed", "HX-104", "movement", f"unit {_STAND} form", _formed, effect=effects.formed),
    Fact("level-changed", "HX-067", "movement", f"unit {_STAND}", "{unit} moves to level {level}.", effect=effects.goes),
    Fact("pressed-on", "HX-100", "movement", "unit points", "{unit} presses on (2 AP): {points:SM point}."),
    Fact("thrusters-used", "HX-070", "movement", "unit direction hexes", "{unit} uses its thrusters."),
    Fact("unit-stepped", "HX-065", "movement", f"unit {_STAND} cost", _stepped, effect=effects.goes),
    Fact("unit-turned", "HX-066", "movement", f"unit {_STAND} cost", _turned, effect=effects.goes),
    Fact("stance-triggered", "HX-107", "movement", "unit target", "{unit} was waiting for {target}.",
         effect=states(Offensive_Stance=False)),
    Fact(
        "overheat-rolled", "HX-143", "movement", "unit face number overheats?",
        _pushed("{unit} overheats: {last}, needs more than {number}.", "{unit} doesn’t overheat: {last}, needs more than {number}.",
                "overheats"),
        rules={"overheats": "HX-134"}, effect=when("overheats", states(kneeling=True)), mark="heat", when="overheats",
    ),
    Fact(
        "freeze-rolled", "HX-145", "movement", "unit face number freezes?",
        _pushed("{unit} freezes: {last} against {number}.", "{unit} doesn’t freeze: {last} against {number}.", "freezes"),
        rules={"freezes": "HX-133"}, effect=when("freezes", states(frozen=True)), mark="heat", when="freezes",
    ),
    Fact("object-taken", "HX-165", "action", "unit object at", "{unit} picks up object {goal} (2 AP).",
         effect=states(carries_an_object=True), mark="objective"),
    Fact("object-dropped", "HX-165", "action", "unit object at", "{unit} drops object {goal} at {spot}.",
         effect=states(carries_an_object=False)),
    Fact("object-secured", "HX-165", "action", "unit object secured", "{unit} has brought object {goal} home.",
         effect=states(carries_an_object=False), mark="objective"),
    Fact("drones-recalled", "HX-026", "action", "unit", "{unit} recalls its drones (2 AP).", effect=effects.drones_in),
    Fact("drones-launched", "HX-025", "action", "unit", "{unit} sends out drones (2 AP).", mark="support"),
    Fact("drones-repositioned", "HX-027", "action", "unit", "{unit} repositions its drones (2 AP)."),
    Fact("drone-deployed", "HX-025", "action", "unit drone at level", "{unit}’s {which} appears at {spot}.",
         effect=effects.drone_out),
    Fact("drone-moved", "HX-030", "action", "unit drone at level ordered", "{unit}’s {which} moves to {spot}.",
         rules={"ordered": "HX-027"}, effect=effects.drone_out),
    Fact("knelt", "HX-105", "action", "unit", "{unit} kneels (2 AP).", effect=states(kneeling=True, prone=False)),
    Fact("went-prone", "HX-106", "action", "unit", "{unit} goes prone (2 AP).", effect=states(kneeling=False, prone=True)),
    Fact(
        "attack-rolled", "HX-084", "action",
        "unit target slot drone prey area melee face woods smoke plus1 plus2 plus3 kneeling prone trait need made? paid left "
        "distance rise",
        _attacked, modifiers=_HIT_PARTS, rules={"melee": "HX-095"}, decided="made",
    ),
    Fact(
        "evasion-rolled", "HX-087", "action", "unit target drone face plus3 minus1 minus2 need made?", _evaded,
        modifiers=_EVASION_PARTS, decided="made",
    ),
    Fact("counter-rolled", "HX-092", "action", "unit target slot face need made?", _countered, decided="made"),
    Fact("location-rolled", "HX-081", "action", "unit face area", "The hit on {unit} lands on its {part}."),
    Fact("critical-rolled", "HX-089", "action", "unit target face flank amount made?", _critical,
         rules={"made": "HX-090"}, look=("hit", "crit"), decided="made", mark="critical", when="made",
         befalls="target"),
    Fact(
        "building-attacked", "HX-150", "action", "unit slot at face amount made? paid",
        "{unit} hits the building at {spot} for {amount}.",
    ),
    Fact("area-hurt", "HX-088", "action", "unit by area amount left cause", _hurt, look="hit", effect=effects.hurt),
    Fact("area-lost", "HX-109", "action", "unit by area", "{unit} has lost its {part}.", look="crit", mark="critical"),
    Fact("shield-hurt", "HX-108", "action", "unit by amount left", _item("shield"), look="hit",
         effect=effects.shield_hurt),
    Fact("weapon-hurt", "HX-118", "action", "unit by slot amount left", _item(""), look="hit",
         effect=effects.weapon_hurt),
    Fact("drone-hurt", "HX-031", "action", "unit by drone amount left", _item(""), look="hit",
         effect=effects.drone_hurt),
    Fact("weapon-exploded", "HX-120", "action", "unit slot area", "{unit}’s {weapon} explodes.", look="crit", mark="critical"),
    Fact("weapon-dropped", "HX-112", "action", "unit slot at", "{unit} drops its {weapon} at {spot}."),
    Fact("building-hurt", "HX-149", "action", "at amount left", "The building at {spot} takes {amount}: {left} DP left."),
    Fact("building-destroyed", "HX-148", "action", "at", "The building at {spot} is rubble.", look="crit"),
    Fact("unit-fell", "HX-162", "action", f"unit {_STAND} height", "{unit} falls {height:level} to {spot}.",
         look="crit", effect=effects.goes, mark="fall"),
    Fact("unit-destroyed", "HX-111", "action", "unit by cause", _by("is destroyed"), look="crit",
         effect=effects.removed, mark="kill"),
    Fact(
        "grapple-rolled", "HX-122", "action",
        "unit target face1 face2 need against grip other_grip result paid",
        _grappled, words={"result": RESULTS},
    ),
    Fact("throw-rolled", "HX-126", "action", "unit target face limit", "{unit} can throw {target} up to {limit:hex}."),
    Fact(
        "unit-thrown", "HX-127", "action", f"unit by {_STAND} hexes to damage",
        _thrown, effect=effects.thrown, mark="fall",
    ),
    Fact("unit-held", "HX-128", "action", f"unit target {_STAND}", "{unit} holds {target}.", effect=effects.held),
    Fact("offensive-stance", "HX-107", "action", "unit slot paid", "{unit} waits with its {weapon} ready ({paid} AP).",
         effect=states(Offensive_Stance=True)),
    Fact("defensive-stance", "HX-108", "action", "unit slot", "{unit} takes cover behind its shield or weapon (2 AP).",
         effect=states(Defensive_Stance=True)),
    Fact("objective-held", "HX-167", "end-phase", "side object at points",
         "{side} holds Objective {goal}: {points:point}.", mark="objective"),
    Fact("surrendered", "HX-035", "end", "side", "{side} surrenders."),
    Fact(
        "battle-ended", "HX-035", "end", "winner reason rounds points_a points_b secured_a secured_b", _ended,
    ),
)  # fmt: skip
