"""The toy's units, and what a company may own of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from systems.documents import DocumentError, object_of, unknown_slug
from systems.legality import BillLine, Check, Problem
from systems.roster import (
    Bench,
    BenchChoice,
    CompanyMember,
    PilotCard,
    PilotSpec,
    PublishedDesign,
    RosterSystem,
    ServiceCard,
)
from systems.rulebook import RuleRef

HITS = {"knight": 3, "runner": 2}
POINTS = {"knight": 5, "runner": 3}
NOBODY = PilotSpec("")


@dataclass(frozen=True, slots=True)
class ToySpec:
    kind: str


@dataclass(frozen=True, slots=True)
class ToySheet:
    name: str
    design_name: str
    size: str
    armor: int | None = None
    state: tuple[tuple[str, str], ...] = ()

    @property
    def size_name(self) -> str:
        return self.size.title()

    @property
    def points(self) -> int:
        return POINTS[self.size]

    @property
    def hits(self) -> int:
        return HITS[self.size]

    @property
    def hits_left(self) -> int:
        return HITS[self.size]

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        return (("Hits", str(self.hits)),)


class ToyRosters(RosterSystem[ToySpec, ToySheet]):
    slug = "toy"
    name = "Toy Soldiers"
    prefix = "TY"
    catalogue_release = "1"
    rulebook: Mapping[str, RuleRef] = {
        "TY-001": RuleRef(
            slug="TY-001", title="Strike", kind="battle", status="done", source="ours", text="On a 4 or more it hits."
        )
    }
    published: Mapping[str, PublishedDesign[ToySpec]] = {
        kind: PublishedDesign(kind, kind.title(), ToySpec(kind), POINTS[kind]) for kind in HITS
    }
    scenarios: Mapping[str, Any] = {}
    hire_points: Mapping[str, int] = {}
    level_names: Mapping[str, str] = {}
    skill_names: Mapping[str, str] = {}
    house_rules: Mapping[str, Any] = {}
    frame_first = "knight"
    lab_fields = ("kind",)

    def parse_spec(self, data: object, path: str = "spec") -> ToySpec:
        fields = object_of(data, path)
        kind = str(fields.get("kind"))
        if set(fields) != {"kind"}:
            raise DocumentError(path, "must name the kind and nothing else")
        if kind not in HITS:
            raise unknown_slug(f"{path}.kind", "kind", kind, HITS)
        return ToySpec(kind)

    def spec_json(self, spec: ToySpec) -> dict[str, Any]:
        return {"kind": spec.kind}

    def check_design(self, spec: ToySpec, options: Mapping[str, object] = {}) -> Check:
        return Check(POINTS[spec.kind], bill=(BillLine(spec.kind.title(), POINTS[spec.kind]),))

    def needs_pilot(self, spec: Mapping[str, object]) -> bool:
        return False

    def parse_pilot(self, data: object, path: str = "pilot") -> PilotSpec:
        if data is not None:
            raise DocumentError(path, "toys have no pilots")
        return NOBODY

    def check_pilot(self, pilot: PilotSpec, spec: ToySpec | None = None) -> tuple[Problem, ...]:
        return ()

    def check_company(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[ToySpec]],
        options: Mapping[str, object] = {},
        *,
        side: str | None = None,
        extra_points: int = 0,
    ) -> Check:
        return Check(sum(POINTS[member.spec.kind] for member in members))

    def parse_scenario(self, data: object, path: str = "spec") -> Any:
        raise DocumentError(path, "toys have no scenarios")

    def scenario_json(self, spec: Any) -> dict[str, Any]:
        raise NotImplementedError

    def check_scenario(self, spec: Any) -> Check:
        raise NotImplementedError

    def scenario_sheet(self, spec: Any) -> Any:
        raise NotImplementedError

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
        return ToySheet(name, design_name, spec.kind)

    def hired_as(self, experience: str) -> str:
        return experience

    def is_standing(self, options: Mapping[str, object]) -> bool:
        return False

    def bench(self, spec: ToySpec) -> Bench:
        frames = tuple(
            BenchChoice(slug=kind, name=kind.title(), detail=f"{HITS[kind]} hits", points=POINTS[kind]) for kind in HITS
        )
        return Bench(frames=frames, frame=spec.kind, groups=())

    def bench_spec(self, frame: str, counts: Mapping[str, int], before: Mapping[str, object]) -> dict[str, Any]:
        return {"kind": frame}
