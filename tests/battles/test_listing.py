"""The list of battles finds what its query set finds, whoever looks and whatever he looks for."""

import re
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


def ended(title: str, system: str = SYSTEM, **result: object) -> Battle:
    return Battle.objects.create(
        system=system, title=title, setup=duel(), setup_hash="-", seed="1", rules_version=1, visibility="public",
        status="done", queued_at=timezone.now(), result={"rounds": 3, "reason": "destroyed", **result},
    )  # fmt: skip


def test_a_decided_battle_is_listed_with_its_winner_on_every_database(client):
    ended("Ridge", winner="Red", draw=False)
    ended("Ford", winner=None, draw=True)
    html = client.get("/battles/").content.decode()
    assert re.findall(r'<td data-label="Outcome">([^<]*)</td>', html) == ["Draw", "Red"]
    told = client.get("/api/v1/battles/").json()["results"]
    assert [(line["result"]["winner"], line["result"]["draw"]) for line in told] == [(None, True), ("Red", False)]


def test_a_list_of_one_game_does_not_name_it_in_each_row(client):
    ended("Ridge", winner="Red", draw=False)
    for asked, is_named in (({}, 1), ({"system": SYSTEM}, 0), ({"system": "x"}, 1)):
        html = client.get("/battles/", asked).content.decode()
        assert html.count('<th scope="col">Game</th>') == html.count('<td data-label="Game">') == is_named
        assert html.count('<th scope="col">') == 1 + html.count("<td data-label")


def test_battles_of_one_game_are_listed_alone(client):
    ended("Ridge", winner="Red", draw=False)
    ended("Peak", "blazing-steel", winner="Ants", draw=False)
    found = battles_page(None, {"system": "blazing-steel"}, {})
    assert ([row.title for row in found.rows], found.count) == (["Peak"], 1)
    assert battles_page(None, {"system": "no-such-game"}, {}).count == 2
    assert "Peak" in client.get("/battles/?system=blazing-steel").content.decode()
