"""Another connection that commits while a response is made, at a point that the test names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection


@dataclass
class Interruption:
    """Whether the act has been done."""

    is_done: bool = False


@contextmanager
def other_connection() -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Yield a function that calls another function on its own connection, and returns the result."""
    with ThreadPoolExecutor(1) as pool:
        yield lambda act: pool.submit(act).result()
        pool.submit(lambda: connection.close()).result()  # of that thread


@contextmanager
def commit_between(
    act: Callable[[], object], *, after: str = "", before: str = "", nth: int = 1
) -> Iterator[Interruption]:
    """Do the act right after (or before) this connection's nth SELECT that contains the text.

    Never while this connection is in a transaction.
    """
    with (
        other_connection() as elsewhere,
        act_between(lambda: elsewhere(act), after=after, before=before, nth=nth) as interruption,
    ):
        yield interruption


@contextmanager
def act_between(
    act: Callable[[], object], *, after: str = "", before: str = "", nth: int = 1
) -> Iterator[Interruption]:
    """Do the same for an act that opens its own connection."""
    interruption = Interruption()
    seen = 0

    def intercept(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal seen
        result = None if before else execute(sql, params, many, context)
        seen += sql.startswith("SELECT") and (before or after) in sql and not connection.in_atomic_block
        if seen == nth and not interruption.is_done:
            interruption.is_done = True
            act()
        return execute(sql, params, many, context) if before else result

    with connection.execute_wrapper(intercept):
        yield interruption
