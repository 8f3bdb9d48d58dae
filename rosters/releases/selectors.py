"""The changes of catalogue versions, and the effects of a version on a company. Only the latter uses the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rosters.ledger.records import current_record
from rosters.models import Company
from systems import BATTLES, roster_rules
from systems.catalogue import Release, ReleaseChange, RulesVersion, format_day, since
from systems.ledger import READY, CompanyRecord
from systems.legality import Problem
from systems.roster import AnyRoster
from systems.rulebook import RuleRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A catalogue entry that a version changed, with its rule."""

    change: ReleaseChange
    rule: RuleRef | None  # None if it isn't in the rulebook


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedDesign:
    """A published design that a version added or removed, or whose points it changed."""

    slug: str
    name: str
    before: int | None  # points; None if it didn't exist
    after: int | None  # None if it is no longer offered
    played: str = ""  # the house rule under which this applies; empty if it always does


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRow:
    """A catalogue version, as pages show it."""

    number: str
    on: str
    day: str  # the date as text
    title: str
    reason: str
    lines: tuple[Line, ...]
    touched: tuple[ChangedDesign, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesVersionRow:
    """A version of the battle rules."""

    version: RulesVersion
    day: str
    is_now: bool  # whether it is the current one, whose records can be simulated again


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionHistory:
    """A game's versions of catalogue and rules, newest first."""

    releases: tuple[ReleaseRow, ...]
    versions: tuple[RulesVersionRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitChange:
    """A unit that a version affects."""

    id: int
    name: str
    design_name: str
    before: int  # points
    after: int
    problems: tuple[Problem, ...]  # problems that only the newer version has
    retired: tuple[str, ...]  # parts that are no longer sold, which the unit keeps


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyChange:
    """The effects of another version on a company; only affected units are listed."""

    company: int
    name: str
    before: int  # points of all ready units
    after: int
    units: tuple[UnitChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyOffer:
    """The newer versions that a company can change to."""

    release: str  # its current version
    newest: str
    newer: tuple[ReleaseRow, ...]  # newest first
    change: CompanyChange | None  # None if it has the newest version


def describe_releases(system: str) -> VersionHistory:
    """Return the versions of the game's catalogue and of its rules."""
    rules = roster_rules(system)
    known = BATTLES.get(system)
    versions = known.versions if known else ()
    return VersionHistory(
        releases=tuple(describe_release(rules, release) for release in reversed(rules.releases)),
        versions=tuple(
            RulesVersionRow(
                version=each, day=format_day(each.on), is_now=known is not None and each.number == known.rules_version
            )
            for each in reversed(versions)
        ),
    )


def describe_release(rules: AnyRoster, release: Release) -> ReleaseRow:
    """Return a version with the rules of its changes and the published designs that it affects."""
    return ReleaseRow(
        number=release.number,
        on=release.on,
        day=format_day(release.on),
        title=release.title,
        reason=release.reason,
        lines=tuple(Line(change=each, rule=rules.rulebook.get(each.rule)) for each in release.changes),
        touched=touched(rules, release.number),
    )


def touched(rules: AnyRoster, release: str) -> tuple[ChangedDesign, ...]:
    """Return the published designs that a version changes: by the book, then under each house rule that it retired."""
    number = int(release)
    if number == 1:
        return ()
    older, newer = rules.of(str(number - 1)), rules.of(release)
    found = list(_touched(older, newer, {}, ""))
    for slug in sorted(newer.retired_rules - older.retired_rules):
        rule = rules.house_rules[slug]
        if rule.kind == "flag":
            found += _touched(older, newer, {slug: not rule.default}, rule.name)
    return tuple(found)


def newer_releases(rules: AnyRoster, release: str, to: str = "") -> tuple[ReleaseRow, ...]:
    """Return the versions after `release`, up to `to` or the newest; newest first."""
    later = since(tuple(rules.releases), release, to or rules.newest) if rules.releases else ()
    return tuple(describe_release(rules, each) for each in reversed(later))


def company_offer(company: Company) -> CompanyOffer:
    """Return the versions that the company can change to, and the effects of the newest; at most one query."""
    rules = roster_rules(company.system, company.catalogue_release)
    is_newest = rules.catalogue_release == rules.newest
    change = None if is_newest else company_change(company, current_record(company).record, rules.newest)
    return CompanyOffer(
        release=rules.catalogue_release,
        newest=rules.newest,
        newer=newer_releases(rules, rules.catalogue_release),
        change=change,
    )


def company_change(
    company: Company,
    record: CompanyRecord,
    to: str,
    options: Mapping[str, object] = {},
    options_after: Mapping[str, object] | None = None,
) -> CompanyChange:
    """Return the effects of changing a company to the version `to`.

    `options` are the house rules before the change; `options_after` those after it, by default the same.
    """
    rules = roster_rules(company.system, company.catalogue_release)
    newer = rules.of(to)
    ready = [unit for unit in record.units.values() if unit.status == READY]
    changes, before, after = [], 0, 0
    for unit in ready:
        was = rules.check_design(rules.parse_spec(unit.spec), options)
        spec = newer.parse_spec(unit.spec)
        now = newer.check_design(spec, options if options_after is None else options_after)
        before, after = before + was.points, after + now.points
        problems = _only_now(was.problems, now.problems)
        retired = newer.retired_in(spec)
        if was.points != now.points or problems or retired:
            changes.append(
                UnitChange(
                    id=unit.id,
                    name=unit.name,
                    design_name=unit.design_name,
                    before=was.points,
                    after=now.points,
                    problems=problems,
                    retired=retired,
                )
            )
    return CompanyChange(company=company.pk, name=company.name, before=before, after=after, units=tuple(changes))


def _only_now(was: Sequence[Problem], now: Sequence[Problem]) -> tuple[Problem, ...]:
    had = {(each.rule, each.message) for each in was}
    return tuple(each for each in now if (each.rule, each.message) not in had)


def _touched(older: AnyRoster, newer: AnyRoster, options: Mapping[str, object], played: str) -> list[ChangedDesign]:
    found = []
    for slug in dict.fromkeys([*older.published, *newer.published]):
        was, now = older.published.get(slug), newer.published.get(slug)
        before = older.check_design(was.spec, options).points if was else None
        after = newer.check_design(now.spec, options).points if now else None
        if before != after:
            name = (now or was or newer.published[slug]).name
            found.append(ChangedDesign(slug=slug, name=name, before=before, after=after, played=played))
    return found
