"""Odds: many battles of one set-up counted, and the counts as shares with 95 % intervals.

Chunks add up: the tally of battles 0 .. n-1 of a seed does not depend on how they were cut.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from battles.documents import Setup
from battles.engine import twin
from battles.systems import get_system
from rosters.documents import DocumentError

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over battles: of the whole battle, and of each unit by key."""

    battle: Mapping[str, int]
    units: Mapping[str, Mapping[str, int]]

    @property
    def battles(self) -> int:
        return self.battle["battles"]

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            _sum(self.battle, other.battle),
            {key: _sum(counts, other.units[key]) for key, counts in self.units.items()},
        )

    def to_json(self) -> dict[str, Any]:
        return {"battle": dict(self.battle), "units": {key: dict(counts) for key, counts in self.units.items()}}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Tally:
        return cls(body["battle"], body["units"])


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: value + other[name] for name, value in one.items()}


def check_fielded(setup: Setup, template: Any) -> None:
    """Raises DocumentError if the state does not hold exactly the units of the set-up."""
    named = get_system(setup.system).fielded(setup)
    for at in range(2):
        fielded = sum(unit.side == at for unit in template.units)
        expected = sum(side == at for _key, side in named)
        if fielded != expected:
            raise DocumentError(f"sides[{at}].units", f"{expected} units are named, {fielded} take the field")


def tally(setup: Setup, seed: int, first: int, count: int, *, compiled: bool = True) -> Tally:
    """Fights battles first .. first + count - 1 of the seed and counts how they end."""
    return tally_with_prints(setup, seed, first, count, compiled=compiled)[0]


def tally_with_prints(
    setup: Setup, seed: int, first: int, count: int, *, compiled: bool = True, boundscheck: bool = False
) -> tuple[Tally, list[int]]:
    """As `tally`, with the fingerprint of each battle's end, to compare runs battle for battle."""
    system = get_system(setup.system)
    template = system.prepare(setup)
    check_fielded(setup, template)
    module = importlib.import_module(system.rules[-1])
    keys = [key for key, _side in system.fielded(setup)]
    if compiled:
        battle, units, prints = _run_compiled(system, template, module, len(keys), seed, first, count, boundscheck)
    else:
        battle_tally = module.BattleTally()
        unit_tallies = [module.UnitTally() for _ in keys]
        prints = twin.run_plain(system.fight, module.count, template, seed, first, count, battle_tally, unit_tallies)
        battle = dataclasses.asdict(battle_tally)
        units = [dataclasses.asdict(unit) for unit in unit_tallies]
    return Tally(battle, dict(zip(keys, units, strict=True))), prints


def _run_compiled(
    system: Any, template: Any, module: Any, many: int, seed: int, first: int, count: int, boundscheck: bool
) -> tuple[dict[str, int], list[dict[str, int]], list[int]]:
    import numpy as np

    rules = twin.compiled(system.slug, system.records, tuple(system.rules), boundscheck)
    arrays = [
        twin.as_array([part] if name == "battle" else part, record)
        for (name, record), part in zip(twin.records_of(system.records).items(), template, strict=True)
    ]
    battle_tally = np.zeros(1, twin.dtype_of(module.BattleTally))
    unit_tallies = np.zeros(many, twin.dtype_of(module.UnitTally))
    prints = np.zeros(count, np.int64)
    rules.run(*arrays, np.uint64(seed), np.uint64(first), count, battle_tally, unit_tallies, prints)
    names = battle_tally.dtype.names or ()
    unit_names = unit_tallies.dtype.names or ()
    return (
        {name: int(battle_tally[0][name]) for name in names},
        [{name: int(row[name]) for name in unit_names} for row in unit_tallies],
        [int(value) for value in prints],
    )


def warm(slug: str) -> None:
    """Compiles the rules of a system, or loads them from the compile cache."""
    system = get_system(slug)
    setup = system.example()
    tally(setup, 0, 0, 1)


@dataclass(frozen=True, slots=True)
class Share:
    """A count as a share of all battles, with its 95 % Wilson interval."""

    count: int
    share: float
    low: float
    high: float


def share(count: int, battles: int) -> Share:
    """`count` of `battles`; of none at all the interval is everything."""
    if battles == 0:
        return Share(0, 0.0, 0.0, 1.0)
    p = count / battles
    centre = p + Z95 * Z95 / (2 * battles)
    spread = Z95 * math.sqrt(p * (1 - p) / battles + Z95 * Z95 / (4 * battles * battles))
    scale = 1 + Z95 * Z95 / battles
    return Share(count, p, max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale))


@dataclass(frozen=True, slots=True)
class SideOdds:
    name: str
    wins: Share


@dataclass(frozen=True, slots=True)
class UnitOdds:
    """What becomes of one unit; means are per battle."""

    key: str
    name: str
    side: str
    lost: Share
    withdrew: Share
    wounded: Share
    kills: float
    hits_lost: float
    weapons_lost: float
    systems_lost: float


@dataclass(frozen=True, slots=True)
class Odds:
    """The counts of a forecast, made readable."""

    battles: int
    sides: tuple[SideOdds, ...]
    draws: Share
    stalemates: Share  # draws by the round limit, counted among the draws
    unfinished: int
    rounds: float
    units: tuple[UnitOdds, ...]

    def to_json(self) -> dict[str, Any]:
        """What `forecast` prints, without the seconds."""
        return {
            "battles": self.battles,
            "wins": {side.name: side.wins.count for side in self.sides},
            "draws": self.draws.count,
            "unfinished": self.unfinished,
            "stalemates": self.stalemates.count,
            "rounds": round(self.rounds, 4),
            "intervals": {
                **{side.name: [round(side.wins.low, 6), round(side.wins.high, 6)] for side in self.sides},
                "draws": [round(self.draws.low, 6), round(self.draws.high, 6)],
            },
            "units": [
                {
                    "key": unit.key,
                    "side": unit.side,
                    "lost": unit.lost.count,
                    "withdrew": unit.withdrew.count,
                    "wounded": unit.wounded.count,
                    "kills": round(unit.kills, 6),
                    "hits_lost": round(unit.hits_lost, 6),
                }
                for unit in self.units
            ],
        }


def odds(tally: Tally, setup: Setup) -> Odds:
    """The counts of a tally as odds of this set-up."""
    battle, battles = tally.battle, tally.battles
    names = get_system(setup.system).unit_names(setup)
    wins = [battle["attacker_wins"], battle["defender_wins"]]
    per_battle = 1 / battles if battles else 0.0
    return Odds(
        battles=battles,
        sides=tuple(SideOdds(side.name, share(wins[at], battles)) for at, side in enumerate(setup.sides)),
        draws=share(battle["draws"], battles),
        stalemates=share(battle["stalemates"], battles),
        unfinished=battles - sum(wins) - battle["draws"],
        rounds=battle["rounds"] * per_battle,
        units=tuple(
            UnitOdds(
                key=key,
                name=names[key],
                side=setup.sides[side].name,
                lost=share(counts["lost"], battles),
                withdrew=share(counts["withdrew"], battles),
                wounded=share(counts["wounded"], battles),
                kills=counts["kills"] * per_battle,
                hits_lost=counts["hits_lost"] * per_battle,
                weapons_lost=counts["weapons_lost"] * per_battle,
                systems_lost=counts["systems_lost"] * per_battle,
            )
            for key, side in get_system(setup.system).fielded(setup)
            for counts in [tally.units[key]]
        ),
    )
