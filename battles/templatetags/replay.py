"""How the events of a battle look. Display only."""

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from battles.replay.fold import Line
from rosters.templatetags.face import die

register = template.Library()


@register.simple_tag
def event_dice(line: Line) -> SafeString:
    """The dice of an event."""
    return format_html_join("", "{}", ((die(face, made),) for face, made in line.dice))


@register.filter
def signed(value: int) -> str:
    """+1, −2."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"
