"""What timers do row by row: a row that can't be read is passed over, and holds up none of the others."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from rosters.site.job_runs import BLIPS

log = logging.getLogger(__name__)


@contextmanager
def passing_over(what: str) -> Iterator[None]:
    """Log in one line what goes wrong in here with a row, and go on. A database or broker that doesn't answer is raised."""
    try:
        yield
    except BLIPS:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        reason = " ".join(str(error).split())[:200]
        log.warning("%s is passed over: %s: %s (%s:%s)", what, type(error).__name__, reason, last.filename, last.lineno)
