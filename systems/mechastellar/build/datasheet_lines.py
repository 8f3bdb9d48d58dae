"""Exact chances of an attack's dice, as fractions. ST-112 to ST-115, ST-140 to ST-147."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from systems.mechastellar.catalogue import (
    CATALOGUE,
    CRIT,
    FINISHING_DAMAGE,
    FINISHING_HITS,
    MAX_SAVES,
    SAVE_DAMAGE,
    SUCCESS,
    Weapon,
)
from systems.text import format_decimal, format_signed

from .spec import UnitSpec

FACES = range(1, 11)


Chances = Mapping[int, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Dice thrown together, and their flat bonus."""

    dice: int
    flat: int = 0
    success: int = SUCCESS
    crit: int = CRIT
    rerolls_ones: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Blow:
    """The effect of an unblocked Hit."""

    dmg: int
    pen: int | None = None
    finisher: int = 1


def die_chances(pool: Pool) -> tuple[Fraction, Fraction, Fraction]:
    """Return a die's chances of 0, 1 and 2 successes; a crit counts two. ST-113, ST-D03."""
    worth = [0 if face < pool.success else 2 if face >= pool.crit else 1 for face in FACES]
    once = [Fraction(worth.count(each), len(FACES)) for each in range(3)]
    again = Fraction(1, len(FACES)) if pool.rerolls_ones else Fraction(0)
    none, one, two = ((chance - (again if at == 0 else 0)) + again * chance for at, chance in enumerate(once))
    return none, one, two


@lru_cache
def pool_chances(pool: Pool) -> Chances:
    """Return the chance of each total of a pool, with its flat bonus and at least 0. ST-115."""
    each = die_chances(pool)
    totals = {0: Fraction(1)}
    for _ in range(pool.dice):
        thrown: dict[int, Fraction] = {}
        for total, chance in totals.items():
            for worth, part in enumerate(each):
                thrown[total + worth] = thrown.get(total + worth, Fraction(0)) + chance * part
        totals = thrown
    found: dict[int, Fraction] = {}
    for total, chance in totals.items():
        floored = max(0, total + pool.flat)
        found[floored] = found.get(floored, Fraction(0)) + chance
    return found


@lru_cache
def mean(pool: Pool) -> Fraction:
    """Return a pool's expected total."""
    return sum((total * chance for total, chance in pool_chances(pool).items()), Fraction(0))


def unblocked_chances(attack: Pool, defence: Pool) -> Chances:
    """Return the chance of each number of unblocked Hits. ST-115."""
    found: dict[int, Fraction] = {}
    for hits, chance in pool_chances(attack).items():
        for blocked, part in pool_chances(defence).items():
            left = max(0, hits - blocked)
            found[left] = found.get(left, Fraction(0)) + chance * part
    return found


def save_fails(pen: int) -> Fraction:
    """Return the chance that one save against this PEN fails. ST-141."""
    return Fraction(min(10, max(0, pen - 1)), 10)


def damage_chances(unblocked: int, blow: Blow) -> Chances:
    """Return the chance of each amount of damage from `unblocked` Hits. ST-140 to ST-147."""
    whole = unblocked * blow.dmg + (FINISHING_DAMAGE * blow.finisher if unblocked >= FINISHING_HITS else 0)
    if blow.pen is None:
        return {whole: Fraction(1)}
    saves, fails = min(MAX_SAVES, unblocked), save_fails(blow.pen)
    return {
        whole + SAVE_DAMAGE * failed: comb(saves, failed) * fails**failed * (1 - fails) ** (saves - failed)
        for failed in range(saves + 1)
    }


def mean_damage(attack: Pool, defence: Pool, blow: Blow) -> Fraction:
    """Return the expected damage of one attack."""
    found = Fraction(0)
    for unblocked, chance in unblocked_chances(attack, defence).items():
        found += chance * sum(damage * part for damage, part in damage_chances(unblocked, blow).items())
    return found


NONE = "–"


FOCUS = 3  # ST-263


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponLine:
    """A weapon on the sheet, with the numbers calculated from its figures."""

    slug: str
    name: str
    is_melee: bool
    dice: int
    hits: int
    range_in: int
    rf_in: int
    rf_change: str  # "+1 die"; empty: no Rapid Fire
    dmg: int
    pen: str  # "6S"; empty: none
    finisher: int
    tags: str
    mean_hits: Fraction
    mean_hits_rf: Fraction | None
    mean_hits_focus: Fraction
    save_fails: Fraction | None
    per_hit: Fraction  # expected damage of each of the first five unblocked Hits
    finishing: int

    @property
    def type(self) -> str:
        return "melee" if self.is_melee else "shooting"

    @property
    def pool(self) -> str:
        """Dice and bonus Hits: `5d10 +5`."""
        return f"{self.dice}d10 {format_signed(self.hits)}" if self.hits else f"{self.dice}d10"

    @property
    def reach(self) -> str:
        """Range and Rapid Fire: `24" | 16" (+1 die)`."""
        if self.is_melee:
            return NONE
        return f'{self.range_in}" | {self.rf_in}" ({self.rf_change})' if self.rf_in else f'{self.range_in}"'

    @property
    def mean_label(self) -> str:
        text = format_decimal(self.mean_hits, 1)
        return f"{text} | {format_decimal(self.mean_hits_rf, 1)}" if self.mean_hits_rf is not None else text

    @property
    def focus_label(self) -> str:
        return format_decimal(self.mean_hits_focus, 1)

    @property
    def per_hit_label(self) -> str:
        return f"{float(self.per_hit):.0f}"

    @property
    def fails_label(self) -> str:
        return NONE if self.save_fails is None else f"{float(100 * self.save_fails):.0f}%"

    @property
    def pen_label(self) -> str:
        return self.pen or NONE

    @property
    def finisher_label(self) -> str:
        return f"FINISHER+{self.finisher}" if self.finisher > 1 else ""

    @property
    def notes(self) -> str:
        """The tags, after FINISHER."""
        return " ".join(each for each in (self.finisher_label, self.tags) if each)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defence:
    """One of the two defence pools."""

    name: str
    dice: int
    flat: int
    success: int
    rerolls_ones: bool
    mean: Fraction  # including the larger of Shield and Barrier

    @property
    def drawn(self) -> int:
        """How many dice are thrown."""
        return drawn_dice(self.dice)

    @property
    def pool(self) -> str:
        text = f"{self.dice}d10 {format_signed(self.flat)}" if self.flat else f"{self.dice}d10"
        return text if self.success == SUCCESS else f"{text} ({self.success}+)"

    @property
    def mean_label(self) -> str:
        return format_decimal(self.mean, 1)


def make_defence(spec: UnitSpec, name: str) -> Defence:
    is_evade = name == "Evade"
    dice, flat = (spec.evade_dice, spec.evade_def) if is_evade else (spec.melee_dice, spec.melee_def)
    success = spec.evade_success if is_evade else spec.melee_success
    rerolls = is_evade and spec.has("reroll-evade-1s")
    pool = Pool(
        dice=drawn_dice(dice), flat=flat + max(spec.shield, spec.barrier), success=success, rerolls_ones=rerolls
    )
    return Defence(name=name, dice=dice, flat=flat, success=success, rerolls_ones=rerolls, mean=mean(pool))


def drawn_dice(dice: int) -> int:
    """Return how many dice are thrown; a pool has at most ten. ST-112."""
    return max(0, min(10, dice))


def weapon_line(weapon: Weapon) -> WeaponLine:
    far = Pool(dice=drawn_dice(weapon.dice), flat=weapon.hits)
    near = Pool(dice=drawn_dice(weapon.dice + weapon.rf_dice), flat=weapon.hits + weapon.rf_hits)
    focus = Pool(dice=far.dice, flat=weapon.hits, success=FOCUS)
    fails = None if weapon.pen is None else save_fails(weapon.pen)
    hurts = Fraction(0) if fails is None or weapon.pen_tag else SAVE_DAMAGE * fails
    return WeaponLine(
        slug=weapon.slug,
        name=weapon.name,
        is_melee=weapon.is_melee,
        dice=weapon.dice,
        hits=weapon.hits,
        range_in=weapon.range_in,
        rf_in=weapon.rf_in,
        rf_change=_change(weapon) if weapon.rf_in else "",
        dmg=weapon.dmg,
        pen=f"{weapon.pen}{weapon.pen_tag}" if weapon.pen is not None else "",
        finisher=weapon.finisher,
        tags=describe_tags(weapon),
        mean_hits=mean(far),
        mean_hits_rf=mean(near) if weapon.rf_in else None,
        mean_hits_focus=mean(focus),
        save_fails=fails,
        per_hit=weapon.dmg + hurts,
        finishing=FINISHING_DAMAGE * weapon.finisher,
    )


def _change(weapon: Weapon) -> str:
    dice = f"{format_signed(weapon.rf_dice)} {'die' if abs(weapon.rf_dice) == 1 else 'dice'}" if weapon.rf_dice else ""
    hits = f"{format_signed(weapon.rf_hits)} {'Hit' if abs(weapon.rf_hits) == 1 else 'Hits'}" if weapon.rf_hits else ""
    return ", ".join(each for each in (dice, hits) if each) or "no change"


def describe_tags(weapon: Weapon) -> str:
    """Return a weapon's tags as printed: `[E] [AA] Support DEF 8"`."""
    return " ".join(describe_tag(each) for each in weapon.tags)


def describe_tag(tag: str) -> str:
    """Return one tag as printed."""
    slug, _, number = tag.partition(":")
    entry = CATALOGUE.tags[slug]
    if not entry.takes_number:
        return entry.name
    return f"{number} {entry.name}" if slug == "multi" else f'{entry.name} {number}"'
