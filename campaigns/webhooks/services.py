"""A club's webhooks: create, change and test them; send, repeat and anonymise deliveries."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from campaigns.activity_log import log_activity
from campaigns.clubs.services import organiser_club_lock
from campaigns.models import Club, Membership, Role, Webhook, WebhookDelivery
from campaigns.notifications.deliveries import (
    TEST_EVENT,
    WEBHOOK_TASK,
    body_with_new_name,
    encrypt_secret,
    headers_of,
    queue_delivery,
    test_body,
)
from campaigns.notifications.event_types import WEBHOOK_EVENTS
from campaigns.notifications.outbound_http import ForbiddenAddressError, WebhookResponse, parse_webhook_url, post
from campaigns.notifications.services import notify
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.job_runs import wake
from rosters.site.player_data import DepartedPlayer
from rosters.site.retention import Clearing, clear_rows, expiry_cutoff

log = logging.getLogger(__name__)
MAX_WEBHOOKS = 10  # per club
MAX_ANSWERS = 12
RETRY_DELAYS = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 1800, 7200, 21600, 43200))
DISABLE_AFTER = timedelta(days=3)  # without an accepted delivery
HTTP_GONE = 410
MAX_ACTS, ACTS_PERIOD = 20, timedelta(minutes=10)  # tests and repeats that organisers ask for


@transaction.atomic
def webhook_create(*, club: Club, by: Player, kind: str, url: str, occasions: Iterable[str]) -> tuple[Webhook, str]:
    """Create a webhook; return it with its signing secret, which is shown only once; Discord's has none."""
    locked = organiser_club_lock(club, by)
    if Webhook.objects.filter(club=locked).count() >= MAX_WEBHOOKS:
        raise RefusedError("url", f"A club can have up to {MAX_WEBHOOKS} webhooks. Delete one first.")
    row = Webhook(club=locked, created_by=by, kind=_kind(kind), url=_url(url), occasions=_occasions(occasions))
    if Webhook.objects.filter(club=locked, url=row.url).exists():  # a double click would send everything twice
        raise RefusedError("url", "There is already a webhook for this address. Change that one instead.")
    secret = "" if row.kind == Webhook.Kind.DISCORD else _new_secret(row)
    row.save()
    log_activity(club=locked, text=f"{by} added a webhook to {row.host}", by=by)
    return row, secret


@transaction.atomic
def webhook_change(
    *, webhook: Webhook, by: Player, url: str = "", occasions: Iterable[str] | None = None, enabled: bool | None = None
) -> Webhook:
    """Change the address (unless empty) or occasions, or switch it on or off; switched on, it starts without failures."""
    club = organiser_club_lock(webhook.club, by)
    row = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    before_it = (row.url, row.occasions, row.enabled)
    row.url = _url(url) if url else row.url
    row.occasions = row.occasions if occasions is None else _occasions(occasions)
    row.enabled = row.enabled if enabled is None else enabled
    if (row.url, row.occasions, row.enabled) == before_it:
        return row
    if row.enabled and (not before_it[2] or row.url != before_it[0]):
        row.failing_since = None
    row.disabled_reason = "" if row.enabled else row.disabled_reason
    row.save()
    what = "changed" if row.enabled == before_it[2] else "switched on" if row.enabled else "switched off"
    log_activity(club=club, text=f"{by} {what} the webhook to {row.host}", by=by)
    return row


@transaction.atomic
def webhook_delete(*, webhook: Webhook, by: Player) -> None:
    """Delete the webhook and its log."""
    club = organiser_club_lock(webhook.club, by)
    webhook.delete()
    log_activity(club=club, text=f"{by} deleted the webhook to {webhook.host}", by=by)


@transaction.atomic
def webhook_secret_new(*, webhook: Webhook, by: Player) -> str:
    """Replace the secret and return it, this once; from now on the old one signs nothing."""
    club = organiser_club_lock(webhook.club, by)
    row = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    if row.kind == Webhook.Kind.DISCORD:
        raise RefusedError("secret", "Discord webhooks have no secret: the address itself is secret.")
    secret = _new_secret(row)
    row.save(update_fields=["secret"])
    log_activity(club=club, text=f"{by} replaced the secret of the webhook to {row.host}", by=by)
    return secret


@transaction.atomic
def webhook_test(*, webhook: Webhook, by: Player) -> WebhookDelivery:
    """Send a test, even if the webhook is switched off."""
    organiser_club_lock(webhook.club, by)
    _throttle(webhook)
    return queue_delivery(webhook, None, TEST_EVENT, test_body(webhook, timezone.now()))


@transaction.atomic
def delivery_repeat(*, delivery: WebhookDelivery, by: Player) -> WebhookDelivery:
    """Send the same again, under its own key; refused while the first one is still being sent."""
    organiser_club_lock(delivery.webhook.club, by)
    delivery.refresh_from_db()
    if not delivery.is_over:
        raise RefusedError("delivery", "This message is still being sent. Wait a moment.")
    _throttle(delivery.webhook)
    return queue_delivery(delivery.webhook, delivery.news, delivery.occasion, delivery.body)


def deliver(*, job: WebhookDelivery) -> bool:
    """Send a claimed delivery; if it isn't accepted, try again later or give up."""
    webhook = Webhook.objects.select_related("club").get(pk=job.webhook_id)
    if not webhook.enabled and job.occasion != TEST_EVENT:
        return job.fail("The webhook was switched off before this was sent.")
    body, now = job.body.encode(), timezone.now()
    if not job.renew():
        return False
    try:
        answer = post(webhook.url, body, headers_of(webhook, body, str(job.key), job.occasion, now))
    except ForbiddenAddressError as error:
        answer = WebhookResponse(None, str(error), 0)
        return _log_response(job, answer) and job.fail(str(error))
    if not _log_response(job, answer):
        return False
    if answer.is_taken:
        Webhook.objects.filter(pk=webhook.pk).exclude(failing_since=None).update(failing_since=None)
        return job.finish()
    return _retry_or_fail(job, webhook, answer)


def clear_deliveries(run: Clearing) -> int:
    """Delete old deliveries from the logs."""
    old = expiry_cutoff(run.now, settings.KEEP_NEWS_DAYS)
    rows = WebhookDelivery.objects.filter(status__in=(JobStatus.DONE, JobStatus.FAILED)).only("pk")
    return 0 if old is None else clear_rows(rows.filter(ended_at__lt=old), run)


# --- parts ------------------------------------------------------------------------------------------------------------


def _retry_or_fail(job: WebhookDelivery, webhook: Webhook, answer: WebhookResponse) -> bool:
    now = timezone.now()
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=now)
    webhook.refresh_from_db(fields=["failing_since"])
    if answer.status == HTTP_GONE:
        _switch_off(webhook, "the receiver says it no longer exists")
    elif webhook.failing_since is not None and webhook.failing_since < now - DISABLE_AFTER:
        _switch_off(webhook, f"nothing was accepted for {DISABLE_AFTER.days} days")
    elif job.occasion != TEST_EVENT and job.blips < len(RETRY_DELAYS):
        pause = RETRY_DELAYS[job.blips]
        put = job.put_back(pause)
        wake(WEBHOOK_TASK, job.pk, after=pause)
        return put
    return job.fail(_describe(answer))


def _describe(answer: WebhookResponse) -> str:
    if answer.status is None:
        return answer.text
    moved = "; redirects are not followed" if 300 <= answer.status < 400 else ""
    return f"The receiver responded {answer.status}{moved}."


def _log_response(job: WebhookDelivery, answer: WebhookResponse) -> bool:
    """Add the response to the log; False if the claim was lost."""
    line = {"at": timezone.now().isoformat(timespec="seconds"), "status": answer.status, "ms": answer.ms}
    with transaction.atomic():
        # read the row again: a leaver's name may have been replaced in it
        row = WebhookDelivery.objects.select_for_update().only("answers").filter(pk=job.pk).first()
        job.answers = [*(row.answers if row else ()), {**line, "said": answer.text}][-MAX_ANSWERS:]
        return job.renew(answers=job.answers)


@transaction.atomic
def _switch_off(webhook: Webhook, why: str) -> None:
    """Switch the webhook off, once, and notify its club's organisers."""
    if Webhook.objects.filter(pk=webhook.pk, enabled=True).update(enabled=False, disabled_reason=why):
        log.warning("webhook %s was switched off: %s", webhook.pk, why)
        log_activity(club=webhook.club, text=f"The webhook to {webhook.host} was switched off: {why}", by=None)
        organisers = Membership.objects.filter(club=webhook.club, role=Role.ORGANISER)
        facts = {"club": webhook.club.name, "slug": webhook.club.slug, "webhook": webhook.key}
        notify(
            "webhook-off",
            to=organisers.values_list("player", flat=True),
            club=webhook.club,
            facts=facts | {"host": webhook.host, "why": why},
        )


def _throttle(webhook: Webhook) -> None:
    since = timezone.now() - ACTS_PERIOD
    asked = WebhookDelivery.objects.filter(webhook__club=webhook.club_id, waiting_since__gt=since)
    if asked.count() >= MAX_ACTS:
        raise RefusedError("webhook", "Too many requests. Wait a few minutes.")


def _new_secret(row: Webhook) -> str:
    secret = f"mw_{secrets.token_urlsafe(32)}"
    row.secret = encrypt_secret(secret)
    return secret


def _kind(kind: str) -> str:
    if kind not in Webhook.Kind.values:
        raise RefusedError("kind", "Choose one of the types.")
    return kind


def _url(url: str) -> str:
    text = url.strip()
    if len(text) > 500:
        raise RefusedError("url", "The address is too long (max 500 characters).")
    try:
        parse_webhook_url(text)
    except ForbiddenAddressError as error:
        raise RefusedError("url", str(error)) from None
    return text


def _occasions(given: Iterable[str]) -> Sequence[str]:
    wanted = set(given)
    if unknown := sorted(wanted - set(WEBHOOK_EVENTS)):
        raise RefusedError("occasions", f"Webhooks can't send the event {unknown[0]!r}. Choose another.")
    return [slug for slug in WEBHOOK_EVENTS if slug in wanted]


def deliveries_forget(clubs: Sequence[int], gone: DepartedPlayer) -> None:
    """Write the new name into these clubs' deliveries and into the responses to them."""
    for row in WebhookDelivery.objects.filter(webhook__club__in=clubs).only("pk", "body", "answers").iterator(200):
        body = body_with_new_name(row.body, gone)
        answers = [{**line, "said": gone.text(line["said"])} for line in row.answers]
        if (body, answers) != (row.body, row.answers):
            WebhookDelivery.objects.filter(pk=row.pk).update(body=body, answers=answers)
