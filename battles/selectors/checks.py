"""Checks of records."""

from uuid import UUID

from battles.models import RecordCheck
from battles.selectors.battle import readable_battle
from rosters.models import Player
from rosters.site.compiled import PreparedQuery

CHECK = PreparedQuery(
    lambda key: RecordCheck.objects.filter(key=key).select_related("battle", "asked_by").defer("lines"), key=UUID
)


def check_readable(key: UUID, player: Player | None) -> RecordCheck | None:
    """Return the check with that key; anybody with the link may see it, unless they may not see its battle."""
    check = CHECK.row(key=key)
    if check is None or (check.battle is not None and readable_battle(check.battle.key, player) is None):
        return None
    return check
