"""Documents of prints: frozen units and pilots, print settings, and the changes since a print.

A unit document contains everything that a print needs, so a print doesn't depend on when a worker draws it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal, Protocol, Self

import pydantic

from rosters.unit_cache import support_drawing, unit_drawing
from systems import PAPER, roster_rules
from systems.artwork import Drawing
from systems.catalogue import FIRST_RELEASE
from systems.documents import Document, DocumentError, Name, SystemCondition, SystemOptions, SystemSpec, within
from systems.paper import SystemPaper
from systems.pilots import PILOT_TEXTS, texts_of_pilot
from systems.reading import read_system
from systems.roster import PilotCard, ServiceCard
from systems.text import full_name, pluralize

MAX_CARDS = 900
MAX_OFFSET_MM = 10.0
MAX_BLEED_MM = 3.0

Text = Annotated[str, pydantic.Field(max_length=400)]
Options = SystemOptions  # the house rules in force, in the format of set-ups; empty if there are none
Colour = Annotated[str, pydantic.Field(pattern=r"^#[0-9a-f]{6}$")]
Copies = Annotated[int, pydantic.Field(ge=1, le=MAX_CARDS)]
Offset = Annotated[float, pydantic.Field(ge=-MAX_OFFSET_MM, le=MAX_OFFSET_MM, allow_inf_nan=False)]
Url = Annotated[str, pydantic.Field(max_length=300, pattern=r"^(https?://[^\s]+)?$")]
AnyColour = Annotated[str, pydantic.Field(pattern=r"^(#[0-9a-f]{6})?$")]  # the company's colour; empty if there is none
Emblem = Annotated[
    str, pydantic.Field(pattern=r"^([0-9a-z]{5})?$")
]  # the code of the company's emblem; empty if there is none
Day = Annotated[str, pydantic.Field(max_length=40)]  # a date as text
Side = Literal["", "a", "b"]  # the side in a battle, marked on cards, counters and standees
Number = Annotated[int, pydantic.Field(ge=0, le=9999)]  # number in its company or on its side; 0 if it has none
Count = Annotated[int, pydantic.Field(ge=0, le=100_000)]
PilotName = Annotated[str, pydantic.Field(max_length=100)]


class PilotDocument(Document):
    """A pilot to print. If there is no `callsign`, the name `Ana “Ace”` is read as name Ana and callsign Ace."""

    name: PilotName = ""
    callsign: PilotName = ""
    experience: str = ""  # if empty, the game's starting level
    skills: tuple[str, ...] = ()
    kills: Count = 0
    games: Count = 0
    points: Count | None = None  # experience points, if the game has them and they are known

    @pydantic.model_validator(mode="after")
    def _read_joined_name(self) -> Self:
        """Split the name of a document from before callsigns were a field."""
        if "callsign" in self.model_fields_set:
            return self
        name, callsign = _split_name(self.name)
        return self.model_copy(update={"name": name, "callsign": callsign}) if callsign else self

    @property
    def full_name(self) -> str:
        """The name with the callsign."""
        return full_name(self.name, self.callsign)

    def facts(self) -> dict[str, object]:
        """Return the pilot's facts on a print, as JSON values.

        They equal the facts of prints from before callsigns were a field, if name and callsign are the same. Later
        texts are left out if they are empty, for the same reason.
        """
        facts = self.model_dump(mode="json")
        for name in PILOT_TEXTS:
            if name not in ("name", "callsign") and not facts[name]:
                del facts[name]
        if _split_name(self.full_name) == (self.name, self.callsign):
            facts["name"] = self.full_name
            del facts["callsign"]
        return facts


def _split_name(joined: str) -> tuple[str, str]:
    """Return the name and the callsign in a name from before callsigns were a field, such as `Ana “Ace”`."""
    match = re.fullmatch(r"(.+?) “(.+)”", joined)
    return (match[1], match[2]) if match else (joined, "")


class ServiceDocument(Document):
    """The service record of a unit."""

    games: Count = 0
    kills: Count = 0
    times_lost: Count | None = None  # None if unknown


class UnitDocument(Document):
    """One unit to print."""

    muster: Literal["print-unit/1"] = "print-unit/1"
    system: str
    name: Name
    design_name: Name
    spec: SystemSpec = {}
    support: Annotated[str, pydantic.Field(max_length=40)] = ""  # slug of a support unit, which has no spec
    company: Annotated[str, pydantic.Field(max_length=60)] = ""
    colour: AnyColour = ""
    side: Side = ""
    number: Number = 0  # the same on card, counter and standee
    url: Url = ""  # of the unit's page
    pilot: PilotDocument | None = None
    condition: SystemCondition = {}
    options: SystemOptions = {}
    release: Annotated[str, pydantic.Field(min_length=1, max_length=20)] = FIRST_RELEASE  # catalogue version
    service: ServiceDocument | None = None

    @property
    def tag(self) -> str:
        """The unit's unique label on the table, the letter of its side and its number; empty without a number."""
        return f"{self.side.upper()}{self.number}" if self.number else ""


class Shift(Document):
    """A correction for a printer: the drawing is moved right and down, in mm, seen from the printed side."""

    x: Offset = 0.0
    y: Offset = 0.0


class PrintSettings(Document):
    """The settings of an order: paper, sizes, theme, backs, corrections."""

    paper: Literal["a4", "letter"] = "a4"
    card: Literal["poker", "tarot", "a6", "a7"] = "poker"
    sheet: Literal["full", "half", "two-up"] = (
        "full"  # data sheets: one per page, one per half page, two halves on a page
    )
    theme: Literal["colour", "grey", "ink-saver"] = "colour"
    backs: Literal["none", "long-edge", "short-edge", "fold-over"] = "long-edge"
    bleed_mm: Annotated[float, pydantic.Field(ge=0, le=MAX_BLEED_MM, allow_inf_nan=False)] = 0.0
    marks: bool = True  # cut marks
    front: Shift = Shift()
    back: Shift = Shift()
    medium: Literal["paper", "screen"] = "paper"  # for the screen: one side per page, with tagged text
    printed_on: Day = ""  # for the foot of cards; the site fills in the day of the request

    @property
    def has_backs(self) -> bool:
        return self.backs != "none"

    @property
    def is_two_sided(self) -> bool:
        """Whether the paper is printed on both sides."""
        return self.backs in ("long-edge", "short-edge")


def sheet_of(document: UnitDocument, path: str = "unit") -> object:
    """Return the unit's data sheet, or the card of a support unit; DocumentError if it can't be read."""
    system = read_system(document.system, f"{path}.system", document.release)
    if document.support:
        paper = paper_of(system.slug, f"{path}.system", document.options)
        return paper.support_sheet(document.support, f"{path}.support", company=document.company)
    spec = system.parse_spec(document.spec, f"{path}.spec")
    options = system.parse_options(document.options, f"{path}.options")
    pilot = read_pilot(document.system, document.pilot, f"{path}.pilot") if document.pilot else None
    with within(path):
        return system.datasheet(
            spec,
            name=document.name,
            design_name=document.design_name,
            company=document.company,
            pilot=pilot,
            condition=document.condition,
            options=options,
            service=ServiceCard(**dict(document.service)) if document.service else None,
        )


def drawing_of(document: UnitDocument) -> Drawing | None:
    """Return the unit's picture with its damage; None if its game has no pictures."""
    if document.support:
        return support_drawing(document.system, document.support)
    return unit_drawing(document.system, document.spec, document.condition)


def read_pilot(system: str, pilot: PilotDocument, path: str = "pilot") -> PilotCard:
    """Return the pilot for a card; DocumentError for an unknown level or skill. The system must be known."""
    named: dict[str, object] = {"skills": list(pilot.skills)}
    if pilot.experience:
        named["experience"] = pilot.experience
    parsed = roster_rules(system).parse_pilot(named, path)
    return PilotCard(
        **texts_of_pilot(pilot) | {"name": pilot.name or "Pilot"},
        experience=parsed.experience,
        skills=parsed.skills,
        kills=pilot.kills,
        games=pilot.games,
        points=pilot.points,
    )


def paper_of(system: str, path: str, options: Mapping[str, object] = {}) -> SystemPaper:
    """Return the game's print rules under these house rules; DocumentError if it can't be printed.

    `path` is the path of the system in the document.
    """
    rules = read_system(system, path)
    if rules.slug not in PAPER:
        raise DocumentError(path, f"{rules.name} can't be printed yet")
    given = rules.parse_options(options, f"{path.removesuffix('system')}options")
    return PAPER[rules.slug].under(given)


class CompanyContent(Protocol):
    @property
    def company(self) -> str: ...
    @property
    def colour(self) -> str: ...


class PilotContent(CompanyContent, Protocol):
    @property
    def pilot(self) -> PilotDocument: ...


def unit_changes(before: UnitDocument, now: UnitDocument) -> tuple[str, ...]:
    """Return the changes to a unit since a print, as short texts for the reader."""
    found = []
    if before.name != now.name:
        found.append(f"was called {before.name}")
    if before.condition != now.condition:
        found += _damage(before, now)
    if before.spec != now.spec or before.design_name != now.design_name:
        found.append("new design")
    found += _pilot(now.system, before.pilot, now.pilot)
    if before.service != now.service:
        found.append("new record")
    return (*found, *_company(before, now))


def pilot_changes(system: str, before: PilotContent, now: PilotContent) -> tuple[str, ...]:
    return (*_pilot(system, before.pilot, now.pilot), *_company(before, now))


def subject_of(unit: int | None = None, pilot: int | None = None) -> str:
    """Return the key of a unit, or of a pilot without a unit, in a job's subjects."""
    return f"u{unit}" if unit is not None else f"p{pilot}"


def _company(before: CompanyContent, now: CompanyContent) -> list[str]:
    found = []
    if before.company != now.company:
        found.append(f"the company was called {before.company}" if before.company else "now in a company")
    if before.colour != now.colour:
        found.append("new company colour")
    return found


def _damage(before: UnitDocument, now: UnitDocument) -> list[str]:
    was, is_now = dict(before.condition), dict(now.condition)
    field = _wound_field(now.system)
    found = []
    if was.pop(field, False) != is_now.pop(field, False):
        found.append("the pilot is wounded" if now.condition.get(field) else "the pilot has recovered")
    if was != is_now:
        lines = _bill(now)
        found.append(f"damage: {', '.join(lines)}" if lines else "repaired" if not is_now else "damage")
    return found


def _wound_field(system: str) -> str:
    """Return the field of a condition for the pilot's wound; empty if the game has none."""
    return PAPER[system].wound_field if system in PAPER else ""


def _bill(unit: UnitDocument) -> list[str]:
    if unit.support:
        return []
    rules = roster_rules(unit.system)
    condition = {name: value for name, value in unit.condition.items() if name != _wound_field(unit.system)}
    return [line.label for line in rules.repair_bill(rules.parse_spec(unit.spec), condition)]


def _pilot(system: str, before: PilotDocument | None, now: PilotDocument | None) -> list[str]:
    if before is None or now is None:
        if before is now:
            return []
        return [f"{now.full_name} is the pilot" if now else "no pilot now"]
    if before == now:
        return []
    rules = roster_rules(system)
    if before.name != now.name and before.skills != now.skills:
        return [f"{now.full_name} is the pilot"]
    found = []
    if before.full_name != now.full_name:
        found.append(f"the pilot was {before.full_name}")
    if before.experience != now.experience:
        found.append(f"now {rules.level_names.get(now.experience, now.experience)}")
    names = [rules.skill_names.get(skill, skill) for skill in now.skills if skill not in before.skills]
    if names:
        found.append(f"learned {', '.join(names)}")
    elif before.skills != now.skills:
        found.append("different skills")
    found += _more("kills", now.kills - before.kills) + _more("games", now.games - before.games)
    return found


def _more(what: str, count: int) -> list[str]:
    if not count:
        return []
    return [f"{pluralize(abs(count), what)} {'more' if count > 0 else 'fewer'}"]
