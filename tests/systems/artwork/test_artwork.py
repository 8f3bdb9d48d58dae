"""Drawings of units: each build looks different, stays in its frame, and is always drawn the same."""

from __future__ import annotations

import dataclasses
import gc
from typing import Any

import pytest

from systems import roster_rules
from systems.artwork import CACHE_SIZE, Drawing, drawing, marks_of, svg_paths
from systems.artwork.arms import KINDS, NAMED_KINDS, kinds_named
from systems.artwork.canvas import FRAME, FULL, Body, Mark, Mounted
from systems.artwork.gear import KINDS as GEAR
from tests.example_shares import share
from tests.systems.artwork.builds import DRAWN, legal_builds, published, weapons_apart


def draw_unit(system: str, spec: Any, condition: dict[str, object] | None = None) -> Drawing:
    body = roster_rules(system).body(spec, condition or {})
    assert body is not None
    return drawing(body)


def figure(made: Drawing) -> tuple[Mark, ...]:
    """Return the unit's marks without the ruler under it."""
    return made.marks[:-2]


def is_within(made: Drawing) -> bool:
    return all(
        0 <= number <= FRAME for mark in made.marks for line in mark.outlines for point in line for number in point
    )


def marks_alive() -> int:
    return sum(type(each) is Mark for each in gc.get_objects())  # touches no weak proxy


@pytest.mark.parametrize("system", DRAWN)
def test_drawn_game_draws_all_published_units(system: str) -> None:
    assert all(roster_rules(system).body(spec) for spec in published(system).values())


@pytest.mark.parametrize("system", DRAWN)
def test_published_units_of_game_look_different_even_as_chits(system: str) -> None:
    for level in range(3):
        made = {name: svg_paths(draw_unit(system, spec), level) for name, spec in published(system).items()}
        assert len(set(made.values())) == len(made)


@share(30, 200)
@pytest.mark.parametrize("system", DRAWN)
def test_legal_builds_look_different_and_stay_in_frame(system: str, examples: int) -> None:
    specs = [*published(system).values(), *legal_builds(system, examples)]
    created = [draw_unit(system, spec) for spec in dict.fromkeys(specs)]
    assert len(created) > len(published(system))
    assert len({each.marks for each in created}) == len(created)
    assert [each.digest for each in created if not is_within(each)] == []


@pytest.mark.parametrize(("system", "specs"), list(weapons_apart()))
def test_each_weapon_changes_drawing(system: str, specs: list[Any]) -> None:
    assert len({figure(draw_unit(system, spec)) for spec in specs}) == len(specs)


def test_same_build_is_drawn_same_without_cache() -> None:
    spec = published("meks-and-mercs")["THOR"]
    before = draw_unit("meks-and-mercs", spec).marks
    drawing.cache_clear()
    marks_of.cache_clear()
    assert draw_unit("meks-and-mercs", spec).marks == before


def test_cache_keeps_marks_of_few_units() -> None:
    spec = published("mechastellar")["Green Viking"]
    crowd = [draw_unit("mechastellar", dataclasses.replace(spec, hp=5000 + 100 * at)) for at in range(CACHE_SIZE + 12)]
    marks_of.cache_clear()
    before = marks_alive()
    for each in crowd:
        svg_paths(each, FULL)
    assert marks_alive() - before == sum(len(marks_of(each.body, FULL)) for each in crowd[-CACHE_SIZE:])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("frame", ["walker", "robot", "tank", "jet"])
@pytest.mark.each_value
def test_every_weapon_kind_fits_every_frame(kind: str, frame: Any) -> None:
    places = ("right-arm", "left-shoulder", "chest", "back", "left-leg", "turret", "hull")
    bare = drawing(Body(frame=frame))
    armed = drawing(Body(frame=frame, mounted=tuple(Mounted(kind, place) for place in places)))
    assert is_within(armed)
    assert figure(armed) != figure(bare)


@pytest.mark.parametrize("kind", GEAR)
def test_every_system_changes_drawing(kind: str) -> None:
    for frame in ("walker", "robot"):
        made = drawing(Body(frame=frame, gear=(kind,)))  # type: ignore[arg-type]
        assert is_within(made)
        assert figure(made) != figure(drawing(Body(frame=frame)))  # type: ignore[arg-type]


def test_second_weapon_adds_marks() -> None:
    one, two = (Body(frame="walker", mounted=(Mounted("cannon", "right-arm"),) * count) for count in (1, 2))
    assert len(drawing(two).marks) > len(drawing(one).marks)


def test_crippled_parts_are_hatched() -> None:
    spec = published("meks-and-mercs")["THOR"]
    assert {mark.kind for mark in draw_unit("meks-and-mercs", spec).marks} & {"hurt"} == set()
    lost = draw_unit("meks-and-mercs", spec, {"weapons_lost": [0]})
    gone = draw_unit("meks-and-mercs", spec, {"hits": 0})
    counts = [sum(mark.kind == "hurt" for mark in each.marks) for each in (lost, gone)]
    assert 0 < counts[0] < counts[1]


def test_smaller_drawing_has_fewer_marks() -> None:
    made = draw_unit("meks-and-mercs", published("meks-and-mercs")["ODIN"])
    counts = [len(list(made.seen(level))) for level in range(FULL + 1)]
    assert counts == sorted(set(counts))


def test_heavier_unit_is_drawn_larger() -> None:
    light, heavy = (drawing(Body(frame="walker", bulk=bulk)).bounds[2] for bulk in (0.0, 1.0))
    assert heavy > light


def test_fact_without_shape_changes_only_ruler() -> None:
    body = Body(frame="walker", facts=("a",))
    one, other = drawing(body), drawing(dataclasses.replace(body, facts=("b",)))
    assert figure(one) == figure(other)
    assert one.marks != other.marks


def test_weapon_kinds_are_found_by_players_names() -> None:
    assert kinds_named("Twin autocannon, rocket pod and claw") == ("autocannon", "rocket-pod", "claw")
    assert kinds_named("a big stick") == ()
    assert {kind for _, kind in NAMED_KINDS} <= set(KINDS)


@pytest.mark.parametrize("figure", ["barrier", "level"])
def test_profile_beyond_limits_has_no_extra_marks(figure: str) -> None:
    crawler = published("mechastellar")["Tankcrawler"]
    most, past = (
        draw_unit("mechastellar", dataclasses.replace(crawler, **{figure: value}))
        for value in ({"barrier": 5, "level": 2}[figure], 100_000)
    )
    assert len(past.marks) == len(most.marks)


def test_game_without_drawings_has_no_bodies() -> None:
    from tests.toy import GAME

    spec = next(iter(GAME.roster.published.values())).spec
    assert GAME.roster.body(spec) is None
    assert GAME.roster.support_body("tank") is None
