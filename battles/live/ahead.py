"""Rolls prepared for a phone that goes offline: which of them are in the log, and what is wrong with a returned one.

Pure. A chain belongs to one phone and is used in order. A wrong roll isn't refused but marked: both sides see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from battles.live.fold import AHEAD, PREPARE, Act
from systems.engine.paired import is_next_link
from systems.engine.prepared import PREPARED_CHAIN_LENGTH, ahead_faces

MAX_PHONES = 3  # phones with prepared rolls per side
MAX_CHAINS = 12  # chains per side


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Rolls prepared for a phone, and how far they are used up."""

    number: int  # of its side, from 1
    side: int
    phone: str
    sealed: str  # its first link, which both sides see
    used: Mapping[int, int]  # rolls that came with the sealed link, and the place of each
    skipped: tuple[int, ...]

    @property
    def last(self) -> int:
        """The last roll that was used; 0: none."""
        return max(self.used, default=0)

    @property
    def left(self) -> int:
        return PREPARED_CHAIN_LENGTH - self.last


def chains_of(acts: Sequence[Act]) -> tuple[Chain, ...]:
    """Return all prepared chains, in order."""
    return tuple(_chains(acts))


def _chains(acts: Sequence[Act]) -> Iterator[Chain]:
    for made in acts:
        if made.kind != PREPARE:
            continue
        number, used, skipped = made.number("chain"), dict[int, int](), list[int]()
        for act in acts:
            if act.kind == AHEAD and act.side == made.side and act.number("chain") == number and act.facts.get("holds"):
                roll = act.number("roll")
                skipped += range(max(used, default=0) + 1, roll)
                used.setdefault(roll, act.place)
        yield Chain(
            number=number,
            side=made.side,
            phone=made.phone,
            sealed=str(made.facts["sealed"]),
            used=used,
            skipped=tuple(roll for roll in skipped if roll not in used),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRoll:
    """A prepared roll as a phone has sent it."""

    roll: int
    link: str
    showed: tuple[int, ...]  # the faces that the phone has shown
    sides: int
    phone: str


def check_sent_roll(chain: Chain, sent: SentRoll) -> dict[str, object]:
    """Return what is logged about the roll: its true faces, what is wrong with it, and which rolls it skipped."""
    holds = is_next_link(sent.link, sent.roll, chain.sealed)
    faces = ahead_faces(sent.link, sent.roll, len(sent.showed), sent.sides) if holds else list(sent.showed)
    return {
        "chain": chain.number,
        "roll": sent.roll,
        "link": sent.link,
        "sealed": chain.sealed,
        "holds": holds,
        "faces": faces,
        "why": list(_faults(chain, sent, faces))
        if holds
        else [f"It came without what was sealed for roll {sent.roll}."],
        "skipped": list(range(chain.last + 1, sent.roll)) if holds else [],
    }


def _faults(chain: Chain, sent: SentRoll, faces: Sequence[int]) -> Iterator[str]:
    if sent.roll in chain.used:
        yield f"Roll {sent.roll} was used before, at {chain.used[sent.roll]}."
    elif sent.roll < chain.last:
        yield f"It came after roll {chain.last}; prepared rolls are used in their order."
    if sent.phone != chain.phone:
        yield "It was prepared for another phone of this side."
    if list(sent.showed) != list(faces):
        yield f"The phone showed {_list_faces(sent.showed)}; roll {sent.roll} is {_list_faces(faces)}."


def _list_faces(faces: Sequence[int]) -> str:
    return ", ".join(map(str, faces))


def describe_skipped_rolls(rolls: Sequence[int]) -> str:
    """Describe the skipped rolls in a sentence; empty if none were."""
    if not rolls:
        return ""
    if len(rolls) == 1:
        return f"Roll {rolls[0]} before it was skipped."
    return f"Rolls {rolls[0]} to {rolls[-1]} before it were skipped."
