"""Results of matches in which the scenario or support brought units of its own."""

import pytest

from battles.documents import read_setup
from battles.services.battles import battle_row
from battles.services.dice import dice_seal
from battles.tasks import battle_resolve
from campaigns.services.forces import side_forces
from campaigns.services.settling import match_settle_battle
from tests.campaigns.scenario import a_supported_match

pytestmark = pytest.mark.django_db


@pytest.mark.rule("MM-S12")
def test_a_lost_unit_that_support_brought_is_no_mek_lost():
    match = a_supported_match()
    match.setup["sides"][1]["support"] = ["howitzer-battery"]
    for _ in range(200):
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
        lost = [unit["key"] for unit in battle.result["units"] if unit["lost"]]
        if any("+" in key for key in lost):
            break
    else:
        pytest.fail("no dice lose the battery")
    match_settle_battle(match=match, battle=battle)
    game = match.attacker.company.ledger.get(kind="game")
    own = {unit["key"] for unit in match.setup["sides"][1]["units"]}
    assert game.facts["destroyed"] == len(own & set(lost))
