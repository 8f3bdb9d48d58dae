"""The record of each published design in the matchup matrix that comes with Muster: its row and column together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Q
from django.urls import reverse

from battles.models import ASKED_BY_SITE, Matrix
from rosters.hooks import DesignRecord, Matchup
from rosters.jobs import JobStatus
from systems import BATTLES, battle_rules, roster_rules
from systems.simulation.odds import share


def design_records(systems: Sequence[str]) -> Mapping[tuple[str, str], DesignRecord]:
    """Return the records by game and slug; none if the matrix is of other designs or rules than the current. One query."""
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
    """Return the record of the design at that place in the matrix; a matchup is two cells: attacking and defending."""
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
        told=f"{fights.terrains[matrix.terrain]}, {one} against {other}",
        url=f"{reverse('battles:matrices')}?system={matrix.system}",
    )
