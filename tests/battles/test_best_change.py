"""The best single change for a side: every possible change is tried with the same dice."""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from battles.models import BestChange, Forecast, WhatIf
from battles.odds import chunks
from battles.odds.changes import Change, apply_change, change_places
from battles.odds.services import TOUCH_INTERVAL, forecast_ask
from battles.searches import services
from battles.searches.selectors import BestChangePage
from battles.searches.services import BEST_CHANGE_BATTLES, best_change_ask, single_changes
from battles.tasks import forecast_best_answer, forecast_best_change, forecast_run, forecast_what_if
from battles.templatetags.battles import swing
from rosters.services import RefusedError
from systems import BATTLES as GAMES
from systems import battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import setup_json
from systems.simulation.odds import compare, difference
from systems.simulation.summary import MIN_BATTLES
from tests.battles.builders import duel, player
from tests.campaigns.test_results_races import run_concurrently
from tests.example_shares import in_every_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    """Keep jobs in their rows until a test runs them."""
    for task in (forecast_run, forecast_best_answer, forecast_best_change, forecast_what_if):
        monkeypatch.setattr(task, "delay", lambda *message: None)


def ask_best_change(setup: Any = None, *, side: int = 0, battles: int = 2_000, **given: Any) -> BestChange:
    forecast, _ = forecast_ask(setup=setup or duel("wasp", "saber"), runs=100, visitor="v")
    return best_change_ask(forecast=forecast, side=side, battles=battles, visitor="v", **given)[0]


@pytest.mark.django_db(transaction=True)
def test_best_change_and_best_answer_run_at_once(monkeypatch):
    """Both lock the forecast and then the asker."""
    forecast, _ = forecast_ask(setup=duel("wasp", "saber"), runs=100, visitor="v")
    Forecast.objects.update(asked_at=timezone.now() - 2 * TOUCH_INTERVAL)
    both, plan, changes = threading.Barrier(2), services.plan_of, services.single_changes

    def meet() -> None:
        with suppress(threading.BrokenBarrierError):
            both.wait(0.5)

    monkeypatch.setattr(services, "plan_of", lambda *given: (meet(), plan(*given))[1])
    monkeypatch.setattr(services, "single_changes", lambda *given: (meet(), changes(*given))[1])
    acts = (best_change_ask, services.best_answer_ask)

    def act(ask: Any) -> Any:
        row = Forecast.objects.get(pk=forecast.pk)
        return lambda: ask(forecast=row, side=0, battles=2_000, visitor="v")[1]

    assert run_concurrently([act(ask) for ask in acts]) == [True, True]


def play_out(row: BestChange) -> BestChange:
    while not row.is_over:
        forecast_best_change(row.pk, str(row.lease) if row.lease else None)
        row.refresh_from_db()
    assert row.status == "done", row.failure
    return row


@pytest.mark.parametrize("system", in_every_run(("meks-and-mercs",), GAMES))
def test_only_changes_of_side_and_field_are_tried(system: str):
    setup = battle_rules(system).example()
    own = {unit.key for unit in setup.sides[0].units} | {setup.sides[0].name, ""}
    found = single_changes(setup, 0)
    assert found
    assert {change.of for change in found} <= own
    offered = {
        value
        for place in change_places(setup)
        if place.side in ("", "a")
        for _, choices in place.groups
        for value, _ in choices
    }
    assert {f"{change.what}|{change.of}|{change.to}" for change in found} <= offered
    for change in found[:5]:
        assert apply_change(setup, change) != setup


def test_ranked_change_matches_its_own_comparison():
    row = play_out(ask_best_change())
    page = BestChangePage(row)
    assert len(page.lines) == len(row.changes)
    assert sum(line.placed.battles for line in page.lines) == row.runs_asked
    setup = read_setup(row.forecast.setup)
    for line in (page.lines[0], page.lines[-1]):
        after = apply_change(setup, Change.model_validate(row.changes[line.placed.candidate]))
        table = compare(setup, after, int(row.seed), 0, line.placed.battles).table
        assert line.placed.won == sum(before[0] for before in table)
        gained, given = table[1][0] + table[2][0], table[0][1] + table[0][2]
        assert line.difference == difference(gained, given, line.placed.battles)
    assert [line.place for line in page.lines] == [*range(1, len(page.lines) + 1)]
    assert page.best is not None
    assert page.best.difference.low > 0  # a light Mek against a medium one can be helped
    assert len(page.finalists) == 4


@pytest.mark.slow
def test_opponent_gets_changes_of_their_own_side():
    page = BestChangePage(play_out(ask_best_change(duel("saber", "wasp"), side=1)))
    assert page.side == "Blue"
    assert page.best is not None
    setup = page.setup
    after = apply_change(setup, Change.model_validate(page.row.changes[page.best.placed.candidate]))
    assert setup_json(after)["sides"][0] == setup_json(setup)["sides"][0]
    assert page.best.difference.low > 0


@pytest.mark.slow
def test_seed_gives_one_answer_however_jobs_are_split(monkeypatch):
    whole = play_out(ask_best_change(battles=500)).counts
    BestChange.objects.all().delete()
    monkeypatch.setattr(chunks, "FIRST_CHUNK", 1)
    monkeypatch.setattr(chunks, "CHUNK_SECONDS", 0.000001)
    row = play_out(ask_best_change(battles=500))
    assert row.counts == whole
    assert row.battles == MIN_BATTLES
    assert ask_best_change(battles=500) == row  # and isn't tried twice


@pytest.mark.parametrize(("given", "reason"), [({"side": 2}, "must be 0 or 1"), ({"battles": 0}, "1 or more")])
def test_meaningless_question_is_refused(given: dict[str, int], reason: str):
    with pytest.raises((RefusedError, DocumentError), match=reason):
        ask_best_change(**given)
    assert not BestChange.objects.exists()


@pytest.mark.slow
def test_page_asks_for_one_change_and_simulates_it_alone(client):
    forecast, _ = forecast_ask(setup=duel("wasp", "saber"), runs=100, visitor="v")
    page = reverse("battles:best-change-create", args=[forecast.key])
    assert "Search for Red" in client.get(page).content.decode()
    answer = client.post(page, {"side": "0"}, follow=True)
    row = BestChange.objects.get()
    assert answer.redirect_chain[-1][0] == reverse("battles:explore", args=[row.key])
    assert row.runs_asked <= BEST_CHANGE_BATTLES * 1.2
    assert "hx-trigger" in answer.content.decode()
    html = client.get(reverse("battles:explore", args=[play_out(row).key])).content.decode()
    assert "wins for Red" in " ".join(html.split())
    assert html.count('class="swing"') == len(row.changes)
    assert reverse("battles:explore", args=[row.key]) in client.get(page).content.decode()
    value = BestChangePage(row).lines[0].value
    assert f'value="{value}"' in html
    alone = client.post(reverse("battles:what-if-create", args=[forecast.key]), {"change": value, "battles": "10000"})
    assert alone.headers["Location"] == reverse("battles:explore", args=[WhatIf.objects.get().key])


@pytest.mark.parametrize("side", ["2", "", "x"])
def test_unknown_side_is_refused(client, side: str):
    forecast, _ = forecast_ask(setup=duel(), runs=100, visitor="v")
    answer = client.post(reverse("battles:best-change-create", args=[forecast.key]), {"side": side}, follow=True)
    assert "must be 0 or 1" in answer.content.decode()
    assert not BestChange.objects.exists()


def test_failed_search_shows_reason_and_can_continue(client):
    client.force_login(player())
    row = ask_best_change(battles=500)
    BestChange.objects.update(status="failed", failure="It broke.")
    page = reverse("battles:explore", args=[row.key])
    assert "It broke." in client.get(page).content.decode()
    again = client.post(reverse("battles:best-change-repeat", args=[row.key]))
    assert again.headers["Location"] == page
    row.refresh_from_db()
    assert row.status == "queued"
    play_out(row)
    assert "hx-trigger" not in client.get(reverse("battles:best-change-progress", args=[row.key])).content.decode()


def test_drawn_change_stays_within_its_line():
    for change in (difference(0, 0, 0), difference(100, 0, 100), difference(3, 9, 40)):
        for reach in (0.05, 1.0):
            numbers = [int(each) for each in re.findall(r"[MHV ](\d+)", swing(change, reach))]
            assert all(0 <= each <= 200 for each in numbers)
