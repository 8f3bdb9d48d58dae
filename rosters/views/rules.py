"""The rules of each system for reference: every rule with its ID, in our words, in groups."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from rosters import hooks
from systems import ROSTERS
from systems.rulebook import Kind

from ._parts import searched

KINDS: dict[Kind, str] = {  # in the order of the page
    "build": "Building and mustering",
    "battle": "The battle",
    "campaign": "Between the battles",
    "doctrine": "How Muster plays a side",
    "table-only": "At the table only",
}


@require_GET
def rules(request: HttpRequest, system: str = "") -> HttpResponse:
    """The rulebook of a system, filtered by kind and by words; all of it in the URL."""
    if system and system not in ROSTERS:
        raise Http404
    chosen = ROSTERS[system or next(iter(ROSTERS))]
    kind, search = request.GET.get("kind", ""), searched(request)
    words = search.casefold().split()
    book = list(chosen.rulebook.values())
    kinds = [(name, title) for name, title in KINDS.items() if any(rule.kind == name for rule in book)]
    found = [
        rule
        for rule in book
        if (not kind or rule.kind == kind)
        and all(word in f"{rule.id} {rule.title} {rule.text}".casefold() for word in words)
    ]
    example = hooks.example_of(chosen.slug)
    steps = example.steps if example else {}
    context = {
        "system": chosen,
        "systems": ROSTERS.values(),
        "kinds": kinds,
        "kind": kind,
        "search": search,
        "groups": [
            (name, title, rules)
            for name, title in kinds
            if (rules := [(rule, steps.get(rule.id)) for rule in found if rule.kind == name])
        ],
        "found": len(found),
        "total": len(book),
        "example": example,
    }
    return render(request, "rosters/rules.html", context)
