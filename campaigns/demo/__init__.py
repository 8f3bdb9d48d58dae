"""The demo club and its campaigns: load them, and delete them with the demo player.

Loading again changes nothing. Everything goes through the services, as players would do it; only the dates are moved
back afterwards.
"""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path

import pydantic
from django.db.models import DateTimeField, Exists, Expression, ExpressionWrapper, F, Model, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle, BattleSide, SealedDice
from campaigns.army_lists.checks import default_list
from campaigns.army_lists.services import list_submit
from campaigns.campaign.services import campaign_create, campaign_move, territories_set
from campaigns.clubs.services import club_create, member_add, member_set_role
from campaigns.enrolments.services import enrolment_accept, enrolment_ask
from campaigns.gazette.content import fixtures_content
from campaigns.locks import side_enrolment
from campaigns.models import (
    AbsentRule,
    ActivityLogEntry,
    Campaign,
    Club,
    Enrolment,
    Gazette,
    Match,
    Membership,
    NotificationEvent,
    Role,
    Round,
    RoundClose,
    SeasonRound,
    TerritoryMap,
)
from campaigns.planning.services import match_add, round_open, round_plan
from campaigns.results.aftermath import take_loan
from campaigns.results.services import report_make
from campaigns.rounds.closing import round_close, round_close_work
from rosters.demo import DemoCompany, DemoUnit, demo_company_create
from rosters.documents.snapshots import ready_units
from rosters.hooks import DemoPart
from rosters.models import Company, PilotStatus, Player, UnitStatus
from rosters.services import RefusedError, pilot_assign, pilot_hire, unit_buy
from systems import roster_rules

ROUND_DAYS = 14
DAYS_INTO_ROUND_2 = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoCampaign:
    """A campaign of the demo club."""

    __pydantic_config__ = pydantic.ConfigDict(extra="forbid")

    system: str
    name: str
    about: str
    map_kind: TerritoryMap
    places: tuple[str, ...]
    scenarios: tuple[Mapping[str, object], ...]
    house_rules: Mapping[str, object]
    tie_breakers: tuple[str, ...]
    grounds: tuple[tuple[int, str], ...]  # scenario and terrain of round 1, by table; empty terrain: the default
    spare: DemoUnit  # bought by a company that lost everything; its pilots replace missing ones
    companies: tuple[DemoCompany, ...]  # the demo player's first, then the others' in the club's order


@cache
def load_demo_campaigns() -> tuple[DemoCampaign, ...]:
    """Return the campaigns from the TOML files beside this module, by file name."""
    read = pydantic.TypeAdapter(DemoCampaign).validate_python
    return tuple(read(tomllib.loads(path.read_text("utf-8"))) for path in sorted(Path(__file__).parent.glob("*.toml")))


def demo_campaign(
    club: Club, organiser: Player, others: Sequence[Player], wanted: DemoCampaign
) -> tuple[Campaign | None, bool]:
    """Return the campaign and whether it is new; None if the club lacks one of the players the demo made."""
    if len(others) + 1 < len(wanted.companies):
        return None, False
    found = club.campaigns.filter(system=wanted.system, enrolments__company__owner__in=others).first()
    if found is not None:
        return found, False
    campaign, enrolled = _create_campaign(wanted, club, organiser, [organiser, *others])
    _play_round(wanted, campaign, organiser, enrolled)
    for each in enrolled:
        _restock(each.company, wanted.spare)
    _open_round(campaign, organiser)
    return campaign, True


def _create_campaign(
    wanted: DemoCampaign, club: Club, organiser: Player, players: Sequence[Player]
) -> tuple[Campaign, list[Enrolment]]:
    campaign = campaign_create(
        club=club,
        by=organiser,
        system=wanted.system,
        name=wanted.name,
        points=roster_rules(wanted.system).founding_points,
        about=wanted.about,
        scenarios=wanted.scenarios,
        options=dict(wanted.house_rules),
        pace_days=ROUND_DAYS,
        map_kind=wanted.map_kind,
        absent_rule=AbsentRule.ORDERS,
        tie_breakers=list(wanted.tie_breakers),
        seats=8,
    )
    territories_set(campaign=campaign, by=organiser, names=wanted.places)
    campaign = campaign_move(campaign=campaign, to="mustering", by=organiser)
    enrolled = []
    for at, (player, mustered) in enumerate(zip(players, wanted.companies, strict=False)):
        company = demo_company_create(player, mustered)
        doctrine = ("aggressive", "cautious")[at % 2]
        asked = enrolment_ask(campaign=campaign, company=company, by=player, doctrine=doctrine)
        enrolled.append(enrolment_accept(enrolment=asked, by=organiser))
    return campaign_move(campaign=campaign, to="running", by=organiser), enrolled


def _play_round(wanted: DemoCampaign, campaign: Campaign, organiser: Player, enrolled: Sequence[Enrolment]) -> None:
    """Play and close round 1.

    In one match both sides reported the same; the other was unreported and simulated by the autoplay orders.
    """
    row = round_plan(campaign=campaign, by=organiser, way="by-hand")
    places = list(campaign.territories.all())
    sides = zip(enrolled[::2], enrolled[1::2], wanted.grounds, places, strict=False)
    for attacker, defender, (scenario, terrain), place in sides:
        match_add(
            round_=row, attacker=attacker, defender=defender, by=organiser, scenario=scenario, terrain=terrain,
            territory=place,
        )  # fmt: skip
    row = round_open(round_=row, by=organiser)
    reported = row.matches.get(number=1)
    if _submit_both_lists(reported):
        for side in (0, 1):
            report_make(
                match=reported, side=side, content=_report_content(reported, winner=0), by=_player(reported, side)
            )
    job = RoundClose.claim(round_close(round_=row, by=organiser).pk)
    assert job is not None
    round_close_work(job=job)
    _move_back(campaign, row, timedelta(days=ROUND_DAYS + DAYS_INTO_ROUND_2))


def _restock(company: Company, spare: DemoUnit) -> None:
    """Replace missing or wounded pilots with new ones, where hiring is free.

    A company that lost everything buys the spare unit, or takes a loan.
    """
    rules, owner = roster_rules(company.system, company.catalogue_release), company.owner
    if rules.hire_points and not min(rules.hire_points.values()):
        for unit in company.units.filter(status=UnitStatus.READY).exclude(pilot__status=PilotStatus.ACTIVE):
            is_wounded = unit.pilot is not None and rules.is_own_pilot(rules.parse_spec(unit.spec))
            if rules.needs_pilot(unit.spec) and not is_wounded:
                pilot = pilot_hire(company=company, by=owner, name=spare.pilot, callsign=spare.callsign)
                pilot_assign(company=company, by=owner, unit=unit, pilot=pilot)
        with contextlib.suppress(RefusedError):  # refused if it can field a legal force
            take_loan(company=company, by=owner)
        return
    if ready_units(company):
        return
    try:
        unit = unit_buy(company=company, by=owner, published=spare.design, name=spare.name)
    except RefusedError:
        with contextlib.suppress(RefusedError):  # refused if it has a unit, with a wounded pilot
            take_loan(company=company, by=owner)
        return
    if not spare.pilot:
        return
    pilot = pilot_hire(
        company=company, by=owner, name=spare.pilot, callsign=spare.callsign, experience=spare.experience
    )
    pilot_assign(company=company, by=owner, unit=unit, pilot=pilot)


def _open_round(campaign: Campaign, organiser: Player) -> None:
    """Open round 2: the demo player's opponent has reported, and in the other match one side has submitted its list.

    Dice decide what is left of the companies; one whose pilots are all wounded has nothing to submit.
    """
    row = round_open(round_=round_plan(campaign=campaign, by=organiser), by=organiser)
    for match in row.matches.exclude(defender=None).order_by("number"):
        owners = [_player(match, side) for side in (0, 1)]
        if organiser not in owners:
            _submit_list(match, 0, "for the Saints") or _submit_list(match, 1)
        elif _submit_both_lists(match):
            other = 1 - owners.index(organiser)
            report_make(match=match, side=other, content=_report_content(match, winner=other), by=owners[other])
    _move_back(campaign, row, timedelta(days=DAYS_INTO_ROUND_2), with_campaign=False)
    _date_gazettes(campaign)


def _submit_both_lists(match: Match) -> bool:
    return _submit_list(match, 0) and _submit_list(match, 1)


def _submit_list(match: Match, side: int, words: str = "") -> bool:
    """Submit everything the side can field and return whether that worked."""
    try:
        force = default_list(match, side)
        list_submit(match=match, side=side, by=_player(match, side), words=words, **force)
    except RefusedError:
        return False
    match.refresh_from_db()
    return True


def _report_content(match: Match, *, winner: int) -> Mapping[str, object]:
    """Return a report in which the winner's first unit destroyed the loser's last one."""
    assert match.setup is not None
    sides = [[unit["key"] for unit in side["units"]] for side in match.setup["sides"]]
    return {
        "muster": "report/1",
        "winner": ("attacker", "defender")[winner],
        "rounds": 6,
        "units": {sides[winner][0]: {"kills": 1}, sides[1 - winner][-1]: {"destroyed": True}},
    }


def _player(match: Match, side: int) -> Player:
    return side_enrolment(match, side).company.owner


def _move_back(campaign: Campaign, row: Round, by: timedelta, *, with_campaign: bool = True) -> None:
    """Move today's dates into the past. A closed round ended at its deadline."""
    today = timezone.now() - timedelta(hours=1)

    def earlier(field: str, days: timedelta = by) -> Expression:
        return ExpressionWrapper(F(field) - days, output_field=DateTimeField())

    Round.objects.filter(pk=row.pk).update(opens_at=earlier("opens_at"), deadline=earlier("deadline"))
    row.refresh_from_db()
    if row.closed_at is not None:
        Round.objects.filter(pk=row.pk).update(closed_at=row.deadline)
        row.matches.filter(decided_at__isnull=False).update(decided_at=row.deadline)
        ActivityLogEntry.objects.filter(campaign=campaign, created_at__gte=today).update(created_at=row.deadline)
    if with_campaign:
        weeks = by + timedelta(days=7)
        Campaign.objects.filter(pk=campaign.pk).update(
            created_at=earlier("created_at", weeks + timedelta(days=7)),
            mustering_at=earlier("mustering_at", weeks),
            running_at=earlier("running_at"),
        )


def _date_gazettes(campaign: Campaign) -> None:
    """Give the gazettes the dates to which their rounds were moved."""
    for gazette in Gazette.objects.filter(round__campaign=campaign).select_related("round"):
        closed = gazette.round.closed_at
        assert closed is not None
        fixtures = fixtures_content(campaign, after=gazette.round.number)
        gazette.content = {**gazette.content, "closed_at": closed.isoformat()}
        gazette.fixtures = fixtures.model_dump(mode="json") if fixtures else None
        gazette.published_at = closed
        gazette.save(update_fields=["content", "fixtures", "published_at"])


CLUB = "The Bone Table"
PLACE = "Back room of the Anvil, Thursdays from seven"
ABOUT = (
    "We play Meks & Mercs on a kitchen table with a very good lamp.\n\n"
    "New players are welcome: bring nothing, borrow three Meks, lose two of them and come back next week."
)
PLAYERS = (  # username, display name, role
    ("demo-orla", "Orla Quist", Role.ARBITER),
    ("demo-teodor", "Teodor Vance", Role.PLAYER),
    ("demo-mina", "Mina Aldous", Role.PLAYER),
)


def demo_load(organiser: Player) -> list[DemoPart]:
    """Create the demo club and its contents; anything that exists already stays as it is."""
    runs = Membership.objects.filter(player=organiser, role=Role.ORGANISER)
    found = Club.objects.filter(name__startswith=CLUB, memberships__in=runs).first()
    club = found or demo_club(organiser)
    parts = [DemoPart(club.name, reverse("campaigns:club", args=[club.slug]), is_new=found is None)]
    for wanted in load_demo_campaigns():
        campaign, is_new = demo_campaign(club, organiser, demo_players(club), wanted)
        if campaign is not None:
            parts.append(DemoPart(campaign.name, reverse("campaigns:campaign", args=[campaign.pk]), is_new=is_new))
    return parts


def demo_club(organiser: Player) -> Club:
    """Found the club with its members."""
    club = club_create(by=organiser, name=_free_name(), place=PLACE, about=ABOUT)
    for username, name_shown, role in PLAYERS:
        player = demo_player(username, name_shown)
        if player:
            member_add(club=club, player=player, role=Role.PLAYER)
            if role != Role.PLAYER:
                member_set_role(club=club, by=organiser, player=player, role=role)
    return club


def demo_player(username: str, name_shown: str) -> Player | None:
    """Return a player nobody can sign in as; None if somebody else has that username."""
    found = Player.objects.filter(username=username).first()
    if found:
        return None if found.has_usable_password() else found
    return Player.objects.create_user(username=username, name_shown=name_shown)


def demo_players(club: Club) -> list[Player]:
    """Return the club's members that the demo made, oldest first."""
    names = [username for username, _, _ in PLAYERS]
    rows = Membership.objects.filter(club=club, player__username__in=names).select_related("player")
    return [row.player for row in rows if not row.player.has_usable_password()]


def _free_name() -> str:
    """Return the club's name, numbered if it is taken."""
    name, number = CLUB, 1
    while Club.objects.filter(name__iexact=name).exists():
        number += 1
        name = f"{CLUB} {number}"
    return name


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
    yield NotificationEvent.objects.filter(club=None, notifications__player__in=players)
    yield battles
    yield clubs
    yield players
