"""The compiled run keeps its memory until it returns."""

import importlib

import numpy as np

from systems import battle_rules
from systems.battle import BattleSystem
from systems.engine import runner
from systems.reading import read_setup
from tests.battles.builders import duel


def test_compiled_run_holds_its_arrays_to_the_end():
    system = battle_rules("meks-and-mercs")
    setup = read_setup(duel())
    template = system.prepare(setup)
    rules = runner.compiled(system.slug, system.records, tuple(system.rules), system.called)
    parts = zip(runner.records_of(system.records).items(), template, strict=True)
    arrays = [runner.as_array([part] if name == "battle" else part, record) for (name, record), part in parts]
    battle, units = (np.zeros(count, runner.dtype_of(kind)) for count, kind in _tallies(system, len(template.units)))
    held = rules.run(
        *arrays, np.uint64(1), np.uint64(0), 1, 0, 0, np.uint64(0), np.uint64(0), battle, units, np.zeros(1, np.int64)
    )
    # Arrays are freed after their last use. Reading every length after the last battle keeps them alive.
    assert held == sum(len(array) for array in arrays)


def _tallies(system: BattleSystem, units: int) -> tuple[tuple[int, type], tuple[int, type]]:
    module = importlib.import_module(system.rules[-1])
    return (1, module.BattleTally), (units, module.UnitTally)
