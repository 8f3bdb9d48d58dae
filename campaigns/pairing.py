"""Pairing methods: round robin, Swiss without rematches, and fair matches by the odds. Pure.

Entrants are identified by their enrolment's ID. A round is paired as a whole, not pair by pair: it is a least-cost
matching. Costs come in tiers, and no sum of a lower tier outweighs one step of a higher one: first rematches, then who
gets the bye (the fewest byes so far, then the lowest in the table), then how well the pairs fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

Pair = frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A company as pairing sees it."""

    id: int
    score: int = 0  # season points
    place: int = 0  # in the table
    attacks: int = 0
    defences: int = 0
    byes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """A match of a draw: attacker and defender; without a defender it is a bye."""

    attacker: int
    defender: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The fixtures of a round, in table order, and the rematches that could not be avoided."""

    fixtures: tuple[Fixture, ...]
    rematches: tuple[Fixture, ...] = field(default=())


def pair_round_robin(entrants: Sequence[Entrant], number: int, met: Iterable[Pair] = ()) -> Draw:
    """Return round `number` (from 1) of a round robin, by the circle method; an odd number of entrants gives one a bye.

    Once all have met, it starts again.
    """
    seats: list[int | None] = [each.id for each in sorted(entrants, key=lambda each: each.id)]
    if len(seats) % 2:
        seats.append(None)
    turns = (number - 1) % max(1, len(seats) - 1)
    fixed, *others = seats
    ring = [fixed, *others[len(others) - turns :], *others[: len(others) - turns]]
    half = len(ring) // 2
    pairs = [(ring[at], ring[-1 - at]) for at in range(half)]
    by_id = {each.id: each for each in entrants}
    return _draw([build_fixture(one, two, by_id) for one, two in pairs], met)


def pair_swiss(entrants: Sequence[Entrant], met: Iterable[Pair]) -> Draw:
    """Pair entrants of similar score, avoiding rematches as long as possible; if the number is odd, one has a bye.

    The bye goes to the lowest in the table among those with the fewest byes. The cost of a pair is the squared
    difference of its scores, so that one wide gap is worse than two narrow ones; ties are settled by who is due to
    attack or defend.
    """
    gap = len(entrants)  # more than all same-side costs together

    def cost(one: Entrant, two: Entrant) -> int:
        return (one.score - two.score) ** 2 * gap + _same_side(one, two)

    return _match_at_least_cost(entrants, set(met), cost)


def pair_fairly(entrants: Sequence[Entrant], met: Iterable[Pair], chances: Mapping[tuple[int, int], float]) -> Draw:
    """Pair so that the odds are as even as possible over the whole round, avoiding rematches as long as possible.

    `chances` is attacker, defender -> chance that the attacker does better, a draw counted as half; of the two ways
    round, the fairer one decides who attacks.
    """
    known = set(met)

    def win_chance_gap(one: int, two: int) -> int:
        return round(abs(chances.get((one, two), 0.5) - 0.5) * 2 * 1000)

    def cost(one: Entrant, two: Entrant) -> int:
        return min(win_chance_gap(one.id, two.id), win_chance_gap(two.id, one.id)) ** 2

    draw = _match_at_least_cost(entrants, known, cost)
    turned = []
    for fixture in draw.fixtures:
        one, two = fixture.attacker, fixture.defender
        if two is not None and win_chance_gap(two, one) < win_chance_gap(one, two):
            one, two = two, one
        turned.append(Fixture(attacker=one, defender=two))
    return _draw(turned, known)


def _match_at_least_cost(entrants: Sequence[Entrant], met: set[Pair], cost: Callable[[Entrant, Entrant], int]) -> Draw:
    import networkx  # takes 9 MB, so processes that never draw a round do without it

    graph = networkx.Graph()
    by_id = {each.id: each for each in sorted(entrants, key=lambda each: each.id)}
    prices = {(one.id, two.id): cost(one, two) for one, two in combinations(by_id.values(), 2)}
    rest = 1 + max(prices.values(), default=0) * len(by_id)  # more than all pairs together
    rematch = rest * (1 + len(by_id))  # more than all pairs and any bye together
    for (one_id, two_id), price in prices.items():
        again = rematch if frozenset((one_id, two_id)) in met else 0
        graph.add_edge(one_id, two_id, weight=-(price + again))
    resting = -1  # stands for the bye
    if len(by_id) % 2:
        due = sorted(by_id.values(), key=lambda each: (each.byes, each.score, -each.place, -each.id))
        for turn, each in enumerate(due):
            graph.add_edge(each.id, resting, weight=-rest * turn)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    fixtures = []
    for pair in found:
        one, two = sorted(pair, reverse=True)
        fixtures.append(build_fixture(one, None if two == resting else two, by_id))
    order = {each.id: (-each.score, each.id) for each in by_id.values()}
    fixtures.sort(
        key=lambda each: (each.defender is None, min(order[each.attacker], order.get(each.defender or 0, (0, 0))))
    )
    return _draw(fixtures, met)


def build_fixture(one: int | None, two: int | None, by_id: Mapping[int, Entrant]) -> Fixture:
    """Return the fixture of a pair: the one that has attacked less attacks; if equal, the earlier enrolment."""
    if one is None or two is None:
        alone = one if one is not None else two
        assert alone is not None
        return Fixture(attacker=alone, defender=None)
    first, second = sorted((by_id[one], by_id[two]), key=lambda each: (each.attacks - each.defences, each.id))
    return Fixture(attacker=first.id, defender=second.id)


def _same_side(one: Entrant, two: Entrant) -> int:
    """Return a small cost if both are due to attack, or both to defend."""
    leaning = (one.attacks - one.defences, two.attacks - two.defences)
    return 1 if leaning[0] * leaning[1] > 0 else 0


def _draw(fixtures: Sequence[Fixture], met: Iterable[Pair]) -> Draw:
    known = set(met)
    again = tuple(
        each for each in fixtures if each.defender is not None and frozenset((each.attacker, each.defender)) in known
    )
    return Draw(fixtures=tuple(fixtures), rematches=again)
