"""Export clubs from the database as club/1 documents, and import them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction

from battles.services.dice import dice_seal
from campaigns.archive.club_arcs import arc_import, arc_to_dict
from campaigns.archive.club_cups import cup_import, cup_to_dict, tie_to_dict
from campaigns.archive.club_document import SCHEDULED, ClubCampaign, ClubDocument, ClubRound
from campaigns.campaign.services import YIELD_FIELDS
from campaigns.clubs.services import club_create
from campaigns.diary import diary_write
from campaigns.friendlies.selectors import FriendlyRow, friendly_rows
from campaigns.guests.players import GUEST_USERNAME, guest_player
from campaigns.models import (
    ArcRound,
    Campaign,
    CampaignState,
    Club,
    Cup,
    CupTie,
    Enrolment,
    Friendly,
    Guest,
    Match,
    MatchState,
    Membership,
    Phase,
    Round,
    Territory,
)
from campaigns.musters.allowance import points_earned_elsewhere
from rosters.database.moments import one_moment
from rosters.models import Company, Player
from rosters.services import RefusedError

MAX_NAMES = 10  # missing players or companies that an error lists by name
SETTINGS = (  # fields of a campaign that have the same name in the document
    "name",
    "system",
    "about",
    "state",
    "is_public",
    "points",
    "options",
    "pace_days",
    "pairing",
    "map_kind",
    "attack_rule",
    "absent_rule",
    "confirms_by_deadline",
    "friendlies",
    "handicaps",
    "counts_odds",
    "seals_forces",
    "seats",
    "fills_seats",
)
DATE_FIELDS = ("mustering_at", "running_at", "finished_at")


@dataclass(frozen=True, slots=True)
class ImportedClub:
    """The new club, and descriptions of what was left out."""

    club: Club
    left_out: tuple[str, ...]


@one_moment()
def club_document(club: Club) -> dict[str, object]:
    """Return the club as a document.

    Imported where its players and companies exist, it gives a club that exports the same document.
    """
    members = club.memberships.select_related("player").order_by("joined_at", "pk")
    return {
        "muster": "club/1",
        "name": club.name,
        "about": club.about,
        "place": club.place,
        "is_public": club.is_public,
        "takes_requests": club.takes_requests,
        "members": [
            {
                "player": row.player.username,
                "role": row.role,
                "joined_at": _isoformat(row.joined_at),
                **({"guest": str(row.player)} if row.player.is_guest else {}),
            }
            for row in members
        ],
        "campaigns": [_campaign(campaign) for campaign in club.campaigns.order_by("pk")],
    }


@transaction.atomic
def club_import(*, document: ClubDocument, leave_out: bool = False) -> ImportedClub:
    """Create a club from the document. Refuse all of it if players or companies are missing, unless `leave_out` is set.

    With `leave_out`, missing players don't become members, and campaigns with a missing company are left out.
    A guest is imported as a guest, whether or not they exist here; they have no link until an organiser makes one.
    """
    usernames = {member.player for member in document.members}
    usernames |= {company.owner for campaign in document.campaigns for company in campaign.companies}
    players = {player.username: player for player in Player.objects.filter(username__in=usernames)}
    for member in document.members:
        if member.guest is not None and member.player not in players:
            _check_guest_name(member.player)
            players[member.player] = guest_player(member.guest, member.player)
    left_out = [
        f"player {member.player} ({member.role})" for member in document.members if member.player not in players
    ]
    if left_out and not leave_out:
        raise RefusedError("members", f"There is no {_join_names(left_out)} here.")
    if not any(row.role == "organiser" and row.player in players for row in document.members):
        raise RefusedError("members", "None of the club's organisers is here.")
    club = club_create(
        name=document.name,
        about=document.about,
        place=document.place,
        is_public=document.is_public,
        takes_requests=document.takes_requests,
    )
    for member in document.members:
        if member.player in players:
            row = Membership.objects.create(club=club, player=players[member.player], role=member.role)
            Membership.objects.filter(pk=row.pk).update(joined_at=_parse_datetime(member.joined_at))
            if row.player.is_guest:
                Guest.objects.create(club=club, player=row.player, name=str(row.player))
    for at, campaign in enumerate(document.campaigns):
        companies, missing = _companies(campaign, players)
        if missing and not leave_out:
            raise RefusedError(f"campaigns[{at}].companies", _describe_problems(missing))
        if missing:
            left_out.append(f"campaign {campaign.name}, for want of {_join_names([each.label for each in missing])}")
        else:
            _campaign_import(club, campaign, companies)
    diary_write(club=club, text=f"{club.name} was imported", by=None)
    return ImportedClub(club, tuple(left_out))


def _check_guest_name(username: str) -> None:
    """Refuse a guest's user name that somebody could sign up with."""
    if not GUEST_USERNAME.fullmatch(username):
        raise RefusedError("members", f"{username} is no user name of a guest.")


# --- export -----------------------------------------------------------------------------------------------------------


def _campaign(campaign: Campaign) -> dict[str, object]:
    enrolments = list(campaign.enrolments.select_related("company__owner").order_by("pk"))
    keys = {enrolment.pk: f"c{at}" for at, enrolment in enumerate(enrolments, 1)}
    fought = [line for line in friendly_rows(campaign) if line.outcome in ("won", "drawn", "lost")]
    territories = list(campaign.territories.order_by("position"))
    positions = {territory.pk: territory.position for territory in territories}
    steps = dict(ArcRound.objects.filter(arc__campaign=campaign).values_list("round__number", "step"))
    is_over = campaign.state == CampaignState.FINISHED  # until then orders are private to the player
    return {
        **{field: getattr(campaign, field) for field in SETTINGS},
        "scenarios": campaign.scenarios,
        "tie_breakers": campaign.tie_breakers,
        "release": campaign.catalogue_release,
        **{field: _isoformat(getattr(campaign, field)) for field in DATE_FIELDS},
        "companies": [
            {
                "key": keys[row.pk],
                "owner": row.company.owner.username,
                "name": row.company.name,
                "state": row.state,
                "orders": row.orders if is_over else {},
                "decision": row.decision,
                "asked_at": _isoformat(row.asked_at),
            }
            for row in enrolments
        ],
        "territories": [
            {
                "position": row.position,
                "name": row.name,
                "home": keys.get(row.home_id) if row.home_id else None,
                **({"neighbours": row.neighbours} if row.neighbours else {}),
                **{field: value for field in YIELD_FIELDS if (value := getattr(row, field))},
            }
            for row in territories
        ],
        "rounds": [
            {
                "number": row.number,
                "state": row.state,
                "opens_at": _isoformat(row.opens_at),
                "deadline": _isoformat(row.deadline),
                "closed_at": _isoformat(row.closed_at),
                **({"is_finale": True} if row.is_finale else {}),
                **({"step": steps[row.number]} if row.number in steps else {}),
                "matches": [_match(match, keys, positions) for match in row.matches.all()],
                "friendlies": [_friendly(line, keys) for line in reversed(fought) if line.round == row.number],
            }
            for row in campaign.rounds.order_by("number").prefetch_related("matches__tie")
        ],
        **cup_to_dict(campaign, keys),
        **arc_to_dict(campaign, keys),
        **_phases(campaign),
    }


def _phases(campaign: Campaign) -> dict[str, object]:
    """Return the campaign's phases, or an empty dict if it has none."""
    found = list(campaign.phases.values("first_round", "name", "text"))
    return {"phases": found} if found else {}


def _match(match: Match, keys: dict[int, str], positions: dict[int, int]) -> dict[str, object]:
    decided = match.state in MatchState.decided()
    return {
        "number": match.number,
        "scenario": match.scenario,
        "scenario_name": match.scenario_name,
        "terrain": match.terrain,
        "attacker": keys[match.attacker_id],
        "defender": keys[match.defender_id] if match.defender_id else None,
        "territory": positions[match.territory_id] if match.territory_id else None,
        "state": match.state if decided else SCHEDULED,
        "outcome": match.outcome if decided else "",
        "decided_by": match.decided_by if decided else "",
        "decided_at": _isoformat(match.decided_at) if decided else None,
        **tie_to_dict(match),
        **({"odds": match.odds} if match.odds else {}),
        **({"margin": match.figures["margin"][0]} if decided and match.figures.get("margin") else {}),
    }


def _friendly(line: FriendlyRow, keys: dict[int, str]) -> dict[str, object]:
    return {
        "company": keys[line.enrolment],
        "opponent": line.opponent,
        "at": _isoformat(line.at),
        "outcome": line.outcome,
        "commitment": line.commitment,
    }


def _isoformat(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat() if moment else None


# --- import -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MissingCompany:
    """A company of the document that doesn't exist here, or whose name its owner uses more than once."""

    owner: str
    name: str
    count: int

    @property
    def label(self) -> str:
        return f"{'single ' if self.count else ''}company {self.name} of {self.owner}"

    @property
    def problem(self) -> str:
        if self.count:
            return f"{self.owner} has {self.count} companies called {self.name}. Rename one, then import again."
        return f"{self.owner} has no company called {self.name} here. Import it with import_company first."


def _companies(campaign: ClubCampaign, players: dict[str, Player]) -> tuple[dict[str, Company], list[MissingCompany]]:
    """Return the campaign's companies by key, and those that don't exist here or aren't unique."""
    owners = [players[row.owner] for row in campaign.companies if row.owner in players]
    rows = Company.objects.filter(owner__in=owners, system=campaign.system, disbanded_at=None)
    found: dict[tuple[int, str], list[Company]] = {}
    for row in rows:
        found.setdefault((row.owner_id, row.name), []).append(row)
    companies: dict[str, Company] = {}
    missing: list[MissingCompany] = []
    for wanted in campaign.companies:
        owner = players.get(wanted.owner)
        alike = found.get((owner.pk, wanted.name), []) if owner else []
        if len(alike) == 1:
            companies[wanted.key] = alike[0]
        else:
            missing.append(MissingCompany(wanted.owner, wanted.name, len(alike)))
    return companies, missing


def _campaign_import(club: Club, wanted: ClubCampaign, companies: dict[str, Company]) -> None:
    campaign = Campaign.objects.create(
        club=club,
        **{field: getattr(wanted, field) for field in SETTINGS}
        | {"counts_odds": wanted.absent_rule == "orders" if wanted.counts_odds is None else wanted.counts_odds},
        scenarios=[row.model_dump(mode="json") for row in wanted.scenarios],
        tie_breakers=list(wanted.tie_breakers),
        catalogue_release=wanted.release,
        **{field: _parse_datetime(getattr(wanted, field)) for field in DATE_FIELDS},
    )
    enrolments = {}
    for row in wanted.companies:
        enrolment = Enrolment.objects.create(
            campaign=campaign,
            company=companies[row.key],
            state=row.state,
            orders=row.orders,
            decision=row.decision,
            carried_points=points_earned_elsewhere(companies[row.key], campaign),
        )
        Enrolment.objects.filter(pk=enrolment.pk).update(asked_at=_parse_datetime(row.asked_at))
        enrolments[row.key] = enrolment
    territories = {
        place.position: Territory.objects.create(
            campaign=campaign,
            position=place.position,
            name=place.name,
            home=enrolments[place.home] if place.home else None,
            neighbours=list(place.neighbours),
            **{field: getattr(place, field) for field in YIELD_FIELDS},
        )
        for place in wanted.territories
    }
    cup = cup_import(campaign, wanted.cup, enrolments)
    arc = arc_import(campaign, wanted.arc, enrolments)
    Phase.objects.bulk_create(Phase(campaign=campaign, **phase.model_dump()) for phase in wanted.phases)
    for each in wanted.rounds:
        made = _round_import(campaign, each, enrolments, territories, cup)
        if arc is not None and each.step is not None:
            ArcRound.objects.create(arc=arc, round=made, step=each.step)


def _round_import(
    campaign: Campaign,
    wanted: ClubRound,
    enrolments: dict[str, Enrolment],
    territories: dict[int, Territory],
    cup: Cup | None,
) -> Round:
    round_ = Round.objects.create(
        campaign=campaign,
        number=wanted.number,
        state=wanted.state,
        is_finale=wanted.is_finale,
        **{field: _parse_datetime(getattr(wanted, field)) for field in ("opens_at", "deadline", "closed_at")},
    )
    for match in wanted.matches:
        made = Match.objects.create(
            round=round_,
            number=match.number,
            scenario=match.scenario,
            scenario_name=match.scenario_name,
            terrain=match.terrain,
            attacker=enrolments[match.attacker],
            defender=enrolments[match.defender] if match.defender else None,
            territory=territories[match.territory] if match.territory is not None else None,
            state=match.state,
            outcome=match.outcome,
            decided_by=match.decided_by,
            decided_at=_parse_datetime(match.decided_at),
            dice=dice_seal() if match.state == SCHEDULED else None,
            odds=match.odds.model_dump(mode="json") if match.odds else None,
            figures={"margin": [match.margin]} if match.margin is not None else {},
        )
        if cup is not None and match.tie is not None:
            CupTie.objects.create(cup=cup, place=match.tie, match=made)
    for friendly in wanted.friendlies:
        enrolment = enrolments[friendly.company]
        played = Friendly.objects.create(
            round=round_,
            enrolment=enrolment,
            opponent=friendly.opponent,
            by=enrolment.company.owner,
            outcome=friendly.outcome,
            commitment=friendly.commitment,
        )
        Friendly.objects.filter(pk=played.pk).update(at=_parse_datetime(friendly.at))
    return round_


def _parse_datetime(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _describe_problems(missing: Sequence[MissingCompany]) -> str:
    """Describe the problems of the first few, and say how many more there are."""
    more = len(missing) - MAX_NAMES
    return " ".join(each.problem for each in missing[:MAX_NAMES]) + (f" And {more} more." if more > 0 else "")


def _join_names(names: Sequence[str]) -> str:
    """List the first few names, and say how many more there are."""
    more = len(names) - MAX_NAMES
    return ", ".join(names[:MAX_NAMES]) + (f" and {more} more" if more > 0 else "")
