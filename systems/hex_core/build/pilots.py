"""Pilots: their rank, and the traits they learn with it (HX-177)."""

from __future__ import annotations

from collections.abc import Iterator

from systems.documents import Document, object_of, parse_document, refuse_unknown
from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.catalogue.types import Rank
from systems.legality import Problem, pluralize
from systems.roster import PilotSpec

from .legality import LIMITS
from .spec import MachineSpec

FIRST_RANK = next(iter(CATALOGUE.ranks))


class PilotFields(Document):
    experience: str = FIRST_RANK
    skills: list[str] = []


def rank_of(experience: int) -> Rank:
    """Return the highest rank for this experience."""
    return [rank for rank in CATALOGUE.ranks.values() if experience >= rank.experience][-1]


def parse_pilot(data: object, path: str = "pilot") -> PilotSpec:
    """Return the pilot by rank and learned traits; None is a Rookie. Raises DocumentError."""
    if data is None:
        return PilotSpec(FIRST_RANK)
    fields = parse_document(PilotFields, object_of(data, path), path)
    refuse_unknown(f"{path}.experience", "rank", fields.experience, CATALOGUE.ranks)
    for at, slug in enumerate(fields.skills):
        refuse_unknown(f"{path}.skills[{at}]", "trait", slug, CATALOGUE.traits)
    return PilotSpec(fields.experience, tuple(fields.skills))


def check_pilot(pilot: PilotSpec, spec: MachineSpec | None = None) -> tuple[Problem, ...]:
    """Return every problem of a pilot's learned traits, given those the machine came with. HX-051, HX-177."""
    return tuple(_pilot_problems(pilot, spec))


def learned_cost(pilot: PilotSpec | None) -> int:
    """Return the Deployment Cost that a pilot's traits add to their machine. HX-177."""
    return sum(CATALOGUE.traits[slug].cost for slug in pilot.skills) if pilot else 0


def _pilot_problems(pilot: PilotSpec, spec: MachineSpec | None) -> Iterator[Problem]:
    rank = CATALOGUE.ranks[pilot.experience]
    if len(pilot.skills) > rank.traits:
        message = f"A {rank.name} has learned {pluralize(rank.traits, 'trait')}, not {len(pilot.skills)}."
        yield Problem(CATALOGUE.refusals["rank-traits"].rule, message, "pilot.skills", "rank-traits")
    traits = (*(spec.traits if spec else ()), *pilot.skills)
    if len(traits) > LIMITS["traits"] and pilot.skills:
        message = f"With his own he has {len(traits)} traits; {LIMITS['traits']} are the most."
        yield Problem("HX-051", message, "pilot.skills", "traits-over-2")
    for slug in dict.fromkeys(slug for slug in pilot.skills if traits.count(slug) > 1):
        yield Problem("HX-051", f"{CATALOGUE.traits[slug].name} is taken once.", "pilot.skills", "option-not-allowed")
