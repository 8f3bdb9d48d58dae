"""Facts about a unit that its rules calculate, cached per process: its numbers, the cost of its pilot, its drawing.

They depend only on the game, its catalogue version, the spec and the damage, which are the cache key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from systems import roster_rules
from systems.artwork import Drawing, drawing, svg_paths
from systems.artwork.canvas import FRAME
from systems.catalogue import FIRST_RELEASE
from systems.documents import DocumentError
from systems.ledger import WOUNDED, PilotRecord
from systems.legality import BillLine, Check
from systems.roster import AnyRoster, PilotSpec
from systems.text import count_names

READINGS_CACHE_SIZE = 4096  # enough for the largest companies of a large site; a few hundred bytes each


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The facts that the rules calculate from a spec and its condition."""

    spec: object  # the game's parsed spec
    check: Check
    size: str
    size_name: str
    armor: int | None
    hits: int
    hits_left: int
    state: tuple[tuple[str, str], ...]  # label and value of everything wrong with it besides lost hits
    damage: tuple[BillLine, ...]  # the cost of a repair, part by part
    needs_pilot: bool
    is_resting: bool
    resting: str  # why it is resting, in a few words; empty if it isn't
    is_own_pilot: bool
    loadout: str  # what it carries, weapons first

    def stays_home(self, pilot: PilotRecord | None) -> bool:
        """Return whether it can't be fielded by default: it is resting, or it is its own pilot and wounded."""
        return self.is_resting or (self.is_own_pilot and pilot is not None and pilot.status == WOUNDED)


def reading_of(
    system: str, spec: Mapping[str, object], condition: Mapping[str, object], release: str = FIRST_RELEASE
) -> Reading:
    """Return the facts about a spec and its condition, by that catalogue version; DocumentError if it is invalid."""
    return _cached_reading(system, release, json.dumps(spec), json.dumps(condition))


@lru_cache(maxsize=READINGS_CACHE_SIZE)
def _cached_reading(system: str, release: str, spec_text: str, condition_text: str) -> Reading:
    rules, given, condition = roster_rules(system, release), json.loads(spec_text), json.loads(condition_text)
    spec = rules.parse_spec(given)
    sheet = rules.datasheet(spec, name="", design_name="", condition=condition)
    is_resting = rules.is_resting(condition)
    return Reading(
        spec=spec,
        check=rules.check_design(spec),
        size=sheet.size,
        size_name=sheet.size_name,
        armor=sheet.armor,
        hits=sheet.hits,
        hits_left=sheet.hits_left,
        state=sheet.state,
        damage=rules.repair_bill(spec, condition),
        needs_pilot=rules.needs_pilot(given),
        is_resting=is_resting,
        is_own_pilot=rules.is_own_pilot(spec),
        resting=rules.describe_condition(condition) if is_resting else "",
        loadout=count_names(rules.loadout(spec)),
    )


class Seat(Protocol):
    """A unit with a seat."""

    @property
    def spec(self) -> Mapping[str, object]: ...
    @property
    def paid(self) -> int: ...
    @property
    def is_new(self) -> bool: ...


def seat_price(rules: AnyRoster, unit: Seat, level: str | None) -> int:
    """Return the points that a pilot of that level adds to the unit's price; 0 without a pilot."""
    if level is None or not unit.is_new:
        return 0
    return rules.seat_points(rules.parse_spec(unit.spec), PilotSpec(level), paid=unit.paid)


DrawingSize = Literal["chit", "row", "large"]
DETAIL_LEVELS: Mapping[DrawingSize, int] = {"chit": 0, "row": 1, "large": 2}
DRAWINGS_CACHE_SIZE = 1024


def unit_drawing(system: str, spec: Mapping[str, object], condition: Mapping[str, object] = {}) -> Drawing | None:
    """Return a drawing of the unit as built; None if its game has no pictures, or if the spec is invalid."""
    return _cached_drawing(system, json.dumps(spec, sort_keys=True), json.dumps(condition, sort_keys=True))


@lru_cache(maxsize=DRAWINGS_CACHE_SIZE)
def _cached_drawing(system: str, spec: str, condition: str) -> Drawing | None:
    rules = roster_rules(system)
    try:
        body = rules.body(rules.parse_spec(json.loads(spec)), json.loads(condition))
    except DocumentError:
        return None
    return drawing(body) if body else None


def support_drawing(system: str, slug: str) -> Drawing | None:
    """Return the drawing of a support unit; None if it has none."""
    body = roster_rules(system).support_body(slug)
    return drawing(body) if body else None


def unit_svg(made: Drawing | None, size: DrawingSize = "row", *, colour: str = "", css: str = "") -> SafeString:
    """Return the drawing as an SVG for a page; empty if there is no drawing.

    It is hidden from screen readers, because the text beside it has the same facts.
    """
    return mark_safe(_svg(made, size, colour, css)) if made else mark_safe("")  # all its parts are escaped


def chit_svg(
    system: str, spec: Mapping[str, object], condition: Mapping[str, object] = {}, *, colour: str = ""
) -> SafeString:
    """Return the unit's smallest picture, a silhouette in currentColor; empty if its game has no pictures."""
    return unit_svg(unit_drawing(system, spec, condition), "chit", colour=colour)


@lru_cache(maxsize=DRAWINGS_CACHE_SIZE)
def _svg(made: Drawing, size: DrawingSize, colour: str, css: str) -> str:
    level = DETAIL_LEVELS[size]
    left, top, side = (0, 0, FRAME) if size == "large" else made.bounds
    tint = "livery" if colour else "tint"
    paths = "".join(
        f'<path class="{tint if kind == "tint" else kind}" d="{data}"/>' for kind, data in svg_paths(made, level)
    )
    fill = f' fill="{escape(colour)}"' if colour else ""
    return (
        f'<svg class="body body--{size}{f" {escape(css)}" if css else ""}" viewBox="{left} {top} {side} {side}"{fill}'
        f' aria-hidden="true" focusable="false">{paths}</svg>'
    )
