"""The boxes of a result slip, side by side without white space: rendered without a template."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from systems.paper.blocks import SlipWords

MAX_NAMED = 60  # hits up to which a blank slip shows the unit's total

COUNT = '<span class="what">{}</span>{}'
COUNT_WHOLE = f'<span class="whole">{COUNT}</span> '  # not broken at the end of a line
WRITTEN_WHOLE = '<span class="whole"><span class="what">{}</span><span class="write w-short"></span></span> '

register = template.Library()


def _checks(shown: Iterable[object]) -> SafeString:
    return format_html_join("", '<span class="check">{}</span>', ((each,) for each in shown))


def _counts(counts: Sequence[str], faces: Iterable[object], row: str) -> SafeString:
    return format_html_join("", row, ((count, _checks(faces)) for count in counts))


@register.simple_tag
def slip_hits(
    number: int, boxes: Iterable[int], words: SlipWords, faces: Sequence[object], is_blank: bool = False
) -> SafeString:
    """Return a unit's first count, and its hits."""
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
    """Return a unit's other counts, its possible ends, and the fates of its pilot."""
    fate = '<span class="fate"><span class="tick"></span>{}</span> '
    ends = format_html_join("", fate, ((end,) for end in words.ends if end not in unasked))
    pilot = format_html_join("", fate, ((each,) for each in fates))
    named = format_html('<span class="what">Pilot</span>{}', pilot) if fates else ""
    written = format_html_join("", WRITTEN_WHOLE, ((each,) for each in words.written))
    return format_html("{}{}{}{}", _counts(words.counts[1:], faces, COUNT_WHOLE), written, ends, named)
