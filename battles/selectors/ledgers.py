"""The entries of a battle in company ledgers, and the companies whose ledgers are closed to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from battles.hooks import PracticeReason, practice_reason
from battles.models import Battle, BattleSide
from rosters.entries import kinds_that
from rosters.entries.pilots import Wounded
from rosters.jobs import JobStatus
from rosters.ledger.records import RULING
from rosters.ledger.text import describe_entry
from rosters.models import Company, LedgerEntry, Player
from systems.ledger import Part, Subject


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """An entry that a battle made in a ledger of the reader's."""

    company: Company
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerState:
    """The ledgers of the reader's companies in a battle that they asked for, once it has ended."""

    sides: tuple[BattleSide, ...] = ()  # those that the result can be, or is, written to
    # why it can be neither written to nor taken back from some of the reader's companies
    closed: tuple[PracticeReason, ...] = ()
    is_logged: bool = False  # the result is in the ledgers of all of `sides`
    may_take_back: bool = False
    led_to: tuple[LedgerRow, ...] = ()  # the ledger lines about pilots and bank that it caused


def ledger_state(battle: Battle, rows: Sequence[BattleSide], player: Player | None) -> LedgerState:
    """Return what the player can do with the result; `rows` are the battle's sides with their companies."""
    if player is None or battle.status != JobStatus.DONE or battle.asked_by_id != player.pk:
        return LedgerState()
    own = [row for row in rows if row.company and row.company.owner_id == player.pk]
    logged = companies_with_result(battle) if own else set()
    closed = {row.pk: practice_reason(row.company, battle) for row in own if row.company}
    shown = [row for row in own if row.company_id in logged or not closed[row.pk]]
    is_logged = bool(shown) and logged >= {row.company_id for row in shown}
    return LedgerState(
        sides=tuple(shown),
        closed=tuple(each for each in closed.values() if each),
        is_logged=is_logged,
        may_take_back=is_logged and any(not closed[row.pk] for row in shown),
        led_to=_ledger_rows(battle, shown) if is_logged else (),
    )


def describe_practice(battle: Battle, player: Player | None) -> list[str]:
    """Return why the battle is practice for companies of the player who asked for it, a sentence each."""
    if player is None or battle.asked_by_id != player.pk:
        return []
    own = battle.sides.filter(company__owner=player).select_related("company")
    return [closed.reason for row in own if row.company and (closed := practice_reason(row.company, battle))]


def _ledger_rows(battle: Battle, own: Sequence[BattleSide]) -> tuple[LedgerRow, ...]:
    """Return fates, promotions, skill rolls and pay, in the order written; the battle's own name is left out."""
    rows = LedgerEntry.objects.filter(
        company__in=[side.company_id for side in own],
        cause_ref=str(battle.key),
        kind__in=kinds_that(lambda kind: kind.led_to),
        reverses=None,
        reversed_by=None,
    ).select_related("company", "pilot")
    return tuple(
        LedgerRow(
            row.company,
            describe_entry(
                row.kind,
                {name: value for name, value in row.facts.items() if name != "battle"},
                None,
                Subject(row.pilot.pk, row.pilot.name) if row.pilot else None,
            ),
        )
        for row in rows.order_by("pk")
        if row.kind != Wounded.slug or row.facts.get("misses")
    )


def cause_of(battle: Battle) -> str:
    """Return the ledger's name for the cause of this battle's entries."""
    return "result" if battle.fought_by_hand else "battle"


def companies_with_result(battle: Battle) -> set[int]:
    """Return the companies whose ledgers hold this battle's result, not taken back."""
    causes = (cause_of(battle), RULING)
    entries = LedgerEntry.objects.filter(cause_ref=str(battle.key), cause__in=causes, reverses=None)
    return set(entries.filter(reversed_by=None).values_list("company_id", flat=True))
