"""Markup without templates (escaping, frequent parts of forms), and a template loader that removes white space.

The markup of forms is the same as Django's. The loader replaces white space that contains a line break by what a
browser shows of it: nothing beside the tag of a block element, one space elsewhere. See
docs/decisions/0025-templates-to-the-eye.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.template.base import Origin
from django.template.loaders import filesystem
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe


def escape_markup(value: object) -> str:
    """Return the value as a template would write it: safe markup unchanged, everything else escaped.

    It is faster than Django's own function, which also checks for lazy values.
    """
    return str(value.__html__()) if hasattr(value, "__html__") else escape(str(value))


@cache
def silhouettes() -> str:
    """Return the URL of the file with all silhouettes, escaped for an attribute; cached until the process ends."""
    return escape_markup(static("img/counters.svg"))


WidgetContext = Mapping[str, Any]  # template context of a widget, of an option, or of its attributes


class FormRenderer(DjangoTemplates):
    """Django's form renderer with faster functions for the most frequent widgets."""

    def render(self, template_name: str, context: dict[str, object], request: HttpRequest | None = None) -> str:
        draw = DRAWN.get(template_name)
        drawn = draw(context) if draw else None
        return super().render(template_name, context, request) if drawn is None else drawn


def _select(context: WidgetContext) -> SafeString:
    widget = context["widget"]
    groups = "".join(
        f'<optgroup label="{escape_markup(name)}">{_options(options)}</optgroup>' if name else _options(options)
        for name, options, _ in widget["optgroups"]
    )
    head = f'<select name="{escape_markup(widget["name"])}"{_attributes(widget["attrs"])}>'
    return mark_safe(f"{head}{groups}</select>")  # all its parts are escaped


def _options(options: list[WidgetContext]) -> str:
    return "".join(
        f'<option value="{escape_markup(str(option["value"]))}"{_attributes(option["attrs"])}>{escape_markup(option["label"])}</option>'
        for option in options
    )


def _input(context: WidgetContext) -> SafeString:
    widget = context["widget"]
    value, attributes = widget["value"], _attributes(widget["attrs"])
    given = f' value="{escape_markup(str(value))}"' if value is not None else ""
    drawn = f'<input type="{escape_markup(widget["type"])}" name="{escape_markup(widget["name"])}"{given}{attributes}>'
    return mark_safe(drawn)  # all its parts are escaped


def _option(context: WidgetContext) -> SafeString | None:
    return None if context["widget"].get("wrap_label") else _input(context)


def _attributes(attrs: WidgetContext) -> str:
    return "".join(
        f" {escape_markup(name)}" if value is True else f' {escape_markup(name)}="{escape_markup(str(value))}"'
        for name, value in attrs.items()
        if value is not False
    )


def _errors(context: WidgetContext) -> SafeString | None:
    return None if context["errors"] else mark_safe("")


DRAWN: dict[str, Callable[[WidgetContext], SafeString | None]] = {
    "django/forms/widgets/select.html": _select,
    **{f"django/forms/widgets/{kind}.html": _input for kind in ("text", "number", "hidden", "input", "checkbox")},
    **{f"django/forms/widgets/{kind}_option.html": _option for kind in ("input", "checkbox", "radio")},
    **{f"django/forms/errors/list/{kind}.html": _errors for kind in ("default", "ul")},
}


BLOCK = re.compile(
    "!doctype|html|head|title|meta|link|base|script|style|body|header|footer|main|nav|section|article|aside|search|div"
    "|p|pre|h[1-6]|hgroup|blockquote|figure|figcaption|hr|address|ul|ol|li|dl|dt|dd|form|fieldset|legend|details"
    "|summary|dialog|table|caption|colgroup|col|thead|tbody|tfoot|tr|td|th|option|optgroup|datalist"
    "|defs|symbol|pattern|g|path|rect|circle|line|polygon|polyline|use|desc|text"
).fullmatch
FRAME = re.compile(
    "button|select|svg|tspan"
).fullmatch  # elements that are inline from outside, but like a block inside
OPENS = re.compile(r"\{% *(?:block|slot) ").match
CLOSES = re.compile(r"\{% *(?:endblock|endslot) ").match
NOTHING = ("", "", "")
VERBATIM = frozenset({"pre", "textarea", "script", "style"})
BRACES = r"\{%.*?%\}|\{\{.*?\}\}"
QUOTED = rf""""(?:{BRACES}|[^"])*"|'(?:{BRACES}|[^'])*'"""
BREAK = r"[ \t\r\f]*\n[ \t\r\f\n]*"
TOKEN = re.compile(
    r"(?P<silent>\{% *(?:comment\b.*?\{% *endcomment|load\b[^%]*|extends\b[^%]*|csrf_token|(?:(?!%\}).)* as \w+) *%\}|\{#.*?#\})"
    rf"|(?P<braces>{BRACES})"
    rf"|(?P<tag></?(?P<name>[a-zA-Z!][\w-]*)(?:{BRACES}|{QUOTED}|[^<>\"'])*>)"
    rf"|(?P<layout>{BREAK})",
    re.DOTALL,
)
IN_TAG = re.compile(
    rf"(?P<quoted>{QUOTED})"
    r"|\s+(?P<opens>(?:\{% (?:if|for) .*?%\}\s*)+)"  # the space before an attribute belongs to its condition
    r"|(?P<turns>\{% (?:else|elif .*?) %\})\s*(?=[\w:@-])"
    rf"|{BREAK}(?P<closes>\{{% end|\{{% el|/?>)"
    rf"|(?P<layout>{BREAK})",
    re.DOTALL,
)


class Loader(filesystem.Loader):
    """Loads the project's own templates, compacted."""

    def get_contents(self, origin: Origin) -> str:
        contents: str = super().get_contents(origin)
        return compact(contents) if str(origin.name).endswith(".html") else contents


def compact(source: str) -> str:
    """Return the template without white space that doesn't change what its page shows."""
    tokens = [NOTHING, *_tokens(source), NOTHING]
    kept = []
    for before, (kind, text, _), after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if kind == "layout":
            text = "" if _ends(before) or _begins(after) else " "
        elif kind == "text" and not text.strip(" ") and OPENS(before[1]) and CLOSES(after[1]):
            text = ""  # the block is empty
        elif kind == "tag":
            text = IN_TAG.sub(_attribute, text)
        elif kind == "silent" and ("comment" in text[:12] or text.startswith("{#")):
            text = ""
        kept.append(text)
    return "".join(kept)


def _tokens(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield kind and text of each token, and the element's name if it is a tag."""
    at = 0
    while found := TOKEN.search(source, at):
        if found.start() > at:
            yield "text", source[at : found.start()], ""
        name = (found["name"] or "").lower()
        yield ("tag" if name else str(found.lastgroup)), found[0], name
        at = found.end()
        if name in VERBATIM and not found[0].startswith("</"):
            end = source.index(f"</{name}", at)
            yield "verbatim", source[at:end], ""
            at = end
    if at < len(source):
        yield "text", source[at:], ""


def _ends(token: tuple[str, str, str]) -> bool:
    """Return whether browsers show no white space after the token."""
    kind, text, name = token
    return bool(kind == "silent" or OPENS(text) or BLOCK(name) or (FRAME(name) and not text.startswith("</")))


def _begins(token: tuple[str, str, str]) -> bool:
    """Return whether browsers show no white space before the token."""
    _, text, name = token
    return bool(CLOSES(text) or BLOCK(name) or (FRAME(name) and text.startswith("</")))


def _attribute(found: re.Match[str]) -> str:
    if found["quoted"]:
        return re.sub(BREAK, " ", found["quoted"])
    if found["opens"]:
        return re.sub(r"%\}\s+", "%}", found["opens"]) + " "
    if found["turns"]:
        return found["turns"] + " "
    return found["closes"] or " "
