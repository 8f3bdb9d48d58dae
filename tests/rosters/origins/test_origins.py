"""An imported company shows where it comes from. What this site hasn't signed is accepted, but marked as unproven."""

from __future__ import annotations

import copy
import importlib
import io
import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.urls import reverse

from campaigns.archive.services import club_restore_now
from campaigns.enrolments.selectors import enrolment_check
from campaigns.enrolments.services import enrolment_accept, enrolment_ask
from campaigns.models import Enrolment
from rosters.accounts.data_export import PARTS
from rosters.documents.company import read_company
from rosters.documents.import_export import company_document, company_import, company_signed
from rosters.documents.origins import origin_of
from rosters.models import Company, CompanyOrigin, LedgerEntry, Player
from rosters.services import RefusedError
from systems import roster_rules
from tests.builders import SYSTEM, a_company, a_crewed_unit, a_player, a_token
from tests.campaigns.archives.clubs import archived
from tests.campaigns.builders import a_campaign, a_club, a_member, a_mustered_company, an_enrolment
from tests.campaigns.corrections import LOST, play_match

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
COST = roster_rules(SYSTEM).check_design(roster_rules(SYSTEM).published["wasp"].spec).points


@pytest.fixture
def exported(client, kim):
    """Return the owner's export of a company from its page, byte for byte."""
    company = a_company(kim, name="Iron Hounds")
    a_crewed_unit(company)
    client.force_login(company.owner)
    return client.get(reverse("rosters:company_export", args=[company.pk])).content.decode()


@pytest.fixture
def kim(db):
    return a_player("kim")


def import_text(client, player, text):
    client.force_login(player)
    answer = client.post(reverse("rosters:company_import"), {"text": text})
    assert answer.status_code == 302, answer.content.decode()
    return Company.objects.get(pk=int(answer.url.rstrip("/").rpartition("/")[2]))


def forged(text, points=440):
    """Return the document with another ledger that adds up: founded with more points, all of them in the bank."""
    document = json.loads(text)
    document["ledger"][0]["points"] += points
    document["points"] += points
    return json.dumps(document)


def page_text(client, company):
    return " ".join(client.get(reverse("rosters:company", args=[company.pk])).content.decode().split())


# --- the mark on its pages ---


def test_unchanged_export_is_imported_as_signed(client, exported, kim):
    company = import_text(client, kim, exported)
    page = page_text(client, company)
    assert "imported, signed by this site" in page
    assert "Imported by kim on" in page
    assert "you can trust its history" in page
    assert company.origin.stood_at == LedgerEntry.objects.exclude(company=company).latest("pk").created_at
    ledger = client.get(reverse("rosters:company", args=[company.pk], query={"show": "ledger"})).content.decode()
    assert "as imported" not in ledger


def test_forged_but_consistent_document_is_marked_for_everybody(client, exported, kim):
    company = import_text(client, kim, forged(exported))
    Company.objects.filter(pk=company.pk).update(visibility="public")
    client.logout()
    page = page_text(client, company)
    assert "imported, unverified" in page
    assert "its history is as the file has it" in page
    assert f"It arrived with {500 - COST} points, 1 unit, 1 pilot and 0 games." in page
    ledger = client.get(reverse("rosters:company", args=[company.pk], query={"show": "ledger"})).content.decode()
    assert ledger.count("as imported") == LedgerEntry.objects.filter(company=company).count()


def test_only_imported_entries_are_marked_in_the_ledger(client, exported, kim):
    company = import_text(client, kim, forged(exported))
    a_crewed_unit(company, pilot="Bea")
    rows = LedgerEntry.objects.filter(company=company).count()
    ledger = client.get(reverse("rosters:company", args=[company.pk], query={"show": "ledger"})).content.decode()
    assert ledger.count("as imported") == rows - 3
    assert ledger.count("by kim") == 3


@pytest.mark.parametrize("cheat", ["cut", "moved", "invented"])
def test_signature_fits_one_document_only(client, exported, kim, cheat):
    document = json.loads(exported)
    if cheat == "cut":
        del document["signature"]
    elif cheat == "moved":
        document = {**json.loads(forged(exported)), "signature": document["signature"]}
    else:
        document["signature"] = "A" * 43
    assert not import_text(client, kim, json.dumps(document)).origin.is_proven


def test_another_players_export_is_unproven(client, exported):
    company = import_text(client, a_player("ann"), exported)
    assert not company.origin.is_proven
    assert "imported, unverified" in page_text(client, company)


def test_malformed_signature_is_refused(client, exported, kim):
    client.force_login(kim)
    sent = json.dumps({**json.loads(exported), "signature": "<script>"})
    answer = client.post(reverse("rosters:company_import"), {"text": sent})
    assert (answer.status_code, "signature" in answer.content.decode()) == (422, True)


def test_signature_ignores_spaces_and_order(client, exported, kim):
    document = dict(reversed(json.loads(exported).items()))
    assert import_text(client, kim, json.dumps(document, separators=(",", ":"))).origin.is_proven


def test_re_export_of_an_import_is_unsigned(client, exported, kim):
    company = import_text(client, kim, forged(exported))
    again = client.get(reverse("rosters:company_export", args=[company.pk])).content.decode()
    assert "signature" not in json.loads(again)
    assert not import_text(client, kim, again).origin.is_proven


def test_company_restored_from_an_archive_is_unsigned(client, exported, kim):
    club = a_club(kim, name="Iron Table")
    an_enrolment(a_campaign(club, points=9000), import_text(client, kim, forged(exported)))
    made = club_restore_now(file=io.BytesIO(archived(club)), by=kim, name="The Copy", stands_for="kim").club
    company = Enrolment.objects.get(campaign__club=made).company
    assert (company.origin.kind, company.origin.imported_by) == ("archive", kim)
    assert "signature" not in company_signed(company)
    page = page_text(client, company)
    assert "from a club backup" in page
    assert "It came with a backup of Iron Table" in page


def test_old_signature_needs_its_key_among_the_fallbacks(client, exported, kim, settings):
    before, settings.SECRET_KEY = settings.SECRET_KEY, "another-key-that-nobody-knows-of-at-all"
    assert not import_text(client, kim, exported).origin.is_proven
    settings.SECRET_KEY_FALLBACKS = [before]
    assert import_text(client, kim, exported).origin.is_proven


def test_api_signs_imports_and_shows_the_origin(client, kim):
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


def test_commands_sign_and_import_for_the_operator(client, kim, tmp_path):
    company = a_company(kim, name="Iron Hounds")
    path = tmp_path / "company.json"
    with path.open("w") as file:
        call_command("export_company", str(company.pk), stdout=file)
    call_command("import_company", str(path), "--owner", "kim", stdout=(tmp_path / "out").open("w"))
    client.force_login(kim)
    page = page_text(client, Company.objects.exclude(pk=company.pk).get(owner=kim))
    assert "imported, signed by this site" in page
    assert "Imported by the operator on" in page


def test_own_data_export_is_signed_and_lists_origins(client, exported, kim):
    import_text(client, kim, exported)
    files = {path: text for part in PARTS for path, text in part.files(kim)}
    own = [json.loads(text) for path, text in files.items() if path.startswith("companies/")]
    assert all(document["signature"] for document in own)
    assert len(own) == 2
    (row,) = json.loads(files["companies-imported.json"])
    assert (row["company"], row["came"], row["by"]) == ("Iron Hounds", "signed", "kim")


def test_every_kind_of_ledger_survives_signing():
    """Every company of a full season: the signature sees the same text when written and when parsed."""
    war = a_campaign(a_club(a_player("olga")))
    one, other = (an_enrolment(war, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    play_match(war, one, other, attacker={0: {"kills": 1}}, defender={0: LOST})
    for company in Company.objects.all():
        text = json.dumps(company_signed(company))
        assert company_import(owner=company.owner, document=read_company(text)).origin.is_proven


# --- its games ---


@pytest.fixture
def veteran():
    """Return a company that has played a match here."""
    war = a_campaign(a_club(a_player("olga")))
    one, other = (an_enrolment(war, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    play_match(war, one, other, attacker={0: {"kills": 1}}, defender={0: LOST})
    return one.company


def test_games_known_here_are_counted_separately(client, veteran, kim):
    document = company_document(veteran)
    assert document["pilots"][0]["games"] == 1
    as_it_was = import_text(client, kim, json.dumps(document))
    assert "The ledgers of this site confirm 1 game." in page_text(client, as_it_was)
    richer = copy.deepcopy(document)
    game = next(row for row in richer["ledger"] if row["kind"] == "game")
    game["points"] += 100
    richer["points"] += 100
    cheat = import_text(client, kim, json.dumps(richer))
    assert "The ledgers of this site confirm 0 games and contradict 1." in page_text(client, cheat)


def test_forged_company_proves_no_other(client, veteran, kim):
    document = json.loads(
        json.dumps(company_document(veteran)).replace(_ref(veteran), "1" * 8 + "-1111" * 3 + "-" + "1" * 12)
    )
    for _ in range(2):
        claims = import_text(client, kim, json.dumps(document)).origin.claims
        assert (claims["games_known"], claims["games_otherwise"]) == (0, 0)


# --- where it asks to be enrolled ---


@pytest.fixture
def campaign(kim):
    club = a_club(a_player("olga"))
    a_member(club, player=kim)
    return a_campaign(club, state="mustering", points=60)


def test_organiser_sees_the_mark_and_the_points_limit_holds(client, exported, kim, campaign):
    company = import_text(client, kim, forged(exported))
    row = enrolment_ask(campaign=campaign, company=company, by=kim)
    client.force_login(Player.objects.get(username="olga"))
    for page in (
        reverse("campaigns:enrolment", args=[campaign.pk, row.pk]),
        reverse("campaigns:campaign_companies", args=[campaign.pk]),
    ):
        assert "imported, unverified" in client.get(page).content.decode()
    text = " ".join(client.get(reverse("campaigns:enrolment", args=[campaign.pk, row.pk])).content.decode().split())
    assert "its history is as the file has it" in text
    assert f"The company is worth 500 points (including {500 - COST} unspent), but Spring War allows only 60." in text
    with pytest.raises(RefusedError, match="has problems"):
        enrolment_accept(enrolment=row, by=campaign.club.memberships.get(role="organiser").player)


def test_enrolment_api_shows_origin_to_organiser_and_owner_only(client, exported, kim, campaign):
    company = import_text(client, kim, exported)
    row = enrolment_ask(campaign=campaign, company=company, by=kim)
    address = reverse("api-enrolment", args=[campaign.pk, row.pk])
    other = a_member(campaign.club)
    for who, kind in ((Player.objects.get(username="olga"), "signed"), (kim, "signed"), (other, None)):
        answer = client.get(address, headers={"authorization": f"Token {a_token(who)}"}).json()["origin"]
        assert (answer and answer["kind"]) == kind


@pytest.mark.parametrize("how", [{"loan": 10}, {"lent": True}])
def test_debt_of_another_campaign_counts_towards_the_limit(client, kim, campaign, how):
    """Debt to another campaign's house buys nothing here, and its lent units aren't free."""
    company = a_mustered_company(kim, "wasp", "wasp", "wasp", "wasp", "wasp", "wasp", name="Ants", spends_all=True)
    document = company_document(company)
    bought = [row for row in document["ledger"] if row["kind"] == "bought"]
    for row in bought:
        row["facts"] |= how if "lent" in how else {"loan": COST}
    cheat = import_text(client, kim, json.dumps(document))
    campaign.points = 5 * COST
    found = enrolment_check(cheat, campaign)
    (problem,) = (each.message for each in found.problems if "worth" in each.message)
    assert f"worth {6 * COST} points including loans from its time elsewhere" in problem


# --- older imports ---


def test_migration_finds_older_imports_by_their_ledger(client, exported, kim):
    before = importlib.import_module("rosters.migrations.0040_company_origins")
    company = import_text(client, kim, exported)
    CompanyOrigin.objects.all().delete()
    Company.objects.filter(pk=company.pk).update(founded_at=company.founded_at + timedelta(hours=1))
    loader = MigrationLoader(connection, replace_migrations=False)
    state = loader.project_state(("rosters", "0040_company_origins"))
    before.known_by_their_ledger(state.apps, None)
    row = CompanyOrigin.objects.get()
    assert (row.company, row.kind, row.imported_by, row.claims) == (company, "unsigned", kim, {})
    origin = origin_of(Company.objects.get(pk=company.pk))
    assert (origin.brought, origin.books) == ("", "")
    assert "imported, unverified" in page_text(client, company)


def _ref(company):
    return LedgerEntry.objects.filter(company=company, kind="game").get().cause_ref
