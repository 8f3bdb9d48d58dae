"""Find the best of many candidates by simulation: all play a few battles, the best third play more, and so on.

This is successive halving (Karnin and others, 2013; Jamieson and Talwalkar, 2016), keeping a third. Every rung costs
about the same: a candidate in rung r plays about 3^r times as many battles as in the first. Each choice depends only on
earlier results, so a seed always gives the same answer, however the battles were split. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from systems.simulation.summary import Share, share

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
