"""Files that browsers and crawlers request: manifest, service worker, robots.txt, favicon, security.txt."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

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
        "description": "The muster roll of mech mercenary clubs: companies, battles, campaigns, and the sheet at the table.",
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
            {"name": "Tonight’s packet", "url": reverse("campaigns:offline_pack")},
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
    closed = ("/accounts/", "/admin/", "/api/", "/profile/", "/print/", "/outbox/", "/inbox/", "/wall/")
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
