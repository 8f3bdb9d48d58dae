"""Execute a request only once even if it is repeated: its changes and its response are stored together.

A repeated request with the same key gets the first response. Key and changes are in one transaction, so a crash in
between leaves both or neither.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from rosters.database.locks import lock_named
from rosters.models import IdempotentResponse
from rosters.site.clearing import Clearing, clear_rows
from rosters.site.keeping import expiry_cutoff

ResultT = TypeVar("ResultT")
FORM_KEY_FIELD = "once"  # the field of a form that has its key


class UnderWayError(Exception):
    """Raised while the first request with this key is still running."""


class OtherRequestError(Exception):
    """Raised for a key that was used for another request."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The stored part of a response."""

    status: int
    text: str
    at: datetime = field(default_factory=timezone.now)


def hashed(*parts: str) -> str:
    """Return a hash of several texts that also depends on where each of them ends."""
    return hashlib.sha256("".join(f"{len(part)}:{part}" for part in parts).encode()).hexdigest()


def run_once(
    *, who: str, key: str, asked: str, waits: bool, act: Callable[[], tuple[ResultT, Answer | None]]
) -> ResultT | Answer:
    """Return the result of `act`, or the stored response to the first request of `who` with this key.

    `act` returns its result and what to store of it; with None nothing is stored, and the next request acts again. If
    it raises, all its changes are rolled back. `waits`: a simultaneous request waits for the first, else it gets
    UnderWayError.
    """
    digest = hashed(who, key)
    with transaction.atomic():
        if not lock_named(digest, waits=waits):
            raise UnderWayError
        first = IdempotentResponse.objects.filter(digest=digest).first()
        if first is not None:
            if first.asked != asked:
                raise OtherRequestError
            return Answer(first.status, first.answer, first.at)
        result, answer = act()
        if answer is not None:
            IdempotentResponse.objects.create(digest=digest, asked=asked, status=answer.status, answer=answer.text)
        return result


def clear_answers(run: Clearing) -> int:
    """Delete expired responses."""
    old = expiry_cutoff(run.now, settings.KEEP_ANSWERS_DAYS)
    return clear_rows(IdempotentResponse.objects.filter(at__lt=old).only("pk"), run) if old else 0
