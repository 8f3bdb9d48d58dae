"""Queries of the gallery of units; a fixed number of queries per page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from django.db.models import BigIntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from rosters.entries.games import Fought, Kill
from rosters.models import LedgerEntry, Unit, UnitStatus, Visibility
from rosters.readings import reading_of
from rosters.site.compiled import PreparedQuery
from rosters.site.keyset import Keyset, Slice
from rosters.site.listed import KeysetList, count_query
from systems import ROSTERS, roster_rules

PAGE_LENGTH = 30
UNIT_ORDERS: dict[str, tuple[Keyset, tuple[type, ...]]] = {  # by the value of `sort`, as for companies
    "newest": (Keyset("-pk"), ()),
    "name": (Keyset("name", "pk"), (str,)),
    "kills": (Keyset("-kills", "-pk"), (int,)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GalleryUnit:
    """A unit in the gallery: its facts, its company, and its results."""

    id: int
    name: str
    design_name: str
    size_name: str
    points: int
    spec: Mapping[str, object]
    condition: Mapping[str, object]
    system: str
    system_name: str
    company: int
    company_name: str
    emblem: str
    colour: str
    games: int
    kills: int
    lost: int


def list_gallery_units(asked: Mapping[str, str]) -> Slice[GalleryUnit]:
    """Return the requested page, filtered by game and size and ordered; three queries."""
    system, size, order = (asked.get(name, "") for name in ("system", "size", "sort"))
    listed, number = _listed(
        system if system in ROSTERS else "",
        size if size in dict(unit_sizes()) else "",
        order if order in UNIT_ORDERS else "newest",
    )
    ((count,),) = number.rows()
    page = listed.asked(asked, count=count)
    return Slice(_unit_rows(list(page)), page.before, page.after, page.prefix, page.count)


@cache
def unit_sizes(system: str = "") -> tuple[tuple[str, str], ...]:
    """Return the names of the frames of a game or of all games, in catalogue order, as pairs for a form."""
    names = [name for slug in ROSTERS if system in ("", slug) for name in _frames(slug).values()]
    return tuple((name, name) for name in dict.fromkeys(names))


@cache
def _frames(system: str) -> Mapping[str, str]:
    """Return the frames of a game: name by slug."""
    rules = roster_rules(system)
    if not rules.frame_field or not rules.published:
        return {}
    return {frame.slug: frame.name for frame in rules.bench(next(iter(rules.published.values())).spec).frames}


@cache
def _listed(system: str, size: str, order: str) -> tuple[KeysetList[Unit], PreparedQuery[tuple[int]]]:
    """Return that list and the query for its length, compiled once for each game, size and order."""

    def rows() -> QuerySet[Unit]:
        rows = Unit.objects.filter(
            company__visibility=Visibility.PUBLIC, company__disbanded_at=None, status=UnitStatus.READY
        )
        rows = rows.filter(company__system=system) if system else rows
        return rows.filter(_of_size(size)) if size else rows

    def page() -> QuerySet[Unit]:
        found = rows().select_related("company")
        return with_kills(found) if order == "kills" else found

    keyset, place = UNIT_ORDERS[order]
    return KeysetList(page, keyset, PAGE_LENGTH, place), PreparedQuery(lambda: count_query(rows()))


def _of_size(size: str) -> Q:
    """Return the filter for units with a frame of that name, in any game."""
    found = Q(pk=None)
    for system, rules in ROSTERS.items():
        for slug, name in _frames(system).items():
            if name == size:
                found |= Q(company__system=system, **{f"spec__{rules.frame_field}": slug})
    return found


def with_kills(rows: QuerySet[Unit]) -> QuerySet[Unit]:
    """Annotate the rows with `kills`, from their ledgers."""
    standing = LedgerEntry.objects.filter(unit=OuterRef("pk"), kind=Kill.slug, reverses=None, reversed_by=None)
    count = Cast(KeyTextTransform("count", "facts"), BigIntegerField())
    kills = Subquery(standing.order_by().values("unit").annotate(kills=Sum(count)).values("kills"))
    return rows.annotate(kills=Coalesce(kills, 0, output_field=BigIntegerField()))


def _unit_rows(units: Sequence[Unit]) -> list[GalleryUnit]:
    done = _done(unit.pk for unit in units)
    return [_unit_row(unit, *done.get(unit.pk, (0, 0, 0))) for unit in units]


def _done(units: Iterable[int]) -> dict[int, tuple[int, int, int]]:
    """Return games, kills and losses of each unit that has any."""
    asked = list(units)
    found: dict[int, tuple[int, int, int]] = {}
    rows = LedgerEntry.objects.filter(
        unit__in=asked, kind__in=(Fought.slug, Kill.slug), reverses=None, reversed_by=None
    ).order_by()
    for unit, kind, facts in rows.values_list("unit", "kind", "facts") if asked else ():
        games, kills, lost = found.get(unit or 0, (0, 0, 0))
        if kind == Kill.slug:
            kills += int(facts["count"])
        else:
            games, lost = games + 1, lost + bool(facts.get("lost"))
        found[unit or 0] = games, kills, lost
    return found


def _unit_row(unit: Unit, games: int, kills: int, lost: int) -> GalleryUnit:
    company = unit.company
    read = reading_of(company.system, unit.spec, unit.condition, company.catalogue_release)
    return GalleryUnit(
        id=unit.pk,
        name=unit.name,
        design_name=unit.design_name,
        size_name=read.size_name,
        points=read.check.points,
        spec=unit.spec,
        condition=unit.condition,
        system=company.system,
        system_name=roster_rules(company.system).name,
        company=company.pk,
        company_name=company.name,
        emblem=company.emblem,
        colour=company.colour,
        games=games,
        kills=kills,
        lost=lost,
    )
