"""RosterSystem: what a rule system answers about designs, pilots and companies."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from rosters.documents import DocumentError, object_of, unknown_slug
from rosters.legality import BillLine, Check, Problem
from rosters.rulebook import RuleRef

SpecT = TypeVar("SpecT")
SheetT = TypeVar("SheetT", bound="UnitSheet")


class UnitSheet(Protocol):
    """What every system's datasheet tells, whatever else it holds; pages that know no system read this alone."""

    @property
    def system(self) -> str: ...  # slug; its templates draw the rest
    @property
    def name(self) -> str: ...
    @property
    def design_name(self) -> str: ...
    @property
    def size(self) -> str: ...  # slug of its frame, size or kind
    @property
    def size_name(self) -> str: ...
    @property
    def points(self) -> int: ...
    @property
    def hits(self) -> int: ...  # how much it takes to lose it
    @property
    def hits_left(self) -> int: ...
    @property
    def counter(self) -> str: ...  # the figure in its counter's left corner
    @property
    def columns(self) -> tuple[tuple[str, str], ...]: ...  # label and value for a table of designs


@dataclass(frozen=True, slots=True)
class PublishedDesign(Generic[SpecT]):
    """A design that the rulebook prints, with the points it prints."""

    slug: str
    name: str
    spec: SpecT
    printed_points: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRule:
    """A rule that a table may set otherwise, as a form offers it."""

    slug: str
    name: str
    kind: str  # "flag", "choice", "number"
    default: object
    effect: str
    choices: tuple[tuple[str, str], ...] = ()  # value and label
    minimum: int | None = None
    maximum: int | None = None

    def label_of(self, value: object) -> str:
        """The value in words."""
        if self.kind == "flag":
            return "yes" if value else "no"
        return dict(self.choices).get(str(value), str(value))


@dataclass(frozen=True, slots=True)
class PublishedScenario:
    """A scenario that the rulebook prints; `spec` is what the rule system reads as a player's own one."""

    slug: str
    name: str
    spec: Any


@dataclass(frozen=True, slots=True)
class PilotSpec:
    """A pilot as far as the rules care."""

    experience: str
    skills: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PilotCard:
    """A pilot as a card shows him."""

    name: str
    experience: str
    skills: tuple[str, ...] = ()
    kills: int = 0
    games: int = 0
    points: int | None = None  # of experience, where a system counts it


@dataclass(frozen=True, slots=True)
class ServiceCard:
    """What a unit has been through, as a sheet shows it."""

    games: int = 0
    kills: int = 0
    times_lost: int = 0


@dataclass(frozen=True, slots=True)
class CompanyMember(Generic[SpecT]):
    """A unit with its pilot, put forward for a scenario."""

    name: str
    spec: SpecT
    pilot: PilotSpec | None
    is_new_pilot: bool = False  # hired for this game


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchChoice:
    """Something to build with, and how many of it the build has."""

    slug: str
    name: str
    detail: str
    points: int  # for one purchase
    pack: int = 1  # how many a purchase brings
    count: int = 0
    most: int = 1
    refusal: str = ""  # why this frame can't take it


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchGroup:
    """Choices that share places on the frame."""

    slug: str
    title: str
    used: int
    available: int
    choices: tuple[BenchChoice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchText:
    """Words that belong to a build."""

    slug: str
    label: str
    value: str
    most: int  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Everything that a build can be made of, as the design lab lays it out."""

    title: str  # of the frames
    frames: tuple[BenchChoice, ...]
    frame: str
    groups: tuple[BenchGroup, ...]
    texts: tuple[BenchText, ...] = ()


class RosterSystem(ABC, Generic[SpecT, SheetT]):
    """Parsing refuses with DocumentError; checking never raises."""

    slug: str
    name: str
    prefix: str  # of its rule IDs
    catalogue_release: str
    rulebook: Mapping[str, RuleRef]
    published: Mapping[str, PublishedDesign[SpecT]]
    scenarios: Mapping[str, PublishedScenario]
    hire_points: Mapping[str, int]  # levels that a new pilot can have, and what he costs
    level_names: Mapping[str, str]  # every level, lowest first
    skill_names: Mapping[str, str]
    house_rules: Mapping[str, HouseRule]
    seat_rule: str  # that a unit needs a pilot
    wound_rule: str  # that a wounded pilot misses a game
    repair_rule: str  # how a unit is made whole
    frame_field: str  # what a build's address calls its frame
    first_spec: SpecT  # what the design lab starts with
    first_scenario: Any  # the spec that a new scenario starts with

    @abstractmethod
    def parse_spec(self, data: object, path: str = "spec") -> SpecT:
        """The spec of a design, every slug known; raises DocumentError."""

    @abstractmethod
    def spec_json(self, spec: SpecT) -> dict[str, Any]:
        """The spec as JSON values; parsing them gives an equal spec."""

    @abstractmethod
    def check_design(self, spec: SpecT, options: Mapping[str, object] = {}) -> Check:
        """Points and every problem of one design."""

    def needs_pilot(self, spec: SpecT) -> bool:
        """Whether such a unit fights with a pilot on board."""
        return True

    @abstractmethod
    def parse_pilot(self, data: object, path: str = "pilot") -> PilotSpec:
        """The pilot, every slug known; None is the plain pilot. Raises DocumentError."""

    @abstractmethod
    def check_pilot(self, pilot: PilotSpec, spec: SpecT | None = None) -> tuple[Problem, ...]:
        """Every problem of one pilot, in the unit of `spec` if given."""

    @abstractmethod
    def check_company(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[SpecT]],
        options: Mapping[str, object] = {},
        *,
        side: str | None = None,
        extra_points: int = 0,
    ) -> Check:
        """Points and every problem of a company in a scenario; without a side, the side with more points is meant.

        The scenario is a published one's slug, or name and spec of a player's own as set-up documents hold it. An empty
        text asks about the company as it is kept, whatever it is fielded in; a problem of place "scenario" says no more
        than that none was named.
        """

    @abstractmethod
    def parse_scenario(self, data: object, path: str = "spec") -> Any:
        """The spec of a scenario, every slug known; raises DocumentError."""

    @abstractmethod
    def scenario_json(self, spec: Any) -> dict[str, Any]:
        """The spec of a scenario as JSON values; parsing them gives an equal spec."""

    @abstractmethod
    def check_scenario(self, spec: Any) -> Check:
        """Every problem of a scenario; with one it can be kept but not played."""

    @abstractmethod
    def scenario_sheet(self, spec: Any) -> Any:
        """Everything that the page of a scenario shows, also of one with problems."""

    @abstractmethod
    def scenario_form(self, spec: Any, brush: str = "") -> Any:
        """The fields of a scenario's form; `brush` is what its map is painted with."""

    @abstractmethod
    def form_spec(self, fields: Mapping[str, str]) -> dict[str, Any]:
        """The spec as JSON values that the fields of such a form make."""

    def parse_options(self, data: object, path: str = "options") -> Mapping[str, object]:
        """House rules that were given, defaults not filled in; raises DocumentError for an unknown one or a wrong value."""
        if data is None:
            return MappingProxyType({})
        given: dict[str, object] = {}
        for slug, value in object_of(data, path).items():
            if slug not in self.house_rules:
                raise unknown_slug(path, "house rule", slug, self.house_rules)
            given[slug] = _house_rule_value(self.house_rules[slug], value, f"{path}.{slug}")
        return MappingProxyType(given)

    @abstractmethod
    def datasheet(
        self,
        spec: SpecT,
        *,
        name: str,
        design_name: str,
        company: str = "",
        pilot: PilotCard | None = None,
        condition: Mapping[str, object] = {},
        options: Mapping[str, object] = {},
        service: ServiceCard | None = None,
    ) -> SheetT:
        """Everything that the sheet and the pocket card of a unit show."""

    @abstractmethod
    def hired_as(self, experience: str) -> str:
        """The best level for hire that is not above this one."""

    @abstractmethod
    def is_standing(self, options: Mapping[str, object]) -> bool:
        """Whether companies keep their units, with damage and losses, and their money under these house rules."""

    @abstractmethod
    def repair_bill(self, spec: SpecT, condition: Mapping[str, object]) -> tuple[BillLine, ...]:
        """What it costs to make a unit whole again; no lines for a whole one."""

    @abstractmethod
    def worse_condition(self, spec: SpecT, before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, Any]:
        """The worse of two conditions part by part, as JSON values that say only what is not whole."""

    @abstractmethod
    def bench(self, spec: SpecT) -> Bench:
        """The parts of this system with their counts in that build."""

    @abstractmethod
    def bench_spec(self, frame: str, counts: Mapping[str, int] | None, before: Mapping[str, str]) -> dict[str, Any]:
        """The spec as JSON values, not checked, with that frame and these counts of parts.

        `before` is the rest of a build's address or of the lab's form: words, and the order that the parts had. Without
        counts it also says which parts there are.
        """

    @abstractmethod
    def bench_address(self, spec: SpecT) -> tuple[tuple[str, str], ...]:
        """Field and text of each part of a build, frame first: what the lab reads as `before`; empty ones are left out."""


def _house_rule_value(rule: HouseRule, value: object, path: str) -> object:
    if rule.kind == "flag":
        if not isinstance(value, bool):
            raise DocumentError(path, "must be true or false")
    elif rule.kind == "choice":
        allowed = [choice for choice, _ in rule.choices]
        if value not in allowed:
            raise DocumentError(path, f"must be one of {', '.join(allowed)}")
    elif isinstance(value, bool) or not isinstance(value, int):
        raise DocumentError(path, "must be a whole number")
    elif rule.minimum is not None and value < rule.minimum:
        raise DocumentError(path, f"must be {rule.minimum} or more")
    elif rule.maximum is not None and value > rule.maximum:
        raise DocumentError(path, f"must be {rule.maximum} or less")
    return value
