"""A club's webhooks: signed, delivered once to a real receiver, never inside the network, without redirects."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.utils import timezone

from campaigns.clubs import invitations as ways_in
from campaigns.models import Webhook, WebhookDelivery
from campaigns.notifications import outbound_http
from campaigns.notifications.deliveries import decrypt_secret, signature
from campaigns.notifications.event_types import WEBHOOK_EVENTS
from campaigns.notifications.outbound_http import ForbiddenAddressError, parse_webhook_url, post
from campaigns.notifications.selectors import notifications_of
from campaigns.tasks import send_webhook
from campaigns.webhooks.services import (
    RETRY_DELAYS,
    clear_deliveries,
    deliver,
    delivery_repeat,
    webhook_change,
    webhook_create,
    webhook_secret_new,
    webhook_test,
)
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.retention import Clearing
from tests.builders import a_player
from tests.campaigns.builders import a_club

pytestmark = pytest.mark.django_db


@dataclass
class Receiver:
    """A receiver with scripted answers, then 200, that records what arrives."""

    url: str = ""
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    taken: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def fails(self, *codes: int) -> None:
        self.answers += [(code, {}, b"not now") for code in codes]


@pytest.fixture
def receiver(settings) -> Iterator[Receiver]:
    settings.WEBHOOKS_INSIDE = True
    found = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            code, headers, content = found.answers.pop(0) if found.answers else (200, {}, b"thanks")
            if code == 200:
                found.taken.append((dict(self.headers), body))
            self.send_response(code)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            """Keep the test's log quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}/hook?x=1"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield found
    server.shutdown()
    server.server_close()


def runs(club) -> Player:
    return club.memberships.get(role="organiser").player


def a_webhook(receiver, kind="json", occasions=WEBHOOK_EVENTS) -> Webhook:
    club = a_club()
    return webhook_create(club=club, by=runs(club), kind=kind, url=receiver.url, occasions=occasions)[0]


def join_club(club, name="asker") -> None:
    """Raise an event in the club: a player joins."""
    ways_in.join_request_accept(request=ways_in.join_request_create(club=club, by=a_player(name)), by=runs(club))


def work() -> None:
    """Let a worker deliver everything that waits, as if the pauses were over."""
    WebhookDelivery.objects.update(not_before=None)
    for pk in WebhookDelivery.objects.filter(status=JobStatus.QUEUED).order_by("pk").values_list("pk", flat=True):
        send_webhook(pk)


# --- delivery ---------------------------------------------------------------------------------------------------------


def test_event_is_delivered_as_signed_json(receiver, settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://muster.example"]
    club = a_club()
    row, secret = webhook_create(club=club, by=runs(club), kind="json", url=receiver.url, occasions=["member-accepted"])
    join_club(club)
    work()
    ((headers, body),) = receiver.taken
    content = json.loads(body)
    assert content.pop("at")
    assert content == {
        "muster": "occasion/1",
        "occasion": "member-accepted",
        "title": "Request accepted",
        "text": "asker has joined.",
        "url": "https://muster.example/clubs/iron-table/",
        "club": {"slug": "iron-table", "name": "Iron Table"},
        "campaign": None,
        "match": None,
        "facts": {"player": "asker"},
    }
    at, signed = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", headers["Muster-Signature"]).groups()
    assert signature(secret, int(at), body) == signed
    assert (headers["Muster-Occasion"], headers["Muster-Delivery"]) == (
        "member-accepted",
        str(row.deliveries.get().key),
    )


def test_discord_message_mentions_nobody(receiver):
    row = a_webhook(receiver, "discord")
    join_club(row.club, "every*one")
    work()
    ((headers, body),) = receiver.taken
    assert json.loads(body) == {
        "content": "**Request accepted** every\\*one has joined.",
        "allowed_mentions": {"parse": []},
    }
    assert "Muster-Signature" not in headers


def test_unpicked_events_and_other_clubs_are_not_delivered(receiver):
    row = a_webhook(receiver, occasions=["gazette-out"])
    join_club(row.club)
    join_club(a_club(name="Other"), "another")
    assert not WebhookDelivery.objects.exists()


def test_rolled_back_event_is_not_delivered(receiver):
    row = a_webhook(receiver)
    ways_in.join_request_create(club=row.club, by=a_player("asker"))
    with pytest.raises(RefusedError):
        ways_in.join_request_create(club=row.club, by=Player.objects.get(username="asker"))
    assert not WebhookDelivery.objects.exists()  # a join request is only announced to organisers


# --- retries ----------------------------------------------------------------------------------------------------------


def test_failing_receiver_gets_one_delivery_in_the_end(receiver):
    row = a_webhook(receiver)
    receiver.fails(500, 503, 404)
    join_club(row.club)
    for tries in range(1, 4):
        work()
        job = WebhookDelivery.objects.get()
        assert (job.status, job.blips, receiver.taken) == (JobStatus.QUEUED, tries, [])
    row.refresh_from_db()
    assert row.failing_since is not None
    work()
    work()
    assert len(receiver.taken) == 1
    job = WebhookDelivery.objects.get()
    assert [line["status"] for line in job.answers] == [500, 503, 404, 200]
    assert (job.status, job.answers[0]["said"], job.answers[-1]["said"]) == (JobStatus.DONE, "not now", "thanks")
    row.refresh_from_db()
    assert row.failing_since is None


def test_concurrent_workers_deliver_once(receiver):
    row = a_webhook(receiver)
    webhook_test(webhook=row, by=runs(row.club))
    pk = WebhookDelivery.objects.get().pk
    claimed = WebhookDelivery.claim(pk)
    send_webhook(pk)
    assert (claimed is not None, receiver.taken) == (True, [])


def test_delivery_fails_after_a_day_and_the_next_continues(receiver):
    row = a_webhook(receiver)
    join_club(row.club)
    receiver.fails(*[500] * (len(RETRY_DELAYS) + 1))
    for _ in range(len(RETRY_DELAYS) + 1):
        work()
    job = WebhookDelivery.objects.get()
    assert (job.status, job.failure) == (JobStatus.FAILED, "The receiver responded 500.")
    join_club(row.club, "another")
    work()
    assert len(receiver.taken) == 1


def test_address_failing_for_three_days_is_switched_off(receiver):
    row = a_webhook(receiver)
    join_club(row.club)
    receiver.fails(500, 500)
    work()
    Webhook.objects.update(failing_since=timezone.now() - timedelta(days=3, minutes=1))
    work()
    row.refresh_from_db()
    assert (row.enabled, row.disabled_reason) == (False, "nothing was accepted for 3 days")
    (letter,) = notifications_of(runs(row.club)).filter(news__occasion="webhook-off")
    assert letter.news.facts["host"] == "127.0.0.1"
    join_club(row.club, "another")
    assert WebhookDelivery.objects.count() == 1
    webhook_test(webhook=row, by=runs(row.club))  # works while it's off, too
    work()
    assert len(receiver.taken) == 1
    on = webhook_change(webhook=row, by=runs(row.club), enabled=True)
    assert (on.enabled, on.disabled_reason, on.failing_since) == (True, "", None)


def test_gone_receiver_is_switched_off_at_once(receiver):
    row = a_webhook(receiver)
    join_club(row.club)
    receiver.fails(410)
    work()
    row.refresh_from_db()
    assert (row.enabled, WebhookDelivery.objects.get().status) == (False, JobStatus.FAILED)
    on = webhook_change(webhook=row, by=runs(row.club), enabled=True)
    assert (on.enabled, on.failing_since) == (True, None)


def test_waiting_delivery_to_a_disabled_webhook_is_dropped(receiver):
    row = a_webhook(receiver)
    join_club(row.club)
    webhook_change(webhook=row, by=runs(row.club), enabled=False)
    work()
    assert (receiver.taken, WebhookDelivery.objects.get().status) == ([], JobStatus.FAILED)


def test_delivery_can_be_repeated_with_a_new_key(receiver):
    row = a_webhook(receiver)
    join_club(row.club)
    first = WebhookDelivery.objects.get()
    with pytest.raises(RefusedError, match="still being sent"):
        delivery_repeat(delivery=first, by=runs(row.club))
    work()
    first.refresh_from_db()
    delivery_repeat(delivery=first, by=runs(row.club))
    work()
    assert receiver.taken[0][1] == receiver.taken[1][1]
    assert len({headers["Muster-Delivery"] for headers, _ in receiver.taken}) == 2


def test_button_is_rate_limited(receiver):
    row = a_webhook(receiver)
    for _ in range(20):
        webhook_test(webhook=row, by=runs(row.club))
    with pytest.raises(RefusedError, match="Wait a few minutes"):
        webhook_test(webhook=row, by=runs(row.club))


# --- forbidden addresses and limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "ftp://example.com/",
        "https://",
        "https:///x",
        "no address",
        "https://exa mple.com/",
        "https://user:secret@example.com/",
        "https://example.com:8443/",
        "https://example.com:99999/",
        "https://localhost/",
        "https://intranet/",
        "https://printer.local/",
        "https://127.0.0.1/",
        "https://10.1.2.3/",
        "https://192.168.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/",
        "https://0.0.0.0/",
        "https://224.0.0.1/",
        "https://[::1]/",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[64:ff9b:1::a00:1]/",
        "https://[::10.0.0.1]/",
        "https://[fec0::1]/",
        "https://[3fff::1]/",
        "https://[2002:7f00:1::]/",
        "https://example.com\\@127.0.0.1/",
        "https://exämple.com/",
        "https://example.com/\r\nX: y",
    ],
)
def test_internal_or_invalid_address_is_refused(url):
    with pytest.raises(ForbiddenAddressError):
        parse_webhook_url(url)
    club = a_club()
    with pytest.raises(RefusedError):
        webhook_create(club=club, by=runs(club), kind="json", url=url, occasions=[])


@pytest.mark.parametrize(
    "url", ["https://example.com/hook", "https://discord.com/api/webhooks/1/x", "https://1.1.1.1/"]
)
def test_public_address_is_accepted(url):
    assert parse_webhook_url(url).hostname


@pytest.mark.parametrize("found", [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::ffff:10.0.0.1"]])
def test_name_resolving_to_an_internal_address_is_refused(monkeypatch, found):
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in found]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: rows)
    with pytest.raises(ForbiddenAddressError, match="on a private network"):
        post("https://rebound.example/", b"{}", {})


def test_forbidden_address_is_logged_and_not_retried(monkeypatch):
    club = a_club()
    row, _ = webhook_create(
        club=club, by=runs(club), kind="json", url="https://rebound.example/", occasions=WEBHOOK_EVENTS
    )
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: [(2, 1, 6, "", ("10.0.0.1", 443))])
    webhook_test(webhook=row, by=runs(club))
    work()
    job = WebhookDelivery.objects.get()
    assert (job.status, job.answers[0]["status"]) == (JobStatus.FAILED, None)
    assert "on a private network" in job.failure


def test_connection_uses_the_checked_address_with_one_lookup(receiver, monkeypatch):
    port = int(receiver.url.rpartition(":")[2].partition("/")[0])
    asked = []

    def once(host, *args, **kwargs):
        asked.append(host)
        assert len(asked) == 1 or host == "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", once)
    assert post(f"http://hook.example:{port}/", b"{}", {}).is_taken
    assert receiver.taken[0][0]["Host"] == f"hook.example:{port}"


def test_redirect_is_not_followed(receiver):
    row = a_webhook(receiver)
    receiver.answers.append((302, {"Location": receiver.url}, b""))
    webhook_test(webhook=row, by=runs(row.club))
    work()
    assert receiver.taken == []
    assert WebhookDelivery.objects.get().failure == "The receiver responded 302; redirects are not followed."


def test_long_answer_is_cut_at_the_log_limit(receiver):
    receiver.answers.append((200, {}, b"x" * 1_000_000))
    answer = post(receiver.url, b"{}", {})
    assert (answer.status, len(answer.text)) == (200, outbound_http.MAX_ANSWER_BYTES)


@contextmanager
def dripping(begins: bytes, *, after: float = 0, ends: bool = False) -> Iterator[str]:
    """Yield the address of a receiver that sends this after some seconds, and then ends or drips bytes forever."""
    server = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def drip() -> None:
        other, _ = server.accept()
        with other:
            try:
                other.recv(65_536)
                done.wait(after)
                other.sendall(begins)
                while not (ends or done.wait(0.05)):
                    other.sendall(b"H")
            except OSError:
                return

    threading.Thread(target=drip, daemon=True).start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}/"
    done.set()
    server.close()


def test_slow_answer_is_cut_off(settings, monkeypatch):
    settings.WEBHOOKS_INSIDE = True
    monkeypatch.setattr(outbound_http, "TOTAL_TIMEOUT", 0.3)
    with dripping(b"") as url:
        assert not post(url, b"{}", {}).is_taken


@pytest.mark.parametrize("code", [200, 500])
def test_slow_answer_body_is_cut_off_after_its_status(settings, monkeypatch, code):
    settings.WEBHOOKS_INSIDE = True
    monkeypatch.setattr(outbound_http, "TOTAL_TIMEOUT", 0.3)
    cuts = []
    monkeypatch.setattr(
        outbound_http._Cutoff, "cut", lambda line, cut=outbound_http._Cutoff.cut: (cuts.append(1), cut(line))
    )
    with dripping(f"HTTP/1.1 {code} So\r\nContent-Length: 400\r\n\r\n".encode()) as url:
        answer = post(url, b"{}", {})
    assert (answer.status, cuts) == (code, [1])


def test_receiver_may_answer_more_slowly_than_connect(settings, monkeypatch):
    settings.WEBHOOKS_INSIDE = True
    monkeypatch.setattr(outbound_http, "CONNECT_TIMEOUT", 0.2)
    with dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", after=0.6) as url:
        assert post(url, b"{}", {}).status == 200


def test_interrupted_answer_is_kept_as_far_as_received(settings):
    settings.WEBHOOKS_INSIDE = True
    with dripping(b"HTTP/1.1 500 No\r\nContent-Length: 400\r\n\r\nout of order", ends=True) as url:
        answer = post(url, b"{}", {})
    assert (answer.status, answer.text) == (500, "out of order")


def test_late_answer_does_not_restore_erased_answers(receiver):
    row = a_webhook(receiver)
    webhook_test(webhook=row, by=runs(row.club))
    job = WebhookDelivery.objects.get()
    job.answers = [{"at": "2026-01-01T00:00:00+00:00", "status": 500, "ms": 1, "said": "Kim won"}]
    job.save()
    held = WebhookDelivery.claim(job.pk)
    WebhookDelivery.objects.filter(pk=job.pk).update(answers=[{**job.answers[0], "said": "Somebody won"}])
    assert deliver(job=held)
    assert [line["said"] for line in WebhookDelivery.objects.get().answers][0] == "Somebody won"


def test_endless_name_lookup_is_given_up(monkeypatch):
    found = threading.Event()
    monkeypatch.setattr(outbound_http, "DNS_TIMEOUT", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: found.wait(30) and [])
    assert post("https://slow.example/", b"{}", {}).text == "No response in time."
    assert not found.is_set()
    found.set()


def test_unstorable_bytes_of_an_answer_are_dropped(receiver):
    row = a_webhook(receiver)
    receiver.answers.append((500, {}, b"not\x00 now \xff"))
    webhook_test(webhook=row, by=runs(row.club))
    work()
    assert WebhookDelivery.objects.get().answers[0]["said"] == "not now \ufffd"


def test_address_never_appears_in_logs(settings, caplog):
    settings.WEBHOOKS_INSIDE = True
    with dripping(b"HTTP/1.1 204 So\r\nno header\r\nX: y\r\n\r\n") as url, caplog.at_level("DEBUG"):
        assert post(f"{url}api/webhooks/1/the-secret", b"{}", {}).is_taken
    assert "the-secret" not in caplog.text


def test_connection_errors_are_described_in_words(receiver, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert post(f"http://127.0.0.1:{port}/", b"{}", {}).text == "The connection was refused."

    def unknown(*args: object, **kwargs: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert post("http://nowhere.example/", b"{}", {}).text == "The host wasn't found."


# --- secrets and pages ------------------------------------------------------------------------------------------------


def test_secret_is_shown_once_and_can_be_replaced(client, receiver):
    club = a_club()
    client.force_login(runs(club))
    page = client.post(
        "/clubs/iron-table/webhooks/", {"kind": "json", "url": receiver.url, "occasions": ["gazette-out"]}
    )
    row = Webhook.objects.get()
    secret = decrypt_secret(row.secret)
    assert secret.startswith("mw_")
    assert secret in page.content.decode()
    assert page["Cache-Control"] == "no-store"
    assert secret not in row.secret
    html = client.get(f"/clubs/iron-table/webhooks/{row.key}/").content.decode()
    assert secret not in html
    assert receiver.url not in html
    again = client.post(f"/clubs/iron-table/webhooks/{row.key}/secret/").content.decode()
    row.refresh_from_db()
    assert decrypt_secret(row.secret) != secret
    assert decrypt_secret(row.secret) in again


def test_lost_key_signs_with_nothing(settings, receiver):
    row = a_webhook(receiver)
    settings.DICE_KEYS = ("another-key-of-thirty-two-letters",)
    assert decrypt_secret(row.secret) == ""


def test_discord_webhook_has_no_secret(receiver):
    row = a_webhook(receiver, "discord")
    with pytest.raises(RefusedError, match="have no secret"):
        webhook_secret_new(webhook=row, by=runs(row.club))


def test_page_shows_deliveries_and_answers(client, receiver):
    row = a_webhook(receiver)
    receiver.fails(500)
    client.force_login(runs(row.club))
    address = f"/clubs/iron-table/webhooks/{row.key}/"
    assert client.post(f"{address}test/").status_code == 302
    work()
    page = client.get(address).content.decode()
    assert "The receiver responded 500." in page
    assert "not now" in page
    job = WebhookDelivery.objects.get()
    client.post(f"{address}sendings/{job.key}/again/")
    work()
    assert len(receiver.taken) == 1
    client.post(f"{address}drop/")
    assert not Webhook.objects.exists()


def test_only_organisers_change_webhooks(receiver):
    row = a_webhook(receiver)
    with pytest.raises(RefusedError):
        webhook_test(webhook=row, by=a_player())
    with pytest.raises(RefusedError):
        webhook_change(webhook=row, by=a_player(), enabled=False)


def test_webhook_of_another_club_is_not_found(client, receiver):
    row = a_webhook(receiver)
    other = a_club(name="Other")
    client.force_login(runs(other))
    assert client.get(f"/clubs/other/webhooks/{row.key}/").status_code == 404
    assert client.get(f"/api/v1/clubs/other/webhooks/{row.key}/").status_code == 404


def test_webhooks_are_limited_in_number_and_events(receiver):
    club = a_club()
    with pytest.raises(RefusedError, match="can't send the event"):
        webhook_create(club=club, by=runs(club), kind="json", url=receiver.url, occasions=["seat-offered"])
    for number in range(10):
        webhook_create(club=club, by=runs(club), kind="json", url=f"{receiver.url}?{number}", occasions=[])
    with pytest.raises(RefusedError, match="up to 10 webhooks"):
        webhook_create(club=club, by=runs(club), kind="json", url=receiver.url, occasions=[])


def test_repeated_submission_makes_one_webhook(client, receiver):
    club = a_club()
    client.force_login(runs(club))
    sent = {"kind": "json", "url": receiver.url, "occasions": ["gazette-out"], "once": "0" * 32}
    answers = [client.post("/clubs/iron-table/webhooks/", sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 422]
    assert "already a webhook for this address" in answers[1].content.decode()
    assert Webhook.objects.count() == 1


def test_api_manages_webhooks_and_deliveries(client, receiver):
    club = a_club()
    client.force_login(runs(club))
    base, json_ = "/api/v1/clubs/iron-table/webhooks/", "application/json"
    made = client.post(base, {"kind": "json", "url": receiver.url, "occasions": ["gazette-out"]}, json_)
    assert (made.status_code, made.json()["host"]) == (201, "127.0.0.1")
    one = f"{base}{made.json()['key']}/"
    assert client.post(f"{one}secret/").json()["secret"].startswith("mw_")
    assert client.post(f"{one}test/").status_code == 201
    work()
    (row,) = client.get(f"{one}sendings/").json()
    assert (row["state"], row["answers"][0]["status"]) == ("taken", 200)
    assert client.post(f"{one}sendings/{row['key']}/again/").status_code == 201
    assert client.patch(one, {"is_on": False}, json_).json()["is_on"] is False
    assert client.patch(one, {"url": "gopher://x"}, json_).status_code == 422
    for wrong in ({"occasions": ["weather"]}, {"url": 7}, {"is_on": "yes"}, {"secret": "mine"}):
        assert client.patch(one, wrong, json_).status_code == 400, wrong
    assert client.delete(one).status_code == 204


def test_old_deliveries_are_cleared(receiver, settings):
    row = a_webhook(receiver)
    webhook_test(webhook=row, by=runs(row.club))
    work()
    settings.KEEP_NEWS_DAYS = 10
    assert clear_deliveries(Clearing(now=timezone.now() + timedelta(days=9))) == 0
    assert clear_deliveries(Clearing(now=timezone.now() + timedelta(days=11))) == 1
