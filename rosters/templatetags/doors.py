"""Agents and addresses of sessions, as their owner is shown them; the way back from a door."""

from __future__ import annotations

from urllib.parse import urlencode

from django import template
from django.conf import settings
from django.template import Context

from rosters.doors.agents import in_words
from rosters.site.address import shortened

register = template.Library()
register.filter("agent_words", in_words)
register.filter("shortened_address", shortened)


@register.simple_tag(takes_context=True)
def back_here(context: Context) -> str:
    """`?next=` this page, so that who signs in or up comes back to it; nothing on the first page, on doors, and where the
    address is a secret (`address_is_secret`)."""
    request = context.get("request")
    if request is None or request.method != "GET" or request.path == "/" or context.get("address_is_secret"):
        return ""
    if request.path.startswith("/accounts/"):
        return f"?{urlencode({'next': request.GET['next']})}" if request.GET.get("next") else ""
    return f"?{urlencode({'next': request.get_full_path()})}"


@register.simple_tag
def sign_up_mode() -> str:
    """Who may sign up: "open", "invited" or "closed"."""
    return str(settings.SIGN_UP)
