"""Services that save, rename, share, copy and delete a player's own designs and scenarios."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db import transaction
from django.db.models import QuerySet

from rosters.models import Design, Player, Scenario, Visibility
from rosters.services.base import clean_text, free_name, system_of
from rosters.site.exceptions import RefusedError
from systems.documents import DocumentError
from systems.roster import RosterSystem
from systems.text import pluralize

WorkT = TypeVar("WorkT", Design, Scenario)


@dataclass(frozen=True)
class _Kind(Generic[WorkT]):
    model: type[WorkT]
    word: str
    most: int  # per player
    read: Callable[[RosterSystem[object, object], object], dict[str, object]]  # returns the spec as it is stored


DESIGN = _Kind(Design, "design", 500, lambda rules, spec: rules.spec_json(rules.parse_spec(spec)))
SCENARIO = _Kind(Scenario, "scenario", 200, lambda rules, spec: rules.scenario_json(rules.parse_scenario(spec)))


def design_save(
    *,
    author: Player,
    system: str,
    name: str,
    spec: object,
    design: Design | None = None,
    visibility: str | None = None,
) -> Design:
    """Save a new design, or change the given one. It may have problems; only buying it requires a legal design."""
    return _save(DESIGN, author, system, name, spec, design, visibility)


def scenario_save(
    *,
    author: Player,
    system: str,
    name: str,
    spec: object,
    scenario: Scenario | None = None,
    visibility: str | None = None,
) -> Scenario:
    """Save a new scenario, or change the given one. It may have problems, but then it can't be played."""
    return _save(SCENARIO, author, system, name, spec, scenario, visibility)


def design_clone(*, design: Design, by: Player) -> Design:
    """Copy a design to the player's own designs, under a free name."""
    return _copy(DESIGN, by, design.system, design.name, design.spec)


def scenario_clone(*, by: Player, scenario: Scenario | None = None, system: str = "", published: str = "") -> Scenario:
    """Copy a player's scenario, or a published one, to the player's own scenarios, under a free name."""
    if scenario is not None:
        return _copy(SCENARIO, by, scenario.system, scenario.name, scenario.spec)
    rules = system_of(system)
    if published not in rules.scenarios:
        raise RefusedError("published", f"{rules.name} has no scenario {published[:40]!r}.")
    original = rules.scenarios[published]
    return _copy(SCENARIO, by, system, original.name, rules.scenario_json(original.spec))


def design_delete(*, design: Design, by: Player) -> None:
    """Delete the design; units bought from it keep their own copy of the spec."""
    _delete(DESIGN, design, by)


def scenario_delete(*, scenario: Scenario, by: Player) -> None:
    """Delete the scenario; battles played in it keep their own copy of the spec."""
    _delete(SCENARIO, scenario, by)


@transaction.atomic
def _save(
    kind: _Kind[WorkT],
    author: Player,
    system: str,
    name: str,
    spec: object,
    row: WorkT | None = None,
    visibility: str | None = None,
) -> WorkT:
    rules = system_of(system)
    try:
        kept = kind.read(rules, spec)
    except DocumentError as error:
        raise RefusedError(error.path, error.reason) from None
    name = clean_text("name", name, longest=60, now=row.name if row else None)
    if visibility is not None and visibility not in Visibility.values:
        raise RefusedError("visibility", f"must be one of {', '.join(Visibility.values)}.")
    others = _own(kind, author, rules.slug)
    if row is not None:
        if row.author_id != author.pk:
            raise RefusedError(kind.word, f"This {kind.word} isn't yours. Clone it first.")
        if row.system != rules.slug:
            raise RefusedError("system", f"You can't change the game of a {kind.word}. Create a new one.")
        others = others.exclude(pk=row.pk)
    elif others.count() >= kind.most:
        raise RefusedError("name", f"You can keep {pluralize(kind.most, f'{kind.word}s')} at most. Delete one first.")
    if others.filter(name=name).exists():
        raise RefusedError("name", f"You already have a {kind.word} called {name}. Choose another name.")
    row = row or kind.model(author=author, system=rules.slug)
    row.name, row.spec = name, kept
    if visibility is not None:
        row.visibility = visibility
    row.save()
    return row


@transaction.atomic
def _copy(kind: _Kind[WorkT], by: Player, system: str, name: str, spec: object) -> WorkT:
    taken = _own(kind, by, system).values_list("name", flat=True)
    return _save(kind, by, system, free_name(name, taken), spec)


@transaction.atomic
def _delete(kind: _Kind[WorkT], row: WorkT, by: Player) -> None:
    if row.author_id != by.pk:
        raise RefusedError(kind.word, f"This {kind.word} isn't yours.")
    row.delete()


def _own(kind: _Kind[WorkT], author: Player, system: str) -> QuerySet[WorkT]:
    """Return the player's rows of this kind; the player is locked, so names stay free until the transaction ends."""
    Player.objects.select_for_update(no_key=True).get(pk=author.pk)
    return kind.model._default_manager.filter(author=author, system=system)
