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
from systems.roster import AnyRoster

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


def designs_published(system: str, release: str = "") -> tuple[DesignCard, ...]:
    """The designs that the rulebook prints, by that release of the catalogue, or by the newest."""
    named = release or roster_rules(system).catalogue_release
    return tuple(design_published(system, slug, named) for slug in roster_rules(system, named).published)


def designs_sorted(designs: Iterable[DesignCard], order: str) -> tuple[DesignCard, ...]:
    """The designs by that word of an address: points, dearest or name; else as they come."""
    keys: dict[str, Callable[[DesignCard], tuple[int, str]]] = {
        "points": lambda card: (card.check.points, card.name.casefold()),
        "dearest": lambda card: (-card.check.points, card.name.casefold()),
        "name": lambda card: (0, card.name.casefold()),
    }
    return tuple(sorted(designs, key=keys[order]) if order in keys else designs)


@lru_cache(maxsize=256)
def design_published(system: str, slug: str, release: str = "") -> DesignCard:
    """A design that the rulebook prints, by that release of the catalogue, or by the newest; raises KeyError."""
    rules = roster_rules(system, release)
    model = rules.published[slug]
    return _card(
        rules, slug, model.name, rules.spec_json(model.spec), note=model.note, printed_points=model.printed_points
    )


def designs_of(player: Player, asked: Mapping[str, str]) -> tuple[Slice[Design], tuple[DesignCard, ...]]:
    """The player's own designs, a page of them."""
    rows = Design.objects.filter(author=player).select_related("author")
    found = BY_NAME.asked(rows, PAGE_LENGTH, asked, count=rows.count())
    return found, tuple(design_card(design) for design in found)


def designs_for_hangar(player: Player, system: str, release: str) -> tuple[tuple[Design, Check, str], ...]:
    """The player's own designs of a system that can be bought by that release of its catalogue, with points and kind."""
    rules, own = roster_rules(system, release), OWN_DESIGNS.rows(author=player.pk, system=system)
    read = ((design, reading_of(system, design.spec, {}, release)) for design in own)
    return tuple(
        (design, each.check, rules.kind_name(each.spec))
        for design, each in read
        if each.check.legal and not rules.retired_in(each.spec)
    )


@dataclass(frozen=True, slots=True)
class Refit:
    """A design that a unit can be built anew to."""

    key: str  # slug of a published design, id of an own one
    name: str
    points: int


def refits_of(player: Player, system: str, release: str, unit: UnitRow) -> tuple[Refit, ...]:
    """What a unit can be refitted to: published designs, then the player's own; none where units stay as they are."""
    rules = roster_rules(system, release)
    before = reading_of(system, unit.spec, unit.condition, release).spec
    if rules.check_refit(before, before) is None:
        return ()
    found = [(slug, model.name, model.spec) for slug, model in rules.published.items()]
    own = OWN_DESIGNS.rows(author=player.pk, system=system)
    found += [(str(design.pk), design.name, reading_of(system, design.spec, {}, release).spec) for design in own]
    checked = ((key, name, rules.check_refit(before, spec)) for key, name, spec in found if spec != before)
    return tuple(Refit(key, name, check.points) for key, name, check in checked if check is not None and check.legal)


def design_card(design: Design) -> DesignCard:
    """A player's design with what its rules say about it."""
    return _card(
        roster_rules(design.system),
        str(design.pk),
        design.name,
        design.spec,
        author=str(design.author),
        author_id=design.author_id,
        visibility=design.visibility,
        link_key=design.link_key,
        changed_at=design.changed_at,
    )


def _card(rules: AnyRoster, key: str, name: str, spec: Mapping[str, object], **more: Any) -> DesignCard:
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
