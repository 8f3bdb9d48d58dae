"""The share of a long test that runs every time. The whole test, or the rest, is marked `proof`."""

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


def share(part: int, whole: int) -> pytest.MarkDecorator:
    """Parametrize `examples`: `part` of them in every run, `whole` as a proof.

    Hypothesis draws other examples in each run, unless the test says otherwise.
    """
    return pytest.mark.parametrize(
        "examples", [part, pytest.param(whole, marks=pytest.mark.proof)], ids=["part", "whole"]
    )


def in_turn(pairs: Sequence[tuple[Any, str]]) -> list[Any]:
    """Return pairs of name and theme as parameters: one per name, with the themes in turn; the rest is a proof."""
    themes: dict[Any, list[str]] = {}
    for name, theme in pairs:
        themes.setdefault(name, []).append(theme)
    chosen = {(name, of[at % len(of)]) for at, (name, of) in enumerate(themes.items())}
    return [pytest.param(*pair, marks=() if pair in chosen else pytest.mark.proof) for pair in pairs]


def in_every_run(kept: Collection[Any], all_of_them: Iterable[Any]) -> list[Any]:
    """Return parameters of a long test: these run every time, the rest is a proof."""
    return [pytest.param(name, marks=() if name in kept else pytest.mark.proof) for name in all_of_them]
