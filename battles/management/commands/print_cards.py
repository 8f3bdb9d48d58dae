"""Prints the cards or datasheets of a design, of a set-up or of an exported company as PDF."""

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from battles.documents import Setup, SetupUnit, read_setup
from battles.management.documents import DocumentCommand
from battles.systems import get_system as get_battle_system
from rosters.company_document import read_company
from rosters.documents import DocumentError, plain_json, read_design
from rosters.printing import MissingPangoError, UnitDocument, render_cards, render_sheets
from rosters.printing.documents import PilotDocument
from rosters.printing.engine import glyph_warning, missing_glyphs, open_pdf
from rosters.printing.impose import PAPERS
from rosters.printing.sources import units_of_company, units_of_design
from rosters.systems import get_system


class Command(DocumentCommand):
    help = "Prints unit cards or datasheets of a design, a set-up or an exported company as PDF."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--kind", choices=["cards", "sheets"], default="cards")
        parser.add_argument("--paper", choices=list(PAPERS), default="a4")
        parser.add_argument("--fronts", action="store_true", help="no backs: single-sided cards")
        parser.add_argument("-o", "--output", required=True, metavar="OUT.pdf")

    def answer(self, data: bytes, options: dict[str, Any]) -> None:
        units = read_printable(data)
        started = time.perf_counter()
        try:
            with missing_glyphs() as missing:
                if options["kind"] == "cards":
                    pdf = render_cards(units, options["paper"], duplex=not options["fronts"])
                else:
                    pdf = render_sheets(units, options["paper"])
        except MissingPangoError as error:
            raise DocumentError("print", str(error)) from None
        seconds = time.perf_counter() - started
        _write(Path(options["output"]), pdf)
        with open_pdf(pdf) as opened:
            pages = len(opened.pages)
        self.stdout.write(json.dumps({"pages": pages, "seconds": round(seconds, 3)}))
        if warning := glyph_warning(missing):
            self.stderr.write(warning)


def read_printable(data: bytes) -> tuple[UnitDocument, ...]:
    """The units of a document of any kind that can be printed; raises DocumentError."""
    document = plain_json(data)
    kind = document.get("muster") if isinstance(document, dict) else None
    match kind:
        case "design/1":
            return units_of_design(read_design(data)[0])
        case "setup/1":
            return units_of_setup(read_setup(data))
        case "company/1":
            return units_of_company(read_company(data))
    raise DocumentError("muster", "must be design/1, setup/1 or company/1")


def units_of_setup(setup: Setup) -> tuple[UnitDocument, ...]:
    """All units of both sides, each side's support units last; each is shown with its side in place of a company."""
    support = get_battle_system(setup.system).support_units(setup)
    units: list[UnitDocument] = []
    for at, side in enumerate(setup.sides):
        brought = [SetupUnit(key=slug, design=slug) for of, slug in support if of == at]
        units += (_unit(setup, side.name, unit) for unit in (*side.units, *brought))
    return tuple(units)


def _unit(setup: Setup, side: str, unit: SetupUnit) -> UnitDocument:
    rules = get_system(setup.system)
    pilot = None
    if unit.pilot:
        known = {name: unit.pilot[name] for name in ("experience", "skills") if name in unit.pilot}
        pilot = PilotDocument.model_validate_json(json.dumps({"name": "Pilot", **known}))
    spec: dict[str, object] = {}
    support = ""
    if isinstance(unit.design, dict):
        spec = unit.design
        design_name = unit.name or unit.key
    elif unit.design in rules.published:
        published = rules.published[unit.design]
        spec, design_name = rules.spec_json(published.spec), published.name
    else:
        support = design_name = unit.design
    return UnitDocument(
        system=setup.system,
        name=unit.name or design_name,
        design_name=design_name,
        spec=spec,
        support=support,
        company=side,
        pilot=None if support else pilot,
        condition=unit.condition,
        options=setup.options,
    )


def _write(path: Path, data: bytes) -> None:
    """The file appears whole or not at all."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".print-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(name, 0o644)
            os.replace(name, path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise DocumentError("output", f"cannot be written: {error.strerror or error}") from None
