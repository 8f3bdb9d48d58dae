"""The packet of every example: no reader and no printer complains about the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from battles.paper import setup_packet
from rosters.paper.documents import PrintSettings
from rosters.paper.sources import units_of_design
from rosters.printing import render_order
from rosters.printing.orders import PrintOrder, check_order, order_of, packet_order, packet_products
from rosters.products import OF_A_UNIT
from systems.reading import read_design, read_setup
from tests.example_shares import in_every_run
from tests.rosters.paper import checks

FOLDER = Path(__file__).parents[3] / "docs" / "examples"
EXAMPLES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/*.json"))
KEPT = {
    "blazing-steel/skimmer.json",
    "hex-core/the-ford.json",
    "mech-campaign/sabotage.json",
    "mechastellar/blue-djinn.json",
    "scenarios/hot-gates.json",
}


def example_order(name: str) -> PrintOrder:
    """Return an order for everything printable of a set-up's battle, or of a design."""
    data = (FOLDER / name).read_bytes()
    if json.loads(data)["muster"] == "design/1":
        items = [item for unit in units_of_design(read_design(data)[0]) for each in OF_A_UNIT.values()
                 if (item := each.of_unit(unit))]  # fmt: skip
        order = order_of(name, PrintSettings(), items)
    else:
        packet = setup_packet(read_setup(data), [None, None], title=name, url="https://muster.example.org/b/1/")
        products = [slug for slug, _ in packet_products(packet)]
        order = packet_order(packet, products, PrintSettings(), 1)
    check_order(order)
    return order


@pytest.mark.slow
@pytest.mark.parametrize("name", in_every_run(KEPT, EXAMPLES))
def test_packet_passes_ghostscript_mupdf_and_qpdf(name: str, tmp_path: Path):
    path = tmp_path / "packet.pdf"
    path.write_bytes(render_order(example_order(name)).pdf)
    assert checks.complaints(path) == []
    checks.check(path)
