"""The best answer: which force of so many points does best in place of a side, searched by playing."""

from typing import Any

import pytest
from django.urls import reverse

from battles.models import BestAnswer
from battles.odds.rivals import MOST_RIVALS, points_of_side, rivals, with_force
from battles.selectors.best_answer import best_answer_page, climb_of
from battles.services import shares
from battles.services.best_answers import best_answer_ask, best_answer_work
from battles.services.forecasts import forecast_ask
from battles.services.setups import ready_setup
from battles.tasks import forecast_best_answer, forecast_run
from rosters.services import RefusedError
from systems import BATTLES, battle_rules
from systems.documents import DocumentError
from systems.engine.odds import tally
from systems.reading import read_setup
from tests.battles.builders import duel, player
from tests.shares import in_every_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    """Jobs stay in their rows until a test does them."""
    for task in (forecast_run, forecast_best_answer):
        monkeypatch.setattr(task, "delay", lambda *message: None)


def asked(setup: Any = None, *, side: int = 1, **given: Any) -> BestAnswer:
    forecast, _ = forecast_ask(setup=setup or duel("demon", "saber"), runs=100, visitor="v")
    return best_answer_ask(forecast=forecast, side=side, visitor="v", **given)[0]


def played(answer: BestAnswer) -> BestAnswer:
    while not answer.is_over:
        forecast_best_answer(answer.pk, str(answer.lease) if answer.lease else None)
        answer.refresh_from_db()
    assert answer.status == "done", answer.failure
    return answer


@pytest.mark.parametrize("system", in_every_run(("meks-and-mercs", "blazing-steel"), BATTLES))
def test_every_force_that_is_played_is_legal_there_costs_no_more_and_has_no_room_for_another(system):
    rules = battle_rules(system)
    scenario = next(slug for slug in rules.scenarios if slug != "zone-battle")
    setup = read_setup(ready_setup(system=system, scenario=scenario))
    points = points_of_side(setup, 0)
    found = rivals(setup, 0, points, seed=1)
    assert 0 < len(found) <= MOST_RIVALS
    assert len(set(found)) == len(found)
    for force in found[:20]:
        there = with_force(setup, 0, force)
        assert points_of_side(there, 0) <= points
        assert not any(tuple(sorted((*force, slug))) in found for slug in set(sum(found, ())))
    assert rivals(setup, 0, points, seed=1) == found


def test_the_answer_for_one_unit_is_that_of_counting_all():
    answer = played(asked(points=12, battles=60_000))
    before = read_setup(answer.forecast.setup)
    counted = {}
    for at, force in enumerate([None, *(tuple(force) for force in answer.forces)]):
        battle = tally(with_force(before, 1, force), 77, 0, 20_000).battle
        counted[at] = (battle["defender_wins"] + battle["draws"] / 2) / 20_000
    best = best_answer_page(answer).lines[0]
    candidate = climb_of(answer).order()[0].candidate
    assert counted[candidate] >= max(counted.values()) - 0.02
    assert abs(best.placed.mean - counted[candidate]) < 0.03
    assert best.placed.rung == max(line.placed.rung for line in best_answer_page(answer).lines)


def test_the_same_seed_gives_the_same_answer_however_it_is_cut(monkeypatch):
    whole = played(asked(points=12, battles=4_000))
    counts = whole.counts
    whole.delete()
    monkeypatch.setattr(shares, "FIRST_CHUNK", 1)
    monkeypatch.setattr(shares, "CHUNK_SECONDS", 0.000001)
    again = played(asked(points=12, battles=4_000))
    assert again.counts == counts
    assert asked(points=12, battles=4_000) == again  # and is not played twice


def test_a_rung_waits_for_the_one_below_even_where_many_workers_play():
    answer = asked(points=30, battles=4_000)
    BestAnswer.objects.filter(pk=answer.pk).update(status="running")
    answer.refresh_from_db()
    work = best_answer_work(answer=answer)
    first = climb_of(answer).open_blocks * answer.battles
    taken = shares._take(answer, work, size=10**9)
    assert taken is not None
    assert (taken.first, taken.runs) == (0, first)
    assert shares._take(answer, work, size=10**9) is None  # the next rung is not known yet
    shares._hand_in(answer, taken, work.count(0, first), 0.1, work, None)
    following = shares._take(answer, work, size=10**9)
    assert following is not None
    assert following.first == first


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"side": 2}, "must be 0 or 1"),
        ({"points": 0}, "whole number from 1"),
        ({"points": 1}, "No force of published units"),
        ({"battles": 0}, "1 or more"),
    ],
)
def test_a_question_that_has_no_answer_is_refused(given, reason):
    with pytest.raises((RefusedError, DocumentError), match=reason):
        asked(**given)


def test_the_page_asks_shows_the_order_and_says_how_sure_it_is(client, eager_jobs):
    forecast, _ = forecast_ask(setup=duel("demon", "saber"), runs=100, visitor="v")
    page = reverse("battles:best", args=[forecast.key])
    assert page in client.get(reverse("battles:forecast", args=[forecast.key])).content.decode()
    assert client.post(page, {"side": "1", "points": "1"}).status_code == 422
    answer = client.post(page, {"side": "1", "points": "12"}, follow=True)
    html = answer.content.decode()
    row = BestAnswer.objects.get()
    assert answer.redirect_chain[-1][0] == reverse("battles:best-answer", args=[row.key])
    if row.status == "done":
        assert "sure by these battles" in html
        assert "stands there" in html
    assert "Best of 12 points for Blue" in client.get(page).content.decode()


def test_each_force_is_drawn_unit_by_unit(client):
    answer = played(asked(points=24, battles=400))
    page = best_answer_page(answer)
    assert [len(line.specs) for line in page.lines] == [len(line.designs) or 1 for line in page.lines]
    html = client.get(reverse("battles:best-answer", args=[answer.key])).content.decode()
    assert html.count('<svg class="body body--chit"') == sum(len(line.specs) for line in page.lines)
    assert page.best is not None
    best, _, ask = html.partition('aria-labelledby="ask"')
    assert best.count('<svg class="body body--row"') == len(page.best.specs)
    assert ask.count('<svg class="body body--row"') == 2  # a Mek on each side


def test_programs_ask_for_it_and_read_the_same(client):
    kim = player()
    forecast, _ = forecast_ask(setup=duel("demon", "saber"), runs=100, actor=kim)
    client.force_login(kim)
    made = client.post(
        reverse("api-best-answers", args=[forecast.key]),
        {"side": 1, "points": 12, "battles": 2_000},
        content_type="application/json",
    )
    assert made.status_code == 201, made.content
    row = played(BestAnswer.objects.get())
    told = client.get(reverse("api-best-answer", args=[row.key])).json()
    page = best_answer_page(row)
    assert told["status"] == "done"
    assert [each["force"] for each in told["forces"]] == [line.force for line in page.lines]
    assert told["battles_done"] == sum(each["battles"] for each in told["forces"]) == row.runs_asked
    refused = client.post(
        reverse("api-best-answers", args=[forecast.key]), {"side": 3}, content_type="application/json"
    )
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == "side"
