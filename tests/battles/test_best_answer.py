"""The best answer: which force within the given points does best in place of a side, found by simulation."""

from typing import Any

import pytest
from django.urls import reverse

from battles.choices import published_forces
from battles.models import BestAnswer
from battles.odds import chunks
from battles.odds.services import forecast_ask
from battles.searches import forces
from battles.searches.forces import (
    MAX_RIVALS,
    _grows,
    candidate_forces,
    points_of_side,
    published_opponents,
    with_force,
    with_opponent,
)
from battles.searches.selectors import best_answer_climb, best_answer_page
from battles.searches.services import best_answer_ask, best_answer_work
from battles.services.setups import ready_setup
from battles.tasks import forecast_best_answer, forecast_run
from rosters.services import RefusedError
from systems import BATTLES, battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.odds import tally
from tests.battles.builders import duel, player
from tests.example_shares import in_every_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    """Keep jobs in their rows until a test runs them."""
    for task in (forecast_run, forecast_best_answer):
        monkeypatch.setattr(task, "delay", lambda *message: None)


def ask_best_answer(setup: Any = None, *, side: int = 1, **given: Any) -> BestAnswer:
    forecast, _ = forecast_ask(setup=setup or duel("demon", "saber"), runs=100, visitor="v")
    return best_answer_ask(forecast=forecast, side=side, visitor="v", **given)[0]


def play_out(answer: BestAnswer) -> BestAnswer:
    while not answer.is_over:
        forecast_best_answer(answer.pk, str(answer.lease) if answer.lease else None)
        answer.refresh_from_db()
    assert answer.status == "done", answer.failure
    return answer


@pytest.mark.parametrize("system", in_every_run(("meks-and-mercs", "blazing-steel"), BATTLES))
def test_candidate_forces_are_legal_and_use_their_points(system):
    rules = battle_rules(system)
    scenario = next(slug for slug in rules.scenarios if slug != "zone-battle")
    setup = read_setup(ready_setup(system=system, scenario=scenario))
    points = points_of_side(setup, 0)
    found = candidate_forces(setup, 0, points, seed=1)
    assert 0 < len(found) <= MAX_RIVALS
    assert len(set(found)) == len(found)
    for force in found[:20]:
        there = with_force(setup, 0, force)
        assert points_of_side(there, 0) <= points
        assert not any(tuple(sorted((*force, slug))) in found for slug in set(sum(found, ())))
    assert candidate_forces(setup, 0, points, seed=1) == found


def test_best_single_unit_matches_full_simulation():
    answer = play_out(ask_best_answer(points=12, battles=60_000))
    before = read_setup(answer.forecast.setup)
    full_count = {}
    for at, force in enumerate([None, *(tuple(force) for force in answer.forces)]):
        battle = tally(with_force(before, 1, force), 77, 0, 20_000).battle
        full_count[at] = (battle["defender_wins"] + battle["draws"] / 2) / 20_000
    best = best_answer_page(answer).lines[0]
    candidate = best_answer_climb(answer).order()[0].candidate
    assert full_count[candidate] >= max(full_count.values()) - 0.02
    assert abs(best.placed.mean - full_count[candidate]) < 0.03
    assert best.placed.rung == max(line.placed.rung for line in best_answer_page(answer).lines)


@pytest.mark.parametrize("against", ["enemy", pytest.param("field", marks=pytest.mark.slow)])
def test_best_pair_matches_full_simulation(against):
    answer = play_out(ask_best_answer(points=24, against=against, battles=20_000))
    assert sorted(map(len, answer.forces)) == [1, 1, 2, 2, 2, 2, 2, 2]  # of 9 to 15 points, or one of 24
    before = read_setup(answer.forecast.setup)
    met = [with_opponent(before, 1, foe) for foe in answer.foes] or [before]
    assert len(met) == (1 if against == "enemy" else len(answer.foes))

    def tally_candidate(candidate: int, battles: int) -> tuple[int, int, int]:
        force = tuple(answer.forces[candidate - 1]) if candidate else None
        found = [tally(with_force(each, 1, force), 0, 0, battles // len(met)).battle for each in met]
        of = ("defender_wins", "attacker_wins", "draws")
        return tuple(sum(each[name] for each in found) for name in of)  # type: ignore[return-value]

    order = best_answer_climb(answer).order()
    for placed in order:  # each line shows the results of these battles
        assert tally_candidate(placed.candidate, placed.battles) == (placed.won, placed.lost, placed.drawn)
    worth = {}
    for candidate in range(len(answer.forces) + 1):  # and with as many battles as the best has, no other does better
        won, _, drawn = tally_candidate(candidate, order[0].battles)
        worth[candidate] = 2 * won + drawn
    assert order[0].candidate == max(worth, key=lambda each: worth[each])


@pytest.mark.parametrize("against", ["enemy", "field"])
def test_seed_gives_one_answer_however_jobs_are_split(monkeypatch, against):
    given: dict[str, Any] = {"points": 12, "against": against, "battles": 4_000}
    whole = play_out(ask_best_answer(**given))
    counts = whole.counts
    whole.delete()
    monkeypatch.setattr(chunks, "FIRST_CHUNK", 1)
    monkeypatch.setattr(chunks, "CHUNK_SECONDS", 0.000001)
    again = play_out(ask_best_answer(**given))
    assert again.counts == counts
    assert ask_best_answer(**given) == again  # and isn't simulated twice
    assert again.runs_done == again.runs_asked


def test_field_and_opponent_are_different_questions():
    one, other = ask_best_answer(points=12), ask_best_answer(points=12, against="field")
    assert one != other
    assert (one.foes, bool(other.foes)) == ([], True)
    assert other.title == "Best of 12 points for Blue against the published forces"
    assert other.battles % len(other.foes) == 0  # each of them gets as many battles of a block


@pytest.mark.parametrize("system", in_every_run(("meks-and-mercs", "blazing-steel"), BATTLES))
def test_side_meets_every_legal_published_force_unchanged(system):
    scenario = next(slug for slug in battle_rules(system).scenarios if slug != "zone-battle")
    setup = read_setup(ready_setup(system=system, scenario=scenario))
    for side in (0, 1):
        foes = published_opponents(setup, side)
        assert 0 < len(foes) <= len(published_forces(system))
        for foe in foes:
            there = with_opponent(setup, side, foe)
            assert there.sides[side] == setup.sides[side]
            assert len(there.sides[1 - side].units) == len(foe["units"])
            assert there.sides[1 - side].doctrine == setup.sides[1 - side].doctrine


def test_rung_waits_for_the_rung_below():
    answer = ask_best_answer(points=30, battles=4_000)
    BestAnswer.objects.filter(pk=answer.pk).update(status="running")
    answer.refresh_from_db()
    work = best_answer_work(answer=answer)
    first = best_answer_climb(answer).open_blocks * answer.battles
    taken = chunks._take(answer, work, size=10**9)
    assert taken is not None
    assert (taken.first, taken.runs) == (0, first)
    assert chunks._take(answer, work, size=10**9) is None  # the next rung isn't known yet
    chunks._hand_in(answer, taken, work.count(0, first), 0.1, work, None)
    following = chunks._take(answer, work, size=10**9)
    assert following is not None
    assert following.first == first


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"side": 2}, "must be 0 or 1"),
        ({"points": 0}, "whole number from 1"),
        ({"points": 1}, "No legal force of published units"),
        ({"battles": 0}, "1 or more"),
        ({"against": "everybody"}, "enemy"),
    ],
)
def test_question_without_answer_is_refused(given, reason):
    with pytest.raises((RefusedError, DocumentError), match=reason):
        ask_best_answer(**given)


def test_page_shows_ranking_and_certainty(client, eager_jobs):
    forecast, _ = forecast_ask(setup=duel("demon", "saber"), runs=100, visitor="v")
    page = reverse("battles:best-answer-create", args=[forecast.key])
    assert page in client.get(reverse("battles:what-if-create", args=[forecast.key])).content.decode()
    assert client.post(page, {"side": "1", "points": "1"}).status_code == 422
    answer = client.post(page, {"side": "1", "points": "12"}, follow=True)
    html = answer.content.decode()
    row = BestAnswer.objects.get()
    assert answer.redirect_chain[-1][0] == reverse("battles:explore", args=[row.key])
    if row.status == "done":
        assert "sure that the first is really better" in html
        assert ">current<" in html or "The current force does best" in html
    assert "Best of 12 points for Blue" in client.get(page).content.decode()


def test_page_draws_each_force_unit_by_unit(client):
    answer = play_out(ask_best_answer(points=24, battles=400))
    page = best_answer_page(answer)
    assert [len(line.specs) for line in page.lines] == [len(line.designs) or 1 for line in page.lines]
    html = client.get(reverse("battles:explore", args=[answer.key])).content.decode()
    assert html.count('<svg class="body body--chit"') == sum(len(line.specs) for line in page.lines)
    assert page.best is not None
    best, _, ask = html.partition('aria-labelledby="ask"')
    assert best.count('<svg class="body body--row"') == len(page.best.specs)
    assert ask.count('<svg class="body body--row"') == 2  # a Mek on each side


def test_api_gives_the_same_answer_as_the_page(client):
    kim = player()
    forecast, _ = forecast_ask(setup=duel("demon", "saber"), runs=100, actor=kim)
    client.force_login(kim)
    answer = client.post(
        reverse("api-best-answers", args=[forecast.key]),
        {"side": 1, "points": 12, "battles": 2_000},
        content_type="application/json",
    )
    assert answer.status_code == 201, answer.content
    row = play_out(BestAnswer.objects.get())
    data = client.get(reverse("api-best-answer", args=[row.key])).json()
    page = best_answer_page(row)
    assert data["status"] == "done"
    assert [each["force"] for each in data["forces"]] == [line.force for line in page.lines]
    assert data["battles_done"] == sum(each["battles"] for each in data["forces"]) == row.runs_asked
    refused = client.post(
        reverse("api-best-answers", args=[forecast.key]), {"side": 3}, content_type="application/json"
    )
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == "side"


def test_page_and_api_ask_against_published_forces(client):
    kim = player()
    forecast, _ = forecast_ask(setup=duel("demon", "saber"), runs=100, actor=kim)
    client.force_login(kim)
    page = reverse("battles:best-answer-create", args=[forecast.key])
    given = {"side": "1", "points": "12", "against": "field"}
    row = BestAnswer.objects.get(key=client.post(page, given)["Location"].rstrip("/").rpartition("/")[2])
    row = play_out(row)
    names = [foe["name"] for foe in row.foes]
    html = client.get(reverse("battles:explore", args=[row.key])).content.decode()
    assert "Against published forces" in html
    assert names[0] in html
    data = client.get(reverse("api-best-answer", args=[row.key])).json()
    assert (data["against"], data["foes"]) == ("field", names)
    asked_again = {"side": 1, "points": 12, "against": "field"}
    url = reverse("api-best-answers", args=[forecast.key])
    same = client.post(url, asked_again, content_type="application/json")
    assert (same.status_code, same.json()["key"]) == (200, str(row.key))
    again = client.post(reverse("battles:best-answer-repeat", args=[row.key]))
    assert again["Location"].rstrip("/").endswith(str(row.key))
    refused = client.post(url, asked_again | {"against": "all"}, content_type="application/json")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == "against"
    wrong = client.post(page, given | {"against": "all"})
    assert wrong.status_code == 422


def test_force_has_room_for_a_unit_that_sorts_before_its_own():
    legal = {("draken",), ("draken", "wasp"), ("wasp",)}
    cost = {"draken": 20, "wasp": 10}
    assert _grows(("wasp",), legal, cost)
    assert not _grows(("draken", "wasp"), legal, cost)


def test_candidates_below_the_points_leave_no_room_for_a_unit(monkeypatch):
    monkeypatch.setattr(forces, "_affordable", lambda *_: [("draken",), ("draken", "wasp"), ("wasp",)])
    for check in ("_is_legal", "_fits"):
        monkeypatch.setattr(forces, check, lambda *_: True)
    assert candidate_forces(read_setup(duel("demon", "saber")), 0, 1000, seed=1) == (("draken", "wasp"),)
