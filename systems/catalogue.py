"""Frozen catalogue entries read from TOML files; knows no rule system.

A file has one table per entry, the slug as key. `inherits = "slug"` copies another entry of the same file and states
the differences only; `abstract = true` marks an entry that exists to be inherited from and is left out of the result.
Unknown and missing fields are refused: every loaded entry is complete.
"""

import dataclasses
import tomllib
import types
import typing
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Entry = TypeVar("Entry", bound="DataclassInstance")

Table: TypeAlias = Mapping[str, Any]  # as TOML has it

NOTHING = "-"  # TOML has no null; a dash stands for it, as in the rulebooks' tables


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
    """Return the entries of `raw`, parsed TOML; `path` is named in errors."""
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
    """Return the fields of an entry, with inherited ones; `seen` are the entries that inherit from it."""
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
    """Return `raw` as the type that the dataclass declares; never converts one scalar into another silently."""
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
    """Return the items of a list, each behind the type that the tuple declares for it."""
    if not isinstance(raw, list):
        raise CatalogueError(file, entry, field, "a list is needed")
    if args[-1] is Ellipsis:
        return [(args[0], item) for item in raw]
    if len(raw) != len(args):
        raise CatalogueError(file, entry, field, f"{len(args)} values are needed, not {len(raw)}")
    return list(zip(args, raw, strict=True))
