"""Sides of a battle with only the fields that a rule needs."""

from systems.engine.dice import ScriptedDice
from systems.mech_campaign.build.spec import UnitSpec
from systems.mech_campaign.season import SYSTEM
from systems.report_fields import UnitFate
from systems.season import Career, Flight, GameSide, UnitBefore


def career(level="rookie", points=0, **what):
    return Career(level=level, points=points, **what)


def flight(before=None, key="ada", kind="light-mech", **fate):
    return Flight(key=key, before=before or career(), spec=UnitSpec(kind), fate=UnitFate(fate))


def unit(key="u1", kind="light-mech", **what):
    return UnitBefore(key=key, spec=UnitSpec(kind), **what)


def side(*units, flights=(), result="lost", **what):
    return GameSide(result=result, flights=tuple(flights), units=units, **what)


def after(*sides, dice=()):
    """Return the sides after the battle, with exactly these dice."""
    script = ScriptedDice(dice)
    results = SYSTEM.aftermath(sides, script, standing=True)
    assert not script.faces, "dice were left over"
    return results if len(results) > 1 else results[0]
