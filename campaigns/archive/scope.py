"""The rows that belong to a club, and the ids inside JSON values that refer to them.

The database knows a table's foreign keys, but not the ids in its JSON fields. A path says where those are: "units.*"
is each item of a list, "*.unit" that field of each object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from django.db.models import Q, QuerySet

from battles.models import Battle, Forecast, LiveTable, SealedDice
from campaigns.models import Club, Correction, Friendly, Match, MatchPreparation, MatchState, SeasonRound
from rosters.jobs import JobStatus
from rosters.models import Company, Design, LedgerEntry, PrintJob, Scenario, Unit, Visibility

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
CHUNK_SIZE = 500  # keys in one query


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A club and everything that belongs to it. Holds the ids of rows that no foreign keys link to the club."""

    club: int
    battles: frozenset[int]
    dice: frozenset[int]
    players: frozenset[int] = frozenset()  # players that the rows refer to; empty until the rows are known

    @property
    def companies(self) -> QuerySet[Company]:
        """The companies that are or were in a campaign of the club."""
        return Company.objects.filter(enrolments__campaign__club=self.club).distinct()

    def of_companies(self, path: str = "company") -> Q:
        """Return the filter for rows of these companies."""
        return Q(**{f"{path}__in": self.companies.values("pk")})


def build_scope(club: Club) -> Scope:
    """Return the present scope of a club."""
    bare = Scope(club=club.pk, battles=frozenset(), dice=frozenset())
    battles = _battles(bare)
    return Scope(club=club.pk, battles=battles, dice=_dice(club, battles))


def _battles(scope: Scope) -> frozenset[int]:
    """Return the finished battles of the club's matches, and those its companies' ledgers refer to unless private."""
    own = Q(match__round__campaign__club=scope.club) | Q(friendly__round__campaign__club=scope.club)
    found = set(Battle.objects.filter(own, status=JobStatus.DONE).values_list("pk", flat=True))
    corrections = Correction.objects.filter(match__round__campaign__club=scope.club)
    former = {each.get("battle", "") for row in corrections.values_list("before", "after") for each in row if each}
    found |= set(_by_key(former).exclude(visibility=Visibility.PRIVATE).values_list("pk", flat=True))
    causes = LedgerEntry.objects.filter(scope.of_companies()).exclude(cause_ref="").order_by()
    named = sorted(ref for ref in causes.values_list("cause_ref", flat=True).distinct() if _UUID.fullmatch(ref))
    for at in range(0, len(named), CHUNK_SIZE):
        rows = _by_key(set(named[at : at + CHUNK_SIZE])).exclude(visibility=Visibility.PRIVATE)
        found |= set(rows.values_list("pk", flat=True))
    return frozenset(found)


def _by_key(keys: set[str]) -> QuerySet[Battle]:
    return Battle.objects.filter(key__in=sorted(keys - {""}), status=JobStatus.DONE)


def _dice(club: Club, battles: frozenset[int]) -> frozenset[int]:
    matches = Match.objects.filter(round__campaign__club=club).exclude(dice=None)
    found = set(matches.values_list("dice", flat=True))
    preparations = MatchPreparation.objects.filter(match__round__campaign__club=club)
    found |= set(preparations.values_list("dice", flat=True)) | set(tables(club.pk).values_list("dice", flat=True))
    lots = SeasonRound.objects.filter(season__club=club).exclude(dice=None)
    found |= set(lots.values_list("dice", flat=True))
    fought = Battle.objects.filter(pk__in=battles).exclude(dice=None)
    return frozenset(found | set(fought.values_list("dice", flat=True)))


def tables(club: int) -> QuerySet[LiveTable]:
    """Return the ended live tables of the club's decided matches, with revealed dice: their notes may be known."""
    rows = LiveTable.objects.filter(match_table__match__round__campaign__club=club)
    rows = rows.exclude(match_table__match__state__in=MatchState.undecided())
    return rows.exclude(ended_at=None).exclude(dice__revealed_at=None)


def prints(scope: Scope) -> QuerySet[PrintJob]:
    """Return the finished prints of its companies.

    Prints of companies in a match with hidden lists are left out: the cards would give the list away.
    """
    hidden = Match.objects.filter(
        round__campaign__club=scope.club, state__in=MatchState.undecided(), setup__isnull=True
    )
    sides = Q(company__enrolments__attacks__in=hidden) | Q(company__enrolments__defences__in=hidden)
    rows = PrintJob.objects.filter(scope.of_companies(), status=JobStatus.DONE)
    return rows.exclude(pk__in=PrintJob.objects.filter(sides).values("pk"))


def dice(scope: Scope) -> QuerySet[SealedDice]:
    return SealedDice.objects.filter(pk__in=scope.dice)


def battles(scope: Scope) -> QuerySet[Battle]:
    return Battle.objects.filter(pk__in=scope.battles)


def forecasts(scope: Scope) -> QuerySet[Forecast]:
    """Return the published odds of the club's matches, if their calculation has finished."""
    named = Match.objects.filter(round__campaign__club=scope.club).exclude(forecast=None).values("forecast")
    return Forecast.objects.filter(pk__in=named, status=JobStatus.DONE)


def friendlies(scope: Scope) -> QuerySet[Friendly]:
    """Return the friendly games that have ended."""
    rows = Friendly.objects.filter(round__campaign__club=scope.club)
    return rows.filter(Q(battle__in=scope.battles) | Q(battle=None))


def designs(scope: Scope) -> QuerySet[Design]:
    """Return the owners' designs that units of the companies were bought as.

    A private design that has changed since then isn't included.
    """
    bought = Unit.objects.filter(scope.of_companies()).order_by()
    wanted = Q(pk=None)
    built: dict[tuple[int, str, str], list[object]] = {}
    for unit in bought.values_list("company__owner", "company__system", "design_name", "spec", named=True):
        built.setdefault((unit.company__owner, unit.company__system, unit.design_name), []).append(unit.spec)
    for author, system, name in built:
        wanted |= Q(author=author, system=system, name=name)
    rows = Design.objects.filter(wanted)
    hidden = [
        row.pk
        for row in rows.filter(visibility=Visibility.PRIVATE)
        if row.spec not in built[row.author_id, row.system, row.name]
    ]
    return rows.exclude(pk__in=hidden)


def scenarios(scope: Scope) -> QuerySet[Scenario]:
    """Return the members' scenarios that the club's campaigns play."""
    club = Club.objects.get(pk=scope.club)
    played = {
        (campaign.system, row.get("name"))
        for campaign in club.campaigns.all()
        for row in campaign.scenarios
        if isinstance(row.get("value"), dict)
    }
    wanted = Q(pk=None)
    for system, name in sorted(played):
        wanted |= Q(system=system, name=name)
    return Scenario.objects.filter(wanted, author__memberships__club=club)


Renumber = Callable[[str, int], int | None]  # table and id -> its other number; None: it isn't in the archive
NO_RULING, NO_RELEASE = "0/0", "release/0"  # a ruling, and a catalogue update, that exist on no site
_RULING = re.compile(r"([0-9]{1,18})/([0-9]{1,18})")
_RELEASE = re.compile(r"release/([0-9]{1,18})")
_ID = re.compile(r"[0-9]{1,18}")


class Codec(Protocol):
    """A function that renumbers the ids in a value, used for packing and for restoring."""

    def __call__(self, value: object, number: Renumber) -> object: ...


def ids_codec(*paths: str) -> Codec:
    """Return a codec for the ids at these paths, each given as "path=table"."""
    parsed = [(path.split("."), table) for path, _, table in (each.partition("=") for each in paths)]

    def renumbered(value: object, number: Renumber) -> object:
        for steps, table in parsed:
            value = _renumber_path(value, steps, table, number)
        return value

    return renumbered


def _renumber_path(value: object, steps: list[str], table: str, number: Renumber) -> object:
    if not steps:
        return number(table, value) if isinstance(value, int) and not isinstance(value, bool) else value
    step, rest = steps[0], steps[1:]
    if step == "*" and isinstance(value, list):
        return [_renumber_path(each, rest, table, number) for each in value]
    if isinstance(value, Mapping):
        wanted = value.keys() if step == "*" else value.keys() & {step}
        return {**value, **{name: _renumber_path(value[name], rest, table, number) for name in wanted}}
    return value


def cause_codec(value: object, number: Renumber) -> object:
    """Renumber the reference to an entry's cause: "campaign/ruling" or "release/adoption".

    One that isn't in the archive becomes NO_RULING or NO_RELEASE.
    """
    if not isinstance(value, str):
        return value
    if found := _RELEASE.fullmatch(value):
        adoption = number("campaigns.CatalogueUpgrade", int(found[1]))
        return NO_RELEASE if adoption is None else f"release/{adoption}"
    if found := _RULING.fullmatch(value):
        numbers = (number("campaigns.Campaign", int(found[1])), number("campaigns.Ruling", int(found[2])))
        return NO_RULING if None in numbers else f"{numbers[0]}/{numbers[1]}"
    return value


def list_codec(value: object, number: Renumber) -> object:
    """Renumber a submitted list. Orders refer to units by id, and to units bought for the match by their place."""
    value = ids_codec("units.*=rosters.Unit", "buys.*.pilot=rosters.Pilot")(value, number)
    return value if isinstance(value, Mapping) and value.get("buys") else orders_codec(value, number)


def orders_codec(value: object, number: Renumber) -> object:
    """Renumber the unit ids that `standing` orders are given for."""
    standing = value.get("standing") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(standing, Mapping):
        return value
    found: dict[str, object] = {}
    for whom, given in standing.items():
        unit = number("rosters.Unit", int(whom)) if _ID.fullmatch(whom) else None
        if unit is not None:
            found[str(unit)] = given
        elif not _ID.fullmatch(whom):
            found[whom] = given
    return {**value, "standing": found}


_TABLES = {"company": "rosters.Company", "pilot": "rosters.Pilot", "unit": "rosters.Unit"}


def effects_codec(value: object, number: Renumber) -> object:
    """Renumber the effects of a correction. Each change has an id and the kind of row that it belongs to."""
    value = ids_codec("companies.*.id=rosters.Company")(value, number)
    companies = value.get("companies") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(companies, list):
        return value
    return {**value, "companies": [_renumber_company(each, number) for each in companies]}


def _renumber_company(company: object, number: Renumber) -> object:
    changes = company.get("changes") if isinstance(company, Mapping) else None
    if not isinstance(company, Mapping) or not isinstance(changes, list):
        return company
    found = [
        {**each, "id": number(_TABLES[each["of"]], each["id"])}
        if isinstance(each, Mapping) and each.get("of") in _TABLES and isinstance(each.get("id"), int)
        else each
        for each in changes
    ]
    return {**company, "changes": found}
