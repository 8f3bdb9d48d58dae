"""Any battle of toys."""

from __future__ import annotations

from hypothesis import strategies as st

from systems.reading import read_setup
from systems.setups import Setup
from tests.systems.any_battle import AnyBattle
from tests.toy.catalogue import UNITS


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    sides = []
    for name, letter in (("Attacker", "a"), ("Defender", "d")):
        kinds = draw(st.lists(st.sampled_from(sorted(UNITS)), min_size=1, max_size=4))
        units = [{"key": f"{letter}{at}", "design": kind} for at, kind in enumerate(kinds, start=1)]
        sides.append({"name": name, "doctrine": draw(st.sampled_from(["charge", "wait"])), "units": units})
    return read_setup(
        {"muster": "setup/1", "system": "toy", "scenario": "skirmish", "terrain": "carpet", "sides": sides}
    )


ANY = AnyBattle(
    setups=setups(),
    acts=frozenset({"moved", "struck"}),
    attacks=frozenset({"struck"}),
    gone=frozenset({"knocked-out"}),
    most_rounds=20,
    compared_battles=40,
    force=("knight", "runner"),
    silent_in_ledgers=frozenset({"hits_lost"}),
)
