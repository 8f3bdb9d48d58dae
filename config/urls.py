"""All routes: pages of each app, accounts, the API and its schema. Health and metrics are in `middleware.py`."""

from django.conf import settings
from django.contrib import admin
from django.contrib.sitemaps.views import index, sitemap
from django.urls import include, path
from django.views.decorators.http import require_safe

from campaigns.home import home
from campaigns.search import search
from config import site_files
from config.api_docs import SchemaView, api_docs
from config.site_files import SITEMAPS

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler429 = "rosters.accounts.limits.too_many"  # called by allauth
handler500 = "config.errors.server_error"

urlpatterns = [
    path("", home, name="home"),
    path("search/", search, name="search"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("config.api_urls")),
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("api/docs/", api_docs, name="api-docs"),
    path("sitemap.xml", require_safe(index), {"sitemaps": SITEMAPS, "sitemap_url_name": "sitemap"}, name="sitemaps"),
    path("sitemap-<slug:section>.xml", require_safe(sitemap), {"sitemaps": SITEMAPS}, name="sitemap"),
    path("favicon.ico", site_files.favicon, name="favicon"),
    path("manifest.webmanifest", site_files.manifest, name="manifest"),
    path("worker.js", site_files.worker, name="worker"),
    path("without-network/", site_files.without_network, name="without-network"),
    path("robots.txt", site_files.robots, name="robots-txt"),
    path(".well-known/security.txt", site_files.security, name="security-txt"),
    path("", include("rosters.urls")),
    path("", include("battles.urls")),
    path("", include("campaigns.urls")),
]

if settings.EMAIL_LOCAL_OUTBOX:
    from rosters.accounts.views import outbox

    urlpatterns.append(path("outbox/", outbox, name="outbox"))

if settings.DEBUG:
    from rosters.views.reference import styleguide

    urlpatterns.append(path("styleguide/", styleguide, name="styleguide"))
