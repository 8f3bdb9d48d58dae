"""Another connection that commits while a response is made, at a point that the test names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection


@dataclass
class Interloper:
    """Whether the act has been done."""

    has_come: bool = False


@contextmanager
def somebody_else() -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Yield a function that calls another function on its own connection, and returns the result."""
    with ThreadPoolExecutor(1) as pool:
        yield lambda act: pool.submit(act).result()
        pool.submit(lambda: connection.close()).result()  # of that thread


@contextmanager
def interloper(act: Callable[[], object], *, after: str = "", before: str = "", nth: int = 1) -> Iterator[Interloper]:
    """Do the act right after (or before) this connection's nth SELECT that contains the text.

    Never while this connection is in a transaction.
    """
    with somebody_else() as elsewhere, coming(lambda: elsewhere(act), after=after, before=before, nth=nth) as visitor:
        yield visitor


@contextmanager
def coming(act: Callable[[], object], *, after: str = "", before: str = "", nth: int = 1) -> Iterator[Interloper]:
    """Do the same for an act that opens its own connection."""
    visitor = Interloper()
    seen = 0

    def come(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal seen
        result = None if before else execute(sql, params, many, context)
        seen += sql.startswith("SELECT") and (before or after) in sql and not connection.in_atomic_block
        if seen == nth and not visitor.has_come:
            visitor.has_come = True
            act()
        return execute(sql, params, many, context) if before else result

    with connection.execute_wrapper(come):
        yield visitor
