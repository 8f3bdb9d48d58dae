"""A club's decided matches, and the medals that they earn by rule. Pure functions.

Practice and friendly games aren't included. Nothing is stored: if a match is corrected or undone, its medals go, and so
do those that depended on it. A corrected match keeps its place in the order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal
from uuid import UUID

from systems.catalogue import load_table
from systems.text import pluralize

Kind = Literal["pilot", "unit", "company"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatLine:
    """A unit's and its pilot's deeds in a match, and what happened to them."""

    unit: int | None  # None: it was bought for this match only
    unit_name: str
    pilot: int | None = None  # None: it has none, or is its own pilot
    pilot_name: str = ""
    kills: int = 0
    victims: tuple[str, ...] = ()  # their names, if the match has a record
    is_lost: bool = False
    how: str = ""  # what destroyed it, after "lost": " to Draken", " (no Hits left)"; empty: unknown
    is_hurt: bool = False  # the pilot was wounded and survived
    is_dead: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SideResult:
    """A company in a match."""

    company: int
    name: str
    colour: str
    is_public: bool
    deeds: tuple[StatLine, ...] = ()

    @property
    def kills(self) -> int:
        return sum(each.kills for each in self.deeds)

    @property
    def lost(self) -> int:
        """The company's own losses in units."""
        return sum(each.is_lost for each in self.deeds)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A decided match. Pairs are always in the order attacker, defender."""

    match: UUID
    campaign: int
    campaign_name: str
    is_open: bool  # visible to everybody who sees the club, not only to members
    round: int
    is_over: bool  # the round is closed
    table: int
    at: datetime
    scenario: str
    place: str  # the territory; empty: none
    parts: tuple[SideResult, SideResult]
    winner: int | None  # 0 or 1; None: a draw
    chances: tuple[float, float] | None = None  # of winning, by the odds published before
    points_lost: tuple[int, int] = (0, 0)  # points of the units each side lost

    @property
    def title(self) -> str:
        """The names of the two companies."""
        return f"{self.parts[0].name} against {self.parts[1].name}"

    @property
    def sides(self) -> Iterator[tuple[int, SideResult, SideResult]]:
        """Each side's number, its company and the opponent."""
        one, other = self.parts
        yield 0, one, other
        yield 1, other, one


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """A pilot, a unit or a company, by its current name."""

    kind: Kind
    id: int
    name: str
    company: int
    company_name: str
    colour: str
    is_public: bool  # everybody sees the company

    @property
    def key(self) -> tuple[str, int]:
        return self.kind, self.id

    @property
    def route(self) -> str:
        """Name of the URL pattern of its page."""
        return f"rosters:{self.kind}"


def company_holder(part: SideResult) -> Holder:
    """Return the company of a side."""
    return _who("company", part.company, part.name, part)


def unit_holder(deeds: StatLine, part: SideResult) -> Holder:
    """Return the unit. It must have a row of its own."""
    assert deeds.unit is not None
    return _who("unit", deeds.unit, deeds.unit_name, part)


def crew_holder(deeds: StatLine, part: SideResult) -> Holder:
    """Return the pilot, or the unit if it has none."""
    return unit_holder(deeds, part) if deeds.pilot is None else _who("pilot", deeds.pilot, deeds.pilot_name, part)


def _who(kind: Kind, pk: int, name: str, part: SideResult) -> Holder:
    return Holder(
        kind=kind,
        id=pk,
        name=name,
        company=part.company,
        company_name=part.name,
        colour=part.colour,
        is_public=part.is_public,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Medal:
    """A medal of the catalogue. `at` and `every` are the counts at which its rule awards it."""

    slug: str
    name: str
    of: Literal["pilot", "unit", "crew", "company"]
    rule: str
    art: str  # an SVG path in a 32 by 32 viewBox
    at: tuple[int, ...] = ()
    every: int = 0

    def reached(self, before: int, now: int) -> Iterator[int]:
        """Yield the counts of the rule that lie after `before`, up to `now`."""
        for number in range(before + 1, now + 1):
            if number in self.at or (self.every and number % self.every == 0):
                yield number


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """A medal, who got it, in which match, and why."""

    medal: Medal
    to: Holder
    game: PlayedMatch
    cause: str  # without a full stop


@dataclass(frozen=True, slots=True, kw_only=True)
class Honour:
    """A medal as its holder wears it: all its awards, oldest first."""

    medal: Medal
    awards: tuple[Award, ...]

    @property
    def number(self) -> int:
        return len(self.awards)


MEDALS: Mapping[str, Medal] = load_table(Path(__file__).parent / "medals.toml", Medal)
Awarded = Iterator[tuple[Holder, str]]  # who gets the medal, and why


class _Totals:
    """The totals of all matches before the current one."""

    def __init__(self, games: Sequence[PlayedMatch]) -> None:
        self.kills: Counter[tuple[str, int]] = Counter()  # of pilots and units
        self.home: Counter[tuple[str, int]] = Counter()  # matches in a row without a loss, of pilots and units
        self.wins: Counter[int] = Counter()  # victories in a row, of companies
        self.all_kills = 0
        self.last: dict[frozenset[int], int] = {}  # last winner between two companies
        self.upsets = _upsets(games)

    def take(self, game: PlayedMatch) -> None:
        """Add a match."""
        for side, part, other in game.sides:
            for deeds in part.deeds:
                for key in _keys(deeds):
                    self.kills[key] += deeds.kills
                    self.home[key] = 0 if deeds.is_lost else self.home[key] + 1
                self.all_kills += deeds.kills
            self.wins[part.company] = self.wins[part.company] + 1 if game.winner == side else 0
            if game.winner == side:
                self.last[frozenset((part.company, other.company))] = part.company


def awards(games: Sequence[PlayedMatch]) -> tuple[Award, ...]:
    """Return all medals of these matches, oldest first. `games` are in the order in which they count."""
    found, totals = [], _Totals(games)
    for game in games:
        for slug, rule in MEDAL_RULES.items():
            medal = MEDALS[slug]
            found += [Award(medal=medal, to=who, game=game, cause=cause) for who, cause in rule(medal, game, totals)]
        totals.take(game)
    return tuple(found)


def honours_by_holder(given: Iterable[Award]) -> dict[tuple[str, int], tuple[Honour, ...]]:
    """Return the medals by holder."""
    found: dict[tuple[str, int], dict[str, list[Award]]] = {}
    for award in given:
        found.setdefault(award.to.key, {}).setdefault(award.medal.slug, []).append(award)
    return {
        key: tuple(Honour(medal=MEDALS[slug], awards=tuple(each)) for slug, each in medals.items())
        for key, medals in found.items()
    }


def _keys(deeds: StatLine) -> Iterator[tuple[str, int]]:
    if deeds.unit is not None:
        yield "unit", deeds.unit
    if deeds.pilot is not None:
        yield "pilot", deeds.pilot


def _each(game: PlayedMatch) -> Iterator[tuple[StatLine, SideResult, SideResult]]:
    for _, part, other in game.sides:
        for deeds in part.deeds:
            yield deeds, part, other


def _pilots_kills(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    for deeds, part, other in _each(game):
        if deeds.pilot is None:
            continue
        before = totals.kills["pilot", deeds.pilot]
        for number in medal.reached(before, before + deeds.kills):
            yield crew_holder(deeds, part), f"{_ordinal(number)} kill, against {other.name}"


def _units_kills(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    for deeds, part, other in _each(game):
        if deeds.unit is None:
            continue
        before = totals.kills["unit", deeds.unit]
        for number in medal.reached(before, before + deeds.kills):
            yield unit_holder(deeds, part), f"{_ordinal(number)} kill, against {other.name}"


def _hat_trick(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    for deeds, part, other in _each(game):
        if deeds.kills >= medal.at[0]:
            yield (
                crew_holder(deeds, part),
                f"took out {deeds.kills} {other.name} {'unit' if deeds.kills == 1 else 'units'}",
            )


def _last_standing(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    for side, part, other in game.sides:
        left = [deeds for deeds in part.deeds if not deeds.is_lost]
        if game.winner == side and len(left) == 1 and len(part.deeds) >= medal.at[0]:
            yield crew_holder(left[0], part), f"last survivor of {len(part.deeds)} in the win against {other.name}"


def _hundredth(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    before = totals.all_kills
    for deeds, part, other in _each(game):
        for number in medal.reached(before, before + deeds.kills):
            yield crew_holder(deeds, part), f"the {_ordinal(number)} unit taken out in the club, against {other.name}"
        before += deeds.kills


def _iron_pilot(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    for deeds, part, _ in _each(game):
        if deeds.pilot is not None and not deeds.is_lost:
            before = totals.home["pilot", deeds.pilot]
            for number in medal.reached(before, before + 1):
                yield crew_holder(deeds, part), f"survived {number} matches in a row"


def _workhorse(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    for deeds, part, _ in _each(game):
        if deeds.unit is not None and not deeds.is_lost:
            before = totals.home["unit", deeds.unit]
            for number in medal.reached(before, before + 1):
                yield unit_holder(deeds, part), f"survived {number} matches in a row"


def _wound_stripe(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    for deeds, part, other in _each(game):
        if deeds.is_hurt and not deeds.is_dead:
            yield crew_holder(deeds, part), f"wounded against {other.name}"


def _parting_shot(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    for deeds, part, other in _each(game):
        if deeds.is_dead and deeds.kills:
            cause = f"took out {pluralize(deeds.kills, 'units')} of {other.name} before being killed"
            yield crew_holder(deeds, part), cause


def _upset(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    if game.match in totals.upsets:
        yield from _against_the_odds(game)


def _long_odds(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    if game.winner is not None and game.chances and game.chances[game.winner] <= medal.at[0] / 100:
        yield from _against_the_odds(game)


def _revenge(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    for side, part, other in game.sides:
        if game.winner == side and totals.last.get(frozenset((part.company, other.company))) == other.company:
            yield company_holder(part), f"beat {other.name}, who won their last match"


def _winning_streak(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    for side, part, _ in game.sides:
        if game.winner == side:
            before = totals.wins[part.company]
            for number in medal.reached(before, before + 1):
                yield company_holder(part), f"{number} wins in a row"


def _clean_sheet(medal: Medal, game: PlayedMatch, totals: _Totals) -> Awarded:
    for side, part, other in game.sides:
        if game.winner == side and not part.lost and part.deeds and other.lost >= medal.at[0]:
            yield company_holder(part), f"lost no units and took out {pluralize(other.lost, 'units')} of {other.name}"


MEDAL_RULES: Mapping[str, Callable[[Medal, PlayedMatch, _Totals], Awarded]] = {
    "ace": _pilots_kills,
    "ace-of-aces": _pilots_kills,
    "hat-trick": _hat_trick,
    "last-standing": _last_standing,
    "hundredth-kill": _hundredth,
    "iron-pilot": _iron_pilot,
    "wound-stripe": _wound_stripe,
    "parting-shot": _parting_shot,
    "upset": _upset,
    "long-odds": _long_odds,
    "revenge": _revenge,
    "winning-streak": _winning_streak,
    "clean-sheet": _clean_sheet,
    "workhorse": _workhorse,
    "notches": _units_kills,
}


def chance_of_winner(game: PlayedMatch) -> float | None:
    """Return the winner's chance by the odds published before; None for a draw or without odds."""
    return game.chances[game.winner] if game.chances and game.winner is not None else None


def _upsets(games: Sequence[PlayedMatch]) -> set[object]:
    """Return the biggest upset of each closed round that had one. Among equals the lower table number wins."""
    least: dict[tuple[int, int], tuple[float, int, object]] = {}
    for game in games:
        chance = chance_of_winner(game)
        if game.is_over and chance is not None and chance < 0.5:
            of_round, found = (game.campaign, game.round), (chance, game.table, game.match)
            least[of_round] = min(least.get(of_round, found), found, key=lambda each: each[:2])
    return {match for _, _, match in least.values()}


def _against_the_odds(game: PlayedMatch) -> Awarded:
    chance = chance_of_winner(game)
    assert chance is not None
    assert game.winner is not None
    winner, loser = game.parts[game.winner], game.parts[1 - game.winner]
    yield company_holder(winner), f"beat {loser.name} with a chance of {format_chance(chance)}"


def format_chance(chance: float) -> str:
    """Format a chance in whole percent; below one percent only as "under 1%"."""
    return "under 1%" if chance < 0.01 else f"{chance * 100:.0f}%"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
