"""What a rule system says on paper: cards in blocks that the layout draws, pages in parts that one template draws for any system.

Plain facts: no sizes, no positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Literal

from systems.fates import Count, Tick
from systems.hand import HandTerms
from systems.paper.bodies import Drawing

MAX_TICKED = 99  # of a count; a larger one is written
MAX_ROWS = 2  # of boxes to tick that a slip has room for at each unit; of more, all but the first are written

Detail = Literal[
    "terse", "brief", "full"
]  # how much a card says: in few words, in short, or all that helps where there is room


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One box to cross out: what stands in it, what stands under it, and whether it is crossed out already."""

    inside: str = ""
    below: str = ""
    is_marked: bool = False
    is_hot: bool = False  # beyond what is safe: drawn dashed

    @property
    def is_first_hot(self) -> bool:
        return self.is_hot and self.inside == "+1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """A row of boxes."""

    label: str
    boxes: tuple[Box, ...]
    note: str = ""  # what the text below the boxes means
    is_large: bool = False
    is_each: bool = False  # its boxes are crossed out one by one, in any order; else from the left
    says: str = ""  # the field of a unit's fate that the boxes crossed out answer
    worth: int = 1  # what a box is of that


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
    """A line of a table: boxes to strike it out, a name, short cells, and what is special about it."""

    name: str
    cells: tuple[str, ...] = ()
    ticks: tuple[bool, ...] = ()  # a box each; True: struck out already
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
    ends_with_number: bool = False  # the last column is set in bold


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A named line of text, with a box to strike it out where it can be lost."""

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
    """Named boxes in running text: what can befall a unit. `says`: of a name, the field of the unit's fate that it answers."""

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
    leads: tuple[str, ...] = ()  # what stands in front of each line, such as a die face


Block = Track | Strip | Table | Entries | Ticks | Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """What card and datasheet say beside a unit's own numbers, where they have room: a block of its own, or a line or two."""

    block: Table | Entries
    brief: Entry | None = None  # None: in short, the card says it anyway


def in_columns(blocks: Sequence[Block]) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """The blocks on two columns about as long, each in the order given."""
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
    foot: str = ""  # small print; each line a paragraph
    notes: str = ""  # title of the lines to write on that take what room is left; empty: none
    url: str = ""  # what the code opens; empty: no code
    picture: Drawing | None = None  # of the unit: beside its name
    tag: str = ""  # its number, in the first corner
    ruler_in: tuple[int, ...] = ()  # inches that its game measures: along the right edge, as many as it is long


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContent:
    """Both sides of a card. What does not fit on one continues on a further card."""

    front: CardFace
    back: CardFace
    language: str = field(default="en")


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterContent:
    """A piece for the map: what it shows from above, and what it shows while nobody knows what it is."""

    name: str
    shape: str  # a silhouette of static/img/counters.svg; empty: none
    code: str = ""  # its kind in a few letters
    figure: str = ""  # the number that matters most
    figure_label: str = ""  # read aloud with the number
    unknown: str = "Contact"  # empty: nothing hides it, and both sides are alike
    language: str = field(default="en")
    base_mm: float = (
        0.0  # across its round base, which the counter then is as large as; 0: a square of the house's size
    )
    credit: str = ""  # what the licence of its rules asks for, in as few words as may be
    attribution: str = ""  # ... and whole, for who has it read aloud
    mark: tuple[str, ...] = ()  # ... and in a few words, line by line, on the front of one that has no back
    arcs: tuple[int, ...] = ()  # where its base has lines between arcs: degrees from the front, to the left positive


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
    points: int | None = None  # None: it has none
    pilot: RosterPilot | None = None
    notes: str = ""  # in the column that the system names
    damage: str = ""  # empty: as from the works
    number: int = 0  # that its card and counter bear; 0: none


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceLine:
    """One thing to look up: its cells if its section is a table, and the rule that it comes from."""

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
    """A quick reference: what always holds, and what these units and this support bring."""

    title: str
    kicker: str
    sections: tuple[ReferenceSection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipWords:
    """What a slip asks in a rule system, whatever the match."""

    sides: tuple[str, str] = ("Attacker", "Defender")  # of a slip that knows no companies
    outcomes: tuple[str, ...] = ()  # to tick one of
    counts: tuple[str, ...] = ("Kills",)  # of each unit, from none to many
    written: tuple[str, ...] = ()  # of each unit, too much to tick: a number
    hits: int = 0  # the most that a unit has
    hits_name: str = "Hits lost"  # what is ticked of them
    ends: tuple[str, ...] = ("destroyed",)  # what became of a unit, to tick
    fates: tuple[str, ...] = ()  # of a pilot, to tick one of


def slip_words(hand: HandTerms, *, hits: int, sides: tuple[str, str] = ("Attacker", "Defender")) -> SlipWords:
    """What a slip asks where the form that its code opens asks that of each unit, of which none has more than `hits`."""
    lost = hand.fields["hits_lost"]
    counts = [each for each in hand.asks if isinstance(each, Count) and not each.is_of_hits]
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
        ends=tuple(each.label for each in hand.asks if isinstance(each, Tick)),
        fates=tuple(hand.fates.values()),
    )


def _as_head(label: str) -> str:
    return label[:1].upper() + label[1:]
