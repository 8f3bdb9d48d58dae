"""Files that machines ask a site for first: robots.txt, favicon and security.txt."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

VALID_FOR = timedelta(days=180)  # RFC 9116: less than a year


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """robots.txt: public pages are open to all; forms, counts and accounts are not for crawlers."""
    closed = ("/accounts/", "/admin/", "/api/", "/profile/", "/print/", "/outbox/", "/inbox/", "/wall/")
    lines = ["User-agent: *", "Allow: /api/docs/", *(f"Disallow: {path}" for path in closed)]
    lines += ["", f"Sitemap: {request.build_absolute_uri(reverse('sitemaps'))}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect the standard address of the icon, which browsers use whatever a page says."""
    return redirect(static("img/favicon.ico"), permanent=False)


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """RFC 9116; 404 if the operator has named no contact."""
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
