"""The AI styles by name. Ledger 6.3. Muster's own, so not in the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AIStyle:
    """The weights of an AI style; `state.Side` explains each number."""

    title: str
    offence: float
    defence: float
    objective: float
    heat_limit: float
    heat_aversion: float
    deploy_moves: int


AI_STYLES: Mapping[str, AIStyle] = {
    "aggressive": AIStyle(
        title="Aggressive",
        offence=0.7,
        defence=0.2,
        objective=0.8,
        heat_limit=0.30,
        heat_aversion=0.3,
        deploy_moves=2,
    ),
    "cautious": AIStyle(
        title="Cautious",
        offence=0.7,
        defence=0.6,
        objective=0.4,
        heat_limit=0.25,
        heat_aversion=0.5,
        deploy_moves=1,
    ),
}
