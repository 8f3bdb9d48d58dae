"""Territory income: yields, payments, and what is due by the current results.

Companies are enrolment IDs, territories their own IDs, rounds their numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from campaigns.models import (
    Campaign,
    Correction,
    CorrectionMode,
    Match,
    MatchState,
    Outcome,
    Round,
    SeasonGame,
    Territory,
    TerritoryIncome,
    TerritoryMap,
)
from campaigns.standings.selectors import PLACES
from rosters.models import Company
from systems import roster_rules
from systems.legality import join_words
from systems.season import StorylineBonus
from systems.text import pluralize

IncomeDue = Mapping[tuple[int, int], tuple[tuple[str, int], ...]]  # (round, company): territories and their points


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A territory, in the order of the map."""

    id: int
    name: str
    income: int
    home: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagCorrection:
    """A correction that left the ledgers unchanged, and the winner before it."""

    at: datetime
    winner: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TerritoryMatch:
    """A match for a territory, in order of play.

    `left` are the corrections since the last that changed ledgers, newest first.
    """

    match: int
    round: int
    place: int
    winner: int | None  # None: a draw, or it doesn't count
    left: tuple[FlagCorrection, ...] = ()

    def winner_at(self, closed: datetime) -> int | None:
        """Return the winner that counted when the round was closed.

        Later corrections that only flagged the match change nothing.
        """
        winner = self.winner
        for each in self.left:
            if each.at <= closed:
                break
            winner = each.winner
        return winner


def calculate_due(
    places: Sequence[Place],
    fights: Iterable[TerritoryMatch],
    rounds: Mapping[int, datetime],
    there: Collection[tuple[int, int]],
) -> IncomeDue:
    """Return the income that each closed round owes. `rounds` are the rounds that pay, with the time of their close.

    `there` are the pairs of round and company that took part; others are owed nothing.
    """
    known = list(fights)
    found: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for number, closed in sorted(rounds.items()):
        held = holders_at(places, known, number, closed)
        for place in places:
            company = held.get(place.id)
            if company is not None and place.income and (number, company) in there:
                found.setdefault((number, company), []).append((place.name, place.income))
    return {key: tuple(lines) for key, lines in found.items()}


def holders_at(
    places: Iterable[Place], fights: Iterable[TerritoryMatch], number: int, closed: datetime
) -> dict[int, int]:
    """Return the holder of each territory when that round was closed."""
    held = {place.id: place.home for place in places if place.home is not None}
    for fight in fights:
        if fight.round <= number and (winner := fight.winner_at(closed)) is not None:
            held[fight.place] = winner
    return held


def total_points(lines: Iterable[tuple[str, int]]) -> int:
    """Return the total points of these territories."""
    return sum(points for _, points in lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Yield:
    """What a territory yields to its holder."""

    income: int = 0
    bonus_points: int = 0
    bonus_rolls: int = 0

    def describe(self, money: str, often: str) -> str:
        """Return the yield in words: “3 points a round; 1 support roll more in the next match”.

        `often` says how often it pays.
        """
        bonus = StorylineBonus(points=self.bonus_points, rolls=self.bonus_rolls)
        income = f"{pluralize(self.income, money)} {often}" if self.income else ""
        return "; ".join(filter(None, (income, f"{bonus} in the next match" if bonus else "")))


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomeChange:
    """A company's income of a round that differs from what was paid."""

    row: TerritoryIncome
    before: tuple[tuple[str, int], ...]
    after: tuple[tuple[str, int], ...]

    @property
    def company(self) -> Company:
        return self.row.enrolment.company

    @property
    def points(self) -> int:
        """The difference in points; negative if it is less than before."""
        return total_points(self.after) - total_points(self.before)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidRound:
    """The income that a round's close paid, by company."""

    number: int
    lines: tuple[PaidRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidRow:
    """The income that one company was paid."""

    company: str
    colour: str
    points: int
    places: tuple[tuple[str, int], ...]


def yields_of(campaign: Campaign) -> dict[str, Yield]:
    """Return the territories' yields by name, without those that yield nothing. One query, or none."""
    places = PLACES.rows(campaign=campaign.pk) if campaign.map_kind != TerritoryMap.NONE else ()
    return {name: each for name, each in _yields(places).items() if each != Yield()}


def describe_yields(campaign: Campaign, places: Iterable[Territory]) -> dict[str, str]:
    """Return every territory's yield in words, in the game's money; empty if none yields anything.

    One query, if one of them pays: a campaign of a season can have parallel rounds, and pays once for all of them.
    """
    money, found = roster_rules(campaign.system).words.money, _yields(places)
    if all(each == Yield() for each in found.values()):
        return {}
    is_paid = any(each.income for each in found.values())
    in_season = is_paid and SeasonGame.objects.filter(campaign=campaign).exists()
    often = "per season round" if in_season else "per round"
    return {name: each.describe(money, often) for name, each in found.items()}


def describe_income(round_: Round) -> tuple[str, ...]:
    """Return a sentence for each company on the income that the round's close paid. One query, or none."""
    money = roster_rules(round_.campaign.system).words.money
    paid = paid_rounds(round_.campaign, number=round_.number)
    return tuple(
        f"{line.company} earned {pluralize(line.points, money)} from {describe_places(line.places)}."
        for each in paid
        for line in each.lines
    )


def pays_income(campaign: Campaign) -> bool:
    """Return whether a territory of the campaign pays points. One query, or none."""
    return campaign.map_kind != TerritoryMap.NONE and campaign.territories.filter(income__gt=0).exists()


def income_changes(
    campaign: Campaign, instead: Mapping[int, tuple[str, str]] | None = None
) -> tuple[IncomeChange, ...]:
    """Return the incomes of closed rounds that differ from those due by the current results, by round and company.

    `instead` replaces the state and outcome of some matches. Empty if no territory pays; six queries at most.
    """
    if not pays_income(campaign):
        return ()
    rows = TerritoryIncome.objects.filter(round__campaign=campaign).select_related("round", "enrolment__company__owner")
    stands = {(row.round.number, row.enrolment_id): row for row in rows.order_by("round__number", "pk")}
    rounds = {row.round.number: row.round.closed_at for row in stands.values()}
    places = [
        Place(id=row.pk, name=row.name, income=row.income, home=row.home_id) for row in campaign.territories.all()
    ]
    closed = {number: at for number, at in rounds.items() if at is not None}
    owed = calculate_due(places, _territory_matches(campaign, instead or {}), closed, stands.keys())
    return tuple(
        IncomeChange(row=row, before=_places(row), after=owed.get(key, ()))
        for key, row in stands.items()
        if owed.get(key, ()) != _places(row)
    )


def paid_rounds(campaign: Campaign, *, number: int | None = None) -> tuple[PaidRound, ...]:
    """Return the income that territories have paid, newest round first; of one round if given. One query, or none."""
    if campaign.map_kind == TerritoryMap.NONE:
        return ()
    rows = TerritoryIncome.objects.filter(round__campaign=campaign, points__gt=0)
    rows = rows.filter(round__number=number) if number is not None else rows
    found: dict[int, list[PaidRow]] = {}
    for row in rows.select_related("round", "enrolment__company").order_by("-round__number", "-points", "pk"):
        company = row.enrolment.company
        line = PaidRow(company=company.name, colour=company.colour, points=row.points, places=_places(row))
        found.setdefault(row.round.number, []).append(line)
    return tuple(PaidRound(number=each, lines=tuple(lines)) for each, lines in found.items())


def describe_bonuses(match: Match) -> tuple[str, ...]:
    """Return a sentence for each bonus that territories give the sides of a match."""
    found = []
    for side, territory, points, rolls in match.bonus:
        company = (match.attacker, match.defender)[side]
        if company is not None:
            found.append(f"{company.company.name} holds {territory}: {StorylineBonus(points=points, rolls=rolls)}.")
    return tuple(found)


def describe_places(lines: Iterable[tuple[str, int]]) -> str:
    """Return the territories with what each pays: “Ford (3) and Mill (2)”."""
    return join_words([f"{name} ({points})" for name, points in lines])


# --- parts ------------------------------------------------------------------------------------------------------------


def _yields(places: Iterable[Territory]) -> dict[str, Yield]:
    """Return the yield of every territory, in the order of the map."""
    return {
        row.name: Yield(income=row.income, bonus_points=row.bonus_points, bonus_rolls=row.bonus_rolls) for row in places
    }


def _places(row: TerritoryIncome) -> tuple[tuple[str, int], ...]:
    return tuple((str(name), int(points)) for name, points in row.places)


def _territory_matches(campaign: Campaign, instead: Mapping[int, tuple[str, str]]) -> list[TerritoryMatch]:
    rows = Match.objects.filter(round__campaign=campaign, territory__isnull=False, defender__isnull=False)
    found, sides = [], {}
    for row in rows.order_by("round__number", "number").values_list(
        "pk", "round__number", "territory_id", "attacker_id", "defender_id", "state", "outcome", named=True
    ):
        sides[row.pk] = (row.attacker_id, row.defender_id)
        state, outcome = instead.get(row.pk, (row.state, row.outcome))
        winner = _winner(sides[row.pk], state, outcome)
        found.append(TerritoryMatch(match=row.pk, round=row.round__number, place=row.territory_id or 0, winner=winner))
    left = _flag_corrections(campaign, sides)
    return [each if each.match in instead else replace(each, left=left.get(each.match, ())) for each in found]


def _flag_corrections(
    campaign: Campaign, sides: Mapping[int, tuple[int, int | None]]
) -> dict[int, tuple[FlagCorrection, ...]]:
    """Return, by match, the corrections that left the ledgers unchanged, since the last that changed them."""
    rows = Correction.objects.filter(match__round__campaign=campaign, match__in=list(sides)).order_by("-pk")
    found: dict[int, list[FlagCorrection]] = {}
    done: set[int] = set()
    for row in rows.values_list("match_id", "mode", "before", "ruling__decided_at", named=True):
        if row.mode != CorrectionMode.FLAG:
            done.add(row.match_id)
        elif row.match_id not in done:
            winner = _winner(sides[row.match_id], row.before.get("state", ""), row.before.get("outcome", ""))
            found.setdefault(row.match_id, []).append(FlagCorrection(at=row.ruling__decided_at, winner=winner))
    return {match: tuple(each) for match, each in found.items()}


def _winner(sides: tuple[int, int | None], state: str, outcome: str) -> int | None:
    if state not in MatchState.counting() or state == MatchState.BYE:
        return None
    return {Outcome.ATTACKER: sides[0], Outcome.DEFENDER: sides[1]}.get(Outcome(outcome)) if outcome else None
