"""The list of notifications: each is raised once by its act, for the right players, and kept for a while."""

from __future__ import annotations

import re
import string
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from campaigns.army_lists.checks import valid_lists
from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.campaign.services import campaign_move
from campaigns.clubs import invitations as ways_in
from campaigns.clubs.services import club_hand_over, member_set_role
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.enrolments.services import (
    enrolment_accept,
    enrolment_ask,
    enrolment_decline,
    enrolment_excuse,
    enrolment_withdraw,
)
from campaigns.models import (
    CorrectionMode,
    JoinRequest,
    Membership,
    Notification,
    NotificationEvent,
    NotificationPreferences,
    Round,
)
from campaigns.notifications.event_classes import CATEGORY_BY_SLUG
from campaigns.notifications.event_types import EVENT_TYPES, WEBHOOK_EVENTS
from campaigns.notifications.mails import next_digest
from campaigns.notifications.notify import levels_up
from campaigns.notifications.reminders import send_reminders
from campaigns.notifications.selectors import describe_notification, format_sentence, notifications_of, path_of
from campaigns.notifications.services import clear_news, notify
from campaigns.planning.services import round_open, round_set_deadline
from campaigns.results.rulings import match_rule
from campaigns.results.services import match_confirm, match_refuse, match_reveal_lists, report_make
from campaigns.rounds.closing import round_close, round_close_work
from rosters.accounts.deletion import leave
from rosters.models import Player
from rosters.site.retention import Clearing
from tests.builders import a_company, a_pilot, a_player
from tests.campaigns.builders import (
    a_campaign,
    a_club,
    a_match,
    a_member,
    a_mustered_company,
    a_round,
    an_enrolment,
)
from tests.campaigns.test_results import document, owner
from tests.tools.event_types import PAGE, occasions_page

pytestmark = pytest.mark.django_db


def occasions_of(player):
    """List the player's notifications, oldest first."""
    return [notification.news.occasion for notification in notifications_of(player).order_by("pk")]


def text_of(player, occasion):
    return describe_notification(notifications_of(player).get(news__occasion=occasion), UTC).text


def runs(club):
    return club.memberships.get(role="organiser").player


# --- the list ---------------------------------------------------------------------------------------------------------


def test_docs_page_matches_the_list():
    assert PAGE.read_text() == occasions_page(), "python -m tests.tools.event_types writes the page again"


@pytest.mark.parametrize("occasion", EVENT_TYPES.values(), ids=list(EVENT_TYPES))
def test_every_event_type_has_category_text_and_page(occasion):
    assert occasion.category in CATEGORY_BY_SLUG
    assert all((occasion.title, occasion.when, occasion.to))
    assert occasion.says.endswith((".", "}"))
    facts = dict.fromkeys(("match", "invitation", "webhook", "pairing"), "6f1c1c1e-0000-4000-8000-000000000001")
    facts |= {"campaign_id": 1, "round_number": 1, "ruling_id": 1, "company_id": 1, "slug": "iron-table"}
    assert path_of(occasion, facts)


@pytest.mark.parametrize("occasion", EVENT_TYPES.values(), ids=list(EVENT_TYPES))
def test_texts_contain_only_known_fields(occasion):
    names = [name for words in (occasion.says, occasion.aloud) for _, name, _, _ in string.Formatter().parse(words)]
    assert all(name is None or re.fullmatch(r"[a-z_]+", name) for name in names)


def test_braces_in_facts_are_not_expanded():
    assert format_sentence("{company} of {campaign} {why}.", {"company": "{by.password}"}, UTC) == "{by.password} of ."


def test_times_are_shown_in_the_readers_time_zone():
    facts = {"deadline_at": "2026-07-01T20:30:00+00:00"}
    assert format_sentence("{deadline_at}", facts, ZoneInfo("Europe/Berlin")) == "Wed 1 Jul, 22:30"
    assert format_sentence("{deadline_at}", {"deadline_at": "soon"}, UTC) == "soon"


# --- recipients -------------------------------------------------------------------------------------------------------


def test_opened_round_notifies_sides_byes_and_others():
    campaign = a_campaign()
    row = a_round(campaign, "planned", deadline=None, opens_at=None)
    match = a_match(row)
    alone, idle = an_enrolment(campaign), an_enrolment(campaign)
    a_match(row, alone).delete()
    row.matches.create(number=7, scenario="zone-battle", scenario_name="Zone battle", attacker=alone)
    round_open(round_=row, by=runs(campaign.club))
    assert [occasions_of(owner(match, side)) for side in (0, 1)] == [["paired"], ["paired"]]
    assert (occasions_of(alone.company.owner), occasions_of(idle.company.owner)) == (["bye"], ["round-opened"])
    assert occasions_of(runs(campaign.club)) == []  # the organiser did it
    text = text_of(owner(match, 1), "paired")
    assert f"{match.defender.company.name} plays {match.attacker.company.name} as the defender, table 1" in text
    assert NotificationEvent.objects.get(occasion="round-opened").facts["pairings"].count(" against ") == 1


def test_moved_deadline_notifies_undecided_sides():
    match = a_match()
    decided = a_match(match.round, state="confirmed", outcome="draw")
    by = runs(match.round.campaign.club)
    round_set_deadline(round_=match.round, deadline=timezone.now() + timedelta(days=9), by=by)
    assert [occasions_of(owner(each, 0)) for each in (match, decided)] == [["deadline-moved"], []]


def test_lists_and_reports_notify_the_opponent():
    match = a_match()
    units = [list(side.company.units.values_list("pk", flat=True))[:1] for side in (match.attacker, match.defender)]
    list_submit(match=match, side=0, units=units[0], doctrine="cautious", by=owner(match, 0))
    assert (occasions_of(owner(match, 0)), occasions_of(owner(match, 1))) == ([], ["force-sealed"])
    list_submit(match=match, side=1, units=units[1], doctrine="cautious", by=owner(match, 1))
    assert occasions_of(owner(match, 0)) == ["forces-open"]
    report_make(match=match, side=0, content=document("draw"), by=owner(match, 0))
    assert occasions_of(owner(match, 1)) == ["force-sealed", "report-waiting"]
    report = match.reports.get()
    match_confirm(match=match, side=1, report=report.pk, by=owner(match, 1))
    assert [what for what in occasions_of(owner(match, 0)) if what != "level-up"] == [
        "forces-open",
        "match-decided",
    ]  # levels depend on dice
    assert "a draw (confirmed by the other side)" in text_of(owner(match, 0), "match-decided")


def test_differing_reports_notify_sides_and_arbiters():
    match = lists_reveal(match=a_match())
    arbiter = a_member(match.round.campaign.club, "arbiter")
    a_member(match.round.campaign.club)
    report_make(match=match, side=0, content=document("attacker"), by=owner(match, 0))
    report_make(match=match, side=1, content=document("defender"), by=owner(match, 1))
    assert occasions_of(owner(match, 0)) == ["reports-differ"]
    assert occasions_of(arbiter) == ["ruling-due"] == occasions_of(runs(match.round.campaign.club))
    match_rule(match=match, verdict="void", reason="It never was.", by=arbiter)
    assert occasions_of(owner(match, 0)) == ["reports-differ", "match-ruled"]
    assert text_of(owner(match, 0), "match-ruled").endswith("It never was.")


def test_playing_arbiter_gets_no_ruling_request():
    match = a_match()
    club = match.round.campaign.club
    Membership.objects.filter(club=club, player=owner(match, 0)).update(role="arbiter")
    match_refuse(match=match, side=1, reason="No time", by=owner(match, 1))
    assert occasions_of(owner(match, 0)) == ["match-refused"]
    assert occasions_of(runs(club)) == ["ruling-due"]


def test_forfeit_notifies_winner_and_loser():
    match = a_match()
    units = list(match.attacker.company.units.values_list("pk", flat=True))[:1]
    list_submit(match=match, side=0, units=units, doctrine="cautious", by=owner(match, 0))
    Round.objects.update(deadline=timezone.now() - timedelta(minutes=1))
    match.round.refresh_from_db()
    job = round_close(round_=match.round, by=None)
    assert round_close_work(job=type(job).claim(job.pk))
    assert "you won" in text_of(owner(match, 0), "match-decided")
    assert "you lost" in text_of(owner(match, 1), "match-decided")
    assert occasions_of(owner(match, 0))[-2:] == ["round-closed", "gazette-out"]
    assert occasions_of(runs(match.round.campaign.club)) == ["gazette-out"]
    aloud = format_sentence(
        EVENT_TYPES["match-decided"].aloud, NotificationEvent.objects.get(occasion="match-decided").facts, UTC
    )
    assert f"{match.attacker.company.name} won" in aloud


def test_voided_list_notifies_its_player_only():
    match = a_match()
    unit = match.attacker.company.units.first()
    list_submit(match=match, side=0, units=[unit.pk], doctrine="cautious", by=owner(match, 0))
    type(match.sealed.get()).objects.update(document={"units": [10**9], "doctrine": "cautious"})
    with transaction.atomic():
        assert valid_lists(match) == {}
    assert (occasions_of(owner(match, 0)), occasions_of(owner(match, 1))) == (["seal-fell"], ["force-sealed"])


def test_revealing_after_the_deadline_notifies_the_opponent():
    match = a_match()
    units = list(match.attacker.company.units.values_list("pk", flat=True))[:1]
    list_submit(match=match, side=0, units=units, doctrine="cautious", by=owner(match, 0))
    Round.objects.update(deadline=timezone.now() - timedelta(minutes=1))
    match.round.refresh_from_db()
    match_reveal_lists(match=match, side=0, by=owner(match, 0))
    assert occasions_of(owner(match, 1)) == ["force-sealed", "forces-open"]


def test_correction_notifies_both_sides():
    match = lists_reveal(match=a_match())
    report_make(match=match, side=0, content=document("attacker"), by=owner(match, 0))
    match_confirm(match=match, side=1, report=match.reports.get().pk, by=owner(match, 1))
    by = runs(match.round.campaign.club)
    Notification.objects.all().delete()
    match.refresh_from_db()
    token = correction_preview(match=match, after=None, mode=CorrectionMode.COMPENSATE, by=by).token
    correction_apply(match=match, after=None, mode=CorrectionMode.COMPENSATE, reason="Wrong table", by=by, token=token)
    assert occasions_of(owner(match, 0)) == ["match-corrected"] == occasions_of(owner(match, 1))
    assert text_of(owner(match, 0), "match-corrected").endswith("(undone): Wrong table")


def test_promotion_notifies_the_player_unless_self_logged():
    company = a_company(a_player())
    pilot = a_pilot(company)
    entry = company.ledger.create(
        act=company.link_key, kind="promoted", pilot=pilot, facts={"to": "veteran", "name": "Veteran"}, cause="act"
    )
    levels_up(company, entry.act, company.owner)
    assert occasions_of(company.owner) == []
    levels_up(company, entry.act, None)
    assert f"{pilot.name} is now Veteran" in text_of(company.owner, "level-up")


def test_enrolment_and_its_decisions_are_notified():
    campaign = a_campaign(state="mustering")
    company = a_mustered_company()
    Membership.objects.create(club=campaign.club, player=company.owner)
    by = runs(campaign.club)
    asked = enrolment_ask(campaign=campaign, company=company, by=company.owner)
    assert (occasions_of(by), occasions_of(company.owner)) == (["company-asks"], [])
    enrolment_decline(enrolment=asked, by=by, reason="Too late")
    assert text_of(company.owner, "company-declined").endswith("for Spring War: Too late.")
    enrolment_accept(enrolment=enrolment_ask(campaign=campaign, company=company, by=company.owner), by=by)
    enrolment_withdraw(enrolment=asked, by=by)
    assert occasions_of(company.owner) == ["company-declined", "company-accepted", "company-withdrawn"]


def test_exception_notifies_the_player_with_its_reason():
    campaign = a_campaign(state="mustering", points=5)
    row = an_enrolment(campaign, state="asked")
    enrolment_excuse(enrolment=row, by=runs(campaign.club), reason="A guest")
    assert text_of(row.company.owner, "company-excused").endswith("A guest")


def test_club_membership_changes_are_notified():
    club = a_club()
    by, guest, asker = runs(club), a_player("guest"), a_player("asker")
    seat = ways_in.invitation_make(club=club, by=by, player="guest")
    assert occasions_of(guest) == ["seat-offered"]
    ways_in.invitation_accept(invitation=seat, by=guest)
    ways_in.join_request_create(club=club, by=asker)
    ways_in.join_request_decline(request=JoinRequest.objects.get(player=asker), by=by)
    assert (occasions_of(asker), occasions_of(by)) == (["member-declined"], ["member-joined", "member-asks"])
    other = a_player("other")
    ways_in.join_request_accept(request=ways_in.join_request_create(club=club, by=other), by=by)
    assert occasions_of(other) == ["member-accepted"]
    member_set_role(club=club, by=by, player=guest, role="arbiter")
    club_hand_over(club=club, by=by, player=guest)
    assert occasions_of(guest) == ["seat-offered", "role-given", "role-given"]


def test_campaign_state_changes_are_notified():
    club = a_club()
    campaign = a_campaign(club, "draft")
    by, member = runs(club), a_member(club)
    campaign_move(campaign=campaign, to="mustering", by=by)
    one = an_enrolment(campaign)
    an_enrolment(campaign)
    campaign_move(campaign=campaign, to="running", by=by)
    a_match(a_round(campaign, "closed"), one, state="confirmed", outcome="attacker")
    campaign_move(campaign=campaign, to="finished", by=by)
    assert occasions_of(member) == ["campaign-musters", "campaign-finished"]
    assert occasions_of(one.company.owner) == ["campaign-begun", "campaign-finished"]
    assert f"{one.company.name} won, ahead of " in text_of(member, "campaign-finished")


# --- no notification after leaving, without an act, or twice ----------------------------------------------------------


def test_former_member_and_inactive_player_get_nothing():
    match = lists_reveal(match=a_match())
    club = match.round.campaign.club
    Membership.objects.filter(club=club, player=owner(match, 1)).delete()
    report_make(match=match, side=0, content=document("draw"), by=owner(match, 0))
    assert occasions_of(owner(match, 1)) == []
    Player.objects.filter(pk=runs(club).pk).update(is_active=False)
    ways_in.join_request_create(club=club, by=a_player())
    assert Notification.objects.count() == 0


def test_leaving_player_disappears_from_notifications():
    club = a_club()
    leaver = a_player("marked-name")
    ways_in.join_request_create(club=club, by=leaver)
    ways_in.join_request_accept(request=JoinRequest.objects.get(), by=runs(club))
    assert occasions_of(leaver) == ["member-accepted"]
    Player.objects.filter(pk=leaver.pk).update(leaves_at=timezone.now())
    assert leave(player_pk=leaver.pk, now=timezone.now())
    assert not Notification.objects.filter(player=leaver).exists()
    assert "marked-name" not in str(list(NotificationEvent.objects.values_list("facts", flat=True)))


def test_rolled_back_act_leaves_no_notification():
    club, player = a_club(), a_player()

    @transaction.atomic
    def ask_then_fail():
        ways_in.join_request_create(club=club, by=player)
        assert NotificationEvent.objects.exists()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask_then_fail()
    assert not NotificationEvent.objects.exists()


def test_named_notification_is_raised_once():
    player = a_player()
    assert notify("level-up", to=[player.pk], facts={}, once="that")
    assert notify("level-up", to=[player.pk], facts={}, once="that") is None
    assert occasions_of(player) == ["level-up"]


def test_old_notifications_are_cleared(settings):
    player, now = a_player(), timezone.now()
    notify("level-up", to=[player.pk], facts={})
    settings.KEEP_NEWS_DAYS = 30
    assert clear_news(Clearing(now=now + timedelta(days=29))) == 0
    settings.KEEP_NEWS_DAYS = 0
    assert clear_news(Clearing(now=now + timedelta(days=900))) == 0
    settings.KEEP_NEWS_DAYS = 30
    assert clear_news(Clearing(now=now + timedelta(days=31))) == 1
    assert occasions_of(player) == []


# --- reminders --------------------------------------------------------------------------------------------------------


def test_reminder_is_sent_once_per_deadline():
    match = a_match()
    deadline = match.round.deadline
    assert send_reminders(now=deadline - timedelta(hours=25)) == 0
    assert send_reminders(now=deadline - timedelta(hours=23)) == 2
    assert send_reminders(now=deadline - timedelta(hours=22)) == 0
    assert occasions_of(owner(match, 0)) == ["forces-due"] == occasions_of(owner(match, 1))
    Round.objects.update(deadline=deadline + timedelta(days=3))
    assert send_reminders(now=deadline + timedelta(days=2, hours=2)) == 2


def test_reminders_skip_finished_and_unwilling_players():
    match = lists_reveal(match=a_match())
    report_make(match=match, side=0, content=document("draw"), by=owner(match, 0))
    NotificationPreferences.objects.create(player=owner(match, 1), remind_hours=0)
    near = match.round.deadline - timedelta(hours=2)
    assert send_reminders(now=near) == 0
    NotificationPreferences.objects.update(remind_hours=6)
    assert send_reminders(now=near) == 1
    assert occasions_of(owner(match, 1)) == ["report-waiting", "report-due"]


def test_short_round_sends_no_early_reminder():
    now = timezone.now()
    match = a_match(a_round(a_campaign(), opens_at=now, deadline=now + timedelta(hours=20)))
    assert send_reminders(now=now + timedelta(hours=9)) == 0
    assert send_reminders(now=now + timedelta(hours=11)) == 2
    assert occasions_of(owner(match, 0)) == ["forces-due"]


# --- due times of digests ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "now", "frequency", "due"),
    [
        ("", "2026-03-10T10:00", "daily", "2026-03-10T18:00"),
        ("", "2026-03-10T18:00", "daily", "2026-03-11T18:00"),
        ("Europe/Berlin", "2026-03-28T17:30", "daily", "2026-03-29T16:00"),  # daylight saving begins in between
        ("America/New_York", "2026-03-10T10:00", "daily", "2026-03-10T22:00"),
        ("No/Where", "2026-03-10T10:00", "daily", "2026-03-10T18:00"),
        ("", "2026-03-10T10:00", "weekly", "2026-03-15T18:00"),  # a Sunday
    ],
)
def test_digest_is_due_at_the_readers_local_time(zone, now, frequency, due):
    at = next_digest(NotificationPreferences(digest_frequency=frequency), zone, datetime.fromisoformat(f"{now}+00:00"))
    assert at == datetime.fromisoformat(f"{due}+00:00")


# --- notifications page -----------------------------------------------------------------------------------------------


def a_notification(player, **facts):
    notify("level-up", to=[player.pk], facts={"company": "Ants", "pilots": "Ada is now Veteran", **facts})
    return Notification.objects.filter(player=player).latest("pk")


def test_opening_a_notification_marks_the_entry_read(client):
    company = a_company(a_player())
    client.force_login(company.owner)
    notification = a_notification(company.owner, company_id=company.pk)
    page = client.get("/inbox/").content.decode()
    assert "Ants: Ada is now Veteran." in page
    assert re.search(r'nav__count">1</span><span\s+class="vh"\s*> unread', page)
    opened = client.get(f"/inbox/{notification.pk}/")
    assert opened["Location"] == reverse("rosters:company", args=[company.pk])
    assert client.get("/inbox/?show=unread").context["notifications"] == []
    client.post(f"/inbox/{notification.pk}/mark/", {"do": "unread"})
    assert [each.is_read for each in client.get("/inbox/").context["notifications"]] == [False]


def test_mark_all_read_leaves_newer_notifications(client):
    player = a_player()
    client.force_login(player)
    seen = a_notification(player)
    late = a_notification(player)
    client.post("/inbox/read/", {"newest": seen.pk})
    assert list(Notification.objects.filter(player=player, read_at=None)) == [late]
    client.post("/inbox/read/", {"newest": "nonsense"})
    assert Notification.objects.filter(player=player, read_at=None).count() == 1


def test_notification_about_a_missing_thing_leads_back(client):
    player = a_player()
    client.force_login(player)
    NotificationEvent.objects.all().delete()
    news = NotificationEvent.objects.create(occasion="of-another-release", facts={"x": 1})
    notification = Notification.objects.create(player=player, news=news)
    assert "Of another release" in client.get("/inbox/").content.decode()
    assert client.get(f"/inbox/{notification.pk}/")["Location"] == "/inbox/"


def test_notifications_of_others_are_hidden(client):
    notification = a_notification(a_player())
    client.force_login(a_player())
    assert client.get(f"/inbox/{notification.pk}/").status_code == 404
    assert client.post(f"/inbox/{notification.pk}/mark/").status_code == 404
    answer = client.patch(f"/api/v1/inbox/{notification.pk}/", {"is_read": True}, content_type="application/json")
    assert answer.status_code == 404
    notification.refresh_from_db()
    assert notification.read_at is None


def test_api_lists_and_marks_notifications(client):
    player = a_player()
    client.force_login(player)
    first, second = a_notification(player), a_notification(player)
    found = client.get("/api/v1/inbox/?unread=true").json()["results"]
    assert [row["id"] for row in found] == [second.pk, first.pk]
    assert (found[0]["title"], found[0]["is_read"]) == ("Pilots promoted", False)
    patched = client.patch(f"/api/v1/inbox/{first.pk}/", {"is_read": True}, content_type="application/json")
    assert patched.json()["is_read"] is True
    assert client.post("/api/v1/inbox/read/", {}, content_type="application/json").json() == {"read": 1}
    for wrong in ({"is_read": 1}, {"read": True}, {}):
        answer = client.patch(f"/api/v1/inbox/{first.pk}/", wrong, content_type="application/json")
        assert answer.status_code == 400
    assert client.post("/api/v1/inbox/read/", {"up_to": "x"}, content_type="application/json").status_code == 400


def test_announceable_event_types_are_part_of_the_list():
    assert set(WEBHOOK_EVENTS) < set(EVENT_TYPES)
    assert {"round-opened", "match-decided", "gazette-out"} <= set(WEBHOOK_EVENTS)


def test_invalid_settings_are_not_saved(client):
    reader = a_player()
    client.force_login(reader)
    assert client.post("/inbox/wishes/", {"hour": "18"}).status_code == 422
    assert not NotificationPreferences.objects.filter(player=reader).exists()
