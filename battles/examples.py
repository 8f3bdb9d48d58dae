"""The worked example of each game: a small battle that comes with Muster and shows the rules at work.

It is an ordinary battle, with a record, a replay and a proof. It is added when a site is set up, and again whenever the
rules or the published forces of its game change.
"""

from __future__ import annotations

import uuid
from functools import cache, lru_cache

from django.db import IntegrityError, transaction
from django.urls import reverse

from battles.choices import CacheKey
from battles.models import ASKED_BY_SITE, Battle
from battles.selectors.records import replayed
from battles.services.battles import battle_row, battle_simulate
from battles.services.setups import ready_setup
from rosters.database.queries import PreparedQuery
from rosters.hooks import Example
from rosters.models import Visibility
from rosters.services import RefusedError
from systems import BATTLES, battle_rules, roster_rules
from systems.reading import read_setup
from systems.setups import Setup, setup_hash
from systems.simulation.records import resolve

SEED = 1
NAMESPACE = uuid.UUID("6f1c8f0e-9d0b-5a55-8a53-4d7573746572")
BATTLE = PreparedQuery(lambda key: Battle.objects.filter(key=key, asked_from=ASKED_BY_SITE), key=uuid.UUID)


def examples_publish() -> list[str]:
    """Add the examples that don't exist yet; return the names of their games."""
    return [roster_rules(system).name for system in BATTLES if _publish(system)]


def _publish(system: str) -> bool:
    example = _key_and_setup(system)
    if example is None:
        return False
    key, setup = example
    if Battle.objects.filter(key=key).exists():
        return False
    fought = resolve(setup, SEED)  # outside the transaction, which locks rows
    known = {"asked_by": None, "asked_from": ASKED_BY_SITE, "seed": str(SEED), "seed_chosen": True}
    try:
        with transaction.atomic():
            # Examples by earlier rules keep their address, but appear in no list.
            Battle.objects.filter(system=system, **known).update(visibility=Visibility.LINK)
            row = battle_row(
                setup=setup,
                forces=(),
                actor=None,
                visitor=ASKED_BY_SITE,
                visibility=Visibility.PUBLIC,
                key=key,
                seed=str(SEED),
                seed_chosen=True,
            )
            claimed = Battle.claim(row.pk)
            assert claimed is not None
            return battle_simulate(battle=claimed, fought=fought)
    except IntegrityError:  # another machine was first
        return False


def worked_example(system: str) -> Example | None:
    """Return a game's worked example, with the first step that shows each rule; None if the site has none.

    Makes one query.
    """
    example = _key_and_setup(system) if system in BATTLES else None
    if example is None:
        return None
    battle = BATTLE.row(key=example[0])
    return _example_of(CacheKey(str(battle.key), battle)) if battle is not None else None


@lru_cache(maxsize=16)
def _example_of(known: CacheKey[Battle]) -> Example | None:
    """Return the example of that battle. It depends on the key alone: the same on every site and at all times."""
    battle = known.value
    system, replay = battle.system, replayed(battle)
    if replay is None or replay.board is None:
        return None
    page, rulebook = replay.board.page(1, 0), roster_rules(system).rulebook
    steps: dict[str, int] = {}
    for view in replay.rounds:
        for line in (line for step in view.steps for line in step.lines):
            if line.rule in rulebook and line.number in replay.board.steps_of_lines:
                steps.setdefault(line.rule, replay.board.steps_of_lines[line.number])
    kill = next((each for each in page.moments if each.mark == "kill"), None)
    return Example(
        title=battle.title,
        url=reverse("battles:battle", args=[battle.key]),
        picture=reverse("battles:step-picture", args=[battle.key]),
        step=kill.step if kill else 1,
        says=kill.says if kill else page.title,
        steps=steps,
    )


@cache
def _key_and_setup(system: str) -> tuple[uuid.UUID, Setup] | None:
    """Return the example's key, the same on every site with these rules and forces, and its set-up.

    None if no ready-made forces of the game can play its simplest scenario.
    """
    rules = battle_rules(system)
    try:
        setup = read_setup(ready_setup(system=system, scenario=rules.simplest_scenario or rules.plain_scenario))
    except RefusedError:
        return None
    return uuid.uuid5(NAMESPACE, f"{system} {rules.rules_version} {setup_hash(setup)} {SEED}"), setup
