"""Saving, naming, sharing, copying and deleting a player's own scenarios."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from rosters.models import Player, Scenario, Visibility
from rosters.site.refusals import RefusedError
from systems.documents import DocumentError
from systems.roster import RosterSystem

from ._base import clean_text, free_name, system_of

SCENARIOS_MOST = 200  # of one player


@transaction.atomic
def scenario_save(
    *,
    author: Player,
    system: str,
    name: str,
    spec: object,
    scenario: Scenario | None = None,
    visibility: str | None = None,
) -> Scenario:
    """A new scenario, or the given one rewritten. It may have problems; only playing needs one without."""
    rules = system_of(system)
    parsed = _read(rules, spec)
    name = clean_text("name", name, longest=60, now=scenario.name if scenario else None)
    if visibility is not None and visibility not in Visibility.values:
        raise RefusedError("visibility", f"must be one of {', '.join(Visibility.values)}.")
    Player.objects.select_for_update(no_key=True).get(pk=author.pk)  # names are free or taken until the end of this
    others = Scenario.objects.filter(author=author, system=rules.slug)
    if scenario is not None:
        if scenario.author_id != author.pk:
            raise RefusedError("scenario", "This scenario is not yours; clone it first.")
        if scenario.system != rules.slug:
            raise RefusedError("system", "A scenario keeps its rule system.")
        others = others.exclude(pk=scenario.pk)
    elif others.count() >= SCENARIOS_MOST:
        raise RefusedError("name", f"A player keeps {SCENARIOS_MOST} scenarios at most.")
    if others.filter(name=name).exists():
        raise RefusedError("name", f"You have a scenario called {name} already.")
    row = scenario or Scenario(author=author, system=rules.slug)
    row.name, row.spec = name, rules.scenario_json(parsed)
    if visibility is not None:
        row.visibility = visibility
    row.save()
    return row


def scenario_rename(*, scenario: Scenario, by: Player, name: str) -> Scenario:
    """The scenario under another name."""
    return scenario_save(author=by, system=scenario.system, name=name, spec=scenario.spec, scenario=scenario)


@transaction.atomic
def scenario_clone(*, by: Player, scenario: Scenario | None = None, system: str = "", published: str = "") -> Scenario:
    """A copy as one's own, under a free name: of somebody's scenario, or of one that a rulebook prints."""
    spec: object
    if scenario is not None:
        system, name, spec = scenario.system, scenario.name, scenario.spec
    else:
        rules = system_of(system)
        if published not in rules.scenarios:
            raise RefusedError("published", f"{rules.name} has no scenario {published[:40]!r}.")
        original = rules.scenarios[published]
        name, spec = original.name, rules.scenario_json(original.spec)
    Player.objects.select_for_update(no_key=True).get(pk=by.pk)
    taken = Scenario.objects.filter(author=by, system=system).values_list("name", flat=True)
    return scenario_save(author=by, system=system, name=free_name(name, taken), spec=spec)


@transaction.atomic
def scenario_delete(*, scenario: Scenario, by: Player) -> None:
    """The scenario gone; battles played in it keep their own copy of the spec."""
    if scenario.author_id != by.pk:
        raise RefusedError("scenario", "This scenario is not yours.")
    scenario.delete()


def _read(rules: RosterSystem[object, object], spec: object) -> Any:
    try:
        return rules.parse_scenario(spec)
    except DocumentError as error:
        raise RefusedError(error.path, error.reason) from None
