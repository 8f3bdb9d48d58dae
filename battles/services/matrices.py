"""The matchup matrix: every published design against every other, simulated cell by cell by a worker.

A trial of a build works the same way: a matrix of two rows, the build against each published design, and each published
design against the build.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from battles.models import ASKED_BY_SITE, Body, Matrix
from battles.services import limits
from battles.services.forecasts import get_or_create_count, parse_seed_or_default, question_hash
from battles.services.setups import SideChoice, UnitChoice, setup_document
from battles.services.shares import Work
from rosters.jobs import JobStatus
from rosters.models import Player
from systems import BATTLES, battle_rules, roster_rules
from systems.documents import DocumentError, unknown_slug
from systems.reading import read_setup
from systems.setups import setup_hash
from systems.simulation.odds import tally

CELL_BATTLES = 10_000  # per cell: an interval of about one point to either side
MAX_CELL_BATTLES = 12_000  # per cell, so that a matrix stays within what a player may ask for at once
TRIAL_BATTLES = 300  # per cell of a trial: an interval of about six points to either side
GLANCE_BATTLES = 200  # per cell if every unfinished build is tried: about seven points
SIDE_NAMES = ("Attacker", "Defender")
PUBLISHED_MATRICES = (
    Path(__file__).parent.parent / "odds" / "published_matrices.json"
)  # written by tests/tools/published_odds.py
DesignReference = str | Mapping[str, object]  # a published design's slug, or a spec


def designs_of(system: str) -> list[str]:
    """Return the published designs of a matrix, in the order of the catalogue: those that fight one against one."""
    return list(_designs_of(system))


@cache
def _designs_of(system: str) -> tuple[str, ...]:
    rules = battle_rules(system)
    terrain, doctrine = next(iter(rules.terrains)), next(iter(rules.doctrines))

    def fights(design: str) -> bool:
        """Return False for a design that only a house rule lets fight."""
        try:
            read_setup(cell_setup(system, terrain, (doctrine, doctrine), design, design))
        except DocumentError:
            return False
        return True

    return tuple(filter(fights, roster_rules(system).published))


def cell_setup(
    system: str, terrain: str, doctrines: tuple[str, str], attacker: DesignReference, defender: DesignReference
) -> dict[str, object]:
    """Return the setup/1 document of one cell."""
    scenario = battle_rules(system).duel
    sides = [
        SideChoice(name=name, doctrine=doctrine, units=[UnitChoice(design=design)])
        for name, doctrine, design in zip(SIDE_NAMES, doctrines, (attacker, defender), strict=True)
    ]
    return setup_document(system=system, scenario=scenario, terrain=terrain, sides=sides)[0]


@transaction.atomic
def matrix_ask(
    *,
    system: str,
    terrain: str,
    doctrines: tuple[str, str],
    battles: int = CELL_BATTLES,
    seed: object = None,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[Matrix, bool]:
    """Return the matrix of that field and those AI styles, and whether the question is new. Nothing is simulated twice.

    A visitor may ask too, though it is more battles than they may ask for otherwise: there is a limited number of
    fields and AI styles, and each matrix is simulated once for everybody.
    """
    if system not in BATTLES:
        raise unknown_slug("system", "rule system", system, BATTLES)
    rules = battle_rules(system)
    if not rules.duel:
        raise DocumentError("system", "has no matchup matrix: its units don't fight one against one")
    if terrain not in rules.terrains:
        raise unknown_slug("terrain", "terrain", terrain, rules.terrains)
    for at, doctrine in enumerate(doctrines):
        if doctrine not in rules.doctrines:
            raise unknown_slug(f"doctrines[{at}]", "doctrine", doctrine, rules.doctrines)
    if isinstance(battles, bool) or not isinstance(battles, int) or not 1 <= battles <= MAX_CELL_BATTLES:
        raise DocumentError("battles", f"must be a whole number from 1 to {MAX_CELL_BATTLES:,}")
    question, fields = _matrix_question(system, terrain, doctrines, battles, parse_seed_or_default(seed))
    return get_or_create_count(Matrix, question, lambda: fields, runs=battles, actor=actor, visitor=visitor)


def _matrix_question(
    system: str, terrain: str, doctrines: tuple[str, str], battles: int, seed: int
) -> tuple[str, dict[str, object]]:
    """Return the hash of all that a matrix depends on, and the fields of its row before anything is simulated."""
    rules, designs = battle_rules(system), designs_of(system)
    hashes = [
        setup_hash(read_setup(cell_setup(system, terrain, doctrines, one, other)))
        for one in designs
        for other in designs
    ]
    titles = [rules.doctrines[doctrine].lower() for doctrine in doctrines]
    fields = {
        "system": system,
        "title": f"{rules.terrains[terrain]}, {titles[0]} against {titles[1]}"[:140],
        "terrain": terrain,
        "doctrines": list(doctrines),
        "battles": battles,
        "seed": str(seed),
        "rules_version": rules.rules_version,
        "runs_asked": len(hashes) * battles,
        "counts": {"designs": designs, "cells": []},
    }
    return question_hash("matrix", designs, hashes, seed, battles, rules.rules_version), fields


# --- those that come with Muster --------------------------------------------------------------------------------------


def published_question(system: str) -> tuple[str, dict[str, object]]:
    """Return the question of the matrix that comes with Muster: a game's first ground, its first AI style twice."""
    rules = battle_rules(system)
    doctrine = next(iter(rules.doctrines))
    return _matrix_question(
        system, next(iter(rules.terrains)), (doctrine, doctrine), CELL_BATTLES, parse_seed_or_default(None)
    )


def matrices_publish() -> list[str]:
    """Add the matrices that come with Muster, if they match the current rules and designs; return the new ones.

    They belong to the site. Adding them again changes nothing.
    """
    entered = []
    for system, told in json.loads(PUBLISHED_MATRICES.read_text(encoding="utf-8")).items():
        if system not in BATTLES:
            continue
        question, fields = published_question(system)
        if told["question"] != question:  # simulated by other rules; it is simulated again if somebody asks
            continue
        counts = {"designs": designs_of(system), "cells": told["cells"]}
        whole = {**fields, "counts": counts, "runs_done": fields["runs_asked"], "seconds": told["seconds"]}
        over = {"status": JobStatus.DONE, "ended_at": timezone.now(), "asked_from": ASKED_BY_SITE}
        _, is_new = Matrix.objects.get_or_create(question=question, defaults={**whole, **over})
        if is_new:
            entered.append(system)
    return entered


@transaction.atomic
def trial_ask(
    *,
    system: str,
    name: str,
    spec: Mapping[str, object],
    battles: int | None = None,
    is_glance: bool = False,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[Matrix, bool]:
    """Ask for a build's trial against every published design; return it and whether it is new.

    The build attacks and defends, on the plain field. A glance has fewer battles, and a quota of its own: the lab asks
    for it by itself after every change. Raises DocumentError for a game whose units don't fight one against one, and
    for a build that isn't legal.
    """
    if system not in BATTLES:
        raise unknown_slug("system", "rule system", system, BATTLES)
    rules, roster = battle_rules(system), roster_rules(system)
    battles = battles or (GLANCE_BATTLES if is_glance else TRIAL_BATTLES)
    if not rules.duel:
        raise DocumentError("system", "has no matchups: its units don't fight one against one")
    if problems := roster.check_design(roster.parse_spec(spec)).problems:
        raise DocumentError("spec", f"only a legal build fights. {problems[0].message} ({problems[0].rule})")
    doctrine = next(iter(rules.doctrines))
    terrain = next(iter(rules.terrains))
    designs, number = designs_of(system), parse_seed_or_default(None)
    counts = {"designs": designs, "cells": [], "build": {"name": name, "spec": dict(spec)}}
    pairs = _design_pairs(counts)
    hashes = [setup_hash(read_setup(cell_setup(system, terrain, (doctrine, doctrine), *pair))) for pair in pairs]
    fields = {
        "system": system,
        "title": f"{name} against the published designs"[:140],
        "terrain": terrain,
        "doctrines": [doctrine, doctrine],
        "battles": battles,
        "is_glance": is_glance,
        "seed": str(number),
        "rules_version": rules.rules_version,
        "runs_asked": len(pairs) * battles,
        "counts": counts,
    }
    question = question_hash("trial", name, hashes, number, battles, rules.rules_version)
    return get_or_create_count(
        Matrix,
        question,
        lambda: fields,
        runs=len(pairs) * battles,
        actor=actor,
        visitor=visitor,
        allowed=limits.check_glance_limit if is_glance else None,
    )


def _design_pairs(counts: Body) -> list[tuple[DesignReference, DesignReference]]:
    """Return the pairs of opponents, cell by cell."""
    designs: list[str] = counts["designs"]
    if "build" not in counts:
        return [(one, other) for one in designs for other in designs]
    build: Mapping[str, object] = counts["build"]["spec"]
    return [*((build, design) for design in designs), *((design, build) for design in designs)]


def matrix_work(*, matrix: Matrix) -> Work[list[list[int]]]:
    """Return how the cells of a matrix are simulated, row by row; a chunk is some whole cells."""
    pairs = _design_pairs(matrix.counts)
    doctrines = (matrix.doctrines[0], matrix.doctrines[1])
    battles, seed = matrix.battles, int(matrix.seed)

    def count(first: int, runs: int) -> list[list[int]]:
        cells = []
        for pair in pairs[first // battles : (first + runs) // battles]:
            setup = read_setup(cell_setup(matrix.system, matrix.terrain, doctrines, *pair))
            counted = tally(setup, seed, 0, battles).battle
            cells.append([counted["attacker_wins"], counted["defender_wins"], counted["draws"]])
        return cells

    def add(total: Body, cells: list[list[int]]) -> tuple[Body, int, bool]:
        known = [*total["cells"], *cells]
        return {**total, "cells": known}, len(known) * battles, False

    return Work(battles, count, add)
