"""A company that was not founded here says where it comes from; what this site has not signed is believed, and said so."""

from __future__ import annotations

import copy
import importlib
import io
import json
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.management import call_command
from django.urls import reverse

from campaigns.archive.services import club_restored
from campaigns.models import Enrolment
from campaigns.selectors.mustering import muster_problems
from campaigns.services.enrolments import enrolment_accept, enrolment_ask
from rosters.documents.company import read_company
from rosters.documents.company_rows import company_document, company_import, company_signed
from rosters.documents.origins import origin_shown
from rosters.models import Company, CompanyOrigin, LedgerEntry, Player
from rosters.services import RefusedError
from rosters.takeout import PARTS
from systems import roster_rules
from tests.builders import SYSTEM, a_company, a_crewed_unit, a_player, a_token
from tests.campaigns.archives.clubs import archived
from tests.campaigns.builders import a_campaign, a_club, a_member, a_mustered_company, an_enrolment
from tests.campaigns.corrections import LOST, played

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
COST = roster_rules(SYSTEM).check_design(roster_rules(SYSTEM).published["wasp"].spec).points


@pytest.fixture
def exported(client, kim):
    """What the page of a company exports to its owner, byte for byte."""
    company = a_company(kim, name="Iron Hounds")
    a_crewed_unit(company)
    client.force_login(company.owner)
    return client.get(reverse("rosters:company_export", args=[company.pk])).content.decode()


@pytest.fixture
def kim(db):
    return a_player("kim")


def imported(client, player, text):
    client.force_login(player)
    answer = client.post(reverse("rosters:company_import"), {"text": text})
    assert answer.status_code == 302, answer.content.decode()
    return Company.objects.get(pk=int(answer.url.rstrip("/").rpartition("/")[2]))


def forged(text, points=440):
    """The document with another ledger that adds up: founded with more, and all of it in the bank."""
    document = json.loads(text)
    document["ledger"][0]["points"] += points
    document["points"] += points
    return json.dumps(document)


def told(client, company):
    return " ".join(client.get(reverse("rosters:company", args=[company.pk])).content.decode().split())


# --- what is said of it -----------------------------------------------------------------------------------------------


def test_what_this_site_exported_and_nobody_changed_is_known_again(client, exported, kim):
    company = imported(client, kim, exported)
    page = told(client, company)
    assert "imported, signed here" in page
    assert "Brought by kim on" in page
    assert "its past is as it stood here" in page
    assert company.origin.stood_at == LedgerEntry.objects.exclude(company=company).latest("pk").at
    ledger = client.get(reverse("rosters:company_ledger", args=[company.pk])).content.decode()
    assert "as it came here" not in ledger


def test_a_forged_document_that_adds_up_is_marked_for_everybody(client, exported, kim):
    company = imported(client, kim, forged(exported))
    Company.objects.filter(pk=company.pk).update(visibility="public")
    client.logout()
    page = told(client, company)
    assert "imported, unproven" in page
    assert "its past is as the document says" in page
    assert f"It came with {500 - COST} points, 1 unit, 1 pilot and 0 games." in page
    ledger = client.get(reverse("rosters:company_ledger", args=[company.pk])).content.decode()
    assert ledger.count("as it came here") == LedgerEntry.objects.filter(company=company).count()


def test_what_it_does_here_afterwards_is_its_own(client, exported, kim):
    company = imported(client, kim, forged(exported))
    a_crewed_unit(company, pilot="Bea")
    rows = LedgerEntry.objects.filter(company=company).count()
    ledger = client.get(reverse("rosters:company_ledger", args=[company.pk])).content.decode()
    assert ledger.count("as it came here") == rows - 3
    assert ledger.count("by kim") == 3


@pytest.mark.parametrize("cheat", ["cut", "moved", "invented"])
def test_a_signature_is_of_one_document(client, exported, kim, cheat):
    document = json.loads(exported)
    if cheat == "cut":
        del document["signature"]
    elif cheat == "moved":
        document = {**json.loads(forged(exported)), "signature": document["signature"]}
    else:
        document["signature"] = "A" * 43
    assert not imported(client, kim, json.dumps(document)).origin.is_proven


def test_nobody_is_vouched_for_by_the_company_of_another(client, exported):
    company = imported(client, a_player("ann"), exported)
    assert not company.origin.is_proven
    assert "imported, unproven" in told(client, company)


def test_what_is_no_signature_is_refused_as_any_field(client, exported, kim):
    client.force_login(kim)
    sent = json.dumps({**json.loads(exported), "signature": "<script>"})
    answer = client.post(reverse("rosters:company_import"), {"text": sent})
    assert (answer.status_code, "signature" in answer.content.decode()) == (422, True)


def test_spaces_and_order_are_nothing_that_a_signature_minds(client, exported, kim):
    document = dict(reversed(json.loads(exported).items()))
    assert imported(client, kim, json.dumps(document, separators=(",", ":"))).origin.is_proven


def test_an_import_is_not_laundered_by_exporting_it(client, exported, kim):
    company = imported(client, kim, forged(exported))
    again = client.get(reverse("rosters:company_export", args=[company.pk])).content.decode()
    assert "signature" not in json.loads(again)
    assert not imported(client, kim, again).origin.is_proven


def test_nor_by_an_archive_of_a_club(client, exported, kim):
    club = a_club(kim, name="Iron Table")
    an_enrolment(a_campaign(club, points=9000), imported(client, kim, forged(exported)))
    made = club_restored(file=io.BytesIO(archived(club)), by=kim, name="The Copy", stands_for="kim").club
    company = Enrolment.objects.get(campaign__club=made).company
    assert (company.origin.kind, company.origin.by) == ("archive", kim)
    assert "signature" not in company_signed(company)
    page = told(client, company)
    assert "from an archive" in page
    assert "It came with an archive of Iron Table" in page


def test_another_key_knows_nothing_unless_the_one_before_is_named(client, exported, kim, settings):
    before, settings.SECRET_KEY = settings.SECRET_KEY, "another-key-that-nobody-knows-of-at-all"
    assert not imported(client, kim, exported).origin.is_proven
    settings.SECRET_KEY_FALLBACKS = [before]
    assert imported(client, kim, exported).origin.is_proven


def test_the_api_signs_imports_and_says_the_same(client, kim):
    company = a_company(kim, name="Iron Hounds", visibility="public")
    token = {"authorization": f"Token {a_token(kim)}"}
    document = client.get(reverse("api-company-export", args=[company.pk]), headers=token).json()
    address = reverse("api-company-import")
    found = [
        client.post(address, sent, content_type="application/json", headers=token).json()["origin"]
        for sent in (json.dumps(document), forged(json.dumps(document)))
    ]
    assert [row["kind"] for row in found] == ["signed", "unsigned"]
    assert found[1]["by"] == "kim"
    assert found[1]["claims"]["points"] == 500
    read = client.get(reverse("api-company", args=[company.pk]), headers=token).json()
    assert read["origin"] is None


def test_the_commands_sign_and_import_for_the_operator(client, kim, tmp_path):
    company = a_company(kim, name="Iron Hounds")
    path = tmp_path / "company.json"
    with path.open("w") as file:
        call_command("export_company", str(company.pk), stdout=file)
    call_command("import_company", str(path), "--owner", "kim", stdout=(tmp_path / "out").open("w"))
    client.force_login(kim)
    page = told(client, Company.objects.exclude(pk=company.pk).get(owner=kim))
    assert "imported, signed here" in page
    assert "Brought by the operator on" in page


def test_who_takes_his_data_takes_them_signed_and_reads_where_they_come_from(client, exported, kim):
    imported(client, kim, exported)
    files = {path: text for part in PARTS for path, text in part.files(kim)}
    own = [json.loads(text) for path, text in files.items() if path.startswith("companies/")]
    assert all(document["signature"] for document in own)
    assert len(own) == 2
    (row,) = json.loads(files["companies-imported.json"])
    assert (row["company"], row["came"], row["by"]) == ("Iron Hounds", "signed", "kim")


def test_all_that_a_ledger_can_hold_is_signed_as_it_is_read():
    """Every company of a full season: what is written and what was parsed are one text to the signature."""
    war = a_campaign(a_club(a_player("olga")))
    one, other = (an_enrolment(war, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    played(war, one, other, attacker={0: {"kills": 1}}, defender={0: LOST})
    for company in Company.objects.all():
        text = json.dumps(company_signed(company))
        assert company_import(owner=company.owner, document=read_company(text)).origin.is_proven


# --- its games --------------------------------------------------------------------------------------------------------


@pytest.fixture
def veteran():
    """A company that has played a match here."""
    war = a_campaign(a_club(a_player("olga")))
    one, other = (an_enrolment(war, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    played(war, one, other, attacker={0: {"kills": 1}}, defender={0: LOST})
    return one.company


def test_games_that_stand_in_the_books_here_are_told_from_those_that_do_not(client, veteran, kim):
    document = company_document(veteran)
    assert document["pilots"][0]["games"] == 1
    as_it_was = imported(client, kim, json.dumps(document))
    assert "The books of this site have 1 game of it as it says." in told(client, as_it_was)
    richer = copy.deepcopy(document)
    game = next(row for row in richer["ledger"] if row["kind"] == "game")
    game["points"] += 100
    richer["points"] += 100
    cheat = imported(client, kim, json.dumps(richer))
    assert "The books of this site have 0 games of it as it says, and 1 otherwise." in told(client, cheat)


def test_a_forged_company_vouches_for_no_other(client, veteran, kim):
    document = json.loads(
        json.dumps(company_document(veteran)).replace(_ref(veteran), "1" * 8 + "-1111" * 3 + "-" + "1" * 12)
    )
    for _ in range(2):
        claims = imported(client, kim, json.dumps(document)).origin.claims
        assert (claims["games_known"], claims["games_otherwise"]) == (0, 0)


# --- where it asks to be enrolled -------------------------------------------------------------------------------------


@pytest.fixture
def campaign(kim):
    club = a_club(a_player("olga"))
    a_member(club, player=kim)
    return a_campaign(club, state="mustering", points=60)


def test_an_organiser_sees_the_mark_where_it_asks_and_the_allowance_holds(client, exported, kim, campaign):
    company = imported(client, kim, forged(exported))
    row = enrolment_ask(campaign=campaign, company=company, by=kim)
    client.force_login(Player.objects.get(username="olga"))
    for page in (
        reverse("campaigns:enrolment", args=[campaign.pk, row.pk]),
        reverse("campaigns:campaign_companies", args=[campaign.pk]),
    ):
        assert "imported, unproven" in client.get(page).content.decode()
    text = " ".join(client.get(reverse("campaigns:enrolment", args=[campaign.pk, row.pk])).content.decode().split())
    assert "its past is as the document says" in text
    assert f"The company is worth 500 points, {500 - COST} of them in the bank; Spring War allows 60." in text
    with pytest.raises(RefusedError, match="has problems"):
        enrolment_accept(enrolment=row, by=campaign.club.memberships.get(role="organiser").player)


def test_the_api_of_enrolments_says_it_to_who_judges_alone(client, exported, kim, campaign):
    company = imported(client, kim, exported)
    row = enrolment_ask(campaign=campaign, company=company, by=kim)
    address = reverse("api-enrolment", args=[campaign.pk, row.pk])
    other = a_member(campaign.club)
    for who, kind in ((Player.objects.get(username="olga"), "signed"), (kim, "signed"), (other, None)):
        answer = client.get(address, headers={"authorization": f"Token {a_token(who)}"}).json()["origin"]
        assert (answer and answer["kind"]) == kind


@pytest.mark.parametrize("how", [{"loan": 10}, {"lent": True}])
def test_what_it_says_a_house_elsewhere_lent_it_counts(client, kim, campaign, how):
    """A debt is no discount, and a lent unit no gift, where nobody here has lent anything."""
    company = a_mustered_company(kim, "wasp", "wasp", "wasp", "wasp", "wasp", "wasp", name="Ants", spends_all=True)
    document = company_document(company)
    bought = [row for row in document["ledger"] if row["kind"] == "bought"]
    for row in bought:
        row["facts"] |= how if "lent" in how else {"loan": COST}
    cheat = imported(client, kim, json.dumps(document))
    campaign.points = 5 * COST
    found = muster_problems(cheat, campaign)
    (problem,) = (each.message for each in found.problems if "worth" in each.message)
    assert f"worth {6 * COST} points with what it says a house elsewhere lent it" in problem


# --- those of before --------------------------------------------------------------------------------------------------


def test_companies_that_were_imported_before_are_known_by_their_ledger(client, exported, kim):
    before = importlib.import_module("rosters.migrations.0040_company_origins")
    company = imported(client, kim, exported)
    CompanyOrigin.objects.all().delete()
    Company.objects.filter(pk=company.pk).update(founded_at=company.founded_at + timedelta(hours=1))
    before.known_by_their_ledger(apps, None)
    row = CompanyOrigin.objects.get()
    assert (row.company, row.kind, row.by, row.claims) == (company, "unsigned", kim, {})
    shown = origin_shown(Company.objects.get(pk=company.pk))
    assert (shown.brought, shown.books) == ("", "")
    assert "imported, unproven" in told(client, company)


def _ref(company):
    return LedgerEntry.objects.filter(company=company, kind="game").get().cause_ref
