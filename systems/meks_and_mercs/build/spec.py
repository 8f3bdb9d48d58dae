"""Specs of Meks and pilots, effects of a pilot's level and skills, and costs as bills whose lines add up."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import pydantic

from systems.catalogue import FIRST_RELEASE
from systems.documents import Document, DocumentError, object_of, parse_document, refuse_unknown
from systems.legality import BillLine
from systems.meks_and_mercs.catalogue import (
    CATALOGUE,
    CATALOGUES,
    SIZES,
    Catalogue,
    Chassis,
    Level,
    PublishedMek,
    Skill,
    System,
    Weapon,
)
from systems.meks_and_mercs.options import BY_THE_BOOK, Options
from systems.roster import PilotSpec

MAX_ENTRIES = 24
Slugs = Annotated[tuple[str, ...], pydantic.Field(max_length=MAX_ENTRIES)]


@dataclass(frozen=True, slots=True)
class MekSpec:
    """A build, with one release's figures; weapons and systems are in slot order."""

    chassis: str
    weapons: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    release: str = FIRST_RELEASE

    @property
    def catalogue(self) -> Catalogue:
        return CATALOGUES[self.release]

    @property
    def frame(self) -> Chassis:
        return self.catalogue.chassis[self.chassis]

    @property
    def armament(self) -> tuple[Weapon, ...]:
        return tuple(self.catalogue.weapons[slug] for slug in self.weapons)

    @property
    def fittings(self) -> tuple[System, ...]:
        return tuple(self.catalogue.systems[slug] for slug in self.systems)

    @property
    def heat_rating(self) -> int:
        """Heat rating of chassis and heat sinks. MM-058."""
        return self.frame.heat_rating + sum(system.heat_rating for system in self.fittings)


class SpecFields(Document):
    chassis: str
    weapons: Slugs = ()
    systems: Slugs = ()


class PilotFields(Document):
    experience: str = "regular"
    skills: Slugs = ()


def parse_spec(data: object, path: str = "spec", release: str = FIRST_RELEASE) -> MekSpec:
    """Read a build. Raises DocumentError with the path of the first fault."""
    catalogue = CATALOGUES[release]
    fields = parse_document(SpecFields, object_of(data, path), path)
    refuse_unknown(f"{path}.chassis", "chassis", fields.chassis, catalogue.chassis)
    for at, slug in enumerate(fields.weapons):
        refuse_unknown(f"{path}.weapons[{at}]", "weapon", slug, catalogue.weapons)
    for at, slug in enumerate(fields.systems):
        refuse_unknown(f"{path}.systems[{at}]", "system", slug, catalogue.systems)
    return MekSpec(fields.chassis, fields.weapons, fields.systems, release)


def spec_json(spec: MekSpec) -> dict[str, object]:
    return {"chassis": spec.chassis, "weapons": list(spec.weapons), "systems": list(spec.systems)}


def parse_pilot(data: object, path: str = "pilot") -> PilotSpec:
    """Read a pilot; None is a Regular without skills. Raises DocumentError."""
    if data is None:
        return PilotSpec("regular")
    fields = parse_document(PilotFields, object_of(data, path), path)
    refuse_unknown(f"{path}.experience", "experience", fields.experience, CATALOGUE.levels)
    for at, slug in enumerate(fields.skills):
        if slug == "chassis-familiarity":
            sizes = ", ".join(f"{slug}-{size}" for size in SIZES)
            raise DocumentError(f"{path}.skills[{at}]", f"this skill is taken for one size: {sizes}")
        refuse_unknown(f"{path}.skills[{at}]", "skill", slug, CATALOGUE.skills)
    return PilotSpec(fields.experience, fields.skills)


def purchases(weapon: Weapon, count: int) -> int:
    """Return the number of purchases for `count` weapons; CIWS come in pairs. MM-008."""
    return -(-count // weapon.pack)


def mek_bill(spec: MekSpec, options: Options) -> tuple[BillLine, ...]:
    """Return chassis, weapons and systems of a Mek, and any house rule that changes the sum. MM-002, MM-007."""
    lines = [BillLine(f"{spec.frame.name} chassis", spec.frame.points)]
    for slug, count in Counter(spec.weapons).items():
        weapon = spec.catalogue.weapons[slug]
        bought = purchases(weapon, count)
        label = f"{weapon.name} (pair)" if weapon.pack == 2 else weapon.name
        lines.append(BillLine(_times(label, bought), weapon.points * bought))
    for slug, count in Counter(spec.systems).items():
        system = spec.catalogue.systems[slug]
        lines.append(BillLine(_times(system.name, count), system.points_on(spec.frame) * count))
    published = published_as(spec)
    if published and published.printed_points_option and options.is_set(published.printed_points_option):
        difference = published.printed_points - sum(line.points for line in lines)
        lines.append(BillLine(f"House rule: {published.name} at its printed points", difference))
    return tuple(lines)


def mek_points(spec: MekSpec, options: Options = BY_THE_BOOK) -> int:
    """Return the points needed to field a Mek."""
    return sum(line.points for line in mek_bill(spec, options))


@lru_cache(maxsize=4096)
def published_as(spec: MekSpec) -> PublishedMek | None:
    """Return the published Mek with the same parts in any order."""
    for mek in spec.catalogue.published.values():
        if mek.chassis == spec.chassis and all(
            Counter(theirs) == Counter(ours)
            for theirs, ours in ((mek.weapons, spec.weapons), (mek.systems, spec.systems))
        ):
            return mek
    return None


def _times(label: str, count: int) -> str:
    return label if count == 1 else f"{count} × {label}"


@dataclass(frozen=True, slots=True)
class PilotEffect:
    """Permanent modifiers; skills that work once a round are applied in battle."""

    movement: int = 0
    to_hit: int = 0
    heat_rating: int = 0


def pilot_effect(experience: str, skills: tuple[str, ...], chassis: str) -> PilotEffect:
    """Return the effect of level, Maneuver and familiarity with this size. MM-028, MM-044, MM-058."""
    level: Level = CATALOGUE.levels[experience]
    working = [skill for skill in known_skills(skills) if skill.chassis in (None, chassis)]
    return PilotEffect(
        movement=level.movement + sum(skill.movement_bonus for skill in working),
        to_hit=level.to_hit,
        heat_rating=sum(skill.heat_rating for skill in working),
    )


def known_skills(skills: tuple[str, ...]) -> tuple[Skill, ...]:
    """Return the skills, each once, in the order gained."""
    return tuple(CATALOGUE.skills[slug] for slug in dict.fromkeys(skills))
