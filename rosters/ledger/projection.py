"""Calculates a company's record from its ledger, and describes entries in sentences. This module uses no database.

A reversed entry only changes the balance, and its reversal cancels that, so an undo restores the record from before the
act. Entries are applied in the order in which they were written. An entry whose facts have a `place` is applied where
the entry with that number was, so that the new entries of a ruling replace the old result and later entries still come
later. Changes that a correction has made impossible are ignored: a dead pilot isn't assigned, doesn't retire and
doesn't recover.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rosters.entries import kind_of
from systems.ledger import Books, CompanyRecord, Entry, Fact, LedgerError, Part, Subject
from systems.legality import BillLine
from systems.text import PLAIN_WORDS, SystemWords


def project_entries(entries: Iterable[Fact], since: CompanyRecord | None = None) -> CompanyRecord:
    """Return the company's record after these entries, starting from `since` if given; LedgerError if one is wrong."""
    facts = sorted(entries, key=lambda fact: fact.position)
    void = {fact.reverses for fact in facts if fact.reverses is not None}
    folding = Projection(since)
    for fact in facts:
        folding.balance += fact.points
        if fact.reverses is None:
            folding.take(fact, is_void=fact.id in void)
    return folding.record()


def extends_projection(entries: Iterable[Fact], last: int) -> bool:
    """Return whether all of these entries come after `last`, and none reverses an entry up to `last`."""
    return all(
        fact.id > last and fact.position[0] > last and (fact.reverses is None or fact.reverses > last)
        for fact in entries
    )


class Projection(Books):
    """A record that is being calculated, from the start or from another record; the caller adds the points."""

    def take(self, fact: Fact, *, is_void: bool = False) -> None:
        """Apply an entry that isn't a reversal; LedgerError if it is invalid."""
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
    """Return the sentence of an entry, in the past tense and without a full stop, in the words of its game."""
    found = kind_of(kind)
    return found.describe(Entry(facts, unit, pilot, words)) if found else (Part(kind),)


def rebooking_parts(facts: Mapping[str, object], sentence: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the sentence with the ruling that wrote the entry, if it replaced an entry or adjusted the company."""
    if where := facts.get("adjusted"):
        return (*sentence, Part(f" (by a ruling in {where})"))
    about = facts.get("ruling")
    return (*sentence, Part(f" (booked anew by a ruling on {about})")) if about and "place" in facts else sentence


def reversal(facts: Mapping[str, object], sentence: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the sentence of a reversal; `sentence` is that of the reversed entry."""
    about = facts.get("ruling")
    return (Part(f"Reversed by a ruling on {about}: " if about else "Took back: "), *sentence)


def bill_of(facts: Mapping[str, Any]) -> tuple[BillLine, ...]:
    """Return the bill whose lines add up to an entry's points; most entries have none."""
    return tuple(BillLine(str(label), int(points)) for label, points in facts.get("bill", ()))


def plain(parts: tuple[Part, ...]) -> str:
    """Return the sentence as plain text."""
    return "".join(part.text for part in parts)
