"""The second factor: set-up, sign-in, recovery codes, the rule for organisers, and the log of sign-ins."""

import json
import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import yield_hotp_counters_from_time
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rosters.accounts import limits
from rosters.models import SignIn
from tests.builders import a_company, a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_round, an_enrolment

from .builders import PASSWORD, SECRET, add_second_factor, is_signed_in, reauthenticate, sign_in, totp_code


@pytest.fixture
def kim(db):
    return a_player("kim")


@pytest.fixture
def kim_with_factor(kim):
    """Return Kim with a second factor."""
    add_second_factor(kim)
    return kim


def enter_code(client, given, address="192.0.2.1"):
    return client.post(reverse("mfa_authenticate"), {"code": given}, REMOTE_ADDR=address)


def test_set_up_takes_an_app_code_and_gives_recovery_codes(kim, client):
    client.force_login(kim)
    reauthenticate(client)
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    assert "<svg" in page
    assert "style=" not in page
    assert "data:" not in page
    key = re.search(r"<code class=\"factor__key\">([A-Z2-7]+)</code>", page)[1]
    answer = client.post(reverse("mfa_activate_totp"), {"code": totp_code(key)}, follow=True)
    codes = re.findall(r"<li><code>(\d{8})</code></li>", answer.content.decode())
    assert len(codes) == 10
    assert "<b>On.</b>" in client.get(reverse("mfa_index")).content.decode()


@pytest.mark.parametrize("page", ["mfa_activate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes"])
def test_second_factor_pages_ask_for_the_password_again(kim_with_factor, client, page):
    if page == "mfa_activate_totp":
        Authenticator.objects.all().delete()
    client.force_login(kim_with_factor)
    assert client.get(reverse(page)).url.startswith(reverse("account_reauthenticate"))


def test_password_without_code_does_not_sign_in(kim_with_factor):
    client = Client()
    answer = sign_in("kim", client=client)
    assert answer.url == reverse("mfa_authenticate")
    assert not is_signed_in(answer)
    assert is_signed_in(enter_code(client, totp_code()))


def test_code_works_once(kim_with_factor):
    first, second, given = Client(), Client(), totp_code()
    sign_in("kim", client=first)
    sign_in("kim", client=second)
    assert is_signed_in(enter_code(first, given))
    assert not is_signed_in(enter_code(second, given))


@pytest.mark.parametrize("spelling", ["{}", "{} ", "-{}"])
def test_used_code_is_refused_while_it_is_still_valid(kim_with_factor, monkeypatch, spelling):
    first, second, given = Client(), Client(), totp_code()
    sign_in("kim", client=first)
    sign_in("kim", client=second)
    assert is_signed_in(enter_code(first, given))
    cache.delete(
        Authenticator.objects.get(type="totp").wrap()._get_used_cache_key(given)
    )  # as it expires after half a minute
    later = [counter + 1 for counter in yield_hotp_counters_from_time()]
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.yield_hotp_counters_from_time", lambda: later)
    assert not is_signed_in(enter_code(second, spelling.format(given)))
    assert sign_in_log()[-1] == ("kim", "code", False)


def test_sign_in_code_does_not_reauthenticate(kim_with_factor):
    client, given = Client(), totp_code()
    sign_in("kim", client=client)
    enter_code(client, given)
    cache.delete(Authenticator.objects.get(type="totp").wrap()._get_used_cache_key(given))
    assert client.post(reverse("mfa_reauthenticate"), {"code": given}).status_code == 200


def test_recovery_code_signs_in_once(kim):
    codes = add_second_factor(kim)
    first, second = Client(), Client()
    sign_in("kim", client=first)
    assert is_signed_in(enter_code(first, codes[0]))
    sign_in("kim", client=second)
    assert not is_signed_in(enter_code(second, codes[0]))


def wrong_codes(times, address="198.51.100.1"):
    """Enter wrong codes after the right password from this address, and return the statuses."""
    client = Client()
    sign_in("kim", client=client, address=address)
    return [enter_code(client, f"{at:06}", address).status_code for at in range(times)]


def can_sign_in(given, address):
    client = Client()
    sign_in("kim", client=client, address=address)
    return is_signed_in(enter_code(client, given, address))


def test_too_many_wrong_codes_get_429_with_retry_after(kim_with_factor):
    assert wrong_codes(6) == [200] * 5 + [429]
    client = Client()
    sign_in("kim", client=client, address="192.0.2.9")
    for at in range(5):
        enter_code(client, f"{at:06}")
    answer = enter_code(client, totp_code())
    assert answer.status_code == 429
    assert 290 <= int(answer["Retry-After"]) <= 300


@pytest.mark.parametrize("kind", ["code", "recovery code"])
def test_wrong_codes_from_other_addresses_do_not_lock_the_owner_out(kim, kind):
    codes = add_second_factor(kim)
    wrong_codes(12, "198.51.100.1")
    wrong_codes(12, "198.51.100.2")
    assert can_sign_in(totp_code() if kind == "code" else codes[0], "203.0.113.7")


def test_distributed_code_guessing_is_blocked_except_from_known_networks(kim_with_factor, monkeypatch):
    monkeypatch.setitem(limits.RATES, limits.FACTOR_GUESSED, "12/h/key")
    SignIn.objects.create(player=kim_with_factor, outcome="ok", address="203.0.113.0/24")
    for host in range(6):
        wrong_codes(2, f"198.51.{host}.1")
    assert wrong_codes(1, "198.51.200.1") == [429]
    assert not can_sign_in(totp_code(), "192.0.2.44")
    assert can_sign_in(totp_code(), "203.0.113.7")


def test_right_code_is_not_counted(kim_with_factor):
    for _ in range(8):
        cache.delete(f"rosters.accounts.second_factors:{kim_with_factor.pk}:{totp_code()}")
        cache.delete(Authenticator.objects.get(type="totp").wrap()._get_used_cache_key(totp_code()))
        assert can_sign_in(totp_code(), "192.0.2.5")


def test_reauthentication_by_code_is_rate_limited(kim_with_factor, client):
    client.force_login(kim_with_factor)
    statuses = [client.post(reverse("mfa_reauthenticate"), {"code": f"{at:06}"}).status_code for at in range(6)]
    assert statuses == [200] * 5 + [429]


def test_setting_up_a_second_factor_ends_other_sessions(kim):
    one, other = Client(), Client()
    sign_in("kim", client=one)
    sign_in("kim", client=other)
    reauthenticate(one)
    page = one.get(reverse("mfa_activate_totp")).content.decode()
    key = re.search(r"factor__key\">([A-Z2-7]+)<", page)[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.db.transaction.on_commit", lambda act, **_more: act())
        one.post(reverse("mfa_activate_totp"), {"code": totp_code(key)})
    assert one.get(reverse("rosters:profile")).status_code == 200
    assert other.get(reverse("rosters:profile")).status_code == 302


def test_second_factor_secret_is_stored_encrypted(kim_with_factor):
    stored = Authenticator.objects.get(type="totp")
    assert SECRET not in str(stored.data)
    assert stored.wrap().validate_code(totp_code())


def test_lost_key_refuses_every_code_without_an_error(kim_with_factor, settings):
    settings.DICE_KEYS = ("another key of thirty-two letters",)
    client = Client()
    sign_in("kim", client=client)
    assert not is_signed_in(enter_code(client, totp_code()))


def test_older_key_still_decrypts_the_secret(kim_with_factor, settings):
    settings.DICE_KEYS = ("a new key of thirty-two letters, too", *settings.DICE_KEYS)
    assert Authenticator.objects.get(type="totp").wrap().validate_code(totp_code())


# --- organisers -------------------------------------------------------------------------------------------------------


@pytest.fixture
def factor_required(settings):
    settings.ORGANISERS_NEED_FACTOR = True


@pytest.mark.usefixtures("factor_required")
def test_organiser_without_second_factor_is_sent_to_set_one_up(kim, client):
    club = a_club(kim)
    client.force_login(kim)
    path = reverse("campaigns:club_settings", args=[club.slug])
    assert client.get(path).status_code == 200
    answer = client.post(path, {"name": "Renamed"}, follow=True)
    assert answer.request["PATH_INFO"] == reverse("mfa_index")
    assert "sign in with a second factor" in answer.content.decode()
    club.refresh_from_db()
    assert club.name != "Renamed"
    add_second_factor(kim)
    assert client.post(path, {"name": "Renamed"}).status_code != 403
    assert reverse("mfa_index") not in client.post(path, {"name": "Renamed"}).headers.get("Location", "")


@pytest.mark.usefixtures("factor_required")
def test_players_own_acts_need_no_second_factor(kim, client):
    member = a_member(a_club(kim))
    client.force_login(member)
    answer = client.post(reverse("campaigns:club_new"), {"name": "Other table"})
    assert answer.headers.get("Location", "") != reverse("mfa_index")
    match = a_match(a_round(a_campaign(a_club(kim, name="Third table"))))
    client.force_login(kim)
    answer = client.post(reverse("campaigns:match_forces", args=[match.key]))
    assert answer.headers.get("Location", "") != reverse("mfa_index")
    answer = client.post(reverse("campaigns:club_night", args=[match.round.campaign.club.slug]), {"act": "away"})
    assert answer.headers.get("Location", "") != reverse("mfa_index"), "not being ready is an own act"
    answer = client.post(reverse("campaigns:campaign_companies", args=[match.round.campaign_id]))
    assert answer.headers.get("Location", "") != reverse("mfa_index"), "the API allows asking, too"
    for act in ("device_key", "device_add"):
        answer = client.post(reverse(f"campaigns:{act}"))
        assert answer.headers.get("Location", "") != reverse("mfa_index"), "notifications go to their own device"
    season = match.round.campaign.club.seasons.create(name="Long Year")
    answer = client.post(reverse("campaigns:season_part", args=[season.pk]))
    assert answer.headers.get("Location", "") != reverse("mfa_index"), "entering a season is an own act"


@pytest.mark.usefixtures("factor_required")
@pytest.mark.parametrize("with_token", [True, False])
def test_api_refuses_an_organiser_without_second_factor(kim, with_token):
    club = a_club(kim)
    client = Client(headers={"Authorization": f"Token {a_token(kim)}"} if with_token else {})
    if not with_token:
        client.force_login(kim)
    path = reverse("api-club", args=[club.slug])
    answer = client.patch(path, {"name": "Renamed"}, content_type="application/json")
    assert answer.status_code == 403
    assert "second factor" in answer.json()["errors"][0]["reason"]
    assert client.get(path).status_code == 200
    company = a_company(kim)
    answer = client.patch(reverse("api-company", args=[company.pk]), {"name": "B"}, content_type="application/json")
    assert answer.status_code == 200
    add_second_factor(kim)
    assert client.patch(path, {"name": "Renamed"}, content_type="application/json").status_code == 200


PLAYERS_OWN = {
    ("api-clubs", "POST"),
    ("api-club-leave", "POST"),
    ("api-join-requests", "POST"),
    ("api-join-request", "DELETE"),
    ("api-invitation", "POST"),
}  # own acts that need a token's scope `club`
OWN_AS_SENT = {("api-match-forces-reveal", "POST"), ("api-season-players", "POST")}  # own match; entering oneself


@pytest.fixture
def own_things(kim):
    """Create a season with a pairing of Kim, its organiser, and a member, and a campaign that both ask to join."""
    club, soon = a_club(kim), timezone.now() + timedelta(days=1)
    season, other = club.seasons.create(name="Long Year", state="running"), a_member(club)
    campaign = a_campaign(club, "mustering")
    entrants = [season.entrants.create(player=each) for each in (kim, other)]
    fields = {"way": "swiss", "state": "open", "agree_by": soon, "deadline": soon}
    pairing = season.rounds.create(number=1, **fields).pairings.create(number=1, one=entrants[0], two=entrants[1])
    enrolments = [an_enrolment(campaign, a_company(each), state="asked") for each in (kim, other)]
    return SimpleNamespace(season=season, entrants=entrants, pairing=pairing, campaign=campaign, asked=enrolments)


@pytest.mark.usefixtures("factor_required")
@pytest.mark.parametrize("with_token", [True, False])
def test_api_without_second_factor_allows_only_own_acts(kim, own_things, with_token):
    client = Client(headers={"Authorization": f"Token {a_token(kim)}"} if with_token else {})
    if not with_token:
        client.force_login(kim)
    players = reverse("api-season-players", args=[own_things.season.pk])
    own, others = ([reverse("api-season-player", args=[own_things.season.pk, each.pk])] for each in own_things.entrants)
    own += [reverse("api-enrolment", args=[own_things.campaign.pk, own_things.asked[0].pk])]
    others += [reverse("api-enrolment", args=[own_things.campaign.pk, own_things.asked[1].pk])]
    pairing = reverse("api-season-pairing", args=[own_things.pairing.key])

    def is_refused(method, path, data=None):
        answer = client.generic(method, path, json.dumps(data or {}), content_type="application/json")
        return answer.status_code == 403 and "second factor" in answer.json()["errors"][0]["reason"]

    assert not is_refused("POST", players)
    assert is_refused("POST", players, {"player": own_things.entrants[1].player.username})
    assert not is_refused("POST", pairing, {"act": "propose", "game": 1})
    assert is_refused("POST", pairing, {"act": "decide", "game": 1})
    assert is_refused("DELETE", pairing)
    assert [is_refused("DELETE", path) for path in (own[0], others[0])] == [False, True]
    assert is_refused("PATCH", own[1], {"decision": "accept"})
    assert [is_refused("PATCH", path, {"decision": "withdraw"}) for path in (own[1], others[1])] == [False, True]
    assert [each.state for each in own_things.campaign.enrolments.order_by("pk")] == ["withdrawn", "asked"]


@pytest.mark.usefixtures("factor_required")
def test_pages_without_second_factor_allow_only_own_acts(kim, own_things, client):
    client.force_login(kim)

    def goes_to_set_up(page, *args, **data):
        location = client.post(reverse(f"campaigns:{page}", args=args), data).headers.get("Location", "")
        return location == reverse("mfa_index")

    own, other = ((own_things.campaign.pk, each.pk) for each in own_things.asked)
    assert [goes_to_set_up("season_pairing", own_things.pairing.key, act=act) for act in ("propose", "decide")] == [
        False,
        True,
    ]
    assert [goes_to_set_up("enrolment", *each, act="withdraw") for each in (own, other)] == [False, True]
    assert goes_to_set_up("enrolment", *other, act="accept")
    assert [each.state for each in own_things.campaign.enrolments.order_by("pk")] == ["withdrawn", "asked"]


def test_second_factor_is_optional_by_default(kim, client):
    club = a_club(kim)
    client.force_login(kim)
    answer = client.post(reverse("campaigns:club_settings", args=[club.slug]), {"name": "Renamed"})
    assert answer.headers.get("Location", "") != reverse("mfa_index")


def test_own_acts_are_existing_routes():
    from campaigns.middleware import OWN_ACTS_BY_VIEW, OWN_OPERATIONS, OWN_VIEWS
    from tests.permissions.routes import routes

    pages = {f"campaigns:{name}" for name in OWN_VIEWS | OWN_ACTS_BY_VIEW.keys()}
    assert pages | {route for _, route in OWN_OPERATIONS} <= routes()


# --- the log of sign-ins ----------------------------------------------------------------------------------------------

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
CHROME = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36"


def sign_in_log():
    return list(SignIn.objects.order_by("pk").values_list("player__username", "outcome", "second_factor"))


def test_sign_ins_and_refusals_are_logged_with_the_factor(kim_with_factor):
    client = Client()
    sign_in("kim", "wrong", client=client)
    sign_in("kim", client=client)
    enter_code(client, "000000")
    enter_code(client, totp_code())
    assert sign_in_log() == [("kim", "password", False), ("kim", "code", False), ("kim", "ok", True)]


def test_sign_in_log_shows_shortened_addresses(kim):
    client = Client(headers={"User-Agent": FIREFOX})
    sign_in("kim", "wrong", address="203.0.113.9")
    sign_in("kim", client=client, address="203.0.113.9")
    page = client.get(reverse("rosters:sign_ins"), follow=True).content.decode()
    assert "Firefox on Linux" in page
    assert "wrong password" in page
    assert "203.0.113.0/24" in page
    assert "203.0.113.9" not in page


def test_many_refusals_do_not_hide_successful_sign_ins(kim, client):
    sign_in("kim", client=client)
    SignIn.objects.bulk_create(
        SignIn(player=kim, outcome="password", address="198.51.100.0/24", agent="a bot") for _ in range(60)
    )
    rows = client.get(reverse("rosters:sign_ins"), follow=True).context["sign_ins"]
    assert [row.outcome for row in rows] == ["password"] * 50 + ["ok"]


def test_attempt_at_unknown_account_is_logged_without_its_name(kim):
    sign_in("nobody@example.org", "wrong")
    assert sign_in_log() == [(None, "password", False)]
    assert not [field for field in SignIn.objects.values_list().get() if "nobody" in str(field)]


def test_sign_ins_of_others_are_hidden(kim, client):
    sign_in("kim", "wrong", address="203.0.113.9")
    client.force_login(a_player("ann"))
    assert "203.0.113" not in client.get(reverse("rosters:sign_ins"), follow=True).content.decode()


@pytest.mark.django_db(transaction=True)
def test_sign_in_from_a_new_browser_is_mailed_except_the_first(eager_jobs, mailoutbox, settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://muster.example"]
    kim = a_player("kim")
    kim.email = "kim@example.org"
    kim.save()
    for agent in (FIREFOX, FIREFOX, CHROME, CHROME):
        sign_in("kim", client=Client(headers={"User-Agent": agent}))
    (mail,) = mailoutbox
    assert mail.to == ["kim@example.org"]
    assert "Chrome on Android" in mail.body
    assert "https://muster.example/profile/sign-ins/" in mail.body


def test_mail_about_a_sign_in_is_retried_while_the_mail_server_is_down(kim, monkeypatch):
    from celery.exceptions import Retry

    from rosters.tasks import sign_in_mail

    def refuse(*_args, **_more):
        raise ConnectionRefusedError

    for agent in (FIREFOX, CHROME):
        sign_in("kim", client=Client(headers={"User-Agent": agent}))
    kim.email = "kim@example.org"
    kim.save()
    monkeypatch.setattr("django.core.mail.message.EmailMessage.send", refuse)
    monkeypatch.setattr("celery.app.task.Task.apply_async", lambda *_args, **_more: None)
    with pytest.raises((Retry, ConnectionRefusedError)):
        sign_in_mail(SignIn.objects.latest("pk").pk)


def test_sign_in_works_while_the_broker_is_down(kim, monkeypatch):
    from kombu.exceptions import OperationalError

    def refuse(*_args, **_more):
        raise OperationalError("away")

    monkeypatch.setattr("celery.app.task.Task.apply_async", refuse)
    monkeypatch.setattr("django.db.transaction.on_commit", lambda act, **_more: act())
    for agent in (FIREFOX, CHROME):
        assert is_signed_in(sign_in("kim", client=Client(headers={"User-Agent": agent})))


def test_old_sign_ins_are_cleared(kim, settings):
    from datetime import timedelta

    from django.utils import timezone

    from rosters.accounts.sign_ins import clear_sign_ins
    from rosters.site.retention import Clearing

    sign_in("kim", "wrong")
    sign_in("kim")
    SignIn.objects.filter(outcome="password").update(occurred_at=timezone.now() - timedelta(days=91))
    assert clear_sign_ins(Clearing(now=timezone.now())) == 1
    assert sign_in_log() == [("kim", "ok", False)]
    settings.KEEP_SIGN_INS_DAYS = 0
    SignIn.objects.update(occurred_at=timezone.now() - timedelta(days=9999))
    assert clear_sign_ins(Clearing(now=timezone.now())) == 0


# --- sessions ---------------------------------------------------------------------------------------------------------


def open_sessions(client):
    return client.get(reverse("usersessions_list")).context["sessions"]


def test_player_ends_one_session_and_keeps_the_others(kim):
    one, two, three = clients = [Client(headers={"User-Agent": FIREFOX}) for _ in range(3)]
    for client in clients:
        sign_in("kim", client=client)
    rows = {row.session_key: row for row in open_sessions(one)}
    assert len(rows) == 3
    one.post(reverse("rosters:session_end", args=[rows[two.session.session_key].pk]))
    assert two.get(reverse("rosters:profile")).status_code == 302
    assert three.get(reverse("rosters:profile")).status_code == 200
    assert len(open_sessions(one)) == 2


def test_player_ends_all_other_sessions(kim):
    one, two = Client(), Client()
    sign_in("kim", client=one)
    sign_in("kim", client=two)
    one.post(reverse("usersessions_list"))
    assert two.get(reverse("rosters:profile")).status_code == 302
    assert one.get(reverse("rosters:profile")).status_code == 200


def test_session_of_another_player_cannot_be_ended(kim):
    client, stranger = Client(), Client()
    sign_in("kim", client=client)
    a_player("ann")
    sign_in("ann", client=stranger)
    assert stranger.post(reverse("rosters:session_end", args=[open_sessions(client)[0].pk])).status_code == 404
    assert client.get(reverse("rosters:profile")).status_code == 200


def test_password_change_ends_other_sessions(kim):
    one, other = Client(), Client()
    sign_in("kim", client=one)
    sign_in("kim", client=other)
    one.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": "another-sesame", "password2": "another-sesame"},
    )
    assert one.get(reverse("rosters:profile")).status_code == 200
    assert other.get(reverse("rosters:profile")).status_code == 302
    assert len(open_sessions(one)) == 1


def test_ended_sessions_are_cleared_from_the_list(kim):
    from allauth.usersessions.models import UserSession
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    from rosters.accounts.sign_ins import clear_ended_sessions
    from rosters.site.retention import Clearing

    for _ in range(2):
        sign_in("kim")
    Session.objects.filter(pk=UserSession.objects.first().session_key).delete()
    assert clear_ended_sessions(Clearing(now=timezone.now())) == 1
    assert UserSession.objects.count() == 1
