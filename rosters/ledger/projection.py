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
from systems.ledger import Books, CompanyRecord, Entry, LedgerError, PostedEntry, SentencePart, Subject
from systems.legality import BillLine
from systems.text import PLAIN_WORDS, SystemWords


def project_entries(entries: Iterable[PostedEntry], since: CompanyRecord | None = None) -> CompanyRecord:
    """Return the company's record after these entries, starting from `since` if given; LedgerError if one is wrong."""
    ordered = sorted(entries, key=lambda entry: entry.position)
    void = {entry.reverses for entry in ordered if entry.reverses is not None}
    projection = Projection(since)
    for entry in ordered:
        projection.balance += entry.points
        if entry.reverses is None:
            projection.take(entry, is_void=entry.id in void)
    return projection.record()


def extends_projection(entries: Iterable[PostedEntry], last: int) -> bool:
    """Return whether all of these entries come after `last`, and none reverses an entry up to `last`."""
    return all(
        entry.id > last and entry.position[0] > last and (entry.reverses is None or entry.reverses > last)
        for entry in entries
    )


class Projection(Books):
    """A record that is being calculated, from the start or from another record; the caller adds the points."""

    def take(self, entry: PostedEntry, *, is_void: bool = False) -> None:
        """Apply an entry that isn't a reversal; LedgerError if it is invalid."""
        kind = kind_of(entry.kind)
        try:
            if kind is not None and is_void:
                kind.take_void(self, entry)
            elif kind is not None:
                kind.take(self, entry)
            elif not is_void:
                raise ValueError("an unknown kind of entry")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise LedgerError(f"entry {entry.id} ({entry.kind}): {error}") from None


def describe_entry(
    kind: str,
    facts: Mapping[str, object],
    unit: Subject | None,
    pilot: Subject | None,
    words: SystemWords = PLAIN_WORDS,
) -> tuple[SentencePart, ...]:
    """Return the sentence of an entry, in the past tense and without a full stop, in the words of its game."""
    found = kind_of(kind)
    return found.describe(Entry(facts, unit, pilot, words)) if found else (SentencePart(kind),)


def rebooking_parts(facts: Mapping[str, object], sentence: tuple[SentencePart, ...]) -> tuple[SentencePart, ...]:
    """Return the sentence with the ruling that wrote the entry, if it replaced an entry or adjusted the company."""
    if where := facts.get("adjusted"):
        return (*sentence, SentencePart(f" (by a ruling in {where})"))
    about = facts.get("ruling")
    return (*sentence, SentencePart(f" (changed by a ruling on {about})")) if about and "place" in facts else sentence


def reversal(facts: Mapping[str, object], sentence: tuple[SentencePart, ...]) -> tuple[SentencePart, ...]:
    """Return the sentence of a reversal; `sentence` is that of the reversed entry."""
    about = facts.get("ruling")
    return (SentencePart(f"Reversed by a ruling on {about}: " if about else "Undid: "), *sentence)


def bill_of(facts: Mapping[str, Any]) -> tuple[BillLine, ...]:
    """Return the bill whose lines add up to an entry's points; most entries have none."""
    return tuple(BillLine(str(label), int(points)) for label, points in facts.get("bill", ()))


def plain(parts: tuple[SentencePart, ...]) -> str:
    """Return the sentence as plain text."""
    return "".join(part.text for part in parts)
