"""Hex maps at table size: divided into pages, or as tiles to cut out and put on bare hexes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil
from types import MappingProxyType
from typing import Literal, TypeVar
from urllib.parse import quote

from django.template.loader import render_to_string

from rosters.paper.documents import Options, PrintSettings, Text, paper_of
from rosters.paper.page_layout import Frame, foot_of, page_frame
from rosters.paper.sheets import paper_size
from rosters.paper.sources import ScenarioSource
from rosters.products.base import Item, Product
from systems import PAPER
from systems.documents import DocumentError, Name, SystemScenario, unknown_slug
from systems.paper.hexes import INKS, HexPlan, Tiling, map_svg, part_svg, tiles_on, tiles_svg, tiling
from systems.reading import read_system
from systems.spaces.hex_map import HexCell
from systems.text import pluralize

MARGIN = (8.0, 8.0, 8.0, 8.0)  # mm; a little more than printers need
HEAD_MM = 10.0  # height of the page's head, above the drawing
OVERLAP_MM = 8.0
COUNTERS_MM = 36.0  # size of a hex in which round counters can turn
TYPE_PT = 9.0
OVERVIEW_MM, DEEP_OVERVIEW_MM = 135.0, 93.0  # approximate width of the overview, if it is wide and if it is high


class HexProductItem(Item):
    """A scenario's map on hexes; `terrain` is the slug of one of its maps."""

    system: str
    name: Name
    spec: SystemScenario
    terrain: Text = ""
    options: Options = {}


class HexMapItem(HexProductItem):
    what: Literal["hex-map"]


class SmallHexMapItem(HexProductItem):
    what: Literal["hex-map-small"]


class HexTilesItem(HexProductItem):
    what: Literal["hex-tiles"]


class SmallHexTilesItem(HexProductItem):
    what: Literal["hex-tiles-small"]


ItemT = TypeVar("ItemT", bound=HexProductItem)


class HexProduct(Product[ItemT]):
    """Base class of the four products: maps and tiles, each in two sizes."""

    made_of = ("hex_plans",)
    is_small = False
    form_label = ""  # its name in forms

    def scenario_choices(self, scenario: ScenarioSource) -> Mapping[str, str]:
        size = f"hexes of {self.hex_mm(scenario.system):g} mm"
        return {plan.slug: f"{self.form_label}, {plan.name}: {size}" for plan in self.plans(scenario)}

    def plans(self, scenario: ScenarioSource) -> Sequence[HexPlan]:
        """Return the scenario's maps for which this product exists."""
        return tuple(plans_of(scenario.system, scenario.spec, scenario.options).values())

    def of_scenario(self, scenario: ScenarioSource, choice: str = "") -> Item:
        return self.item(
            what=self.slug,
            system=scenario.system,
            name=scenario.name,
            spec=dict(scenario.spec),
            terrain=choice,
            options=dict(scenario.options),
        )

    def check(self, item: ItemT, path: str) -> None:
        rules = read_system(item.system, f"{path}.system")
        try:
            plans_of(item.system, item.spec, item.options)
        except DocumentError:
            rules.parse_scenario(item.spec, f"{path}.spec")  # raises the error with its path
            raise
        self.plan(item, path)

    def plan(self, item: ItemT, path: str = "") -> HexPlan:
        """Return the item's map; DocumentError if it is unknown."""
        paper_of(item.system, "system", item.options)
        plans = plans_of(item.system, item.spec, item.options)
        if item.terrain not in plans:
            raise unknown_slug(f"{path}.terrain" if path else "terrain", "map", item.terrain, plans)
        return plans[item.terrain]

    def hex_mm(self, system: str) -> float:
        """Return the size of a hex in mm, from flat side to flat side."""
        return COUNTERS_MM if self.is_small else PAPER[system].hex_mm

    def filled(self, item: ItemT, settings: PrintSettings, body: Mapping[str, object], is_lying: bool) -> Frame:
        """Return the pages of drawings, whose type has a fixed size."""
        foot = foot_of(paper_of(item.system, "system", item.options))
        context = {**body, "foot": foot, "head_mm": HEAD_MM - 1}
        frame = page_frame(settings, "hex-map", item.name, render_to_string("print/hex_map.html", context))
        width, height = (frame.height, frame.width) if is_lying else (frame.width, frame.height)
        return replace(frame, width=width, height=height, margin=MARGIN, size=TYPE_PT, floor=TYPE_PT)


class HexMap(HexProduct[ItemT]):
    """The map, divided into pages that are joined."""

    form_label = "Map to scale"

    def pages_of(self, item: ItemT, settings: PrintSettings) -> int:
        plan = self.plan(item)
        return self.cut(plan, item.system, settings)[0].pages + 1

    def cut(self, plan: HexPlan, system: str, settings: PrintSettings) -> tuple[Tiling, bool]:
        """Return the division with fewer pages, portrait or landscape, and whether it is landscape."""
        ground, hex_mm = plan.ground, self.hex_mm(system)
        parts = [
            tiling(ground.columns, ground.rows, hex_mm, *_room(settings, is_lying), OVERLAP_MM)
            for is_lying in (False, True)
        ]
        is_lying = parts[1].pages < parts[0].pages
        return parts[is_lying], is_lying

    def frame(self, item: ItemT, settings: PrintSettings) -> Frame:
        plan, inks = self.plan(item), INKS[settings.theme]
        part, is_lying = self.cut(plan, item.system, settings)
        pages = [
            {
                "title": f"{plan.name} · row {window.down} of {part.down}, column {window.across} of {part.across}",
                "drawing": _image(part_svg(plan.ground, inks, part, window)),
                "alt": f"{plan.name}, part {window.across} of {part.across} across, {window.down} of {part.down} down.",
            }
            for window in part.windows()
        ]
        overview_mm = DEEP_OVERVIEW_MM if plan.ground.rows > plan.ground.columns else OVERVIEW_MM
        body = {
            "title": f"{item.name}: {plan.name}",
            "overview": map_svg(plan.ground, inks, plan.name, overview_mm),
            "overview_mm": overview_mm,
            "lines": (
                f"{pluralize(part.pages, 'pages')} follow, {part.across} across and {part.down} down; hexes of "
                f"{self.hex_mm(item.system):g} mm from flat to flat. Print at 100%, not fitted to the page.",
                "Cut each page along its dashed lines on the left and on top, and glue it onto the dashed lines of the page "
                f"before. The lines lie {OVERLAP_MM / 2:g} mm from the edge of the drawing.",
            ),
            "pages": pages,
        }
        return self.filled(item, settings, body, is_lying)


class HexTiles(HexProduct[ItemT]):
    """Tiles to cut out, for all hexes of a map that aren't bare."""

    form_label = "Hex tiles"

    def plans(self, scenario: ScenarioSource) -> Sequence[HexPlan]:
        return [plan for plan in super().plans(scenario) if _covered(plan)]

    def cells(self, item: ItemT) -> list[HexCell]:
        """Return the hexes to print, grouped by kind, without bare ones, which the table has."""
        return sorted(
            _covered(self.plan(item)),
            key=lambda cell: (cell.terrain.slug, cell.floors, cell.level, cell.row, cell.column),
        )

    def pages_of(self, item: ItemT, settings: PrintSettings) -> int:
        across, down = tiles_on(self.hex_mm(item.system), *_room(settings, False))
        return max(1, ceil(len(self.cells(item)) / (across * down)))

    def frame(self, item: ItemT, settings: PrintSettings) -> Frame:
        plan, hex_mm = self.plan(item), self.hex_mm(item.system)
        width, height = _room(settings, False)
        across, down = tiles_on(hex_mm, width, height)
        cells = self.cells(item)
        groups: Sequence[Sequence[HexCell]] = [
            cells[at : at + across * down] for at in range(0, len(cells), across * down)
        ]
        pages = [
            {
                "title": f"{plan.name} · tiles, sheet {number} of {len(groups)} · hexes of {hex_mm:g} mm",
                "drawing": _image(tiles_svg(group, INKS[settings.theme], hex_mm, across, width, height)),
                "alt": ", ".join(map(_describe, group)),
            }
            for number, group in enumerate(groups, start=1)
        ]
        body = {"title": "" if pages else f"{plan.name}: all hexes are bare, so no tiles are needed", "pages": pages}
        return self.filled(item, settings, body, False)


class KitHexMap(HexMap[HexMapItem]):
    slug, item = "hex-map", HexMapItem


class SmallHexMap(HexMap[SmallHexMapItem]):
    slug, item = "hex-map-small", SmallHexMapItem
    form_label = "Map for counters"
    is_small = True


class KitHexTiles(HexTiles[HexTilesItem]):
    slug, item = "hex-tiles", HexTilesItem


class SmallHexTiles(HexTiles[SmallHexTilesItem]):
    slug, item = "hex-tiles-small", SmallHexTilesItem
    form_label = "Hex tiles for counters"
    is_small = True


def plans_of(system: str, spec: Mapping[str, object], options: Mapping[str, object]) -> Mapping[str, HexPlan]:
    """Return the maps of a scenario by slug; DocumentError if they can't be read.

    They are cached, because offering, counting and drawing all need them.
    """
    return _plans(system, json.dumps(dict(spec), sort_keys=True), json.dumps(dict(options), sort_keys=True))


@lru_cache(maxsize=32)
def _plans(system: str, spec: str, options: str) -> Mapping[str, HexPlan]:
    paper = paper_of(system, "system", json.loads(options))
    return MappingProxyType({plan.slug: plan for plan in paper.hex_plans(json.loads(spec))})


def _covered(plan: HexPlan) -> list[HexCell]:
    """Return the hexes of a map that aren't bare."""
    return [cell for cell in plan.ground.cells if cell.terrain.look != "plain" or cell.floors or cell.level > 0]


def _room(settings: PrintSettings, is_lying: bool) -> tuple[float, float]:
    """Return the width and height of a page's drawing area in mm."""
    width, height = paper_size(settings.paper)
    if is_lying:
        width, height = height, width
    top, right, bottom, left = MARGIN
    return width - left - right, height - top - bottom - HEAD_MM


def _describe(cell: HexCell) -> str:
    parts = [cell.terrain.name.lower()]
    parts += [f"level +{cell.level}"] if cell.level > 0 else []
    parts += [f"building of {pluralize(cell.floors, 'floors')}"] if cell.floors else []
    return " ".join(parts)


def _image(svg: str) -> str:
    return "data:image/svg+xml," + quote(svg)
