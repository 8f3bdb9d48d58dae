"""What a spectator sees: the opening position and how each event changes it. Plays back without the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from systems.battle import Chapter, Situation, Stand, UnitView
from systems.engine.events import Event
from systems.mech_campaign.battle import state as codes
from systems.mech_campaign.battle.events import number
from systems.mech_campaign.battle.setup import field_units, unit_names
from systems.mech_campaign.catalogue.types import DAMAGE_TO_ELIMINATE
from systems.setups import Setup, once_a_setup

MOVES = {"unit-moved", "unit-flew", "unit-returned", "unit-emerged"}
PLACES = {codes.AWAY: "away", codes.UNDER: "underground"}
FACINGS = {codes.SIDE_A: (0, 1), codes.SIDE_B: (0, -1)}


@once_a_setup
def opening(setup: Setup) -> Situation:
    """All units before they set up."""
    return Situation(
        tuple(
            UnitView(
                key=fielded.unit.key,
                name=fielded.name,
                side=fielded.side,
                chassis=fielded.spec.kind,
                hits=DAMAGE_TO_ELIMINATE - fielded.damage,
                max_hits=DAMAGE_TO_ELIMINATE,
                destroyed=False,
                withdrew=False,
            )
            for fielded in field_units(setup)
        ),
        (),
    )


def follow(situation: Situation, event: Event) -> Situation:
    """The situation after one more event; one that changes nothing to be seen gives the same back."""
    r = event.result
    match event.kind:
        case "unit-deployed":
            status = number(event, "status")
            if status != codes.TABLE:
                return _with(situation, event.unit, lambda unit: replace(unit, place=PLACES[status]))
            stand = Stand(number(event, "x"), number(event, "y"), number(event, "ahead_x"), number(event, "ahead_y"))
            return _with(situation, event.unit, lambda unit: replace(unit, stand=stand, place=""))
        case kind if kind in MOVES:
            return _with(situation, event.unit, lambda unit: _moved(unit, event))
        case "unit-turned":
            return _with(situation, event.unit, lambda unit: _turned(unit, event))
        case "shot-rolled" | "suppression-rolled" if any(part.rule == "MC-075" for part in event.modifiers):
            return _with(situation, event.target, lambda unit: replace(unit, locked_by=None))
        case "suppression-placed":
            markers = number(event, "markers")
            return _with(situation, event.target, lambda unit: replace(unit, suppression=markers))
        case "lock-placed":
            return _with(situation, event.target, lambda unit: replace(unit, locked_by=event.unit))
        case "repair-rolled":
            left = DAMAGE_TO_ELIMINATE - number(event, "damage")
            return _with(situation, event.unit, lambda unit: replace(unit, hits=left))
        case "suppression-removed":
            markers = number(event, "markers")
            return _with(situation, event.unit, lambda unit: replace(unit, suppression=markers))
        case "beacon-claimed":
            return _with(situation, event.unit, _succeeded)
        case "charge-rolled" if r["success"]:
            return _with(situation, event.unit, _succeeded)
        case "hit-taken":
            left = DAMAGE_TO_ELIMINATE - number(event, "damage")
            return _with(situation, event.unit, lambda unit: replace(unit, hits=left))
        case "unit-eliminated":
            gone = _with(situation, event.unit, _eliminated)
            return _with(gone, str(r["by"]), lambda unit: replace(unit, kills=unit.kills + 1))
        case "resolve-rolled" if r["retreats"]:
            return _side(situation, event, lambda unit: replace(unit, withdrew=not unit.destroyed))
        case "unit-left":
            return _with(situation, event.unit, lambda unit: replace(unit, stand=None, place="away"))
        case "player-turn-ended":
            return _side(situation, event, lambda unit: replace(unit, suppression=0, locked_by=None))
    return situation


def _moved(unit: UnitView, event: Event) -> UnitView:
    """The unit where it moved to; one that comes onto the table faces as it did when it left it."""
    ahead = (unit.stand.face_x, unit.stand.face_y) if unit.stand else FACINGS[unit.side]
    return replace(unit, stand=Stand(number(event, "x"), number(event, "y"), *ahead), place="")


def _turned(unit: UnitView, event: Event) -> UnitView:
    assert unit.stand is not None
    ahead = {"face_x": number(event, "ahead_x"), "face_y": number(event, "ahead_y")}
    return replace(unit, stand=replace(unit.stand, **ahead))


def _succeeded(unit: UnitView) -> UnitView:
    return replace(unit, specials=unit.specials + 1)


def _eliminated(unit: UnitView) -> UnitView:
    return replace(unit, destroyed=True, stand=None, suppression=0, locked_by=None)


def _with(situation: Situation, key: str | None, change: Callable[[UnitView], UnitView]) -> Situation:
    return replace(situation, units=tuple(change(unit) if unit.key == key else unit for unit in situation.units))


def _side(situation: Situation, event: Event, change: Callable[[UnitView], UnitView]) -> Situation:
    side = number(event, "side")
    return replace(situation, units=tuple(change(unit) if unit.side == side else unit for unit in situation.units))


def chapters(setup: Setup) -> Callable[[Event], Chapter]:
    """Set-up, then of each player turn its action points, each unit that acts, and its end; the end of the turn. MC-032."""
    names = unit_names(field_units(setup))
    sides = [side.name for side in setup.sides]
    here = Chapter("Set-up")

    def chapter(event: Event) -> Chapter:
        nonlocal here
        if event.step == "turn":
            here = Chapter("The turn begins")
        elif event.step == "points":
            here = Chapter(f"{sides[number(event, 'side')]}'s turn", "Action points")
        elif event.step == "actions" and "cost" in event.result and event.unit:
            here = Chapter(here.phase, f"{names[event.unit]} acts")
        elif event.step == "player-turn-end":
            here = Chapter(here.phase, "End of the player turn")
        elif event.step in ("turn-end", "end"):
            here = Chapter("End of the turn")
        return here

    return chapter
