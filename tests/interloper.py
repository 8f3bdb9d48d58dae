"""Another connection that commits in the middle of an answer, at a place that the test names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection


@dataclass
class Interloper:
    """Whether the act was done."""

    has_come: bool = False


@contextmanager
def somebody_else() -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Yield a function that calls what it is given on another connection, and returns the result."""
    with ThreadPoolExecutor(1) as pool:
        yield lambda act: pool.submit(act).result()
        pool.submit(lambda: connection.close()).result()  # its own, not this thread's


@contextmanager
def interloper(act: Callable[[], object], *, after: str = "", before: str = "", nth: int = 1) -> Iterator[Interloper]:
    """Do the act right after (before) this connection's nth read that names that text.

    Never while this connection holds locks.
    """
    with somebody_else() as elsewhere, coming(lambda: elsewhere(act), after=after, before=before, nth=nth) as told:
        yield told


@contextmanager
def coming(act: Callable[[], object], *, after: str = "", before: str = "", nth: int = 1) -> Iterator[Interloper]:
    """Like `interloper`, for an act that opens its own connection."""
    told = Interloper()
    seen = 0

    def come(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal seen
        result = None if before else execute(sql, params, many, context)
        seen += sql.startswith("SELECT") and (before or after) in sql and not connection.in_atomic_block
        if seen == nth and not told.has_come:
            told.has_come = True
            act()
        return execute(sql, params, many, context) if before else result

    with connection.execute_wrapper(come):
        yield told
