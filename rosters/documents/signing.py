"""The signature of this site on exported companies, so that it recognises its own documents.

It proves only to this site that the document is unchanged, and whose company it was: its key is Django's secret key,
and the fallback keys while they are configured. It is given only if all of the company's past was written here.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping

from django.core.signing import BadSignature, Signer

from rosters.models import Company
from systems.setups import canonical

SALT = "muster.company"


def can_vouch(company: Company) -> bool:
    """Return whether every entry of the company's ledger was written by this site."""
    origin = getattr(company, "origin", None)
    return origin is None or bool(origin.is_proven)


def signature_of(document: Mapping[str, object], owner: int) -> str:
    """Return the signature for a company/1 document of that player's company, ignoring any existing signature."""
    return Signer(salt=SALT).signature(_text(document, owner))


def is_signed_here(document: Mapping[str, object], owner: int) -> bool:
    """Return whether the document has this site's signature for that player, and is unchanged."""
    try:
        Signer(salt=SALT).unsign(f"{_text(document, owner)}:{document.get('signature') or ''}")
    except BadSignature:
        return False
    return True


def _text(document: Mapping[str, object], owner: int) -> str:
    said = canonical({name: value for name, value in document.items() if name != "signature"})
    return hashlib.sha256(unicodedata.normalize("NFC", f"{owner} {said}").encode()).hexdigest()
