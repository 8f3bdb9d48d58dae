"""What the tests that are put to every game ask of each: any legal set-up of it, any build, a force to play a round with."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hypothesis import strategies as st

from systems.setups import Setup

seeds = st.integers(0, 2**64 - 1)


@dataclass(frozen=True, slots=True)
class Scratch:
    """Fields of the state that hold nothing any more when one of these functions of the rules begins."""

    part: str  # of the state: a list of records, or `battle`
    calls: tuple[str, ...]
    fields: tuple[str, ...] = ()  # none: all fields of its records
    but: tuple[str, ...] = ()  # ... except these
    first: int = 0  # place of the first of these records
    end: int | None = None
    forgotten: tuple[str, ...] = ()  # further fields, which are set to -1: a value kept under a number, and that number


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
    force: tuple[str, ...]  # published designs that a company plays a round with
    build: Callable[[random.Random], dict[str, object]] | None = None  # any spec, legal or not; if its units are drawn
    silent_in_ledgers: frozenset[str] = frozenset()  # fields of `hand` that have no bearing on a company
    silent_on_pages: frozenset[str] = frozenset()  # ... that the page of a battle has no words for
    scratch: tuple[Scratch, ...] = ()


def some(luck: random.Random, choices: Iterable[str], most: int) -> list[str]:
    """None of them, or a few, some of them more than once; for a `build`."""
    return [luck.choice(list(choices)) for _ in range(luck.randint(0, most))]


def any_battle(slug: str) -> AnyBattle:
    """What that game says of its battles."""
    found = importlib.import_module(f"tests.systems.{slug.replace('-', '_')}.any_battle").ANY
    assert isinstance(found, AnyBattle)
    return found
