"""Tags for printing: buttons of the print form, boxes of result slips."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from rosters.products import CARD
from rosters.site.rendering import escape_markup
from systems.paper.blocks import SlipWords

register = template.Library()


@register.filter
def prints_cards(system: str) -> bool:
    """Return whether units of this game have a card."""
    return CARD.is_made(system)


@register.simple_tag(takes_context=True)
def print_swap(context: template.Context, do: str, unit: int | None = None) -> SafeString:
    """Return the attributes of a button that changes the form in place: `do` is the action, `unit` its unit if any."""
    path, of = escape_markup(context["request"].get_full_path()), "" if unit is None else f":{unit}"
    return mark_safe(
        f' hx-post="{path}" hx-vals=\'{{"do": "{escape_markup(do)}{of}"}}\' hx-target="#print-form" hx-select="#print-form" '
        'hx-swap="outerHTML show:none"'
    )


MAX_NAMED = 60  # max total of a unit's hits that a blank slip shows

COUNT = '<span class="what">{}</span>{}'
COUNT_WHOLE = f'<span class="whole">{COUNT}</span> '  # never broken across lines
WRITTEN_WHOLE = '<span class="whole"><span class="what">{}</span><span class="write w-short"></span></span> '


def _checks(labels: Iterable[object]) -> SafeString:
    return format_html_join("", '<span class="check">{}</span>', ((each,) for each in labels))


def _counts(counts: Sequence[str], faces: Iterable[object], row: str) -> SafeString:
    return format_html_join("", row, ((count, _checks(faces)) for count in counts))


@register.simple_tag
def slip_hits(
    number: int, boxes: Iterable[int], words: SlipWords, faces: Sequence[object], is_blank: bool = False
) -> SafeString:
    """Return the boxes for a unit's first count and for its hits."""
    hits = format_html('<span class="what hits">{}</span>', words.hits_name)
    if number:
        of = format_html(" of {}", number) if number <= MAX_NAMED or not is_blank else ""
        hits = format_html('{}<span class="write w-short"></span>{}', hits, of)
    elif boxes:
        hits = format_html("{}{}", hits, _checks(boxes))
    else:
        hits = SafeString()
    return format_html("{}{}", _counts(words.counts[:1], faces, COUNT), hits)


@register.simple_tag
def slip_ends(words: SlipWords, faces: Sequence[object], unasked: Iterable[str], fates: Sequence[str]) -> SafeString:
    """Return the boxes for a unit's other counts, for how it ended, and for what happened to its pilot."""
    fate = '<span class="fate"><span class="tick"></span>{}</span> '
    ends = format_html_join("", fate, ((end,) for end in words.ends if end not in unasked))
    pilot = format_html_join("", fate, ((each,) for each in fates))
    named = format_html('<span class="what">Pilot</span>{}', pilot) if fates else ""
    written = format_html_join("", WRITTEN_WHOLE, ((each,) for each in words.written))
    return format_html("{}{}{}{}", _counts(words.counts[1:], faces, COUNT_WHOLE), written, ends, named)
