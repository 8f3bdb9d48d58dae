"""Galleries of companies and units. The number of queries doesn't depend on the number of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import BigIntegerField, Case, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, Upper

from rosters.appearance.selectors import PortraitImage, portraits_of
from rosters.database.queries import PreparedQuery
from rosters.entries.company import Fought, Game, Kill
from rosters.hooks import Reader
from rosters.models import Company, LedgerEntry, Player, Unit, UnitStatus, Visibility
from rosters.site.pagination import Keyset, KeysetList, Slice, count_query
from rosters.unit_cache import reading_of
from systems import ROSTERS, roster_rules

# Wins, draws and losses are added up in one number, so that one subquery returns all three and more wins sort higher.
WON, DRAWN, LOST = 10**10, 10**5, 1
MAX_UNITS = 12  # units drawn per company
PAGE_LENGTH = 30
COMPANY_ORDERS: dict[
    str, tuple[Keyset, tuple[type, ...]]
] = {  # by the value of `sort` in the URL: the order, and the types of its key fields
    "name": (Keyset("name", "pk"), (str,)),
    "newest": (Keyset("-pk"), ()),
    "victories": (Keyset("-record", "-pk"), (int,)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyRowUnit:
    """A unit that is drawn as a small counter."""

    name: str
    size: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyRow:
    """A company in a gallery."""

    id: int
    name: str
    motto: str
    emblem: str
    system: str
    system_name: str
    owner: str
    seen_by: str
    is_disbanded: bool
    balance: int
    money: str
    value: int  # points of its ready units
    units: tuple[CompanyRowUnit, ...]
    portrait: PortraitImage | None
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def visible_units(self) -> tuple[CompanyRowUnit, ...]:
        """The units that are drawn, at most MAX_UNITS."""
        return self.units[:MAX_UNITS]

    @property
    def more(self) -> int:
        """The number of units that aren't drawn."""
        return max(0, len(self.units) - MAX_UNITS)


def with_figures(rows: QuerySet[Company]) -> QuerySet[Company]:
    """Annotate the rows with `balance`, and with `record`: wins, draws and losses in one number."""
    ledger = LedgerEntry.objects.filter(company=OuterRef("pk")).order_by().values("company")
    games = ledger.filter(kind=Game.slug, reverses=None, reversed_by=None)
    worth = Case(
        When(facts__result="won", then=Value(WON)),
        When(facts__result="drawn", then=Value(DRAWN)),
        default=Value(LOST),
        output_field=BigIntegerField(),
    )
    record = Subquery(games.annotate(record=Sum(worth)).values("record"), output_field=BigIntegerField())
    balance = Subquery(ledger.annotate(sum=Sum("points")).values("sum"))
    none = Value(0, output_field=BigIntegerField())
    return rows.annotate(balance=Coalesce(balance, 0), record=Coalesce(record, none))


def build_company_rows(companies: Iterable[Company]) -> tuple[CompanyRow, ...]:
    """Return the gallery rows of companies from `with_figures`, whose owners are loaded; at most three queries."""
    found = list(companies)
    units, portraits = _units(found), portraits_of([each.pk for each in found])
    return tuple(_company_row(each, units.get(each.pk, ()), portraits.get(each.pk)) for each in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyList:
    """The page of companies: the reader's own, and other players' public ones."""

    own: Slice[CompanyRow] | None  # None for visitors
    public: Slice[CompanyRow]


def list_companies(reader: Reader, asked: Mapping[str, str], *, search: str = "") -> CompanyList:
    """Return the reader's own companies, disbanded ones last, and the requested page of public ones; five queries."""
    system, order = asked.get("system", ""), asked.get("sort", "")
    page, number = _public(
        reader.is_authenticated, bool(search), system in ROSTERS, order if order in COMPANY_ORDERS else "name"
    )
    given: dict[str, Any] = {"reader": reader.pk or 0} if reader.is_authenticated else {}
    given |= ({"search": search} if search else {}) | ({"system": system} if system in ROSTERS else {})
    ((count,),) = number.rows(**given)
    public = page.asked(asked, count=count, **given)
    own = None
    if isinstance(reader, Player):
        ((count,),) = OWN_COMPANIES_COUNT.rows(owner=reader.pk)
        own = OWN_COMPANIES.asked(asked, "own-", count, owner=reader.pk)
    rows = build_company_rows([*(own or ()), *public])
    split = len(own) if own is not None else 0
    return CompanyList(own=_drawn(own, rows[:split]) if own is not None else None, public=_drawn(public, rows[split:]))


def _drawn(page: Slice[Company], rows: Sequence[CompanyRow]) -> Slice[CompanyRow]:
    return Slice(list(rows), page.before, page.after, page.prefix, page.count)


@cache
def _public(
    has_reader: bool, has_search: bool, has_system: bool, order: str
) -> tuple[KeysetList[Company], PreparedQuery[tuple[int]]]:
    """Return the list of public companies and its count query, compiled once per kind of reader, filter and order."""

    def rows(reader: int | None = None, search: str = "", system: str = "") -> QuerySet[Company]:
        rows = Company.objects.filter(visibility=Visibility.PUBLIC, disbanded_at=None)
        if reader is not None:
            rows = rows.exclude(owner=reader)
        rows = rows.filter(system=system) if system else rows
        return rows.filter(name_upper__contains=Upper(Value(search))) if search else rows

    def page(**given: Any) -> QuerySet[Company]:
        return with_figures(rows(**given).select_related("owner"))

    keyset, place = COMPANY_ORDERS[order]
    asked = (("reader", int, has_reader), ("search", str, has_search), ("system", str, has_system))
    kinds: dict[str, Any] = {name: kind for name, kind, is_asked in asked if is_asked}
    return KeysetList(page, keyset, PAGE_LENGTH, place, **kinds), PreparedQuery(
        lambda **given: count_query(rows(**given)), **kinds
    )


def _own(owner: int) -> QuerySet[Company]:
    gone = Case(When(disbanded_at=None, then=0), default=1, output_field=BigIntegerField())
    return with_figures(Company.objects.filter(owner=owner).annotate(is_gone=gone).select_related("owner"))


def list_newest_companies(player: Player, *, most: int) -> tuple[CompanyRow, ...]:
    """Return up to `most` of the player's companies, newest first."""
    return build_company_rows(NEWEST.rows(owner=player.pk)[:most])


def _newest(owner: int) -> QuerySet[Company]:
    rows = Company.objects.filter(owner=owner, disbanded_at=None).select_related("owner")
    return with_figures(rows).order_by("-pk")[:MAX_UNITS]


NEWEST = PreparedQuery(_newest, owner=int)
OWN_COMPANIES = KeysetList(_own, Keyset("is_gone", "name", "pk"), PAGE_LENGTH, (int, str), owner=int)
OWN_COMPANIES_COUNT = PreparedQuery(lambda owner: count_query(Company.objects.filter(owner=owner)), owner=int)


def _units(companies: Sequence[Company]) -> dict[int, tuple[CompanyRowUnit, ...]]:
    systems = {each.pk: (each.system, each.catalogue_release) for each in companies}
    rows = Unit.objects.filter(company__in=systems, status=UnitStatus.READY).order_by("position", "pk")
    found: dict[int, list[CompanyRowUnit]] = {}
    for unit in rows.values_list("company", "name", "spec", "condition", named=True) if systems else ():
        system, release = systems[unit.company]
        read = reading_of(system, unit.spec, unit.condition, release)
        found.setdefault(unit.company, []).append(
            CompanyRowUnit(name=unit.name, size=read.size, points=read.check.points)
        )
    return {company: tuple(units) for company, units in found.items()}


def _company_row(company: Company, units: tuple[CompanyRowUnit, ...], portrait: PortraitImage | None) -> CompanyRow:
    rules = roster_rules(company.system, company.catalogue_release)
    record: int = company.record  # type: ignore[attr-defined]
    won, drawn, lost = record // WON, record % WON // DRAWN, record % DRAWN
    return CompanyRow(
        id=company.pk,
        name=company.name,
        motto=company.motto,
        emblem=company.emblem,
        system=company.system,
        system_name=rules.name,
        owner=str(company.owner),
        seen_by=company.get_visibility_display(),
        is_disbanded=company.disbanded_at is not None,
        balance=company.balance,  # type: ignore[attr-defined]
        money=rules.words.money_after(won + drawn + lost),
        value=sum(unit.points for unit in units),
        units=units,
        portrait=portrait,
        won=won,
        drawn=drawn,
        lost=lost,
    )


UNIT_ORDERS: dict[str, tuple[Keyset, tuple[type, ...]]] = {  # by the value of `sort`, as for companies
    "newest": (Keyset("-pk"), ()),
    "name": (Keyset("name", "pk"), (str,)),
    "kills": (Keyset("-kills", "-pk"), (int,)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GalleryUnit:
    """A unit in the gallery, with its company and its results."""

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
    """Return the requested page of units, filtered by game and size, and sorted; three queries."""
    system, size, order = (asked.get(name, "") for name in ("system", "size", "sort"))
    units, number = _unit_list(
        system if system in ROSTERS else "",
        size if size in dict(unit_sizes()) else "",
        order if order in UNIT_ORDERS else "newest",
    )
    ((count,),) = number.rows()
    page = units.asked(asked, count=count)
    return Slice(_unit_rows(list(page)), page.before, page.after, page.prefix, page.count)


@cache
def unit_sizes(system: str = "") -> tuple[tuple[str, str], ...]:
    """Return the names of a game's frames, or of all games', in catalogue order, as choices for a form."""
    names = [name for slug in ROSTERS if system in ("", slug) for name in _frames(slug).values()]
    return tuple((name, name) for name in dict.fromkeys(names))


@cache
def _frames(system: str) -> Mapping[str, str]:
    """Return the names of a game's frames by slug."""
    rules = roster_rules(system)
    if not rules.frame_field or not rules.published:
        return {}
    return {frame.slug: frame.name for frame in rules.editor(next(iter(rules.published.values())).spec).frames}


@cache
def _unit_list(system: str, size: str, order: str) -> tuple[KeysetList[Unit], PreparedQuery[tuple[int]]]:
    """Return the list of units and its count query, compiled once per game, size and order."""

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
    """Return the filter for units whose frame has this name, in any game."""
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
