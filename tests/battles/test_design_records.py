"""The record of a published design, from the shipped matrix, on the pages of designs and units."""

import re

import pytest
from django.urls import reverse

from battles.models import Matrix
from battles.odds.matrices import design_records, matrices_publish, matrix_ask
from rosters.jobs import JobStatus
from rosters.models import Design
from rosters.services import unit_buy
from systems import BATTLES
from tests.builders import SYSTEM, a_company, a_player, a_unit

pytestmark = pytest.mark.django_db


def page_text(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def linked_designs(answer):
    return re.findall(r'class="leads__to"\s+href="/designs/[^"]+/([^"/]+)/"', answer.content.decode())


def published():
    matrices_publish()
    return Matrix.objects.get(system=SYSTEM)


def test_record_adds_up_attacker_and_defender_results():
    matrix = published()
    designs, cells = matrix.counts["designs"], matrix.counts["cells"]
    one, other = 0, 3
    wins = sum(cells[one * 9 + to][0] + cells[to * 9 + one][1] for to in range(1, 9))
    record = design_records([SYSTEM])[SYSTEM, designs[one]]
    assert record.won.count == wins
    assert record.won.share == pytest.approx(wins / (16 * matrix.battles))
    assert record.won.low < record.won.share < record.won.high
    (found,) = (each for each in record.matchups if each.slug == designs[other])
    assert found.won.count == cells[one * 9 + other][0] + cells[other * 9 + one][1]
    assert designs[one] not in {each.slug for each in record.matchups}


def test_records_of_a_game_balance_out():
    published()
    records = design_records(list(BATTLES))
    assert {system for system, _ in records} == {slug for slug, rules in BATTLES.items() if rules.duel}
    for system in {system for system, _ in records}:
        of_game = [record for (slug, _), record in records.items() if slug == system]
        assert sum(each.won.share + each.drawn / 2 for each in of_game) == pytest.approx(len(of_game) / 2)
        assert sorted(each.place for each in of_game) == list(range(1, len(of_game) + 1))


def test_page_shows_best_and_worst_three_matchups(client):
    published()
    record = design_records([SYSTEM])[SYSTEM, "wasp"]
    shares = [each.won.share for each in (*record.best, *reversed(record.worst))]
    assert len(shares) == 6
    assert shares == sorted(shares, reverse=True)
    assert record.best[0] == max(record.matchups, key=lambda each: each.won.share)
    assert record.worst[0] == min(record.matchups, key=lambda each: each.won.share)
    page = client.get(reverse("rosters:design_published", args=[SYSTEM, "wasp"]))
    assert f"9th of 9 Duels won {100 * record.won.share:.1f}%" in page_text(page)
    assert reverse("rosters:design_published", args=[SYSTEM, record.worst[0].slug]) in page.content.decode()
    assert f'href="{reverse("battles:matrices")}?system={SYSTEM}"' in page.content.decode()


def test_players_matrix_gives_no_record():
    matrix, _ = matrix_ask(system=SYSTEM, terrain="plain", doctrines=("aggressive", "cautious"), actor=a_player())
    cells = [[1, 0, 0]] * 81
    Matrix.objects.filter(pk=matrix.pk).update(status=JobStatus.DONE, counts={**matrix.counts, "cells": cells})
    assert design_records([SYSTEM]) == {}


def test_matrix_of_other_rules_gives_no_record():
    matrix = published()
    Matrix.objects.filter(pk=matrix.pk).update(rules_version=matrix.rules_version + 1)
    assert design_records([SYSTEM]) == {}


def test_site_without_matrix_shows_no_records(client):
    assert "Win rate" not in page_text(client.get(reverse("rosters:design_published", args=[SYSTEM, "wasp"])))
    gallery = client.get("/designs/", {"sort": "record"})
    assert "Win rate" not in page_text(gallery)
    assert len(linked_designs(gallery)) > 9


def test_gallery_sorts_by_record_with_unknown_last(client):
    published()
    found = client.get("/designs/", {"system": SYSTEM, "sort": "record"})
    records = {slug: record.won.share for (_, slug), record in design_records([SYSTEM]).items()}
    assert linked_designs(found) == sorted(records, key=lambda slug: -records[slug])
    assert f"Win rate {100 * max(records.values()):.1f}%" in page_text(found)
    assert len(linked_designs(client.get("/designs/", {"system": "mech-campaign", "sort": "record"}))) == 5


def test_designs_are_filtered_by_game_and_size(client):
    medium = linked_designs(client.get("/designs/", {"system": SYSTEM, "size": "Medium"}))
    assert len(medium) == 4
    assert len(linked_designs(client.get("/designs/", {"size": "Medium"}))) == 6
    none = client.get("/designs/", {"system": "mech-campaign", "size": "Medium"})
    assert linked_designs(none) == []
    assert "No designs found" in page_text(none)


def test_gallery_reads_all_records_in_one_query(client, django_assert_num_queries):
    published()
    client.get("/designs/")
    with django_assert_num_queries(1):
        client.get("/designs/")


def test_only_units_of_published_designs_link_to_records(client):
    published()
    company = a_company(a_player(), visibility="public")
    unit = a_unit(company)
    page = client.get(reverse("rosters:unit", args=[company.pk, unit.pk]))
    share = design_records([SYSTEM])[SYSTEM, "wasp"].won.share
    assert f"Built as WASP , wins {100 * share:.1f}% of duels against published designs" in page_text(page)
    own = Design.objects.create(
        author=company.owner,
        system=SYSTEM,
        name="Gnat",
        spec={"chassis": "light", "weapons": ["cannon"], "systems": []},
    )
    other = unit_buy(company=company, by=company.owner, design=own)
    assert "Built as" not in page_text(client.get(reverse("rosters:unit", args=[company.pk, other.pk])))
