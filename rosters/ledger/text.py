"""Ledger entries as sentences, in parts so that a page can link the names. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rosters.entries import kind_of
from systems.ledger import Entry, Part, Subject
from systems.legality import BillLine
from systems.words import PLAIN_WORDS, SystemWords


def describe_entry(
    kind: str,
    facts: Mapping[str, object],
    unit: Subject | None,
    pilot: Subject | None,
    words: SystemWords = PLAIN_WORDS,
) -> tuple[Part, ...]:
    """Return the sentence of an entry, in the past tense without a full stop; `words` are those of its rule system."""
    found = kind_of(kind)
    return found.describe(Entry(facts, unit, pilot, words)) if found else (Part(kind),)


def booked_anew(facts: Mapping[str, object], said: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the sentence, with the ruling that replaced another entry by this one or adjusted the company."""
    if where := facts.get("adjusted"):
        return (*said, Part(f" (by a ruling in {where})"))
    about = facts.get("ruling")
    return (*said, Part(f" (booked anew by a ruling on {about})")) if about and "place" in facts else said


def reversal(facts: Mapping[str, object], said: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the sentence of a reversal; `said` is the sentence of the reversed entry."""
    about = facts.get("ruling")
    return (Part(f"Reversed by a ruling on {about}: " if about else "Took back: "), *said)


def bill_of(facts: Mapping[str, Any]) -> tuple[BillLine, ...]:
    """Return the lines that add up to an entry's points; most entries have none."""
    return tuple(BillLine(str(label), int(points)) for label, points in facts.get("bill", ()))


def plain(parts: tuple[Part, ...]) -> str:
    """Return the sentence as text."""
    return "".join(part.text for part in parts)
