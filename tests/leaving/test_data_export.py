"""A player's data export: everything of theirs and nothing of others, in formats that Muster can import."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from battles.live.state import SEAL
from battles.models import Battle, Forecast
from battles.odds.services import forecast_ask
from battles.player_data import _count_to_dict, _table_to_dict
from battles.services.battles import battle_queue, battle_simulate
from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.results.reports import parse_report
from campaigns.results.services import report_make
from rosters.accounts.data_export import data_export_pack, data_export_request
from rosters.documents.company import read_company
from rosters.documents.import_export import company_document, company_import
from rosters.jobs import JobStatus
from rosters.models import AccessToken, DataExport
from rosters.paper.documents import PrintSettings
from rosters.printing.orders import CompanyChoice, design_order, read_order
from rosters.printing.services import preset_save, print_ask, printer_save
from rosters.services import company_disband, design_save
from rosters.services.designs_and_scenarios import scenario_save
from rosters.services.retention import clear_all
from rosters.site.retention import Clearing
from rosters.tasks import takeout_run
from systems import roster_rules
from systems.simulation.records import verify
from tests.accounts.builders import SECRET, add_second_factor, reauthenticate
from tests.battles.live.builders import a_table, do
from tests.builders import SYSTEM, WASP, a_company, a_crewed_unit, a_player, a_token
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.systems.meks_and_mercs.battle.games import document

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def kim():
    player = a_player("kim")
    player.email = "kim@example.com"
    player.save()
    return player


def export_data(player) -> zipfile.ZipFile:
    """Request an export, let a worker pack it, and return the ZIP."""
    job = data_export_request(player=player)
    takeout_run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.failure) == (JobStatus.DONE, "")
    return zipfile.ZipFile(job.file.open("rb"))


def read_texts(archive: zipfile.ZipFile, start: str) -> list[str]:
    """Return the texts of all files whose path starts with this."""
    return [archive.read(name).decode() for name in sorted(archive.namelist()) if name.startswith(start)]


def test_exported_companies_can_be_imported_by_another_account(kim):
    first = a_company(kim, name="Iron Hounds")
    a_crewed_unit(first)
    second = a_company(kim, name="Éclair – Läufer")
    disbanded = company_disband(company=a_company(kim, name="Old Guard"), by=kim)
    archive = export_data(kim)
    heir = a_player()
    imported = [company_import(owner=heir, document=read_company(text)) for text in read_texts(archive, "companies/")]
    assert [company_document(row) for row in imported] == [company_document(first), company_document(second)]
    assert [json.loads(text)["name"] for text in read_texts(archive, "companies-disbanded/")] == [disbanded.name]


def test_designs_scenarios_prints_and_battles_are_exported_in_their_formats(kim):
    rules = roster_rules(SYSTEM)
    design = design_save(author=kim, system=SYSTEM, name="Owl", spec=WASP)
    spec = rules.scenario_json(rules.scenarios["head-to-head"].spec)
    scenario_save(author=kim, system=SYSTEM, name="Ridge", spec=spec)
    print_ask(order=design_order(SYSTEM, "Wasp", WASP, ["unit-card"], PrintSettings(), 1), actor=kim)
    battle = battle_queue(setup=document("opening-shots"), actor=kim)
    assert battle_simulate(battle=Battle.claim(battle.pk))
    archive = export_data(kim)
    (owl,) = map(json.loads, read_texts(archive, "designs/"))
    assert owl == {"muster": "design/1", "system": SYSTEM, "name": "Owl", "spec": design.spec}
    (ridge,) = map(json.loads, read_texts(archive, "scenarios/"))
    assert ridge == {"muster": "scenario/1", "system": SYSTEM, "name": "Ridge", "spec": spec}
    (order,) = map(json.loads, read_texts(archive, "prints/"))
    assert read_order(order).title
    (record,) = read_texts(archive, "battles/")
    assert verify(record) is None


def test_acts_in_campaigns_are_exported(kim):
    campaign = a_campaign()
    match = a_match(a_round(campaign), an_enrolment(campaign, a_mustered_company(kim)))
    company = match.attacker.company
    units = list(company.units.values_list("pk", flat=True))
    list_submit(match=match, side=0, units=units, doctrine="cautious", by=kim, words="owl")
    content = {"muster": "report/1", "winner": "draw", "units": {}}
    report_make(match=lists_reveal(match=match), side=0, content=content, by=kim)
    archive = export_data(kim)
    assert json.loads(*read_texts(archive, "clubs.json"))["memberships"][0]["role"] == "player"
    assert json.loads(*read_texts(archive, "campaigns.json"))["enrolled"][0]["company"] == company.name
    assert parse_report(*read_texts(archive, "reports/")).winner == "draw"
    (sealed,) = json.loads(*read_texts(archive, "written.json"))["sealed_forces"]
    assert (sealed["words_for_the_dice"], sealed["force"]["units"]) == ("owl", units)


def test_account_is_exported_without_secrets(kim, client):
    add_second_factor(kim)
    token = a_token(kim, "read")
    preset_save(player=kim, name="Friday", choice=CompanyChoice())
    printer_save(player=kim, name="Laser")
    forecast_ask(setup=document("opening-shots"), runs=100, actor=kim)
    archive = export_data(kim)
    account = json.loads(*read_texts(archive, "account.json"))
    assert (account["user_name"], account["email"], account["second_factor"]) == ("kim", "kim@example.com", True)
    assert [row["may"] for row in account["tokens"]] == [["read"]]
    printing = json.loads(*read_texts(archive, "printing.json"))
    assert ([row["name"] for row in printing["presets"]], [row["name"] for row in printing["printers"]]) == (
        ["Friday"],
        ["Laser"],
    )
    assert len(json.loads(*read_texts(archive, "odds.json"))) == 1
    everything = "\n".join(read_texts(archive, ""))
    row = AccessToken.objects.get(user=kim)
    for secret in (token, row.digest, row.token_key, SECRET, kim.password):
        assert secret not in everything


def test_readme_names_every_file(kim):
    a_crewed_unit(a_company(kim))
    archive = export_data(kim)
    (readme,) = read_texts(archive, "README.txt")
    for name in archive.namelist():
        assert name == "README.txt" or (name if "/" not in name else f"{name.split('/')[0]}/") in readme


def test_data_of_other_players_is_not_exported(kim):
    other = a_player("somebody-else")
    a_company(other, name="Foreign Legion")
    design_save(author=other, system=SYSTEM, name="Foreign Owl", spec=WASP)
    assert "oreign" not in "\n".join(read_texts(export_data(kim), ""))


# --- the page ---------------------------------------------------------------------------------------------------------


def test_requesting_and_downloading_need_the_password(kim, client):
    client.force_login(kim)
    answer = client.post(reverse("rosters:my_data_request"))
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert not DataExport.objects.exists()
    takeout_run(data_export_request(player=kim).pk)
    address = reverse("rosters:my_data_file", args=[DataExport.objects.get().key])
    assert client.get(address).url.startswith(reverse("account_reauthenticate"))
    reauthenticate(client)
    answer = client.get(address)
    names = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))).namelist()
    assert "account.json" in names
    assert {"private", "no-store"} <= set(answer["Cache-Control"].split(", "))


def test_page_shows_the_job_and_then_the_file(kim, client, eager_jobs, django_capture_on_commit_callbacks):
    client.force_login(kim)
    reauthenticate(client)
    assert "Export my data" in client.get(reverse("rosters:my_data")).content.decode()
    job = data_export_request(player=kim)
    assert "Waiting to start" in client.get(reverse("rosters:my_data")).content.decode()
    DataExport.claim(job.pk).renew(parts_done=2, parts=9)
    assert "Exporting" in client.get(reverse("rosters:my_data")).content.decode()
    DataExport.objects.all().delete()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("rosters:my_data_request"))
    assert "Download ZIP" in client.get(reverse("rosters:my_data")).content.decode()


def test_other_players_cannot_download_the_export(kim, client):
    takeout_run(data_export_request(player=kim).pk)
    address = reverse("rosters:my_data_file", args=[DataExport.objects.get().key])
    assert client.get(address).url.startswith(reverse("account_login"))
    client.force_login(a_player("thief"))
    reauthenticate(client)
    assert client.get(address).status_code == 404


def test_exported_file_is_private_on_the_disk(kim, files):
    takeout_run(data_export_request(player=kim).pk)
    (path,) = (files / "takeouts").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_finished_export_is_announced_by_mail(kim):
    export_data(kim)
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["kim@example.com"], "[Muster] Your data export is ready")
    assert reverse("rosters:my_data") in sent.body


# --- the job ----------------------------------------------------------------------------------------------------------


def test_repeated_request_makes_one_export(kim):
    assert data_export_request(player=kim) == data_export_request(player=kim)


def test_new_export_replaces_the_old_one(kim, files, django_capture_on_commit_callbacks):
    export_data(kim)
    with django_capture_on_commit_callbacks(execute=True):
        job = data_export_request(player=kim)
    takeout_run(job.pk)
    assert [path.name for path in (files / "takeouts").iterdir()] == [f"{job.key}.zip"]
    assert DataExport.objects.get().key == job.key


def test_export_is_deleted_after_a_week(kim, files, django_capture_on_commit_callbacks):
    export_data(kim)
    soon = timezone.now() + timedelta(days=6)
    with django_capture_on_commit_callbacks(execute=True):
        dict(clear_all(Clearing(now=soon)))
    assert len(list((files / "takeouts").iterdir())) == 1
    with django_capture_on_commit_callbacks(execute=True):
        cleared = dict(clear_all(Clearing(now=soon + timedelta(days=2))))
    assert cleared["data that were packed for players"] == 1
    assert list((files / "takeouts").iterdir()) == []
    assert not DataExport.objects.exists()


def test_worker_without_its_claim_leaves_no_file(kim, files):
    job = data_export_request(player=kim)
    claimed = DataExport.claim(job.pk)
    DataExport.objects.filter(pk=job.pk).delete()
    assert not data_export_pack(job=claimed)
    assert not list((files / "takeouts").iterdir() if (files / "takeouts").exists() else ())


# --- the operator -----------------------------------------------------------------------------------------------------


def test_operator_exports_to_a_file_without_overwriting(kim, tmp_path):
    a_company(kim, name="Iron Hounds")
    target = tmp_path / "kim.zip"
    call_command("take_data", "kim", str(target))
    assert len(read_texts(zipfile.ZipFile(target), "companies/")) == 1
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with pytest.raises(CommandError, match="File exists"):
        call_command("take_data", "kim", str(target))
    with pytest.raises(CommandError, match="there is no player"):
        call_command("take_data", "nobody", str(tmp_path / "other.zip"))


def test_export_says_how_many_battles_were_simulated(db):
    forecast_ask(setup=document("opening-shots"), runs=300, actor=a_player())
    Forecast.objects.update(runs_done=100)
    assert _count_to_dict(Forecast.objects.get())["battles_counted"] == 100


def test_exported_table_has_the_notes_of_its_player_only(db):
    ann, ben = a_table()
    do(ann, SEAL, text="Mine at the ford")
    do(ben, SEAL, text="Mine at the mill")
    assert [act["facts"]["text"] for act in _table_to_dict(ann)["acts"]] == ["Mine at the ford"]
