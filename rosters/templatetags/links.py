"""Tags for fast URLs, for classes and attributes that depend on conditions, and for links to neighbouring pages."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from django import template
from django.conf import settings
from django.template import defaulttags
from django.template.context import Context
from django.urls import NoReverseMatch, get_script_prefix, get_urlconf, reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe

from rosters.designs.selectors import DesignCard
from rosters.scenarios.selectors import ScenarioCard
from rosters.site.pagination import Slice

register = template.Library()
PLAIN = re.compile(r"[A-Za-z0-9_-]+").fullmatch
MODEL = "73164509{}18"  # stands for an argument in a sample URL; these digits occur in no route
STANDS_FOR: dict[type, Callable[[str], object]] = {
    int: int,
    str: lambda digits: f"x{digits}-x_X",  # doesn't match routes for numbers or keys
    uuid.UUID: lambda digits: uuid.UUID(f"{digits:0>32}"),
}


class AddressNode(defaulttags.URLNode):
    def render(self, context: Context) -> str:
        names = tuple(self.kwargs)
        values = [part.resolve(context) for part in (*self.args, *self.kwargs.values())]
        url = address(self.view_name.resolve(context), values, names)
        if url is None:
            return super().render(context)
        if self.asvar:
            context[self.asvar] = url
            return ""
        return conditional_escape(url) if context.autoescape else url


@register.tag
def url(parser: template.base.Parser, token: template.base.Token) -> AddressNode:
    """Compile a faster version of Django's tag; for arguments other than numbers, keys and slugs, Django's is used."""
    node = defaulttags.url(parser, token)
    return AddressNode(node.view_name, node.args, node.kwargs, node.asvar)


def address(view: object, values: Sequence[object], names: tuple[str, ...] = ()) -> str | None:
    """Return the URL of the view with these arguments (named ones if there are `names`); None if only Django can."""
    if not isinstance(view, str):
        return None
    kinds = tuple([_kind(value) for value in values])
    if None in kinds:
        return None
    between = _model(get_urlconf() or settings.ROOT_URLCONF, get_script_prefix(), view, kinds, names)
    if between is None:
        return None
    found, more = between
    for at, after in more:
        found += f"{values[at]}{after}"
    return found


def leads_to(view: str, *values: object) -> str:
    """Return the URL of the view with these arguments; for markup that is written without a template."""
    return address(view, list(values)) or reverse(view, args=values)


def _kind(value: object) -> type | None:
    """Return the type of the value if it can be written into a URL unchanged; else None."""
    if type(value) is int:
        return int if value >= 0 else None
    if isinstance(value, str):
        return str if PLAIN(value) else None
    return uuid.UUID if type(value) is uuid.UUID else None


@lru_cache(maxsize=2048)
def _model(
    urlconf: str, prefix: str, view: str, kinds: tuple[type, ...], names: tuple[str, ...]
) -> tuple[str, tuple[tuple[int, str], ...]] | None:
    """Return the URL's text before the first argument, and each argument's index with the text after it.

    None if the URL doesn't consist of such parts, or if the route may check its arguments more strictly.
    """
    stand = [STANDS_FOR[kind](MODEL.format(at)) for at, kind in enumerate(kinds)]
    is_ours = view.startswith("api-") or (":" in view and not view.startswith("admin:"))  # others may be stricter
    if (stand and not is_ours) or (names and len(names) != len(stand)):
        return None
    try:
        sample_url = reverse(view, kwargs=dict(zip(names, stand, strict=True))) if names else reverse(view, args=stand)
    except NoReverseMatch:
        return None
    written = {str(value): at for at, value in enumerate(stand)}
    parts = re.split("|".join(map(re.escape, written)), sample_url) if written else [sample_url]
    order = [written[found] for found in re.findall("|".join(map(re.escape, written)), sample_url)] if written else []
    if sorted(order) != list(range(len(stand))):
        return None
    return parts[0], tuple(zip(order, parts[1:], strict=True))


TONES: dict[str, dict[str, str]] = {
    "campaign": {"running": "good", "draft": "signal"},
    "campaign to join": {"running": "good", "mustering": "signal"},
    "season": {"running": "good", "gathering": "signal"},
    "round": {"open": "good", "planned": "signal"},
    "closing": {"done": "good", "running": "signal", "failed": "bad"},
    "enrolment": {"accepted": "good", "asked": "signal"},
    "match": {"disputed": "bad", "reported": "signal"}
    | dict.fromkeys(("confirmed", "ruled", "auto-resolved", "forfeited", "refused", "void", "bye"), "good"),
    "message": {"error": "bad", "warning": "warn", "success": "good"},
}

# Elements of allauth's pages have several tags; the first one that is listed here decides the class.
TAGGED: dict[str, dict[str, str]] = {
    "tag": {"success": "tag--good", "warning": "tag--warn", "danger": "tag--bad"},
    "button": {"danger": "button--danger", "secondary": "", "outline": ""}
    | {"link": "button--quiet", "cancel": "button--quiet", "any": "button--primary"},
}
FLAGS = frozenset({"required", "disabled", "readonly", "checked"})


@register.simple_tag
def tone_class(block: str, state: str, of: str) -> str:
    """Return the CSS class of a tag or note in the tone for this state of such a thing."""
    tone = TONES[of].get(state)
    return f"{block} {block}--{tone}" if tone else block


@register.simple_tag
def classes(base: str = "", /, **added: object) -> str:
    """Return a CSS class and those others whose condition is true: `{% classes "cell" is_hot=box.is_hot %}`."""
    return " ".join([*base.split(), *(name.replace("_", "-") for name, holds in added.items() if holds)])


@register.simple_tag
def tagged(block: str, tags: Collection[str] | None) -> str:
    """Return the CSS class of an element of allauth's pages by its tags."""
    look = next((look for tag, look in TAGGED[block].items() if tag == "any" or tag in (tags or ())), "")
    return f"{block} {look}" if look else block


@register.simple_tag
def attributes(given: dict[str, object], names: str) -> SafeString:
    """Return the attributes that are given; flags have no value."""
    present = [(name, given.get(name)) for name in names.split()]
    return format_html_join(
        " ",
        "{}",
        (
            (name if name in FLAGS else format_html('{}="{}"', name, value),)
            for name, value in present
            if (value is not None if name == "value" else value)
        ),
    )


@register.simple_tag(takes_context=True)
def thing_url(context: Context, thing: DesignCard | ScenarioCard, published: str, own: str) -> str:
    """Return the URL of a design or scenario; for a player's own, with the key of the shared link if there is one."""
    if context.get("is_published"):
        return leads_to(published, thing.system, thing.key)
    key = context["request"].GET.get("key")
    return leads_to(own, thing.key) + (f"?{urlencode({'key': key})}" if key else "")


@register.simple_block_tag
def nothing(content: str, title: str, address: str = "", action: str = "") -> SafeString:
    """Return the placeholder for an empty list: a title, an explanation and a button."""
    text = mark_safe(content.strip())  # rendered, so it is escaped already; strip() forgets that
    return format_html(
        '<div class="empty"><p class="empty__title">{}</p>{}{}</div>',
        title,
        format_html("<p>{}</p>", text) if text else "",
        format_html('<p><a class="button button--primary" href="{}">{}</a></p>', address, action) if address else "",
    )


@register.simple_tag(takes_context=True)
def slice_link(context: Context, slice: Slice[object], way: str) -> str:
    """Return the current URL with the place of the previous or next page; filters stay."""
    query = context["request"].GET.copy()
    for name in ("page", f"{slice.prefix}after", f"{slice.prefix}before"):
        query.pop(name, None)
    query[f"{slice.prefix}{way}"] = slice.after if way == "after" else slice.before
    return f"?{query.urlencode()}"
