"""Exact chances and means of a Mek's dice, as fractions."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product

from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.catalogue.types import Family, System, Weapon

FACES = range(1, 7)
ARRAY = "targeting-array"


def hit_chance(weapon: Weapon, band: int, to_hit: int, natural_rolls: bool = False) -> Fraction | None:
    """Return the chance of one to-hit die with that modifier, re-roll included; None out of range. MM-043, MM-048."""
    number = weapon.numbers[band]
    if number is None:
        return None
    bounds = (1, 5) if natural_rolls else (0, 6)
    chance = Fraction(min(max(7 - (number - to_hit), bounds[0]), bounds[1]), 6)
    return 1 - (1 - chance) ** 2 if weapon.rerolls_miss else chance


def array_to_hit(systems: Iterable[System]) -> int:
    """Return the modifier of working systems against the primary target. MM-044."""
    return int(any(system.slug == ARRAY for system in systems))


def save_chance(armor: int, family: Family | None = None, systems: Iterable[System] = (), penalty: int = 0) -> Fraction:
    """Return the chance that armor stops a hit of a weapon family. MM-051, MM-052.

    Without a family, no system of the target helps.
    """
    systems = list(systems)
    failed = Fraction(min(max(save_number(armor, family, systems, penalty) - 1, 0), 6), 6)
    if any(family is not None and system.rerolls_save_against == family for system in systems):
        failed **= 2
    return 1 - failed


def critical_chance(hits_left: int) -> Fraction:
    """Return the chance that a Hit that leaves this many Hits is a critical hit. MM-054."""
    return Fraction(max(0, 6 - hits_left), 6)


def expected_hits(weapon: Weapon, band: int, to_hit: int, armor: int, natural_rolls: bool = False) -> Fraction:
    """Return the mean unsaved Hits of one firing at a target without systems. MM-A24."""
    chance = hit_chance(weapon, band, to_hit, natural_rolls)
    if chance is None:
        return Fraction(0)
    return weapon.dice * chance * (1 - save_chance(armor, penalty=weapon.save_penalty))


def best_sum(worth_and_heat: Iterable[tuple[Fraction, int]], limit: int) -> Fraction:
    """Return the largest sum of worth of a set whose heat is within the limit; heat 0 always is. MM-A25."""
    best = {0: Fraction(0)}  # heat used -> largest worth
    for worth, heat in worth_and_heat:
        if worth <= 0:
            continue
        for used, total in list(best.items()):
            now = used + heat
            if heat == 0:
                best[used] = total + worth
            elif now <= limit and total + worth > best.get(now, Fraction(-1)):
                best[now] = total + worth
    return max(best.values())


def best_volley(worth_and_heat: Sequence[tuple[Fraction, int]], limit: int) -> tuple[int, ...]:
    """Return the places, in order, of the set with the sum of `best_sum`. MM-A25.

    Ties: the coolest, then the earliest places.
    """
    best: dict[int, tuple[Fraction, tuple[int, ...]]] = {0: (Fraction(0), ())}  # heat used -> worth, places
    for at in reversed(range(len(worth_and_heat))):
        worth, heat = worth_and_heat[at]
        if worth <= 0:
            continue
        for used, (total, places) in list(best.items()):
            now, made = used + heat, (total + worth, (at, *places))
            if heat and now > limit:
                continue
            known = best.get(now)
            if known is None or (-made[0], made[1]) < (-known[0], known[1]):
                best[now] = made
    coolest = min(best.items(), key=lambda found: (-found[1][0], found[0], found[1][1]))
    return coolest[1][1]


def save_number(armor: int, family: Family | None = None, systems: Iterable[System] = (), penalty: int = 0) -> int:
    """Return the number that a save die must show against a hit of that family. MM-051."""
    bonus = sum(family is not None and system.save_bonus_against == family for system in systems)
    return armor + penalty - bonus


def mean_infantry_kills(weapon: Weapon) -> Fraction:
    """Return the mean kills of one firing at Short on Plain. MM-064."""
    row = CATALOGUE.infantry_kills[weapon.family]
    if row.is_total:
        return Fraction(weapon.kills * sum(FACES), 6)
    kills = [row.kills(face) for face in FACES]
    mean = Fraction(sum(kills), 6)
    if weapon.rerolls_miss:
        mean += Fraction(kills.count(0), 6) * mean
    return weapon.dice * mean


def movement_span(dice: int, modifier: int) -> tuple[int, Fraction, int]:
    """Return the smallest, mean and largest movement total, none below 0. MM-028."""
    totals = [max(0, sum(faces) + modifier) for faces in product(FACES, repeat=dice)]
    return min(totals), Fraction(sum(totals), len(totals)), max(totals)
