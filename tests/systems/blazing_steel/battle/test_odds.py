"""The pages of odds, what-if and matchups of Blazing Steel."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from battles.odds.matrices import matrix_ask
from battles.odds.services import forecast_ask, what_if_ask
from battles.tasks import forecast_matrix, forecast_run, forecast_what_if
from tests.battles.builders import count_out

from .tables import document

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    for task in (forecast_run, forecast_what_if, forecast_matrix):
        monkeypatch.setattr(task, "delay", lambda *message: None)


def words(client, name: str, row) -> str:
    answer = client.get(reverse(f"battles:{name}", args=[row.key]), follow=True)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_odds_page_has_columns_of_this_game_only(client):
    forecast = count_out(forecast_ask(setup=document(["hawker"], ["mantis"]), runs=300, visitor="v")[0])
    text = words(client, "forecast", forecast)
    for heading in (
        "Average crippling results",
        "Average overheats",
        "Average objective points",
        "Average victory points, Red",
    ):
        assert heading in text
    assert "Average Structure lost" in text
    for foreign in ("Pilot wounded", "Withdrew", "repair cost"):
        assert foreign not in text


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"what": "doctrine", "of": "Red", "to": "cautious"}, "Cautious"),
        ({"what": "terrain", "to": "city"}, "City"),
        ({"what": "design", "of": "a1", "to": "bulwark"}, "Bulwark"),
    ],
)
def test_what_if_changes_ai_style_map_or_design(client, change, expected):
    forecast = count_out(forecast_ask(setup=document(["hawker"], ["mantis"]), runs=300, visitor="v")[0])
    row = what_if_ask(forecast=forecast, change=change, runs=300, visitor="v")[0]
    forecast_what_if(row.pk)
    row.refresh_from_db()
    assert expected.lower() in words(client, "what-if", row).lower()


def test_matchups_cover_six_designs(client):
    matrix = matrix_ask(
        system="blazing-steel", terrain="open", doctrines=("aggressive", "aggressive"), battles=20, visitor="v"
    )[0]
    forecast_matrix(matrix.pk)
    matrix.refresh_from_db()
    assert len(matrix.counts["cells"]) == 36
    assert "Colossus" in words(client, "matrix", matrix)
