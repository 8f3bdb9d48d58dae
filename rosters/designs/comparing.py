"""Compare the lab's design with another: the choices, the chosen one, and the differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rosters.designs.lab import Lab, lab_query
from rosters.designs.selectors import OWN_DESIGNS, designs_published
from rosters.models import Player
from systems import roster_rules
from systems.lab.differences import DifferenceRow, side_by_side


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two designs side by side; without rows there is nothing to compare with."""

    published: tuple[tuple[str, str], ...]  # key and name of each choice
    own: tuple[tuple[str, str], ...]
    chosen: str
    name: str  # of the chosen one
    spec: Mapping[str, object]
    query: str  # the lab's query string for it
    rows: tuple[DifferenceRow, ...]

    @property
    def differing(self) -> tuple[DifferenceRow, ...]:
        return tuple(row for row in self.rows if row.differs)

    @property
    def same(self) -> tuple[DifferenceRow, ...]:
        return tuple(row for row in self.rows if not row.differs)


def compare_design(lab: Lab, player: Player | None, asked: str) -> Comparison:
    """Compare the lab's design with that of the key ("published:viper", "own:7"), by default the one it was made from,
    else the published one nearest in points."""
    rules = roster_rules(lab.system)
    own = list(OWN_DESIGNS.rows(author=player.pk, system=lab.system)) if player else []
    designs: dict[str, tuple[str, dict[str, object]]] = {
        **{f"published:{each.key}": (each.name, dict(each.spec)) for each in designs_published(lab.system)},
        **{f"own:{each.pk}": (each.name, each.spec) for each in own},
    }
    origin = f"own:{lab.design}"
    chosen = asked if asked in designs else origin if origin in designs else _nearest(lab)
    name, spec = designs.get(chosen, ("", {}))
    rows = side_by_side(rules, rules.parse_spec(lab.spec), rules.parse_spec(spec)) if spec else ()
    listed = tuple((key, told) for key, (told, _) in designs.items())
    return Comparison(
        tuple(each for each in listed if each[0].startswith("published:")),
        tuple(each for each in listed if each[0].startswith("own:")),
        chosen,
        name,
        spec,
        lab_query(lab.system, name, spec) if spec else "",
        rows,
    )


def _nearest(lab: Lab) -> str:
    points = lab.check.points if lab.check else 0
    found = sorted(designs_published(lab.system), key=lambda each: abs(each.check.points - points))
    other = [each for each in found if dict(each.spec) != lab.spec]
    return f"published:{other[0].key}" if other else ""
