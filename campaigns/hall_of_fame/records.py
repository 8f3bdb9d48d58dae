"""The club's record book, hall of fame, fallen pilots, and pilots' biographies. Pure.

Among equals the first to achieve a record holds it. A biography is written by rules from the company's ledger and the
pilot's medals; each rule yields its sentences, or nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import apnumber

from campaigns.hall_of_fame.medals import (
    Award,
    Holder,
    Honour,
    PlayedMatch,
    SideResult,
    StatLine,
    chance_of_winner,
    company_holder,
    crew_holder,
    format_chance,
)
from rosters.entries.company import Fought, Kill
from rosters.entries.units_and_pilots import (
    Died,
    Hired,
    Promoted,
    Retired,
    SkillGained,
    Wounded,
    by_whom,
    describe_loss,
)
from systems.ledger import ACTIVE, WOUNDED
from systems.text import pluralize


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
                yield run[part.company], company_holder(part), f"{run[part.company]} wins", game, ""


def _victories(games: Sequence[PlayedMatch]) -> Candidates:
    total: Counter[int] = Counter()
    for game in games:
        for side, part, _ in game.sides:
            if game.winner == side:
                total[part.company] += 1
            if game.winner == side and total[part.company] > 1:
                yield total[part.company], company_holder(part), f"{total[part.company]} wins", game, ""


def _biggest_upset(games: Sequence[PlayedMatch]) -> Candidates:
    for game in games:
        chance = chance_of_winner(game)
        if chance is not None and game.winner is not None and chance < 0.5:
            winner, loser = game.parts[game.winner], game.parts[1 - game.winner]
            yield -chance, company_holder(winner), f"{format_chance(chance)} chance", game, loser.name


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
    ("Most lost units survived by a pilot", _losses_of_a_life),
    ("Longest winning streak", _streak),
    ("Most wins", _victories),
    ("Biggest upset", _biggest_upset),
    ("Costliest losses in one match", _dearest_loss),
    ("Bloodiest match", _bloodiest),
)


MAX_LISTED_LOSSES = 3  # up to this many losses are listed one by one
Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeEvent:
    """A valid ledger entry of the pilot, in the order in which it counts."""

    kind: str
    at: datetime
    facts: Facts
    unit: str = ""
    battle: str = ""  # key of the battle that made it


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Everything a biography is made from."""

    name: str
    company: str
    status: str
    seat: str  # the unit they sit in; empty: none
    levels: Mapping[str, str]  # names of the experience levels
    events: Sequence[LifeEvent]
    honours: Sequence[Honour] = field(default_factory=tuple)

    def of(self, kind: str) -> list[LifeEvent]:
        return [event for event in self.events if event.kind == kind]


Sentence = tuple[str | datetime, ...]  # a sentence; the page formats its dates in the reader's time zone
BiographyRule = Callable[[Life], Iterator[Sentence]]


def biography(life: Life) -> tuple[Sentence, ...]:
    """Return the biography in sentences, from beginning to end."""
    return tuple(sentence for rule in BIOGRAPHY_RULES for sentence in rule(life))


def _hired(life: Life) -> Iterator[Sentence]:
    for event in life.of(Hired.slug)[:1]:
        level = life.levels.get(str(event.facts.get("experience", "")), "")
        how = "came on loan to" if event.facts.get("lent") else "signed on with"
        yield (f"{life.name} {how} {life.company} on ", event.at, f", level {level}." if level else ".")


def _first_game(life: Life) -> Iterator[Sentence]:
    for event in life.of(Fought.slug)[:1]:
        kills = sum(int(kill.facts.get("count", 1)) for kill in life.of(Kill.slug) if kill.battle == event.battle)
        unit = f" in {event.unit}" if event.unit else ""
        where = f": {event.facts['battle']}" if event.facts.get("battle") else ""
        yield ("First game on ", event.at, f"{unit}{where}{f', with {_kills(kills)}' if kills else ''}.")


def _tally(life: Life) -> Iterator[Sentence]:
    games = life.of(Fought.slug)
    if len(games) < 2:
        return
    by_battle: dict[str, int] = {}
    titles: dict[str, str] = {}
    for kill in life.of(Kill.slug):
        by_battle[kill.battle] = by_battle.get(kill.battle, 0) + int(kill.facts.get("count", 1))
        titles[kill.battle] = str(kill.facts.get("battle", ""))
    total = sum(by_battle.values())
    if not total:
        yield (f"{_capitalize(str(apnumber(len(games))))} games without a kill.",)
        return
    best = max(by_battle, key=lambda key: by_battle[key])
    day = (
        f"; best day: {titles[best]}, with {apnumber(by_battle[best])}"
        if by_battle[best] > 1 and titles[best] and len(by_battle) > 1
        else ""
    )
    yield (f"{_capitalize(_kills(total))} in {apnumber(len(games))} games{day}.",)


def _promotions(life: Life) -> Iterator[Sentence]:
    found = life.of(Promoted.slug)
    sentence: list[str | datetime] = []
    for at, event in enumerate(found):
        games = sum(1 for each in life.events[: life.events.index(event)] if each.kind == Fought.slug)
        level = event.facts.get("name") or life.levels.get(str(event.facts.get("to")), "")
        join = "Promoted to " if at == 0 else " and to " if at == len(found) - 1 else ", to "
        after = f", after {apnumber(games)} game{'' if games == 1 else 's'}" if at == 0 and games else ""
        sentence += [f"{join}{level} on ", event.at, after]
    if sentence:
        yield (*sentence, ".")


def _skills(life: Life) -> Iterator[Sentence]:
    names = [str(event.facts.get("name") or event.facts.get("skill", "")) for event in life.of(SkillGained.slug)]
    if names:
        yield (f"Learned {_join_words(names)}.",)


def _losses(life: Life) -> Iterator[Sentence]:
    lost = [event for event in life.of(Fought.slug) if event.facts.get("lost")]
    if not lost:
        if len(life.of(Fought.slug)) > MAX_LISTED_LOSSES:
            yield ("Never lost a unit.",)
        return
    if len(lost) > MAX_LISTED_LOSSES:
        yield (f"Lost {apnumber(len(lost))} units, the first of them {lost[0].unit} on ", lost[0].at, ".")
        return
    sentence: list[str | datetime] = []
    for at, event in enumerate(lost):
        join = "Lost " if at == 0 else " and " if at == len(lost) - 1 else ", "
        sentence += [f"{join}{event.unit or 'a unit'}{describe_loss(event.facts, 'to')} on ", event.at]
    yield (*sentence, ".")


def _wounds(life: Life) -> Iterator[Sentence]:
    found = life.of(Wounded.slug)
    if len(found) == 1:
        yield (f"Wounded once{by_whom(found[0].facts)}, on ", found[0].at, ".")
    elif found:
        yield (f"Wounded {apnumber(len(found))} times, last on ", found[-1].at, ".")


def _medals(life: Life) -> Iterator[Sentence]:
    names = [f"{each.medal.name}{f' ({each.number} times)' if each.number > 1 else ''}" for each in life.honours]
    if names:
        yield (f"Medals: {_join_words(names)}.",)


def _end(life: Life) -> Iterator[Sentence]:
    died, retired = life.of(Died.slug), life.of(Retired.slug)
    if died:
        where = f" in “{died[-1].facts['battle']}”" if died[-1].facts.get("battle") else ""
        last = next((event for event in reversed(life.of(Fought.slug)) if event.battle == died[-1].battle), None)
        kept = last.facts if last is not None else {}
        unit = f", in {last.unit}, lost{describe_loss(kept, 'to')}" if last is not None and kept.get("lost") else ""
        yield ("Killed on ", died[-1].at, f"{where}{unit}.")
    elif retired:
        yield ("Retired on ", retired[-1].at, ".")
    elif life.status in (ACTIVE, WOUNDED):
        now = f"Now pilots {life.seat}" if life.seat else "Has no unit at the moment"
        yield (f"{now}{', recovering from a wound' if life.status == WOUNDED else ''}.",)


BIOGRAPHY_RULES: tuple[BiographyRule, ...] = (
    _hired,
    _first_game,
    _promotions,
    _tally,
    _skills,
    _losses,
    _wounds,
    _medals,
    _end,
)


def _kills(number: int) -> str:
    return f"{apnumber(number)} kill{'' if number == 1 else 's'}"


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _join_words(parts: Sequence[str]) -> str:
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last
