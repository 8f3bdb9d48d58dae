"""Every read of battles and odds that spans rows, as frozen dataclasses that pages and the API draw from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from battles.choices import DEFAULT_SYSTEM
from battles.documents import Setup, read_setup
from battles.engine.odds import Odds, Tally, odds
from battles.engine.replay import RoundView, rounds_of
from battles.engine.resolve import read_record
from battles.models import Battle, BattleSide, Forecast, Record
from battles.services.battles import asked_by, companies_logged
from battles.services.setups import SIDE_LETTERS as LETTERS
from battles.services.setups import spec_of
from battles.systems import get_system
from battles.systems.base import UnitView
from rosters.jobs import JobStatus
from rosters.ledger_text import Part, Subject, sentence
from rosters.models import Company, LedgerEntry, Player, Unit, UnitStatus, Visibility
from rosters.rulebook import RuleRef
from rosters.systems import get_system as get_roster_system

Kind = LedgerEntry.Kind
LED_TO = (
    Kind.RECOVERED, Kind.UNHURT, Kind.WOUNDED, Kind.DIED, Kind.PROMOTED, Kind.SKILL_ROLLED, Kind.SKILL_GAINED, Kind.GAME,
)  # fmt: skip


def battles_visible_to(player: Player | None) -> QuerySet[Battle]:
    """Battles that may be listed for this reader: public ones and his own."""
    public = Q(visibility=Visibility.PUBLIC)
    return Battle.objects.filter(public | Q(asked_by=player) if player else public)


def battle_readable(key: UUID, player: Player | None) -> Battle | None:
    """The battle of that key, if this reader may see it who was given the link."""
    battle = Battle.objects.select_related("asked_by").filter(key=key).first()
    if battle is None or (battle.visibility == Visibility.PRIVATE and (not player or battle.asked_by_id != player.pk)):
        return None
    return battle


def forecast_readable(key: UUID) -> Forecast | None:
    """The odds of that key; who has the link may see them."""
    return Forecast.objects.select_related("asked_by").filter(key=key).first()


def battles_listed(
    player: Player | None, *, whose: str = "", status: str = "", kind: str = "", text: str = ""
) -> QuerySet[Battle]:
    """The list of battles, newest first, with the filters of its page."""
    rows = battles_visible_to(player).select_related("asked_by").defer("setup").order_by("-pk")
    if whose == "mine":
        rows = rows.filter(asked_by=player) if player else rows.none()
    if status in JobStatus.values:
        rows = rows.filter(status=status)
    if kind in ("table", "resolved"):
        rows = rows.filter(fought_by_hand=kind == "table")
    if text:
        rows = rows.filter(title__icontains=text[:60])
    return rows


def latest_public(count: int = 6) -> list[Battle]:
    """The newest battles that everybody may see the end of."""
    rows = Battle.objects.filter(visibility=Visibility.PUBLIC, status=JobStatus.DONE)
    return list(rows.select_related("asked_by").defer("setup").order_by("-pk")[:count])


def trial_companies(count: int = 12) -> list[Company]:
    """Public companies with somebody to field, for a visitor to try."""
    ready = Exists(Unit.objects.filter(company=OuterRef("pk"), status=UnitStatus.READY))
    rows = Company.objects.filter(ready, visibility=Visibility.PUBLIC, disbanded_at=None, system=DEFAULT_SYSTEM)
    return list(rows.order_by("-pk")[:count])


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitLine:
    """A unit of a battle with what became of it; the fate is None until the battle is over."""

    key: str
    name: str
    size: str
    side: str  # "a" or "b"
    points: int
    armor: int | None  # None: not a Mek
    hits: int  # as it entered the battle
    max_hits: int
    pilot: str
    fate: Mapping[str, Any] | None
    killer: str = ""

    @property
    def state(self) -> str:
        if self.fate is None:
            return ""
        if self.fate["lost"]:
            return "destroyed"
        return "withdrew" if self.fate["withdrew"] else "wounded" if self.fate["wounded"] else ""

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


def sides_of(
    setup: Setup, result: Mapping[str, Any] | None = None, rows: Sequence[BattleSide] = ()
) -> tuple[SideLine, ...]:
    """The two sides of a set-up, with points and, once there is a result, each unit's fate."""
    rules, system = get_roster_system(setup.system), get_system(setup.system)
    fates = {unit["key"]: unit for unit in (result or {}).get("units", ())}
    views = {view.key: view for view in system.opening(setup).units}
    names = system.unit_names(setup)
    sides = []
    for at, side in enumerate(setup.sides):
        units = []
        for unit in side.units:
            view, fate, armor, points = views[unit.key], fates.get(unit.key), None, 0
            spec = spec_of(setup, unit.design)
            if spec:
                sheet = rules.datasheet(rules.parse_spec(spec), name="", design_name="", options=setup.options)
                armor, points = sheet.armor, sheet.points
            units.append(
                UnitLine(
                    key=unit.key,
                    name=names[unit.key],
                    size=view.chassis,
                    side=LETTERS[at],
                    points=points,
                    armor=armor,
                    hits=view.hits,
                    max_hits=view.max_hits,
                    pilot=str((unit.pilot or {}).get("experience", "")),
                    fate=fate,
                    killer=names.get((fate or {}).get("killed_by") or "", ""),
                )
            )
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
    def lost_parts(self) -> list[str]:
        return [name for name, intact in (*self.view.weapons, *self.view.systems) if not intact]


@dataclass(frozen=True, slots=True)
class SideState:
    letter: str
    units: tuple[UnitState, ...]


@dataclass(frozen=True, slots=True)
class Ladder:
    """Two opponents and the band between them, by name."""

    a: str
    d: str
    band: int
    broken: bool


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """An entry that a battle led to, in a ledger of the reader's."""

    company: Company
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BattlePage:
    """All that the page of a battle shows."""

    battle: Battle
    setup: Setup
    sides: tuple[SideLine, ...]
    terrain: str
    system_name: str
    rulebook: Mapping[str, RuleRef]
    digest: str
    rounds: tuple[RoundView, ...]
    round: RoundView | None
    previous: int | None
    following: int | None
    own_sides: tuple[BattleSide, ...]  # the reader's companies in it, if he may log the result
    is_logged: bool  # the result stands in the ledgers of all of them
    led_to: tuple[LedgerLine, ...]  # what the ledgers say of pilots and bank because of it
    may_call_off: bool

    @property
    def state(self) -> tuple[SideState, ...]:
        """The units at the end of the round, side by side."""
        units = self.round.units if self.round else ()
        names = get_system(self.setup.system).unit_names(self.setup)
        return tuple(
            SideState(letter, tuple(UnitState(names[view.key], view) for view in units if view.side == at))
            for at, letter in enumerate(LETTERS)
        )

    @property
    def ladders(self) -> tuple[Ladder, ...]:
        """The pairs in contact at the end of the round."""
        if self.round is None:
            return ()
        names = get_system(self.setup.system).unit_names(self.setup)
        return tuple(Ladder(names[pair.a_key], names[pair.d_key], pair.band, pair.broken) for pair in self.round.bands)


def battle_page(battle: Battle, *, player: Player | None, visitor: str, round_number: int | None) -> BattlePage:
    """The page of a battle at that round; without one, or with one that was not fought, the first."""
    setup = read_setup(battle.setup)
    rows = list(battle.sides.select_related("company"))
    rounds: tuple[RoundView, ...] = ()
    digest = ""
    if battle.status == JobStatus.DONE and not battle.fought_by_hand:
        digest = Record.objects.filter(battle=battle).values_list("digest", flat=True).first() or ""
        rounds = _rounds(battle.pk, digest) if digest else ()
    numbers = [view.number for view in rounds]
    at = numbers.index(round_number) if round_number in numbers else 0
    own = (
        [row for row in rows if row.company and player and row.company.owner_id == player.pk]
        if battle.status == JobStatus.DONE and player and battle.asked_by_id == player.pk
        else []
    )
    is_logged = bool(own) and companies_logged(battle) >= {row.company_id for row in own}
    return BattlePage(
        battle=battle,
        setup=setup,
        sides=sides_of(setup, battle.result, rows),
        terrain=get_system(setup.system).terrains[setup.terrain],
        system_name=get_roster_system(setup.system).name,
        rulebook=get_roster_system(setup.system).rulebook,
        digest=digest,
        rounds=rounds,
        round=rounds[at] if rounds else None,
        previous=numbers[at - 1] if rounds and at > 0 else None,
        following=numbers[at + 1] if rounds and at + 1 < len(numbers) else None,
        own_sides=tuple(own),
        is_logged=is_logged,
        led_to=_led_to(battle, own) if is_logged else (),
        may_call_off=not battle.is_over and asked_by(battle, player, visitor),
    )


def _led_to(battle: Battle, own: Sequence[BattleSide]) -> tuple[LedgerLine, ...]:
    """Fates, promotions, skill rolls and pay, in the order written; the battle's own name is left out."""
    rows = LedgerEntry.objects.filter(
        company__in=[side.company_id for side in own],
        cause_ref=str(battle.key),
        kind__in=LED_TO,
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
        if row.kind != Kind.WOUNDED or row.facts.get("misses")
    )


@lru_cache(maxsize=64)
def _rounds(battle_pk: int, digest: str) -> tuple[RoundView, ...]:
    """A record never changes, so its rounds are folded once for those who step through them."""
    return rounds_of(read_record(Record.objects.get(battle=battle_pk).text))


def forecast_odds(forecast: Forecast) -> Odds | None:
    """The odds as far as they are counted; None before the first chunk."""
    if not forecast.runs_done:
        return None
    return odds(Tally.from_json(forecast.counts), read_setup(forecast.setup))
