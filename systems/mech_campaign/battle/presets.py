"""The AI styles by name, and the weights of unit kinds. Ledger 6.5, 6.6. Muster's own, so not in the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The weights and thresholds of an AI style; `state.Side` explains each number."""

    title: str
    suppression: int
    exposure: int
    pull: int
    repair_at: int
    threshold: int
    drone_first: bool
    ambush: bool
    spot: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """The AI's weights of a kind of unit."""

    rank: int  # place in the order of activation
    appeal: int  # K: value as a target
    worth: int  # W: value of suppressing it


PRESETS: Mapping[str, Preset] = {
    "aggressive": Preset(
        title="Aggressive",
        suppression=8,
        exposure=1,
        pull=10,
        repair_at=3,
        threshold=20,
        drone_first=False,
        ambush=True,
        spot=False,
    ),
    "cautious": Preset(
        title="Cautious",
        suppression=14,
        exposure=3,
        pull=10,
        repair_at=2,
        threshold=10,
        drone_first=True,
        ambush=False,
        spot=True,
    ),
}
WEIGHTS: Mapping[str, Weight] = {
    "heavy-mech": Weight(rank=0, appeal=4, worth=3),
    "light-mech": Weight(rank=2, appeal=2, worth=2),
    "track": Weight(rank=1, appeal=1, worth=2),
    "drone": Weight(rank=4, appeal=1, worth=1),
    "gun-sentry": Weight(rank=3, appeal=0, worth=1),
}
BEARINGS = (  # for side A, ledger 6.2
    (0, 400), (160, 360), (-160, 360), (280, 280), (-280, 280), (360, 160), (-360, 160), (400, 0),
    (-400, 0), (360, -160), (-360, -160), (280, -280), (-280, -280), (160, -360), (-160, -360), (0, -400),
)  # fmt: skip
