"""Shared parts of this app's views: the asker, what they may see, and refusals."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest

from battles.choices import system_or_default
from battles.models import Battle, Calculation
from battles.selectors.battle import readable_battle
from battles.services.limits import Asker, runs_limit
from rosters.models import Company, Player, UnitStatus
from rosters.services import RefusedError
from rosters.site.retention import ExplainedNotFoundError, kept_for
from rosters.site.visitors import visitor_mark
from systems.documents import DocumentError

RowT = TypeVar("RowT")
CountT = TypeVar("CountT", bound=Calculation)


def actor_of(request: HttpRequest) -> Player | None:
    """Return the signed-in player; None for a visitor."""
    return request.user if request.user.is_authenticated else None


def system_of(request: HttpRequest) -> str:
    """Return the rule system named by the form, else by the URL (`?system=`); the default for an unknown slug."""
    return system_or_default(request.POST.get("system") or request.GET.get("system"))


def system_of_player(request: HttpRequest) -> str:
    """Return the system that the request names; without one, that of the reader's newest company with a ready unit."""
    actor = actor_of(request)
    if actor is None or "system" in request.POST or "system" in request.GET:
        return system_of(request)
    own = Company.objects.filter(owner=actor, disbanded_at=None, units__status=UnitStatus.READY)
    return system_or_default(own.order_by("-pk").values_list("system", flat=True).first())


def asker_of(request: HttpRequest) -> Asker:
    return {"actor": actor_of(request), "visitor": visitor_mark(request)}


def found_or_404(row: RowT | None, kept: str) -> RowT:
    """Return the row. Raise a 404 if there is none the reader may see, with a sentence on how long rows are kept."""
    if row is None:
        raise ExplainedNotFoundError(kept)
    return row


def battle_or_404(request: HttpRequest, key: UUID) -> Battle:
    return found_or_404(
        readable_battle(key, actor_of(request)),
        kept_for("Battles without an account are", settings.KEEP_VISITORS_DAYS),
    )


def count_or_404(count: CountT | None) -> CountT:
    """Return the odds, comparison or matrix. Raise a 404 that says how long they are kept.

    It also says that asking again gives the same result.
    """
    kept = kept_for("Unused odds are", settings.KEEP_ODDS_DAYS)
    return found_or_404(count, kept and f"{kept} You can rerun them with the same result.")


@contextmanager
def flash_refusal(request: HttpRequest) -> Iterator[None]:
    """Show a refusal raised inside as a message on the next page."""
    try:
        yield
    except (RefusedError, DocumentError) as error:
        messages.error(request, error.reason)


RUNS = (1_000, 10_000, 100_000, 1_000_000)
HALF_WIDTHS = {"0.5": 50_000, "0.2": 300_000, "0.1": 1_000_000}  # percentage points: battles that are always enough


def runs_choices(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the numbers of battles to choose from. A value such as "~0.5" means: until the intervals are that narrow."""
    limit = runs_limit(actor_of(request))
    exact = [(str(runs), f"{runs:,} battles") for runs in RUNS if runs <= limit]
    return exact + [(f"~{points}", f"until ± {points}%") for points, runs in HALF_WIDTHS.items() if runs <= limit]


def runs_asked(request: HttpRequest) -> tuple[int, float | None]:
    """Return the chosen number of battles, and the half width to stop at; 0 battles for any other text."""
    text = request.POST.get("battles", "")
    if text[:1] == "~" and text[1:] in HALF_WIDTHS:
        return HALF_WIDTHS[text[1:]], float(text[1:]) / 100
    return (int(text) if text.isdecimal() and len(text) < 10 else 0), None


def refusal_of(error: RefusedError | DocumentError) -> tuple[str, str]:
    """Return the field and the reason."""
    return (error.path if isinstance(error, DocumentError) else error.field), error.reason
