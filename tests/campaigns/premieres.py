"""Premieres at any stage: announced, running, ended. The clock is moved by moving the rows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from campaigns.models import Match, WatchParty
from campaigns.watch_parties.selectors import battle_so_far, decrypt_record
from campaigns.watch_parties.services import watch_party_announce, watch_party_process
from systems import battle_rules
from systems.simulation.analysis import rounds_of
from tests.campaigns.builders import a_campaign, a_match, a_round
from tests.campaigns.gazettes import close_round


def announce(match: Match | None = None, **campaign: Any) -> WatchParty:
    """A premiere announced for five minutes after the deadline."""
    match = match or a_match(a_round(a_campaign(absent_rule="orders", **campaign)))
    organiser = match.round.campaign.club.memberships.earliest("pk").player
    assert match.round.deadline is not None
    return watch_party_announce(match=match, at=match.round.deadline + timedelta(minutes=5), pace=4, by=organiser)


def run_job(premiere: WatchParty) -> WatchParty:
    """Let a worker do the premiere's job as if it were due."""
    WatchParty.objects.filter(pk=premiere.pk).update(not_before=timezone.now())
    job = WatchParty.claim(premiere.pk)
    assert job is not None
    watch_party_process(job=job)
    return WatchParty.objects.select_related("match__round__campaign__club").get(pk=premiere.pk)


def begin(premiere: WatchParty | None = None) -> WatchParty:
    """A premiere at its first step; its round is closed."""
    premiere = premiere or announce()
    close_round(premiere.match.round)
    WatchParty.objects.filter(pk=premiere.pk).update(at=timezone.now())
    return run_job(premiere)


def move_to_step(premiere: WatchParty, step: int) -> WatchParty:
    """Move the start back so that this step is the current one."""
    began = timezone.now() - timedelta(seconds=premiere.pace * (step - 1) + 1)
    ends = began + timedelta(seconds=premiere.pace * len(premiere.cuts))
    WatchParty.objects.filter(pk=premiere.pk).update(began_at=began, ends_at=ends, at=began)
    premiere.refresh_from_db()
    return premiere


def delay_next_step(premiere: WatchParty) -> WatchParty:
    """Put the premiere's next step nine hours off."""
    premiere.pace, premiere.ends_at = 32_000, premiere.ends_at and premiere.ends_at + timedelta(days=100)
    premiere.save(update_fields=["pace", "ends_at"])
    return premiere


def finish(premiere: WatchParty) -> WatchParty:
    return run_job(move_to_step(premiere, len(premiere.cuts) + 2))


def unseen_facts(premiere: WatchParty) -> set[str]:
    """Return what only the whole record contains.

    That is its seed, its digest, and sentences that appear in no earlier event.
    """
    whole, so_far = decrypt_record(premiere), battle_so_far(premiere, timezone.now())
    assert whole is not None
    assert so_far is not None
    told_now = {line.sentence for view in so_far.rounds for step in view.steps for line in step.lines}
    lines = [line.sentence for view in rounds_of(whole) for step in view.steps for line in step.lines]
    names = battle_rules(whole.setup.system).unit_names(whole.setup).values()
    later = {line for line in lines if line not in told_now and any(name in line for name in names) and len(line) > 20}
    assert later
    return {str(whole.seed), whole.digest, *later}
