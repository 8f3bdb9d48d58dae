"""Matchups of designs, and trials of a build: ask for, simulate and show them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from math import fsum
from pathlib import Path
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from battles.models import ASKED_BY_SITE, Body, Matrix
from battles.odds.chunks import Work
from battles.odds.services import get_or_create_count, parse_seed_or_default, question_hash
from battles.services import limits
from battles.services.setups import SideChoice, UnitChoice, setup_document
from rosters.designs.lab import lab_query
from rosters.hooks import DesignRecord, Matchup
from rosters.jobs import JobStatus
from rosters.models import Player
from systems import BATTLES, battle_rules, roster_rules
from systems.documents import DocumentError, unknown_slug
from systems.reading import read_setup
from systems.setups import setup_hash
from systems.simulation.odds import tally
from systems.simulation.summary import Share, share

CELL_BATTLES = 10_000  # per cell: a half width of about one point
MAX_CELL_BATTLES = 12_000  # per cell, so that a matrix stays within a player's limit
TRIAL_BATTLES = 300  # per cell of a trial: a half width of about six points
GLANCE_BATTLES = 200  # per cell for unfinished builds: a half width of about seven points
SIDE_NAMES = ("Attacker", "Defender")
PUBLISHED_MATRICES = (
    Path(__file__).parent.parent / "odds" / "published_matrices.json"
)  # written by tests/tools/published_odds.py
DesignReference = str | Mapping[str, object]  # a published design's slug, or a spec


def designs_of(system: str) -> list[str]:
    """Return the published designs of a matrix, in the order of the catalogue: those that can fight one on one."""
    return list(_designs_of(system))


@cache
def _designs_of(system: str) -> tuple[str, ...]:
    rules = battle_rules(system)
    terrain, doctrine = next(iter(rules.terrains)), next(iter(rules.doctrines))

    def fights(design: str) -> bool:
        """Return whether the design can fight without house rules."""
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
    """Return the matrix for that terrain and those AI styles, and whether the question is new.

    Nothing is simulated twice. Visitors may ask too, although it exceeds their limit: there are few combinations, and
    each is simulated once for everybody.
    """
    if system not in BATTLES:
        raise unknown_slug("system", "rule system", system, BATTLES)
    rules = battle_rules(system)
    if not rules.duel:
        raise DocumentError("system", "has no matchups: its units don't fight one on one")
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
    """Return the hash of everything a matrix depends on, and the fields of its new row."""
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


def published_question(system: str) -> tuple[str, dict[str, object]]:
    """Return the question of the matrix that comes with Muster: the first terrain, and the first AI style twice."""
    rules = battle_rules(system)
    doctrine = next(iter(rules.doctrines))
    return _matrix_question(
        system, next(iter(rules.terrains)), (doctrine, doctrine), CELL_BATTLES, parse_seed_or_default(None)
    )


def matrices_publish() -> list[str]:
    """Add the matrices that come with Muster if they match the current rules and designs; return the new ones.

    They belong to the site. Adding them again changes nothing.
    """
    entered = []
    for system, published in json.loads(PUBLISHED_MATRICES.read_text(encoding="utf-8")).items():
        if system not in BATTLES:
            continue
        question, fields = published_question(system)
        if published["question"] != question:  # of other rules; simulated again if somebody asks
            continue
        counts = {"designs": designs_of(system), "cells": published["cells"]}
        whole = {**fields, "counts": counts, "runs_done": fields["runs_asked"], "seconds": published["seconds"]}
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

    A trial is a matrix of two rows on the first terrain: the build attacks each design, and is attacked by it. A glance
    (`is_glance`) has fewer battles and its own quota, because the lab asks for it after every change.
    Raises DocumentError for an illegal build, and for a game whose units don't fight one on one.
    """
    if system not in BATTLES:
        raise unknown_slug("system", "rule system", system, BATTLES)
    rules, roster = battle_rules(system), roster_rules(system)
    battles = battles or (GLANCE_BATTLES if is_glance else TRIAL_BATTLES)
    if not rules.duel:
        raise DocumentError("system", "has no matchups: its units don't fight one on one")
    if problems := roster.check_design(roster.parse_spec(spec)).problems:
        raise DocumentError("spec", f"must be a legal build. {problems[0].message} ({problems[0].rule})")
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
        allowed=limits.check_lab_odds_limit if is_glance else None,
    )


def _design_pairs(counts: Body) -> list[tuple[DesignReference, DesignReference]]:
    """Return attacker and defender of each cell."""
    designs: list[str] = counts["designs"]
    if "build" not in counts:
        return [(one, other) for one in designs for other in designs]
    build: Mapping[str, object] = counts["build"]["spec"]
    return [*((build, design) for design in designs), *((design, build) for design in designs)]


def matrix_work(*, matrix: Matrix) -> Work[list[list[int]]]:
    """Return how the cells of a matrix are simulated, row by row; a chunk is one or more cells."""
    pairs = _design_pairs(matrix.counts)
    doctrines = (matrix.doctrines[0], matrix.doctrines[1])
    battles, seed = matrix.battles, int(matrix.seed)

    def count(first: int, runs: int) -> list[list[int]]:
        cells = []
        for pair in pairs[first // battles : (first + runs) // battles]:
            setup = read_setup(cell_setup(matrix.system, matrix.terrain, doctrines, *pair))
            counts = tally(setup, seed, 0, battles).battle
            cells.append([counts["attacker_wins"], counts["defender_wins"], counts["draws"]])
        return cells

    def add(total: Body, cells: list[list[int]]) -> tuple[Body, int, bool]:
        known = [*total["cells"], *cells]
        return {**total, "cells": known}, len(known) * battles, False

    return Work(battles, count, add)


def matrix_readable(key: UUID) -> Matrix | None:
    """Return the matrix with that key; anybody with the link may see it."""
    return _find_matrix(key, is_trial=False)


def trial_readable(key: UUID) -> Matrix | None:
    """Return the trial with that key; anybody with the link may see it."""
    return _find_matrix(key, is_trial=True)


def _find_matrix(key: UUID, *, is_trial: bool) -> Matrix | None:
    found = Matrix.objects.select_related("asked_by").filter(key=key).first()
    return found if found is not None and ("build" in found.counts) == is_trial else None


def matrices_done(system: str, most: int = 8) -> list[Matrix]:
    """Return finished matrices under the current rules, newest first, without trials."""
    version = battle_rules(system).rules_version
    rows = Matrix.objects.filter(status=JobStatus.DONE, system=system, rules_version=version)
    return list(rows.exclude(counts__has_key="build").defer("counts").order_by("-pk")[:most])


def matrix_published(system: str) -> Matrix | None:
    """Return the matrix that comes with Muster, if it is for the current rules."""
    version = battle_rules(system).rules_version
    rows = Matrix.objects.filter(status=JobStatus.DONE, system=system, rules_version=version, asked_from=ASKED_BY_SITE)
    return rows.exclude(counts__has_key="build").order_by("-pk").first()


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """The win chances of one design as side A, column by column; None if not simulated yet."""

    name: str
    points: int
    spec: Mapping[str, object]  # empty: the design no longer exists
    cells: tuple[Share | None, ...]
    mean: float | None  # over all opponents but itself


@dataclass(frozen=True, slots=True)
class MatrixPage:
    columns: tuple[tuple[str, int], ...]  # name and points
    rows: tuple[MatrixRow, ...]
    battles: int  # of each cell
    draws: Share


def matrix_page(matrix: Matrix) -> MatrixPage:
    """Return the matrix as a table: side A's win chances, a row for each design of side A."""
    rules = roster_rules(matrix.system)
    designs: list[str] = matrix.counts["designs"]
    cells: list[list[int]] = matrix.counts["cells"]
    heads, specs = [], []
    for slug in designs:
        design = rules.published.get(slug)
        heads.append((design.name, rules.check_design(design.spec).points) if design else (slug, 0))
        specs.append(rules.spec_json(design.spec) if design else {})
    rows = []
    for at, (name, points) in enumerate(heads):
        found = [share(cell[0], matrix.battles) for cell in cells[at * len(designs) : (at + 1) * len(designs)]]
        others = [cell.share for column, cell in enumerate(found) if column != at]
        is_whole = len(found) == len(designs)
        padded = (*found, *[None] * (len(designs) - len(found)))
        mean = fsum(others) / len(others) if is_whole and others else None
        rows.append(MatrixRow(name, points, specs[at], padded, mean))
    draws = share(sum(cell[2] for cell in cells), len(cells) * matrix.battles)
    return MatrixPage(tuple(heads), tuple(rows), matrix.battles, draws)


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A published design as an opponent: the build's wins attacking and defending; None if not simulated yet."""

    name: str
    points: int
    spec: Mapping[str, object]  # empty: the design no longer exists
    attacking: Share | None
    defending: Share | None


@dataclass(frozen=True, slots=True)
class TrialPage:
    name: str
    points: int
    lab: str  # the lab's query string for the build
    rows: tuple[TrialRow, ...]
    battles: int  # of each cell
    mean: float | None  # of all cells; None until all are simulated

    @property
    def either_side(self) -> int:
        """The largest half width of a cell's interval, in points."""
        even = share(self.battles // 2, self.battles)
        return round(50 * (even.high - even.low))


def trial_page(matrix: Matrix) -> TrialPage:
    """Return the build against each published design: its win chances as attacker and as defender."""
    rules, build, battles = roster_rules(matrix.system), matrix.counts["build"], matrix.battles
    designs: list[str] = matrix.counts["designs"]
    cells: list[list[int]] = matrix.counts["cells"]
    attacking = [share(cell[0], battles) for cell in cells[: len(designs)]]
    defending = [share(cell[1], battles) for cell in cells[len(designs) :]]
    found = [each.share for each in (*attacking, *defending)]
    rows = []
    for slug, ours, theirs in zip_longest(designs, attacking, defending):
        design = rules.published.get(slug)
        points = rules.check_design(design.spec).points if design else 0
        spec = rules.spec_json(design.spec) if design else {}
        rows.append(TrialRow(design.name if design else slug, points, spec, ours, theirs))
    return TrialPage(
        name=build["name"],
        points=rules.check_design(rules.parse_spec(build["spec"])).points,
        lab=lab_query(matrix.system, build["name"], build["spec"]),
        rows=tuple(rows),
        battles=battles,
        mean=fsum(found) / len(found) if len(found) == 2 * len(designs) else None,
    )


def design_records(systems: Sequence[str]) -> Mapping[tuple[str, str], DesignRecord]:
    """Return the records by game and slug; none if the matrix is for other designs or rules. Makes one query."""
    asked = [
        (slug, battle_rules(slug).rules_version) for slug in systems if slug in BATTLES and battle_rules(slug).duel
    ]
    if not asked:
        return {}
    of_these = Q()
    for system, version in asked:
        of_these |= Q(system=system, rules_version=version)
    rows = Matrix.objects.filter(of_these, status=JobStatus.DONE, asked_from=ASKED_BY_SITE).exclude(
        counts__has_key="build"
    )
    newest = {matrix.system: matrix for matrix in rows.order_by("pk")}
    found: dict[tuple[str, str], DesignRecord] = {}
    for system, matrix in newest.items():
        found |= {(system, slug): record for slug, record in _matrix_records(matrix).items()}
    return found


def _matrix_records(matrix: Matrix) -> dict[str, DesignRecord]:
    rules, designs = roster_rules(matrix.system), tuple(matrix.counts["designs"])
    cells: list[list[int]] = matrix.counts["cells"]
    count = len(designs)
    if len(cells) != count * count or count < 2 or not all(slug in rules.published for slug in designs):
        return {}
    won = {
        one: {
            other: cells[at * count + to][0] + cells[to * count + at][1] for to, other in enumerate(designs) if to != at
        }
        for at, one in enumerate(designs)
    }
    order = sorted(designs, key=lambda slug: -sum(won[slug].values()))
    return {slug: _design_record(matrix, at, won, order.index(slug) + 1) for at, slug in enumerate(designs)}


def _design_record(matrix: Matrix, at: int, won: Mapping[str, Mapping[str, int]], place: int) -> DesignRecord:
    """Return the record of the design at that place of the matrix; a matchup is two cells, attacking and defending."""
    rules, fights, designs = roster_rules(matrix.system), battle_rules(matrix.system), list(won)
    each, count = 2 * matrix.battles, len(designs)
    wins = won[designs[at]]
    pairs = [at * count + to for to in range(count)] + [to * count + at for to in range(count)]
    drawn = sum(matrix.counts["cells"][pair][2] for pair in pairs if pair != at * count + at)
    matchups = [
        Matchup(name=rules.published[slug].name, slug=slug, won=share(number, each)) for slug, number in wins.items()
    ]
    one, other = (fights.doctrines[doctrine].lower() for doctrine in matrix.doctrines)
    return DesignRecord(
        won=share(sum(wins.values()), each * len(wins)),
        drawn=drawn / (each * len(wins)),
        place=place,
        matchups=tuple(sorted(matchups, key=lambda matchup: (-matchup.won.share, matchup.name))),
        battles=each,
        terrain_and_styles=f"{fights.terrains[matrix.terrain]}, {one} against {other}",
        url=f"{reverse('battles:matrices')}?system={matrix.system}",
    )
