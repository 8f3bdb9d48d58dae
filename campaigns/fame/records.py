"""The club's record book, hall of fame and fallen pilots, calculated from its matches. Pure.

Among equals the first to achieve a record holds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from campaigns.fame.chronicle import Holder, PlayedMatch, SideResult, StatLine, company_holder, crew_holder
from campaigns.fame.medals import Award, chance_of_winner, format_chance
from systems.words import pluralize


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A line of the record book: the record, its holder, the figure, and the match in which it was set."""

    what: str
    who: Holder
    figure: str
    game: PlayedMatch
    against: str  # empty: it wasn't set in a single match


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallen:
    """A pilot killed in a match. The club's fallen are numbered from 1."""

    number: int
    who: Holder
    unit: str
    how: str  # what destroyed the unit, with a leading space; empty: unknown
    against: str
    game: PlayedMatch
    games: int  # matches they fought, including this one
    kills: int  # in them


@dataclass(frozen=True, slots=True, kw_only=True)
class Hero:
    """A pilot in the hall of fame, or a unit without a pilot."""

    who: Holder
    medals: tuple[Award, ...]  # oldest first
    games: int
    kills: int
    is_dead: bool


Candidates = Iterator[tuple[float, Holder, str, PlayedMatch, str]]  # value, holder, value in words, match, opponent


def records(games: Sequence[PlayedMatch]) -> tuple[Record, ...]:
    """Return the record book of these matches. `games` are in the order in which they count."""
    book = []
    for what, rule in RECORD_RULES:
        best: tuple[float, Holder, str, PlayedMatch, str] | None = None
        for found in rule(games):
            if best is None or found[0] > best[0]:
                best = found
        if best is not None:
            _, who, figure, game, against = best
            book.append(Record(what=what, who=who, figure=figure, game=game, against=against))
    return tuple(book)


def fallen(games: Iterable[PlayedMatch]) -> tuple[Fallen, ...]:
    """Return the fallen pilots, latest first."""
    fought: Counter[tuple[str, int]] = Counter()
    kills: Counter[tuple[str, int]] = Counter()
    found: list[Fallen] = []
    for game in games:
        for deeds, part, other in _crews(game):
            who = crew_holder(deeds, part)
            fought[who.key] += 1
            kills[who.key] += deeds.kills
            if deeds.is_dead:
                found.append(
                    Fallen(
                        number=len(found) + 1,
                        who=who,
                        unit=deeds.unit_name,
                        how=deeds.how,
                        against=other.name,
                        game=game,
                        games=fought[who.key],
                        kills=kills[who.key],
                    )
                )
    return tuple(found[::-1])


def heroes(games: Iterable[PlayedMatch], given: Iterable[Award]) -> tuple[Hero, ...]:
    """Return the holders of medals: most medals first, then most kills, then fewest matches."""
    medals: dict[tuple[str, int], list[Award]] = {}
    for award in given:
        medals.setdefault(award.to.key, []).append(award)
    fought: Counter[tuple[str, int]] = Counter()
    kills: Counter[tuple[str, int]] = Counter()
    dead, known = set(), {}
    for game in games:
        for deeds, part, _ in _crews(game):
            who = crew_holder(deeds, part)
            known[who.key] = who
            fought[who.key] += 1
            kills[who.key] += deeds.kills
            if deeds.is_dead:
                dead.add(who.key)
    found = [
        Hero(
            who=known[key], medals=tuple(worn), games=fought[key], kills=kills[key], is_dead=key in dead
        )
        for key, worn in medals.items()
        if key in known
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda hero: (-len(hero.medals), -hero.kills, hero.games, hero.who.name.casefold())))


def _crews(game: PlayedMatch) -> Iterator[tuple[StatLine, SideResult, SideResult]]:
    for _, part, other in game.sides:
        for deeds in part.deeds:
            yield deeds, part, other


def _kills_in_a_match(games: Sequence[PlayedMatch]) -> Candidates:
    for game in games:
        for deeds, part, other in _crews(game):
            if deeds.kills:
                yield deeds.kills, crew_holder(deeds, part), pluralize(deeds.kills, "kills"), game, other.name


def _side_in_a_match(games: Sequence[PlayedMatch]) -> Candidates:
    for game in games:
        for _, part, other in game.sides:
            if part.kills:
                yield part.kills, company_holder(part), pluralize(part.kills, "kills"), game, other.name


def _kills_of_a_life(games: Sequence[PlayedMatch]) -> Candidates:
    total: Counter[tuple[str, int]] = Counter()
    for game in games:
        for deeds, part, _ in _crews(game):
            who = crew_holder(deeds, part)
            total[who.key] += deeds.kills
            if deeds.kills:
                yield total[who.key], who, pluralize(total[who.key], "kills"), game, ""


def _matches_of_a_life(games: Sequence[PlayedMatch]) -> Candidates:
    total: Counter[tuple[str, int]] = Counter()
    for game in games:
        for deeds, part, _ in _crews(game):
            who = crew_holder(deeds, part)
            total[who.key] += 1
            if total[who.key] == 1:
                continue
            yield total[who.key], who, f"{total[who.key]} matches", game, ""


def _losses_of_a_life(games: Sequence[PlayedMatch]) -> Candidates:
    """Yield the losses of pilots who survived each of them."""
    total: Counter[int] = Counter()
    for game in games:
        for deeds, part, _ in _crews(game):
            if deeds.pilot is not None and deeds.is_lost and not deeds.is_dead:
                total[deeds.pilot] += 1
                yield total[deeds.pilot], crew_holder(deeds, part), pluralize(total[deeds.pilot], "units"), game, ""


def _streak(games: Sequence[PlayedMatch]) -> Candidates:
    run: Counter[int] = Counter()
    for game in games:
        for side, part, _ in game.sides:
            run[part.company] = run[part.company] + 1 if game.winner == side else 0
            if run[part.company] > 1:
                yield run[part.company], company_holder(part), f"{run[part.company]} victories", game, ""


def _victories(games: Sequence[PlayedMatch]) -> Candidates:
    total: Counter[int] = Counter()
    for game in games:
        for side, part, _ in game.sides:
            if game.winner == side:
                total[part.company] += 1
            if game.winner == side and total[part.company] > 1:
                yield total[part.company], company_holder(part), f"{total[part.company]} victories", game, ""


def _biggest_upset(games: Sequence[PlayedMatch]) -> Candidates:
    for game in games:
        chance = chance_of_winner(game)
        if chance is not None and game.winner is not None and chance < 0.5:
            winner, loser = game.parts[game.winner], game.parts[1 - game.winner]
            yield -chance, company_holder(winner), f"at {format_chance(chance)}", game, loser.name


def _dearest_loss(games: Sequence[PlayedMatch]) -> Candidates:
    for game in games:
        for side, part, other in game.sides:
            if points := game.points_lost[side]:
                yield points, company_holder(part), pluralize(points, "points"), game, other.name


def _bloodiest(games: Sequence[PlayedMatch]) -> Candidates:
    for game in games:
        lost = game.parts[0].lost + game.parts[1].lost
        if lost:
            yield lost, company_holder(game.parts[0]), pluralize(lost, "units"), game, game.parts[1].name


RECORD_RULES: tuple[tuple[str, Callable[[Sequence[PlayedMatch]], Candidates]], ...] = (
    ("Most kills in one match", _kills_in_a_match),
    ("Most kills of one side in one match", _side_in_a_match),
    ("Most kills in all matches", _kills_of_a_life),
    ("Most matches", _matches_of_a_life),
    ("Most units lost, and alive", _losses_of_a_life),
    ("Longest run of victories", _streak),
    ("Most victories", _victories),
    ("Biggest upset", _biggest_upset),
    ("Dearest loss in one match", _dearest_loss),
    ("Bloodiest match", _bloodiest),
)
