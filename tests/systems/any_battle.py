"""What the tests of every battle ask of each game: any legal set-up of it, and which of its facts are acts."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from hypothesis import strategies as st

from systems.setups import Setup

seeds = st.integers(0, 2**64 - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyBattle:
    """One game, put to these tests: ANY of `tests/systems/<package>/any_battle.py`."""

    setups: st.SearchStrategy[Setup]
    acts: frozenset[str]  # kinds of facts that only who is still there can do
    attacks: frozenset[str]  # ... that only who is still there can suffer
    gone: frozenset[str]  # ... after which the unit is there no more
    most_rounds: int
    die: int = 6  # its highest face
    fought: int  # battles of each set-up that show the plain and the compiled rules to be the same


def any_battle(slug: str) -> AnyBattle:
    """What that game says of its battles."""
    found = importlib.import_module(f"tests.systems.{slug.replace('-', '_')}.any_battle").ANY
    assert isinstance(found, AnyBattle)
    return found
