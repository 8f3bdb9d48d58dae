"""What is drawn in each theme is tried in one of them, and in the others as a proof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def in_turn(pairs: Sequence[tuple[str, str]]) -> list[Any]:
    """Pairs of a name and a theme: of each name, the themes take turns; the rest is a proof."""
    themes: dict[str, list[str]] = {}
    for name, theme in pairs:
        themes.setdefault(name, []).append(theme)
    chosen = {(name, of[at % len(of)]) for at, (name, of) in enumerate(themes.items())}
    return [pytest.param(*pair, marks=() if pair in chosen else pytest.mark.proof) for pair in pairs]
