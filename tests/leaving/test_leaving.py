"""Leaving: a player asks, can cancel for seven days, and then has no account."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle, Forecast, SealedDice
from battles.odds.services import forecast_ask
from battles.services.battles import battle_queue
from battles.services.dice import dice_waiting
from campaigns.army_lists.services import lists_reveal
from campaigns.clubs.invitations import find_player, invitation_make
from campaigns.clubs.services import club_hand_over
from campaigns.models import ActivityLogEntry, Campaign, Club, Enrolment, Match, MatchState, Membership, Report
from campaigns.results.rulings import match_rule
from campaigns.results.services import report_make
from rosters.accounts.data_export import data_export_request
from rosters.accounts.deletion import account_deletion_request, account_deletion_withdraw, leave
from rosters.accounts.forms import reset_send
from rosters.accounts.ownership import _fates
from rosters.models import (
    AccessToken,
    Company,
    DataExport,
    Design,
    LedgerEntry,
    Pilot,
    Player,
    PrintJob,
    PrintPreset,
    SignIn,
    Unit,
)
from rosters.services import RefusedError, design_save, player_change
from rosters.services.retention import clear_all
from rosters.site.retention import Clearing
from tests.accounts.builders import PASSWORD, add_second_factor, is_signed_in, reauthenticate, sign_in
from tests.battles.builders import duel
from tests.builders import SYSTEM, WASP, a_company, a_crewed_unit, a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.gazettes import close_round
from tests.leaving.builders import ADDRESS, DISPLAY_NAME, NAME, a_leaver, ask_to_leave, end_account
from tests.permissions.world import the_world

pytestmark = pytest.mark.django_db

LATER = timedelta(days=8)


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def player():
    return a_leaver()


def refusal(player: Player, name: str = "Player who left", typed: str | None = None) -> str:
    """Return the reason why the player can't leave under this name."""
    with pytest.raises(RefusedError) as refused:
        account_deletion_request(player=player, name=name, typed=player.username if typed is None else typed)
    return refused.value.reason


# --- the account ------------------------------------------------------------------------------------------------------


def test_nobody_can_sign_in_to_the_account(player):
    client = Client()
    assert is_signed_in(sign_in(NAME, client=client))
    session = client.session.session_key
    left = end_account(player)
    assert client.get(reverse("rosters:profile")).status_code == 302
    assert not Session.objects.filter(session_key=session).exists()
    for login in (NAME, ADDRESS, left.username):
        assert not is_signed_in(sign_in(login))
    assert not left.has_usable_password()


def test_tokens_stop_working(player):
    token = a_token(player)
    headers = {"HTTP_AUTHORIZATION": f"Token {token}"}
    assert Client().get(reverse("api-companies"), **headers).status_code == 200
    end_account(player)
    assert Client().get(reverse("api-companies"), **headers).status_code == 401


@pytest.mark.parametrize(("number", "what"), [(1, "print, preset or printer"), (2, "prints, presets and printers")])
def test_deleted_things_are_named_in_the_right_number(player, number, what):
    for at in range(number):
        PrintPreset.objects.create(player=player, name=f"Preset {at}", choice={})
    assert (number, what) in [(fate.number, fate.what) for fate in _fates(player, frozenset())]


def test_private_data_is_deleted(player):
    add_second_factor(player)
    a_token(player)
    sign_in(NAME)
    EmailAddress.objects.create(user=player, email=ADDRESS, verified=True, primary=True)
    design_save(author=player, system=SYSTEM, name="Owl", spec=WASP)
    public = design_save(author=player, system=SYSTEM, name="Jay", spec=WASP)
    Design.objects.filter(pk=public.pk).update(visibility="public")
    forecast_ask(setup=duel(), runs=100, actor=player)
    dice_waiting(actor=player, visitor="")
    data_export_request(player=player)
    left = end_account(player)
    for model in (AccessToken, UserSession, SignIn, EmailAddress, Authenticator, DataExport, PrintJob):
        assert not model.objects.exists(), model
    assert [row.name for row in Design.objects.all()] == ["Jay"]
    assert Forecast.objects.get().asked_by is None
    assert not SealedDice.objects.filter(asked_by=player).exists()
    kept = (left.email, left.first_name, left.last_name, left.time_zone, left.names_before, left.last_login)
    assert kept == ("", "", "", "", [], None)
    assert (left.username, left.name_shown, left.is_active) == (f"left-{left.pk}", "Player who left", False)


def test_new_account_with_the_same_name_and_address_owns_nothing(player):
    campaign = a_campaign()
    an_enrolment(campaign, a_mustered_company(player, name="Axes"))
    left = end_account(player)
    form = {"username": NAME, "email": ADDRESS, "password1": "quite-a-new-sesame", "password2": "quite-a-new-sesame"}
    client = Client()
    assert client.post(reverse("account_signup"), form).status_code == 302
    newcomer = Player.objects.get(username=NAME)
    assert newcomer.pk != left.pk
    assert not any(relation.related_model.objects.filter(**{relation.field.name: newcomer}).exists()
                   for relation in Player._meta.related_objects
                   if relation.related_model not in (EmailAddress, UserSession, SignIn))  # fmt: skip
    assert "Axes" not in client.get(reverse("rosters:companies")).content.decode()


def test_user_names_of_former_players_are_reserved(player):
    left = end_account(player)
    form = {
        "username": f"LEFT-{left.pk}",
        "email": "a@example.com",
        "password1": PASSWORD * 2,
        "password2": PASSWORD * 2,
    }
    assert "reserved for players who left" in Client().post(reverse("account_signup"), form).content.decode()


def test_former_player_gets_no_mail_and_no_invitation(player):
    organiser = a_player("ann")
    club = a_club(organiser)
    left = end_account(player)
    mail.outbox.clear()
    assert reset_send(email=ADDRESS) == 0
    for name in (left.username, left.name_shown, NAME):
        with pytest.raises(RefusedError, match="no player called"):
            find_player(name)
    with pytest.raises(RefusedError):
        invitation_make(club=club, by=organiser, player=left.username)


def test_calendar_links_stop_working(player):
    club = a_club(is_public=False)
    a_member(club, player=player)
    campaign = a_campaign(club)
    key = Membership.objects.get(player=player).feed_key
    page = f"{reverse('campaigns:campaign_calendar', args=[campaign.pk])}?key={key}"
    assert Client().get(page).status_code == 200
    end_account(player)
    assert Client().get(page).status_code == 404


# --- companies, battles -----------------------------------------------------------------------------------------------


def test_companies_without_a_campaign_are_deleted_with_their_ledgers(player):
    alone = a_company(player, name="Alone")
    a_crewed_unit(alone)
    enrolled = an_enrolment(a_campaign(), a_mustered_company(player, name="Axes")).company
    end_account(player)
    assert [row.pk for row in Company.objects.filter(owner=player)] == [enrolled.pk]
    for model in (LedgerEntry, Unit, Pilot):
        assert not model.objects.filter(company=alone.pk).exists()
        assert model.objects.filter(company=enrolled.pk).exists()
    call_command("reconcile")


def test_ledger_entries_cannot_be_deleted_otherwise(player):
    company = a_company(player)
    entries = LedgerEntry.objects.filter(company=company)
    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        entries._raw_delete(entries.db)
    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        entries.update(points=1)


def test_battles_with_other_players_stay(player):
    own = battle_queue(setup=duel(), actor=player)
    shared = battle_queue(setup=duel(), actor=player)
    other = a_company(a_player("ben"), name="Bears")
    shared.sides.update(company=other)
    alone = battle_queue(setup=duel(), actor=a_player("cay"))
    kept = a_company(player, name="Guests")
    alone.sides.filter(position=0).update(company=kept)
    end_account(player)
    assert set(Battle.objects.values_list("pk", flat=True)) == {shared.pk, alone.pk}
    assert not Battle.objects.filter(pk=own.pk).exists()
    assert Company.objects.filter(pk=kept.pk).exists()


# --- clubs and campaigns ----------------------------------------------------------------------------------------------


def test_companies_are_withdrawn_and_their_matches_forfeited(player):
    campaign = a_campaign()
    own = an_enrolment(campaign, a_mustered_company(player))
    match = a_match(a_round(campaign), own)
    end_account(player)
    own.refresh_from_db()
    match.refresh_from_db()
    assert (own.state, match.state) == ("withdrawn", MatchState.SCHEDULED)
    match.round.deadline = timezone.now()
    match.round.save()
    close_round(match.round)
    match.refresh_from_db()
    assert match.state == MatchState.FORFEITED


def test_match_with_revealed_lists_is_decided_without_the_player(player):
    campaign = a_campaign()
    match = a_match(a_round(campaign), an_enrolment(campaign, a_mustered_company(player)))
    opened = lists_reveal(match=match)
    end_account(player)
    content = {"muster": "report/1", "winner": "defender", "units": {}}
    report_make(match=opened, side=1, content=content, by=match.defender.company.owner)
    match.round.deadline = timezone.now()
    match.round.save()
    close_round(match.round)
    match.refresh_from_db()
    assert (match.state, match.outcome) == (MatchState.CONFIRMED, "defender")
    assert Report.objects.count() == 1
    call_command("reconcile")


def test_only_organiser_must_hand_the_club_over_first(player):
    club = a_club(player, name="Iron Table")
    heir = a_member(club)
    assert refusal(player) == (
        "You're the only organiser of Iron Table. Hand it over first, or make another member an organiser."
    )
    club_hand_over(club=club, by=player, player=heir)
    end_account(player)
    assert list(club.memberships.values_list("player", "role")) == [(heir.pk, "organiser")]


def test_organiser_cannot_rely_on_one_who_is_leaving(player):
    club = a_club(player)
    other = a_member(club, "organiser")
    a_member(club)
    ask_to_leave(other)
    assert "only organiser" in refusal(player)


def test_own_club_without_matches_is_deleted(player):
    club = a_club(player)
    campaign = a_campaign(club, "mustering")
    company = a_mustered_company(player)
    Enrolment.objects.create(campaign=campaign, company=company, state="asked")
    end_account(player)
    assert not Club.objects.exists()
    assert not Campaign.objects.exists()
    assert not Company.objects.exists()


def test_own_club_with_matches_stays_readable(player, client):
    club = a_club(player)
    campaign = a_campaign(club, "finished")
    match = a_match(a_round(campaign, "closed"))
    club.memberships.exclude(player=player).delete()
    end_account(player)
    club.refresh_from_db()
    assert not club.takes_requests
    for page in (
        reverse("campaigns:club", args=[club.slug]),
        reverse("campaigns:campaign", args=[campaign.pk]),
        reverse("campaigns:match", args=[match.key]),
    ):
        assert client.get(page).status_code == 200


def test_own_club_with_another_players_enrolment_stays(player):
    club = a_club(player)
    campaign = a_campaign(club, "mustering")
    Enrolment.objects.create(campaign=campaign, company=a_mustered_company(player), state="asked")
    foreign = Enrolment.objects.create(campaign=campaign, company=a_mustered_company(), state="withdrawn")
    end_account(player)
    foreign.refresh_from_db()
    assert Club.objects.get() == club


def test_running_campaign_of_others_keeps_its_only_organiser(player):
    club = a_club(player, name="Iron Table")
    an_enrolment(a_campaign(club, name="Spring War"))
    club.memberships.exclude(player=player).delete()
    assert refusal(player).startswith(
        "You're the only member of Iron Table, and others play in Spring War, which is running"
    )


def test_only_judge_must_rule_on_a_dispute_first(player):
    organiser = a_player("ann")
    campaign = a_campaign(a_club(organiser))
    a_member(campaign.club, "arbiter", player)
    match = a_match(a_round(campaign), an_enrolment(campaign, a_mustered_company(organiser)), state="disputed")
    assert refusal(player).startswith(f"Only you can rule on the disputed match {match}")
    a_member(campaign.club, "arbiter")
    ask_to_leave(player)


def test_opponent_of_a_former_player_may_judge_without_consent(player):
    """A former player can't consent, so nobody could end their dispute."""
    organiser = a_player("ann")
    campaign = a_campaign(a_club(organiser))
    own = an_enrolment(campaign, a_mustered_company(organiser))
    match = a_match(a_round(campaign), own, an_enrolment(campaign, a_mustered_company(player)))
    with pytest.raises(RefusedError, match="consents"):
        match_rule(match=match, verdict="void", reason="It never was.", by=organiser)
    end_account(player)
    match_rule(match=match, verdict="void", reason="It never was.", by=organiser)
    assert "their own match; no other organiser was free" in ActivityLogEntry.objects.filter(match=match).first().text


@pytest.mark.parametrize("field", ["is_superuser", "is_staff"])
def test_last_administrator_cannot_leave(player, field):
    Player.objects.filter(pk=player.pk).update(**{field: True})
    player.refresh_from_db()
    assert "You are the last" in refusal(player)
    Player.objects.filter(pk=a_player().pk).update(**{field: True})
    left = end_account(player)
    assert (left.is_staff, left.is_superuser) == (False, False)


# --- the name that stays ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["Ann Bell", "ann bell", "ANN BELL", "AnnBell", "Аnn Веll", "Ann\u00a0Bell", "Ánn Bell", "Ann Be11", "ann-b", "ANN-B", "annb"],
)  # fmt: skip
def test_chosen_name_must_not_look_like_another_players(player, name):
    other = a_player("ann-b")
    Player.objects.filter(pk=other.pk).update(name_shown="Ann Bell")
    assert "Another player has this name" in refusal(player, name)


@pytest.mark.parametrize("name", ["", "\u3164", "a\u202eb", "x" * 61, "line\nbreak"])
def test_chosen_name_must_be_displayable(player, name):
    refusal(player, name)


def test_chosen_name_must_not_be_an_address(player):
    assert "without an @" in refusal(player, ADDRESS)


@pytest.mark.parametrize("name", ["Player who left", DISPLAY_NAME, NAME, "The old fox", "狐"])
def test_any_other_name_can_be_chosen(player, name):
    assert end_account(player, name).name_shown == name


def test_proposed_name_is_shared_and_reserved_for_former_players(player):
    end_account(a_player())
    end_account(player)
    for name in ("Player who left", "player  WHO left"):
        with pytest.raises(RefusedError, match="players who left"):
            player_change(player=a_player(), name_shown=name, time_zone="", paper="a4")


def test_user_name_must_be_typed(player):
    assert f"Type your username, {NAME}" in refusal(player, typed="something")


# --- the days before the account ends ---------------------------------------------------------------------------------


def count_ended(when: timedelta) -> int:
    """Return how many accounts the clearing would end after this time."""
    return dict(clear_all(Clearing(now=timezone.now() + when)))["players who leave"]


def test_account_ends_only_after_seven_days(player):
    a_company(player)
    ask_to_leave(player)
    assert count_ended(timedelta(days=6)) == 0
    assert is_signed_in(sign_in(NAME))
    assert count_ended(timedelta(days=7, minutes=1)) == 1
    assert count_ended(LATER) == 0
    assert not is_signed_in(sign_in(NAME))


def test_leaving_can_be_cancelled(player):
    ask_to_leave(player)
    account_deletion_withdraw(player=player)
    assert count_ended(LATER) == 0
    with pytest.raises(RefusedError, match="scheduled for deletion"):
        account_deletion_withdraw(player=player)


def test_second_request_keeps_day_and_name(player):
    first = ask_to_leave(player, "The old fox").leaves_at
    again = ask_to_leave(player, "Another")
    assert (again.leaves_at, again.leaves_as) == (first, "The old fox")
    when = timezone.now() + LATER
    assert [leave(player_pk=player.pk, now=when) for _ in range(2)] == [True, False]


def test_leaving_is_confirmed_by_mail(player, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        ask_to_leave(player)
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == ([ADDRESS], "[Muster] Your account will be deleted")
    assert reverse("rosters:account_deletion") in sent.body


def test_new_obstacle_postpones_leaving_and_is_mailed(player, django_capture_on_commit_callbacks):
    club = a_club(player)
    other = a_member(club, "organiser")
    a_member(club)
    ask_to_leave(player)
    Membership.objects.filter(player=other).delete()
    own = a_company(player)
    with django_capture_on_commit_callbacks(execute=True):
        assert count_ended(LATER) == 0
    player.refresh_from_db()
    assert player.leaves_at > timezone.now() + LATER
    assert Company.objects.filter(pk=own.pk).exists()
    (sent,) = mail.outbox
    assert "You're the only organiser" in sent.body


def test_error_with_one_player_does_not_stop_the_others(player, monkeypatch):
    other = a_player("ben")
    ask_to_leave(player)
    ask_to_leave(other)
    from rosters.accounts import deletion as module

    account_end = module._account_end
    monkeypatch.setattr(
        module, "_account_end", lambda row, now: 1 / 0 if row.player.pk == player.pk else account_end(row, now)
    )
    assert count_ended(LATER) == 1
    assert Player.objects.get(pk=player.pk).is_active
    assert not Player.objects.get(pk=other.pk).is_active


def test_dry_run_changes_nothing(player):
    ask_to_leave(player)
    run = Clearing(now=timezone.now() + LATER, is_dry=True)
    assert dict(clear_all(run))["players who leave"] == 1
    assert is_signed_in(sign_in(NAME))


# --- the page ---------------------------------------------------------------------------------------------------------


def test_page_lists_consequences_and_asks_for_the_password(player, client):
    campaign = a_campaign()
    a_match(a_round(campaign), an_enrolment(campaign, a_mustered_company(player)))
    a_company(player)
    client.force_login(player)
    page = client.get(reverse("rosters:account_deletion"), follow=True).content.decode()
    for text in (
        "1 company that never joined a campaign",
        "1 company in a campaign",
        "1 undecided match",
        "1 club",
        "Name in club history",
    ):
        assert text in page
    form = {"name": "The old fox", "typed": NAME}
    answer = client.post(reverse("rosters:account_deletion_start"), form)
    assert answer.url.startswith(reverse("account_reauthenticate"))
    reauthenticate(client)
    assert client.post(reverse("rosters:account_deletion_start"), {**form, "typed": "x"}).status_code == 422
    assert client.post(reverse("rosters:account_deletion_start"), form).status_code == 302
    page = client.get(reverse("rosters:account_deletion"), follow=True).content.decode()
    assert "Your account will be deleted on" in page
    assert "The old fox" in page
    assert "Cancel deletion" in client.get(reverse("rosters:profile")).content.decode()
    client.post(reverse("rosters:account_deletion_cancel"))
    player.refresh_from_db()
    assert player.leaves_at is None


@pytest.mark.slow
def test_page_queries_do_not_grow_with_the_players_rows(player, client, django_assert_num_queries):
    client.force_login(player)
    with django_assert_num_queries(16):
        client.get(reverse("rosters:my_data"))
    for name in ("Iron Table", "Long Table", "Last Table"):
        campaign = a_campaign(a_club(name=name))
        a_member(campaign.club, "player", player)
        a_match(a_round(campaign), an_enrolment(campaign, a_mustered_company(player)))
        battle_queue(setup=duel(), actor=player)
        a_company(player)
    with django_assert_num_queries(16):
        client.get(reverse("rosters:my_data"))


def test_page_names_obstacles_with_links(player, client):
    club = a_club(player)
    a_member(club)
    client.force_login(player)
    page = client.get(reverse("rosters:account_deletion"), follow=True).content.decode()
    assert reverse("campaigns:club_members", args=[club.slug]) in page
    assert "Name in club history" not in page


def test_companies_listed_as_kept_are_kept(player):
    """All other companies are deleted."""
    from rosters.accounts.deletion import kept_companies

    the_world(player)
    kept = kept_companies(player)
    end_account(player)
    assert set(Company.objects.filter(owner=player).values_list("pk", flat=True)) == kept
    assert Match.objects.exists()
