"""The specs of Meks and pilots, read from JSON values with every slug known."""

from dataclasses import dataclass
from typing import Annotated

import pydantic

from systems.documents import Document, DocumentError, object_of, parse_document, refuse_unknown
from systems.meks_and_mercs.catalogue import CATALOGUE, CATALOGUES
from systems.meks_and_mercs.catalogue.types import SIZES, Catalogue, Chassis, System, Weapon
from systems.releases import FIRST_RELEASE
from systems.roster import PilotSpec

MAX_ENTRIES = 24
Slugs = Annotated[tuple[str, ...], pydantic.Field(max_length=MAX_ENTRIES)]


@dataclass(frozen=True, slots=True)
class MekSpec:
    """A build, with the figures of one release; its weapons and its systems are in slot order."""

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
    """Read the build. Raises DocumentError with the path of the first fault."""
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
    """Read the pilot; None is a Regular without skills. Raises DocumentError."""
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
