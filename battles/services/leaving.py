"""What becomes of a leaving player's battles, odds and dice. Records are never touched: no player is named in them."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, Q, QuerySet

from battles.models import Battle, BattleSide, Forecast, Matrix, Record, SealedDice, WhatIf
from rosters.models import Company, Player
from rosters.site.clearing import unreferenced
from rosters.site.leaving import Farewell, Fate, Part


def _kept(player: Player, kept: frozenset[int]) -> frozenset[int]:
    """Companies that stay anyway, and those that fought in a battle which stays."""
    own = Company.objects.filter(owner=player).exclude(pk__in=kept)
    sides = BattleSide.objects.filter(company__in=own).exclude(battle__in=_going(player, kept).values("pk"))
    return kept | frozenset(sides.values_list("company", flat=True))


def _going(player: Player, kept: frozenset[int]) -> QuerySet[Battle]:
    """Battles that he asked for and that nobody else's history needs."""
    needed = BattleSide.objects.filter(battle=OuterRef("pk")).filter(Q(company__in=kept) | _of_others(player))
    return unreferenced(Battle.objects.filter(~Exists(needed), asked_by=player), BattleSide, Record)


def _of_others(player: Player) -> Q:
    return Q(company__isnull=False) & ~Q(company__owner=player)


def _fates(player: Player, kept: frozenset[int]) -> Iterator[Fate]:
    going = _going(player, kept).count()
    staying = Battle.objects.filter(asked_by=player).count() - going
    yield Fate(
        going, "battles of your own" if going != 1 else "battle of your own", "deleted, with their records", goes=True
    )
    yield Fate(
        staying,
        "battles of campaigns or with others" if staying != 1 else "battle of a campaign or with others",
        "kept: the books of others rest on such, and the dice can be checked",
        goes=False,
    )
    odds = sum(kind._default_manager.filter(asked_by=player).count() for kind in (Forecast, WhatIf, Matrix))
    yield Fate(odds, "odds that you asked for", "kept for a while as nobody's", goes=True)


def _go(gone: Farewell) -> None:
    for kind in (Forecast, WhatIf, Matrix):
        kind._default_manager.filter(asked_by=gone.player).update(asked_by=None)
    _going(gone.player, gone.kept).delete()
    unreferenced(SealedDice.objects.filter(asked_by=gone.player)).delete()


def _forget(gone: Farewell) -> None:
    """Beside his words in dice stands the new name. Who said them is no part of a seed, and their order stays."""
    for dice in SealedDice.objects.filter(asked_by=gone.player).exclude(words=[]):
        names = gone.names | gone.shared
        words = [[gone.name if who in names else who, text] for who, text in dice.words]
        SealedDice.objects.filter(pk=dice.pk).update(words=words)


PART = Part(kept=_kept, fates=_fates, go=_go, forget=_forget)
