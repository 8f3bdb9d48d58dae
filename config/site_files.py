"""Files that browsers and crawlers request: manifest, service worker, robots.txt, favicon, security.txt, sitemaps.

Sitemaps list only pages that everybody may read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from battles.models import Battle
from campaigns.models import Campaign, Club, Gazette
from rosters.jobs import JobStatus
from rosters.models import Company, Visibility
from systems import ROSTERS

SCRIPTS = (  # of the worker, in the order of their dependencies
    "vendor/idb.umd.js",
    "vendor/workbox-core.prod.js",
    "vendor/workbox-routing.prod.js",
    "vendor/workbox-strategies.prod.js",
    "js/offline-storage.js",
    "js/worker.js",
)
PAIR = (
    "css/live.css",
    "css/paired-dice.css",
    "vendor/qrcode.js",
    "js/fair-dice.js",
    "js/paired-dice.js",
)  # dice of two phones
SHELL = (
    *(
        "css/tokens.css",
        "css/base.css",
        "css/components.css",
        "js/app.js",
        "js/offline-status.js",
        "js/offline-page.js",
    ),
    *PAIR,
)
PATIENCE = 6000  # ms to wait for an answer before the page from the offline pack is shown
PAPER, SIGNAL = "#f3eee1", "#a8370b"  # as in tokens.css
ICONS = (("img/icon-192.png", "192x192", "any"), ("img/icon-512.png", "512x512", "any"))
MASKABLE = ("img/icon-maskable.png", "512x512", "maskable")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the manifest, for installing the site as an app."""
    document = {
        "id": "/",
        "name": "Muster",
        "short_name": "Muster",
        "description": "Build, print and run mech companies for tabletop games: lists, battles, campaigns and live games.",
        "lang": "en",
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [
            {"src": static(path), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for path, sizes, purpose in (*ICONS, MASKABLE)
        ],
        "shortcuts": [
            {"name": "Offline pack", "url": reverse("campaigns:offline_pack")},
            {"name": "At the table", "url": reverse("battles:tables")},
        ],
    }
    return JsonResponse(document, content_type="application/manifest+json")


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker: it imports its scripts, with a version calculated from their contents."""
    scripts = [static(path) for path in SCRIPTS]
    version = hashlib.sha256("\n".join((*scripts, *map(static, SHELL))).encode()).hexdigest()[:12]
    worker_settings = {
        "fallback": reverse("without-network"),
        "always": [reverse("battles:paired-dice")],  # the same for everybody, and available without an offline pack
        "leaving": [reverse("account_logout")],
        "devices": {"key": reverse("campaigns:device_key"), "add": reverse("campaigns:device_add")},
        "patience": PATIENCE,
        "version": version,
    }
    text = f"self.muster = {json.dumps(worker_settings)};\nimportScripts({', '.join(map(json.dumps, scripts))});\n"
    return HttpResponse(text, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})


@require_safe
def without_network(request: HttpRequest) -> HttpResponse:
    """Show the page for an address that isn't in the offline pack; it lists the pages that are."""
    return render(request, "without_network.html")


VALID_FOR = timedelta(days=180)  # RFC 9116: less than a year


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt: public pages are open to crawlers; accounts, the API and private pages are not."""
    closed = ("/accounts/", "/admin/", "/api/", "/profile/", "/print/", "/outbox/", "/inbox/", "/search/", "/wall/")
    lines = ["User-agent: *", "Allow: /api/docs/", *(f"Disallow: {path}" for path in closed)]
    lines += ["", f"Sitemap: {request.build_absolute_uri(reverse('sitemaps'))}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect from /favicon.ico, which browsers request whatever icon a page names."""
    return redirect(static("img/favicon.ico"), permanent=False)


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Return security.txt (RFC 9116); 404 if the operator has set no contact."""
    if not settings.SECURITY_CONTACTS:
        raise Http404
    until = (datetime.now(UTC) + VALID_FOR).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACTS),
        f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {request.build_absolute_uri(reverse('security-txt'))}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


LATEST = 2_000  # the newest pages of each kind; the sitemap has no more
OPEN = {"is_public": True, "club__is_public": True}
OF_A_GAME = ("rosters:rules", "campaigns:balance")
Address = tuple[str, *tuple[object, ...]]  # the name of its route, and its arguments
if TYPE_CHECKING:
    Addresses = Sitemap[Address]
else:
    Addresses = Sitemap


class Pages(Addresses):
    """A sitemap of the addresses that a function returns."""

    limit = 300  # addresses per file

    def __init__(self, found: Callable[[], Sequence[Address]]) -> None:
        self._found = found

    def items(self) -> Sequence[Address]:
        return self._found()

    def location(self, item: Address) -> str:
        name, *args = item
        return reverse(name, args=args)


def _own() -> Sequence[Address]:
    """Return the pages that every site has."""
    lists = ("battles:battles", "rosters:companies", "rosters:designs", "rosters:scenarios", "campaigns:clubs")
    names = ("home", "battles:quick-battle", "rosters:lab", "api-docs", *lists)
    designs = [
        ("rosters:design_published", system, slug) for system, rules in ROSTERS.items() for slug in rules.published
    ]
    return [(name,) for name in names] + [(name, slug) for name in OF_A_GAME for slug in ROSTERS] + designs


def _companies() -> Sequence[Address]:
    rows = Company.objects.filter(visibility=Visibility.PUBLIC, disbanded_at=None).order_by("-pk")
    return [("rosters:company", pk) for pk in rows.values_list("pk", flat=True)[:LATEST]]


def _clubs() -> Sequence[Address]:
    rows = Club.objects.filter(is_public=True).order_by("-pk")
    return [("campaigns:club", slug) for slug in rows.values_list("slug", flat=True)[:LATEST]]


def _campaigns() -> Sequence[Address]:
    """Return the pages of public campaigns: campaign, standings and gazettes."""
    rows = Campaign.objects.filter(**OPEN).exclude(state="draft").order_by("-pk").values_list("pk", flat=True)
    found = [(f"campaigns:{page}", pk) for pk in rows[:LATEST] for page in ("campaign", "standings")]
    open_rounds = {f"round__campaign__{name}": value for name, value in OPEN.items()}
    gazettes = Gazette.objects.filter(**open_rounds).order_by("-round").values_list("round__campaign", "round__number")
    return found + [("campaigns:gazette", *each) for each in gazettes.distinct()[:LATEST]]


def _battles() -> Sequence[Address]:
    rows = Battle.objects.filter(visibility=Visibility.PUBLIC, status=JobStatus.DONE).order_by("-pk")
    return [("battles:battle", key) for key in rows.values_list("key", flat=True)[:LATEST]]


SITEMAPS = {
    found.__name__.removeprefix("_"): Pages(found) for found in (_own, _companies, _clubs, _campaigns, _battles)
}
