"""Every read of battles and odds that spans rows, as frozen dataclasses that pages and the API draw from."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from battles.hooks import ClosedBooks, books_closed
from battles.models import Battle, BattleSide, Forecast, Matrix, Record, WhatIf
from battles.replay.boards import BoardKind, BoardView, ReplayBoard, board_kind, board_of
from battles.replay.fold import RoundView, report_text, rounds_of, support_of
from battles.replay.zone_board import BandTable, band_table
from rosters.ledger.kinds import kinds_that
from rosters.ledger.kinds.pilots import Wounded
from rosters.ledger.records import RULING
from rosters.ledger.text import sentence
from rosters.models import Company, LedgerEntry, Player, Visibility
from rosters.policy import asked_by
from rosters.site.compiled import Compiled
from rosters.site.jobs import JobStatus
from systems import battle_rules, roster_rules
from systems.engine.luck import DiceLuck, dice_luck
from systems.engine.odds import (
    Comparison,
    Difference,
    Margins,
    Odds,
    Share,
    Standing,
    Tally,
    differences,
    margins_of,
    odds,
    share,
    standing,
)
from systems.engine.resolve import read_record
from systems.hand import HandTerms
from systems.ledger import Part, Subject
from systems.options import HouseRuleLine
from systems.reading import house_rules_told, spec_of, stored_setup
from systems.rulebook import RuleRef
from systems.setups import SIDE_LETTERS as LETTERS
from systems.setups import Setup, SetupUnit, once_a_setup
from systems.situation import BandView, UnitView
from systems.spaces.zones import ZoneView
from systems.terms import ScenarioTerms, SupportLine

BATTLE = Compiled(lambda key: Battle.objects.filter(key=key).select_related("asked_by"), key=UUID)
FORECAST = Compiled(lambda key: Forecast.objects.filter(key=key).select_related("asked_by"), key=UUID)
SIDES = Compiled(lambda battle: BattleSide.objects.filter(battle=battle).select_related("company"), battle=int)
WHAT_IF = Compiled(lambda key: WhatIf.objects.filter(key=key).select_related("forecast", "asked_by"), key=UUID)
WHAT_IFS_SHOWN = 20
WHAT_IFS = Compiled(
    lambda forecast: (
        WhatIf.objects.filter(forecast=forecast, runs_done__gt=0).defer("setup").order_by("-pk")[:WHAT_IFS_SHOWN]
    ),
    forecast=int,
)
DIGEST = Compiled(lambda battle: Record.objects.filter(battle=battle).values_list("digest")[:1], battle=int)


def battle_readable(key: UUID, player: Player | None) -> Battle | None:
    """The battle of that key, if this reader may see it who was given the link."""
    battle = BATTLE.row(key=key)
    if battle is None or (battle.visibility == Visibility.PRIVATE and (not player or battle.asked_by_id != player.pk)):
        return None
    return battle


def forecast_readable(key: UUID) -> Forecast | None:
    """The odds of that key; who has the link may see them."""
    return FORECAST.row(key=key)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitLine:
    """A unit of a battle with what became of it; the fate is None until the battle is over."""

    key: str
    name: str
    size: str
    side: str  # "a" or "b"
    points: int
    armor: int | None  # None: it has no such figure
    hits: int  # as it entered the battle
    max_hits: int
    pilot: str
    fate: Mapping[str, Any] | None
    cause: str = ""  # what destroyed it, in words
    terms: HandTerms  # what its game says of that

    @property
    def state(self) -> str:
        if self.fate is None:
            return ""
        if self.fate["lost"]:
            return "destroyed"
        return "withdrew" if self.fate["withdrew"] else "wounded" if self.fate["wounded"] else ""

    @property
    def state_told(self) -> str:
        """Its state as its system calls it."""
        return self.terms.fields.get(self.state, self.state)

    @property
    def told(self) -> str:
        """What its game tells of its fate beyond what all games do."""
        return self.terms.told(self.terms.fate_of(self.fate)) if self.fate else ""

    @property
    def hits_left(self) -> int:
        return self.hits if self.fate is None else self.fate["hits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideLine:
    letter: str
    name: str
    doctrine: str
    company: str
    company_pk: int | None
    points: int
    units: tuple[UnitLine, ...]

    @property
    def lost(self) -> tuple[UnitLine, ...]:
        return tuple(unit for unit in self.units if unit.fate and unit.fate["lost"])


def sides_of(
    setup: Setup,
    result: Mapping[str, Any] | None = None,
    rows: Sequence[BattleSide] = (),
    brought: Mapping[str, str] = MappingProxyType({}),
) -> tuple[SideLine, ...]:
    """The two sides of a set-up, with points and, once there is a result, each unit's fate.

    `brought` are the names by key of what support rolls have brought.
    """
    system = battle_rules(setup.system)
    fates = {unit["key"]: unit for unit in (result or {}).get("units", ())}
    sides = []
    for at, (side, lines) in enumerate(zip(setup.sides, _as_they_entered(setup), strict=True)):
        units = []
        for line in lines:
            fate = fates.get(line.key)
            cause = system.cause_of_loss(setup, fate, brought) if fate and fate["lost"] else ""
            units.append(replace(line, fate=fate, cause=cause) if fate else line)
        row = rows[at] if at < len(rows) else None
        sides.append(
            SideLine(
                letter=LETTERS[at],
                name=side.name,
                doctrine=system.doctrines.get(side.doctrine, side.doctrine),
                company=row.company.name if row and row.company else "",
                company_pk=row.company_id if row else None,
                points=sum(unit.points for unit in units),
                units=tuple(units),
            )
        )
    return tuple(sides)


@once_a_setup
def _as_they_entered(setup: Setup) -> tuple[tuple[UnitLine, ...], ...]:
    """The units of both sides before anything became of them."""
    rules, system = roster_rules(setup.system), battle_rules(setup.system)
    views = {view.key: view for view in system.opening(setup).units}
    names = system.unit_names(setup)

    def line(unit: SetupUnit, letter: str) -> UnitLine:
        view, spec = views[unit.key], spec_of(setup, unit.design)
        armor, points = rules.counter_figures(rules.parse_spec(spec), setup.options) if spec else (None, 0)
        return UnitLine(
            key=unit.key,
            name=names[unit.key],
            size=view.chassis,
            side=letter,
            points=points,
            armor=armor,
            hits=view.hits,
            max_hits=view.max_hits,
            pilot=str((unit.pilot or {}).get("experience", "")),
            fate=None,
            terms=system.hand,
        )

    return tuple(
        tuple(line(unit, letter) for unit in side.units) for side, letter in zip(setup.sides, LETTERS, strict=True)
    )


def sides_after(battle: Battle) -> tuple[SideLine, ...]:
    """The two sides of a battle that is over, with the fate of each unit, as the battle's page tells it."""
    return sides_of(stored_setup(battle.setup), battle.result, brought=_brought(battle.pk, _digest(battle)))


def _digest(battle: Battle) -> str:
    """The digest of the battle's record; empty for one that has none."""
    if battle.status != JobStatus.DONE or battle.fought_by_hand:
        return ""
    found = DIGEST.row(battle=battle.pk)
    return found[0] if found else ""


@lru_cache(maxsize=64)
def _brought(battle_pk: int, digest: str) -> Mapping[str, str]:
    """The names of what support rolls brought in a record; nothing without one."""
    if not digest:
        return {}
    record = read_record(Record.objects.get(battle=battle_pk).text)
    return battle_rules(record.setup.system).brought(record.setup, record.events)


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

    @property
    def lost_parts(self) -> Sequence[str]:
        return self.view.lost_parts


@dataclass(frozen=True, slots=True)
class SideState:
    letter: str
    units: tuple[UnitState, ...]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """An entry that a battle led to, in a ledger of the reader's."""

    company: Company
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckReport:
    """Where a real result lies among the battles of its set-up, and how the dice fell.

    `margin` is side A's; the standing is that of the winner, of side A after a draw. Without odds of the set-up there
    is no standing.
    """

    margin: int
    side: str  # whose standing
    forecast: Forecast | None = None
    margins: Margins | None = None
    standing: Standing | None = None
    dice: tuple[DiceLuck, ...] = ()

    @property
    def own_margin(self) -> int:
        """The margin as the side sees it whose standing is told."""
        return self.margin if self.side == "a" else -self.margin


FEWEST_BATTLES = 1_000  # of odds that tell where a result lies


@cache
def _best_odds(rules_version: int) -> Compiled[Forecast]:
    """The odds of a set-up that most battles were counted for, under these rules."""

    def rows(setup_hash: str) -> QuerySet[Forecast]:
        counted = Forecast.objects.filter(runs_done__gte=FEWEST_BATTLES, counts__has_key="margins")
        of_it = counted.filter(setup_hash=setup_hash, rules_version=rules_version)
        return of_it.order_by("-runs_done", "pk")[:1]

    return Compiled(rows, setup_hash=str)


def luck_report(battle: Battle, setup: Setup, dice: tuple[DiceLuck, ...]) -> LuckReport | None:
    """The luck of a battle that is done; None if its result doesn't say what became of each unit."""
    fates = {unit["key"]: unit for unit in (battle.result or {}).get("units", ())}
    worths = battle_rules(setup.system).worths(setup)
    if not fates.keys() >= worths.keys() or battle.result is None:
        return None
    left = [sum(worths[unit.key] for unit in side.units if not fates[unit.key]["lost"]) for side in setup.sides]
    margin = left[0] - left[1]
    is_b = battle.result["winner"] == setup.sides[1].name
    forecast = _best_odds(battle.rules_version).row(setup_hash=battle.setup_hash)
    report = LuckReport(margin=margin, side="b" if is_b else "a", dice=dice)
    if forecast is None:
        return report
    counts = Tally.from_json(forecast.counts).margins
    own = {-other: count for other, count in counts.items()} if is_b else counts
    return replace(
        report,
        forecast=forecast,
        margins=margins_of(counts),
        standing=standing(report.own_margin, own),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BattlePage:
    """All that the page of a battle shows."""

    battle: Battle
    setup: Setup
    sides: tuple[SideLine, ...]
    place: str
    ground: str
    terms: ScenarioTerms | None  # None: a zone battle
    house_rules: tuple[HouseRuleLine, ...]
    support: tuple[SupportLine, ...]
    system_name: str
    rulebook: Mapping[str, RuleRef]
    digest: str
    rounds: tuple[RoundView, ...]
    round: RoundView | None
    previous: int | None
    following: int | None
    own_sides: tuple[BattleSide, ...]  # the reader's companies in it, if he may log the result
    closed_books: tuple[ClosedBooks, ...]  # why it is neither written to nor taken back from some of his companies
    is_logged: bool  # the result stands in the ledgers of all of own_sides
    may_take_back: bool
    led_to: tuple[LedgerLine, ...]  # what the ledgers say of pilots and bank because of it
    may_call_off: bool
    luck: LuckReport | None = None
    board: ReplayBoard | None = None  # of a battle that can be drawn
    map: BoardView | None = None
    board_kind: BoardKind | None = None

    @property
    def hits(self) -> str:
        """What units lose until they are destroyed."""
        return battle_rules(self.setup.system).hand.hits

    @property
    def boxes(self) -> str:
        """What is crossed off for it."""
        return roster_rules(self.setup.system).words.boxes

    @property
    def said(self) -> Mapping[str, str]:
        """What the system calls what can be said of a unit."""
        return battle_rules(self.setup.system).hand.fields

    @property
    def trials(self) -> Mapping[str, str]:
        """What the dice are called that the luck report counts."""
        return battle_rules(self.setup.system).words.trials

    @property
    def reason(self) -> str:
        """Why it ended, in words."""
        result = self.battle.result or {}
        return battle_rules(self.setup.system).reason_told(str(result.get("reason", "")))

    @property
    def counted(self) -> str:
        """What the battle is counted in."""
        return battle_rules(self.setup.system).counted(self.setup.scenario)

    @property
    def supports(self) -> tuple[tuple[SideLine, tuple[SupportLine, ...]], ...]:
        """The sides with the support that they had."""
        return tuple(
            (side, tuple(line for line in self.support if line.side == at)) for at, side in enumerate(self.sides)
        )

    @property
    def state(self) -> tuple[SideState, ...]:
        """The units at the end of the round, side by side."""
        units = self.round.units if self.round else ()
        names = self.board.names if self.board else battle_rules(self.setup.system).unit_names(self.setup)
        return tuple(
            SideState(letter, tuple(UnitState(names[view.key], view) for view in units if view.side == at))
            for at, letter in enumerate(LETTERS)
        )

    @property
    def bands(self) -> tuple[tuple[str, BandTable], ...]:
        """The pairs in contact at the end of the round, zone by zone."""
        if self.round is None:
            return ()
        system = battle_rules(self.setup.system)
        names = self.board.names if self.board else system.unit_names(self.setup)
        zones = {unit.key: unit.zone if isinstance(unit, ZoneView) else 0 for unit in self.round.units}
        pairs: dict[int, list[BandView]] = {}
        for pair in self.round.bands:
            pairs.setdefault(zones[pair.a_key], []).append(pair)
        return tuple(
            (f"Zone {zone}" if zone else "", band_table(found, names, system.bands))
            for zone, found in sorted(pairs.items())
        )


def battle_page(
    battle: Battle, *, player: Player | None, visitor: str, round_number: int | None, step: int = 1, zone: int = 0
) -> BattlePage:
    """The page of a battle at that round, by default that of the step on the map; else the first."""
    setup = stored_setup(battle.setup)
    rows = SIDES.rows(battle=battle.pk)
    rounds: tuple[RoundView, ...] = ()
    board: ReplayBoard | None = None
    digest = _digest(battle)
    if digest:
        rounds, board = _played(battle.pk, digest)
    on_map = board.page(step, zone) if board else None
    if round_number is None and on_map:
        round_number = on_map.turn
    numbers = [view.number for view in rounds]
    at = numbers.index(round_number) if round_number in numbers else 0
    own = (
        [row for row in rows if row.company and player and row.company.owner_id == player.pk]
        if battle.status == JobStatus.DONE and player and battle.asked_by_id == player.pk
        else []
    )
    logged = companies_logged(battle) if own else set()
    closed = {row.pk: books_closed(row.company, battle) for row in own if row.company}
    shown = [row for row in own if row.company_id in logged or not closed[row.pk]]
    is_logged = bool(shown) and logged >= {row.company_id for row in shown}
    return BattlePage(
        battle=battle,
        setup=setup,
        sides=sides_of(setup, battle.result, rows, _brought(battle.pk, digest)),
        place=battle_rules(setup.system).place_title(setup),
        ground=battle_rules(setup.system).ground_told(setup),
        terms=battle_rules(setup.system).terms(setup.scenario),
        house_rules=house_rules_told(setup.system, setup.options),
        support=_support(battle.pk, digest) if digest else support_told_by_hand(setup, battle.result),
        system_name=roster_rules(setup.system).name,
        rulebook=roster_rules(setup.system).rulebook,
        digest=digest,
        rounds=rounds,
        round=rounds[at] if rounds else None,
        previous=numbers[at - 1] if rounds and at > 0 else None,
        following=numbers[at + 1] if rounds and at + 1 < len(numbers) else None,
        own_sides=tuple(shown),
        closed_books=tuple(each for each in closed.values() if each),
        is_logged=is_logged,
        may_take_back=is_logged and any(not closed[row.pk] for row in shown),
        led_to=_led_to(battle, shown) if is_logged else (),
        may_call_off=not battle.is_over and asked_by(battle, player, visitor),
        luck=luck_report(battle, setup, _dice(battle.pk, digest) if digest else ())
        if battle.status == JobStatus.DONE
        else None,
        board=board,
        map=on_map,
        board_kind=board_kind(setup.system) if board else None,
    )


def practice_told(battle: Battle, player: Player | None) -> list[str]:
    """Why the battle is practice for companies of the player who asked for it, a sentence each."""
    if player is None or battle.asked_by_id != player.pk:
        return []
    own = battle.sides.filter(company__owner=player).select_related("company")
    return [closed.reason for row in own if row.company and (closed := books_closed(row.company, battle))]


def battle_report(battle: Battle) -> str | None:
    """The whole battle as plain text; None for one without a record."""
    digest = _digest(battle)
    return _report(battle.pk, digest) if digest else None


@lru_cache(maxsize=64)
def _report(battle_pk: int, digest: str) -> str:
    """A record never changes, so it is told once."""
    return report_text(read_record(Record.objects.get(battle=battle_pk).text))


def battle_board(battle: Battle) -> tuple[str, ReplayBoard | None]:
    """The digest of the battle's record and its drawn replay; none for a battle without record or drawing."""
    digest = Record.objects.filter(battle=battle).values_list("digest", flat=True).first() or ""
    return digest, _played(battle.pk, digest)[1] if digest else None


@lru_cache(maxsize=64)
def board_frames(battle_pk: int, digest: str) -> bytes:
    """All frames of a battle's map as JSON, for the browser; the battle has one."""
    board = _played(battle_pk, digest)[1]
    assert board is not None
    return json.dumps(board.to_json(), separators=(",", ":")).encode()


def _led_to(battle: Battle, own: Sequence[BattleSide]) -> tuple[LedgerLine, ...]:
    """Fates, promotions, skill rolls and pay, in the order written; the battle's own name is left out."""
    rows = LedgerEntry.objects.filter(
        company__in=[side.company_id for side in own],
        cause_ref=str(battle.key),
        kind__in=kinds_that(lambda kind: kind.led_to),
        reverses=None,
        reversed_by=None,
    ).select_related("company", "pilot")
    return tuple(
        LedgerLine(
            row.company,
            sentence(
                row.kind,
                {name: value for name, value in row.facts.items() if name != "battle"},
                None,
                Subject(row.pilot.pk, row.pilot.name) if row.pilot else None,
            ),
        )
        for row in rows.order_by("pk")
        if row.kind != Wounded.slug or row.facts.get("misses")
    )


@lru_cache(maxsize=64)
def _played(battle_pk: int, digest: str) -> tuple[tuple[RoundView, ...], ReplayBoard | None]:
    """A record never changes, so its rounds and its map are folded once for those who step through them."""
    record = read_record(Record.objects.get(battle=battle_pk).text)
    rounds = rounds_of(record)
    return rounds, board_of(record, rounds)


@lru_cache(maxsize=64)
def _support(battle_pk: int, digest: str) -> tuple[SupportLine, ...]:
    """The support of a record, told once like its rounds."""
    return support_of(read_record(Record.objects.get(battle=battle_pk).text))


def support_names(setup: Setup) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each side's support as the set-up has it, in words; nothing for a battle without support."""
    results = battle_rules(setup.system).support_results
    sides = []
    for side in setup.sides:
        names = [results[slug].name for slug in side.support if slug in results]
        rolls = len(side.support) - len(names)
        if rolls:
            names.append("a roll on the battle’s dice" if rolls == 1 else f"{rolls} rolls on the battle’s dice")
        sides.append((side.name, tuple(names)))
    return tuple(sides) if any(names for _, names in sides) else ()


def support_told_by_hand(setup: Setup, result: Mapping[str, Any] | None) -> tuple[SupportLine, ...]:
    """The support that a set-up names, and whether the result says that it was used."""
    results = battle_rules(setup.system).support_results
    lines = []
    for at, side in enumerate(setup.sides):
        used = list((result or {}).get("support", [[], []])[at])
        for slug in side.support:
            if slug not in results:
                continue
            is_used = slug in used
            if is_used:
                used.remove(slug)
            lines.append(SupportLine(side=at, result=results[slug], is_used=is_used))
    return tuple(lines)


@lru_cache(maxsize=64)
def _dice(battle_pk: int, digest: str) -> tuple[DiceLuck, ...]:
    """The luck of the dice of a record, worked out once like its rounds."""
    rounds = _played(battle_pk, digest)[0]
    setup = stored_setup(Battle.objects.get(pk=battle_pk).setup)
    return dice_luck(setup, (line.event for view in rounds for step in view.steps for line in step.lines))


def forecast_odds(forecast: Forecast) -> Odds | None:
    """The odds as far as they are counted; None before the first chunk."""
    if not forecast.runs_done:
        return None
    return odds(Tally.from_json(forecast.counts), stored_setup(forecast.setup))


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfLine:
    """A comparison with its figures so far; `a`, `b` and `draw` are None before the first chunk."""

    row: WhatIf
    battles: int = 0
    a: Difference | None = None
    b: Difference | None = None
    draw: Difference | None = None
    before: Odds | None = None
    after: Odds | None = None

    @property
    def chances(self) -> tuple[tuple[str, str, Share, Share, Difference], ...]:
        """What, its side, before, after, difference: for both sides and the draw."""
        if not (self.before and self.after and self.a and self.b and self.draw):
            return ()
        (a, b), (new_a, new_b) = self.before.sides, self.after.sides
        return (
            (f"{a.name} wins", "a", a.wins, new_a.wins, self.a),
            (f"{b.name} wins", "b", b.wins, new_b.wins, self.b),
            ("Draw", "", self.before.draws, self.after.draws, self.draw),
        )

    @property
    def units(self) -> tuple[tuple[Any, Any], ...]:
        """Each unit before and after."""
        return tuple(zip(self.before.units, self.after.units, strict=True)) if self.before and self.after else ()


def what_if_line(row: WhatIf) -> WhatIfLine:
    """A comparison with all its figures."""
    if not row.runs_done:
        return WhatIfLine(row=row)
    counted = Comparison.from_json(row.counts)
    a, b, draw = differences(counted)
    return WhatIfLine(
        row=row,
        battles=counted.battles,
        a=a,
        b=b,
        draw=draw,
        before=odds(counted.before, stored_setup(row.forecast.setup)),
        after=odds(counted.after, stored_setup(row.setup)),
    )


def what_ifs_of(forecast: Forecast) -> tuple[WhatIfLine, ...]:
    """The comparisons asked beside a forecast that have figures, newest first, without the odds behind them."""
    lines = []
    for row in WHAT_IFS.rows(forecast=forecast.pk):
        counted = Comparison.from_json(row.counts)
        a, b, draw = differences(counted)
        lines.append(WhatIfLine(row=row, battles=counted.battles, a=a, b=b, draw=draw))
    return tuple(lines)


def what_if_readable(key: UUID) -> WhatIf | None:
    """The comparison of that key; who has the link may see it."""
    return WHAT_IF.row(key=key)


def matrix_readable(key: UUID) -> Matrix | None:
    """The matrix of that key; who has the link may see it."""
    return Matrix.objects.select_related("asked_by").filter(key=key).first()


def matrices_done(system: str, most: int = 8) -> list[Matrix]:
    """Finished matrices of the rules as they stand, newest first; they hold published designs only."""
    version = battle_rules(system).rules_version
    rows = Matrix.objects.filter(status=JobStatus.DONE, system=system, rules_version=version)
    return list(rows.defer("counts").order_by("-pk")[:most])


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One design as side A against all, column by column; None where nothing is counted yet."""

    name: str
    points: int
    cells: tuple[Share | None, ...]
    mean: float | None  # over all opponents but its own like


@dataclass(frozen=True, slots=True)
class MatrixPage:
    columns: tuple[tuple[str, int], ...]  # name and points
    rows: tuple[MatrixRow, ...]
    battles: int  # of each cell
    draws: Share


def matrix_page(matrix: Matrix) -> MatrixPage:
    """The matrix as a table: side A's chances to win, a row for each design of side A."""
    rules = roster_rules(matrix.system)
    designs: list[str] = matrix.counts["designs"]
    cells: list[list[int]] = matrix.counts["cells"]
    heads = []
    for slug in designs:
        design = rules.published.get(slug)
        heads.append((design.name, rules.check_design(design.spec).points) if design else (slug, 0))
    rows = []
    for at, (name, points) in enumerate(heads):
        found = [share(cell[0], matrix.battles) for cell in cells[at * len(designs) : (at + 1) * len(designs)]]
        others = [cell.share for column, cell in enumerate(found) if column != at]
        is_whole = len(found) == len(designs)
        padded = (*found, *[None] * (len(designs) - len(found)))
        rows.append(MatrixRow(name, points, padded, sum(others) / len(others) if is_whole and others else None))
    draws = share(sum(cell[2] for cell in cells), len(cells) * matrix.battles)
    return MatrixPage(tuple(heads), tuple(rows), matrix.battles, draws)


def cause_of(battle: Battle) -> str:
    """What the ledger calls the cause of this battle's entries."""
    return "result" if battle.fought_by_hand else "battle"


def companies_logged(battle: Battle) -> set[int]:
    """The companies whose ledgers hold this battle's result, not taken back."""
    causes = (cause_of(battle), RULING)
    entries = LedgerEntry.objects.filter(cause_ref=str(battle.key), cause__in=causes, reverses=None)
    return set(entries.filter(reversed_by=None).values_list("company_id", flat=True))
