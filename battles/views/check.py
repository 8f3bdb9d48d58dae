"""Checks of records: a worker simulates the battle again, from this site or from a file."""

from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.models import RecordCheck
from battles.selectors.checks import check_readable
from battles.services.checks import check_ask, check_of_battle
from battles.view_helpers import actor_of, asker_of, battle_or_404, flash_refusal, found_or_404, refusal_of
from rosters.services import RefusedError
from rosters.site.keeping import kept_for
from systems.documents import DocumentError
from systems.simulation.resolve import MAX_RECORD_BYTES

MAX_HASH_LETTERS = 128


@require_http_methods(["GET", "POST"])
def ask_for_check(request: HttpRequest) -> HttpResponse:
    """Show a form for a record's file."""
    errors = []
    if request.method == "POST":
        file = request.FILES.get("record")
        try:
            if file is None:
                raise RefusedError("record", "Choose the file of a record: what a battle’s page offers to download.")
            check = check_ask(data=file.read(MAX_RECORD_BYTES + 1), **asker_of(request))
            there = reverse("battles:check-answer", args=[check.key])
            noted = _short_note(request.POST.get("noted", ""))
            return redirect(f"{there}?{urlencode({'noted': noted})}" if noted else there)
        except (RefusedError, DocumentError) as error:
            errors.append(("", *refusal_of(error)))
    return render(request, "battles/check.html", {"errors": errors}, status=422 if errors else 200)


@require_POST
def check_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    """Check the record of a battle by simulating it again."""
    row = battle_or_404(request, key)
    with flash_refusal(request):
        return redirect("battles:check-answer", key=check_of_battle(battle=row, **asker_of(request)).key)
    return redirect("battles:battle", key=key)


@require_GET
@never_cache
def show_check(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show whether the record is the same, or where it differs."""
    return render(request, "battles/check.html", _check_context(request, key))


@require_GET
@never_cache
def check_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the status of the check, for the page to poll."""
    return render(request, "battles/_check.html", _check_context(request, key))


def _check_context(request: HttpRequest, key: UUID) -> dict[str, object]:
    """Return the check, and the hash that the reader noted before the battle, if they enter it."""
    return {"check": _check_or_404(request, key), "noted": _short_note(request.GET.get("noted", ""))}


def _short_note(text: str) -> str:
    """Return a hash as somebody noted it: without spaces, in lower case, cut off at a length no hash has."""
    return "".join(text.split()).lower()[:MAX_HASH_LETTERS]


def _check_or_404(request: HttpRequest, key: UUID) -> RecordCheck:
    kept = kept_for("Checks of records are", settings.KEEP_VISITORS_DAYS)
    return found_or_404(check_readable(key, actor_of(request)), kept and f"{kept} The record can be checked again.")
