"""Set-up documents: both sides of a battle, its terrain and house rules.

They are read completely, or refused with place and reason.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache, wraps
from typing import Annotated, Any, Literal, Protocol, TypeVar

import pydantic

from systems.catalogue import FIRST_RELEASE
from systems.documents import (
    Described,
    Document,
    DocumentError,
    Name,
    SystemCondition,
    SystemOptions,
    SystemScenario,
    SystemSpec,
    kind_of,
    with_example,
)
from systems.engine.dice import MAX_SEED

MAX_UNITS = 30  # per side, in any game; see BattleSystem.max_units
KEPT = 256  # set-ups in the cache, a few kilobytes each

AnswerT = TypeVar("AnswerT")
SIDE_LETTERS = "ab"

COMPANY_KEY = re.compile(r"u\d+")  # of a company's unit: the number of its row, which means nothing to readers

Key = Annotated[str, pydantic.Field(min_length=1, max_length=30, pattern=r"^[A-Za-z0-9_.-]+$")]
Slug = Annotated[str, pydantic.Field(min_length=1, max_length=40)]
Face = Annotated[int, pydantic.Field(ge=1, le=6)]


def _chosen(value: object) -> str | int:
    """Validate an order's value."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(f"must be a text or a whole number, not {kind_of(value)}")
    return value


Chosen = Annotated[str | int, pydantic.PlainValidator(_chosen, json_schema_input_type=str | int)]
Standing = dict[Slug, Chosen]  # by order name


def _without_empty(values: dict[str, object], name: str) -> dict[str, object]:
    """Leave out an empty field, so that set-ups older than the field keep their hash."""
    if values[name] in (None, {}):
        del values[name]
    return values


class SetupPilot(Document):
    """A unit's pilot, as read by the rule system; missing fields have the rule system's defaults."""

    experience: str = ""
    skills: tuple[Slug, ...] = ()
    is_new: bool = False  # hired for this game


class SetupScenario(Document):
    """A player's own scenario in full."""

    name: Name
    spec: SystemScenario


class SetupPosition(Document):
    """A unit's position after set-up, on a table measured in inches.

    `x` runs east and `y` north from the south-west corner, to the unit's centre. `facing` is in whole degrees from
    east, counter-clockwise; without it the unit faces the enemy's edge.
    """

    x: float
    y: float
    facing: Annotated[int, pydantic.Field(ge=-179, le=180)] | None = None

    @pydantic.model_serializer(mode="wrap")
    def _without_no_facing(self, default: pydantic.SerializerFunctionWrapHandler) -> dict[str, object]:
        return _without_empty(default(self), "facing")


class SetupUnit(Document):
    """One unit of a side. `design` is the slug of a published design or support unit, or a full spec.

    `position` is only for games with freely measured tables; a side without any positions is set up by its AI style.
    `standing` are the unit's autoplay orders for the AI; they take precedence over its side's.
    """

    key: Key
    design: str | SystemSpec
    name: Name | None = None
    pilot: Annotated[dict[str, object], Described(SetupPilot)] | None = None
    condition: SystemCondition = {}
    position: SetupPosition | None = None
    standing: Standing = {}

    @pydantic.model_serializer(mode="wrap")
    def _without_no_position(self, default: pydantic.SerializerFunctionWrapHandler) -> dict[str, object]:
        return _without_empty(_without_empty(default(self), "position"), "standing")


class SetupSide(Document):
    """One side.

    `rolled`: dice rolled before the set-up, by the support result that needs them. `orders`: when and where support is
    to be used, by result; the side's AI style (`doctrine`) decides everything else. `standing`: autoplay orders to the
    AI for all units of the side.
    """

    name: Name
    doctrine: Slug
    support: tuple[Slug, ...] = ()
    rolled: dict[Slug, tuple[Face, ...]] = {}
    orders: dict[Slug, dict[Slug, str | int]] = {}
    standing: Standing = {}
    units: Annotated[tuple[SetupUnit, ...], pydantic.Field(min_length=1, max_length=MAX_UNITS)]

    @pydantic.model_serializer(mode="wrap")
    def _without_no_dice(self, default: pydantic.SerializerFunctionWrapHandler) -> dict[str, object]:
        values: dict[str, object] = default(self)
        for name in ("rolled", "orders", "standing"):
            values = _without_empty(values, name)
        return values


class Setup(Document):
    """A battle's set-up.

    `scenario` is a published scenario's slug, or a player-made one's name and spec.
    """

    model_config = with_example(
        muster="setup/1",
        system="meks-and-mercs",
        scenario="zone-battle",
        terrain="plain",
        sides=[
            {"name": "Red", "doctrine": "aggressive", "units": [{"key": "a1", "design": "wasp"}]},
            {
                "name": "Blue",
                "doctrine": "cautious",
                "units": [{"key": "b1", "design": "draken", "pilot": {"experience": "regular"}}],
            },
        ],
    )

    muster: Literal["setup/1"]
    system: Slug
    scenario: Slug | Annotated[dict[str, object], Described(SetupScenario)]
    terrain: Slug
    options: SystemOptions = {}
    release: Annotated[str, pydantic.Field(min_length=1, max_length=20)] | None = (
        None  # of the catalogue; default: the first
    )
    sides: Annotated[tuple[SetupSide, ...], pydantic.Field(min_length=2, max_length=2)]

    @pydantic.field_validator("release")
    @classmethod
    def _first_unnamed(cls, release: str | None) -> str | None:
        return None if release == FIRST_RELEASE else release

    @pydantic.model_serializer(mode="wrap")
    def _without_first_release(self, default: pydantic.SerializerFunctionWrapHandler) -> dict[str, object]:
        return _without_empty(default(self), "release")

    @property
    def catalogue_release(self) -> str:
        """Return the catalogue release whose figures the battle uses."""
        return self.release or FIRST_RELEASE


class _Same:
    """A set-up as a cache key, compared by identity."""

    __slots__ = ("setup",)

    def __init__(self, setup: Setup) -> None:
        self.setup = setup

    def __hash__(self) -> int:
        return id(self.setup)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.setup is other.setup


def once_a_setup(derive: Callable[[Setup], AnswerT]) -> Callable[[Setup], AnswerT]:
    """Cache a function's results for the most recent set-ups; callers must not change the results."""

    @lru_cache(maxsize=KEPT)
    def kept(same: _Same) -> AnswerT:
        return derive(same.setup)

    @wraps(derive)
    def asked(setup: Setup) -> AnswerT:
        return kept(_Same(setup))

    return asked


def crew_fields(pilot: Mapping[str, object] | None) -> dict[str, object] | None:
    """Return a set-up's pilot without `is_new`, which only battles use."""
    return {name: value for name, value in pilot.items() if name != "is_new"} if pilot is not None else None


def setup_json(setup: Setup) -> dict[str, Any]:
    """Return the set-up as JSON values; equal set-ups give equal values."""
    return setup.model_dump(mode="json")


def without_orders(document: Mapping[str, Any], sides: Collection[int] = (0, 1)) -> dict[str, Any]:
    """Return a set-up's JSON values without these sides' orders: for support, for the side and for single units."""

    def bare(side: Mapping[str, Any]) -> dict[str, Any]:
        kept = {name: value for name, value in side.items() if name not in ("orders", "standing")}
        units = [{name: value for name, value in unit.items() if name != "standing"} for unit in side["units"]]
        return {**kept, "units": units}

    return {**document, "sides": [bare(side) if at in sides else side for at, side in enumerate(document["sides"])]}


def with_styles(setup: Setup, styles: Sequence[str]) -> Setup:
    """Return the set-up with these AI styles for attacker and defender."""
    sides = [side.model_copy(update={"doctrine": style}) for side, style in zip(setup.sides, styles, strict=True)]
    return setup.model_copy(update={"sides": tuple(sides)})


def canonical(value: object) -> str:
    """Return JSON text that is the same for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def setup_hash(setup: Setup) -> str:
    """Return the SHA-256 of the canonical set-up, in hexadecimal."""
    return hashlib.sha256(canonical(setup_json(setup)).encode()).hexdigest()


def parse_seed(value: object, path: str = "seed") -> int:
    """Read a seed from a form, a command line or JSON: 0 .. 2^64 - 1; raises DocumentError."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_SEED:
        raise DocumentError(path, "a seed is a whole number from 0 to 18446744073709551615 (2^64 - 1)")
    return value


class Fielded(Protocol):
    """A unit of a set-up as its game reads it."""

    @property
    def unit(self) -> SetupUnit: ...
    @property
    def side(self) -> int: ...
    @property
    def name(self) -> str: ...


def unit_tags(units: Iterable[tuple[str, int]]) -> dict[str, str]:
    """Return short labels by key, of units in order with their sides: "A3" for a company's third unit, else the key."""
    rows = list(units)
    tags = {key: key.upper() for key, _ in rows if not COMPANY_KEY.fullmatch(key)}
    taken, numbers = set(tags.values()), Counter[int]()
    for key, side in rows:
        numbers[side] += 1
        if key not in tags:
            while (tag := f"{SIDE_LETTERS[side]}{numbers[side]}".upper()) in taken:
                numbers[side] += 1
            tags[key] = tag
    return tags


def distinct_names(units: Sequence[Fielded]) -> dict[str, str]:
    """Return the units' names on screen, by key; all are different, because equal ones have their labels."""
    same, tags = Counter(each.name for each in units), unit_tags((each.unit.key, each.side) for each in units)
    return {
        each.unit.key: each.name if same[each.name] == 1 else f"{each.name} {tags[each.unit.key]}" for each in units
    }
