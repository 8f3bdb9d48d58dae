"""The picture of a battle, for links to it."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from battles.view_helpers import battle_or_404
from rosters.jobs import JobStatus
from rosters.models import Visibility
from rosters.paper.plates import PreviewImage, PreviewRow, preview_response
from systems import battle_rules
from systems.words import pluralize

SIDE_COLOURS = ("#46562a", "#35546f")  # as pages colour them


@require_GET
def battle_picture(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Return a picture of the two sides and the winner."""
    battle = battle_or_404(request, key)
    rules, end = battle_rules(battle.system), battle.result or {}
    winner = "" if end.get("draw") else end.get("winner") or ""
    rows = tuple(
        PreviewRow(side["name"], "won" if side["name"] == winner else "", colour, side["name"] == winner)
        for side, colour in zip(battle.setup["sides"], SIDE_COLOURS, strict=True)
    )
    if battle.status != JobStatus.DONE:
        told = str(battle.get_status_display())
    else:
        lasted = pluralize(int(end.get("rounds") or 0), f"{rules.round_word(battle.setup['scenario'])}s")
        told = f"{'A draw' if end.get('draw') else 'Decided'} after {lasted}"
    plate = PreviewImage(
        kicker=f"{'Fought at the table' if battle.fought_by_hand else 'Battle'} · {battle.get_system_display()}",
        title=battle.title,
        rows=(*rows, PreviewRow(told)),
        foot="Every die shown beside its rule" if not battle.fought_by_hand else "",
    )
    return preview_response(request, plate, is_public=battle.visibility == Visibility.PUBLIC)
