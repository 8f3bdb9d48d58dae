"""Build Meks & Mercs campaigns with fresh lists for each match, and known support dice."""

from __future__ import annotations

from typing import Any

from campaigns.army_lists import purchases
from campaigns.models import Match, MatchPreparation
from systems.engine.dice import ScriptedDice
from tests.builders import a_company
from tests.campaigns.builders import a_campaign, a_match, a_round, an_enrolment

FRESH_BUILD = {"season-mode": "fresh-build"}
SCENARIO_NAMES = {
    "opening-shots": "Opening Shots",
    "hot-gates": "At the Hot Gates",
    "buying-time": "Buying us some time..",
    "breach": "Through the Breach!",
    "head-to-head": "Head to Head",
    "citadel": "Citadel",
}


def a_fresh_match(scenario: str = "opening-shots", **fields: Any) -> Match:
    """Create a match in an open round between two companies that own nothing."""
    played = [{"value": slug, "name": name} for slug, name in SCENARIO_NAMES.items()]
    campaign = fields.pop("campaign", None) or a_campaign(scenarios=played, options=FRESH_BUILD)
    sides = [an_enrolment(campaign, a_company(name=name)) for name in ("Ants", "Bees")]
    round_ = a_round(campaign)
    made = {"scenario": scenario, "scenario_name": SCENARIO_NAMES[scenario], "terrain": "printed", **fields}
    match = a_match(round_, *sides, **made)
    purchases.seal_support_dice(match)
    return match


def fix_support_dice(monkeypatch: Any, *faces: int) -> None:
    """Fix the next support rolls: table and entry, then the uncles' dice."""
    monkeypatch.setattr(purchases, "SeededDice", lambda seed: ScriptedDice(list(faces)))


def a_purchase(design: str, hire: str = "green", **fields: Any) -> dict[str, Any]:
    return {"design": design, "hire": hire, **fields}


def preparation_of(match: Match, side: int = 0) -> MatchPreparation:
    return MatchPreparation.objects.get(match=match, side=side)
