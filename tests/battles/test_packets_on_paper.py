"""A battle's packet is printed with that battle's rules."""

from __future__ import annotations

from typing import Any

import pytest

from battles.paper import setup_packet
from rosters.paper.documents import PrintSettings
from rosters.printing.orders import PrintOrder, check_order, packet_order, packet_products
from systems.reading import read_setup
from tests.rosters.paper.test_the_book_on_paper import read, sheet

GREEN, REGULAR = {"experience": "green"}, {"experience": "regular"}


def setup(system: str, scenario: Any, attackers: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    units = [[{"key": f"{key}{at}", **unit} for at, unit in enumerate(attackers, start=1)] for key in ("a", "d")]
    doctrines = ("aggressive", "cautious")
    sides = [
        {"name": name, "doctrine": doctrine, "units": force}
        for name, doctrine, force in zip(("Wolves", "Rain"), doctrines, units, strict=True)
    ]
    return {"muster": "setup/1", "system": system, "scenario": scenario, "sides": sides, **fields}


def packet(document: dict[str, Any]) -> PrintOrder:
    found = setup_packet(read_setup(document), [None, None], title="Test", url="https://muster.example.org/b/1/")
    order = packet_order(found, [slug for slug, _ in packet_products(found)], PrintSettings(), 1)
    check_order(order)
    return order


def of(order: PrintOrder, what: str) -> Any:
    return next(item for item in order.items if item.what == what)


MECHS = [{"design": design} for design in ("heavy-mech", "heavy-mech", "light-mech", "light-mech", "track")]


def test_every_part_of_a_packet_shows_house_rules():
    options = {"resolve-bonus": 0, "suppression-roll": "to-hit", "lock-range": "12"}
    order = packet(setup("mech-campaign", "claim-dispute", MECHS, terrain="rolled", options=options))
    texts = [read(of(order, "unit-card"))] + [
        sheet(of(order, what)) for what in ("roster", "scenario", "reference", "slip")
    ]
    for text in texts:
        for words in ("Resolve bonus: 0", "Suppressive fire: rolls to hit", "Range of a target lock: 12 in"):
            assert words in text, words
    assert "1: 1; 2: 1–2" in texts[0]
    assert "Retreats at loss: 3: 1" not in texts[0]


def meks(**fields: Any) -> dict[str, Any]:
    units = [{"design": "draken", "pilot": REGULAR}, {"design": "saber", "pilot": REGULAR},
             {"design": "viper", "pilot": GREEN}]  # fmt: skip
    return setup("meks-and-mercs", "head-to-head", units, terrain="printed", **fields)


def test_card_counter_and_standee_share_the_roster_number():
    order = packet(meks())
    texts = {
        what: [(item.unit.side, item.unit.number, item.unit.name) for item in order.items if item.what == what]
        for what in ("unit-card", "counter", "standee")
    }
    assert [(side, number) for side, number, _ in texts["unit-card"]] == [(s, n) for s in "ab" for n in (1, 2, 3)]
    assert texts["unit-card"] == texts["counter"] == texts["standee"]
    assert [unit.number for unit in of(order, "roster").roster.units] == [1, 2, 3]


@pytest.mark.rule("MM-010", "MM-011")
def test_roster_shows_cost_of_pilots_hired_for_the_game():
    order = packet(meks(options={"season-mode": "fresh-build"}))
    roster = of(order, "roster").roster
    assert (roster.points, roster.bill) == (60, ("Meks 50", "2 new Regular 10"))
    assert "Meks 50, 2 new Regular 10: 60" in sheet(of(order, "roster"))


@pytest.mark.rule("MM-010")
def test_standing_companys_pilots_cost_nothing():
    roster = of(packet(meks(options={"season-mode": "standing-company"})), "roster").roster
    assert (roster.points, roster.bill) == (50, ())


@pytest.mark.rule("MM-085")
@pytest.mark.parametrize(("support", "asked"), [([], 0), (["ambush"], 0), (["repair-truck"], 3), (["roll"], 3)])
def test_slip_asks_about_repairs_only_with_a_repair_truck(support: list[str], asked: int):
    document = meks()
    document["sides"][0]["support"] = support
    text = sheet(of(packet(document), "slip"))
    assert text.count("mended by truck") == asked
    assert text.count("reactor exploded") == 6


@pytest.mark.rule("MM-012")
def test_open_terrain_is_printed_as_plain():
    text = sheet(of(packet(meks()), "scenario"))
    assert text.count("Plain") == 18
    rolled = sheet(of(packet(meks(options={"random-terrain": True})), "scenario"))
    assert "Roll a die for each zone, 1 to 9, before set-up: 1–2 Plain" in rolled


def test_support_unit_is_named_on_the_slip():
    document = meks()
    document["sides"][0]["support"] = ["mech-infantry"]
    slip = of(packet(document), "slip").slip
    assert [unit.name for unit in slip.sides[0].units][-2:] == ["APC", "Infantry strongpoint"]
