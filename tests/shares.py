"""How much of what is long is asked in every test run: a part of it; the whole is a proof."""

from __future__ import annotations

import pytest


def share(part: int, whole: int) -> pytest.MarkDecorator:
    """So many examples for a test that takes `examples`; drawn anew in each run, unless it says otherwise."""
    return pytest.mark.parametrize(
        "examples", [part, pytest.param(whole, marks=pytest.mark.proof)], ids=["part", "whole"]
    )
