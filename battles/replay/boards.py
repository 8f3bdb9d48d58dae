"""The kinds of drawn replay, records cut off at an event, and a step as a still picture."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Protocol

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from battles.replay.base import StepPage
from battles.replay.hex_board import HexBoard
from battles.replay.hex_frames import hex_replay
from battles.replay.table_board import TableBoard
from battles.replay.table_frames import table_replay
from battles.replay.zone_board import BandBoard, ZoneBoard
from battles.replay.zone_frames import map_replay
from systems import battle_rules
from systems.simulation.analysis import EventLine, RoundView, rounds_of
from systems.simulation.records import Record


class ReplayBoard(Protocol):
    """A battle, drawn step by step."""

    @property
    def kind(self) -> str:
        """The kind of drawing, of BOARDS."""

    @property
    def names(self) -> Mapping[str, str]:
        """The names of all units, by key, including those that arrived during the battle."""

    @property
    def steps_of_lines(self) -> Mapping[int, int]:
        """The step of each line of the record, by the line's number."""

    @property
    def steps(self) -> int:
        """The number of steps."""

    def page(self, step: int, place: int) -> StepPage:
        """Return the board at the nearest step, with a close view of that place; 0: none."""

    def to_json(self) -> dict[str, object]:
        """Return all steps, for the browser to draw."""


@dataclass(frozen=True, slots=True)
class BoardKind:
    """One kind of drawing: the templates for its parts of a replay page.

    A kind belongs to no system: it draws a space, such as zones or a table in inches. The templates `drawing`, `legend`
    and `close` (the text about a chosen place) get map= and page=.
    """

    word: str  # for the drawing
    title: str
    drawing: str
    legend: str
    close: str = ""
    styles: Sequence[str] = ()  # style sheets in addition to the one of all replays


@dataclass(frozen=True, slots=True, kw_only=True)
class StageLinks:
    """The addresses that a stage links to. Those of steps are made from them."""

    frames: str  # all frames, as JSON
    page: str
    moment: str  # a step as a picture
    embed: str = ""  # the stage alone, to embed; empty: not public


def zone_board(record: Record, rounds: Sequence[RoundView]) -> ReplayBoard | None:
    """Return the map of zones, or the range bands for a battle without a map."""
    replay = map_replay(record, _lines(rounds))
    if replay is None:
        return None
    system, setup = battle_rules(record.setup.system), record.setup
    sides = [side.name for side in setup.sides]
    if replay.ground:
        return ZoneBoard(replay, system.bands, sides, rounds[0].word)
    return BandBoard(replay, system.bands, sides, rounds[0].word, (setup.terrain, system.ground_name(setup.terrain)))


def table_board(record: Record, rounds: Sequence[RoundView]) -> ReplayBoard | None:
    """Return the table in inches; None for a battle without one."""
    replay = table_replay(record, _lines(rounds))
    sides = [side.name for side in record.setup.sides]
    return TableBoard(replay, sides, rounds[0].word) if replay else None


def hex_board(record: Record, rounds: Sequence[RoundView]) -> ReplayBoard | None:
    """Return the map of hexes."""
    replay = hex_replay(record, _lines(rounds))
    return HexBoard(replay, [side.name for side in record.setup.sides], rounds[0].word) if replay else None


def _lines(rounds: Sequence[RoundView]) -> list[EventLine]:
    return [line for view in rounds for part in view.steps for line in part.lines]


BOARDS: Mapping[str, BoardKind] = {
    "zones": BoardKind(
        word="map",
        title="The battle on the map",
        drawing="battles/_map_zones.html",
        legend="battles/_map_zones_legend.html",
        close="battles/_map_zone.html",
    ),
    "bands": BoardKind(
        word="field",
        title="The battle across the range bands",
        drawing="battles/_map_field.html",
        legend="battles/_map_bands_legend.html",
        close="battles/_map_zone.html",
    ),
    "table": BoardKind(
        word="table",
        title="The battle on the table",
        drawing="battles/_map_table.html",
        legend="battles/_map_table_legend.html",
    ),
    "hexes": BoardKind(
        word="map",
        title="The battle on the map",
        drawing="battles/_map_hexes.html",
        legend="battles/_map_hexes_legend.html",
        close="battles/_map_hexes_close.html",
        styles=("css/hexes.css",),
    ),
}


MAKERS: Mapping[str, Callable[[Record, Sequence[RoundView]], ReplayBoard | None]] = {  # by `board` of the space
    "zones": zone_board,
    "table": table_board,
    "hexes": hex_board,
}


def board_of(record: Record, rounds: Sequence[RoundView]) -> ReplayBoard | None:
    """Return the record drawn step by step; None if it can't be drawn."""
    space = battle_rules(record.setup.system).space
    make = MAKERS.get(space.board) if space else None
    return make(record, rounds) if make else None


def steps_cut(record: Record) -> list[int]:
    """Return the number of events up to the end of each step, from the first step with an event; rising."""
    rounds = rounds_of(record)
    board = board_of(record, rounds)
    if board is None:
        return [step.lines[-1].number for view in rounds for step in view.steps]
    ends_of: dict[int, int] = {}
    for line, step in board.steps_of_lines.items():
        ends_of[step] = max(line, ends_of.get(step, 0))
    return [ends_of[step] for step in sorted(ends_of)]


def record_so_far(record: Record, events: int) -> Record:
    """Return the record cut after that many events: without winner, seed or dice, and only with units lost so far."""
    shortened = replace(record, seed=0, dice=None, hand=None, events=record.events[:events], outcome={"units": []})
    rounds = rounds_of(shortened)
    fallen = {unit.key for unit in rounds[-1].units if unit.destroyed} if rounds else set()
    fates = [{**fate} for fate in record.outcome["units"] if fate["key"] in fallen]
    return replace(shortened, outcome={"units": fates})


WIDTH, HEIGHT, HEAD, EDGE = 1200, 760, 84, 24
AWAY = re.compile(r'<div class="[^"]*\bis-away".*?</div>', re.S)  # the field while nobody fights
SVG_EDGES = re.compile(r"<(/?)svg\b[^>]*>")
GROUP_EDGES = re.compile(r"<(/?)g\b[^>]*>")
NOT_SHOWN = re.compile(r'class="[^"]*\bis-away\b')
SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.S)
FONT, MORE_LETTERS = "fonts/barlow-condensed-600.woff2", "fonts/barlow-condensed-600-more.woff2"
LATIN_EXTENDED_RANGE = "U+100-130,U+132-151,U+154-2BA,U+1E00-1EFF"
LATIN_EXTENDED = re.compile(
    "[\u0100-\u0130\u0132-\u0151\u0154-\u02ba\u1e00-\u1eff]"
)  # letters that the second file has
STILL_STYLE = ".moment{font:600 30px var(--font-head);fill:var(--ink)}.moment--step{font-size:20px;fill:var(--ink-2)}"


def render_still(title: str, kind: BoardKind, context: Mapping[str, object], step: str) -> tuple[str, str]:
    """Return the picture, and the hash that lets browsers accept its styles. `context` is for the kind's drawing."""
    drawings = [_visible_parts(each) for each in _drawings(AWAY.sub("", render_to_string(kind.drawing, dict(context))))]
    written = "".join((title, step, *drawings))
    drawings = [SYMBOL.sub(lambda sign: sign[0] if f'"#{sign[1]}"' in written else "", each) for each in drawings]
    style = _style(tuple(kind.styles), has_more=bool(LATIN_EXTENDED.search(written)))
    wide = (WIDTH - 2 * EDGE) / len(drawings)
    tall = HEIGHT - HEAD - EDGE
    placed = "".join(
        f'<svg x="{EDGE + at * wide:g}" y="{HEAD}" width="{wide:g}" height="{tall}"' + drawing.removeprefix("<svg")
        for at, drawing in enumerate(drawings)
    )
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"<title>{escape(title)}: {escape(step)}</title><style>{style}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="var(--paper)"/>'
        f'<text class="moment" x="{EDGE}" y="40">{escape(title)}</text>'
        f'<text class="moment moment--step" x="{EDGE}" y="68">{escape(step)}</text>{placed}</svg>'
    )
    return text, f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"


def _drawings(text: str) -> list[str]:
    """Return the outermost drawings in a page's text."""
    return [text[start:end] for start, end in _outermost(SVG_EDGES, text)]


def _visible_parts(drawing: str) -> str:
    """Return the drawing without the parts that this step doesn't show, often half of it or more."""
    kept, at = "", 0
    for start, end in _outermost(GROUP_EDGES, drawing, NOT_SHOWN):
        kept, at = kept + drawing[at:start], end
    return kept + drawing[at:]


def _outermost(edges: re.Pattern[str], text: str, wanted: re.Pattern[str] | None = None) -> Iterator[tuple[int, int]]:
    """Yield start and end of each outermost wanted element of one kind."""
    open_now = 0
    begun: tuple[int, int] | None = None  # where the element begins, and its depth
    for edge in edges.finditer(text):
        if not edge[1]:
            if not begun and (wanted is None or wanted.search(edge[0])):
                begun = edge.start(), open_now
            open_now += 1
            continue
        open_now -= 1
        if begun and begun[1] == open_now:
            yield begun[0], edge.end()
            begun = None


@cache
def _style(styles: tuple[str, ...], *, has_more: bool) -> str:
    """Return a drawing's style sheets, in light mode, and its fonts."""
    face = _font_face(FONT) + (_font_face(MORE_LETTERS, f"unicode-range:{LATIN_EXTENDED_RANGE};") if has_more else "")
    sheets = [_static(f"css/{name}.css") for name in ("tokens", "stage")] + [_static(name) for name in styles]
    text = sheets[0].partition("/* night")[0] + "".join(sheets[1:])
    text = re.sub(r"/\*.*?\*/|@font-face \{.*?\}", "", text, flags=re.S)
    return re.sub(r"\s+", " ", text).replace("<", "").replace("&", "") + face + STILL_STYLE


def _font_face(font: str, letters: str = "") -> str:
    data = b64encode(_static_path(font).read_bytes()).decode()
    return f'@font-face{{font-family:"Barlow Condensed";{letters}src:url(data:font/woff2;base64,{data})}}'


def _static(name: str) -> str:
    return _static_path(name).read_text(encoding="utf-8")


def _static_path(name: str) -> Path:
    found = finders.find(name)
    assert isinstance(found, str), f"there is no {name}"
    return Path(found)
