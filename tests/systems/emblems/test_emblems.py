"""Emblems: every code has its own picture at any size, and every charge is visible on every shield."""

from __future__ import annotations

import itertools
from functools import cache

import numpy
import pytest
from PIL import Image, ImageDraw, ImageFilter

from rosters.paper.themes import luminance
from systems.emblems import CODE_PARTS, DARK, LIGHT, TINCTURES, Emblem, EmblemError, layers, random_emblem, read_emblem
from systems.emblems.charges import CHARGES
from systems.emblems.shields import DIVISIONS, FRAME, SHIELDS, area, cut
from tests.example_shares import in_every_run

SMALL = 16  # pixels of an icon in a line of text
FIELD, OTHER, PAGE = 90, 255, 0  # greys for the painted layers


@cache
def shrunk(emblem: Emblem) -> numpy.ndarray:
    """Return the emblem as a small greyscale icon."""
    fine = SMALL * 8
    picture = Image.new("L", (fine, fine), PAGE)
    pen = ImageDraw.Draw(picture)
    for layer in layers(emblem, 0):
        for shape in () if layer.is_stroke else layer.shapes:
            if len(shape) > 2:
                grey = FIELD if layer.paint == "field" else OTHER
                pen.polygon([(x * fine / FRAME, y * fine / FRAME) for x, y in shape], fill=grey)
    return numpy.asarray(picture.resize((SMALL, SMALL), Image.Resampling.BOX), dtype=numpy.float32) / 255


def smallest_difference(emblems: list[Emblem]) -> tuple[float, Emblem, Emblem]:
    """Return the smallest difference between two of them, in whole pixels, and which two they are."""
    rows = numpy.stack([shrunk(each).ravel() for each in emblems])
    least, which = float("inf"), (emblems[0], emblems[0])
    for at, row in enumerate(rows[:-1]):
        apart = numpy.abs(rows[at + 1 :] - row).sum(axis=1)
        other = int(apart.argmin())
        if apart[other] < least:
            least, which = float(apart[other]), (emblems[at], emblems[at + 1 + other])
    return least, *which


SMALLEST = sorted(SHIELDS, key=lambda letter: SHIELDS[letter].reach)[:2]
each_shield = pytest.mark.parametrize("letter", in_every_run(SMALLEST, SHIELDS))


@each_shield
def test_emblems_on_one_shield_look_different_as_icons(letter):
    ways = itertools.product(DIVISIONS, CHARGES)
    least, one, other = smallest_difference([Emblem(letter, division, charge, "k", "w") for division, charge in ways])
    assert least > 1.5, f"{one.code} and {other.code} are {least:.1f} pixels apart"


def test_shields_look_different_as_icons():
    least, one, other = smallest_difference([Emblem(shield, "a", "s", "k", "w") for shield in SHIELDS])
    assert least > 4, f"{one.code} and {other.code} are {least:.1f} pixels apart"


def test_paints_look_different_and_pairs_have_contrast():
    paints = [TINCTURES[letter].paint for letter in TINCTURES]
    for one, other in itertools.combinations(paints, 2):
        assert sum(abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) for at in (1, 3, 5)) > 60, (one, other)
    for dark, light in itertools.product(DARK, LIGHT):
        one, other = luminance(TINCTURES[dark].paint), luminance(TINCTURES[light].paint)
        assert (other + 0.05) / (one + 0.05) >= 3.5, (dark, light)


def test_every_part_of_code_changes_painting():
    """Check shield and paints; division and charge are checked above in pixels."""
    kept = layers(Emblem("h", "b", "t", "k", "w"), 0)
    for letter in set(SHIELDS) - {"h"}:
        assert layers(Emblem(letter, "b", "t", "k", "w"), 0)[-1] != kept[-1]
    assert {"field", "other"} <= {layer.paint for layer in kept}


@pytest.mark.parametrize("level", [0, 1, 2])
def test_emblems_stay_within_their_frame(level):
    ways = itertools.product(SHIELDS, DIVISIONS, CHARGES)
    for shield, division, charge in itertools.islice(ways, level, None, 41):  # all of each part, and many pairs
        for layer in layers(Emblem(shield, division, charge, "k", "w"), level):
            for shape in layer.shapes:
                assert all(0 <= each <= FRAME for corner in shape for each in corner), (shield, division, charge)


@each_shield
def test_every_charge_fits_on_every_shield(letter):
    """Check that no charge crosses the edge, with any division of the field."""
    shield = SHIELDS[letter]
    stencil = Image.new("L", (FRAME // 2, FRAME // 2), 0)
    ImageDraw.Draw(stencil).polygon([(x / 2, y / 2) for x, y in shield.shape], fill=255)
    outside = numpy.asarray(stencil.filter(ImageFilter.MaxFilter(5))) == 0  # outside the shield's outline
    seats = {
        (each.size, each.drop): division for division, each in DIVISIONS.items()
    }  # one division of each size and drop is enough
    for division, charge in itertools.product(seats.values(), CHARGES):
        picture = Image.new("L", stencil.size, 0)
        pen = ImageDraw.Draw(picture)
        for layer in layers(Emblem(letter, division, charge, "k", "w"), 0):
            for shape in () if layer.is_stroke else layer.shapes:
                pen.polygon([(x / 2, y / 2) for x, y in shape], fill=255)
        over = (numpy.asarray(picture) > 0) & outside
        assert not over.any(), f"{CHARGES[charge].name}, {DIVISIONS[division].name} crosses the edge of {shield.name}"


def test_charge_changes_paint_with_the_field():
    parted = shrunk(Emblem("q", "p", "t", "k", "w"))
    plain, other_way = (shrunk(Emblem("q", "a", "t", *paints)) for paints in (("k", "w"), ("k", "w")))
    half = SMALL // 2
    assert numpy.allclose(parted[:, : half - 1], plain[:, : half - 1], atol=0.02)
    painted = (FIELD + OTHER) / 255
    inner = slice(3, 13)
    assert numpy.allclose(parted[inner, half + 1 : 13], painted - other_way[inner, half + 1 : 13], atol=0.05)


def test_emblem_code_survives_round_trip():
    for words in map(str, range(200)):
        made = random_emblem(words)
        assert read_emblem(made.code) == made == random_emblem(words)
        assert TINCTURES[made.field].is_light != TINCTURES[made.other].is_light


def test_names_use_all_emblem_parts():
    created = [random_emblem(f"Company {at}") for at in range(2000)]
    for at, (_, known) in enumerate(CODE_PARTS):
        assert {each.code[at] for each in created} == set(known)
    assert len({each.code for each in created}) > 1980


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", "5 letters"),
        ("hafkwx", "5 letters"),
        ("Hafkw", "no shield"),
        ("h-fkw", "no division"),
        ("ha kw", "no charge"),
        ("hafk\u0000", "no other"),
        ("hafkr", "one light and one dark"),
        ("hafwy", "one light and one dark"),
    ],
)
def test_bad_emblem_code_is_refused_with_reason(code, reason):
    with pytest.raises(EmblemError, match=reason):
        read_emblem(code)


def test_emblem_has_description():
    assert read_emblem("hafkw").description == "wolf in white on a black heater"
    assert read_emblem("xqtyb").description == "tower in blue on a yellow plate, quarterly"


def test_cut_keeps_shape_inside_window():
    shape = ((0, 0), (10, 0), (10, 10), (0, 10))
    window = ((5, -5), (20, -5), (20, 20), (5, 20))
    for each in (window, tuple(reversed(window))):
        assert abs(area(cut(shape, each))) == 50
    assert cut(shape, ((20, 20), (30, 20), (30, 30))) == ()
