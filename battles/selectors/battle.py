"""The page of a battle: its units, its ledger entries, its luck, and checks of its record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from uuid import UUID

from django.db.models import Case, QuerySet, When

from battles.hooks import PracticeReason, practice_reason
from battles.models import ASKED_BY_SITE, Battle, BattleSide, Forecast, RecordCheck
from battles.replay.base import StepPage
from battles.replay.boards import BOARDS, BoardKind
from battles.replay.zone_board import BandTable, band_table
from battles.selectors.records import ReplayedRecord, SideRow, describe_support_by_hand, replayed, sides_of
from rosters.database.queries import PreparedQuery
from rosters.entries import kinds_that
from rosters.entries.units_and_pilots import Wounded
from rosters.jobs import JobStatus
from rosters.ledger.projection import describe_entry
from rosters.ledger.records import RULING
from rosters.models import Company, LedgerEntry, Player, Visibility
from rosters.policy import asked_by
from systems import battle_rules, roster_rules
from systems.battle_display import BandView, ScenarioTerms, SupportLine, UnitView
from systems.catalogue import other_rules
from systems.ledger import SentencePart, Subject
from systems.reading import describe_house_rules, stored_setup
from systems.rulebook import HouseRuleLine, RuleRef
from systems.setups import SIDE_LETTERS as LETTERS
from systems.setups import Setup, setup_hash, setup_json, with_styles, without_orders
from systems.simulation.analysis import DiceLuck, RoundView
from systems.simulation.odds import Tally
from systems.simulation.summary import Margins, Standing, margins_of, standing
from systems.spaces import ZoneView
from systems.text import format_decimal


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """An entry of a battle in one of the reader's ledgers."""

    company: Company
    parts: tuple[SentencePart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerState:
    """The ledgers of the reader's companies in a battle that they asked for, once it has ended."""

    sides: tuple[BattleSide, ...] = ()  # the result is, or can be, in their ledgers
    # reasons why other companies of the reader have closed ledgers
    closed: tuple[PracticeReason, ...] = ()
    is_logged: bool = False  # the result is in the ledgers of all of `sides`
    may_take_back: bool = False
    led_to: tuple[LedgerRow, ...] = ()  # its ledger entries about pilots and money


def ledger_state(battle: Battle, rows: Sequence[BattleSide], player: Player | None) -> LedgerState:
    """Return the state of the player's ledgers; `rows` are the battle's sides with their companies."""
    if player is None or battle.status != JobStatus.DONE or battle.asked_by_id != player.pk:
        return LedgerState()
    own = [row for row in rows if row.company and row.company.owner_id == player.pk]
    logged = companies_with_result(battle) if own else set()
    closed = {row.pk: practice_reason(row.company, battle) for row in own if row.company}
    loggable = [row for row in own if row.company_id in logged or not closed[row.pk]]
    is_logged = bool(loggable) and logged >= {row.company_id for row in loggable}
    return LedgerState(
        sides=tuple(loggable),
        closed=tuple(each for each in closed.values() if each),
        is_logged=is_logged,
        may_take_back=is_logged and any(not closed[row.pk] for row in loggable),
        led_to=_ledger_rows(battle, loggable) if is_logged else (),
    )


def describe_practice(battle: Battle, player: Player | None) -> list[str]:
    """Return why the battle is practice for companies of the player who asked for it, in sentences."""
    if player is None or battle.asked_by_id != player.pk:
        return []
    own = battle.sides.filter(company__owner=player).select_related("company")
    return [closed.reason for row in own if row.company and (closed := practice_reason(row.company, battle))]


def _ledger_rows(battle: Battle, own: Sequence[BattleSide]) -> tuple[LedgerRow, ...]:
    """Return fates, promotions, skill rolls and pay, in the order written, without the battle's name."""
    rows = LedgerEntry.objects.filter(
        company__in=[side.company_id for side in own],
        cause_ref=str(battle.key),
        kind__in=kinds_that(lambda kind: kind.led_to),
        reverses=None,
        reversed_by=None,
    ).select_related("company", "pilot")
    return tuple(
        LedgerRow(
            row.company,
            describe_entry(
                row.kind,
                {name: value for name, value in row.facts.items() if name != "battle"},
                None,
                Subject(row.pilot.pk, row.pilot.name) if row.pilot else None,
            ),
        )
        for row in rows.order_by("pk")
        if row.kind != Wounded.slug or row.facts.get("misses")
    )


def cause_of(battle: Battle) -> str:
    """Return the ledger's name for the cause of this battle's entries."""
    return "result" if battle.fought_by_hand else "battle"


def companies_with_result(battle: Battle) -> set[int]:
    """Return the companies whose ledgers have this battle's result and haven't reversed it."""
    causes = (cause_of(battle), RULING)
    entries = LedgerEntry.objects.filter(cause_ref=str(battle.key), cause__in=causes, reverses=None)
    return set(entries.filter(reversed_by=None).values_list("company_id", flat=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckReport:
    """The luck of a battle: its result among all battles of its set-up, and the statistics of its dice.

    `margin` is side A's. `standing` is the winner's, or side A's after a draw; without odds of the set-up there is
    none.
    """

    margin: int
    side: str  # the side of the standing
    forecast: Forecast | None = None
    margins: Margins | None = None
    standing: Standing | None = None
    dice: tuple[DiceLuck, ...] = ()

    @property
    def own_margin(self) -> int:
        """The margin from the point of view of that side."""
        return self.margin if self.side == "a" else -self.margin


MIN_BATTLES_FOR_LUCK = 1_000  # in the odds that a result is compared with


@cache
def _best_forecast(rules_version: int) -> PreparedQuery[Forecast]:
    """Return the query for a set-up's odds with the most battles under these rules."""

    def rows(setup_hash: str) -> QuerySet[Forecast]:
        return _finished_forecasts(rules_version).filter(setup_hash=setup_hash).order_by("-runs_done", "pk")[:1]

    return PreparedQuery(rows, setup_hash=str)


def _forecast_of(battle: Battle, setup: Setup) -> Forecast | None:
    """Return the odds that a battle's result is compared with.

    People follow no AI style and no orders. Their battle is compared with the site's own odds for the set-up, in any
    styles, or else with odds that somebody asked for.
    """
    if not battle.fought_by_hand:
        return _best_forecast(battle.rules_version).row(setup_hash=battle.setup_hash)
    bare = stored_setup(without_orders(setup_json(setup)))
    styles = battle_rules(setup.system).doctrines
    hashes = {setup_hash(with_styles(bare, pair)) for pair in product(styles, styles)} | {battle.setup_hash}
    of_it = _finished_forecasts(battle.rules_version).filter(setup_hash__in=hashes)
    return of_it.order_by(Case(When(asked_from=ASKED_BY_SITE, then=0), default=1), "-runs_done", "pk").first()


def _finished_forecasts(rules_version: int) -> QuerySet[Forecast]:
    rows = Forecast.objects.filter(runs_done__gte=MIN_BATTLES_FOR_LUCK, counts__has_key="margins")
    return rows.filter(rules_version=rules_version)


def luck_report(battle: Battle, setup: Setup, dice: tuple[DiceLuck, ...]) -> LuckReport | None:
    """Return the luck of a finished battle; None if its result lacks the fate of any unit."""
    fates = {unit["key"]: unit for unit in (battle.result or {}).get("units", ())}
    worths = battle_rules(setup.system).worths(setup)
    if not fates.keys() >= worths.keys() or battle.result is None:
        return None
    left = [sum(worths[unit.key] for unit in side.units if not fates[unit.key]["lost"]) for side in setup.sides]
    margin = left[0] - left[1]
    is_b = battle.result["winner"] == setup.sides[1].name
    forecast = _forecast_of(battle, setup)
    report = LuckReport(margin=margin, side="b" if is_b else "a", dice=dice)
    if forecast is None:
        return report
    counts = Tally.from_json(forecast.counts).margins
    own = {-other: count for other, count in counts.items()} if is_b else counts
    found = standing(report.own_margin, own)
    return replace(report, forecast=forecast, margins=margins_of(counts), standing=found)


BATTLE = PreparedQuery(lambda key: Battle.objects.filter(key=key).select_related("asked_by"), key=UUID)
SIDES = PreparedQuery(lambda battle: BattleSide.objects.filter(battle=battle).select_related("company"), battle=int)


def describe_other_rules(battle: Battle) -> str:
    """Describe, after a battle's name, that it was simulated by other rules than the current ones; empty if not."""
    rules = battle_rules(battle.system)
    return other_rules(rules.versions, battle.rules_version, rules.rules_version)


def readable_battle(key: UUID, player: Player | None) -> Battle | None:
    """Return the battle with that key, if this reader with the link may see it."""
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
    replay: ReplayedRecord | None  # None: it has no record
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
    def fate_names(self) -> Mapping[str, str]:
        """The system's names for the fates of a unit."""
        return battle_rules(self.setup.system).hand.fields

    @property
    def boxes(self) -> str:
        """The system's word for the boxes that are crossed off."""
        return roster_rules(self.setup.system, self.setup.catalogue_release).words.boxes

    @property
    def trials(self) -> Mapping[str, str]:
        """The names of the dice counted by the luck report."""
        return battle_rules(self.setup.system).words.trials

    @property
    def names(self) -> Mapping[str, str]:
        """The names of all units, by key."""
        board = self.replay.board if self.replay else None
        return board.names if board else battle_rules(self.setup.system).unit_names(self.setup)

    @property
    def is_by_hand(self) -> bool:
        """Whether a person made decisions, according to its record."""
        return self.replay is not None and self.replay.record.hand is not None

    @property
    def may_fork(self) -> bool:
        """Whether it can be forked."""
        rules = battle_rules(self.setup.system)
        return self.replay is not None and not self.is_by_hand and self.battle.rules_version == rules.rules_version

    @property
    def takes_hands(self) -> bool:
        """Whether somebody can take over at any step of its replay."""
        rules = battle_rules(self.setup.system)
        is_fought_alone = self.replay is not None and rules.in_hand is not None and not self.is_by_hand
        return is_fought_alone and self.battle.rules_version == rules.rules_version

    @property
    def other_rules(self) -> str:
        """Why its record can't be simulated again, in words that follow its name; empty if it can."""
        return describe_other_rules(self.battle)

    @property
    def reason(self) -> str:
        """The reason for its end, in words."""
        result = self.battle.result or {}
        return battle_rules(self.setup.system).describe_reason(str(result.get("reason", "")))

    @property
    def points(self) -> Mapping[str, str]:
        """The victory points of each side, in decimals; empty if the game has none or the result was entered manually."""
        by_side = (self.battle.result or {}).get("points", {})
        return {name: format_decimal(Fraction(points)) for name, points in by_side.items()}

    @property
    def round_word(self) -> str:
        """The unit that the battle is counted in: "round" or "turn"."""
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
    """Return the page of a battle at that round, by default the round of the step, else the first."""
    setup = stored_setup(battle.setup)
    rows = SIDES.rows(battle=battle.pk)
    replay = replayed(battle)
    rounds = replay.rounds if replay else ()
    on_map = replay.board.page(step, zone) if replay and replay.board else None
    if round_number is None and on_map:
        round_number = on_map.turn
    numbers = [view.number for view in rounds]
    at = numbers.index(round_number) if round_number in numbers else 0
    dice = replay.dice if replay else ()
    return BattlePage(
        battle=battle,
        setup=setup,
        sides=sides_of(setup, battle.result, rows, replay.brought if replay else {}),
        place=battle_rules(setup.system).place_title(setup),
        ground=battle_rules(setup.system).describe_ground(setup),
        terms=battle_rules(setup.system).terms(setup.scenario),
        house_rules=describe_house_rules(setup.system, setup.options),
        support=replay.support if replay else describe_support_by_hand(setup, battle.result),
        system_name=roster_rules(setup.system, setup.catalogue_release).name,
        rulebook=roster_rules(setup.system, setup.catalogue_release).rulebook,
        replay=replay,
        round=rounds[at] if rounds else None,
        previous=numbers[at - 1] if rounds and at > 0 else None,
        following=numbers[at + 1] if rounds and at + 1 < len(numbers) else None,
        books=ledger_state(battle, rows, player),
        may_call_off=not battle.is_over and asked_by(battle, player, visitor),
        luck=luck_report(battle, setup, dice) if battle.status == JobStatus.DONE else None,
        map=on_map,
        board_kind=BOARDS[replay.board.kind] if replay and replay.board else None,
        liveries={LETTERS[at]: row.company.colour for at, row in enumerate(rows) if row.company},
    )


CHECK = PreparedQuery(
    lambda key: RecordCheck.objects.filter(key=key).select_related("battle", "asked_by").defer("lines"), key=UUID
)


def check_readable(key: UUID, player: Player | None) -> RecordCheck | None:
    """Return the check with that key. Anybody with the link may see it, unless they may not see its battle."""
    check = CHECK.row(key=key)
    if check is None or (check.battle is not None and readable_battle(check.battle.key, player) is None):
        return None
    return check
