"""What a message says was done can be undone from it."""

from __future__ import annotations

from typing import NamedTuple

from django import template
from django.contrib.messages.storage.base import Message

from rosters.views._parts import UNDO

register = template.Library()


class Undoable(NamedTuple):
    company: int
    act: str


@register.filter
def undoable(message: Message) -> Undoable | None:
    """The company and the act that the message tells of; None: it tells of no act."""
    tag = message.extra_tags or ""
    if not tag.startswith(UNDO):
        return None
    company, _, act = tag.removeprefix(UNDO).partition("-")
    return Undoable(int(company), act)
