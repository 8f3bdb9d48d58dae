"""Catalogue entries, ready-made forces, catalogue releases and rules versions, read from TOML files.

A file has one table per entry; its key is the slug. `inherits = "slug"` copies another entry of the same file, so that
only the differences need stating; `abstract = true` marks an entry that is only inherited from and left out of the
result. Unknown and missing fields are refused, so every loaded entry is complete.

`catalogue/releases.toml` lists the releases of a game, oldest first. The changes of later releases are in folders
beside it, such as `release_2`, with the same file names: their entries state differences from the release before, or
are new. Each gives the rule and the reason for the change under `changed`. `retired = true` withdraws an entry;
companies that own it keep it. A published release never changes.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypeAlias, TypedDict, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


Entry = TypeVar("Entry", bound="DataclassInstance")

Table: TypeAlias = Mapping[str, Any]  # as parsed from TOML

NOTHING = "-"  # TOML has no null, so a dash stands for it, as in the rulebooks' tables


class CatalogueError(ValueError):
    """Raised when a catalogue file is not valid; names file, entry and field."""

    def __init__(self, file: str, entry: str, field: str, reason: str) -> None:
        self.file, self.entry, self.field, self.reason = file, entry, field, reason
        where = ", ".join(part for part in (file, f"[{entry}]" if entry else "", field) if part)
        super().__init__(f"{where}: {reason}")


def load_table(path: Path, kind: type[Entry]) -> Mapping[str, Entry]:
    """Load the entries of a TOML file by slug, in the order of the file."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CatalogueError(path.name, "", "", str(error)) from error
    return read_table(path, raw, kind)


def read_table(path: Path, raw: Table, kind: type[Entry]) -> Mapping[str, Entry]:
    """Return the entries in `raw`, which is parsed TOML; errors name `path`."""
    entries: dict[str, Entry] = {}
    for slug, table in raw.items():
        if not isinstance(table, dict):
            raise CatalogueError(path.name, slug, "", "an entry is a table")
        fields = with_inherited(path.name, raw, slug, ())
        if fields.pop("abstract", False):
            continue
        fields["slug"] = slug
        entries[slug] = _build(path.name, slug, "", kind, fields)
    return types.MappingProxyType(entries)


def with_inherited(file: str, raw: Table, slug: str, seen: tuple[str, ...]) -> dict[str, Any]:
    """Return an entry's fields, including inherited ones; `seen` are the entries that inherit from it."""
    table = dict(raw[slug])
    parent = table.pop("inherits", None)
    if parent is None:
        return table
    if parent in (*seen, slug):
        raise CatalogueError(file, slug, "inherits", "inherits from itself")
    if not isinstance(raw.get(parent), dict):
        raise CatalogueError(file, slug, "inherits", f"no entry {parent!r} in this file")
    inherited = with_inherited(file, raw, parent, (*seen, slug))
    inherited.pop("abstract", None)
    return inherited | table


def _build(file: str, entry: str, prefix: str, kind: type[Entry], table: Table) -> Entry:
    hints = typing.get_type_hints(kind)
    known = {field.name: field for field in dataclasses.fields(kind) if field.init}
    for name in table:
        if name not in known:
            raise CatalogueError(file, entry, prefix + name, "unknown field")
    values: dict[str, object] = {}
    for name, field in known.items():
        if name in table:
            values[name] = _value(file, entry, prefix + name, hints[name], table[name])
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise CatalogueError(file, entry, prefix + name, "missing")
    return kind(**values)


def _value(file: str, entry: str, field: str, hint: object, raw: object) -> object:
    """Return `raw` as the declared type of the dataclass field; never converts between scalar types silently."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        if type(None) in args and raw == NOTHING:
            return None
        (inner,) = (arg for arg in args if arg is not type(None))
        return _value(file, entry, field, inner, raw)
    if origin is typing.Literal:
        if raw not in args:
            raise CatalogueError(file, entry, field, f"{raw!r} is none of {', '.join(map(repr, args))}")
        return raw
    if origin is tuple:
        hints = _hints_of_each(file, entry, field, args, raw)
        return tuple(_value(file, entry, f"{field}[{i}]", *pair) for i, pair in enumerate(hints))
    if origin is Mapping:
        if not isinstance(raw, dict):
            raise CatalogueError(file, entry, field, "a table is needed")
        return types.MappingProxyType({k: _value(file, entry, f"{field}.{k}", args[1], v) for k, v in raw.items()})
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if not isinstance(raw, dict):
            raise CatalogueError(file, entry, field, "a table is needed")
        return _build(file, entry, f"{field}.", hint, raw)
    if hint is Fraction and type(raw) is str:
        return Fraction(raw)
    if hint is object:
        return raw
    if type(raw) is not hint:
        raise CatalogueError(file, entry, field, f"{raw!r} is not {getattr(hint, '__name__', hint)}")
    return raw


def _hints_of_each(
    file: str, entry: str, field: str, args: tuple[object, ...], raw: object
) -> list[tuple[object, object]]:
    """Return a list's items, each after the type that the tuple declares for it."""
    if not isinstance(raw, list):
        raise CatalogueError(file, entry, field, "a list is needed")
    if args[-1] is Ellipsis:
        return [(args[0], item) for item in raw]
    if len(raw) != len(args):
        raise CatalogueError(file, entry, field, f"{len(args)} values are needed, not {len(raw)}")
    return list(zip(args, raw, strict=True))


FIRST_RELEASE = "1"  # the release that applies if none is named
CHANGED = "changed"  # the part of an entry that says why it changed
DATE_PATTERN = re.compile(r"\d{4}-\d{2}-\d{2}")

ChangeKind = Literal["changed", "new", "retired"]


class UnknownReleaseError(ValueError):
    """Raised for a release that the game's catalogue doesn't have; names the ones it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFigure:
    """A changed field of an entry, in words, before and after."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseChange:
    """A release's change to one entry of the catalogue."""

    table: str
    slug: str
    name: str
    how: ChangeKind
    rule: str
    reason: str
    figures: tuple[ChangedFigure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """One release of a catalogue."""

    number: str
    on: str  # date, as 2026-11-21
    title: str
    reason: str
    changes: tuple[ReleaseChange, ...] = ()

    @property
    def retired(self) -> frozenset[tuple[str, str]]:
        """Return table and slug of each entry that this release retires."""
        return frozenset((change.table, change.slug) for change in self.changes if change.how == "retired")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesVersion:
    """One version of a game's battle rules. Only the same version can simulate a record again."""

    slug: str
    on: str  # first date on which battles use it, as 2026-11-21
    what: str  # what changed, a sentence

    @property
    def number(self) -> int:
        return int(self.slug)


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def format_day(on: str) -> str:
    """Format `2026-11-21` as `21 Nov 2026`."""
    year, month, day = on.split("-")
    return f"{int(day)} {MONTHS[int(month) - 1]} {year}"


def other_rules(versions: Sequence[RulesVersion], was: int, now: int) -> str:
    """Explain that rules `now` can't simulate a record of rules `was` again; empty if they are the same.

    Old rules aren't kept, but their records can always be played back.
    """
    if was == now:
        return ""
    days = {each.number: format_day(each.on) for each in versions}
    dated = [f"rules {number} of {days[number]}" for number in (was, now) if number in days]
    message = f"was simulated with rules {was}, but the current rules are {now}" + (
        f" ({', '.join(dated)})" if dated else ""
    )
    if was > now:
        return f"{message}: it was made by a newer Muster. You can play it back here but not run it again"
    changed = " ".join(each.what for each in versions if was < each.number <= now)
    return f"{message}{': ' + changed.rstrip('.') if changed else ''}. You can play it back but not run it again"


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReleaseEntry:
    """A release as written in `releases.toml`."""

    slug: str
    on: str
    title: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Why:
    rule: str
    reason: str
    is_retired: bool
    names: Mapping[str, str]  # display names of fields, where the field names aren't clear


def load_versions(path: Path) -> tuple[RulesVersion, ...]:
    """Load the versions of a game's rules, oldest first."""
    versions = tuple(load_table(path, RulesVersion).values())
    _in_order(path.name, [(each.slug, each.on) for each in versions])
    return versions


def load_releases(folder: Path) -> tuple[Release, ...]:
    """Load the releases of the catalogue in that folder, oldest first, each with its changes."""
    entries = load_table(folder / "releases.toml", _ReleaseEntry)
    _in_order("releases.toml", [(each.slug, each.on) for each in entries.values()])
    for place in folder.glob("release_*"):
        if place.name.removeprefix("release_") not in list(entries)[1:]:
            raise CatalogueError("releases.toml", "", "", f"there is a folder {place.name}, and no such later release")
    return tuple(
        Release(
            number=each.slug,
            on=each.on,
            title=each.title,
            reason=each.reason,
            changes=tuple(_changes(folder, each.slug)),
        )
        for each in entries.values()
    )


def retired_by(releases: tuple[Release, ...], number: str) -> frozenset[tuple[str, str]]:
    """Return table and slug of everything retired up to that release."""
    gone: set[tuple[str, str]] = set()
    for release in releases:
        gone |= release.retired
        if release.number == number:
            break
    return frozenset(gone)


def since(releases: tuple[Release, ...], older: str, newer: str) -> tuple[Release, ...]:
    """Return the releases after the older one, up to the newer one."""
    numbers = [each.number for each in releases]
    return releases[numbers.index(older) + 1 : numbers.index(newer) + 1]


def raw_table(folder: Path, table: str, release: str) -> dict[str, Any]:
    """Return a table's entries in that release: the file, updated by each later release."""
    raw = _read(folder / f"{table}.toml")
    for number in range(2, int(release) + 1):
        path = folder / f"release_{number}" / f"{table}.toml"
        if path.exists():
            for slug, entry in _read(path).items():
                values = {name: value for name, value in entry.items() if name != CHANGED}
                raw[slug] = raw.get(slug, {}) | values
    return raw


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CatalogueError(path.name, "", "", str(error)) from error


def _in_order(file: str, entries: list[tuple[str, str]]) -> None:
    """Refuse numbers that don't count up from 1 and dates that are invalid or out of order."""
    for at, (number, on) in enumerate(entries, start=1):
        if number != str(at):
            raise CatalogueError(file, number, "", f"{at} comes here: releases and versions count up from 1")
        if not DATE_PATTERN.fullmatch(on):
            raise CatalogueError(file, number, "on", f"{on!r} is no day such as 2026-11-21")
        if at > 1 and on < entries[at - 2][1]:
            raise CatalogueError(file, number, "on", "is before the one before it")


def _changes(folder: Path, number: str) -> Iterator[ReleaseChange]:
    place = folder / f"release_{number}"
    for path in sorted(place.glob("*.toml")):
        before = raw_table(folder, path.stem, str(int(number) - 1))
        after = raw_table(folder, path.stem, number)
        for slug, entry in _read(path).items():
            yield _change(f"{place.name}/{path.name}", path.stem, slug, entry, before, after)


def _change(file: str, table: str, slug: str, entry: Table, before: Table, after: Table) -> ReleaseChange:
    why = _why(file, slug, entry.get(CHANGED))
    now = with_inherited(file, after, slug, ())
    was = with_inherited(file, before, slug, ()) if slug in before else None
    figures = tuple(
        ChangedFigure(
            name=why.names.get(name, name.replace("_", " ")),
            before=_describe((was or {}).get(name)),
            after=_describe(value),
        )
        for name, value in now.items()
        if was is not None and was.get(name) != value
    )
    how: ChangeKind = "new" if was is None else "retired" if why.is_retired else "changed"
    if how == "new" and why.is_retired:
        raise CatalogueError(file, slug, CHANGED, "an entry that is new can't be retired")
    if how == "changed" and not figures:
        raise CatalogueError(file, slug, "", "changes nothing")
    return ReleaseChange(
        table=table,
        slug=slug,
        name=str(now.get("name", slug)),
        how=how,
        rule=why.rule,
        reason=why.reason,
        figures=figures,
    )


def _why(file: str, slug: str, given: object) -> _Why:
    fields = given if isinstance(given, dict) else {}
    rule, reason, is_retired = fields.get("rule"), fields.get("reason"), fields.get("retired", False)
    names = fields.get("names", {})
    if not isinstance(rule, str) or not isinstance(reason, str) or not isinstance(is_retired, bool):
        raise CatalogueError(file, slug, CHANGED, "must say `rule` and `reason`, and may say `retired = true`")
    if unknown := sorted(set(fields) - {"rule", "reason", "retired", "names"}):
        raise CatalogueError(file, slug, f"{CHANGED}.{unknown[0]}", "unknown field")
    return _Why(rule=rule, reason=reason, is_retired=is_retired, names=names)


def _describe(value: object) -> str:
    """Return a catalogue value as readable text."""
    if value is None or value in ("", "-", [], {}):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_describe(each) for each in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_describe(each)}" for name, each in value.items())
    return str(value)


def of_release(releases: tuple[Release, ...], number: str, name: str) -> str:
    """Return the number if the release exists; raises UnknownReleaseError."""
    if number not in [each.number for each in releases]:
        there = ", ".join(each.number for each in releases)
        raise UnknownReleaseError(f"{name} has no catalogue version {ascii(number[:20])}; there is {there}")
    return number


class ReadyForce(TypedDict):
    name: str
    units: list[str]  # published designs
    pilots: NotRequired[list[str]]  # levels, where pilots matter


def load_forces(folder: Path) -> Mapping[str, ReadyForce]:
    """Return the entries of `forces.toml` in that folder."""
    with (folder / "forces.toml").open("rb") as file:
        forces: Mapping[str, ReadyForce] = tomllib.load(file)
    return forces
