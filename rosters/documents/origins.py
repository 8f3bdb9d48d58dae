"""The origin of an imported company: its claims, and how many of them this site's own ledgers confirm."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q

from rosters.documents.company import ENTRIES_NAMED, CompanyDocument, Entry
from rosters.entries.company import Game
from rosters.models import Company, CompanyOrigin, LedgerEntry, OriginKind
from systems.ledger import ACTIVE, READY, WOUNDED, CompanyRecord
from systems.setups import canonical
from systems.text import pluralize

AT_A_TIME = 500
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
Line = tuple[str, int, str]  # kind, points and facts of an entry
_HERE = Q(company__origin=None) | Q(company__origin__kind=OriginKind.SIGNED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The claims of an imported company's document.

    `games_known` of its games are the same in this site's ledgers, and `games_otherwise` are different there.
    """

    points: int = 0
    units: int = 0
    pilots: int = 0
    games: int = 0
    kills: int = 0
    debt: int = 0  # to the house
    lent: tuple[int, ...] = ()  # IDs of units lent by the house
    games_known: int = 0
    games_otherwise: int = 0
    club: str = ""  # the club whose archive contained it
    club_here: int = 0  # ID of the club that was created from the archive


def claims_read(kept: Mapping[str, object]) -> Claims:
    """Return the claims from their stored form."""
    lent = kept.get("lent", [])
    return Claims(**{**kept, "lent": tuple(lent) if isinstance(lent, list) else ()})  # type: ignore[arg-type]


def claims_of(record: CompanyRecord, *, units: Mapping[int, int] | None = None) -> dict[str, object]:
    """Return the claims of a ledger; `units` are the new IDs of units, if they differ from those in the record."""
    ready = [unit for unit in record.units.values() if unit.status == READY]
    crew = [pilot for pilot in record.pilots.values() if pilot.status in (ACTIVE, WOUNDED)]
    return {
        "points": record.balance,
        "units": len(ready),
        "pilots": len(crew),
        "games": record.games,
        "kills": sum(pilot.kills for pilot in record.pilots.values()),
        "debt": record.debt,
        "lent": [units[unit.id] if units else unit.id for unit in ready if unit.lent],
    }


def games_here(document: CompanyDocument, company: int) -> tuple[int, int]:
    """Return how many games of the document are the same in this site's ledgers, and how many are different there.

    `company` is the ID of the imported company, whose own ledger confirms nothing; nor do other imported ledgers. A
    game consists of all entries about it in one act.
    """
    acts: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in document.ledger:
        if _UUID.fullmatch(entry.cause_ref):
            acts[entry.cause_ref, entry.act].append(entry)
    games = {key: rows for key, rows in acts.items() if any(row.kind == Game.slug for row in rows)}
    books = _books({ref for ref, _ in games}, company)
    known = otherwise = 0
    for (ref, _), rows in games.items():
        lines = Counter(_line(row.kind, row.points, row.facts) for row in rows)
        if any(not lines - written for written in books[ref]):
            known += 1
        elif books[ref]:
            otherwise += 1
    return known, otherwise


def _books(refs: Iterable[str], but: int) -> Mapping[str, list[Counter[Line]]]:
    """Return the entries that this site itself has written about these battles and matches, by company."""
    found: dict[str, dict[int, Counter[Line]]] = defaultdict(lambda: defaultdict(Counter))
    named = sorted(refs)
    rows = (
        LedgerEntry.objects.filter(_HERE | Q(pk__gt=F("company__origin__last_entry"))).exclude(company=but).order_by()
    )
    for at in range(0, len(named), AT_A_TIME):
        some = rows.filter(cause_ref__in=named[at : at + AT_A_TIME])
        for row in some.values_list("cause_ref", "company", "kind", "points", "facts", named=True):
            found[row.cause_ref][row.company][_line(row.kind, row.points, row.facts)] += 1
    return defaultdict(list, {ref: list(companies.values()) for ref, companies in found.items()})


def _line(kind: str, points: int, facts: Mapping[str, object]) -> Line:
    """Return the part of an entry that doesn't depend on the site."""
    return kind, points, canonical({name: value for name, value in facts.items() if name not in ENTRIES_NAMED})


UNKNOWN = "the operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginRow:
    """The origin of a company, with its claims."""

    kind: str
    by: str
    at: datetime
    stood_at: datetime | None  # time of the last entry that this site signed; None if it signed none
    claims: Claims | None  # None if they weren't recorded

    @property
    def is_proven(self) -> bool:
        return self.kind == OriginKind.SIGNED

    @property
    def short(self) -> str:
        """The origin in two or three words, for lists."""
        if self.kind == OriginKind.SIGNED:
            return "imported, signed by this site"
        return "from a club backup" if self.kind == OriginKind.ARCHIVE else "imported, unverified"

    @property
    def sentence(self) -> str:
        """A sentence about what the origin proves."""
        if self.kind == OriginKind.SIGNED:
            return "This site signed the file and nobody has changed it since, so you can trust its history."
        if self.kind == OriginKind.ARCHIVE:
            club = self.claims.club if self.claims else "a club"
            return f"It came with a backup of {club}; its history is as the backup has it."
        return "This site didn't sign the file for this player; its history is as the file has it."

    @property
    def brought(self) -> str:
        """The claims as text: "40 points, 3 units, 2 pilots and 1 game"; empty if unknown."""
        if self.claims is None:
            return ""
        of = self.claims
        parts = [
            pluralize(of.points, "points"),
            pluralize(of.units, "units"),
            pluralize(of.pilots, "pilots"),
            pluralize(of.games, "games"),
        ]
        return f"{', '.join(parts[:-1])} and {parts[-1]}"

    @property
    def books(self) -> str:
        """A sentence that compares its games with this site's ledgers; empty if those have none of them."""
        if self.claims is None or not (self.claims.games_known or self.claims.games_otherwise):
            return ""
        known, otherwise = self.claims.games_known, self.claims.games_otherwise
        sentence = f"The ledgers of this site confirm {pluralize(known, 'games')}"
        return f"{sentence} and contradict {otherwise}." if otherwise else f"{sentence}."


def origin_of(company: Company) -> OriginRow | None:
    """Return the company's origin; None if it was founded here. No query if it was loaded with the company."""
    row: CompanyOrigin | None = getattr(company, "origin", None)
    if row is None:
        return None
    return describe_origin(
        kind=row.kind, by=str(row.imported_by or ""), at=row.imported_at, stood_at=row.stood_at, claims=row.claims
    )


def describe_origin(
    *, kind: str, by: str, at: datetime, stood_at: datetime | None, claims: Mapping[str, object]
) -> OriginRow:
    """Return an origin from the values of its row; `by` is empty for the operator."""
    return OriginRow(
        kind=kind, by=by or UNKNOWN, at=at, stood_at=stood_at, claims=claims_read(claims) if claims else None
    )
