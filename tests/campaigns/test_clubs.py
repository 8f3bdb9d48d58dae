"""Clubs and their members: founding, roles, handover, and the organiser that a club always keeps."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.utils import timezone

from campaigns.clubs import invitations
from campaigns.clubs import services as clubs
from campaigns.models import ActivityLogEntry, Club, Invitation, JoinRequest, Membership
from rosters.demo import demo_load
from rosters.services import RefusedError
from tests.builders import a_player
from tests.campaigns.builders import a_club, a_member

pytestmark = pytest.mark.django_db


def roles(club):
    return dict(Membership.objects.filter(club=club).values_list("player__username", "role"))


def activity_log_texts(club):
    return list(ActivityLogEntry.objects.filter(club=club).order_by("pk").values_list("text", flat=True))


def settings_of(club, **changed):
    fields = ("name", "about", "place", "is_public", "takes_requests")
    return {**{field: getattr(club, field) for field in fields}, **changed}


def organiser_of(club):
    return club.memberships.get(role="organiser").player


# --- founding and settings --------------------------------------------------------------------------------------------


def test_founder_becomes_organiser_and_is_logged():
    club = clubs.club_create(by=a_player("ada"), name="  Iron   Table ", about="One\r\nTwo", place="Graz")
    assert (club.name, club.slug, club.about) == ("Iron Table", "iron-table", "One\nTwo")
    assert roles(club) == {"ada": "organiser"}
    assert activity_log_texts(club) == ["ada created Iron Table"]


def test_every_club_gets_a_unique_slug():
    by = a_player()
    names = ["Iron Table", "Iron Table!", "Стол", "Стул", "New"]
    slugs = [clubs.club_create(by=by, name=name).slug for name in names]
    assert slugs == ["iron-table", "iron-table-2", "club", "club-2", "new-2"]


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({"name": "iron table"}, "name", "There is already a club called iron table"),
        ({"name": " "}, "name", "must not be empty"),
        ({"name": "x" * 61}, "name", "longer than 60"),
        ({"name": "a\nb"}, "name", "not allowed"),
        ({"about": "x" * 2001}, "about", "longer than 2000"),
        ({"about": "nul\x00"}, "about", "not allowed"),
        ({"place": "x" * 81}, "place", "longer than 80"),
    ],
)
def test_invalid_club_is_refused_at_its_field(fields, field, reason):
    a_club()
    with pytest.raises(RefusedError, match=reason) as refused:
        clubs.club_create(by=a_player(), **{"name": "Bone Table", **fields})
    assert refused.value.field == field
    assert Club.objects.count() == 1


def test_renaming_keeps_the_slug():
    club = a_club()
    by = organiser_of(club)
    changed = clubs.club_change(club=club, by=by, **settings_of(club, name="IRON TABLE", is_public=False))
    assert (changed.name, changed.slug, changed.is_public) == ("IRON TABLE", "iron-table", False)
    (text,) = activity_log_texts(club)
    assert text.endswith("changed the name from Iron Table to IRON TABLE, the club's visibility to members only")
    clubs.club_change(club=club, by=by, **settings_of(changed))
    assert len(activity_log_texts(club)) == 1, "unchanged settings are not logged"


def test_number_of_organised_clubs_is_limited(monkeypatch):
    monkeypatch.setattr(clubs, "MAX_CLUBS", 1)
    by = a_player()
    clubs.club_create(by=by, name="One")
    with pytest.raises(RefusedError, match="Hand one over first"):
        clubs.club_create(by=by, name="Two")


# --- roles ------------------------------------------------------------------------------------------------------------


def test_role_change_is_logged_with_its_author():
    club = a_club(a_player("ada"))
    ada, bob = organiser_of(club), a_member(club, player=a_player("bob"))
    clubs.member_set_role(club=club, by=ada, player=bob, role="arbiter")
    assert roles(club) == {"ada": "organiser", "bob": "arbiter"}
    assert activity_log_texts(club) == ["ada changed bob's role from player to arbiter"]
    with pytest.raises(RefusedError, match="Choose one of organiser, arbiter, player"):
        clubs.member_set_role(club=club, by=ada, player=bob, role="king")


def test_last_organiser_cannot_leave_or_be_removed():
    club = a_club(a_player("ada"))
    ada = organiser_of(club)
    a_member(club, "arbiter")
    acts = [
        lambda: clubs.member_leave(club=club, by=ada),
        lambda: clubs.member_remove(club=club, by=ada, player=ada),
        lambda: clubs.member_set_role(club=club, by=ada, player=ada, role="player"),
    ]
    for act in acts:
        with pytest.raises(RefusedError, match="ada is the last organiser of Iron Table"):
            act()
    assert roles(club)["ada"] == "organiser"
    second = a_member(club, "organiser")
    clubs.member_leave(club=club, by=ada)
    assert organiser_of(club) == second


def test_handover_swaps_the_roles():
    club = a_club(a_player("ada"))
    ada, bob = organiser_of(club), a_member(club, player=a_player("bob"))
    for nobody in (ada, a_player()):
        with pytest.raises(RefusedError):
            clubs.club_hand_over(club=club, by=ada, player=nobody)
    clubs.club_hand_over(club=club, by=ada, player=bob)
    assert roles(club) == {"ada": "player", "bob": "organiser"}
    with pytest.raises(RefusedError, match="Only organisers"):
        clubs.club_hand_over(club=club, by=ada, player=bob)


def test_removed_organiser_loses_their_invitations():
    club = a_club()
    ada, bob = organiser_of(club), a_member(club, "organiser")
    link = invitations.invitation_make(club=club, by=bob)
    clubs.member_remove(club=club, by=ada, player=bob)
    with pytest.raises(RefusedError, match="withdrawn"):
        invitations.invitation_accept(invitation=link, by=bob)
    with pytest.raises(RefusedError, match="isn't a member"):
        clubs.member_remove(club=club, by=ada, player=bob)


@pytest.mark.parametrize("role", ["player", "arbiter", None])
def test_former_organiser_is_refused(role):
    club = a_club()
    other, by = a_member(club), a_member(club, role) if role else a_player()
    link = invitations.invitation_make(club=club, by=organiser_of(club))
    asked = invitations.join_request_create(club=club, by=a_player())
    acts = [
        lambda: clubs.club_change(club=club, by=by, **settings_of(club, name="Mine")),
        lambda: clubs.member_set_role(club=club, by=by, player=other, role="arbiter"),
        lambda: clubs.member_remove(club=club, by=by, player=other),
        lambda: clubs.club_hand_over(club=club, by=by, player=other),
        lambda: invitations.invitation_make(club=club, by=by),
        lambda: invitations.invitation_withdraw(invitation=link, by=by),
        lambda: invitations.join_request_accept(request=asked, by=by),
        lambda: invitations.join_request_decline(request=asked, by=by),
    ]
    before = activity_log_texts(club)
    for act in acts:
        with pytest.raises(RefusedError, match="Only organisers of Iron Table"):
            act()
    assert activity_log_texts(club) == before


# --- invitations ------------------------------------------------------------------------------------------------------


def test_invitation_admits_only_its_number_of_uses():
    club = a_club()
    link = invitations.invitation_make(club=club, by=organiser_of(club), role="arbiter", uses=2)
    for name in ("bob", "eve"):
        invitations.invitation_accept(invitation=link, by=a_player(name))
    with pytest.raises(RefusedError, match="is used up"):
        invitations.invitation_accept(invitation=link, by=a_player())
    assert {roles(club)[name] for name in ("bob", "eve")} == {"arbiter"}


def test_expired_or_withdrawn_invitation_is_refused():
    club = a_club()
    by = organiser_of(club)
    old, gone = (invitations.invitation_make(club=club, by=by) for _ in range(2))
    Invitation.objects.filter(pk=old.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    invitations.invitation_withdraw(invitation=gone, by=by)
    for link, reason in ((old, "has expired"), (gone, "was withdrawn")):
        with pytest.raises(RefusedError, match=reason):
            invitations.invitation_accept(invitation=link, by=a_player())
        with pytest.raises(RefusedError, match=reason):
            invitations.invitation_withdraw(invitation=link, by=by)
    assert len(roles(club)) == 1


def test_member_uses_up_no_invitation():
    club = a_club()
    link = invitations.invitation_make(club=club, by=organiser_of(club), uses=1)
    with pytest.raises(RefusedError, match="You're already a member of Iron Table"):
        invitations.invitation_accept(invitation=link, by=organiser_of(club))
    link.refresh_from_db()
    assert link.uses_left == 1


def test_named_invitation_is_for_that_player_only():
    club = a_club()
    bob, eve = a_player("bob"), a_player("eve")
    made = invitations.invitation_make(club=club, by=organiser_of(club), player="Bob", role="arbiter")
    for act in (invitations.invitation_accept, invitations.invitation_decline):
        with pytest.raises(RefusedError, match="for another player"):
            act(invitation=made, by=eve)
    invitations.invitation_accept(invitation=made, by=bob)
    assert roles(club)["bob"] == "arbiter"


def test_declined_player_can_be_invited_again():
    club = a_club()
    by, bob = organiser_of(club), a_player("bob")
    made = invitations.invitation_make(club=club, by=by, player="bob")
    invitations.invitation_decline(invitation=made, by=bob)
    with pytest.raises(RefusedError, match="withdrawn"):
        invitations.invitation_accept(invitation=made, by=bob)
    assert invitations.invitation_make(club=club, by=by, player="bob").is_open


def test_player_is_found_by_a_unique_display_name():
    club = a_club()
    by, one, two = organiser_of(club), a_player(), a_player()
    type(one).objects.filter(pk__in=(one.pk, two.pk)).update(name_shown="Twin")
    with pytest.raises(RefusedError, match="Several players are called Twin"):
        invitations.invitation_make(club=club, by=by, player="Twin")
    type(one).objects.filter(pk=two.pk).update(name_shown="Other")
    assert invitations.invitation_make(club=club, by=by, player="Twin").player == one


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"days": 0}, "days"),
        ({"days": 91}, "days"),
        ({"uses": 0}, "uses"),
        ({"uses": 301}, "uses"),
        ({"role": "organiser"}, "role"),
        ({"role": "king"}, "role"),
        ({"player": "nobody"}, "player"),
        ({"player": "x\x00"}, "player"),
        ({"player": "member"}, "player"),
        ({"player": "invited"}, "player"),
        ({"player": "asking"}, "player"),
        ({"player": "free", "uses": 2}, "uses"),
    ],
)
def test_invalid_invitation_is_refused_at_its_field(fields, field):
    club = a_club()
    by = organiser_of(club)
    a_member(club, player=a_player("member"))
    a_player("free"), a_player("invited")
    invitations.invitation_make(club=club, by=by, player="invited")
    invitations.join_request_create(club=club, by=a_player("asking"))
    with pytest.raises(RefusedError) as refused:
        invitations.invitation_make(club=club, by=by, **fields)
    assert refused.value.field == field
    assert club.invitations.count() == 1


def test_number_of_open_invitations_is_limited(monkeypatch):
    monkeypatch.setattr(invitations, "MAX_OPEN", 1)
    club = a_club()
    by = organiser_of(club)
    first = invitations.invitation_make(club=club, by=by)
    with pytest.raises(RefusedError, match="Withdraw one first"):
        invitations.invitation_make(club=club, by=by)
    invitations.invitation_withdraw(invitation=first, by=by)
    assert invitations.invitation_make(club=club, by=by).is_open


def test_full_club_admits_nobody(monkeypatch):
    monkeypatch.setattr(clubs, "MAX_MEMBERS", 1)
    club = a_club()
    link = invitations.invitation_make(club=club, by=organiser_of(club), uses=1)
    with pytest.raises(RefusedError, match="is full"):
        invitations.invitation_accept(invitation=link, by=a_player())
    link.refresh_from_db()
    assert link.uses_left == 1


def test_invited_player_gets_a_mail_with_the_link(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://muster.example"]
    club = a_club()
    bob = a_player("bob")
    made = invitations.invitation_make(club=club, by=organiser_of(club), player="bob")
    assert not invitations.invitation_mail(invitation=made)
    type(bob).objects.update(email="bob@example.org")
    made.refresh_from_db()
    assert invitations.invitation_mail(invitation=made)
    (sent,) = mail.outbox
    assert sent.to == ["bob@example.org"]
    assert f"https://muster.example/join/{made.key}/" in sent.body


def test_failing_mail_server_keeps_the_invitation(settings):
    club = a_club()
    bob = a_player("bob")
    type(bob).objects.filter(pk=bob.pk).update(email="bob@example.org")
    made = invitations.invitation_make(club=club, by=organiser_of(club), player="bob")
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert not invitations.invitation_mail(invitation=made)


# --- join requests ----------------------------------------------------------------------------------------------------


def test_join_request_is_accepted_once():
    club = a_club()
    by, bob = organiser_of(club), a_player("bob")
    asked = invitations.join_request_create(club=club, by=bob, message="I have two Wasps")
    with pytest.raises(RefusedError, match="already asked"):
        invitations.join_request_create(club=club, by=bob)
    invitations.join_request_accept(request=asked, by=by)
    assert roles(club)["bob"] == "player"
    for act in (invitations.join_request_accept, invitations.join_request_decline):
        with pytest.raises(RefusedError, match="is already accepted"):
            act(request=asked, by=by)
    with pytest.raises(RefusedError, match="You're already a member of"):
        invitations.join_request_create(club=club, by=bob)


def test_declined_player_can_ask_again_after_a_week():
    club = a_club()
    by, bob = organiser_of(club), a_player("bob")
    asked = invitations.join_request_create(club=club, by=bob)
    invitations.join_request_decline(request=asked, by=by)
    with pytest.raises(RefusedError, match="ask again 7 days after"):
        invitations.join_request_create(club=club, by=bob)
    JoinRequest.objects.update(decided_at=timezone.now() - timedelta(days=8))
    assert invitations.join_request_create(club=club, by=bob).state == "asked"


def test_join_request_is_withdrawn_only_by_its_player():
    club = a_club()
    bob = a_player("bob")
    asked = invitations.join_request_create(club=club, by=bob)
    with pytest.raises(RefusedError, match="another player's"):
        invitations.join_request_withdraw(request=asked, by=a_player())
    invitations.join_request_withdraw(request=asked, by=bob)
    with pytest.raises(RefusedError, match="is already withdrawn"):
        invitations.join_request_accept(request=asked, by=organiser_of(club))


def test_club_without_requests_refuses_them():
    with pytest.raises(RefusedError, match="is invitation only"):
        invitations.join_request_create(club=a_club(takes_requests=False), by=a_player())


def test_joining_by_link_answers_the_request():
    club = a_club()
    bob = a_player()
    asked = invitations.join_request_create(club=club, by=bob)
    invitations.invitation_accept(invitation=invitations.invitation_make(club=club, by=organiser_of(club)), by=bob)
    asked.refresh_from_db()
    assert asked.state == "accepted"


# --- races ------------------------------------------------------------------------------------------------------------


def run_concurrently(acts):
    """Return the result of each act, all started together: True, or the reason of the refusal."""
    gate = threading.Barrier(len(acts))

    def run(act):
        try:
            gate.wait()
            act()
            return True
        except RefusedError as error:
            return error.reason
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.mark.django_db(transaction=True)
def test_concurrent_leaving_keeps_one_organiser():
    club = a_club()
    everybody = [organiser_of(club), *(a_member(club, "organiser") for _ in range(9))]
    answers = run_concurrently([lambda by=by: clubs.member_leave(club=club, by=by) for by in everybody])
    assert answers.count(True) == 9
    assert club.memberships.filter(role="organiser").count() == 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_demotions_keep_one_organiser():
    club = a_club()
    everybody = [organiser_of(club), *(a_member(club, "organiser") for _ in range(8))]
    acts = []
    for at, by in enumerate(everybody):
        other = everybody[(at + 1) % len(everybody)]
        acts.append(
            [
                lambda by=by, other=other: clubs.member_remove(club=club, by=by, player=other),
                lambda by=by, other=other: clubs.member_set_role(club=club, by=by, player=other, role="player"),
                lambda by=by: clubs.member_set_role(club=club, by=by, player=by, role="player"),
            ][at % 3]
        )
    run_concurrently(acts)
    assert club.memberships.filter(role="organiser").count() >= 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_joins_respect_the_number_of_uses():
    club = a_club()
    link = invitations.invitation_make(club=club, by=organiser_of(club), uses=3)
    answers = run_concurrently(
        [lambda by=by: invitations.invitation_accept(invitation=link, by=by) for by in [a_player() for _ in range(20)]]
    )
    assert answers.count(True) == 3
    assert {answer for answer in answers if answer is not True} == {
        "This invitation to Iron Table is used up. Ask an organiser for a new one."
    }
    assert club.memberships.count() == 4


@pytest.mark.django_db(transaction=True)
def test_concurrent_joins_of_one_player_count_once():
    club, bob = a_club(), a_player()
    link = invitations.invitation_make(club=club, by=organiser_of(club), uses=5)
    answers = run_concurrently([lambda: invitations.invitation_accept(invitation=link, by=bob)] * 20)
    assert answers.count(True) == 1
    link.refresh_from_db()
    assert link.uses_left == 4


@pytest.mark.django_db(transaction=True)
def test_concurrent_founding_of_one_name_succeeds_once():
    acts = [lambda by=by: clubs.club_create(by=by, name="Iron Table") for by in [a_player() for _ in range(20)]]
    answers = run_concurrently(acts)
    assert answers.count(True) == 1
    assert all("Choose another name" in answer for answer in answers if answer is not True)


@pytest.mark.django_db(transaction=True)
def test_concurrent_join_requests_make_one():
    club, bob = a_club(), a_player()
    answers = run_concurrently([lambda: invitations.join_request_create(club=club, by=bob)] * 20)
    assert answers.count(True) == 1
    assert club.requests.count() == 1


# --- demo -------------------------------------------------------------------------------------------------------------


def test_demo_makes_one_club_with_members(settings, tmp_path):
    settings.VAR_DIR, settings.DEMO_PASSWORD = tmp_path, "sesame-for-the-demo"
    taken = a_player("demo-mina")  # another player of that name, not part of the demo
    a_club(name="The Bone Table")
    first, again = demo_load(), demo_load()
    club = Club.objects.get(name="The Bone Table 2")
    assert roles(club) == {"demo": "organiser", "demo-orla": "arbiter", "demo-teodor": "player"}
    assert [part.name for part in first.parts] == [club.name] == [part.name for part in again.parts]
    assert (again.made, Club.objects.count(), taken.memberships.count()) == (0, 2, 0)
