"""What the record of a battle tells, folded once for all who look at it."""

import json
from collections.abc import Mapping
from functools import cached_property, lru_cache

from battles.models import Battle, Record
from battles.replay.boards import ReplayBoard, board_of
from battles.selectors.sides import SideLine, sides_of
from rosters.site.compiled import Compiled
from rosters.site.jobs import JobStatus
from systems import battle_rules, roster_rules
from systems.engine.luck import DiceLuck, dice_luck
from systems.engine.resolve import read_record
from systems.engine.timeline import RoundView, report_text, rounds_of, support_of
from systems.reading import stored_setup
from systems.rulebook import RuleRef
from systems.terms import SupportLine

DIGEST = Compiled(lambda battle: Record.objects.filter(battle=battle).values_list("digest")[:1], battle=int)


class Replayed:
    """A record, which never changes: each thing that it tells is worked out when it is first asked for, and kept."""

    form = 3  # of its frames, which browsers keep: one more whenever pages come to need others

    def __init__(self, text: str, digest: str) -> None:
        self.record, self.digest = read_record(text), digest

    @cached_property
    def rounds(self) -> tuple[RoundView, ...]:
        return rounds_of(self.record)

    @cached_property
    def board(self) -> ReplayBoard | None:
        """The drawn replay; None for a battle that can't be drawn."""
        return board_of(self.record, self.rounds)

    @cached_property
    def frames(self) -> bytes:
        """All frames of the board as JSON, for the browser; the battle has one."""
        assert self.board is not None
        rulebook = roster_rules(self.record.setup.system).rulebook
        named = dict.fromkeys(line.rule for view in self.rounds for step in view.steps for line in step.lines)
        rules = {slug: _rule(rulebook[slug]) for slug in named if slug in rulebook}
        return json.dumps(self.board.to_json() | {"rules": rules}, separators=(",", ":")).encode()

    @cached_property
    def brought(self) -> Mapping[str, str]:
        """The names by key of what support rolls have brought."""
        return battle_rules(self.record.setup.system).brought(self.record.setup, self.record.events)

    @cached_property
    def support(self) -> tuple[SupportLine, ...]:
        return support_of(self.record)

    @cached_property
    def dice(self) -> tuple[DiceLuck, ...]:
        """The luck of its dice."""
        lines = (line for view in self.rounds for step in view.steps for line in step.lines)
        return dice_luck(self.record.setup, (line.event for line in lines))

    @cached_property
    def report(self) -> str:
        """The whole battle as plain text."""
        return report_text(self.record)


def _rule(rule: RuleRef) -> list[object]:
    """What unfolds of a rule beside a line: title, text, where it comes from, and heading and text of its rulings."""
    return [rule.title, rule.text, rule.origin, [[each.heading, each.text] for each in rule.rulings]]


def replayed(battle: Battle) -> Replayed | None:
    """What the battle's record tells; None for one without a record."""
    if battle.status != JobStatus.DONE or battle.fought_by_hand:
        return None
    found = DIGEST.row(battle=battle.pk)
    return _replayed(battle.pk, found[0]) if found else None


@lru_cache(maxsize=64)
def _replayed(battle_pk: int, digest: str) -> Replayed:
    return Replayed(Record.objects.get(battle=battle_pk).text, digest)


def sides_after(battle: Battle) -> tuple[SideLine, ...]:
    """The two sides of a battle that is over, with the fate of each unit, as the battle's page tells it."""
    told = replayed(battle)
    return sides_of(stored_setup(battle.setup), battle.result, brought=told.brought if told else {})
