"""A departing player's clubs and campaigns: history is kept, under a name that the player chooses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from campaigns import policy
from campaigns.activity_log import log_activity
from campaigns.enrolments.services import enrolment_withdraw, moving_up_lock
from campaigns.gazette.services import gazette_amend
from campaigns.guests.services import guest_erase, guest_links_end_all
from campaigns.locks import campaign_lock, club_lock
from campaigns.models import (
    ActivityLogEntry,
    Availability,
    Campaign,
    CampaignState,
    CatalogueUpgrade,
    Club,
    Enrolment,
    EnrolmentState,
    Gazette,
    Guest,
    Invitation,
    Mail,
    Match,
    MatchState,
    Membership,
    Notification,
    NotificationEvent,
    NotificationPreferences,
    Phase,
    PlayerCalendar,
    PushDevice,
    Role,
    Round,
    Ruling,
    SavedList,
    Season,
    SeasonEntrant,
    SeasonPairing,
    SeasonState,
    SubmittedList,
)
from campaigns.seasons.entrants import season_leave
from campaigns.webhooks.services import deliveries_forget
from rosters.database.queries import PreparedQuery, columns
from rosters.models import Company, Player
from rosters.services import RefusedError
from rosters.site.pagination import tallied
from rosters.site.player_data import DeletionPart, DepartedPlayer, Fate, Obstacle

STARTED = (CampaignState.RUNNING, CampaignState.FINISHED)


# --- preview ----------------------------------------------------------------------------------------------------------


class OwnClub(NamedTuple):
    """A club that the player belongs to."""

    pk: int
    slug: str
    name: str
    role: str
    has_others: bool
    has_organiser: bool  # another organiser who stays
    is_used: bool  # something was played, or another player's company takes part

    @property
    def goes(self) -> bool:
        """Whether the club is deleted too: nobody else belongs to it or takes part, and nothing was played."""
        return not self.has_others and not self.is_used


def _own_clubs(player: int) -> QuerySet[Membership, object]:
    others = Membership.objects.filter(club=OuterRef("club"), player__is_guest=False).exclude(player=player)
    staying = others.filter(role=Role.ORGANISER, player__is_active=True, player__leaves_at=None)
    foreign = Enrolment.objects.filter(campaign__club=OuterRef("club")).exclude(company__owner=player)
    started = Campaign.objects.filter(club=OuterRef("club"), state__in=STARTED)
    used = Exists(started) | Exists(Round.objects.filter(campaign__club=OuterRef("club"))) | Exists(foreign)
    rows = Membership.objects.filter(player=player).order_by("club__name", "pk")
    rows = rows.annotate(has_others=Exists(others), has_organiser=Exists(staying), is_used=used)
    return rows.values_list(*columns(OwnClub, pk="club", slug="club__slug", name="club__name"))


def _own_enrolments(player: int) -> QuerySet[Enrolment, tuple[int, int, bool]]:
    """Return company, club, and whether it is in play, for each of the player's enrolments."""
    in_play = Q(state__in=EnrolmentState.in_play()) & ~Q(campaign__state=CampaignState.FINISHED)
    rows = Enrolment.objects.filter(company__owner=player).order_by("pk")
    return rows.annotate(plays=ExpressionWrapper(in_play, BooleanField())).values_list(
        "company", "campaign__club", "plays"
    )


class _Numbers(NamedTuple):
    """The numbers of a player's own rows."""

    matches: int  # those that wait for a result
    forces: int
    written: int  # entries of the activity log, and rulings


def _number(player: int) -> QuerySet[Player, object]:
    waiting = Match.objects.filter(
        Q(attacker__company__owner=player) | Q(defender__company__owner=player),
        state__in=MatchState.undecided(),
        round__state="open",
        defender__isnull=False,
    )
    return tallied(
        Player.objects.filter(pk=player),
        _Numbers,
        matches=[waiting],
        forces=[SavedList.objects.filter(player=player)],
        written=[ActivityLogEntry.objects.filter(created_by=player), Ruling.objects.filter(decided_by=player)],
    )


OWN_CLUBS = PreparedQuery(_own_clubs, OwnClub, player=int)
OWN_ENROLMENTS = PreparedQuery(_own_enrolments, player=int)
NUMBERS = PreparedQuery(_number, _Numbers, player=int)


def _obstacles(player: Player) -> Iterator[Obstacle]:
    """Yield the reasons why the player can't leave yet: as only organiser of a club, or only judge of a dispute."""
    for club in OWN_CLUBS.rows(player=player.pk):
        if club.role == Role.ORGANISER:
            yield from _orphaned(club, player)
        if club.role in policy.MAY_RULE:
            yield from _unjudged(club, player)


def _orphaned(club: OwnClub, player: Player) -> Iterator[Obstacle]:
    members = reverse("campaigns:club_members", args=[club.slug])
    if club.has_others and not club.has_organiser:
        yield Obstacle(
            f"You're the only organiser of {club.name}. Hand it over first, or make another member an organiser.",
            members,
        )
    if club.has_others:
        return
    playing = Enrolment.objects.filter(
        campaign__club=club.pk, campaign__state__in=policy.TAKES_COMPANIES, state__in=EnrolmentState.in_play()
    )
    campaign = Campaign.objects.filter(pk__in=playing.exclude(company__owner=player).values("campaign")).first()
    if campaign is not None:
        yield Obstacle(
            f"You're the only member of {club.name}, and others play in {campaign.name}, which is "
            f"{campaign.get_state_display()}. Finish it first, or invite somebody and hand the club over.",
            members,
        )


def _unjudged(club: OwnClub, player: Player) -> Iterator[Obstacle]:
    disputed = Match.objects.filter(round__campaign__club=club.pk, state=MatchState.DISPUTED)
    rows = disputed.select_related("round__campaign__club", "attacker__company__owner", "defender__company__owner")
    for match in rows.order_by("pk"):
        judges = [each for each in policy.free_judges(match) if each.leaves_at is None or each.pk == player.pk]
        if [each.pk for each in judges] == [player.pk]:
            yield Obstacle(
                f"Only you can rule on the disputed match {match} in {club.name}. Rule on it first, or make somebody an "
                "arbiter.",
                reverse("campaigns:match", args=[match.key]),
            )


def _kept(player: Player, kept: frozenset[int]) -> frozenset[int]:
    """Return companies that were ever enrolled, except in clubs that are deleted with the player."""
    going = _clubs_to_delete(player)
    return kept | {company for company, club, _ in OWN_ENROLMENTS.rows(player=player.pk) if club not in going}


def _clubs_to_delete(player: Player) -> set[int]:
    """Return the player's own clubs in which nobody else takes part and nothing was played."""
    return {club.pk for club in OWN_CLUBS.rows(player=player.pk) if club.goes}


def _fates(player: Player, kept: frozenset[int]) -> Iterator[Fate]:
    clubs = OWN_CLUBS.rows(player=player.pk)
    going = {club.pk for club in clubs if club.goes}
    enrolled = OWN_ENROLMENTS.rows(player=player.pk)
    playing = len({company for company, club, plays in enrolled if plays and club not in going})
    (numbers,) = NUMBERS.rows(player=player.pk)
    left = sum(club.has_others for club in clubs)
    yield _fate(
        playing,
        ("company in a campaign", "companies in campaigns"),
        "withdrawn from further rounds. Ledger, pilots and units stay in the campaign's history",
    )
    yield _fate(
        numbers.matches,
        ("undecided match", "undecided matches"),
        "decided at the deadline by the campaign's rule for absent players, unless reported and confirmed before then",
    )
    yield _fate(
        len(kept) - playing,
        ("company of another campaign or battle", "companies of other campaigns or battles"),
        "kept in the other players' history",
    )
    yield _fate(left, ("club", "clubs"), "your membership ends, and calendar and feed links stop working", goes=True)
    yield _fate(
        len(clubs) - len(going) - left,
        ("club with games and no other member", "clubs with games and no other member"),
        "kept read-only, without an organiser",
    )
    yield _fate(
        len(going),
        ("club without games or other members", "clubs without games or other members"),
        "deleted",
        goes=True,
    )
    yield _fate(
        numbers.written,
        ("activity log entry or ruling", "activity log entries or rulings"),
        "kept under the name you choose",
    )
    yield _fate(numbers.forces, ("saved list", "saved lists"), "deleted", goes=True)


def _fate(number: int, words: tuple[str, str], what: str, *, goes: bool = False) -> Fate:
    """Return the fate of `number` rows, named in the singular or plural."""
    return Fate(number, words[number != 1], what, goes=goes)


# --- an account that the operator removes -----------------------------------------------------------------------------


def _hand_on(player: Player) -> Iterator[str]:
    """Give each club that only this player organises another organiser: an arbiter, else the longest-standing member."""
    for own in OWN_CLUBS.rows(player=player.pk):
        if own.role != Role.ORGANISER or own.has_organiser or not own.has_others:
            continue
        club = club_lock(Club.objects.get(pk=own.pk))
        members = club.memberships.exclude(player=player).select_related("player")
        members = members.filter(player__is_active=True, player__is_guest=False, player__placeholder=None)
        heir = min(
            members, key=lambda member: (member.player.leaves_at is not None, member.role != Role.ARBITER), default=None
        )
        if heir is None:
            yield f"{club.name} has no organiser any more."
            continue
        heir.role = Role.ORGANISER
        heir.save(update_fields=["role"])
        log_activity(
            club=club, text=f"{heir.player} is now an organiser of {club.name}, because an account was removed", by=None
        )
        yield f"{heir.player} is now an organiser of {club.name}."


# --- leaving ----------------------------------------------------------------------------------------------------------


def _leave_all(gone: DepartedPlayer) -> None:
    """Leave clubs and campaigns through the ordinary services.

    Clubs are locked first, so that each keeps an organiser; then seasons, campaigns, and the companies that get the
    player's places.
    """
    player = gone.player
    clubs = {row.pk: club_lock(row) for row in Club.objects.filter(memberships__player=player).order_by("pk")}
    entered = SeasonEntrant.objects.filter(player=player, is_in=True).exclude(season__state=SeasonState.FINISHED)
    for entrant in entered.select_related("season__club").order_by("season", "pk"):
        season_leave(season=entrant.season, entrant=entrant.pk, by=player)
    for campaign in Campaign.objects.filter(enrolments__company__owner=player).distinct().order_by("pk"):
        campaign_lock(campaign)
    for obstacle in () if gone.is_removal else _obstacles(player):
        raise RefusedError("leave", obstacle.sentence)
    going = _clubs_to_delete(player)
    playing = Enrolment.objects.filter(company__owner=player, state__in=EnrolmentState.in_play())
    playing = (
        playing.exclude(campaign__state=CampaignState.FINISHED).select_related("campaign").order_by("campaign", "pk")
    )
    moving_up_lock([enrolment.campaign for enrolment in playing])
    for enrolment in playing:
        enrolment_withdraw(enrolment=enrolment, by=player)
    player.invitations.all().delete()
    player.join_requests.all().delete()
    player.saved_forces.all().delete()
    Notification.objects.filter(player=player).delete()
    Mail.objects.filter(player=player).delete()
    NotificationPreferences.objects.filter(player=player).delete()
    Availability.objects.filter(player=player).delete()
    PlayerCalendar.objects.filter(player=player).delete()
    PushDevice.objects.filter(player=player).delete()
    Invitation.objects.filter(created_by=player, withdrawn_at=None).update(withdrawn_at=timezone.now())
    for pk, club in clubs.items():
        if pk in going:
            _club_delete(club)
        else:
            _club_leave(club, player)


def _club_leave(club: Club, player: Player) -> None:
    is_alone = not club.memberships.filter(player__is_guest=False).exclude(player=player).exists()
    Membership.objects.filter(club=club, player=player).delete()
    if is_alone:
        Club.objects.filter(pk=club.pk).update(takes_requests=False)
        club.requests.filter(state="asked").delete()
        guest_links_end_all(club)
    log_activity(club=club, text=f"{player} left Muster", by=player)


def _club_delete(club: Club) -> None:
    club.seasons.all().delete()
    Enrolment.objects.filter(campaign__club=club).delete()
    for guest in club.guests.filter(player__isnull=False).select_related("player"):
        guest_erase(guest)
    club.campaigns.all().delete()
    club.delete()


# --- forgetting -------------------------------------------------------------------------------------------------------


def _forget(gone: DepartedPlayer) -> None:
    """Replace the player's name with the new one in every club where they left a trace."""
    clubs = _traces(gone.player)
    campaigns = Campaign.objects.filter(club__in=clubs)
    for entry in ActivityLogEntry.objects.filter(created_by=gone.player):
        text = gone.text(entry.text, own=True)[:400]
        if text != entry.text:
            ActivityLogEntry.objects.filter(pk=entry.pk).update(text=text)
    gone.rewrite(ActivityLogEntry.objects.filter(club__in=clubs), "text")
    gone.rewrite(Club.objects.filter(pk__in=clubs), "about", "place")
    gone.rewrite(Guest.objects.filter(club__in=clubs, player=None), "name")
    gone.rewrite(campaigns, "about")
    gone.rewrite(Season.objects.filter(club__in=clubs), "about")
    gone.rewrite(SeasonPairing.objects.filter(round__season__club__in=clubs), "reason", "blocked_reason")
    gone.rewrite(Phase.objects.filter(campaign__in=campaigns), "name", "text")
    gone.rewrite(CatalogueUpgrade.objects.filter(campaign__in=campaigns), "waits")
    gone.rewrite(Enrolment.objects.filter(campaign__in=campaigns), "decision", "exception_reason")
    gone.rewrite(Match.objects.filter(round__campaign__in=campaigns), "flag", "refusal")
    gone.rewrite(SubmittedList.objects.filter(match__round__campaign__in=campaigns), "fell")
    gone.rewrite(Ruling.objects.filter(campaign__in=campaigns), "title", "reason")
    for news in NotificationEvent.objects.filter(club__in=clubs).only("pk", "facts"):
        facts = {name: gone.text(value) if isinstance(value, str) else value for name, value in news.facts.items()}
        if facts != news.facts:
            NotificationEvent.objects.filter(pk=news.pk).update(facts=facts)
    deliveries_forget(clubs, gone)
    joined_campaigns = campaigns.filter(enrolments__company__owner=gone.player)
    for gazette in Gazette.objects.filter(round__campaign__in=joined_campaigns).select_related("round").order_by("pk"):
        _gazette_forget(gazette, gone)


def _traces(player: Player) -> list[int]:
    """Return the clubs in which the player did something, was asked about, or has a company."""
    did = ActivityLogEntry.objects.filter(created_by=player).values("club")
    enrolled = Enrolment.objects.filter(company__owner=player).values("campaign__club")
    return list(Club.objects.filter(Q(pk__in=did) | Q(pk__in=enrolled)).values_list("pk", flat=True))


def _gazette_forget(gazette: Gazette, gone: DepartedPlayer) -> None:
    """Put the new name beside the player's companies in a gazette, and have its prints drawn again."""
    content = gone.data(gazette.content)
    own_matches = Q(attacker__company__owner=gone.player) | Q(defender__company__owner=gone.player)
    matches = Match.objects.filter(own_matches, round=gazette.round).select_related(
        "attacker__company", "defender__company"
    )
    own = {str(match.key): match for match in matches}
    named = set(Company.objects.filter(owner=gone.player).values_list("name", flat=True))
    for line in content["results"]:
        match = own.get(line["match"])
        for side in ("attacker", "defender"):
            enrolment = getattr(match, side) if match else None
            if enrolment is not None and enrolment.company.owner_id == gone.player.pk and line[side]:
                named.add(line[side]["name"])
                line[side]["player"] = gone.name
    _standings_forget(gazette, content, named, gone)
    if content != gazette.content:
        gazette_amend(gazette=gazette, content=content)


def _standings_forget(gazette: Gazette, content: dict[str, object], named: set[str], gone: DepartedPlayer) -> None:
    """Rename the player in the standings: by company name, or by company and player if others use that company name."""
    others = Enrolment.objects.filter(campaign=gazette.round.campaign_id).exclude(company__owner=gone.player)
    foreign = set(others.values_list("company__name", flat=True))
    lines = content["standings"]
    assert isinstance(lines, list)
    for line in lines:
        if line["name"] in named and (line["name"] not in foreign or line["player"] in gone.names | gone.shared):
            line["player"] = gone.name


PART = DeletionPart(obstacles=_obstacles, kept=_kept, fates=_fates, hand_on=_hand_on, go=_leave_all, forget=_forget)
