"""Calculate a company's record from its ledger, and describe its entries in sentences. Pure.

Of a reversed entry only the points count, and its reversal cancels them, so the record after an undo is the record
before the act. Entries count in the order written, but one whose facts have a `place` counts at the place of the entry
with that number: the new entries of a ruling replace the old result, and later entries still come later. Anything that
the corrected past makes impossible is ignored: a dead pilot takes no seat, doesn't retire and doesn't recover.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rosters.entries import kind_of
from systems.ledger import Books, CompanyRecord, Entry, Fact, LedgerError, Part, Subject
from systems.legality import BillLine
from systems.text import PLAIN_WORDS, SystemWords


def project_entries(entries: Iterable[Fact], since: CompanyRecord | None = None) -> CompanyRecord:
    """Return the company's record after these entries, from the start or from a record; raises LedgerError."""
    facts = sorted(entries, key=lambda fact: fact.position)
    void = {fact.reverses for fact in facts if fact.reverses is not None}
    folding = Projection(since)
    for fact in facts:
        folding.balance += fact.points
        if fact.reverses is None:
            folding.take(fact, is_void=fact.id in void)
    return folding.record()


def extends_projection(entries: Iterable[Fact], last: int) -> bool:
    """Return whether these entries change nothing up to `last`: none reverses an earlier entry or counts before it."""
    return all(
        fact.id > last and fact.position[0] > last and (fact.reverses is None or fact.reverses > last)
        for fact in entries
    )


class Projection(Books):
    """A calculation in progress, from the start or from a record; the caller adds the points."""

    def take(self, fact: Fact, *, is_void: bool = False) -> None:
        """Apply an entry that is no reversal; raises LedgerError."""
        kind = kind_of(fact.kind)
        try:
            if kind is not None and is_void:
                kind.take_void(self, fact)
            elif kind is not None:
                kind.take(self, fact)
            elif not is_void:
                raise ValueError("an unknown kind of entry")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise LedgerError(f"entry {fact.id} ({fact.kind}): {error}") from None


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


def rebooking_parts(facts: Mapping[str, object], said: tuple[Part, ...]) -> tuple[Part, ...]:
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
