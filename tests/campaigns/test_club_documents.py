"""Export and import of clubs as club/1 documents; invalid documents are refused and nothing is saved."""

from __future__ import annotations

import copy
import io
import json
from typing import get_args

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from campaigns.archive import club_document as documents
from campaigns.archive.club_document import read_club
from campaigns.archive.club_document_rows import club_document, club_import
from campaigns.friendlies.services import friendly_round
from campaigns.models import (
    AbsentRule,
    Campaign,
    CampaignState,
    Club,
    DecidedBy,
    EnrolmentState,
    Friendly,
    Match,
    MatchState,
    Outcome,
    Pairing,
    Role,
    RoundState,
    Territory,
    TerritoryMap,
)
from rosters.models import Company, Player
from systems.documents import DocumentError
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.test_friendlies import announced, fought

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    """A club with an arbiter, a draft, and a running campaign of three companies with a closed and an open round."""
    club = a_club(a_player("ada"), about="We meet\non Thursdays", place="Graz", is_public=False)
    a_member(club, "arbiter", a_player("bob"))
    a_campaign(club, state="draft", name="Next year")
    war = a_campaign(club, map_kind="zones", about="Long")
    first, second, third = (an_enrolment(war, orders={"doctrine": "cautious"}) for _ in range(3))
    zone = Territory.objects.create(campaign=war, position=1, name="Wood", home=second)
    now = timezone.now()
    closed = a_round(war, state="closed", closed_at=now)
    decided = {"decided_at": now, "decided_by": "agreement", "dice": None}
    a_match(closed, first, second, territory=zone, state="confirmed", outcome="defender", **decided)
    a_match(closed, third, first, state="forfeited", outcome="attacker", **decided)
    current = a_round(war)
    a_match(current, second, third)
    match = a_match(current, first, defender=second, state="bye", dice=None)
    Match.objects.filter(pk=match.pk).update(defender=None)
    return club


def run(*args):
    out = io.StringIO()
    call_command(*args, stdout=out)
    return out.getvalue()


def refused(*args):
    with pytest.raises(CommandError) as error:
        call_command(*args, stdout=io.StringIO())
    assert error.value.returncode == 2
    assert "\n" not in str(error.value)
    return str(error.value)


def counts():
    return [model.objects.count() for model in (Club, Campaign, Match, Player, Company)]


def test_exported_club_imports_unchanged(club, tmp_path):
    path = tmp_path / "club.json"
    text = run("export_club", club.slug)
    path.write_text(text)
    assert "Copy is club" in run("import_club", str(path), "--name", "Copy")
    made = Club.objects.get(name="Copy")
    assert {**json.loads(run("export_club", str(made.pk))), "name": "Iron Table"} == json.loads(text)
    scheduled = Match.objects.get(round__campaign__club=made, state="scheduled")
    assert scheduled.dice.commitment
    assert Match.objects.filter(round__campaign__club=made, dice=None).count() == 3
    assert made.diary.get().text == "Copy was imported"


def test_autoplay_orders_are_exported_only_after_the_campaign(club):
    war = club.campaigns.get(name="Spring War")
    assert "cautious" not in run("export_club", club.slug)
    Campaign.objects.filter(pk=war.pk).update(state="finished", finished_at=timezone.now())
    rows = json.loads(run("export_club", club.slug))["campaigns"][1]["companies"]
    assert [row["orders"] for row in rows] == [{"doctrine": "cautious"}] * 3


FRIENDLY = {
    "company": "c1",
    "opponent": "Militia",
    "at": "2026-03-01T19:00:00+00:00",
    "outcome": "lost",
    "commitment": "a" * 64,
}


def test_imported_friendlies_count_without_their_battles(club, client):
    war = club.campaigns.get(name="Spring War")
    Campaign.objects.filter(pk=war.pk).update(friendlies=1)
    document = club_document(club)
    assert [round_["friendlies"] for round_ in document["campaigns"][1]["rounds"]] == [[], []]
    document["campaigns"][1]["rounds"][1]["friendlies"] = [FRIENDLY]
    made = club_import(document=read_club({**document, "name": "Copy"})).club
    assert {**club_document(made), "name": document["name"]} == document
    row = Friendly.objects.get()
    assert (row.battle, row.outcome) == (None, "lost")
    Match.objects.filter(round=row.round).delete()
    assert friendly_round(row.enrolment)[1].endswith("has played its friendly game of Round 2.")
    client.force_login(row.enrolment.company.owner)
    page = client.get(reverse("campaigns:friendlies", args=[row.round.campaign_id]))
    assert "against Militia" in page.content.decode()
    (line,) = client.get(reverse("api-friendlies", args=[row.round.campaign_id])).json()
    assert (line["battle"], line["commitment"], line["outcome"]) == (None, "a" * 64, "lost")


def test_friendly_is_exported_only_after_its_battle(club):
    war = club.campaigns.get(name="Spring War")
    Campaign.objects.filter(pk=war.pk).update(friendlies=1)
    Match.objects.filter(round__state="open").delete()
    enrolment = war.enrolments.order_by("pk")[0]
    friendly = announced(enrolment)
    assert club_document(club)["campaigns"][1]["rounds"][1]["friendlies"] == []
    fought(friendly)
    (told,) = club_document(club)["campaigns"][1]["rounds"][1]["friendlies"]
    assert (told["company"], told["commitment"]) == ("c1", friendly.battle.dice.commitment)
    assert told["outcome"] in ("won", "drawn", "lost")


def test_document_without_friendlies_is_accepted(club):
    document = club_document(club)
    for round_ in document["campaigns"][1]["rounds"]:
        del round_["friendlies"]
    assert club_import(document=read_club({**document, "name": "Copy"})).club.name == "Copy"


@pytest.mark.parametrize("wrong", [{"company": "c9"}, {"outcome": "failed"}, {"commitment": "abc"}, {"opponent": ""}])
def test_invalid_friendly_is_refused(club, wrong):
    document = club_document(club)
    document["campaigns"][1]["rounds"][0]["friendlies"] = [{**FRIENDLY, **wrong}]
    with pytest.raises(DocumentError, match="friendlies"):
        read_club(document)


@pytest.mark.parametrize(
    ("part", "value", "place"),
    [
        ("scenarios", [{"value": "no-such", "name": "X"}], r"campaigns\[1\]\.scenarios\[0\]\.value: unknown scenario"),
        ("scenarios", [{"value": {"x": 1}, "name": "X"}], r"campaigns\[1\]\.scenarios\[0\]\.value"),
        ("tie_breakers", ["luck"], r"campaigns\[1\]\.tie_breakers\[0\]: unknown tie-breaker"),
    ],
)
def test_unplayable_campaign_setting_is_refused(club, part, value, place):
    document = club_document(club)
    document["campaigns"][1][part] = value
    with pytest.raises(DocumentError, match=place):
        read_club(document)


@pytest.mark.parametrize(
    "orders", [{"x": [1]}, {"doctrine": "no-such"}, {"standing": {"all": {"x": 1}}}, {"standing": 7}]
)
def test_invalid_orders_are_refused(club, orders):
    document = club_document(club)
    document["campaigns"][1]["companies"][0]["orders"] = orders
    with pytest.raises(DocumentError, match=r"campaigns\[1\]\.companies\[0\]\.orders"):
        read_club(document)


@pytest.mark.parametrize("friendlies", [-1, 6])
def test_number_of_friendlies_is_limited(club, friendlies):
    document = club_document(club)
    document["campaigns"][0]["friendlies"] = friendlies
    with pytest.raises(DocumentError, match="friendlies"):
        read_club(document)


def test_undecided_match_is_exported_as_scheduled(club):
    Match.objects.filter(state="scheduled").update(state="disputed")
    last = club_document(club)["campaigns"][1]["rounds"][1]["matches"]
    assert [match["state"] for match in last] == ["scheduled", "bye"]


def test_taken_club_name_is_refused_without_changes(club, tmp_path):
    path = tmp_path / "club.json"
    path.write_text(run("export_club", club.slug))
    before = counts()
    assert "a club called Iron Table already" in refused("import_club", str(path))
    assert counts() == before


def test_unknown_players_are_named_or_left_out(club):
    document = club_document(club)
    document["name"] = "Copy"
    document["members"].append({**document["members"][1], "player": "ghost"})
    before = counts()
    with pytest.raises(ValueError, match=r"There is no player ghost \(arbiter\) here"):
        club_import(document=read_club(document))
    assert counts() == before
    imported = club_import(document=read_club(document), leave_out=True)
    assert imported.left_out == ("player ghost (arbiter)",)
    assert imported.club.memberships.count() == len(document["members"]) - 1
    assert imported.club.campaigns.count() == 2


def test_campaign_with_unknown_companies_is_refused_or_left_out(club):
    document = club_document(club)
    document["name"] = "Copy"
    document["campaigns"][1]["companies"][0]["name"] = "Nobody's"
    before = counts()
    with pytest.raises(
        ValueError, match=r"has no company called Nobody's here\. Import it with import_company first\."
    ):
        club_import(document=read_club(document))
    assert counts() == before
    imported = club_import(document=read_club(document), leave_out=True)
    assert [campaign.name for campaign in imported.club.campaigns.all()] == ["Next year"]
    assert "campaign Spring War, for want of company Nobody's" in imported.left_out[0]


def test_ambiguous_company_name_is_refused(club):
    document = {**club_document(club), "name": "Copy"}
    name = document["campaigns"][1]["companies"][0]["name"]
    company = Company.objects.get(name=name)
    a_mustered_company(company.owner, name=name)
    with pytest.raises(ValueError, match=f"{company.owner.username} has 2 companies called {name}. Rename one"):
        club_import(document=read_club(document))


def test_club_without_known_organisers_is_refused(club):
    document = club_document(club)
    document["name"] = "Copy"
    document["members"][0]["player"] = "ghost"
    with pytest.raises(ValueError, match="None of the club's organisers is here"):
        club_import(document=read_club(document), leave_out=True)


WAR = ("campaigns", 1)
FIRST = (*WAR, "rounds", 0, "matches", 0)
BAD = [
    (("muster",), "club/2", "muster"),
    (("name",), "", "name"),
    (("name",), "a\nb", "name"),
    (("about",), "nul\u0001", "about"),
    (("owner",), "ada", "owner"),
    (("members",), [], "members"),
    (("members", 0, "role"), "king", "members[0].role"),
    (("members", 0, "role"), "player", "members"),
    (("members", 1, "player"), "ADA", "members[1].player"),
    (("members", 0, "joined_at"), "yesterday", "members[0].joined_at"),
    ((*WAR, "name"), "Next year", "campaigns[1].name"),
    ((*WAR, "system"), "chess", "campaigns[1].system"),
    ((*WAR, "options"), {"flying": True}, "campaigns[1].options"),
    ((*WAR, "points"), -1, "campaigns[1].points"),
    ((*WAR, "state"), "draft", "campaigns[1].mustering_at"),
    ((*WAR, "finished_at"), "2026-05-03T19:02:00+00:00", "campaigns[1].finished_at"),
    ((*WAR, "running_at"), None, "campaigns[1].running_at"),
    ((*WAR, "companies", 1, "key"), "c1", "campaigns[1].companies[1].key"),
    ((*WAR, "territories", 0, "home"), "c9", "campaigns[1].territories[0].home"),
    ((*WAR, "rounds", 1, "number"), 1, "campaigns[1].rounds[1].number"),
    ((*WAR, "rounds", 0, "closed_at"), None, "campaigns[1].rounds[0].closed_at"),
    ((*FIRST, "attacker"), "c9", "campaigns[1].rounds[0].matches[0].attacker"),
    ((*FIRST, "defender"), "c1", "campaigns[1].rounds[0].matches[0].defender"),
    ((*FIRST, "defender"), None, "campaigns[1].rounds[0].matches[0].defender"),
    ((*FIRST, "territory"), 7, "campaigns[1].rounds[0].matches[0].territory"),
    ((*FIRST, "outcome"), "", "campaigns[1].rounds[0].matches[0].outcome"),
    ((*FIRST, "state"), "scheduled", "campaigns[1].rounds[0].matches[0].state"),
    ((*FIRST, "decided_at"), None, "campaigns[1].rounds[0].matches[0].decided_at"),
    ((*FIRST, "decided_by"), "nobody", "campaigns[1].rounds[0].matches[0].decided_by"),
]


def test_invalid_document_is_refused_with_its_path(club, tmp_path):
    good = club_document(club)
    path = tmp_path / "club.json"
    before = counts()
    for place, value, field in BAD:
        document = copy.deepcopy(good)
        target = document
        for step in place[:-1]:
            target = target[step]
        target[place[-1]] = value
        with pytest.raises(DocumentError) as error:
            read_club(document)
        assert error.value.path == field, (place, str(error.value))
        path.write_text(json.dumps(document))
        assert refused("import_club", str(path)).startswith(f"{field}: ")
    assert counts() == before


def test_import_accepts_large_clubs_and_refuses_oversized_files(club, tmp_path):
    document = club_document(club)
    draft = document["campaigns"][0]
    document["campaigns"] = [{**draft, "name": f"Plan {at}", "about": "ä" * 2000} for at in range(100)]
    document["name"] = "Copy"
    path = tmp_path / "club.json"
    path.write_text(json.dumps(document))
    assert path.stat().st_size > 1024 * 1024
    run("import_club", str(path))
    assert Club.objects.get(name="Copy").campaigns.count() == 100
    path.write_text(" " * (4 * 1024 * 1024 + 1))
    assert refused("import_club", str(path)) == "document: larger than 4096 KiB"


@pytest.mark.parametrize("name", ["nowhere", "9" * 30, "99", "x\x00"])
def test_unknown_club_is_not_exported(name):
    assert refused("export_club", name).startswith("id: there is no club")


def test_document_choices_match_model_choices():
    def words(model, field):
        return set(get_args(model.model_fields[field].annotation))

    assert words(documents.ClubMember, "role") == set(Role.values)
    assert words(documents.ClubCompany, "state") == set(EnrolmentState.values)
    assert words(documents.ClubMatch, "outcome") == set(Outcome.values)
    assert words(documents.ClubMatch, "decided_by") == {"", *DecidedBy.values}
    assert words(documents.ClubMatch, "state") == {MatchState.SCHEDULED, *MatchState.decided()}
    assert words(documents.ClubRound, "state") == set(RoundState.values)
    campaign = {"state": CampaignState, "pairing": Pairing, "map_kind": TerritoryMap, "absent_rule": AbsentRule}
    for field, choices in campaign.items():
        assert words(documents.ClubCampaign, field) == set(choices.values)
