"""Companies as a gallery shows them: what each has, what that is worth, and how it has fought; two queries for many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BigIntegerField, Case, OuterRef, QuerySet, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce

from rosters.ledger.kinds.games import Game
from rosters.models import Company, LedgerEntry, Player, Unit, UnitStatus
from rosters.readings import reading_of
from rosters.site.compiled import Compiled
from systems import roster_rules

# Wins, draws and losses in one number, so that one look at a ledger tells all three and more wins sort higher.
WON, DRAWN, LOST = 10**10, 10**5, 1
SHOWN = 12  # counters of one company


@dataclass(frozen=True, slots=True, kw_only=True)
class RollUnit:
    """A unit as a small counter shows it."""

    name: str
    size: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RollRow:
    """A company in a gallery."""

    id: int
    name: str
    motto: str
    colour: str
    system: str
    system_name: str
    owner: str
    seen_by: str
    founded_at: datetime
    is_disbanded: bool
    balance: int
    money: str
    value: int  # points of its ready units
    units: tuple[RollUnit, ...]
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def shown(self) -> tuple[RollUnit, ...]:
        """The units that are drawn."""
        return self.units[:SHOWN]

    @property
    def more(self) -> int:
        """How many are not."""
        return max(0, len(self.units) - SHOWN)


def with_figures(rows: QuerySet[Company]) -> QuerySet[Company]:
    """The rows with `balance`, and with `record`: their wins, draws and losses in one number."""
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


def roll_rows(companies: Iterable[Company]) -> tuple[RollRow, ...]:
    """The companies, read `with_figures` and their owners, as a gallery shows them; one query for all their units."""
    found = list(companies)
    units = _units(found)
    return tuple(_row(each, units.get(each.pk, ())) for each in found)


def roll_of(player: Player, *, most: int) -> tuple[RollRow, ...]:
    """So many of the player's companies, the newest first."""
    return roll_rows(NEWEST.rows(owner=player.pk)[:most])


def _newest(owner: int) -> QuerySet[Company]:
    rows = Company.objects.filter(owner=owner, disbanded_at=None).select_related("owner")
    return with_figures(rows).order_by("-pk")[:SHOWN]


NEWEST = Compiled(_newest, owner=int)


def _units(companies: Sequence[Company]) -> dict[int, tuple[RollUnit, ...]]:
    systems = {each.pk: each.system for each in companies}
    rows = Unit.objects.filter(company__in=systems, status=UnitStatus.READY).order_by("position", "pk")
    found: dict[int, list[RollUnit]] = {}
    for company, name, spec, condition in rows.values_list("company", "name", "spec", "condition") if systems else ():
        read = reading_of(systems[company], spec, condition)
        found.setdefault(company, []).append(RollUnit(name=name, size=read.size, points=read.check.points))
    return {company: tuple(units) for company, units in found.items()}


def _row(company: Company, units: tuple[RollUnit, ...]) -> RollRow:
    rules = roster_rules(company.system)
    record: int = company.record  # type: ignore[attr-defined]
    won, drawn, lost = record // WON, record % WON // DRAWN, record % DRAWN
    return RollRow(
        id=company.pk,
        name=company.name,
        motto=company.motto,
        colour=company.colour,
        system=company.system,
        system_name=rules.name,
        owner=str(company.owner),
        seen_by=company.get_visibility_display(),
        founded_at=company.founded_at,
        is_disbanded=company.disbanded_at is not None,
        balance=company.balance,  # type: ignore[attr-defined]
        money=rules.words.money_after(won + drawn + lost),
        value=sum(unit.points for unit in units),
        units=units,
        won=won,
        drawn=drawn,
        lost=lost,
    )
