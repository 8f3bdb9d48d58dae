"""Print the cards or datasheets of a design, a set-up or an exported company, or an order of any kind, as PDF."""

import json
import os
import tempfile
import time
from pathlib import Path
from typing import get_args

from django.core.management.base import CommandParser

from battles.management.documents import DocumentCommand
from battles.paper import units_of_setup
from rosters.documents.company import read_company
from rosters.paper.documents import PrintSettings, UnitDocument
from rosters.paper.sheets import PAPERS
from rosters.paper.sources import units_of_company, units_of_design
from rosters.printing import MissingPangoError
from rosters.printing.orders import MAX_BYTES, MAX_VALUES, PrintOrder, check_order, order_of, read_order
from rosters.printing.rendering import render_order
from rosters.products import OF_A_UNIT
from systems.documents import DocumentError, plain_json
from systems.reading import read_design, read_setup
from systems.simulation.commands import Answer

KINDS = {product.command: product for product in OF_A_UNIT.values() if product.command}
SETTINGS = ("paper", "card", "theme", "backs", "sheet")


class Command(DocumentCommand):
    help = "Prints unit cards or datasheets of a design, a set-up or an exported company, or a print/1 order, as PDF."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--kind", choices=list(KINDS), help="default: cards; a print order sets this itself")
        parser.add_argument(
            "--paper", choices=list(PAPERS), help="default: a4, or the order's own; likewise for the options below"
        )
        parser.add_argument("--card", choices=_choices("card"), help="size of cards")
        parser.add_argument("--theme", choices=_choices("theme"))
        parser.add_argument("--backs", choices=_choices("backs"), help="position of the backs of cards")
        parser.add_argument("--sheet", choices=_choices("sheet"), help="size of datasheets")
        parser.add_argument("--fronts", action="store_true", help="the same as --backs none")
        parser.add_argument("-o", "--output", required=True, metavar="OUT.pdf")

    def answer(self, data: bytes, options: dict[str, object]) -> Answer:
        order = _order(data, options)
        started = time.perf_counter()
        try:
            printed = render_order(order, None)
        except MissingPangoError as error:
            raise DocumentError("print", str(error)) from None
        seconds = time.perf_counter() - started
        _write(Path(str(options["output"])), printed.pdf)
        if printed.warning:
            self.stderr.write(printed.warning)
        return Answer(json.dumps({"pages": printed.pages, "seconds": round(seconds, 3)}) + "\n")


def _choices(field: str) -> list[str]:
    return list(get_args(PrintSettings.model_fields[field].annotation))


def _order(data: bytes, options: dict[str, object]) -> PrintOrder:
    """Return the order to print, with the given settings put in; raises DocumentError."""
    document = plain_json(data, most=MAX_BYTES, most_values=MAX_VALUES)
    kind = document.get("muster") if isinstance(document, dict) else None
    given = {name: options[name] for name in SETTINGS if options[name]}
    if options["fronts"]:
        given["backs"] = "none"
    if kind == "print/1":
        if options["kind"]:
            raise DocumentError("kind", "a print order sets what it prints: leave out --kind")
        order = read_order(data)
        order = order.model_copy(update={"settings": order.settings.model_copy(update=given)})
    else:
        product = KINDS[str(options["kind"] or next(iter(KINDS)))]
        units = _units(kind, data)
        items = [item for unit in units if (item := product.of_unit(unit))]
        if not items and (error := product.refusal(units[0])):
            raise DocumentError("units", error.reason)
        title = items[0].unit.name if len(items) == 1 else product.label
        order = read_order(order_of(title, PrintSettings.model_validate(given), items))
    check_order(order)
    return order


def _units(kind: object, data: bytes) -> tuple[UnitDocument, ...]:
    """Return the units of a document that can be printed; raises DocumentError."""
    match kind:
        case "design/1":
            return units_of_design(read_design(data)[0])
        case "setup/1":
            return units_of_setup(read_setup(data))
        case "company/1":
            return units_of_company(read_company(data))
    raise DocumentError("muster", "must be design/1, setup/1, company/1 or print/1")


def _write(path: Path, data: bytes) -> None:
    """Write the file completely or not at all."""
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
        raise DocumentError("output", f"can't be written: {error.strerror or error}") from None
