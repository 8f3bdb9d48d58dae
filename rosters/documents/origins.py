"""The origin of a company on pages and in the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from rosters.models import Company, CompanyOrigin, OriginKind
from systems.words import pluralize

from .claims import Claims, claims_read

UNKNOWN = "the operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginRow:
    """The origin of a company, and what it came with."""

    kind: str
    by: str
    at: datetime
    stood_at: datetime | None  # the time of the company's state that this site signed
    claims: Claims | None  # None: not recorded

    @property
    def is_proven(self) -> bool:
        return self.kind == OriginKind.SIGNED

    @property
    def short(self) -> str:
        """A short form of two or three words, for lists."""
        if self.kind == OriginKind.SIGNED:
            return "imported, signed here"
        return "from an archive" if self.kind == OriginKind.ARCHIVE else "imported, unproven"

    @property
    def sentence(self) -> str:
        """What the origin proves."""
        if self.kind == OriginKind.SIGNED:
            return "This site had signed its document, and nobody has changed it since: its past is as it stood here."
        if self.kind == OriginKind.ARCHIVE:
            club = self.claims.club if self.claims else "a club"
            return f"It came with an archive of {club}: its past is as the archive says."
        return "This site has not signed its document for this player: its past is as the document says."

    @property
    def brought(self) -> str:
        """What it came with: "40 points, 3 units, 2 pilots and 1 game"; empty if unknown."""
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
        """How its games compare with this site's ledgers, if they have any of them; else empty."""
        if self.claims is None or not (self.claims.games_known or self.claims.games_otherwise):
            return ""
        known, otherwise = self.claims.games_known, self.claims.games_otherwise
        said = f"The books of this site have {pluralize(known, 'games')} of it as it says"
        return f"{said}, and {otherwise} otherwise." if otherwise else f"{said}."


def origin_of(company: Company) -> OriginRow | None:
    """Return the company's origin; None: it was founded here. No query if it was loaded with the company."""
    row: CompanyOrigin | None = getattr(company, "origin", None)
    if row is None:
        return None
    return describe_origin(kind=row.kind, by=str(row.by or ""), at=row.at, stood_at=row.stood_at, claims=row.claims)


def describe_origin(
    *, kind: str, by: str, at: datetime, stood_at: datetime | None, claims: Mapping[str, object]
) -> OriginRow:
    """Return the same from the values of its row; `by` is empty for the operator."""
    return OriginRow(
        kind=kind, by=by or UNKNOWN, at=at, stood_at=stood_at, claims=claims_read(claims) if claims else None
    )
