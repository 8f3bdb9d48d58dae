"""The demo club's league of Mech Campaign: nine zones of a mining world, four companies."""

from __future__ import annotations

from campaigns.demo.campaign import DemoCampaign
from campaigns.models import TerritoryMap
from rosters.demo import DemoCompany, DemoUnit

SYSTEM = "mech-campaign"

SLAG_FIELDS = DemoCampaign(
    system=SYSTEM,
    name="The Slag Fields",
    about=(
        "Nine claims on a world that nobody would miss, but for its ore.\n\n"
        "Whoever wins a battle for a claim digs there until somebody takes it from him."
    ),
    map_kind=TerritoryMap.ZONES,
    places=(
        "Upper Tailings",
        "Crusher Row",
        "The Sump",
        "Adit Four",
        "Pit Head",
        "Cinder Flat",
        "Old Weighbridge",
        "Drift End",
        "Landing Pad",
    ),
    scenarios=(
        {"value": "claim-dispute", "name": "Claim Dispute"},
        {"value": "survey-beacons", "name": "Survey Beacons"},
        {"value": "sabotage", "name": "Sabotage the Drill"},
    ),
    house_rules={},
    tie_breakers=("destroyed", "destroyed-count"),
    grounds=((0, ""), (1, "")),
    spare=DemoUnit("light-mech", "Second Shift", "Lis Arden", "Relief"),
    companies=(
        DemoCompany(
            "Deep Level Six",
            "Further down than you",
            "#6a4a2b",
            (
                DemoUnit("heavy-mech", "Foreman", "Tove Hald", "Boss"),
                DemoUnit("heavy-mech", "Timberman", "Ike Sorel"),
                DemoUnit("light-mech", "Lampboy", "Nell Castor", "Glim"),
                DemoUnit("light-mech", "Canary", "Ravi Stroud"),
                DemoUnit("track", "Long Tom", "Greta Moll", "Rail"),
                DemoUnit("drone", "Whistle"),
            ),
            system=SYSTEM,
        ),
        DemoCompany(
            "Tailings & Daughters",
            "Nothing is waste",
            "#2f5d62",
            (
                DemoUnit("heavy-mech", "Old Ledger", "Marit Quane", "Sums"),
                DemoUnit("light-mech", "First Daughter", "Ute Brahm"),
                DemoUnit("light-mech", "Second Daughter", "Dara Finch", "Pins"),
                DemoUnit("light-mech", "Third Daughter", "Lotte Weir"),
                DemoUnit("track", "Sluice", "Emeka Rowe"),
                DemoUnit("gun-sentry", "The Gate"),
            ),
            system=SYSTEM,
        ),
        DemoCompany(
            "Night Shift",
            "We were here before you woke",
            "#34406b",
            (
                DemoUnit("heavy-mech", "Graveyard", "Anton Pell", "Owl"),
                DemoUnit("heavy-mech", "Small Hours", "Hedda Vint"),
                DemoUnit("light-mech", "Flask", "Bruno Achterberg"),
                DemoUnit("light-mech", "Sandwich", "Mei Torvald", "Crust"),
                DemoUnit("drone", "Bat"),
            ),
            system=SYSTEM,
        ),
        DemoCompany(
            "The Assay Office",
            "Weighed and found wanting",
            "#7a2f3d",
            (
                DemoUnit("heavy-mech", "Touchstone", "Ada Kerrigan", "Carat"),
                DemoUnit("heavy-mech", "Crucible", "Piotr Lang"),
                DemoUnit("light-mech", "Grain", "Sanna Holm"),
                DemoUnit("light-mech", "Scruple", "Yusuf Dane", "Ounce"),
                DemoUnit("track", "Core Sample", "Britt Hallam"),
            ),
            system=SYSTEM,
        ),
    ),
)
