"""Card sides as PDF pages: real text in embedded fonts, themes, the band, bleed, shapes."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pikepdf
import pytest
from PIL import Image, ImageChops, ImageStat

from rosters.card_layout import POKER, CardPage
from rosters.paper.documents import PrintSettings
from rosters.paper.drawing import draw_pages, forget_fonts
from rosters.paper.themes import THEMES, ThemeName
from rosters.printing.rendering import sides_of
from rosters.products import UnitItem
from tests.rosters.paper import pdf
from tests.rosters.paper.units import hard_cases, printed, read, unit

BAND = "#0b5fa8"
BAND_MM = 2.0
SIGNAL = (0xA8, 0x37, 0x0B)


@pytest.fixture
def draw_pdf(tmp_path: Path):
    def draw(*pages: CardPage, theme: ThemeName = "colour", bleed: float = 0.0) -> Path:
        path = tmp_path / f"{theme}-{bleed}.pdf"
        path.write_bytes(draw_pages(pages, theme, bleed)[0])
        return path

    return draw


def face(**fields) -> CardPage:
    item = UnitItem(what="unit-card", unit=read(unit("odin", colour=BAND, **fields)))
    page = sides_of(item, PrintSettings())[0].front
    page.band, page.band_mm = BAND, BAND_MM
    return page


def image(path: Path) -> Image.Image:
    """Return the first page as an image, 10 pixels a mm."""
    subprocess.run(["pdftoppm", "-r", "254", "-png", "-singlefile", path, path.with_suffix("")], check=True)
    return Image.open(path.with_suffix(".png")).convert("RGB")


def is_near(pixel: tuple[int, ...], colour: tuple[int, ...], slack: int = 40) -> bool:
    return all(abs(one - other) <= slack for one, other in zip(pixel, colour, strict=True))


def has_colour(picture: Image.Image) -> bool:
    colours = picture.getcolors(picture.width * picture.height)
    return any(max(pixel) - min(pixel) > 60 for _, pixel in colours)


@pytest.mark.parametrize("theme", get_args(ThemeName))
def test_every_theme_has_the_same_text_in_embedded_subsets(draw_pdf, theme: ThemeName):
    path = draw_pdf(face(), theme=theme)
    assert pdf.text(path) == pdf.text(draw_pdf(face()))
    assert "ODIN" in pdf.text(path)
    assert pdf.fonts(path)
    for name, embedded in pdf.fonts(path):
        assert embedded, name
        assert re.match(r"[A-Z]{6}\+Muster", name), "only subsets of Muster's fonts are embedded"


def test_colour_is_only_in_the_colour_theme(draw_pdf):
    assert has_colour(image(draw_pdf(face())))
    assert not has_colour(image(draw_pdf(face(), theme="grey")))
    assert not has_colour(image(draw_pdf(face(), theme="ink-saver")))


def test_ink_saver_uses_less_ink_than_grey(draw_pdf):
    page = face()
    page.art.setdefault("shape", []).append("M5 60h50v20h-50z")
    darkness = {
        theme: 255 - ImageStat.Stat(image(draw_pdf(page, theme=theme)).convert("L")).mean[0]
        for theme in ("grey", "ink-saver")
    }
    assert darkness["ink-saver"] < 0.8 * darkness["grey"]


def test_companys_band_runs_along_the_top_edge(draw_pdf):
    picture = image(draw_pdf(face()))
    blue = (0x0B, 0x5F, 0xA8)
    for x in (2, 300, 627):
        assert is_near(picture.getpixel((x, 3)), blue)
    assert is_near(picture.getpixel((300, int(BAND_MM * 10) + 3)), (255, 255, 255))
    grey = image(draw_pdf(face(), theme="grey")).getpixel((300, 3))
    assert 60 < grey[0] < 150
    assert is_near(image(draw_pdf(face(), theme="ink-saver")).getpixel((300, 3)), (255, 255, 255))


def test_band_fills_the_bleed_of_a_larger_page(draw_pdf):
    plain, bled = draw_pdf(face()), draw_pdf(face(), bleed=3.0)
    assert pdf.page_sizes(plain) == [(63.0, 88.0)]
    assert pdf.page_sizes(bled) == [(69.0, 94.0)]
    with pikepdf.open(bled) as opened:
        box = [float(side) for side in opened.pages[0].trimbox]
        assert box == [float(side) for side in opened.pages[0].mediabox], "the band is imposed whole"
    picture = image(bled)
    for place in ((2, 2), (687, 2), (2, 40), (350, 40)):
        assert is_near(picture.getpixel(place), (0x0B, 0x5F, 0xA8))
    name, moved = (next(word for word in pdf.words(path)[0] if word.text == "ODIN") for path in (plain, bled))
    assert moved.left - name.left == pytest.approx(3.0, abs=0.05)
    assert moved.top - name.top == pytest.approx(3.0, abs=0.05)


def test_qr_code_is_black_in_every_theme(draw_pdf):
    for theme in THEMES:
        page = CardPage(POKER, art={"qr": ["M10 10h8v8h-8z", "M30 10h2v2h-2z"]})
        picture = image(draw_pdf(page, theme=theme))
        assert picture.getpixel((140, 140)) == (0, 0, 0)
        assert picture.getpixel((310, 110)) == (0, 0, 0)
        assert picture.getpixel((250, 140)) == (255, 255, 255)


def test_shape_can_have_the_companys_colour(draw_pdf):
    foot = {"band": ["M0 60h63v10h-63z"]}
    blue = image(draw_pdf(CardPage(POKER, art=foot, band=BAND)))
    assert is_near(blue.getpixel((300, 650)), (0x0B, 0x5F, 0xA8))
    assert is_near(blue.getpixel((300, 3)), (255, 255, 255)), "no band along the edge without a height"
    for page, theme in ((CardPage(POKER, art=foot, band=BAND), "ink-saver"), (CardPage(POKER, art=foot), "colour")):
        assert is_near(image(draw_pdf(page, theme=theme)).getpixel((300, 650)), (255, 255, 255))


def test_curves_are_filled_like_straight_lines(draw_pdf):
    page = CardPage(POKER, art={"qr": ["M20 30A10 10 0 0 1 40 30A10 10 0 0 1 20 30Z"]})
    picture = image(draw_pdf(page))
    assert picture.getpixel((300, 300)) == (0, 0, 0)
    assert picture.getpixel((210, 215)) == (255, 255, 255)


def test_paths_may_be_relative_and_repeat_their_letter(draw_pdf):
    one = CardPage(POKER, art={"qr": ["M10 10 20 10 20 20 10 20Z"]})
    other = CardPage(POKER, art={"qr": ["m10 10l10 0 0 10-10 0z"]})
    assert image(draw_pdf(one)).tobytes() == image(draw_pdf(other)).tobytes()


def test_text_is_drawn_at_its_measured_place(draw_pdf):
    page = CardPage(POKER)
    for at, align in enumerate(("left", "center", "right")):
        page.text(10, 20 + 10 * at, 40, (f"{align} Vienna",), 8, 3.2, "text", align)
    lines = {word.text: word for word in pdf.words(draw_pdf(page))[0] if word.text != "Vienna"}
    ends = sorted((word.top, word.right) for word in pdf.words(draw_pdf(page))[0] if word.text == "Vienna")
    assert lines["left"].left == pytest.approx(10, abs=0.1)
    assert ends[2][1] == pytest.approx(50, abs=0.15)
    assert (lines["center"].left + ends[1][1]) / 2 == pytest.approx(30, abs=0.15)


def test_pairs_of_letters_are_kerned(draw_pdf):
    page = CardPage(POKER)
    page.text(5, 10, 50, ("AVAVAVAVAV",), 14, 5, "head")
    page.text(5, 30, 50, ("A",), 14, 5, "head")
    page.text(5, 40, 50, ("V",), 14, 5, "head")
    words = {word.text: word.right - word.left for word in pdf.words(draw_pdf(page))[0]}
    assert words["AVAVAVAVAV"] < 5 * (words["A"] + words["V"]) - 0.5


@pytest.mark.parametrize("name", ["Cyrillic", "Arabic", "accents"])
def test_other_scripts_are_text_in_embedded_fonts(tmp_path: Path, name: str):
    path = tmp_path / "print.pdf"
    path.write_bytes(printed([hard_cases()[name]], backs="none"))
    text = pdf.text(path)
    for word in hard_cases()[name]["name"].upper().split():
        assert word in text or word[::-1] in text, text
    assert all(embedded for _, embedded in pdf.fonts(path))


def test_control_characters_are_drawn_as_spaces(draw_pdf):
    page = CardPage(POKER)
    page.text(5, 10, 50, ("one\ttwo\nthree\x00four",), 8, 3.2)
    assert pdf.text(draw_pdf(page)) == "one two three four"


def test_equal_sides_give_equal_bytes():
    assert draw_pages([face()]) == draw_pages([face()])


def test_fonts_can_be_dropped_and_loaded_again():
    before = draw_pages([face()])
    forget_fonts()
    assert draw_pages([face()]) == before


def test_turned_text_is_upside_down_in_the_same_place(draw_pdf):
    upright, turned = CardPage(POKER), CardPage(POKER)
    for page, is_turned in ((upright, False), (turned, True)):
        page.text(10, 20, 40, ("Wasp", "and Thor"), 12, 4.5)
        page.texts = [replace(text, turned=is_turned) for text in page.texts]
    head = image(draw_pdf(upright)).crop((100, 200, 500, 290))
    feet = image(draw_pdf(turned)).crop((100, 200, 500, 290))
    assert unlike(head.rotate(180), feet) < unlike(head, feet) / 3


def unlike(one: Image.Image, other: Image.Image) -> float:
    return ImageStat.Stat(ImageChops.difference(one, other).convert("L")).mean[0]


def test_right_to_left_line_begins_at_the_right(draw_pdf):
    page = CardPage(POKER)
    page.text(5, 10, 50, ("ذئب, Wolf",), 9, 4)
    page.texts = [replace(text, direction="ltr") for text in page.texts]
    left_to_right = {word.text: word.left for word in pdf.words(draw_pdf(page))[0]}
    page.texts = [replace(text, direction="rtl") for text in page.texts]
    right_to_left = {word.text: word.left for word in pdf.words(draw_pdf(page))[0]}
    assert left_to_right["Wolf"] > 10
    assert right_to_left["Wolf"] == pytest.approx(5, abs=0.3)
