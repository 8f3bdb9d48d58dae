"""What a rule system says on pages, in parts that one template draws for any system. Plain facts: no sizes, no places."""

from __future__ import annotations

from dataclasses import dataclass

from systems.hand import HAND_NUMBERS, HandTerms


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
    hits: int = 0  # the most that a unit has
    hits_name: str = "Hits lost"  # what is ticked of them
    ends: tuple[str, ...] = ("destroyed",)  # what became of a unit, to tick
    fates: tuple[str, ...] = ()  # of a pilot, to tick one of


def slip_words(hand: HandTerms, *, hits: int, sides: tuple[str, str] = ("Attacker", "Defender")) -> SlipWords:
    """What a slip asks where the form that its code opens asks that of each unit, of which none has more than `hits`."""
    counts = [name for name in HAND_NUMBERS if name in hand.fields and name != "hits_lost"]
    ends = [name for name in hand.fields if name not in HAND_NUMBERS and name != "fate"]
    return SlipWords(
        sides=sides,
        outcomes=(*(f"{side} wins" for side in sides), "Draw"),
        counts=tuple(hand.fields[name][:1].upper() + hand.fields[name][1:] for name in counts),
        hits=hits,
        hits_name=hand.fields["hits_lost"][:1].upper() + hand.fields["hits_lost"][1:],
        ends=tuple(hand.fields[name] for name in ends),
        fates=tuple(hand.fates.values()),
    )
