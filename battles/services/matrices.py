"""The matchup matrix: every published design against every other, counted cell by cell by a worker."""

from django.db import transaction

from battles.models import Body, Matrix
from battles.services.forecasts import count_ask, question_hash, seed_asked
from battles.services.setups import SideChoice, UnitChoice, setup_document
from battles.services.shares import Work
from rosters.models import Player
from systems import BATTLES, battle_rules, roster_rules
from systems.documents import DocumentError, unknown_slug
from systems.engine.odds import tally
from systems.reading import read_setup
from systems.setups import setup_hash

BATTLES_EACH = 10_000  # of each cell: an interval of about one point to either side
MOST_BATTLES = 12_000  # of each cell, so that a matrix stays within what a player may ask for at once
SIDES = ("Attacker", "Defender")


def designs_of(system: str) -> list[str]:
    """The published designs of a matrix, in the order of the catalogue."""
    return list(roster_rules(system).published)


def cell_setup(
    system: str, terrain: str, doctrines: tuple[str, str], attacker: str, defender: str
) -> dict[str, object]:
    """The setup/1 document of one cell."""
    scenario = battle_rules(system).duel
    sides = [
        SideChoice(name=name, doctrine=doctrine, units=[UnitChoice(design=design)])
        for name, doctrine, design in zip(SIDES, doctrines, (attacker, defender), strict=True)
    ]
    return setup_document(system=system, scenario=scenario, terrain=terrain, sides=sides)[0]


@transaction.atomic
def matrix_ask(
    *,
    system: str,
    terrain: str,
    doctrines: tuple[str, str],
    battles: int = BATTLES_EACH,
    seed: object = None,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[Matrix, bool]:
    """The matrix of that field and those doctrines, and whether the question is new. Never counted twice.

    A visitor may ask too, though it is more battles than he may ask for otherwise: there are only so many fields and
    doctrines, and each matrix is counted once for everybody.
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
    if isinstance(battles, bool) or not isinstance(battles, int) or not 1 <= battles <= MOST_BATTLES:
        raise DocumentError("battles", f"must be a whole number from 1 to {MOST_BATTLES:,}")
    number = seed_asked(seed)
    designs = designs_of(system)
    hashes = [
        setup_hash(read_setup(cell_setup(system, terrain, doctrines, one, other)))
        for one in designs
        for other in designs
    ]
    question = question_hash("matrix", designs, hashes, number, battles, rules.rules_version)
    titles = [rules.doctrines[doctrine].lower() for doctrine in doctrines]
    fields = {
        "system": system,
        "title": f"{rules.terrains[terrain]}, {titles[0]} against {titles[1]}"[:140],
        "terrain": terrain,
        "doctrines": list(doctrines),
        "battles": battles,
        "seed": str(number),
        "rules_version": rules.rules_version,
        "runs_asked": len(hashes) * battles,
        "counts": {"designs": designs, "cells": []},
    }
    return count_ask(Matrix, question, lambda: fields, runs=battles, actor=actor, visitor=visitor)


def matrix_work(*, matrix: Matrix) -> Work[list[list[int]]]:
    """How the cells of a matrix are counted, row by row; a chunk is some whole cells."""
    designs: list[str] = matrix.counts["designs"]
    doctrines = (matrix.doctrines[0], matrix.doctrines[1])
    battles, seed = matrix.battles, int(matrix.seed)

    def count(first: int, runs: int) -> list[list[int]]:
        cells = []
        for at in range(first // battles, (first + runs) // battles):
            row, column = divmod(at, len(designs))
            setup = read_setup(cell_setup(matrix.system, matrix.terrain, doctrines, designs[row], designs[column]))
            counted = tally(setup, seed, 0, battles).battle
            cells.append([counted["attacker_wins"], counted["defender_wins"], counted["draws"]])
        return cells

    def add(total: Body, cells: list[list[int]]) -> tuple[Body, int, bool]:
        known = [*total["cells"], *cells]
        return {"designs": designs, "cells": known}, len(known) * battles, False

    return Work(battles, count, add)
