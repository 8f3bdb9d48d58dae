"""What happens once a result is written to ledgers, for apps that build on this one.

They register a step when they start; battles knows none of them. A step runs in the transaction that logs the battle
and writes under the acts it is given, so that taking the result back takes its entries back too. A claim says which
battles are not the players' to log or take back, because something else decides about them. A finish runs in the
transaction in which a worker ends a battle. A keeper says which companies' books are closed to a battle; it is asked
whenever a result is written or taken back, by whatever door it comes.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedBooks:
    """Why a battle is practice for a company: a sentence for its player, in which what keeps the books is named."""

    company: str
    before: str  # the sentence up to the keeper's name
    keeper: str
    after: str
    url: str  # the keeper's page

    @property
    def reason(self) -> str:
        """The whole sentence."""
        return f"{self.before}{self.keeper}{self.after}"


Step = Callable[[Battle, Player | None, Sequence[Logged]], None]  # who logged it; None: the clock
Claim = Callable[[Battle], str]  # why players can't log it or take it back; empty: they can
Finish = Callable[[Battle], None]
Keeper = Callable[[Company, Battle | None], ClosedBooks | None]  # None: no battle yet, any that a player may ask for
_steps: list[Step] = []
_claims: list[Claim] = []
_finishes: list[Finish] = []
_keepers: list[Keeper] = []


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


def register_finish(finish: Finish) -> None:
    """The finish from now on runs whenever a worker has fought a battle, before its dice are shown."""
    if finish not in _finishes:
        _finishes.append(finish)


def run_finishes(battle: Battle) -> None:
    """Runs every finish, in the order registered."""
    for finish in _finishes:
        finish(battle)


def register_keeper(keeper: Keeper) -> None:
    """The keeper from now on is asked before a result is written to a company's ledger or taken back from it."""
    if keeper not in _keepers:
        _keepers.append(keeper)


def books_closed(company: Company, battle: Battle | None = None) -> ClosedBooks | None:
    """Why this battle is not written to the company's ledger; None if it can be."""
    return next((closed for keeper in _keepers if (closed := keeper(company, battle))), None)
