"""Searches for the best build: ask for one, simulate it, and the battles that builds are tried in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from django.db import transaction

from battles.choices import PublishedForce, design_points, first_doctrines, forces_for, published_forces
from battles.models import BestBuild, Forecast
from battles.odds.chunks import Work
from battles.odds.matrices import cell_setup
from battles.odds.services import (
    check_runs,
    get_or_create_count,
    heartbeat,
    parse_seed_or_default,
    question_hash,
    touch_asked_at,
)
from battles.searches.selectors import best_build_rules
from battles.searches.services import climb_work
from battles.services.setups import force_side, setup_document
from rosters.models import Player
from rosters.services import RefusedError
from systems import BATTLES, battle_rules, roster_rules
from systems.documents import DocumentError, unknown_slug
from systems.lab.random_builds import build_rivals, lockable_parts
from systems.reading import read_setup
from systems.setups import Setup, setup_hash, setup_json
from systems.simulation.odds import tally
from systems.simulation.summary import Block, Plan, plan_of

ALL_PUBLISHED = "field"  # all published enemies, as one choice


class Opponent(TypedDict):
    """An enemy that builds are tried against.

    `design` is a published design's slug, a spec, or a published force's slug in games whose units don't fight one on
    one.
    """

    name: str
    design: str | dict[str, object]


@dataclass(frozen=True, slots=True)
class Fight:
    """A set-up, and the side and key of the unit that a build replaces."""

    setup: Setup
    side: int
    key: str

    def with_build(self, spec: Mapping[str, object] | None) -> Setup:
        """Return the set-up with that undamaged build; None: unchanged. Raises DocumentError if it is illegal."""
        if spec is None:
            return self.setup
        body: dict[str, Any] = setup_json(self.setup)
        unit = next(each for each in body["sides"][self.side]["units"] if each["key"] == self.key)
        unit["design"] = dict(spec)
        unit.pop("condition", None)
        return read_setup(body)

    def takes(self, spec: Mapping[str, object]) -> bool:
        """Return whether that build is legal there."""
        try:
            self.with_build(spec)
        except DocumentError:
            return False
        return True


def published_opponents(system: str) -> dict[str, Opponent]:
    """Return the published enemies by slug: designs, or forces in a game whose units don't fight one on one."""
    rules = battle_rules(system)
    if rules.duel:
        return {slug: {"name": each.name, "design": slug} for slug, each in roster_rules(system).published.items()}
    fitting = {force.slug for side in (0, 1) for force in forces_for(system, rules.plain_scenario, side)}
    found = {slug: force for slug, force in published_forces(system).items() if slug in fitting}
    return {slug: {"name": force.name, "design": slug} for slug, force in found.items()}


def fights_against(system: str, spec: Mapping[str, object], foes: Sequence[Opponent]) -> tuple[Fight, ...]:
    """Return fights of the build against each enemy, attacking and defending, in the plain scenario."""
    rules = battle_rules(system)
    if not rules.duel:
        return tuple(fight for foe in foes for side in (0, 1) for fight in _fights_in_a_force(system, spec, foe, side))
    terrain, doctrine = next(iter(rules.terrains)), next(iter(rules.doctrines))
    found = []
    for foe in foes:
        for side in (0, 1):
            pair = (dict(spec), foe["design"]) if side == 0 else (foe["design"], dict(spec))
            setup = read_setup(cell_setup(system, terrain, (doctrine, doctrine), *pair))
            found.append(Fight(setup, side, setup.sides[side].units[0].key))
    return tuple(found)


def _fights_in_a_force(system: str, spec: Mapping[str, object], foe: Opponent, side: int) -> list[Fight]:
    """Return a fight in which the build replaces a unit of a published force, the nearest in points; none if none fits."""
    rules, published = battle_rules(system), published_forces(system)
    scenario = rules.plain_scenario
    enemy = next((force for force in forces_for(system, scenario, 1 - side) if force.slug == foe["design"]), None)
    own = sorted(forces_for(system, scenario, side), key=lambda force: force.slug == foe["design"])
    if enemy is None or foe["design"] not in published:
        return []
    points = design_points(system, dict(spec))
    for force in own:
        setup = _setup_of_forces(system, force, enemy, side)
        units = [*zip(force.units, setup.sides[side].units, strict=True)]
        units.sort(key=lambda pair: abs(design_points(system, pair[0].design) - points))
        for _choice, unit in units:
            fight = Fight(setup, side, unit.key)
            if fight.takes(spec):
                return [Fight(fight.with_build(spec), side, unit.key)]
    return []


def _setup_of_forces(system: str, own: PublishedForce, enemy: PublishedForce, side: int) -> Setup:
    rules = battle_rules(system)
    scenario = rules.plain_scenario
    forces = (own, enemy) if side == 0 else (enemy, own)
    sides = [force_side(force, doctrine) for force, doctrine in zip(forces, first_doctrines(system), strict=True)]
    terrain = rules.match_terrains(scenario)[0]
    return read_setup(setup_document(system=system, scenario=scenario, terrain=terrain, sides=sides)[0])


def replaceable_units(setup: Setup) -> dict[str, tuple[int, Mapping[str, object]]]:
    """Return the units that a build can replace, by key: their side and spec."""
    rules = roster_rules(setup.system, setup.catalogue_release)
    found: dict[str, tuple[int, Mapping[str, object]]] = {}
    views = {view.key: view for view in battle_rules(setup.system).opening(setup).units}
    for side, each in enumerate(setup.sides):
        for unit in each.units:
            is_design = not isinstance(unit.design, str) or unit.design in rules.published
            if is_design and rules.has("lab") and views[unit.key].max_hits:
                design = rules.published[unit.design].spec if isinstance(unit.design, str) else None
                spec = rules.parse_spec(unit.design) if design is None else design
                found[unit.key] = (side, rules.spec_json(spec))
    return found


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
    """Ask for the build within some points that does best against these enemies; return it and whether it is new.

    Each build attacks and defends. `spec` is the build to improve: it is played too, and its parts in `kept` stay.
    `points` defaults to its own cost.
    """
    if system not in BATTLES:
        raise unknown_slug("system", "rule system", system, BATTLES)
    if not 1 <= len(foes) <= MAX_FOES:
        raise DocumentError("against", f"must be 1 to {MAX_FOES} enemies")
    _, build = _read_original(system, spec)
    fights = fights_against(system, build, foes)
    if not fights:
        raise RefusedError("against", "No published force can field this build against that opponent.")
    opponent = foes[0]["name"] if len(foes) == 1 else "the published field"
    return _ask_best_build(
        fights,
        {"foes": list(foes), "start": {"name": name, "spec": build}},
        f"Best build against {opponent}",
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
    """Ask for the best build in place of one unit of a forecast's set-up, by its key; the rest stays as it is."""
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
        f"Best build instead of {name}",
        system=setup.system, release=release, points=points, kept=kept, battles=battles, seed=seed, actor=actor,
        visitor=visitor,
    )  # fmt: skip


def _read_original(system: str, spec: Mapping[str, object], release: str = "") -> tuple[Any, dict[str, object]]:
    """Return the build to improve, as its game reads it and as JSON values. Raises DocumentError if it is illegal."""
    rules = roster_rules(system, release)
    if not rules.has("lab"):
        raise DocumentError("system", "has no design lab")
    build = rules.parse_spec(spec)
    if problems := rules.check_design(build).problems:
        raise DocumentError("spec", f"must be a legal build. {problems[0].message} ({problems[0].rule})")
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
    keys = {each.key for each in lockable_parts(rules, rules.editor(spec))}
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
    """Ask the same question again. A failed search continues, by the current rules if they have changed."""
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
    """Return the fights that the search's builds are tried in."""
    if row.forecast is None:
        return fights_against(row.system, row.start["spec"], row.foes)
    setup: Setup = read_setup(row.forecast.setup)
    side, _ = replaceable_units(setup)[row.unit]
    return (Fight(setup, side, row.unit),)


def best_build_work(*, row: BestBuild) -> Work[list[list[int]]]:
    """Return how a search is played: in blocks of one build, which meets every enemy equally often.

    The first worker lists the builds. They depend on the question alone, so a second worker would list the same.
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


def _simulate_fights(
    fights: Sequence[Fight], spec: Mapping[str, object] | None, seed: int, first: int, runs: int
) -> list[int]:
    """Return wins, losses and draws in `runs` battles of each fight."""
    ends = [0, 0, 0]
    for fight in fights:
        counts = tally(fight.with_build(spec), seed, first, runs).battle
        wins = (counts["attacker_wins"], counts["defender_wins"])
        for at, more in enumerate((wins[fight.side], wins[1 - fight.side], counts["draws"])):
            ends[at] += more
    return ends


def _list_builds(row: BestBuild, fights: Sequence[Fight]) -> None:
    """Save the builds to play and the resulting number of battles; end the search if there are none."""
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
        row.fail(f"There's no other legal build of {row.points} points or less that keeps these parts. Untick some.")
        return
    plan = plan_of(len(found.specs) + 1, row.battles_asked, len(fights))
    BestBuild.objects.filter(pk=row.pk, battles=0).update(
        builds=[rules.spec_json(spec) for spec in found.specs],
        is_whole=found.is_whole,
        battles=plan.battles,
        runs_asked=plan.runs,
    )
