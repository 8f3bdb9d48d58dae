"""Pilots and games with only the fields that a rule needs."""

from systems.engine.dice import ScriptedDice
from systems.meks_and_mercs.build import SYSTEM
from systems.meks_and_mercs.season import SYSTEM as SEASON
from systems.report_fields import UnitFate
from systems.season import Career, Flight, GameSide


def career(level="regular", kills=0, games=0, skills=()):
    return Career(level=level, kills=kills, games=games, skills=tuple(skills))


def spec(mek="wasp"):
    return SYSTEM.published[mek].spec


def flight(before=None, key="p1", mek="wasp", lost=False, **fate):
    return Flight(key=key, before=before or career(), spec=spec(mek), fate=UnitFate(fate, destroyed=lost))


def side(*flights, result="drawn", debt=0):
    return GameSide(result=result, flights=flights or (flight(),), debt=debt)


def after(*sides, dice=(), standing=True):
    """Return the sides after the game, with exactly these dice."""
    script = ScriptedDice(dice)
    results = SEASON.aftermath(sides, script, standing=standing)
    assert not script.faces, "dice were left over"
    return results if len(results) > 1 else results[0]


def after_one(*flights, dice=()):
    """Return the pilots of one side after the game."""
    return after(side(*flights), dice=dice).flights
