"""Entries that only rulings write: what a club takes from a company or gives back to it."""

from __future__ import annotations

from systems.ledger import ACTIVE, READY, SOLD, Books, Entry, Fact, Kind, Part


class Taken(Kind):
    """The unit leaves the company without payment."""

    slug = "taken"
    concerns = "unit"

    def take(self, books: Books, fact: Fact) -> None:
        books.change_unit(fact, status=SOLD, pilot=None)

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        return (Part("Gave up "), entry.u)


class Restored(Kind):
    """A destroyed unit is back, fully repaired."""

    slug = "restored"
    concerns = "unit"

    def take(self, books: Books, fact: Fact) -> None:
        books.change_unit(fact, status=READY, condition={})

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        return (entry.u, Part(" is back, and whole"))


class Reinstated(Kind):
    """A pilot who was dead, retired or wounded is active and fit again."""

    slug = "reinstated"
    concerns = "pilot"
    in_career = True

    def take(self, books: Books, fact: Fact) -> None:
        books.change_pilot(fact, "status", status=ACTIVE)

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        return (entry.p, Part(" is back on the roll"))
