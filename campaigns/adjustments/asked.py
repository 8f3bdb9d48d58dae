"""The adjustments that pages and the API can request in a ruling on a company. Reads and writes no rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import pydantic

from systems.documents import Document, DocumentError

AdjustmentKind = Literal[
    "points", "grant-unit", "take-unit", "destroy-unit", "restore-unit", "repair-unit", "harm-unit",
    "grant-pilot", "wound-pilot", "heal-pilot", "kill-pilot", "return-pilot", "experience", "promote", "skill",
]  # fmt: skip
MAX_ADJUSTMENTS = 40  # in one ruling
MAX_POINTS = 1000  # points or experience, given or taken at once
Number = Annotated[int, pydantic.Field(ge=1, le=2**53)]
Count = Annotated[int, pydantic.Field(ge=-100_000, le=100_000)]
Slug = Annotated[str, pydantic.Field(min_length=1, max_length=40)]

FIELDS_BY_KIND: Mapping[str, tuple[str, ...]] = {  # the fields of each; those in brackets are optional
    "points": ("count",),
    "grant-unit": ("design", "(name)"),
    "take-unit": ("unit",),
    "destroy-unit": ("unit",),
    "restore-unit": ("unit",),
    "repair-unit": ("unit",),
    "harm-unit": ("unit", "count"),
    "grant-pilot": ("name", "(callsign)", "level"),
    "wound-pilot": ("pilot",),
    "heal-pilot": ("pilot",),
    "kill-pilot": ("pilot",),
    "return-pilot": ("pilot",),
    "experience": ("pilot", "count"),
    "promote": ("pilot", "level"),
    "skill": ("pilot", "skill"),
}


class Adjustment(Document):
    """One change that the ruling makes. `count`: points or experience (negative allowed), or the damage to a unit."""

    what: AdjustmentKind
    unit: Number | None = None  # id of a unit of the company
    pilot: Number | None = None  # id of a pilot of the company
    count: Count | None = None
    design: Slug | None = None  # of a published design
    name: Annotated[str, pydantic.Field(max_length=60)] | None = None
    callsign: Annotated[str, pydantic.Field(max_length=30)] | None = None
    level: Slug | None = None
    skill: Slug | None = None


def validate_adjustments(asked: Sequence[Adjustment]) -> tuple[Adjustment, ...]:
    """Return the adjustments if each has exactly the fields that go with it. Raise DocumentError otherwise."""
    if not asked:
        raise DocumentError("adjustments", "are missing: say what the ruling does")
    if len(asked) > MAX_ADJUSTMENTS:
        raise DocumentError("adjustments", f"are more than {MAX_ADJUSTMENTS}; make two rulings of them")
    for at, each in enumerate(asked):
        needs = FIELDS_BY_KIND[each.what]
        given = each.model_dump(exclude_none=True, exclude={"what"})
        known = [name.strip("()") for name in needs]
        for name in needs:
            if name in known and name not in given:
                raise DocumentError(f"adjustments[{at}].{name}", f"is missing; it goes with {each.what!r}")
        for name in given:
            if name not in known:
                raise DocumentError(f"adjustments[{at}].{name}", f"does not go with {each.what!r}")
    return tuple(asked)
