"""The names of steps, ends, bonuses and orders in sentences about a battle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from systems.engine.events import Event
from systems.mechastellar.battle import state as codes

STEPS = {
    "set-up": "Set-up",
    "start": "The Round begins",
    "turn": "Turn",
    "move": "Moving",
    "attack": "Attack",
    "end-turn": "End of the turn",
    "end-round": "End of the Round",
    "end": "End of the battle",
}


DIE = 10  # highest face


REASONS = {codes.WIPED_OUT: "wiped-out", codes.LAST_ROUND: "rounds"}


END_TEXTS = {"wiped-out": "one side has nobody left", "rounds": "the last Round is over"}


BONUSES = {
    codes.NO_BONUS: "",
    codes.BULLSEYE: "Bullseye",
    codes.BARRAGE: "Barrage",
    codes.BALANCED: "Balanced",
    codes.SWIFT: "Swift",
    codes.POWER_BONUS: "Power",
}


REPLIES = {codes.DODGE: "Dodge", codes.GUARD: "Guard", codes.COUNTER: "a Counter"}


MANNERS = {
    codes.PLAIN: "",
    codes.INDIRECT: "indirectly",
    codes.THROUGH_WALLS: "through walls",
    codes.STRIP: "over an area",
    codes.CRASH: "crashing",
    codes.REMOTE: "by remote",
    codes.OVERWATCH: "Overwatch",
    codes.THROW_ENEMY: "thrown",
    codes.THROW_TERRAIN: "thrown",
}


ORDERS = {
    codes.TACTICAL_SUPPORT: "Tactical Support for {target}: it hits on 3+",
    codes.OPERATIONS_SUPPORT: "Operations Support: 1 Action more for {target}",
}


POWER_STEPS = {
    codes.STEP_DMG: "100 more DMG for each step",
    codes.STEP_PEN: "more PEN",
    codes.STEP_POWER_BARRIER: "1 DEF more on its Barrier",
}


HAVOC_STEPS = {
    codes.STEP_HAVOC_BARRIER: "2 DEF more on its Barrier",
    codes.STEP_HITS: "2 Hits more",
    codes.STEP_CRASH: "200 more DMG of Crashes in this Round",
    codes.STEP_COVER: "an attack on the Cover of its target",
    codes.STEP_ACTIONS: "2 Actions more",
}


def inches(hundredths: int) -> str:
    """Return a length in inches, in the shortest exact form."""
    return f"{hundredths / 100:g}"


def event_parts(
    weapons: Mapping[str, Sequence[str]], points: Sequence[str], pieces: Sequence[str]
) -> Callable[[Event], Mapping[str, str]]:
    """Return a function that names the weapon, place, control point and piece of terrain of an event."""

    def of(event: Event) -> Mapping[str, str]:
        found = {}
        if "x" in event.result:
            found["spot"] = f"({inches(event.number('x'))}, {inches(event.number('y'))})"
        if "arm" in event.result and event.number("arm") >= 0:
            found["arm"] = weapons[event.unit or ""][event.number("arm")]
        if "point" in event.result:
            found["point"] = points[event.number("point")]
        if "disc" in event.result:
            at = event.number("disc")
            found["disc"] = pieces[at] if at < len(pieces) else "wreck"  # a Warship's wreck, which only appears later
        return found

    return of
