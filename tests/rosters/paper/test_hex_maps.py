"""Hex maps on paper: at their own size, cut into pages that cover them, and as tiles."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.urls import reverse

from rosters.models import PrintJob
from rosters.paper.documents import paper_of
from rosters.paper.engine import open_pdf
from rosters.paper.sources import ScenarioSource
from rosters.printing.orders import PrintOrder, check_order, scenario_order, scenario_products
from rosters.printing.view_helpers import counts_of
from rosters.products import PRODUCTS
from systems import roster_rules
from systems.documents import DocumentError
from systems.hex_core.build import SYSTEM
from systems.hex_core.build.drawing import published_board, turn_board
from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.options import Options, rule_under
from systems.hex_core.paper import sheets
from systems.paper.hexes import INKS, MIN_PT, part_svg, tiles_on, tiling
from systems.spaces.hex_map import HEIGHT, height_of, width_of
from tests.example_shares import in_turn
from tests.rosters.paper import items, pdf
from tests.rosters.paper.test_the_book_on_paper import sheet

KIT_MM = 114.3
OWN = {"hexes": {"green": [[3, 4], [12, 8]]}, "levels": [[6, 6, 1], [9, 6, 1]], "buildings": [[4, 8, 6], [11, 4, 6]]}


def source(**spec: object) -> ScenarioSource:
    given = {"mission": "domination", **spec}
    return ScenarioSource(system="hex-core", name="Ridge", spec=given)


def order(*given: object, **settings: object) -> PrintOrder:
    return PrintOrder(title="Maps", settings=items.settings(**settings), items=tuple(given))


@pytest.mark.parametrize(("paper", "kit", "small"), [("a4", 55, 7), ("letter", 64, 7)])
def test_count_says_how_many_pages_a_map_needs(paper, kit, small):
    assert counts_of(order(items.hex_plate("hex-map", "coast"), paper=paper)).pages == kit
    assert counts_of(order(items.hex_plate("hex-map-small", "coast"), paper=paper)).pages == small


@pytest.mark.parametrize("hex_mm", [20.0, 36.0, KIT_MM])
@pytest.mark.parametrize(("width", "height"), [(194.0, 271.0), (199.9, 253.4), (271.0, 184.0)])
def test_pages_overlap_and_cover_the_whole_map(hex_mm, width, height):
    cut = tiling(16, 13, hex_mm, width, height, 8.0)
    windows = list(cut.windows())
    assert len(windows) == cut.pages
    wide, high = width / cut.scale, height / cut.scale
    for along, size, total in (("x", wide, width_of(16)), ("y", high, height_of(16, 13))):
        places = sorted({getattr(window, along) for window in windows})
        assert places[0] <= 0
        assert places[-1] + size >= total
        for one, other in zip(places, places[1:], strict=False):
            assert (one + size - other) * cut.scale == pytest.approx(8.0)
    inner = [window for window in windows if 1 < window.across < cut.across and 1 < window.down < cut.down]
    assert all(window.guides.count("M") == 4 for window in inner)
    assert windows[0].guides.count("M") == (cut.across > 1) + (cut.down > 1)


def test_hex_is_drawn_at_its_own_size():
    ground = PRODUCTS["hex-map"].plan(items.hex_plate("hex-map", "coast")).ground
    cut = tiling(16, 13, KIT_MM, 194.0, 271.0, 8.0)
    drawn = part_svg(ground, INKS["colour"], cut, next(cut.windows()))
    box = re.search(r'viewBox="\S+ \S+ (\S+) \S+" width="194mm" height="271mm"', drawn)
    assert box is not None
    assert 194.0 / float(box[1]) * HEIGHT == pytest.approx(KIT_MM, abs=0.02)


@pytest.mark.parametrize(
    ("terrain", "paper"), in_turn([(each, paper) for each in ("", "coast") for paper in ("a4", "letter")])
)
def test_mission_maps_are_large_enough_to_read(terrain, paper):
    made = items.page_pdf(items.scenario("domination", "hex-core", terrain=terrain), items.settings(paper=paper))
    assert pdf.smallest_type(made) >= MIN_PT - 0.05


def test_tiles_are_the_hexes_that_are_not_bare():
    product = PRODUCTS["hex-tiles"]
    item = items.hex_plate("hex-tiles", "own-map", spec={"mission": "elimination", "map": OWN})
    cells = product.cells(item)
    tile_hexes = sorted((cell.terrain.slug, cell.level, cell.floors) for cell in cells)
    assert tile_hexes == [("green", 0, 0)] * 2 + [("grey", 0, 6)] * 2 + [("grey", 1, 0)] * 2
    assert tiles_on(KIT_MM, 194.0, 271.0) == (1, 2)
    assert counts_of(order(item)).pages == 3


def test_map_is_parsed_once_for_offer_count_and_drawing(monkeypatch):
    read = []
    parse = sheets.parse_scenario
    monkeypatch.setattr(sheets, "parse_scenario", lambda data: read.append(data) or parse(data))
    own = {**OWN, "hexes": {"green": [[2, 2]]}}
    scenario_products(source(map=own))
    item = items.hex_plate("hex-tiles", "own-map", spec={"mission": "domination", "map": own})
    check_order(order(item))
    assert counts_of(order(item)).pages == 3
    PRODUCTS["hex-tiles"].frame(item, items.settings())
    assert len(read) == 1


@pytest.mark.parametrize(
    ("field", "value", "path"),
    [("terrain", "swamp", "items[0].terrain"), ("spec", {"mission": "parade"}, "items[0].spec.mission")],
)
def test_unknown_map_is_refused_with_field(field, value, path):
    with pytest.raises(DocumentError) as error:
        check_order(order(items.hex_plate("hex-map", **{"terrain": "coast", field: value})))
    assert error.value.path == path


def test_mission_offers_every_map_and_scenario_its_own():
    products = dict(scenario_products(source()))
    assert products["hex-map:coast"] == "Map to scale, Coast: hexes of 114.3 mm"
    assert {"hex-map:open-plain", "hex-tiles:coast"} <= products.keys()
    assert "hex-tiles:open-plain" not in products  # all its hexes are bare
    assert len(products) == 1 + 2 * 4 + 2 * 3
    own = dict(scenario_products(source(map=OWN)))
    assert set(own) == {"scenario", *(f"{slug}:own-map" for slug in PRODUCTS if slug.startswith("hex-"))}
    asked = scenario_order(source(map=OWN), ["hex-map-small:own-map"], items.settings())
    assert [(item.what, item.terrain) for item in asked.items] == [("hex-map-small", "own-map")]


@pytest.mark.parametrize("system", ["meks-and-mercs", "mech-campaign", "blazing-steel"])
def test_games_without_hexes_have_no_hex_map(system):
    rules = roster_rules(system)
    spec = rules.scenario_json(next(iter(rules.scenarios.values())).spec)
    given = ScenarioSource(system=system, name="Any", spec=spec)
    assert scenario_products(given) == [("scenario", "Scenario sheet")]
    with pytest.raises(DocumentError):
        check_order(order(items.hex_plate("hex-map", "coast", system=system, spec=spec)))


@pytest.mark.django_db
def test_shop_offers_and_counts_a_missions_maps(client):
    url = reverse("rosters:print-scenario-published", args=["hex-core", "domination"])
    html = client.get(url).content.decode()
    assert "Map for counters, Frost Pass: hexes of 36 mm" in html
    data = {
        "do": "count", "products": ["hex-map-small:coast"], "medium": "paper", "paper": "a4", "backs": "long-edge", "card": "poker",
        "sheet": "full", "theme": "colour", "bleed": "0", "marks": "on", "copies": "1", "printer": "",
    }  # fmt: skip
    assert "7 pages" in client.post(url, data).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(("status", "expected"), [("done", "This PDF has expired"), ("queued", "Waiting to start")])
def test_print_page_opens_without_its_map(client, status, expected):
    content = order(items.hex_plate("hex-map", "coast")).model_dump(mode="json")
    content["items"][0]["terrain"] = "a-map-that-was"
    job = PrintJob.objects.create(title="Maps", content=content, status=status, pages=3)
    answer = client.get(reverse("rosters:print-job", args=[job.key]))
    assert answer.status_code == 200
    html = answer.content.decode()
    assert expected in html
    assert "no longer in the catalogue" in html


DEEP = {"board-orientation": "deep"}


@pytest.mark.slow
@pytest.mark.rule("HX-055", "HX-059")
@pytest.mark.parametrize("terrain", ["", "coast", "own-map"])
def test_deep_board_has_the_players_at_its_short_edges(terrain: str):
    spec: dict[str, object] = {"mission": "domination"} | ({"map": OWN} if terrain == "own-map" else {})
    item = items.scenario("domination", "hex-core", terrain=terrain, spec=spec, options=DEEP)
    text = sheet(item)
    assert "The board: 13 across, 16 deep" in text
    assert "places it between the sixth hexes in from both short sides" in text
    if terrain:
        assert "Side A sets up rows 13 to 15" in text
        assert "Side B sets up rows 0 to 2" in text
    with open_pdf(items.page_pdf(item, items.settings())) as opened:
        assert len(opened.pages) == 1
    for at, hexes in enumerate(drawn_numbers(item)):
        assert hexes == [*map(str, range(13)), *map(str, range(16))], at


def drawn_numbers(item: object) -> list[list[str]]:
    """Return the numbers around each map of a scenario sheet: its columns, then its rows."""
    context = paper_of("hex-core", "system", item.options).scenario_context(item.name, item.spec, item.terrain, "grey")
    soft = INKS["grey"].soft
    return [re.findall(rf'fill="{soft}" text-anchor="middle">(\d+)<', plan["drawing"]) for plan in context["plans"]]


@pytest.mark.rule("HX-055", "HX-059")
def test_deep_board_is_the_wide_one_turned():
    for slug in CATALOGUE.maps:
        wide, deep = published_board(slug), turn_board(published_board(slug))
        assert (deep.columns, deep.rows) == (13, 16)
        for at in range(208):
            column, row = at % 13, at // 13
            before = wide.cell((12 - column) * 16 + row)
            after = deep.cell(at)
            assert (after.column, after.row) == (column, row)
            assert (after.terrain, after.level, after.floors) == (before.terrain, before.level, before.floors)
        sides = [[cell.row for cell in deep.ground.cells if cell.side == side] for side in (0, 1)]
        assert [sorted(set(each)) for each in sides] == [[13, 14, 15], [0, 1, 2]]
        assert [len(each) for each in sides] == [39, 39]


@pytest.mark.rule("HX-055")
def test_own_starts_turn_with_a_deep_board():
    board = published_board("coast")
    own = replace(board, starts=(frozenset({15, 31}), frozenset({192})), objectives=(16,))
    deep = turn_board(own)
    assert deep.starts == (frozenset({15 * 13 + 12, 15 * 13 + 11}), frozenset({0}))
    assert deep.objectives == (11,)


@pytest.mark.rule("HX-055")
@pytest.mark.parametrize("what", ["hex-map", "hex-map-small", "hex-tiles"])
def test_maps_to_scale_follow_the_deep_board(what: str):
    item = items.hex_plate(what, "coast", options=DEEP)
    ground = PRODUCTS[what].plan(item).ground
    assert (ground.columns, ground.rows) == (13, 16)
    assert PRODUCTS[what].plan(items.hex_plate(what, "coast")).ground.columns == 16
    if what == "hex-map-small":
        with open_pdf(items.page_pdf(item, items.settings())) as opened:
            assert len(opened.pages) == counts_of(order(item)).pages


@pytest.mark.rule("HX-166")
def test_reference_puts_objectives_of_a_deep_board_between_rows():
    rule = SYSTEM.rulebook["HX-166"]
    assert "columns" in rule_under(rule, Options.read({})).text
    assert rule_under(rule, Options.read(DEEP)).text == rule.text.replace("columns", "rows")
