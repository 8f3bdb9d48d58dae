"""Notifications by mail: as each reader chose, once, not after leaving, and retried if the mail server is down."""

from __future__ import annotations

import smtplib
import threading
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.utils import timezone

from campaigns.models import Channel, Mail, Membership, Notification, NotificationEvent, NotificationPreferences
from campaigns.notifications.mails import RETRY_DELAYS, mail_send, queue_due_digests, queue_missed_mails
from campaigns.notifications.services import notify, preferences_set
from campaigns.tasks import send_mail
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from tests.builders import a_player
from tests.campaigns.builders import a_club, a_member

pytestmark = pytest.mark.django_db
FACTS = {"company": "Ants", "pilots": "Ada is now Veteran", "campaign": "Spring War", "round": "Round 1"}


def a_reader(way: str = Channel.NOW, club=None, **fields) -> Player:
    """A player with a confirmed address who wants everything by mail."""
    player = a_player(**fields)
    EmailAddress.objects.create(user=player, email=f"{player.username}@example.com", verified=True, primary=True)
    preferences_set(player=player, channels=dict.fromkeys(("companies", "results", "matches", "clubs"), way))
    if club is not None:
        a_member(club, player=player)
    return player


def news_for(player, occasion="level-up", **given):
    notify(occasion, to=[player.pk], facts=FACTS, **given)


def send_mails(player):
    """Let a worker send the player's waiting mails, and return what arrived."""
    Mail.objects.filter(player=player).update(not_before=None)
    for pk in Mail.objects.filter(player=player, status=JobStatus.QUEUED).order_by("pk").values_list("pk", flat=True):
        send_mail(pk)
    return [each for each in mail.outbox if each.to == [f"{player.username}@example.com"]]


@pytest.fixture
def server(monkeypatch, settings):
    """A mail server with scripted answers: None accepts a mail, an error is raised by `open` or `send`."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    says: dict[str, Exception | None] = {"open": None, "send": None}
    taken = EmailBackend.send_messages

    def opened(self):
        if error := says["open"]:
            raise error
        return True

    def sends(self, messages):
        if error := says["send"]:
            raise error
        return taken(self, messages)

    monkeypatch.setattr(EmailBackend, "open", opened)
    monkeypatch.setattr(EmailBackend, "send_messages", sends)
    return says


# --- settings ---------------------------------------------------------------------------------------------------------


def test_player_without_mail_settings_gets_no_mail():
    player = a_player()
    EmailAddress.objects.create(user=player, email=f"{player.username}@example.com", verified=True)
    news_for(player)
    assert not Mail.objects.exists()
    assert queue_due_digests() == 0


def test_notifications_within_minutes_share_a_mail():
    player = a_reader()
    news_for(player)
    news_for(player, once="another")
    (message,) = send_mails(player)
    assert message.subject == "[Muster] Pilots promoted and 1 more"
    assert message.body.count("Ants: Ada is now Veteran.") == 2
    assert send_mails(player) == [message]


def test_each_category_has_its_own_delivery():
    player = a_reader(Channel.DIGEST)
    preferences_set(player=player, channels={"companies": Channel.NOW, "results": Channel.PAGE})
    for occasion in ("level-up", "round-closed", "bye"):
        news_for(player, occasion)
    assert [notification.way for notification in Notification.objects.order_by("pk")] == ["now", "page", "digest"]
    (message,) = send_mails(player)
    assert message.subject == "[Muster] Pilots promoted"


def test_digest_gathers_a_day_and_is_sent_once(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://muster.example"]
    club = a_club()
    player = a_reader(Channel.DIGEST, club)
    news_for(player)
    news_for(player, "round-closed", club=club)
    assert queue_due_digests() == 0
    NotificationPreferences.objects.update(next_digest_at=timezone.now() - timedelta(minutes=1))
    assert (queue_due_digests(), queue_due_digests()) == (1, 0)
    (message,) = send_mails(player)
    assert "This is your digest of the day." in message.body
    assert f"https://muster.example/inbox/{Notification.objects.latest('pk').pk}/" in message.body
    html, kind = message.alternatives[0]
    assert (kind, html.count('class="notification"')) == ("text/html", 2)
    assert NotificationPreferences.objects.get().next_digest_at > timezone.now()
    NotificationPreferences.objects.update(next_digest_at=timezone.now())
    assert queue_due_digests() == 0  # nothing new


def test_read_notifications_are_not_mailed():
    player = a_reader(Channel.DIGEST)
    news_for(player)
    Notification.objects.update(read_at=timezone.now())
    NotificationPreferences.objects.update(next_digest_at=timezone.now())
    assert queue_due_digests() == 0


def test_names_are_escaped_in_html_mail():
    player = a_reader()
    notify("level-up", to=[player.pk], facts=FACTS | {"company": "<b>Ants & Co</b>"})
    (message,) = send_mails(player)
    assert "<b>Ants & Co</b>: Ada" in message.body
    assert "&lt;b&gt;Ants &amp; Co&lt;/b&gt;: Ada" in message.alternatives[0][0]


def test_line_break_in_a_name_adds_no_header():
    player, club = a_reader(), a_club(name="Iron Table")
    a_member(club, player=player)
    type(club).objects.update(name="Iron\nBcc: all@example.com")
    club.refresh_from_db()
    news_for(player, "round-closed", club=club)
    (message,) = send_mails(player)
    assert message.subject == "[Muster] Round closed: Iron Bcc: all@example.com"
    assert set(message.message().keys()).isdisjoint({"Bcc"})


# --- former members and players ---------------------------------------------------------------------------------------


def test_former_member_gets_no_club_mail():
    club = a_club()
    player = a_reader(club=club)
    news_for(player, "round-closed", club=club)
    Membership.objects.filter(player=player).delete()
    a_member(a_club(name="Another"), player=player)
    assert send_mails(player) == []
    assert Mail.objects.get().status == JobStatus.DONE


@pytest.mark.parametrize("change", [{"is_active": False}, {"left_at": timezone.now()}], ids=["out of office", "gone"])
def test_inactive_player_gets_no_mail(change):
    player = a_reader()
    news_for(player)
    Player.objects.filter(pk=player.pk).update(**change)
    assert send_mails(player) == []


def test_unconfirmed_address_gets_no_mail():
    player = a_reader()
    news_for(player)
    EmailAddress.objects.update(verified=False)
    assert send_mails(player) == []
    with pytest.raises(RefusedError, match="Confirm your email address first"):
        preferences_set(player=player, channels={"clubs": Channel.DIGEST})


def test_unsubscribing_stops_waiting_mail(client):
    player = a_reader()
    news_for(player)
    key = NotificationPreferences.objects.get().unsubscribe_key
    assert "Stop them?" in client.get(f"/inbox/off/{key}/").content.decode()
    assert NotificationPreferences.objects.get().channels  # opening the page stops nothing, as mail programs open links
    client.handler.enforce_csrf_checks = True
    answer = client.post(f"/inbox/off/{key}/", {"List-Unsubscribe": "One-Click"})
    assert "won’t get any more" in answer.content.decode()
    assert send_mails(player) == []
    assert client.post("/inbox/off/6f1c1c1e-0000-4000-8000-000000000001/").status_code == 404


def test_mails_have_unsubscribe_headers(settings):
    player = a_reader()
    news_for(player)
    settings.CSRF_TRUSTED_ORIGINS = ["https://muster.example"]
    (message,) = send_mails(player)
    off = f"https://muster.example/inbox/off/{NotificationPreferences.objects.get().unsubscribe_key}/"
    assert message.extra_headers["List-Unsubscribe"] == f"<{off}>"
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message.extra_headers["Message-ID"] == f"<{Mail.objects.get().key}@muster.example>"
    assert off in message.body


# --- delivery ---------------------------------------------------------------------------------------------------------


def test_unreachable_server_is_retried_and_mail_sent_once(server):
    player = a_reader()
    news_for(player)
    for error in (ConnectionRefusedError(), smtplib.SMTPServerDisconnected("gone"), TimeoutError()):
        server["open"] = error
        assert send_mails(player) == []
    job = Mail.objects.get()
    assert (job.status, job.blips, job.handed_at) == (JobStatus.QUEUED, 3, None)
    news_for(player, once="later")
    server["open"] = None
    (message,) = send_mails(player)
    assert (
        message.body.count("Ants: Ada") == 2
    )  # the later notification went along, and its own mail found nothing to send
    assert send_mails(player) == [message]


def test_mail_fails_after_a_day_and_the_reader_knows(server, client):
    player = a_reader()
    news_for(player)
    server["open"] = ConnectionRefusedError()
    for _ in range(len(RETRY_DELAYS) + 1):
        send_mails(player)
    assert Mail.objects.get().status == JobStatus.FAILED
    client.force_login(player)
    assert "The mail server didn’t respond for a day." in client.get("/inbox/wishes/").content.decode()
    assert "Ada is now Veteran" in client.get("/inbox/").content.decode()


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (smtplib.SMTPDataError(451, b"later"), JobStatus.QUEUED),
        (smtplib.SMTPDataError(554, b"never"), JobStatus.FAILED),
        (smtplib.SMTPRecipientsRefused({"a@example.com": (450, b"busy")}), JobStatus.QUEUED),
        (smtplib.SMTPRecipientsRefused({"a@example.com": (550, b"unknown")}), JobStatus.FAILED),
        (smtplib.SMTPServerDisconnected("gone"), JobStatus.FAILED),  # it may have the mail
        (TimeoutError(), JobStatus.FAILED),
    ],
)
def test_mail_the_server_may_have_is_not_repeated(server, error, status):
    player = a_reader()
    news_for(player)
    server["send"] = error
    assert send_mails(player) == []
    assert Mail.objects.get().status == status
    server["send"] = None
    assert len(send_mails(player)) == (status == JobStatus.QUEUED)


def test_worker_killed_during_sending_sends_no_second_mail():
    player = a_reader()
    news_for(player)
    Mail.objects.update(not_before=None)
    job = Mail.claim(Mail.objects.get().pk)
    assert job.renew(handed_at=timezone.now())  # and then the worker is killed
    Mail.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert send_mails(player) == []
    send_mail(job.pk)
    assert mail.outbox == []
    assert "be sent again" in Mail.objects.get().failure


def test_worker_without_its_lease_sends_nothing():
    player = a_reader()
    news_for(player)
    Mail.objects.update(not_before=None)
    slow = Mail.claim(Mail.objects.get().pk)
    Mail.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert mail_send(job=Mail.claim(slow.pk))
    assert not mail_send(job=slow)
    assert len(mail.outbox) == 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_workers_send_one_mail():
    player = a_reader()
    news_for(player)
    Mail.objects.update(not_before=None)
    pk, ready = Mail.objects.get().pk, threading.Barrier(2)

    def work():
        ready.wait()
        send_mail(pk)
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(mail.outbox) == 1
    assert Mail.objects.get().sent_at is not None


def test_notification_without_a_mail_is_picked_up_later():
    player = a_reader()
    news_for(player)
    Mail.objects.all().delete()
    assert queue_missed_mails() == 0  # it may still be on its way
    NotificationEvent.objects.update(occurred_at=timezone.now() - timedelta(minutes=6))
    assert (queue_missed_mails(), queue_missed_mails()) == (1, 0)
    assert len(send_mails(player)) == 1
    news_for(player, once="old")
    Mail.objects.all().delete()
    NotificationEvent.objects.update(occurred_at=timezone.now() - timedelta(days=3))
    assert queue_missed_mails() == 0


# --- the page and the API ---------------------------------------------------------------------------------------------


def test_settings_page_saves_and_refuses_outdated_input(client):
    player = a_reader()
    client.force_login(player)
    page = client.get("/inbox/wishes/")
    form = page.context["form"]
    fields = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    preferences_set(player=player, remind_hours=48)
    wanted = {**fields, "way_clubs": "page", "digest_frequency": "weekly", "as_read": fields["as_read"]}
    overtaken = client.post("/inbox/wishes/", wanted)
    assert (overtaken.status_code, NotificationPreferences.objects.get().digest_frequency) == (422, "daily")
    again = {**wanted, "remind_hours": "48", "as_read": overtaken.context["form"].data["as_read"]}
    assert client.post("/inbox/wishes/", again).status_code == 302
    row = NotificationPreferences.objects.get()
    assert (row.digest_frequency, row.remind_hours, "clubs" in row.channels) == ("weekly", 48, False)


def test_api_reads_and_changes_settings(client):
    player = a_reader(Channel.PAGE)
    client.force_login(player)
    read = client.get("/api/v1/inbox/wishes/").json()
    assert (read["ways"]["clubs"], read["next_digest_at"]) == ("page", None)
    changed = client.patch(
        "/api/v1/inbox/wishes/", {"ways": {"clubs": "digest"}, "hour": 7}, content_type="application/json"
    ).json()
    assert (changed["ways"]["clubs"], changed["ways"]["results"], changed["hour"]) == ("digest", "page", 7)
    assert changed["next_digest_at"]
    for wrong in ({"ways": {"weather": "now"}}, {"ways": {"clubs": "pigeon"}}, {"hour": 24}, {"remind_hours": 5}):
        answer = client.patch("/api/v1/inbox/wishes/", wrong, content_type="application/json")
        assert answer.status_code == 400, wrong
