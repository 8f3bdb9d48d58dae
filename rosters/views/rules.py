"""The rules of each system for reference: every rule with its ID, in our words, and whether Muster carries it out."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from systems import ROSTERS

from ._parts import searched


@require_GET
def rules(request: HttpRequest, system: str = "") -> HttpResponse:
    """The rulebook of a system, filtered by kind and by words; all of it in the URL."""
    if system and system not in ROSTERS:
        raise Http404
    chosen = ROSTERS[system or next(iter(ROSTERS))]
    kind, search = request.GET.get("kind", ""), searched(request)
    words = search.casefold().split()
    book = list(chosen.rulebook.values())
    found = [
        rule
        for rule in book
        if (not kind or rule.kind == kind)
        and all(word in f"{rule.id} {rule.title} {rule.text}".casefold() for word in words)
    ]
    context = {
        "system": chosen,
        "systems": ROSTERS.values(),
        "kinds": list(dict.fromkeys(rule.kind for rule in book)),
        "kind": kind,
        "search": search,
        "rules": found,
        "total": len(book),
        "done": sum(rule.status == "done" for rule in book),
    }
    return render(request, "rosters/rules.html", context)
