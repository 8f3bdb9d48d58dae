"""Write JSON Schemas of the documents to docs/formats/: `python -m tests.tools.formats`.

They are not in git; docs/formats/README.md lists them.
"""

import json
import os
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from battles.live.dice import PairedListDocument  # noqa: E402
from campaigns.results.reports import MatchReport  # noqa: E402
from rosters.documents.company import CompanyDocument  # noqa: E402
from rosters.printing.orders import PrintOrder  # noqa: E402
from systems.documents import DesignDocument, Document, ScenarioDocument  # noqa: E402
from systems.meks_and_mercs.build.scenario import ScenarioSpec  # noqa: E402
from systems.setups import Setup  # noqa: E402
from systems.simulation.records import Header  # noqa: E402

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "formats"
FORMATS: dict[str, type[Document]] = {
    "company-1": CompanyDocument,
    "design-1": DesignDocument,
    "scenario-1": ScenarioDocument,
    "scenario-1-meks-and-mercs": ScenarioSpec,
    "print-1": PrintOrder,
    "setup-1": Setup,
    "record-1-header": Header,
    "report-1": MatchReport,
    "paired-dice-1": PairedListDocument,
}


def schema_text(kind: str) -> str:
    """Return the exact text of the schema file for a kind of document."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **FORMATS[kind].model_json_schema()}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def schema_path(kind: str) -> Path:
    return FOLDER / f"{kind}.schema.json"


if __name__ == "__main__":
    for kind in FORMATS:
        schema_path(kind).write_text(schema_text(kind), encoding="utf-8")
