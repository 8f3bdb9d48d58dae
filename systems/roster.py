"""RosterSystem: the rules of one game for designs, pilots and companies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar

from systems.artwork.canvas import Body
from systems.catalogue import FIRST_RELEASE, Release, UnknownReleaseError
from systems.design_editor import Chart, DesignEditor
from systems.documents import Document, DocumentError, object_of, unknown_slug
from systems.legality import BillLine, Check, Problem
from systems.pilots import PilotIdentity
from systems.rulebook import GlossaryEntry, HouseRule, RuleRef, house_rule_value
from systems.scenarios import SmallMap
from systems.text import PLAIN_WORDS, SystemWords

SpecT = TypeVar("SpecT")
SheetT = TypeVar("SheetT")
AnyScenario: TypeAlias = Any  # a scenario's spec as parsed by its game, which alone uses it
AnySheet: TypeAlias = Any  # what a game shows of a unit or scenario, for its own templates and paper


@dataclass(frozen=True, slots=True)
class PublishedDesign(Generic[SpecT]):
    """A design from the rulebook, with its printed points."""

    slug: str
    name: str
    spec: SpecT
    printed_points: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class PublishedScenario:
    """A scenario from the rulebook; `spec` has the same form as in player-made scenarios."""

    slug: str
    name: str
    spec: AnyScenario


@dataclass(frozen=True, slots=True)
class PilotSpec:
    """A pilot, with what the rules need."""

    experience: str
    skills: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PilotCard(PilotIdentity):
    """A pilot as shown on a card."""

    experience: str
    skills: tuple[str, ...] = ()
    kills: int = 0
    games: int = 0
    points: int | None = None  # experience points; None in games without them


@dataclass(frozen=True, slots=True)
class ServiceCard:
    """The service record of a unit, as shown on its sheet."""

    games: int = 0
    kills: int = 0
    times_lost: int | None = None  # None: not displayed


@dataclass(frozen=True, slots=True)
class CompanyMember(Generic[SpecT]):
    """A unit with its pilot, proposed for a scenario."""

    name: str
    spec: SpecT
    pilot: PilotSpec | None
    is_new_pilot: bool = False  # hired for this game


@dataclass(frozen=True, slots=True, kw_only=True)
class Harm:
    """Damage that a club can add to a unit between games: what the game calls it, and the maximum."""

    words: str  # "Hits lost"
    most: int  # 1: yes or no


class RosterSystem(ABC, Generic[SpecT, SheetT]):
    """One game's rules for designs, pilots and companies. Parsing raises DocumentError; checking never raises."""

    slug: str
    name: str
    words: SystemWords = PLAIN_WORDS
    unit_words: tuple[str, str] = ("unit", "units")  # the system's words for a unit: singular, plural
    prefix: str  # of its rule IDs
    attribution: str = ""  # required by the licence of the rules, shown at the foot of pages; empty: nothing
    catalogue_release: str = FIRST_RELEASE  # the release that this object uses; the newest for a GAME
    releases: Sequence[Release] = ()  # of the catalogue, oldest first; empty: only the first one
    rulebook: Mapping[str, RuleRef]
    glossary: Mapping[str, tuple[GlossaryEntry, ...]] = {}  # terms of the rules, by heading of the rules page
    published: Mapping[str, PublishedDesign[SpecT]]
    scenarios: Mapping[str, PublishedScenario] = {}
    hire_points: Mapping[str, int] = {}  # cost of a new pilot by level; empty: there are no pilots
    level_names: Mapping[str, str] = {}  # every level, lowest first
    skill_names: Mapping[str, str] = {}
    support_names: Mapping[str, str] = {}  # support results that a side can roll
    house_rules: Mapping[str, HouseRule] = {}
    cites: Mapping[
        str, str
    ] = {}  # rule IDs that shared pages name: "no-pilot", "wounded", "barred", "repair", "limit", "own-pilot"
    keeps_damage: bool = True  # units keep battle damage; otherwise only the aftermath decides
    records_pilots: bool = False  # a pilot's page adds up their games, as the unit's page does
    counts_experience: bool = False  # pilots have experience points
    founding_points: int = 60  # of a company, by default. MM-S07
    founding_most: int = 1000  # the maximum a company can start with
    loan_words: str = ""  # what the house lends a company that can't afford anything, as a sentence; empty: nothing
    # Templates and static files by what they show: "datasheet": a unit; "machine": the unit from above; "scenario"; and
    # for player-drawn scenarios "scenario-form", "scenario-preview", "scenario-style", "scenario-script". All are
    # optional.
    parts: Mapping[str, str] = {}
    # Models of its specs, conditions and scenarios, for the API schema; anything without one is described as an object.
    documents: Mapping[str, type[Document]] = {}
    scenario_lead: str = ""  # how to fill in the form of a scenario
    frame_word: str = "Kind"  # the lab's name for the choice that all others depend on
    frame_first: str = ""  # the slug that the lab starts with; empty: there is no design lab
    frame_field: str = ""  # the field of a spec in a document that names its frame
    lab_fields: tuple[str, ...] = ("frame",)  # fields of a build in the lab's address: the frame, then the others
    lab_lists: tuple[str, ...] = ()  # those of them that hold several slugs

    @property
    def newest(self) -> str:
        """Return the release that new companies use."""
        return self.releases[-1].number if self.releases else FIRST_RELEASE

    def of(self, release: str) -> RosterSystem[SpecT, SheetT]:
        """Return the same game in that catalogue release; raises UnknownReleaseError.

        Games with several releases parse specs that know their release, which decides everything calculated from them.
        """
        if release == self.catalogue_release:
            return self
        raise UnknownReleaseError(f"{self.name} has no catalogue version {ascii(release[:20])}; there is {self.newest}")

    def retired_in(self, spec: SpecT) -> tuple[str, ...]:
        """Return the names of the spec's parts that this release no longer offers; their owners keep them."""
        return ()

    @property
    def retired_rules(self) -> frozenset[str]:
        """Return the house rules that this release no longer offers."""
        return frozenset()

    def describe_retired(self, slug: str) -> str:
        """Explain in a sentence why that house rule can't be chosen."""
        return (
            f"{self.house_rules[slug].name} is retired in catalogue version {self.catalogue_release}; "
            "leave it out, or play by an earlier release"
        )

    def has(self, part: str) -> bool:
        """Return whether the game has that one of its `parts`, or has a "lab"."""
        return bool(self.frame_first) if part == "lab" else part in self.parts

    def cite(self, what: str) -> str:
        """Return the rule behind a refusal, in brackets; empty if the system names none."""
        return f" ({self.cites[what]})" if what in self.cites else ""

    def needs_pilot(self, spec: Mapping[str, object]) -> bool:
        """Return whether a unit of that spec, as JSON values, can only be fielded with a pilot."""
        return bool(self.hire_points)

    def is_own_pilot(self, spec: SpecT) -> bool:
        """Return whether such a unit is its own pilot.

        The pilot is then only a name for the unit, and each is lost with the other.
        """
        return False

    @abstractmethod
    def parse_spec(self, data: object, path: str = "spec") -> SpecT:
        """Return the spec of a design, with every slug checked; raises DocumentError."""

    @abstractmethod
    def spec_json(self, spec: SpecT) -> dict[str, object]:
        """Return the spec as JSON values; parsing them gives an equal spec."""

    @abstractmethod
    def check_design(self, spec: SpecT, options: Mapping[str, object] = {}) -> Check:
        """Return points and all problems of one design."""

    def points_flown(self, spec: SpecT, pilot: Mapping[str, object] | None, options: Mapping[str, object] = {}) -> int:
        """Return the points of a unit of that design with a set-up's pilot; this default ignores the pilot."""
        return self.check_design(spec, options).points

    def parse_pilot(self, data: object, path: str = "pilot") -> PilotSpec:
        """Return the pilot, with every slug checked; None gives the default pilot. Raises DocumentError."""
        if data is not None:
            raise DocumentError(path, f"{self.name} has no pilots")
        return PilotSpec("")

    def check_pilot(self, pilot: PilotSpec, spec: SpecT | None = None) -> tuple[Problem, ...]:
        """Return all problems of one pilot, as pilot of `spec` if given."""
        return ()

    def check_company(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[SpecT]],
        options: Mapping[str, object] = {},
        *,
        side: str | None = None,
        extra_points: int = 0,
    ) -> Check:
        """Return points and all problems of a company in a scenario; without a side, as the side with more points.

        The scenario is a published one's slug, or a player-made one's name and spec as in set-up documents. Empty text
        checks the company without a scenario; a problem with place "scenario" then only says that none was named. This
        default has no limits: it adds up the units' checks.
        """
        checks = [self.check_design(member.spec, options) for member in members]
        return Check(
            sum(check.points for check in checks),
            tuple(each.moved(f"units[{at}]") for at, check in enumerate(checks) for each in check.problems),
            bill=tuple(BillLine(member.name, check.points) for member, check in zip(members, checks, strict=True)),
        )

    # Scenarios with parsed specs. A game without them refuses every spec, and its other scenario methods are never
    # called.

    def parse_scenario(self, data: object, path: str = "spec") -> AnyScenario:
        """Return the spec of a scenario, with every slug checked; raises DocumentError."""
        raise DocumentError(path, f"{self.name} has no custom scenarios")

    def scenario_json(self, spec: AnyScenario) -> dict[str, object]:
        """Return the spec of a scenario as JSON values; parsing them gives an equal spec."""
        raise self._unasked("scenario_json")

    def check_scenario(self, spec: AnyScenario) -> Check:
        """Return all problems of a scenario; one with problems can be saved but not played."""
        raise self._unasked("check_scenario")

    def scenario_sheet(self, spec: AnyScenario) -> AnySheet:
        """Return everything that a scenario's page shows, even if the scenario has problems.

        Lists use its `objective`, `forces` (what the sides may field), `turn_limit`, `brief`, `victory_rule`.
        """
        raise self._unasked("scenario_sheet")

    def scenario_map(self, sheet: AnySheet) -> SmallMap | None:
        """Return the small map for lists, from the scenario's sheet; None: it has no map."""
        return None

    def scenario_form(self, spec: AnyScenario, brush: str = "") -> AnySheet:
        """Return a scenario's form fields; `brush` is the selected map tool. Only called with a "scenario-form"."""
        raise self._unasked("scenario_form")

    def form_spec(self, fields: Mapping[str, str]) -> dict[str, object]:
        """Return the spec, as JSON values, of a submitted form; without fields, the spec of a new form.

        Raises DocumentError for an unreadable field. The page then calls `form_unread`, and if that returns None, shows
        the submitted fields as `unread`.
        """
        raise self._unasked("form_spec")

    def form_unread(self, fields: Mapping[str, str], brush: str = "") -> tuple[AnySheet, Check] | None:
        """Return the form as submitted, each error at its field, and all errors as problems; None: not supported."""
        return None

    def _unasked(self, answer: str) -> NotImplementedError:
        """Return the error for a missing method of a game with scenarios or a lab."""
        return NotImplementedError(f"{self.slug} lacks {answer}")

    def parse_options(self, data: object, path: str = "options") -> Mapping[str, object]:
        """Return the given house rules, without defaults; raises DocumentError for an unknown rule or a wrong value."""
        if data is None:
            return MappingProxyType({})
        given: dict[str, object] = {}
        for slug, value in object_of(data, path).items():
            if slug not in self.house_rules:
                raise unknown_slug(path, "house rule", slug, self.house_rules)
            given[slug] = house_rule_value(self.house_rules[slug], value, f"{path}.{slug}")
        return MappingProxyType(given)

    def options_schema(self) -> dict[str, object]:
        """Return a JSON schema of the possible house rules; all others are refused."""
        rules = {slug: _house_rule_schema(rule) for slug, rule in self.house_rules.items()}
        return {"type": "object", "properties": rules, "additionalProperties": False}

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
        """Return everything that a unit's sheet and pocket card show.

        Lists use its `size` (slug of the counter), `size_name`, `armor` (or None), `hits`, `hits_left`, `points`,
        `columns` (label and value of each column in a table of designs), `state` (label and value of everything wrong
        with the unit besides lost hits).
        """

    def kind_name(self, spec: SpecT) -> str:
        """Return what kind of unit the design is, in a word or two; empty if there is only one kind."""
        return ""

    def arms(self, spec: SpecT) -> tuple[str, ...]:
        """Return the names of the design's weapons, in order; empty if the rules have no separate weapons."""
        return ()

    def loadout(self, spec: SpecT) -> tuple[str, ...]:
        """Return what a unit of the design carries, weapons first, in order; by default its weapons alone."""
        return self.arms(spec)

    def lab_spec(self, fields: Mapping[str, str]) -> dict[str, object]:
        """Return the spec, as JSON values, for the lab's address.

        Empty fields are left out; the default frame is the first one.
        """
        frame, *others = self.lab_fields
        spec: dict[str, object] = {name: fields[name] for name in others if fields.get(name)}
        spec |= {name: [slug for slug in fields.get(name, "").split(",") if slug] for name in self.lab_lists}
        return {frame: fields.get(frame) or self.frame_first, **spec}

    def lab_address(self, spec: Mapping[str, Any], /) -> dict[str, str]:
        """Return the lab's address for a spec, without empty fields; the inverse of `lab_spec`."""
        return {
            name: ",".join(spec[name]) if name in self.lab_lists else str(spec[name])
            for name in self.lab_fields
            if spec.get(name)
        }

    def body(self, spec: SpecT, condition: Mapping[str, object] = {}) -> Body | None:
        """Return the drawing of a unit in that condition; None: it is shown as the silhouette of its size."""
        return None

    def support_body(self, slug: str) -> Body | None:
        """Return the drawing of a support unit; None: it is shown as a silhouette."""
        return None

    def counter_figures(self, spec: SpecT, options: Mapping[str, object] = {}) -> tuple[int | None, int]:
        """Return the two figures on a unit's counter: armor, or None if the system has no such number, and points."""
        return None, self.check_design(spec, options).points

    def hired_as(self, experience: str) -> str:
        """Return the best level for hire up to this one."""
        return experience

    def is_standing(self, options: Mapping[str, object]) -> bool:
        """Return whether companies keep units (with damage and losses) and money under these house rules."""
        return False

    def is_resting(self, condition: Mapping[str, object]) -> bool:
        """Return whether a unit in that condition stays at home unless chosen explicitly."""
        return False

    def is_barred(self, condition: Mapping[str, Any]) -> bool:
        """Return whether a unit in that condition can't be fielded at all; its `cites` name the rule as "barred"."""
        return False

    def loss_is_final(self, spec: SpecT) -> bool:
        """Return whether a unit destroyed in battle is gone for good, in games where the battle decides it.

        In other games `units` of the aftermath decides.
        """
        return True

    def roster_limit(self, granted: int, games: int) -> int | None:
        """Return the maximum total value of a standing company's units; None: there is no limit.

        `granted`: its points at the founding; `games`: how many it has played.
        """
        return None

    def replacement(self, spec: SpecT) -> SpecT:
        """Return the spec that replaces this one when bought after a company's first game; by default the same."""
        return spec

    def seat_points(self, spec: SpecT, pilot: PilotSpec, *, paid: int) -> int:
        """Return a pilot's cost for a unit without games, bought for `paid` after the company's first game."""
        return 0

    def is_stuck(self, specs: Sequence[SpecT], *, balance: int, games: int) -> bool:
        """Return whether a company with these units, none resting, needs a loan from the house to keep playing."""
        return not specs and balance < min(self.check_design(design.spec).points for design in self.published.values())

    def describe_condition(self, condition: Mapping[str, object]) -> str:
        """Describe a unit's damage in a few words; empty if it has none or the game doesn't keep damage."""
        return ""

    def repair_bill(self, spec: SpecT, condition: Mapping[str, object], /) -> tuple[BillLine, ...]:
        """Return the bill for fully repairing a unit; empty if it has no damage or the game doesn't keep damage."""
        return ()

    def check_refit(self, before: SpecT, after: SpecT, options: Mapping[str, object] = {}) -> Check | None:
        """Return the cost of refitting `before` to `after`, part by part, and all problems; None without refits."""
        return None

    def condition_home(
        self, spec: SpecT, began: Mapping[str, object], after: Mapping[str, object], now: Mapping[str, object]
    ) -> dict[str, object]:
        """Return a unit's condition after a game; JSON values for damaged parts only.

        During the game it went from `began` to `after`; `now` is its current condition in the company.
        """
        return {}

    def harm(self, spec: SpecT, condition: Mapping[str, object]) -> Harm | None:
        """Return the damage that can be added to a unit in that condition.

        None: damage isn't kept, or the unit can take no more.
        """
        return None

    def harmed(self, spec: SpecT, condition: Mapping[str, object], count: int, /) -> dict[str, object]:
        """Return the condition with `count` more of its `harm`, from 1 to its `most`."""
        raise self._unasked("harmed")

    # The design lab: called only if there is a `frame_first`; `editor_spec` only if the editor has groups.

    def measures(self, spec: SpecT) -> tuple[tuple[str, str], ...]:
        """Return label and value of each number, besides points, that the lab shows and compares."""
        sheet: AnySheet = self.datasheet(spec, name="", design_name="")
        return tuple((label, str(value)) for label, value in sheet.columns)

    def charts(self, spec: SpecT) -> tuple[Chart, ...]:
        """Return the lab's exact charts of a build, besides points, from the game's own tables; may be empty."""
        return ()

    def editor(self, spec: SpecT) -> DesignEditor:
        """Return this system's parts, and how many of each the build has."""
        raise self._unasked("editor")

    def editor_spec(self, frame: str, counts: Mapping[str, int], before: Mapping[str, object]) -> dict[str, object]:
        """Return the spec with that frame and these counts; parts stay in the order of the spec `before`."""
        raise self._unasked("editor_spec")


def _house_rule_schema(rule: HouseRule) -> dict[str, object]:
    description: dict[str, object] = {"description": rule.effect}
    if rule.kind == "flag":
        return {"type": "boolean", **description}
    names = [name for _, name in rule.choices]
    if rule.kind == "choice":
        return {"type": "string", "enum": [value for value, _ in rule.choices], **description}
    bounds = {"minimum": rule.minimum, "maximum": rule.maximum}
    number = {"type": "integer"} | {name: bound for name, bound in bounds.items() if bound is not None}
    return {"anyOf": [number, {"type": "string", "enum": names}], **description} if names else {**number, **description}


AnyRoster: TypeAlias = RosterSystem[Any, Any]  # of any game: one method's specs and datasheets are passed to the next
