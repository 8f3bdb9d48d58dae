"""Tags for form fields with label, help and errors, for filters above lists, and for forms that act only once.

Long forms have dozens of fields, so for speed fields are rendered without a template; `_field.html` wraps the tag for
includes. In all templates, `{% csrf_token %}` also writes the form's own key and its account, so it can't be forgotten
in any form. A form that is shown again gets a new key. The values of filters are in the page's URL.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django import template
from django.forms import BoundField
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from rosters.site.idempotency import FORM_KEY_FIELD
from rosters.site.kept_forms import ACCOUNT, PAGE, account_field, kept_page, page_field
from rosters.site.rendering import escape_markup

register = template.Library()
OPTIONAL = ' <span class="field__optional">optional</span>'


@register.simple_tag
def field(
    of: BoundField, *, label: object = "", help: object = "", compact: object = "", has_default: object = False
) -> SafeString:
    """Return label, control, help and errors, connected by Django's IDs <auto_id>_helptext and <auto_id>_error.

    With `has_default`, an empty field means the default, so the label doesn't say "optional".
    """
    if not isinstance(of, BoundField):  # the form doesn't have this field
        return mark_safe("")
    if of.is_hidden:
        return mark_safe(str(of))
    kind, errors = of.widget_type, of.errors
    state = " has-errors" if errors else ""
    label_text = escape_markup(label or of.label or "")
    helped = _help(of, help)
    if kind in ("radioselect", "checkboxselectmultiple"):
        described = of.aria_describedby
        says = f' aria-describedby="{escape_markup(described)}"' if described else ""
        boxes = "".join(
            f'<label class="check" for="{escape_markup(option.id_for_label)}">{option.tag()} '
            f"<span>{escape_markup(option.choice_label)}</span></label>"
            for option in of
        )
        drawn = (
            f'<fieldset class="field{state}" id="{escape_markup(of.auto_id)}"{says}>\n  <legend>{label_text}{_optional(of, has_default)}</legend>\n'
            f"  {boxes}\n  {helped}\n  {errors}\n</fieldset>"
        )
    elif kind == "checkbox":
        drawn = (
            f'<div class="field field--check{state}">\n  <label class="check" for="{escape_markup(of.id_for_label)}">{of} <span>{label_text}</span></label>\n'
            f"  {helped}\n  {errors}\n</div>"
        )
    else:
        size = " field--compact" if compact else ""
        drawn = (
            f'<div class="field{size}{state}">\n  <label for="{escape_markup(of.id_for_label)}">{label_text}{_optional(of, has_default)}</label>\n'
            f"  {of}\n  {helped}\n  {errors}\n</div>"
        )
    return mark_safe(drawn)  # all its parts are escaped


def _optional(of: BoundField, has_default: object) -> str:
    return "" if of.field.required or has_default else OPTIONAL


def _help(of: BoundField, help_text: object) -> str:
    """Return the help given by the page, or else the field's own help, which may contain markup."""
    if not (help_text or of.help_text):
        return ""
    text = escape_markup(help_text) if help_text else str(of.help_text)
    return f'<div class="field__help" id="{escape_markup(of.auto_id)}_helptext">{text}</div>'


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
    """Return the fields that `{% csrf_token %}` writes, for forms that are rendered without a template."""
    return KeyedTokenNode().render(context)


@register.tag
def csrf_token(parser: template.base.Parser, token: template.base.Token) -> KeyedTokenNode:
    """Compile the tag for the hidden fields of every POST form."""
    return KeyedTokenNode()


@register.simple_tag(takes_context=True)
def unsent_page(context: Context) -> str:
    """Return the page of a form that the reader filled in but couldn't submit; empty if there is none."""
    user = context["request"].user
    return kept_page(user.pk) if user.is_authenticated else ""


@register.simple_tag(takes_context=True)
def form_account(context: Context) -> str:
    """Return the reader's signed account for the header of POST requests without a form; forms have it as a field."""
    request = context.get("request")
    return account_field(request) if request else ""


@register.simple_tag
def filter_words(name: str, label: str, asked: str, most: int = 60) -> SafeString:
    """Return a filter with a text field for searching."""
    field = f'<input id="{escape_markup(name)}" name="{escape_markup(name)}" type="search" value="{escape_markup(asked)}" maxlength="{most}">'
    return _field(name, label, field)


@register.simple_tag
def filter_choice(
    name: str, label: str, asked: object, anything: str, options: Iterable[tuple[object, str]] = (), /, **more: str
) -> SafeString:
    """Return a filter with a choice of one option or any; options are given as pairs or as keyword arguments."""
    pairs = [("", anything), *options, *more.items()]
    offered = "".join(_option(value, words, str(value) == str(asked)) for value, words in pairs)
    return _field(name, label, f'<select id="{escape_markup(name)}" name="{escape_markup(name)}">{offered}</select>')


def _option(value: object, words: str, is_asked: bool) -> str:
    return f'<option value="{escape_markup(value)}"{" selected" if is_asked and value != "" else ""}>{escape_markup(words)}</option>'


def _field(name: str, label: str, field: str) -> SafeString:
    # all its parts are escaped
    return mark_safe(
        f'<div class="field"><label for="{escape_markup(name)}">{escape_markup(label)}</label>{field}</div>\n'
    )
