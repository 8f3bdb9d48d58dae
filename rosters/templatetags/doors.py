"""Agents and addresses of sessions, as their owner is shown them."""

from __future__ import annotations

from django import template

from rosters.doors.agents import in_words
from rosters.site.address import shortened

register = template.Library()


@register.filter
def agent_words(header: str) -> str:
    return in_words(header)


@register.filter
def shortened_address(address: str) -> str:
    return shortened(address)
