"""The spec of a unit and its pilot, parsed from JSON values with every slug checked."""

from dataclasses import dataclass
from typing import Annotated

import pydantic

from systems.documents import Document, DocumentError, object_of, parse_document, refuse_unknown
from systems.mech_campaign.catalogue import CATALOGUE, UnitKind
from systems.roster import PilotSpec

FIRST_RANK = next(iter(CATALOGUE.ranks))
MAX_TEXT = 60  # maximum characters of an armament or a base vehicle's name
Text = Annotated[str, pydantic.Field(max_length=MAX_TEXT, pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$")]


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """A unit as bought: its kind, and texts that don't affect the rules. MC-011, MC-014."""

    kind: str
    armament: str = ""
    base_vehicle: str = ""  # for drones only

    @property
    def unit_kind(self) -> UnitKind:
        return CATALOGUE.unit_kinds[self.kind]


class SpecFields(Document):
    kind: str
    armament: Text = ""
    base_vehicle: Text = ""


class PilotFields(Document):
    experience: str = FIRST_RANK
    skills: tuple[str, ...] = ()


def parse_spec(data: object, path: str = "spec") -> UnitSpec:
    """Return the unit; raises DocumentError with the path of the first fault."""
    fields = parse_document(SpecFields, object_of(data, path), path)
    refuse_unknown(f"{path}.kind", "unit kind", fields.kind, CATALOGUE.unit_kinds)
    return UnitSpec(fields.kind, " ".join(fields.armament.split()), " ".join(fields.base_vehicle.split()))


def spec_json(spec: UnitSpec) -> dict[str, object]:
    """Return the spec as JSON values, without empty texts."""
    words = {"armament": spec.armament, "base_vehicle": spec.base_vehicle}
    return {"kind": spec.kind, **{name: text for name, text in words.items() if text}}


def parse_pilot(data: object, path: str = "pilot") -> PilotSpec:
    """Return the pilot by rank; None gives a rookie. Raises DocumentError."""
    if data is None:
        return PilotSpec(FIRST_RANK)
    fields = parse_document(PilotFields, object_of(data, path), path)
    refuse_unknown(f"{path}.experience", "rank", fields.experience, CATALOGUE.ranks)
    if fields.skills:
        raise DocumentError(f"{path}.skills", "pilots have no skills in this system")
    return PilotSpec(fields.experience)
