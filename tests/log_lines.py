"""The site's log while a test runs."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from config.logs import JsonLines, NoPaths, Outages, SecurityLines, Traced


class Lines:
    """The site's log, as its handlers write it."""

    def __init__(self) -> None:
        self.text = io.StringIO()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter([json.loads(line) for line in self.text.getvalue().splitlines()])

    def of(self, logger: str) -> list[dict[str, Any]]:
        return [line for line in self if line["logger"] == logger]


@contextmanager
def record_lines() -> Iterator[Lines]:
    """Record all log lines inside the block."""
    lines = Lines()
    handler = logging.StreamHandler(lines.text)
    handler.setFormatter(JsonLines())
    handler.addFilter(Traced())
    handler.addFilter(NoPaths())
    handler.addFilter(Outages())
    handler.addFilter(SecurityLines())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield lines
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
