"""A unit as spectators see it, how events change it, and the names of steps, ends, bonuses and orders in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from systems.battle_display import Situation
from systems.engine.events import Event, alters, shows
from systems.mechastellar.battle import state as codes
from systems.spaces import Stand, TableView


@dataclass(frozen=True, slots=True)
class StellarView(TableView):
    """A unit with its penalties and remaining resources."""

    momentum: int = 0  # of its side
    power: int = 0
    havoc: int = 0
    boost: int = 0
    max_power: int = 0
    max_havoc: int = 0
    penalties: int = 0
    is_down: bool = False  # shut down
    engages: int = 0  # its engagement range in hundredths of an inch
    is_commander: bool = False
    is_active: bool = False
    has_activated: bool = False
    is_open: bool = False  # its own Power bonus costs it 1 DEF
    mode: str = ""  # "B" if the unit has transformed
    is_high: bool = False
    challenged: bool = False
    scored: int = 0  # victory points scored
    carries: tuple[str, ...] = ()  # names of its weapons
    weapons_lost: tuple[int, ...] = ()

    @property
    def ring(self) -> int:
        return 0 if self.destroyed or self.stand is None else self.engages

    @property
    def lost_parts(self) -> tuple[str, ...]:
        return tuple(self.carries[at] for at in self.weapons_lost)

    @property
    def marks(self) -> tuple[str, ...]:
        return ("acting",) if self.is_active and not self.destroyed else ()

    @property
    def states(self) -> tuple[str, ...]:
        """Return its states other than HP and place."""
        if self.destroyed:
            return ()
        flags: Mapping[str, object] = {
            "Commander": self.is_commander,
            "active": self.is_active,
            "has acted": self.has_activated and not self.is_active,
            "crippled": self.hits * 2 < self.max_hits,
            "shut down": self.is_down,
            f"{self.penalties} Action{'s' if self.penalties > 1 else ''} lost": self.penalties and not self.is_down,
            "open": self.is_open,
            "in mode B": self.mode,
            "on High Ground": self.is_high,
            "in a Challenge": self.challenged,
            f"Power {self.power} of {self.max_power}": self.max_power,
            f"Havoc {self.havoc} of {self.max_havoc}": self.max_havoc,
            f"Boost {self.boost}": self.boost,
        }
        return tuple(word for word, holds in flags.items() if holds)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.states


def stood(unit: StellarView, event: Event) -> StellarView:
    """Return the unit at its new place."""
    return replace(unit, stand=Stand(*(event.number(name) for name in ("x", "y", "ahead_x", "ahead_y"))))


goes = alters(stood)


def pooled(situation: Situation, event: Event) -> Situation:
    """Set a side's Momentum from the event."""
    return shows("side", momentum=event.number("pool"))(situation, event)


def _each(situation: Situation, **values: object) -> Situation:
    units = (replace(unit, **values) for unit in situation.units)  # type: ignore[arg-type]
    return replace(situation, units=tuple(units))


def round_began(situation: Situation, event: Event) -> Situation:
    """Start a Round: nobody has acted; Power and Havoc are refreshed."""
    units = tuple(
        replace(unit, is_active=False, has_activated=False, power=unit.max_power, havoc=unit.max_havoc)
        for unit in situation.units
        if isinstance(unit, StellarView)
    )
    return replace(situation, units=units)


def activated(situation: Situation, event: Event) -> Situation:
    """Make this unit the only active one."""
    return shows(is_active=True, has_activated=True, is_open=False)(_each(situation, is_active=False), event)


def rested(situation: Situation, event: Event) -> Situation:
    """Make no unit active."""
    return _each(situation, is_active=False)


def removed(situation: Situation, event: Event) -> Situation:
    """Remove a unit, and credit the kill and its victory points to the unit that destroyed it."""
    gone = shows(destroyed=True, stand=None, is_active=False)(situation, event)

    def credit(unit: StellarView) -> StellarView:
        is_enemy = unit.side == event.number("side")
        return replace(unit, kills=unit.kills + 1, scored=unit.scored + event.number("score")) if is_enemy else unit

    return gone.changed(str(event.result["by"]), credit)  # type: ignore[arg-type]


def scored(unit: StellarView, event: Event) -> StellarView:
    return replace(unit, scored=unit.scored + event.number("score"))


def transformed(unit: StellarView, event: Event) -> StellarView:
    return replace(unit, mode="B" if event.number("mode") else "")


def disarmed(unit: StellarView, event: Event) -> StellarView:
    return replace(unit, weapons_lost=(*unit.weapons_lost, event.number("arm")))


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
    codes.OPERATIONS_SUPPORT: "Operations Support: {target} has 1 more Action",
}


POWER_STEPS = {
    codes.STEP_DMG: "+100 DMG for each step",
    codes.STEP_PEN: "more PEN",
    codes.STEP_POWER_BARRIER: "+1 DEF for its Barrier",
}


HAVOC_STEPS = {
    codes.STEP_HAVOC_BARRIER: "+2 DEF for its Barrier",
    codes.STEP_HITS: "2 more Hits",
    codes.STEP_CRASH: "+200 DMG for Crashes this Round",
    codes.STEP_COVER: "an attack on the Cover of its target",
    codes.STEP_ACTIONS: "2 more Actions",
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
