"""Odds: tallies of many battles of one set-up, and their shares with 95% intervals.

Chunks add up: the tally of battles 0 .. n-1 of a seed doesn't depend on how they were split.
"""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from systems import battle_rules
from systems.engine import runner
from systems.engine.ends import margin_of, winner_of
from systems.setups import Setup, with_styles
from systems.simulation.records import check_fielded

if TYPE_CHECKING:
    from systems.battle import BattleSystem

Ends: TypeAlias = Any  # packed ends of battles: a list, or an array after a compiled run
Z95 = 1.959963984540054
DEFAULT_SEED = 0  # for odds: without a seed, the same question has the same answer
STYLE_BATTLES = 500  # per pair of styles, all with the same dice


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over battles: for the whole battle, for each unit by key, and by margin.

    A margin is the points of side A's surviving units minus those of side B's.
    """

    battle: Mapping[str, int]
    units: Mapping[str, Mapping[str, int]]
    margins: Mapping[int, int]

    @property
    def battles(self) -> int:
        return self.battle["battles"]

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            _sum(self.battle, other.battle),
            {key: _sum(counts, other.units[key]) for key, counts in self.units.items()},
            dict(sorted((Counter(self.margins) + Counter(other.margins)).items())),
        )

    def to_json(self) -> dict[str, object]:
        return {
            "battle": dict(self.battle),
            "units": {key: dict(counts) for key, counts in self.units.items()},
            "margins": {str(margin): count for margin, count in self.margins.items()},
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Tally:
        """Return the tally from these JSON values; old ones may lack margins and repairs."""
        margins = {int(margin): count for margin, count in body.get("margins", {}).items()}
        return cls(body["battle"], body["units"], dict(sorted(margins.items())))


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: value + other[name] for name, value in one.items()}


def tally(setup: Setup, seed: int, first: int, count: int, *, compiled: bool = True) -> Tally:
    """Simulate battles first .. first + count - 1 of the seed and tally their ends."""
    return _fight(setup, seed, first, count, compiled)[0]


def tally_with_prints(
    setup: Setup, seed: int, first: int, count: int, *, compiled: bool = True, boundscheck: bool = False
) -> tuple[Tally, list[int]]:
    """Like `tally`, with the packed end of each battle, to compare runs battle by battle."""
    found, ends = _fight(setup, seed, first, count, compiled, boundscheck)
    return found, [int(end) for end in ends]


def tally_on(
    setup: Setup, position: runner.Position, seed: int, first: int, count: int, *, compiled: bool = True
) -> Tally:
    """Like `tally`, but each battle starts from a position of this set-up."""
    return _fight_on(setup, position, seed, first, count, compiled)[0]


def chance_of(setup: Setup, seed: int, battles: int) -> float:
    """Return the attacker's win chance over that many battles of the seed, a draw counted as half."""
    battle = tally(setup, seed, 0, battles).battle
    drawn = battles - battle["attacker_wins"] - battle["defender_wins"]
    return (battle["attacker_wins"] + drawn / 2) / battles


def with_best_styles(setup: Setup, seed: int) -> Setup:
    """Return the set-up with, for each side, the AI style that does best against the other side's best answer.

    The set-up's own styles don't matter. Among equally good styles, the first wins.
    """
    styles = list(battle_rules(setup.system).doctrines)
    chances = {
        pair: chance_of(with_styles(setup, pair), seed, STYLE_BATTLES) for pair in itertools.product(styles, styles)
    }
    attacker = max(styles, key=lambda own: min(chances[own, other] for other in styles))
    defender = min(styles, key=lambda own: max(chances[other, own] for other in styles))
    return with_styles(setup, (attacker, defender))


def _fight(
    setup: Setup, seed: int, first: int, count: int, compiled: bool, boundscheck: bool = False
) -> tuple[Tally, Ends]:
    """Return the tally and the packed ends: a list, or an array after a compiled run."""
    template = battle_rules(setup.system).prepare(setup)
    check_fielded(setup, template)
    return _fight_on(setup, runner.Position(template), seed, first, count, compiled, boundscheck)


def _fight_on(
    setup: Setup,
    position: runner.Position,
    seed: int,
    first: int,
    count: int,
    compiled: bool,
    boundscheck: bool = False,
) -> tuple[Tally, Ends]:
    system = battle_rules(setup.system)
    module = importlib.import_module(system.rules[-1])
    keys = [key for key, _side in system.fielded(setup)]
    ends: Ends
    if compiled:
        battle, units, ends = _run_compiled(system, position, module, len(keys), seed, first, count, boundscheck)
        margins = _histogram(margin_of(ends))
    else:
        battle_tally = module.BattleTally()
        unit_tallies = [module.UnitTally() for _ in keys]
        fight = system.fight_on if position.begun else system.fight
        ends = runner.run_plain(fight, module.count, position, seed, first, count, battle_tally, unit_tallies)
        battle = dataclasses.asdict(battle_tally)
        units = [dataclasses.asdict(unit) for unit in unit_tallies]
        margins = dict(sorted(Counter(margin_of(end) for end in ends).items()))
    return Tally(battle, dict(zip(keys, units, strict=True)), margins), ends


def _histogram(values: Ends) -> dict[int, int]:
    """Return how often each number occurs in an array of whole numbers that lie close together."""
    import numpy as np

    if not len(values):
        return {}
    least = int(values.min())
    return {least + at: int(found) for at, found in enumerate(np.bincount(values - least)) if found}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two set-ups with the same dice: the tally of each, and a table of the pairs of winners.

    `table[before][after]` counts battles; indexes 0 and 1 are the sides, 2 is a draw.
    """

    before: Tally
    after: Tally
    table: tuple[tuple[int, int, int], ...]

    def __add__(self, other: Comparison) -> Comparison:
        rows = zip(self.table, other.table, strict=True)
        return Comparison(
            self.before + other.before,
            self.after + other.after,
            tuple((a[0] + b[0], a[1] + b[1], a[2] + b[2]) for a, b in rows),
        )

    @property
    def battles(self) -> int:
        return self.before.battles

    def to_json(self) -> dict[str, object]:
        return {
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "table": [list(row) for row in self.table],
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Comparison:
        table = tuple((row[0], row[1], row[2]) for row in body["table"])
        return cls(Tally.from_json(body["before"]), Tally.from_json(body["after"]), table)


def compare(before: Setup, after: Setup, seed: int, first: int, count: int, *, compiled: bool = True) -> Comparison:
    """Simulate the same battles of the seed with both set-ups; battle i uses the same stream of dice in each."""
    old, new = _fight(before, seed, first, count, compiled), _fight(after, seed, first, count, compiled)
    return _compared(old, new, compiled)


def compare_on(
    setup: Setup,
    before: runner.Position,
    after: runner.Position,
    seed: int,
    first: int,
    count: int,
    *,
    compiled: bool = True,
) -> Comparison:
    """Like `compare`, for one battle continued from two positions."""
    old = _fight_on(setup, before, seed, first, count, compiled)
    new = _fight_on(setup, after, seed, first, count, compiled)
    return _compared(old, new, compiled)


def _compared(before: tuple[Tally, Ends], after: tuple[Tally, Ends], compiled: bool) -> Comparison:
    (old, old_ends), (new, new_ends) = before, after
    if compiled:  # 3 * before + after, each -1 .. 1
        found = _histogram(winner_of(old_ends) * 3 + winner_of(new_ends))
    else:
        winners = zip(old_ends, new_ends, strict=True)
        found = Counter(winner_of(one) * 3 + winner_of(other) for one, other in winners)
    places = (0, 1, -1)
    return Comparison(
        old, new, tuple((found.get(3 * a, 0), found.get(3 * a + 1, 0), found.get(3 * a - 1, 0)) for a in places)
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """The change of a chance, with its 95% interval, from the battles that ended differently."""

    gained: int  # battles with this result only after the change
    lost: int
    change: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Return whether the interval doesn't contain 0."""
        return self.low > 0 or self.high < 0


def difference(gained: int, lost: int, battles: int) -> Difference:
    """Return a paired difference of shares, with the interval of Bonett and Price (2012), which is never empty."""
    if battles == 0:
        return Difference(0, 0, 0.0, -1.0, 1.0)
    up, down = (gained + 1) / (battles + 2), (lost + 1) / (battles + 2)
    spread = Z95 * math.sqrt((up + down - (up - down) ** 2) / (battles + 2))
    centre = up - down
    return Difference(gained, lost, (gained - lost) / battles, max(-1.0, centre - spread), min(1.0, centre + spread))


def differences(comparison: Comparison) -> tuple[Difference, Difference, Difference]:
    """Return the changes in the chances of side A, side D and a draw."""
    table, battles = comparison.table, comparison.battles

    def of(place: int) -> Difference:
        others = [other for other in range(3) if other != place]
        return difference(sum(table[a][place] for a in others), sum(table[place][a] for a in others), battles)

    return of(0), of(1), of(2)


def _run_compiled(
    system: BattleSystem,
    position: runner.Position,
    module: ModuleType,
    many: int,
    seed: int,
    first: int,
    count: int,
    boundscheck: bool,
) -> tuple[dict[str, int], list[dict[str, int]], Ends]:
    import numpy as np

    rules = runner.compiled(system.slug, system.records, tuple(system.rules), system.called, boundscheck)
    arrays = [
        runner.as_array([part] if name == "battle" else part, record)
        for (name, record), part in zip(runner.records_of(system.records).items(), position.state, strict=True)
    ]
    battle_tally = np.zeros(1, runner.dtype_of(module.BattleTally))
    unit_tallies = np.zeros(many, runner.dtype_of(module.UnitTally))
    prints = np.zeros(count, np.int64)
    stand = (
        int(position.begun),
        int(position.dice is not None),
        np.uint64(position.dice or 0),
        np.uint64(position.turn),
    )
    rules.run(*arrays, np.uint64(seed), np.uint64(first), count, *stand, battle_tally, unit_tallies, prints)
    names = battle_tally.dtype.names or ()
    unit_names = unit_tallies.dtype.names or ()
    return (
        {name: int(battle_tally[0][name]) for name in names},
        [{name: int(row[name]) for name in unit_names} for row in unit_tallies],
        prints,
    )


def is_warm(slug: str) -> bool:
    """Return whether a system's rules are already compiled."""
    system = battle_rules(slug)
    return runner.is_compiled(system.slug, system.records, tuple(system.rules), system.called)


def warm(slug: str) -> None:
    """Compile a system's rules, or load them from the compile cache."""
    system = battle_rules(slug)
    setup = system.example()
    tally(setup, 0, 0, 1)
