"""Entries about games: what happened to units and pilots, and the results for the company."""

from __future__ import annotations

from collections.abc import Mapping

from rosters.entries.units_and_pilots import describe_loss
from systems.ledger import UNDONE, Books, Entry, Kind, PostedEntry, SentencePart
from systems.text import pluralize


class Fought(Kind):
    slug = "fought"
    facts = ("lost", "by", "cause", "told", "recorded", "in")
    concerns = "both"
    in_career = True

    def take(self, books: Books, entry: PostedEntry) -> None:
        if entry.unit is not None:
            unit = books.units[entry.unit]
            times_lost = unit.times_lost + bool(entry.facts.get("lost"))
            recorded = _added_up(unit.recorded, entry)
            books.change_unit(entry, games=unit.games + 1, times_lost=times_lost, recorded=recorded)
        if entry.pilot is not None:
            pilot = books.pilots[entry.pilot]
            books.change_pilot(entry, "games", games=pilot.games + 1, recorded=_added_up(pilot.recorded, entry))

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        end = f"{entry.battle}, {entry.facts['told']}" if entry.facts.get("told") else entry.battle
        if not entry.pilot:
            return (entry.u, SentencePart(f" fought{end}"))
        lost = f" and lost it{describe_loss(entry.facts, 'to')}" if entry.facts.get("lost") else ""
        flew = SentencePart(str(entry.facts["in"])) if entry.facts.get("in") else entry.u
        return (entry.p, SentencePart(" fought in "), flew, SentencePart(f"{lost}{end}"))


def _added_up(recorded: Mapping[str, int], entry: PostedEntry) -> dict[str, int]:
    """Return the recorded numbers with those of this game added."""
    more = entry.facts.get("recorded") or {}
    return {label: recorded.get(label, 0) + more.get(label, 0) for label in {**recorded, **more}}


class Kill(Kind):
    slug = "kill"
    facts = ("count", "victims")
    concerns = "both"
    in_career = True

    def take(self, books: Books, entry: PostedEntry) -> None:
        count = int(entry.facts["count"])
        if entry.unit is not None:
            books.change_unit(entry, kills=books.units[entry.unit].kills + count)
        if entry.pilot is not None:
            books.change_pilot(entry, "kills", kills=books.pilots[entry.pilot].kills + count)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        count, victims = entry.facts.get("count", 1), entry.facts.get("victims") or ()
        what = ", ".join(victims) or ("1 kill" if count == 1 else f"{count} kills")
        return (
            entry.p if entry.pilot else entry.u,
            SentencePart(f"{' destroyed ' if victims else ' scored '}{what}{entry.battle}"),
        )


class Returned(Kind):
    """A unit or pilot lent for one game is returned."""

    slug = "returned"
    concerns = "both"

    def take(self, books: Books, entry: PostedEntry) -> None:
        if entry.unit is not None:
            books.change_unit(entry, status=UNDONE, pilot=None)
        else:
            books.leave(entry, UNDONE)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (SentencePart("Gave "), entry.u if entry.unit else entry.p, SentencePart(" back to the house"))


class Game(Kind):
    slug = "game"
    facts = (
        "result",
        "season_points",
        "income",
        "repaid",
        "gifts",
        "lapsed",
        "support",
        "standing",  # units still standing; this and the next three are the basis of the season points
        "destroyed",
        "lost",
        "destroyed_points",
        "bought",  # name and points of each unit that was bought for this game only
    )
    led_to = True

    def take(self, books: Books, entry: PostedEntry) -> None:
        result = entry.facts["result"]
        if result not in ("won", "drawn", "lost"):
            raise ValueError("a game that was neither won, drawn nor lost")
        company = books.company
        books.change_company(
            won=company.won + (result == "won"),
            drawn=company.drawn + (result == "drawn"),
            lost=company.lost + (result == "lost"),
            season_points=company.season_points + int(entry.facts["season_points"]),
            debt=company.debt - int(entry.facts.get("repaid", 0)),
        )

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        facts, words = entry.facts, entry.words
        kept = f", {facts['repaid']} of it kept by the house" if facts.get("repaid") else ""
        income = f", {facts['income']} {words.money} income{kept}" if facts.get("income") else ""
        points = pluralize(facts.get("season_points", 0), words.season_points)
        gifts = "".join(f", {face} points of a rich uncle" for face in facts.get("gifts") or ())
        lapsed = (
            f", {facts['lapsed']} {words.founding_money} left from the founding lapsed" if facts.get("lapsed") else ""
        )
        support = f"; support used: {', '.join(facts['support'])}" if facts.get("support") else ""
        result = str(facts.get("result", "")).capitalize()
        names = [f"{name} ({worth})" for name, worth in facts.get("bought") or ()]
        bought = f"; bought for it: {', '.join(names)}" if names else ""
        return (SentencePart(f"{result}{entry.battle}: {points}{income}{gifts}{lapsed}{bought}{support}"),)
