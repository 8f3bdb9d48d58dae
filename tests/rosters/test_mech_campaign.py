"""Mech Campaign through the parts that all systems share: commands, pages, services, paper."""

from __future__ import annotations

import html
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from rosters.documents.snapshots import fielded, force_rows, ready_units
from rosters.models import Design, Scenario
from rosters.selectors import company_sheet
from rosters.services import RefusedError, pilot_assign, pilot_hire
from systems import roster_rules
from tests.builders import a_company, a_pilot, a_player, a_unit
from tests.rosters.paper import pdf

SLUG = "mech-campaign"
LANCE = ("heavy-mech", "heavy-mech", "light-mech", "light-mech", "track")


@pytest.fixture
def owner():
    return a_player("owner")


@pytest.fixture
def signed_in(client, owner):
    client.force_login(owner)
    return client


def page(client, name, *args, **query):
    answer = client.get(reverse(f"rosters:{name}", args=args), query)
    assert answer.status_code == 200, answer.status_code
    return html.unescape(answer.content.decode())


def design(**spec):
    return {"muster": "design/1", "system": SLUG, "name": "Gnat", "spec": spec}


def write_document(tmp_path, document):
    path = tmp_path / "document.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def run(*args):
    out = io.StringIO()
    call_command(*args, stdout=out)
    return out.getvalue()


def a_lance(owner, *kinds):
    """Return a company with a unit of each kind, and a pilot in each unit that has a seat."""
    company = a_company(owner, system=SLUG, name="Rock Rats")
    rules = roster_rules(SLUG)
    for number, kind in enumerate(kinds):
        unit = a_unit(company, kind)
        if rules.needs_pilot(unit.spec):
            pilot_assign(company=company, by=owner, unit=unit, pilot=a_pilot(company, f"Pilot {number}"))
    return company


# --- commands ---


def test_check_design_prints_the_points_of_a_unit(tmp_path):
    answer = run("check_design", write_document(tmp_path, design(kind="drone", base_vehicle="Crawler Nine")))
    assert json.loads(answer) == {"legal": True, "points": 5, "problems": []}


@pytest.mark.rule("MC-014")
def test_check_design_prints_problems_with_their_rule(tmp_path):
    answer = json.loads(
        run("check_design", write_document(tmp_path, design(kind="track", base_vehicle="Crawler Nine")))
    )
    assert [problem["rule"] for problem in answer["problems"]] == ["MC-014"]


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"kind": "tank"}, "spec.kind: unknown unit kind 'tank'"),
        ({"kind": "drone", "weapons": []}, "spec.weapons: unknown field"),
        ({}, "spec.kind: missing"),
    ],
)
def test_check_design_refuses_bad_unit_in_one_line(tmp_path, spec, reason):
    with pytest.raises(CommandError, match=reason) as refused:
        run("check_design", write_document(tmp_path, design(**spec)))
    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("kind", "pages"), [("cards", 2), ("sheets", 1)])
def test_unit_is_printed(tmp_path, kind, pages):
    target = tmp_path / "out.pdf"
    source = write_document(tmp_path, design(kind="drone", base_vehicle="Crawler Nine", armament="needle gun"))
    data = json.loads(run("print_cards", source, "--kind", kind, "-o", str(target)))
    assert data["pages"] == pages
    text = pdf.text(target)
    assert all(words in text for words in ("GNAT", "Crawler Nine", "needle gun", "Must move first", "stays"))


@pytest.mark.slow
@pytest.mark.any_database
@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "pages"), [("cards", 2), ("sheets", 6)])
def test_exported_company_is_printed(tmp_path, owner, kind, pages):
    source = write_document(tmp_path, json.loads(run("export_company", str(a_lance(owner, *LANCE, "drone").pk))))
    target = tmp_path / "out.pdf"
    data = json.loads(run("print_cards", source, "--kind", kind, "-o", str(target)))
    assert data["pages"] == pages
    text = pdf.text(target)
    assert all(words in text for words in ("Rock Rats", "Pilot 0", "Base vehicle"))


@pytest.mark.django_db
def test_exported_company_survives_import(tmp_path, owner):
    company = a_lance(owner, *LANCE, "drone")
    document = run("export_company", str(company.pk))
    heir = a_player("heir")
    run("import_company", write_document(tmp_path, json.loads(document)), "--owner", "heir")
    again = json.loads(run("export_company", str(heir.companies.get().pk)))
    assert again == {name: value for name, value in json.loads(document).items() if name != "signature"}


# --- companies ---


@pytest.mark.django_db
@pytest.mark.rule("MC-202")
def test_units_without_a_seat_are_fielded_without_a_pilot(owner):
    company = a_lance(owner, "heavy-mech", "light-mech", "light-mech", "drone", "gun-sentry")
    units = fielded(company, ready_units(company))
    assert [unit.document()["pilot"] is None for unit in units] == [False, False, False, True, True]
    assert [row["pilot"] is None for row in force_rows(company, [unit.unit for unit in units]).values()] == [
        False,
        False,
        False,
        True,
        True,
    ]


@pytest.mark.django_db
@pytest.mark.rule("MC-202")
def test_mech_without_a_pilot_is_not_fielded(owner):
    company = a_company(owner, system=SLUG)
    mech = a_unit(company, "light-mech")
    assert ready_units(company) == []
    with pytest.raises(RefusedError, match=r"has no pilot \(MC-202\)"):
        fielded(company, [mech.pk])


@pytest.mark.django_db
@pytest.mark.rule("MC-202")
def test_drone_takes_no_pilot(owner):
    company = a_company(owner, system=SLUG)
    drone, pilot = a_unit(company, "drone"), a_pilot(company)
    with pytest.raises(RefusedError, match="takes no pilot"):
        pilot_assign(company=company, by=owner, unit=drone, pilot=pilot)
    drone.refresh_from_db()
    assert drone.pilot is None


@pytest.mark.django_db
def test_new_pilots_are_rookies_and_free(owner):
    company = a_company(owner, system=SLUG)
    a_pilot(company)
    sheet = company_sheet(company)
    assert (sheet.pilots[0].level_name, sheet.balance) == ("Rookie", 60)
    with pytest.raises(RefusedError, match="rookie"):
        pilot_hire(company=company, by=owner, name="Bo", experience="ace")


@pytest.mark.django_db
@pytest.mark.rule("MC-201")
def test_company_page_warns_when_no_legal_force_is_possible(signed_in, owner):
    company = a_lance(owner, "heavy-mech", "light-mech", "track", "drone")
    assert "No legal force can be made" in page(signed_in, "company", company.pk)
    for number in range(2):
        unit = a_unit(company, "light-mech")
        pilot_assign(company=company, by=owner, unit=unit, pilot=a_pilot(company, f"Late {number}"))
    assert "No legal force" not in page(signed_in, "company", company.pk)


@pytest.mark.django_db
def test_company_and_unit_pages_show_numbers(signed_in, owner):
    company = a_lance(owner, *LANCE, "drone", "gun-sentry")
    text = page(signed_in, "company", company.pk)
    assert "Rock Rats" in text
    assert "nobody" not in text
    for unit in company.units.all():
        text = page(signed_in, "unit", company.pk, unit.pk)
        assert "Target in cover" in text
        assert ("Assign pilot" in text) is roster_rules(SLUG).needs_pilot(unit.spec)


# --- designs and the lab ---


@pytest.mark.parametrize("kind", ["heavy-mech", "light-mech", "track", "drone", "gun-sentry"])
def test_every_kind_has_a_page_and_lab_link(client, kind):
    name = roster_rules(SLUG).published[kind].name
    assert roster_rules(SLUG).published[kind].spec.unit_kind.line in page(client, "design_published", SLUG, kind)
    text = page(client, "lab", system=SLUG, kind=kind)
    assert name in text
    assert "Legal, " in text
    assert text.count('name="armament"') == text.count('name="base_vehicle"') == 1


def test_lab_starts_with_a_light_mech(client):
    assert "Light mech" in page(client, "lab", system=SLUG)
    assert "unknown unit kind 'tank'" in page(client, "lab", system=SLUG, kind="tank")
    assert "longer than 60" in page(client, "lab", system=SLUG, kind="drone", armament="x" * 61)


@pytest.mark.django_db
def test_design_is_saved_with_its_words(signed_in):
    fields = {"system": SLUG, "name": "Gnat", "kind": "drone", "armament": "needle gun", "base_vehicle": "Crawler"}
    signed_in.post(reverse("rosters:design_save"), fields)
    saved = Design.objects.get()
    assert saved.spec == {"kind": "drone", "armament": "needle gun", "base_vehicle": "Crawler"}
    assert "needle gun" in page(signed_in, "design", saved.pk)
    assert "Gnat" in page(signed_in, "designs")


def test_track_drops_the_drones_base_vehicle(client):
    fields = {"system": SLUG, "name": "Mole", "kind": "track", "base_vehicle": "Crawler", "armament": "drill"}
    answer = client.post(reverse("rosters:lab"), fields)
    assert answer.status_code == 302
    assert "base_vehicle" not in answer["Location"]
    assert "armament=drill" in answer["Location"]


# --- scenarios ---


@pytest.mark.parametrize("slug", ["claim-dispute", "survey-beacons", "sabotage"])
def test_scenario_page_describes_its_table(client, slug):
    entry = roster_rules(SLUG).scenarios[slug]
    text = page(client, "scenario_published", SLUG, slug)
    assert entry.name in text
    assert "The table is 36 by 36 in" in text
    assert "4 to 6 units" in text


@pytest.mark.django_db
def test_own_scenario_is_written_and_edited(signed_in, owner):
    assert 'name="goal"' in page(signed_in, "scenario_new", system=SLUG)
    fields = {"system": SLUG, "name": "Short Shift", "goal": "beacons", "turn_limit": "5", "brief": "", "do": "save"}
    signed_in.post(reverse("rosters:scenario_new"), fields)
    row = Scenario.objects.get()
    assert row.spec == {"brief": "", "goal": "beacons", "turn_limit": 5}
    assert 'value="5"' in page(signed_in, "scenario_edit", row.pk)
    signed_in.post(reverse("rosters:scenario_edit", args=[row.pk]), {**fields, "turn_limit": "99"})
    assert "The turn limit must be 1 to 30, not 99" in page(signed_in, "scenario", row.pk)


@pytest.mark.django_db
def test_form_preview_draws_the_table_of_the_goal(signed_in):
    fields = {"system": SLUG, "name": "x", "goal": "drill", "turn_limit": "0"}
    text = html.unescape(signed_in.post(reverse("rosters:scenario_preview"), fields).content.decode())
    assert "Drill head" in text
    assert "The turn limit must be" in text


@pytest.mark.django_db
def test_rules_page_shows_and_filters_rules(client):
    text = page(client, "rules", SLUG)
    assert "MC-073" in text
    assert "not in Muster yet" not in text
    assert "MC-014" in page(client, "rules", SLUG, q="base vehicle", kind="build")
