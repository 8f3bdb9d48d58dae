"""Every card of every size: all words inside the safe area, without overlap, in reading order; with working codes."""

from __future__ import annotations

import re
import subprocess
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rosters.card_layout import POKER, SIZES, CardPage, TextBox
from rosters.card_layout.card_fronts import Side
from rosters.card_layout.number_blocks import draw_ticks
from rosters.card_layout.page import Measure
from rosters.paper.documents import PilotDocument, PrintSettings, UnitDocument
from rosters.paper.drawing import draw_pages
from rosters.printing.rendering import sides_of
from rosters.products import BlankItem, UnitItem
from rosters.products.base import Item
from rosters.products.cards import PilotItem, SupportItem
from rosters.products.counters import COUNTER, STANDEE
from systems.documents import DocumentError, parse_document
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.paper.metrics import FIRST_STRONG_ISOLATE, POP_ISOLATE, width_mm
from tests.rosters.paper import pdf
from tests.rosters.paper.units import (
    LONG_NAME,
    MECHS,
    SYSTEM,
    WIDE_NAME,
    ace,
    hard_cases,
    mech,
    mech_cases,
    mechs,
    published,
    unit,
)

URL = "https://muster.example.org/u/k7Qm2x"
HARD = {**hard_cases(), **mech_cases()}
KINDS = ("unit-card", "pilot-card", "counter", "standee")
Box = tuple[float, float, float, float]


def item(document: dict[str, Any], what: str = "unit-card") -> UnitItem:
    return UnitItem(what=what, unit=parse_document(UnitDocument, document))


def sides(asked: Item, card: str = "poker", **settings: Any) -> tuple[Side, ...]:
    return sides_of(asked, PrintSettings(card=card, **settings))


def pages_of(cards: tuple[Side, ...]) -> list[CardPage]:
    return [page for side in cards for page in (side.front, side.back)]


def items_of(document: dict[str, Any]) -> Iterator[Item]:
    for kind in KINDS:
        if kind != "pilot-card" or document.get("pilot"):
            yield item(document, kind)


def ink(text: TextBox) -> Iterator[Box]:
    """Return left, top, right, bottom of each line that has text; of a turned box, as it lies after turning."""
    for at, line in enumerate(text.lines):
        if not line:
            continue
        width = width_mm(line, text.font, text.size)
        slack = text.width - width
        left = text.x + {"left": 0.0, "center": slack / 2, "right": slack}[text.align]
        row = len(text.lines) - 1 - at if text.turned else at
        top = text.y + row * text.leading
        yield (text.x * 2 + text.width - left - width if text.turned else left), top, left + width, top + text.leading


def bare(text: str) -> str:
    """Return letters and figures alone: no spaces, no case, no accents, no marks of direction."""
    kept = [char for char in unicodedata.normalize("NFD", text.casefold()) if unicodedata.category(char) != "Mn"]
    return re.sub(rf"[\s{FIRST_STRONG_ISOLATE}{POP_ISOLATE}]", "", "".join(kept))


def drawn_letters(page: CardPage) -> str:
    return "".join(bare("".join(text.lines)) for text in page.texts)


def check_places(page: CardPage) -> None:
    size = page.size
    boxes = [(box, text) for text in page.texts for box in ink(text)]
    for (left, top, right, bottom), text in boxes:
        assert left >= size.safe - 0.05, text
        assert right <= size.width - size.safe + 0.3, text
        assert top >= page.band_mm - 1.0, text  # leading above the letters
        assert top >= size.safe - 1.2 * size.unit, text
        assert bottom <= size.height - size.safe + 0.05, text
    for at, (one, text) in enumerate(boxes):
        for other, second in boxes[at + 1 :]:
            across = min(one[2], other[2]) - max(one[0], other[0])
            # Leading is a sixth more than the type: lines may share that much without touching.
            along = min(one[3], other[3]) - max(one[1], other[1])
            allowed = 0.32 * min(text.leading, second.leading)
            assert across <= 0.3 or along <= allowed, f"{text.lines} overlaps {second.lines}"


def check_strokes(page: CardPage) -> None:
    for kind, paths in page.art.items():
        if kind == "band":
            continue  # runs off the edge on purpose
        for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", "".join(paths)):
            assert 1.2 <= float(x) <= page.size.width - 1.2, (kind, x)
            assert 1.2 <= float(y) <= page.size.height - 1.2, (kind, y)


def assert_texts_read_aloud(page: CardPage) -> None:
    """Assert that everything drawn is also read aloud."""
    letters = bare(page.text_content())
    for text in page.texts:
        assert bare("".join(text.lines)) in letters, text.lines


@pytest.mark.parametrize("card", SIZES)
@pytest.mark.parametrize("name", HARD)
@pytest.mark.each_value
def test_all_text_is_inside_the_card_without_overlap(name: str, card: str):
    document = {**HARD[name], "url": URL, "colour": "#8a2b1d", "side": "b", "number": 128}
    for asked in items_of(document):
        for page in pages_of(sides(asked, card)):
            check_places(page)
            check_strokes(page)
            assert_texts_read_aloud(page)


@pytest.mark.parametrize("card", SIZES)
@pytest.mark.parametrize("name", HARD)
@pytest.mark.each_value
def test_hard_units_card_omits_no_word(name: str, card: str):
    document = parse_document(UnitDocument, HARD[name])
    pilot = document.pilot or PilotDocument()
    skills = [CATALOGUE.skills[slug] for slug in pilot.skills]
    for asked in items_of(HARD[name]):
        text = "".join(drawn_letters(side.front) for side in sides(asked, card))
        if asked.what in ("counter", "standee"):
            assert bare("Infantry strongpoint" if document.support else document.name) in text
            continue
        wanted = [document.company, *(skill.name for skill in skills)]
        wanted += [bare(part) for part in re.split("[“”]", pilot.name)]
        if not document.support:
            wanted += [document.name, document.design_name]
        if asked.what == "unit-card":
            wanted += [CATALOGUE.weapons[slug].name for slug in document.spec.get("weapons", ())]  # type: ignore[attr-defined]
            wanted += [str(document.spec.get(word, "")) for word in ("armament", "base_vehicle")]
        for words in wanted:
            assert bare(words) in text, (asked.what, words)


@pytest.mark.parametrize("card", SIZES)
@pytest.mark.parametrize("slug", CATALOGUE.support)
@pytest.mark.each_value
def test_support_card_shows_time_and_effect(slug: str, card: str):
    (side,) = sides(SupportItem(what="support-card", system=SYSTEM, support=slug, company=LONG_NAME), card)
    result = CATALOGUE.support[slug]
    for page in (side.front, side.back):
        check_places(page)
        check_strokes(page)
        assert_texts_read_aloud(page)
    text = side.front.text_content().replace("−", "-")
    for words in (result.name, result.when, result.effect, LONG_NAME):
        assert words in text
    if result.unit and CATALOGUE.support_units[result.unit].hits:
        assert f"HITS: {CATALOGUE.support_units[result.unit].hits} box" in text
    assert all(other.name in side.back.text_content() for other in CATALOGUE.support.values())


@pytest.mark.parametrize("card", SIZES)
@pytest.mark.parametrize("kind", ["unit-card", "pilot-card"])
@pytest.mark.parametrize(("system", "least"), [(SYSTEM, 20), (MECHS, 10)])
@pytest.mark.each_value
def test_blank_card_has_lines_and_boxes_on_one_card(system: str, least: int, kind: str, card: str):
    (side,) = sides(BlankItem(what="blank", of=kind, system=system), card)
    for page in (side.front, side.back):
        check_places(page)
        check_strokes(page)
        assert_texts_read_aloud(page)
    text = side.front.text_content()
    assert "Name of the" in text
    assert len(side.front.art["box"]) >= least
    assert len(side.front.art["hair"]) + len(side.front.art.get("faint", ())) >= 7  # to write on
    if kind == "unit-card" and system == SYSTEM:
        most = max(chassis.hits for chassis in CATALOGUE.chassis.values())
        assert f"HITS: {most} boxes" in text


@pytest.mark.parametrize("card", SIZES)
@pytest.mark.parametrize("document", [*published(), *mechs()], ids=lambda document: document["name"])
@pytest.mark.each_value
def test_published_unit_with_colour_and_code_fits_one_card(document: dict[str, Any], card: str):
    (side,) = sides(item({**document, "url": URL, "colour": "#8a2b1d", "pilot": {"name": "Ana"}}), card)
    assert side.front.size is SIZES[card]
    assert (side.front.band, side.back.band) == ("#8a2b1d", "#8a2b1d")
    assert ("qr" in side.front.art) + ("qr" in side.back.art) == 1


def test_larger_card_has_larger_type_and_more_text():
    document = unit("draken", pilot={"name": "Ana", "skills": ["accuracy"]})
    small, large = (sides(item(document), card)[0].front for card in ("poker", "a6"))

    def size_of(page: CardPage, words: str) -> float:
        return max(text.size for text in page.texts if words in text.lines[0])

    for words in ("Director", "Hammer-Missile", "DRAKEN"):
        assert size_of(large, words) > 1.15 * size_of(small, words), words
    assert "Can attack two targets each round instead of one." in large.text_content()
    assert "Can attack two targets each round instead of one." not in small.text_content()
    assert "S 3+ (67%), M 3+ (67%), L 3+ (67%), heat 3" in large.text_content()


def test_free_space_is_ruled_for_notes():
    front = sides(item(hard_cases()["support"]), "tarot")[0].front
    assert "Notes" in front.sentences
    lines = [path for path in front.art["faint"] if float(path.split(" ")[1].split("L")[0]) > 90]
    assert lines


def test_card_is_read_aloud_in_order_of_importance():
    document = unit("draken", company="Foxes", pilot={"name": "Ana", "experience": "veteran", "skills": ["accuracy"]})
    sentences = sides(item(document), "poker")[0].front.sentences
    numbers = "SAVE: 3+ (67%); MOVE: 1d6+3 (4 to 9, mean 6.5); HEAT LIMIT: 5 (all fire 5)"
    assert sentences[:3] == [
        "DRAKEN\nHeavy · Foxes\n24 points",
        f"{numbers}; ENEMIES TO HIT: ±0 (missiles ±0/−1/−1)",
        "HITS: 4 boxes; crit on 4+, 3+, 2+, out",
    ]
    order = [
        "Weapons",
        "2 × Rail-Cannon: S 4+, M 5+, L –, heat 1 [2 boxes]",
        "Systems",
        "Director: two targets [1 box]",
    ]
    assert [sentences.index(line) for line in order] == sorted(sentences.index(line) for line in order)
    assert sentences.index("Pilot: Ana · Veteran (+1 move: counted in)") > sentences.index(order[-1])


def test_crossed_out_boxes_are_read_aloud():
    document = unit("draken", condition={"hits": 2, "weapons_lost": [2], "legs": 1})
    text = sides(item(document))[0].front.text_content()
    assert "HITS: 4 boxes, 2 crossed out" in text
    assert re.search(r"Hammer-Missile: .*\[1 box, 1 crossed out\], lost", text)
    assert "legs −1, first counted in [3 boxes, 1 crossed out]" in text


# --- pilots ---


def test_pilots_card_shows_record_and_future_skills():
    pilot = {
        "name": "Ana Torv “Ace”",
        "experience": "veteran",
        "skills": ["accuracy", "tactics"],
        "kills": 7,
        "games": 4,
    }
    (side,) = sides(item(unit("draken", company="Foxes", pilot=pilot), "pilot-card"), "a6")
    front, back = side.front.sentences, side.back.text_content()
    assert front[0] == "Ana Torv\nPilot · Veteran · Foxes"
    assert "Callsign: Ace" in front
    assert "KILLS: 10 boxes, 7 crossed out 1 2 3 4 5 6 7 8 9 10" in front
    assert "Flies: DRAKEN · Heavy Mek" in front
    assert "Accuracy: One cannon attack each round at +1 to hit." in front
    assert any(line.startswith("wounded: 5+ to act [1 box]") for line in front)
    assert "Veteran (now): move +1, to hit ±0, skill +1" in back
    assert back.count("(now)") == 1
    assert "Guidance: One missile attack each round at +1 to hit." in back
    assert "Accuracy" not in back


def test_pilot_without_a_unit_has_a_card():
    free = PilotItem(
        what="free-pilot-card", system=SYSTEM, pilot=parse_document(PilotDocument, ace()), company="Ω" * 60
    )
    for card in SIZES:
        for page in pages_of(sides(free, card)):
            check_places(page)
            assert_texts_read_aloud(page)


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        (item(unit(), "pilot-card"), "unit.pilot"),
        (item(hard_cases()["support"], "pilot-card"), "unit.pilot"),
        (item({**hard_cases()["support"], "support": "tank"}), "unit.support"),
        (item(unit(system="chess")), "unit.system"),
        (item(unit(spec={"chassis": "giga"}), "counter"), "unit.spec.chassis"),
        (item(unit(), "datasheet"), "what"),
        (SupportItem(what="support-card", system=SYSTEM, support="nukes"), "support"),
        (SupportItem(what="support-card", system="chess", support="ambush"), "system"),
        (SupportItem(what="support-card", system=MECHS, support="ambush"), "support"),
        (item({**mech(), "spec": {}, "support": "tank"}), "unit.support"),
        (
            PilotItem(what="free-pilot-card", system=SYSTEM, pilot=PilotDocument(skills=("yoga",))),
            "pilot.skills[0]",
        ),
        (BlankItem(what="blank", of="pilot-card", system="chess"), "system"),
        (BlankItem(what="blank", of="roster", system=SYSTEM), "what"),
    ],
)
def test_item_without_a_card_is_refused_with_field(asked: Item, path: str):
    with pytest.raises(DocumentError) as refusal:
        sides_of(asked, PrintSettings())
    assert refusal.value.path == path


# --- counters and standees ---


def test_counter_shows_its_unit_and_an_unknown_contact_behind():
    (side,) = sides(item(unit("draken", colour="#2f5d8a"), "counter"))
    assert (side.front.size, side.back.size) == (COUNTER, COUNTER)
    assert side.front.sentences[:3] == ["DRAKEN", "HVY", "Hits: 4"]
    assert side.back.sentences[0] == "Contact ?"
    assert (len(side.front.pictures), len(side.back.pictures)) == (1, 0)
    assert side.front.art["shape"] == side.back.art["shape"]  # the arrow
    assert side.back.band == "#2f5d8a"


def test_unhidden_units_counter_has_equal_sides():
    (side,) = sides(item(mech("drone"), "counter"))
    assert side.front == side.back
    (track,) = sides(item(mech("track"), "counter"))
    assert track.front.sentences[:2] == ["Track", "TRK"]
    assert track.back.sentences[0] == "Underground ?"


@pytest.mark.parametrize("document", mechs(), ids=lambda document: document["name"])
def test_every_mech_campaign_unit_has_a_picture(document: dict[str, Any]):
    (side,) = sides(item(document, "counter"))
    assert len(side.front.pictures) == 1


@pytest.mark.parametrize("slug", [*CATALOGUE.chassis, *CATALOGUE.support_units])
def test_every_kind_of_unit_has_a_picture(slug: str):
    document = hard_cases()["support"]
    document["support"] = slug
    if slug in CATALOGUE.chassis:
        document = unit(spec={"chassis": slug, "weapons": [], "systems": []})
    (side,) = sides(item(document, "counter"))
    assert len(side.front.pictures) == 1


def test_unit_has_one_picture_on_card_counter_and_standee():
    document = unit("draken", colour="#2f5d8a")
    (digest,) = {
        picture.drawing.digest
        for what in ("unit-card", "counter", "standee")
        for side in sides(item(document, what))
        for picture in side.front.pictures
    }
    (other,) = {each.drawing.digest for side in sides(item(unit("thor"))) for each in side.front.pictures}
    assert digest != other


@pytest.mark.parametrize("card", SIZES)
@pytest.mark.parametrize("name", HARD)
@pytest.mark.each_value
def test_picture_is_inside_its_card_and_over_no_word(name: str, card: str):
    for asked in items_of(HARD[name]):
        for page in pages_of(sides(asked, card)):
            safe, size = page.size.safe, page.size
            for each in page.pictures:
                assert safe - 0.05 <= each.x <= each.x + each.side <= size.width - safe + 0.05
                for text in page.texts:
                    for left, top, right, bottom in ink(text):
                        across = min(right, each.x + each.side) - max(left, each.x)
                        along = min(bottom, each.y + each.side) - max(top, each.y)
                        assert across <= 0.1 or along <= 0.5 or asked.what != "unit-card", text.lines


def test_both_faces_of_a_folded_standee_are_upright():
    (side,) = sides(item(unit("draken", colour="#2f5d8a"), "standee"))
    page = side.front
    assert page.size is STANDEE
    names = [text for text in page.texts if text.lines == ("DRAKEN",)]
    assert [name.turned for name in names] == [True, False]
    middle = STANDEE.height / 2
    upper, lower = names
    assert middle - (upper.y + upper.leading) == pytest.approx(lower.y - middle)
    assert len(page.art["fold"]) == 3
    assert [picture.turned for picture in page.pictures] == [True, False]
    assert len(page.art["band"]) == 2
    assert not side.back.texts


# --- languages ---


def test_right_to_left_name_moves_nothing_else(tmp_path: Path):
    document = unit(
        name="ذئب الحديد", design_name="Wasp", company="זאבים", pilot={"name": "مرتزقة", "experience": "veteran"}
    )
    (side,) = sides(item(document))
    (title,) = [text for text in side.front.texts if text.lines == ("ذئب الحديد",)]
    (kicker,) = [text for text in side.front.texts if "Light" in text.lines[0]]
    assert (title.direction, kicker.direction) == ("rtl", "ltr")
    words = drawn_words([side.front], tmp_path)[0]
    place = {word.text: word.left for word in words}
    assert place["Light"] < place["Wasp"]
    (picture,) = side.front.pictures
    first = min(word.left for word in words if set(word.text) & set("ذئبالحديد"))
    assert first < picture.x + picture.side + 3  # from the edge of the picture, like all titles
    behind = [word for word in words if word.text == "Veteran"]
    (pilot,) = [word for word in words if set(word.text) <= set("مرتزقة")]
    assert pilot.left < behind[0].left


def test_measured_text_is_drawn_inside_its_card(tmp_path: Path):
    for card, size in SIZES.items():
        for name in ("fullest titan", "Greek", "Cyrillic", "Hebrew", "accents", "widest name"):
            pages = pages_of(sides(item({**hard_cases()[name], "url": URL}), card))
            for page in drawn_words(pages, tmp_path):
                assert page
                for word in page:
                    assert word.left >= size.safe - 0.4, (card, name, word)
                    assert word.right <= size.width - size.safe + 0.4, (card, name, word)
                    assert word.bottom <= size.height - size.safe + 1.0, (card, name, word)


def test_japanese_and_emoji_are_wrapped_whole():
    for name in ("Japanese", "emoji", "joined emoji"):
        document = hard_cases()[name]
        (title, *_) = sides(item(document))[0].front.texts
        assert "".join(title.lines) == document["name"]
        assert all(not line.startswith("\u200d") and not line.endswith("\u200d") for line in title.lines)


def test_greek_capitals_have_no_accent():
    assert "ΛΥΚΟΣ ΤΟΥ ΧΑΛΥΒΑ" in [
        line for text in sides(item(hard_cases()["Greek"]))[0].front.texts for line in text.lines
    ]


# --- codes ---


@pytest.mark.parametrize("card", SIZES)
@pytest.mark.parametrize("slug", ["wasp", "odin"])
def test_code_on_a_card_opens_the_live_unit(slug: str, card: str, tmp_path: Path):
    zxingcpp = pytest.importorskip("zxingcpp")
    from PIL import Image

    cards = sides(item(unit(slug, url=URL, colour="#8a2b1d", pilot=ace())), card)
    page = next(page for page in pages_of(cards) if "qr" in page.art)
    assert f"Code: opens {URL}" in page.text_content()
    path = save([page], tmp_path)
    subprocess.run(["pdftoppm", "-r", "200", "-png", "-singlefile", path, tmp_path / "card"], check=True)
    (code,) = zxingcpp.read_barcodes(Image.open(tmp_path / "card.png"))
    assert code.text == URL
    assert code.ec_level == "M"


@pytest.mark.parametrize("length", [30, 120, 300])
def test_code_is_wide_enough_with_a_white_border(length: int):
    url = "https://muster.example.org/".ljust(length, "a")
    front = sides(item(unit(url=url, colour="#8a2b1d")), backs="none")[0].front
    places = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)", "".join(front.art["qr"]))]
    left, top = min(x for x, _ in places), min(y for _, y in places)
    quiet_and_code = POKER.width - POKER.safe - left
    module = min(float(run) for run in re.findall(r"h([\d.]+)", "".join(front.art["qr"])))
    assert quiet_and_code + 8 * module >= 11.99
    assert module >= 0.289
    for text in front.texts:
        for _, _, right, bottom in ink(text):
            assert right <= left - 3.9 * module or bottom <= top - 3.9 * module, text


def test_card_without_back_has_its_code_on_the_front():
    document = unit("odin", url=URL, pilot=ace())
    assert "qr" in sides(item(document), backs="none")[0].front.art
    crowded = sides(item(document))[0]
    assert "qr" not in crowded.front.art
    assert "qr" in crowded.back.art


def test_card_without_address_has_no_code():
    assert not any("qr" in page.art for page in pages_of(sides(item(unit()))))


# --- drawing ---


def save(pages: list[CardPage], folder: Path) -> Path:
    path = folder / "cards.pdf"
    path.write_bytes(draw_pages(pages)[0])
    return path


def drawn_words(pages: list[CardPage], folder: Path) -> list[list[pdf.Word]]:
    return pdf.words(save(pages, folder))


def test_every_support_result_has_its_time_of_use():
    assert all(result.when.endswith(".") for result in CATALOGUE.support.values())


def test_name_of_sixty_wide_letters_is_printed_whole():
    for kind in KINDS:
        document = unit(name=WIDE_NAME, pilot={"name": WIDE_NAME})
        for card in SIZES:
            assert bare(WIDE_NAME) in drawn_letters(sides(item(document, kind), card)[0].front)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_line_begins_right_of_its_boxes(count):
    m = Measure(POKER, 1.0)
    drawn: list[tuple[float, ...]] = []
    page = SimpleNamespace(box=lambda *place, is_marked: drawn.append(place))
    x = draw_ticks(m, page, 5.0, 5.0, [False] * count, 2.0)
    assert len(drawn) == count
    assert x > max(left + side for left, _, side in drawn) if drawn else x == 5.0
