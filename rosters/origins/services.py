"""Record where a company comes from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rosters.documents.company import CompanyDocument, facts_of
from rosters.ledger.fold import fold
from rosters.models import Company, CompanyOrigin, OriginKind, Player

from .claims import claims_of, games_here
from .signing import is_signed_here


def origin_note(
    *, company: Company, by: Player | None, document: CompanyDocument, last_entry: int, units: Sequence[int]
) -> CompanyOrigin:
    """Record the claims of a company that was just imported, and whether this site had signed them.

    `units`: their ids, in the order of the document. The caller opens the transaction.
    """
    is_signed = is_signed_here(document.model_dump(mode="json", exclude_unset=True), company.owner_id)
    claims = claims_of(fold(facts_of(document)), units=dict(enumerate(units)))
    if not is_signed:
        claims["games_known"], claims["games_otherwise"] = games_here(document, company.pk)
    return CompanyOrigin.objects.create(
        company=company,
        kind=OriginKind.SIGNED if is_signed else OriginKind.UNSIGNED,
        by=by,
        stood_at=datetime.fromisoformat(document.ledger[-1].at) if is_signed else None,
        last_entry=last_entry,
        claims=claims,
    )
