"""The design lab's editor: the kinds of units, and the texts for the roster."""

from collections.abc import Mapping

from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import UnitKind
from systems.roster import Bench, BenchChoice, BenchText

from .datasheet import hit_lines, move_text
from .spec import MAX_TEXT, UnitSpec


def lab_bench(spec: UnitSpec) -> Bench:
    """Return every kind of unit, and the texts of this unit."""
    return Bench(
        frames=tuple(_frame(kind) for kind in CATALOGUE.unit_kinds.values()),
        frame=spec.kind,
        groups=(),
        texts=(
            BenchText(slug="armament", label="Armament, a name only", value=spec.armament, most=MAX_TEXT),
            BenchText(slug="base_vehicle", label="A drone's base vehicle", value=spec.base_vehicle, most=MAX_TEXT),
        ),
    )


def lab_spec(frame: str, fields: Mapping[str, object]) -> dict[str, object]:
    """Return a spec as JSON values, not checked; the base vehicle is dropped if the unit is no longer a drone."""
    spec = {"kind": frame, **{slug: fields[slug] for slug in ("armament", "base_vehicle") if fields.get(slug)}}
    kind = CATALOGUE.unit_kinds.get(frame)
    if kind is not None and not kind.has_base_vehicle:
        spec.pop("base_vehicle", None)
    return spec


def _frame(kind: UnitKind) -> BenchChoice:
    detail = f"Move {move_text(kind)}, fires ×{kind.shooting_actions} at {hit_lines(kind)[0].number}+. {kind.line}"
    return BenchChoice(slug=kind.slug, name=kind.name, detail=detail, points=kind.points)
