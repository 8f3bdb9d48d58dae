"""The state before a battle's first die, the AI styles and the AI's chance tables. Ledger 6.5, 9.

The AI styles are Muster's own, so they aren't in the catalogue. The chances are exact; `chance_table` holds every one
that the AI looks up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.resources import destruction_points
from systems.mechastellar.battle.state import (
    Battle,
    Chance,
    Clash,
    Disc,
    Face,
    Memo,
    Plan,
    Point,
    Sheet,
    Side,
    State,
    Unit,
    Weapon,
)
from systems.mechastellar.build.drawing import Table, TablePiece
from systems.mechastellar.build.spec import UnitSpec, profile_points, weapon_cost
from systems.mechastellar.catalogue import Weapon as WeaponSpec
from systems.mechastellar.options import Options


@dataclass(frozen=True, slots=True, kw_only=True)
class AIStyle:
    """The weights of an AI style; `state.Side` explains each number."""

    title: str
    melee_weight: float
    attack_price: float
    defence_price: float
    counter_fear: float
    counter_taste: float
    trust_at: int
    disengages: bool
    is_bold: bool


AI_STYLES: Mapping[str, AIStyle] = {
    "aggressive": AIStyle(
        title="Aggressive",
        melee_weight=1.25,
        attack_price=0.5,
        defence_price=1.0,
        counter_fear=0.0,
        counter_taste=1.0,
        trust_at=4,
        disengages=False,
        is_bold=True,
    ),
    "cautious": AIStyle(
        title="Cautious",
        melee_weight=0.8,
        attack_price=1.0,
        defence_price=0.5,
        counter_fear=0.5,
        counter_taste=0.5,
        trust_at=7,
        disengages=True,
        is_bold=False,
    ),
}


@cache
def die_chances(success: int = 5, crit: int = 10, *, rerolls_ones: bool = False) -> tuple[Fraction, Fraction, Fraction]:
    """Return the chances that a die counts as 0, 1 or 2. ST-113, ST-114, ST-D03."""
    two = Fraction(11 - max(success, crit), 10)
    one = Fraction(11 - success, 10) - two
    none = 1 - one - two
    if not rerolls_ones:
        return none, one, two
    again = Fraction(1, 10)
    return none - again + again * none, one + again * one, two + again * two


@cache
def pool_chances(dice: int, success: int = 5, crit: int = 10, *, rerolls_ones: bool = False) -> Sequence[Fraction]:
    """Return the chance of each sum of a pool, from 0 up."""
    found = [Fraction(1)]
    one = die_chances(success, crit, rerolls_ones=rerolls_ones)
    for _ in range(dice):
        before, found = found, [Fraction(0)] * (len(found) + 2)
        for at, chance in enumerate(before):
            for counts, part in enumerate(one):
                found[at + counts] += chance * part
    return found


def failed_save_chances(saves: int, chance: Fraction) -> Sequence[Fraction]:
    """Return the chance of each number of failed saves, from 0 up."""
    return [comb(saves, each) * chance**each * (1 - chance) ** (saves - each) for each in range(saves + 1)]


@cache
def chance_table() -> Sequence[float]:
    """Return all numbers that the AI looks up, in the order of the state's constants.

    They are pools, failed saves, and space for a curve.
    """
    found = [0.0] * c.CHANCES
    kinds = ((5, 10, False), (5, 9, False), (5, 8, False), (5, 11, False), (5, 10, True), (5, 9, True))
    for kind, (success, crit, again) in enumerate(kinds):
        for dice in range(c.DICE):
            for at, chance in enumerate(pool_chances(dice, success, crit, rerolls_ones=again)):
                found[c.POOLS_AT + (kind * c.DICE + dice) * c.SUMS + at] = float(chance)
    for tenths in range(c.TENTHS):
        for saves in range(c.MAX_SAVES + 1):
            for at, chance in enumerate(failed_save_chances(saves, Fraction(tenths, 10))):
                found[c.FAILS_AT + (tenths * (c.MAX_SAVES + 1) + saves) * (c.MAX_SAVES + 1) + at] = float(chance)
    return found


KINDS = {
    "ms": c.MS,
    "super-robot": c.SUPER_ROBOT,
    "kaiju": c.KAIJU,
    "super-heavy": c.SUPER_HEAVY,
    "warship": c.WARSHIP,
}
ORDERS = {"tactical-support": c.TACTICAL_SUPPORT, "operations-support": c.OPERATIONS_SUPPORT}
TAGS = {"": c.NO_TAG, "S": c.STUNS, "P": c.PUSHES}
PIECES = {
    "low": c.LOW,
    "tall": c.TALL,
    "forest": c.FOREST,
    "deep-water": c.WATER,
    "wreck": c.WRECK,
    "high": c.LOW,
}
DESTRUCTIBLE = ("low", "tall", "high")  # if the author marks them as such. Ledger 2.13


@dataclass(frozen=True, slots=True)
class BattleUnit:
    """A unit of a battle, with its remaining HP."""

    spec: UnitSpec
    hp: int


def state_unit(mustered: BattleUnit, side: int, weapon: int, sheet: int) -> Unit:
    """Return a unit as it enters the battle; `weapon` and `sheet` are the indexes of its first weapon and its modes."""
    spec = mustered.spec
    crew = spec.crewed_by
    assert crew is not None
    attack_support = any(each.support_attack_in for each in spec.weapons)
    defence_support = any(each.support_defence_in for each in spec.weapons)
    return Unit(
        side=side,
        cost=profile_points(spec),
        kind=KINDS[spec.kind],
        level=spec.level,
        elite=int(spec.is_elite),
        tests=int(crew.tests_rout),
        exempt=int(spec.is_elite or spec.is_warship or spec.has("sniper")),
        assault=int(spec.role == "assault"),
        worth=destruction_points(spec.frame_level, spec.level if spec.is_elite else 0, spec.performance),
        size=spec.size,
        move=spec.move_in,
        sensors=float(spec.sensors_in),
        full_hp=spec.hp,
        evade_dice=spec.evade_dice,
        evade_def=spec.evade_def,
        evade_success=spec.evade_success,
        melee_dice=spec.melee_dice,
        melee_def=spec.melee_def,
        melee_success=spec.melee_success,
        reroll=int(spec.has("reroll-evade-1s")),
        shield=spec.shield,
        barrier=spec.barrier,
        morale=spec.morale,
        full_power=spec.power,
        full_havoc=spec.havoc,
        fly=int(spec.has("fly")),
        amphibious=int(spec.has("amphibious")),
        transforms=int(spec.alt_mode is not None),
        catapult=spec.catapult,
        repair=spec.repair_hp,
        gives=sum(ORDERS[slug] for slug in spec.orders_given),
        sheet=sheet,
        weapon=weapon,
        weapons=len(spec.weapons),
        supports=int(attack_support) + 2 * int(defence_support),
        hp=mustered.hp,
        boost=spec.boost,
        power=spec.power,
        havoc=spec.havoc,
    )


def state_sheet(spec: UnitSpec) -> Sheet:
    """Return a mode's figures. ST-087."""
    return Sheet(
        move=spec.move_in,
        sensors=float(spec.sensors_in),
        evade_dice=spec.evade_dice,
        evade_def=spec.evade_def,
        evade_success=spec.evade_success,
        melee_dice=spec.melee_dice,
        melee_def=spec.melee_def,
        melee_success=spec.melee_success,
    )


def is_usable(weapon: WeaponSpec) -> bool:
    """Return True if a weapon makes ordinary attacks on one target; the core rules have no others. Ledger 6."""
    return not (weapon.is_remote or weapon.strip_in or weapon.circle_in)


def state_weapon(weapon: WeaponSpec, options: Options, *, stellar: bool = False) -> Weapon:
    """Return a weapon as it enters the battle; `stellar`: in space, where cannons can't fire indirectly. ST-099."""
    pushes = weapon.pen is not None and weapon.pen_tag == "P"
    return Weapon(
        melee=int(weapon.is_melee),
        dice=weapon.dice,
        hits=weapon.hits,
        range=float(weapon.range_in),
        rapid=float(weapon.rf_in),
        rapid_dice=weapon.rf_dice,
        rapid_hits=weapon.rf_hits,
        dmg=weapon.dmg,
        pen=weapon.pen or 0,
        tag=TAGS[weapon.pen_tag] if weapon.pen else c.NO_TAG,
        finisher=weapon.finisher,
        energy=int(weapon.is_energy),
        explosive=int(weapon.is_explosive),
        all_round=int(weapon.is_all_round),
        anti_air=int(weapon.is_anti_air),
        support_attack=float(weapon.support_attack_in),
        support_defence=float(weapon.support_defence_in),
        indirect=int(weapon.is_indirect and not (stellar and weapon.has("cannon"))),
        strip=float(weapon.strip_in),
        circle=float(weapon.circle_in),
        targets=weapon.targets,
        remote=int(weapon.is_remote),
        value=weapon_cost(weapon),
        usable=int(is_usable(weapon) and (options.is_advanced or not pushes)),
    )


def state_side(doctrine: str) -> Side:
    """Return a side with its AI style. Ledger 6.5."""
    preset = AI_STYLES[doctrine]
    return Side(
        melee_weight=preset.melee_weight,
        attack_price=preset.attack_price,
        defence_price=preset.defence_price,
        counter_fear=preset.counter_fear,
        counter_taste=preset.counter_taste,
        trust_at=preset.trust_at,
        disengages=int(preset.disengages),
        bold=int(preset.is_bold),
    )


def state_disc(piece: TablePiece) -> Disc:
    """Return a piece on the table; only area weapons can destroy forests. ST-029, ST-347."""
    return Disc(
        kind=PIECES[piece.kind],
        x=float(piece.x),
        y=float(piece.y),
        radius=float(piece.radius),
        destructible=int(piece.is_destructible and piece.kind in DESTRUCTIBLE),
        high=int(piece.is_high or piece.kind == "high"),
        roofed=int(piece.has_roof),
    )


def hidden_wrecks(units: Sequence[Unit]) -> list[Disc]:
    """Return hidden pieces for all Warships' wrecks; each piece's x holds the number of its ship. ST-353."""
    return [
        Disc(c.WRECK, -1.0 - at, 0.0, unit.size / 2, gone=1) for at, unit in enumerate(units) if unit.kind == c.WARSHIP
    ]


def take_aboard(forces: Sequence[Sequence[BattleUnit]], units: Sequence[Unit]) -> None:
    """Put units that start on board on their side's first Warship. ST-203."""
    mustered = [each for force in forces for each in force]
    for unit, each in zip(units, mustered, strict=True):
        if each.spec.aboard:
            unit.status = c.ABOARD
            unit.ship = next(at for at, ship in enumerate(units) if ship.kind == c.WARSHIP and ship.side == unit.side)


def build_state(
    forces: Sequence[Sequence[BattleUnit]], doctrines: Sequence[str], table: Table, options: Options
) -> State:
    """Return the state before the first die."""
    discs = [state_disc(piece) for piece in table.pieces]
    units: list[Unit] = []
    weapons: list[Weapon] = []
    sheets: list[Sheet] = []
    for side, force in enumerate(forces):
        for mustered in force:
            units.append(state_unit(mustered, side, len(weapons), len(sheets)))
            weapons += [state_weapon(each, options, stellar=table.stellar) for each in mustered.spec.weapons]
            if mustered.spec.alt_mode is not None:
                sheets += [state_sheet(mustered.spec), state_sheet(mustered.spec.in_mode_b)]
    if options.is_advanced:
        weapons.append(Weapon(usable=0))  # for throws and crashes
        discs += hidden_wrecks(units)
        take_aboard(forces, units)
    return State(
        battle=Battle(
            count_a=len(forces[0]),
            count_b=len(forces[1]),
            discs=len(discs),
            points=len(table.points),
            advanced=int(options.is_advanced),
            special=len(weapons) - 1 if options.is_advanced else c.NOBODY,
            counter_penalty=options.counter_penalty,
            bullseye_lock=options.bullseye_lock,
            pen_step=options.power_pen_step,
            armour=int(options.iron_wall_is_armour),
            tagged_damage=int(options.tagged_saves_hurt),
            point_score=options.point_vp,
            havoc_actions=int(options.havoc_buys_actions),
            free_disengage=int(options.disengages_free),
            finale=int(options.is_finale),
            alternate=int(options.deploys_by_turns),
        ),
        sides=[state_side(doctrine) for doctrine in doctrines],
        units=units,
        sheets=sheets or [Sheet()],
        weapons=weapons,
        clashes=[Clash() for _ in range(4)],
        plans=[Plan(), Plan()],
        discs=discs or [Disc()],
        points=[Point(float(x), float(y)) for x, y in table.points],
        faces=[Face() for _ in range(c.POOL)],
        chances=[Chance(value) for value in chance_table()],
        memos=[Memo() for _ in range(c.MEMOS)],
    )
