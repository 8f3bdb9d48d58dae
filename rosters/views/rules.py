"""The rules reference of each system: every rule with its ID, in our own words, in groups."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from rosters import hooks
from rosters.view_helpers import searched
from systems import ROSTERS
from systems.rulebook import RuleKind, RuleRef

KINDS: dict[RuleKind, str] = {  # in the order of the page
    "build": "Building and mustering",
    "battle": "The battle",
    "campaign": "Between the battles",
    "doctrine": "How Muster plays a side",
    "table-only": "At the table only",
}


@require_GET
def rules(request: HttpRequest, system: str = "") -> HttpResponse:
    """Show the rulebook of a system, filtered by kind and search text, both in the URL."""
    if system and system not in ROSTERS:
        raise Http404
    chosen = ROSTERS[system or next(iter(ROSTERS))]
    kind, search = request.GET.get("kind", ""), searched(request)
    words = search.casefold().split()
    book = list(chosen.rulebook.values())
    kinds = [(name, title) for name, title in KINDS.items() if any(rule.kind == name for rule in book)]
    found = [
        rule for rule in book if (not kind or rule.kind == kind) and all(word in _words_of(rule) for word in words)
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
        "ours": sum(rule.is_ours for rule in book),
        "of_book": sum(not rule.is_ours for rule in book),
        "rulings": len({ruling.number for rule in book for ruling in rule.rulings}),
        "glossary": [] if kind or words else [(slugify(title), title, each) for title, each in chosen.glossary.items()],
        "example": example,
    }
    return render(request, "rosters/rules.html", context)


def _words_of(rule: RuleRef) -> str:
    """Return the text in which to search."""
    rulings = " ".join(f"{ruling.title} {ruling.text}" for ruling in rule.rulings)
    return f"{rule.id} {rule.title} {rule.text} {rule.origin} {rulings}".casefold()
