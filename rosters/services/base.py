"""Helpers of all services: refusals, the lock on a company, and writing its ledger."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence

from rosters import hooks
from rosters.entries.company import Disbanded
from rosters.ledger.drafts import Draft
from rosters.ledger.records import ACT, company_balance, company_record
from rosters.models import Company, LedgerEntry, Pilot, Player, Unit
from rosters.site.exceptions import RefusedError
from systems import roster_rules
from systems.catalogue import UnknownReleaseError
from systems.documents import DocumentError
from systems.ledger import Kind
from systems.roster import RosterSystem
from systems.text import normalize_text, pluralize, shorten_name, text_problem

OF_PLAYERS = (ACT, "undo")  # causes that players decide; games and rulings aren't stopped by holds


class Act:
    """An act on a locked company. Its entries share a key, and are undone together.

    Holds of other apps are checked here, where all changes are written, so that no player's act can get past them.
    """

    def __init__(
        self,
        company: Company,
        by: Player | None,
        *,
        cause: str = "act",
        cause_ref: str = "",
        key: uuid.UUID | None = None,
    ) -> None:
        self.company, self.by, self.cause, self.cause_ref = company, by, cause, cause_ref
        self.key = key or uuid.uuid4()
        self._holds: list[hooks.Hold] | None = None

    def write(
        self,
        kind: type[Kind],
        *,
        unit: Unit | None = None,
        pilot: Pilot | None = None,
        points: int = 0,
        facts: Mapping[str, object] | None = None,
        reverses: LedgerEntry | None = None,
    ) -> None:
        """Write a new ledger entry of this act."""
        self.book(
            [
                Draft(
                    kind=kind.slug,
                    unit=unit.pk if unit else None,
                    pilot=pilot.pk if pilot else None,
                    points=points,
                    facts=facts or {},
                    reverses=reverses.pk if reverses else None,
                )
            ]
        )

    def book(self, drafts: Sequence[Draft]) -> list[LedgerEntry]:
        """Write the drafts as new ledger entries of this act."""
        for draft in drafts:
            self._refuse_on_hold(draft.kind, draft.unit, draft.pilot)
        return LedgerEntry.objects.bulk_create(
            LedgerEntry(
                company=self.company,
                act=self.key,
                kind=draft.kind,
                unit_id=draft.unit,
                pilot_id=draft.pilot,
                points=draft.points,
                facts=dict(draft.facts),
                cause=self.cause,
                cause_ref=draft.ref or self.cause_ref,
                created_by=self.by,
                reverses_id=draft.reverses,
            )
            for draft in drafts
        )

    def _refuse_on_hold(self, kind: str, unit: int | None, pilot: int | None) -> None:
        if self.cause not in OF_PLAYERS:
            return
        if self._holds is None:
            self._holds = hooks.holds_on(self.company)
        for hold in self._holds:
            if kind in hold.spares:
                continue
            if unit in hold.units:
                raise RefusedError("unit", f"{Unit.objects.get(pk=unit).name} is {hold.reason}")
            if pilot in hold.pilots:
                raise RefusedError("pilot", f"{Pilot.objects.get(pk=pilot).name} is {hold.reason}")
            if kind == Disbanded.slug:
                raise RefusedError("company", hold.company)


def company_lock(company: Company, *, even_disbanded: bool = False) -> Company:
    """Lock the company's row until the transaction ends, so that acts on one company happen one after another.

    In PostgreSQL, rows that refer to the company can still be written. In SQLite, every transaction is IMMEDIATE, so
    there is only one writer anyway.
    """
    locked = Company.objects.select_for_update(no_key=True).get(pk=company.pk)
    if locked.disbanded_at and not even_disbanded:
        raise RefusedError("company", f"{locked.name} is disbanded. Undo that first.")
    return locked


def spend(company: Company, price: int, what: str) -> None:
    """Raise RefusedError if the balance doesn't cover the price without reserved points. The company must be locked."""
    balance = company_balance(company)
    if price > balance:
        raise RefusedError(
            "points", f"{what} costs {pluralize(price, money_of(company))}; {company.name} has {balance}."
        )
    for reserve in hooks.reserves_on(company) if price else ():
        if price > balance - reserve.points:
            raise RefusedError("points", f"{what} costs {pluralize(price, money_of(company))}. {reserve.reason}")


def money_of(company: Company) -> str:
    """Return the currency of the company's balance, in the words of its game."""
    return system_of(company.system).words.money_after(company_record(company).games)


def clean_text(field: str, value: object, *, longest: int, may_be_empty: bool = False, now: str | None = None) -> str:
    """Return the text in composed form, without spaces around it; RefusedError if empty, too long or unprintable.

    The current value `now` is always accepted, because it may be older than these rules.
    """
    if not isinstance(value, str):
        raise RefusedError(field, "must be text.")
    if value == now:
        return value
    text = normalize_text(value).strip()
    if not text and not may_be_empty:
        raise RefusedError(field, "must not be empty.")
    if len(text) > longest:
        raise RefusedError(field, f"is longer than {longest} characters.")
    if reason := text_problem(text, may_be_empty=may_be_empty):
        raise RefusedError(field, reason)
    return text


def clean_lines(field: str, value: object, *, longest: int, now: str | None = None) -> str:
    """Return a text of several lines, each checked by `clean_text`; it may be empty."""
    if not isinstance(value, str):
        raise RefusedError(field, "must be text.")
    given = value.replace("\r\n", "\n").replace("\r", "\n").strip()
    if given == now:
        return given
    text = "\n".join(clean_text(field, line, longest=longest, may_be_empty=True) for line in given.split("\n"))
    if len(text) > longest:
        raise RefusedError(field, f"is longer than {longest} characters.")
    return text


def own(company: Company, row: Unit | Pilot, field: str) -> None:
    """Raise RefusedError if the unit or pilot belongs to another company."""
    if row.company_id != company.pk:
        raise RefusedError(field, f"{row.name} doesn't belong to {company.name}.")


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return `WASP`, or `WASP 2` if that name is taken; never longer than 60 characters."""
    used = set(taken)
    name, number = shorten_name(wanted, 60), 1
    while name in used:
        number += 1
        name = f"{shorten_name(wanted, 60 - len(str(number)) - 1)} {number}"
    return name


def copy_name(name: str) -> str:
    """Return the default name of a copy."""
    return f"{shorten_name(name, 53)} (copy)"


def system_of(slug: str) -> RosterSystem[object, object]:
    """Return the rules of a game; RefusedError if it is unknown."""
    try:
        return roster_rules(slug)
    except ValueError as error:
        raise RefusedError("system", str(error)) from None


def release_of(rules: RosterSystem[object, object], release: str = "") -> RosterSystem[object, object]:
    """Return the game's rules in this catalogue version, by default the newest; RefusedError if it is unknown."""
    try:
        return rules.of(release or rules.newest)
    except UnknownReleaseError as error:
        raise RefusedError("release", f"{error}.") from None


def rules_of(company: Company) -> RosterSystem[object, object]:
    """Return the rules of the company's game, in the company's catalogue version."""
    return roster_rules(company.system, company.catalogue_release)


def read_spec(system: RosterSystem[object, object], spec: object) -> object:
    """Return the parsed spec; RefusedError, with the path of the wrong part, if it is invalid."""
    try:
        return system.parse_spec(spec)
    except DocumentError as error:
        raise RefusedError(error.path, error.reason) from None
