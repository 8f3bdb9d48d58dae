"""Guests: added by name, admitted by a link, playing on the ordinary pages, and taken over by an account."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.db.models import UniqueConstraint
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns import middleware, policy
from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.availability.services import availability_set, calendar_key_new, date_propose
from campaigns.clubs.invitations import find_player
from campaigns.clubs.services import club_hand_over, member_remove, member_set_role
from campaigns.data_export import _clubs
from campaigns.enrolments.services import enrolment_ask
from campaigns.guests import eligibility
from campaigns.guests.selectors import guests_of
from campaigns.guests.services import (
    find_link,
    guest_add,
    guest_claim,
    guest_company,
    guest_remove,
    guest_rename,
    link_end,
    link_make,
)
from campaigns.models import (
    ActivityLogEntry,
    Availability,
    Club,
    Enrolment,
    Guest,
    GuestLink,
    Match,
    MatchDate,
    Membership,
    PlayerCalendar,
    Report,
    SavedList,
    SubmittedList,
)
from campaigns.results.services import match_confirm, match_enter, report_make
from campaigns.seasons.entrants import season_enter
from campaigns.seasons.services import season_start
from campaigns.statistics.ratings import club_ratings
from rosters.accounts.deletion import obstacles
from rosters.accounts.ownership import relations
from rosters.ledger import triggers
from rosters.ledger.records import differences
from rosters.models import AccessToken, AccountMerge, Company, Design, LedgerEntry, Player, SignIn
from rosters.services import RefusedError, design_save, token_create
from rosters.services.retention import clear_all
from rosters.site.retention import Clearing
from tests.battles.live.builders import a_table
from tests.builders import SYSTEM, WASP, a_company, a_player
from tests.campaigns.builders import (
    a_campaign,
    a_club,
    a_match,
    a_member,
    a_mustered_company,
    a_round,
    an_enrolment,
    waiting_for,
)
from tests.campaigns.gazettes import close_round
from tests.campaigns.season_builders import GAMES, Ledger, a_company_of, an_unstarted_season
from tests.campaigns.season_builders import a_round as a_season_round
from tests.campaigns.test_results import document
from tests.leaving.builders import end_account
from tests.permissions.routes import routes, table
from tests.systems.toy import SLUG as TOY
from tests.systems.toy import reissue

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()


@pytest.fixture
def club() -> Club:
    return a_club(a_player("ann"))


@pytest.fixture
def ann(club: Club) -> Player:
    return club.memberships.get().player


@pytest.fixture
def cy(club: Club, ann: Player) -> Guest:
    return guest_add(club=club, by=ann, name="Cy")


def guest_page(key: str) -> str:
    return reverse("campaigns:guest_link", args=[key])


def client_of_guest(guest: Guest, by: Player) -> Client:
    """Return a browser in which the guest has come in by a new link."""
    client = Client()
    assert client.post(guest_page(link_make(guest=guest, by=by)), {"do": "enter"}).status_code == 302
    return client


def a_guests_match(guest: Guest, **fields: Any) -> Match:
    """A match in an open round between the guest and a member of the club."""
    assert guest.player is not None
    campaign = a_campaign(guest.club, **fields)
    own = an_enrolment(campaign, a_mustered_company(guest.player, name="Cy's Own"))
    return a_match(a_round(campaign), own, an_enrolment(campaign))


def play_draw(match: Match) -> Match:
    """Let the attacker report a draw and the defender confirm it."""
    match = lists_reveal(match=match)
    report_make(match=match, side=0, content=document("draw"), by=match.attacker.company.owner)
    report = match.reports.get(is_current=True).pk
    return match_confirm(match=match, side=1, report=report, by=match.defender.company.owner)


def refusal_of(act: Any, **given: Any) -> str:
    with pytest.raises(RefusedError) as error:
        act(**given)
    return error.value.reason


def page_words(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status, answer.content.decode()[:3000]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode().partition("<main")[2]))


# --- adding -----------------------------------------------------------------------------------------------------------


def test_guest_is_a_member_without_a_password(club, ann, cy):
    assert str(cy.player) == "Cy"
    assert club.memberships.get(player=cy.player).role == "player"
    assert not cy.player.has_usable_password()
    assert not cy.player.email
    assert "ann added Cy as a guest" in ActivityLogEntry.objects.values_list("text", flat=True)


@pytest.mark.parametrize("name", ["Cy", "CY ", "Ｃy", "ann", "Player who left", "", "C\x00y", "x" * 61])
def test_taken_or_invalid_guest_name_is_refused(club, ann, cy, name):
    before = Player.objects.count()
    assert refusal_of(guest_add, club=club, by=ann, name=name)
    assert (Player.objects.count(), Guest.objects.count()) == (before, 1)


def test_only_organisers_manage_guests(club, ann, cy):
    ben = a_member(club, "arbiter")
    for act in (
        lambda: guest_add(club=club, by=ben, name="Di"),
        lambda: link_make(guest=cy, by=ben),
        lambda: link_end(guest=cy, by=ben),
        lambda: guest_remove(guest=cy, by=ben),
        lambda: guest_rename(guest=cy, by=ben, name="Di"),
    ):
        with pytest.raises(RefusedError, match="Only organisers"):
            act()


def test_guest_gets_no_other_role_and_no_club(club, ann, cy):
    assert "is a guest" in refusal_of(member_set_role, club=club, by=ann, player=cy.player, role="organiser")
    assert "is a guest" in refusal_of(club_hand_over, club=club, by=ann, player=cy.player)
    assert "Remove them on the guests page" in refusal_of(member_remove, club=club, by=ann, player=cy.player)


def test_guest_cannot_be_invited_or_get_a_token(cy):
    assert "no player called Cy" in refusal_of(find_player, name="Cy")
    assert "takes an account" in refusal_of(token_create, player=cy.player)
    assert not AccessToken.objects.exists()


def test_guest_user_names_are_reserved_at_sign_up(client):
    given = {"username": "guest-0a1b2c3d4e", "email": "x@example.com", "password1": "secret-sesame-9"}
    answer = client.post(reverse("account_signup"), given | {"password2": given["password1"]})
    assert "reserved for guests" in answer.content.decode()


# --- links ------------------------------------------------------------------------------------------------------------


def test_link_is_shown_once_and_stored_as_a_digest(client, club, ann):
    client.force_login(ann)
    answer = client.post(reverse("campaigns:guests", args=[club.slug]), {"name": "Cy", "days": "30"})
    (key,) = set(re.findall(r"/guest/([\w-]{43})/", answer.content.decode()))
    assert answer["Cache-Control"] == "no-store"
    assert answer["Referrer-Policy"] == "strict-origin"
    guest = Guest.objects.get()
    page = client.get(reverse("campaigns:guest_page", args=[club.slug, guest.pk]))
    assert key not in page.content.decode()
    assert find_link(key) == guest.links.get()
    assert key not in str(list(GuestLink.objects.values()))


def test_link_opens_on_two_phones(cy, ann):
    key = link_make(guest=cy, by=ann)
    for _ in "12":
        phone = Client()
        assert "Continue as Cy" in page_words(phone.get(guest_page(key)))
        assert "Cy" in page_words(phone.post(guest_page(key), {"do": "enter"}, follow=True))
        assert phone.session.get_expiry_date() <= cy.links.get().expires_at + timedelta(seconds=1)
    assert cy.links.get().used_at is not None
    assert not SignIn.objects.exists()


def test_opening_the_link_page_signs_nobody_in(cy, ann):
    phone = Client()
    phone.get(guest_page(link_make(guest=cy, by=ann)))
    assert "_auth_user_id" not in phone.session


@pytest.mark.parametrize(
    ("over", "says"),
    [
        ("renewed", "This link was replaced by a newer one"),
        ("ended", "disabled this link"),
        ("expired", "has expired"),
        ("removed", "isn’t a guest of Iron Table any more"),
        ("claimed", "has an account now"),
    ],
)
def test_invalid_link_gives_the_reason_and_ends_visits(cy, ann, over, says):
    key = link_make(guest=cy, by=ann)
    phone = Client()
    phone.post(guest_page(key), {"do": "enter"})
    own = reverse("campaigns:guest")
    assert phone.get(own).status_code == 200
    match over:
        case "renewed":
            link_make(guest=cy, by=ann)
        case "ended":
            link_end(guest=cy, by=ann)
        case "expired":
            GuestLink.objects.update(expires_at=timezone.now())
            session = phone.session
            session.set_expiry(-1)
            session.save()
        case "removed":
            guest_remove(guest=cy, by=ann)
        case "claimed":
            guest_claim(link=find_link(key), by=a_player("ben"))
    assert "/accounts/login/" in phone.get(own)["Location"]
    for method in ("get", "post"):
        assert says in page_words(getattr(Client(), method)(guest_page(key)), 410)


def test_guessed_links_are_rate_limited_by_address(cy, ann):
    key = link_make(guest=cy, by=ann)
    answers = [Client().get(guest_page("x" * 43)).status_code for _ in range(12)]
    assert answers[0] == 404
    assert answers[-1] == 429
    assert Client().get(guest_page(key)).status_code == 429
    assert Client(REMOTE_ADDR="198.51.100.7").get(guest_page(key)).status_code == 200


def test_valid_links_are_not_rate_limited(cy, ann):
    key = link_make(guest=cy, by=ann)
    assert {Client().get(guest_page(key)).status_code for _ in range(15)} == {200}


@pytest.mark.parametrize("key", ["x", "..", "x" * 5000, "%00" * 43, "é" * 43])
def test_malformed_link_is_not_found(key):
    assert Client().get(f"/guest/{key}/").status_code == 404


@pytest.mark.parametrize("days", [0, 366, -1, True])
def test_link_lasts_between_1_and_365_days(cy, ann, days):
    assert "1 to 365 days" in refusal_of(link_make, guest=cy, by=ann, days=days)
    assert not cy.links.exists()


def test_link_page_is_not_cached_or_leaked(cy, ann):
    key = link_make(guest=cy, by=ann)
    answer = Client().get(guest_page(key))
    assert key not in answer.content.decode()
    assert key not in Client().get(guest_page("x" * 43)).content.decode()
    assert answer["Cache-Control"] == "no-store"
    assert answer["Referrer-Policy"] == "strict-origin"
    assert "noindex" in answer["X-Robots-Tag"]


def test_ending_the_link_renews_the_feed_key(club, cy, ann):
    link_make(guest=cy, by=ann)
    before = club.memberships.get(player=cy.player).feed_key
    link_end(guest=cy, by=ann)
    assert club.memberships.get(player=cy.player).feed_key != before


def test_expired_link_closes_calendar_and_feed(club, cy, ann):
    phone = client_of_guest(cy, ann)
    phone.post(reverse("campaigns:calendar_key_new"))
    calendar = reverse("campaigns:calendar_feed", args=[PlayerCalendar.objects.get(player=cy.player).key])
    feed = str(club.memberships.get(player=cy.player).feed_key)
    assert Client().get(calendar).status_code == 200
    assert policy.holder_of_key(feed, club) == cy.player
    GuestLink.objects.update(expires_at=timezone.now())
    assert Client().get(calendar).status_code == 404
    assert policy.holder_of_key(feed, club) is None
    link_make(guest=cy, by=ann)
    assert Client().get(calendar).status_code == 404
    assert policy.holder_of_key(feed, club) is None


def test_opponent_leaves_the_link_to_another_organiser(club, cy, ann):
    campaign = a_campaign(club)
    own, theirs = (an_enrolment(campaign, a_mustered_company(each, name=str(each))) for each in (ann, cy.player))
    match = a_match(a_round(campaign), theirs, own)
    key = link_make(guest=cy, by=ann)  # no other organiser is there
    assert "no other organiser was free" in ActivityLogEntry.objects.latest("pk").text
    list_submit(match=match, side=0, units=[theirs.company.units.first().pk], doctrine="cautious", by=cy.player)
    assert "haven't been revealed yet" in refusal_of(link_make, guest=cy, by=ann)
    ben = a_member(club, "organiser")
    for act in (link_make, link_end):
        assert f"You are about to play Cy, so {ben} has to do this." in refusal_of(act, guest=cy, by=ann)
    assert find_link(key).is_open
    link_make(guest=cy, by=ben)


def test_guest_of_two_clubs_gets_links_in_the_first(club, cy, ann):
    ben = a_player("ben")
    other = a_club(ben, name="Other")
    copy = Guest.objects.create(club=other, player=cy.player, name="Cy")  # as importing a document does
    assert "that club creates their link" in refusal_of(link_make, guest=copy, by=ben)
    assert not GuestLink.objects.exists()
    link_make(guest=cy, by=ann)
    a_member(other, "organiser", ann)
    assert link_make(guest=copy, by=ann)


# --- what a guest may do ----------------------------------------------------------------------------------------------


def test_guest_plays_a_match_on_the_ordinary_pages(club, cy, ann):
    match = a_guests_match(cy)
    phone = client_of_guest(cy, ann)
    assert "Cy's Own" in phone.get(reverse("home")).content.decode().replace("&#x27;", "'")
    units = [str(pk) for pk in match.attacker.company.units.values_list("pk", flat=True)]
    forces = reverse("campaigns:match_forces", args=[match.key])
    phone.post(forces, {"units": units, "doctrine": "cautious"})
    assert SubmittedList.objects.get(match=match, side=0).submitted_by == cy.player
    lists_reveal(match=match)
    report = reverse("campaigns:match_report", args=[match.key])
    assert phone.get(report).status_code == 200
    report_make(match=match, side=1, content=document("draw"), by=match.defender.company.owner)
    assert [item.kind for item in waiting_for(cy.player)] == ["confirm"]
    phone.post(reverse("campaigns:report_confirm", args=[match.key]), {"report": match.reports.get().pk})
    match.refresh_from_db()
    assert match.state == "confirmed"


def test_guest_founds_and_enrols_a_company(club, cy, ann):
    campaign = a_campaign(club, "mustering")
    phone = client_of_guest(cy, ann)
    given = {"name": "Strays", "system": SYSTEM, "points": "60", "colour": "#112233", "visibility": "private"}
    phone.post(reverse("rosters:company_create"), given)
    company = Company.objects.get(owner=cy.player)
    phone.post(reverse("rosters:unit_buy", args=[company.pk]), {"what": "published:wasp"})
    assert company.units.count() == 1
    phone.post(
        reverse("campaigns:campaign_companies", args=[campaign.pk]), {"company": company.pk, "doctrine": "cautious"}
    )
    assert Enrolment.objects.get(company=company).state == "asked"


def test_guest_accepts_a_proposed_date(cy, ann):
    match = a_guests_match(cy)
    at = (timezone.now() + timedelta(days=2)).replace(second=0, microsecond=0)
    date_propose(match=match, side=1, at=at, by=match.defender.company.owner)
    assert "date" in [item.kind for item in waiting_for(cy.player)]
    phone = client_of_guest(cy, ann)
    phone.post(reverse("campaigns:match_date", args=[match.key]), {"act": "accept", "at": at.isoformat()})
    assert MatchDate.objects.get(match=match).agreed_at == at
    phone.post(reverse("campaigns:availability"), {"weekdays": ["3"]})
    assert cy.player.availabilities.get().weekdays == [3]


def a_guests_season(**plays: Iterable[str]) -> tuple[Ledger, Guest]:
    """A season of two games with the players of these names; Cy is a guest in it."""
    ledger = an_unstarted_season(played={name: systems for name, systems in plays.items() if name != "cy"})
    cy = guest_add(club=ledger.season.club, by=ledger.organiser, name="Cy")
    assert cy.player is not None
    for system in plays["cy"]:
        an_enrolment(ledger.campaigns[system], a_company_of(cy.player, system, is_real=False))
    season_enter(season=ledger.season, player=cy.player, by=ledger.organiser)
    return ledger, cy


def test_guest_joins_a_season_and_proposes_a_game():
    ledger, cy = a_guests_season(ben=GAMES, cy=GAMES)
    phone = client_of_guest(cy, ledger.organiser)
    part = reverse("campaigns:season_part", args=[ledger.season.pk])
    phone.post(part, {"act": "leave"})
    assert not ledger.season.entrants.filter(player=cy.player).exists()
    phone.post(part)
    assert ledger.season.entrants.get(player=cy.player).is_in
    season_start(season=ledger.season, by=ledger.organiser)
    pairing = a_season_round(ledger, "swiss").pairings.get()
    assert "agree" in [item.kind for item in waiting_for(cy.player)]
    (task,) = guests_of(ledger.season.club)[0].waiting
    assert (task.what, task.about) == ("Agree on a game", f"{pairing.one.player} – {pairing.two.player}, Long Year")
    assert task.url == reverse("campaigns:season_pairing", args=[pairing.key])
    phone.post(
        reverse("campaigns:season_pairing", args=[pairing.key]), {"act": "propose", "game": ledger.game(GAMES[0])}
    )
    pairing.refresh_from_db()
    assert pairing.proposed_id == ledger.game(GAMES[0])
    assert not guests_of(ledger.season.club)[0].waiting, "it is the other's turn"


def test_guest_keeps_five_companies_at_most(cy):
    for number in range(5):
        a_company(cy.player, name=f"Own {number}")
    with pytest.raises(RefusedError, match="A guest can have 5 companies at most"):
        a_company(cy.player)


CLOSED = [
    "rosters:profile",
    "account_email",
    "mfa_index",
    "campaigns:club_new",
    "campaigns:club_restore",
    "campaigns:notification_settings",
    "rosters:company_import",
    "rosters:account_deletion",
    "rosters:my_data",
]


@pytest.mark.parametrize("route", CLOSED)
def test_account_pages_refuse_a_guest_with_a_sentence(cy, ann, route):
    assert "Guests can’t do this" in page_words(client_of_guest(cy, ann).get(reverse(route)), 403)


@pytest.mark.parametrize(
    ("page", "closed"),
    [
        ("campaigns:clubs", ["campaigns:club_new", "campaigns:club_restore"]),
        ("rosters:companies", ["rosters:company_import"]),
    ],
)
def test_pages_show_guests_no_links_to_account_pages(cy, ann, page, closed):
    found = Client()
    found.force_login(ann)
    for client, is_led in ((found, True), (client_of_guest(cy, ann), False)):
        main = client.get(reverse(page)).content.decode().partition("<main")[2]
        assert all((reverse(route) in main) is is_led for route in closed)


def test_account_acts_are_refused_for_guests(club, cy, ann):
    phone = client_of_guest(cy, ann)
    other = a_club(name="Other")
    assert "Guests can’t do this" in page_words(phone.post(reverse("campaigns:club_new"), {"name": "Mine"}), 403)
    assert "Guests can’t do this" in page_words(
        phone.post(reverse("campaigns:club_join_request", args=[other.slug])), 403
    )
    assert "Guests can’t do this" in page_words(phone.post(reverse("campaigns:club_leave", args=[club.slug])), 403)
    saved = {"system": SYSTEM, "name": "Owl"}
    assert "Guests can’t do this" in page_words(phone.post(reverse("rosters:design_save"), saved), 403)
    assert set(Membership.objects.filter(player=cy.player).values_list("club__name", flat=True)) == {"Iron Table"}
    assert not Club.objects.filter(name="Mine").exists()
    assert not Design.objects.exists()


def test_guest_sees_only_the_own_clubs_campaigns(club, cy, ann):
    phone = client_of_guest(cy, ann)
    assert phone.get(reverse("campaigns:club_members", args=[club.slug])).status_code == 403
    hidden = a_campaign(a_club(name="Hidden", is_public=False), name="Theirs")
    assert phone.get(reverse("campaigns:campaign", args=[hidden.pk])).status_code == 404
    own = a_campaign(club, name="Ours", is_public=False)
    assert phone.get(reverse("campaigns:campaign", args=[own.pk])).status_code == 200


@pytest.mark.parametrize("method", ["get", "post"])
def test_api_refuses_guests_with_an_error_document(cy, ann, method):
    answer = getattr(client_of_guest(cy, ann), method)(reverse("api-companies"))
    assert answer.status_code == 403
    assert "Guests can't use the API" in answer.json()["errors"][0]["reason"]


def test_account_pages_lead_to_the_guest_page(cy, ann):
    phone = client_of_guest(cy, ann)
    for route in ("account_login", "account_signup"):
        assert phone.get(reverse(route))["Location"] == reverse("campaigns:guest")


def test_guest_acts_are_existing_routes():
    assert len(middleware.GUEST_VIEWS) > 60
    assert sorted(middleware.GUEST_VIEWS - routes()) == []


def test_guest_acts_include_all_visitor_acts():
    """Except what makes an account, or ends mail to one; a guest could sign out and do it."""
    of_accounts = re.compile(r"account_|campaigns:(mail_unsubscribe|reserved_place)$|api-")
    visitors = {
        row.route
        for row in table()
        for asked, letters in row.expected.items()
        if asked.startswith("POST") and letters[0] == "." and not of_accounts.match(row.route)
    }
    assert len(visitors) > 30
    assert sorted(visitors - middleware.GUEST_VIEWS) == []


def test_guest_prepares_rolls_at_the_own_seat_only(cy, ann):
    """An ownerless seat belongs to the holder of its link, as for any visitor."""
    phone, given = client_of_guest(cy, ann), {"phone": "phone-of-cy"}
    own, theirs = a_table(actor=cy.player)[0], a_table(actor=ann)[0]
    answer = phone.post(reverse("battles:seat-prepare-rolls", args=[own.key]), given)
    assert answer.status_code == 200, answer.content
    assert answer.json()["used"] == 0
    assert phone.post(reverse("battles:seat-prepare-rolls", args=[theirs.key]), given).status_code == 404
    assert Client().post(reverse("battles:seat-prepare-rolls", args=[own.key]), given).status_code == 302


def test_organising_and_publishing_acts_are_closed_to_guests():
    closed = re.compile(
        r"design_|scenario_|portrait|token|preset|printer|webhook|invitation|member|club_(?!night$)|ruling|correct|adjust|results_entry"
        r"|watch_party|device|place|import|archive|season_(new|run|act|settings)|release_|campaign_(release|new|move|settings)"
    )
    assert [name for name in sorted(middleware.GUEST_VIEWS) if closed.search(name.partition(":")[2])] == []


# --- organisers act for a guest ---------------------------------------------------------------------------------------


def test_organiser_founds_a_guests_company_from_a_force(club, cy, ann):
    campaign = a_campaign(club, "mustering")
    made = guest_company(guest=cy, by=ann, campaign=campaign, name="Strays", force="picket-line")
    assert made.state == "accepted"
    company = made.company
    assert company.owner == cy.player
    assert sorted(company.units.values_list("design_name", flat=True)) == ["VIPER", "WASP", "WASP"]
    assert all(unit.pilot is not None for unit in company.units.all())
    assert set(company.ledger.values_list("created_by", flat=True)) == {ann.pk}
    assert list(differences(company)) == []


def test_organiser_sees_whether_the_company_is_accepted(client, club, cy, ann):
    campaign = a_campaign(club, "mustering", name="Spring War")
    client.force_login(ann)
    to = reverse("campaigns:guest_change", args=[club.slug, cy.pk])
    given = {"do": "company", "campaign": campaign.pk, "force": f"{SYSTEM}/picket-line"}
    assert "Strays created for Cy. It has joined Spring War." in page_words(
        client.post(to, given | {"name": "Strays"}, follow=True)
    )
    campaign.seats = 1
    campaign.save(update_fields=["seats"])
    assert (
        "Waifs created for Cy. It has asked to join Spring War. It isn’t battle-ready yet, or the campaign is full."
        in page_words(client.post(to, given | {"name": "Waifs"}, follow=True))
    )


def test_force_over_the_campaign_points_founds_no_company(club, cy, ann):
    campaign = a_campaign(club, "mustering", points=20)
    assert "costs" in refusal_of(guest_company, guest=cy, by=ann, campaign=campaign, name="Strays", force="old-gods")
    assert not Company.objects.exists()


def test_guests_company_gets_the_campaigns_catalogue_version(club, cy, ann, monkeypatch):
    reissue(monkeypatch)
    war = a_campaign(
        club, "mustering", system=TOY, points=20, scenarios=[{"value": "skirmish", "name": "Skirmish"}], options={},
        tie_breakers=[], catalogue_release="1",
    )  # fmt: skip
    made = guest_company(guest=cy, by=ann, campaign=war, name="Box")
    assert made.company.catalogue_release == "1"


def test_organiser_cannot_enrol_a_members_company(club, ann):
    own = a_mustered_company(a_member(club))
    reason = refusal_of(enrolment_ask, campaign=a_campaign(club, "mustering"), company=own, by=ann)
    assert reason == "You can only enrol your own companies."


def test_guest_company_needs_a_campaign_of_the_club(cy, ann):
    other = a_campaign(a_club(ann, name="Other"), "mustering")
    assert "isn’t a campaign of Iron Table" in refusal_of(
        guest_company, guest=cy, by=ann, campaign=other, name="Strays"
    )


def test_members_page_shows_guests_with_waiting_items(client, club, cy, ann):
    match = a_guests_match(cy)
    client.force_login(ann)
    page = page_words(client.get(reverse("campaigns:club_members", args=[club.slug])))
    assert "Submit your list" in page
    assert "Cy&#x27;s Own, Spring War (accepted)" in page
    (row,) = guests_of(club)
    assert [task.what for task in row.waiting] == ["Submit your list"]
    play_draw(match)
    assert guests_of(club)[0].waiting == ()


def test_refused_guest_keeps_what_was_typed_on_the_members_page(client, club, ann):
    client.force_login(ann)
    answer = client.post(reverse("campaigns:guests", args=[club.slug]), {"name": "Cy", "days": "9999"})
    assert "New invitation" in page_words(answer, 422)
    assert 'value="Cy"' in answer.content.decode()
    assert not Guest.objects.exists()


def test_guest_page_asks_before_removing_or_says_why_not(client, club, cy, ann):
    client.force_login(ann)
    path = reverse("campaigns:guest_page", args=[club.slug, cy.pk])
    assert "Remove Cy from" in page_words(client.get(path))
    play_draw(a_guests_match(cy))
    assert "Cy has played in Spring War, so they can’t be removed." in page_words(client.get(path))


# --- removing ---------------------------------------------------------------------------------------------------------


def test_unplayed_guest_is_removed_without_a_trace(club, cy, ann):
    guest_company(guest=cy, by=ann, campaign=a_campaign(club, "mustering"), name="Strays", force="picket-line")
    link_make(guest=cy, by=ann)
    guest_remove(guest=cy, by=ann)
    assert not Player.objects.filter(is_guest=True).exists()
    assert not Company.objects.exists()
    assert not LedgerEntry.objects.exists()
    assert not guests_of(club)


def test_guest_with_matches_cannot_be_removed(club, cy, ann):
    match = play_draw(a_guests_match(cy))
    assert "has played in Spring War, so they can’t be removed" in refusal_of(guest_remove, guest=cy, by=ann)
    assert match.attacker.company.owner == cy.player


def test_guest_paired_in_a_season_cannot_be_removed():
    ledger, cy = a_guests_season(ben=GAMES, cy=GAMES)
    di = guest_add(club=ledger.season.club, by=ledger.organiser, name="Di")
    an_enrolment(ledger.campaigns[GAMES[0]], a_company_of(di.player, GAMES[0], is_real=False))
    season_enter(season=ledger.season, player=di.player, by=ledger.organiser)
    guest_remove(guest=di, by=ledger.organiser)
    assert not Player.objects.filter(name_shown="Di").exists()
    season_start(season=ledger.season, by=ledger.organiser)
    a_season_round(ledger, "swiss")
    reason = refusal_of(guest_remove, guest=cy, by=ledger.organiser)
    assert reason.startswith("Cy is paired in Long Year, so they can’t be removed.")


def test_removed_guest_cannot_be_removed_again(cy, ann):
    guest_remove(guest=cy, by=ann)
    assert "isn’t a guest any more" in refusal_of(guest_remove, guest=cy, by=ann)
    assert "isn’t a guest any more" in refusal_of(link_make, guest=cy, by=ann)


def test_guest_removed_during_an_act_gets_an_error_page(cy, ann, monkeypatch):
    phone = client_of_guest(cy, ann)

    def act(**_given: Any) -> Any:
        guest_remove(guest=cy, by=ann)
        raise Player.DoesNotExist

    monkeypatch.setattr("rosters.services.company_create", act)
    given = {"name": "Strays", "system": SYSTEM, "points": "60", "colour": "#112233", "visibility": "private"}
    assert "Your visit as a guest ended" in page_words(phone.post(reverse("rosters:company_create"), given), 410)


# --- taking over ------------------------------------------------------------------------------------------------------


def take_over(guest: Guest, by: Player, organiser: Player) -> Guest:
    return guest_claim(link=find_link(link_make(guest=guest, by=organiser)), by=by)


def rows_referring_to(player: Player) -> dict[str, int]:
    """Count the rows of each table that refer to the player."""
    found = {
        f"{model.__name__}.{field}": model._base_manager.filter(**{field: player}).count()
        for model, field in relations()
    }
    return {name: number for name, number in found.items() if number}


def test_account_takes_over_everything_of_the_guest(club, cy, ann):
    match = play_draw(a_guests_match(cy))
    close_round(match.round)
    guest = cy.player
    SavedList.objects.create(player=guest, system=SYSTEM, name="Pair", designs=[])
    before = rows_referring_to(guest)
    assert {
        "Company.owner",
        "LedgerEntry.created_by",
        "Membership.player",
        "Report.submitted_by",
        "ActivityLogEntry.created_by",
    } <= set(before)
    ratings = club_ratings(club.pk).rows()
    ben = a_player("ben")
    take_over(cy, ben, ann)
    assert not Player.objects.filter(pk=guest.pk).exists()
    after = rows_referring_to(ben)
    del before["Guest.player"]
    del (
        before["ActivityLogEntry.created_by"],
        before["NotificationEvent.created_by"],
    )  # the takeover itself is logged and announced
    assert {name: after.get(name) for name in before} == before
    assert ActivityLogEntry.objects.filter(created_by=None, text__contains="Cy").count() == 0
    match.refresh_from_db()
    assert match.attacker.company.owner == ben
    assert Report.objects.get(match=match, side=0).submitted_by == ben
    assert set(LedgerEntry.objects.filter(company=match.attacker.company).values_list("created_by", flat=True)) <= {
        ben.pk,
        None,
        match.defender.company.owner_id,
    }
    assert [(row.rating, row.games) for row in club_ratings(club.pk).rows()] == [
        (row.rating, row.games) for row in ratings
    ]
    assert "ben" in {row.player for row in club_ratings(club.pk).rows()}
    assert list(differences(match.attacker.company)) == []
    assert not AccountMerge.objects.exists()
    ben.refresh_from_db()
    assert "Cy" in ben.names_before


def test_member_keeps_the_role_after_taking_over_a_guest(club, cy, ann):
    play_draw(a_guests_match(cy))
    ben = a_member(club, "arbiter", a_player("ben"))
    take_over(cy, ben, ann)
    assert [row.role for row in Membership.objects.filter(player=ben)] == ["arbiter"]


def test_things_of_equal_name_are_numbered(club, cy, ann):
    ben = a_player("ben")
    for player in (ben, cy.player):
        SavedList.objects.create(player=player, system=SYSTEM, name="Pair", designs=[])
        design_save(author=player, system=SYSTEM, name="Owl", spec=WASP)
    take_over(cy, ben, ann)
    assert set(ben.saved_forces.values_list("name", flat=True)) == {"Pair", "Pair 2"}
    assert set(ben.designs.values_list("name", flat=True)) == {"Owl", "Owl 2"}


def test_opponent_in_a_campaign_cannot_take_over_the_guest(club, cy, ann):
    match = a_guests_match(cy)
    rival = match.defender.company.owner
    key = link_make(guest=cy, by=ann)
    assert "can't play two companies there" in refusal_of(guest_claim, link=find_link(key), by=rival)
    assert find_link(key).is_open
    assert match.attacker.company.owner == cy.player
    Enrolment.objects.filter(pk=match.defender_id).update(state="withdrawn")
    assert "can't play two companies there" in refusal_of(guest_claim, link=find_link(key), by=rival)


def test_takeover_respects_the_limit_of_companies(cy, ann, monkeypatch):
    ben = a_player("ben")
    for player in (ben, cy.player):
        a_company(player)
    monkeypatch.setattr(eligibility, "MAX_COMPANIES", 1)
    link = find_link(link_make(guest=cy, by=ann))
    assert "Together you would have 2 companies, and the limit is 1" in refusal_of(guest_claim, link=link, by=ben)


def test_entrant_of_a_season_cannot_take_over_the_guest():
    ledger, cy = a_guests_season(ben=GAMES[:1], eve=GAMES, cy=GAMES[1:2])
    link = find_link(link_make(guest=cy, by=ledger.organiser))
    reason = refusal_of(guest_claim, link=link, by=ledger.players["ben"])
    assert reason.startswith("You already take part in Long Year, and can't take part twice.")
    assert ledger.season.entrants.filter(player=cy.player).exists()
    heir = a_player("dora")
    guest_claim(link=link, by=heir)
    assert ledger.season.entrants.filter(player=heir).count() == 1


def test_availability_of_the_account_is_kept(club, cy, ann):
    ben = a_member(club, player=a_player("ben"))
    calendar_key_new(player=ben)
    calendar_key_new(player=cy.player)
    for number, player in enumerate((ben, cy.player)):
        availability_set(player=player, weekdays=[number])
        availability_set(player=player, club=club, weekdays=[number])
    take_over(cy, ben, ann)
    assert [row.weekdays for row in Availability.objects.all()] == [[0], [0]]
    assert PlayerCalendar.objects.get().player == ben


def test_availability_of_the_guest_is_moved(club, cy, ann):
    availability_set(player=cy.player, club=club, weekdays=[4])
    availability_set(player=cy.player, weekdays=[5])
    ben = a_player("ben")
    take_over(cy, ben, ann)
    assert {row.club: row.weekdays for row in ben.availabilities.select_related("club")} == {club: [4], None: [5]}


def test_guests_and_leaving_players_cannot_take_over(club, cy, ann):
    link = find_link(link_make(guest=cy, by=ann))
    other = guest_add(club=club, by=ann, name="Di").player
    assert "You're signed in as a guest" in refusal_of(guest_claim, link=link, by=other)
    leaver = a_player()
    Player.objects.filter(pk=leaver.pk).update(leaves_at=timezone.now())
    assert "due to be deleted" in refusal_of(guest_claim, link=link, by=leaver)


def test_guest_is_taken_over_once(cy, ann):
    link = find_link(link_make(guest=cy, by=ann))
    guest_claim(link=link, by=a_player("ben"))
    assert "has an account now" in refusal_of(guest_claim, link=link, by=a_player("eve"))


def test_signing_up_by_link_leads_to_the_takeover(club, cy, ann):
    match = play_draw(a_guests_match(cy))
    phone = client_of_guest(cy, ann)
    to = phone.post(reverse("campaigns:guest"), {"do": "sign-up"})["Location"]
    assert to == f"{reverse('account_signup')}?next={reverse('campaigns:guest_claim')}"
    given = {"username": "cyrus", "email": "cy@example.com", "password1": "long-sesame-9", "password2": "long-sesame-9"}
    page = page_words(phone.post(to, given | {"next": reverse("campaigns:guest_claim")}, follow=True))
    assert "Take over from Cy?" in page
    assert "1 match, 1 report" in page
    assert "Everything of Cy’s is yours now" in page_words(phone.post(reverse("campaigns:guest_claim"), follow=True))
    match.refresh_from_db()
    assert match.attacker.company.owner.username == "cyrus"
    assert phone.post(reverse("campaigns:guest_claim")).status_code == 404


def test_signed_in_account_takes_over_from_the_link(cy, ann):
    ben = a_player("ben")
    phone = Client()
    phone.force_login(ben)
    key = link_make(guest=cy, by=ann)
    assert "You are signed in as ben" in page_words(phone.get(guest_page(key)))
    assert "Take over from Cy?" in page_words(phone.post(guest_page(key), {"do": "claim"}, follow=True))
    phone.post(reverse("campaigns:guest_claim"))
    assert Membership.objects.filter(player=ben).count() == 1


def test_renewed_link_stops_a_takeover(cy, ann):
    phone = Client()
    phone.force_login(a_player("ben"))
    phone.post(guest_page(link_make(guest=cy, by=ann)), {"do": "claim"})
    link_make(guest=cy, by=ann)
    assert "newer one" in page_words(phone.post(reverse("campaigns:guest_claim")), 410)
    assert Guest.objects.get().player is not None


def test_takeover_needs_the_link(cy):
    phone = Client()
    phone.force_login(a_player("ben"))
    assert phone.post(reverse("campaigns:guest_claim")).status_code == 404


# --- ledger -----------------------------------------------------------------------------------------------------------


def test_ledger_author_changes_only_by_succession(cy):
    entry = a_company(cy.player).ledger.get()
    heir = a_player()
    rows = LedgerEntry.objects.filter(pk=entry.pk)

    def change(**fields: Any) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**fields)

    change(created_by=heir)
    succession = AccountMerge.objects.create(before=cy.player, heir=heir)
    change(created_by=a_player())
    change(created_by=heir, points=999)
    change(created_by=heir, facts={})
    rows.update(created_by=heir)
    succession.delete()
    change(created_by=cy.player)


def test_guard_covers_every_ledger_column():
    columns = {field.column for field in LedgerEntry._meta.concrete_fields}
    assert set(triggers.LASTING) == columns - {"by_id"}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="of SQLite alone")
def test_sqlite_guard_compares_empty_columns():
    assert all(
        f"NEW.{column} IS OLD.{column}" in triggers.SQLITE_INSTALL_WITH_SUCCESSIONS[0] for column in triggers.LASTING
    )


def test_takeover_covers_every_table_with_players():
    found = {model.__name__ for model, _ in relations()}
    assert {
        "Company",
        "LedgerEntry",
        "Membership",
        "Report",
        "Ruling",
        "SubmittedList",
        "LiveSeat",
        "NotificationEvent",
        "Battle",
    } <= found


ONCE_OF_A_PLAYER = {  # tables with one row per player and thing: `guest_merge_unique_rows` or a refusal handles each of them
    "Availability", "ClubRestore", "Design", "Guest", "JoinRequest", "Notification", "Mail", "Membership", "Placeholder",
    "PlayerCalendar", "PrintPreset", "PrinterProfile", "SavedList", "Scenario", "SeasonEntrant", "NotificationPreferences",
}  # fmt: skip


def test_takeover_handles_every_table_unique_by_player():
    found = {
        model.__name__
        for model, field in relations()
        if model._meta.get_field(field).unique
        or any(isinstance(each, UniqueConstraint) and field in each.fields for each in model._meta.constraints)
    }
    assert found == ONCE_OF_A_PLAYER


# --- clearing ---------------------------------------------------------------------------------------------------------


def test_old_guest_links_are_cleared(cy, ann, settings):
    settings.KEEP_SIGN_INS_DAYS = 90
    old, new = link_make(guest=cy, by=ann), link_make(guest=cy, by=ann)
    GuestLink.objects.filter(pk=find_link(old).pk).update(ended_at=timezone.now() - timedelta(days=91))
    assert dict(clear_all(Clearing(now=timezone.now())))["old guest links"] == 1
    assert find_link(old) is None
    assert find_link(new) is not None
    assert "This link doesn’t work. Check" in page_words(Client().get(guest_page(old)), 404)


# --- leaving, takeout, documents --------------------------------------------------------------------------------------


def test_guests_inherit_no_club_and_their_links_end(club, cy, ann):
    play_draw(a_guests_match(cy))
    Membership.objects.filter(club=club).exclude(player__in=(ann, cy.player)).delete()
    link = find_link(link_make(guest=cy, by=ann))
    assert "Hand it over" not in " ".join(each.sentence for each in obstacles(ann))
    club.campaigns.update(state="finished", finished_at=timezone.now())
    end_account(ann)
    link.refresh_from_db()
    assert link.end == "ended"
    assert Company.objects.filter(owner=cy.player).exists()


def test_unplayed_season_is_deleted_with_its_club(club, cy, ann):
    season = club.seasons.create(name="Long Year")
    season.entrants.create(player=cy.player)
    end_account(ann)
    assert not Club.objects.filter(pk=club.pk).exists()
    assert not Player.objects.filter(is_guest=True).exists()


def test_deleted_club_takes_its_guests_along(club, cy, ann):
    link_make(guest=cy, by=ann)
    end_account(ann)
    assert not Club.objects.filter(pk=club.pk).exists()
    assert not Player.objects.filter(is_guest=True).exists()


def test_leaving_player_is_forgotten_under_the_guest_name_too(club, cy, ann):
    play_draw(a_guests_match(cy))
    ben = a_player("ben")
    take_over(cy, ben, ann)
    ben.refresh_from_db()
    end_account(ben)
    log = " ".join(ActivityLogEntry.objects.values_list("text", flat=True))
    assert re.search(r"\bCy\b(?!')", log) is None
    assert Guest.objects.get().name == "Player who left"


def test_data_export_lists_the_guests_an_organiser_added(cy, ann):
    exported = json.loads(next(text for path, text in _clubs(ann) if path == "clubs.json"))
    assert [row["name"] for row in exported["guests_you_added"]] == ["Cy"]


# --- the API ----------------------------------------------------------------------------------------------------------


def test_api_manages_guests_and_links(client, club, ann):
    client.force_login(ann)
    path = reverse("api-guests", args=[club.slug])
    made = client.post(path, {"name": "Cy"}, content_type="application/json")
    assert made.status_code == 201
    assert made.json()["link"] is None
    one = reverse("api-guest-link", args=[club.slug, made.json()["id"]])
    link = client.post(one, {"days": 7}, content_type="application/json").json()["link"]
    assert Client().get(link).status_code == 200
    (row,) = client.get(path).json()
    assert row["link"]["is_open"]
    assert link.rstrip("/").rpartition("/")[2] not in str(row)
    assert client.delete(one).status_code == 204
    assert Client().get(link).status_code == 410
    assert client.delete(reverse("api-guest", args=[club.slug, row["id"]])).status_code == 204
    assert client.get(path).json() == []


def test_api_refusals_change_nothing(client, club, cy, ann):
    client.force_login(ann)
    path = reverse("api-guests", args=[club.slug])
    answer = client.post(path, {"name": "CY"}, content_type="application/json")
    assert "Choose a name that tells them apart" in answer.json()["errors"][0]["reason"]
    link = reverse("api-guest-link", args=[club.slug, cy.pk])
    assert client.post(link, {"days": 999}, content_type="application/json").status_code in (400, 422)
    play_draw(a_guests_match(cy))
    kept = client.delete(reverse("api-guest", args=[club.slug, cy.pk]))
    assert "they can’t be removed" in kept.json()["errors"][0]["reason"]
    assert client.post(reverse("api-guest-link", args=[a_club(name="Other").slug, cy.pk])).status_code == 403


def test_organiser_enters_a_guests_result(club, cy, ann):
    match = lists_reveal(match=a_guests_match(cy))
    match_enter(match=match, content=document("draw"), by=ann)
    match.refresh_from_db()
    assert (match.state, match.decided_by) == ("confirmed", "organiser")
