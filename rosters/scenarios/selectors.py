"""Reads of scenarios, published ones and players' own, and their values in set-up documents."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Protocol

from django.db.models import QuerySet

from rosters import policy
from rosters.database.queries import PreparedQuery
from rosters.hooks import Reader
from rosters.models import Scenario, Visibility
from rosters.shortcuts import SCENARIO
from rosters.site.pagination import Keyset, Slice
from systems import ROSTERS, roster_rules
from systems.legality import Check

OWN = "custom-"  # prefix of the value of a player's own scenario
PAGE_LENGTH = 30
MAX_PLAYABLE = 200  # the player's own scenarios in a form
OWN_SCENARIOS = PreparedQuery(
    lambda author, system: Scenario.objects.filter(author=author, system=system)[:MAX_PLAYABLE],
    author=int,
    system=str,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayableScenario:
    """A scenario as a choice in a form."""

    value: str  # a published scenario's slug, or custom-<id>
    name: str
    spec: object  # the game's parsed spec: points, zones, objective ...
    system: str


class Sheet(Protocol):
    """The parts of a game's scenario sheet that views use; see RosterSystem.scenario_sheet."""

    @property
    def victory_rule(self) -> str: ...
    @property
    def turn_limit(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioCard:
    """A scenario with its check; `key` is the slug of a published scenario, or the ID of a player's own."""

    key: str
    value: str
    name: str
    system: str
    system_name: str
    spec: Mapping[str, object]
    check: Check
    sheet: Sheet = field(repr=False)
    author: str = ""
    author_id: int | None = None
    visibility: str = ""
    link_key: uuid.UUID | None = None
    changed_at: datetime | None = None

    @property
    def document(self) -> dict[str, object]:
        """The scenario as a scenario/1 document."""
        return {"muster": "scenario/1", "system": self.system, "name": self.name, "spec": dict(self.spec)}


def playable_scenarios(player: Reader, also: str = "", *, system: str) -> tuple[PlayableScenario, ...]:
    """Return the scenarios that the player can play in a game: published ones, then their own without problems.

    `also` is the value of another one, such as another player's public scenario; it is left out if the player can't
    play it.
    """
    rules = roster_rules(system)
    found = [
        PlayableScenario(value=entry.slug, name=entry.name, spec=entry.spec, system=system)
        for entry in rules.scenarios.values()
    ]
    if player.is_authenticated:
        for row in OWN_SCENARIOS.rows(author=player.pk, system=system):
            spec = rules.parse_scenario(row.spec)
            if rules.check_scenario(spec).legal:
                found.append(PlayableScenario(value=f"{OWN}{row.pk}", name=row.name, spec=spec, system=system))
    if also and also not in {scenario.value for scenario in found}:
        with contextlib.suppress(KeyError):
            found.append(playable_scenario(also, player, system=system))
    return tuple(found)


def playable_scenario(value: str, player: Reader, link_key: str = "", *, system: str) -> PlayableScenario:
    """Return the scenario with this value; KeyError if the player may not see it, or if it has problems."""
    rules = roster_rules(system)
    if value in rules.scenarios:
        entry = rules.scenarios[value]
        return PlayableScenario(value=value, name=entry.name, spec=entry.spec, system=system)
    number = value.removeprefix(OWN)
    if number == value or not number.isdecimal() or len(number) > 18:
        raise KeyError(value)
    row = SCENARIO.row(pk=int(number))
    if row is None or not policy.can_see(player, row, link_key) or row.system != system:
        raise KeyError(value)
    spec = rules.parse_scenario(row.spec)
    if not rules.check_scenario(spec).legal:
        raise KeyError(value)
    return PlayableScenario(value=value, name=row.name, spec=spec, system=system)


def scenario_value(value: str, player: Reader, link_key: str = "", *, system: str) -> str | dict[str, object]:
    """Return the scenario's value in a set-up document: a slug, or name and spec; KeyError like `playable_scenario`."""
    found = playable_scenario(value, player, link_key, system=system)
    if not value.startswith(OWN):
        return value
    return {"name": found.name, "spec": roster_rules(found.system).scenario_json(found.spec)}


def scenarios_published() -> tuple[ScenarioCard, ...]:
    """Return the published scenarios of all games."""
    return tuple(scenario_published(slug, key) for slug, rules in ROSTERS.items() for key in rules.scenarios)


def scenarios_sorted(cards: Iterable[ScenarioCard], order: str) -> tuple[ScenarioCard, ...]:
    """Return the scenarios sorted by name, or by turns with the shortest first; else in the given order."""
    keys: dict[str, Callable[[ScenarioCard], tuple[int, str]]] = {
        "name": lambda card: (0, card.name.casefold()),
        "turns": lambda card: (card.sheet.turn_limit, card.name.casefold()),
    }
    return tuple(sorted(cards, key=keys[order]) if order in keys else cards)


@lru_cache(maxsize=64)
def scenario_published(system: str, slug: str) -> ScenarioCard:
    """Return a published scenario; KeyError if there is none with this slug."""
    rules = roster_rules(system)
    entry = rules.scenarios[slug]
    return ScenarioCard(
        key=slug,
        value=slug,
        name=entry.name,
        system=rules.slug,
        system_name=rules.name,
        spec=rules.scenario_json(entry.spec),
        check=rules.check_scenario(entry.spec),
        sheet=rules.scenario_sheet(entry.spec),
    )


def scenario_card(row: Scenario) -> ScenarioCard:
    """Return a player's scenario with its check."""
    rules = roster_rules(row.system)
    spec = rules.parse_scenario(row.spec)
    return ScenarioCard(
        key=str(row.pk),
        value=f"{OWN}{row.pk}",
        name=row.name,
        system=rules.slug,
        system_name=rules.name,
        spec=row.spec,
        check=rules.check_scenario(spec),
        sheet=rules.scenario_sheet(spec),
        author=str(row.author),
        author_id=row.author_id,
        visibility=row.visibility,
        link_key=row.link_key,
        changed_at=row.changed_at,
    )


def scenarios_own(reader: Reader) -> QuerySet[Scenario]:
    """Return the reader's own scenarios."""
    return Scenario.objects.filter(author=reader.pk).select_related("author")


def scenarios_visible(reader: Reader) -> QuerySet[Scenario]:
    """Return the scenarios that the reader sees in lists: their own and public ones."""
    return Scenario.objects.filter(policy.visible(reader, "author")).select_related("author")


def scenarios_public(reader: Reader) -> QuerySet[Scenario]:
    """Return other players' public scenarios."""
    rows = Scenario.objects.filter(visibility=Visibility.PUBLIC).select_related("author")
    return rows.exclude(author=reader.pk) if reader.is_authenticated else rows


def scenario_page(
    rows: QuerySet[Scenario], asked: Mapping[str, str], prefix: str = ""
) -> tuple[Slice[Scenario], tuple[ScenarioCard, ...]]:
    """Return a page of these rows, sorted by name, and their cards."""
    found = Keyset("name", "pk").asked(rows, PAGE_LENGTH, asked, prefix, rows.count())
    return found, tuple(scenario_card(row) for row in found)
