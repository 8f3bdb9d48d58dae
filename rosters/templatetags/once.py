"""An extended `{% csrf_token %}`: besides Django's field, it writes the form's own key and its account.

It is a built-in of all templates, so that no form is forgotten. A form that is shown again has a new key.
"""

from __future__ import annotations

import uuid

from django import template
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from rosters.site.forms.kept import ACCOUNT, PAGE, account_field, kept_page, page_field
from rosters.site.once import FORM_KEY_FIELD

register = template.Library()


class KeyedTokenNode(CsrfTokenNode):
    def render(self, context: Context) -> SafeString:
        token = super().render(context)
        if not token:
            return SafeString()
        fields = {FORM_KEY_FIELD: uuid.uuid4().hex}
        if request := context.get("request"):
            fields |= {ACCOUNT: account_field(request), PAGE: page_field(request)}
        hidden = format_html_join(
            "", '<input type="hidden" name="{}" value="{}">', ((name, value) for name, value in fields.items() if value)
        )
        return mark_safe(f"{token}{hidden}")


def hidden_fields(context: Context) -> SafeString:
    """Return the fields of `{% csrf_token %}`, for forms that are rendered without a template."""
    return KeyedTokenNode().render(context)


@register.tag
def csrf_token(parser: template.base.Parser, token: template.base.Token) -> KeyedTokenNode:
    """Return the hidden fields that every POST form has."""
    return KeyedTokenNode()


@register.simple_tag(takes_context=True)
def unsent_page(context: Context) -> str:
    """Return the page of a form that the reader has filled in and couldn't submit; empty if there is none."""
    user = context["request"].user
    return kept_page(user.pk) if user.is_authenticated else ""


@register.simple_tag(takes_context=True)
def form_account(context: Context) -> str:
    """Return the reader's account as in forms, for the header of POST requests without a form."""
    request = context.get("request")
    return account_field(request) if request else ""
