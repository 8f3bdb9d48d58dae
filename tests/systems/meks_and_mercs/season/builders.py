"""Pilots and games with nothing in them that a rule does not need."""

from systems.fates import UnitFate
from systems.meks_and_mercs.build import SYSTEM
from systems.season import Career, Flight, GameSide


def career(level="regular", kills=0, games=0, skills=()):
    return Career(level=level, kills=kills, games=games, skills=tuple(skills))


def spec(mek="wasp"):
    return SYSTEM.published[mek].spec


def flight(before=None, key="p1", mek="wasp", lost=False, **fate):
    return Flight(key=key, before=before or career(), spec=spec(mek), fate=UnitFate(fate, destroyed=lost))


def side(*flights, result="drawn", debt=0):
    return GameSide(result=result, flights=flights or (flight(),), debt=debt)
