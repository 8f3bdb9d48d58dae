"""The drawn country of a campaign: neighbours, labels, and equal drawings for equal input."""

import re
from dataclasses import replace
from itertools import combinations

import pytest

from campaigns.campaign.services import MAX_RING, MIN_RING
from campaigns.standings.selectors import TerritoryRow
from campaigns.territories.drawing import SIGN_SIZE, map_drawing
from campaigns.territories.layout import SIZE, Shape, build_country
from campaigns.territories.selectors import neighbours, neighbours_by_shape

SHAPES = [("zones", 9), *(("ring", count) for count in range(MIN_RING, MAX_RING + 1))]
STAR = {1: (2, 3, 4, 5, 6, 7)}
SPLIT = {1: (2,), 3: (4, 5), 6: (1,)}  # 7 has no neighbours
OWN = [("ring", 7, STAR), ("ring", 7, SPLIT), ("zones", 9, {1: (9,), 2: (3, 5)}), ("ring", 12, {1: (7,), 2: (8, 3)})]


def places(count, own=None, *, name="The Marshes", holders=0, **fields):
    return [
        TerritoryRow(
            id=at,
            position=at,
            name=f"{name} {at}",
            neighbours=(own or {}).get(at, ()),
            **({"holder": at, "holder_name": f"Lancers {at}", "colour": "#1f6e5f"} if at <= holders else {}),
            **fields,
        )
        for at in range(1, count + 1)
    ]


def neighbouring_pairs(kind, rows):
    """Return the neighbouring pairs by the rules, the lower position first."""
    beside = neighbours(kind, {row.position: row.neighbours for row in rows})
    return {(at, other) for at, near in beside.items() for other in near if other > at}


@pytest.mark.parametrize("positions", [(1, 2, 4), (0, 1, 2, 3), (2, 5, 9, 40, 100)])
@pytest.mark.parametrize("kind", ["ring", "zones", "none"])
def test_map_with_any_positions_is_drawn(kind, positions):
    """A club's document may number them with gaps, and from 0."""
    rows = [replace(row, position=at) for row, at in zip(places(len(positions)), positions, strict=True)]
    drawing = map_drawing(kind, rows)
    number = {at: place for place, at in enumerate(positions, 1)}
    beside = neighbours(kind, {row.position: row.neighbours for row in rows})
    wanted = {(at, other) for at in positions for other in beside.get(at, ()) if other > at and other in number}
    joined = drawn(drawing)
    assert joined <= {(number[at], number[other]) for at, other in wanted}
    assert len(joined) + len(drawing.ways) == len(wanted)


@pytest.mark.parametrize("kind", ["ring", "zones"])
def test_largest_possible_map_is_drawn(kind):
    drawing = map_drawing(kind, places(100, {1: (50,)}))
    assert all(spot.path for spot in drawing.spots)
    assert len(drawing.spots) == 100


def corners(path):
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]


def sides(path):
    """Return the sides of an outline, regardless of direction."""
    found = set()
    for line in path.split("M")[1:]:
        points = corners(line)
        found |= {frozenset(side) for side in zip(points, [*points[1:], points[0]], strict=True)}
    return found


def drawn(drawing):
    """Return the pairs of positions that share a border in the drawing."""
    found = [sides(spot.path) for spot in drawing.spots]
    return {(one + 1, other + 1) for one, other in combinations(range(len(found)), 2) if found[one] & found[other]}


def box(label):
    wide = label.writing.width / 2
    return label.x - wide, label.top, label.x + wide, label.top + label.writing.height


@pytest.mark.parametrize(("kind", "count"), SHAPES)
def test_territories_touch_exactly_where_they_are_neighbours(kind, count):
    drawing = map_drawing(kind, places(count))
    assert drawn(drawing) == neighbouring_pairs(kind, places(count))
    assert drawing.ways == ()


@pytest.mark.parametrize(("kind", "count", "own"), OWN)
def test_custom_neighbours_touch_or_are_joined_by_a_path(kind, count, own):
    rows = places(count, own)
    drawing, wanted = map_drawing(kind, rows), neighbouring_pairs(kind, rows)
    touching = drawn(drawing)
    assert touching <= wanted
    assert len(drawing.ways) == len(wanted - touching)
    ends = {frozenset(way) for way in drawing.ways}
    found = build_country(Shape(kind == "ring", True, near(kind, rows), seed=1))
    assert len(found.ways) == len(wanted - found.touching)
    for one, other in wanted - found.touching:
        cells = [{found.mesh.middle(cell) for cell in found.lands[at - 1]} for at in (one, other)]
        assert any(start in cells[0] and end in cells[1] for start, end in found.ways)
    assert len(ends) == len(drawing.ways)


def near(kind, rows):
    beside = neighbours(kind, {row.position: row.neighbours for row in rows})
    return tuple(tuple(sorted(beside[row.position])) for row in rows)


def test_few_paths_are_needed():
    rows = places(7, STAR)
    assert (
        len(map_drawing("ring", rows).ways) <= 3
    )  # six territories around one: only those on its far side need a path


@pytest.mark.parametrize(("kind", "count"), SHAPES)
def test_drawing_stays_within_the_frame(kind, count):
    drawing = map_drawing(kind, places(count, holders=count))
    for spot in drawing.spots:
        assert spot.path.count("M") >= 1
        assert all(0 <= x <= SIZE and 0 <= y <= SIZE for x, y in corners(spot.path))
        left, top, right, bottom = box(spot.label)
        assert left >= 0
        assert top >= 0
        assert right <= SIZE
        assert bottom <= SIZE


@pytest.mark.parametrize("name", ["Ford", "The Marshes", "The Undersecretarial Marshes of Old", "Z" * 38])
@pytest.mark.parametrize(("kind", "count"), [*SHAPES[:14], ("ring", 20), ("ring", 27), ("ring", MAX_RING)])
@pytest.mark.each_value
def test_labels_stay_in_their_own_territory_without_overlap(kind, count, name):
    drawing = map_drawing(kind, places(count, name=name, holders=count))
    boxes = [box(spot.label) for spot in drawing.spots]
    for one, two in combinations(boxes, 2):
        assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]
    for spot in drawing.spots:
        text = " ".join(line for _, line in spot.lines)
        if spot.label.is_number:
            assert text == str(spot.place.position)
        else:
            assert text.replace("- ", "").replace(" ", "") == spot.place.name.replace(" ", "")


@pytest.mark.parametrize("count", range(MIN_RING, 9))
def test_names_are_written_in_full_on_small_rings(count):
    drawing = map_drawing("ring", places(count, name="Saint Orrin’s Gate"))
    assert not drawing.is_numbered
    assert count > 6 or all(spot.emblem_at for spot in drawing.spots)


def test_numbers_replace_names_on_crowded_maps():
    drawing = map_drawing("ring", places(MAX_RING, name="Saint Orrin’s Gate"))
    assert [line for spot in drawing.spots for _, line in spot.lines] == [str(at) for at in range(1, MAX_RING + 1)]


@pytest.mark.parametrize(("kind", "count"), [("zones", 9), ("ring", 3), ("ring", 8), ("ring", 14)])
def test_terrain_signs_stay_clear_of_the_label(kind, count):
    drawing = map_drawing(kind, places(count))
    for spot in drawing.spots:
        signs = re.findall(r"M(-?\d+),(-?\d+)", spot.ground)
        assert signs
        left, top, right, bottom = box(spot.label)
        for x, y in signs:
            assert not (left < int(x) < right and top < int(y) < bottom)


def test_touching_territories_have_different_terrain():
    drawing = map_drawing("ring", places(12))
    kinds = [re.sub(r"M-?\d+,-?\d+", "", spot.ground)[:12] for spot in drawing.spots]
    assert all(kinds[one - 1] != kinds[other - 1] for one, other in drawn(drawing) if (one, other) != (1, 12))


def test_equal_names_and_borders_give_an_equal_country():
    assert map_drawing("ring", places(6)) == map_drawing("ring", places(6))
    assert map_drawing("ring", places(6)).coast != map_drawing("ring", places(6, name="The Fens")).coast
    own = map_drawing("ring", places(6, {1: (4,)}))
    assert own.coast != map_drawing("ring", places(6)).coast


def test_holders_do_not_change_the_country():
    empty, held = map_drawing("ring", places(6)), map_drawing("ring", places(6, holders=4))
    assert [spot.path for spot in empty.spots] == [spot.path for spot in held.spots]


def test_holders_are_distinguished_without_colours():
    drawing = map_drawing("ring", places(12, holders=8))
    assert len({(hatch.turn, hatch.is_crossed) for hatch in drawing.hatches}) == 8
    assert len({hatch.id for hatch in drawing.hatches}) == 8
    assert [spot.hatch is not None for spot in drawing.spots] == [True] * 8 + [False] * 4


def test_swords_stand_beside_or_instead_of_the_emblem():
    for holders in (0, 6):
        for spot in map_drawing("ring", places(6, holders=holders)).spots:
            away = spot.contest_sign[0] - spot.x
            assert away == (pytest.approx(SIGN_SIZE) if holders else 0)


def test_ring_closes_in_the_drawing():
    assert neighbours_by_shape("ring", 5)[1] == {2, 5}
    assert (1, 5) in drawn(map_drawing("ring", places(5)))
