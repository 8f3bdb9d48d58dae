"""The aftermath of a game of Meks & Mercs: fates, experience, and the income of a standing company.

Order of everything: MM-S02. Order of the dice: MM-S13, side by side, all fates before the first skill roll of a side;
the dice of rich uncles come last.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from systems.engine.dice import Dice, roll
from systems.meks_and_mercs.build.spec import MekSpec
from systems.season import Career, Fate, FateRoll, Flight, FlightAfter, GameSide, Result, SideAfter, Takings

from .advancement import level_after, skill_roll

SEASON_POINTS: dict[Result, int] = {"won": 3, "drawn": 1, "lost": 0}  # MM-S01
INCOME: dict[Result, int] = {"won": 12, "drawn": 9, "lost": 6}  # MM-S08
KILLED_UP_TO, INJURED_UP_TO = 1, 3  # MM-S03
EXPLODED_KILLED_UP_TO, EXPLODED_INJURED_UP_TO = 3, 5


def aftermath(sides: Sequence[GameSide[MekSpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
    """Return the aftermath of each side, first side first. MM-S02, MM-S13."""
    results = [_side_after(side, dice, standing) for side in sides]
    if not standing:  # MM-087: with fresh builds the uncle has paid for Meks before the game
        return tuple(results)
    return tuple(_with_gifts(result, side.gifts, dice) for side, result in zip(sides, results, strict=True))


def gifts(support: Sequence[str]) -> int:
    """Return the number of rich uncles among the support results. MM-S07."""
    return list(support).count("rich-uncle")


def _with_gifts(result: SideAfter, count: int, dice: Dice) -> SideAfter:
    """Add 1d6 points of each rich uncle for the bank. MM-S07, MM-087."""
    faces = tuple(roll(dice, 6) for _ in range(count))
    return replace(result, takings=replace(result.takings, gifts=faces))


def _side_after(side: GameSide[MekSpec], dice: Dice, standing: bool) -> SideAfter:
    fates = [_fate(flight, dice) if flight.fate.is_lost else None for flight in side.flights]
    flights = tuple(_flight_after(flight, fate, dice) for flight, fate in zip(side.flights, fates, strict=True))
    return SideAfter(flights=flights, takings=takings(side.result, standing=standing, debt=side.debt))


def _fate(flight: Flight[MekSpec], dice: Dice) -> FateRoll:
    """Return the fate that was rolled at the table (with face 0), else roll one. MM-S03."""
    exploded = "exploded" in flight.fate
    if "fate" in flight.fate:
        return FateRoll(face=0, exploded=exploded, fate=cast(Fate, flight.fate["fate"]))
    return fate_roll(exploded, dice)


def fate_roll(exploded: bool, dice: Dice) -> FateRoll:
    """Roll the fate of a pilot whose Mek was destroyed. MM-S03."""
    face = roll(dice, 6)
    return FateRoll(face=face, exploded=exploded, fate=fate_of(face, exploded))


def fate_of(face: int, exploded: bool) -> Fate:
    """Return the fate for a face of the die. MM-S03."""
    killed, injured = (EXPLODED_KILLED_UP_TO, EXPLODED_INJURED_UP_TO) if exploded else (KILLED_UP_TO, INJURED_UP_TO)
    if face <= killed:
        return "killed"
    return "injured" if face <= injured else "unhurt"


def _flight_after(flight: Flight[MekSpec], fate: FateRoll | None, dice: Dice) -> FlightAfter:
    before, kills = flight.before, flight.before.kills + flight.fate.kills  # MM-099
    if fate is not None and fate.fate == "killed":  # MM-S03: no game survived, so neither promotion nor skill
        return FlightAfter(key=flight.key, after=_career(before, before.level, kills, before.games), fate=fate)
    games = before.games + 1  # MM-S04, MM-S05: took part and survived, even if the Mek didn't
    level = level_after(before.level, kills, games)
    return FlightAfter(
        key=flight.key,
        after=_career(before, level, kills, games),
        fate=fate,
        promoted=level != before.level,
        skill=skill_roll(level, before.skills, flight.spec, dice),  # MM-D84: after the promotion
    )


def _career(before: Career, level: str, kills: int, games: int) -> Career:
    return Career(level=level, kills=kills, games=games, skills=before.skills)


def takings(result: Result, *, standing: bool, debt: int = 0) -> Takings:
    """Return season points, and a standing company's income less its debt. MM-S01, MM-S06, MM-S08, MM-S10."""
    if not standing:
        return Takings(season_points=SEASON_POINTS[result])
    income = INCOME[result]
    return Takings(season_points=SEASON_POINTS[result], income=income, repaid=min(income, debt))
