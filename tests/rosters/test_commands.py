"""The roster commands: exact answers, round trips, and one line with exit code 2 for bad input."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command

from rosters import demo, hooks
from rosters.models import Company, LedgerEntry, Unit
from rosters.services import UnitResult, company_apply_result, undo_last_act
from systems import roster_rules
from systems.report_fields import UnitFate
from tests.builders import SYSTEM, WASP, a_company, a_crewed_unit, a_player, a_unit


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


def write_document(tmp_path, document):
    path = tmp_path / "document.json"
    path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
    return str(path)


def design(**fields):
    return {"muster": "design/1", "system": SYSTEM, "name": "Wasp", "spec": WASP, **fields}


def test_check_design_prints_legality_points_and_problems(tmp_path):
    answer = run("check_design", write_document(tmp_path, design()))
    assert answer == '{"legal": true, "points": 9, "problems": []}\n'


def test_check_design_prints_every_problem_with_its_rule(tmp_path):
    spec = {"chassis": "light", "weapons": ["howitzer-cannon"], "systems": ["jammer", "jammer"]}
    answer = json.loads(run("check_design", write_document(tmp_path, design(spec=spec))))
    assert answer["legal"] is False
    assert [set(problem) for problem in answer["problems"]] == [{"rule", "message", "place"}] * len(answer["problems"])
    assert {"MM-003", "MM-005", "MM-006"} <= {problem["rule"] for problem in answer["problems"]}


@pytest.mark.parametrize("slug", list(roster_rules(SYSTEM).published))
def test_check_design_accepts_every_published_design(tmp_path, slug):
    rules = roster_rules(SYSTEM)
    spec = rules.spec_json(rules.published[slug].spec)
    assert json.loads(run("check_design", write_document(tmp_path, design(spec=spec))))["legal"] is True


@pytest.mark.parametrize(
    ("document", "named"),
    [
        (design(spec={**WASP, "weapons": ["death-ray"]}), "spec.weapons[0]"),
        (design(spec={**WASP, "weapons": ["cannon"] * 40}), "spec.weapons"),
        (design(spec={**WASP, "weapons": "cannon"}), "spec.weapons"),
        (design(system="chess"), "system"),
        (design(extra=1), "extra"),
        (b"[" * 100_000, "nested"),
        (b"[" * 500_000, "larger"),
        (b"{", "not JSON"),
        (b'{"name": NaN}', "NaN"),
        (b"", "not JSON"),
    ],
)
def test_check_design_refuses_bad_input_in_one_line(tmp_path, document, named):
    assert named in refused("check_design", write_document(tmp_path, document))


def test_check_design_refuses_a_missing_file(tmp_path):
    assert "nothing.json" in refused("check_design", str(tmp_path / "nothing.json"))
    refused("check_design", str(tmp_path))


def company_with_history():
    """Return a company that bought, hired, fought, lost, undid and sold."""
    import uuid

    company = a_company(points=100)
    unit, pilot = a_crewed_unit(company, "draken")
    lost, other = a_crewed_unit(company, "wasp", pilot="Bo")
    results = [
        UnitResult(
            unit=unit.pk, pilot=pilot.pk, fate=UnitFate(kills=1, wounded=True), after={"hits": 2, "weapons_lost": [1]}
        ),
        UnitResult(unit=lost.pk, pilot=other.pk, fate=UnitFate(destroyed=True), after={"hits": 0}),
    ]
    company_apply_result(company=company, act=uuid.uuid4(), cause_ref="b-1", by=None, units=results)
    a_unit(company, "viper")
    undo_last_act(company=company, by=company.owner)
    return company


@pytest.mark.django_db
def test_exported_company_survives_import(tmp_path):
    company = company_with_history()
    document = run("export_company", str(company.pk))
    player = a_player("heir")
    answer = run("import_company", write_document(tmp_path, document.encode()), "--owner", "heir")
    copy = Company.objects.get(owner=player)
    assert str(copy.pk) in answer
    again = json.loads(run("export_company", str(copy.pk)))  # it belongs to another player now, and isn't signed
    assert again == {name: value for name, value in json.loads(document).items() if name != "signature"}
    assert "agree" in run("reconcile")


def forged(document, path, value):
    *parents, last = path
    place = document
    for key in parents:
        place = place[key]
    place[last] = value
    return document


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (["points"], 5000, "points"),
        (["units", 0, "condition"], {}, "units[0].condition"),
        (["units", 0, "design", "chassis"], "titan", "units[0].design"),
        (["units", 0, "pilot"], "p9", "units[0].pilot"),
        (["pilots", 0, "kills"], 99, "pilots[0].kills"),
        (["pilots", 0, "skills"], ["flying"], "pilots[0]"),
        (["ledger", 0, "points"], 999, "points"),
        (["ledger", 1, "kind"], "gift", "ledger"),
        (["ledger", 1, "facts"], {}, "ledger"),
        (["ledger", 1, "facts", "bill"], "dear", "ledger[1].facts"),
        (["ledger", 0, "facts", "to"], "all", "ledger"),
        (["ledger", 1, "reverses"], 7, "ledger[1].reverses"),
        (["ledger", 3, "facts", "place"], 3, "ledger[3].facts"),
        (["ledger", 3, "facts", "place"], None, "ledger[3].facts"),
        (["ledger", 0, "at"], "yesterday", "ledger[0].at"),
        (["ledger", 0, "at"], "2026-99-99T00:00:00+00:00", "ledger[0].at"),
        (["name"], "Others", "name"),
        (["system"], "chess", "system"),
        (["extra"], 1, "extra"),
        (["ledger"], [], "name"),
    ],
)
def test_inconsistent_company_document_is_refused(tmp_path, path, value, named):
    document = json.loads(run("export_company", str(company_with_history().pk)))
    a_player("heir")
    before = (Company.objects.count(), LedgerEntry.objects.count())
    reason = refused("import_company", write_document(tmp_path, forged(document, path, value)), "--owner", "heir")
    assert reason.startswith(named), reason
    assert (Company.objects.count(), LedgerEntry.objects.count()) == before


@pytest.mark.django_db
def test_export_and_import_refuse_unknown_ids_and_owners(tmp_path):
    for text in ("0", "-1", "x", "9" * 40):
        assert "id" in refused("export_company", text)
    assert "owner" in refused("import_company", write_document(tmp_path, {}), "--owner", "nobody")


@pytest.mark.django_db
def test_reconcile_fails_on_rows_that_differ_from_the_ledger():
    unit = a_unit(a_company())
    Unit.objects.filter(pk=unit.pk).update(status="sold")
    with pytest.raises(CommandError, match="1 differences") as error:
        run("reconcile")
    assert error.value.returncode == 1


@pytest.mark.django_db
def test_demo_login_uses_the_environments_password(client, settings, monkeypatch):
    monkeypatch.setattr(demo, "COMPANIES", ())
    monkeypatch.setattr(hooks, "demos", ())  # signing in needs no clubs and campaigns
    settings.DEMO_PASSWORD = "chosen-by-the-operator"
    assert "chosen-by-the-operator" in run("demo")
    assert client.login(username="demo", password="chosen-by-the-operator")


@pytest.mark.django_db
def test_company_with_a_pilot_in_two_seats_is_refused(tmp_path):
    owner = a_player("owner")
    company = a_company(owner, points=200)
    a_crewed_unit(company)
    document = json.loads(run("export_company", str(company.pk)))
    key = document["units"][0]["pilot"]
    twin = {**document["units"][0], "key": "u2"}
    document["units"].append(twin)
    entries = [entry for entry in document["ledger"] if entry["unit"] == document["units"][0]["key"]]
    document["ledger"] += [{**entry, "unit": "u2"} for entry in entries]
    refusal = refused("import_company", write_document(tmp_path, document), "--owner", "owner")
    assert refusal.endswith(
        f"units[1].pilot: the pilot {key!r} already pilots {document['units'][0]['key']!r}; a pilot can have only one unit"
    )
