"""The signature of this site under a company that it exports, so that it knows its own again.

It proves that nobody has changed the document since, and whose company it was, to this site alone: its key is Django's
secret, and those before it as long as they are named. It is given only where all of the company's past was written here.
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
    """Whether every entry of the company's ledger was written by this site."""
    origin = getattr(company, "origin", None)
    return origin is None or bool(origin.is_proven)


def signature_of(document: Mapping[str, object], owner: int) -> str:
    """The signature under a company/1 document of that player's company, whatever other signature is under it."""
    return Signer(salt=SALT).signature(_text(document, owner))


def is_signed_here(document: Mapping[str, object], owner: int) -> bool:
    """Whether the document has the signature of this site, for that player, and is as it was when it was signed."""
    try:
        Signer(salt=SALT).unsign(f"{_text(document, owner)}:{document.get('signature') or ''}")
    except BadSignature:
        return False
    return True


def _text(document: Mapping[str, object], owner: int) -> str:
    said = canonical({name: value for name, value in document.items() if name != "signature"})
    return hashlib.sha256(unicodedata.normalize("NFC", f"{owner} {said}").encode()).hexdigest()
