"""The pictures of a gazette: the decisive moment of the round, and the machine of its best pilot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from battles.selectors.records import replayed
from campaigns.gazette.document import MomentPart, Upset
from campaigns.models import Match

KILL = "kill"  # the replay mark of a kill


def find_moment(matches: Sequence[Match], upset: Upset | None) -> MomentPart | None:
    """Return the last kill of the upset's battle; without an upset, of the battle that cost the most units.

    None if that battle can't be drawn. Reads one record; `matches` come with their battles. Two queries.
    """
    for match in _featured_match(matches, upset.match if upset else None):
        assert match.battle is not None
        found = replayed(match.battle)
        board = found.board if found else None
        if board is None:
            continue
        moments = board.page(1, 0).moments
        last = next((each for each in reversed(moments) if each.mark == KILL), moments[-1] if moments else None)
        if last is not None:
            return MomentPart(battle=match.battle.key, match=match.key, step=last.step, says=last.says)
    return None


def _featured_match(matches: Iterable[Match], upset: UUID | None) -> list[Match]:
    """Return the match whose battle is shown, as a list; empty if no battle was played by the rules."""
    fought = [match for match in matches if match.battle and match.defender_id and not match.battle.fought_by_hand]
    fought.sort(key=lambda match: (match.key != upset, -sum(match.figures.get("lost", ())), match.number))
    return fought[:1]
