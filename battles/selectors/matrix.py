"""The matchup matrix."""

from dataclasses import dataclass
from uuid import UUID

from battles.models import Matrix
from rosters.site.jobs import JobStatus
from systems import battle_rules, roster_rules
from systems.engine.odds import (
    Share,
    share,
)


def matrix_readable(key: UUID) -> Matrix | None:
    """The matrix of that key; who has the link may see it."""
    return Matrix.objects.select_related("asked_by").filter(key=key).first()


def matrices_done(system: str, most: int = 8) -> list[Matrix]:
    """Finished matrices of the rules as they stand, newest first; they hold published designs only."""
    version = battle_rules(system).rules_version
    rows = Matrix.objects.filter(status=JobStatus.DONE, system=system, rules_version=version)
    return list(rows.defer("counts").order_by("-pk")[:most])


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One design as side A against all, column by column; None where nothing is counted yet."""

    name: str
    points: int
    cells: tuple[Share | None, ...]
    mean: float | None  # over all opponents but its own like


@dataclass(frozen=True, slots=True)
class MatrixPage:
    columns: tuple[tuple[str, int], ...]  # name and points
    rows: tuple[MatrixRow, ...]
    battles: int  # of each cell
    draws: Share


def matrix_page(matrix: Matrix) -> MatrixPage:
    """The matrix as a table: side A's chances to win, a row for each design of side A."""
    rules = roster_rules(matrix.system)
    designs: list[str] = matrix.counts["designs"]
    cells: list[list[int]] = matrix.counts["cells"]
    heads = []
    for slug in designs:
        design = rules.published.get(slug)
        heads.append((design.name, rules.check_design(design.spec).points) if design else (slug, 0))
    rows = []
    for at, (name, points) in enumerate(heads):
        found = [share(cell[0], matrix.battles) for cell in cells[at * len(designs) : (at + 1) * len(designs)]]
        others = [cell.share for column, cell in enumerate(found) if column != at]
        is_whole = len(found) == len(designs)
        padded = (*found, *[None] * (len(designs) - len(found)))
        rows.append(MatrixRow(name, points, padded, sum(others) / len(others) if is_whole and others else None))
    draws = share(sum(cell[2] for cell in cells), len(cells) * matrix.battles)
    return MatrixPage(tuple(heads), tuple(rows), matrix.battles, draws)
