"""Find ids inside JSON values and texts, and renumber them. Reads and writes no rows.

A table's foreign keys are known to the database, but a JSON field may hold ids too, at places that only the code that
writes it knows. Here a path says where: "units.*" is each item of a list, "*.unit" that field of each object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol

Renumber = Callable[[str, int], int | None]  # table and id -> its other number; None: it isn't in the archive
NO_RULING, NO_RELEASE = "0/0", "release/0"  # a ruling, and a catalogue update, that exist on no site
_RULING = re.compile(r"([0-9]{1,18})/([0-9]{1,18})")
_RELEASE = re.compile(r"release/([0-9]{1,18})")
_ID = re.compile(r"[0-9]{1,18}")


class Codec(Protocol):
    """Renumbers the ids in a value; the same codec serves packing and restoring."""

    def __call__(self, value: object, number: Renumber) -> object: ...


def ids_codec(*paths: str) -> Codec:
    """Return a codec for the ids at these paths, each given as "path=table"."""
    parsed = [(path.split("."), table) for path, _, table in (each.partition("=") for each in paths)]

    def renumbered(value: object, number: Renumber) -> object:
        for steps, table in parsed:
            value = _renumber_path(value, steps, table, number)
        return value

    return renumbered


def _renumber_path(value: object, steps: list[str], table: str, number: Renumber) -> object:
    if not steps:
        return number(table, value) if isinstance(value, int) and not isinstance(value, bool) else value
    step, rest = steps[0], steps[1:]
    if step == "*" and isinstance(value, list):
        return [_renumber_path(each, rest, table, number) for each in value]
    if isinstance(value, Mapping):
        wanted = value.keys() if step == "*" else value.keys() & {step}
        return {**value, **{name: _renumber_path(value[name], rest, table, number) for name in wanted}}
    return value


def cause_codec(value: object, number: Renumber) -> object:
    """Renumber the reference to an entry's cause: "campaign/ruling" or "release/adoption".

    One that isn't in the archive becomes NO_RULING or NO_RELEASE.
    """
    if not isinstance(value, str):
        return value
    if found := _RELEASE.fullmatch(value):
        adoption = number("campaigns.CatalogueUpgrade", int(found[1]))
        return NO_RELEASE if adoption is None else f"release/{adoption}"
    if found := _RULING.fullmatch(value):
        numbers = (number("campaigns.Campaign", int(found[1])), number("campaigns.Ruling", int(found[2])))
        return NO_RULING if None in numbers else f"{numbers[0]}/{numbers[1]}"
    return value


def list_codec(value: object, number: Renumber) -> object:
    """Renumber a submitted list. Orders refer to units by id, and to units bought for the match by their place."""
    value = ids_codec("units.*=rosters.Unit", "buys.*.pilot=rosters.Pilot")(value, number)
    return value if isinstance(value, Mapping) and value.get("buys") else orders_codec(value, number)


def orders_codec(value: object, number: Renumber) -> object:
    """Renumber the unit ids that `standing` orders are given for."""
    standing = value.get("standing") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(standing, Mapping):
        return value
    found: dict[str, object] = {}
    for whom, given in standing.items():
        unit = number("rosters.Unit", int(whom)) if _ID.fullmatch(whom) else None
        if unit is not None:
            found[str(unit)] = given
        elif not _ID.fullmatch(whom):
            found[whom] = given
    return {**value, "standing": found}


_TABLES = {"company": "rosters.Company", "pilot": "rosters.Pilot", "unit": "rosters.Unit"}


def effects_codec(value: object, number: Renumber) -> object:
    """Renumber the effects of a correction. Each change has an id and says what kind of thing it is the id of."""
    value = ids_codec("companies.*.id=rosters.Company")(value, number)
    companies = value.get("companies") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(companies, list):
        return value
    return {**value, "companies": [_renumber_company(each, number) for each in companies]}


def _renumber_company(company: object, number: Renumber) -> object:
    changes = company.get("changes") if isinstance(company, Mapping) else None
    if not isinstance(company, Mapping) or not isinstance(changes, list):
        return company
    found = [
        {**each, "id": number(_TABLES[each["of"]], each["id"])}
        if isinstance(each, Mapping) and each.get("of") in _TABLES and isinstance(each.get("id"), int)
        else each
        for each in changes
    ]
    return {**company, "changes": found}
