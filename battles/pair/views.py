"""The page of two phones without a network, and the site's verdict on their rolls afterwards."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from battles.models import PairedDice
from battles.view_helpers import refusal_of
from rosters.services import RefusedError
from rosters.site.devices import with_camera
from rosters.site.visitors import visitor_mark
from systems.documents import DocumentError
from systems.engine.paired import PAIRED_CHAIN_LENGTH, MAX_DICE, DIE_SIDES, links_of

from .sent import PairRoll, SentList, paired_statistics, list_rolls
from .services import MAX_BODY_BYTES, paired_list_save


@require_http_methods(["GET", "POST"])
@with_camera
def paired_dice_start(request: HttpRequest) -> HttpResponse:
    """Show the page, the same for everybody, so that a phone can store it; a list is posted here once online."""
    if request.method == "POST":
        return _receive_list(request)
    context = {"sides": DIE_SIDES, "most": MAX_DICE, "length": PAIRED_CHAIN_LENGTH}
    return render(request, "battles/pair/pair.html", context)


def _receive_list(request: HttpRequest) -> HttpResponse:
    try:
        body = request.body
        if len(body) > MAX_BODY_BYTES:
            raise RefusedError("list", "This list is too long.")
        row = paired_list_save(document=body, visitor=visitor_mark(request))
    except RawPostDataException:  # a form, already read as one
        return JsonResponse({"said": "This is no list of dice."}, status=422)
    except (RefusedError, DocumentError) as error:
        return JsonResponse({"said": refusal_of(error)[1]}, status=422)
    return JsonResponse({"url": reverse("battles:pair_told", args=[row.key])})


@require_GET
def paired_dice_page(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show what both phones have sent, and the verdict."""
    row = PairedDice.objects.filter(key=key).first()
    if row is None:
        raise Http404("No such dice")
    lists: list[SentList | None] = [None, None]
    for each in row.lists.all():
        said = {roll["roll"]: PairRoll.model_validate(roll) for roll in each.rolls}
        lists[each.side] = SentList(name=each.name, links=links_of(each.last), rolls=said)
    rolls = list_rolls(row.sealed, lists)
    counts = {name: sum(each.verdict == name for each in rolls) for name in ("proven", "half", "disputed")}
    names = [(each.name if each else "", sealed) for each, sealed in zip(lists, row.sealed, strict=True)]
    context = {
        "rolls": rolls,
        "dice_told": paired_statistics(rolls),
        "counts": counts,
        "names": names,
        "is_whole": all(lists),
        "dice": row,
    }
    return render(request, "battles/pair/told.html", context)
