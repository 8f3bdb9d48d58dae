"""The figure beside a unit chosen for a battle: its picture as built and damaged, its points, its equipment."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from functools import cache
from functools import lru_cache
from django.utils.safestring import SafeString
from django.utils.safestring import mark_safe
from systems import roster_rules
from systems.documents import DocumentError
from battles.choices import published_forces
from rosters.unit_cache import unit_svg
from rosters.unit_cache import unit_drawing
from rosters.unit_cache import reading_of
from rosters.site.rendering import escape_markup


FIGURE_CACHE_SIZE = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldedUnit:
    """A unit as it would be fielded: spec and condition as JSON values."""

    spec: Mapping[str, object]
    condition: Mapping[str, object] = field(default_factory=dict)
    colour: str = ""
    release: str = ""  # of the catalogue it is read with; empty: the newest


@cache
def fielded_stock(system: str) -> Mapping[str, FieldedUnit]:
    """Return what every row offers, by value: published designs, and designs that only ready-made forces have."""
    rules = roster_rules(system)
    found = {f"design:{slug}": FieldedUnit(spec=rules.spec_json(each.spec)) for slug, each in rules.published.items()}
    for force in published_forces(system).values():
        for at, unit in enumerate(force.units):
            if not isinstance(unit.design, str):
                found[f"force:{force.slug}:{at}"] = FieldedUnit(spec=unit.design)
    return found


def render_figure(system: str, shown: FieldedUnit | None) -> SafeString:
    """Return the unit's markup; an empty place without a unit, or if its game can't read it any more."""
    if shown is None:
        return NO_FIGURE
    release = shown.release or roster_rules(system).catalogue_release
    return _render_figure(system, json.dumps(dict(shown.spec)), json.dumps(dict(shown.condition)), shown.colour, release)


NO_FIGURE = mark_safe('<span class="unit-figure__none"></span>')


@lru_cache(maxsize=FIGURE_CACHE_SIZE)
def _render_figure(system: str, spec_text: str, condition_text: str, colour: str, release: str) -> SafeString:
    spec, condition = json.loads(spec_text), json.loads(condition_text)
    try:
        picture = unit_svg(unit_drawing(system, spec, condition), "row", colour=colour) or NO_FIGURE
        lines = _describe_unit(system, spec, condition, release)
    except DocumentError:
        return NO_FIGURE
    said = "".join(f"<span>{escape_markup(line)}</span>" for line in lines if line)
    return mark_safe(f'{picture}<p class="unit-figure__told">{said}</p>')  # all its parts are escaped


def _describe_unit(
    system: str, spec: Mapping[str, object], condition: Mapping[str, object], release: str
) -> tuple[str, str]:
    """Return its points and remaining hits, and its weapons or else its figures."""
    rules, read = roster_rules(system, release), reading_of(system, spec, condition, release)
    build = rules.parse_spec(spec)
    left = f"{read.hits_left} of {read.hits} {rules.words.hits} left" if read.hits_left < read.hits else ""
    first = " · ".join(each for each in (f"{read.check.points} pt", rules.kind_name(build), left) if each)
    arms = Counter(rules.arms(build))
    carried = ", ".join(f"{number} {name}" if number > 1 else name for name, number in arms.items())
    if not carried:
        columns = rules.datasheet(build, name="", design_name="").columns
        carried = ", ".join(f"{label} {value}" for label, value in columns if value)
    return first, carried
