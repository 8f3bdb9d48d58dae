"""Player names: none that imitates another player of the club, or the people who run the site."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from campaigns.clubs.invitations import invitation_accept, invitation_make, join_request_accept, join_request_create
from campaigns.clubs.services import member_add
from campaigns.guests.services import find_link, guest_claim, guest_invite
from campaigns.models import JoinRequest, Membership
from rosters.accounts.deletion import account_deletion_request
from rosters.models import Player
from rosters.services import RefusedError
from tests.builders import a_player

from .builders import a_club, a_member

pytestmark = pytest.mark.django_db
ALICES = ["alice", "Alice", "аlice", "al1ce", "A.l.i.c.e", "ALICE ", "álice"]  # the third begins with a Cyrillic letter


@pytest.fixture
def club():
    return a_club(a_player("alice"))


@pytest.fixture
def bob(club):
    return a_member(club, player=a_player("bob"))


def rename(client, player, name):
    client.force_login(player)
    answer = client.post(reverse("rosters:profile"), {"name_shown": name, "time_zone": "", "paper": "a4"})
    player.refresh_from_db()
    return answer


@pytest.mark.parametrize("name", ALICES)
def test_member_cannot_show_themselves_as_another_member(client, bob, name):
    answer = rename(client, bob, name)
    assert answer.status_code == 422
    assert "looks like alice, who is in a club with you" in answer.content.decode()
    assert bob.name_shown == ""


def test_shown_name_of_another_member_is_taken_too(client, club, bob):
    Player.objects.filter(username="alice").update(name_shown="Captain Moss")
    assert rename(client, bob, "captain rnoss").status_code == 422
    assert rename(client, bob, "Captain Fern").status_code == 302


def test_guest_of_the_club_cannot_be_imitated(client, club, bob):
    guest_invite(club=club, by=Player.objects.get(username="alice"), name="Dora")
    assert rename(client, bob, "Dоra").status_code == 422


def test_player_of_other_clubs_may_have_the_name(client, club):
    assert rename(client, a_member(a_club(name="Other Table"), player=a_player("carl")), "alice").status_code == 302


def test_older_name_stays_when_other_settings_change(client, bob):
    Player.objects.filter(pk=bob.pk).update(name_shown="alice")
    assert rename(client, bob, "alice").status_code == 302


@pytest.mark.parametrize("name", ["admin", "Adm1n", "The Organiser", "Muster", "Muster Team", "Support", "sуstem"])
def test_reserved_name_is_refused_for_display_and_user_name(client, name):
    bob = a_player("bob")
    answer = rename(client, bob, name)
    assert answer.status_code == 422
    assert "reserved" in answer.content.decode()
    assert "reserved" in sign_up(client, name.replace(" ", "_")).content.decode()
    assert Player.objects.count() == 1


@pytest.mark.parametrize("name", ["System Shock", "Modern", "Adminton", "Ada Organ"])
def test_name_that_only_holds_a_reserved_word_is_fine(client, name):
    assert rename(client, a_player("bob"), name).status_code == 302


def sign_up(client, username):
    cache.clear()  # reset the limit on sign-ups
    client.logout()
    word = "battle-ready-9"
    form = {"username": username, "email": "new@example.com", "password1": word, "password2": word}
    return client.post(reverse("account_signup"), form)


@pytest.mark.parametrize("name", ["аlice", "al1ce", "alice_", "a.lice"])
def test_user_name_that_looks_like_another_is_refused(client, club, name):
    assert "looks like this one" in sign_up(client, name).content.decode()
    assert Player.objects.count() == 1
    assert sign_up(client, "alicia").status_code == 302


def impostor():
    return Player.objects.create_user("mallory", name_shown="аlice")


def test_lookalike_of_a_member_cannot_join(club):
    organiser, mallory = Player.objects.get(username="alice"), impostor()
    invitation = invitation_make(club=club, by=organiser)
    with pytest.raises(RefusedError, match="alice is already in Iron Table"):
        invitation_accept(invitation=invitation, by=mallory)
    with pytest.raises(RefusedError, match="alice is already in Iron Table"):
        join_request_create(club=club, by=mallory)
    with pytest.raises(RefusedError, match="alice is already in Iron Table"):
        invitation_make(club=club, by=organiser, player="mallory")
    mallory.name_shown = "Mallory"
    mallory.save()
    invitation_accept(invitation=invitation, by=mallory)
    assert Membership.objects.filter(club=club, player=mallory).exists()


def test_lookalike_renamed_after_asking_cannot_join(client, club):
    mallory = a_player("mallory")
    request = join_request_create(club=club, by=mallory)
    assert rename(client, mallory, "alice").status_code == 302
    with pytest.raises(RefusedError, match="alice is already in Iron Table"):
        join_request_accept(request=request, by=Player.objects.get(username="alice"))
    assert JoinRequest.objects.get().state == "asked"


def test_takeover_keeps_the_guests_name_but_refuses_lookalikes(club):
    organiser = Player.objects.get(username="alice")
    _, key = guest_invite(club=club, by=organiser, name="Dora")
    with pytest.raises(RefusedError, match="alice is already in Iron Table"):
        guest_claim(link=find_link(key), by=impostor())
    guest_claim(link=find_link(key), by=Player.objects.create_user("dora"))
    assert set(Membership.objects.values_list("player__username", flat=True)) == {"alice", "dora"}


def test_guest_cannot_have_a_reserved_name(club):
    with pytest.raises(RefusedError, match="reserved"):
        guest_invite(club=club, by=Player.objects.get(username="alice"), name="Arbiter")


def test_reserved_name_for_a_leaving_player_is_refused(bob):
    with pytest.raises(RefusedError, match="reserved"):
        account_deletion_request(player=bob, name="Organiser", typed="bob")


def test_member_added_by_a_service_is_checked_too(club):
    with pytest.raises(RefusedError, match="looks too similar"):
        member_add(club=club, player=impostor(), role="player")
