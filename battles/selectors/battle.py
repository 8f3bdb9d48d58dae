"""The page of a battle."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from uuid import UUID

from battles.models import Battle, BattleSide
from battles.replay.boards import BOARDS, BoardKind
from battles.replay.parts import StepPage
from battles.replay.zone_board import BandTable, band_table
from battles.selectors.ledgers import LedgerState, ledger_state
from battles.selectors.luck import LuckReport, luck_report
from battles.selectors.records import ReplayedRecord, replayed
from battles.selectors.sides import SideRow, describe_support_by_hand, sides_of
from rosters.jobs import JobStatus
from rosters.models import Player, Visibility
from rosters.policy import asked_by
from rosters.site.compiled import PreparedQuery
from systems import battle_rules, roster_rules
from systems.options import HouseRuleLine
from systems.reading import describe_house_rules, stored_setup
from systems.releases import other_rules
from systems.rulebook import RuleRef
from systems.setups import SIDE_LETTERS as LETTERS
from systems.setups import Setup
from systems.simulation.timeline import RoundView
from systems.situation import BandView, UnitView
from systems.spaces.zones import ZoneView
from systems.terms import ScenarioTerms, SupportLine
from systems.words import format_fraction

BATTLE = PreparedQuery(lambda key: Battle.objects.filter(key=key).select_related("asked_by"), key=UUID)
SIDES = PreparedQuery(lambda battle: BattleSide.objects.filter(battle=battle).select_related("company"), battle=int)


def describe_other_rules(battle: Battle) -> str:
    """Describe, to follow a battle's name, that it was fought by other rules than the current ones; empty if it wasn't."""
    rules = battle_rules(battle.system)
    return other_rules(rules.versions, battle.rules_version, rules.rules_version)


def readable_battle(key: UUID, player: Player | None) -> Battle | None:
    """Return the battle with that key, if this reader, who has the link, may see it."""
    battle = BATTLE.row(key=key)
    if battle is None or (battle.visibility == Visibility.PRIVATE and (not player or battle.asked_by_id != player.pk)):
        return None
    return battle


@dataclass(frozen=True, slots=True)
class UnitState:
    """A unit at the end of a round."""

    name: str
    view: UnitView

    @property
    def state(self) -> str:
        if self.view.destroyed:
            return "destroyed"
        return "withdrew" if self.view.withdrew else "wounded" if self.view.wounded else ""


@dataclass(frozen=True, slots=True)
class SideState:
    letter: str
    units: tuple[UnitState, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BattlePage:
    """Everything that the page of a battle shows."""

    battle: Battle
    setup: Setup
    sides: tuple[SideRow, ...]
    place: str
    ground: str
    terms: ScenarioTerms | None  # None: a zone battle
    house_rules: tuple[HouseRuleLine, ...]
    support: tuple[SupportLine, ...]
    system_name: str
    rulebook: Mapping[str, RuleRef]
    told: ReplayedRecord | None  # the contents of its record; None: it has none
    round: RoundView | None
    previous: int | None
    following: int | None
    books: LedgerState
    may_call_off: bool
    luck: LuckReport | None
    map: StepPage | None  # of a battle that can be drawn
    board_kind: BoardKind | None
    liveries: Mapping[str, str]  # colours of companies, by the letter of their side

    @property
    def hits(self) -> str:
        """The word for what units lose until they are destroyed."""
        return battle_rules(self.setup.system).hand.hits

    @property
    def said(self) -> Mapping[str, str]:
        """The system's names for what can happen to a unit."""
        return battle_rules(self.setup.system).hand.fields

    @property
    def boxes(self) -> str:
        """The system's word for the boxes that are crossed off."""
        return roster_rules(self.setup.system, self.setup.catalogue_release).words.boxes

    @property
    def trials(self) -> Mapping[str, str]:
        """The names of the dice that the luck report counts."""
        return battle_rules(self.setup.system).words.trials

    @property
    def names(self) -> Mapping[str, str]:
        """The names of all units, by key."""
        board = self.told.board if self.told else None
        return board.names if board else battle_rules(self.setup.system).unit_names(self.setup)

    @property
    def is_by_hand(self) -> bool:
        """Whether a person made decisions in it, according to its record."""
        return self.told is not None and self.told.record.hand is not None

    @property
    def may_fork(self) -> bool:
        """Whether it can be forked from any of its rounds on."""
        rules = battle_rules(self.setup.system)
        return self.told is not None and not self.is_by_hand and self.battle.rules_version == rules.rules_version

    @property
    def may_take_up(self) -> tuple[RoundView, ...]:
        """The rounds after which somebody can resume it and play on."""
        return self.told.rounds[:-1] if self.told is not None and self.takes_hands else ()

    @property
    def takes_hands(self) -> bool:
        """Whether somebody can resume it at any step of its replay and play on."""
        rules = battle_rules(self.setup.system)
        is_fought_alone = self.told is not None and rules.in_hand is not None and not self.is_by_hand
        return is_fought_alone and self.battle.rules_version == rules.rules_version

    @property
    def other_rules(self) -> str:
        """The reason why its record can't be simulated again, in words that follow its name; empty if it can."""
        return describe_other_rules(self.battle)

    @property
    def reason(self) -> str:
        """Why it ended, in words."""
        result = self.battle.result or {}
        return battle_rules(self.setup.system).describe_reason(str(result.get("reason", "")))

    @property
    def points(self) -> Mapping[str, str]:
        """The exact victory points of each side; empty if the game has none or the result was entered manually."""
        said = (self.battle.result or {}).get("points", {})
        return {name: format_fraction(Fraction(points)) for name, points in said.items()}

    @property
    def counted(self) -> str:
        """The unit in which the battle is counted: "round" or "turn"."""
        return battle_rules(self.setup.system).round_word(self.setup.scenario)

    @property
    def supports(self) -> tuple[tuple[SideRow, tuple[SupportLine, ...]], ...]:
        """The sides with their support."""
        return tuple(
            (side, tuple(line for line in self.support if line.side == at)) for at, side in enumerate(self.sides)
        )

    @property
    def state(self) -> tuple[SideState, ...]:
        """The units at the end of the round, side by side."""
        units = self.round.units if self.round else ()
        names = self.names
        return tuple(
            SideState(letter, tuple(UnitState(names[view.key], view) for view in units if view.side == at))
            for at, letter in enumerate(LETTERS)
        )

    @property
    def bands(self) -> tuple[tuple[str, BandTable], ...]:
        """The pairs in contact at the end of the round, zone by zone."""
        if self.round is None:
            return ()
        bands = battle_rules(self.setup.system).bands
        zones = {unit.key: unit.zone if isinstance(unit, ZoneView) else 0 for unit in self.round.units}
        pairs: dict[int, list[BandView]] = {}
        for pair in self.round.bands:
            pairs.setdefault(zones[pair.a_key], []).append(pair)
        return tuple(
            (f"Zone {zone}" if zone else "", band_table(found, self.names, bands))
            for zone, found in sorted(pairs.items())
        )


def battle_page(
    battle: Battle, *, player: Player | None, visitor: str, round_number: int | None, step: int = 1, zone: int = 0
) -> BattlePage:
    """Return the page of a battle at that round: by default the round of the step on the map, else the first."""
    setup = stored_setup(battle.setup)
    rows = SIDES.rows(battle=battle.pk)
    told = replayed(battle)
    rounds = told.rounds if told else ()
    on_map = told.board.page(step, zone) if told and told.board else None
    if round_number is None and on_map:
        round_number = on_map.turn
    numbers = [view.number for view in rounds]
    at = numbers.index(round_number) if round_number in numbers else 0
    dice = told.dice if told else ()
    return BattlePage(
        battle=battle,
        setup=setup,
        sides=sides_of(setup, battle.result, rows, told.brought if told else {}),
        place=battle_rules(setup.system).place_title(setup),
        ground=battle_rules(setup.system).describe_ground(setup),
        terms=battle_rules(setup.system).terms(setup.scenario),
        house_rules=describe_house_rules(setup.system, setup.options),
        support=told.support if told else describe_support_by_hand(setup, battle.result),
        system_name=roster_rules(setup.system, setup.catalogue_release).name,
        rulebook=roster_rules(setup.system, setup.catalogue_release).rulebook,
        told=told,
        round=rounds[at] if rounds else None,
        previous=numbers[at - 1] if rounds and at > 0 else None,
        following=numbers[at + 1] if rounds and at + 1 < len(numbers) else None,
        books=ledger_state(battle, rows, player),
        may_call_off=not battle.is_over and asked_by(battle, player, visitor),
        luck=luck_report(battle, setup, dice) if battle.status == JobStatus.DONE else None,
        map=on_map,
        board_kind=BOARDS[told.board.kind] if told and told.board else None,
        liveries={LETTERS[at]: row.company.colour for at, row in enumerate(rows) if row.company},
    )
