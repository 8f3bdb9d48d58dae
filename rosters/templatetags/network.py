"""The account of a page, for what the browser stores of it."""

from __future__ import annotations

from django import template
from django.template import Context
from django.utils.crypto import salted_hmac

register = template.Library()
VISITOR = "visitor"


@register.simple_tag(takes_context=True)
def account_mark(context: Context) -> str:
    """Return a mark of the reader's account that doesn't reveal it; empty if the page doesn't know its reader."""
    user = context.get("user")
    if user is None:
        return ""
    if not user.is_authenticated:
        return VISITOR
    return salted_hmac("rosters.network", str(user.pk)).hexdigest()[:20]
