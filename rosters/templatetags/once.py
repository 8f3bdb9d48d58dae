"""What `{% csrf_token %}` writes into a form: beside Django's field a key of the form's own.

It is a built-in of all templates, so that no form is forgotten. A form that is shown anew has a new key.
"""

from __future__ import annotations

import uuid

from django import template
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.utils.safestring import SafeString, mark_safe

from rosters.site.once import FIELD

register = template.Library()


class KeyedTokenNode(CsrfTokenNode):
    def render(self, context: Context) -> SafeString:
        token = super().render(context)
        if not token:
            return SafeString()
        return mark_safe(f'{token}<input type="hidden" name="{FIELD}" value="{uuid.uuid4().hex}">')


def hidden_fields(context: Context) -> SafeString:
    """What `{% csrf_token %}` writes, for forms that are drawn without a template."""
    return KeyedTokenNode().render(context)


@register.tag
def csrf_token(parser: template.base.Parser, token: template.base.Token) -> KeyedTokenNode:
    """The hidden fields that every form which posts has."""
    return KeyedTokenNode()
