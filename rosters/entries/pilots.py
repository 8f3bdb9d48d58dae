"""Entries about a pilot: hired, wounded, promoted, gone; and skills."""

from __future__ import annotations

from collections.abc import Mapping

from rosters.entries.units import by_whom
from systems.ledger import ACTIVE, DEAD, RETIRED, UNDONE, WOUNDED, Books, Entry, Fact, Kind, Part, PilotRecord


class _OfPilot(Kind):
    concerns = "pilot"
    in_career = True


class Hired(_OfPilot):
    slug = "hired"
    facts = ("name", "callsign", "experience", "lent", "for")

    def take(self, books: Books, fact: Fact) -> None:
        if fact.pilot is None or fact.pilot in books.pilots:
            raise ValueError("a pilot is hired once")
        books.pilots[fact.pilot] = PilotRecord(
            id=fact.pilot,
            name=fact.facts["name"],
            callsign=fact.facts["callsign"],
            experience=fact.facts["experience"],
            paid=-fact.points,
            lent=bool(fact.facts.get("lent")),
            explained={"experience": (fact.id,), "status": (fact.id,)},
        )

    def take_void(self, books: Books, fact: Fact) -> None:
        """Keep the pilot of an undone hiring as a record out of play."""
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
    facts = ("face", "exploded", "game_lost")  # the last one only in older entries, which subtracted the last game
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
        if not facts.get("face"):  # it came with the level, without a die
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
