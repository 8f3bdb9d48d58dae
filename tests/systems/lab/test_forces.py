"""Random forces, with a check made up by the test."""

from systems.lab.random_builds import draw_force
from systems.legality import Check, Problem

POOL = {"light": 5, "heavy": 9, "giant": 40}


def _two_at_most(designs):
    problems = (Problem("X-1", "Two at most."),) if len(designs) > 2 else ()
    return Check(sum(POOL[each] for each in designs), problems)


def test_random_force_is_legal_near_points_and_repeatable():
    force = draw_force(_two_at_most, POOL, points=19, seed=1)
    assert force is not None
    assert (force.designs, force.points) == (("heavy", "heavy"), 18)
    assert draw_force(_two_at_most, POOL, points=19, seed=1) == force


def test_kept_unit_is_in_force():
    force = draw_force(_two_at_most, POOL, kept=["light"], points=19, seed=1)
    assert force is not None
    assert sorted(force.designs) == ["heavy", "light"]


def test_other_side_or_seed_gives_other_force():
    def any_number(designs):
        return Check(sum(POOL[each] for each in designs))

    drawn = {
        force.designs
        for seed in range(4)
        for side in range(2)
        if (force := draw_force(any_number, POOL, points=33, seed=seed, side=side)) is not None
    }
    assert len(drawn) > 2


def test_no_legal_force_returns_none():
    def never(designs):
        return Check(sum(POOL[each] for each in designs), (Problem("X-2", "Never."),))

    assert draw_force(never, POOL, points=19, seed=1) is None
    assert draw_force(_two_at_most, POOL, points=4, seed=1) is None
    assert draw_force(_two_at_most, POOL, kept=["giant"], points=19, seed=1) is None
