"""The documents of docs/examples/blazing-steel are legal and match the published designs."""

import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command

from systems.blazing_steel.build import SYSTEM
from systems.reading import read_design
from systems.roster import CompanyMember
from systems.setups import Setup
from tests.systems.bad_input import refused_by_command, write_document

EXAMPLES = Path(__file__).resolve().parents[4] / "docs" / "examples" / "blazing-steel"


@pytest.mark.rule("BS-001", "BS-006")
@pytest.mark.parametrize("slug", SYSTEM.published)
def test_example_design_is_the_published_one(slug: str, steel: str):
    document, spec = read_design((EXAMPLES / f"{slug}.json").read_bytes())
    assert (document.system, spec) == (steel, SYSTEM.published[slug].spec)


@pytest.mark.parametrize("name", ["four-a-side", "king-and-crows", "left-hook", "own-designs"])
def test_example_battle_has_legal_forces(name: str):
    setup = Setup.model_validate_json((EXAMPLES / f"{name}.json").read_bytes())
    options = SYSTEM.parse_options(setup.options)
    for side in setup.sides:
        specs = [
            SYSTEM.published[unit.design].spec if isinstance(unit.design, str) else SYSTEM.parse_spec(unit.design)
            for unit in side.units
        ]
        members = [CompanyMember(str(at), spec, None) for at, spec in enumerate(specs)]
        assert SYSTEM.check_company(setup.scenario, members, options).legal


def test_check_design_command_reports_and_refuses(steel: str, capsys, tmp_path: Path):
    call_command("check_design", EXAMPLES / "hawker.json")
    assert json.loads(capsys.readouterr().out) == {"legal": True, "points": 10, "problems": []}
    bad = json.loads((EXAMPLES / "hawker.json").read_bytes())
    bad["spec"]["l1"] = ["laser", "railgun"]
    assert re.search(
        r"spec\.l1: a hardpoint holds one option.*BS-003", refused_by_command(tmp_path, "check_design", bad)
    )
    bad["spec"] |= {"l1": "laser", "chassis": "light"}
    call_command("check_design", write_document(tmp_path, bad))
    data = json.loads(capsys.readouterr().out)
    found = [(each["rule"], each["place"]) for each in data["problems"]]
    assert (data["legal"], found) == (False, [("BS-005", "options"), ("BS-012", "magazine_on")])
