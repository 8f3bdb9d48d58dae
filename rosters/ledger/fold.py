"""What a company's ledger adds up to: its balance, its units, its pilots and their records.

Pure: entries in, frozen records out. An entry that was reversed counts for nothing but its points, which its reversal
takes back; so the fold of a ledger after an undo is the fold of the ledger before the act.

Entries count in the order written, but one whose facts name a `place` counts where the entry of that number stands:
what a ruling books anew stands where the old result stood, and what came later comes later. What the corrected past
makes impossible is passed over: a dead pilot takes no seat, retires no more and doesn't recover.
"""

from __future__ import annotations

from collections.abc import Iterable

from rosters.ledger.kinds import kind_of
from systems.ledger import Books, CompanyRecord, Fact, LedgerError


def fold(entries: Iterable[Fact], since: CompanyRecord | None = None) -> CompanyRecord:
    """The company as its ledger has it, or as these entries leave what it was before them; raises LedgerError."""
    facts = sorted(entries, key=lambda fact: fact.position)
    void = {fact.reverses for fact in facts if fact.reverses is not None}
    folding = Folding(since)
    for fact in facts:
        folding.balance += fact.points
        if fact.reverses is None:
            folding.take(fact, is_void=fact.id in void)
    return folding.record()


def goes_on(entries: Iterable[Fact], last: int) -> bool:
    """Whether these entries change nothing of what stood up to the last one: none reverses it or counts before it."""
    return all(
        fact.id > last and fact.position[0] > last and (fact.reverses is None or fact.reverses > last)
        for fact in entries
    )


class Folding(Books):
    """The fold under way, from the start or from a record; who drives it adds the points himself."""

    def take(self, fact: Fact, *, is_void: bool = False) -> None:
        """Adds an entry that is no reversal; raises LedgerError."""
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
