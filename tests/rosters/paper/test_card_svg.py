"""The card of a page is the printed card: the same words at the same places, the same strokes, nothing outside."""

from __future__ import annotations

import html
import re
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from django.urls import reverse
from fontTools.ttLib import TTFont

from rosters.card_layout import CardPage
from rosters.card_layout.page import CONTROLS
from rosters.models import LedgerEntry
from rosters.paper.drawing import PX_PER_MM, _Side
from rosters.paper.engine import STATIC_DIR
from rosters.paper.themes import THEMES
from rosters.paper.weasyprint_inside import LineOfType
from rosters.printing.orders import CompanyChoice, design_order
from rosters.printing.screen_cards import AS_PRINTED, card_of_design, screen_card, side_svg
from rosters.printing.selectors import made_print
from rosters.products import CARD, UnitItem
from rosters.selectors import company_sheet
from rosters.services import unit_sell
from systems import PAPER, roster_rules
from systems.paper.metrics import MM_PER_PT
from tests.builders import a_company, a_crewed_unit, a_unit
from tests.campaigns.builders import a_campaign, an_enrolment
from tests.rosters.paper.units import hard_cases, mech_cases, published_of, read

SAME_MM = 0.1
SHOWN_BYTES = 24_000  # of both sides, their words and their large form
SHAPES = re.compile(r"([ML])(-?[\d.]+) (-?[\d.]+)")
NUMBERS = re.compile(r"-?\d*\.?\d+")
HARD = {**hard_cases(), **mech_cases()}


# --- the two painters ---


class NoStream:
    """A stream that accepts drawing and keeps nothing."""

    def __init__(self) -> None:
        self.stream: list[bytes] = []

    @contextmanager
    def stacked(self) -> Iterator[None]:
        yield

    def __getattr__(self, name: str) -> Any:
        return lambda *given, **more: None


def set_on_paper(page: CardPage, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[tuple[float, float, float]]]:
    """Return left, right and baseline of every line that the PDF's painter sets, mm, by its words."""
    found: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    now = [""]
    set_text = LineOfType.set

    def set_line(self: LineOfType, text: str) -> None:
        now[0] = text.replace("\u00a0", " ")
        set_text(self, text)

    def draw(self: LineOfType, stream: object, x: float, y: float) -> bool:
        found[now[0]].append((x / PX_PER_MM, (x + self.width) / PX_PER_MM, y / PX_PER_MM))
        return False

    with monkeypatch.context() as patch:
        patch.setattr(LineOfType, "set", set_line)
        patch.setattr(LineOfType, "draw", draw)
        _Side(page, THEMES["colour"], 0.0).paint(NoStream())  # type: ignore[arg-type]
    return found


def runs_of(page: CardPage) -> list[ElementTree.Element]:
    """Return the groups of lines that are set the same way."""
    groups = ElementTree.fromstring(side_svg(page, "Front", "k")).iter("g")
    return [each for each in groups if each.get("class", "").startswith("card-side__")]


def set_on_screen(page: CardPage) -> Iterator[tuple[str, str, float, float]]:
    """Return words, alignment and place of every line of the SVG."""
    for group in runs_of(page):
        for text in group:
            assert not text.get("transform"), "no line of a card of a unit is turned"
            edge = group.get("text-anchor", "start")
            if text.get("direction") == "rtl":
                edge = {"start": "end", "end": "start"}.get(edge, edge)
            yield (text.text or "").replace("\u00a0", " "), edge, float(text.get("x", "")), float(text.get("y", ""))


def check_texts(page: CardPage, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = set_on_paper(page, monkeypatch)
    assert sum(map(len, paper.values())) > 3
    for words, edge, x, y in set_on_screen(page):
        places = [
            ({"start": left, "middle": (left + right) / 2, "end": right}[edge], baseline)
            for left, right, baseline in paper[words]
        ]
        assert places, f"{words!r} is not on paper, or less often"
        at = min(range(len(places)), key=lambda at: abs(places[at][0] - x) + abs(places[at][1] - y))
        assert (x, y) == pytest.approx(places[at], abs=SAME_MM), words
        del paper[words][at]
    assert not any(paper.values()), "paper has texts that the screen lacks"


def check_sizes(page: CardPage) -> None:
    """Check that type is as large as on paper, in the same tone."""
    wanted = defaultdict(set)
    for text in page.texts:
        for line in text.lines:
            wanted[line.translate(CONTROLS).replace("\u00a0", " ")].add((text.font, f"{text.size * MM_PER_PT:.3f}"))
    for group in runs_of(page):
        font = group.get("class", "").removeprefix("card-side__")
        for text in group:
            assert (font, group.get("font-size")) in wanted[(text.text or "").replace("\u00a0", " ")]


def check_strokes(page: CardPage) -> None:
    """Check that strokes and boxes of every kind match in numbers, and that none is outside the card."""
    drawn = [
        each.get("d", "") for each in ElementTree.fromstring(side_svg(page, "Front", "k"))[0] if each.tag == "path"
    ]
    for kind, paths in page.art.items():
        path = "".join(paths)
        if kind == "qr":
            assert any(each.count("M") == path.count("M") and "z" not in each for each in drawn)
            continue
        wanted = [float(number) for number in NUMBERS.findall(path)]
        assert any([*map(float, NUMBERS.findall(each))] == pytest.approx(wanted, abs=0.006) for each in drawn), kind
    for each in drawn:
        for _, x, y in SHAPES.findall(each):
            assert 0 <= float(x) <= page.size.width
            assert 0 <= float(y) <= page.size.height


def check(page: CardPage, monkeypatch: pytest.MonkeyPatch) -> None:
    check_texts(page, monkeypatch)
    check_sizes(page)
    check_strokes(page)


def pages_of(document: dict[str, Any]) -> Iterator[CardPage]:
    item = CARD.of_unit(read(document))
    assert item is not None
    for side in CARD.sides(item, AS_PRINTED):
        yield side.front
        yield side.back


# --- every card ---


@pytest.mark.parametrize("game", PAPER)
def test_published_cards_match_paper_word_by_word(game: str, monkeypatch):
    seen: list[CardPage] = []
    for document in published_of(game):
        for page in pages_of(
            {**document, "url": "https://muster.example.org/companies/7/units/8/", "colour": "#0b5fa8"}
        ):
            if page not in seen:
                check(page, monkeypatch)
                seen.append(page)
    assert len(seen) > len(roster_rules(game).published) / 2


@pytest.mark.parametrize("name", HARD)
def test_hard_card_matches_paper(name: str, monkeypatch):
    for page in pages_of({**HARD[name], "number": 12, "side": "b"}):
        check(page, monkeypatch)


def test_repeated_spaces_are_kept(monkeypatch):
    document = {**HARD["markup"], "name": "A  B   C"}
    front = next(pages_of(document))
    check(front, monkeypatch)
    assert "A \u00a0B \u00a0 C" in side_svg(front, "Front", "k")


def test_turned_line_turns_about_the_middle_of_its_box():
    page = next(pages_of(HARD["accents"]))
    page.texts = [replace(page.texts[0], x=10, y=20, width=30, leading=4, lines=("one", "two"), turned=True)]
    svg = side_svg(page, "Front", "k")
    assert svg.count('transform="rotate(180 25 24)"') == 2


def test_picture_is_placed_as_on_paper():
    front = next(pages_of(HARD["all lost"]))
    (picture,) = front.pictures
    left, top, side = picture.drawing.bounds
    (group,) = (each for each in ElementTree.fromstring(side_svg(front, "Front", "k")).iter("g") if each.get("stroke"))
    x, y, scale = map(float, NUMBERS.findall(group.get("transform", "")))
    assert (x + left * scale, y + top * scale) == pytest.approx((picture.x, picture.y), abs=0.02)
    assert side * scale == pytest.approx(picture.side, abs=0.02)
    assert len({path.get("stroke") for path in group}) > 1, "lost parts have their own colour"


@pytest.mark.parametrize("weight", ["500", "700"])
def test_web_font_letters_have_the_print_fonts_size(weight: str):
    paper = TTFont(STATIC_DIR / "fonts" / "print" / f"barlow-condensed-{weight}.ttf")
    wanted = paper.getBestCmap()
    missed = set(wanted)
    for part in ("", "-more"):
        screen = TTFont(STATIC_DIR / "fonts" / f"barlow-condensed-{weight}{part}.woff2")
        found = screen.getBestCmap()
        missed -= found.keys()
        for code in wanted.keys() & found.keys():
            assert paper["hmtx"][wanted[code]][0] == screen["hmtx"][found[code]][0], chr(code)
        for name in ("ascent", "descent", "lineGap"):
            assert getattr(paper["hhea"], name) == getattr(screen["hhea"], name)
    assert len(missed) <= 1


# --- on pages ---


@pytest.mark.parametrize("game", PAPER)
def test_card_stays_within_its_size_limit(game: str):
    rules = roster_rules(game)
    for design in rules.published.values():
        assert len(card_of_design(game, design.name, rules.spec_json(design.spec)).encode()) < SHOWN_BYTES, design.name


@pytest.fixture
def get_page(client) -> Callable[..., str]:
    """Return a page of the site."""

    def get(route: str, /, *args: object, **query: object) -> str:
        answer = client.get(reverse(f"rosters:{route}", args=args), query)
        assert answer.status_code == 200
        return answer.content.decode()

    return get


def check_card(page: str, item: UnitItem) -> None:
    """Check that both sides of the card are drawn there, once, and that a screen reader gets all their text."""
    card = screen_card(item)
    for side in (*card.fronts, *card.backs):
        assert page.count(side.drawing) == 1
        for line in side.sentences:
            assert line in html.unescape(page)
        assert f'href="#{side.key}"' in page
    assert page.count('<figure class="printed-card">') == 1


@pytest.mark.django_db
@pytest.mark.parametrize("game", PAPER)
def test_design_page_shows_the_shops_card(get_page, game: str):
    slug, design = next(iter(roster_rules(game).published.items()))
    spec = roster_rules(game).spec_json(design.spec)
    (item,) = design_order(game, design.name, spec, ["unit-card"], AS_PRINTED, 1).items
    check_card(get_page("design_published", game, slug), item)
    if roster_rules(game).has("lab"):
        check_card(get_page("lab", system=game, name=design.name, **roster_rules(game).lab_address(spec)), item)


@pytest.mark.django_db
def test_unit_page_shows_the_shops_current_card(get_page, client):
    company = a_company(points=200, colour="#0b5fa8", visibility="link")
    unit, _ = a_crewed_unit(company, "thor")
    LedgerEntry.objects.create(
        company=company, act=uuid.uuid4(), kind="damaged", unit=unit, cause="act",
        facts={"from": {}, "to": {"hits": 1, "weapons_lost": [0]}},
    )  # fmt: skip
    campaign = a_campaign(options={"diagonal-moves": True})
    an_enrolment(campaign, company)
    client.force_login(company.owner)
    answer = client.get(reverse("rosters:unit", args=[company.pk, unit.pk]))
    choice = CompanyChoice(products=("unit-card",))
    (item,) = made_print(answer.wsgi_request, company, company_sheet(company), choice, []).order.items
    assert item.unit.condition
    assert item.unit.options == {"diagonal-moves": True}
    assert item.unit.url.endswith(f"?key={company.link_key}")
    check_card(answer.content.decode(), item)


@pytest.mark.django_db
def test_sold_unit_keeps_its_card(get_page, client):
    company = a_company(points=200, visibility="public")
    unit, _ = a_crewed_unit(company)
    unit_sell(company=company, by=company.owner, unit=unit)
    assert "WASP" in get_page("unit", company.pk, unit.pk)
    assert get_page("unit", company.pk, unit.pk).count('printed-card"') == 1


@pytest.mark.django_db
def test_card_follows_the_labs_build(client):
    url = reverse("rosters:lab_preview")
    fields = {"system": "meks-and-mercs", "chassis": "light", "name": "Toppler", "n-cannon": "1"}
    before = client.post(url, fields).content.decode()
    after = client.post(url, fields | {"n-ciws": "1", "name": "Tipper"}).content.decode()
    assert ">TOPPLER</text>" in before
    assert "CIWS</text>" not in before
    assert ">TIPPER</text>" in after
    assert "CIWS</text>" in after


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["\x07\u2028", "A\x07B", "<b>&", "\u202eevil", "W" * 80])
def test_unprintable_name_breaks_no_page(get_page, name: str):
    page = get_page("lab", system="meks-and-mercs", name=name, chassis="light", weapons="cannon")
    assert page.count('printed-card"') == 1
    assert "<b>&" not in page


@pytest.mark.django_db
def test_bad_build_has_no_card(get_page):
    page = get_page("lab", system="meks-and-mercs", chassis="light", **{"n-cannon": "x"})
    assert 'printed-card"' not in page


@pytest.mark.django_db
def test_game_without_cards_shows_none(get_page, monkeypatch):
    monkeypatch.setattr(type(CARD), "is_made", lambda self, system: False)
    assert 'printed-card"' not in get_page("design_published", "meks-and-mercs", "wasp")


@pytest.mark.django_db
def test_companys_cards_are_paged_by_twelve(client):
    company = a_company(points=200, visibility="public")
    for number in range(14):
        a_unit(company, "wasp", name=f"Wasp {number}")
    url = reverse("rosters:company", args=[company.pk], query={"show": "cards"})
    first = client.get(url)
    page = first.content.decode()
    assert page.count('printed-card"') == 12
    assert len(page.encode()) < 250_000
    assert ">WASP 0</text>" in page
    assert ">WASP 12</text>" not in page
    second = client.get(url, {"show": "cards", "after": first.context["slice"].after})
    assert [unit.name for unit in second.context["slice"]] == ["Wasp 12", "Wasp 13"]
    assert second.context["slice"].after == ""
    back = client.get(url, {"show": "cards", "before": second.context["slice"].before})
    assert [unit.name for unit in back.context["slice"]] == [f"Wasp {number}" for number in range(12)]
    assert client.get(url, {"show": "cards", "after": "x"}).context["slice"].before == ""


@pytest.mark.django_db
def test_company_without_units_has_an_empty_cards_page(client):
    company = a_company(visibility="public")
    page = client.get(reverse("rosters:company", args=[company.pk], query={"show": "cards"}))
    assert "No cards yet" in page.content.decode()


@pytest.mark.django_db
def test_game_without_cards_has_no_cards_page(client, get_page, monkeypatch):
    company = a_company(visibility="public")
    url = reverse("rosters:company", args=[company.pk], query={"show": "cards"})
    assert url in get_page("company", company.pk)
    monkeypatch.setattr(type(CARD), "is_made", lambda self, system: False)
    assert client.get(url).status_code == 404
    assert url not in get_page("company", company.pk)
