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
    Fact,
    Kind,
    Part,
    PilotRecord,
    UnitRecord,
)
from systems.pilots import PILOT_TEXTS, recorded_texts
from systems.text import with_article


class _OfUnit(Kind):
    concerns = "unit"


class Bought(_OfUnit):
    slug = "bought"
    facts = ("name", "design", "spec", "bill", "release", "loan", "lent")

    def take(self, books: Books, fact: Fact) -> None:
        self._enter(books, fact)
        if loan := int(fact.facts.get("loan", 0)):
            books.change_company(debt=books.company.debt + loan)

    def take_void(self, books: Books, fact: Fact) -> None:
        """Keep the record of the unit whose purchase was undone, out of play."""
        self._enter(books, fact)
        books.change_unit(fact, status=UNDONE, pilot=None)

    def _enter(self, books: Books, fact: Fact) -> None:
        if fact.unit is None or fact.unit in books.units:
            raise ValueError("a unit is bought once")
        number = (
            books.company.bought + 1
        )  # also counts undone purchases, so that printed numbers of later units stay right
        books.change_company(bought=number)
        books.units[fact.unit] = UnitRecord(
            id=fact.unit,
            name=fact.facts["name"],
            design_name=fact.facts["design"],
            spec=fact.facts["spec"],
            paid=-fact.points,
            lent=bool(fact.facts.get("lent")),
            founding=not books.company.games,
            number=number,
        )

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        verb = "Borrowed " if entry.facts.get("loan") or entry.facts.get("lent") else "Bought "
        design = str(entry.facts.get("design", ""))
        is_name_of_design = str(entry.facts.get("name", "")).casefold() == design.casefold()
        return (Part(verb), entry.u, *(() if is_name_of_design else (Part(f", {with_article(design)}"),)))


class Sold(_OfUnit):
    slug = "sold"
    facts = ("paid", "games")

    def take(self, books: Books, fact: Fact) -> None:
        books.change_unit(fact, status=SOLD, pilot=None)

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        return (Part("Sold "), entry.u)


class Assigned(_OfUnit):
    """A pilot is assigned to a unit, and leaves their former one."""

    slug = "assigned"
    facts = ("from", "to")

    def take(self, books: Books, fact: Fact) -> None:
        pilot = fact.pilot
        if pilot is not None:
            books.empty_seats(pilot)
            if books.pilots[pilot].status not in (ACTIVE, WOUNDED):
                pilot = None
        if fact.unit is not None and books.units[fact.unit].status != READY:
            pilot = None
        paid = books.unit_of(fact).paid - fact.points  # a new pilot may raise the price of a new unit
        books.change_unit(fact, pilot=pilot, paid=paid)

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        if entry.pilot:
            return (Part("Put "), entry.p, Part(" in "), entry.u)
        return (Part(f"Took {entry.facts.get('from') or 'the pilot'} out of "), entry.u)


class _Condition(_OfUnit):
    """Base class of entries with a unit's condition before and after. A game may describe them in its own words."""

    facts: ClassVar[tuple[str, ...]] = ("from", "to", "told", "face")

    def take(self, books: Books, fact: Fact) -> None:
        books.change_unit(fact, condition=fact.facts["to"])

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        text = entry.facts.get("told")
        return (entry.u, Part(f" {text}{entry.battle}")) if text else self._plainly(entry)

    def _plainly(self, entry: Entry) -> tuple[Part, ...]:
        raise NotImplementedError


class Damaged(_Condition):
    slug = "damaged"

    def _plainly(self, entry: Entry) -> tuple[Part, ...]:
        return (entry.u, Part(f" came home damaged{entry.battle}"))


class Repaired(_Condition):
    slug = "repaired"
    facts = (*_Condition.facts, "bill")

    def _plainly(self, entry: Entry) -> tuple[Part, ...]:
        return (Part("Repaired "), entry.u)


class Refitted(_OfUnit):
    """A unit is refitted to another spec; the cost is added to its price."""

    slug = "refitted"
    facts = ("from", "to", "design", "bill", "release")

    def take(self, books: Books, fact: Fact) -> None:
        unit = books.unit_of(fact)
        books.change_unit(fact, spec=fact.facts["to"], design_name=fact.facts["design"], paid=unit.paid - fact.points)

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        return (Part("Refitted "), entry.u, Part(f" as {with_article(str(entry.facts.get('design', '')))}"))


class Destroyed(_Condition):
    slug = "destroyed"
    facts = (*_Condition.facts, "by", "cause")

    def take(self, books: Books, fact: Fact) -> None:
        books.change_unit(fact, status=DESTROYED, condition=fact.facts["to"], pilot=None)

    def _plainly(self, entry: Entry) -> tuple[Part, ...]:
        return (entry.u, Part(f" was destroyed{describe_loss(entry.facts)}{entry.battle}"))


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

    def take(self, books: Books, fact: Fact) -> None:
        if fact.pilot is None or fact.pilot in books.pilots:
            raise ValueError("a pilot is hired once")
        books.pilots[fact.pilot] = PilotRecord(
            id=fact.pilot,
            **recorded_texts(fact.facts),
            experience=fact.facts["experience"],
            paid=-fact.points,
            lent=bool(fact.facts.get("lent")),
            explained={"experience": (fact.id,), "status": (fact.id,)},
        )

    def take_void(self, books: Books, fact: Fact) -> None:
        """Keep the record of the pilot whose hiring was undone, out of play."""
        self.take(books, fact)
        books.change_pilot(fact, "status", status=UNDONE)

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        if entry.facts.get("lent"):
            return (Part("Borrowed "), entry.p)
        game = f", for {entry.facts['for']}" if entry.facts.get("for") else ""
        return (Part("Hired "), entry.p, Part(f", {entry.facts.get('experience', '')}{game}"))


class Retired(_OfPilot):
    slug = "retired"

    def take(self, books: Books, fact: Fact) -> None:
        if books.pilot_of(fact).status != DEAD:
            books.leave(fact, RETIRED)

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        return (entry.p, Part(" retired"))


class Wounded(_OfPilot):
    slug = "wounded"
    facts = ("by", "misses", "face", "exploded")
    led_to = True

    def take(self, books: Books, fact: Fact) -> None:
        pilot = books.pilot_of(fact)
        books.change_pilot(fact, "wounds", wounds=pilot.wounds + 1)
        if fact.facts.get("misses") and pilot.status in (ACTIVE, WOUNDED):
            books.change_pilot(fact, "status", status=WOUNDED)

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        if entry.facts.get("misses"):
            return (entry.p, Part(f" was injured{entry.battle}{_face(entry.facts)} and misses the next game"))
        return (entry.p, Part(f" was wounded{by_whom(entry.facts)}{entry.battle}"))


class Unhurt(_OfPilot):
    slug = "unhurt"
    facts = ("face", "exploded")
    led_to = True

    def take(self, books: Books, fact: Fact) -> None:
        books.change_pilot(fact, "fates")

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        return (entry.p, Part(f" got out of the wreck unhurt{entry.battle}{_face(entry.facts)}"))


class Recovered(_OfPilot):
    slug = "recovered"
    led_to = True

    def take(self, books: Books, fact: Fact) -> None:
        if books.pilot_of(fact).status == WOUNDED:
            books.change_pilot(fact, "status", status=ACTIVE)

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        return (entry.p, Part(" is fit again"))


class Died(_OfPilot):
    slug = "died"
    facts = ("face", "exploded", "game_lost")  # `game_lost` only in older entries, which subtracted the last game
    led_to = True

    def take(self, books: Books, fact: Fact) -> None:
        books.leave(fact, DEAD)
        if fact.facts.get("game_lost"):
            books.change_pilot(fact, "games", games=books.pilot_of(fact).games - 1)

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        return (entry.p, Part(f" was killed{entry.battle}{_face(entry.facts)}"))


class Experience(_OfPilot):
    slug = "experience"
    facts = ("count",)

    def take(self, books: Books, fact: Fact) -> None:
        books.change_pilot(fact, "points", points=books.pilot_of(fact).points + int(fact.facts["count"]))

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        return (entry.p, Part(f" gained {entry.facts.get('count', 0)} experience{entry.battle}"))


class Promoted(_OfPilot):
    slug = "promoted"
    facts = ("from", "to", "name")
    led_to = True

    def take(self, books: Books, fact: Fact) -> None:
        books.change_pilot(fact, "experience", experience=fact.facts["to"])

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        return (entry.p, Part(f" was promoted to {entry.facts.get('name') or entry.facts.get('to', '')}"))


class SkillRolled(_OfPilot):
    slug = "skill-rolled"
    facts = ("face", "bonus", "needed", "gained", "default")
    led_to = True

    def take(self, books: Books, fact: Fact) -> None:
        pending = books.pilot_of(fact).pending
        earned = (str(fact.facts["default"]),) if fact.facts["gained"] else ()
        books.change_pilot(fact, "skills", pending=(*pending, *earned))

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        facts = entry.facts
        if not facts.get("face"):  # no die was rolled, because the skill came with the level
            return (entry.p, Part(" earned a skill"))
        bonus = f" + {facts['bonus']}" if facts.get("bonus") else ""
        rolled = f" rolled {facts.get('face', '')}{bonus} for a skill, {facts.get('needed', '')} or more needed"
        return (entry.p, Part(f"{rolled}: {'earned a skill' if facts.get('gained') else 'no skill'}"))


class SkillGained(_OfPilot):
    slug = "skill-gained"
    facts = ("skill", "name", "earned", "unasked")
    led_to = True

    def take(self, books: Books, fact: Fact) -> None:
        pilot = books.pilot_of(fact)
        pending = pilot.pending
        if fact.facts.get("earned"):
            if not pending:
                raise ValueError("a skill that was not earned")
            pending = pending[1:]
        books.change_pilot(fact, "skills", skills=(*pilot.skills, fact.facts["skill"]), pending=pending)

    def describe(self, entry: Entry) -> tuple[Part, ...]:
        facts = entry.facts
        unasked = ", as nobody chose" if facts.get("unasked") else ""
        return (entry.p, Part(f" gained a skill: {facts.get('name') or facts.get('skill', '')}{unasked}"))


def _face(facts: Mapping[str, object]) -> str:
    if facts.get("face") == 0:
        return " (rolled at the table)"
    if not facts.get("face"):
        return ""
    return f" ({facts['face']} on the fate die{', the reactor exploded' if facts.get('exploded') else ''})"
