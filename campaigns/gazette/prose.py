"""The headline, the lead and the sentences of a gazette, by rules, from its document only. Pure.

Each rule looks at the document and yields its sentences, or nothing; a column holds those of the first rules. The
headline and lead are made when an edition is written or amended, and stored with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from django.contrib.humanize.templatetags.humanize import apnumber

from campaigns.gazette.document import GazetteDocument, ResultLine, StorylinePart, TableLine
from systems.text import end_sentence

WAR_WON = {
    "attacker": "The attackers have won the war",
    "defender": "The defenders have won the war",
    "draw": "The war ends in a draw",
}


def build_headline(content: GazetteDocument) -> str:
    """Return the headline: the most memorable fact of the round."""
    if content.war is not None and content.war.winner:
        return WAR_WON[content.war.winner]
    upset = content.upset
    if upset is not None:
        return f"{upset.winner} beats {upset.loser} against the {'odds' if upset.by == 'odds' else 'standings'}"
    if _has_played(content):
        return f"{content.standings[0].name} leads after round {content.round}"
    return f"Round {content.round} is closed"


def build_lead(content: GazetteDocument) -> str:
    """Return a summary of the round in one to three sentences."""
    decided = [line for line in content.results if line.look in ("won", "draw", "forfeit")]
    killed = sum(line.what == "killed" for line in content.pilots)
    parts = [f"{_pluralize(len(decided), 'match', 'matches')} decided"]
    open_ = sum(line.look in ("unknown", "reported", "disputed") for line in content.results)
    if open_:
        parts.append(f"{open_} still open")
    if content.units_lost:
        parts.append(f"{_pluralize(content.units_lost, 'unit', 'units')} {content.lost_word}")
    if killed:
        parts.append(f"{_pluralize(killed, 'pilot', 'pilots')} killed")
    text = f"{', '.join(parts)}."
    return f"{text} {_upset(content)}".strip()


def _upset(content: GazetteDocument) -> str:
    upset = content.upset
    if upset is None:
        return ""
    if upset.by == "odds" and upset.chance is not None:
        return (
            f"The published odds gave {upset.winner} a {upset.chance:.1%} chance to win, "
            f"from {upset.battles or 0:,} simulations."
        )
    assert upset.points is not None
    own, other = upset.points
    return f"{upset.winner} started the round with {_pluralize(own, 'point', 'points')}, {upset.loser} with {other}."


def _has_played(content: GazetteDocument) -> bool:
    return any(line.points for line in content.standings)


def _pluralize(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


MAX_SENTENCES = 7  # per gazette
MIN_STREAK = 3  # min matches of a streak
MIN_PLACES_MOVED = 2  # min places worth a sentence

Rule = Callable[[GazetteDocument], Iterator[str]]


def story(content: GazetteDocument) -> tuple[str, ...]:
    """Return the sentences, most important first."""
    sentences = [end_sentence(sentence.removesuffix(".")) for rule in RULES for sentence in rule(content)]
    return tuple(sentences[:MAX_SENTENCES])


def _cup(content: GazetteDocument) -> Iterator[str]:
    if content.cup is None:
        return
    now = {tie.place: tie for tie in content.cup.ties if tie.round == content.round and tie.winner}
    if 1 in now:
        against = f", beating {content.cup.second} in the final" if content.cup.second else ""
        yield f"{content.cup.winner} wins the cup{against}."
    elif 2 in now or 3 in now:
        final = next(tie for tie in content.cup.ties if tie.place == 1)
        if all(side.colour for side in final.sides):
            yield f"{_join_words([side.name for side in final.sides])} meet in the final of the cup."
    elif now:
        yield f"Through to the next round of the cup: {_join_words([tie.winner for tie in now.values()][:8])}."


def _war(content: GazetteDocument) -> Iterator[str]:
    war = content.war
    if war is None:
        return
    ahead, behind = ("attackers", "defenders") if war.won[0] >= war.won[1] else ("defenders", "attackers")
    most, least = max(war.won), min(war.won)
    if not most:
        games = "nobody won a game"
    elif most == least:
        games = f"attackers and defenders won {apnumber(most)} each"
    else:
        games = f"the {ahead} won {apnumber(most)}, the {behind} {apnumber(least) if least else 'none'}"
    of = f"the {_ordinal(war.step)} of {apnumber(war.steps)} scenarios"
    yield f"{war.scenario}, {of}: {games}."
    one, two = war.stands
    if war.winner:
        yield f"{WAR_WON[war.winner]}, by {one} games to {two}."
        return
    leads = f"level, {one} to {two}" if one == two else f"{max(war.stands)} to {min(war.stands)} for the {_leader(war)}"
    yield f"The war stands {leads}. Next: {war.follows}." if war.follows else f"The war stands {leads}."


def _leader(war: StorylinePart) -> str:
    return "attackers" if war.stands[0] > war.stands[1] else "defenders"


def _lead_of_the_table(content: GazetteDocument) -> Iterator[str]:
    table = content.standings
    if content.round < 2 or len(table) < 2 or not table[0].points:
        return
    first, second = table[0], table[1]
    if first.moved:
        yield f"{first.name} takes the lead, up from place {first.place + first.moved}."
    elif first.points == second.points:
        yield f"{first.name} keeps the lead, though {second.name} has as many points."
    else:
        yield f"{first.name} stays ahead, {_pluralize(first.points, 'point', 'points')} to {second.points}."


def _firsts(content: GazetteDocument) -> Iterator[str]:
    for line, won in _played(content):
        if won and line.won == 1 and line.played > 1:
            yield f"First win for {line.name}, in match number {apnumber(line.played)}."
        elif won is False and line.lost == 1 and line.played > MIN_STREAK - 1 and line.won == line.played - 1:
            yield f"{line.name} loses for the first time, after {apnumber(line.won)} wins in a row."


def _streaks(content: GazetteDocument) -> Iterator[str]:
    for line, won in _played(content):
        if won and line.won == line.played >= MIN_STREAK:
            yield f"{line.name} has won all {apnumber(line.played)} matches."
        elif won is False and line.lost == line.played >= MIN_STREAK:
            yield f"{line.name} has lost all {apnumber(line.played)}, and badly wants the next one."


def _falls(content: GazetteDocument) -> Iterator[str]:
    moved = [line for line in content.standings if line.moved is not None and line.is_in]
    if not moved:
        return
    worst = min(moved, key=lambda line: (line.moved or 0, line.place))
    if (worst.moved or 0) <= -MIN_PLACES_MOVED:
        yield f"{worst.name} drops {apnumber(-(worst.moved or 0))} places to {_ordinal(worst.place)}."
    best = max(moved, key=lambda line: (line.moved or 0, -line.place))
    if (best.moved or 0) >= MIN_PLACES_MOVED and best.place > 1:
        yield f"{best.name} climbs {apnumber(best.moved or 0)} places to {_ordinal(best.place)}."


def _ground(content: GazetteDocument) -> Iterator[str]:
    taken = [place for place in content.places if place.taken and place.holder_name]
    if taken:
        yield f"{_join_words([f'{place.name} goes to {place.holder_name}' for place in taken[:4]])}."
    held: dict[str, int] = {}
    for place in content.places:
        if place.holder_name:
            held[place.holder_name] = held.get(place.holder_name, 0) + 1
    most = max(held.values(), default=0)
    if taken and most > len(content.places) / 2:
        owner = next(name for name, number in held.items() if number == most)
        yield f"{owner} now holds {apnumber(most)} of {apnumber(len(content.places))} territories."


def _bloodless(content: GazetteDocument) -> Iterator[str]:
    clean = [line for line in content.results if line.look == "won" and line.destroyed and 0 in line.destroyed]
    for line in clean[:2]:
        winner, loser = _sides(line)
        fallen = max(line.destroyed or (0, 0))
        if (
            winner
            and loser
            and fallen > 1
            and line.destroyed == ((fallen, 0) if line.attacker.has_won else (0, fallen))
        ):
            yield f"{winner} lost no units against {loser}, who lost {apnumber(fallen)}."


def _ace(content: GazetteDocument) -> Iterator[str]:
    ace = content.ace
    if ace is not None:
        yield f"Pilot of the round: {ace.pilot} of {ace.company}, who took out {apnumber(ace.kills)} units."


def _promotions(content: GazetteDocument) -> Iterator[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for line in content.pilots:
        if line.what == "promoted":
            groups.setdefault((line.company, line.told), []).append(line.pilot)
    for (company, news), pilots in sorted(groups.items(), key=lambda group: -len(group[1]))[:2]:
        yield f"{_join_words(pilots)} of {company} {'was' if len(pilots) == 1 else 'were'} {news}."
    killed = [f"{line.pilot} of {line.company}" for line in content.pilots if line.what == "killed"]
    if killed:
        yield f"{_join_words(killed[:4])} {'was' if len(killed) == 1 else 'were'} killed."


RULES: tuple[Rule, ...] = (
    _war,
    _cup,
    _ace,
    _lead_of_the_table,
    _streaks,
    _firsts,
    _falls,
    _ground,
    _bloodless,
    _promotions,
)


def _played(content: GazetteDocument) -> Iterator[tuple[TableLine, bool | None]]:
    """Yield the table lines of companies that played in the round, and whether they won; None: a draw."""
    won: dict[str, bool | None] = {}
    for line in content.results:
        if line.look != "won" or line.defender is None:
            continue
        for side in (line.attacker, line.defender):
            won[side.name] = side.has_won
    yield from ((line, won[line.name]) for line in content.standings if line.name in won)


def _sides(line: ResultLine) -> tuple[str, str]:
    if line.defender is None:
        return "", ""
    sides = (line.attacker, line.defender)
    first, second = sides if line.attacker.has_won else sides[::-1]
    return first.name, second.name


def _join_words(parts: Sequence[str]) -> str:
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def _ordinal(number: int) -> str:
    words = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
    if number < len(words):
        return words[number]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
