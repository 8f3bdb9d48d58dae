"""A player's battles, odds, dice and live tables: their export, and what happens when the player leaves.

Records never change, because they name no player.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from battles.models import (
    SIMULATION_MODELS,
    Battle,
    BattleSide,
    Calculation,
    Curve,
    Fork,
    LiveSeat,
    LiveTable,
    Record,
    RecordCheck,
    SealedDice,
    SoloBattle,
)
from rosters.database.queries import PreparedQuery
from rosters.models import Company, Player
from rosters.site.pagination import tallied
from rosters.site.player_data import (
    DeletionPart,
    DepartedPlayer,
    ExportFile,
    ExportPart,
    Fate,
    file_path,
    isoformat,
    to_json_text,
)
from rosters.site.retention import unreferenced


def _table_files(player: Player) -> Iterator[ExportFile]:
    seats = LiveSeat.objects.filter(player=player).select_related("table").order_by("pk")
    yield "tables.json", to_json_text([_table_to_dict(seat) for seat in seats.iterator(chunk_size=50)])


def _table_to_dict(seat: LiveSeat) -> dict[str, object]:
    """Return the table with this player's acts."""
    table = seat.table
    return {
        "title": table.title,
        "side": seat.side,
        "set_at": isoformat(table.created_at),
        "ended_at": isoformat(table.ended_at),
        "setup": table.setup,
        "acts": [
            {"place": act.place, "at": isoformat(act.occurred_at), "kind": act.kind, "facts": act.facts}
            for act in table.events.filter(side=seat.side)
        ],
    }


TABLES_PART = ExportPart(
    path="tables.json",
    about="Games you played with your phone, and everything you marked, rolled and sealed.",
    files=_table_files,
)


def seats_fate(number: int) -> Fate:
    """Return what happens to the player's `number` seats when they leave."""
    what = "tables you played at" if number != 1 else "table you played at"
    return Fate(number, what, "kept for your opponents, without your name", goes=False)


def seats_leave(gone: DepartedPlayer) -> None:
    LiveTable.objects.filter(made_by=gone.player).update(made_by=None)
    LiveSeat.objects.filter(player=gone.player).update(player=None, is_closed=True, name=gone.name[:60])


class _Numbers(NamedTuple):
    """The numbers of a player's rows."""

    going: int  # battles to delete
    seats: int  # at live tables
    battles: int  # all battles of the player
    odds: int


class LeavingQueries(NamedTuple):
    """Queries about a leaving player's battles."""

    fought: PreparedQuery[tuple[int]]  # companies in battles that stay
    numbers: PreparedQuery[_Numbers]


def _kept(player: Player, kept: frozenset[int]) -> frozenset[int]:
    """Return the companies in `kept`, and those in battles that stay."""
    asked, given = _find_asked(player, kept)
    return kept | {company for (company,) in asked.fought.rows(**given)}


def _leaving_battles(player: int, kept: Collection[int]) -> QuerySet[Battle]:
    """Return the player's battles that nobody else's history needs."""
    needed = BattleSide.objects.filter(battle=OuterRef("pk")).filter(Q(company__in=kept) | _of_others(player))
    return unreferenced(
        Battle.objects.filter(~Exists(needed), asked_by=player), BattleSide, Record, Curve, Fork, RecordCheck
    )


def _of_others(player: int) -> Q:
    return Q(company__isnull=False) & ~Q(company__owner=player)


def _find_asked(player: Player, kept: frozenset[int]) -> tuple[LeavingQueries, dict[str, int]]:
    """Return the queries for this number of kept companies, and their arguments.

    The arguments are the player and the companies by place. The number of places is 0 or a power of two; the last
    company fills the remaining places.
    """
    pks = sorted(kept)
    places = 1 << (len(pks) - 1).bit_length() if pks else 0
    filled = pks + pks[-1:] * (places - len(pks))
    return _build_queries(places), {"player": player.pk, **{f"kept_{at}": pk for at, pk in enumerate(filled)}}


@cache
def _build_queries(places: int) -> LeavingQueries:
    def fought(player: int, **kept: int) -> QuerySet[BattleSide, tuple[int]]:
        own = Company.objects.filter(owner=player).exclude(pk__in=kept.values())
        going = _leaving_battles(player, kept.values()).values("pk")
        rows = BattleSide.objects.filter(company__in=own).exclude(battle__in=going)
        return rows.order_by().values_list("company").distinct()

    def numbers(player: int, **kept: int) -> QuerySet[Player, object]:
        return tallied(
            Player.objects.filter(pk=player),
            _Numbers,
            going=[_leaving_battles(player, kept.values())],
            seats=[LiveSeat.objects.filter(player=player)],
            battles=[Battle.objects.filter(asked_by=player)],
            odds=[kind._default_manager.filter(asked_by=player) for kind in SIMULATION_MODELS],
        )

    kinds: dict[str, type] = {"player": int, **{f"kept_{at}": int for at in range(places)}}
    return LeavingQueries(PreparedQuery(fought, **kinds), PreparedQuery(numbers, _Numbers, **kinds))


def _fates(player: Player, kept: frozenset[int]) -> Iterator[Fate]:
    asked, given = _find_asked(player, kept)
    (numbers,) = asked.numbers.rows(**given)
    going, odds = numbers.going, numbers.odds
    staying = numbers.battles - going
    yield Fate(
        going, "battles of your own" if going != 1 else "battle of your own", "deleted, with their records", goes=True
    )
    yield Fate(
        staying,
        "battles in campaigns or with others" if staying != 1 else "battle in a campaign or with others",
        "kept for other players' ledgers, and so that the dice can be checked",
        goes=False,
    )
    yield seats_fate(numbers.seats)
    yield Fate(odds, "odds that you asked for", "kept for a while without your name", goes=True)


def _go(gone: DepartedPlayer) -> None:
    RecordCheck.objects.filter(asked_by=gone.player).delete()
    SoloBattle.objects.filter(asked_by=gone.player).delete()
    seats_leave(gone)
    for kind in SIMULATION_MODELS:
        kind._default_manager.filter(asked_by=gone.player).update(asked_by=None)
    _leaving_battles(gone.player.pk, gone.kept).delete()
    unreferenced(SealedDice.objects.filter(asked_by=gone.player)).delete()


def _forget(gone: DepartedPlayer) -> None:
    """Replace the player's name beside their words in dice.

    The seed doesn't depend on the name, and the words keep their order.
    """
    for dice in SealedDice.objects.filter(asked_by=gone.player).exclude(words=[]):
        names = gone.names | gone.shared
        words = [[gone.name if who in names else who, text] for who, text in dice.words]
        SealedDice.objects.filter(pk=dice.pk).update(words=words)


DELETION_PART = DeletionPart(kept=_kept, fates=_fates, go=_go, forget=_forget)


def _solo_files(player: Player) -> Iterator[ExportFile]:
    entries = [
        {
            "title": row.title,
            "begun_at": isoformat(row.created_at),
            "setup": row.setup,
            "sides": row.sides,
            "colours": row.liveries,
            "after": row.after,
            "events": row.events,
            "answers": row.answers,
        }
        for row in SoloBattle.objects.filter(asked_by=player).order_by("pk")
    ]
    yield "battles-by-hand.json", to_json_text(entries)


SOLO_PART = ExportPart(
    path="battles-by-hand.json",
    about="Your unfinished online battles, with your choices.",
    files=_solo_files,
)


def _record_files(player: Player) -> Iterator[ExportFile]:
    rows = Battle.objects.filter(asked_by=player, record__isnull=False).select_related("record").order_by("pk")
    for row in rows.iterator(chunk_size=20):
        yield file_path("battles", row.pk, row.title, "jsonl"), row.record.text


def _battle_files(player: Player) -> Iterator[ExportFile]:
    rows = Battle.objects.filter(asked_by=player).select_related("dice").order_by("pk")
    entries = [
        {
            "number": row.pk,
            "title": row.title,
            "state": row.status,
            "asked_at": isoformat(row.queued_at),
            "seen_by": row.visibility,
            "by_hand": row.fought_by_hand,
            "setup": row.setup,
            "result": row.result,
        }
        for row in rows.iterator(chunk_size=50)
    ]
    yield "battles.json", to_json_text(entries)


def _odds_files(player: Player) -> Iterator[ExportFile]:
    yield (
        "odds.json",
        to_json_text([_count_to_dict(row) for kind in SIMULATION_MODELS for row in _asked_rows(kind, player)]),
    )


def _check_files(player: Player) -> Iterator[ExportFile]:
    rows = RecordCheck.objects.filter(asked_by=player).order_by("pk").defer("lines")
    entries = [{"title": row.title, "asked_at": isoformat(row.waiting_since), "verdict": row.verdict} for row in rows]
    yield "checks-of-records.json", to_json_text(entries)


def _asked_rows(kind: type[Calculation], player: Player) -> Iterator[Calculation]:
    yield from kind._default_manager.filter(asked_by=player).order_by("pk")


def _count_to_dict(row: Calculation) -> dict[str, object]:
    return {
        "what": type(row)._meta.verbose_name,
        "title": row.title,
        "asked_at": isoformat(row.asked_at),
        "setup": getattr(row, "setup", None),
        "change": getattr(row, "change", None),
        "seed": row.seed,
        "rules_version": row.rules_version,
        "battles_counted": row.runs_done,
        "counts": row.counts,
    }


def _dice_files(player: Player) -> Iterator[ExportFile]:
    rows = SealedDice.objects.filter(asked_by=player).order_by("pk")
    entries = [
        {
            "hash": row.commitment,
            "sealed_at": isoformat(row.sealed_at),
            "rolled_at": isoformat(row.used_at),
            "words": [text for _, text in row.words],
        }
        for row in rows
    ]
    yield "dice.json", to_json_text(entries)


EXPORT_PARTS = (
    TABLES_PART,
    SOLO_PART,
    ExportPart(
        path="battles/",
        about="Records of your simulated battles, event by event. You can check them with verify.",
        files=_record_files,
    ),
    ExportPart(path="battles.json", about="All your battles with set-up and result.", files=_battle_files),
    ExportPart(path="odds.json", about="Your latest odds, comparisons and matchups.", files=_odds_files),
    ExportPart(path="checks-of-records.json", about="Records you checked, and the results.", files=_check_files),
    ExportPart(
        path="dice.json",
        about="Your provably fair dice with your contributions. The secrets of rolled dice are in the records.",
        files=_dice_files,
    ),
)
