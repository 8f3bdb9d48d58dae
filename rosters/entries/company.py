"""Entries about the company itself, entries about games, entries that correct others, and entries of rulings.

Only rulings write `Taken`, `Restored` and `Reinstated`.
"""

from __future__ import annotations

from collections.abc import Mapping

from rosters.entries.units_and_pilots import describe_loss
from systems.catalogue import FIRST_RELEASE
from systems.emblems import EmblemError, read_emblem
from systems.ledger import ACTIVE, READY, SOLD, UNDONE, Books, Entry, Kind, PostedEntry, SentencePart
from systems.pilots import PILOT_TEXTS, recorded_texts
from systems.text import full_name, pluralize


class _Settings(Kind):
    """Base class of entries that contain the company's settings."""

    def take(self, books: Books, entry: PostedEntry) -> None:
        texts = {key: str(value) for key, value in entry.facts["to"].items()}
        if not set(texts) <= {"name", "motto", "colour", "emblem", "visibility"}:
            raise ValueError("an unknown setting of a company")
        if texts.get("emblem"):
            read_emblem(texts["emblem"])
        books.change_company(**texts)


class Founded(_Settings):
    slug = "founded"
    facts = ("to", "release")

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_company(granted=entry.points, release=str(entry.facts.get("release", FIRST_RELEASE)))
        super().take(books, entry)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (SentencePart("Created the company"),)


class Changed(_Settings):
    slug = "changed"
    facts = ("from", "to")

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        new = entry.facts.get("to", {})
        return (SentencePart(f"Changed {', '.join(_describe_setting(key, value) for key, value in new.items())}"),)


class ReleaseAdopted(Kind):
    """A change to another catalogue version. Earlier prices stay."""

    slug = "release-adopted"
    facts = ("from", "to", "campaign")

    def take(self, books: Books, entry: PostedEntry) -> None:
        if books.company.release != entry.facts["from"]:
            raise ValueError("is not of that release")
        books.change_company(release=str(entry.facts["to"]))

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        text = f"Switched from catalogue version {entry.facts.get('from')} to {entry.facts.get('to')}"
        campaign = entry.facts.get("campaign")
        return (SentencePart(f"{text} with {campaign}" if campaign else text),)


class Disbanded(Kind):
    slug = "disbanded"

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_company(is_disbanded=True)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (SentencePart("Disbanded the company"),)


class Renamed(Kind):
    """A new name: a text for a unit, all of callsign for a pilot."""

    slug = "renamed"
    facts = ("from", "to")
    concerns = "both"

    def take(self, books: Books, entry: PostedEntry) -> None:
        if entry.unit is not None:
            books.change_unit(entry, name=entry.facts["to"])
        else:
            books.change_pilot(entry, "name", **recorded_texts(entry.facts["to"]))

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        old, new = entry.facts.get("from"), entry.facts.get("to")
        if _name(old) == _name(new) and (changes := _text_changes(old, new)):
            return (SentencePart(f"Changed {_name(new)}: {changes}"),)
        return (SentencePart(f"Renamed {_name(old)} to {_name(new)}"),)


class Adjusted(Kind):
    """An adjustment of points, and of debt if there is a loan."""

    slug = "adjusted"
    facts = ("reason", "loan", "prices", "cover")
    is_booked = False

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_company(debt=books.company.debt + int(entry.facts.get("loan", 0)))

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (SentencePart(f"Adjusted: {entry.facts.get('reason', 'no reason given')}"),)


class TerritoryIncome(Kind):
    """Income from the territories that the company held at the end of a round; the bill lists them."""

    slug = "territory-income"
    facts = ("campaign", "round", "bill")
    is_booked = False

    def take(self, books: Books, entry: PostedEntry) -> None:
        """Do nothing, because the entry changes only the balance."""

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        places = ", ".join(str(name) for name, _ in entry.facts.get("bill", ()))
        where = f"round {entry.facts.get('round', '?')} of {entry.facts.get('campaign', 'a campaign')}"
        return (SentencePart(f"Held {places or 'territories'} at the end of {where}"),)


class Reversed(Kind):
    """The reversal of another entry, which also provides the sentence."""

    slug = "reversed"
    facts = ("kind",)
    is_booked = False


def _describe_setting(setting: str, value: object) -> str:
    """Return text about a setting and its new value; an emblem is described in words."""
    if setting == "emblem":
        try:
            value = read_emblem(str(value)).description if value else "the one from its name"
        except EmblemError:
            return "emblem"
    return f"{setting} to “{value}”" if value else f"{setting} to none"


def _name(value: object) -> str:
    named: Mapping[str, str] = value if isinstance(value, Mapping) else {"name": str(value)}
    return full_name(named.get("name", ""), named.get("callsign", ""))


def _text_changes(old: object, new: object) -> str:
    """Return what else changed of a pilot whose name stayed."""
    if not (isinstance(old, Mapping) and isinstance(new, Mapping)):
        return ""
    changed = [name for name in PILOT_TEXTS if old.get(name, "") != new.get(name, "")]
    return ", ".join(_describe_setting(PILOT_TEXTS[name].label.lower(), new.get(name, "")) for name in changed)


class Taken(Kind):
    """A unit leaves the company without payment."""

    slug = "taken"
    concerns = "unit"

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_unit(entry, status=SOLD, pilot=None)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (SentencePart("Gave up "), entry.u)


class Restored(Kind):
    """A destroyed unit is back and fully repaired."""

    slug = "restored"
    concerns = "unit"

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_unit(entry, status=READY, condition={})

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (entry.u, SentencePart(" is back, undamaged"))


class Reinstated(Kind):
    """A pilot who was dead, retired or wounded is active and fit again."""

    slug = "reinstated"
    concerns = "pilot"
    in_career = True

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_pilot(entry, "status", status=ACTIVE)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (entry.p, SentencePart(" is back in the company"))


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
        return (SentencePart("Gave "), entry.u if entry.unit else entry.p, SentencePart(" after the loan"))


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
        kept = f", {facts['repaid']} of it repaid debt" if facts.get("repaid") else ""
        income = f", {facts['income']} {words.money} earned{kept}" if facts.get("income") else ""
        points = pluralize(facts.get("season_points", 0), words.season_points)
        gifts = "".join(f", {pluralize(face, 'points')} from a rich uncle" for face in facts.get("gifts") or ())
        lapsed = f", {facts['lapsed']} {words.founding_money} of starting money lost" if facts.get("lapsed") else ""
        support = f"; support used: {', '.join(facts['support'])}" if facts.get("support") else ""
        result = {"won": "Won", "drawn": "Drew", "lost": "Lost"}.get(str(facts.get("result")), "Played")
        names = [f"{name} ({worth})" for name, worth in facts.get("bought") or ()]
        bought = f"; bought for the game: {', '.join(names)}" if names else ""
        where = f" {facts['battle']}" if facts.get("battle") else ""
        return (SentencePart(f"{result}{where}: {points}{income}{gifts}{lapsed}{bought}{support}"),)
