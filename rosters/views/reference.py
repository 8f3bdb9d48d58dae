"""Reference pages: the rules and versions of each game, and the style guide while DEBUG is on."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from rosters import hooks
from rosters.designs.selectors import design_published
from rosters.printing.screen_cards import card_of_design
from rosters.releases.selectors import describe_releases
from rosters.site.pagination import Slice
from rosters.view_helpers import searched
from systems import ROSTERS, roster_rules
from systems.legality import Problem
from systems.rulebook import RuleKind, RuleRef

KINDS: dict[RuleKind, str] = {  # in the order of the page
    "build": "Building",
    "battle": "Battle",
    "campaign": "Between games",
    "doctrine": "AI",
    "table-only": "Table only",
}


@require_GET
def rules(request: HttpRequest, system: str = "") -> HttpResponse:
    """Show the rules of a game, filtered by the kind and search text in the URL, and its versions."""
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
        "history": None if kind or words else describe_releases(chosen.slug),
    }
    return render(request, "rosters/rules.html", context)


@require_GET
def releases(request: HttpRequest, system: str) -> HttpResponse:
    """Redirect to the versions of a game, which are shown with its rules."""
    if system not in ROSTERS:
        raise Http404
    return redirect(reverse("rosters:rules", args=[system], query=request.GET, fragment="releases"))


def _words_of(rule: RuleRef) -> str:
    """Return the rule's text that is searched."""
    rulings = " ".join(f"{ruling.title} {ruling.text}" for ruling in rule.rulings)
    return f"{rule.id} {rule.title} {rule.text} {rule.origin} {rulings}".casefold()


class SampleForm(forms.Form):
    """A form with one field of each kind, for the style guide."""

    name = forms.CharField(help_text="Up to 12 characters; shown on cards.", max_length=12)
    motto = forms.CharField(required=False)
    terrain = forms.ChoiceField(choices=[("plain", "Plain"), ("wood", "Wood")])
    visibility = forms.ChoiceField(
        widget=forms.RadioSelect,
        choices=[("private", "only me"), ("link", "anyone with the link"), ("public", "everybody")],
    )
    shared = forms.BooleanField(label="Show the company to opponents", required=False)
    notes = forms.CharField(widget=forms.Textarea, required=False)


def styleguide(request: HttpRequest) -> HttpResponse:
    """Show every component in its usual state; with `?refused`, show forms with errors, and messages."""
    refused = "refused" in request.GET
    if refused:
        messages.success(request, "Ghost bought for 24 points.")
        messages.warning(request, "ODIN is printed at 27 points.")
        messages.error(request, "Not enough points for Thor: 12 are left, 28 are needed.")
    rulebook = roster_rules("meks-and-mercs").rulebook
    draken = design_published("meks-and-mercs", "draken")
    context = {
        "form": SampleForm({"name": "far too long a name"} if refused else None),
        "rulebook": rulebook,
        "one_rule": next(iter(rulebook.values())),
        "problems": [Problem("MM-012", "Viper has no huge mount for the Hammer-Missile.", "weapons[2]")],
        "warnings": [Problem("MM-004", "The source prints 27 points; the parts add up to 33.")],
        "slice": Slice([], before="100", after="51"),
        "numbers": (4, 5, None),
        "card": card_of_design(draken.system, draken.name, draken.spec),
    }
    return render(request, "styleguide.html", context)
