"""The search of the whole site, by name: one page of the first few of each kind that the reader may see."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from campaigns import policy
from campaigns.models import Campaign, Club
from rosters.models import Company, Design, Scenario
from rosters.policy import visible
from rosters.view_helpers import searched
from systems import ROSTERS, roster_rules

MAX_HITS = 8  # of a kind
MIN_LENGTH = 2  # of a search text


class Hit(NamedTuple):
    """A thing found: its name, a word about it, and its address."""

    name: str
    about: str
    url: str


class Group(NamedTuple):
    """The things of a kind that were found, and the page that lists more; empty if there is none."""

    title: str
    hits: list[Hit]
    more: str


@require_GET
def search(request: HttpRequest) -> HttpResponse:
    """Show what was found: companies, clubs, campaigns, designs, scenarios and rules."""
    text = searched(request)
    groups = list(find(request, text)) if len(text) >= MIN_LENGTH else []
    context = {"search": text, "is_short": 0 < len(text) < MIN_LENGTH, "groups": groups}
    return render(request, "search.html", context)


def find(request: HttpRequest, text: str) -> Iterable[Group]:
    """Yield the groups with a hit. Five queries."""
    reader, query = request.user, urlencode({"q": text})
    companies = Company.objects.filter(visible(reader, "owner"), disbanded_at=None)
    clubs = Club.objects.filter(policy.visible_clubs(reader)).distinct()
    campaigns = Campaign.objects.filter(policy.campaigns_visible(reader)).select_related("club").distinct()
    own_designs = Design.objects.filter(visible(reader, "author"))
    own_scenarios = Scenario.objects.filter(visible(reader, "author"))
    for title, more, hits in (
        ("Companies", "rosters:companies", [
            Hit(row.name, roster_rules(row.system).name, reverse("rosters:company", args=[row.pk]))
            for row in companies.filter(name__icontains=text).order_by("name", "pk")[:MAX_HITS]
        ]),
        ("Clubs", "campaigns:clubs", [
            Hit(row.name, row.place, reverse("campaigns:club", args=[row.slug]))
            for row in clubs.filter(name__icontains=text).order_by("name", "pk")[:MAX_HITS]
        ]),
        ("Campaigns", "", [
            Hit(row.name, row.club.name, reverse("campaigns:campaign", args=[row.pk]))
            for row in campaigns.filter(name__icontains=text).order_by("name", "pk")[:MAX_HITS]
        ]),
        ("Designs", "", [*_published_designs(text), *(
            Hit(row.name, roster_rules(row.system).name, reverse("rosters:design", args=[row.pk]))
            for row in own_designs.filter(name__icontains=text).order_by("name", "pk")[:MAX_HITS]
        )]),
        ("Scenarios", "", [*_published_scenarios(text), *(
            Hit(row.name, roster_rules(row.system).name, reverse("rosters:scenario", args=[row.pk]))
            for row in own_scenarios.filter(name__icontains=text).order_by("name", "pk")[:MAX_HITS]
        )]),
        ("Rules", "", list(_rules(text))),
    ):  # fmt: skip
        if hits:
            yield Group(title, hits[:MAX_HITS], f"{reverse(more)}?{query}" if more else "")


def _published_designs(text: str) -> list[Hit]:
    wanted = text.casefold()
    return [
        Hit(design.name, rules.name, reverse("rosters:design_published", args=[system, slug]))
        for system, rules in ROSTERS.items()
        for slug, design in rules.published.items()
        if wanted in design.name.casefold()
    ]


def _published_scenarios(text: str) -> list[Hit]:
    wanted = text.casefold()
    return [
        Hit(scenario.name, rules.name, reverse("rosters:scenario_published", args=[system, slug]))
        for system, rules in ROSTERS.items()
        for slug, scenario in rules.scenarios.items()
        if wanted in scenario.name.casefold()
    ]


def _rules(text: str) -> Iterable[Hit]:
    """Yield the first rules whose title or ID contains the text."""
    wanted = text.casefold()
    return islice(
        (
            Hit(rule.title, f"{rule.id} · {rules.name}", f"{reverse('rosters:rules', args=[system])}#{rule.id}")
            for system, rules in ROSTERS.items()
            for rule in rules.rulebook.values()
            if wanted in rule.title.casefold() or wanted == rule.id.casefold()
        ),
        MAX_HITS,
    )
