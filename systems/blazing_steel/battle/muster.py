"""The state before a battle's first die, from builds, AI styles, map and house rules."""

from __future__ import annotations

from collections.abc import Sequence

from systems.blazing_steel.battle import distributions
from systems.blazing_steel.battle import state as codes
from systems.blazing_steel.battle.presets import AI_STYLES
from systems.blazing_steel.battle.state import Battle, Chance, Disc, Face, Look, Order, Side, State, Unit, Weapon
from systems.blazing_steel.build.spec import MAGAZINE, WEAPON_SLOTS, WarmechSpec, slot_mount
from systems.blazing_steel.build.tables import Table
from systems.blazing_steel.catalogue.types import MELEE_WEAPON
from systems.blazing_steel.options import Options

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
    """Return a Warmech as it enters the battle; the rules add the effects of locomotion and a peripheral."""
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
    """Return the blocks and woods of a table. The hill is only its marker. BS-D36."""
    return [Disc(codes.BLOCK, float(x), float(y), float(radius)) for x, y, radius in table.blocks] + [
        Disc(codes.WOODS, float(x), float(y), float(radius)) for x, y, radius in table.woods
    ]


def build_state(
    forces: Sequence[Sequence[WarmechSpec]], doctrines: Sequence[str], table: Table, options: Options
) -> State:
    """Return the state before the first die."""
    discs = discs_of(table)
    units = [state_unit(spec, side) for side, force in enumerate(forces) for spec in force]
    chances = distributions.chance_table(options.counts_effective_dice)
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
