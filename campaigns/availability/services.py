"""Players enter their availability, and the two sides of a match agree on a date for it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from campaigns.activity_log import log_match_activity
from campaigns.locks import match_lock, require_running, require_undecided
from campaigns.models import Availability, Club, Match, MatchDate, Membership, PlayerCalendar, RoundState
from campaigns.notifications import notify
from campaigns.policy import sides_of
from rosters.models import Player
from rosters.services import RefusedError

MAX_DAYS, MAX_AWAY = 60, 20
MAX_DAYS_AHEAD = timedelta(days=730)


@transaction.atomic
def availability_set(
    *,
    player: Player,
    club: Club | None = None,
    weekdays: Collection[int] = (),
    days: Collection[date] = (),
    away: Sequence[tuple[date, date]] = (),
) -> Availability:
    """Save the player's availability in that club, or for all clubs without their own. Past days are dropped."""
    if club is not None and not Membership.objects.filter(club=club, player=player).exists():
        raise RefusedError("club", f"Join {club.name} first.")
    if not set(weekdays) <= set(range(7)):
        raise RefusedError("weekdays", "Days of the week are 0 (Monday) to 6 (Sunday).")
    today = timezone.localdate()
    if any(last < first for first, last in away):
        raise RefusedError("away", "Who is away comes back on the day he leaves, or later: the first day comes first.")
    latest = today + MAX_DAYS_AHEAD
    if any(each > latest for each in (*days, *(last for _, last in away))):
        raise RefusedError("days", "That is more than two years ahead.")
    coming = sorted({each for each in days if each >= today})
    absent = sorted({(first, last) for first, last in away if last >= today})
    if len(coming) > MAX_DAYS:
        raise RefusedError("days", f"Name {MAX_DAYS} days at most; evenings of every week are said once.")
    if len(absent) > MAX_AWAY:
        raise RefusedError("away", f"Name {MAX_AWAY} times at most in which you are away.")
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    row = Availability.objects.filter(player=player, club=club).first() or Availability(player=player, club=club)
    row.weekdays = sorted(set(weekdays))
    row.days = [each.isoformat() for each in coming]
    row.away = [[first.isoformat(), last.isoformat()] for first, last in absent]
    row.save()
    return row


@transaction.atomic
def availability_drop(*, player: Player, club: Club | None = None) -> bool:
    """Delete the player's availability and return whether there was any.

    Without a club's own, the general one counts there.
    """
    number, _ = Availability.objects.filter(player=player, club=club).delete()
    return number > 0


@transaction.atomic
def calendar_key_new(*, player: Player) -> PlayerCalendar:
    """Give the player's calendar a new key. Subscriptions with the old one stop working."""
    row, _ = PlayerCalendar.objects.update_or_create(player=player, defaults={"key": uuid.uuid4()})
    return row


@transaction.atomic
def date_propose(*, match: Match, side: int, at: datetime, by: Player) -> MatchDate:
    """Propose a date for the side. If the other side has proposed the same date, it is agreed at once."""
    locked, row = _lock(match, side, by)
    at = at.replace(second=0, microsecond=0)
    deadline = locked.round.deadline
    if at <= timezone.now():
        raise RefusedError("at", "The date has to be in the future.")
    if deadline is not None and at > deadline:
        closes_at = f"{timezone.localtime(deadline):%-d %b, %H:%M}"
        raise RefusedError("at", f"{locked.round} closes before that, on {closes_at}; ask an organiser for more time.")
    if at == row.agreed_at:
        raise RefusedError("at", "That is agreed already.")
    if row.proposed_at == at and row.side != side:
        return _agree(locked, row, by)
    row.proposed_at, row.side = at, side
    row.changed_at = timezone.now()
    row.save()
    notify.date_proposed(locked, side, at, by)
    return row


@transaction.atomic
def date_accept(*, match: Match, side: int, at: datetime, by: Player) -> MatchDate:
    """Agree to the date the other side proposed. `at` is the date the reader saw."""
    locked, row = _lock(match, side, by)
    if row.proposed_at is None or row.proposed_at != at:
        raise RefusedError("at", "Another date is proposed by now, or none any more; look at it again.")
    if row.side == side:
        raise RefusedError("at", "You have proposed it; it is the other side that agrees.")
    if at <= timezone.now():
        raise RefusedError("at", "That date is over; propose another.")
    return _agree(locked, row, by)


@transaction.atomic
def date_decline(*, match: Match, side: int, by: Player) -> MatchDate:
    """Withdraw the side's own proposal or decline the other side's. A date agreed earlier stays."""
    locked, row = _lock(match, side, by)
    if row.proposed_at is None:
        raise RefusedError("at", "No date is proposed.")
    proposed, row.proposed_at = row.proposed_at, None
    row.changed_at = timezone.now()
    row.save()
    if row.side != side:
        notify.date_declined(locked, side, proposed, by)
    return row


@transaction.atomic
def date_drop(*, match: Match, side: int, by: Player) -> MatchDate:
    """Drop the agreed date because the side can't keep it, and notify the other side."""
    locked, row = _lock(match, side, by)
    if row.agreed_at is None:
        raise RefusedError("at", "No date is agreed.")
    dropped, row.agreed_at = row.agreed_at, None
    row.changed_at = timezone.now()
    row.save()
    name = _company(locked, side)
    log_match_activity(locked, f"{locked.round}, {locked}: {name} can't keep the date that was agreed", by)
    notify.date_dropped(locked, side, dropped, by)
    return row


def side_of(match: Match, player: Player, side: int | None = None) -> int:
    """Return the side the player acts for: `side` if it is theirs, else their only one or the one yet to propose."""
    own = sides_of(player, match)
    if side is not None and side in own:
        return side
    if not own:
        raise RefusedError("match", "The two sides of this match agree on its date.")
    if len(own) == 2:
        row = MatchDate.objects.filter(match=match).first()
        return 1 - row.side if row is not None and row.proposed_at is not None else own[0]
    return own[0]


# --- parts ------------------------------------------------------------------------------------------------------------


def _lock(match: Match, side: int, by: Player) -> tuple[Match, MatchDate]:
    locked = match_lock(match)
    require_undecided(locked)
    require_running(locked.round.campaign)
    if side not in sides_of(by, locked):
        raise RefusedError("match", "The two sides of this match agree on its date.")
    if locked.round.state != RoundState.OPEN or locked.defender is None:
        raise RefusedError("match", "There is nobody to agree with.")
    return locked, MatchDate.objects.filter(match=locked).first() or MatchDate(match=locked)


def _agree(match: Match, row: MatchDate, by: Player) -> MatchDate:
    row.agreed_at, row.proposed_at = row.proposed_at, None
    row.changed_at = timezone.now()
    row.save()
    assert row.agreed_at is not None
    log_match_activity(match, f"{match.round}, {match}: agreed on a date", by)
    notify.date_agreed(match, row.agreed_at, by)
    return row


def _company(match: Match, side: int) -> str:
    enrolment = (match.attacker, match.defender)[side]
    return enrolment.company.name if enrolment is not None else ""
