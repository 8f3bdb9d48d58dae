"""The matchup matrix: asked for, its progress, its table."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from battles.choices import DEFAULT_SYSTEM, doctrine_choices, terrain_choices
from battles.models import Matrix
from battles.selectors import matrices_done, matrix_page
from battles.services.matrices import BATTLES, designs_of, matrix_ask
from battles.views.parts import asker_of, matrix_or_404, refusal_of
from rosters.documents import DocumentError
from rosters.services import RefusedError


@require_http_methods(["GET", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    """Terrain and doctrines to choose; POST asks for the matrix."""
    errors = []
    if request.method == "POST":
        doctrines = (request.POST.get("a", ""), request.POST.get("b", ""))
        try:
            row, _ = matrix_ask(
                system=DEFAULT_SYSTEM,
                terrain=request.POST.get("terrain", ""),
                doctrines=doctrines,
                **asker_of(request),
            )
            return redirect("battles:matrix", key=row.key)
        except (RefusedError, DocumentError) as error:
            errors.append(("", *refusal_of(error)))
    context = {"errors": errors, "done": matrices_done()} | _choices(None)
    return render(request, "battles/matrices.html", context, status=422 if errors else 200)


@require_GET
@never_cache
def matrix(request: HttpRequest, key: UUID) -> HttpResponse:
    row = matrix_or_404(key)
    return render(request, "battles/matrix.html", {"matrix": row, "page": matrix_page(row)} | _choices(row))


@require_GET
@never_cache
def progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """The cells so far, for the page to ask again and again."""
    row = matrix_or_404(key)
    return render(request, "battles/_matrix.html", {"matrix": row, "page": matrix_page(row)})


def _choices(row: Matrix | None) -> dict[str, object]:
    """What the form offers, and what it stands at."""
    return {
        "terrains": terrain_choices(DEFAULT_SYSTEM),
        "doctrines": doctrine_choices(DEFAULT_SYSTEM),
        "chosen": {
            "terrain": row.terrain if row else "plain",
            "a": row.doctrines[0] if row else "aggressive",
            "b": row.doctrines[1] if row else "aggressive",
        },
        "designs": len(designs_of(DEFAULT_SYSTEM)),
        "battles": BATTLES,
    }
