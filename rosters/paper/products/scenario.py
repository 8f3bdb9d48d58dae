"""Scenario sheets: the rules of a scenario, with its map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from django.template.loader import render_to_string

from rosters.paper.documents import Options, PrintSettings, Text, paper_of
from rosters.paper.page_layout import Frame
from rosters.paper.page_parts import foot_of, page_frame
from rosters.paper.product import Item, Product
from rosters.paper.sources import Packet, ScenarioSource
from systems.documents import Name, SystemScenario
from systems.reading import read_system


class ScenarioItem(Item):
    what: Literal["scenario"]
    system: str
    name: Name
    spec: SystemScenario
    terrain: Text = ""  # slug, where the players have chosen one
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
