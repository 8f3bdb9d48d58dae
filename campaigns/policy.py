"""Permissions in clubs and campaigns; pages and API check them here and nowhere else.

Readers who may not see a thing get 404, as if it didn't exist; readers who may see it but not do that get 403.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from campaigns.models import (
    Campaign,
    CampaignState,
    Club,
    Enrolment,
    EnrolmentState,
    GuestLink,
    Match,
    MatchState,
    Membership,
    Role,
    Round,
    RoundState,
    Season,
)
from rosters.database.queries import PreparedQuery
from rosters.models import Company, Player, Visibility

Reader = Player | AnonymousUser
MAY_RULE = (Role.ARBITER, Role.ORGANISER)
TAKES_COMPANIES = (CampaignState.MUSTERING, CampaignState.RUNNING)
ROLE = PreparedQuery(
    lambda club, player: Membership.objects.filter(club=club, player=player).values_list("role")[:1],
    club=int,
    player=int,
)

HIDDEN_GAMES = PreparedQuery(
    lambda season: Campaign.objects.filter(season_game__season=season, is_public=False).values_list("pk")[:1],
    season=int,
)


def role_in(reader: Reader, club: Club) -> Role | None:
    """Return the reader's role in the club; None if they aren't a member."""
    if not isinstance(reader, Player):
        return None
    found = ROLE.row(club=club.pk, player=reader.pk)
    return Role(found[0]) if found else None


@dataclass(frozen=True, slots=True)
class Rights:
    """The rights of a reader in a club, by their role: a page asks once and passes them on."""

    role: Role | None

    @property
    def is_member(self) -> bool:
        """May read the activity log, and everything for members."""
        return self.role is not None

    @property
    def may_run(self) -> bool:
        """May manage members, invitations, campaigns and rounds: organisers."""
        return self.role == Role.ORGANISER

    @property
    def may_rule(self) -> bool:
        """May rule on disputes and make corrections: arbiters and organisers. For matches they play, see `can_judge`."""
        return self.role in MAY_RULE


def rights_in(reader: Reader, club: Club) -> Rights:
    """Return the reader's rights in the club. One query."""
    return Rights(role_in(reader, club))


def visible_clubs(reader: Reader) -> Q:
    """Return the condition for clubs in the reader's lists: public ones, and those they belong to."""
    seen = Q(is_public=True)
    return seen | Q(memberships__player=reader) if isinstance(reader, Player) else seen


def can_see_club(reader: Reader, club: Club) -> bool:
    """Return whether the reader may see the club: everybody may see public ones, members the others."""
    return club.is_public or rights_in(reader, club).is_member


def can_read_activity_log(reader: Reader, club: Club) -> bool:
    """Return whether the reader may read the club's activity log: members may."""
    return rights_in(reader, club).is_member


def can_run_club(reader: Reader, club: Club) -> bool:
    """Return whether the reader may manage members, invitations and campaigns: organisers may."""
    return rights_in(reader, club).may_run


def campaigns_visible_to_role(role: Role | None) -> Q:
    """Return the condition for a club's campaigns shown to this role: `can_see_campaign` for many."""
    if role == Role.ORGANISER:
        return Q()
    visible = ~Q(state="draft")
    return visible if role else visible & Q(is_public=True, club__is_public=True)


def campaigns_visible(reader: Reader) -> Q:
    """Return the condition for campaigns of all clubs in the reader's lists: `can_see_campaign` for many."""
    return campaigns_visible_to(reader.pk if isinstance(reader, Player) else None)


def campaigns_visible_to(reader: int | None) -> Q:
    """Return the same condition as `campaigns_visible`, for a player's ID; None is a visitor."""
    seen = ~Q(state="draft") & Q(is_public=True, club__is_public=True)
    if reader is None:
        return seen
    belongs = Q(club__memberships__player=reader)
    return seen | belongs & (~Q(state="draft") | Q(club__memberships__role=Role.ORGANISER))


def log_entries_visible_to_role(role: Role | None) -> Q:
    """Return the condition for log entries this role reads: those on drafts and planned rounds are for organisers."""
    if role == Role.ORGANISER:
        return Q()
    return (Q(campaign=None) | ~Q(campaign__state="draft")) & (Q(match=None) | ~Q(match__round__state="planned"))


def binding_enrolments() -> Q:
    """Return the condition for enrolments that bind their company: those in play, and those with an undecided match."""
    undecided = Match.objects.filter(state__in=MatchState.undecided()).exclude(round__state=RoundState.PLANNED)
    plays = Exists(undecided.filter(Q(attacker=OuterRef("pk")) | Q(defender=OuterRef("pk"))))
    return Q(state__in=EnrolmentState.in_play()) | Q(plays)


def campaigns_open_to_all(prefix: str = "round__campaign") -> Q:
    """Return the condition for rows whose campaign `is_open_to_all`; `prefix` is the path to the campaign."""
    return Q(**{f"{prefix}__is_public": True, f"{prefix}__club__is_public": True})


def is_open_to_all(campaign: Campaign) -> bool:
    """Return whether non-members can see the campaign once it is no draft; its battles are then listed."""
    return campaign.is_public and campaign.club.is_public


def can_anyone_see_campaign(campaign: Campaign) -> bool:
    """Return whether non-members can see the campaign as it is; only organisers see a draft."""
    return campaign.state != "draft" and is_open_to_all(campaign)


def battle_visibility(campaign: Campaign) -> Visibility:
    """Return the visibility of the campaign's battles: listed for all, or only for people with the link."""
    return Visibility.PUBLIC if is_open_to_all(campaign) else Visibility.LINK


def can_see_campaign(reader: Reader, campaign: Campaign) -> bool:
    """Return whether the reader may see the campaign: organisers a draft, everybody a public one, members any other."""
    if campaign.state == "draft":
        return can_run_club(reader, campaign.club)
    if is_open_to_all(campaign):
        return True
    return rights_in(reader, campaign.club).is_member


def can_see_season(reader: Reader, season: Season) -> bool:
    """Return whether the reader may see the season: a public club's is public unless a game is in a private campaign."""
    if season.club.is_public and HIDDEN_GAMES.row(season=season.pk) is None:
        return True
    return rights_in(reader, season.club).is_member


def can_see_match(reader: Reader, match: Match) -> bool:
    """Return whether the reader may see the match: if planned as organiser, else as side or reader of the campaign."""
    if match.round.state == "planned":
        return can_run_campaign(reader, match.round.campaign)
    if side_of(reader, match) is not None:
        return True
    return can_see_campaign(reader, match.round.campaign)


def holder_of_key(key: str, club: Club) -> Player | None:
    """Return the member whose feed key this is: the feed shows what they may see, as long as they are a member."""
    try:
        given = UUID(key)
    except ValueError:
        return None
    member = Membership.objects.filter(working_keys(), club=club, feed_key=given).select_related("player")
    return next((row.player for row in member), None)


def working_keys() -> Q:
    """Return the condition for keys to a feed or calendar that work. A guest's works as long as their link does."""
    link = GuestLink.objects.filter(guest__player=OuterRef("player"), ended_at=None, expires_at__gt=timezone.now())
    return Q(player__is_active=True) & (Q(player__is_guest=False) | Q(Exists(link)))


def can_run_campaign(reader: Reader, campaign: Campaign) -> bool:
    """Return whether the reader may manage rounds, matches and enrolments: organisers may."""
    return can_run_club(reader, campaign.club)


def acts_for(reader: Reader, company: Company, campaign: Campaign) -> bool:
    """Return whether the reader decides for the company: they are its player, or organise for a guest."""
    return reader.pk == company.owner_id or (company.owner.is_guest and can_run_campaign(reader, campaign))


def can_rule(reader: Reader, campaign: Campaign) -> bool:
    """Return whether the reader may rule and correct: arbiters and organisers. For matches they play, see `can_judge`."""
    return rights_in(reader, campaign.club).may_rule


def free_judges(match: Match) -> list[Player]:
    """Return the club's arbiters and organisers who don't play the match."""
    club = match.round.campaign.club
    return [judge for judge in members_of(club, MAY_RULE) if judge.is_active and not sides_of(judge, match)]


def can_judge(reader: Reader, match: Match) -> bool:
    """Return whether the reader may decide or correct this match; its players only with consent, if nobody else can."""
    return can_rule(reader, match.round.campaign) and not judge_refusal(reader, match)


def judge_refusal(reader: Reader, match: Match) -> str:
    """Return why an arbiter or organiser may not judge a match they play, and who can; empty if they may."""
    own = sides_of(reader, match)
    if not own:
        return ""
    free = free_judges(match)
    if free:
        return f"You play in this match, so you can't rule on it. {join_with_or(free)} can."
    other = (match.defender, match.attacker)[own[0]]
    if other is None or len(own) == 2 or consents_to(match, own[0]) or has_left(other.company.owner):
        return ""
    return (
        "You play in this match, and nobody else in the club can rule on it. You can do so once "
        f"{other.company.owner} consents on the match's page. Or make somebody an arbiter."
    )


def has_left(player: Player) -> bool:
    """Return whether the player has left and can't be asked for consent."""
    return player.left_at is not None


def consents_to(match: Match, side: int) -> bool:
    """Return whether the other side consents to this side's player as judge."""
    return match.consents.filter(side=1 - side, ruling=None).exists()


def can_consent(reader: Reader, match: Match) -> bool:
    """Return whether the reader could let the other side's player judge: that player may rule, and nobody else can."""
    own = sides_of(reader, match)
    other = (match.defender, match.attacker)[own[0]] if len(own) == 1 else None
    if other is None:
        return False
    return can_rule(other.company.owner, match.round.campaign) and not free_judges(match)


def join_with_or(players: Sequence[Player]) -> str:
    """Format their names: "Ann, Ben or Cy"."""
    *most, last = [str(each) for each in players]
    return f"{', '.join(most)} or {last}" if most else last


def sides_of(reader: Reader, match: Match) -> tuple[int, ...]:
    """Return the sides the reader plays: 0 if their company attacks, 1 if it defends; both if they own both."""
    if not isinstance(reader, Player):
        return ()
    sides = (match.attacker, match.defender)
    return tuple(at for at, side in enumerate(sides) if side and side.company.owner_id == reader.pk)


def side_of(reader: Reader, match: Match, *, done: Collection[int] = ()) -> int | None:
    """Return the side the reader plays, None if none. Of two, the first that isn't `done`."""
    own = sides_of(reader, match)
    return next((side for side in own if side not in done), own[0] if own else None)


def plays_undecided(reader: Reader, round_: Round) -> bool:
    """Return whether the reader has an undecided match in the round."""
    if not isinstance(reader, Player):
        return False
    own = Q(attacker__company__owner=reader) | Q(defender__company__owner=reader)
    return round_.matches.filter(own, state__in=MatchState.undecided(), defender__isnull=False).exists()


def can_see_list(reader: Reader, match: Match, side: int) -> bool:
    """Return whether the reader may see a submitted list: only its own side until it is revealed, not even arbiters."""
    return match.setup is not None or not match.round.campaign.seals_forces or side in sides_of(reader, match)


def can_see_orders(reader: Reader, match: Match, side: int) -> bool:
    """Return whether the reader may see a side's orders for its support and units: only that side until it is decided.

    This holds even if its list is revealed; arbiters see no more than players do.
    """
    return match.state not in MatchState.undecided() or side in sides_of(reader, match)


def shares_company(reader: object, company: Company) -> bool:
    """Return whether the reader may see the company as an opponent in an opened match, or as arbiter or organiser."""
    if not isinstance(reader, Player):
        return False
    asked = {"company": company.pk, "reader": reader.pk}
    return JUDGED.row(**asked) is not None or OPPOSED.row(**asked) is not None


def _judged(company: int, reader: int) -> QuerySet[Enrolment, object]:
    rows = Enrolment.objects.filter(company=company).exclude(state=EnrolmentState.DECLINED)
    rows = rows.filter(campaign__club__memberships__player=reader, campaign__club__memberships__role__in=MAY_RULE)
    return rows.order_by().values_list("pk")[:1]


def _opposed(company: int, reader: int) -> QuerySet[Match, object]:
    rows = Match.objects.exclude(round__state="planned").filter(
        Q(attacker__company=company, defender__company__owner=reader)
        | Q(defender__company=company, attacker__company__owner=reader)
    )
    return rows.order_by().values_list("pk")[:1]


JUDGED = PreparedQuery(_judged, company=int, reader=int)  # enrolments of the company that the reader judges
OPPOSED = PreparedQuery(_opposed, company=int, reader=int)  # matches of the company against the reader's


def members_of(club: Club, roles: Iterable[Role]) -> list[Player]:
    """Return the players with these roles, longest-standing member first."""
    rows = club.memberships.filter(role__in=list(roles)).select_related("player")
    return [row.player for row in rows]


def can_compare(reader: Reader, match: Match, reported: Collection[int], rights: Rights) -> bool:
    """Return whether the reader may see a match's reports: everybody once it is decided, some before.

    Before, arbiters may, and sides that have reported. `reported` are the sides with a report, `rights` the reader's in
    the match's club. An arbiter who plays in the match counts as a side.
    """
    if match.state not in MatchState.undecided():
        return True
    own = sides_of(reader, match)
    if own:
        return any(side in reported for side in own)
    return rights.may_rule
