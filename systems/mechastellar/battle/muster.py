"""The state before a battle's first die, from profiles, AI styles, table and house rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from systems.mechastellar.battle import distributions
from systems.mechastellar.battle import state as codes
from systems.mechastellar.battle.presets import AI_STYLES
from systems.mechastellar.battle.rules.mission import destruction_points
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
from systems.mechastellar.build.points import profile_points, weapon_cost
from systems.mechastellar.build.spec import UnitSpec
from systems.mechastellar.build.tables import Table, TablePiece
from systems.mechastellar.catalogue.types import Weapon as WeaponSpec
from systems.mechastellar.options import Options

KINDS = {
    "ms": codes.MS,
    "super-robot": codes.SUPER_ROBOT,
    "kaiju": codes.KAIJU,
    "super-heavy": codes.SUPER_HEAVY,
    "warship": codes.WARSHIP,
}
ORDERS = {"tactical-support": codes.TACTICAL_SUPPORT, "operations-support": codes.OPERATIONS_SUPPORT}
TAGS = {"": codes.NO_TAG, "S": codes.STUNS, "P": codes.PUSHES}
PIECES = {
    "low": codes.LOW,
    "tall": codes.TALL,
    "forest": codes.FOREST,
    "deep-water": codes.WATER,
    "wreck": codes.WRECK,
    "high": codes.LOW,
}
DESTRUCTIBLE = ("low", "tall", "high")  # if the author marks them so. Ledger 2.13


@dataclass(frozen=True, slots=True)
class BattleUnit:
    """A unit of a battle, with its remaining HP."""

    spec: UnitSpec
    hp: int


def state_unit(mustered: BattleUnit, side: int, weapon: int, sheet: int) -> Unit:
    """Return a unit as it enters the battle; `weapon` is the place of its first weapon, `sheet` that of its modes."""
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
    """Return the figures of a mode. ST-087."""
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
    """Return True for a weapon of an ordinary attack on one target; the core rules have no other. Ledger 6."""
    return not (weapon.is_remote or weapon.strip_in or weapon.circle_in)


def state_weapon(weapon: WeaponSpec, options: Options, *, stellar: bool = False) -> Weapon:
    """Return a weapon as it enters the battle; `stellar`: in space, where cannons don't fire indirectly. ST-099."""
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
        tag=TAGS[weapon.pen_tag] if weapon.pen else codes.NO_TAG,
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
    """Return a piece of the table; only area weapons can destroy a forest. ST-029, ST-347."""
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
    """Return hidden pieces for the wrecks of all Warships; the x of each holds its ship's number. ST-353."""
    return [
        Disc(codes.WRECK, -1.0 - at, 0.0, unit.size / 2, gone=1)
        for at, unit in enumerate(units)
        if unit.kind == codes.WARSHIP
    ]


def take_aboard(forces: Sequence[Sequence[BattleUnit]], units: Sequence[Unit]) -> None:
    """Put units that begin on board on the first Warship of their side. ST-203."""
    mustered = [each for force in forces for each in force]
    for unit, each in zip(units, mustered, strict=True):
        if each.spec.aboard:
            unit.status = codes.ABOARD
            unit.ship = next(
                at for at, ship in enumerate(units) if ship.kind == codes.WARSHIP and ship.side == unit.side
            )


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
        weapons.append(Weapon(usable=0))  # throws and crashes
        discs += hidden_wrecks(units)
        take_aboard(forces, units)
    return State(
        battle=Battle(
            count_a=len(forces[0]),
            count_b=len(forces[1]),
            discs=len(discs),
            points=len(table.points),
            advanced=int(options.is_advanced),
            special=len(weapons) - 1 if options.is_advanced else codes.NOBODY,
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
        faces=[Face() for _ in range(codes.POOL)],
        chances=[Chance(value) for value in distributions.chance_table()],
        memos=[Memo() for _ in range(codes.MEMOS)],
    )
