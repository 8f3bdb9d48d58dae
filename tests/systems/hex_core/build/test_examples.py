"""The documents of docs/examples/hex-core are legal and match the published designs."""

import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command

from systems.hex_core.build import SYSTEM
from systems.reading import read_design
from systems.roster import CompanyMember
from systems.setups import Setup
from tests.systems.bad_input import refused_by_command, write_document

EXAMPLES = Path(__file__).resolve().parents[4] / "docs" / "examples" / "hex-core"


@pytest.mark.rule("HX-042")
@pytest.mark.parametrize("slug", SYSTEM.published)
def test_example_design_is_the_published_one(slug: str):
    document, spec = read_design((EXAMPLES / f"{slug}.json").read_bytes())
    assert (document.system, spec) == ("hex-core", SYSTEM.published[slug].spec)


@pytest.mark.parametrize("name", ["line-against-line", "town-of-three-points", "own-designs", "the-ford"])
def test_example_battle_has_legal_squads(name: str):
    setup = Setup.model_validate_json((EXAMPLES / f"{name}.json").read_bytes())
    options = SYSTEM.parse_options(setup.options)
    for side in setup.sides:
        specs = [
            SYSTEM.published[unit.design].spec if isinstance(unit.design, str) else SYSTEM.parse_spec(unit.design)
            for unit in side.units
        ]
        members = [CompanyMember(str(at), spec, None) for at, spec in enumerate(specs)]
        assert SYSTEM.check_company(setup.scenario, members, options).legal


@pytest.mark.rule("HX-052")
def test_check_design_command_reports_all_problems(capsys, tmp_path: Path):
    call_command("check_design", EXAMPLES / "warden.json")
    assert json.loads(capsys.readouterr().out) == {"legal": True, "points": 76, "problems": []}
    bad = json.loads((EXAMPLES / "warden.json").read_bytes())
    bad["spec"]["weapons"][0]["weapon"] = "rifel"
    assert re.search(
        r"spec\.weapons\[0\]\.weapon: unknown weapon 'rifel'.*HX-043", refused_by_command(tmp_path, "check_design", bad)
    )
    bad["spec"]["weapons"][0] = {"weapon": "sniper-rifle", "place": "both"}
    bad["spec"]["srm"] = [3, 0, 0]
    call_command("check_design", write_document(tmp_path, bad))
    data = json.loads(capsys.readouterr().out)
    found = [(each["rule"], each["place"]) for each in data["problems"]]
    assert (data["legal"], found) == (False, [("HX-040", "srm[0]"), ("HX-044", "weapons")])
