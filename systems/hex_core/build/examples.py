"""The machines available to all players, as specs."""

from systems.hex_core.catalogue.types import ExampleUnit

from .spec import HeldShield, MachineSpec, MountedWeapon


def example_spec(unit: ExampleUnit) -> MachineSpec:
    return MachineSpec(
        core=unit.core,
        srm=unit.srm,
        armour=unit.armour,
        weapons=tuple(MountedWeapon(each.weapon, each.place) for each in unit.weapons),
        shields=(HeldShield(unit.shield),) if unit.shield else (),
        drones=unit.drones,
        royroy=unit.royroy,
        systems=unit.systems,
        mods=unit.mods,
        traits=unit.traits,
    )
