"""Pages and API of clubs: access by role, refusals and numbers of queries."""

from __future__ import annotations

import json
import re
import uuid
from datetime import timedelta
from smtplib import SMTPServerDisconnected

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.activity_log import log_activity
from campaigns.clubs import invitations
from campaigns.models import ActivityLogEntry, Club, Dispute, Invitation, Membership
from rosters.models import Player
from tests.accounts.builders import add_second_factor
from tests.builders import a_company, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_round, an_enrolment

pytestmark = pytest.mark.django_db
ROLES = ("anonymous", "stranger", "player", "arbiter", "organiser")


@pytest.fixture
def club():
    return a_club(a_player("ada"), about="We meet\n\non Thursdays", place="Graz")


def ada():
    return Player.objects.get(username="ada")


def as_role(client, club, role):
    """Sign in somebody with this role."""
    if role == "anonymous":
        client.logout()
        return None
    player = ada() if role == "organiser" else a_player() if role == "stranger" else a_member(club, role)
    client.force_login(player)
    return player


def text_of(response):
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def messages_of(response):
    return " ".join(str(message) for message in response.context["messages"])


def a_link(club, **fields):
    return invitations.invitation_make(club=club, by=ada(), **fields)


def url(name, *args):
    return reverse(f"campaigns:{name}", args=args)


# --- access by role ---------------------------------------------------------------------------------------------------

SEEN_BY = {  # status of a GET: anonymous, stranger, player, arbiter, organiser
    "club": (200, 200, 200, 200, 200),
    "club_activity_log": (302, 403, 200, 200, 200),
    "club_leave": (302, 403, 302, 302, 302),
    "club_members": (302, 403, 403, 403, 200),
    "club_settings": (302, 403, 403, 403, 200),
    "member_remove": (302, 403, 403, 403, 302),
    "club_hand_over": (302, 403, 403, 403, 302),
}
ACTS = ("member_role", "member_remove", "club_hand_over", "join_request_answer", "invitations", "invitation_withdraw")


def paths_of(club):
    member = Membership.objects.filter(club=club).exclude(player__username="ada").first() or Membership.objects.get(
        club=club, player=a_member(club)
    )
    asked = club.requests.first() or club.requests.create(player=a_player())
    return {
        **{name: url(name, club.slug) for name in ("club", "club_activity_log", "club_leave", "club_members")},
        "club_settings": url("club_settings", club.slug),
        **{name: url(name, club.slug, member.pk) for name in ("member_role", "member_remove", "club_hand_over")},
        "join_request_answer": url("join_request_answer", club.slug, asked.pk),
        "invitations": url("invitations", club.slug),
        "invitation_withdraw": url("invitation_withdraw", club.slug, a_link(club).key),
    }


@pytest.mark.parametrize("role", ROLES)
def test_public_club_pages_answer_each_role_by_its_rights(client, club, role):
    paths = paths_of(club)
    as_role(client, club, role)
    answers = {name: client.get(paths[name]).status_code for name in SEEN_BY}
    assert answers == {name: statuses[ROLES.index(role)] for name, statuses in SEEN_BY.items()}


@pytest.mark.parametrize("role", ["anonymous", "stranger", "player", "arbiter"])
def test_only_organisers_act_on_members_and_invitations(client, club, role):
    paths = paths_of(club)
    as_role(client, club, role)
    before = (ActivityLogEntry.objects.count(), list(club.memberships.values_list("pk", "role")))
    for name in ACTS:
        answer = client.post(paths[name], {"role": "organiser", "do": "accept", "days": 5})
        if role == "anonymous":
            assert answer.url.startswith("/accounts/login/"), name
        else:
            assert answer.status_code == 403, name
    assert before == (ActivityLogEntry.objects.count(), list(club.memberships.values_list("pk", "role")))


@pytest.mark.parametrize("role", ["anonymous", "stranger"])
def test_private_club_is_hidden_from_strangers(client, club, role):
    Club.objects.update(is_public=False)
    paths = paths_of(club)
    as_role(client, club, role)
    for name in SEEN_BY:
        answer = client.get(paths[name])
        login = answer.status_code == 302 and answer.url.startswith("/accounts/login/")  # as for any address
        assert answer.status_code == 404 or (role == "anonymous" and login), name
    assert client.get(paths["club"]).status_code == 404
    assert client.get(reverse("api-club", args=[club.slug])).status_code == 404
    for page in (url("clubs"), reverse("api-clubs")):
        assert "Iron Table" not in text_of(client.get(page))


def test_rows_of_another_club_are_not_found(client, club):
    other = a_club(name="Other")
    member = a_member(other)
    made = invitations.invitation_make(club=other, by=other.memberships.get(role="organiser").player)
    asked = invitations.join_request_create(club=other, by=a_player())
    client.force_login(ada())
    row = Membership.objects.get(club=other, player=member)
    for name in ("member_role", "member_remove", "club_hand_over"):
        assert client.post(url(name, club.slug, row.pk), {"role": "player"}).status_code == 404
    assert client.post(url("join_request_answer", club.slug, asked.pk)).status_code == 404
    assert client.post(url("invitation_withdraw", club.slug, made.key)).status_code == 404
    assert client.get(url("member_remove", club.slug, 10**30)).status_code == 404


# --- pages ------------------------------------------------------------------------------------------------------------


def test_club_form_founds_a_club_and_leads_to_invitations(client):
    client.force_login(a_player("bob"))
    page = client.post(url("club_new"), {"name": "New", "is_public": "on"}, follow=True)
    assert "New created" in messages_of(page)
    club = Club.objects.get()
    assert (club.slug, club.takes_requests) == ("new-2", False)
    assert page.request["PATH_INFO"] == url("club_members", "new-2")
    again = client.post(url("club_new"), {"name": "new"})
    assert again.status_code == 422
    assert "Choose another name" in again.content.decode()


def test_club_list_shows_own_public_and_inviting_clubs(client, club):
    a_club(name="Hidden", is_public=False)
    assert "New club" in text_of(client.get(url("clubs")))
    bob = as_role(client, club, "stranger")
    a_link(club, player=bob.username)
    page = client.get(url("clubs"))
    assert "ada invites you to join <b>Iron Table</b>" in text_of(page)
    assert [row.name for row in page.context["public"]] == ["Iron Table"]
    assert list(client.get(url("clubs"), {"q": "graz"}).context["public"])
    nothing = client.get(url("clubs"), {"q": "Vienna\x00", "page": "9" * 30})
    assert "No public club matches that name or place" in text_of(nothing)


def test_club_list_shows_company_emblems_of_visible_campaigns(client, club):
    """Emblems are shown once each, up to the row's limit, and only from current campaigns."""
    visible, hidden, finished = (
        a_campaign(club, name=name, **given)
        for name, given in (("On", {}), ("Hidden", {"is_public": False}), ("Over", {"state": "finished"}))
    )
    twice = an_enrolment(visible, a_company(name="Twice")).company
    an_enrolment(a_campaign(club, name="Also on"), twice)
    for campaign, name in ((hidden, "Masked"), (finished, "Gone")):
        an_enrolment(campaign, a_company(name=name))
    an_enrolment(visible, a_company(name="Keen"), state="asked")

    def crests() -> list[str]:
        page = text_of(client.get(url("clubs")))
        return re.findall(r'<li title="([^"]*)">\s*<svg class="emblem', page)

    assert crests() == ["Twice"]
    as_role(client, club, "player")
    assert crests() == ["Twice", "Masked", "Twice"]  # among the reader's own clubs, then among the public ones
    for number in range(9):
        an_enrolment(visible, a_company(name=f"Dogs {number}"))
    client.logout()
    assert crests() == ["Twice", *(f"Dogs {number}" for number in range(5))]


def test_club_page_shows_only_visible_campaigns(client, club):
    for state in ("draft", "running", "finished"):
        a_campaign(club, state=state, name=f"A {state} one")
    a_campaign(club, name="A private one", is_public=False)
    seen = {}
    for role in ROLES:
        as_role(client, club, role)
        seen[role] = [row.name for row in client.get(url("club", club.slug)).context["page"].campaigns]
    assert seen["anonymous"] == seen["stranger"] == ["A running one", "A finished one"]
    assert seen["player"] == seen["arbiter"] == ["A private one", "A running one", "A finished one"]
    assert seen["organiser"] == ["A private one", "A running one", "A draft one", "A finished one"]


def test_api_lists_own_and_public_clubs(client, club):
    closed = a_club(a_player(), name="Closed Table", is_public=False)
    a_club(a_player(), name="Other Table", is_public=False)
    member = a_member(closed)
    for reader, names in (
        (None, ["Iron Table"]),
        (a_player(), ["Iron Table"]),
        (member, ["Closed Table", "Iron Table"]),
    ):
        client.logout()
        if reader:
            client.force_login(reader)
        found = client.get(reverse("api-clubs")).json()["results"]
        assert sorted(row["name"] for row in found) == names


def test_club_page_shows_waiting_items_by_role(client, club):
    invitations.join_request_create(club=club, by=a_player())
    an_enrolment(a_campaign(club, state="mustering"), state="asked")
    match = a_match(a_round(a_campaign(club, name="War")))
    Dispute.objects.create(match=match, differences=[])
    waiting = {}
    for role in ROLES:
        as_role(client, club, role)
        page = client.get(url("club", club.slug)).context["page"]
        waiting[role] = [f"{item.number} {item.what}" for item in page.waiting]
    assert waiting["anonymous"] == waiting["stranger"] == waiting["player"] == []
    assert waiting["arbiter"] == ["1 match is disputed in War"]
    assert waiting["organiser"] == [
        "1 player asks to join",
        "1 company asks to join Spring War",
        "1 match is disputed in War",
    ]


def test_member_page_sets_roles_and_confirms_removal(client, club):
    bob = a_member(club)
    row = Membership.objects.get(club=club, player=bob)
    client.force_login(ada())
    page = client.post(url("member_role", club.slug, row.pk), {"role": "arbiter"}, follow=True)
    assert "arbiter" in messages_of(page)
    assert f"Remove {bob} from Iron Table?" in text_of(client.get(url("member_remove", club.slug, row.pk), follow=True))
    assert Membership.objects.filter(pk=row.pk).exists(), "the question changes nothing"
    client.post(url("member_remove", club.slug, row.pk))
    assert not Membership.objects.filter(pk=row.pk).exists()


def test_removing_and_leaving_name_remaining_companies(client, club):
    enrolment = an_enrolment(a_campaign(club))
    row = Membership.objects.get(club=club, player=enrolment.company.owner)
    client.force_login(ada())
    company_line = f"{enrolment.company.name} in Spring War"
    assert company_line in text_of(client.get(url("club_members", club.slug)))
    client.force_login(row.player)
    assert company_line in text_of(client.get(url("club", club.slug)))


def test_last_organiser_cannot_leave_or_step_down(client, club):
    client.force_login(ada())
    row = Membership.objects.get(club=club, player=ada())
    for path, data in ((url("club_leave", club.slug), {}), (url("member_role", club.slug, row.pk), {"role": "player"})):
        assert "ada is the last organiser of Iron Table" in messages_of(client.post(path, data, follow=True))


def test_former_organiser_lands_on_the_club_page(client, club):
    row = Membership.objects.get(club=club, player=a_member(club))
    client.force_login(ada())
    assert "you become a player" in text_of(client.get(url("club_members", club.slug)))
    page = client.post(url("club_hand_over", club.slug, row.pk), follow=True)
    assert text_of(page)
    assert page.request["PATH_INFO"] == url("club", club.slug)
    assert page.context["page"].role == "player"


def test_leaving_a_private_club_leads_to_the_list(client, club):
    Club.objects.update(is_public=False)
    as_role(client, club, "player")
    page = client.post(url("club_leave", club.slug), follow=True)
    assert "You left Iron Table" in messages_of(page)


def test_join_request_is_made_withdrawn_and_accepted(client, club):
    bob = as_role(client, club, "stranger")
    page = client.post(url("club_join_request", club.slug), {"message": "Two Wasps"}, follow=True)
    assert "The organisers haven’t answered yet" in text_of(page)
    client.post(url("club_join_request", club.slug), {"do": "withdraw"})
    assert "no open request" in messages_of(
        client.post(url("club_join_request", club.slug), {"do": "withdraw"}, follow=True)
    )
    client.post(url("club_join_request", club.slug), {"message": "Two Wasps"})
    assert "longer" not in messages_of(
        client.post(url("club_join_request", club.slug), {"message": "x" * 301}, follow=True)
    )
    asked = club.requests.get(state="asked")
    client.force_login(ada())
    assert "Two Wasps" in text_of(client.get(url("club_members", club.slug)))
    client.post(url("join_request_answer", club.slug, asked.pk), {"do": "accept"})
    assert Membership.objects.get(club=club, player=bob).role == "player"
    assert "already accepted" in messages_of(
        client.post(url("join_request_answer", club.slug, asked.pk), {"do": "decline"}, follow=True)
    )


def test_members_page_makes_and_withdraws_an_invitation(client, club):
    client.force_login(ada())
    bob = a_player("bob")
    Player.objects.filter(pk=bob.pk).update(email="bob@example.org")
    page = client.post(url("invitations", club.slug), {"player": "bob", "role": "arbiter", "days": 3}, follow=True)
    made = Invitation.objects.get()
    assert "Invited bob by email" in messages_of(page)
    link = f"http://testserver/join/{made.key}/"
    assert link in text_of(page)
    assert f"/join/{made.key}/" in mail.outbox[0].body
    page = client.post(url("invitation_withdraw", club.slug, made.key), follow=True)
    assert "No open invitations" in text_of(page)
    refused = client.post(url("invitations", club.slug), {"player": "nobody", "role": "player", "days": 3})
    assert refused.status_code == 422
    assert "no player called nobody" in refused.content.decode()
    assert client.post(url("invitations", club.slug), {"role": "player", "days": 91}).status_code == 422


@pytest.fixture
def organiser(client):
    """Sign in as the organiser, whose address is confirmed."""
    found = ada()
    EmailAddress.objects.create(user=found, email="ada@example.org", verified=True, primary=True)
    client.force_login(found)
    return found


def invite(client, club, emails: str, **fields):
    return client.post(
        url("invitations", club.slug), {"emails": emails, "role": "player", "days": 3, **fields}, follow=True
    )


def test_members_page_invites_by_several_addresses_at_once(client, club, organiser):
    Player.objects.filter(pk=a_player("bob").pk).update(email="bob@example.org")
    page = invite(client, club, "bob@example.org, new@example.org\nNEW@example.org;third@example.org")
    assert "Invitation sent to 3 addresses." in messages_of(page)
    made = {f"/join/{row.key}/": row for row in Invitation.objects.all()}
    assert [(row.player, row.uses_left) for row in made.values()] == [(None, 1)] * 3
    assert [each.to for each in mail.outbox] == [["bob@example.org"], ["new@example.org"], ["third@example.org"]]
    links = [next(link for link in made if link in each.body) for each in mail.outbox]
    assert len(set(links)) == 3  # each has a link of its own
    texts = {each.body.replace(link, "") for each, link in zip(mail.outbox, links, strict=True)}
    assert len(texts) == 1  # the same for accounts and strangers
    assert "as player" in texts.pop()


def test_mails_that_fail_are_named(client, club, organiser, monkeypatch):
    send = EmailMessage.send

    def fail_for_bob(message, *args, **options):
        if message.to == ["bob@example.org"]:
            raise SMTPServerDisconnected("gone")
        return send(message, *args, **options)

    monkeypatch.setattr(EmailMessage, "send", fail_for_bob)
    page = invite(client, club, "bob@example.org, eve@example.org")
    assert "No mail could be sent to bob@example.org." in messages_of(page)
    assert [each.to for each in mail.outbox] == [["eve@example.org"]]


def test_organiser_without_a_confirmed_address_sends_no_invitations(client, club):
    client.force_login(ada())
    page = invite(client, club, "bob@example.org")
    assert "Confirm your own email address first" in page.content.decode()
    assert not mail.outbox
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"emails": "bob@example.org, bob"}, "bob isn’t an email address."),
        ({"emails": ",".join(f"p{number}@example.org" for number in range(11))}, "at most 10 addresses"),
        ({"emails": "bob@example.org", "player": "bob"}, "not both"),
        ({"emails": "bob@example.org", "uses": 3}, "Leave this blank"),
    ],
)
def test_invalid_addresses_are_refused(client, club, fields, reason):
    client.force_login(ada())
    page = client.post(url("invitations", club.slug), {"role": "player", "days": 3, **fields})
    assert page.status_code == 422
    assert reason in page.content.decode()
    assert not mail.outbox
    assert not Invitation.objects.exists()


def test_number_of_invitation_mails_is_limited(client, club, organiser):
    for batch in range(3):
        page = invite(client, club, ",".join(f"p{number}.{batch}@example.org" for number in range(10)))
    assert page.status_code == 422
    assert "You can mail 20 invitations a day, and each address once a day. Try again in" in page.content.decode()
    assert (len(mail.outbox), Invitation.objects.count()) == (20, 20)


def test_address_is_invited_once_a_day_whoever_asks(client, club, organiser):
    invite(client, club, "bob@example.org")
    other = a_player("olga")
    EmailAddress.objects.create(user=other, email="olga@example.org", verified=True, primary=True)
    elsewhere = a_club(other, name="Elsewhere")
    client.force_login(other)
    assert invite(client, elsewhere, "BOB@example.org").status_code == 422
    assert len(mail.outbox) == 1


def test_invitation_form_comes_first_and_members_before_guests(client, club):
    client.force_login(ada())
    page = client.get(url("club_members", club.slug)).content.decode()
    places = [page.index(f'id="{name}"') for name in ("invite", "members", "guests", "invitations")]
    assert places == sorted(places)


def test_invitation_page_names_club_inviter_and_role(client, club):
    made = a_link(club, role="arbiter")
    page = text_of(client.get(url("join", made.key)))
    assert "ada invites you to join as arbiter" in page
    assert f"{reverse('account_signup')}?next={url('join', made.key)}" in page
    answer = client.post(url("join", made.key))
    assert answer.url == f"{reverse('account_login')}?next={url('join', made.key)}"
    bob = as_role(client, club, "stranger")
    assert "Welcome to Iron Table" in messages_of(client.post(url("join", made.key), follow=True))
    assert Membership.objects.get(club=club, player=bob).role == "arbiter"
    again = client.get(url("join", made.key), follow=True)
    assert "You’re already a member of Iron Table" in messages_of(again)


def test_invitation_opens_a_private_club(client, club):
    Club.objects.update(is_public=False)
    made = a_link(club)
    as_role(client, club, "stranger")
    assert "ada invites you" in text_of(client.get(url("join", made.key)))
    assert text_of(client.post(url("join", made.key), follow=True))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"expires_at": timezone.now() - timedelta(days=1)}, "has expired"),
        ({"withdrawn_at": timezone.now()}, "was withdrawn"),
        ({"uses_left": 0}, "is used up"),
    ],
)
def test_invalid_invitation_is_refused_with_its_reason(client, club, fields, reason):
    made = a_link(club)
    Invitation.objects.update(**fields)
    as_role(client, club, "stranger")
    page = client.get(url("join", made.key))
    assert page.status_code == 410
    assert reason in page.content.decode()
    assert reason in messages_of(client.post(url("join", made.key), follow=True))
    assert club.memberships.count() == 1


def test_named_invitation_is_hidden_from_others(client, club):
    bob = a_player("bob")
    made = a_link(club, player="bob")
    as_role(client, club, "stranger")
    assert client.get(url("join", made.key)).status_code == 404
    assert client.post(url("join", made.key)).status_code == 404
    assert client.get(url("join", uuid.uuid4())).status_code == 404
    client.force_login(bob)
    assert "You declined" in messages_of(client.post(url("join", made.key), {"do": "decline"}, follow=True))
    assert client.get(url("join", made.key)).status_code == 410


def test_activity_log_hides_drafts_and_planned_pairings_from_members(client, club):
    draft, running = a_campaign(club, state="draft", name="Draft"), a_campaign(club)
    match = a_match(a_round(running, state="planned"))
    log_activity(club=club, text="a secret draft", by=ada(), campaign=draft)
    log_activity(club=club, text="a secret pairing", by=ada(), campaign=running, match=match)
    log_activity(club=club, text="a closed round", by=None, campaign=running)
    as_role(client, club, "player")
    page = text_of(client.get(url("club_activity_log", club.slug), {"page": "nonsense"}))
    assert "secret" not in page
    assert "a closed round" in page
    assert "automatic" in page
    as_role(client, club, "organiser")
    assert text_of(client.get(url("club_activity_log", club.slug))).count("a secret") == 2


# --- queries ----------------------------------------------------------------------------------------------------------


def fill(club, by):
    """Add three more of everything that a club's pages list."""
    for _ in range(3):
        number = club.memberships.count()
        a_member(club), invitations.join_request_create(club=club, by=a_player())
        a_link(club), a_link(club, player=a_player().username)
        a_campaign(club, name=f"War {number}")
        a_club(by, name=f"Mine {number}")
        other = a_club(a_player(), name=f"Other {number}")
        invitations.invitation_make(club=other, by=other.memberships.get().player, player=by.username)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["clubs", "club", "club_members", "club_activity_log", "club_settings", "api-clubs", "api-club"]
)
def test_page_queries_do_not_grow_with_content(client, club, name):
    by = ada()
    client.force_login(by)
    path = {"clubs": url("clubs"), "api-clubs": reverse("api-clubs"), "api-club": reverse("api-club", args=[club.slug])}
    path = path.get(name) or url(name, club.slug)
    fill(club, by)
    with CaptureQueriesContext(
        connection,
    ) as few:
        text_of(client.get(path))
    fill(club, by), fill(club, by)
    with CaptureQueriesContext(connection) as many:
        text_of(client.get(path))
    assert len(many) == len(few) < 16, [each["sql"][:90] for each in many]


# --- the API ----------------------------------------------------------------------------------------------------------


def send(client, method, name, *args, body=None):
    data = b"" if body is None else json.dumps(body)
    return client.generic(method, reverse(name, args=args), data, content_type="application/json")


def refused(answer, status):
    assert answer.status_code == status, answer.content[:300]
    return answer.json()["errors"][0]["field"]


def test_api_runs_a_club_from_founding_to_handover(client):
    one, two = a_player("one"), a_player("two")
    client.force_login(one)
    made = send(client, "POST", "api-clubs", body={"name": "Bone Table", "place": "Graz"})
    assert made.status_code == 201
    slug = made.json()["slug"]
    assert send(client, "PATCH", "api-club", slug, body={"about": "Hi"}).json()["about"] == "Hi"
    link = send(client, "POST", "api-invitations", slug, body={"role": "arbiter", "uses": 1}).json()
    assert link["link"] == f"http://testserver/join/{link['key']}/"
    client.force_login(two)
    assert send(client, "GET", "api-invitation", link["key"]).json()["club"] == "Bone Table"
    joined = send(client, "POST", "api-invitation", link["key"])
    assert (joined.status_code, joined.json()["role"]) == (201, "arbiter")
    assert refused(send(client, "POST", "api-invitation", link["key"]), 422) == "member"
    read = send(client, "GET", "api-club", slug).json()
    assert [(row["name"], row["role"]) for row in read["members"]] == [("one", "organiser"), ("two", "arbiter")]
    assert read["your_role"] == "arbiter"
    assert [row["slug"] for row in send(client, "GET", "api-clubs").json()["results"]] == [slug]
    client.force_login(one)
    member = joined.json()["id"]
    assert send(client, "PATCH", "api-member", slug, member, body={"role": "player"}).json()["role"] == "player"
    assert refused(send(client, "POST", "api-club-leave", slug), 422) == "role"
    assert send(client, "POST", "api-club-hand-over", slug, member).json()["your_role"] == "player"
    assert send(client, "POST", "api-club-leave", slug).status_code == 204
    assert roles_of(slug) == {"two": "organiser"}


def roles_of(slug):
    return dict(Membership.objects.filter(club__slug=slug).values_list("player__username", "role"))


def test_api_handles_requests_and_invitations(client, club):
    bob = as_role(client, club, "stranger")
    asked = send(client, "POST", "api-join-requests", club.slug, body={"message": "Hi"}).json()
    assert send(client, "DELETE", "api-join-request", club.slug, asked["id"]).status_code == 204
    asked = send(client, "POST", "api-join-requests", club.slug, body={}).json()
    refused(send(client, "GET", "api-join-requests", club.slug), 403)
    refused(send(client, "POST", "api-join-request", club.slug, asked["id"], body={"accept": True}), 403)
    client.force_login(ada())
    assert [row["player"] for row in send(client, "GET", "api-join-requests", club.slug).json()] == [bob.username]
    refused(send(client, "DELETE", "api-join-request", club.slug, asked["id"]), 404)
    assert send(client, "POST", "api-join-request", club.slug, asked["id"], body={"accept": True}).status_code == 204
    row = Membership.objects.get(club=club, player=bob)
    assert send(client, "DELETE", "api-member", club.slug, row.pk).status_code == 204
    key = a_link(club, player=bob.username).key
    assert len(send(client, "GET", "api-invitations", club.slug).json()) == 1
    client.force_login(a_player())
    refused(send(client, "GET", "api-invitation", key), 404)
    refused(send(client, "DELETE", "api-invitation", a_link(club).key), 403)
    client.force_login(bob)
    assert send(client, "DELETE", "api-invitation", key).status_code == 204
    assert refused(send(client, "POST", "api-invitation", key), 422) == "invitation"
    client.force_login(ada())
    assert refused(send(client, "DELETE", "api-invitation", key), 422) == "invitation"


@pytest.mark.parametrize(
    ("body", "field", "status"),
    [
        ({}, "name", 400),
        ({"name": 5}, "name", 400),
        ({"name": "x", "owner": 1}, "owner", 400),
        ({"name": "x" * 61}, "name", 400),
        ({"name": "a\u2028b"}, "name", 400),
        ({"name": "Iron Table"}, "name", 422),
        ([], "document", 400),
    ],
)
def test_api_refuses_an_invalid_club(client, club, body, field, status):
    client.force_login(ada())
    assert refused(send(client, "POST", "api-clubs", body=body), status) == field
    assert Club.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "field", "status"),
    [
        ({"role": "king"}, "role", 400),
        ({"role": "organiser"}, "role", 422),
        ({"days": "3"}, "days", 400),
        ({"days": 91}, "days", 422),
        ({"uses": 0}, "uses", 422),
        ({"player": "nobody"}, "player", 422),
    ],
)
def test_api_refuses_an_invalid_invitation(client, club, body, field, status):
    client.force_login(ada())
    assert refused(send(client, "POST", "api-invitations", club.slug, body=body), status) == field
    assert not Invitation.objects.exists()


def test_visitors_change_nothing_through_the_api(client, club):
    assert send(client, "GET", "api-club", club.slug).json()["your_role"] is None
    for name, args in (("api-clubs", ()), ("api-join-requests", (club.slug,)), ("api-invitation", (a_link(club).key,))):
        refused(send(client, "POST", name, *args, body={}), 401)
    assert club.memberships.count() == 1


# --- admin ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def operator(admin_client, admin_user, club):
    add_second_factor(admin_user)
    log_activity(club=club, text="a deed", by=None)
    a_link(club), invitations.join_request_create(club=club, by=a_player())
    return admin_client


def test_admin_lists_clubs_and_protects_the_activity_log(operator, club):
    for name in ("club", "invitation", "joinrequest", "activitylogentry"):
        rows = operator.get(reverse(f"admin:campaigns_{name}_changelist"))
        assert rows.context["cl"].result_count >= 1
        assert text_of(
            operator.get(reverse(f"admin:campaigns_{name}_change", args=[rows.context["cl"].result_list[0].pk]))
        )
    entry = ActivityLogEntry.objects.first()
    assert (
        operator.post(reverse("admin:campaigns_activitylogentry_delete", args=[entry.pk]), {"post": "yes"}).status_code
        == 403
    )


@pytest.mark.parametrize(("role", "kept"), [("organiser", True), ("player", False)])
def test_admin_keeps_an_organiser_in_every_club(operator, club, role, kept):
    row = club.memberships.get()
    a_member(club, "player")
    second = club.memberships.last()
    inline = {"memberships-TOTAL_FORMS": 2, "memberships-INITIAL_FORMS": 2}
    for at, (member, posted_role) in enumerate(((row, role), (second, "player"))):
        fields = {"id": member.pk, "club": club.pk, "player": member.player_id, "role": posted_role}
        inline |= {f"memberships-{at}-{name}": value for name, value in fields.items()}
    answer = operator.post(
        reverse("admin:campaigns_club_change", args=[club.pk]), {"name": "Iron Table", "slug": club.slug, **inline}
    )
    assert (answer.status_code == 302) == kept
    assert club.memberships.filter(role="organiser").exists()
    if not kept:
        assert "A club needs an organiser" in answer.content.decode()


def test_admin_deletes_a_club_with_its_log(operator, club):
    operator.post(reverse("admin:campaigns_club_delete", args=[club.pk]), {"post": "yes"})
    assert not Club.objects.exists()


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_newcomer_joins_by_link_on_a_phone(phone):
    club = a_club(a_player("ada"), place="Graz")
    made = a_link(club, uses=1)
    phone.goto(url("join", made.key))
    assert "ada invites you to join as player" in phone.inner_text("main")
    phone.get_by_role("link", name="Sign up", exact=True).last.click()
    phone.get_by_label("Username").fill("newcomer")
    phone.get_by_label("Email address").fill("newcomer@example.org")
    phone.locator("[name=password1]").fill("a-table-of-bones")
    phone.locator("[name=password2]").fill("a-table-of-bones")
    phone.locator("main").get_by_role("button", name="Sign up").click()
    phone.wait_for_url(f"**{url('join', made.key)}")
    phone.get_by_role("button", name="Join as player").click()
    phone.wait_for_url(f"**{url('club', club.slug)}")
    assert "Welcome to Iron Table" in phone.inner_text("main")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert roles_of(club.slug) == {"ada": "organiser", "newcomer": "player"}
