"""How the events of a battle look. Display only."""

from collections.abc import Mapping, Sequence
from typing import Literal

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from battles.replay.action import with_sign
from battles.replay.art import Symbol
from rosters.templatetags.face import die
from systems.simulation.timeline import EventLine

register = template.Library()
register.filter("signed", with_sign)


@register.simple_tag
def event_dice(line: EventLine) -> SafeString:
    """Return the dice of an event."""
    return format_html_join("", "{}", ((die(face, made),) for face, made in line.dice))


@register.simple_tag
def unit_symbols(symbols: Sequence[Symbol], liveries: Mapping[str, str] | Literal[""]) -> SafeString:
    """Return the units that counters show, each side in its company's colour if known."""
    known = liveries or {}
    return format_html_join("", "{}", ((symbol.svg(known.get(symbol.side, "")),) for symbol in symbols))
