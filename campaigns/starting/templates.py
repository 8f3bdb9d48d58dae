"""The templates that lie beside this module as TOML, one file each, and what each of them is in a rule system."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import pydantic
from django.contrib.humanize.templatetags.humanize import apnumber

from campaigns.models import AbsentRule, Pairing, TerritoryMap
from systems import battle_rules, season_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class CupSettings:
    """How the cup of such a campaign is played."""

    groups: int = 0
    advance: int = 2
    has_third_place: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A campaign that can be drawn up in a moment; what it does not say is as for every new campaign."""

    slug: str
    name: str  # may hold {scenarios}, their number
    about: str
    place: int  # among the templates
    seats: int
    pairing: Pairing
    pace_days: int
    scenarios_most: int
    scenarios_least: int = 1  # a game with fewer is not offered it
    plain_scenario: bool = True  # the game's plainest one is played, if there are others
    map_kind: TerritoryMap = TerritoryMap.NONE
    territories: tuple[str, ...] = ()
    absent_rule: AbsentRule = AbsentRule.FORFEIT
    cup: CupSettings | None = None
    is_arc: bool = False  # the war that its game knows: scenarios, name and house rules are that one’s
    scenarios: tuple[tuple[str, str], ...] = ()  # slug and name, of the game
    options: Mapping[str, object] = field(default_factory=dict)  # house rules


@cache
def templates_for(system: str) -> tuple[Template, ...]:
    """Those that the rule system has enough scenarios for, with the scenarios that it plays in them."""
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
    """The template as the war of that game; none if it knows none."""
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
