"""The list of battles finds what its query set finds, whoever looks and whatever he looks for."""

from itertools import product

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from battles.models import Battle
from battles.selectors.listing import battles_number, battles_page, battles_told, battles_visible_to
from rosters.models import Player
from tests.battles.builders import duel
from tests.builders import SYSTEM, a_player

pytestmark = pytest.mark.django_db


def _wanted(player: Player | None, *, whose: str, status: str, kind: str, text: str) -> QuerySet[Battle]:
    rows = battles_told(player).filter(title__icontains=text)
    if whose == "mine":
        rows = rows.filter(asked_by=player) if player else rows.none()
    if status in ("done", "failed", "queued"):
        rows = rows.filter(status=status)
    return rows.filter(fought_by_hand=kind == "table") if kind in ("table", "resolved") else rows


def test_pages_and_numbers_are_those_of_the_query_set_for_every_filter():
    reader, other = a_player(), a_player()
    for asked_by, visibility in product((reader, other, None), ("public", "link", "private")):
        for at, title in enumerate(("Ridge", "100 % ridge", "Ford")):
            Battle.objects.create(
                system=SYSTEM, title=title, setup=duel(), setup_hash="-", seed="1", rules_version=1, asked_by=asked_by,
                visibility=visibility, status=("done", "failed")[at % 2], queued_at=timezone.now(), fought_by_hand=at == 2,
            )  # fmt: skip
    for player in (reader, other, None):
        assert battles_number(player) == battles_visible_to(player).count()
        seen = set()
        for whose, status, kind, text in product(
            ("", "mine", "x"), ("", "done", "failed", "queued", "x"), ("", "table", "resolved", "x"), ("", "RIDGE", "%", "0 % r", "_", "\\")
        ):  # fmt: skip
            filters = {"whose": whose, "status": status, "kind": kind, "text": text}
            page, wanted = battles_page(player, filters, {}), _wanted(player, **filters)
            assert (page.rows, page.count) == (list(wanted), wanted.count())
            seen.add(page.count)
        assert {0, 3, 9 if player is None else 15} <= seen
