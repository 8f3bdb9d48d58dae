"""How another result of one match would change its campaign story: which company brings a gain to the next game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from campaigns.arcs import fold
from campaigns.arcs.selectors import arc_games, arc_rules, step_gain
from campaigns.models import Campaign, MatchState, CampaignPairingMethod
from campaigns.standings.selectors import enrolments_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcChanges:
    """The changes as sentences. `flags`: by match, why a later game has other terms than the results now call for."""

    sentences: tuple[str, ...] = ()
    flags: Mapping[int, str] = field(default_factory=dict)


def arc_changes(campaign: Campaign, match: int, state: str, outcome: str) -> ArcChanges:
    """Return what changes in the story if that match ends with this state and outcome.

    Two queries; none in a campaign without a story.
    """
    rules = arc_rules(campaign)
    if rules is None or campaign.pairing != CampaignPairingMethod.ARC:
        return ArcChanges()
    before = arc_games(campaign)
    game = next((each for each in before if each.match == match), None)
    if game is None:
        return ArcChanges()
    instead = replace(game, won=outcome if state in MatchState.counting() else "")
    names = {pk: each.name for pk, each in enrolments_of(campaign).items()}
    sentences: list[str] = []
    flags: dict[int, str] = {}
    step = game.step + 1
    has_next = step <= len(rules.steps)
    leaves = rules.steps[game.step - 1].leaves
    was, now = ({each.winner: each} if each.winner is not None else {} for each in (game, instead))
    for company in filter(None, (game.attacker, game.defender)):
        if not has_next or step_gain(rules, step, company, was) == step_gain(rules, step, company, now):
            continue
        has_it = "has" if company in now else "does not have"
        text = f"By the results {names[company]} {has_it} {leaves} in scenario {step} of the war."
        later = next((each for each in before if each.step == step and company in (each.attacker, each.defender)), None)
        if later is None or later.defender is None:
            sentences.append(text)
            continue
        flags[later.match] = f"{flags[later.match]} {text}" if later.match in flags else text
        sentences.append(f"{text} Its match of round {later.round} stands as it was drawn, with a flag.")
    if before and (old := fold.count_outcomes(before)) != (new := fold.count_outcomes(_with_game(before, instead))):
        sentences.append(f"The war stands {new.attacker} to {new.defender}, not {old.attacker} to {old.defender}.")
    return ArcChanges(sentences=tuple(sentences), flags=flags)


def _with_game(games: list[fold.StorylineGame], instead: fold.StorylineGame) -> list[fold.StorylineGame]:
    return [instead if each.match == instead.match else each for each in games]
