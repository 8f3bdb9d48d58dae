"""Who may see and change what of the rosters; pages and API ask here and nowhere else."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Q

from rosters import hooks
from rosters.hooks import Reader
from rosters.models import Company, Design, Player, Scenario, Visibility


def visible(reader: Reader, owner_field: str) -> Q:
    """Rows that the reader finds in lists: his own and the public ones."""
    seen = Q(visibility=Visibility.PUBLIC)
    return seen | Q(**{owner_field: reader.pk}) if reader.is_authenticated else seen


def can_see(reader: Reader, row: Company | Design | Scenario, link_key: str = "") -> bool:
    """Own and public rows, with the right key those shared by link, and companies that another app shares."""
    if can_change(reader, row) or row.visibility == Visibility.PUBLIC:
        return True
    if row.visibility == Visibility.LINK and _same_key(link_key, row.link_key):
        return True
    return isinstance(row, Company) and any(sharing(reader, row) for sharing in hooks.sharings)


def can_change(reader: Reader, row: Company | Design | Scenario) -> bool:
    """Only the owner; the operator works in the admin."""
    owner_id = row.owner_id if isinstance(row, Company) else row.author_id
    return bool(reader.is_authenticated and reader.pk == owner_id)


def asked_by(row: Any, actor: Player | None, visitor: str) -> bool:
    """Whether this player, or this visitor without an account, asked for this battle, these odds or this print."""
    if actor is not None:
        return bool(row.asked_by_id == actor.pk)
    return bool(row.asked_by_id is None and visitor and row.asked_from == visitor)


def _same_key(given: str, key: uuid.UUID) -> bool:
    try:
        return uuid.UUID(given) == key
    except ValueError:
        return False
