"""Permissions of rosters: who can see and change what. Pages and the API use only these functions."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Q

from rosters import hooks
from rosters.hooks import Reader
from rosters.models import Company, Design, Player, Scenario, Visibility


def visible(reader: Reader, owner_field: str) -> Q:
    """Return the filter for the rows that the reader finds in lists: their own and public ones."""
    seen = Q(visibility=Visibility.PUBLIC)
    return seen | Q(**{owner_field: reader.pk}) if reader.is_authenticated else seen


def can_see(reader: Reader, row: Company | Design | Scenario, link_key: str = "") -> bool:
    """Return whether the reader can see the row: their own, public, shared by this link key or by another app."""
    if can_change(reader, row) or row.visibility == Visibility.PUBLIC:
        return True
    if row.visibility == Visibility.LINK and _same_key(link_key, row.link_key):
        return True
    return isinstance(row, Company) and any(sharing(reader, row) for sharing in hooks.sharings)


def can_change(reader: Reader, row: Company | Design | Scenario) -> bool:
    """Return whether the reader is the owner. (Operators use the admin instead.)"""
    owner_id = row.owner_id if isinstance(row, Company) else row.author_id
    return bool(reader.is_authenticated and reader.pk == owner_id)


def asked_by(row: Any, actor: Player | None, visitor: str) -> bool:
    """Return whether this player, or this visitor without an account, requested the battle, odds or print."""
    if actor is not None:
        return bool(row.asked_by_id == actor.pk)
    return bool(row.asked_by_id is None and visitor and row.asked_from == visitor)


def _same_key(given: str, key: uuid.UUID) -> bool:
    try:
        return uuid.UUID(given) == key
    except ValueError:
        return False
