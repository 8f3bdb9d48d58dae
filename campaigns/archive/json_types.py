"""Types of the JSON values in an archive that the site writes itself."""

from __future__ import annotations

from typing import Annotated, Literal

import pydantic

from systems.documents import (
    Document,
    Name,
)
from systems.setups import MAX_UNITS, Key, SetupUnit, Slug, Standing

MAX_FACES = 200  # dice of a roll
MAX_SIDES = 2

Text = Annotated[str, pydantic.Field(max_length=2000)]
Line = Annotated[str, pydantic.Field(max_length=300)]
Whole = Annotated[int, pydantic.Field(ge=-10_000_000, le=10_000_000)]
Count = Annotated[int, pydantic.Field(ge=0, le=10_000_000)]
Small = Annotated[int, pydantic.Field(ge=0, le=10_000)]
Share = Annotated[float, pydantic.Field(ge=0, le=1)]
Id = Annotated[int, pydantic.Field(ge=1, le=2**53)]
Side = Literal[0, 1]
Pair = tuple[Count, Count]
Faces = Annotated[tuple[Annotated[int, pydantic.Field(ge=0, le=100)], ...], pydantic.Field(max_length=MAX_FACES)]
Sides = Annotated[tuple[Side, ...], pydantic.Field(max_length=MAX_SIDES)]
Lines = Annotated[tuple[Text, ...], pydantic.Field(max_length=1000)]
Cell = Annotated[str, pydantic.Field(max_length=100)]


class Step(Document):
    step: str
    title: Line
    state: Literal["waiting", "done"]
    text: Text


class Fielded(Document):
    """The unit and pilot of a company behind a unit of a set-up."""

    unit: Id | None
    pilot: Id | None


Force = Annotated[dict[Key, Fielded], pydantic.Field(max_length=MAX_UNITS)]


class Bought(Document):
    design: Slug | dict[str, object]
    name: Line
    pilot: Id | None
    hire: Line
    called: Line


class SealedForce(Document):
    """The list that one side submits for a match."""

    units: Annotated[tuple[Id | None, ...], pydantic.Field(max_length=MAX_UNITS)]
    doctrine: Slug
    buys: Annotated[tuple[Bought, ...], pydantic.Field(max_length=MAX_UNITS)] | None = None
    orders: dict[Slug, dict[Slug, str | int]] | None = None
    standing: dict[str, Standing] | None = None


class Figures(Document):
    """Figures of attacker and defender, if known."""

    destroyed: Pair | None = None
    lost: Pair | None = None
    destroyed_points: Pair | None = None
    scored: tuple[Whole, Whole] | None = None  # victory points; penalties can make them negative (ST-380)
    margin: tuple[Whole] | None = None


class MatchOdds(Document):
    """The published odds of a match: the number of battles, each side's wins, and how often each margin occurred."""

    runs: Annotated[int, pydantic.Field(ge=1, le=10_000_000)]
    attacker_wins: Annotated[int, pydantic.Field(ge=0)]
    defender_wins: Annotated[int, pydantic.Field(ge=0)]
    margins: Annotated[
        dict[Annotated[str, pydantic.Field(pattern=r"^-?\d{1,7}$")], int], pydantic.Field(max_length=5000)
    ] = {}


class Past(Document):
    attacker_kills: Small | None = None
    defender_kills: Small | None = None


class SupportRolled(Document):
    faces: Faces
    result: Slug


class BoughtUnit(SetupUnit):
    """A unit that a side of a set-up would buy."""

    name: Name


class Tried(Document):
    kind: Slug
    value: Count
    chance: Share
    units: tuple[Key, ...] | None = None
    bought: Annotated[tuple[BoughtUnit, ...], pydantic.Field(max_length=MAX_UNITS)] | None = None
    rolls: tuple[Small, Small] | None = None
    scenario: Slug | dict[str, object] | None = None
    told: Text | None = None
    styles: tuple[Slug, Slug] | None = None


class Basis(Document):
    setup: dict[str, object]
    rolls: tuple[Small, Small]
    battles: Annotated[int, pydantic.Field(ge=1, le=1_000_000)]
    seed: Annotated[str, pydantic.Field(pattern=r"^\d{1,20}$")]
    rules_version: Count
    best_styles: bool | None = None


class Difference(Document):
    path: Line
    label: Line
    attacker: Line
    defender: Line


class Excused(Document):
    hash: Line
    problems: tuple[tuple[Line, Text], ...]


class Adjusted(Document):
    enrolment: Id | None
    company: Id | None
    undoes: Id | None = None
    adjustments: Annotated[tuple[dict[str, object], ...], pydantic.Field(max_length=100)] = ()
    told: Lines = ()


class Decided(Document):
    """How a match was decided, as a correction stores it."""

    state: str
    outcome: str
    decided_by: Line
    battle: Line
    report: dict[str, object] | None = None


class Change(Document):
    of: Literal["company", "pilot", "unit"]
    id: Id | None
    name: Line
    what: Line
    before: Text
    after: Text


class CompanyEffects(Document):
    id: Id | None
    name: Line
    balance_before: Whole
    balance_after: Whole
    entries: Count
    changes: Annotated[tuple[Change, ...], pydantic.Field(max_length=10_000)]
    spent: Lines
    notes: Lines


class LaterMatch(Document):
    key: Line
    title: Line
    text: Text
    is_flagged: bool


class StandingChange(Document):
    name: Line
    place_before: Small
    place_after: Small
    points_before: Whole
    points_after: Whole


class Effects(Document):
    """The effects of a correction, as its preview showed them."""

    match: Line
    mode: Line
    outcome_before: Line
    outcome_after: Line
    refusal: Text = ""
    companies: Annotated[tuple[CompanyEffects, ...], pydantic.Field(max_length=1000)] = ()
    later: Annotated[tuple[LaterMatch, ...], pydantic.Field(max_length=10_000)] = ()
    standings: Annotated[tuple[StandingChange, ...], pydantic.Field(max_length=1000)] = ()
    territory: tuple[Line, Line, Line] | None = None
    war: Lines = ()
    season: Lines = ()
    advances: Lines = ()
    token: Line = ""


class TallyForm(Document):
    battle: dict[str, int]  # one of them is a hash
    units: Annotated[dict[str, dict[str, int]], pydantic.Field(max_length=1000)]
    margins: Annotated[
        dict[Annotated[str, pydantic.Field(pattern=r"^-?\d{1,7}$")], Count], pydantic.Field(max_length=5000)
    ] = {}


class TableForce(Document):
    company: Id | None
    units: Force


class UnitFate(Document):
    """The fate of a unit, with the extra fields of its game."""

    model_config = pydantic.ConfigDict(extra="allow")

    key: Cell  # units brought by support have keys too
    side: Line
    lost: bool
    lost_by: Line | None = None
    killed_by: Line | None = None
    withdrew: bool = False
    hits: Whole
    wounded: bool = False
    kills: Small = 0


class Result(Document):
    """The result of a battle, also of one that was logged manually."""

    winner: Line | None
    draw: bool
    reason: Line
    rounds: Small
    units: Annotated[tuple[UnitFate, ...], pydantic.Field(max_length=1000)]
    points: dict[str, Annotated[str, pydantic.Field(pattern=r"^[0-9]{1,9}(/[1-9][0-9]{0,8})?$")]] = {}
    support: tuple[tuple[Slug, ...], tuple[Slug, ...]] = ((), ())


Mark = Annotated[int, pydantic.Field(ge=-100_000, le=100_000)] | Line


class Marked(Document):
    changes: Annotated[tuple[tuple[Cell, Mark, Mark], ...], pydantic.Field(max_length=500)]


class Noted(Document):
    text: Text
    salt: Line
    hash: Line
    hides: Key | None = None


class Placed(Document):
    place: Count


class Agreed(Document):
    digest: Line


class Thrown(Document):
    what: Line
    sides: Annotated[int, pydantic.Field(ge=2, le=100)]
    need: Count | None = None
    faces: Faces
    number: Count | None = None


class ThrownAhead(Thrown):
    model_config = pydantic.ConfigDict(extra="allow")  # it may say what is wrong with the roll


class Prepared(Document):
    chain: Count
    sealed: Line
    length: Count
