"""Cached cards: their keys, when they are drawn again, how the folder is kept within its limit."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from django.template import engines

from rosters.card_layout import page as shapes
from rosters.paper.documents import PrintSettings
from rosters.printing import cache, rendering
from rosters.products import UnitItem
from tests.rosters.paper.units import printed, published, read, unit

LOADED = re.compile(r"{% load ([\w ]+) %}")


@pytest.fixture(autouse=True)
def _fresh_cache():
    shutil.rmtree(cache.folder(), ignore_errors=True)


@pytest.fixture
def drawn_page_counts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many pages each run of the drawer was asked for."""
    counts: list[int] = []
    draw = rendering.draw_pages

    def count(pages, *args):
        counts.append(len(pages))
        return draw(pages, *args)

    monkeypatch.setattr(rendering, "draw_pages", count)
    return counts


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return names of the units whose cards were laid out."""
    names: list[str] = []
    sides_of = rendering.sides_of

    def note(item, *args):
        names.append(item.unit.name)
        return sides_of(item, *args)

    monkeypatch.setattr(rendering, "sides_of", note)
    return names


def items(*units: dict) -> list[UnitItem]:
    return [UnitItem(what="unit-card", unit=read(data)) for data in units]


def test_equal_cards_are_drawn_once(drawn_page_counts: list[int]):
    first = printed([unit(name="Twin")] * 12)
    again = printed([unit(name="Twin")] * 12)
    assert len(drawn_page_counts) == 1
    assert drawn_page_counts[0] <= 2  # one front, one back, unless the back is known
    assert first == again


def test_only_a_changed_card_is_drawn_again(drawn_page_counts: list[int], laid_out: list[str]):
    printed(published())
    drawn_page_counts.clear()
    laid_out.clear()
    printed([*published()[1:], unit(name="Renamed")], paper="letter")
    assert drawn_page_counts == [1]
    assert laid_out == ["Renamed"]


def test_known_card_needs_no_layout(laid_out: list[str]):
    known = items(*published())
    first = rendering.draw_cards(known, PrintSettings())
    laid_out.clear()
    assert rendering.draw_cards(known, PrintSettings()) == first
    assert laid_out == []


@pytest.mark.parametrize(
    ("settings", "is_same"),
    [
        ({"theme": "grey"}, False),
        ({"bleed_mm": 2.0}, False),
        ({"paper": "letter"}, True),
        ({"backs": "fold-over"}, True),
        ({"backs": "none"}, False),
        ({"front": {"x": 1.0, "y": 0.5}}, True),
        ({"marks": False}, True),
    ],
)
def test_card_key_depends_on_its_look_only(settings: dict, is_same: bool):
    (item,) = items(unit())
    other = PrintSettings.model_validate(settings)
    assert (rendering.item_key(item, PrintSettings()) == rendering.item_key(item, other)) is is_same


def test_card_key_ignores_copies_but_no_other_field():
    (item,) = items(unit())
    settings = PrintSettings()
    assert rendering.item_key(item.model_copy(update={"copies": 9}), settings) == rendering.item_key(item, settings)
    for change in ({"name": "Other"}, {"url": "https://example.org/u/1"}, {"colour": "#112233"}, {"company": "X"}):
        changed = item.model_copy(update={"unit": item.unit.model_copy(update=change)})
        assert rendering.item_key(changed, settings) != rendering.item_key(item, settings), change


def test_new_library_version_redraws_everything(monkeypatch: pytest.MonkeyPatch):
    (item,) = items(unit())
    before = rendering.item_key(item, PrintSettings())
    cache.fingerprint.cache_clear()
    monkeypatch.setattr(cache, "versions", lambda: {"weasyprint": "99"})
    changed = rendering.item_key(item, PrintSettings())
    cache.fingerprint.cache_clear()
    assert changed != before


def read_by_the_fingerprint() -> set[Path]:
    return {path for folder, patterns in cache.SOURCES for pattern in patterns for path in folder.rglob(pattern)}


def test_fingerprint_includes_the_silhouettes():
    assert shapes.SILHOUETTES_FILE in read_by_the_fingerprint()


def test_fingerprint_includes_template_tags_of_prints():
    templates = [path for path in read_by_the_fingerprint() if path.suffix == ".html"]
    loaded = {name for path in templates for names in LOADED.findall(path.read_text()) for name in names.split()}
    modules = [engines["django"].engine.libraries[name] for name in loaded]
    ours = {cache.ROOT / f"{module.replace('.', '/')}.py" for module in modules if module.startswith("rosters.")}
    assert len(ours) >= 2
    assert ours <= read_by_the_fingerprint()


def test_fingerprint_includes_code_fonts_and_libraries():
    found = {path.suffix for path in read_by_the_fingerprint()}
    assert found == {".py", ".toml", ".html", ".css", ".ttf", ".svg"}
    assert not [
        (folder, pattern)
        for folder, patterns in cache.SOURCES
        for pattern in patterns
        if not any(folder.rglob(pattern))
    ]
    versions = cache.versions()
    assert {"weasyprint", "pydyf", "pango", "harfbuzz"} <= versions.keys()
    assert versions["harfbuzz"].count(".") == 2


def test_long_print_is_drawn_in_batches(drawn_page_counts: list[int]):
    many = items(*(unit(name=f"Batch {at}") for at in range(100)))
    progress: list[tuple[int, int]] = []
    assert len(rendering.draw_cards(many, PrintSettings(), lambda done, total: progress.append((done, total)))) == 100
    assert max(drawn_page_counts) <= rendering.BATCH
    assert [total for _, total in progress] == [100] * len(drawn_page_counts)
    assert progress[-1] == (100, 100)


@pytest.mark.parametrize(
    "damage",
    [
        Path.unlink,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-200]),
        lambda path: path.write_bytes(b"%PDF-1.7 not what it was"),
    ],
    ids=["gone", "empty", "cut short", "other"],
)
@pytest.mark.parametrize("files", ["*.pdf", "pages/*/*.json", "items/*/*.json"])
def test_damaged_cache_only_costs_time(damage, files: str):
    whole = printed([unit()])
    paths = list(cache.folder().glob(files))
    assert paths
    for path in paths:
        damage(path)
    assert printed([unit()]) == whole
    assert printed([unit()]) == whole


def test_card_folder_stays_within_its_limit(monkeypatch: pytest.MonkeyPatch):
    for at in range(4):
        printed([unit(name=f"Old {at}")])
    monkeypatch.setattr(cache, "MAX_BYTES", 60_000)
    monkeypatch.setattr(cache, "KEPT_BYTES", 40_000)
    printed([unit(name="Newest")])
    batches = {path.stem: path.stat().st_size for path in cache.folder().glob("*.pdf")}
    assert sum(batches.values()) <= 60_000
    pages = [json.loads(path.read_text()) for path in cache.folder().glob("pages/*/*.json")]
    assert pages
    assert {page["batch"] for page in pages} <= batches.keys()
    for path in cache.folder().glob("items/*/*.json"):
        assert all(cache.find(key) for key in cache.pages_of(json.loads(path.read_text())))
