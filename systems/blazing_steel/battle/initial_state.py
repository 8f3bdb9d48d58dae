"""The state before a battle's first die, the AI styles and the AI's chance tables (ledger 6.2, 6.3, 9).

The AI styles are Muster's own, so they aren't in the catalogue. The chances are exact; `chance_table` holds every one
that `ai_values` needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from systems.blazing_steel.battle import state as codes
from systems.blazing_steel.battle.state import (
    MAX_DEFENCE,
    MAX_DICE,
    MAX_HEAT,
    MAX_SHOTS,
    OVERHEAT,
    TNS,
    Battle,
    Chance,
    Disc,
    Face,
    Look,
    Order,
    Side,
    State,
    Unit,
    Weapon,
)
from systems.blazing_steel.build.drawing import Table
from systems.blazing_steel.build.spec import MAGAZINE, WEAPON_SLOTS, WarmechSpec, slot_mount
from systems.blazing_steel.catalogue import MELEE_WEAPON
from systems.blazing_steel.options import Options


@dataclass(frozen=True, slots=True, kw_only=True)
class AIStyle:
    """The weights of an AI style; `state.Side` explains each number."""

    title: str
    offence: float
    defence: float
    objective: float
    heat_limit: float
    heat_aversion: float
    deploy_moves: int


AI_STYLES: Mapping[str, AIStyle] = {
    "aggressive": AIStyle(
        title="Aggressive",
        offence=0.7,
        defence=0.2,
        objective=0.8,
        heat_limit=0.30,
        heat_aversion=0.3,
        deploy_moves=2,
    ),
    "cautious": AIStyle(
        title="Cautious",
        offence=0.7,
        defence=0.6,
        objective=0.4,
        heat_limit=0.25,
        heat_aversion=0.5,
        deploy_moves=1,
    ),
}


Ways = Mapping[int, int]  # result of the dice -> number of equally likely ways
NO_DICE: Ways = {0: 1}


def die_ways(tn: int, smoke: bool) -> Ways:
    """Return the number of ways for each face of a die; smoke makes an effective die reroll. BS-175, BS-AR05."""
    return {face: tn + (6 if face > tn else 0) if smoke else 1 for face in range(1, 7)}


@cache
def total_ways(dice: int, tn: int, smoke: bool = False) -> Ways:
    """Return the number of ways for each total of `dice` dice. BS-091, BS-092, BS-AR05."""
    states: Counter[tuple[int, int]] = Counter({(0, 0): 1})  # highest effective die, and number of effective dice
    for _ in range(dice):
        before, states = states, Counter()
        for ((highest, count), ways), (face, more) in product(before.items(), die_ways(tn, smoke).items()):
            after = (max(highest, face), count + 1) if face <= tn else (highest, count)
            states[after] += ways * more
    found: Counter[int] = Counter()
    for (highest, count), ways in states.items():
        found[highest + count - 1 if count else 0] += ways
    return found


def effective_ways(dice: int, tn: int, smoke: bool = False) -> Ways:
    """Return the number of ways for each count of effective dice."""
    faces = die_ways(tn, smoke)
    yes = sum(ways for face, ways in faces.items() if face <= tn)
    no = sum(faces.values()) - yes
    found: Counter[int] = Counter({0: 1})
    for _ in range(dice):
        before, found = found, Counter()
        for count, ways in before.items():
            found[count] += ways * no
            found[count + 1] += ways * yes
    return found


def result_chances(ways: Ways) -> Mapping[int, Fraction]:
    """Return the chance of each result."""
    every = sum(ways.values())
    return {number: Fraction(count, every) for number, count in ways.items()}


def hit_ways(dice: int, attack: Ways, defence: Ways = NO_DICE) -> Ways:
    """Return the number of ways for 0, 1, 2 ... hits of an attack, except ties of two shots. BS-093, BS-125, BS-138."""
    found: Counter[int] = Counter(dict.fromkeys(range(dice + 1), 0))
    for (total, ways), (against, more) in product(attack.items(), defence.items()):
        found[min(max(0, total - against), dice)] += ways * more
    return found


def tie_chance(attack: Ways, defence: Ways) -> Fraction:
    """Return the chance that two shots tie above 0, so that both hit. BS-126."""
    ways = sum(count * defence.get(total, 0) for total, count in attack.items() if total > 0)
    return Fraction(ways, sum(attack.values()) * sum(defence.values()))


def mean_result(ways: Ways) -> Fraction:
    """Return the average of a distribution."""
    return Fraction(sum(number * count for number, count in ways.items()), sum(ways.values()))


@cache
def heat_weights(dice: int, sinks: bool) -> Ways:
    """Return the ways for each weight of heat dice; improved heat sinks remove rolled 1s. BS-101, BS-105."""
    weights = [0 if sinks and face == 1 else 1 << (face - 1) for face in range(1, 7)]
    return Counter(sum(rolled) for rolled in product(weights, repeat=dice))


def overheat_chance(heat: int, dice: int, sinks: bool = False) -> Fraction:
    """Return the chance to overheat with `dice` new dice added to this weight. BS-103, BS-105, BS-106, BS-AR11."""
    if dice == 0:
        return Fraction(0)
    ways = sum(count for weight, count in heat_weights(dice, sinks).items() if heat + weight >= OVERHEAT)
    return Fraction(ways, 6**dice)


@cache
def chance_table(effective_dice: bool) -> Sequence[float]:
    """Return all numbers that the AI looks up, in the order of the state's constants.

    They are expected hits, ties, smoke and overheating. `effective_dice`: the house rule by which an unanswered attack
    hits with every effective die.
    """

    def unanswered(dice: int, tn: int, smoke: bool = False) -> float:
        counts = effective_ways(dice, tn, smoke) if effective_dice else hit_ways(dice, total_ways(dice, tn, smoke))
        return float(mean_result(counts))

    shots = range(1, MAX_SHOTS + 1)
    found = [
        float(mean_result(hit_ways(dice, total_ways(dice, tn), total_ways(defence, defence_tn))))
        if defence
        else unanswered(dice, tn)
        for dice, tn, defence, defence_tn in product(
            range(1, MAX_DICE + 1), range(TNS), range(MAX_DEFENCE + 1), range(TNS)
        )
    ]
    found += [
        float(tie_chance(total_ways(dice, tn), total_ways(other_dice, other_tn)))
        for dice, tn, other_dice, other_tn in product(shots, range(TNS), shots, range(TNS))
    ]
    found += [unanswered(dice, tn, smoke=True) for dice, tn in product(shots, range(TNS))]
    found += [
        float(overheat_chance(heat, dice, sinks))
        for sinks, heat, dice in product((False, True), range(OVERHEAT), range(MAX_HEAT + 1))
    ]
    return found


LOCOMOTION = {"bipedal": codes.BIPEDAL, "quadruped": codes.QUADRUPED, "tracked": codes.TRACKED}
PERIPHERALS = {
    "targeting-scope": codes.SCOPE,
    "combat-gyros": codes.GYROS,
    "booster-jets": codes.BOOSTERS,
    "agility-suite": codes.AGILITY,
    "coolant-rods": codes.RODS,
    "smoke-canisters": codes.CANISTERS,
    "optical-camo": codes.CAMO,
    MAGAZINE: codes.MAGAZINE,
}
MOUNTS = {
    "mount-arm-left": codes.ARM_LEFT,
    "mount-arm-right": codes.ARM_RIGHT,
    "mount-core": codes.CORE,
    "mount-shoulder": codes.SHOULDER,
}


def state_unit(spec: WarmechSpec, side: int) -> Unit:
    """Return a Warmech as it enters the battle; the rules add the effects of locomotion and peripheral."""
    frame = spec.frame
    return Unit(
        side=side,
        cost=spec.points,
        radius=spec.base.radius_h / 100,
        locomotion=LOCOMOTION[spec.locomotion],
        move=frame.move_in,
        sprint=frame.sprint_in,
        jump=frame.jump_in,
        dodge=frame.dodge,
        melee=frame.melee,
        armor=frame.armor,
        full_structure=frame.structure,
        structure=frame.structure,
        strike_ap=spec.strike.ap,
        strike_damage=spec.strike.damage,
        sinks=int(frame.has_improved_sinks),
        peripheral=PERIPHERALS.get(spec.p1, codes.NO_PERIPHERAL),
    )


def state_weapon(spec: WarmechSpec, slot: str, options: Options) -> Weapon:
    """Return the contents of a slot. BS-012, BS-073, BS-074, BS-113."""
    mount = slot_mount(slot, options)
    assert mount is not None
    if spec.option(slot) == MELEE_WEAPON:
        return Weapon(kind=codes.BLADE, mount=MOUNTS[mount.slug])
    gun = spec.weapon(slot)
    if gun is None:
        return Weapon(mount=MOUNTS[mount.slug])
    printed = gun.ammo or 0
    loaded = spec.ammo(slot) or 0
    return Weapon(
        kind=codes.GUN,
        mount=MOUNTS[mount.slug],
        range=gun.range_in,
        rof=gun.rof,
        impact=gun.impact,
        damage=gun.damage,
        ap=gun.ap,
        limited=int(gun.ammo is not None),
        printed=printed,
        magazine=loaded - printed,
        ammo=loaded,
        indirect=int(gun.is_indirect),
        short=int(gun.is_short),
        flak=int(gun.is_flak),
        energy=int(gun.is_energy),
        overcharge=int(gun.overcharges),
        munition=int(gun.is_munition),
        guided=int(gun.is_guided),
    )


def state_side(doctrine: str, force: Sequence[WarmechSpec]) -> Side:
    """Return a side with its AI style. Ledger 6.3."""
    preset = AI_STYLES[doctrine]
    return Side(
        offence=preset.offence,
        defence=preset.defence,
        objective=preset.objective,
        heat_limit=preset.heat_limit,
        heat_aversion=preset.heat_aversion,
        deploy_moves=preset.deploy_moves,
        points=sum(spec.points for spec in force),
    )


def discs_of(table: Table) -> list[Disc]:
    """Return the blocks and woods of a table. Of the hill only the marker matters. BS-D36."""
    return [Disc(codes.BLOCK, float(x), float(y), float(radius)) for x, y, radius in table.blocks] + [
        Disc(codes.WOODS, float(x), float(y), float(radius)) for x, y, radius in table.woods
    ]


def build_state(
    forces: Sequence[Sequence[WarmechSpec]], doctrines: Sequence[str], table: Table, options: Options
) -> State:
    """Return the state before the first die."""
    discs = discs_of(table)
    units = [state_unit(spec, side) for side, force in enumerate(forces) for spec in force]
    chances = chance_table(options.counts_effective_dice)
    return State(
        battle=Battle(
            count_a=len(forces[0]),
            count_b=len(forces[1]),
            discs=len(discs),
            table=float(table.size),
            hill_x=float(table.marker[0]),
            hill_y=float(table.marker[1]),
            round_limit=options.rounds,
            most_activations=options.max_activations,
            cool_second=int(options.cools_second),
            contact_first=int(options.contact_in_one),
            effective_dice=int(options.counts_effective_dice),
            impact_on_all=int(options.impact_on_all),
            immobile=int(options.biped_stands),
            kills_each=int(options.kills_per_warmech),
        ),
        sides=[state_side(doctrine, force) for doctrine, force in zip(doctrines, forces, strict=True)],
        units=units,
        weapons=[state_weapon(spec, slot, options) for force in forces for spec in force for slot in WEAPON_SLOTS],
        orders=[Order(), Order()],
        discs=discs or [Disc()],
        faces=[Face() for _ in range(codes.FACES)],
        looks=[Look() for _ in units],
        chances=[Chance(value) for value in chances],
    )
