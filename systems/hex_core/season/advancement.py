"""Advancement of pilots in Hex Core: experience, the rank it brings, and its traits (HX-175 to HX-177)."""

from __future__ import annotations

from collections.abc import Sequence

from systems.hex_core.build.hand import INOPERATIVE, MARK, OBJECTS, PARTS, PREY
from systems.hex_core.build.pilots import rank_of
from systems.hex_core.build.spec import MachineSpec
from systems.hex_core.catalogue import CATALOGUE
from systems.season import Career, Flight, Result, SkillRoll

TAKING_PART, SURVIVING_A_WIN, THE_MARK = 1, 1, 2  # HX-176
RANGED_FIRST = ("marksman", "quick-draw", "wary", "ironside", "duellist")
MELEE_FIRST = ("duellist", "wary", "ironside", "quick-draw", "marksman")


def experience_of(flight: Flight[MachineSpec], result: Result) -> int:
    """Return the experience of a pilot who survives a battle. HX-175, HX-176."""
    fate = flight.fate
    has_survived = not fate.is_lost and INOPERATIVE.name not in fate
    return (
        TAKING_PART
        + fate.number(PREY.name)
        + fate.number(PARTS.name)
        + fate.number(OBJECTS.name)
        + (SURVIVING_A_WIN if result == "won" and has_survived else 0)
        + (THE_MARK if MARK.name in fate else 0)
    )


def career_after(flight: Flight[MachineSpec], result: Result, *, is_lost: bool) -> Career:
    """Return the pilot's record with the battle added; a lost pilot gains nothing more."""
    before, kills = flight.before, flight.before.kills + flight.fate.kills
    if is_lost:
        return Career(
            level=before.level, kills=kills, games=before.games + 1, skills=before.skills, points=before.points
        )
    points = before.points + experience_of(flight, result)
    return Career(level=rank_of(points).slug, kills=kills, games=before.games + 1, skills=before.skills, points=points)


def trait_earned(after: Career, spec: MachineSpec) -> SkillRoll | None:
    """Return a trait to choose, if the pilot's rank allows one more; no die is rolled. HX-051, HX-177."""
    known = len(after.skills)
    if known >= CATALOGUE.ranks[after.level].traits or known + len(spec.traits) >= CATALOGUE.limits["traits"].value:
        return None
    return SkillRoll(face=0, bonus=0, needed=0, default=default_trait(after.skills, spec))


def trait_choices(known: Sequence[str]) -> tuple[str, ...]:
    """Return every trait that the pilot has not learned."""
    return tuple(slug for slug in CATALOGUE.traits if slug not in known)


def fits(trait: str, spec: MachineSpec) -> bool:
    """Return whether the machine lacks the trait and can make use of it."""
    if trait in spec.traits:
        return False
    kinds = {armed.kind.kind for armed in spec.weapons}
    return {
        "marksman": "ranged" in kinds,
        "duellist": not spec.is_vehicle,
        "quick-draw": spec.primary_at is not None,
    }.get(trait, True)


def default_trait(known: Sequence[str], spec: MachineSpec) -> str:
    """Return the trait a pilot learns if nobody chooses: those for the primary weapon come first."""
    at = spec.primary_at
    order = RANGED_FIRST if at is not None and spec.weapons[at].kind.is_ranged else MELEE_FIRST
    left = [slug for slug in order if slug not in known]
    return next((slug for slug in left if fits(slug, spec)), left[0])
