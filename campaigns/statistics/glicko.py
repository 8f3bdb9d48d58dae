"""The rating calculation: Glicko by rounds, with the odds of each match as its expected result. Pure.

Everything is in double precision and added up in a fixed order, so that the same matches give the same digits
everywhere: rounds by the time when they were closed, then by campaign and number; matches of a round by table.
docs/ratings.md has an example; `test_worked_example_has_these_digits` has its exact numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

START_RATING, MAX_DEVIATION, MIN_DEVIATION = (
    1500.0,
    350.0,
    40.0,
)  # a new player's rating and deviation; the smallest deviation possible
KNOWN_DEVIATION, FORGOTTEN_DAYS = (
    50.0,
    1825,
)  # days without a match until a player with KNOWN_DEVIATION counts as new
VARIANCE_GROWTH = (MAX_DEVIATION**2 - KNOWN_DEVIATION**2) / FORGOTTEN_DAYS  # of the squared deviation, per day
Q = math.log(10) / 400
MIN_CHANCE = 0.01  # a match's chance is taken as at least this
PROVISIONAL_DEVIATION = 130.0  # for deviations above this
Z95 = 1.959963984540054
SCORES = {"attacker": 1.0, "draw": 0.5, "defender": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredOdds:
    """The odds of a match, kept when its round was closed or its watch party ended; margins are the attacker's."""

    runs: int
    attacker_wins: int
    defender_wins: int
    margins: Mapping[int, int] = field(default_factory=dict)

    @property
    def chance(self) -> float:
        """Return the attacker's chance; a draw counts half."""
        drawn = self.runs - self.attacker_wins - self.defender_wins
        return (self.attacker_wins + drawn / 2) / self.runs

    def place_of(self, margin: int) -> float:
        """Return the share of battles that were worse for the attacker than this margin; equal ones count half."""
        worse = sum(count for each, count in self.margins.items() if each < margin)
        return (worse + self.margins.get(margin, 0) / 2) / sum(self.margins.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedMatch:
    """A match of two players that was fought, in a closed round."""

    closed_at: datetime
    campaign: int  # index among the club's
    round: int
    table: int
    system: str
    attacker: str  # usernames
    defender: str
    outcome: str  # attacker, defender or draw
    odds: StoredOdds | None = None
    margin: int | None = None

    @property
    def order(self) -> tuple[datetime, int, int, int]:
        return self.closed_at, self.campaign, self.round, self.table


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedResult:
    """A player's match as it was rated; `expected` and `score` are the player's, 0 to 1."""

    match: RatedMatch
    opponent: str
    expected: float
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPoint:
    """A player's rating after a round in which they fought."""

    at: datetime
    campaign: int
    round: int
    rating: float
    deviation: float
    change: float
    steps: tuple[RatedResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A player's rating after the club's last round, with its history."""

    player: str
    rating: float
    deviation: float  # as of the club's last round: wider than after the player's last match
    games: int
    history: tuple[RatingPoint, ...]

    @property
    def low(self) -> float:
        """Return the lower end of the 95% interval."""
        return self.rating - Z95 * self.deviation

    @property
    def high(self) -> float:
        return self.rating + Z95 * self.deviation

    @property
    def is_provisional(self) -> bool:
        return self.deviation > PROVISIONAL_DEVIATION


def calculate_ratings(matches: Iterable[RatedMatch]) -> tuple[Rating, ...]:
    """Return the ratings after these matches, the highest first. Matches of a player against themselves don't count."""
    played = sorted((each for each in matches if each.attacker != each.defender), key=lambda each: each.order)
    points: dict[str, list[RatingPoint]] = {}
    last: datetime | None = None
    for (at, campaign, number), group in groupby(played, key=lambda each: each.order[:3]):
        of_round = list(group)
        before = {
            player: _rating_at(points.get(player, ()), at)
            for each in of_round
            for player in (each.attacker, each.defender)
        }
        steps: dict[str, list[RatedResult]] = {}
        for each in of_round:
            for step, player in _rate_match(each, before):
                steps.setdefault(player, []).append(step)
        for player, own in steps.items():
            rating, deviation = _updated_rating(before[player], own, before)
            point = RatingPoint(
                at=at,
                campaign=campaign,
                round=number,
                rating=rating,
                deviation=deviation,
                change=rating - before[player][0],
                steps=tuple(own),
            )
            points.setdefault(player, []).append(point)
        last = at
    return tuple(
        sorted(
            (_rating(player, history, last) for player, history in points.items() if last is not None),
            key=lambda each: (-each.rating, each.player),
        )
    )


def expected_of(match: RatedMatch) -> float:
    """Return the attacker's expected score by the odds, for two players of equal strength."""
    if match.odds is None:
        return 0.5
    return (match.odds.chance + 0.5) / 2 if _has_margin(match) else match.odds.chance


def score_of(match: RatedMatch) -> float:
    """Return the attacker's score: half the result, half its place among the battles of the odds."""
    result = SCORES[match.outcome]
    if match.odds is None or match.margin is None or not _has_margin(match):
        return result
    return (result + match.odds.place_of(match.margin)) / 2


# --- steps of the calculation -----------------------------------------------------------------------------------------

RatingValue = tuple[float, float]  # rating and deviation


def _has_margin(match: RatedMatch) -> bool:
    return match.odds is not None and match.margin is not None and sum(match.odds.margins.values()) > 0


def _rating_at(history: Sequence[RatingPoint], at: datetime) -> RatingValue:
    """Return rating and deviation on that day: the deviation grows while a player has no matches."""
    if not history:
        return START_RATING, MAX_DEVIATION
    days = max(0, (at.date() - history[-1].at.date()).days)
    return history[-1].rating, min(MAX_DEVIATION, math.sqrt(history[-1].deviation ** 2 + VARIANCE_GROWTH * days))


def _rate_match(match: RatedMatch, before: Mapping[str, RatingValue]) -> Iterable[tuple[RatedResult, str]]:
    even, score = expected_of(match), score_of(match)
    sides = (match.attacker, match.defender, even, score), (match.defender, match.attacker, 1 - even, 1 - score)
    for player, opponent, odds, own in sides:
        expected = _expected(before[player][0], before[opponent], odds)
        yield RatedResult(match=match, opponent=opponent, expected=expected, score=own), player


def _expected(rating: float, opponent: RatingValue, odds: float) -> float:
    """Return the expected score against that opponent, in a match that has these odds between equals."""
    chance = min(max(odds, MIN_CHANCE), 1 - MIN_CHANCE)
    ahead = _opponent_weight(opponent[1]) * (rating - opponent[0]) * Q + math.log(chance / (1 - chance))
    return 1 / (1 + math.exp(-ahead))


def _opponent_weight(deviation: float) -> float:
    """Return the weight of a match against an opponent with that deviation."""
    return 1 / math.sqrt(1 + 3 * Q**2 * deviation**2 / math.pi**2)


def _updated_rating(own: RatingValue, steps: Sequence[RatedResult], before: Mapping[str, RatingValue]) -> RatingValue:
    rating, deviation = own
    known = surprise = 0.0
    for step in steps:
        weight = _opponent_weight(before[step.opponent][1])
        known += weight**2 * step.expected * (1 - step.expected)
        surprise += weight * (step.score - step.expected)
    precision = 1 / deviation**2 + Q**2 * known
    return rating + Q / precision * surprise, max(MIN_DEVIATION, math.sqrt(1 / precision))


def _rating(player: str, history: Sequence[RatingPoint], last: datetime) -> Rating:
    rating, deviation = _rating_at(history, last)
    return Rating(
        player=player,
        rating=rating,
        deviation=deviation,
        games=sum(len(point.steps) for point in history),
        history=tuple(history),
    )
