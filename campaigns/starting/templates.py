"""The campaign templates, TOML files beside this module, and what each of them is in a rule system."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import pydantic
from django.contrib.humanize.templatetags.humanize import apnumber

from campaigns.models import AbsentRule, CampaignPairingMethod, TerritoryMap
from systems import battle_rules, season_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class CupSettings:
    """How the cup of such a campaign is played."""

    groups: int = 0
    advance: int = 2
    has_third_place: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A template for a campaign; settings it leaves out are those of every new campaign."""

    slug: str
    name: str  # may contain {scenarios}, their number
    about: str
    place: int  # among the templates
    seats: int
    pairing: CampaignPairingMethod
    pace_days: int
    scenarios_most: int
    scenarios_least: int = 1  # games with fewer don't offer it
    plain_scenario: bool = True  # the game's plainest scenario is played, if there are others
    map_kind: TerritoryMap = TerritoryMap.NONE
    territories: tuple[str, ...] = ()
    absent_rule: AbsentRule = AbsentRule.FORFEIT
    cup: CupSettings | None = None
    is_arc: bool = False  # the campaign story of the game, with its scenarios, name and house rules
    scenarios: tuple[tuple[str, str], ...] = ()  # slug and name, of the game
    options: Mapping[str, object] = field(default_factory=dict)  # house rules


@cache
def templates_for(system: str) -> tuple[Template, ...]:
    """Return the templates that the rule system has enough scenarios for, with the scenarios it plays in them."""
    known, plain = battle_rules(system).scenarios, battle_rules(system).plain_scenario
    found = []
    for template in _templates():
        if template.is_arc:
            found += _arc(template, system)
            continue
        others = [slug for slug in known if slug != plain]
        slugs = [plain, *others] if template.plain_scenario or len(others) < template.scenarios_least else others
        if len(slugs) < template.scenarios_least:
            continue
        chosen = tuple((slug, known[slug]) for slug in slugs[: template.scenarios_most])
        name = template.name.format(scenarios=apnumber(len(chosen)))
        found.append(replace(template, name=name, scenarios=chosen))
    return tuple(found)


def _arc(template: Template, system: str) -> list[Template]:
    """Return the template as the game's campaign story; none if it has none."""
    arc, known = season_rules(system).arc, battle_rules(system).scenarios
    if arc is None:
        return []
    chosen = tuple((slug, known[slug]) for slug in arc.scenarios)
    return [replace(template, name=arc.name, about=arc.about, scenarios=chosen, options=arc.options)]


@cache
def _templates() -> tuple[Template, ...]:
    read = pydantic.TypeAdapter(Template).validate_python
    paths = sorted(Path(__file__).parent.glob("*.toml"))
    found = [read({"slug": path.stem.replace("_", "-"), **tomllib.loads(path.read_text("utf-8"))}) for path in paths]
    return tuple(sorted(found, key=lambda each: each.place))
