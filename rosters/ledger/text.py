"""Ledger entries as sentences for the reader, in parts so that a page can link what they name. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rosters.ledger.kinds import kind_of
from systems.ledger import Entry, Part, Subject
from systems.legality import BillLine
from systems.words import PLAIN, SystemWords


def sentence(
    kind: str,
    facts: Mapping[str, object],
    unit: Subject | None,
    pilot: Subject | None,
    words: SystemWords = PLAIN,
) -> tuple[Part, ...]:
    """What happened, in the past tense and without a full stop; `words` are those of the company's rule system."""
    found = kind_of(kind)
    return found.said(Entry(facts, unit, pilot, words)) if found else (Part(kind),)


def booked_anew(facts: Mapping[str, object], said: tuple[Part, ...]) -> tuple[Part, ...]:
    """The sentence, with the ruling that made the entry stand where another one stood, or that adjusted the company."""
    if where := facts.get("adjusted"):
        return (*said, Part(f" (by a ruling in {where})"))
    about = facts.get("ruling")
    return (*said, Part(f" (booked anew by a ruling on {about})")) if about and "place" in facts else said


def reversal(facts: Mapping[str, object], said: tuple[Part, ...]) -> tuple[Part, ...]:
    """That an entry was reversed, and by what; `said` is the sentence of the reversed one."""
    about = facts.get("ruling")
    return (Part(f"Reversed by a ruling on {about}: " if about else "Took back: "), *said)


def bill_of(facts: Mapping[str, Any]) -> tuple[BillLine, ...]:
    """The lines that an entry's points add up from; most entries have none."""
    return tuple(BillLine(str(label), int(points)) for label, points in facts.get("bill", ()))


def plain(parts: tuple[Part, ...]) -> str:
    """The sentence as text."""
    return "".join(part.text for part in parts)
