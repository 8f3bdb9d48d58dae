"""The handicap of a match as its page and the API show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns import policy
from campaigns.handicaps.counting import Basis
from campaigns.handicaps.terms import can_be_given_up, gives_up, handicap_told, unit_points
from campaigns.models import Handicap, Match
from rosters.site.jobs import JobStatus
from systems import battle_rules, roster_rules
from systems.setups import canonical

AT_WORK = (JobStatus.QUEUED, JobStatus.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Something that was counted."""

    words: str
    chance: float  # of the attacker, a draw counted half
    units: tuple[str, ...]  # of the stronger side, where it would have others
    styles: tuple[str, ...]  # AI styles of attacker and defender; empty: it was counted before these were kept


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculatedSide:
    """A side as the handicap was calculated from it."""

    company: str
    units: tuple[str, ...]
    points: int  # of the units, without their pilots
    style: str  # of the AI


@dataclass(frozen=True, slots=True, kw_only=True)
class HandicapSheet:
    """What there is to say of it, and what the reader can do."""

    can_be: str  # what can be given up in this game, in words
    status: str  # none, counting, failed, nothing, proposed or agreed
    told: str
    kind: str
    value: int
    chance: float | None
    chance_with: float | None
    reason: str
    sides: tuple[CalculatedSide, ...]  # attacker and defender as it was calculated from them; for its players alone
    tried: tuple[Tried, ...]
    agreed: tuple[str, ...]  # the companies that have agreed
    may_ask: bool
    may_agree: tuple[str, ...]  # sides of the reader's that have not agreed: "attacker", "defender"
    may_take_back: tuple[str, ...]


def handicap_sheet(match: Match, reader: policy.Reader, *, is_open: bool) -> HandicapSheet | None:
    """The handicap of a match; None where its campaign has none and none was agreed. `is_open`: its sides can still act."""
    row: Handicap | None = getattr(match, "handicap", None)
    own = policy.sides_of(reader, match)
    campaign = match.round.campaign
    can_act = is_open and bool(own) and match.setup is None and campaign.handicaps
    if row is None:
        return _none(campaign.system, may_ask=True) if can_act else None
    status = _status(row)
    if status != "agreed" and not can_act:
        return None
    words = ("attacker", "defender")
    waits = status == "proposed" and can_act
    companies = [side.company.name for side in (match.attacker, match.defender) if side is not None]
    return HandicapSheet(
        can_be=can_be_given_up(campaign.system),
        status=status,
        told=handicap_told(match, row),
        kind=row.kind,
        value=row.value,
        chance=row.chance,
        chance_with=row.chance_with,
        reason=row.failure or row.reason,
        sides=_sides(match, row.basis, companies) if own else (),
        tried=tuple(
            Tried(
                words=gives_up(each["kind"], each["value"], each.get("told", "")),
                chance=each["chance"],
                units=_left(match, row, each) if own else (),
                styles=_styles(campaign.system, each),
            )
            for each in row.tried
        ),
        agreed=tuple(companies[side] for side in row.agreed),
        may_ask=can_act and status not in ("agreed", "counting"),
        may_agree=tuple(words[side] for side in own if waits and side not in row.agreed),
        may_take_back=tuple(words[side] for side in own if waits and side in row.agreed),
    )


def _sides(match: Match, basis: Basis | None, companies: Sequence[str]) -> tuple[CalculatedSide, ...]:
    if basis is None or len(companies) != 2:
        return ()
    setup, campaign = basis["setup"], match.round.campaign
    styles = battle_rules(campaign.system).doctrines
    return tuple(
        CalculatedSide(
            company=company,
            units=_unit_lines(match, side["units"]),
            points=sum(unit_points(campaign, [_spec(match, unit) for unit in side["units"]], setup["options"])),
            style=styles.get(side["doctrine"], side["doctrine"]),
        )
        for company, side in zip(companies, setup["sides"], strict=True)
    )


def _left(match: Match, row: Handicap, tried: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the units that the stronger side would have then, where these are others than without it."""
    if "bought" in tried:
        return _unit_lines(match, tried["bought"])
    if "units" not in tried or row.basis is None or row.side is None:
        return ()
    units = row.basis["setup"]["sides"][row.side]["units"]
    return _unit_lines(match, [unit for unit in units if unit["key"] in tried["units"]])


def _styles(system: str, tried: Mapping[str, Any]) -> tuple[str, ...]:
    styles = battle_rules(system).doctrines
    return tuple(styles.get(each, each) for each in tried.get("styles", ()))


def _unit_lines(match: Match, units: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return these units of a set-up in words, equal ones together: "2 × WASP, Regular, 1 hit"."""
    lines = Counter(_unit_line(match, unit) for unit in units)
    return tuple(f"{number} × {line}" if number > 1 else line for line, number in lines.items())


def _unit_line(match: Match, unit: Mapping[str, Any]) -> str:
    campaign = match.round.campaign
    rules = roster_rules(campaign.system, campaign.catalogue_release)
    names = {canonical(rules.spec_json(design.spec)): design.name for design in rules.published.values()}
    level = rules.level_names.get((unit.get("pilot") or {}).get("experience", ""), "")
    name = names.get(canonical(_spec(match, unit)), unit["name"])
    return ", ".join(filter(None, (name, level, rules.condition_told(unit.get("condition") or {}))))


def _spec(match: Match, unit: Mapping[str, Any]) -> Mapping[str, object]:
    """Return the canonical spec of a unit of a set-up, which may name a published design."""
    campaign, design = match.round.campaign, unit["design"]
    rules = roster_rules(campaign.system, campaign.catalogue_release)
    return rules.spec_json(rules.published[design].spec if isinstance(design, str) else rules.parse_spec(design))


def _status(row: Handicap) -> str:
    if row.status in AT_WORK:
        return "counting"
    if row.status != JobStatus.DONE:
        return "failed"
    if not row.kind:
        return "nothing"
    return "agreed" if row.is_agreed else "proposed"


def _none(system: str, *, may_ask: bool) -> HandicapSheet:
    return HandicapSheet(
        can_be=can_be_given_up(system),
        status="none",
        told="",
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
