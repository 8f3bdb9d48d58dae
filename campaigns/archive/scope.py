"""Which rows are a club's: its companies and the battles, dice and odds that its matches and ledgers name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from battles.models import Battle, Forecast, LiveTable, SealedDice
from campaigns.models import Club, Correction, Friendly, Match, MatchMuster, SeasonRound
from campaigns.policy import UNDECIDED
from rosters.jobs import JobStatus
from rosters.models import Company, Design, LedgerEntry, PrintJob, Scenario, Unit, Visibility

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
AT_A_TIME = 500  # names in one question


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A club and what hangs on it; the ids of what no path leads to from the club."""

    club: int
    battles: frozenset[int]
    dice: frozenset[int]
    players: frozenset[int] = frozenset()  # whom the rows name; known once these are

    @property
    def companies(self) -> QuerySet[Company]:
        """Those that are, or were, in a campaign of the club."""
        return Company.objects.filter(enrolments__campaign__club=self.club).distinct()

    def of_companies(self, path: str = "company") -> Q:
        """Rows of these companies."""
        return Q(**{f"{path}__in": self.companies.values("pk")})


def scope_of(club: Club) -> Scope:
    """What is the club's now."""
    bare = Scope(club=club.pk, battles=frozenset(), dice=frozenset())
    battles = _battles(bare)
    return Scope(club=club.pk, battles=battles, dice=_dice(club, battles))


def _battles(scope: Scope) -> frozenset[int]:
    """Fought ones of the club's matches, and those that ledgers of its companies name, unless they are private."""
    own = Q(match__round__campaign__club=scope.club) | Q(friendly__round__campaign__club=scope.club)
    found = set(Battle.objects.filter(own, status=JobStatus.DONE).values_list("pk", flat=True))
    corrections = Correction.objects.filter(match__round__campaign__club=scope.club)
    former = {each.get("battle", "") for row in corrections.values_list("before", "after") for each in row if each}
    found |= set(_by_key(former).exclude(visibility=Visibility.PRIVATE).values_list("pk", flat=True))
    causes = LedgerEntry.objects.filter(scope.of_companies()).exclude(cause_ref="").order_by()
    named = sorted(ref for ref in causes.values_list("cause_ref", flat=True).distinct() if _UUID.fullmatch(ref))
    for at in range(0, len(named), AT_A_TIME):
        rows = _by_key(set(named[at : at + AT_A_TIME])).exclude(visibility=Visibility.PRIVATE)
        found |= set(rows.values_list("pk", flat=True))
    return frozenset(found)


def _by_key(keys: set[str]) -> QuerySet[Battle]:
    return Battle.objects.filter(key__in=sorted(keys - {""}), status=JobStatus.DONE)


def _dice(club: Club, battles: frozenset[int]) -> frozenset[int]:
    matches = Match.objects.filter(round__campaign__club=club).exclude(dice=None)
    found = set(matches.values_list("dice", flat=True))
    musters = MatchMuster.objects.filter(match__round__campaign__club=club)
    found |= set(musters.values_list("dice", flat=True)) | set(tables(club.pk).values_list("dice", flat=True))
    lots = SeasonRound.objects.filter(season__club=club).exclude(dice=None)
    found |= set(lots.values_list("dice", flat=True))
    fought = Battle.objects.filter(pk__in=battles).exclude(dice=None)
    return frozenset(found | set(fought.values_list("dice", flat=True)))


def tables(club: int) -> QuerySet[LiveTable]:
    """Tables of the club's decided matches that have ended, with their dice open: what was noted there may be known."""
    rows = LiveTable.objects.filter(match_table__match__round__campaign__club=club)
    rows = rows.exclude(match_table__match__state__in=UNDECIDED)
    return rows.exclude(ended_at=None).exclude(dice__revealed_at=None)


def prints(scope: Scope) -> QuerySet[PrintJob]:
    """Finished prints of its companies; not of one with a match whose lists are hidden: the cards that it printed name them."""
    hidden = Match.objects.filter(round__campaign__club=scope.club, state__in=UNDECIDED, setup__isnull=True)
    sides = Q(company__enrolments__attacks__in=hidden) | Q(company__enrolments__defences__in=hidden)
    rows = PrintJob.objects.filter(scope.of_companies(), status=JobStatus.DONE)
    return rows.exclude(pk__in=PrintJob.objects.filter(sides).values("pk"))


def dice(scope: Scope) -> QuerySet[SealedDice]:
    return SealedDice.objects.filter(pk__in=scope.dice)


def battles(scope: Scope) -> QuerySet[Battle]:
    return Battle.objects.filter(pk__in=scope.battles)


def forecasts(scope: Scope) -> QuerySet[Forecast]:
    """The odds that are published of matches, once all is counted."""
    named = Match.objects.filter(round__campaign__club=scope.club).exclude(forecast=None).values("forecast")
    return Forecast.objects.filter(pk__in=named, status=JobStatus.DONE)


def friendlies(scope: Scope) -> QuerySet[Friendly]:
    """Those that are over."""
    rows = Friendly.objects.filter(round__campaign__club=scope.club)
    return rows.filter(Q(battle__in=scope.battles) | Q(battle=None))


def designs(scope: Scope) -> QuerySet[Design]:
    """Of owners of the companies, which units of theirs were bought as; a private one that is otherwise by now stays."""
    bought = Unit.objects.filter(scope.of_companies()).order_by()
    wanted = Q(pk=None)
    built: dict[tuple[int, str, str], list[object]] = {}
    for author, system, name, spec in bought.values_list("company__owner", "company__system", "design_name", "spec"):
        built.setdefault((author, system, name), []).append(spec)
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
    """Of members, those that campaigns of the club are played with."""
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
