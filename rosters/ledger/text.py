"""Ledger entries as sentences for the reader, in parts so that a page can link what they name. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from systems.legality import BillLine
from systems.words import PLAIN, SystemWords, counted


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence; at most one of unit and pilot says where it leads."""

    text: str
    unit: int | None = None
    pilot: int | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """A unit or pilot that an entry names."""

    id: int
    name: str


def sentence(
    kind: str,
    facts: Mapping[str, Any],
    unit: Subject | None,
    pilot: Subject | None,
    words: SystemWords = PLAIN,
) -> tuple[Part, ...]:
    """What happened, in the past tense and without a full stop; `words` are those of the company's rule system."""
    u = Part(unit.name, unit=unit.id) if unit else Part("a unit")
    p = Part(pilot.name, pilot=pilot.id) if pilot else Part("a pilot")
    battle = f" at {facts['battle']}" if facts.get("battle") else ""
    match kind:
        case "founded":
            return (Part("Founded the company"),)
        case "changed":
            return (Part(f"Changed {_settings(facts)}"),)
        case "disbanded":
            return (Part("Disbanded the company"),)
        case "bought":
            verb = "Borrowed " if facts.get("loan") or facts.get("lent") else "Bought "
            return (Part(verb), u, Part(f", a {facts.get('design', '')}"))
        case "sold":
            return (Part("Sold "), u)
        case "hired" if facts.get("lent"):
            return (Part("Borrowed "), p)
        case "hired":
            return (Part("Hired "), p, Part(f", {facts.get('experience', '')}"))
        case "retired":
            return (p, Part(" retired"))
        case "assigned" if pilot:
            return (Part("Put "), p, Part(" in "), u)
        case "assigned":
            return (Part(f"Took {facts.get('from') or 'the pilot'} out of "), u)
        case "renamed":
            return (Part(f"Renamed {_name(facts.get('from'))} to {_name(facts.get('to'))}"),)
        case "fought":
            lost = f" and lost it{loss_told(facts, 'to')}" if pilot and facts.get("lost") else ""
            end = f"{battle}, {facts['told']}" if facts.get("told") else battle
            return (p, Part(" fought in "), u, Part(f"{lost}{end}")) if pilot else (u, Part(f" fought{end}"))
        case "kill":
            count = facts.get("count", 1)
            what = ", ".join(facts.get("victims") or ()) or ("1 kill" if count == 1 else f"{count} kills")
            verb = " destroyed " if facts.get("victims") else " scored "
            return (p if pilot else u, Part(f"{verb}{what}{battle}"))
        case "damaged" | "destroyed" | "repaired" if facts.get("told"):
            return (u, Part(f" {facts['told']}{battle}"))
        case "damaged":
            return (u, Part(f" came home damaged{battle}"))
        case "destroyed":
            return (u, Part(f" was destroyed{loss_told(facts)}{battle}"))
        case "wounded" if facts.get("misses"):
            return (p, Part(f" was injured{battle}{_face(facts)} and misses the next game"))
        case "wounded":
            return (p, Part(f" was wounded{_by(facts)}{battle}"))
        case "unhurt":
            return (p, Part(f" got out of the wreck unhurt{battle}{_face(facts)}"))
        case "recovered":
            return (p, Part(" is fit again"))
        case "died":
            return (p, Part(f" was killed{battle}{_face(facts)}"))
        case "skill-rolled":
            return (p, Part(_skill_roll(facts)))
        case "skill-gained":
            unasked = ", as nobody chose" if facts.get("unasked") else ""
            return (p, Part(f" gained a skill: {facts.get('name') or facts.get('skill', '')}{unasked}"))
        case "experience":
            return (p, Part(f" gained {facts.get('count', 0)} experience{battle}"))
        case "returned":
            return (Part("Gave "), u if unit else p, Part(" back to the house"))
        case "promoted":
            return (p, Part(f" was promoted to {facts.get('name') or facts.get('to', '')}"))
        case "game":
            return (Part(_game(facts, battle, words)),)
        case "repaired":
            return (Part("Repaired "), u)
        case "adjusted":
            return (Part(f"Adjusted: {facts.get('reason', 'no reason given')}"),)
    return (Part(kind),)


def booked_anew(facts: Mapping[str, Any], said: tuple[Part, ...]) -> tuple[Part, ...]:
    """The sentence, with the ruling that made the entry stand where another one stood."""
    about = facts.get("ruling")
    return (*said, Part(f" (booked anew by a ruling on {about})")) if about and "place" in facts else said


def reversal(facts: Mapping[str, Any], said: tuple[Part, ...]) -> tuple[Part, ...]:
    """That an entry was reversed, and by what; `said` is the sentence of the reversed one."""
    about = facts.get("ruling")
    return (Part(f"Reversed by a ruling on {about}: " if about else "Took back: "), *said)


def bill_of(facts: Mapping[str, Any]) -> tuple[BillLine, ...]:
    """The lines that an entry's points add up from; most entries have none."""
    return tuple(BillLine(str(label), int(points)) for label, points in facts.get("bill", ()))


def plain(parts: tuple[Part, ...]) -> str:
    """The sentence as text."""
    return "".join(part.text for part in parts)


def _name(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{value.get('name', '')}{' “' + value['callsign'] + '”' if value.get('callsign') else ''}"
    return str(value)


def _by(facts: Mapping[str, Any], word: str = "by") -> str:
    return f" {word} {facts['by']}" if facts.get("by") else ""


def loss_told(facts: Mapping[str, Any], word: str = "by") -> str:
    """What destroyed a unit, as an entry kept it, with a space before it; older entries kept who did it alone."""
    return f" ({facts['cause']})" if facts.get("cause") else _by(facts, word)


def _face(facts: Mapping[str, Any]) -> str:
    if facts.get("face") == 0:
        return " (rolled at the table)"
    if not facts.get("face"):
        return ""
    return f" ({facts['face']} on the fate die{', the reactor exploded' if facts.get('exploded') else ''})"


def _skill_roll(facts: Mapping[str, Any]) -> str:
    bonus = f" + {facts['bonus']}" if facts.get("bonus") else ""
    end = "earned a skill" if facts.get("gained") else "no skill"
    return f" rolled {facts.get('face', '')}{bonus} for a skill, {facts.get('needed', '')} or more needed: {end}"


def _game(facts: Mapping[str, Any], battle: str, words: SystemWords) -> str:
    kept = f", {facts['repaid']} of it kept by the house" if facts.get("repaid") else ""
    income = f", {facts['income']} {words.money} income{kept}" if facts.get("income") else ""
    points = counted(facts.get("season_points", 0), words.season_points)
    gifts = "".join(f", {face} points of a rich uncle" for face in facts.get("gifts") or ())
    lapsed = f", {facts['lapsed']} {words.founding_money} left from the founding lapsed" if facts.get("lapsed") else ""
    support = f"; support used: {', '.join(facts['support'])}" if facts.get("support") else ""
    return f"{str(facts.get('result', '')).capitalize()}{battle}: {points}{income}{gifts}{lapsed}{support}"


def _settings(facts: Mapping[str, Any]) -> str:
    new = facts.get("to", {})
    return ", ".join(f"{key} to “{value}”" if value else f"{key} to nothing" for key, value in new.items())
