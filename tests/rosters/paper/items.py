"""Items of a print order that are pages, for tests."""

from __future__ import annotations

import json
import re
from html import unescape
from types import SimpleNamespace
from typing import Any

import pydantic
import pytest

from rosters.paper.documents import PrintSettings
from rosters.paper.page_layout import Frame, page_html
from rosters.printing.rendering import page_pdfs
from rosters.products import PRODUCTS, AnyItem, base, company_pages
from rosters.products.base import Item
from systems import PAPER, roster_rules
from tests.rosters.paper.units import MECHS, SYSTEM, mech, unit

ADAPTER: pydantic.TypeAdapter[Item] = pydantic.TypeAdapter(AnyItem)
REPORT = "https://muster.example.org/campaigns/3/matches/17/report/"
LIVE = "https://muster.example.org/companies/iron-wolves/"


def item(what: str, **fields: Any) -> Item:
    return ADAPTER.validate_json(json.dumps({"what": what, **fields}))


def settings(**fields: Any) -> PrintSettings:
    return PrintSettings.model_validate_json(json.dumps(fields))


def datasheet(document: dict[str, Any]) -> Item:
    return item("datasheet", unit=document)


def roster(units: list[dict[str, Any]], **fields: Any) -> Item:
    company = {
        "system": SYSTEM, "name": "Iron Wolves", "motto": "We bill by the hour", "player": "Kim", "colour": "#7a1f2b",
        "points": 74, "as_of": "22 November 2026", "url": LIVE, "units": units, **fields,
    }  # fmt: skip
    return item("roster", roster=company)


def reference(units: list[dict[str, Any]], support: list[str] | None = None, system: str = SYSTEM) -> Item:
    return item("reference", system=system, units=units, support=support or [])


def scenario(slug: str, system: str = SYSTEM, **fields: Any) -> Item:
    rules = roster_rules(system)
    published = rules.scenarios[slug]
    spec = rules.scenario_json(published.spec)
    return item("scenario", **{"system": system, "name": published.name, "spec": spec, **fields})


def hex_plate(what: str, terrain: str, **fields: Any) -> Item:
    """Return a Hex Core map, or its tiles."""
    spec = {"mission": "elimination"}
    return item(what, **{"system": "hex-core", "name": "Elimination", "spec": spec, "terrain": terrain, **fields})


def own_scenario(**fields: Any) -> Item:
    spec = {
        "brief": "Get across.", "turn_limit": 9, "max_size": "heavy",
        "objective": {"kind": "break-out", "exit_zones": [1, 4], "exit_edge": "left"},
        "attacker": {"points": 40, "support_rolls": 1, "setup": [{"who": "all", "zones": [3, 6, 9]}]},
        "defender": {"points": 30, "setup": [{"who": "half-of-meks", "zones": [5]}, {"who": "rest", "zones": [2, 8]}],
                     "extra": [{"unit": "infantry", "count": 2, "zone": 5}]},
    }  # fmt: skip
    return item("scenario", **{"system": SYSTEM, "name": "The Bridge", "spec": spec, **fields})


def slip(units: int = 3, name: str = "Unit", system: str = SYSTEM) -> Item:
    words = PAPER[system].slip_words()
    side = {
        "player": "Kim",
        "units": [
            {"name": f"{name} {at}", "detail": "Heavy, 24 points", "pilot": "Ana", "hits": 4} for at in range(units)
        ],
        "support": ["Ambush", "Minefield"],
    }
    asked = {
        "title": "Iron Wolves against Steel Rain", "kicker": "Border War, round 3", "scenario": "Opening Shots",
        "deadline": "30 November 2026", "url": REPORT, "outcomes": words.outcomes, "fates": words.fates,
        "sides": [{**side, "name": "Iron Wolves"}, {**side, "name": "Steel Rain"}],
    }  # fmt: skip
    return item("slip", system=system, slip=asked)


def blank(of: str, system: str = SYSTEM) -> Item:
    return item("blank", of=of, system=system)


def every_page() -> dict[str, Item]:
    """Return one page item of each kind."""
    pilot = {"name": "Ana", "experience": "veteran", "skills": ["accuracy"], "kills": 6, "games": 4}
    meks = [unit("wasp", pilot=pilot), unit("draken", condition={"hits": 2, "weapons_lost": [0], "legs": 1})]
    return {
        "datasheet": datasheet({**meks[0], "url": LIVE}),
        "roster": roster(meks),
        "reference": reference(meks, ["ambush", "gun-sled"]),
        "scenario": scenario("hot-gates"),
        "own scenario": own_scenario(),
        "slip": slip(),
        "blank datasheet": blank("datasheet"),
        "blank roster": blank("roster"),
        "blank slip": blank("slip"),
    }


def every_mech_page() -> dict[str, Item]:
    """Return one page item of each kind of Mech Campaign."""
    marta = mech(name="Old Marta", armament="twin autocannon", pilot={"name": "Ines Kaur", "experience": "regular"})
    units = [
        marta,
        mech("track", condition={"damage": 2}),
        mech("drone", base_vehicle="Crawler Nine"),
        mech("gun-sentry"),
    ]
    return {
        "mech datasheet": datasheet({**marta, "url": LIVE}),
        "mech roster": roster(units, system=MECHS),
        "mech reference": reference(units, system=MECHS),
        **{f"mech {slug}": scenario(slug, MECHS) for slug in roster_rules(MECHS).scenarios},
        "mech scenario on open ground": scenario("sabotage", MECHS, terrain="open"),
        "mech slip": slip(6, system=MECHS),
        "mech blank datasheet": blank("datasheet", MECHS),
        "mech blank roster": blank("roster", MECHS),
        "mech blank slip": blank("slip", MECHS),
    }


def page_pdf(page: Item, how: PrintSettings) -> bytes:
    """Return the pages of one item."""
    (pdf,) = page_pdfs([page], how)
    return pdf


def page_frames(page: Item, how: PrintSettings) -> list[Frame]:
    """Return the pages of one item before their layout, also with additions that may find no room."""
    frames: list[Frame] = []

    def keep(frame: Frame) -> bytes:
        frames.append(frame)
        return b""

    def find_no_room(frame: Frame) -> Any:
        frames.append(frame)
        return SimpleNamespace(pages=(1, 2))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "frame_pdf", keep)
        patch.setattr(company_pages, "frame_pdf", keep)
        patch.setattr(company_pages, "lay_out_page", find_no_room)
        PRODUCTS[page.what].pdf([("", page)], how)
    assert frames
    return frames


UNSEEN = re.compile(r"<(style|title|desc)\b.*?</\1>|<!--.*?-->", re.DOTALL)
TAG = re.compile(r"<[^>]*>(?![,.;:)])")
LAST_TAG = re.compile(r"<[^>]*>")


def page_text(page: Item, how: PrintSettings) -> str:
    """Return the text of one item's pages before their layout: much faster than printing and reading them."""
    html = " ".join(page_html(frame, frame.size) for frame in page_frames(page, how))
    return " ".join(unescape(LAST_TAG.sub("", TAG.sub(" ", UNSEEN.sub("", html)))).split())
