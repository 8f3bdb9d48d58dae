"""A record checked: the battle of it fought again by a worker, of this site or from a file."""

from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.models import RecordCheck
from battles.selectors.checks import check_readable
from battles.services.checks import check_ask, check_of_battle
from battles.views._parts import actor_of, asker_of, battle_or_404, found_or_404, refusal_of, refusal_said
from rosters.services import RefusedError
from rosters.site.keeping import kept_for
from systems.documents import DocumentError
from systems.engine.resolve import MAX_RECORD_BYTES


@require_http_methods(["GET", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    """A form for a record's file."""
    errors = []
    if request.method == "POST":
        file = request.FILES.get("record")
        try:
            if file is None:
                raise RefusedError("record", "Choose the file of a record: what a battle’s page offers to download.")
            check = check_ask(data=file.read(MAX_RECORD_BYTES + 1), **asker_of(request))
            return redirect("battles:check-answer", key=check.key)
        except (RefusedError, DocumentError) as error:
            errors.append(("", *refusal_of(error)))
    return render(request, "battles/check.html", {"errors": errors}, status=422 if errors else 200)


@require_POST
def of_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    """The record of a battle, fought again."""
    row = battle_or_404(request, key)
    with refusal_said(request):
        return redirect("battles:check-answer", key=check_of_battle(battle=row, **asker_of(request)).key)
    return redirect("battles:battle", key=key)


@require_GET
@never_cache
def answer(request: HttpRequest, key: UUID) -> HttpResponse:
    """Same, or where it differs."""
    return render(request, "battles/check.html", {"check": _check_or_404(request, key)})


@require_GET
@never_cache
def progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Where it stands, for the page to ask again and again."""
    return render(request, "battles/_check.html", {"check": _check_or_404(request, key)})


def _check_or_404(request: HttpRequest, key: UUID) -> RecordCheck:
    kept = kept_for("Checks of records are", settings.KEEP_VISITORS_DAYS)
    return found_or_404(check_readable(key, actor_of(request)), kept and f"{kept} The record can be checked again.")
