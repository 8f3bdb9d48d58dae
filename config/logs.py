"""The format of the log: readable lines, or JSON for machines. Both contain the request and the job, but no addresses.

Addresses contain invitation codes and the keys of shared links and feeds. So log lines name the route instead, even
where Django or a library would write the path.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from django.http import HttpRequest
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from rosters.database.transactions import error_chain, is_database_unavailable
from rosters.site import log_context

AWAY_SECONDS = 60.0  # between two lines of a logger about an outage
BROKER_ERRORS = (BrokerError, RedisConnectionError, RedisTimeoutError)
_PATH_OF_A_URL = re.compile(r"(https?://[^/\s'\"]+)/[^\s'\",)]*")


def route_of(request: HttpRequest) -> str:
    """Return the name of the page or endpoint; "-" if there is none."""
    match = request.resolver_match
    return (match.view_name or "unnamed") if match else "-"


class Traced(logging.Filter):
    """Adds the request and the job to each record."""

    def filter(self, record: logging.LogRecord) -> bool:
        names = {"request_id": log_context.request_id.get(), "job": log_context.job_name.get()}
        record.__dict__.update(names, belongs_to="".join(f" [{name}]" for name in names.values() if name))
        return True


class NoPaths(logging.Filter):
    """Replaces the path with the route in Django's records about a request."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            path, route = request.path, route_of(request)
            record.args = tuple(
                _without_path(each, path, route) if isinstance(each, str) else each for each in record.args
            )
        return True


def _without_path(text: str, path: str, route: str) -> str:
    """Replace the path with the route, also in Django's escaped form. "/" alone may stay, as it reveals nothing."""
    replaced = _PATH_OF_A_URL.sub(r"\1/...", text)
    if len(path) > 1:
        replaced = replaced.replace(path.encode("unicode_escape").decode("ascii"), route).replace(path, route)
    return replaced


class Outages(logging.Filter):
    """Limits records about an unavailable database or broker to one per logger and minute; they would fill the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._written_at: dict[str, float] = {}
        self._left_out: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        error = _error_of(record)
        is_written = hasattr(record, "is_outage")  # by the filter of another handler
        if not is_written and not is_database_unavailable(error) and not is_broker_unavailable(error):
            return True
        now = record.created
        if abs(now - self._written_at.get(record.name, 0.0)) < AWAY_SECONDS:
            self._left_out[record.name] += 1
            return False
        self._written_at[record.name] = now
        more = self._left_out.pop(record.name, 0)
        if is_written:
            return True
        record.is_outage = True
        message = record.getMessage().partition("\n[")[0]  # Celery's timer adds the stack as a list
        if (why := str(error)) not in message:
            message = f"{message}: {type(error).__name__}: {why}"
        if more:
            message += f" (and {more} more of this, left out)"
        record.msg, record.args, record.exc_info, record.exc_text = " ".join(message.split()), (), None, None
        return True


def is_broker_unavailable(error: BaseException | None) -> bool:
    """Return whether the error or one of its causes means that the broker can't be reached now."""
    return any(isinstance(each, BROKER_ERRORS) for each in error_chain(error))


class SecurityLines(logging.Filter):
    """Drops the traceback of requests that Django refuses, such as too large ones: strangers can send as many as they like."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security."):
            record.exc_info = record.exc_text = None
        return True


def _error_of(record: logging.LogRecord) -> BaseException | None:
    """Return the record's exception, from `exc_info` or its arguments; None if there is none."""
    if record.exc_info and record.exc_info[1]:
        return record.exc_info[1]
    given = record.args if isinstance(record.args, tuple) else ()
    return next((each for each in given if isinstance(each, BaseException)), None)


class QuietTimers(logging.Filter):
    """Drops Celery's info messages about the timers' tasks, which are a hundred lines a minute on an idle site."""

    def __init__(self, tasks: Iterable[str]) -> None:
        super().__init__()
        self._tasks = frozenset(tasks)

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno >= logging.WARNING or not record.name.startswith("celery."):
            return True
        return not (isinstance(record.args, Mapping) and record.args.get("name") in self._tasks)


class JsonLines(logging.Formatter):
    """Formats a record as a line of JSON, with the fields named here and those of the caller's `fields`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name in ("request_id", "job"):
            if value := getattr(record, name, ""):
                line[name] = value
        line.update(getattr(record, "fields", {}))
        if record.exc_info:
            line["exception"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)
