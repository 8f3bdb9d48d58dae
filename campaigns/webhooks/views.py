"""The page of a club's webhooks, for its organisers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from campaigns import policy
from campaigns.clubs.views import club_context
from campaigns.models import Club, Webhook, WebhookDelivery
from campaigns.shortcuts import club_or_404, require_permission
from rosters.view_helpers import locked_for_edit, player, run_and_flash, run_for_form

from . import selectors as reads
from . import services
from .forms import WebhookChangeForm, WebhookForm, webhook_initial


@login_required
@require_http_methods(["GET", "POST"])
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's webhooks, the one in the query string (`webhook`), and the form for another.

    A webhook is shown with its events and the log of responses. The secret of a new one is shown only once.
    """
    club = _club_for_organiser(request, slug)
    if request.method == "GET":
        key = request.GET.get("webhook", "")
        chosen = next((row for row in reads.webhooks_of(club) if str(row.key) == key), None)
        if key and chosen is None:
            raise Http404("No such webhook")
        return _page(request, club, chosen)
    form = WebhookForm(request.POST)
    if form.is_valid():
        made = run_for_form(form, lambda: services.webhook_create(club=club, by=player(request), **form.cleaned_data))
        if made:
            row, secret = made
            messages.success(request, f"Webhook to {row.host} added. Send a test.")
            return _page(request, club, row, secret=secret) if secret else redirect(_address(row))
    return _page(request, club, new_form=form)


@login_required
@require_http_methods(["GET", "POST"])
def webhook(request: HttpRequest, slug: str, webhook: UUID) -> HttpResponse:
    """Change a webhook. GET redirects to it on the club's page of webhooks."""
    found = _webhook(request, slug, webhook)
    if request.method == "GET":
        return redirect(_address(found, request.GET))
    with locked_for_edit(request, found) as row:
        form = _change_form(row, request.POST)
        if form.is_valid():
            changed = run_for_form(
                form, lambda: services.webhook_change(webhook=row, by=player(request), **form.cleaned_data)
            )
            if changed:
                messages.success(request, "Saved.")
                return redirect(_address(row))
    return _page(request, row.club, row, change_form=form)


@login_required
@require_POST
def webhook_test(request: HttpRequest, slug: str, webhook: UUID) -> HttpResponse:
    """Send a test."""
    row = _webhook(request, slug, webhook)
    run_and_flash(
        request,
        lambda: services.webhook_test(webhook=row, by=player(request)),
        "Test sent. Reload the page to see the response.",
    )
    return redirect(_address(row))


@login_required
@require_POST
def webhook_secret(request: HttpRequest, slug: str, webhook: UUID) -> HttpResponse:
    """Replace the secret and show it, this once."""
    row = _webhook(request, slug, webhook)
    secret: list[str] = []
    if not run_and_flash(
        request,
        lambda: secret.append(services.webhook_secret_new(webhook=row, by=player(request))),
        "New secret created. The old one has stopped working.",
    ):
        return redirect(_address(row))
    return _page(request, row.club, row, secret=secret[0])


@login_required
@require_http_methods(["GET", "POST"])
def webhook_drop(request: HttpRequest, slug: str, webhook: UUID) -> HttpResponse:
    """Delete the webhook. GET redirects to the webhook, where the button asks first."""
    row = _webhook(request, slug, webhook)
    if request.method == "GET":
        return redirect(_address(row))
    run_and_flash(
        request,
        lambda: services.webhook_delete(webhook=row, by=player(request)),
        f"Webhook to {row.host} deleted.",
    )
    return redirect("campaigns:webhooks", slug=slug)


@login_required
@require_POST
def delivery_retry(request: HttpRequest, slug: str, webhook: UUID, delivery: UUID) -> HttpResponse:
    """Send the same delivery again."""
    row = _webhook(request, slug, webhook)
    found = WebhookDelivery.objects.select_related("webhook__club", "news").filter(webhook=row, key=delivery).first()
    if found is None:
        raise Http404("No such sending")
    run_and_flash(request, lambda: services.delivery_repeat(delivery=found, by=player(request)), "Sending again.")
    return redirect(_address(row))


# --- parts ------------------------------------------------------------------------------------------------------------


def _club_for_organiser(request: HttpRequest, slug: str) -> Club:
    """Return the club, for its organisers."""
    row = club_or_404(request, slug)
    require_permission(policy.can_run_club(request.user, row))
    return row


def _webhook(request: HttpRequest, slug: str, key: UUID) -> Webhook:
    row = reads.webhook_of(_club_for_organiser(request, slug), key)
    if row is None:
        raise Http404("No such webhook")
    return row


def _address(row: Webhook, query: Mapping[str, str] = MappingProxyType({})) -> str:
    query = {**query, "webhook": str(row.key)}
    return reverse("campaigns:webhooks", args=[row.club.slug], query=query, fragment="webhook")


def _change_form(row: Webhook, data: QueryDict | None = None) -> WebhookChangeForm:
    return WebhookChangeForm(data, initial=webhook_initial(row), auto_id="webhook_%s")


def _page(
    request: HttpRequest,
    club: Club,
    row: Webhook | None = None,
    *,
    new_form: WebhookForm | None = None,
    change_form: WebhookChangeForm | None = None,
    secret: str = "",
) -> HttpResponse:
    """Return the page, with a webhook if it is given, and refused forms."""
    context = {
        **club_context(request, club),
        "webhooks": reads.webhooks_of(club),
        "most": services.MAX_WEBHOOKS,
        "new_form": new_form or WebhookForm(),
    }
    if row is not None:
        context |= {
            "webhook": row,
            "form": change_form or _change_form(row),
            "deliveries": reads.deliveries_of(row),
            "secret": secret,
        }
    response = render(request, "campaigns/webhooks.html", context, status=422 if new_form or change_form else 200)
    if secret:
        response["Cache-Control"] = "no-store"
    return response
