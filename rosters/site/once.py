"""Doing a request once that may come more than once: what it did and what was answered are written together.

Who repeats a request with its key is given the first answer. Key and act are in one transaction, so a machine that
dies in between leaves both or neither.
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
from rosters.models import KeptAnswer
from rosters.site.clearing import Clearing, clear_rows
from rosters.site.keeping import before

ResultT = TypeVar("ResultT")
FIELD = "once"  # of a form, with its key


class UnderWayError(Exception):
    """Raised while the first request with this key is not over."""


class OtherRequestError(Exception):
    """Raised for a key that another request was made with."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is kept of an answer."""

    status: int
    text: str
    at: datetime = field(default_factory=timezone.now)


def hashed(*parts: str) -> str:
    """The hash of some texts; none runs into the next."""
    return hashlib.sha256("".join(f"{len(part)}:{part}" for part in parts).encode()).hexdigest()


def once(
    *, who: str, key: str, asked: str, waits: bool, act: Callable[[], tuple[ResultT, Answer | None]]
) -> ResultT | Answer:
    """What `act` returns, or the answer to the first request of `who` with this key.

    `act` gives its result, and what of it is kept; with None nothing is, and the next one acts again. What it raises
    takes back all that it wrote. `waits`: one at the same time waits for the first, else it is UnderWayError.
    """
    digest = hashed(who, key)
    with transaction.atomic():
        if not lock_named(digest, waits=waits):
            raise UnderWayError
        first = KeptAnswer.objects.filter(digest=digest).first()
        if first is not None:
            if first.asked != asked:
                raise OtherRequestError
            return Answer(first.status, first.answer, first.at)
        result, answer = act()
        if answer is not None:
            KeptAnswer.objects.create(digest=digest, asked=asked, status=answer.status, answer=answer.text)
        return result


def clear_answers(run: Clearing) -> int:
    """Drops answers that are kept no longer."""
    old = before(run.now, settings.KEEP_ANSWERS_DAYS)
    return clear_rows(KeptAnswer.objects.filter(at__lt=old).only("pk"), run) if old else 0
