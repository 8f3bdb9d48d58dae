"""Reads of designs: the published ones, and players' own with what their rules say of them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from rosters.models import Design, Player
from rosters.readings import reading_of
from rosters.selectors import BY_NAME, PAGE_LENGTH, UnitRow
from rosters.site.compiled import Compiled
from rosters.site.keyset import Slice
from systems import roster_rules
from systems.legality import Check

OWN_DESIGNS = Compiled(
    lambda author, system: Design.objects.filter(author=author, system=system), author=int, system=str
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignCard:
    """A design with what its rules say about it; `key` is a published slug or an own design's id."""

    key: str
    name: str
    system: str
    system_name: str
    spec: Mapping[str, object]
    check: Check
    sheet: Any  # the system's datasheet
    note: str = ""
    printed_points: int | None = None
    author: str = ""
    author_id: int | None = None
    visibility: str = ""
    link_key: uuid.UUID | None = None
    changed_at: datetime | None = None


def designs_published(system: str) -> tuple[DesignCard, ...]:
    """The designs that the rulebook prints."""
    return tuple(design_published(system, slug) for slug in roster_rules(system).published)


def designs_sorted(designs: Iterable[DesignCard], order: str) -> tuple[DesignCard, ...]:
    """The designs by that word of an address: points, dearest or name; else as they come."""
    keys: dict[str, Callable[[DesignCard], tuple[int, str]]] = {
        "points": lambda card: (card.check.points, card.name.casefold()),
        "dearest": lambda card: (-card.check.points, card.name.casefold()),
        "name": lambda card: (0, card.name.casefold()),
    }
    return tuple(sorted(designs, key=keys[order]) if order in keys else designs)


@lru_cache(maxsize=256)
def design_published(system: str, slug: str) -> DesignCard:
    """A design that the rulebook prints; raises KeyError."""
    model = roster_rules(system).published[slug]
    spec = roster_rules(system).spec_json(model.spec)
    return _card(system, slug, model.name, spec, note=model.note, printed_points=model.printed_points)


def designs_of(player: Player, asked: Mapping[str, str]) -> tuple[Slice[Design], tuple[DesignCard, ...]]:
    """The player's own designs, a page of them."""
    rows = Design.objects.filter(author=player).select_related("author")
    found = BY_NAME.asked(rows, PAGE_LENGTH, asked, count=rows.count())
    return found, tuple(design_card(design) for design in found)


def designs_for_hangar(player: Player, system: str) -> tuple[tuple[Design, Check, str], ...]:
    """The player's own designs of a system that can be bought, with points and the kind of unit."""
    rules, own = roster_rules(system), OWN_DESIGNS.rows(author=player.pk, system=system)
    read = ((design, reading_of(system, design.spec, {})) for design in own)
    checked = ((design, each.check, rules.kind_name(each.spec)) for design, each in read)
    return tuple((design, check, kind) for design, check, kind in checked if check.legal)


@dataclass(frozen=True, slots=True)
class Refit:
    """A design that a unit can be built anew to."""

    key: str  # slug of a published design, id of an own one
    name: str
    points: int


def refits_of(player: Player, system: str, unit: UnitRow) -> tuple[Refit, ...]:
    """What a unit can be refitted to: published designs, then the player's own; none where units stay as they are."""
    rules = roster_rules(system)
    before = reading_of(system, unit.spec, unit.condition).spec
    if rules.check_refit(before, before) is None:
        return ()
    found = [(slug, model.name, model.spec) for slug, model in rules.published.items()]
    own = OWN_DESIGNS.rows(author=player.pk, system=system)
    found += [(str(design.pk), design.name, reading_of(system, design.spec, {}).spec) for design in own]
    checked = ((key, name, rules.check_refit(before, spec)) for key, name, spec in found if spec != before)
    return tuple(Refit(key, name, check.points) for key, name, check in checked if check is not None and check.legal)


def design_card(design: Design) -> DesignCard:
    """A player's design with what its rules say about it."""
    return _card(
        design.system,
        str(design.pk),
        design.name,
        design.spec,
        author=str(design.author),
        author_id=design.author_id,
        visibility=design.visibility,
        link_key=design.link_key,
        changed_at=design.changed_at,
    )


def _card(system: str, key: str, name: str, spec: Mapping[str, object], **more: Any) -> DesignCard:
    rules = roster_rules(system)
    parsed = rules.parse_spec(spec)
    return DesignCard(
        key=key,
        name=name,
        system=rules.slug,
        system_name=rules.name,
        spec=spec,
        check=rules.check_design(parsed),
        sheet=rules.datasheet(parsed, name=name, design_name=name),
        **more,
    )
