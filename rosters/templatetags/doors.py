"""Programs and addresses of sessions, as their owner sees them; and the way back after signing in."""

from __future__ import annotations

from urllib.parse import urlencode

from django import template
from django.conf import settings
from django.template import Context

from rosters.site.address import shortened
from rosters.site.user_agents import describe_user_agent

register = template.Library()
register.filter("agent_words", describe_user_agent)
register.filter("shortened_address", shortened)


@register.simple_tag(takes_context=True)
def back_here(context: Context) -> str:
    """Return `?next=` with this page, so that users come back to it after signing in or up; empty on the first page, on
    account pages, and where the URL is a secret (`address_is_secret`)."""
    request = context.get("request")
    if request is None or request.method != "GET" or request.path == "/" or context.get("address_is_secret"):
        return ""
    if request.path.startswith("/accounts/"):
        return f"?{urlencode({'next': request.GET['next']})}" if request.GET.get("next") else ""
    return f"?{urlencode({'next': request.get_full_path()})}"


@register.simple_tag
def sign_up_mode() -> str:
    """Return who may sign up: "open", "invited" or "closed"."""
    return str(settings.SIGN_UP)
