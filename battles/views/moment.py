"""The replay elsewhere: in a frame on a club's own page, and a step of it as a picture."""

from uuid import UUID

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET

from battles.models import Battle
from battles.replay.moment import still_picture
from battles.selectors.battle import BattlePage, battle_page, readable_battle
from battles.selectors.stage_curve import stage_curve
from battles.view_helpers import battle_or_404, found_or_404
from battles.views.battle import number_asked, render_stage
from rosters.models import Visibility

NO_DRAWING = "This battle has no drawing"


@xframe_options_exempt
@require_GET
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # typed for views without arguments
def embed_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the stage alone, for a frame on any page; for battles that anybody with the link may see."""
    row = found_or_404(readable_battle(key, None), "")
    page = _drawn_page_or_404(request, row)
    stage = render_stage(page, stage_curve(row), "embed")
    response = render(request, "battles/embed.html", {"page": page, "battle": row, "map": stage})
    response["Cache-Control"] = f"{_cache_key(row)}, max-age=60"
    return response


@require_GET
def step_picture(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the drawing at `?step=` as a picture; it never changes."""
    row = battle_or_404(request, key)
    page = _drawn_page_or_404(request, row)
    assert page.map
    assert page.board_kind
    context = {"map": page.map, "page": page, "battle": row}
    text, style = still_picture(row.title, page.board_kind, context, page.map.title)
    response = HttpResponse(text, content_type="image/svg+xml")
    response._csp_update = {"style-src": [style], "font-src": ["data:"]}  # type: ignore[attr-defined]
    response["Cache-Control"] = f"{_cache_key(row)}, max-age=86400"
    return response


def _cache_key(row: Battle) -> str:
    """Return which caches may keep the response."""
    return "public" if row.visibility == Visibility.PUBLIC else "private"


def _drawn_page_or_404(request: HttpRequest, row: Battle) -> BattlePage:
    page = battle_page(
        row,
        player=None,  # shared caches keep the response, so nothing in it may be the reader's own
        visitor="",
        round_number=None,
        step=number_asked(request, "step") or 1,
        zone=number_asked(request, "zone") or 0,
    )
    if page.map is None:
        raise Http404(NO_DRAWING)
    return page
