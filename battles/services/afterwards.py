"""What happens once a result is written to ledgers, for apps that build on this one.

They register a step when they start; battles knows none of them. A step runs in the transaction that logs the battle
and writes under the acts it is given, so that taking the result back takes its entries back too. A claim says which
battles are not the players' to log or take back, because something else decides about them.
"""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from battles.models import Battle, BattleSide
from rosters.models import Company, Player
from rosters.services import RefusedError, UnitResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """One side's result, as it was just written to its company's ledger."""

    side: BattleSide
    company: Company
    act: uuid.UUID
    units: tuple[UnitResult, ...]


Step = Callable[[Battle, Player | None, Sequence[Logged]], None]  # who logged it; None: the clock
Claim = Callable[[Battle], str]  # why players can't log it or take it back; empty: they can
_steps: list[Step] = []
_claims: list[Claim] = []


def register_step(step: Step) -> None:
    """The step from now on runs whenever a battle is logged."""
    if step not in _steps:
        _steps.append(step)


def run_steps(battle: Battle, actor: Player | None, logged: Sequence[Logged]) -> None:
    """Runs every step, in the order registered; none if nothing was logged."""
    if logged:
        for step in _steps:
            step(battle, actor, logged)


def register_claim(claim: Claim) -> None:
    """The claim from now on is asked before a player logs a battle or takes one back."""
    if claim not in _claims:
        _claims.append(claim)


def unclaimed(battle: Battle) -> None:
    """Refuses a battle that somebody has claimed."""
    for claim in _claims:
        reason = claim(battle)
        if reason:
            raise RefusedError("battle", reason)
