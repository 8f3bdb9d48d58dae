"""Hooks of battles, for apps that build on this one."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from battles.models import Battle, BattleSide, LiveSeat
from rosters.hooks import Hook
from rosters.ledger.drafts import UnitResult
from rosters.models import Company, Player


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """The result of one side, just written to its company's ledger."""

    side: BattleSide
    company: Company
    act: uuid.UUID
    units: tuple[UnitResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeReason:
    """Why a battle is practice for a company: a sentence for the player that names the keeper of its ledger."""

    company: str
    before: str  # the sentence up to the keeper's name
    keeper: str
    after: str
    url: str  # the keeper's page

    @property
    def reason(self) -> str:
        """The whole sentence."""
        return f"{self.before}{self.keeper}{self.after}"


aftermath_steps: Hook[Callable[[Battle, Player | None, Sequence[Logged]], None]] = Hook(
    "aftermath_steps",
    "after a battle is logged, in the same transaction: writes its entries as part of the given acts, so "
    "undoing the result undoes them too. No player means the timer logged it",
)
ledger_claims: Hook[Callable[[Battle], str]] = Hook(
    "ledger_claims",
    "before a player logs a battle or undoes that: returns why they can't, if something else decides it, or an"
    " empty string if they can",
)
battle_finished: Hook[Callable[[Battle], None]] = Hook(
    "battle_finished",
    "after a worker has simulated a battle: runs in the transaction that ends it, before its dice are shown",
)
ledger_keepers: Hook[Callable[[Company, Battle | None], PracticeReason | None]] = Hook(
    "ledger_keepers",
    "before a result is written to a ledger or undone: returns why the battle can't change the company's "
    "ledger; without a battle, why none of the player's battles can",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEnd:
    """Where the result of a table is reported, if not at the table itself."""

    words: str  # a sentence
    label: str  # of the link
    url: str


table_endings: Hook[Callable[[LiveSeat], TableEnd | None]] = Hook(
    "table_endings",
    "for one side's sheet at a live table: returns where to report the result, if not at the table",
)


def practice_reason(company: Company, battle: Battle | None = None) -> PracticeReason | None:
    """Return why this battle isn't written to the company's ledger; None if it can be."""
    return next((closed for keeper in ledger_keepers if (closed := keeper(company, battle))), None)
