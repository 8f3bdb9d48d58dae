"""The models for a new campaign: templates of its game, and the club's own campaigns of that game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaigns.models import Campaign, Club, CampaignPairingMethod
from campaigns.starting.templates import templates_for
from systems import roster_rules, season_rules
from systems.words import pluralize

COPIES_SHOWN = 6
COPY_PREFIX = "copy-"  # before the ID of a campaign


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignModel:
    """Something a campaign can be based on; `value` names it in forms."""

    value: str
    name: str
    about: str
    facts: str
    is_copy: bool


def campaign_models(club: Club, system: str) -> tuple[CampaignModel, ...]:
    """Return the templates, then the club's newest campaigns of that game. One query."""
    points = roster_rules(system).founding_points
    made = [
        CampaignModel(
            value=each.slug,
            name=each.name,
            about=each.about,
            facts=_facts(points, each.seats, each.pace_days, each.pairing, [name for _, name in each.scenarios])
            + _mode(system, each.options),
            is_copy=False,
        )
        for each in templates_for(system)
    ]
    rows = club.campaigns.filter(system=system).order_by("-pk")[:COPIES_SHOWN]
    return (*made, *(_copy(row) for row in rows))


def _copy(row: Campaign) -> CampaignModel:
    return CampaignModel(
        value=f"{COPY_PREFIX}{row.pk}",
        name=f"As {row.name}",
        about="The same settings, house rules, territories and phases, and none of its companies or rounds.",
        facts=_facts(row.points, row.seats, row.pace_days, row.pairing, row.scenario_names)
        + _mode(row.system, row.options),
        is_copy=True,
    )


def _mode(system: str, options: Mapping[str, object]) -> str:
    """Return, in words, the options that every campaign of the game states: what carries over from match to match."""
    rules = roster_rules(system).house_rules
    said = {**season_rules(system).said_options, **options}
    return "".join(f"; {rules[slug].label_of(said[slug])}" for slug in season_rules(system).said_options)


def _facts(points: int, seats: int, pace: int, pairing: str, scenarios: list[str]) -> str:
    played = ", ".join(scenarios) or "no scenario yet"
    pairs = CampaignPairingMethod(pairing).label
    return f"{seats} places, {points} points each, {pluralize(pace, 'days')} a round, {pairs}; {played}"
