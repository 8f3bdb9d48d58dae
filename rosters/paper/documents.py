"""What is printed: frozen unit documents, read whole or refused with field and reason.

A unit document holds all that paper needs, so that a print asked for today is the same when a worker gets to it later.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pydantic

from systems import PAPER, UnknownSystemError, roster_rules
from systems.documents import (
    Document,
    DocumentError,
    Name,
    SystemCondition,
    SystemOptions,
    SystemSpec,
    parse_document,
    within,
)
from systems.paper.system import SystemPaper
from systems.roster import PilotCard, ServiceCard

NO_DATASHEET = "support units have a card, but no datasheet"

Url = Annotated[str, pydantic.Field(max_length=300, pattern=r"^(https?://[^\s]+)?$")]
AnyColour = Annotated[str, pydantic.Field(pattern=r"^(#[0-9a-f]{6})?$")]  # of the company; empty: none
Side = Literal["", "a", "b"]  # of a battle: marked on a card that has no colour to tell it by
Count = Annotated[int, pydantic.Field(ge=0, le=100_000)]


class PilotDocument(Document):
    name: Annotated[str, pydantic.Field(max_length=100)] = ""
    experience: str = ""  # empty: as pilots begin in the system
    skills: tuple[str, ...] = ()
    kills: Count = 0
    games: Count = 0
    points: Count | None = None  # of experience, where the system counts it and it is known


class ServiceDocument(Document):
    """What a unit has been through."""

    games: Count = 0
    kills: Count = 0
    times_lost: Count | None = None  # None: not told


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
    url: Url = ""  # of the live unit
    pilot: PilotDocument | None = None
    condition: SystemCondition = {}
    options: SystemOptions = {}
    service: ServiceDocument | None = None


@dataclass(frozen=True, slots=True)
class PrintUnit:
    """A unit document with its datasheet."""

    document: UnitDocument
    sheet: Any  # the rule system's datasheet, or its card of a support unit

    @property
    def is_support(self) -> bool:
        return bool(self.document.support)


def read_unit(data: Mapping[str, object] | UnitDocument, path: str = "unit") -> PrintUnit:
    """One unit with its datasheet; raises DocumentError."""
    document = data if isinstance(data, UnitDocument) else parse_document(UnitDocument, data, path)
    try:
        system = roster_rules(document.system)
    except UnknownSystemError as error:
        raise DocumentError(f"{path}.system", str(error)) from None
    if document.support:
        paper = paper_of(system.slug, f"{path}.system", document.options)
        return PrintUnit(document, paper.support_sheet(document.support, f"{path}.support", company=document.company))
    spec = system.parse_spec(document.spec, f"{path}.spec")
    options = system.parse_options(document.options, f"{path}.options")
    pilot = read_pilot(document.system, document.pilot, f"{path}.pilot") if document.pilot else None
    with within(path):
        sheet = system.datasheet(
            spec,
            name=document.name,
            design_name=document.design_name,
            company=document.company,
            pilot=pilot,
            condition=document.condition,
            options=options,
            service=_service(document.service) if document.service else None,
        )
    return PrintUnit(document, sheet)


def read_pilot(system: str, pilot: PilotDocument, path: str = "pilot") -> PilotCard:
    """The pilot with known level and skills; raises DocumentError. The system is a known one."""
    named: dict[str, object] = {"skills": list(pilot.skills)}
    if pilot.experience:
        named["experience"] = pilot.experience
    parsed = roster_rules(system).parse_pilot(named, path)
    return PilotCard(pilot.name or "Pilot", parsed.experience, parsed.skills, pilot.kills, pilot.games, pilot.points)


def _service(service: ServiceDocument) -> ServiceCard:
    return ServiceCard(service.games, service.kills, service.times_lost)


def can_print(system: str, product: str, *, to_write_in: bool = False) -> bool:
    """Whether the shop offers that product of the system."""
    return system in PAPER and PAPER[system].makes(product, to_write_in=to_write_in)


def paper_of(system: str, path: str, options: Mapping[str, object] = {}) -> SystemPaper:
    """How that rule system is put on paper under these house rules; raises DocumentError. `path` is the system's own."""
    try:
        rules = roster_rules(system)
    except UnknownSystemError as error:
        raise DocumentError(path, str(error)) from None
    if rules.slug not in PAPER:
        raise DocumentError(path, f"{rules.name} can't be printed yet")
    given = rules.parse_options(options, f"{path.removesuffix('system')}options")
    return PAPER[rules.slug].under(given)
