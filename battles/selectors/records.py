"""The record of a battle, read once and cached for everybody who looks at it."""

import json
from collections.abc import Mapping
from functools import cached_property, lru_cache

from battles.models import Battle, Record
from battles.replay.boards import ReplayBoard, board_of
from battles.selectors.sides import SideRow, sides_of
from rosters.jobs import JobStatus
from rosters.site.compiled import PreparedQuery
from systems import battle_rules, roster_rules
from systems.reading import stored_setup
from systems.rulebook import RuleRef
from systems.simulation.luck import DiceLuck, dice_luck
from systems.simulation.resolve import read_record
from systems.simulation.timeline import RoundView, report_text, rounds_of, support_of
from systems.terms import SupportLine

DIGEST = PreparedQuery(lambda battle: Record.objects.filter(battle=battle).values_list("digest")[:1], battle=int)


class ReplayedRecord:
    """A record, which never changes: each part is calculated when first needed, and cached."""

    form = 3  # version of its frames, which browsers cache: raise it whenever pages need other frames

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
        """All frames of the board as JSON, for the browser; the battle must have a board."""
        assert self.board is not None
        rulebook = roster_rules(self.record.setup.system).rulebook
        named = dict.fromkeys(line.rule for view in self.rounds for step in view.steps for line in step.lines)
        rules = {slug: _rule_columns(rulebook[slug]) for slug in named if slug in rulebook}
        return json.dumps(self.board.to_json() | {"rules": rules}, separators=(",", ":")).encode()

    @cached_property
    def brought(self) -> Mapping[str, str]:
        """The names, by key, of the units that support rolls have brought."""
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


def _rule_columns(rule: RuleRef) -> list[object]:
    """Return what a rule unfolds to beside a line: title, text, origin, and heading and text of its rulings."""
    return [rule.title, rule.text, rule.origin, [[each.heading, each.text] for each in rule.rulings]]


def replayed(battle: Battle) -> ReplayedRecord | None:
    """Return the battle's record for replay; None for a battle without one."""
    if battle.status != JobStatus.DONE or battle.fought_by_hand:
        return None
    found = DIGEST.row(battle=battle.pk)
    return _replayed(battle.pk, found[0]) if found else None


@lru_cache(maxsize=64)
def _replayed(battle_pk: int, digest: str) -> ReplayedRecord:
    return ReplayedRecord(Record.objects.get(battle=battle_pk).text, digest)


def sides_after(battle: Battle) -> tuple[SideRow, ...]:
    """Return the two sides of a finished battle, with the fate of each unit, as the battle's page shows them."""
    told = replayed(battle)
    return sides_of(stored_setup(battle.setup), battle.result, brought=told.brought if told else {})
