"""A battle on paper: both sides' cards and rosters, the scenario sheet, the reference and the result slip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from battles.models import BattleSide
from battles.selectors.records import sides_of
from battles.services.results import outcome_choices
from rosters.appearance.emblems import emblem_of
from rosters.hooks import Reader
from rosters.ledger.records import company_record
from rosters.models import Company
from rosters.paper.documents import PilotDocument, UnitDocument
from rosters.paper.sources import Packet, PacketSide, PacketUnit, pilot_document
from rosters.policy import can_see
from systems import PAPER, battle_rules, roster_rules
from systems.ledger import CompanyRecord
from systems.legality import BillLine
from systems.setups import Setup, SetupUnit

UnitLink = Callable[[Company, int], str]  # the address of a unit's page
NAMELESS_PILOT = "Pilot"  # stands for the name of a pilot of no known company


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The owner of a side: pilots, colour and addresses, if the reader may see the company."""

    company: Company
    refs: Mapping[str, Mapping[str, int | None]]  # unit key -> ids of unit and pilot
    record: CompanyRecord | None = None
    units: Mapping[str, str] = field(default_factory=dict)  # unit key -> address
    numbers: Mapping[int, int] = field(default_factory=dict)  # of units in the company, by ID, for any reader


def setup_packet(setup: Setup, owners: Sequence[Owner | None], *, title: str, url: str, **slip_texts: str) -> Packet:
    """Return the packet of a set-up; `slip_texts` may hold `kicker` and `deadline` for its slip."""
    rules = roster_rules(setup.system, setup.catalogue_release)
    sides = tuple(_side(setup, at, owner) for at, owner in enumerate(owners))
    name, spec = scenario_of(setup)
    return Packet(
        system=setup.system,
        title=title,
        sides=(sides[0], sides[1]),
        scenario_name=name,
        scenario=spec,
        terrain=setup.terrain,
        options=setup.options,
        url=url,
        outcomes=tuple(label for _, label in outcome_choices([side.name for side in setup.sides])),
        kicker=slip_texts.get("kicker", "") or rules.name,
        deadline=slip_texts.get("deadline", ""),
    )


def owner_of(
    company: Company | None, refs: Mapping[str, Mapping[str, int | None]], reader: Reader, link: UnitLink
) -> Owner | None:
    """Return the owner of the side; without pilots and addresses if the reader may not see the company."""
    if company is None:
        return None
    record = company_record(company)
    numbers = {pk: unit.number for pk, unit in record.units.items()}
    if not can_see(reader, company):
        return Owner(company=company, refs=refs, numbers=numbers)
    addresses = {key: link(company, ref["unit"]) for key, ref in refs.items() if ref["unit"] is not None}
    return Owner(company=company, refs=refs, record=record, units=addresses, numbers=numbers)


def battle_owners(rows: Sequence[BattleSide], reader: Reader, link: UnitLink) -> list[Owner | None]:
    """Return the owners of a battle's sides, in order; `rows` come with their companies."""
    return [owner_of(row.company, row.force, reader, link) for row in rows]


def scenario_of(setup: Setup) -> tuple[str, Mapping[str, object] | None]:
    """Return name and spec of the scenario; a battle in a zone has none."""
    rules = roster_rules(setup.system, setup.catalogue_release)
    if isinstance(setup.scenario, Mapping):
        spec = setup.scenario["spec"]
        assert isinstance(spec, Mapping)
        return str(setup.scenario["name"]), spec
    published = rules.scenarios.get(setup.scenario)
    return (published.name, rules.scenario_json(published.spec)) if published else ("", None)


def units_of_setup(setup: Setup) -> tuple[UnitDocument, ...]:
    """Return all units of both sides, each side's support units last. The side's name stands for a company."""
    return tuple(unit for at in range(len(setup.sides)) for unit in _documents(setup, at, None))


def _side(setup: Setup, at: int, owner: Owner | None) -> PacketSide:
    side, line = setup.sides[at], sides_of(setup)[at]
    hand = battle_rules(setup.system).hand
    asked = hand.asked(side.support)
    documents = _documents(setup, at, owner)
    units = [
        PacketUnit(document=document, points=row.points, hits=row.max_hits if "mended" in asked else row.hits)
        for document, row in zip(documents, line.units, strict=False)
    ]
    units += (PacketUnit(document=document) for document in documents[len(line.units) :])
    names = roster_rules(setup.system, setup.catalogue_release).support_names
    return PacketSide(
        name=side.name,
        player=str(owner.company.owner)[:60] if owner else "",
        colour=owner.company.colour if owner else "",
        emblem=emblem_of(owner.company.emblem, owner.company.name).code if owner else "",
        units=tuple(units),
        support=tuple(slug for slug in side.support if slug in names),
        unasked=tuple(each.label for each in hand.asks if each.name not in asked),
        hired=_hired(setup, at),
    )


def _hired(setup: Setup, at: int) -> tuple[BillLine, ...]:
    """Return the pilots that a side hired for this game, if they count against its points. MM-010, MM-S07."""
    battles, side = battle_rules(setup.system), setup.sides[at]
    if not battles.counts_hiring(setup.scenario):
        return ()
    bill = battles.check_side(setup.scenario, at, side.units, side.support, setup.options, setup.catalogue_release).bill
    return bill[len(side.units) :]


def _documents(setup: Setup, at: int, owner: Owner | None) -> list[UnitDocument]:
    side = setup.sides[at]
    brought = [
        SetupUnit(key=slug, design=slug) for of, slug in battle_rules(setup.system).support_units(setup) if of == at
    ]
    units = [*side.units, *brought]
    numbers = _numbers(units, owner)
    return [_unit(setup, side.name, unit, owner, number) for unit, number in zip(units, numbers, strict=True)]


def _numbers(units: Sequence[SetupUnit], owner: Owner | None) -> list[int]:
    """Return the units' numbers in their company. Others are numbered on from the highest."""
    known, refs = (owner.numbers, owner.refs) if owner else ({}, {})
    numbers = [known.get(refs.get(unit.key, {}).get("unit") or 0, 0) for unit in units]
    further = count(max(numbers, default=0) + 1)
    return [number or next(further) for number in numbers]


def _unit(setup: Setup, side: str, unit: SetupUnit, owner: Owner | None, number: int) -> UnitDocument:
    rules = roster_rules(setup.system, setup.catalogue_release)
    spec: dict[str, object] = {}
    support = ""
    if isinstance(unit.design, dict):
        spec = unit.design
        design_name = unit.name or unit.key
    elif unit.design in rules.published:
        published = rules.published[unit.design]
        spec, design_name = rules.spec_json(published.spec), published.name
    else:
        support = unit.design
        design_name = PAPER[setup.system].support_sheet(support, "design").name
    return UnitDocument(
        system=setup.system,
        name=unit.name or design_name,
        design_name=design_name,
        spec=spec,
        support=support,
        company=side,
        colour=owner.company.colour if owner else "",
        number=number,
        url=owner.units.get(unit.key, "") if owner else "",
        pilot=None if support else _pilot(unit, owner),
        condition=unit.condition,
        options=setup.options,
        release=setup.catalogue_release,
    )


def _pilot(unit: SetupUnit, owner: Owner | None) -> PilotDocument | None:
    """Return the pilot: level and skills from the set-up, name and record from the company's ledger."""
    if not unit.pilot:
        return None
    known = {name: unit.pilot[name] for name in ("experience", "skills") if name in unit.pilot}
    pilot = PilotDocument.model_validate({"name": NAMELESS_PILOT, **known}, strict=False)
    ref = owner.refs.get(unit.key) if owner and owner.record else None
    row = owner.record.pilots.get(ref["pilot"]) if owner and owner.record and ref and ref["pilot"] else None
    if row is None:
        return pilot
    return pilot_document(row).model_copy(update={"experience": pilot.experience, "skills": pilot.skills})
