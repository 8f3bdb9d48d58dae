"""Sources of products: documents of units and pilots, a company with the choices for a print, a packet, a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from rosters.documents.company import CompanyDocument, PilotEntry
from rosters.paper.documents import PilotDocument, ServiceDocument, UnitDocument
from systems import PAPER, roster_rules
from systems.documents import DesignDocument, DocumentError
from systems.ledger import PilotRecord
from systems.legality import BillLine
from systems.pilots import texts_of_pilot

if TYPE_CHECKING:
    from rosters.selectors import CompanySheet, PilotRow, UnitRow


LETTERS: tuple[Literal["a", "b"], ...] = ("a", "b")  # the letters of the sides of a battle


class Link(Protocol):
    """A function that returns the URL of the page of a unit, a pilot or the company."""

    def __call__(self, *, unit: int | None = None, pilot: int | None = None) -> str: ...


def no_link(*, unit: int | None = None, pilot: int | None = None) -> str:
    return ""


# --- units and pilots -------------------------------------------------------------------------------------------------


def unit_document(
    company: CompanySheet,
    unit: UnitRow,
    *,
    damage: bool = True,
    link: Link = no_link,
    options: Mapping[str, object] = {},
) -> UnitDocument:
    """Return the document of a unit with its pilot under these house rules; without `damage`, it is undamaged."""
    paper = PAPER.get(company.system)
    condition = dict(unit.condition) if damage else {}
    if damage and paper and paper.wound_field and unit.pilot and unit.pilot.status == "wounded":
        condition[paper.wound_field] = True
    has_service = paper is not None and paper.shows_service
    return UnitDocument(
        system=company.system,
        name=unit.name,
        design_name=unit.design_name,
        spec=dict(unit.spec),
        company=company.name,
        colour=company.colour,
        number=unit.number,
        url=link(unit=unit.id),
        pilot=pilot_document(unit.pilot) if unit.pilot else None,
        condition=condition,
        options=dict(options),
        release=company.catalogue_release,
        service=ServiceDocument(games=max(unit.games, 0), kills=max(unit.kills, 0)) if has_service else None,
    )


def pilot_document(pilot: PilotRecord | PilotRow | PilotEntry) -> PilotDocument:
    return PilotDocument(
        **texts_of_pilot(pilot),
        experience=pilot.experience if isinstance(pilot, PilotRecord | PilotEntry) else pilot.level,
        skills=tuple(pilot.skills),
        kills=max(pilot.kills, 0),
        games=max(pilot.games, 0),
    )


def units_of_design(document: DesignDocument) -> tuple[UnitDocument, ...]:
    """Return a new unit of the design without a pilot, in the newest catalogue version, which designs are read with."""
    return (
        UnitDocument(
            system=document.system,
            name=document.name,
            design_name=document.name,
            spec=document.spec,
            release=roster_rules(document.system).catalogue_release,
        ),
    )


def units_of_company(document: CompanyDocument) -> tuple[UnitDocument, ...]:
    """Return the company's ready units with their pilots and damage; DocumentError if there are none."""
    pilots = {pilot.key: pilot_document(pilot) for pilot in document.pilots}
    ready = [unit for unit in document.units if unit.status == "ready"]
    if not ready:
        raise DocumentError("units", "the company has no ready unit to print")
    return tuple(
        UnitDocument(
            system=document.system,
            name=unit.name,
            design_name=unit.design_name,
            spec=unit.design,
            company=document.name,
            pilot=pilots[unit.pilot] if unit.pilot else None,
            condition=unit.condition,
            number=number,
            release=document.release,
        )
        for number, unit in enumerate(ready, start=1)
    )


# --- sources of orders ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanySource:
    """A company in its current state, with the units, pilots and support to print."""

    sheet: CompanySheet
    units: Sequence[UnitDocument] = ()
    pilots: Sequence[PilotDocument] = ()  # only pilots without a unit
    support: Sequence[str] = ()  # support that it has rolled
    options: Mapping[str, object] = field(default_factory=dict)  # house rules
    copies: int = 1
    url: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSource:
    system: str
    name: str
    spec: Mapping[str, object]
    terrain: str = ""  # slug, if the players have chosen one
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketUnit:
    """A unit of a side, with the facts for its line on the report slip."""

    document: UnitDocument
    points: int = 0
    hits: int = 0  # hits left


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketSide:
    """One side in the packet; `units` are the units that the reader may see."""

    name: str
    player: str = ""
    colour: str = ""
    emblem: str = ""
    url: str = ""
    units: tuple[PacketUnit, ...] = ()
    support: tuple[str, ...] = ()  # support that it has rolled
    unasked: tuple[str, ...] = ()  # outcomes that its report form doesn't offer for any unit, in the slip's words
    hired: tuple[BillLine, ...] = ()  # hired pilots, who count towards the scenario's points

    @property
    def points(self) -> int:
        """The points of the units, and of pilots who were hired for the game."""
        return sum(unit.points for unit in self.units) + sum(line.points for line in self.hired)

    def bill(self, units: str) -> tuple[str, ...]:
        """Return the lines of the points' bill; empty if there are only units."""
        if not self.hired:
            return ()
        worth = sum(unit.points for unit in self.units)
        return (f"{units} {worth}", *(f"{line.label} {line.points}" for line in self.hired))


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """A battle to print. `outcomes` are the choices of the report form that the slip's QR code opens."""

    system: str
    title: str
    sides: tuple[PacketSide, PacketSide]
    kicker: str = ""
    scenario_name: str = ""
    scenario: Mapping[str, object] | None = None
    terrain: str = ""
    deadline: str = ""
    url: str = ""
    outcomes: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)  # house rules
