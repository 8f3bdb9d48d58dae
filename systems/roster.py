"""RosterSystem: what a rule system answers about designs, pilots and companies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from systems.charts import Chart
from systems.documents import Document, DocumentError, object_of, unknown_slug
from systems.legality import BillLine, Check, Problem
from systems.options import HouseRule, house_rule_value
from systems.paper.bodies.parts import Body
from systems.paper.small_map import SmallMap
from systems.releases import FIRST, Release, UnknownReleaseError
from systems.rulebook import GlossaryEntry, RuleRef
from systems.words import PLAIN, SystemWords

SpecT = TypeVar("SpecT")
SheetT = TypeVar("SheetT")
AnyScenario: TypeAlias = Any  # what a game has read as the spec of a scenario, for itself alone
AnySheet: TypeAlias = Any  # what a game shows of a unit or a scenario, for its own templates and paper


@dataclass(frozen=True, slots=True)
class PublishedDesign(Generic[SpecT]):
    """A design that the rulebook prints, with the points it prints."""

    slug: str
    name: str
    spec: SpecT
    printed_points: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class PublishedScenario:
    """A scenario that the rulebook prints; `spec` is what the rule system reads as a player's own one."""

    slug: str
    name: str
    spec: AnyScenario


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
    times_lost: int | None = None  # None: not told


@dataclass(frozen=True, slots=True)
class CompanyMember(Generic[SpecT]):
    """A unit with its pilot, put forward for a scenario."""

    name: str
    spec: SpecT
    pilot: PilotSpec | None
    is_new_pilot: bool = False  # hired for this game


@dataclass(frozen=True, slots=True, kw_only=True)
class Harm:
    """What a club can lay on a unit between games, in the game's own words, and how much of it before nothing is left."""

    words: str  # "Hits lost"
    most: int  # 1: it is so or not


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
    """Words that belong to a build; the slug is the field of the lab's address that holds them."""

    form: ClassVar = "text"
    slug: str
    label: str
    value: str
    most: int  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchPick:
    """A place on the frame that takes one thing; the slug is the field of the lab's address that holds it."""

    form: ClassVar = "pick"
    slug: str
    label: str
    value: str  # slug of the choice; empty: nothing
    choices: tuple[BenchChoice, ...]
    empty: str = ""  # what choosing nothing is called; empty: something must be chosen
    note: str = ""  # what the place means for whatever is in it
    refusal: str = ""  # why this frame has no such place


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchFigure:
    """A number that is set freely; the slug is the field of the lab's address that holds it."""

    form: ClassVar = "figure"
    slug: str
    label: str
    value: str  # as it is written; empty: none
    bounds: str = ""  # what the rules allow, beside the field
    step: str = "1"
    least: float | None = None  # what the rules allow, as numbers
    most: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchTick:
    """Something that a build has or hasn't; the slug is the field of the lab's address that says "on"."""

    form: ClassVar = "tick"
    slug: str
    label: str
    is_set: bool
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSection:
    """Fields of a build that stand together. One that `is_fixed` shows what another field has set; one that `is_folded`
    is opened by whoever wants it."""

    slug: str
    title: str
    fields: tuple[BenchFigure | BenchTick | BenchPick | BenchText, ...]
    note: str = ""
    is_fixed: bool = False
    is_folded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Everything that a build can be made of, as the design lab lays it out."""

    frames: tuple[BenchChoice, ...]
    frame: str
    groups: tuple[BenchGroup, ...]
    texts: tuple[BenchText, ...] = ()
    picks: tuple[BenchPick, ...] = ()
    sections: tuple[BenchSection, ...] = ()

    @property
    def fields(self) -> frozenset[str]:
        """Fields of the lab's address that stand on the bench, beside the frame and what is counted."""
        own = (*self.texts, *self.picks, *(each for section in self.sections for each in section.fields))
        return frozenset(each.slug for each in own)


class RosterSystem(ABC, Generic[SpecT, SheetT]):
    """Parsing refuses with DocumentError; checking never raises."""

    slug: str
    name: str
    words: SystemWords = PLAIN
    unit_words: tuple[str, str] = ("unit", "units")  # what the system calls its units: one, many
    prefix: str  # of its rule IDs
    attribution: str = ""  # what the licence of its rules asks for, at the foot of whatever shows them; empty: nothing
    catalogue_release: str = FIRST  # by which this object reads and counts; of a GAME the newest
    releases: Sequence[Release] = ()  # of the catalogue, oldest first; none: there is the first alone
    rulebook: Mapping[str, RuleRef]
    glossary: Mapping[str, tuple[GlossaryEntry, ...]] = {}  # words that its rules use, by heading of the rules page
    published: Mapping[str, PublishedDesign[SpecT]]
    scenarios: Mapping[str, PublishedScenario] = {}
    hire_points: Mapping[
        str, int
    ] = {}  # levels that a new pilot can have, and what he costs; none: there are no pilots
    level_names: Mapping[str, str] = {}  # every level, lowest first
    skill_names: Mapping[str, str] = {}
    support_names: Mapping[str, str] = {}  # what a side can roll to call on
    house_rules: Mapping[str, HouseRule] = {}
    cites: Mapping[
        str, str
    ] = {}  # rule IDs that shared pages name: "no-pilot", "wounded", "barred", "repair", "limit", "own-pilot"
    keeps_damage: bool = True  # what a battle did to units is what they bring home; else the aftermath alone says it
    records_pilots: bool = False  # a pilot’s page tells what his games added up, as his unit’s does
    counts_experience: bool = False  # pilots have points of it
    founding_points: int = 60  # what a company starts with where nobody says otherwise. MM-S07
    founding_most: int = 1000  # that a company can start with
    loan_words: str = ""  # what the house lends to a company that can pay for nothing, in a sentence; empty: nothing
    # Templates and static files by what they show: "datasheet" of a unit, "machine" of it from above; "scenario", and,
    # where players draw their own, "scenario-form", "scenario-preview", "scenario-style",
    # "scenario-script". What is missing is left out.
    parts: Mapping[str, str] = {}
    # How documents hold its specs, conditions and scenarios, for readers of the API's description; those without are objects.
    documents: Mapping[str, type[Document]] = {}
    scenario_lead: str = ""  # how the form of a scenario is filled in
    frame_word: str = "Kind"  # what the lab calls the choice that all others hang on
    frame_first: str = ""  # the slug that the lab starts with; without one there is no design lab
    frame_field: str = ""  # of a spec in a document: that names its frame
    lab_fields: tuple[str, ...] = ("frame",)  # a build in the lab's address: the frame, then what else there is
    lab_lists: tuple[str, ...] = ()  # those of them that hold several slugs

    @property
    def newest(self) -> str:
        """The release that companies are founded with."""
        return self.releases[-1].number if self.releases else FIRST

    def of(self, release: str) -> RosterSystem[SpecT, SheetT]:
        """The same game by that release of its catalogue; raises UnknownReleaseError.

        A game that has several reads specs that know their release: all that is worked out from a spec follows it.
        """
        if release == self.catalogue_release:
            return self
        raise UnknownReleaseError(f"{self.name} has no catalogue release {ascii(release[:20])}; there is {self.newest}")

    def retired_in(self, spec: SpecT) -> tuple[str, ...]:
        """Names of what the spec is built of that this release doesn't offer any more: who owns it keeps it."""
        return ()

    @property
    def retired_rules(self) -> frozenset[str]:
        """House rules that this release doesn't offer any more."""
        return frozenset()

    def describe_retired(self, slug: str) -> str:
        """Why that house rule can't be chosen, in a sentence."""
        return (
            f"{self.house_rules[slug].name} is retired in release {self.catalogue_release} of the catalogue; "
            "leave it out, or play by an earlier release"
        )

    def has(self, part: str) -> bool:
        """Whether it names that one of its `parts`, or has a "lab"."""
        return bool(self.frame_first) if part == "lab" else part in self.parts

    def cite(self, what: str) -> str:
        """The rule behind a refusal, in brackets; empty if the system names none."""
        return f" ({self.cites[what]})" if what in self.cites else ""

    def needs_pilot(self, spec: Mapping[str, object]) -> bool:
        """Whether a unit of that spec, as JSON values, is fielded with a pilot only."""
        return bool(self.hire_points)

    def is_own_pilot(self, spec: SpecT) -> bool:
        """Whether such a unit flies itself: its pilot is a name for it, and neither fights on without the other."""
        return False

    @abstractmethod
    def parse_spec(self, data: object, path: str = "spec") -> SpecT:
        """The spec of a design, every slug known; raises DocumentError."""

    @abstractmethod
    def spec_json(self, spec: SpecT) -> dict[str, object]:
        """The spec as JSON values; parsing them gives an equal spec."""

    @abstractmethod
    def check_design(self, spec: SpecT, options: Mapping[str, object] = {}) -> Check:
        """Points and every problem of one design."""

    def points_flown(self, spec: SpecT, pilot: Mapping[str, object] | None, options: Mapping[str, object] = {}) -> int:
        """What a unit of that design counts for with that pilot, as a set-up has him: as much as with any, if no level adds
        to it."""
        return self.check_design(spec, options).points

    def parse_pilot(self, data: object, path: str = "pilot") -> PilotSpec:
        """The pilot, every slug known; None is the plain pilot. Raises DocumentError."""
        if data is not None:
            raise DocumentError(path, f"there are no pilots in {self.name}")
        return PilotSpec("")

    def check_pilot(self, pilot: PilotSpec, spec: SpecT | None = None) -> tuple[Problem, ...]:
        """Every problem of one pilot, in the unit of `spec` if given."""
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
        """Points and every problem of a company in a scenario; without a side, the side with more points is meant.

        The scenario is a published one's slug, or name and spec of a player's own as set-up documents hold it. An empty
        text asks about the company as it is kept, whatever it is fielded in; a problem of place "scenario" then says no
        more than that none was named. This default sets no limits: it adds up what is said of each unit.
        """
        checks = [self.check_design(member.spec, options) for member in members]
        return Check(
            sum(check.points for check in checks),
            tuple(each.moved(f"units[{at}]") for at, check in enumerate(checks) for each in check.problems),
            bill=tuple(BillLine(member.name, check.points) for member, check in zip(members, checks, strict=True)),
        )

    # Scenarios whose spec can be read: a game without them refuses each spec, and is asked nothing more of any.

    def parse_scenario(self, data: object, path: str = "spec") -> AnyScenario:
        """The spec of a scenario, every slug known; raises DocumentError."""
        raise DocumentError(path, f"scenarios of {self.name} can't be written down")

    def scenario_json(self, spec: AnyScenario) -> dict[str, object]:
        """The spec of a scenario as JSON values; parsing them gives an equal spec."""
        raise self._unasked("scenario_json")

    def check_scenario(self, spec: AnyScenario) -> Check:
        """Every problem of a scenario; with one it can be kept but not played."""
        raise self._unasked("check_scenario")

    def scenario_sheet(self, spec: AnyScenario) -> AnySheet:
        """Everything that the page of a scenario shows, also of one with problems.

        Lists ask it for `objective`, `forces` (what the sides may field), `turn_limit`, `brief`, `victory_rule`.
        """
        raise self._unasked("scenario_sheet")

    def scenario_map(self, sheet: AnySheet) -> SmallMap | None:
        """The map of a scenario for a list, from what its page shows; None: there is none to be drawn."""
        return None

    def scenario_form(self, spec: AnyScenario, brush: str = "") -> AnySheet:
        """The fields of a scenario's form; `brush` is what its map is painted with. Asked with a "scenario-form" only."""
        raise self._unasked("scenario_form")

    def form_spec(self, fields: Mapping[str, str]) -> dict[str, object]:
        """The spec as JSON values that the fields of such a form make; without fields the spec it starts with.

        Raises DocumentError for a field that can't be read; the page then asks for `form_unread`, and without an answer shows
        the fields as `unread`, as they were sent.
        """
        raise self._unasked("form_spec")

    def form_unread(self, fields: Mapping[str, str], brush: str = "") -> tuple[AnySheet, Check] | None:
        """The form with what was written in fields that can't be read, each refusal at its field, and all of them as problems.

        None: the game has no words for it.
        """
        return None

    def _unasked(self, answer: str) -> NotImplementedError:
        """What a game's own slip ends in: it says that it has scenarios or a lab, and leaves one of their answers out."""
        return NotImplementedError(f"{self.slug} lacks {answer}")

    def parse_options(self, data: object, path: str = "options") -> Mapping[str, object]:
        """House rules that were given, defaults not filled in; raises DocumentError for an unknown one or a wrong value."""
        if data is None:
            return MappingProxyType({})
        given: dict[str, object] = {}
        for slug, value in object_of(data, path).items():
            if slug not in self.house_rules:
                raise unknown_slug(path, "house rule", slug, self.house_rules)
            given[slug] = house_rule_value(self.house_rules[slug], value, f"{path}.{slug}")
        return MappingProxyType(given)

    def options_schema(self) -> dict[str, object]:
        """The house rules that may be given, as a JSON schema; what isn't one of them is refused."""
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
        """Everything that the sheet and the pocket card of a unit show.

        Lists ask it for `size` (slug of the counter), `size_name`, `armor` (or None), `hits`, `hits_left`, `points`,
        `columns` (label and value of each column in a table of designs), `state` (label and value of what is wrong with
        the unit beside its hits).
        """

    def kind_name(self, spec: SpecT) -> str:
        """What kind of unit the design makes, in a word or two; empty if there is but one."""
        return ""

    def arms(self, spec: SpecT) -> tuple[str, ...]:
        """Names of the weapons that the design carries, in its order; none where the rules don't tell them apart."""
        return ()

    def lab_spec(self, fields: Mapping[str, str]) -> dict[str, object]:
        """The spec, as JSON values, that the lab's address says; what is empty is as the lab starts."""
        frame, *others = self.lab_fields
        said: dict[str, object] = {name: fields[name] for name in others if fields.get(name)}
        said |= {name: [slug for slug in fields.get(name, "").split(",") if slug] for name in self.lab_lists}
        return {frame: fields.get(frame) or self.frame_first, **said}

    def lab_address(self, spec: Mapping[str, Any]) -> dict[str, str]:
        """The same the other way round: the fields of a spec, those that say nothing left out."""
        return {
            name: ",".join(spec[name]) if name in self.lab_lists else str(spec[name])
            for name in self.lab_fields
            if spec.get(name)
        }

    def body(self, spec: SpecT, condition: Mapping[str, object] = {}) -> Body | None:
        """What the unit looks like in that condition; None: it is shown as the silhouette of its size."""
        return None

    def support_body(self, slug: str) -> Body | None:
        """The same of a support unit."""
        return None

    def counter_figures(self, spec: SpecT, options: Mapping[str, object] = {}) -> tuple[int | None, int]:
        """The two figures of a unit's counter: armor, if the system has such a number, and points."""
        return None, self.check_design(spec, options).points

    def hired_as(self, experience: str) -> str:
        """The best level for hire that is not above this one."""
        return experience

    def is_standing(self, options: Mapping[str, object]) -> bool:
        """Whether companies keep their units, with damage and losses, and their money under these house rules."""
        return False

    def is_resting(self, condition: Mapping[str, object]) -> bool:
        """Whether a unit in that condition stays at home unless somebody chooses it."""
        return False

    def is_barred(self, condition: Mapping[str, Any]) -> bool:
        """Whether a unit in that condition can't be fielded, whoever chooses it; its `cites` name the rule as "barred"."""
        return False

    def loss_is_final(self, spec: SpecT) -> bool:
        """Whether a unit that a battle destroyed is gone, where battles say what becomes of units; if not, `units` of the
        aftermath says it."""
        return True

    def roster_limit(self, granted: int, games: int) -> int | None:
        """What all units of a standing company may be worth that was founded with those points, after that many games; None:
        they have no limit."""
        return None

    def replacement(self, spec: SpecT) -> SpecT:
        """What is bought as that after a company's first game: as it is, where nobody says otherwise."""
        return spec

    def seat_points(self, spec: SpecT, pilot: PilotSpec, *, paid: int) -> int:
        """What a pilot costs who takes over a unit that a company bought for so much after its first game, and that has
        not fought."""
        return 0

    def is_stuck(self, specs: Sequence[SpecT], *, balance: int, games: int) -> bool:
        """Whether a company with these units, none of them resting, needs what the house lends to play on."""
        return not specs and balance < min(self.check_design(design.spec).points for design in self.published.values())

    def describe_condition(self, condition: Mapping[str, object]) -> str:
        """What is wrong with a unit, in a few words; empty if nothing is, or where no damage stays."""
        return ""

    def repair_bill(self, spec: SpecT, condition: Mapping[str, object]) -> tuple[BillLine, ...]:
        """What it costs to make a unit whole again; no lines for a whole one, or where damage does not stay."""
        return ()

    def check_refit(self, before: SpecT, after: SpecT, options: Mapping[str, object] = {}) -> Check | None:
        """What it costs to make the one of the other, part by part, and every problem; None where units stay as they were
        bought."""
        return None

    def condition_home(
        self, spec: SpecT, began: Mapping[str, object], after: Mapping[str, object], now: Mapping[str, object]
    ) -> dict[str, object]:
        """The condition in which a unit that is `now` so comes home from a game that made `after` of `began`; JSON values
        that say only what is not whole."""
        return {}

    def harm(self, spec: SpecT, condition: Mapping[str, object]) -> Harm | None:
        """What can be laid on a unit in that condition; None: nothing, for no damage stays or it can take no more."""
        return None

    def harmed(self, spec: SpecT, condition: Mapping[str, object], count: int) -> dict[str, object]:
        """The condition with so much more of its `harm`; asked for 1 to the most of it."""
        raise self._unasked("harmed")

    # The design lab: asked with a `frame_first` only; for a spec of counts where its bench has groups.

    def measures(self, spec: SpecT) -> tuple[tuple[str, str], ...]:
        """What the lab tells of a build beside its points, and of what a change does to it: label and value of each."""
        sheet: AnySheet = self.datasheet(spec, name="", design_name="")
        return tuple((label, str(value)) for label, value in sheet.columns)

    def charts(self, spec: SpecT) -> tuple[Chart, ...]:
        """What the lab draws of a build, beside where its points go: exact, from the game's own tables; nothing where a game
        offers none."""
        return ()

    def bench(self, spec: SpecT) -> Bench:
        """The parts of this system with their counts in that build."""
        raise self._unasked("bench")

    def bench_spec(self, frame: str, counts: Mapping[str, int], before: Mapping[str, object]) -> dict[str, object]:
        """The spec with that frame and these counts; parts keep the order they had in the spec `before`."""
        raise self._unasked("bench_spec")


def _house_rule_schema(rule: HouseRule) -> dict[str, object]:
    told: dict[str, object] = {"description": rule.effect}
    if rule.kind == "flag":
        return {"type": "boolean", **told}
    names = [name for _, name in rule.choices]
    if rule.kind == "choice":
        return {"type": "string", "enum": [value for value, _ in rule.choices], **told}
    bounds = {"minimum": rule.minimum, "maximum": rule.maximum}
    number = {"type": "integer"} | {name: bound for name, bound in bounds.items() if bound is not None}
    return {"anyOf": [number, {"type": "string", "enum": names}], **told} if names else {**number, **told}


AnyRoster: TypeAlias = RosterSystem[Any, Any]  # of whichever game: specs and datasheets go from one answer to the next
