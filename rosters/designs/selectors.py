"""Reads of designs, published ones and players' own, with their checks."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from rosters.database.queries import PreparedQuery
from rosters.hooks import DesignRecord, records_of_designs
from rosters.models import Design, Player
from rosters.selectors import BY_NAME, PAGE_LENGTH, UnitRow
from rosters.site.pagination import Slice
from rosters.unit_cache import Reading, reading_of
from systems import ROSTERS, roster_rules
from systems.legality import Check
from systems.roster import AnyRoster
from systems.text import count_names

OWN_DESIGNS = PreparedQuery(
    lambda author, system: Design.objects.filter(author=author, system=system), author=int, system=str
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignCard:
    """A design with its check; `key` is the slug of a published design, or the ID of a player's own."""

    key: str
    name: str
    system: str
    system_name: str
    spec: Mapping[str, object]
    check: Check
    sheet: Any  # the game's data sheet
    loadout: str  # what it carries, weapons first
    note: str = ""
    printed_points: int | None = None
    author: str = ""
    author_id: int | None = None
    visibility: str = ""
    link_key: uuid.UUID | None = None
    changed_at: datetime | None = None


def designs_published(system: str, release: str = "") -> tuple[DesignCard, ...]:
    """Return a game's published designs in this catalogue version, by default the newest."""
    named = release or roster_rules(system).catalogue_release
    return tuple(design_published(system, slug, named) for slug in roster_rules(system, named).published)


@dataclass(frozen=True, slots=True)
class Published:
    """The gallery of published designs, by game; `sizes` are the sizes to filter by."""

    systems: tuple[tuple[AnyRoster, tuple[tuple[DesignCard, DesignRecord | None], ...]], ...]
    sizes: tuple[tuple[str, str], ...]
    has_records: bool

    @property
    def orders(self) -> tuple[tuple[str, str], ...]:
        """The sort orders besides the rulebook's, as choices for a form."""
        named = (("points", "points"), ("dearest", "most points first"), ("name", "name"))
        return (*named, ("record", "record")) if self.has_records else named


def published_gallery(system: str, size: str, order: str) -> Published:
    """Return the published designs of one game or all, of one size or any, sorted; one query.

    The orders are points, dearest (first), name, and record (best first, designs without a record last). Any other
    value gives the rulebook's order.
    """
    games = [rules for slug, rules in ROSTERS.items() if system in ("", slug) or system not in ROSTERS]
    records = records_of_designs([rules.slug for rules in games])
    known = [(rules, designs_published(rules.slug)) for rules in games]
    every = (card for rules in ROSTERS.values() for card in designs_published(rules.slug))
    sizes = tuple((name, name) for name in dict.fromkeys(card.sheet.size_name for card in every))
    keys: dict[str, Callable[[DesignCard], tuple[float, str]]] = {
        "points": lambda card: (card.check.points, card.name.casefold()),
        "dearest": lambda card: (-card.check.points, card.name.casefold()),
        "name": lambda card: (0, card.name.casefold()),
        "record": lambda card: (_missed(records.get((card.system, card.key))), card.name.casefold()),
    }
    found = []
    for rules, cards in known:
        kept = [card for card in cards if size in ("", card.sheet.size_name)]
        if order in keys:
            kept.sort(key=keys[order])
        if kept:
            found.append((rules, tuple((card, records.get((rules.slug, card.key))) for card in kept)))
    return Published(tuple(found), sizes, bool(records))


def _missed(record: DesignRecord | None) -> float:
    """Return the share of battles that weren't won; without a record, more than any share."""
    return 1 - record.won.share if record else 2


def published_as(system: str, spec: object) -> tuple[str, str] | None:
    """Return the slug and name of the published design with this spec; None if there is none in the newest version."""
    designs = roster_rules(system).published
    return next(((slug, design.name) for slug, design in designs.items() if design.spec == spec), None)


@lru_cache(maxsize=256)
def design_published(system: str, slug: str, release: str = "") -> DesignCard:
    """Return a published design in this catalogue version, by default the newest; KeyError for an unknown slug."""
    rules = roster_rules(system, release)
    model = rules.published[slug]
    return _card(
        rules, slug, model.name, rules.spec_json(model.spec), note=model.note, printed_points=model.printed_points
    )


def designs_of(player: Player, asked: Mapping[str, str]) -> tuple[Slice[Design], tuple[DesignCard, ...]]:
    """Return a page of the player's own designs."""
    rows = Design.objects.filter(author=player).select_related("author")
    found = BY_NAME.asked(rows, PAGE_LENGTH, asked, count=rows.count())
    return found, tuple(design_card(design) for design in found)


def designs_for_hangar(player: Player, system: str, release: str) -> tuple[tuple[Design, Reading, str], ...]:
    """Return the player's own designs that a company of this game and version can buy, each with its facts and kind."""
    rules, own = roster_rules(system, release), OWN_DESIGNS.rows(author=player.pk, system=system)
    read = ((design, reading_of(system, design.spec, {}, release)) for design in own)
    return tuple(
        (design, each, rules.kind_name(each.spec))
        for design, each in read
        if each.check.legal and not rules.retired_in(each.spec)
    )


@dataclass(frozen=True, slots=True)
class Refit:
    """A design to which a unit can be refitted."""

    key: str  # slug of a published design, or ID of a player's own
    name: str
    points: int


def refits_of(player: Player, system: str, release: str, unit: UnitRow) -> tuple[Refit, ...]:
    """Return the designs to which a unit can be refitted: published ones, then the player's own.

    Empty in games whose units can't be refitted.
    """
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
    """Return a player's design with its check."""
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
        loadout=count_names(rules.loadout(parsed)),
        **more,
    )
