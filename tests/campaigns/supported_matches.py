"""Matches of printed scenarios with support, and their battles."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from battles.models import Battle
from battles.services.battles import battle_row
from battles.services.dice import dice_seal
from battles.tasks import battle_resolve
from campaigns.army_lists.documents import side_forces
from campaigns.army_lists.services import lists_reveal
from campaigns.models import Match
from systems.reading import read_setup
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment


def a_supported_match() -> Match:
    """Create a match of Opening Shots with revealed lists: an ambush for the attacker, a support roll for the defender."""
    campaign = a_campaign(options={})
    attacker, defender = (an_enrolment(campaign, a_mustered_company(None, "viper", "wasp", "wasp")) for _ in range(2))
    match = a_match(a_round(campaign), attacker, defender, scenario="opening-shots", terrain="printed")
    match = lists_reveal(match=match)
    assert match.setup is not None
    for side, support in zip(match.setup["sides"], ("ambush", "roll"), strict=True):
        side["support"] = [support]
    match.save()
    return match


def simulate_until(match: Match, happens: Callable[[Mapping[str, Any]], bool], most: int = 200) -> Battle:
    """Simulate the match with new dice until `happens` is true of its result, and return that battle."""
    for _ in range(most):
        match.dice = dice_seal()
        match.save()
        battle = battle_row(
            setup=read_setup(match.setup),
            forces=side_forces(match),
            actor=None,
            visibility="public",
            dice=match.dice,
            status="queued",
        )
        battle_resolve(battle.pk)
        battle.refresh_from_db()
        if happens(battle.result):
            return battle
    pytest.fail(f"it didn't happen with any of {most} dice")
