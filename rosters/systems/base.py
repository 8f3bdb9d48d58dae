"""RosterSystem: what a rule system answers about designs, pilots and companies."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rosters.legality import Check, Problem
from rosters.rulebook import RuleRef

SpecT = TypeVar("SpecT")
SheetT = TypeVar("SheetT")


@dataclass(frozen=True, slots=True)
class PublishedDesign(Generic[SpecT]):
    """A design that the rulebook prints, with the points it prints."""

    slug: str
    name: str
    spec: SpecT
    printed_points: int
    note: str = ""


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


@dataclass(frozen=True, slots=True)
class CompanyMember(Generic[SpecT]):
    """A unit with its pilot, put forward for a scenario."""

    name: str
    spec: SpecT
    pilot: PilotSpec | None
    is_new_pilot: bool = False  # hired for this game


class RosterSystem(ABC, Generic[SpecT, SheetT]):
    """Parsing refuses with DocumentError; checking never raises."""

    slug: str
    name: str
    prefix: str  # of its rule IDs
    catalogue_release: str
    rulebook: Mapping[str, RuleRef]
    published: Mapping[str, PublishedDesign[SpecT]]

    @abstractmethod
    def parse_spec(self, data: object, path: str = "spec") -> SpecT:
        """The spec of a design, every slug known; raises DocumentError."""

    @abstractmethod
    def spec_json(self, spec: SpecT) -> dict[str, Any]:
        """The spec as JSON values; parsing them gives an equal spec."""

    @abstractmethod
    def check_design(self, spec: SpecT, options: Mapping[str, object] = {}) -> Check:
        """Points and every problem of one design."""

    @abstractmethod
    def parse_pilot(self, data: object, path: str = "pilot") -> PilotSpec:
        """The pilot, every slug known; None is the plain pilot. Raises DocumentError."""

    @abstractmethod
    def check_pilot(self, pilot: PilotSpec, spec: SpecT | None = None) -> tuple[Problem, ...]:
        """Every problem of one pilot, in the unit of `spec` if given."""

    @abstractmethod
    def check_company(
        self,
        scenario_slug: str,
        members: Sequence[CompanyMember[SpecT]],
        options: Mapping[str, object] = {},
        *,
        side: str | None = None,
        extra_points: int = 0,
    ) -> Check:
        """Points and every problem of a company in a scenario; without a side, the side with more points is meant."""

    @abstractmethod
    def parse_options(self, data: object, path: str = "options") -> Mapping[str, object]:
        """House rules that were given, defaults not filled in; raises DocumentError."""

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
    ) -> SheetT:
        """Everything that the sheet and the pocket card of a unit show."""
