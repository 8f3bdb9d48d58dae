"""The toys as the shared code meets them: no pilots, no skills, no house rules, no limits, no scenarios of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from systems.documents import DocumentError, object_of, unknown_slug
from systems.legality import BillLine, Check
from systems.roster import Bench, BenchChoice, PilotCard, PublishedDesign, RosterSystem, ServiceCard
from systems.rulebook import load_rulebook
from tests.toy.catalogue import RELEASE, UNITS, Toy


@dataclass(frozen=True, slots=True)
class ToySpec:
    kind: str

    @property
    def toy(self) -> Toy:
        return UNITS[self.kind]


@dataclass(frozen=True, slots=True)
class ToySheet:
    """What pages and paper show of a toy; it has no armor, and no damage stays."""

    name: str
    design_name: str
    company: str
    size: str
    size_name: str
    hits: int
    points: int
    armor: None = None
    state: tuple[tuple[str, str], ...] = ()

    @property
    def hits_left(self) -> int:
        return self.hits

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        return (("Hits", str(self.hits)),)


class ToyRosters(RosterSystem[ToySpec, ToySheet]):
    slug = "toy"
    name = "Toy Soldiers"
    prefix = "TY"
    catalogue_release = RELEASE
    rulebook = load_rulebook(Path(__file__).parents[1] / "rulebook.toml")
    published: Mapping[str, PublishedDesign[ToySpec]] = {
        toy.slug: PublishedDesign(toy.slug, toy.name, ToySpec(toy.slug), toy.points) for toy in UNITS.values()
    }
    frame_first = "knight"
    lab_fields = ("kind",)

    def parse_spec(self, data: object, path: str = "spec") -> ToySpec:
        fields = object_of(data, path)
        kind = str(fields.get("kind"))
        if set(fields) != {"kind"}:
            raise DocumentError(path, "must name the kind and nothing else")
        if kind not in UNITS:
            raise unknown_slug(f"{path}.kind", "kind", kind, UNITS)
        return ToySpec(kind)

    def spec_json(self, spec: ToySpec) -> dict[str, Any]:
        return {"kind": spec.kind}

    def check_design(self, spec: ToySpec, options: Mapping[str, object] = {}) -> Check:
        """TY-003."""
        return Check(spec.toy.points, bill=(BillLine(spec.toy.name, spec.toy.points),))

    def datasheet(
        self,
        spec: ToySpec,
        *,
        name: str,
        design_name: str,
        company: str = "",
        pilot: PilotCard | None = None,
        condition: Mapping[str, object] = {},
        options: Mapping[str, object] = {},
        service: ServiceCard | None = None,
    ) -> ToySheet:
        toy = spec.toy
        return ToySheet(name, design_name, company, toy.counter, toy.name, toy.hits, toy.points)

    def bench(self, spec: ToySpec) -> Bench:
        frames = (
            BenchChoice(slug=toy.slug, name=toy.name, detail=f"{toy.hits} hits", points=toy.points)
            for toy in UNITS.values()
        )
        return Bench(frames=tuple(frames), frame=spec.kind, groups=())

    def bench_spec(self, frame: str, counts: Mapping[str, int], before: Mapping[str, object]) -> dict[str, Any]:
        return {"kind": frame}


SYSTEM = ToyRosters()
