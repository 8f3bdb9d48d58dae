"""Builds a large site to measure: companies, ledgers, battles and a club with a long campaign.

Large tables are filled in bulk, with the rows that the services would have written. The club with its rounds, and one
object of every kind, are created through the services.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from campaigns.models import Campaign
    from rosters.models import Company, LedgerEntry, Pilot, Player, Unit
    from tests.permissions.world import World

MadeT = TypeVar("MadeT")

SYSTEM = "meks-and-mercs"
CREWS = 3  # units per company, each with a pilot; together with the founding that makes ten ledger entries
COMPANIES_EACH = 5  # per player
MODELS = 8  # battles that are simulated; all others are copies of them
CHUNK = 2_000  # rows per insert


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    companies: int = 10_000
    battles: int = 20_000
    trades: int = 780  # of the oldest company: purchases sold again
    rounds: int = 10  # of the campaign with 40 players

    def times(self, scale: float) -> Size:
        """Return the sizes multiplied by `scale`, each with a minimum."""
        few = [max(least, round(value * scale)) for value, least in
               ((self.companies, 20), (self.battles, 40), (self.trades, 20), (self.rounds, 1))]  # fmt: skip
        return Size(companies=few[0], battles=few[1], trades=few[2], rounds=few[3])


@dataclass(slots=True, kw_only=True)
class House:
    """The parts of the site that the benchmarks use."""

    size: Size
    long_company: Company  # with a long ledger; its owner has others too
    campaign: Campaign  # of 40 companies, with its rounds played
    world: World  # one object of every kind, and a person in every role
    seconds: dict[str, float]


def build(size: Size) -> House:
    """Build the whole site, and note the seconds that each part took."""
    from django.db import connection

    from benchmarks import campaign as club_campaign
    from rosters.models import Player
    from tests.permissions.world import the_world

    seconds: dict[str, float] = {}

    def timed(what: str, make: Callable[[], MadeT]) -> MadeT:
        start = time.perf_counter()
        made = make()
        seconds[what] = time.perf_counter() - start
        return made

    players = [
        Player(username=f"owner-{number}", password="!") for number in range(max(2, size.companies // COMPANIES_EACH))
    ]
    players = Player.objects.bulk_create(players, CHUNK)
    long_company = timed(f"{size.companies:,} companies", lambda: _companies(players, size))
    timed(f"{size.battles:,} battles", lambda: _battles(players, size))
    world = timed("one of every kind", the_world)
    campaign = timed("a club of 40", club_campaign.build)
    by = campaign.club.memberships.get(role="organiser").player
    timed(f"{size.rounds} rounds", lambda: [club_campaign.play(campaign, by) for _ in range(size.rounds)])
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return House(size=size, long_company=long_company, campaign=campaign, world=world, seconds=seconds)


def _companies(players: Sequence[Player], size: Size) -> Company:
    """Create all companies with their ledgers; return the oldest, which has bought and sold a lot."""
    from rosters.models import Company, LedgerEntry, Pilot, Unit

    goods = _goods()
    companies = Company.objects.bulk_create(
        [
            Company(
                owner=players[number % len(players)],
                system=SYSTEM,
                name=f"{('Iron', 'Silent', 'Red', 'Grey', 'Last')[number % 5]} Company {number:05}",
                visibility=("public", "public", "link", "private")[number % 4],
                catalogue_release=goods.release,
            )
            for number in range(size.companies)
        ],
        CHUNK,
    )
    crews = [(company, seat) for company in companies for seat in range(CREWS)]
    pilots = Pilot.objects.bulk_create(
        [Pilot(company=company, name=f"Pilot {company.pk}.{seat}") for company, seat in crews], CHUNK
    )
    design = {"design_name": goods.bought["design"], "spec": goods.bought["spec"]}
    units = Unit.objects.bulk_create(
        [
            Unit(company=company, name=f"WASP {seat + 1}", pilot=pilot, position=seat, **design)
            for (company, seat), pilot in zip(crews, pilots, strict=True)
        ],
        CHUNK,
    )
    traded = Unit.objects.bulk_create(
        [Unit(company=companies[0], name=f"WASP {at + 9}", status="sold", **design) for at in range(size.trades)], CHUNK
    )
    entries: list[LedgerEntry] = []
    for at, company in enumerate(companies):
        crew = slice(at * CREWS, (at + 1) * CREWS)
        entries += _founded(company, units[crew], pilots[crew], goods)
    LedgerEntry.objects.bulk_create([*entries, *_traded(companies[0], traded, goods)], CHUNK)
    return companies[0]


@dataclass(frozen=True, slots=True)
class _Goods:
    """The ledger entry of buying a unit, its catalogue version, and its price."""

    bought: Mapping[str, object]
    release: str
    points: int


def _goods() -> _Goods:
    from systems import roster_rules

    rules = roster_rules(SYSTEM)
    design = rules.published["wasp"]
    check = rules.check_design(design.spec)
    bill = [[line.label, line.points] for line in check.bill]
    release = rules.catalogue_release
    bought = {"design": design.name, "spec": rules.spec_json(design.spec), "bill": bill, "release": release}
    return _Goods(bought, release, check.points)


def _founded(company: Company, units: Sequence[Unit], pilots: Sequence[Pilot], goods: _Goods) -> Iterator[LedgerEntry]:
    """Yield the ledger entries of a new company that buys its units and hires their pilots."""
    settings = {name: getattr(company, name) for name in ("name", "motto", "colour", "visibility")}
    yield _entry(company, "founded", points=CREWS * goods.points, facts={"to": settings})
    for unit, pilot in zip(units, pilots, strict=True):
        hired = {"name": pilot.name, "callsign": "", "experience": "green"}
        yield _bought(unit, goods)
        yield _entry(company, "hired", pilot=pilot, facts=hired)
        yield _entry(company, "assigned", unit=unit, pilot=pilot, facts={"from": None, "to": pilot.pk})


def _traded(company: Company, units: Sequence[Unit], goods: _Goods) -> Iterator[LedgerEntry]:
    """Yield the ledger entries of buying these units and selling them again."""
    yield _entry(company, "adjusted", points=goods.points, facts={"reason": "A lucky find."})
    for unit in units:
        yield _bought(unit, goods)
        yield _entry(company, "sold", unit=unit, points=goods.points, facts={})


def _bought(unit: Unit, goods: _Goods) -> LedgerEntry:
    facts = {"name": unit.name, **goods.bought}
    return _entry(unit.company, "bought", unit=unit, points=-goods.points, facts=facts)


def _entry(company: Company, kind: str, **fields: object) -> LedgerEntry:
    from rosters.models import LedgerEntry

    return LedgerEntry(company=company, act=uuid.uuid4(), kind=kind, cause="act", created_by=company.owner, **fields)


def _battles(players: Sequence[Player], size: Size) -> None:
    """Create battles with their sides and records, requested at regular intervals over the last months."""
    from django.utils import timezone

    from battles.models import Battle, BattleSide, Record
    from battles.services.battles import battle_queue, battle_simulate
    from battles.services.setups import ready_setup
    from rosters.models import Company

    scenarios = ("opening-shots", "head-to-head")
    models = []
    for number in range(MODELS):
        setup = ready_setup(system=SYSTEM, scenario=scenarios[number % len(scenarios)])
        asked = battle_queue(setup=setup, actor=players[0], visibility="public")
        claimed = Battle.claim(asked.pk)
        assert claimed is not None
        battle_simulate(battle=claimed)
        models.append(Battle.objects.select_related("record").get(pk=asked.pk))
    copied = [
        field.attname
        for field in Battle._meta.concrete_fields
        if field.name not in ("id", "key", "dice", "title", "visibility", "asked_by", "queued_at")
    ]
    now, rows = timezone.now(), []
    for number in range(size.battles - MODELS):
        model = models[number % MODELS]
        rows.append(
            Battle(
                **{name: getattr(model, name) for name in copied},
                title=f"{model.title[:120]} {number:05}",
                visibility=("public", "public", "public", "link", "private")[number % 5],
                asked_by=players[number % len(players)],
                queued_at=now - timedelta(minutes=7 * (size.battles - number)),
            )
        )
    rows = Battle.objects.bulk_create(rows, CHUNK)
    companies = list(Company.objects.order_by("pk").values_list("pk", flat=True))
    BattleSide.objects.bulk_create(
        [
            BattleSide(
                battle=battle,
                position=at,
                name=side["name"],
                company_id=companies[number % len(companies)] if at == 0 and number % 3 == 0 else None,
            )
            for number, battle in enumerate(rows)
            for at, side in enumerate(battle.setup["sides"])
        ],
        CHUNK,
    )
    Record.objects.bulk_create(
        [
            Record(battle=battle, lines=bytes(model.record.lines), digest=model.record.digest)
            for number, battle in enumerate(rows)
            for model in (models[number % MODELS],)
        ],
        CHUNK,
    )
