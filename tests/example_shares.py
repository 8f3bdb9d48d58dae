"""The share of a long test that runs every time. The whole test, or the rest, is marked `proof`, or `slow` if it takes seconds."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import pytest


def stable_number(name: str, of: int) -> int:
    """Return a number below `of` that never changes for this name.

    A choice by it is the same in every run and on every machine, even if other names come and go.
    """
    return zlib.crc32(name.encode()) % of


def share(part: int, whole: int, mark: pytest.MarkDecorator = pytest.mark.proof) -> pytest.MarkDecorator:
    """Parametrize `examples`: `part` of them in every run, `whole` with the mark.

    Hypothesis draws other examples in each run, unless the test says otherwise.
    """
    return pytest.mark.parametrize("examples", [part, pytest.param(whole, marks=mark)], ids=["part", "whole"])


def in_turn(pairs: Sequence[tuple[Any, str]], kept: Collection[Any] = ()) -> list[Any]:
    """Return pairs of name and theme as parameters: one per name, with the themes in turn; the rest is a proof.

    If only some names are kept in every run, those of the others are slow.
    """
    themes: dict[Any, list[str]] = {}
    for name, theme in pairs:
        themes.setdefault(name, []).append(theme)
    chosen = {(name, of[at % len(of)]) for at, (name, of) in enumerate(themes.items())}
    return [
        pytest.param(
            *pair,
            marks=pytest.mark.proof if pair not in chosen else pytest.mark.slow if kept and pair[0] not in kept else (),
        )
        for pair in pairs
    ]


def in_every_run(
    kept: Collection[Any], all_of_them: Iterable[Any], rest: pytest.MarkDecorator = pytest.mark.proof
) -> list[Any]:
    """Return parameters of a long test: these run every time, the rest as marked."""
    return [pytest.param(name, marks=() if name in kept else rest) for name in all_of_them]
