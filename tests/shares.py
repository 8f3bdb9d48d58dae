"""How much of what is long is asked in every test run: a part of it; the whole, or the rest, is a proof."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

TURN = "MUSTER_TEST_TURN"


def turn() -> int:
    """A number that another commit makes another: what goes round is asked for in turn, by all workers of a run alike.

    The same commit asks the same, whenever it is tested.
    """
    return int(os.environ[TURN])


def turn_of_this_commit() -> str:
    """0 in a copy of the code that has no commits."""
    root = Path(__file__).parent.parent
    try:
        told = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "0"
    return str(int(told.stdout[:8], 16))


def share(part: int, whole: int) -> pytest.MarkDecorator:
    """So many examples for a test that takes `examples`; drawn anew in each run, unless it says otherwise."""
    return pytest.mark.parametrize(
        "examples", [part, pytest.param(whole, marks=pytest.mark.proof)], ids=["part", "whole"]
    )


def in_turn(pairs: Sequence[tuple[Any, str]]) -> list[Any]:
    """Pairs of a name and a theme: of each name, the themes take turns; the rest is a proof."""
    themes: dict[Any, list[str]] = {}
    for name, theme in pairs:
        themes.setdefault(name, []).append(theme)
    chosen = {(name, of[at % len(of)]) for at, (name, of) in enumerate(themes.items())}
    return [pytest.param(*pair, marks=() if pair in chosen else pytest.mark.proof) for pair in pairs]


def in_every_run(kept: Collection[Any], all_of_them: Iterable[Any]) -> list[Any]:
    """What a test takes that is long with each: these are asked in every run, the rest is a proof."""
    return [pytest.param(name, marks=() if name in kept else pytest.mark.proof) for name in all_of_them]
