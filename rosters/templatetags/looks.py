"""Classes and URLs that depend on conditions, as single tags, so that attributes contain no long conditions.

They are built-ins of all templates.
"""

from __future__ import annotations

from collections.abc import Collection

from django import template
from django.template.context import Context
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from rosters.designs.selectors import DesignCard
from rosters.scenarios.selectors import ScenarioCard
from rosters.templatetags.addresses import leads_to

register = template.Library()

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

# The first tag of an element of allauth's pages that is listed here counts.
TAGGED: dict[str, dict[str, str]] = {
    "tag": {"success": "tag--good", "warning": "tag--warn", "danger": "tag--bad"},
    "button": {"danger": "button--danger", "secondary": "", "outline": ""}
    | {"link": "button--quiet", "cancel": "button--quiet", "any": "button--primary"},
}
FLAGS = frozenset({"required", "disabled", "readonly", "checked"})


@register.simple_tag
def toned(block: str, state: str, of: str) -> str:
    """Return the class of a tag or note, in the tone for that state of such a thing."""
    tone = TONES[of].get(state)
    return f"{block} {block}--{tone}" if tone else block


@register.simple_tag
def classes(base: str = "", /, **added: object) -> str:
    """Return the class with those others whose condition is true: `{% classes "cell" is_hot=box.is_hot %}`."""
    return " ".join([*base.split(), *(name.replace("_", "-") for name, holds in added.items() if holds)])


@register.simple_tag
def tagged(block: str, tags: Collection[str] | None) -> str:
    """Return the class of an element by its tags, as given by allauth's pages."""
    look = next((look for tag, look in TAGGED[block].items() if tag == "any" or tag in (tags or ())), "")
    return f"{block} {look}" if look else block


@register.simple_tag
def attributes(given: dict[str, object], names: str) -> SafeString:
    """Return those attributes that are given; flags without a value."""
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
    """Return the URL of a published design or scenario, or of a player's own, with the key of its shared link."""
    if context.get("is_published"):
        return leads_to(published, thing.system, thing.key)
    key = context["request"].GET.get("key")
    return leads_to(own, thing.key) + (f"?{urlencode({'key': key})}" if key else "")


@register.simple_block_tag
def nothing(content: str, title: str, address: str = "", action: str = "") -> SafeString:
    """Return the placeholder of an empty list: its title, an explanation, and a button."""
    text = content.strip()
    return format_html(
        '<div class="empty"><p class="empty__title">{}</p>{}{}</div>',
        title,
        format_html("<p>{}</p>", text) if text else "",
        format_html('<p><a class="button button--primary" href="{}">{}</a></p>', address, action) if address else "",
    )
