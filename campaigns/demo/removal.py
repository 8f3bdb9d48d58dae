"""What is deleted with the demo player besides their own rows: the demo club, its other players, and their battles."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from battles.models import Battle, BattleSide, SealedDice
from campaigns.models import Club, Enrolment, Match, Membership, NotificationEvent, Role, SeasonRound
from rosters.models import Company, Player
from rosters.services import RefusedError

from .club import PLAYERS


def demo_rows_to_delete(demo: Player) -> Iterator[QuerySet[Model]]:
    """Yield the rows to delete, for the hook.

    Raise RefusedError if somebody else's company has fought in the club, or one of the demo's takes part elsewhere.
    """
    made = Player.objects.filter(username__in=[username for username, _, _ in PLAYERS], password__startswith="!")
    players = made | Player.objects.filter(pk=demo.pk)
    others = Membership.objects.filter(club=OuterRef("pk"), role=Role.ORGANISER).exclude(player__in=players)
    clubs = Club.objects.filter(~Exists(others), memberships__player__in=players).distinct()
    companies = Company.objects.filter(owner__in=players)
    elsewhere = Enrolment.objects.filter(company__in=companies).exclude(campaign__club__in=clubs)
    if row := elsewhere.select_related("company", "campaign").first():
        raise RefusedError("demo", f"{row.company} of the demo club takes part in {row.campaign}, which would lose it.")
    of_clubs = Q(match__round__campaign__club__in=clubs) | Q(friendly__round__campaign__club__in=clubs)
    sides = BattleSide.objects.filter(battle__in=Battle.objects.filter(of_clubs), company__isnull=False)
    if side := sides.exclude(company__in=companies).select_related("company__owner").first():
        owner = side.company.owner if side.company else ""
        raise RefusedError("demo", f"{side.company}, of {owner}, has fought in the demo club.")
    foreign = BattleSide.objects.filter(battle=OuterRef("pk"), company__isnull=False).exclude(company__in=companies)
    battles = Battle.objects.filter(of_clubs | (Q(asked_by__in=players) & ~Exists(foreign)))
    drawn = Match.objects.filter(round__campaign__club__in=clubs), SeasonRound.objects.filter(season__club__in=clubs)
    for rows in (battles, *drawn):
        yield SealedDice.objects.filter(pk__in=list(rows.exclude(dice=None).values_list("dice", flat=True)))
    yield NotificationEvent.objects.filter(club=None, letters__player__in=players)
    yield battles
    yield clubs
    yield players
