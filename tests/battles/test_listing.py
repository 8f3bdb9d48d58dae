"""The list of battles finds what its query set finds, whoever looks and whatever he looks for."""

from itertools import product

import pytest
from django.utils import timezone

from battles.models import Battle
from battles.selectors import battles_listed, battles_number, battles_page, battles_visible_to
from tests.battles.builders import duel
from tests.builders import SYSTEM, a_player

pytestmark = pytest.mark.django_db


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
            ("", "mine", "x"), ("", "done", "failed", "queued", "x"), ("", "table", "resolved", "x"), ("", "RIDGE", "%", "_")
        ):  # fmt: skip
            filters = {"whose": whose, "status": status, "kind": kind, "text": text}
            page, wanted = battles_page(player, filters, {}), battles_listed(player, **filters)
            assert (page.rows, page.count) == (list(wanted), wanted.count())
            seen.add(page.count)
        assert {0, 3, 9 if player is None else 15} <= seen
