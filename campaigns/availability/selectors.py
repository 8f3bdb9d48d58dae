"""Players' availability, common days, the dates of their matches, and a calendar over all their clubs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from campaigns import policy
from campaigns.icalendar import GAME_DURATION
from campaigns.models import (
    Availability,
    CampaignState,
    Club,
    EnrolmentState,
    Match,
    MatchDate,
    MatchmakingEntry,
    MatchmakingOffer,
    MatchState,
    OfferState,
    PlayerCalendar,
    Round,
    RoundState,
)
from rosters.models import Player

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayableDays:
    """A player's availability."""

    weekdays: frozenset[int] = frozenset()  # 0 is Monday
    days: frozenset[date] = frozenset()
    away: tuple[tuple[date, date], ...] = ()  # first and last day

    def suits(self, day: date) -> bool:
        """Return whether the player can play on that day."""
        is_away = any(first <= day <= last for first, last in self.away)
        return not is_away and (day in self.days or day.weekday() in self.weekdays)


def common_days(first: date, last: date, both: Sequence[PlayableDays]) -> Iterator[date]:
    """Yield the days from `first` to `last`, both included, that suit everybody."""
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        if all(each.suits(day) for each in both):
            yield day


MAX_DAYS_AHEAD_SHOWN = 28  # days ahead in which to look for suitable ones
MAX_COMMON_DAYS = 8  # max suitable days to show
KEEP_PAST_ENTRIES = timedelta(days=7)  # how long past entries stay
KEEP_PAST_GAMES = timedelta(hours=12)  # how long a game of a club night stays


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry in a player's calendar. `kind` is date, proposal, deadline, opening or night."""

    kind: str
    uid: str
    at: datetime
    until: datetime | None
    title: str
    about: str
    where: str
    url: str
    changed_at: datetime | None = None  # when it was last moved

    @property
    def day(self) -> date:
        """The day in the reader's time zone."""
        return timezone.localtime(self.at).date()

    @property
    def is_over(self) -> bool:
        return (self.until or self.at) < timezone.now()


@dataclass(frozen=True, slots=True, kw_only=True)
class SideAvailability:
    """The availability of one side of a match."""

    name: str
    player: str
    availability: str  # in words; empty if unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class DateSheet:
    """The date of a match as its sides and organisers see it."""

    is_open: bool  # a date can still be agreed on
    agreed_at: datetime | None
    proposed_at: datetime | None
    proposed_by: str  # company
    sides: tuple[SideAvailability, ...]  # those the reader may see
    suits_both: tuple[date, ...]
    own: tuple[int, ...]  # sides the reader may act for
    may_propose: bool  # the deadline hasn't passed
    may_accept: bool  # the other side's proposal is still in the future
    may_answer: bool  # the other side has proposed
    may_take_back: bool
    is_late: bool  # the agreed date is after the deadline


def date_of(match: Match) -> MatchDate:
    """Return the match's date, proposed or agreed; an unsaved empty one if there is none.

    One query, unless it was loaded with the match.
    """
    row: MatchDate | None = getattr(match, "date", None)
    return row or MatchDate(match=match)


def date_sheet(
    match: Match, row: MatchDate, reader: policy.Reader, rights: policy.Rights, *, with_availability: bool = True
) -> DateSheet | None:
    """Return the match's date and its possible days; None if it can't have a date or the reader may not know it.

    One query for availability. `match` comes with its sides, round and campaign; `row` is its date; `rights` are the
    reader's in the match's club.
    """
    if match.defender is None or match.round.state == RoundState.PLANNED or not isinstance(reader, Player):
        return None
    own = policy.sides_of(reader, match)
    if not own and not rights.may_run:
        return None
    owners = [match.attacker.company.owner, match.defender.company.owner]
    found = playable_days_of(owners, match.round.campaign.club) if with_availability else {}
    days = _days_ahead(match.round.deadline)
    both = [found[each.pk] for each in owners if each.pk in found]
    is_open = match.state in MatchState.undecided() and match.round.state == RoundState.OPEN
    deadline = match.round.deadline
    return DateSheet(
        is_open=is_open,
        agreed_at=row.agreed_at,
        proposed_at=row.proposed_at if is_open else None,
        proposed_by=(match.attacker, match.defender)[row.side].company.name if row.proposed_at else "",
        sides=tuple(
            SideAvailability(
                name=side.company.name, player=str(owner), availability=describe_availability(found.get(owner.pk))
            )
            for side, owner in zip((match.attacker, match.defender), owners, strict=True)
            if is_open and with_availability
        ),
        suits_both=tuple(common_days(*days, both))[:MAX_COMMON_DAYS] if days and len(both) == 2 and is_open else (),
        own=tuple(own) if is_open else (),
        may_propose=is_open and bool(own) and (deadline is None or deadline > timezone.now()),
        may_accept=is_open
        and row.proposed_at is not None
        and row.proposed_at > timezone.now()
        and bool(set(own) - {row.side}),
        may_answer=is_open and row.proposed_at is not None and bool(set(own) - {row.side}),
        may_take_back=is_open and row.proposed_at is not None and row.side in own,
        is_late=None not in (row.agreed_at, match.round.deadline) and row.agreed_at > match.round.deadline,  # type: ignore[operator]
    )


def playable_days_of(players: Sequence[Player], club: Club) -> dict[int, PlayableDays]:
    """Return the availability in that club of the players who entered one. One query."""
    rows = Availability.objects.filter(player__in=players).filter(Q(club=club) | Q(club=None))
    found: dict[int, PlayableDays] = {}
    for row in sorted(rows, key=lambda row: row.club_id is not None):  # the club's own row comes last and wins
        found[row.player_id] = parse_availability(row)
    return found


def parse_availability(row: Availability) -> PlayableDays:
    """Return the availability stored in a row."""
    return PlayableDays(
        weekdays=frozenset(row.weekdays),
        days=frozenset(date.fromisoformat(each) for each in row.days),
        away=tuple((date.fromisoformat(first), date.fromisoformat(last)) for first, last in row.away),
    )


def describe_availability(found: PlayableDays | None) -> str:
    """Return availability in words: “Thursdays; also 26 Nov; not from 1 Dec to 8 Dec”."""
    if found is None:
        return ""
    today = timezone.localdate()
    weekly = ", ".join(f"{WEEKDAYS[each]}s" for each in sorted(found.weekdays))
    days = ", ".join(_day(each) for each in sorted(found.days) if each >= today)
    away = ", ".join(f"from {_day(first)} to {_day(last)}" for first, last in sorted(found.away) if last >= today)
    parts = (weekly, f"{'also ' if weekly else ''}{days}" if days else "", f"not {away}" if away else "")
    return "; ".join(filter(None, parts)) or "no evenings"


def availability_of(player: Player, club: Club | None) -> Availability | None:
    """Return the player's availability in that club; with None, the one for all clubs without their own."""
    return Availability.objects.filter(player=player, club=club).first()


def describe_all_availability(player: Player) -> tuple[tuple[str, str], ...]:
    """Return all of the player's availability as pairs of club (empty: all others) and words. One query."""
    rows = Availability.objects.filter(player=player).select_related("club").order_by("club__name", "pk")
    return tuple((str(row.club or ""), describe_availability(parse_availability(row))) for row in rows)


def calendar_key_of(player: Player) -> PlayerCalendar | None:
    """Return the key of the player's calendar, if they have created one."""
    return PlayerCalendar.objects.filter(player=player).first()


def player_of_calendar_key(key: UUID) -> Player | None:
    """Return the player whose calendar this key opens, as long as their account is active."""
    row = PlayerCalendar.objects.filter(policy.working_keys(), key=key).select_related("player").first()
    return row.player if row else None


def calendar_entries(player: Player) -> tuple[Entry, ...]:
    """Return deadlines, agreed and proposed dates, round openings and club nights of all the player's clubs, by time.

    Four queries.
    """
    since = timezone.now() - KEEP_PAST_ENTRIES
    found = [*_match_entries(player), *_round_entries(player), *_night_entries(player)]
    return tuple(
        sorted((each for each in found if (each.until or each.at) >= since), key=lambda each: (each.at, each.uid))
    )


# --- parts ------------------------------------------------------------------------------------------------------------


def _day(day: date) -> str:
    return f"{day:%a} {day.day} {day:%b}"


def _days_ahead(deadline: datetime | None) -> tuple[date, date] | None:
    today = timezone.localdate()
    last = today + timedelta(days=MAX_DAYS_AHEAD_SHOWN)
    last = min(last, timezone.localtime(deadline).date()) if deadline is not None else last
    return (today, last) if last >= today else None


def _match_entries(player: Player) -> Iterator[Entry]:
    """Yield the deadline and date of each undecided match of the player."""
    rows = Match.objects.filter(
        Q(attacker__company__owner=player) | Q(defender__company__owner=player),
        state__in=MatchState.undecided(),
        round__state=RoundState.OPEN,
        round__campaign__state=CampaignState.RUNNING,
        defender__isnull=False,
    ).select_related("round__campaign__club", "attacker__company__owner", "defender__company__owner", "date")
    for match in rows.order_by("round__deadline", "pk"):
        url = reverse("campaigns:match", args=[match.key])
        where = f"{match.round} of {match.round.campaign}, {match.round.campaign.club}"
        row: MatchDate | None = getattr(match, "date", None)
        opened, changed = match.round.opens_at, row.changed_at if row else None
        ground = f"Table {match.number}: {match.scenario_name}"
        if row is not None and row.agreed_at is not None:
            yield _entry(
                "date",
                f"date-{match.key}",
                row.agreed_at,
                f"{match}",
                ground,
                where,
                url,
                changed or opened,
                lasts=GAME_DURATION,
            )
        if row is not None and row.proposed_at is not None:
            title = f"Proposed: {match}"
            yield _entry(
                "proposal",
                f"proposal-{match.key}",
                row.proposed_at,
                title,
                ground,
                where,
                url,
                changed or opened,
                lasts=GAME_DURATION,
            )
        if match.round.deadline is not None:
            title = f"Deadline: {match}"
            yield _entry(
                "deadline",
                f"match-{match.key}",
                match.round.deadline,
                title,
                "Report by then",
                where,
                url,
                match.round.deadline_set_at or opened,
            )


def _round_entries(player: Player) -> Iterator[Entry]:
    """Yield the openings of the rounds of the player's campaigns."""
    rows = Round.objects.filter(
        campaign__state=CampaignState.RUNNING,
        campaign__enrolments__company__owner=player,
        campaign__enrolments__state=EnrolmentState.ACCEPTED,
        state=RoundState.OPEN,
        opens_at__isnull=False,
    ).select_related("campaign__club")
    for row in rows.distinct().order_by("pk"):
        assert row.opens_at is not None
        url = reverse("campaigns:round", args=[row.campaign_id, row.number])
        where = f"{row.campaign}, {row.campaign.club}"
        title = f"{row} opens"
        yield _entry(
            "opening", f"opening-{row.campaign_id}-{row.number}", row.opens_at, title, "", where, url, row.opens_at
        )


def _night_entries(player: Player) -> Iterator[Entry]:
    """Yield the club nights for which one of the player's companies is ready, and the games agreed there."""
    for row in MatchmakingEntry.objects.filter(company__owner=player, expires_at__gt=timezone.now()).select_related(
        "club", "company"
    ):
        url = reverse("campaigns:club_night", args=[row.club.slug])
        title, about = f"Game night: {row.club}", f"{row.company} is looking for a game"
        lasts = row.expires_at - row.created_at
        yield _entry(
            "night",
            f"night-{row.club_id}-{row.company_id}",
            row.created_at,
            title,
            about,
            str(row.club),
            url,
            row.created_at,
            lasts=lasts,
        )
    games = MatchmakingOffer.objects.filter(
        Q(attacker__owner=player) | Q(defender__owner=player),
        state=OfferState.ACCEPTED,
        created_at__gt=timezone.now() - KEEP_PAST_GAMES,
    ).select_related("club", "attacker", "defender")
    for game in games:
        url = reverse("campaigns:club_night", args=[game.club.slug])
        yield _entry(
            "night",
            f"game-{game.key}",
            game.created_at,
            str(game),
            game.scenario_name,
            str(game.club),
            url,
            game.created_at,
            lasts=GAME_DURATION,
        )


def _entry(
    kind: str,
    uid: str,
    at: datetime,
    title: str,
    about: str,
    where: str,
    url: str,
    changed_at: datetime | None,
    *,
    lasts: timedelta | None = None,
) -> Entry:
    until = at + lasts if lasts is not None else None
    return Entry(
        kind=kind, uid=uid, at=at, until=until, title=title, about=about, where=where, url=url, changed_at=changed_at
    )
