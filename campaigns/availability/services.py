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
        raise RefusedError("weekdays", "Choose weekdays from 0 (Monday) to 6 (Sunday).")
    today = timezone.localdate()
    if any(last < first for first, last in away):
        raise RefusedError("away", "The last day away can't be before the first.")
    latest = today + MAX_DAYS_AHEAD
    if any(each > latest for each in (*days, *(last for _, last in away))):
        raise RefusedError("days", "Choose a day within the next two years.")
    coming = sorted({each for each in days if each >= today})
    absent = sorted({(first, last) for first, last in away if last >= today})
    if len(coming) > MAX_DAYS:
        raise RefusedError("days", f"You can enter up to {MAX_DAYS} days. Use weekly evenings instead.")
    if len(absent) > MAX_AWAY:
        raise RefusedError("away", f"You can enter up to {MAX_AWAY} absences.")
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
        raise RefusedError("at", "The date must be in the future.")
    if deadline is not None and at > deadline:
        closes_at = f"{timezone.localtime(deadline):%-d %b, %H:%M}"
        raise RefusedError(
            "at",
            f"{locked.round} closes before that, on {closes_at}. Choose an earlier date, or ask an organiser for more time.",
        )
    if at == row.agreed_at:
        raise RefusedError("at", "You have already agreed on this date.")
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
        raise RefusedError("at", "The proposal has changed. Reload the page.")
    if row.side == side:
        raise RefusedError("at", "You proposed this date. Wait for your opponent's answer.")
    if at <= timezone.now():
        raise RefusedError("at", "That date has passed. Propose another.")
    return _agree(locked, row, by)


@transaction.atomic
def date_decline(*, match: Match, side: int, by: Player) -> MatchDate:
    """Withdraw the side's own proposal or decline the other side's. A date agreed earlier stays."""
    locked, row = _lock(match, side, by)
    if row.proposed_at is None:
        raise RefusedError("at", "There is no proposed date.")
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
        raise RefusedError("at", "There is no agreed date.")
    dropped, row.agreed_at = row.agreed_at, None
    row.changed_at = timezone.now()
    row.save()
    name = _company(locked, side)
    log_match_activity(locked, f"{locked.round}, {locked}: {name} cancelled the agreed date", by)
    notify.date_dropped(locked, side, dropped, by)
    return row


def side_of(match: Match, player: Player, side: int | None = None) -> int:
    """Return the side the player acts for: `side` if it is theirs, else their only one or the one yet to propose."""
    own = sides_of(player, match)
    if side is not None and side in own:
        return side
    if not own:
        raise RefusedError("match", "Only the two players of this match can agree on its date.")
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
        raise RefusedError("match", "Only the two players of this match can agree on its date.")
    if locked.round.state != RoundState.OPEN or locked.defender is None:
        raise RefusedError("match", "There is no date to agree on: the round isn't open, or this is a bye.")
    return locked, MatchDate.objects.filter(match=locked).first() or MatchDate(match=locked)


def _agree(match: Match, row: MatchDate, by: Player) -> MatchDate:
    row.agreed_at, row.proposed_at = row.proposed_at, None
    row.changed_at = timezone.now()
    row.save()
    assert row.agreed_at is not None
    log_match_activity(match, f"{match.round}, {match}: date agreed", by)
    notify.date_agreed(match, row.agreed_at, by)
    return row


def _company(match: Match, side: int) -> str:
    enrolment = (match.attacker, match.defender)[side]
    return enrolment.company.name if enrolment is not None else ""
