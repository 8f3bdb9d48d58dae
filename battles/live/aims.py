"""The attack helper: shooter, target, range and cover, and what the rules make of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from battles.live.ending import acts_of
from battles.live.fold import TableState, table_state
from battles.live.sheet import TableSheet, table_sheet
from battles.models import LiveSeat
from systems import battle_rules
from systems.figures import format_signed
from systems.reading import stored_setup
from systems.shots import ShotQuestion, ShotChoices, Shot, ShotTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class ModifierLine:
    name: str
    value: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AimPage:
    """The helper's questions, the choices, and the result."""

    seat: LiveSeat
    shooters: ShotChoices
    targets: ShotChoices
    chosen: Mapping[str, str]  # shooter, target, weapon, range
    terms: ShotTerms | None
    helps: tuple[tuple[str, str, bool], ...]  # value, words, whether it applies
    shot: Shot | None
    modifiers: tuple[ModifierLine, ...]
    chance: Fraction
    what: str  # the shot in a few words, for the list of rolls
    die: int

    @property
    def is_sure(self) -> str:
        """The result if the die doesn't matter; empty if it does."""
        if not self.chance:
            return "It can’t hit."
        return "It can’t miss." if self.chance == 1 and (self.shot is None or self.shot.lands is None) else ""


def has_helper(sheet: TableSheet) -> bool:
    """Return whether the game calculates shots for the table."""
    system = battle_rules(sheet.setup.system)
    return any(system.shot_terms(sheet.setup, plate.key) for plate in sheet.plates if plate.line)


def aim_page(seat: LiveSeat, asked: Mapping[str, str], helps: frozenset[str]) -> AimPage | None:
    """Return the helper for these choices, with units as they are marked; None if the game has none.

    A missing or unknown choice becomes the first possible one.
    """
    table = seat.table
    sheet = table_sheet(stored_setup(table.setup))
    state = table_state(sheet, acts_of(table))
    system, hidden = battle_rules(table.system), state.hidden_from(seat.side)
    out = frozenset(plate.key for plate in sheet.plates if plate.key in hidden or plate.is_out(state.values))
    shooters = _unit_choices(sheet, state, seat.side, out)
    every = (*shooters, *_unit_choices(sheet, state, 1 - seat.side, out))
    shooter = _asked_or_first(every, asked.get("shooter"))
    side = next((plate.side for plate in sheet.plates if plate.key == shooter), seat.side)
    targets = _unit_choices(sheet, state, 1 - side, out)
    target = _asked_or_first(targets, asked.get("target"))
    terms = system.shot_terms(sheet.setup, shooter) if shooter else None
    if terms is None and not has_helper(sheet):
        return None
    weapon, far = (_asked_or_first(found, asked.get(name)) for found, name in _shot_choices(terms))
    known = frozenset(value for value, _ in terms.helps) & helps if terms else frozenset[str]()
    shot = None
    if terms and target:
        shot = system.shot(
            ShotQuestion(
                setup=sheet.setup,
                shooter=shooter,
                target=target,
                weapon=weapon,
                range=far,
                helps=known,
                out=out - {shooter, target},
                marks={plate.key: plate.marks(state.values) for plate in sheet.plates if plate.key not in out},
            )
        )
    names = dict((*every, *targets))
    fired = f" its {dict(terms.weapons)[weapon]}" if terms and terms.weapons else ""
    return AimPage(
        seat=seat,
        shooters=every,
        targets=targets,
        chosen={"shooter": shooter, "target": target, "weapon": weapon, "range": far},
        terms=terms,
        helps=tuple((value, words, value in known) for value, words in terms.helps) if terms else (),
        shot=shot,
        modifiers=_modifiers(shot),
        chance=shot.chance if shot else Fraction(0),
        what=f"{names.get(shooter, '')} fires{fired} at {names.get(target, '')}"[:80],
        die=system.die,
    )


def _unit_choices(sheet: TableSheet, state: TableState, side: int, out: frozenset[str]) -> ShotChoices:
    return tuple((plate.key, plate.name) for plate in sheet.of_side(side) if plate.line and plate.key not in out)


def _shot_choices(terms: ShotTerms | None) -> tuple[tuple[ShotChoices, str], tuple[ShotChoices, str]]:
    return (terms.weapons if terms else (), "weapon"), (terms.ranges if terms else (), "range")


def _asked_or_first(choices: ShotChoices, asked: str | None) -> str:
    """Return the requested value, or the first one if it doesn't exist."""
    values = [value for value, _ in choices]
    return asked if asked in values else values[0] if values else ""


def _modifiers(shot: Shot | None) -> tuple[ModifierLine, ...]:
    found = shot.modifiers if shot else ()
    return tuple(ModifierLine(name=each.name, value=format_signed(each.value), rule=each.rule) for each in found)
