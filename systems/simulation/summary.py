"""Summaries of odds: shares with 95% intervals, means, margins; and a search for the best of many candidates.

In the search all candidates play a few battles, the best third play more, and so on. This is successive halving (Karnin
and others, 2013; Jamieson and Talwalkar, 2016), keeping a third. Every rung costs about the same: a candidate in rung r
plays about 3^r times as many battles as in the first. Each choice depends only on earlier results, so a seed always
gives the same answer, however the battles were split. Pure.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from systems import battle_rules
from systems.setups import Setup
from systems.simulation.odds import Z95, Tally


@dataclass(frozen=True, slots=True)
class Share:
    """A count as a share of all battles, with its 95 % Wilson interval."""

    count: int
    share: float
    low: float
    high: float


def share(count: int, battles: int) -> Share:
    """Return `count` of `battles` as a share; for no battles the interval is 0 to 1."""
    if battles == 0:
        return Share(0, 0.0, 0.0, 1.0)
    p = count / battles
    centre = p + Z95 * Z95 / (2 * battles)
    spread = Z95 * math.sqrt(p * (1 - p) / battles + Z95 * Z95 / (4 * battles * battles))
    scale = 1 + Z95 * Z95 / battles
    return Share(count, p, max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale))


@dataclass(frozen=True, slots=True)
class Mean:
    """An average per battle with its 95% interval."""

    value: float
    low: float
    high: float


def mean(total: int, squares: int, battles: int) -> Mean:
    """Return the average of whole numbers from their sum and sum of squares, with a normal approximation."""
    value = total / battles
    if battles < 2:
        return Mean(value, value, value)
    variance = max(0.0, (squares - total * total / battles) / (battles - 1))
    spread = Z95 * math.sqrt(variance / battles)
    return Mean(value, value - spread, value + spread)


@dataclass(frozen=True, slots=True)
class SideOdds:
    name: str
    wins: Share
    repair: Mean | None = None  # points; None: the tally is older than the recording of repairs
    score: float | None = None  # victory points, in games that have them


@dataclass(frozen=True, slots=True)
class UnitOdds:
    """The results of one unit; averages are per battle."""

    key: str
    name: str
    side: str
    lost: Share
    withdrew: Share
    wounded: Share
    kills: float
    hits_lost: float
    weapons_lost: float = 0.0
    systems_lost: float = 0.0
    repair: float | None = None  # points
    own: Mapping[str, float] = field(default_factory=dict)  # tallies that only this game has, by field
    headed: tuple[tuple[str, float], ...] = ()  # the same by heading


@dataclass(frozen=True, slots=True)
class Bin:
    """Battles with a margin from `low` to `high`, both inclusive."""

    low: int
    high: int
    share: Share


@dataclass(frozen=True, slots=True)
class Margins:
    """A forecast's margins: bins of equal width, none with both signs, and the median."""

    bins: tuple[Bin, ...]
    median: int
    low: int  # 5% of battles have this margin or a smaller one
    high: int


BIN_WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000)
MAX_BINS = 21


def margins_of(counts: Mapping[int, int]) -> Margins | None:
    """Return the distribution of margins in at most MAX_BINS bins; a margin of 0 has its own bin."""
    battles = sum(counts.values())
    if not battles:
        return None

    def place(margin: int, width: int) -> int:
        return -(-margin // width) if margin > 0 else margin // width

    def at(part: float) -> int:
        reached = 0
        for margin, count in sorted(counts.items()):
            reached += count
            if reached >= part * battles:
                return margin
        raise AssertionError("a part of all battles is reached")

    least, most = min(counts), max(counts)
    width = BIN_WIDTHS[-1]
    for width in BIN_WIDTHS:
        if place(most, width) - place(least, width) < MAX_BINS:
            break
    filled: Counter[int] = Counter()
    for margin, count in counts.items():
        filled[place(margin, width)] += count
    bins = []
    for number in range(place(least, width), place(most, width) + 1):
        low = (number - 1) * width + 1 if number > 0 else number * width
        high = number * width if number > 0 else (number + 1) * width - 1 if number < 0 else 0
        bins.append(Bin(low, high, share(filled[number], battles)))
    return Margins(tuple(bins), at(0.5), at(0.05), at(0.95))


@dataclass(frozen=True, slots=True)
class Standing:
    """One margin compared with all others: the shares of battles with a lower, equal and higher one."""

    lower: Share
    same: Share
    higher: Share


def standing(margin: int, counts: Mapping[int, int]) -> Standing:
    battles = sum(counts.values())
    lower = sum(count for other, count in counts.items() if other < margin)
    same = counts.get(margin, 0)
    return Standing(share(lower, battles), share(same, battles), share(battles - lower - same, battles))


@dataclass(frozen=True, slots=True)
class Odds:
    """A forecast's tally as shares and averages."""

    battles: int
    sides: tuple[SideOdds, ...]
    draws: Share
    stalemates: Share  # draws by the round limit, included in the draws
    unfinished: int
    rounds: float
    units: tuple[UnitOdds, ...]
    margins: Margins | None = None
    tally_names: frozenset[str] = frozenset()  # the system's tallies of battles and units; others are 0
    tallied: Mapping[str, str] = field(default_factory=dict)  # headings of this game's own unit tallies, by field

    @property
    def half_width(self) -> float:
        """Return half the width of the widest interval of win, draw and loss."""
        return max((found.high - found.low) / 2 for found in (*(side.wins for side in self.sides), self.draws))

    def to_json(self) -> dict[str, object]:
        """Return the output of `forecast`, except its seconds."""
        scored = {side.name: round(side.score, 6) for side in self.sides if side.score is not None}
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
            "repair": {
                side.name: {
                    "mean": round(side.repair.value, 6),
                    "interval": [round(side.repair.low, 6), round(side.repair.high, 6)],
                }
                for side in self.sides
                if side.repair is not None
            },
            **({"score": scored} if scored else {}),
            "margins": [
                {"from": part.low, "to": part.high, "battles": part.share.count}
                for part in (self.margins.bins if self.margins else ())
            ],
            "units": [
                {
                    "key": unit.key,
                    "side": unit.side,
                    "lost": unit.lost.count,
                    "withdrew": unit.withdrew.count,
                    "wounded": unit.wounded.count,
                    "kills": round(unit.kills, 6),
                    "hits_lost": round(unit.hits_lost, 6),
                    "repair": None if unit.repair is None else round(unit.repair, 6),
                    **{name: round(value, 6) for name, value in unit.own.items()},
                }
                for unit in self.units
            ],
        }


def odds(tally: Tally, setup: Setup) -> Odds:
    """Return the tally as odds of this set-up.

    Every system tallies battles, both sides' wins, draws and rounds, and how often each unit was lost.
    """
    battle, battles = tally.battle, tally.battles
    system = battle_rules(setup.system)
    names = system.unit_names(setup)
    scores = system.scores(setup, battle) if battles else None
    wins = [battle["attacker_wins"], battle["defender_wins"]]
    per_battle = 1 / battles if battles else 0.0
    return Odds(
        battles=battles,
        sides=tuple(
            SideOdds(
                side.name,
                share(wins[at], battles),
                _repair(battle, at),
                float(scores[at] / battles) if scores else None,
            )
            for at, side in enumerate(setup.sides)
        ),
        draws=share(battle["draws"], battles),
        stalemates=share(battle.get("stalemates", 0), battles),
        unfinished=battles - sum(wins) - battle["draws"],
        rounds=battle["rounds"] * per_battle,
        units=tuple(
            UnitOdds(
                key=key,
                name=names[key],
                side=setup.sides[side].name,
                lost=share(counts["lost"], battles),
                withdrew=share(counts.get("withdrew", 0), battles),
                wounded=share(counts.get("wounded", 0), battles),
                kills=counts.get("kills", 0) * per_battle,
                hits_lost=counts.get("hits_lost", 0) * per_battle,
                weapons_lost=counts.get("weapons_lost", 0) * per_battle,
                systems_lost=counts.get("systems_lost", 0) * per_battle,
                repair=counts["repair"] * per_battle if "repair" in counts else None,
                own={name: counts.get(name, 0) * per_battle for name in system.tallied},
                headed=tuple((heading, counts.get(name, 0) * per_battle) for name, heading in system.tallied.items()),
            )
            for key, side in system.fielded(setup)
            for counts in [tally.units[key]]
        ),
        margins=margins_of(tally.margins),
        tally_names=frozenset(battle).union(*tally.units.values()),
        tallied=system.tallied,
    )


def _repair(battle: Mapping[str, int], at: int) -> Mean | None:
    name = ("attacker_repair", "defender_repair")[at]
    if name not in battle or not battle["battles"]:
        return None
    return mean(battle[name], battle[f"{name}_squares"], battle["battles"])


KEPT = 3  # one in KEPT candidates goes on to the next rung
FINALISTS = 4  # the size of the last rung, if there are enough candidates
MIN_BATTLES = 20  # battles per candidate in the first rung


@dataclass(frozen=True, slots=True)
class Rung:
    """A round of candidates, each of which plays the same number of blocks of battles."""

    candidates: int
    blocks: int

    @property
    def size(self) -> int:
        return self.candidates * self.blocks


@dataclass(frozen=True, slots=True)
class Block:
    """Battles of one candidate that are tallied together; `number` is its block, counted over all rungs."""

    candidate: int
    number: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The rungs for a number of candidates, and the battles of a block."""

    candidates: int
    battles: int

    @property
    def rungs(self) -> tuple[Rung, ...]:
        sizes = [self.candidates]
        while sizes[-1] > FINALISTS:
            sizes.append(max(min(FINALISTS, self.candidates), math.ceil(sizes[-1] / KEPT)))
        return tuple(Rung(size, max(1, round(self.candidates / size))) for size in sizes)

    @property
    def blocks(self) -> int:
        return sum(rung.size for rung in self.rungs)

    @property
    def runs(self) -> int:
        """Return the total number of battles."""
        return self.blocks * self.battles


def plan_of(candidates: int, battles: int, fights: int = 1) -> Plan:
    """Return a plan with at most `battles` battles in total.

    Each block has the same number of battles of each of `fights` fights. Even if that exceeds the total, a candidate
    plays about MIN_BATTLES battles or more, and at least one of each fight.
    """
    each = max(MIN_BATTLES, battles // Plan(candidates, 1).blocks)
    return Plan(candidates, max(1, each // fights) * fights)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A candidate's results so far and the rung it reached, from 0; a win counts two, a draw one."""

    candidate: int
    rung: int
    won: int
    lost: int
    drawn: int

    @property
    def battles(self) -> int:
        return self.won + self.lost + self.drawn

    @property
    def wins(self) -> Share:
        return share(self.won, self.battles)

    @property
    def mean(self) -> float:
        """Return wins plus half the draws, per battle."""
        return (2 * self.won + self.drawn) / (2 * self.battles)

    @property
    def variance(self) -> float:
        """Return the variance of that average."""
        squares = (self.won + self.drawn / 4) / self.battles
        return max(squares - self.mean**2, 1 / (4 * self.battles)) / self.battles


def surely_better(one: Placed, other: Placed) -> float:
    """Return the probability that `one` is really better than `other`, given these battles; 0.5 if level."""
    spread = math.sqrt(one.variance + other.variance)
    return 0.5 * (1 + math.erf((one.mean - other.mean) / spread / math.sqrt(2)))


@dataclass(slots=True)
class Climb:
    """The results of the blocks so far, in order."""

    plan: Plan
    blocks_done: int = 0  # blocks counted
    fields: list[list[int]] = field(default_factory=list)  # candidates in each open rung
    ends: dict[int, list[int]] = field(default_factory=dict)  # by candidate: won, lost, drawn

    def __post_init__(self) -> None:
        if not self.fields:
            self.fields = [list(range(self.plan.candidates))]

    @property
    def open_blocks(self) -> int:
        """Return how many blocks the results so far determine; later ones depend on them."""
        return sum(rung.size for rung in self.plan.rungs[: len(self.fields)])

    def block(self, at: int) -> Block:
        """Return the block at that index, from 0; it must be open."""
        before = 0  # blocks per candidate in lower rungs
        for rung, players in zip(self.plan.rungs, self.fields, strict=False):
            if at < rung.size:
                position, number = divmod(at, rung.blocks)
                return Block(players[position], before + number)
            at -= rung.size
            before += rung.blocks
        raise IndexError("this rung waits for the one below")

    def add(self, ends: Sequence[int]) -> None:
        """Add the results of the next block: won, lost, drawn."""
        candidate = self.block(self.blocks_done).candidate
        self.ends[candidate] = [old + more for old, more in zip(self.ends.get(candidate, (0, 0, 0)), ends, strict=True)]
        self.blocks_done += 1
        if self.blocks_done == self.open_blocks and len(self.fields) < len(self.plan.rungs):
            best = sorted(self.fields[-1], key=self._rank)
            self.fields.append(sorted(best[: self.plan.rungs[len(self.fields)].candidates]))

    def order(self) -> tuple[Placed, ...]:
        """Return all candidates with battles, best first: by rung, then by result, then by number."""
        found = []
        for rung, players in enumerate(self.fields):
            above = self.fields[rung + 1] if rung + 1 < len(self.fields) else []
            stayed = [each for each in players if each not in above and each in self.ends]
            found += [(rung, each) for each in stayed]
        found.sort(key=lambda each: (-each[0], self._rank(each[1])))
        return tuple(self._placed(rung, each) for rung, each in found)

    def to_json(self) -> dict[str, Any]:
        return {
            "counted": self.blocks_done,
            "fields": self.fields,
            "ends": {str(each): ends for each, ends in self.ends.items()},
        }

    @classmethod
    def from_json(cls, plan: Plan, body: Mapping[str, Any]) -> Climb:
        ends = {int(each): list(ends) for each, ends in body.get("ends", {}).items()}
        return cls(plan, body.get("counted", 0), [list(each) for each in body.get("fields", ())], ends)

    def _placed(self, rung: int, candidate: int) -> Placed:
        won, lost, drawn = self.ends[candidate]
        return Placed(candidate=candidate, rung=rung, won=won, lost=lost, drawn=drawn)

    def _rank(self, candidate: int) -> tuple[float, int]:
        return (-self._placed(0, candidate).mean, candidate)
