"""Render the most frequent parts of forms without templates: lists of options, input lines, empty error lists.

The markup is the same as Django's; everything else is rendered with its templates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from rosters.site.drawing import escape_markup

Said = Mapping[str, Any]  # template context of a widget, of an option, or of its attributes


class FormRenderer(DjangoTemplates):
    """Django's renderer with a shortcut for the most frequent parts."""

    def render(self, template_name: str, context: dict[str, object], request: HttpRequest | None = None) -> str:
        draw = DRAWN.get(template_name)
        drawn = draw(context) if draw else None
        return super().render(template_name, context, request) if drawn is None else drawn


def _select(context: Said) -> SafeString:
    widget = context["widget"]
    groups = "".join(
        f'<optgroup label="{escape_markup(name)}">{_options(options)}</optgroup>' if name else _options(options)
        for name, options, _ in widget["optgroups"]
    )
    head = f'<select name="{escape_markup(widget["name"])}"{_attributes(widget["attrs"])}>'
    return mark_safe(f"{head}{groups}</select>")  # all its parts are escaped


def _options(options: list[Said]) -> str:
    return "".join(
        f'<option value="{escape_markup(str(option["value"]))}"{_attributes(option["attrs"])}>{escape_markup(option["label"])}</option>'
        for option in options
    )


def _input(context: Said) -> SafeString:
    widget = context["widget"]
    value, attributes = widget["value"], _attributes(widget["attrs"])
    shown = f' value="{escape_markup(str(value))}"' if value is not None else ""
    drawn = f'<input type="{escape_markup(widget["type"])}" name="{escape_markup(widget["name"])}"{shown}{attributes}>'
    return mark_safe(drawn)  # all its parts are escaped


def _option(context: Said) -> SafeString | None:
    return None if context["widget"].get("wrap_label") else _input(context)


def _attributes(attrs: Said) -> str:
    return "".join(
        f" {escape_markup(name)}" if value is True else f' {escape_markup(name)}="{escape_markup(str(value))}"'
        for name, value in attrs.items()
        if value is not False
    )


def _errors(context: Said) -> SafeString | None:
    return None if context["errors"] else mark_safe("")


DRAWN: dict[str, Callable[[Said], SafeString | None]] = {
    "django/forms/widgets/select.html": _select,
    **{f"django/forms/widgets/{kind}.html": _input for kind in ("text", "number", "hidden", "input", "checkbox")},
    **{f"django/forms/widgets/{kind}_option.html": _option for kind in ("input", "checkbox", "radio")},
    **{f"django/forms/errors/list/{kind}.html": _errors for kind in ("default", "ul")},
}
