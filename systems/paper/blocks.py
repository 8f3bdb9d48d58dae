"""What a game prints: blocks of cards, parts of pages, and how names and numbers are written on them.

No sizes or positions: the printing code decides those.
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

MAX_TICKED = 99  # of a count; a larger one is written
MAX_ROWS = 2  # rows of boxes that fit on a slip per unit; with more, all except the first are written

Detail = Literal["terse", "brief", "full"]  # how much a card says: very short, short, or everything helpful that fits


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box to cross out: the text in it, the text under it, and whether it is crossed out already."""

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
    is_each: bool = False  # its boxes are crossed out one by one, in any order; else from the left
    says: str = ""  # the field of a unit's fate that the crossed-out boxes answer
    worth: int = 1  # of that field per box


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
    ticks: tuple[bool, ...] = ()  # one box each; True: struck out already
    under: tuple[str, ...] = ()  # small print below the cells, such as a chance
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
    heads: tuple[str, ...] = ()  # of columns at the right
    cell_mm: float = 7.0
    count: int = 0
    ticks: int = 0  # boxes in front of each line
    leads: tuple[str, ...] = ()  # text in front of each line, such as a die face


Block = Track | Strip | Table | Entries | Ticks | Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """An addition to card and datasheet beside a unit's own numbers, if there is room: a block, or a line or two."""

    block: Table | Entries
    brief: Entry | None = None  # None: the brief card includes it anyway


def in_columns(blocks: Sequence[Block]) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """Return the blocks in two columns of about the same length, each in the given order."""
    columns: tuple[list[Block], list[Block]] = ([], [])
    lengths = [0, 0]
    for block in blocks:
        at = int(lengths[1] < lengths[0])
        columns[at].append(block)
        lengths[at] += 2 + len(getattr(block, "rows", ()) or getattr(block, "entries", ()))
    return tuple(columns[0]), tuple(columns[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFace:
    title: str  # empty: a line to write a name on
    kicker: str = ""
    corner: str = ""
    corner_label: str = ""
    blocks: tuple[Block, ...] = ()
    foot: str = ""  # small print; each line is a paragraph
    notes: str = ""  # title of the writing lines that fill the remaining space; empty: none
    url: str = ""  # the address in its QR code; empty: no code
    picture: Drawing | None = None  # of the unit: beside its name
    tag: str = ""  # the unit's number, in the first corner
    ruler_in: tuple[
        int, ...
    ] = ()  # the distances in inches that its game measures: along the right edge, as far as the card is long


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContent:
    """Both sides of a card. Contents that don't fit continue on another card."""

    front: CardFace
    back: CardFace
    language: str = field(default="en")


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterContent:
    """A piece for the map: its top, and its hidden side."""

    name: str
    shape: str  # a silhouette of static/img/counters.svg; empty: none
    code: str = ""  # its kind in a few letters
    figure: str = ""  # the most important number
    figure_label: str = ""  # for screen readers
    unknown: str = "Contact"  # empty: it can't be hidden, and both sides are alike
    language: str = field(default="en")
    base_mm: float = 0.0  # diameter of its round base, and of the counter; 0: a square of the standard size
    credit: str = ""  # the credit that the licence of its rules requires, as short as possible
    attribution: str = ""  # ... in full, for screen readers
    mark: tuple[str, ...] = ()  # ... in a few words, line by line, on the front of one without a back
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
    notes: str = ""  # in the column that the system names
    damage: str = ""  # empty: undamaged
    number: int = 0  # on its card and counter; 0: none


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
    """A heading and its lines; with `heads` a table, whose last column is each line's text if any line has one."""

    title: str
    lines: tuple[ReferenceLine, ...]
    heads: tuple[str, ...] = ()
    note: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A quick reference: the general rules, and those of these units and this support."""

    title: str
    kicker: str
    sections: tuple[ReferenceSection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipWords:
    """The questions of a slip in a rule system, for any match."""

    sides: tuple[str, str] = ("Attacker", "Defender")  # of a slip without companies
    outcomes: tuple[str, ...] = ()  # to tick one of them
    counts: tuple[str, ...] = ("Kills",)  # for each unit, from none to many
    written: tuple[str, ...] = ()  # for each unit, too many to tick: a number
    hits: int = 0  # the most that any unit has
    hits_name: str = "Hits lost"  # their label
    ends: tuple[str, ...] = ("destroyed",)  # ends of a unit, to tick
    fates: tuple[str, ...] = ()  # of a pilot, to tick one of them


def slip_words(hand: HandTerms, *, hits: int, sides: tuple[str, str] = ("Attacker", "Defender")) -> SlipWords:
    """Return the questions of a slip that match the form its code opens; no unit has more than `hits`."""
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
COUNTED = 10  # boxes of a count


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
    """Return ten boxes to continue a count: the first ten, or those after the last full ten."""
    start = (count - 1) // COUNTED * COUNTED if count > COUNTED else 0
    return tuple(
        Box(inside=str(start + number) if start < 990 else "", is_marked=start + number <= count)
        for number in range(1, COUNTED + 1)
    )


def beyond_boxes(count: int) -> str:
    """Return the count as text if it is more than the boxes show."""
    return str(count) if count > COUNTED else ""


def pluralize(number: int, what: str) -> str:
    """Return the number with its noun: `1 kill`, `2 kills`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
