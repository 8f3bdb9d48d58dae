"""A visitor's first battle is even in every game: the odds of the two lists that the home page proposes."""

import pytest

from battles.choices import even_forces, first_doctrines, published_forces, terrain_choices
from battles.services.setups import force_side, setup_document
from systems import BATTLES, battle_rules
from systems.reading import read_setup
from systems.simulation.odds import tally

SEED, RUNS = 1, 2_000  # a standard error of about one point in a hundred


@pytest.mark.parametrize("system", BATTLES)
def test_first_battle_has_near_even_odds(system, compiled_rules):
    rules = battle_rules(system)
    sides = [
        force_side(force, style) for force, style in zip(even_forces(system), first_doctrines(system), strict=True)
    ]
    terrain = next((slug for slug, _ in terrain_choices(system)), rules.printed)
    setup = read_setup(setup_document(system=system, terrain=terrain, sides=sides)[0])
    counts = tally(setup, SEED, 0, RUNS).battle
    shares = [counts[f"{side}_wins"] / counts["battles"] for side in ("attacker", "defender")]
    assert all(0.35 <= share <= 0.65 for share in shares), shares


def test_game_without_even_forces_proposes_the_nearest(monkeypatch):
    monkeypatch.setattr(battle_rules("hex-core"), "even_forces", ())
    first, second = even_forces("hex-core")
    points = [force.points for force in published_forces("hex-core").values()]
    nearest = min(after - before for before, after in zip(points, points[1:], strict=False))
    assert second.points - first.points == nearest
