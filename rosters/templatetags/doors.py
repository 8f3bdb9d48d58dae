"""Agents and addresses of sessions, as their owner is shown them."""

from __future__ import annotations

from django import template

from rosters.doors.agents import in_words
from rosters.site.address import shortened

register = template.Library()
register.filter("agent_words", in_words)
register.filter("shortened_address", shortened)
