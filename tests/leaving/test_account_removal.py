"""The operator removes an account, by command or in the admin, and lists accounts by usage."""

from __future__ import annotations

import io
import re
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.urls import reverse

from campaigns.models import ActivityLogEntry, Campaign, Club, Enrolment, Match, Membership
from rosters.accounts.deletion import account_deletion_request, account_remove
from rosters.models import AccessToken, Company, Design, Player, Portrait
from rosters.services import RefusedError, design_save
from rosters.services.retention import usage_by_player
from tests.accounts.builders import add_second_factor
from tests.builders import SYSTEM, WASP, a_company, a_crewed_unit, a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_round, an_enrolment
from tests.leaving.builders import NAME, a_leaver, a_world_with, names_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def player():
    return a_leaver()


def command(name, *options):
    out = io.StringIO()
    call_command(name, *options, stdout=out)
    return out.getvalue()


def test_account_is_removed_with_its_companies_clubs_and_designs(player):
    a_crewed_unit(a_company(player))
    a_campaign(a_club(player))
    design_save(author=player, system=SYSTEM, name="Cheap watches", spec=WASP, visibility="public")
    a_token(player)
    assert f"The account {NAME} is removed." in command("remove_account", NAME, "--yes")
    player.refresh_from_db()
    assert not player.is_active
    assert names_in(f"{player.username} {player} {player.email}") == []
    assert not AccessToken.objects.exists()
    assert not Company.objects.exists()
    assert not Design.objects.exists()


def test_arbiter_becomes_organiser_of_the_club(player):
    club = a_club(player)
    a_member(club)
    arbiter = a_member(club, role="arbiter")
    assert f"{arbiter} is now an organiser of Iron Table." in command("remove_account", NAME, "--yes")
    assert Membership.objects.get(club=club, role="organiser").player == arbiter
    assert not names_in(" ".join(ActivityLogEntry.objects.values_list("text", flat=True)))


def test_longest_standing_member_who_stays_becomes_organiser(player):
    club = a_club(player)
    first, leaver = a_member(club), a_member(club)
    account_deletion_request(player=leaver, name="Player who left", typed=leaver.username)
    account_remove(player=player)
    assert Membership.objects.get(club=club, role="organiser").player == first


def test_club_with_another_organiser_does_not_change(player):
    club = a_club()
    organiser = Membership.objects.get(club=club).player
    a_member(club, role="organiser", player=player)
    assert account_remove(player=player) == []
    assert list(club.memberships.values_list("player", "role")) == [(organiser.pk, "organiser")]


def test_campaign_of_others_continues_without_the_clubs_only_member(player):
    campaign = a_campaign(a_club(player))
    an_enrolment(campaign, a_company())
    account_remove(player=player)
    assert Club.objects.filter(pk=campaign.club_id).exists()
    assert Campaign.objects.get().enrolments.get().state != "withdrawn"


def test_company_with_matches_against_others_stays_private_and_withdrawn(player):
    campaign = a_campaign()
    company = a_company(player, visibility="public")
    mine = an_enrolment(campaign, company)
    other = an_enrolment(campaign, a_company())
    match = a_match(a_round(campaign), mine, other)
    account_remove(player=player)
    company.refresh_from_db()
    assert company.visibility == "private"
    assert Match.objects.filter(pk=match.pk).exists()
    assert Enrolment.objects.get(pk=mine.pk).state == "withdrawn"


@pytest.mark.slow
def test_player_with_rows_in_every_table_can_be_removed(player):
    a_world_with(player)
    account_remove(player=player)
    player.refresh_from_db()
    assert player.left_at is not None
    assert not Player.objects.filter(username=NAME).exists()


def test_last_administrator_is_not_removed(player):
    Player.objects.filter(pk=player.pk).update(is_superuser=True, is_staff=True)
    with pytest.raises(CommandError, match="last administrator"):
        command("remove_account", NAME)  # refused before the question


def test_removed_accounts_and_guests_are_refused(player):
    account_remove(player=player)
    with pytest.raises(RefusedError, match="has already left"):
        account_remove(player=player)
    guest = Player.objects.create_user("guest-1", name_shown="Cy", is_guest=True)
    with pytest.raises(RefusedError, match="Cy is a guest"):
        account_remove(player=guest)


def test_command_lists_consequences_and_asks_first(player, monkeypatch):
    a_company(player)
    monkeypatch.setattr("builtins.input", lambda question: "no")
    with pytest.raises(CommandError, match="Nothing was removed"):
        command("remove_account", NAME)
    monkeypatch.setattr("builtins.input", Mock(side_effect=EOFError))  # without a terminal
    with pytest.raises(CommandError, match="Nothing was removed"):
        command("remove_account", NAME)
    monkeypatch.setattr("builtins.input", lambda question: NAME)
    design_save(author=player, system=SYSTEM, name="Cheap watches", spec=WASP, visibility="public")
    output = command("remove_account", NAME)
    assert "1 company that never joined a campaign: deleted" in output
    assert "1 public design: deleted" in output
    assert not re.search(r"\byour?s?\b", output)
    with pytest.raises(CommandError, match="there is no player"):
        command("remove_account", NAME, "--yes")


@pytest.fixture
def admin(client):
    boss = a_player("boss")
    Player.objects.filter(pk=boss.pk).update(is_superuser=True, is_staff=True)
    add_second_factor(boss)
    client.force_login(boss)
    return client


def test_admin_removes_an_account_after_confirmation(admin, player):
    a_crewed_unit(a_company(player))
    page = reverse("admin:rosters_player_changelist")
    form = {"action": "remove_accounts", "_selected_action": [player.pk]}
    answer = admin.post(page, form)
    assert "1 company that never joined a campaign: deleted" in answer.content.decode()
    assert Company.objects.exists()
    answer = admin.post(page, {**form, "confirmed": "yes"}, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [f"{NAME} is removed."]
    assert not Company.objects.exists()
    assert "Delete" not in admin.get(reverse("admin:rosters_player_change", args=[player.pk])).content.decode()


def test_staff_without_delete_permission_remove_nobody(admin, player):
    Player.objects.filter(username="boss").update(is_superuser=False)
    Player.objects.get(username="boss").user_permissions.add(
        *Permission.objects.filter(codename__in=["view_player", "change_player"])
    )
    page = reverse("admin:rosters_player_changelist")
    admin.post(page, {"action": "remove_accounts", "_selected_action": [player.pk], "confirmed": "yes"})
    player.refresh_from_db()
    assert player.left_at is None


def test_usage_lists_the_largest_accounts_first(player, tmp_path):
    a_crewed_unit(a_company(player))
    other = a_player("ann")
    job = other.prints.create(title="Cards", content={}, status="done", previews=1)
    (tmp_path / "prints").mkdir()
    (tmp_path / job.file_name).write_bytes(b"x" * 3000)
    (tmp_path / job.preview_name(1)).write_bytes(b"x" * 96)
    (tmp_path / "left-over").write_bytes(b"x")
    a_player("idle")
    picture = Portrait(company=Company.objects.get(), digest="d", picture=b"x" * 40, width=8, height=8)
    picture.save()
    first, second = usage_by_player()
    assert (first.username, first.prints, first.files, first.companies) == ("ann", 1, 3096, 0)
    assert (second.username, second.companies, second.files) == (NAME, 1, 40)
    assert second.rows > 4, "the company, its unit, its pilot, its ledger"
    lines = command("usage").splitlines()
    assert lines[0].split() == ["account", "companies", "prints", "battles", "rows", "files"]
    assert lines[1].startswith("ann ")
    assert lines[1].endswith("3.0 KB")
    assert lines[-1].startswith("2 accounts with data of their own; database ")
    assert lines[-1].endswith("files 3.0 KB")
    assert len(command("usage", "--top", "1").splitlines()) == 3
