"""Every product of the print shop, as orders: for the gallery and for the tests of each product."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rosters.paper.documents import PrintSettings, UnitDocument
from rosters.paper.sources import Packet, PacketSide, PacketUnit
from rosters.printing.orders import PrintOrder, packet_order, packet_products, read_order, usual_products
from rosters.products.base import Item
from systems import roster_rules
from systems.meks_and_mercs.catalogue import CATALOGUE
from tests.rosters.paper import items
from tests.rosters.paper.units import SYSTEM, hard_cases, unit

WOLVES, RAIN = "#7a1f2b", "#1f4e7a"
LIVE = items.LIVE
PILOTS: tuple[dict[str, Any], ...] = (
    {"name": "Ana Beltrán “Wasp”", "experience": "veteran", "skills": ["accuracy"], "kills": 6, "games": 4},
    {"name": "Jun Okafor", "experience": "regular", "skills": [], "kills": 1, "games": 3},
    {"name": "Ilse Marchetti “Anvil”", "experience": "elite", "skills": ["accuracy", "damage-control"], "kills": 14,
     "games": 11},
    {"name": "Tomasz Wójcik", "experience": "green", "skills": [], "kills": 0, "games": 0},
)  # fmt: skip
DAMAGE: tuple[dict[str, Any], ...] = ({}, {"hits": 2, "weapons_lost": [0], "legs": 1}, {}, {"hits": 1})


def lance(count: int = 9, company: str = "Iron Wolves", colour: str = WOLVES) -> list[dict[str, Any]]:
    """Return units as a company has them: pilots, some damage, an address each."""
    slugs = list(roster_rules(SYSTEM).published)
    return [
        unit(
            slugs[at % len(slugs)],
            name=f"{CALLED[at % len(CALLED)]} {at + 1}",
            company=company,
            colour=colour,
            url=f"{LIVE}units/{at + 1}/",
            pilot=PILOTS[at % len(PILOTS)],
            condition=DAMAGE[at % len(DAMAGE)] if slugs[at % len(slugs)] != "wasp" else {},
        )
        for at in range(count)
    ]


CALLED = ("Hornet", "Grey Lady", "Old Faithful", "Ajax", "Longshot", "Scale", "Hammerfall", "Tusker", "Allfather")


def packet_items(count: int = 4) -> list[Item]:
    """Return a match's packet, as a battle's page orders it."""
    sides = tuple(
        PacketSide(
            name=name,
            player=player,
            colour=colour,
            url=LIVE,
            support=support,
            units=tuple(
                PacketUnit(document=_document(each), points=20 + at, hits=4)
                for at, each in enumerate(lance(count, name, colour))
            ),
        )
        for name, player, colour, support in (
            ("Iron Wolves", "Kim", WOLVES, ("ambush", "gun-sled")),
            ("Steel Rain", "Robin", RAIN, ("minefield",)),
        )
    )
    scenario = roster_rules(SYSTEM).scenarios["hot-gates"]
    packet = Packet(
        system=SYSTEM,
        title="Iron Wolves against Steel Rain",
        sides=(sides[0], sides[1]),
        kicker="Border War · round 3 · table 2",
        scenario_name=scenario.name,
        scenario=roster_rules(SYSTEM).scenario_json(scenario.spec),
        deadline="30 November 2026, 18:00",
        url=items.REPORT,
        outcomes=("Iron Wolves won", "Steel Rain won", "Draw"),
    )
    products = usual_products(packet_products(packet))
    return list(packet_order(packet, products, PrintSettings(), 1).items)


def _document(fields: dict[str, Any]) -> UnitDocument:
    return UnitDocument.model_validate_json(json.dumps(fields))


def cards(what: str, units: Iterable[dict[str, Any]], copies: int = 1) -> list[Item]:
    return [items.item(what, unit=each, copies=copies) for each in units]


def pilot_cards(count: int = 4) -> list[Item]:
    free = items.item("free-pilot-card", system=SYSTEM, pilot=PILOTS[2], company="Iron Wolves", colour=WOLVES)
    return [*cards("pilot-card", lance(count)), free]


def support_cards(slugs: Sequence[str] = ()) -> list[Item]:
    chosen = slugs or list(CATALOGUE.support)
    return [
        items.item("support-card", system=SYSTEM, support=slug, company="Iron Wolves", colour=WOLVES) for slug in chosen
    ]


def support_units() -> list[Item]:
    """Return the vehicles and soldiers that support brings."""
    return cards(
        "unit-card",
        [
            {"muster": "print-unit/1", "system": SYSTEM, "name": slug, "design_name": slug, "support": slug,
             "company": "Iron Wolves", "colour": WOLVES}
            for slug in CATALOGUE.support_units
        ],
    )  # fmt: skip


def slip(count: int = 5) -> Item:
    return next(item for item in packet_items(count) if item.what == "slip")


def hard_units() -> list[dict[str, Any]]:
    """Return names and loadouts that are hard to fit, each with an address."""
    return [{**case, "url": f"{LIVE}units/{at}/", "colour": RAIN} for at, case in enumerate(hard_cases().values())]


def with_pilots(units: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in units if each.get("pilot")]


def meks(units: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in units if not each.get("support")]


Made = tuple[Callable[[], list[Item]], dict[str, Any]]

PRODUCTS: dict[str, Made] = {
    "unit cards poker": (lambda: cards("unit-card", lance()), {}),
    "unit cards tarot": (lambda: cards("unit-card", lance()), {"card": "tarot"}),
    "unit cards a6": (lambda: cards("unit-card", lance(4)), {"card": "a6"}),
    "unit cards a7": (lambda: cards("unit-card", lance()), {"card": "a7"}),
    "unit cards of support": (support_units, {}),
    "pilot cards": (pilot_cards, {}),
    "pilot cards a7": (pilot_cards, {"card": "a7"}),
    "support cards": (support_cards, {}),
    "support cards tarot": (support_cards, {"card": "tarot"}),
    "datasheet full": (lambda: cards("datasheet", lance(2)), {}),
    "datasheet half": (lambda: cards("datasheet", lance(2)), {"sheet": "half"}),
    "datasheet two-up": (lambda: cards("datasheet", lance(3)), {"sheet": "two-up"}),
    "roster": (lambda: [items.roster(lance(6), pilots=[PILOTS[2]], balance=3)], {}),
    "roster of 40": (lambda: [items.roster(lance(40))], {}),
    "reference": (lambda: [items.reference(lance(6), ["ambush", "gun-sled"])], {}),
    "reference of one": (lambda: [items.reference(lance(1))], {}),
    "scenario": (lambda: [items.scenario("hot-gates")], {}),
    "scenario of one's own": (lambda: [items.own_scenario()], {}),
    "map of hexes": (lambda: [items.hex_plate("hex-map-small", "coast")], {}),
    "hex tiles": (lambda: [items.hex_plate("hex-tiles-small", "frost-pass")], {}),
    "counters": (lambda: cards("counter", lance(), 2), {}),
    "standees": (lambda: cards("standee", lance()), {}),
    "slip": (lambda: [slip()], {}),
    "blank unit cards": (lambda: [items.item("blank", of="unit-card", system=SYSTEM, copies=9)], {}),
    "blank pilot cards": (lambda: [items.item("blank", of="pilot-card", system=SYSTEM, copies=9)], {}),
    "blank datasheet": (lambda: [items.blank("datasheet")], {}),
    "blank datasheet two-up": (lambda: [items.blank("datasheet")], {"sheet": "two-up"}),
    "blank roster": (lambda: [items.blank("roster")], {}),
    "blank slip": (lambda: [items.blank("slip")], {}),
    "battle packet": (packet_items, {}),
}

HARD: dict[str, Made] = {
    "hard unit cards poker": (lambda: cards("unit-card", hard_units()), {}),
    "hard unit cards tarot": (lambda: cards("unit-card", hard_units()), {"card": "tarot"}),
    "hard unit cards a6": (lambda: cards("unit-card", hard_units()), {"card": "a6"}),
    "hard pilot cards": (lambda: cards("pilot-card", with_pilots(hard_units())), {}),
    "hard datasheets": (lambda: cards("datasheet", meks(hard_units())), {}),
    "hard datasheets two-up": (lambda: cards("datasheet", meks(hard_units())), {"sheet": "two-up"}),
    "hard roster": (lambda: [items.roster(hard_units(), name="W" * 60)], {}),
    "hard reference": (lambda: [items.reference(meks(hard_units()), list(CATALOGUE.support))], {}),
    "scenarios": (lambda: [items.scenario(slug) for slug in roster_rules(SYSTEM).scenarios], {}),
    "hard counters": (lambda: cards("counter", hard_units()), {}),
    "hard standees": (lambda: cards("standee", hard_units()), {}),
    "hard slip": (lambda: [items.slip(20, "W" * 57)], {}),
}


def order(name: str, **settings: Any) -> PrintOrder:
    """Return the product's order; `settings` come before the product's own."""
    make, own = (PRODUCTS | HARD)[name]
    return read_order(
        PrintOrder(title=name.capitalize(), settings=items.settings(**own | settings), items=tuple(make()))
    )
