"""Background tasks for campaigns. Tasks take IDs, claim their row, and can safely run twice."""

import logging

from celery import shared_task

from campaigns.archive.services import archive_pack as pack_archive
from campaigns.archive.services import restore_run
from campaigns.catalogue_upgrades.services import make_due_adoptions
from campaigns.gazette.services import gazette_print_render
from campaigns.handicaps.services import handicap_calculate as calculate_handicap
from campaigns.models import (
    Campaign,
    ClubArchive,
    ClubRestore,
    FairDraw,
    GazettePrint,
    Handicap,
    Mail,
    PairOdds,
    PushNotification,
    RoundClose,
    WatchParty,
    WebhookDelivery,
)
from campaigns.notifications.mails import mail_send, queue_due_digests, queue_missed_mails
from campaigns.notifications.reminders import send_reminders
from campaigns.notifications.web_push import push_send
from campaigns.planning.pairing_odds import calculate_fair_odds, calculate_pair_odds
from campaigns.rounds.closing import round_close_due, round_close_work, rounds_due
from campaigns.seasons.game_choice import check_pairings, settle_due_pairings
from campaigns.seasons.services import notify_due_proposals
from campaigns.statistics.balance import recalculate_balances
from campaigns.territories.services import campaigns_with_late_results, income_settle
from campaigns.watch_parties.services import watch_parties_due, watch_party_failed, watch_party_process
from campaigns.webhooks.services import deliver
from rosters.services import RefusedError
from rosters.site.heartbeats import skip_unreadable
from rosters.site.job_runs import run, wake

log = logging.getLogger(__name__)


@shared_task
def fair_draw(pk: int) -> None:
    """Calculate the odds of all pairs of a planned round and draw it."""
    sorry = "The odds couldn't be calculated. Choose another pairing method, or discard the round and plan it again."
    run(FairDraw, fair_draw, pk, lambda job: calculate_fair_odds(job=job), sorry=sorry)


@shared_task
def pair_odds(pk: int) -> None:
    """Calculate the odds of a planned round's pairs that have none."""
    sorry = "The odds couldn't be calculated because of an error on our side. Save the pairings to try again."
    run(PairOdds, pair_odds, pk, lambda job: calculate_pair_odds(job=job), sorry=sorry)


@shared_task
def handicap_count(pk: int) -> None:
    """Calculate a handicap of a match."""
    sorry = "The handicap couldn't be calculated because of an error on our side, which has been logged."
    run(Handicap, handicap_count, pk, lambda job: calculate_handicap(job=job), sorry=sorry)


@shared_task
def round_close_run(pk: int) -> None:
    """Close a round."""
    sorry = "The round couldn't be closed because of an error on our side, which has been logged."
    run(RoundClose, round_close_run, pk, lambda job: round_close_work(job=job), sorry=sorry)


@shared_task
def premiere_run(pk: int) -> None:
    """Start a watch party, or end it."""
    sorry = "The match couldn't be simulated because of an error on our side, which has been logged. An organiser can announce it again."
    run(
        WatchParty,
        premiere_run,
        pk,
        lambda job: watch_party_process(job=job),
        sorry=sorry,
        after_failure=watch_party_failed,
    )


@shared_task
def premieres() -> None:
    """Wake the watch parties that are due. Run by the timer."""
    for pk in watch_parties_due():
        wake(premiere_run, pk)


@shared_task
def print_gazette(pk: int) -> None:
    """Render an edition of a gazette for print."""
    sorry = "The PDF couldn't be created because of an error on our side, which has been logged. Try again later."
    run(GazettePrint, print_gazette, pk, lambda job: gazette_print_render(job=job), sorry=sorry)


@shared_task
def deadlines() -> None:
    """Close the rounds whose deadline has passed, correct territory income, and adopt due catalogue versions.

    Run by the timer.
    """
    for row in rounds_due():
        with skip_unreadable(f"round {row.pk}"):
            try:
                round_close_due(round_=row)
            except RefusedError as error:
                log.info("%s of %s: %s", row, row.campaign, error)
    for campaign in campaigns_with_late_results():
        with skip_unreadable(f"income of campaign {campaign.pk}"):
            income_settle(campaign=campaign)
    if number := make_due_adoptions():
        log.info("%s releases of catalogues due", number)


@shared_task
def income_settled(pk: int) -> None:
    """Correct the paid territory income of a campaign after a late result."""
    campaign = Campaign.objects.filter(pk=pk, rounds__settled_at__isnull=False).first()
    if campaign is not None:
        income_settle(campaign=campaign)


@shared_task
def season_games() -> None:
    """Settle season games that nobody agreed on in time, and notify players of open and proposed games.

    Run by the timer.
    """
    check_pairings()
    if number := settle_due_pairings():
        log.info("%s games of seasons settled", number)
    notify_due_proposals()


@shared_task
def archive_pack(pk: int) -> None:
    """Pack a club for its organisers."""
    sorry = "The backup failed because of an error on our side, which has been logged. Try again later."
    run(ClubArchive, archive_pack, pk, lambda job: pack_archive(job=job), sorry=sorry)


@shared_task
def archive_restore(pk: int) -> None:
    """Restore a club from an archive."""
    sorry = "The restore failed because of an error on our side, which has been logged. Nothing was restored."
    run(ClubRestore, archive_restore, pk, lambda job: restore_run(job=job), sorry=sorry)


@shared_task(name="campaigns.tasks.word_mail")
def send_mail(pk: int) -> None:
    """Send a mail."""
    run(
        Mail,
        send_mail,
        pk,
        lambda job: mail_send(job=job),
        sorry="The email couldn't be created because of an error on our side.",
    )


@shared_task(name="campaigns.tasks.word_deliver")
def send_webhook(pk: int) -> None:
    """Send a delivery to a webhook."""
    sorry = "It couldn't be sent because of an error on our side, which has been logged."
    run(WebhookDelivery, send_webhook, pk, lambda job: deliver(job=job), sorry=sorry)


@shared_task(name="campaigns.tasks.word_push")
def send_push(pk: int) -> None:
    """Send a notification to a device."""
    run(
        PushNotification,
        send_push,
        pk,
        lambda job: push_send(job=job),
        sorry="The notification couldn't be sent because of an error on our side.",
    )


@shared_task(name="campaigns.tasks.word_digests")
def queue_mails() -> None:
    """Queue due digests, and mails for unread notifications. Run by the timer."""
    if number := queue_due_digests() + queue_missed_mails():
        log.info("%s mails to send", number)


@shared_task(name="campaigns.tasks.word_reminders")
def remind_players() -> None:
    """Remind players of tasks due before a deadline. Run by the timer."""
    if number := send_reminders():
        log.info("%s reminders", number)


@shared_task
def balances() -> None:
    """Recalculate the balance of games whose open matches have changed. Run by the timer."""
    if number := recalculate_balances():
        log.info("the balance of %s games counted", number)
