"""The battles, odds and dice of a player who leaves. Records never change: they name no player."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from battles.live.keeping import seats_fate, seats_leave
from battles.models import (
    SIMULATION_MODELS,
    Battle,
    BattleSide,
    Curve,
    Fork,
    LiveSeat,
    Record,
    RecordCheck,
    SealedDice,
    SoloBattle,
)
from rosters.models import Company, Player
from rosters.site.clearing import unreferenced
from rosters.site.compiled import PreparedQuery
from rosters.site.leaving import Farewell, Fate, DeletionPart
from rosters.site.listed import tallied


class _Numbers(NamedTuple):
    """The numbers of a player's own rows."""

    going: int  # battles that are deleted
    seats: int  # at live tables
    battles: int  # all that the player asked for
    odds: int


class LeavingQueries(NamedTuple):
    """Queries about a leaving player's battles."""

    fought: PreparedQuery[tuple[int]]  # the companies in battles that stay, besides those that are kept
    numbers: PreparedQuery[_Numbers]


def _kept(player: Player, kept: frozenset[int]) -> frozenset[int]:
    """Return the companies that stay anyway, and those that fought in a battle which stays."""
    asked, given = _find_asked(player, kept)
    return kept | {company for (company,) in asked.fought.rows(**given)}


def _leaving_battles(player: int, kept: Collection[int]) -> QuerySet[Battle]:
    """Return the battles that the player asked for and that nobody else's history needs."""
    needed = BattleSide.objects.filter(battle=OuterRef("pk")).filter(Q(company__in=kept) | _of_others(player))
    return unreferenced(
        Battle.objects.filter(~Exists(needed), asked_by=player), BattleSide, Record, Curve, Fork, RecordCheck
    )


def _of_others(player: int) -> Q:
    return Q(company__isnull=False) & ~Q(company__owner=player)


def _find_asked(player: Player, kept: frozenset[int]) -> tuple[LeavingQueries, dict[str, int]]:
    """Return the queries for this number of kept companies, and their arguments.

    The arguments are the player and the companies by place. There are 0, 1, 2, 4 ... places; the last company fills
    those left over.
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
        "battles of campaigns or with others" if staying != 1 else "battle of a campaign or with others",
        "kept: the books of others rest on such, and the dice can be checked",
        goes=False,
    )
    yield seats_fate(numbers.seats)
    yield Fate(odds, "odds that you asked for", "kept for a while as nobody's", goes=True)


def _go(gone: Farewell) -> None:
    RecordCheck.objects.filter(asked_by=gone.player).delete()
    SoloBattle.objects.filter(asked_by=gone.player).delete()
    seats_leave(gone)
    for kind in SIMULATION_MODELS:
        kind._default_manager.filter(asked_by=gone.player).update(asked_by=None)
    _leaving_battles(gone.player.pk, gone.kept).delete()
    unreferenced(SealedDice.objects.filter(asked_by=gone.player)).delete()


def _forget(gone: Farewell) -> None:
    """Replace the player's name beside their words in dice.

    The name isn't part of a seed, and the words keep their order.
    """
    for dice in SealedDice.objects.filter(asked_by=gone.player).exclude(words=[]):
        names = gone.names | gone.shared
        words = [[gone.name if who in names else who, text] for who, text in dice.words]
        SealedDice.objects.filter(pk=dice.pk).update(words=words)


DELETION_PART = DeletionPart(kept=_kept, fates=_fates, go=_go, forget=_forget)
