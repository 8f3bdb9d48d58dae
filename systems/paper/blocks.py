"""The content that a game prints: blocks of cards, parts of pages, and how they write names and numbers.

It has no sizes or positions; the printing code decides those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import zip_longest
from typing import Literal

from systems.artwork import Drawing
from systems.pilots import PILOT_TEXTS, PilotIdentity
from systems.report_fields import CountField, HandTerms, TickField
from systems.text import round_half_up

MAX_TICKED = 99  # the most boxes to tick for a count; a larger number is written
MAX_ROWS = 2  # maximum rows of boxes per unit on a slip; beyond that, only the first question has boxes

Detail = Literal["terse", "brief", "full"]  # how much a card says: very short, short, or everything helpful that fits


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box to cross out: the text inside, the text below, and whether it is already crossed out."""

    inside: str = ""
    below: str = ""
    is_marked: bool = False
    is_hot: bool = False  # beyond the safe limit: drawn dashed

    @property
    def is_first_hot(self) -> bool:
        return self.is_hot and self.inside == "+1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """A row of boxes."""

    label: str
    boxes: tuple[Box, ...]
    note: str = ""  # the meaning of the text below the boxes
    is_large: bool = False
    is_each: bool = False  # the boxes are crossed out singly, in any order; otherwise from the left
    says: str = ""  # the field of a unit's fate that crossed-out boxes count for
    worth: int = 1  # how much each box adds to that field


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    label: str
    value: str
    note: str = ""
    is_loud: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A few large numbers side by side."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of a table: boxes to strike it out, a name, short cells, and details."""

    name: str
    cells: tuple[str, ...] = ()
    ticks: tuple[bool, ...] = ()  # one box each; True: already struck out
    under: tuple[str, ...] = ()  # small print below each cell, such as a chance
    detail: str = ""
    lead: str = ""  # a die face in front of the name

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Each cell with its small print."""
        return tuple(zip_longest(self.cells, self.under, fillvalue=""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    cell_mm: float = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A named line of text, with a box to strike it out if it can be lost."""

    name: str
    text: str = ""
    ticks: tuple[bool, ...] = ()
    lead: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    title: str
    note: str = ""  # beside the title
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticks:
    """Named boxes in running text: possible states of a unit. `says`: the field of the unit's fate, by name."""

    items: tuple[tuple[str, tuple[bool, ...]], ...]
    says: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Ruled lines to write on."""

    title: str
    heads: tuple[str, ...] = ()  # headings of columns at the right
    cell_mm: float = 7.0
    count: int = 0
    ticks: int = 0  # boxes in front of each line
    leads: tuple[str, ...] = ()  # text in front of each line, such as a die face


Block = Track | Strip | Table | Entries | Ticks | Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """Something extra for card and datasheet if there is room: a block, or a line or two."""

    block: Table | Entries
    brief: Entry | None = None  # None: the brief card includes it in any case


def in_columns(blocks: Sequence[Block]) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """Return the blocks in two columns of similar length, each in the given order."""
    columns: tuple[list[Block], list[Block]] = ([], [])
    lengths = [0, 0]
    for block in blocks:
        at = int(lengths[1] < lengths[0])
        columns[at].append(block)
        lengths[at] += 2 + len(getattr(block, "rows", ()) or getattr(block, "entries", ()))
    return tuple(columns[0]), tuple(columns[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFace:
    title: str  # empty: a line for writing a name
    kicker: str = ""
    corner: str = ""
    corner_label: str = ""
    blocks: tuple[Block, ...] = ()
    foot: str = ""  # small print; each line is a paragraph
    notes: str = ""  # title of the ruled lines that fill the remaining space; empty: none
    url: str = ""  # address for its QR code; empty: no code
    picture: Drawing | None = None  # of the unit, beside its name
    tag: str = ""  # the unit's number, in the first corner
    ruler_in: tuple[
        int, ...
    ] = ()  # the distances in inches that its game uses, along the right edge, as long as the card allows


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContent:
    """Both sides of a card. Contents that don't fit continue on another card."""

    front: CardFace
    back: CardFace
    language: str = field(default="en")


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterContent:
    """A piece for the map: its top and its hidden side."""

    name: str
    shape: str  # a silhouette of static/img/counters.svg; empty: none
    code: str = ""  # its kind, in a few letters
    figure: str = ""  # the most important number
    figure_label: str = ""  # for screen readers
    unknown: str = "Contact"  # empty: it can't be hidden, so both sides are the same
    language: str = field(default="en")
    base_mm: float = 0.0  # diameter of its round base, and of the counter; 0: a square of the standard size
    credit: str = ""  # the credit required by the licence of its rules, as short as possible
    attribution: str = ""  # ... in full, for screen readers
    mark: tuple[str, ...] = ()  # ... in a few words, line by line, on the front of pieces without a back
    arcs: tuple[int, ...] = ()  # lines between arcs on its base: degrees from the front, positive to the left


# --- pages --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterPilot:
    """A pilot on a company's roster."""

    name: str
    level: str
    skills: str = ""
    record: str = ""  # kills and games


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterLine:
    """A unit on a company's roster."""

    name: str
    design: str
    points: int | None = None  # None: none
    pilot: RosterPilot | None = None
    notes: str = ""  # for the column that the system names
    damage: str = ""  # empty: undamaged
    number: int = 0  # as on its card and counter; 0: none


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceLine:
    """One thing to look up: its cells if its section is a table, and its rule."""

    name: str
    text: str = ""
    cells: tuple[str, ...] = ()
    lead: str = ""  # a die face or a number in front
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceSection:
    """A heading with lines; with `heads`, a table whose last column holds the lines' texts, if there are any."""

    title: str
    lines: tuple[ReferenceLine, ...]
    heads: tuple[str, ...] = ()
    note: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A quick reference: general rules, and those of certain units and support."""

    title: str
    kicker: str
    sections: tuple[ReferenceSection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipWords:
    """The questions on a rule system's result slips, for any match."""

    sides: tuple[str, str] = ("Attacker", "Defender")  # for a slip without companies
    outcomes: tuple[str, ...] = ()  # of which one is ticked
    counts: tuple[str, ...] = ("Kills",)  # per unit, from zero up
    written: tuple[str, ...] = ()  # per unit, numbers too large to tick
    hits: int = 0  # the most hits of any unit
    hits_name: str = "Hits lost"  # label of the hits
    ends: tuple[str, ...] = ("destroyed",)  # how a unit's game can end, to tick
    fates: tuple[str, ...] = ()  # of a pilot, of which one is ticked


def slip_words(hand: HandTerms, *, hits: int, sides: tuple[str, str] = ("Attacker", "Defender")) -> SlipWords:
    """Return the slip's questions, matching the form that its QR code opens; no unit has more than `hits`."""
    lost = hand.fields["hits_lost"]
    counts = [each for each in hand.asks if isinstance(each, CountField) and not each.is_of_hits]
    ticked = [each for each in counts if each.most <= MAX_TICKED]
    if len(ticked) > MAX_ROWS:
        del ticked[1:]
    return SlipWords(
        sides=sides,
        outcomes=(*(f"{side} wins" for side in sides), "Draw"),
        counts=tuple(_as_head(each.label) for each in ticked),
        written=tuple(_as_head(each.label) for each in counts if each not in ticked),
        hits=hits,
        hits_name=_as_head(lost),
        ends=tuple(each.label for each in hand.asks if isinstance(each, TickField)),
        fates=tuple(hand.fates.values()),
    )


def _as_head(label: str) -> str:
    return label[:1].upper() + label[1:]


# --- names and numbers ------------------------------------------------------------------------------------------------

NO_BOXES = "\u2013"
COUNTED = 10  # boxes for a count


def percent(chance: Fraction) -> str:
    """Return the chance in whole per cent, halves rounded up."""
    return f"{int(round_half_up(chance * 100))}%"


def or_more(face: int | None) -> str:
    return f"{face}+" if face is not None else NO_BOXES


def identity_blocks(pilot: PilotIdentity) -> list[Block]:
    """Return the pilot's optional texts that aren't empty, each under its label."""
    return [
        Entries(title=text.label, note=note)
        for name, text in PILOT_TEXTS.items()
        if not text.is_required and (note := getattr(pilot, name))
    ]


def count_boxes(count: int) -> tuple[Box, ...]:
    """Return ten boxes for continuing a count: the first ten, or those after the last full ten."""
    start = (count - 1) // COUNTED * COUNTED if count > COUNTED else 0
    return tuple(
        Box(inside=str(start + number) if start < 990 else "", is_marked=start + number <= count)
        for number in range(1, COUNTED + 1)
    )


def beyond_boxes(count: int) -> str:
    """Return the count as text if it exceeds the boxes."""
    return str(count) if count > COUNTED else ""


def pluralize(number: int, what: str) -> str:
    """Return the number with its noun: `1 kill`, `2 kills`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
