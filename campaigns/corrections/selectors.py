"""Reads of corrections: three previews side by side, and earlier corrections of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from campaigns.corrections.effects import Change, CompanyEffects, CorrectionPreview, LaterMatch, StandingChange
from campaigns.corrections.plan import describe_verdict
from campaigns.models import Correction, CorrectionMode, Match
from rosters.database.queries import PreparedQuery
from systems.text import pluralize

UNCHANGED = "as before"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeColumn:
    """A mode of correction, explained, with its preview."""

    slug: str
    name: str
    about: str
    preview: CorrectionPreview


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """One value: before, and after in each mode."""

    name: str
    what: str
    before: str
    after: tuple[tuple[str, str, bool], ...]  # mode, value, whether it changes
    is_first: bool  # of its company, pilot or unit


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyTable:
    """The effects on one company, mode by mode."""

    name: str
    rows: tuple[ChangeRow, ...]
    spent: tuple[str, ...]
    notes: tuple[tuple[str, tuple[str, ...]], ...]  # mode, sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRow:
    """A correction that was made."""

    ruling: int
    at: datetime
    by: str
    mode: str
    before: str
    after: str
    reason: str
    companies: tuple[str, ...]  # names and balances, as sentences


MODES: Mapping[str, tuple[str, str]] = {
    CorrectionMode.COMPENSATE: (
        "Compensate",
        "Only this match is recalculated, with the same dice. Later games don't change; points already spent "
        "become a debt.",
    ),
    CorrectionMode.CASCADE: (
        "Cascade",
        "This match and every later game that depends on it are recalculated, with their own results and "
        "dice. Purchases and choices stay where possible.",
    ),
    CorrectionMode.FLAG: (
        "Leave and flag",
        "The result and the standings change, but no ledger does. This match and later ones are flagged with "
        "the reason.",
    ),
}


def mode_columns(previews: Sequence[CorrectionPreview]) -> tuple[ModeColumn, ...]:
    """Return the previews with the explanations of their modes."""
    return tuple(
        ModeColumn(slug=each.mode, name=MODES[each.mode][0], about=MODES[each.mode][1], preview=each)
        for each in previews
    )


def company_tables(previews: Sequence[CorrectionPreview]) -> tuple[CompanyTable, ...]:
    """Return for each company what changes in any mode."""
    held = {each.mode: {effects.id: effects for effects in each.companies} for each in previews if not each.refusal}
    order = dict.fromkeys(pk for companies in held.values() for pk in companies)
    return tuple(_table({mode: companies.get(pk) for mode, companies in held.items()}) for pk in order)


def standing_changes(previews: Sequence[CorrectionPreview]) -> tuple[StandingChange, ...]:
    """Return the changes to the standings, which are the same in every mode."""
    return next((each.standings for each in previews if not each.refusal), ())


def later_matches(previews: Sequence[CorrectionPreview]) -> tuple[tuple[str, tuple[LaterMatch, ...]], ...]:
    """Return the later games that each mode affects."""
    return tuple((MODES[each.mode][0], each.later) for each in previews if each.later)


def corrections_of(match: Match) -> tuple[CorrectionRow, ...]:
    """Return the corrections of this match, newest first. One query."""
    return tuple(
        CorrectionRow(
            ruling=row.ruling.pk,
            at=row.ruling.decided_at,
            by=str(row.ruling.decided_by),
            mode=MODES[row.mode][0],
            before=_describe_verdict(row.before),
            after=_describe_verdict(row.after) if row.after else "undone",
            reason=row.ruling.reason,
            companies=tuple(
                f"{each['name']}: {pluralize(each['balance_before'], 'points')} before, {each['balance_after']} after"
                for each in row.effects.get("companies", ())
            ),
        )
        for row in CORRECTIONS.rows(match=match.pk)
    )


CORRECTIONS = PreparedQuery(
    lambda match: Correction.objects.filter(match=match).select_related("ruling__decided_by"), match=int
)


def _describe_verdict(verdict: Mapping[str, str]) -> str:
    return describe_verdict(verdict["state"], verdict["outcome"])


def _table(effects: Mapping[str, CompanyEffects | None]) -> CompanyTable:
    known = [each for each in effects.values() if each is not None]
    changes: dict[tuple[str, int, str], dict[str, Change]] = {}
    for mode, each in effects.items():
        for change in each.changes if each else ():
            changes.setdefault((change.of, change.id, change.what), {})[mode] = change
    order = ("company", "pilot", "unit")
    keys = sorted(changes, key=lambda key: (order.index(key[0]), key[1]))
    rows: list[ChangeRow] = []
    for at, key in enumerate(keys):
        one = next(iter(changes[key].values()))
        after = tuple(
            (MODES[mode][0], changes[key][mode].after if mode in changes[key] else UNCHANGED, mode in changes[key])
            for mode in effects
        )
        is_first = at == 0 or keys[at - 1][:2] != key[:2]
        rows.append(ChangeRow(name=one.name, what=one.what, before=one.before, after=after, is_first=is_first))
    return CompanyTable(
        name=known[0].name,
        rows=tuple(rows),
        spent=known[0].spent,
        notes=tuple((MODES[mode][0], each.notes) for mode, each in effects.items() if each and each.notes),
    )
