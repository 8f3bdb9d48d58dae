"""Pages of comparisons: ask for one change of a forecast's set-up, and show its effect on the odds."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.changes.selectors import best_changes_of
from battles.changes.services import MAX_CHANGES
from battles.models import Forecast, WhatIf
from battles.odds.change_places import OwnDesign, change_places
from battles.selectors.odds import forecast_odds, forecast_readable, what_if_row, what_if_readable, what_ifs_of
from battles.services.clearing import count_kept_until
from battles.services.limits import runs_limit
from battles.services.what_ifs import what_if_ask
from battles.view_helpers import actor_of, asker_of, count_or_404, flash_refusal, refusal_of
from rosters.models import Design
from rosters.services import RefusedError
from rosters.site.compiled import PreparedQuery
from systems import battle_rules
from systems.documents import DocumentError
from systems.reading import stored_setup

WHAT_IF_RUNS = (10_000, 100_000, 1_000_000)
DEFAULT_RUNS = 100_000


@require_http_methods(["GET", "POST"])
@never_cache
def ask_for_what_if(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the possible changes and those already asked for; POST `change` = what|of|to asks for one."""
    row = count_or_404(forecast_readable(key))
    errors = []
    if request.method == "POST":
        what, of, to = (request.POST.get("change", "").split("|", 2) + ["", ""])[:3]
        runs = request.POST.get("battles", "")
        try:
            what_if, _ = what_if_ask(
                forecast=row,
                change={"what": what, "of": of, "to": _own_spec(request, to) or to},
                runs=int(runs) if runs.isdecimal() and len(runs) < 10 else 0,
                **asker_of(request),
            )
            return redirect("battles:what-if-answer", key=what_if.key)
        except (RefusedError, DocumentError) as error:
            errors.append(("", *refusal_of(error)))
    context = _what_if_context(request, row) | {"errors": errors, "odds": forecast_odds(row)}
    return render(request, "battles/what_if.html", context, status=422 if errors else 200)


@require_GET
@never_cache
def show_what_if(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the effect of one change, as far as it is simulated, with the other changes below."""
    row = count_or_404(what_if_readable(key))
    context = _what_if_context(request, row.forecast) | _what_if_answer(row)
    return render(request, "battles/what_if.html", context)


@require_GET
@never_cache
def what_if_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the figures so far, for the page to poll."""
    row = count_or_404(what_if_readable(key))
    context = _what_if_answer(row) | {"forecast": row.forecast}
    return render(request, "battles/_what_if.html", context)


@require_POST
def repeat_what_if(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a failed comparison; by the current rules, if they have changed."""
    row = count_or_404(what_if_readable(key))
    with flash_refusal(request):
        row, _ = what_if_ask(forecast=row.forecast, change=row.change, runs=row.runs_asked, **asker_of(request))
    return redirect("battles:what-if-answer", key=row.key)


MAX_DESIGNS = 6
OWN_DESIGNS = PreparedQuery(
    lambda author, system: Design.objects.filter(author=author, system=system).order_by("-pk")[:MAX_DESIGNS],
    author=int,
    system=str,
)


def _own_designs(request: HttpRequest, system: str) -> tuple[OwnDesign, ...]:
    """Return the reader's own newest designs."""
    player = actor_of(request)
    rows = OWN_DESIGNS.rows(author=player.pk, system=system) if player else ()
    return tuple(OwnDesign(str(row.pk), row.name, row.spec) for row in rows)


def _own_spec(request: HttpRequest, to: str) -> dict[str, object] | None:
    """Return the spec of `own:<id>`; None for anything else."""
    player, pk = actor_of(request), to.removeprefix("own:")
    if player is None or pk == to or not pk.isdecimal() or len(pk) > 18:
        return None
    row = Design.objects.filter(author=player, pk=int(pk)).first()
    return dict(row.spec) if row else None


def _what_if_answer(row: WhatIf) -> dict[str, object]:
    return {
        "line": what_if_row(row),
        "what_if": row,
        "said": battle_rules(row.forecast.system).hand.fields,
        "kept_until": count_kept_until(row),
    }


def _what_if_context(request: HttpRequest, row: Forecast) -> dict[str, object]:
    limit = runs_limit(actor_of(request))
    return {
        "sides": [side["name"] for side in row.setup["sides"]],
        "searched": best_changes_of(row.pk),
        "most_changes": MAX_CHANGES,
        "forecast": row,
        "places": change_places(stored_setup(row.setup), _own_designs(request, row.system)),
        "lines": what_ifs_of(row),
        "runs": [runs for runs in WHAT_IF_RUNS if runs <= limit],
        "default_runs": DEFAULT_RUNS,
    }
