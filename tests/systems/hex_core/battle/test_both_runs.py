"""The compiled rules fight every battle as the plain ones do, and any record verifies."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from systems.hex_core.battle import SYSTEM
from systems.hex_core.catalogue import CATALOGUE
from systems.simulation.odds import tally_with_prints
from systems.simulation.records import resolve, verify
from tests.systems.hex_core.any_battle import hex_core_setups

from .tables import setup, squad

EVERYWHERE = [(mission, terrain) for mission in CATALOGUE.missions for terrain in CATALOGUE.maps]
SIDES = (("line", "skyhook"), ("raiders", "anvil"))


@pytest.mark.parametrize(("mission", "terrain"), EVERYWHERE)
@pytest.mark.each_value
def test_both_runs_agree_on_every_map_and_mission(mission, terrain):
    a, b = SIDES[EVERYWHERE.index((mission, terrain)) % 2]
    given_setup = setup(squad(a), squad(b), doctrines=("aggressive", "cautious"), mission=mission, terrain=terrain)
    assert tally_with_prints(given_setup, 3, 0, 1) == tally_with_prints(given_setup, 3, 0, 1, compiled=False)


def are_the_same(given_setup, battles):
    """Fight this many battles in both runs and compare them one by one."""
    SYSTEM.check_setup(given_setup)
    checked = tally_with_prints(given_setup, 5, 0, battles, boundscheck=True)
    assert checked == tally_with_prints(given_setup, 5, 0, battles, compiled=False)


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(hex_core_setups())
def test_random_battles_agree_in_both_runs(given_setup):
    are_the_same(given_setup, 1)


@pytest.mark.proof
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(hex_core_setups())
def test_2000_random_battles_agree_in_both_runs(given_setup):
    """Fight five battles of each set-up.

    The set-ups include raised woods and smoke, buildings on any ground, flyers in Retrieval, and two-handed weapons in
    one hand.
    """
    are_the_same(given_setup, 5)


@pytest.mark.proof
def test_1000_records_verify():
    for seed in range(1_000):
        mission, terrain = EVERYWHERE[seed % len(EVERYWHERE)]
        a, b = SIDES[seed % 2]
        given_setup = setup(squad(a)[:2], squad(b)[:2], mission=mission, terrain=terrain)
        assert verify(resolve(given_setup, seed).text()) is None
