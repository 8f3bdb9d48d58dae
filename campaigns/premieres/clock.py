"""How much of a watch party has been shown, by the server's clock.

Only this module decrypts the battle; everything that shows any of it asks here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache

from battles.replay.boards import BOARDS, BoardKind, ReplayBoard, board_of
from battles.replay.parts import StepPage
from battles.replay.so_far import record_so_far
from campaigns.boxes import decrypt, encrypt
from campaigns.models import Match, WatchParty
from systems import battle_rules, roster_rules
from systems.setups import SIDE_LETTERS, Setup
from systems.simulation.resolve import Record, read_record
from systems.simulation.timeline import RoundView, rounds_of

ENCRYPTION_PURPOSE = "premieres"


def encrypt_record(record: Record) -> str:
    """Return the record encrypted, as the row keeps it."""
    return encrypt(record.text(), ENCRYPTION_PURPOSE)


def decrypt_record(premiere: WatchParty) -> Record | None:
    """Return the whole record, for the worker that decides the match; None if not simulated yet or its key is lost."""
    text = decrypt(premiere.record, ENCRYPTION_PURPOSE) if premiere.record else ""
    return read_record(text) if text else None


def count_steps_shown(premiere: WatchParty, now: datetime) -> int:
    """Return how many steps have been shown by then; 0 before it begins, and if it was called off."""
    if premiere.began_at is None or premiere.is_off or now < premiere.began_at:
        return 0
    gone = (now - premiere.began_at) // timedelta(seconds=premiere.pace)
    return min(gone + 1, len(premiere.cuts))


def seconds_until_next(premiere: WatchParty, now: datetime) -> float:
    """Return the seconds until its beginning, its next step or its end; 0 if that is overdue."""
    if premiere.began_at is None:
        due = premiere.at
    else:
        due = premiere.began_at + timedelta(seconds=premiere.pace) * max(1, count_steps_shown(premiere, now))
    return max(0.0, (due - now).total_seconds())


@dataclass(frozen=True)
class BattleSoFar:
    """What everybody may know of the battle at a step. It is built from nothing else."""

    step: int
    record: Record
    liveries: Mapping[str, str]  # colours of the companies, by side letter

    @cached_property
    def rounds(self) -> tuple[RoundView, ...]:
        return rounds_of(self.record)

    @cached_property
    def board(self) -> ReplayBoard | None:
        return board_of(self.record, self.rounds)

    @cached_property
    def map(self) -> StepPage | None:
        """Return the drawing at this step, the last one it has; None if the battle can't be drawn."""
        return self.board.page(self.step + 1, 0) if self.board else None

    @property
    def kind(self) -> BoardKind | None:
        return BOARDS[self.board.kind] if self.board else None

    @property
    def setup(self) -> Setup:
        return self.record.setup

    @property
    def hits(self) -> str:
        """Return the game's word for what units lose until they are destroyed."""
        return battle_rules(self.setup.system).hand.hits

    @property
    def boxes(self) -> str:
        return roster_rules(self.setup.system).words.boxes

    @property
    def sentences(self) -> Sequence[str]:
        """Return the events of this step in words."""
        lines = self.map.frame.lines if self.map else self.rounds[-1].steps[-1].lines
        return [line.sentence for line in lines]


def battle_so_far(premiere: WatchParty, now: datetime) -> BattleSoFar | None:
    """Return the battle as far as it has been shown by then; None before it begins and after it ends."""
    step = count_steps_shown(premiere, now)
    if not step or not premiere.record:
        return None
    return _build_battle_so_far(premiere.pk, premiere.record, premiere.cuts[step - 1], step, _liveries(premiere.match))


@lru_cache(maxsize=8)
def _build_battle_so_far(
    premiere: int, text: str, events: int, step: int, liveries: tuple[tuple[str, str], ...]
) -> BattleSoFar | None:
    found = decrypt(text, ENCRYPTION_PURPOSE)
    return BattleSoFar(step, record_so_far(read_record(found), events), dict(liveries)) if found else None


def _liveries(match: Match) -> tuple[tuple[str, str], ...]:
    sides = zip(SIDE_LETTERS, (match.attacker, match.defender), strict=True)
    return tuple((letter, side.company.colour) for letter, side in sides if side is not None)
