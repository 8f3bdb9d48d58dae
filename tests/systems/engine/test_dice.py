"""The dice: splitmix64, the same on every machine, and fair."""

from dataclasses import dataclass
from typing import NamedTuple

import pytest

from systems.engine.dice import (
    GOLDEN,
    MASK,
    Log,
    OutOfDiceError,
    ScriptedDice,
    SeededDice,
    mix,
    note,
    overwrite,
    stream,
)

KNOWN = [  # the first outputs of splitmix64 from the state 1234567, as published with the generator
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]

FACES: dict[tuple[int, int], list[int]] = {
    (0, 0): [6, 3, 1, 6, 1, 2, 2, 5, 2, 6, 3, 5],
    (2**64 - 1, 0): [4, 5, 2, 1, 5, 1, 3, 5, 4, 6, 2, 3],
    (7, 3): [3, 1, 4, 1, 4, 3, 3, 1, 5, 6, 1, 1],
}


def unmix(value):
    """Return the number that `mix` turns into this one."""

    def unshift(value, bits):
        result = value
        for _step in range(64 // bits):
            result = value ^ (result >> bits)
        return result

    value = unshift(value, 31) * pow(0x94D0_49BB_1331_11EB, -1, 1 << 64) & MASK
    value = unshift(value, 27) * pow(0xBF58_476D_1CE4_E5B9, -1, 1 << 64) & MASK
    return unshift(value, 30)


def face_of(high, sides):
    """Return the face that an output with these upper 32 bits shows."""
    dice = SeededDice(0)
    dice.state = (unmix(high << 32) - GOLDEN) & MASK
    return dice.face(sides)


@dataclass(slots=True)
class Arm:
    heat: int
    dice: int
    intact: int


class Modifiers(NamedTuple):
    level: int
    terrain: int


def test_generator_is_splitmix64():
    state, outputs = 1234567, []
    for _output in KNOWN:
        state = (state + GOLDEN) & MASK
        outputs.append(mix(state))
    assert outputs == KNOWN


def test_seed_and_index_always_give_same_faces():
    def rolls(seed, index):
        dice = SeededDice(seed, index)
        return [dice.face(6) for _die in range(12)]

    assert rolls(0, 0) == FACES[0, 0]
    assert rolls(2**64 - 1, 0) == FACES[2**64 - 1, 0]
    assert rolls(7, 3) == FACES[7, 3]


@pytest.mark.parametrize("sides", [2, 3, 5, 6, 8, 10])
def test_faces_are_equally_likely(sides):
    firsts = [-(-side * 2**32 // sides) for side in range(sides)]  # lowest upper half that shows each face
    for side, first in enumerate(firsts):
        assert face_of(first, sides) == side + 1
        if side:
            assert face_of(first - 1, sides) == side
    assert face_of(2**32 - 1, sides) == sides
    counts = [after - first for first, after in zip(firsts, [*firsts[1:], 2**32], strict=True)]
    assert max(counts) - min(counts) <= 1


def test_battles_of_one_seed_have_separate_streams():
    assert len({stream(seed, index) for seed in (0, 1, 2**64 - 1) for index in range(1000)}) == 3000


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seed_over_64_bits_is_refused(seed):
    with pytest.raises(ValueError, match="2\\^64 - 1"):
        SeededDice(seed)


def test_single_choice_uses_no_randomness():
    dice = SeededDice(5)
    before = dice.state
    assert dice.choice(1) == 0
    assert dice.state == before
    assert dice.choice(3) in range(3)
    assert dice.state != before


def test_scripted_dice_show_given_faces():
    dice = ScriptedDice([6, 3], choices=[1])
    assert [dice.face(6), dice.choice(2), dice.face(6)] == [6, 1, 3]
    assert dice.rolled == [6, 3]


def test_exhausted_scripted_dice_raise_error():
    dice = ScriptedDice([2])
    dice.face(6)
    with pytest.raises(OutOfDiceError, match=r"after \[2\]"):
        dice.face(6)
    with pytest.raises(OutOfDiceError, match="choice among 2"):
        dice.choice(2)


def test_scripted_dice_refuse_impossible_face():
    with pytest.raises(OutOfDiceError, match="6 sides"):
        ScriptedDice([7]).face(6)


def test_overwrite_copies_all_fields():
    one, other = Arm(heat=2, dice=1, intact=0), Arm(heat=3, dice=2, intact=1)
    overwrite(one, other)
    assert one == other
    other.heat = 9
    assert one.heat == 3


def test_note_takes_fields_of_its_parts():
    log: Log = []
    note(log, "shot-rolled", Modifiers(level=1, terrain=-1), unit=4)
    assert log == [("shot-rolled", {"unit": 4, "level": 1, "terrain": -1})]
