"""What each game provides for the tests run on every game: legal set-ups, builds, a force to play a round."""

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
    """Fields of the state that hold no value needed when one of these functions of the rules begins."""

    part: str  # part of the state: a list of records, or `battle`
    calls: tuple[str, ...]
    fields: tuple[str, ...] = ()  # empty: all fields of its records
    but: tuple[str, ...] = ()  # except these
    first: int = 0  # index of the first of these records
    end: int | None = None
    forgotten: tuple[
        str, ...
    ] = ()  # further fields, set to -1: a cached value's key, so that the value is calculated again


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyBattle:
    """One game's data for these tests: ANY of `tests/systems/<package>/any_battle.py`."""

    setups: st.SearchStrategy[Setup]
    acts: frozenset[str]  # kinds of facts in which only a unit still present can act
    attacks: frozenset[str]  # kinds of facts that only a unit still present can suffer
    gone: frozenset[str]  # kinds of facts after which the unit is gone
    most_rounds: int
    die: int = 6  # the highest face of its die
    compared_battles: int  # battles per set-up, to compare the plain and the compiled rules
    force: tuple[str, ...]  # published designs that a company plays a round with
    build: Callable[[random.Random], dict[str, object]] | None = (
        None  # return any spec, legal or not; only if its units are drawn
    )
    silent_in_ledgers: frozenset[str] = frozenset()  # fields of `hand` that don't affect a company
    silent_on_pages: frozenset[str] = frozenset()  # fields of `hand` that the page of a battle doesn't show
    scratch: tuple[Scratch, ...] = ()


def some(luck: random.Random, choices: Iterable[str], most: int) -> list[str]:
    """Return none or a few of the choices, some repeated; for a `build`."""
    return [luck.choice(list(choices)) for _ in range(luck.randint(0, most))]


def any_battle(slug: str) -> AnyBattle:
    """Return that game's data for these tests."""
    found = importlib.import_module(f"tests.systems.{slug.replace('-', '_')}.any_battle").ANY
    assert isinstance(found, AnyBattle)
    return found
