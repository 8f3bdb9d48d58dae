"""The golden replays come out line by line as they were kept."""

import pytest

from battles.systems import SYSTEMS
from tests.tools.replays import FOLDER, fight_again, first_difference, golden_replays

PATHS = sorted(FOLDER.glob("*/*.jsonl"))


def test_every_system_has_a_golden_replay():
    assert not [slug for slug in SYSTEMS if not golden_replays(slug)]
    assert {path.parent.name for path in PATHS} == set(SYSTEMS)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_golden_replay_comes_out_as_it_was_kept(path):
    difference = first_difference(path.read_text(encoding="utf-8"), fight_again(path))
    assert difference is None, f"{path.name}, {difference}\nif a rule changed on purpose: python -m tests.tools.replays"


@pytest.mark.parametrize(
    ("kept", "now", "said"),
    [("a\nb\n", "a\nc\n", "line 2"), ("a\n", "a\nb\n", "line 2: 1 lines"), ("a\nb\n", "a\n", "line 2: 2 lines")],
)
def test_the_first_line_that_differs_is_named(kept, now, said):
    assert first_difference(kept, now).startswith(said)
    assert first_difference(kept, kept) is None
