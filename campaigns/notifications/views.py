"""Pages of the notifications, of their settings, and of the devices that receive pushes."""

from __future__ import annotations

import json
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.models import Notification, NotificationPreferences
from campaigns.notifications import selectors as reads
from campaigns.notifications import services, web_push
from campaigns.notifications.forms import PreferencesForm, preferences_initial
from campaigns.notifications.mails import confirmed_address
from campaigns.notifications.web_push import push_key
from rosters.services import RefusedError
from rosters.view_helpers import locked_for_edit, player, row_id, run_for_form
from systems.text import pluralize


@login_required
@require_GET
def inbox(request: HttpRequest) -> HttpResponse:
    """Show the user's notifications, newest first; all, or the unread ones."""
    unread = request.GET.get("show") == "unread"
    found = reads.inbox_page(player(request), request.GET, unread=unread)
    context = {
        "notifications": [reads.describe_notification(row) for row in found],
        "slice": found,
        "only_unread": unread,
        "newest": found.rows[0].pk if found.rows else 0,
    }
    return render(request, "campaigns/inbox.html", context)


@login_required
@require_GET
def inbox_open(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark the notification as read and redirect to what it is about."""
    notification = _notification(request, pk)
    url = reads.describe_notification(notification).url
    services.mark_notification(notification=notification, is_read=True)
    return redirect(url or "campaigns:inbox")


@login_required
@require_POST
def inbox_mark(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a notification as read or unread."""
    services.mark_notification(notification=_notification(request, pk), is_read=request.POST.get("do") != "unread")
    return _back(request)


@login_required
@require_POST
def inbox_read(request: HttpRequest) -> HttpResponse:
    """Mark everything as read that was there when the page was rendered."""
    newest = row_id(request.POST.get("newest", ""))
    number = services.mark_notifications_read(player=player(request), up_to=newest)
    messages.success(
        request, f"{pluralize(number, 'notifications')} marked as read." if number else "Nothing was unread."
    )
    return redirect("campaigns:inbox")


def _notification(request: HttpRequest, pk: int) -> Notification:
    found = reads.notifications_of(player(request)).filter(pk=pk).first()
    if found is None:
        raise Http404("No such notification")
    return found


def _back(request: HttpRequest) -> HttpResponse:
    """Redirect to the list with the same filter."""
    answer = redirect("campaigns:inbox")
    if request.POST.get("show") == "unread":
        answer["Location"] += "?show=unread"
    return answer


@login_required
@require_http_methods(["GET", "POST"])
def notification_settings(request: HttpRequest) -> HttpResponse:
    """Show and change the notification settings."""
    reader = player(request)
    row = NotificationPreferences.objects.filter(player=reader).first()
    is_made = False
    if row is None and request.method == "POST":
        row, is_made = NotificationPreferences.objects.get_or_create(player=reader)
    with locked_for_edit(request, row or NotificationPreferences(player=reader)) as known:
        form = PreferencesForm(request.POST or None, initial=preferences_initial(known))
        if request.method == "POST" and form.is_valid():
            saved = run_for_form(form, lambda: services.preferences_set(player=reader, **form.preferences))
            if saved:
                messages.success(request, "Saved.")
                return redirect("campaigns:notification_settings")
    if is_made and form.errors:
        known.delete()  # a refused form leaves no row
    context = {
        "form": form,
        "preferences": known,
        "address": confirmed_address(reader),
        "mails": reads.mails_of(reader),
    }
    context["devices"] = reads.devices_of(reader)
    return render(request, "campaigns/notification_settings.html", context, status=422 if form.errors else 200)


@csrf_exempt
@require_http_methods(["GET", "POST"])
def mail_unsubscribe(request: HttpRequest, key: UUID) -> HttpResponse:
    """Stop all mail of this link's player with one click, without signing in; mail programs do it too (RFC 8058)."""
    row = NotificationPreferences.objects.select_related("player").filter(unsubscribe_key=key).first()
    if row is None:
        raise Http404("No such link")
    is_done = request.method == "POST" and services.mail_stop(key=key) is not None
    context = {"reader": row.player, "is_done": is_done, "gets_mail": bool(row.channels)}
    return render(request, "campaigns/mail_unsubscribe.html", context)


MAX_BODY = 4000  # bytes
FIELDS = ("endpoint", "p256dh", "auth", "name", "public")
MOVED_FIELDS = ("endpoint", "p256dh", "auth", "before", "public")


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def device_key(request: HttpRequest) -> HttpResponse:
    """Return the site's public key as JSON; it is made on the first request.

    GET returns the CSRF token, which a service worker needs for the POST because it has no page.
    """
    if request.method == "GET":
        return JsonResponse({"token": get_token(request)})
    return JsonResponse({"public": push_key().public})


@login_required
@require_POST
def device_add(request: HttpRequest) -> HttpResponse:
    """Add a browser from JSON (sent by the page), or move it from its address `before` (sent by the service worker)."""
    try:
        given = json.loads(request.body[:MAX_BODY])
        is_moved = "before" in given
        fields = {name: given[name] for name in (MOVED_FIELDS if is_moved else FIELDS)}
    except (ValueError, TypeError, KeyError, RawPostDataException):  # the last: a form, its body already read
        return JsonResponse({"said": "This isn't a browser's push address. Reload the page and try again."}, status=422)
    if not all(isinstance(value, str) for value in fields.values()):
        return JsonResponse({"said": "This isn't a browser's push address. Reload the page and try again."}, status=422)
    try:
        change = web_push.device_move if is_moved else web_push.device_add
        row = change(player=player(request), **fields)
    except RefusedError as error:
        return JsonResponse({"said": error.reason}, status=422)
    if is_moved:  # by the service worker, in the background
        return JsonResponse({"key": str(row.key)})
    messages.success(request, f"Notifications are on in {row.name}. Choose below which ones.")
    return JsonResponse({"key": str(row.key)})


@login_required
@require_POST
def device_remove(request: HttpRequest, key: UUID) -> HttpResponse:
    """Stop notifications in that browser."""
    if web_push.device_remove(player=player(request), key=key):
        messages.success(request, "Notifications stopped in that browser.")
    else:
        messages.info(request, "Notifications were already off in that browser.")
    return redirect("campaigns:notification_settings")
