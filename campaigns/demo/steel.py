"""The demo club's league of Blazing Steel: one hill after another, four companies, nobody in the cockpits."""

from __future__ import annotations

from campaigns.demo.campaign import DemoCampaign
from campaigns.models import TerritoryMap
from rosters.demo import DemoCompany, DemoUnit

SYSTEM = "blazing-steel"

HIGH_GROUND = DemoCampaign(
    system=SYSTEM,
    name="The High Ground",
    about=(
        "Five hills in a ring, and machines that nobody has to talk into climbing them.\n\n"
        "What burns out is mended, mostly, by the next battle but one."
    ),
    map_kind=TerritoryMap.RING,
    places=("Gallows Knoll", "Long Back", "The Thimble", "Kiln Top", "Nobody’s Seat"),
    scenarios=({"value": "skirmish", "name": "Skirmish"},),
    house_rules={},
    tie_breakers=("score-difference", "score", "fewest-lost"),
    grounds=((0, "standard"), (0, "city")),
    spare=DemoUnit("darter", "Second Wind"),
    companies=(
        DemoCompany(
            "Cold Start",
            "It ran yesterday",
            "#44607a",
            (
                DemoUnit("hawker", "Slate"),
                DemoUnit("bulwark", "Threshold"),
                DemoUnit("skimmer", "Draught"),
                DemoUnit("darter", "Peephole"),
            ),
            system=SYSTEM,
        ),
        DemoCompany(
            "Furnace Row",
            "Two sixes and a prayer",
            "#8f3b1d",
            (
                DemoUnit("mantis", "Tongs"),
                DemoUnit("mantis", "Bellows"),
                DemoUnit("hawker", "Poker"),
                DemoUnit("skimmer", "Cinder"),
            ),
            system=SYSTEM,
        ),
        DemoCompany(
            "Heavy Weather",
            "Slow, then over",
            "#4d5a3a",
            (DemoUnit("colossus", "Low Pressure"), DemoUnit("bulwark", "Front"), DemoUnit("darter", "Barometer")),
            system=SYSTEM,
        ),
        DemoCompany(
            "Spare Parts",
            "Some of it matches",
            "#6b4a6b",
            (
                DemoUnit("skimmer", "Left Boot"),
                DemoUnit("skimmer", "Right Boot"),
                DemoUnit("hawker", "Borrowed Time"),
                DemoUnit("bulwark", "Mostly Bulwark"),
            ),
            system=SYSTEM,
        ),
    ),
)
