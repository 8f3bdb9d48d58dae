"""Push notifications: encrypted for one browser, sent only to real push services, never to former members."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core import serializers
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect
from py_vapid import Vapid02

from campaigns.models import Notification, NotificationPreferences, PushDevice, PushKey, PushNotification
from campaigns.notifications.services import mark_notifications_read, notify, preferences_set
from campaigns.notifications.web_push import (
    RETRY_DELAYS,
    clear_pushes,
    decode_base64url,
    device_add,
    device_move,
    device_remove,
    encode_base64url,
    push_key,
)
from campaigns.tasks import send_push
from rosters.jobs import JobStatus
from rosters.services import RefusedError
from rosters.site.retention import Clearing
from tests.builders import a_player
from tests.campaigns.builders import a_club, a_member

pytestmark = pytest.mark.django_db


class Browser:
    """A browser as a push service knows it, with keys that nobody else has."""

    def __init__(self, url: str) -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        self.given = {
            "endpoint": url,
            "p256dh": encode_base64url(
                self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
            ),
            "auth": encode_base64url(self._auth),
            "name": "Firefox on Android",
        }

    def read(self, body: bytes) -> dict[str, str]:
        text = http_ece.decrypt(body, private_key=self._private, auth_secret=self._auth, version="aes128gcm")
        return json.loads(text)


@dataclass
class Service:
    """A push service: what arrived, and its answers in order, then 201."""

    url: str = ""
    answers: list[int] = field(default_factory=list)
    taken: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


@pytest.fixture
def service(settings) -> Iterator[Service]:
    settings.WEBHOOKS_INSIDE = True
    found = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            code = found.answers.pop(0) if found.answers else 201
            if code == 201:
                found.taken.append((self.path, dict(self.headers), body))
            self.send_response(code)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Keep the test's log quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}/send/1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield found
    server.shutdown()
    server.server_close()


@pytest.fixture
def reader():
    """A member of a club who gets notifications about their matches."""
    player = a_player("ria")
    a_member(a_club(), "player", player)
    return player


def notify_player(reader, occasion="forces-open", **facts):
    club = reader.memberships.first().club
    given = {"name": "Owls against Jays", "campaign": "The war", **facts}
    return notify(occasion, to=[reader.pk], facts=given, club=club)


def deliver_push(push):
    """Let a worker send the push, however long it was to wait."""
    PushNotification.objects.filter(pk=push.pk).update(not_before=None)
    send_push(push.pk)
    return PushNotification.objects.filter(pk=push.pk).first()


class TestDevices:
    def test_first_device_turns_on_match_notifications(self, reader, service):
        row = device_add(player=reader, **Browser(service.url).given)
        assert (row.name, row.host) == ("Firefox on Android", "127.0.0.1")
        assert NotificationPreferences.objects.get(player=reader).pushes == ["matches"]

    def test_pushes_are_off_by_default(self, reader):
        notify_player(reader)
        assert not PushNotification.objects.exists()

    def test_existing_push_settings_stay_with_a_new_device(self, reader, service):
        preferences_set(player=reader, pushes=["results"])
        device_add(player=reader, **Browser(service.url).given)
        assert NotificationPreferences.objects.get(player=reader).pushes == ["results"]

    @pytest.mark.parametrize(
        ("endpoint", "why"),
        [
            ("http://push.example.com/1", "https"),
            ("https://10.0.0.7/1", "on a private network"),
            ("https://localhost/1", "on a private network"),
            ("https://push.example.com:8443/1", "port"),
            (f"https://push.example.com/{'x' * 1000}", "1000 characters"),
        ],
    )
    def test_device_needs_a_public_https_service(self, reader, endpoint, why):
        with pytest.raises(RefusedError, match=why):
            device_add(player=reader, **{**Browser("").given, "endpoint": endpoint})
        assert not PushDevice.objects.exists()

    @pytest.mark.parametrize(
        "keys", [{"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": encode_base64url(b"\x04" + b"1" * 64)}]
    )
    def test_invalid_device_keys_are_refused(self, reader, keys):
        with pytest.raises(RefusedError, match="aren't a browser's keys"):
            device_add(player=reader, **{**Browser("https://push.example.com/1").given, **keys})

    def test_browser_of_another_player_changes_owner(self, reader, service):
        browser, other = Browser(service.url), a_player("otto")
        device_add(player=reader, **browser.given)
        device_add(player=other, **browser.given)
        assert [row.player for row in PushDevice.objects.all()] == [other]

    def test_same_browser_is_added_once(self, reader, service):
        browser = Browser(service.url)
        assert device_add(player=reader, **browser.given).pk == device_add(player=reader, **browser.given).pk

    def test_moved_browser_keeps_its_name_and_waiting_pushes(self, reader, service):
        old, new = Browser(service.url), Browser(f"{service.url}/moved")
        row = device_add(player=reader, **old.given)
        notify_player(reader)
        given = {"player": reader, "public": push_key().public, **new.given}
        given.pop("name")
        moved = device_move(before=service.url, **given)
        again = device_move(before=f"{service.url}/moved", **given)
        assert [(each.pk, each.name) for each in (moved, again)] == [(row.pk, "Firefox on Android")] * 2
        assert PushDevice.objects.count() == 1
        deliver_push(PushNotification.objects.get())
        ((path, _, body),) = service.taken
        assert path == "/send/1/moved"
        assert new.read(body)["title"] == "Lists revealed"

    def test_stopped_or_foreign_browser_cannot_move(self, reader, service):
        new = {name: value for name, value in Browser(f"{service.url}/moved").given.items() if name != "name"}
        row = device_add(player=reader, **Browser(service.url).given)
        with pytest.raises(RefusedError, match="isn't set up for your notifications"):
            device_move(player=a_player("otto"), before=service.url, public="", **new)
        device_remove(player=reader, key=row.key)
        with pytest.raises(RefusedError, match="isn't set up for your notifications"):
            device_move(player=reader, before=service.url, public="", **new)
        assert not PushDevice.objects.exists()

    def test_moving_locks_the_player_before_the_browsers(self, reader, service):
        """Adding locks in the same order, which avoids a deadlock.

        A browser that is stopped meanwhile stays stopped.
        """
        device_add(player=reader, **Browser(service.url).given)
        new = {name: value for name, value in Browser(f"{service.url}/moved").given.items() if name != "name"}
        with CaptureQueriesContext(connection) as asked:
            device_move(player=reader, before=service.url, public="", **new)
        statements = [each["sql"] for each in asked if not each["sql"].startswith(("SAVEPOINT", "BEGIN"))]
        assert 'FROM "rosters_player"' in statements[0]
        assert 'FROM "campaigns_pushdevice"' in statements[1]

    def test_refused_move_changes_nothing(self, reader, service):
        row = device_add(player=reader, **Browser(service.url).given)
        new = {**Browser(f"{service.url}/moved").given, "auth": "AAAA"}
        new.pop("name")
        with pytest.raises(RefusedError, match="aren't a browser's keys"):
            device_move(player=reader, before=service.url, public="", **new)
        assert PushDevice.objects.get().endpoint_hash == row.endpoint_hash

    def test_number_of_devices_is_limited_to_ten(self, reader, service):
        for number in range(10):
            device_add(player=reader, **Browser(f"{service.url}/{number}").given)
        with pytest.raises(RefusedError, match="10 browsers"):
            device_add(player=reader, **Browser(service.url).given)

    def test_database_dump_contains_no_secrets(self, reader, service):
        browser = Browser(service.url)
        device_add(player=reader, **browser.given)
        dump = serializers.serialize("json", [*PushDevice.objects.all(), *PushKey.objects.all()])
        assert "PRIVATE KEY" not in dump
        assert not [secret for secret in ("p256dh", "auth") if browser.given[secret] in dump]
        assert service.url not in dump

    def test_lost_key_is_replaced(self, settings):
        first = push_key()
        assert push_key().pk == first.pk
        settings.DICE_KEYS = ("another-key-than-before-it-was-lost",)
        assert push_key().public != first.public


class TestSent:
    def test_only_the_browser_can_decrypt_a_push(self, reader, service):
        browser = Browser(service.url)
        device_add(player=reader, **browser.given)
        notify_player(reader)
        push = deliver_push(PushNotification.objects.get())
        assert push.status == JobStatus.DONE
        assert push.sent_at
        ((path, headers, body),) = service.taken
        notification = Notification.objects.get()
        assert browser.read(body) == {
            "title": "Lists revealed",
            "body": "Both lists for Owls against Jays are revealed. Check the odds, then play.",
            "url": reverse("campaigns:inbox_open", args=[notification.pk]),
            "tag": f"letter-{notification.pk}",
        }
        assert b"Owls" not in body
        assert (path, headers["TTL"], headers["Content-Encoding"]) == ("/send/1", "86400", "aes128gcm")
        scheme, _, fields = headers["Authorization"].partition(" ")
        parts = dict(part.split("=", 1) for part in fields.split(","))
        assert (scheme, parts["k"]) == ("vapid", push_key().public)
        assert Vapid02.verify(headers["Authorization"])

    @pytest.mark.parametrize(
        ("origins", "sender", "contact"),
        [
            (["https://muster.example"], "Muster <m@muster.example>", "https://muster.example"),
            (["https://muster.example:8443"], "Muster <m@muster.example>", "https://muster.example:8443"),
            (["https://*.muster.example"], "Muster <m@muster.example>", "mailto:m@muster.example"),
            ([], "muster@clubhouse", "mailto:muster@clubhouse"),
        ],
    )
    def test_signature_lasts_less_than_a_day(self, reader, service, settings, origins, sender, contact):
        settings.CSRF_TRUSTED_ORIGINS, settings.DEFAULT_FROM_EMAIL = origins, sender
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader)
        assert deliver_push(PushNotification.objects.get()).sent_at
        token = service.taken[0][1]["Authorization"].partition("t=")[2].partition(",")[0]
        claims = json.loads(decode_base64url(token.split(".")[1]))
        assert claims["sub"] == contact
        assert claims["aud"] == service.url.removesuffix("/send/1")
        assert 3600 < claims["exp"] - timezone.now().timestamp() < 82_800

    def test_push_for_a_former_owner_is_not_sent(self, reader, service):
        """Two players may add the same browser at the same moment."""
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader)
        other = a_player("other")
        a_member(reader.memberships.get().club, "player", other)
        NotificationPreferences.objects.create(player=other, pushes=["matches"])
        PushDevice.objects.update(player=other)
        assert deliver_push(PushNotification.objects.get()).sent_at is None
        assert not service.taken

    def test_repeated_worker_sends_once(self, reader, service):
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader)
        push = PushNotification.objects.get()
        for _ in range(3):
            send_push(push.pk)
        assert len(service.taken) == 1

    def test_push_is_retried_until_accepted(self, reader, service):
        service.answers = [503, 429, 500]
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader)
        push = PushNotification.objects.get()
        for blips in (1, 2, 3):
            assert (deliver_push(push).status, PushNotification.objects.get().blips) == (JobStatus.QUEUED, blips)
        assert deliver_push(push).sent_at
        assert len(service.taken) == 1

    def test_push_fails_after_a_day(self, reader, service):
        service.answers = [503] * 20
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader)
        push = PushNotification.objects.get()
        PushNotification.objects.update(blips=len(RETRY_DELAYS))
        assert deliver_push(push).failure == "The push service responded 503."

    @pytest.mark.parametrize("code", [404, 410])
    def test_gone_browser_is_removed(self, reader, service, code):
        service.answers = [code]
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader)
        assert deliver_push(PushNotification.objects.get()) is None
        assert not PushDevice.objects.exists()

    def test_read_notification_is_not_pushed(self, reader, service):
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader)
        mark_notifications_read(player=reader)
        push = deliver_push(PushNotification.objects.get())
        assert (push.status, push.sent_at, service.taken) == (JobStatus.DONE, None, [])

    def test_former_member_and_unsubscribed_player_get_no_push(self, reader, service):
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader)
        reader.memberships.all().delete()
        assert deliver_push(PushNotification.objects.get()).sent_at is None
        a_member(a_club(name="Another"), "player", reader)
        notify_player(reader)
        preferences_set(player=reader, pushes=[])
        assert deliver_push(PushNotification.objects.first()).sent_at is None
        assert not service.taken

    def test_push_older_than_a_day_is_not_sent(self, reader, service):
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader)
        PushNotification.objects.update(waiting_since=timezone.now() - timedelta(days=2))
        assert deliver_push(PushNotification.objects.get()).sent_at is None

    def test_other_categories_are_not_pushed(self, reader, service):
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader, "match-decided", verdict="you won", how="a ruling")
        assert not PushNotification.objects.exists()

    def test_every_device_gets_one_push(self, reader, service):
        browsers = [Browser(f"{service.url}/{number}") for number in range(2)]
        for browser in browsers:
            device_add(player=reader, **browser.given)
        notify_player(reader)
        for push in PushNotification.objects.all():
            deliver_push(push)
        assert len({path for path, _, _ in service.taken}) == 2

    def test_device_with_a_lost_key_is_removed(self, reader, service, settings):
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader)
        settings.DICE_KEYS = ("another-key-than-before-it-was-lost",)
        assert deliver_push(PushNotification.objects.get()) is None
        assert not PushDevice.objects.exists()
        assert not service.taken

    def test_old_pushes_are_cleared(self, reader, service):
        device_add(player=reader, **Browser(service.url).given)
        notify_player(reader)
        deliver_push(PushNotification.objects.get())
        long_ago = timezone.now() - timedelta(days=4000)
        PushNotification.objects.update(ended_at=long_ago)
        clear_pushes(Clearing(now=timezone.now()))
        assert not PushNotification.objects.exists()


class TestPage:
    def test_page_adds_and_stops_a_browser(self, client, reader, service):
        client.force_login(reader)
        given = {**Browser(service.url).given, "public": client.post(reverse("campaigns:device_key")).json()["public"]}
        answer = client.post(reverse("campaigns:device_add"), json.dumps(given), content_type="application/json")
        assert answer.status_code == 200
        page = client.get(reverse("campaigns:notification_settings")).content.decode()
        assert "Firefox on Android" in page
        client.post(reverse("campaigns:device_remove", args=[answer.json()["key"]]))
        assert not PushDevice.objects.exists()
        assert not device_remove(player=reader, key=answer.json()["key"])

    @pytest.mark.parametrize("body", ["", "[]", "{}", '{"endpoint": 1}', "null"])
    def test_invalid_browser_document_is_refused(self, client, reader, body):
        client.force_login(reader)
        answer = client.post(reverse("campaigns:device_add"), body, content_type="application/json")
        assert answer.status_code == 422
        assert answer.json()["said"]

    def test_form_data_is_refused_as_a_browser(self, client, reader):
        client.force_login(reader)
        assert client.post(reverse("campaigns:device_add"), {"endpoint": "x"}).status_code == 422

    def test_outdated_public_key_is_refused(self, client, reader, service):
        with pytest.raises(RefusedError, match="key has changed"):
            device_add(player=reader, public=encode_base64url(b"x" * 65), **Browser(service.url).given)

    def test_settings_page_saves_push_categories(self, client, reader):
        client.force_login(reader)
        given = {
            **{
                f"way_{slug}": "page"
                for slug in ("matches", "results", "campaigns", "companies", "clubs", "organising")
            },
            "pushes": ["results", "campaigns"],
            "remind_hours": "24",
            "digest_frequency": "daily",
            "weekday": "6",
            "hour": "18",
        }
        assert client.post(reverse("campaigns:notification_settings"), given).status_code == 302
        assert NotificationPreferences.objects.get(player=reader).pushes == ["campaigns", "results"]
        assert decode_base64url(encode_base64url(b"abc")) == b"abc"


@pytest.mark.browser
@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
def test_service_worker_shows_a_notification_once(chromium, live_server):
    context = chromium.new_context(base_url=live_server.url, service_workers="allow", permissions=["notifications"])
    page = context.new_page()
    page.goto("/accounts/login/")
    page.evaluate("navigator.serviceWorker.ready")
    session = context.new_cdp_session(page)
    versions = []
    session.on("ServiceWorker.workerVersionUpdated", lambda message: versions.extend(message["versions"]))
    session.send("ServiceWorker.enable")
    page.wait_for_timeout(300)
    message = {"title": "Lists revealed", "body": "Look at the odds.", "url": "/clubs/", "tag": "letter-7"}
    for _ in range(2):
        session.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": live_server.url, "registrationId": versions[-1]["registrationId"], "data": json.dumps(message)},
        )
    titles = "async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((each) => each.title)"
    page.wait_for_function(f"async () => (await ({titles})()).length > 0")
    page.wait_for_timeout(200)
    assert page.evaluate(titles) == ["Lists revealed"]
    context.close()


@pytest.mark.browser
@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("says", [True, False], ids=["a browser that says which it was", "one that does not"])
def test_service_worker_reports_a_changed_address(chromium, live_server, client, service, says):
    reader = a_player("ria")
    client.force_login(reader)
    row = device_add(player=reader, **Browser(service.url).given)
    context = chromium.new_context(base_url=live_server.url, service_workers="allow")
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    page = context.new_page()
    page.goto("/inbox/wishes/")
    page.evaluate("navigator.serviceWorker.ready")
    expect(page.locator("[data-push-add]")).to_be_visible()  # notifications go to another browser
    (worker,) = context.service_workers
    new = Browser(f"{service.url}/moved").given
    happened = worker.evaluate(
        """async ({ new: { endpoint, p256dh, auth }, before, says, at }) => {
            const made = { toJSON: () => ({ endpoint, keys: { p256dh, auth } }), unsubscribe: async () => {} };
            PushManager.prototype.subscribe = async () => made; // there is no push service in a test
            PushManager.prototype.getSubscription = async () => null;
            if (!says) await (await caches.open("notices")).put(at, new Response(before));
            const event = new Event("pushsubscriptionchange");
            let done;
            event.waitUntil = (work) => (done = work);
            event.oldSubscription = says ? { endpoint: before } : null;
            self.dispatchEvent(event);
            await done;
            return (await (await (await caches.open("notices")).match(at)).text());
        }""",
        {"new": new, "before": service.url, "says": says, "at": reverse("campaigns:device_add")},
    )
    assert happened == new["endpoint"]
    moved = PushDevice.objects.get()
    assert (moved.pk, moved.name, moved.endpoint_hash == row.endpoint_hash) == (row.pk, "Firefox on Android", False)
    context.close()
