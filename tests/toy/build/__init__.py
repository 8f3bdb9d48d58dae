"""Toy Soldiers' rosters: no pilots, skills, house rules, limits or own scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from systems.catalogue import of_release
from systems.design_editor import DesignEditor, EditorChoice
from systems.documents import DocumentError, object_of, unknown_slug
from systems.legality import BillLine, Check
from systems.report_fields import DESTROYED, HITS_LOST, KILLS, CountField, HandTerms, TickField
from systems.roster import PilotCard, PublishedDesign, RosterSystem, ServiceCard
from systems.rulebook import load_rulebook
from tests.toy.catalogue import FOLDER, Shelf, Toy, shelf_of

HAND = HandTerms(
    asks=(
        KILLS.called("knock-outs"),
        CountField(name="springs_broken", label="springs broken", phrase="{answer} of its springs broken", most=8),
        HITS_LOST.called("dents"),
        DESTROYED.called("knocked out"),
        TickField(name="under_the_sofa", label="under the sofa", phrase="found under the sofa"),
    ),
    hits="Dents",
)


@dataclass(frozen=True, slots=True)
class ToySpec:
    """A kind of toy, with the figures of one release."""

    kind: str
    toy: Toy


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
    rulebook = load_rulebook(Path(__file__).parents[1] / "rulebook.toml")
    frame_first = "knight"
    lab_fields = ("kind",)

    def __init__(self, folder: Path = FOLDER, release: str = "") -> None:
        self.folder = folder
        self.shelf: Shelf = shelf_of(folder)
        self.releases = self.shelf.releases
        self.catalogue_release = release or self.newest
        self.units = self.shelf.units[self.catalogue_release]
        self.retired = self.shelf.retired[self.catalogue_release]
        self.published: Mapping[str, PublishedDesign[ToySpec]] = {
            toy.slug: PublishedDesign(toy.slug, toy.name, ToySpec(toy.slug, toy), toy.points)
            for toy in self.units.values()
            if toy.slug not in self.retired
        }

    def of(self, release: str) -> ToyRosters:
        if release == self.catalogue_release:
            return self
        return type(self)(self.folder, of_release(self.shelf.releases, release, self.name))

    def retired_in(self, spec: ToySpec) -> tuple[str, ...]:
        return (spec.toy.name,) if spec.kind in self.retired else ()

    def parse_spec(self, data: object, path: str = "spec") -> ToySpec:
        fields = object_of(data, path)
        kind = str(fields.get("kind"))
        if set(fields) != {"kind"}:
            raise DocumentError(path, "must name the kind and nothing else")
        if kind not in self.units:
            raise unknown_slug(f"{path}.kind", "kind", kind, self.units)
        return ToySpec(kind, self.units[kind])

    def spec_json(self, spec: ToySpec) -> dict[str, Any]:
        return {"kind": spec.kind}

    def check_design(self, spec: ToySpec, options: Mapping[str, object] = {}) -> Check:
        """Return the points of a toy; it has no problems. TY-003."""
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

    def editor(self, spec: ToySpec) -> DesignEditor:
        frames = (
            EditorChoice(slug=toy.slug, name=toy.name, detail=f"{toy.hits} hits", points=toy.points)
            for toy in self.units.values()
            if toy.slug not in self.retired or toy.slug == spec.kind
        )
        return DesignEditor(frames=tuple(frames), frame=spec.kind, groups=())

    def editor_spec(self, frame: str, counts: Mapping[str, int], before: Mapping[str, object]) -> dict[str, Any]:
        return {"kind": frame}


SYSTEM = ToyRosters()
