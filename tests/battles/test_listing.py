"""The list of battles shows what its query set finds, for every reader and every filter."""

import re
from importlib import import_module
from itertools import product

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from battles.models import Battle
from battles.selectors.battle_list import battles_page, battles_visible_to, count_battles, list_battles
from rosters.models import Company, Player
from rosters.unit_cache import chit_svg
from systems import roster_rules
from tests.battles.builders import duel
from tests.builders import SYSTEM, a_player

ODD = {"chassis": "light", "weapons": ["cannon"]}

pytestmark = pytest.mark.django_db


def _wanted(player: Player | None, *, whose: str, status: str, kind: str, text: str) -> QuerySet[Battle]:
    rows = list_battles(player).filter(title__icontains=text)
    if whose == "mine":
        rows = rows.filter(asked_by=player) if player else rows.none()
    if status in ("done", "failed", "queued"):
        rows = rows.filter(status=status)
    return rows.filter(fought_by_hand=kind == "table") if kind in ("table", "resolved") else rows


@pytest.mark.slow
def test_list_matches_query_set_for_every_filter():
    reader, other = a_player(), a_player()
    for asked_by, visibility in product((reader, other, None), ("public", "link", "private")):
        for at, title in enumerate(("Ridge", "100 % ridge", "Ford")):
            Battle.objects.create(
                system=SYSTEM, title=title, setup=duel(), setup_hash="-", seed="1", rules_version=1, asked_by=asked_by,
                visibility=visibility, status=("done", "failed")[at % 2], queued_at=timezone.now(), fought_by_hand=at == 2,
            )  # fmt: skip
    for player in (reader, other, None):
        assert count_battles(player) == battles_visible_to(player).count()
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


def outcomes(html: str) -> list[str]:
    """Return the column of outcomes without its pictures."""
    cells = re.findall(r'<td class="table__named" data-label="Outcome">(.*?)</td>', html, re.DOTALL)
    return [re.sub(r"<svg.*</svg>", "", cell) for cell in cells]


@pytest.mark.parametrize("winner", ["Red", "Blue"])
def test_listed_winner_has_a_picture_of_their_first_unit(client, winner):
    ended("Ridge", winner=winner, draw=False)
    own = {**duel(), "sides": [dict(side) for side in duel()["sides"]]}
    own["sides"][0]["units"] = [{"key": "a1", "design": ODD, "pilot": None}]
    Battle.objects.update(setup=own)
    html = client.get("/battles/").content.decode()
    design = ODD if winner == "Red" else roster_rules(SYSTEM).spec_json(roster_rules(SYSTEM).published["draken"].spec)
    assert f'<td class="table__named" data-label="Outcome">{chit_svg(SYSTEM, design)}{winner}</td>' in html


def test_only_public_companies_win_with_their_emblem(client):
    owner = a_player()
    for visibility in ("public", "link", "private"):
        row = ended(f"Ridge {visibility}", winner="Dogs", draw=False)
        setup = row.setup
        setup["sides"][0]["name"] = "Dogs"
        Battle.objects.filter(pk=row.pk).update(setup=setup)
        company = Company.objects.create(owner=owner, system=SYSTEM, name="Dogs", visibility=visibility)
        row.sides.create(position=0, name="Dogs", company=company)
        row.sides.create(position=1, name="Blue")
    cells = re.findall(
        r'<td class="table__named" data-label="Outcome">(.*?)</td>', client.get("/battles/").content.decode(), re.DOTALL
    )
    assert ['class="emblem' in cell for cell in cells] == [False, False, True]  # the newest first
    assert ['class="body' in cell for cell in cells] == [True, True, False]


def test_winner_outside_the_sides_has_no_picture(client):
    ended("Ridge", winner="Somebody", draw=False)
    ended("Ford", winner=None, draw=True)
    html = client.get("/battles/").content.decode()
    assert re.findall(r'<td class="table__named" data-label="Outcome">(.*?)</td>', html) == ["Draw", "Somebody"]


def test_decided_battle_is_listed_with_its_winner(client):
    ended("Ridge", winner="Red", draw=False)
    ended("Ford", winner=None, draw=True)
    html = client.get("/battles/").content.decode()
    assert outcomes(html) == ["Draw", "Red"]
    battles = client.get("/api/v1/battles/").json()["results"]
    assert [(line["result"]["winner"], line["result"]["draw"]) for line in battles] == [(None, True), ("Red", False)]


def test_list_of_one_game_has_no_game_column(client):
    ended("Ridge", winner="Red", draw=False)
    for asked, is_named in (({}, 1), ({"system": SYSTEM}, 0), ({"system": "x"}, 1)):
        html = client.get("/battles/", asked).content.decode()
        assert html.count('<th scope="col">Game</th>') == html.count('<td data-label="Game">') == is_named
        assert html.count('<th scope="col">') == 2 + html.count("<td data-label")  # the name, the outcome


def test_list_filters_by_game(client):
    ended("Ridge", winner="Red", draw=False)
    ended("Peak", "blazing-steel", winner="Ants", draw=False)
    found = battles_page(None, {"system": "blazing-steel"}, {})
    assert ([row.title for row in found.rows], found.count) == (["Peak"], 1)
    assert battles_page(None, {"system": "no-such-game"}, {}).count == 2
    assert "Peak" in client.get("/battles/?system=blazing-steel").content.decode()


def finished_battles(*numbers: tuple[int, int]) -> list[Battle]:
    """Create battles with these numbers of rounds and kills, the oldest first."""
    rows = [ended(f"Battle {at}", winner="Red", draw=False) for at, _ in enumerate(numbers)]
    for row, (rounds, kills) in zip(rows, numbers, strict=True):
        row.rounds, row.kills = rounds, kills
        row.save()
    return rows


@pytest.mark.parametrize(
    ("sort", "order", "words"),
    [
        ("", [4, 3, 2, 1, 0], "newest first"),
        ("no-such-order", [4, 3, 2, 1, 0], "newest first"),
        ("rounds", [2, 3, 1, 4, 0], "longest first"),
        ("kills", [1, 3, 0, 4, 2], "most kills first"),
    ],
)
def test_battles_are_sorted_with_the_newest_first_of_equals(client, sort, order, words):
    finished_battles((0, 2), (4, 9), (12, 0), (4, 2), (3, 1))
    html = client.get("/battles/", {"sort": sort}).content.decode()
    assert re.findall(r">(Battle \d)</a>", html) == [f"Battle {at}" for at in order]
    assert f'<caption class="vh">Battles, {words}</caption>' in html


def test_sort_order_survives_filters_and_paging(client):
    rows = [ended(f"Battle {at}", winner="Red", draw=False) for at in range(2)]
    plain = {"system": SYSTEM, "setup": duel(), "setup_hash": "-", "rules_version": 1, "queued_at": timezone.now()}
    rows += Battle.objects.bulk_create(Battle(**plain, title=f"Copy {at}", rounds=at % 3) for at in range(32))
    ended("Ridge", "blazing-steel", winner="Ants", draw=False)
    order = [row.title for row in sorted(rows, key=lambda row: (-row.rounds, -row.pk))]
    arguments = {"sort": "rounds", "system": SYSTEM}
    first = client.get("/battles/", arguments)
    found = first.context["slice"]
    assert [row.title for row in found] == order[:30]
    assert f"sort=rounds&amp;system={SYSTEM}&amp;after={found.after}" in first.content.decode()
    second = client.get("/battles/", arguments | {"after": found.after}).context["slice"]
    assert ([row.title for row in second], second.after) == (order[30:], "")
    back = client.get("/battles/", arguments | {"before": second.before}).context["slice"]
    assert [row.title for row in back] == order[:30]
    for lost in ("x", "1", "1.x"):
        assert client.get("/battles/", arguments | {"after": lost}).context["slice"].rows == found.rows


def test_api_sorts_and_refuses_unknown_order(client):
    finished_battles((0, 2), (4, 9), (12, 0))
    for sort, order in (("newest", [2, 1, 0]), ("rounds", [2, 1, 0]), ("kills", [1, 0, 2])):
        for asked in ({}, {"offset": 0}, {"limit": 2}):
            answer = client.get("/api/v1/battles/", {"sort": sort, **asked}).json()
            found = answer["results"] + (client.get(answer["next"]).json()["results"] if answer["next"] else [])
            assert [line["title"] for line in found] == [f"Battle {at}" for at in order]
    assert [line["kills"] for line in found] == [9, 2, 0]
    refused = client.get("/api/v1/battles/", {"sort": "luck"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "sort")


def test_migration_numbers_old_battles_batch_by_batch(monkeypatch):
    moved = import_module("battles.migrations.0200_sorted_battles")
    monkeypatch.setattr(moved, "BATCH", 2)
    units = [{"lost": True}, {"lost": False}, {"lost": True}]
    old = [ended(f"Old {at}", winner="Red", draw=False, rounds=at or None, units=units) for at in range(5)]
    waiting = Battle.objects.create(
        system=SYSTEM, title="Soon", setup=duel(), setup_hash="-", seed="1", rules_version=1, queued_at=timezone.now()
    )
    numbered, is_whole = 0, connection.vendor == "postgresql"
    if is_whole:  # the old column: NULL where kills weren't counted
        numbered = 2
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE battles_battle ALTER kills DROP NOT NULL")
            cursor.execute("UPDATE battles_battle SET kills = NULL WHERE result IS NOT NULL")
    Battle.objects.filter(pk=old[3].pk).update(kills=7)
    moved.count_what_is_over(apps, None)
    if is_whole:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE battles_battle ALTER kills SET NOT NULL")  # in the same transaction
    rounds = dict(Battle.objects.values_list("pk", "rounds"))
    assert [rounds[row.pk] for row in (*old, waiting)] == [0, 1, 2, 3, 4, 0]
    kills = dict(Battle.objects.values_list("pk", "kills"))
    assert [kills[row.pk] for row in old] == [numbered, numbered, numbered, 7, numbered]
