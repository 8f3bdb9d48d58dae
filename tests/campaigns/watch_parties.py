"""Watch parties at any stage: announced, running, finished. Times in their rows are moved instead of the clock."""

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
    """Announce a watch party for five minutes after the deadline."""
    match = match or a_match(a_round(a_campaign(absent_rule="orders", **campaign)))
    organiser = match.round.campaign.club.memberships.earliest("pk").player
    assert match.round.deadline is not None
    return watch_party_announce(match=match, at=match.round.deadline + timedelta(minutes=5), pace=4, by=organiser)


def run_job(watch_party: WatchParty) -> WatchParty:
    """Let a worker do the watch party's job as if it were due."""
    WatchParty.objects.filter(pk=watch_party.pk).update(not_before=timezone.now())
    job = WatchParty.claim(watch_party.pk)
    assert job is not None
    watch_party_process(job=job)
    return WatchParty.objects.select_related("match__round__campaign__club").get(pk=watch_party.pk)


def begin(watch_party: WatchParty | None = None) -> WatchParty:
    """Close the round, and start the watch party, at its first step."""
    watch_party = watch_party or announce()
    close_round(watch_party.match.round)
    WatchParty.objects.filter(pk=watch_party.pk).update(starts_at=timezone.now())
    return run_job(watch_party)


def move_to_step(watch_party: WatchParty, step: int) -> WatchParty:
    """Move the start back so that this step is the current one."""
    began = timezone.now() - timedelta(seconds=watch_party.pace * (step - 1) + 1)
    ends = began + timedelta(seconds=watch_party.pace * len(watch_party.cuts))
    WatchParty.objects.filter(pk=watch_party.pk).update(began_at=began, ends_at=ends, starts_at=began)
    watch_party.refresh_from_db()
    return watch_party


def delay_next_step(watch_party: WatchParty) -> WatchParty:
    """Delay the watch party's next step by nine hours."""
    watch_party.pace, watch_party.ends_at = 32_000, watch_party.ends_at and watch_party.ends_at + timedelta(days=100)
    watch_party.save(update_fields=["pace", "ends_at"])
    return watch_party


def finish(watch_party: WatchParty) -> WatchParty:
    return run_job(move_to_step(watch_party, len(watch_party.cuts) + 2))


def unseen_facts(watch_party: WatchParty) -> set[str]:
    """Return what only the whole record contains.

    That is its seed, its digest, and sentences that appear in no earlier event.
    """
    whole, so_far = decrypt_record(watch_party), battle_so_far(watch_party, timezone.now())
    assert whole is not None
    assert so_far is not None
    sentences_so_far = {line.sentence for view in so_far.rounds for step in view.steps for line in step.lines}
    lines = [line.sentence for view in rounds_of(whole) for step in view.steps for line in step.lines]
    names = battle_rules(whole.setup.system).unit_names(whole.setup).values()
    later = {
        line
        for line in lines
        if line not in sentences_so_far and any(name in line for name in names) and len(line) > 20
    }
    assert later
    return {str(whole.seed), whole.digest, *later}
