"""The record of a battle, read once, and its sides with their support and each unit's fate."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import MappingProxyType

from battles.models import Battle, BattleSide, Body, Record
from battles.replay.boards import ReplayBoard, board_of
from rosters.database.queries import PreparedQuery
from rosters.jobs import JobStatus
from systems import battle_rules, roster_rules
from systems.battle_display import SupportLine
from systems.orders import SupportOrderNote, describe_support_orders, is_ordered
from systems.reading import spec_of, stored_setup
from systems.report_fields import HandTerms
from systems.rulebook import RuleRef
from systems.setups import SIDE_LETTERS as LETTERS
from systems.setups import Setup, SetupUnit, once_a_setup
from systems.simulation.analysis import DiceLuck, RoundView, dice_luck, report_text, rounds_of, support_of
from systems.simulation.records import read_record


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRow:
    """A unit of a battle and its fate, which is None until the battle is over."""

    key: str
    name: str
    size: str
    side: str  # "a" or "b"
    points: int
    armor: int | None  # None: it has no such figure
    hits: int  # as it entered the battle
    max_hits: int
    pilot: str
    fate: Body | None
    cause: str = ""  # of its loss, in words
    terms: HandTerms  # its game's words for fates

    @property
    def state(self) -> str:
        if self.fate is None:
            return ""
        if self.fate["lost"]:
            return "destroyed"
        return "withdrew" if self.fate["withdrew"] else "wounded" if self.fate["wounded"] else ""

    @property
    def state_label(self) -> str:
        """Its state in the system's words."""
        return self.terms.fields.get(self.state, self.state)

    @property
    def fate_notes(self) -> str:
        """The game's own part of its fate, in words."""
        return self.terms.describe_fate(self.terms.fate_of(self.fate)) if self.fate else ""

    @property
    def hits_left(self) -> int:
        return self.hits if self.fate is None else self.fate["hits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideRow:
    letter: str
    name: str
    doctrine: str
    company: str
    company_pk: int | None
    points: int
    units: tuple[UnitRow, ...]
    orders: tuple[tuple[str, str], ...] = ()  # autoplay orders: unit and order, in words

    @property
    def lost(self) -> tuple[UnitRow, ...]:
        return tuple(unit for unit in self.units if unit.fate and unit.fate["lost"])


def sides_of(
    setup: Setup,
    result: Body | None = None,
    rows: Sequence[BattleSide] = (),
    brought: Mapping[str, str] = MappingProxyType({}),
) -> tuple[SideRow, ...]:
    """Return the two sides of a set-up, with points and, once there is a result, each unit's fate.

    `brought` are the names of units from support rolls, by key.
    """
    system = battle_rules(setup.system)
    fates = {unit["key"]: unit for unit in (result or {}).get("units", ())}
    sides = []
    for at, (side, lines) in enumerate(zip(setup.sides, _as_they_entered(setup), strict=True)):
        units = []
        for line in lines:
            fate = fates.get(line.key)
            cause = system.cause_of_loss(setup, fate, brought) if fate and fate["lost"] else ""
            units.append(replace(line, fate=fate, cause=cause) if fate else line)
        row = rows[at] if at < len(rows) else None
        sides.append(
            SideRow(
                letter=LETTERS[at],
                name=side.name,
                doctrine=system.doctrines.get(side.doctrine, side.doctrine),
                company=row.company.name if row and row.company else "",
                company_pk=row.company_id if row else None,
                points=sum(unit.points for unit in units),
                units=tuple(units),
                orders=_describe_orders(setup, at),
            )
        )
    return tuple(sides)


def _describe_orders(setup: Setup, at: int) -> tuple[tuple[str, str], ...]:
    """Return the autoplay orders of a side: unit and order, in words."""
    if not is_ordered(setup):
        return ()
    system = battle_rules(setup.system)
    names = system.unit_names(setup)
    lines = [line for line in system.describe_autoplay_orders(setup) if line.side == at]
    return tuple((names[line.unit] if line.unit else "All", "; ".join(line.descriptions)) for line in lines)


@once_a_setup
def _as_they_entered(setup: Setup) -> tuple[tuple[UnitRow, ...], ...]:
    """Return the units of both sides before the battle."""
    rules, system = roster_rules(setup.system, setup.catalogue_release), battle_rules(setup.system)
    views = {view.key: view for view in system.opening(setup).units}
    names = system.unit_names(setup)

    def line(unit: SetupUnit, letter: str) -> UnitRow:
        view, spec = views[unit.key], spec_of(setup, unit.design)
        armor, points = rules.counter_figures(rules.parse_spec(spec), setup.options) if spec else (None, 0)
        return UnitRow(
            key=unit.key,
            name=names[unit.key],
            size=view.chassis,
            side=letter,
            points=points,
            armor=armor,
            hits=view.hits,
            max_hits=view.max_hits,
            pilot=str((unit.pilot or {}).get("experience", "")),
            fate=None,
            terms=system.hand,
        )

    return tuple(
        tuple(line(unit, letter) for unit in side.units) for side, letter in zip(setup.sides, LETTERS, strict=True)
    )


def support_names(setup: Setup) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each side's support in the set-up, in words; empty for a battle without support."""
    results = battle_rules(setup.system).support_results
    sides = []
    for side in setup.sides:
        names = [results[slug].name for slug in side.support if slug in results]
        rolls = len(side.support) - len(names)
        if rolls:
            names.append("a roll on the battle’s dice" if rolls == 1 else f"{rolls} rolls on the battle’s dice")
        sides.append((side.name, tuple(names)))
    return tuple(sides) if any(names for _, names in sides) else ()


def support_order_notes(setup: Setup, side: int) -> list[SupportOrderNote]:
    """Return a side's orders for its support as notes."""
    system = battle_rules(setup.system)
    names = {slug: result.name for slug, result in system.support_results.items()}
    own = setup.sides[side]
    units = system.unit_names(setup)
    return describe_support_orders(system.support_orders, own.orders, has=own.support, results=names, units=units)


def describe_support_by_hand(setup: Setup, result: Body | None) -> tuple[SupportLine, ...]:
    """Return the support in a set-up, and whether it was used according to the result."""
    results = battle_rules(setup.system).support_results
    lines = []
    for at, side in enumerate(setup.sides):
        used = list((result or {}).get("support", [[], []])[at])
        for slug in side.support:
            if slug not in results:
                continue
            is_used = slug in used
            if is_used:
                used.remove(slug)
            lines.append(SupportLine(side=at, result=results[slug], is_used=is_used))
    return tuple(lines)


DIGEST = PreparedQuery(lambda battle: Record.objects.filter(battle=battle).values_list("digest")[:1], battle=int)


class ReplayedRecord:
    """A record, which never changes. Each part is calculated when first needed, and cached."""

    form = 3  # version of its frames, which browsers cache; raise it when pages need other frames

    def __init__(self, text: str, digest: str) -> None:
        self.record, self.digest = read_record(text), digest

    @cached_property
    def rounds(self) -> tuple[RoundView, ...]:
        return rounds_of(self.record)

    @cached_property
    def board(self) -> ReplayBoard | None:
        """The drawn replay; None if the battle can't be drawn."""
        return board_of(self.record, self.rounds)

    @cached_property
    def frames(self) -> bytes:
        """All frames of the board as JSON, for the browser. The battle must have a board."""
        assert self.board is not None
        rulebook = roster_rules(self.record.setup.system).rulebook
        named = dict.fromkeys(line.rule for view in self.rounds for step in view.steps for line in step.lines)
        rules = {slug: _rule_columns(rulebook[slug]) for slug in named if slug in rulebook}
        return json.dumps(self.board.to_json() | {"rules": rules}, separators=(",", ":")).encode()

    @cached_property
    def brought(self) -> Mapping[str, str]:
        """The names of units from support rolls, by key."""
        return battle_rules(self.record.setup.system).brought(self.record.setup, self.record.events)

    @cached_property
    def support(self) -> tuple[SupportLine, ...]:
        return support_of(self.record)

    @cached_property
    def dice(self) -> tuple[DiceLuck, ...]:
        """The luck of its dice."""
        lines = (line for view in self.rounds for step in view.steps for line in step.lines)
        return dice_luck(self.record.setup, (line.event for line in lines))

    @cached_property
    def report(self) -> str:
        """The whole battle as plain text."""
        return report_text(self.record)


def _rule_columns(rule: RuleRef) -> list[object]:
    """Return the details of a rule beside a line: title, text, origin, and heading and text of its rulings."""
    return [rule.title, rule.text, rule.origin, [[each.heading, each.text] for each in rule.rulings]]


def replayed(battle: Battle) -> ReplayedRecord | None:
    """Return the battle's record for replay; None for a battle without one."""
    if battle.status != JobStatus.DONE or battle.fought_by_hand:
        return None
    found = DIGEST.row(battle=battle.pk)
    return _replayed(battle.pk, found[0]) if found else None


@lru_cache(maxsize=64)
def _replayed(battle_pk: int, digest: str) -> ReplayedRecord:
    return ReplayedRecord(Record.objects.get(battle=battle_pk).text, digest)


def sides_after(battle: Battle) -> tuple[SideRow, ...]:
    """Return the two sides of a finished battle with each unit's fate, as on the battle's page."""
    replay = replayed(battle)
    return sides_of(stored_setup(battle.setup), battle.result, brought=replay.brought if replay else {})
