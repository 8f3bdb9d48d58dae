"""How another result of a match would change the campaign's cup: who advances instead, which matches are flagged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from campaigns.cups.bracket import FINAL, THIRD, Tie, distance_to_final, stage_name
from campaigns.cups.fold import CupMatch, CupState, build_cup_state
from campaigns.cups.selectors import cup_draw, cup_matches, cup_of, tie_places
from campaigns.models import Campaign, MatchState
from campaigns.standings.selectors import DecidedMatch, enrolments_of, score_of

OUTCOME_VERBS = {FINAL: "wins the cup", THIRD: "takes third place"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CupChanges:
    """The changes as sentences, from the first round to the final.

    `flags` explain, by match ID, why a later match has the wrong sides.
    """

    sentences: tuple[str, ...] = ()
    flags: Mapping[int, str] = field(default_factory=dict)


def cup_changes(
    campaign: Campaign, match: int, state: str, outcome: str, figures: Mapping[str, Sequence[int]]
) -> CupChanges:
    """Return what changes in the cup if the match ends like this. Five queries; one if the campaign has no cup."""
    cup = cup_of(campaign)
    enrolments = enrolments_of(campaign) if cup is not None else {}
    draw = cup_draw(cup, campaign, enrolments) if cup is not None else None
    if cup is None or draw is None:
        return CupChanges()
    lines, places = cup_matches(campaign, with_planned=True), tie_places(cup)
    instead = [_with_result(line, state, outcome, figures) if line.match == match else line for line in lines]
    return compare_cups(build_cup_state(draw, lines, places), build_cup_state(draw, instead, places))


def _with_result(line: CupMatch, state: str, outcome: str, figures: Mapping[str, Sequence[int]]) -> CupMatch:
    score = None
    if state in MatchState.counting() and outcome:
        score = score_of(DecidedMatch(line.round, line.attacker, line.defender, None, outcome, figures, state))
    return line._replace(state=state, outcome=outcome, score=score)


def compare_cups(before: CupState, after: CupState) -> CupChanges:
    """Compare two states of a cup. Flags are keyed by the match IDs of the cup's lines."""
    names = before.draw.names
    sentences: list[str] = []
    flags: dict[int, str] = {}

    def name(pk: int | None) -> str:
        return names[pk] if pk is not None else "nobody"

    for place in sorted(after.ties, key=lambda place: (-distance_to_final(place), place)):
        was, now = before.ties[place], after.ties[place]
        stage = stage_name(place)
        if was.winner != now.winner:
            sentences.append(
                f"{stage}: {name(now.winner)} {OUTCOME_VERBS.get(place, 'goes on')}, not {name(was.winner)}."
            )
        due = _newly_due(was, now)
        line = after.lines.get(place)
        if line is not None and set(now.strays) - set(was.strays):
            who = " and ".join(name(pk) for pk in now.strays)
            instead = " and ".join(name(pk) for pk in now.due if pk is not None and pk not in (now.played or now).sides)
            text = f"{stage}: by the results {instead or 'nobody'} should play it, not {who}."
            flags[line.match] = text
            sentences.append(f"{text} The match of round {line.round} stands, with a flag.")
        elif line is None and due:
            sentences.append(f"{stage}: {' and '.join(name(pk) for pk in due)} will play it.")
    return CupChanges(sentences=tuple(sentences), flags=flags)


def _newly_due(was: Tie, now: Tie) -> tuple[int, ...]:
    """Return the entrants who reach this tie only with the other result."""
    return tuple(pk for pk in now.due if pk is not None and pk not in was.due)
