"""Somebody else who commits in the middle of another's answer, at a place that the test names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection


@dataclass
class Interloper:
    """Whether he came."""

    has_come: bool = False


def elsewhere(act: Callable[[], Any]) -> Any:
    """What the act returns, done and committed on a connection of its own."""

    def run() -> Any:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


@contextmanager
def interloper(act: Callable[[], object], *, after: str = "", nth: int = 1) -> Iterator[Interloper]:
    """Does the act elsewhere right after this connection's nth read that names `after`, and never while it holds locks."""
    told = Interloper()
    seen = 0

    def come(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal seen
        result = execute(sql, params, many, context)
        seen += sql.startswith("SELECT") and after in sql and not connection.in_atomic_block
        if seen == nth and not told.has_come:
            told.has_come = True
            elsewhere(act)
        return result

    with connection.execute_wrapper(come):
        yield told
