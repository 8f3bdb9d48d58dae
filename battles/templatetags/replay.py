"""How the events of a battle look. Display only."""

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from battles.replay.fold import Line
from rosters.templatetags.face import die

register = template.Library()


@register.simple_tag
def event_dice(line: Line) -> SafeString:
    """The dice of an event; the last one decided, a die before it in a re-roll was given up."""
    made, last = line.verdict, len(line.faces) - 1
    rerolled = made is not None and last > 0
    return format_html_join(
        "",
        "{}",
        (
            (die(face, (made if at == last else None) if rerolled or at == last else None),)
            for at, face in enumerate(line.faces)
        ),
    )


@register.filter
def signed(value: int) -> str:
    """+1, −2."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"
