"""Entries about units (bought, repaired, refitted, lost) and about pilots (hired, wounded, promoted, skills, gone)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from systems.ledger import (
    ACTIVE,
    DEAD,
    DESTROYED,
    READY,
    RETIRED,
    SOLD,
    UNDONE,
    WOUNDED,
    Books,
    Entry,
    Kind,
    PilotRecord,
    PostedEntry,
    SentencePart,
    UnitRecord,
)
from systems.pilots import PILOT_TEXTS, recorded_texts
from systems.text import with_article


class _OfUnit(Kind):
    concerns = "unit"


class Bought(_OfUnit):
    slug = "bought"
    facts = ("name", "design", "spec", "bill", "release", "loan", "lent")

    def take(self, books: Books, entry: PostedEntry) -> None:
        self._enter(books, entry)
        if loan := int(entry.facts.get("loan", 0)):
            books.change_company(debt=books.company.debt + loan)

    def take_void(self, books: Books, entry: PostedEntry) -> None:
        """Keep the record of the unit whose purchase was undone, out of play."""
        self._enter(books, entry)
        books.change_unit(entry, status=UNDONE, pilot=None)

    def _enter(self, books: Books, entry: PostedEntry) -> None:
        if entry.unit is None or entry.unit in books.units:
            raise ValueError("a unit is bought once")
        number = (
            books.company.bought + 1
        )  # also counts undone purchases, so that printed numbers of later units stay right
        books.change_company(bought=number)
        books.units[entry.unit] = UnitRecord(
            id=entry.unit,
            name=entry.facts["name"],
            design_name=entry.facts["design"],
            spec=entry.facts["spec"],
            paid=-entry.points,
            lent=bool(entry.facts.get("lent")),
            founding=not books.company.games,
            number=number,
        )

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        verb = "Borrowed " if entry.facts.get("loan") or entry.facts.get("lent") else "Bought "
        design = str(entry.facts.get("design", ""))
        is_name_of_design = str(entry.facts.get("name", "")).casefold() == design.casefold()
        return (
            SentencePart(verb),
            entry.u,
            *(() if is_name_of_design else (SentencePart(f", {with_article(design)}"),)),
        )


class Sold(_OfUnit):
    slug = "sold"
    facts = ("paid", "games")

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_unit(entry, status=SOLD, pilot=None)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (SentencePart("Sold "), entry.u)


class Assigned(_OfUnit):
    """A pilot is assigned to a unit, and leaves their former one."""

    slug = "assigned"
    facts = ("from", "to")

    def take(self, books: Books, entry: PostedEntry) -> None:
        pilot = entry.pilot
        if pilot is not None:
            books.empty_seats(pilot)
            if books.pilots[pilot].status not in (ACTIVE, WOUNDED):
                pilot = None
        if entry.unit is not None and books.units[entry.unit].status != READY:
            pilot = None
        paid = books.unit_of(entry).paid - entry.points  # a new pilot may raise the price of a new unit
        books.change_unit(entry, pilot=pilot, paid=paid)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        if entry.pilot:
            return (SentencePart("Assigned "), entry.p, SentencePart(" to "), entry.u)
        return (SentencePart(f"Removed {entry.facts.get('from') or 'the pilot'} from "), entry.u)


class _Condition(_OfUnit):
    """Base class of entries with a unit's condition before and after. A game may describe them in its own words."""

    facts: ClassVar[tuple[str, ...]] = ("from", "to", "told", "face")

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_unit(entry, condition=entry.facts["to"])

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        text = entry.facts.get("told")
        return (entry.u, SentencePart(f" {text}{entry.battle}")) if text else self._plainly(entry)

    def _plainly(self, entry: Entry) -> tuple[SentencePart, ...]:
        raise NotImplementedError


class Damaged(_Condition):
    slug = "damaged"

    def _plainly(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (entry.u, SentencePart(f" came home damaged{entry.battle}"))


class Repaired(_Condition):
    slug = "repaired"
    facts = (*_Condition.facts, "bill")

    def _plainly(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (SentencePart("Repaired "), entry.u)


class Refitted(_OfUnit):
    """A unit is refitted to another spec; the cost is added to its price."""

    slug = "refitted"
    facts = ("from", "to", "design", "bill", "release")

    def take(self, books: Books, entry: PostedEntry) -> None:
        unit = books.unit_of(entry)
        books.change_unit(
            entry, spec=entry.facts["to"], design_name=entry.facts["design"], paid=unit.paid - entry.points
        )

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (
            SentencePart("Refitted "),
            entry.u,
            SentencePart(f" as {with_article(str(entry.facts.get('design', '')))}"),
        )


class Destroyed(_Condition):
    slug = "destroyed"
    facts = (*_Condition.facts, "by", "cause")

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_unit(entry, status=DESTROYED, condition=entry.facts["to"], pilot=None)

    def _plainly(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (entry.u, SentencePart(f" was destroyed{describe_loss(entry.facts)}{entry.battle}"))


def by_whom(facts: Mapping[str, object], word: str = "by") -> str:
    """Return text like " by Ghost" about who did it; empty if unknown."""
    return f" {word} {facts['by']}" if facts.get("by") else ""


def describe_loss(facts: Mapping[str, object], word: str = "by") -> str:
    """Return text like " (cause)" about what destroyed a unit; older entries only know by whom."""
    return f" ({facts['cause']})" if facts.get("cause") else by_whom(facts, word)


def sale_price(paid: int, games: int) -> int:
    """Return the sale price: the full price if the unit has never played, else half of it, rounded down."""
    return paid if games == 0 else paid // 2


class _OfPilot(Kind):
    concerns = "pilot"
    in_career = True


class Hired(_OfPilot):
    slug = "hired"
    facts = (*PILOT_TEXTS, "experience", "lent", "for")

    def take(self, books: Books, entry: PostedEntry) -> None:
        if entry.pilot is None or entry.pilot in books.pilots:
            raise ValueError("a pilot is hired once")
        books.pilots[entry.pilot] = PilotRecord(
            id=entry.pilot,
            **recorded_texts(entry.facts),
            experience=entry.facts["experience"],
            paid=-entry.points,
            lent=bool(entry.facts.get("lent")),
            explained={"experience": (entry.id,), "status": (entry.id,)},
        )

    def take_void(self, books: Books, entry: PostedEntry) -> None:
        """Keep the record of the pilot whose hiring was undone, out of play."""
        self.take(books, entry)
        books.change_pilot(entry, "status", status=UNDONE)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        if entry.facts.get("lent"):
            return (SentencePart("Borrowed "), entry.p)
        game = f", for {entry.facts['for']}" if entry.facts.get("for") else ""
        return (SentencePart("Hired "), entry.p, SentencePart(f", {entry.facts.get('experience', '')}{game}"))


class Retired(_OfPilot):
    slug = "retired"

    def take(self, books: Books, entry: PostedEntry) -> None:
        if books.pilot_of(entry).status != DEAD:
            books.leave(entry, RETIRED)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (entry.p, SentencePart(" retired"))


class Wounded(_OfPilot):
    slug = "wounded"
    facts = ("by", "misses", "face", "exploded")
    led_to = True

    def take(self, books: Books, entry: PostedEntry) -> None:
        pilot = books.pilot_of(entry)
        books.change_pilot(entry, "wounds", wounds=pilot.wounds + 1)
        if entry.facts.get("misses") and pilot.status in (ACTIVE, WOUNDED):
            books.change_pilot(entry, "status", status=WOUNDED)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        if entry.facts.get("misses"):
            return (entry.p, SentencePart(f" was injured{entry.battle}{_face(entry.facts)} and misses the next game"))
        return (entry.p, SentencePart(f" was wounded{by_whom(entry.facts)}{entry.battle}"))


class Unhurt(_OfPilot):
    slug = "unhurt"
    facts = ("face", "exploded")
    led_to = True

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_pilot(entry, "fates")

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (entry.p, SentencePart(f" got out of the wreck unhurt{entry.battle}{_face(entry.facts)}"))


class Recovered(_OfPilot):
    slug = "recovered"
    led_to = True

    def take(self, books: Books, entry: PostedEntry) -> None:
        if books.pilot_of(entry).status == WOUNDED:
            books.change_pilot(entry, "status", status=ACTIVE)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (entry.p, SentencePart(" has recovered"))


class Died(_OfPilot):
    slug = "died"
    facts = ("face", "exploded", "game_lost")  # `game_lost` only in older entries, which subtracted the last game
    led_to = True

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.leave(entry, DEAD)
        if entry.facts.get("game_lost"):
            books.change_pilot(entry, "games", games=books.pilot_of(entry).games - 1)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (entry.p, SentencePart(f" was killed{entry.battle}{_face(entry.facts)}"))


class Experience(_OfPilot):
    slug = "experience"
    facts = ("count",)

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_pilot(entry, "points", points=books.pilot_of(entry).points + int(entry.facts["count"]))

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (entry.p, SentencePart(f" gained {entry.facts.get('count', 0)} experience{entry.battle}"))


class Promoted(_OfPilot):
    slug = "promoted"
    facts = ("from", "to", "name")
    led_to = True

    def take(self, books: Books, entry: PostedEntry) -> None:
        books.change_pilot(entry, "experience", experience=entry.facts["to"])

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        return (entry.p, SentencePart(f" was promoted to {entry.facts.get('name') or entry.facts.get('to', '')}"))


class SkillRolled(_OfPilot):
    slug = "skill-rolled"
    facts = ("face", "bonus", "needed", "gained", "default")
    led_to = True

    def take(self, books: Books, entry: PostedEntry) -> None:
        pending = books.pilot_of(entry).pending
        earned = (str(entry.facts["default"]),) if entry.facts["gained"] else ()
        books.change_pilot(entry, "skills", pending=(*pending, *earned))

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        facts = entry.facts
        if not facts.get("face"):  # no die was rolled, because the skill came with the level
            return (entry.p, SentencePart(" earned a skill"))
        bonus = f" + {facts['bonus']}" if facts.get("bonus") else ""
        rolled = f" rolled {facts.get('face', '')}{bonus} for a skill, {facts.get('needed', '')} or more needed"
        return (entry.p, SentencePart(f"{rolled}: {'earned a skill' if facts.get('gained') else 'no skill'}"))


class SkillGained(_OfPilot):
    slug = "skill-gained"
    facts = ("skill", "name", "earned", "unasked")
    led_to = True

    def take(self, books: Books, entry: PostedEntry) -> None:
        pilot = books.pilot_of(entry)
        pending = pilot.pending
        if entry.facts.get("earned"):
            if not pending:
                raise ValueError("a skill that was not earned")
            pending = pending[1:]
        books.change_pilot(entry, "skills", skills=(*pilot.skills, entry.facts["skill"]), pending=pending)

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        facts = entry.facts
        unasked = ", chosen for you" if facts.get("unasked") else ""
        return (entry.p, SentencePart(f" gained a skill: {facts.get('name') or facts.get('skill', '')}{unasked}"))


def _face(facts: Mapping[str, object]) -> str:
    if facts.get("face") == 0:
        return " (rolled at the table)"
    if not facts.get("face"):
        return ""
    return f" ({facts['face']} on the fate die{', the reactor exploded' if facts.get('exploded') else ''})"
