"""print_cards: a PDF and one line about it, or one line of refusal and nothing written."""

from __future__ import annotations

import json
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from systems.meks_and_mercs.catalogue import CATALOGUE
from tests.rosters.paper import pdf
from tests.systems.meks_and_mercs.battle.games import crew, document

DESIGN = {
    "muster": "design/1", "system": "meks-and-mercs", "name": "Wasp",
    "spec": {"chassis": "light", "weapons": ["cannon", "ciws", "ciws"], "systems": ["jammer"]},
}  # fmt: skip
SETUP = {
    "muster": "setup/1", "system": "meks-and-mercs", "scenario": "zone-battle", "terrain": "plain", "options": {},
    "sides": [
        {"name": "Attacker", "doctrine": "aggressive", "support": [],
         "units": [{"key": "a1", "design": "wasp", "pilot": {"experience": "regular", "skills": ["accuracy"]}}]},
        {"name": "Defender", "doctrine": "cautious", "support": [],
         "units": [{"key": "b1", "design": {"chassis": "heavy"}, "pilot": None}, {"key": "b2", "design": "panzer"}]},
    ],
}  # fmt: skip


def run(tmp_path: Path, document: object, *options: str) -> tuple[dict, Path]:
    source, target = tmp_path / "in.json", tmp_path / "out.pdf"
    source.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    out = StringIO()
    call_command("print_cards", str(source), "-o", str(target), *options, stdout=out)
    return json.loads(out.getvalue()), target


@pytest.mark.parametrize(("kind", "pages"), [("cards", 2), ("sheets", 1)])
def test_design_is_printed(tmp_path: Path, kind: str, pages: int):
    output, path = run(tmp_path, DESIGN, "--kind", kind, "--paper", "letter")
    assert output["pages"] == pages == len(pdf.page_sizes(path))
    assert output["seconds"] > 0
    assert set(pdf.page_sizes(path)) == {(215.9, 279.4)}
    assert "WASP" in pdf.text(path)


def test_all_units_of_a_setup_are_printed(tmp_path: Path):
    _, path = run(tmp_path, SETUP, "--kind", "cards")
    front = {word.text for word in pdf.words(path)[0]}
    assert {"WASP", "B1", "PANZER", "Attacker", "Defender", "Accuracy"} <= front


@pytest.mark.rule("MM-088", "MM-089")
def test_units_of_scenario_and_support_are_printed(tmp_path: Path):
    support = (["mech-infantry", "ambush"], ["commandos", "roll"])
    heroes = [crew("draken", "veteran", ["log-hero"]), crew("sagitarii")]
    hot_gates = document("hot-gates", attackers=heroes, support=support)
    _, path = run(tmp_path, hot_gates, "--fronts")
    titles = Counter(word.text for words in pdf.words(path) for word in words if word.text.isupper())
    extra = CATALOGUE.scenarios["hot-gates"].defender.extra
    infantry = sum(group.count for group in extra if group.unit == "infantry")
    assert (titles["APC"], titles["COMMANDOS"], titles["INFANTRY"]) == (1, 1, infantry + 1)
    assert titles["DRAKEN"] == 2
    front = pdf.text(path)
    assert "Support unit · Attacker" in front
    assert "Support unit · Defender" in front


def test_new_pilot_is_printed(tmp_path: Path):
    pilot = {"experience": "regular", "skills": [], "is_new": True}
    meks = [{"design": "draken", "pilot": pilot}, crew("sagitarii")]
    _, path = run(tmp_path, document("hot-gates", attackers=meks), "--fronts")
    assert "Regular" in {word.text for word in pdf.words(path)[0]}


@pytest.mark.django_db
def test_exported_company_is_printed(tmp_path: Path):
    from rosters import services
    from rosters.documents.import_export import company_document
    from rosters.models import Player

    owner = Player.objects.create_user("kim")
    company = services.company_create(owner=owner, system="meks-and-mercs", name="Iron Wolves")
    unit = services.unit_buy(company=company, by=owner, published="draken", name="Ghost")
    pilot = services.pilot_hire(company=company, by=owner, name="Ana", callsign="Hatchet")
    services.pilot_assign(company=company, by=owner, unit=unit, pilot=pilot)
    _, path = run(tmp_path, company_document(company))
    front = {word.text for word in pdf.words(path)[0]}
    assert {"GHOST", "Ana", "“Hatchet”", "Green"} <= front


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({**DESIGN, "spec": {"chassis": "giga"}}, "spec.chassis: "),
        ({**DESIGN, "spec": {"chassis": "light", "weapons": ["cannon"] * 40}}, "spec.weapons: "),
        ({**DESIGN, "muster": "battle/1"}, "muster: must be design/1, setup/1, company/1 or print/1"),
        ({**SETUP, "sides": SETUP["sides"][:1]}, "sides: "),
        ("[1, 2", "document: not JSON"),
        ("[]", "muster: "),
    ],
)
def test_bad_input_is_refused_in_one_line(tmp_path: Path, document: object, expected: str):
    with pytest.raises(CommandError) as refusal:
        run(tmp_path, document)
    assert refusal.value.returncode == 2
    assert str(refusal.value).startswith(expected)
    assert "\n" not in str(refusal.value)
    assert [path.name for path in tmp_path.iterdir()] == ["in.json"]


def print_order(**settings: object) -> dict:
    unit = {
        "muster": "print-unit/1",
        "name": "Fox",
        "design_name": "Wasp",
        **{k: DESIGN[k] for k in ("system", "spec")},
    }
    items = [{"what": "unit-card", "unit": unit, "copies": 10}, {"what": "datasheet", "unit": unit}]
    return {"muster": "print/1", "title": "Mixed", "settings": settings, "items": items}


def test_order_is_printed_with_its_settings(tmp_path: Path):
    output, path = run(tmp_path, print_order(paper="letter"))
    assert output["pages"] == len(pdf.page_sizes(path)) == 5  # two sheets of cards with their backs, and a datasheet
    assert set(pdf.page_sizes(path)) == {(215.9, 279.4)}


def test_options_override_the_orders_settings(tmp_path: Path):
    output, path = run(tmp_path, print_order(paper="letter"), "--paper", "a4", "--backs", "none")
    assert output["pages"] == 3
    assert set(pdf.page_sizes(path)) == {(210.0, 297.0)}


@pytest.mark.parametrize(
    ("document", "options", "expected"),
    [
        (print_order(), ["--kind", "cards"], "kind: "),
        (print_order(front={"x": 1000.0}), [], "settings.front.x: must be 10.0 or less"),
        ({**print_order(), "items": []}, [], "items: "),
        ({**print_order(), "items": [{"what": "unit-card", "unit": {}, "copies": 10_000}]}, [], "items[0]."),
    ],
)
def test_unprintable_order_is_refused(tmp_path: Path, document: dict, options: list[str], expected: str):
    with pytest.raises(CommandError) as refusal:
        run(tmp_path, document, *options)
    assert refusal.value.returncode == 2
    assert str(refusal.value).startswith(expected)
    assert [path.name for path in tmp_path.iterdir()] == ["in.json"]
