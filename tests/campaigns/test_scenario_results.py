"""Results of matches with units from the scenario or from support."""

import pytest

from campaigns.results.decisions import match_settle_battle
from tests.campaigns.supported_matches import a_supported_match, simulate_until

pytestmark = pytest.mark.django_db


@pytest.mark.rule("MM-S12")
def test_lost_support_unit_counts_as_no_loss():
    match = a_supported_match()
    match.setup["sides"][1]["support"] = ["howitzer-battery"]

    def lost(result):
        return [unit["key"] for unit in result["units"] if unit["lost"]]

    battle = simulate_until(match, lambda result: any("+" in key for key in lost(result)))
    match_settle_battle(match=match, battle=battle, by=None)
    game = match.attacker.company.ledger.get(kind="game")
    own = {unit["key"] for unit in match.setup["sides"][1]["units"]}
    assert game.facts["destroyed"] == len(own & set(lost(battle.result)))
