"""The datasheet and the pocket card of a machine: plain frozen facts that page, print and text are all drawn from (ledger 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from systems.documents import Document, object_of, parse_document
from systems.roster import PilotCard, ServiceCard

from .spec import MachineSpec


class Condition(Document):
    """What a machine brings to a battle; nothing given is nothing wrong."""

    repair: bool = False  # it misses the battle. HX-179


@dataclass(frozen=True, slots=True, kw_only=True)
class Datasheet:
    name: str
    design_name: str
    company: str
    size: str  # slug of the core type
    size_name: str
    points: int
    hits: int
    in_repair: bool
    pilot: PilotCard | None
    service: ServiceCard | None
    armor: None = None

    @property
    def hits_left(self) -> int:
        """No damage stays between battles. HX-178."""
        return self.hits

    @property
    def state(self) -> tuple[tuple[str, str], ...]:
        return (("In repair", "misses the next battle"),) if self.in_repair else ()

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        return ()


def parse_condition(data: object, path: str = "condition") -> Condition:
    """The condition of a machine; raises DocumentError."""
    return parse_document(Condition, object_of(data, path), path)


def condition_told(data: Mapping[str, object]) -> str:
    """What is wrong with a machine, in a few words."""
    return "in repair" if parse_condition(data).repair else ""


def machine_datasheet(
    spec: MachineSpec,
    *,
    name: str,
    design_name: str,
    company: str = "",
    pilot: PilotCard | None = None,
    condition: Condition | None = None,
    service: ServiceCard | None = None,
) -> Datasheet:
    """Everything that sheet and card show, of a legal build or one with problems."""
    return Datasheet(
        name=name,
        design_name=design_name,
        company=company,
        size=spec.core,
        size_name=spec.frame.name,
        points=spec.cost,
        hits=spec.total_dp,
        in_repair=condition is not None and condition.repair,
        pilot=pilot,
        service=service,
    )
