"""Context variables for log lines: the current request and the current job."""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Iterator
from contextvars import ContextVar
from functools import partial

request_id: ContextVar[str] = ContextVar("request_id", default="")
job_name: ContextVar[str] = ContextVar("job_name", default="")

_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")


def new_request_id() -> str:
    return secrets.token_hex(8)


def is_request_id(text: str) -> bool:
    """Return whether a request ID from outside is safe to log: 8 to 64 letters, digits, dots, dashes, underscores."""
    return bool(_WELL_FORMED.fullmatch(text))


@contextlib.contextmanager
def _noted(what: ContextVar[str], name: str) -> Iterator[None]:
    before = what.set(name)
    try:
        yield
    finally:
        what.reset(before)


of_request = partial(_noted, request_id)  # context manager: log lines inside have this request ID
of_job = partial(_noted, job_name)  # context manager: log lines inside have this job
