"""Pages for a match: its scenario, and result slips to be filled in at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Literal

import pydantic
from django.template.loader import render_to_string

from rosters.paper.documents import Options, PrintSettings, Text, Url, paper_of
from rosters.paper.page_layout import Frame, code_image, foot_beside, foot_of, lying, page_frame, pair_on, sheets_body
from rosters.paper.sources import Packet, PacketSide, PacketUnit, ScenarioSource
from rosters.products.base import Item, Product
from systems import battle_rules, roster_rules
from systems.documents import Document, Name, SystemScenario
from systems.paper.blocks import SlipWords
from systems.reading import read_system


class ScenarioItem(Item):
    what: Literal["scenario"]
    system: str
    name: Name
    spec: SystemScenario
    terrain: Text = ""  # slug, if the players have chosen one
    options: Options = {}


class Scenario(Product[ScenarioItem]):
    slug, item = "scenario", ScenarioItem
    packet_label = scenario_label = "Scenario sheet"
    made_of = ("scenario_context",)

    def is_in(self, packet: Packet) -> bool:
        return packet.scenario is not None

    def of_packet(self, packet: Packet, copies: int) -> Iterator[Item]:
        if packet.scenario is not None:
            yield ScenarioItem(
                what="scenario",
                system=packet.system,
                name=packet.scenario_name,
                spec=dict(packet.scenario),
                terrain=packet.terrain,
                options=dict(packet.options),
            )

    def of_scenario(self, scenario: ScenarioSource, choice: str = "") -> Item:
        return ScenarioItem(
            what="scenario",
            system=scenario.system,
            name=scenario.name,
            spec=dict(scenario.spec),
            options=dict(scenario.options),
        )

    def check(self, item: ScenarioItem, path: str) -> None:
        read_system(item.system, f"{path}.system").parse_scenario(item.spec, f"{path}.spec")

    def frame(self, item: ScenarioItem, settings: PrintSettings) -> Frame:
        paper = paper_of(item.system, "system", item.options)
        context = paper.scenario_context(item.name, item.spec, item.terrain, settings.theme)
        body = render_to_string(paper.scenario_template, context)
        frame = page_frame(settings, "scenario", item.name, body, foot_of(paper))
        return replace(frame, most=10.2, floor=6.4)


BLANK_UNITS = 4  # per side of a blank slip
MAX_HITS_BOXES = 12  # a unit with more hits gets a space for a number instead of boxes
COUNT_FACES = ("0", "1", "2", "3", "4", "5", "6+")
MAX_HITS, MAX_UNITS, MAX_SUPPORT = 100_000, 60, 30


class SlipUnit(Document):
    """A unit on a result slip."""

    name: Name
    detail: Text = ""  # its design and points
    pilot: Annotated[str, pydantic.Field(max_length=100)] = ""
    hits: Annotated[int, pydantic.Field(ge=0, le=MAX_HITS)] = 0  # number of boxes for lost hits; 0 for none


class SlipSide(Document):
    name: Name
    player: Annotated[str, pydantic.Field(max_length=60)] = ""
    units: Annotated[tuple[SlipUnit, ...], pydantic.Field(max_length=MAX_UNITS)] = ()
    support: Annotated[tuple[Text, ...], pydantic.Field(max_length=MAX_SUPPORT)] = ()
    unasked: Annotated[
        tuple[Text, ...], pydantic.Field(max_length=10)
    ] = ()  # outcomes that aren't possible for its units


class SlipPrint(Document):
    """A result slip for a match, to be filled in at the table. Its QR code opens the match's report form."""

    title: Annotated[str, pydantic.Field(max_length=160)]
    kicker: Text = ""  # campaign, round and table
    scenario: Text = ""
    deadline: Annotated[str, pydantic.Field(max_length=60)] = ""
    url: Url = ""
    outcomes: Annotated[tuple[Text, ...], pydantic.Field(max_length=10)] = ()  # one is ticked
    fates: Annotated[tuple[Text, ...], pydantic.Field(max_length=8)] = ()  # fates of a pilot; one is ticked
    sides: Annotated[tuple[SlipSide, ...], pydantic.Field(min_length=2, max_length=2)]


class SlipItem(Item):
    what: Literal["slip"]
    system: str = ""  # the game whose terms are used; if empty, terms that most games share
    slip: SlipPrint
    options: Options = {}


class Slip(Product[SlipItem]):
    slug, item = "slip", SlipItem
    blank_label, packet_label = "Result slips", "Result slip"
    made_of = ("slip_words",)

    def is_in(self, packet: Packet) -> bool:
        return True

    def of_packet(self, packet: Packet, copies: int) -> Iterator[Item]:
        slip = SlipPrint(
            title=packet.title[:160],
            kicker=packet.kicker[:400],
            scenario=packet.scenario_name,
            deadline=packet.deadline,
            url=packet.url,
            outcomes=packet.outcomes,
            fates=tuple(battle_rules(packet.system).hand.fates.values()),
            sides=tuple(_side(packet, side) for side in packet.sides),
        )
        yield SlipItem(what="slip", system=packet.system, slip=slip, options=dict(packet.options))

    def frame(self, item: SlipItem, settings: PrintSettings) -> Frame:
        paper = paper_of(item.system, "system", item.options) if item.system else None
        words, foot = (paper.slip_words(), foot_of(paper)) if paper else (SlipWords(), "")
        body = sheets_body([_part(item.slip, words)], None)
        frame = page_frame(settings, "slip", item.slip.title, body, foot)
        return replace(frame, most=10.8, flow_size=7.6)

    def blank_frame(self, system: str, options: Mapping[str, object], settings: PrintSettings) -> Frame:
        paper = paper_of(system, "system", options)
        words = paper.slip_words()
        blank = _blank_slip(words)
        part = _part(blank, words, is_blank=True, has_support=paper.has_support)
        body = sheets_body([part, part], pair_on(settings), beside=foot_beside(paper))
        return replace(lying(page_frame(settings, "slip", blank.title, body, foot_of(paper)), settings), size=7.3)


def _part(slip: SlipPrint, words: SlipWords, *, is_blank: bool = False, has_support: bool = False) -> str:
    has_hits = any(unit.hits for side in slip.sides for unit in side.units)
    asked = [*words.counts, *words.written, *([words.hits_name] if has_hits else [])]
    context = {
        "slip": slip,
        "words": words,
        "has_support": has_support,
        "head": f"{', '.join(asked)}, fate of {'unit and pilot' if slip.fates else 'the unit'}",
        "faces": COUNT_FACES,
        "sides": [{"side": side, "units": [_row(unit) for unit in side.units]} for side in slip.sides],
        "code": code_image(slip.url),
        "is_blank": is_blank,
    }
    return render_to_string("print/slip.html", context)


def _row(unit: SlipUnit) -> Mapping[str, object]:
    is_short = unit.hits <= MAX_HITS_BOXES
    return {"unit": unit, "boxes": range(1, unit.hits + 1) if is_short else (), "hits": 0 if is_short else unit.hits}


def _blank_slip(words: SlipWords) -> SlipPrint:
    units = (SlipUnit(name="–", hits=words.hits),) * BLANK_UNITS
    sides = tuple(SlipSide(name=name, units=units) for name in words.sides)
    return SlipPrint(title="Result", outcomes=words.outcomes, fates=words.fates, sides=sides)


def _side(packet: Packet, side: PacketSide) -> SlipSide:
    names = roster_rules(packet.system).support_names
    return SlipSide(
        name=side.name,
        player=side.player,
        units=tuple(_unit(unit) for unit in side.units[:MAX_UNITS]),
        support=tuple(names.get(slug, slug) for slug in side.support[:MAX_SUPPORT]),
        unasked=side.unasked,
    )


def _unit(unit: PacketUnit) -> SlipUnit:
    document = unit.document
    design = document.design_name if document.design_name != document.name else ""
    points = f"{unit.points} pt" if unit.points else ""
    return SlipUnit(
        name=document.name,
        detail=", ".join(part for part in (design, points) if part),
        pilot=document.pilot.full_name if document.pilot else "",
        hits=min(unit.hits, MAX_HITS),
    )
