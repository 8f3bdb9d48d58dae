"""How holds end, where the book is silent."""

from __future__ import annotations

import pytest

from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules.grapples import constrain, release
from systems.hex_core.battle.rules.loss import hurt_area

from .tables import Table, foe, unit


@pytest.mark.rule("HX-130", "HX-112")
def test_a_holder_lets_go_with_its_second_arm():
    t = Table([unit("mauler", (7, 7))], [foe("longbow")], pool=9)
    t.do(constrain, 0, 1)
    hurt_area(t.state, 0, c.ARM_L, 99, 1, c.BY_ATTACK, t.log)
    assert (t["a1"].holds, t["b1"].held_by) == (1, 0)
    hurt_area(t.state, 0, c.ARM_R, 99, 1, c.BY_ATTACK, t.log)
    assert (t["a1"].holds, t["b1"].held_by) == (c.NOBODY, c.NOBODY)


@pytest.mark.rule("HX-130")
@pytest.mark.parametrize(("colours", "lands"), [({}, (7, 5)), ({"dark-blue": [(7, 5)]}, (8, 6))])
def test_a_freed_unit_does_not_drop_two_levels(colours, lands):
    t = Table([unit("mauler", (7, 7))], [foe("longbow")], hexes=colours, pool=9)
    t.do(constrain, 0, 1)
    t.do(release, 0)
    assert (t["b1"].held_by, t.hex_of("b1")) == (c.NOBODY, lands)
