"""The filter fields above a list; their values are in the page's URL."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.safestring import SafeString, mark_safe

from rosters.site.drawing import escape_markup

register = template.Library()


@register.simple_tag
def filter_words(name: str, label: str, asked: str, most: int = 60) -> SafeString:
    """Return a search field."""
    field = f'<input id="{escape_markup(name)}" name="{escape_markup(name)}" type="search" value="{escape_markup(asked)}" maxlength="{most}">'
    return _field(name, label, field)


@register.simple_tag
def filter_choice(
    name: str, label: str, asked: object, anything: str, options: Iterable[tuple[object, str]] = (), /, **more: str
) -> SafeString:
    """Return a choice of one option or any; options are given as pairs, or by name."""
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
