"""The design lab's bench: the kinds of units, and the words that go on the roster."""

from collections.abc import Mapping

from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import UnitKind
from systems.roster import Bench, BenchChoice, BenchText

from .datasheet import hit_lines, move_text
from .spec import MAX_TEXT, UnitSpec


def bench(spec: UnitSpec) -> Bench:
    """Every kind of unit, and the words of this one."""
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
    """A spec as JSON values, not checked; a drone's base vehicle stays behind when the unit is no drone any more."""
    spec = {"kind": frame, **{slug: fields[slug] for slug in ("armament", "base_vehicle") if fields.get(slug)}}
    kind = CATALOGUE.unit_kinds.get(frame)
    if kind is not None and not kind.has_base_vehicle:
        spec.pop("base_vehicle", None)
    return spec


def _frame(kind: UnitKind) -> BenchChoice:
    detail = f"Move {move_text(kind)}, fires ×{kind.shooting_actions} at {hit_lines(kind)[0].number}+. {kind.line}"
    return BenchChoice(slug=kind.slug, name=kind.name, detail=detail, points=kind.points)
