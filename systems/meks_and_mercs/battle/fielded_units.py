"""The units of a battle as their state holds them, and their autoplay orders. MM-A43."""

from __future__ import annotations

from dataclasses import dataclass

from systems.meks_and_mercs.battle import state as codes
from systems.meks_and_mercs.battle.state import (
    Fitting,
    Unit,
    Weapon,
)
from systems.meks_and_mercs.battle.units import apply_unit_orders
from systems.meks_and_mercs.build.datasheet_lines import Condition
from systems.meks_and_mercs.build.spec import MekSpec, mek_points
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.catalogue.types import SupportUnit
from systems.meks_and_mercs.catalogue.types import Weapon as CatalogueWeapon
from systems.meks_and_mercs.options import Options
from systems.orders import orders_of
from systems.roster import PilotSpec
from systems.setups import Setup, SetupUnit

FAMILIES = {"cannon": codes.CANNON, "laser": codes.LASER, "missile": codes.MISSILE, "small": codes.SMALL}

SYSTEM_BITS = {
    "targeting-array": codes.TARGETING_ARRAY,
    "data-link": codes.DATA_LINK,
    "jammer": codes.JAMMER,
    "director": codes.DIRECTOR,
    "point-defense": codes.POINT_DEFENSE,
    "phalanx": codes.PHALANX,
    "servo-boosters": codes.SERVO_BOOSTERS,
    "spaul-liner": codes.SPAUL_LINER,
    "jump-jets": codes.JUMP_JETS,
    "reactive-armor": codes.REACTIVE_ARMOR,
    "bpc-armor": codes.BPC_ARMOR,
    "space-lam-armor": codes.SPACE_LAM_ARMOR,
    "sensor-improved": codes.SENSOR_IMPROVED,
    "sensor-advanced": codes.SENSOR_ADVANCED,
    "masking": codes.MASKING,
    "heat-sink": codes.HEAT_SINK,
}
SKILL_BITS = {
    "accuracy": codes.ACCURACY,
    "guidance": codes.GUIDANCE,
    "steady-hand": codes.STEADY_HAND,
    "agility": codes.AGILITY,
    "maneuver": codes.MANEUVER,
    "tactics": codes.TACTICS,
    "pinpoint-attack": codes.PINPOINT_ATTACK,
    "gunnery": codes.GUNNERY,
    "damage-control": codes.DAMAGE_CONTROL,
    "ice-man": codes.ICE_MAN,
    "spoof": codes.SPOOF,
    "quick-draw": codes.QUICK_DRAW,
    "sharpshooter": codes.SHARPSHOOTER,
    "hawkeye": codes.HAWKEYE,
    "log-hero": codes.LOG_HERO,
}
KINDS = {"infantry": codes.INFANTRY, "commandos": codes.COMMANDOS}


@dataclass(frozen=True, slots=True)
class FieldedUnit:
    """A unit of a set-up: a Mek with its pilot, or a support unit."""

    unit: SetupUnit
    side: int
    name: str
    spec: MekSpec | None
    support: SupportUnit | None
    pilot: PilotSpec
    condition: Condition
    role: str = ""  # "": from the set-up; else "support", "scenario", "decoy" or "landing", see `extra_units`
    roll: int = -1  # the support roll of its side that may bring it
    is_new_pilot: bool = False  # hired for this game

    @property
    def chassis(self) -> str:
        """The size of a Mek, or the slug of a support unit."""
        if self.spec is not None:
            return self.spec.chassis
        assert self.support is not None
        return self.support.slug

    @property
    def weapons(self) -> tuple[CatalogueWeapon, ...]:
        """In slot order."""
        if self.spec is not None:
            return self.spec.armament
        assert self.support is not None
        return tuple(CATALOGUE.weapons[slug] for slug in self.support.weapons)

    @property
    def systems(self) -> tuple[str, ...]:
        """Slugs in slot order."""
        if self.spec is not None:
            return self.spec.systems
        assert self.support is not None
        return self.support.systems

    @property
    def full_hits(self) -> int:
        """Hits when undamaged; a strongpoint takes six kills (MM-065)."""
        if self.spec is not None:
            return self.spec.frame.hits
        assert self.support is not None
        return self.support.hits or (6 if self.support.slug == "infantry" else 1)


def ai_value(fielded: FieldedUnit, setup: Setup) -> int:
    """Return the points that the AI takes a unit to be worth. MM-A06.

    A Mek is worth its points under the house rules, a decoy those of the unit it looks like.
    """
    if fielded.spec is not None:
        return mek_points(fielded.spec, Options.read(setup.options))
    assert fielded.support is not None
    return fielded.support.worth


def margin_points(fielded: FieldedUnit, setup: Setup) -> int:
    """Return the points of a unit in a margin: 0 for a unit that the set-up doesn't name.

    On the map, where support costs nothing, only the company's Meks have any.
    """
    return 0 if fielded.role else ai_value(fielded, setup)


def state_unit(fielded: FieldedUnit, setup: Setup) -> Unit:
    systems, sinks = 0, 0
    for slot, slug in enumerate(fielded.systems):
        if slot not in fielded.condition.systems_lost:
            systems |= SYSTEM_BITS[slug]
            sinks += slug == "heat-sink"
    unit = Unit(
        side=fielded.side,
        systems=systems,
        sinks=sinks,
        full_hits=fielded.full_hits,
        arms=len(fielded.weapons),
        cost=margin_points(fielded, setup),
        price=ai_value(fielded, setup),
    )
    if (
        not fielded.role
        and fielded.side != codes.NOBODY
        and (told := orders_of(setup.sides[fielded.side], fielded.unit))
    ):
        apply_unit_orders(unit, told)
    if fielded.spec is None:
        support = fielded.support
        assert support is not None
        unit.kind = KINDS.get(support.slug, codes.VEHICLE)
        unit.hits = fielded.full_hits
        unit.armor = support.armor or 0
        unit.movement_dice = support.movement_dice
        unit.movement_bonus = support.movement_bonus
        return unit
    frame = fielded.spec.frame
    level = CATALOGUE.levels[fielded.pilot.experience]
    condition = fielded.condition
    unit.kind = codes.MEK
    unit.hits = frame.hits if condition.hits is None else condition.hits
    unit.armor = frame.armor
    unit.heat_rating = frame.heat_rating
    unit.movement_dice = frame.movement_dice
    unit.movement_bonus = frame.movement_bonus
    unit.level_movement = level.movement
    unit.level_to_hit = level.to_hit
    unit.legs = condition.legs
    unit.wounded = int(condition.wounded)
    unit.computers = int(condition.computers)
    unit.carried_heat = condition.carried_heat
    unit.dug_in = int(condition.dug_in)
    unit.damage_control_used = int(condition.damage_control_used)
    for slug in fielded.pilot.skills:
        skill = CATALOGUE.skills[slug]
        if skill.skill == "chassis-familiarity":
            if skill.chassis == frame.slug:
                unit.skills |= codes.FAMILIARITY
                unit.heat_rating += skill.heat_rating  # MM-058
        else:
            unit.skills |= SKILL_BITS[slug]
    return unit


def state_weapons(fielded: FieldedUnit) -> list[Weapon]:
    slots = []
    for slot, weapon in enumerate(fielded.weapons):
        numbers = [codes.OUT_OF_RANGE if number is None else number for number in weapon.numbers]
        if weapon.family == "small":
            numbers[0] = 0  # reaches Short, against infantry only (MM-050)
        slots.append(
            Weapon(
                pack=weapon.pack,
                family=FAMILIES[weapon.family],
                short=numbers[0],
                medium=numbers[1],
                long=numbers[2],
                heat=weapon.heat,
                dice=weapon.kills if weapon.family == "small" else weapon.dice,
                rerolls_miss=int(weapon.rerolls_miss),
                ignores_terrain=int(weapon.ignores_terrain),
                hammer=int(weapon.save_penalty > 0),
                ppc=int(weapon.rerolls_failed_critical_at_long),
                intact=int(slot not in fielded.condition.weapons_lost),
            )
        )
    return slots + [Weapon() for _ in range(codes.WEAPON_SLOTS - len(slots))]


def state_fittings(fielded: FieldedUnit) -> list[Fitting]:
    slots = [
        Fitting(system=SYSTEM_BITS[slug], intact=int(slot not in fielded.condition.systems_lost))
        for slot, slug in enumerate(fielded.systems)
    ]
    return slots + [Fitting() for _ in range(codes.FITTING_SLOTS - len(slots))]
