"""Searches for the best build: asked for from the lab or beside a forecast, listed and played by workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from battles.builds.fights import Fight, Opponent, fights_against, replaceable_units
from battles.builds.selectors import best_build_rules
from battles.models import BestBuild, Forecast
from battles.services.climbs import climb_work
from battles.services.forecasts import (
    check_runs,
    get_or_create_count,
    heartbeat,
    parse_seed_or_default,
    question_hash,
    touch_asked_at,
)
from battles.services.shares import Work
from rosters.models import Player
from rosters.services import RefusedError
from systems import BATTLES, battle_rules, roster_rules
from systems.documents import DocumentError, unknown_slug
from systems.lab.fill import lockable_parts
from systems.lab.rivals import build_rivals
from systems.reading import read_setup
from systems.setups import Setup, setup_hash
from systems.simulation.halving import Block, Plan, plan_of
from systems.simulation.odds import tally

MAX_BATTLES_PER_SEARCH = 40_000  # limit for all builds of a search together
MAX_BUILD_POINTS = 100_000
MAX_FOES = 40


@transaction.atomic
def best_build_ask(
    *,
    system: str,
    name: str,
    spec: Mapping[str, object],
    foes: Sequence[Opponent],
    points: int | None = None,
    kept: Sequence[str] = (),
    battles: int = MAX_BATTLES_PER_SEARCH,
    seed: object = None,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[BestBuild, bool]:
    """Ask which build for some points does best against these enemies; return the search and whether it is new.

    Each build attacks and defends. `spec` is the build to be improved: it is played too, and what is `kept` of it
    stays. Without points: its own cost.
    """
    if system not in BATTLES:
        raise unknown_slug("system", "rule system", system, BATTLES)
    if not 1 <= len(foes) <= MAX_FOES:
        raise DocumentError("against", f"must be 1 to {MAX_FOES} enemies")
    _, build = _read_original(system, spec)
    fights = fights_against(system, build, foes)
    if not fights:
        raise RefusedError("against", "No published force has a place for this build against that enemy.")
    told = foes[0]["name"] if len(foes) == 1 else "the published field"
    return _ask_best_build(
        fights,
        {"foes": list(foes), "start": {"name": name, "spec": build}},
        f"Best build against {told}",
        system=system, points=points, kept=kept, battles=battles, seed=seed, actor=actor, visitor=visitor,
    )  # fmt: skip


@transaction.atomic
def best_build_of_unit_ask(
    *,
    forecast: Forecast,
    unit: str,
    points: int | None = None,
    kept: Sequence[str] = (),
    battles: int = MAX_BATTLES_PER_SEARCH,
    seed: object = None,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[BestBuild, bool]:
    """Ask the same for one unit of a forecast's set-up, by its key: everything else in it stays."""
    setup = read_setup(forecast.setup)
    places, release = replaceable_units(setup), setup.catalogue_release
    if unit not in places:
        raise DocumentError("unit", f"no unit that is built has the key {unit!r}")
    side, spec = places[unit]
    name = battle_rules(setup.system).unit_names(setup)[unit]
    _, build = _read_original(setup.system, spec, release)
    touch_asked_at(forecast)
    return _ask_best_build(
        (Fight(setup, side, unit),),
        {"forecast": forecast, "unit": unit, "start": {"name": name, "spec": build}},
        f"Best build in place of {name}",
        system=setup.system, release=release, points=points, kept=kept, battles=battles, seed=seed, actor=actor,
        visitor=visitor,
    )  # fmt: skip


def _read_original(system: str, spec: Mapping[str, object], release: str = "") -> tuple[Any, dict[str, object]]:
    """Return the build to be improved, which must be legal: as its game reads it, and as JSON values."""
    rules = roster_rules(system, release)
    if not rules.has("lab"):
        raise DocumentError("system", "has no design lab: nothing is built there")
    build = rules.parse_spec(spec)
    if problems := rules.check_design(build).problems:
        raise DocumentError("spec", f"only a legal build fights. {problems[0].message} ({problems[0].rule})")
    return build, rules.spec_json(build)


def _ask_best_build(
    fights: Sequence[Fight],
    fields: dict[str, Any],
    title: str,
    *,
    system: str,
    points: int | None,
    kept: Sequence[str],
    battles: int,
    seed: object,
    actor: Player | None,
    visitor: str,
    release: str = "",
) -> tuple[BestBuild, bool]:
    rules, start = roster_rules(system, release), fields["start"]["spec"]
    spec = rules.parse_spec(start)
    if points is None:
        points = rules.check_design(spec).points
    if isinstance(points, bool) or not 1 <= points <= MAX_BUILD_POINTS:
        raise DocumentError("points", f"must be a whole number from 1 to {MAX_BUILD_POINTS:,}")
    keys = {each.key for each in lockable_parts(rules, rules.bench(spec))}
    if unknown := sorted(set(kept) - keys):
        raise unknown_slug("keep", "part of the build", unknown[0], sorted(keys))
    check_runs(battles)
    number = parse_seed_or_default(seed)
    version = battle_rules(system).rules_version
    stays = sorted(set(kept))
    hashes = [[setup_hash(fight.setup), fight.side, fight.key] for fight in fights]
    named = [fields["start"]["name"], [foe["name"] for foe in fields.get("foes", ())]]
    question = question_hash("best-build", named, start, hashes, points, stays, battles, number, version)

    def row() -> dict[str, object]:
        return {
            **fields,
            "system": system,
            "title": f"{title}, {points} points"[:140],
            "points": points,
            "kept": stays,
            "seed": str(number),
            "rules_version": version,
            "battles_asked": battles,
            "runs_asked": battles,
        }

    return get_or_create_count(BestBuild, question, row, runs=battles, actor=actor, visitor=visitor)


def best_build_again(*, row: BestBuild, actor: Player | None = None, visitor: str = "") -> tuple[BestBuild, bool]:
    """Ask the same question again: a search that failed continues, by the current rules if they have changed."""
    if row.forecast is not None:
        return best_build_of_unit_ask(
            forecast=row.forecast, unit=row.unit, points=row.points, kept=row.kept, battles=row.battles_asked,
            seed=row.seed, actor=actor, visitor=visitor,
        )  # fmt: skip
    return best_build_ask(
        system=row.system, name=row.start["name"], spec=row.start["spec"], foes=row.foes, points=row.points,
        kept=row.kept, battles=row.battles_asked, seed=row.seed, actor=actor, visitor=visitor,
    )  # fmt: skip


def fights_of(row: BestBuild) -> tuple[Fight, ...]:
    """Return the fights that its builds are tried in."""
    if row.forecast is None:
        return fights_against(row.system, row.start["spec"], row.foes)
    setup: Setup = read_setup(row.forecast.setup)
    side, _ = replaceable_units(setup)[row.unit]
    return (Fight(setup, side, row.unit),)


def best_build_work(*, row: BestBuild) -> Work[list[list[int]]]:
    """Return how a search is played: in blocks of one build each, which meets every enemy equally often there.

    The first worker lists the builds. They depend on the question alone, so two that do so list the same.
    """
    fights = fights_of(row)
    if not row.battles:
        _list_builds(row, fights)
        row.refresh_from_db()
    seed, each = int(row.seed), max(row.battles, 1)
    builds, share = row.builds, each // len(fights)

    def play(block: Block) -> list[int]:
        spec = builds[block.candidate - 1] if block.candidate else None
        return _simulate_fights(fights, spec, seed, block.number * share, share)

    return climb_work(row, Plan(len(builds) + 1, each), play)


def _simulate_fights(fights: Sequence[Fight], spec: Mapping[str, object] | None, seed: int, first: int, runs: int) -> list[int]:
    """Return wins, losses and draws in that number of battles of each fight."""
    ends = [0, 0, 0]
    for fight in fights:
        counted = tally(fight.with_build(spec), seed, first, runs).battle
        wins = (counted["attacker_wins"], counted["defender_wins"])
        for at, more in enumerate((wins[fight.side], wins[1 - fight.side], counted["draws"])):
            ends[at] += more
    return ends


def _list_builds(row: BestBuild, fights: Sequence[Fight]) -> None:
    """Save which builds are played, and how many battles that makes; end the search if there are none."""
    rules = best_build_rules(row)
    one_a_side = {fight.side: fight for fight in reversed(fights)}.values()
    with heartbeat(row):
        found = build_rivals(
            rules,
            rules.parse_spec(row.start["spec"]),
            points=row.points,
            seed=int(row.seed),
            locked=frozenset(row.kept),
            fits=lambda spec: all(fight.takes(rules.spec_json(spec)) for fight in one_a_side),
        )
    if not found.specs:
        row.fail(f"With what stays there is no other legal build of {row.points} points or less: let go of something.")
        return
    plan = plan_of(len(found.specs) + 1, row.battles_asked, len(fights))
    BestBuild.objects.filter(pk=row.pk, battles=0).update(
        builds=[rules.spec_json(spec) for spec in found.specs],
        is_whole=found.is_whole,
        battles=plan.battles,
        runs_asked=plan.runs,
    )
