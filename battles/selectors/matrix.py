"""The matchup matrix."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from math import fsum
from uuid import UUID

from battles.models import ASKED_BY_SITE, Matrix
from rosters.designs.lab import lab_query
from rosters.jobs import JobStatus
from systems import battle_rules, roster_rules
from systems.simulation.odds import (
    Share,
    share,
)


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
    """Return finished matrices of the current rules, newest first; they hold published designs only."""
    version = battle_rules(system).rules_version
    rows = Matrix.objects.filter(status=JobStatus.DONE, system=system, rules_version=version)
    return list(rows.exclude(counts__has_key="build").defer("counts").order_by("-pk")[:most])


def matrix_published(system: str) -> Matrix | None:
    """Return the matrix that comes with Muster, if it is of the current rules."""
    version = battle_rules(system).rules_version
    rows = Matrix.objects.filter(status=JobStatus.DONE, system=system, rules_version=version, asked_from=ASKED_BY_SITE)
    return rows.exclude(counts__has_key="build").order_by("-pk").first()


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One design as side A against all, column by column; None if not simulated yet."""

    name: str
    points: int
    spec: Mapping[str, object]  # empty: the design no longer exists
    cells: tuple[Share | None, ...]
    mean: float | None  # over all opponents except itself


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
    """A published design that a build fights: the build's wins attacking and defending; None if not simulated yet."""

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
        """The half width of a cell's interval in points, where it is widest."""
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
