"""A pilot's biography in sentences, by rules, from the entries in their company's ledger and their medals. Pure.

Each rule looks at the whole life and yields its sentences, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import apnumber

from campaigns.fame.medals import Honour
from rosters.entries.games import Fought, Kill
from rosters.entries.pilots import Died, Hired, Promoted, Retired, SkillGained, Wounded
from rosters.entries.units import by_whom, describe_loss
from systems.ledger import ACTIVE, WOUNDED

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
    return tuple(said for rule in BIOGRAPHY_RULES for said in rule(life))


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
        yield ("First action on ", event.at, f"{unit}{where}{f', with {_kills(kills)}' if kills else ''}.")


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
        yield (f"{_capitalize(str(apnumber(len(games))))} games and no kill.",)
        return
    best = max(by_battle, key=lambda key: by_battle[key])
    day = (
        f"; the best day was {titles[best]}, with {apnumber(by_battle[best])}"
        if by_battle[best] > 1 and titles[best] and len(by_battle) > 1
        else ""
    )
    yield (f"{_capitalize(_kills(total))} in {apnumber(len(games))} games{day}.",)


def _promotions(life: Life) -> Iterator[Sentence]:
    found = life.of(Promoted.slug)
    said: list[str | datetime] = []
    for at, event in enumerate(found):
        games = sum(1 for each in life.events[: life.events.index(event)] if each.kind == Fought.slug)
        level = event.facts.get("name") or life.levels.get(str(event.facts.get("to")), "")
        join = "Promoted to " if at == 0 else " and to " if at == len(found) - 1 else ", to "
        after = f", after {apnumber(games)} game{'' if games == 1 else 's'}" if at == 0 and games else ""
        said += [f"{join}{level} on ", event.at, after]
    if said:
        yield (*said, ".")


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
    said: list[str | datetime] = []
    for at, event in enumerate(lost):
        join = "Lost " if at == 0 else " and " if at == len(lost) - 1 else ", "
        said += [f"{join}{event.unit or 'a unit'}{describe_loss(event.facts, 'to')} on ", event.at]
    yield (*said, ".")


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
        where = f" at {died[-1].facts['battle']}" if died[-1].facts.get("battle") else ""
        last = next((event for event in reversed(life.of(Fought.slug)) if event.battle == died[-1].battle), None)
        kept = last.facts if last is not None else {}
        unit = f", in {last.unit}, lost{describe_loss(kept, 'to')}" if last is not None and kept.get("lost") else ""
        yield ("Killed on ", died[-1].at, f"{where}{unit}.")
    elif retired:
        yield ("Retired on ", retired[-1].at, ".")
    elif life.status in (ACTIVE, WOUNDED):
        now = f"Sits in {life.seat} now" if life.seat else "Waits for a unit"
        yield (f"{now}{', and recovers from a wound' if life.status == WOUNDED else ''}.",)


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
