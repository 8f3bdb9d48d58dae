"""The handicap of a match for its page and the API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns import policy
from campaigns.army_lists.handicaps import describe_concession, describe_handicap, describe_kinds
from campaigns.models import Handicap, Match
from rosters.jobs import JobStatus
from systems import battle_rules, roster_rules
from systems.catalogue import FIRST_RELEASE
from systems.roster import AnyRoster
from systems.setups import canonical

AT_WORK = (JobStatus.QUEUED, JobStatus.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """An offer that was calculated."""

    words: str
    chance: float  # of the attacker, a draw counted as half
    units: tuple[str, ...]  # of the stronger side, if they would change
    styles: tuple[str, ...]  # AI styles of attacker and defender; empty: calculated before they were stored


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculatedSide:
    """A side as it was when the handicap was calculated."""

    company: str
    units: tuple[str, ...]
    points: int  # of the units, without their pilots
    style: str  # AI style


@dataclass(frozen=True, slots=True)
class _Units:
    """Units of a setup in words, by the catalogue version of the calculation."""

    setup: Mapping[str, Any]
    rules: AnyRoster
    names: Mapping[str, str]  # of published designs, by their specs

    def lines(self, units: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        """Return these units in words, equal ones grouped: "2 × WASP, Regular, 1 hit"."""
        lines = Counter(self._line(unit) for unit in units)
        return tuple(f"{number} × {line}" if number > 1 else line for line, number in lines.items())

    def points(self, units: Sequence[Mapping[str, Any]], options: Mapping[str, object]) -> int:
        """Return the total points of these units, without their pilots."""
        specs = [self.rules.parse_spec(self._spec(unit)) for unit in units]
        return sum(self.rules.check_design(spec, options).points for spec in specs)

    def _line(self, unit: Mapping[str, Any]) -> str:
        level = self.rules.level_names.get((unit.get("pilot") or {}).get("experience", ""), "")
        name = self.names.get(canonical(self._spec(unit)), unit.get("name") or "")
        return ", ".join(filter(None, (name, level, self.rules.describe_condition(unit.get("condition") or {}))))

    def _spec(self, unit: Mapping[str, Any]) -> Mapping[str, object]:
        """Return the canonical spec of a unit, which may name a published design."""
        rules, design = self.rules, unit["design"]
        return rules.spec_json(rules.published[design].spec if isinstance(design, str) else rules.parse_spec(design))


@dataclass(frozen=True, slots=True, kw_only=True)
class HandicapSheet:
    """The handicap for display, and what the reader can do."""

    can_be: str  # what can be given up in this game, in words
    status: str  # none, counting, failed, nothing, proposed or agreed
    description: str
    kind: str
    value: int
    chance: float | None
    chance_with: float | None
    reason: str
    sides: tuple[CalculatedSide, ...]  # attacker and defender in the calculation; for its players only
    tried: tuple[Tried, ...]
    agreed: tuple[str, ...]  # companies that have agreed
    may_ask: bool
    may_agree: tuple[str, ...]  # the reader's sides that haven't agreed: "attacker", "defender"
    may_take_back: tuple[str, ...]


def handicap_sheet(match: Match, reader: policy.Reader, *, is_open: bool) -> HandicapSheet | None:
    """Return the handicap of a match; None unless one is agreed or the reader can act on it.

    `is_open`: its sides can still act.
    """
    row: Handicap | None = getattr(match, "handicap", None)
    own = policy.sides_of(reader, match)
    campaign = match.round.campaign
    can_act = is_open and bool(own) and match.setup is None and campaign.handicaps
    if row is None:
        return _empty_sheet(campaign.system, may_ask=True) if can_act else None
    status = _status(row)
    if status != "agreed" and not can_act:
        return None
    words = ("attacker", "defender")
    waits = status == "proposed" and can_act
    units = _units_of(row) if own else None
    companies = [side.company.name for side in (match.attacker, match.defender) if side is not None]
    return HandicapSheet(
        can_be=describe_kinds(campaign.system),
        status=status,
        description=describe_handicap(match, row),
        kind=row.kind,
        value=row.value,
        chance=row.chance,
        chance_with=row.chance_with,
        reason=row.failure or row.reason,
        sides=_sides(units, companies) if units else (),
        tried=tuple(
            Tried(
                words=describe_concession(each["kind"], each["value"], each.get("told", "")),
                chance=each["chance"],
                units=_changed_units(row, units, each) if units else (),
                styles=_styles(campaign.system, each),
            )
            for each in row.tried
        ),
        agreed=tuple(companies[side] for side in row.agreed),
        may_ask=can_act and status not in ("agreed", "counting"),
        may_agree=tuple(words[side] for side in own if waits and side not in row.agreed),
        may_take_back=tuple(words[side] for side in own if waits and side in row.agreed),
    )


def _units_of(row: Handicap) -> _Units | None:
    """Return the formatter for the handicap's units; None without a basis."""
    if row.basis is None:
        return None
    setup = row.basis["setup"]
    rules = roster_rules(setup["system"], setup.get("release") or FIRST_RELEASE)
    names = {canonical(rules.spec_json(design.spec)): design.name for design in rules.published.values()}
    return _Units(setup, rules, names)


def _sides(units: _Units, companies: Sequence[str]) -> tuple[CalculatedSide, ...]:
    if len(companies) != 2:
        return ()
    setup = units.setup
    styles = battle_rules(setup["system"]).doctrines
    return tuple(
        CalculatedSide(
            company=company,
            units=units.lines(side["units"]),
            points=units.points(side["units"], setup["options"]),
            style=styles.get(side["doctrine"], side["doctrine"]),
        )
        for company, side in zip(companies, setup["sides"], strict=True)
    )


def _changed_units(row: Handicap, units: _Units, tried: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the stronger side's units with this offer, if they differ from those without it."""
    if "bought" in tried:
        return units.lines(tried["bought"])
    if "units" not in tried or row.side is None:
        return ()
    fielded = units.setup["sides"][row.side]["units"]
    return units.lines([unit for unit in fielded if unit["key"] in tried["units"]])


def _styles(system: str, tried: Mapping[str, Any]) -> tuple[str, ...]:
    styles = battle_rules(system).doctrines
    return tuple(styles.get(each, each) for each in tried.get("styles", ()))


def _status(row: Handicap) -> str:
    if row.status in AT_WORK:
        return "counting"
    if row.status != JobStatus.DONE:
        return "failed"
    if not row.kind:
        return "nothing"
    return "agreed" if row.is_agreed else "proposed"


def _empty_sheet(system: str, *, may_ask: bool) -> HandicapSheet:
    return HandicapSheet(
        can_be=describe_kinds(system),
        status="none",
        description="",
        kind="",
        value=0,
        chance=None,
        chance_with=None,
        reason="",
        sides=(),
        tried=(),
        agreed=(),
        may_ask=may_ask,
        may_agree=(),
        may_take_back=(),
    )
