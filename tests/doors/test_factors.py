"""The second factor: set up, asked for, replaced by recovery codes, demanded of organisers."""

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

from .builders import PASSWORD, SECRET, code, give_factor, is_in, prove, sign_in


@pytest.fixture
def kim(db):
    return a_player("kim")


@pytest.fixture
def guarded(kim):
    """Kim has a second factor."""
    give_factor(kim)
    return kim


def type_code(client, given, address="192.0.2.1"):
    return client.post(reverse("mfa_authenticate"), {"code": given}, REMOTE_ADDR=address)


def test_a_player_sets_it_up_with_the_code_of_an_app_and_gets_recovery_codes(kim, client):
    client.force_login(kim)
    prove(client)
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    assert "<svg" in page
    assert "style=" not in page
    assert "data:" not in page
    key = re.search(r"<code class=\"factor__key\">([A-Z2-7]+)</code>", page)[1]
    answer = client.post(reverse("mfa_activate_totp"), {"code": code(key)}, follow=True)
    codes = re.findall(r"<li><code>(\d{8})</code></li>", answer.content.decode())
    assert len(codes) == 10
    assert "It is on." in client.get(reverse("mfa_index")).content.decode()


@pytest.mark.parametrize("page", ["mfa_activate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes"])
def test_what_concerns_it_asks_for_the_password_again(guarded, client, page):
    if page == "mfa_activate_totp":
        Authenticator.objects.all().delete()
    client.force_login(guarded)
    assert client.get(reverse(page)).url.startswith(reverse("account_reauthenticate"))


def test_the_password_alone_signs_nobody_in(guarded):
    client = Client()
    answer = sign_in("kim", client=client)
    assert answer.url == reverse("mfa_authenticate")
    assert not is_in(answer)
    assert is_in(type_code(client, code()))


def test_a_code_is_good_for_once(guarded):
    first, second, given = Client(), Client(), code()
    sign_in("kim", client=first)
    sign_in("kim", client=second)
    assert is_in(type_code(first, given))
    assert not is_in(type_code(second, given))


@pytest.mark.parametrize("written", ["{}", "{} ", "-{}"])
def test_a_code_is_good_for_once_as_long_as_it_fits(guarded, monkeypatch, written):
    first, second, given = Client(), Client(), code()
    sign_in("kim", client=first)
    sign_in("kim", client=second)
    assert is_in(type_code(first, given))
    cache.delete(Authenticator.objects.get(type="totp").wrap()._get_used_cache_key(given))  # as half a minute does
    later = [counter + 1 for counter in yield_hotp_counters_from_time()]
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.yield_hotp_counters_from_time", lambda: later)
    assert not is_in(type_code(second, written.format(given)))
    assert noted()[-1] == ("kim", "code", False)


def test_a_code_that_signed_in_does_not_prove_it_again(guarded):
    client, given = Client(), code()
    sign_in("kim", client=client)
    type_code(client, given)
    cache.delete(Authenticator.objects.get(type="totp").wrap()._get_used_cache_key(given))
    assert client.post(reverse("mfa_reauthenticate"), {"code": given}).status_code == 200


def test_a_recovery_code_signs_in_once(kim):
    codes = give_factor(kim)
    first, second = Client(), Client()
    sign_in("kim", client=first)
    assert is_in(type_code(first, codes[0]))
    sign_in("kim", client=second)
    assert not is_in(type_code(second, codes[0]))


def wrong_codes(times, address="198.51.100.1"):
    """How codes that are wrong are answered, typed at this address by somebody who knows the password."""
    client = Client()
    sign_in("kim", client=client, address=address)
    return [type_code(client, f"{at:06}", address).status_code for at in range(times)]


def comes_in(given, address):
    client = Client()
    sign_in("kim", client=client, address=address)
    return is_in(type_code(client, given, address))


def test_wrong_codes_are_followed_by_429_and_when_to_come_back(guarded):
    assert wrong_codes(6) == [200] * 5 + [429]
    client = Client()
    sign_in("kim", client=client, address="192.0.2.9")
    for at in range(5):
        type_code(client, f"{at:06}")
    answer = type_code(client, code())
    assert answer.status_code == 429
    assert 290 <= int(answer["Retry-After"]) <= 300


@pytest.mark.parametrize("kind", ["code", "recovery code"])
def test_wrong_codes_from_elsewhere_lock_the_owner_out_of_nothing(kim, kind):
    codes = give_factor(kim)
    wrong_codes(12, "198.51.100.1")
    wrong_codes(12, "198.51.100.2")
    assert comes_in(code() if kind == "code" else codes[0], "203.0.113.7")


def test_guesses_from_ever_new_addresses_end_and_the_owner_still_gets_in_from_a_known_network(guarded, monkeypatch):
    monkeypatch.setitem(limits.RATES, limits.FACTOR_GUESSED, "12/h/key")
    SignIn.objects.create(player=guarded, outcome="ok", address="203.0.113.0/24")
    for host in range(6):
        wrong_codes(2, f"198.51.{host}.1")
    assert wrong_codes(1, "198.51.200.1") == [429]
    assert not comes_in(code(), "192.0.2.44")
    assert comes_in(code(), "203.0.113.7")


def test_right_code_is_not_counted(guarded):
    for _ in range(8):
        cache.delete(f"rosters.accounts.second_factors:{guarded.pk}:{code()}")
        cache.delete(Authenticator.objects.get(type="totp").wrap()._get_used_cache_key(code()))
        assert comes_in(code(), "192.0.2.5")


def test_giving_the_code_again_is_limited_as_signing_in_is(guarded, client):
    client.force_login(guarded)
    told = [client.post(reverse("mfa_reauthenticate"), {"code": f"{at:06}"}).status_code for at in range(6)]
    assert told == [200] * 5 + [429]


def test_setting_it_up_ends_the_sessions_that_were_begun_without(kim):
    here, elsewhere = Client(), Client()
    sign_in("kim", client=here)
    sign_in("kim", client=elsewhere)
    prove(here)
    page = here.get(reverse("mfa_activate_totp")).content.decode()
    key = re.search(r"factor__key\">([A-Z2-7]+)<", page)[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.db.transaction.on_commit", lambda act, **_more: act())
        here.post(reverse("mfa_activate_totp"), {"code": code(key)})
    assert here.get(reverse("rosters:profile")).status_code == 200
    assert elsewhere.get(reverse("rosters:profile")).status_code == 302


def test_its_secret_stands_in_no_row(guarded):
    kept = Authenticator.objects.get(type="totp")
    assert SECRET not in str(kept.data)
    assert kept.wrap().validate_code(code())


def test_without_its_key_no_code_fits_and_nothing_breaks(guarded, settings):
    settings.DICE_KEYS = ("another key of thirty-two letters",)
    client = Client()
    sign_in("kim", client=client)
    assert not is_in(type_code(client, code()))


def test_an_older_key_still_shows_it(guarded, settings):
    settings.DICE_KEYS = ("a new key of thirty-two letters, too", *settings.DICE_KEYS)
    assert Authenticator.objects.get(type="totp").wrap().validate_code(code())


# --- organisers -------------------------------------------------------------------------------------------------------


@pytest.fixture
def demanded(settings):
    settings.ORGANISERS_NEED_FACTOR = True


@pytest.mark.usefixtures("demanded")
def test_an_organiser_without_one_is_led_to_set_it_up_before_he_acts(kim, client):
    club = a_club(kim)
    client.force_login(kim)
    path = reverse("campaigns:club_settings", args=[club.slug])
    assert client.get(path).status_code == 200
    answer = client.post(path, {"name": "Renamed"}, follow=True)
    assert answer.request["PATH_INFO"] == reverse("mfa_index")
    assert "sign in with a second factor" in answer.content.decode()
    club.refresh_from_db()
    assert club.name != "Renamed"
    give_factor(kim)
    assert client.post(path, {"name": "Renamed"}).status_code != 403
    assert reverse("mfa_index") not in client.post(path, {"name": "Renamed"}).headers.get("Location", "")


@pytest.mark.usefixtures("demanded")
def test_a_player_and_a_side_act_without_one(kim, client):
    member = a_member(a_club(kim))
    client.force_login(member)
    answer = client.post(reverse("campaigns:club_new"), {"name": "Other table"})
    assert answer.headers.get("Location", "") != reverse("mfa_index")
    match = a_match(a_round(a_campaign(a_club(kim, name="Third table"))))
    client.force_login(kim)
    answer = client.post(reverse("campaigns:match_forces", args=[match.key]))
    assert answer.headers.get("Location", "") != reverse("mfa_index")
    answer = client.post(reverse("campaigns:club_night", args=[match.round.campaign.club.slug]), {"act": "away"})
    assert answer.headers.get("Location", "") != reverse("mfa_index"), "he says himself that he is not ready"
    answer = client.post(reverse("campaigns:campaign_companies", args=[match.round.campaign_id]))
    assert answer.headers.get("Location", "") != reverse("mfa_index"), "through the API he may ask too"
    for act in ("device_key", "device_add"):
        answer = client.post(reverse(f"campaigns:{act}"))
        assert answer.headers.get("Location", "") != reverse("mfa_index"), "notices go to his own device"
    season = match.round.campaign.club.seasons.create(name="Long Year")
    answer = client.post(reverse("campaigns:season_part", args=[season.pk]))
    assert answer.headers.get("Location", "") != reverse("mfa_index"), "he takes part himself"


@pytest.mark.usefixtures("demanded")
@pytest.mark.parametrize("with_token", [True, False])
def test_the_api_refuses_an_organiser_without_one(kim, with_token):
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
    give_factor(kim)
    assert client.patch(path, {"name": "Renamed"}, content_type="application/json").status_code == 200


PLAYERS_OWN = {
    ("api-clubs", "POST"),
    ("api-club-leave", "POST"),
    ("api-requests", "POST"),
    ("api-request", "DELETE"),
    ("api-invitation", "POST"),
}  # of what a token needs the club for
OWN_AS_SENT = {("api-match-forces-open", "POST"), ("api-season-players", "POST")}  # he plays the match; enters himself


@pytest.fixture
def both(kim):
    """Kim, organiser and side, and another: two in a season with a pairing of theirs, two companies that ask."""
    club, soon = a_club(kim), timezone.now() + timedelta(days=1)
    season, other = club.seasons.create(name="Long Year", state="running"), a_member(club)
    campaign = a_campaign(club, "mustering")
    entrants = [season.entrants.create(player=each) for each in (kim, other)]
    opened = {"way": "swiss", "state": "open", "agree_by": soon, "deadline": soon}
    pairing = season.rounds.create(number=1, **opened).pairings.create(number=1, one=entrants[0], two=entrants[1])
    asked = [an_enrolment(campaign, a_company(each), state="asked") for each in (kim, other)]
    return SimpleNamespace(season=season, entrants=entrants, pairing=pairing, campaign=campaign, asked=asked)


@pytest.mark.usefixtures("demanded")
@pytest.mark.parametrize("with_token", [True, False])
def test_through_the_api_an_organiser_without_one_does_what_is_his_own_and_nothing_for_others(kim, both, with_token):
    client = Client(headers={"Authorization": f"Token {a_token(kim)}"} if with_token else {})
    if not with_token:
        client.force_login(kim)
    players = reverse("api-season-players", args=[both.season.pk])
    own, others = ([reverse("api-season-player", args=[both.season.pk, each.pk])] for each in both.entrants)
    own += [reverse("api-enrolment", args=[both.campaign.pk, both.asked[0].pk])]
    others += [reverse("api-enrolment", args=[both.campaign.pk, both.asked[1].pk])]
    pairing = reverse("api-season-pairing", args=[both.pairing.key])

    def is_refused(method, path, said=None):
        answer = client.generic(method, path, json.dumps(said or {}), content_type="application/json")
        return answer.status_code == 403 and "second factor" in answer.json()["errors"][0]["reason"]

    assert not is_refused("POST", players)
    assert is_refused("POST", players, {"player": both.entrants[1].player.username})
    assert not is_refused("POST", pairing, {"act": "propose", "game": 1})
    assert is_refused("POST", pairing, {"act": "decide", "game": 1})
    assert is_refused("DELETE", pairing)
    assert [is_refused("DELETE", path) for path in (own[0], others[0])] == [False, True]
    assert is_refused("PATCH", own[1], {"decision": "accept"})
    assert [is_refused("PATCH", path, {"decision": "withdraw"}) for path in (own[1], others[1])] == [False, True]
    assert [each.state for each in both.campaign.enrolments.order_by("pk")] == ["withdrawn", "asked"]


@pytest.mark.usefixtures("demanded")
def test_on_pages_for_several_acts_he_does_his_own(kim, both, client):
    client.force_login(kim)

    def is_led_away(page, *args, **said):
        location = client.post(reverse(f"campaigns:{page}", args=args), said).headers.get("Location", "")
        return location == reverse("mfa_index")

    own, other = ((both.campaign.pk, each.pk) for each in both.asked)
    assert [is_led_away("season_pairing", both.pairing.key, act=act) for act in ("propose", "decide")] == [False, True]
    assert [is_led_away("enrolment", *each, act="withdraw") for each in (own, other)] == [False, True]
    assert is_led_away("enrolment", *other, act="accept")
    assert [each.state for each in both.campaign.enrolments.order_by("pk")] == ["withdrawn", "asked"]


def test_nobody_is_asked_where_the_site_does_not_demand_it(kim, client):
    club = a_club(kim)
    client.force_login(kim)
    answer = client.post(reverse("campaigns:club_settings", args=[club.slug]), {"name": "Renamed"})
    assert answer.headers.get("Location", "") != reverse("mfa_index")


def test_every_act_of_a_player_on_these_pages_is_a_page():
    from campaigns.middleware import OWN_ACTS_BY_VIEW, OWN_OPERATIONS, OWN_VIEWS
    from tests.permissions.walk import routes

    pages = {f"campaigns:{name}" for name in OWN_VIEWS | OWN_ACTS_BY_VIEW.keys()}
    assert pages | {route for _, route in OWN_OPERATIONS} <= routes()


# --- the log of sign-ins ----------------------------------------------------------------------------------------------

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
CHROME = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36"


def noted():
    return list(SignIn.objects.order_by("pk").values_list("player__username", "outcome", "second_factor"))


def test_sign_ins_and_refusals_are_noted_with_the_factor(guarded):
    client = Client()
    sign_in("kim", "wrong", client=client)
    sign_in("kim", client=client)
    type_code(client, "000000")
    type_code(client, code())
    assert noted() == [("kim", "password", False), ("kim", "code", False), ("kim", "ok", True)]


def test_the_owner_reads_them_without_whole_addresses(kim):
    client = Client(headers={"User-Agent": FIREFOX})
    sign_in("kim", "wrong", address="203.0.113.9")
    sign_in("kim", client=client, address="203.0.113.9")
    page = client.get(reverse("rosters:sign_ins")).content.decode()
    assert "Firefox on Linux" in page
    assert "wrong password" in page
    assert "203.0.113.0/24" in page
    assert "203.0.113.9" not in page


def test_many_refusals_do_not_hide_who_came_in(kim, client):
    sign_in("kim", client=client)
    SignIn.objects.bulk_create(
        SignIn(player=kim, outcome="password", address="198.51.100.0/24", agent="a bot") for _ in range(60)
    )
    shown = client.get(reverse("rosters:sign_ins")).context["sign_ins"]
    assert [row.outcome for row in shown] == ["password"] * 50 + ["ok"]


def test_a_try_at_no_account_is_noted_without_its_name(kim):
    sign_in("nobody@example.org", "wrong")
    assert noted() == [(None, "password", False)]
    assert not [field for field in SignIn.objects.values_list().get() if "nobody" in str(field)]


def test_strangers_sign_ins_are_not_shown(kim, client):
    sign_in("kim", "wrong", address="203.0.113.9")
    client.force_login(a_player("ann"))
    assert "203.0.113" not in client.get(reverse("rosters:sign_ins")).content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_sign_in_with_something_new_is_mailed_and_the_first_one_is_not(eager_jobs, mailoutbox, settings):
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


def test_a_broker_that_is_away_keeps_nobody_out(kim, monkeypatch):
    from kombu.exceptions import OperationalError

    def away(*_args, **_more):
        raise OperationalError("away")

    monkeypatch.setattr("celery.app.task.Task.apply_async", away)
    monkeypatch.setattr("django.db.transaction.on_commit", lambda act, **_more: act())
    for agent in (FIREFOX, CHROME):
        assert is_in(sign_in("kim", client=Client(headers={"User-Agent": agent})))


def test_old_sign_ins_are_swept(kim, settings):
    from datetime import timedelta

    from django.utils import timezone

    from rosters.accounts.sign_ins import clear_sign_ins
    from rosters.site.retention import Clearing

    sign_in("kim", "wrong")
    sign_in("kim")
    SignIn.objects.filter(outcome="password").update(at=timezone.now() - timedelta(days=91))
    assert clear_sign_ins(Clearing(now=timezone.now())) == 1
    assert noted() == [("kim", "ok", False)]
    settings.KEEP_SIGN_INS_DAYS = 0
    SignIn.objects.update(at=timezone.now() - timedelta(days=9999))
    assert clear_sign_ins(Clearing(now=timezone.now())) == 0


# --- sessions ---------------------------------------------------------------------------------------------------------


def open_sessions(client):
    return client.get(reverse("usersessions_list")).context["sessions"]


def test_an_owner_ends_one_session_and_stays_in_the_others(kim):
    one, two, three = clients = [Client(headers={"User-Agent": FIREFOX}) for _ in range(3)]
    for client in clients:
        sign_in("kim", client=client)
    rows = {row.session_key: row for row in open_sessions(one)}
    assert len(rows) == 3
    one.post(reverse("rosters:session_end", args=[rows[two.session.session_key].pk]))
    assert two.get(reverse("rosters:profile")).status_code == 302
    assert three.get(reverse("rosters:profile")).status_code == 200
    assert len(open_sessions(one)) == 2


def test_an_owner_ends_all_other_sessions(kim):
    one, two = Client(), Client()
    sign_in("kim", client=one)
    sign_in("kim", client=two)
    one.post(reverse("usersessions_list"))
    assert two.get(reverse("rosters:profile")).status_code == 302
    assert one.get(reverse("rosters:profile")).status_code == 200


def test_nobody_ends_a_stranger_s_session(kim):
    client, stranger = Client(), Client()
    sign_in("kim", client=client)
    a_player("ann")
    sign_in("ann", client=stranger)
    assert stranger.post(reverse("rosters:session_end", args=[open_sessions(client)[0].pk])).status_code == 404
    assert client.get(reverse("rosters:profile")).status_code == 200


def test_a_changed_password_ends_the_other_sessions(kim):
    here, elsewhere = Client(), Client()
    sign_in("kim", client=here)
    sign_in("kim", client=elsewhere)
    here.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": "another-sesame", "password2": "another-sesame"},
    )
    assert here.get(reverse("rosters:profile")).status_code == 200
    assert elsewhere.get(reverse("rosters:profile")).status_code == 302
    assert len(open_sessions(here)) == 1


def test_sessions_that_are_over_are_swept_from_the_lists(kim):
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
