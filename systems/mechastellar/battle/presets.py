"""The AI styles by name. Ledger 6.5. Muster's own, so not in the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AIStyle:
    """The weights of an AI style; `state.Side` explains each number."""

    title: str
    melee_weight: float
    attack_price: float
    defence_price: float
    counter_fear: float
    counter_taste: float
    trust_at: int
    disengages: bool
    is_bold: bool


AI_STYLES: Mapping[str, AIStyle] = {
    "aggressive": AIStyle(
        title="Aggressive",
        melee_weight=1.25,
        attack_price=0.5,
        defence_price=1.0,
        counter_fear=0.0,
        counter_taste=1.0,
        trust_at=4,
        disengages=False,
        is_bold=True,
    ),
    "cautious": AIStyle(
        title="Cautious",
        melee_weight=0.8,
        attack_price=1.0,
        defence_price=0.5,
        counter_fear=0.5,
        counter_taste=0.5,
        trust_at=7,
        disengages=True,
        is_bold=False,
    ),
}
