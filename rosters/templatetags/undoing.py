"""Undo from a message."""

from __future__ import annotations

from typing import NamedTuple

from django import template
from django.contrib.messages.storage.base import Message

from rosters.view_helpers import UNDO

register = template.Library()


class Undoable(NamedTuple):
    company: int
    act: str


@register.filter
def undoable(message: Message) -> Undoable | None:
    """Return the company and the act of the message; None if it has none."""
    tag = message.extra_tags or ""
    if not tag.startswith(UNDO):
        return None
    company, _, act = tag.removeprefix(UNDO).partition("-")
    return Undoable(int(company), act)
