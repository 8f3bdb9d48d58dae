"""The search of the whole site, by name: one page of the first few of each kind that the reader may see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from django.db.models import Model, QuerySet
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

RowT = TypeVar("RowT", bound=Model)
MAX_HITS = 8  # of a kind; published ones are counted separately
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
    designs = Design.objects.filter(visible(reader, "author"))
    scenarios = Scenario.objects.filter(visible(reader, "author"))
    groups = {
        "Companies": [Hit(row.name, _game(row), _url("rosters:company", row.pk)) for row in _named(companies, text)],
        "Clubs": [Hit(row.name, row.place, _url("campaigns:club", row.slug)) for row in _named(clubs, text)],
        "Campaigns": [
            Hit(row.name, row.club.name, _url("campaigns:campaign", row.pk)) for row in _named(campaigns, text)
        ],
        "Designs": [
            *(Hit(row.name, _game(row), _url("rosters:design", row.pk)) for row in _named(designs, text)),
            *_published("rosters:design_published", text, lambda rules: rules.published),
        ],
        "Scenarios": [
            *(Hit(row.name, _game(row), _url("rosters:scenario", row.pk)) for row in _named(scenarios, text)),
            *_published("rosters:scenario_published", text, lambda rules: rules.scenarios),
        ],
        "Rules": list(_rules(text)),
    }
    more = {"Companies": "rosters:companies", "Clubs": "campaigns:clubs"}
    for title, hits in groups.items():
        if hits:
            yield Group(title, hits, f"{reverse(more[title])}?{query}" if title in more else "")


def _named(rows: QuerySet[RowT], text: str) -> QuerySet[RowT]:
    return rows.filter(name__icontains=text).order_by("name", "pk")[:MAX_HITS]


def _game(row: Company | Design | Scenario) -> str:
    return roster_rules(row.system).name


def _url(route: str, *parts: object) -> str:
    return reverse(route, args=parts)


def _published(route: str, text: str, things: Callable[[Any], Mapping[str, Any]]) -> list[Hit]:
    """Return the first published designs or scenarios of all games with the text in their names."""
    wanted = text.casefold()
    found = (
        Hit(thing.name, rules.name, _url(route, system, slug))
        for system, rules in ROSTERS.items()
        for slug, thing in things(rules).items()
        if wanted in thing.name.casefold()
    )
    return [*islice(found, MAX_HITS)]


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
