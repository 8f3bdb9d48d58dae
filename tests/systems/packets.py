"""The text of a packet: cards, references and scenario sheets, without drawing a page."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string

from rosters.paper.documents import UnitDocument, sheet_of
from systems import PAPER, ROSTERS
from systems.documents import parse_document
from systems.paper.blocks import Reference, ReferenceLine

HERE = Path(__file__).parent
RULE = re.compile(r"\b[A-Z]{2}-[A-Z]?\d{2,3}\b")
DETAILS = ("full", "brief", "terse")


def has_notes(slug: str) -> bool:
    return _notes_file(slug).exists()


def _notes_file(slug: str) -> Path:
    return HERE / slug.replace("-", "_") / "paper" / "packet.toml"


@cache
def notes_of(slug: str) -> Mapping[str, Any]:
    """Return packet.toml of the game's tests: extra units, and where rules are printed."""
    notes = tomllib.loads(_notes_file(slug).read_text())
    rules = ROSTERS[slug].house_rules
    return {**notes, "options": [each for each in notes["options"] if each["set"].keys() <= rules.keys()]}


def documents_of(slug: str) -> dict[str, dict[str, Any]]:
    """Return every published design and those of packet.toml, by slug, as unit documents."""
    game = ROSTERS[slug]
    found = {
        each: {"name": published.name, "design_name": published.name, "spec": game.spec_json(published.spec)}
        for each, published in game.published.items()
    }
    more = notes_of(slug).get("units", {})
    found |= {each: {"name": each, "design_name": each, **unit} for each, unit in more.items()}
    return {each: {"system": slug, **document} for each, document in found.items()}


def sheets_of(slug: str, designs: Sequence[str] = (), options: Mapping[str, object] = {}) -> list[Any]:
    """Return the data sheets of these designs, or of all."""
    return [
        sheet_of(parse_document(UnitDocument, {**document, "options": dict(options)}))
        for each, document in documents_of(slug).items()
        if not designs or each in designs
    ]


def reference_of(slug: str, options: Mapping[str, object] = {}, designs: Sequence[str] = ()) -> Reference:
    """Return the reference of these designs, with all support."""
    support = () if designs else tuple(ROSTERS[slug].support_names)
    return PAPER[slug].under(options).reference(sheets_of(slug, designs, options), support)


def lines_of(reference: Reference) -> Iterator[ReferenceLine]:
    for section in reference.sections:
        yield from section.lines


def scenario_text(slug: str, options: Mapping[str, object] = {}, terrain: str = "") -> str:
    """Return the text of every published scenario's sheet."""
    paper, game = PAPER[slug].under(options), ROSTERS[slug]
    contexts = (
        paper.scenario_context(each.name, game.scenario_json(each.spec), terrain, "colour")
        for each in game.scenarios.values()
    )
    return "\n".join(page_words(render_to_string(paper.scenario_template, context)) for context in contexts)  # type: ignore[arg-type]


def page_words(page: str) -> str:
    page = re.sub(r"<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def strings(value: object) -> Iterator[str]:
    """Yield every text in some blocks."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for each in fields(value):
            yield from strings(getattr(value, each.name))
    elif isinstance(value, Mapping):
        yield from strings([*value.keys(), *value.values()])
    elif isinstance(value, list | tuple):
        for part in value:
            yield from strings(part)


def card_text(slug: str, options: Mapping[str, object] = {}, designs: Sequence[str] = ()) -> str:
    """Return the text of these designs' cards, in every level of detail."""
    paper = PAPER[slug].under(options)
    sheets = sheets_of(slug, designs, options)
    cards = [paper.card(sheet, detail) for sheet in sheets for detail in DETAILS]  # type: ignore[arg-type]
    return "\n".join(strings(cards))


def carried_text(slug: str, options: Mapping[str, object], design: str) -> str:
    """Return the text on a design's card about this unit alone: its front, and the names on its back."""
    paper = PAPER[slug].under(options)
    (sheet,) = sheets_of(slug, (design,), options)
    card = paper.card(sheet, "full")
    names = [entry.name for block in card.back.blocks for entry in getattr(block, "entries", ())]
    return "\n".join((*strings(card.front), *names))


def additions_text(slug: str, options: Mapping[str, object] = {}) -> str:
    """Return what larger cards add where they have room."""
    paper = PAPER[slug].under(options)
    return "\n".join(strings([paper.additions(sheet) for sheet in sheets_of(slug, (), options)]))


def reference_text(slug: str, options: Mapping[str, object] = {}, designs: Sequence[str] = ()) -> str:
    return "\n".join(strings(reference_of(slug, options, designs)))


@cache
def _packet_text(slug: str, options: tuple[tuple[str, object], ...]) -> str:
    chosen = dict(options)
    return "\n".join((card_text(slug, chosen), reference_text(slug, chosen), scenario_text(slug, chosen)))


def packet_text(slug: str, options: Mapping[str, object] = {}) -> str:
    """Return the text of a packet with every design and scenario."""
    return _packet_text(slug, tuple(sorted(options.items())))


def explained_in(slug: str, options: Mapping[str, object], designs: Sequence[str]) -> set[str]:
    """Return the names, in lower case, of all lines of reference, cards and scenario sheets that have a text."""
    names = {line.name for line in lines_of(reference_of(slug, options, designs)) if line.text or line.cells}
    names |= {section.title for section in reference_of(slug, options, designs).sections}
    paper, game = PAPER[slug].under(options), ROSTERS[slug]
    for sheet in sheets_of(slug, designs, options):
        card = paper.card(sheet, "full")
        for block in (*card.front.blocks, *card.back.blocks):
            names |= {entry.name for entry in getattr(block, "entries", ()) if entry.text}
            names |= {row.name for row in getattr(block, "rows", ()) if row.detail}
    for each in game.scenarios.values():
        rules = paper.scenario_context(each.name, game.scenario_json(each.spec), "", "colour").get("rules", ())
        names |= {rule.title for rule in rules}  # type: ignore[attr-defined]
    return {name.casefold() for name in names}


def rules_in(text: str) -> set[str]:
    return set(RULE.findall(text))
