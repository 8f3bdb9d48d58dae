"""An archive gives its players no usernames, so a forged one takes nobody's name and imitates nobody."""

from __future__ import annotations

import io

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.archive.services import club_restore_now
from campaigns.clubs.invitations import find_player
from campaigns.models import Membership, Placeholder
from rosters.models import Player
from rosters.services import RefusedError
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_member, a_mustered_company, an_enrolment

from .clubs import archived, emptied, rows_in
from .test_bad_archives import forged, with_manifest

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
WORDS = {"password1": "four-new-words", "password2": "four-new-words"}


@pytest.fixture
def data():
    """An archive of a club with the member kim, on a site that has nobody else left."""
    club = a_club(a_player("olga"), name="Iron Table")
    an_enrolment(a_campaign(club), a_mustered_company(a_member(club, player=a_player("kim")), name="Ants"))
    found = archived(club)
    emptied()
    return found


@pytest.fixture
def club(data):
    return club_restore_now(file=io.BytesIO(data), by=a_player("nora"), stands_for="olga").club


def signed_up(name: str) -> int:
    """Return the status of a sign-up under this name."""
    given = {"username": name, "email": f"{name}@example.org", **WORDS}
    return Client().post(reverse("account_signup"), given).status_code


def test_restored_archive_takes_no_user_name(club):
    assert not Player.objects.filter(username="kim").exists()
    kim = Placeholder.objects.get().player
    assert (str(kim), kim.name_shown) == ("kim", "kim")
    assert signed_up("kim") == 302
    assert Player.objects.get(username="kim").pk != kim.pk


def test_placeholder_user_names_are_reserved(club):
    username = Placeholder.objects.get().player.username
    assert username.startswith("place-")
    assert signed_up("place-7k2m") == 200
    assert not Player.objects.filter(username="place-7k2m").exists()


def test_taken_name_must_be_replaced_when_claiming_a_place(client, club):
    a_player("Kim")
    link = reverse("campaigns:reserved_place", args=[Placeholder.objects.get().key])
    assert 'value="kim"' not in client.get(link).content.decode()
    assert client.post(link, {"username": "kim", **WORDS}).status_code == 422
    assert client.post(link, {"username": "kim-of-ants", **WORDS}).status_code == 302
    assert str(Player.objects.get(username="kim-of-ants")) == "kim"


def test_place_offers_the_former_name_while_free(client, club):
    link = reverse("campaigns:reserved_place", args=[Placeholder.objects.get().key])
    assert 'value="kim"' in client.get(link).content.decode()
    assert client.post(link, {"username": "kim", **WORDS}).status_code == 302
    assert Player.objects.get(username="kim").name_shown == ""


def test_forged_archive_gives_nobody_a_staff_name(data):
    def staff(rows):
        next(row for row in rows if row["username"] == "kim").update(
            username="wanda", name_shown="", left_at="2026-01-01T00:00:00Z"
        )

    people = [{"name": "olga", "shown": "olga", "role": "organiser"}, {"name": "wanda", "shown": "a", "role": "player"}]
    sent = with_manifest(forged(data, rosters_player=staff), people=people)
    club_restore_now(file=io.BytesIO(sent), by=a_player("nora"), stands_for="olga")
    assert set(Player.objects.values_list("username", flat=True)) == {
        "nora", f"left-{Player.objects.exclude(username='nora').get().pk}"
    }  # fmt: skip
    assert signed_up("wanda") == 302


def test_invisible_characters_are_removed_from_names(data):
    def unseen(rows):
        next(row for row in rows if row["username"] == "kim")["name_shown"] = "nora\u202e\u200b"

    club_restore_now(file=io.BytesIO(forged(data, rosters_player=unseen)), by=a_player("nora"), stands_for="olga")
    assert Placeholder.objects.get().player.name_shown == "nora"


def test_placeholder_cannot_be_invited_and_blocks_no_name(club):
    with pytest.raises(RefusedError, match="There is no player called kim"):
        find_player("kim")
    alias = Player.objects.create_user("al77", name_shown="kim")
    assert find_player("kim") == alias


def test_members_page_marks_players_not_yet_there(client, club):
    client.force_login(Player.objects.get(username="nora"))
    text = client.get(reverse("campaigns:club_members", args=[club.slug])).content.decode()
    assert "hasn’t signed in yet" in text
    assert "place-" not in text


def test_repacked_archive_keeps_the_names(data, club):
    found = rows_in(archived(club))["rosters.player"]
    assert [(row["username"], row["name_shown"]) for row in found] == [("nora", ""), ("kim", "")]


def test_repacked_archive_keeps_players_of_equal_name_apart(club):
    Membership.objects.create(club=club, player=a_player("kim"))
    again = archived(club)
    names = [row["username"] for row in rows_in(again)["rosters.player"]]
    assert len({*names}) == 3
    emptied()
    made = club_restore_now(file=io.BytesIO(again), by=a_player("nora"), stands_for="nora").club
    assert made.memberships.count() == 3
