"""Infantry strongpoints in cases that no worked example reaches."""

from __future__ import annotations

import pytest

from systems.engine.dice import ScriptedDice
from systems.meks_and_mercs.battle import SYSTEM
from systems.meks_and_mercs.battle.state import NOBODY, OUT_OF_CONTACT, SHORT

from .builders import Table, mek


@pytest.mark.rule("MM-035", "MM-036", "MM-063")
def test_infantry_does_not_attack_untargeted_masked_mek():
    table = Table(["infantry"], [mek("light", [], ["masking"]), "thor"], band=SHORT)

    table.plan()

    assert [table.keys[firing.target] for firing in table.state.firings[: table["a1"].firings]] == ["d2"]


@pytest.mark.rule("MM-063")
def test_infantry_attacks_mek_with_lost_masking():
    table = Table(["infantry"], [mek("light", [], ["masking"]), "thor"], band=SHORT)
    table["d1"].systems = 0

    table.plan()

    assert [table.keys[firing.target] for firing in table.state.firings[: table["a1"].firings]] == ["d1"]


@pytest.mark.rule("MM-024", "MM-025")
def test_strongpoints_alone_in_zone_end_fight():
    table = Table(["infantry"], ["infantry"])
    table.state.pairs[0].made = 0

    SYSTEM.fight(table.state, ScriptedDice([]), table.log)

    battle = table.state.battle
    assert (battle.winner, battle.reason, battle.round) == (NOBODY, OUT_OF_CONTACT, 0)
    assert table.events[-1].kind == "battle-ended"
