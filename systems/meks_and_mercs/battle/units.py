"""The units of a battle and their autoplay orders, as stored in the state. MM-A43."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from systems.meks_and_mercs.battle import state as codes
from systems.meks_and_mercs.battle.state import Fitting, Unit, Weapon
from systems.meks_and_mercs.build.datasheet_lines import Condition
from systems.meks_and_mercs.build.spec import MekSpec, mek_points
from systems.meks_and_mercs.catalogue import CATALOGUE, Scenario, SupportUnit
from systems.meks_and_mercs.catalogue import Weapon as CatalogueWeapon
from systems.meks_and_mercs.options import Options
from systems.orders import AutoplayOrder, GivenOrders, orders_of
from systems.roster import PilotSpec
from systems.setups import Setup, SetupUnit

RULE = "MM-A43"
SET_UP, MOVING, FIGHT, FIRE = "Set-up", "Movement on the map", "Movement in a fight", "Fire and heat"
RANGES = {"short": codes.SHORT, "medium": codes.MEDIUM, "long": codes.LONG}
TARGETS = {
    "dearest": codes.DEAREST,
    "cheapest": codes.CHEAPEST,
    "weakest": codes.WEAKEST,
    "toughest": codes.TOUGHEST,
    "nearest": codes.NEAREST,
}
HEAT = {"cool": codes.COOL, "hot": codes.HOT}
MAX_HITS = 6
_ZONES = tuple((f"zone-{zone}", f"Zone {zone}") for zone in range(1, codes.LAST_ZONE + 1))
START = AutoplayOrder(
    name="start", label="Starts in", phase=SET_UP, phrase="starts in {}", rule="MM-013", choices=_ZONES, of_a_unit=True,
    about="Only if the scenario leaves it open.",
)  # fmt: skip
MOVE = AutoplayOrder(
    name="move",
    label="Movement",
    phase=MOVING,
    phrase="{}",
    rule=RULE,
    choices=(
        ("hold", "Stays where it is"),
        ("hunt", "Goes for the nearest enemy"),
        ("leave", "Heads for an exit"),
        *((value, f"Goes to zone {value[-1]} and holds it") for value, _ in _ZONES),
    ),
    about="It won't stop to help a friend.",
)
UNTIL = AutoplayOrder(
    name="until", needs="move", label="Until turn", phase=MOVING, phrase="until turn {}", rule=RULE, most=99, zero="until the end of the game",
    about="After that, its AI style decides. 0: until the end of the game.",
)  # fmt: skip
ORDERS: Sequence[AutoplayOrder] = (
    START,
    MOVE,
    UNTIL,
    AutoplayOrder(
        name="range", label="Range", phase=FIGHT, phrase="{} if it can", rule=RULE,
        choices=(("short", "Closes to Short"), ("medium", "Keeps at Medium"), ("long", "Keeps away at Long")),
    ),
    AutoplayOrder(
        name="retreat", label="Breaks contact at Hits left", phase=FIGHT, phrase="breaks contact when its Hits are down to {}", rule=RULE,
        most=MAX_HITS, zero="never breaks contact", about="0: never.",
    ),
    AutoplayOrder(
        name="preserve", label="Pilot", phase=FIGHT, phrase="{}", rule=RULE,
        choices=(("pilot", "Pilot safety: breaks contact as soon as it takes any damage"),),
    ),
    AutoplayOrder(
        name="target", label="Target", phase=FIRE, phrase="aims at {}", rule=RULE,
        choices=(
            ("dearest", "The most expensive"),
            ("cheapest", "The cheapest"),
            ("weakest", "The one with the fewest Hits left"),
            ("toughest", "The one with the most Hits left"),
            ("nearest", "The nearest"),
        ), about="Only enemies that its fire can hurt.",
    ),
    AutoplayOrder(
        name="heat", label="Heat", phase=FIRE, phrase="{}", rule=RULE,
        choices=(("cool", "Never exceeds its heat rating"), ("hot", "Fires 1 above it if that does more damage")),
    ),
)  # fmt: skip
ON_THE_MAP = frozenset({"start", "move", "until"})


def available_orders(scenario: Scenario | None, side: int) -> Sequence[AutoplayOrder]:
    """Return the orders available to a side.

    In one zone there are no map orders; on the map only existing zones and exits can be chosen.
    """
    if scenario is None:
        return tuple(order for order in ORDERS if order.name not in ON_THE_MAP)
    terms = (scenario.attacker, scenario.defender)[side]
    zones = {f"zone-{zone}" for step in terms.setup for zone in step.zones}
    found: list[AutoplayOrder] = []
    for order in ORDERS:
        if order is START:
            if terms.arrival is None and len(zones) > 1:
                found.append(order.limited(zones))
        elif order is MOVE and not scenario.exit_zones:
            found.append(order.limited(value for value, _ in order.choices if value != "leave"))
        else:
            found.append(order)
    return tuple(found)


def apply_unit_orders(unit: Unit, given: GivenOrders) -> None:
    """Write a unit's orders into its state, except for start and movement, which belong to the map."""
    unit.has_orders = 1
    if "range" in given:
        unit.ordered_range = RANGES[str(given["range"])] + 1
    if "retreat" in given:
        unit.ordered_retreat = int(given["retreat"]) + 1
    unit.ordered_target = TARGETS.get(str(given.get("target", "")), 0)
    unit.ordered_heat = HEAT.get(str(given.get("heat", "")), 0)
    if "preserve" in given:
        unit.ordered_preserve = 1
        unit.ordered_heat = unit.ordered_heat or codes.COOL


def apply_movement_order(unit: Unit, given: GivenOrders) -> None:
    """Write a unit's movement order and what follows it into its state, in a game on the map."""
    move = str(given.get("move", ""))
    if not move:
        return
    unit.ordered_move, unit.ordered_until = 1, int(given.get("until", 0))
    unit.later_order, unit.later_goal = unit.order, unit.goal
    if move in ("hold", "hunt", "leave"):
        unit.order, unit.goal = {"hold": codes.HOLD, "hunt": codes.HUNT, "leave": codes.RUN}[move], 0
    else:
        unit.order, unit.goal = codes.ASSAULT, int(move.removeprefix("zone-"))


def start_zone_of(given: GivenOrders) -> int:
    """Return the zone in which a unit is ordered to start; 0: the AI chooses."""
    return int(str(given["start"]).removeprefix("zone-")) if "start" in given else 0


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
    """A set-up's unit: a Mek with its pilot, or a support unit."""

    unit: SetupUnit
    side: int
    name: str
    spec: MekSpec | None
    support: SupportUnit | None
    pilot: PilotSpec
    condition: Condition
    role: str = ""  # "": from the set-up; otherwise "support", "scenario", "decoy" or "landing", see `extra_units`
    roll: int = -1  # the side's support roll that may bring it
    is_new_pilot: bool = False  # hired for this game

    @property
    def chassis(self) -> str:
        """The size of a Mek, or a support unit's slug."""
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
    """Return what a unit is worth to the AI, in points. MM-A06.

    A Mek is worth its points under the house rules, a decoy as much as the unit it looks like.
    """
    if fielded.spec is not None:
        return mek_points(fielded.spec, Options.read(setup.options))
    assert fielded.support is not None
    return fielded.support.worth


def margin_points(fielded: FieldedUnit, setup: Setup) -> int:
    """Return a unit's points in a margin: 0 for a unit that the set-up doesn't name.

    On the map, where support is free, only the company's Meks have any.
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
        and (orders := orders_of(setup.sides[fielded.side], fielded.unit))
    ):
        apply_unit_orders(unit, orders)
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
