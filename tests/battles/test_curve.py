"""Win chance over time: the odds from roll to roll, on the page and in the API."""

import re
from typing import Any

import pytest
from django.urls import reverse

from battles.models import Battle, Curve
from battles.odds import curves
from battles.odds.curves import CurveView, curve_ask, places_of, stage_curve
from battles.selectors.records import replayed
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve, forecast_curve
from rosters.jobs import JobStatus
from rosters.services import RefusedError
from systems import battle_rules
from systems.engine.events import Event
from systems.reading import read_setup
from systems.simulation.analysis import course_of
from systems.simulation.odds import tally
from tests.battles.builders import duel, player, result_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep jobs in their rows until a test runs them."""
    for task in (battle_resolve, forecast_curve):
        monkeypatch.setattr(task, "delay", lambda *message: None)


def finished_battle(seed: int = 1, **arguments: Any) -> Battle:
    battle = battle_queue(setup=duel(), seed=seed, visitor="v", **arguments)
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    return battle


def calculated_curve(battle: Battle) -> Curve:
    row, _ = curve_ask(battle=battle, visitor="v")
    forecast_curve(row.pk)
    row.refresh_from_db()
    while row.status == JobStatus.RUNNING:
        forecast_curve(row.pk, str(row.lease))
        row.refresh_from_db()
    return row


def view_of(row: Curve) -> CurveView:
    replay = replayed(row.battle)
    assert replay is not None
    return CurveView(row, replay)


def test_curve_begins_with_odds_and_ends_with_result():
    battle = finished_battle()
    row = calculated_curve(battle)
    assert row.status == JobStatus.DONE
    points = view_of(row).points
    assert [point.events for point in points] == row.places
    odds = tally(read_setup(battle.setup), 0, 0, row.battles).battle
    assert (points[0].a.count, points[0].d.count) == (odds["attacker_wins"], odds["defender_wins"])
    winner = result_of(battle)["winner"]
    ended = (points[-1].a.count, points[-1].d.count)
    assert ended == {"Red": (row.battles, 0), "Blue": (0, row.battles)}.get(winner, (0, 0))


def test_each_point_is_the_forecast_of_its_position():
    row = calculated_curve(finished_battle(seed=4))
    taken_up = course_of(read_setup(row.battle.setup), 4)
    for place, point in zip(row.places, view_of(row).points, strict=True):
        there = taken_up.tally(place, 0, 0, row.battles).battle
        assert (point.a.count, point.d.count) == (there["attacker_wins"], there["defender_wins"])


def test_turning_points_are_sorted_by_change():
    row = next(row for seed in range(20) if len(view_of(row := calculated_curve(finished_battle(seed)))
                                                .moments) > 1)  # fmt: skip
    moments = view_of(row).moments
    gains = [abs(moment.gain) for moment in moments]
    assert gains == sorted(gains, reverse=True)
    assert min(gains) >= 0.1
    assert all(line.faces for moment in moments for line in moment.lines)


def test_long_battles_are_sampled_but_keep_round_starts(monkeypatch):
    def event(kind: str, *faces: int) -> Event:
        return Event(kind=kind, round=1, step="", rule="", faces=faces)

    rounds = [event("round-began"), *[event("shot", 1), event("told")] * 3]
    assert places_of(tuple(rounds * 2), "round-began") == [0, 2, 4, 6, 9, 11, 13, 14]
    monkeypatch.setattr(curves, "MAX_PLACES", 5)
    assert places_of(tuple(rounds * 2), "round-began") == [0, 2, 6, 9, 14]
    monkeypatch.setattr(curves, "MAX_PLACES", 3)
    rounds = [event("round-began"), event("shot", 1), event("told"), event("shot", 1)]  # a roll just before the next
    assert places_of(tuple(rounds * 2), "round-began") == [0, 4, 8]


def test_page_asks_for_curve_and_shows_turning_points(client):
    battle = finished_battle()
    page = reverse("battles:battle", args=[battle.key])
    assert ">Calculate</button>" in client.get(page).content.decode()
    assert client.post(reverse("battles:curve", args=[battle.key])).headers["Location"] == f"{page}#win-chance"
    row = Curve.objects.get(battle=battle)
    assert reverse("battles:curve-progress", args=[battle.key]) in client.get(page).content.decode()
    forecast_curve(row.pk)
    html = client.get(page).content.decode()
    assert 'class="chart chart--course"' in html
    moments = view_of(calculated_curve(battle)).moments
    assert len(re.findall(r'class="chart__moment"', html)) == len(moments)
    steps = [f"{page}?step={moment.step}#map" for moment in moments]
    assert all(f'href="{step}"' in html for step in steps)
    assert "The end" in html


def test_curve_requested_twice_is_simulated_once():
    battle = finished_battle()
    first, is_new = curve_ask(battle=battle, visitor="v")
    again, is_new_again = curve_ask(battle=battle, actor=player())
    assert (first.pk, is_new, is_new_again) == (again.pk, True, False)


def test_queued_battle_and_older_rules_have_no_curve(client):
    waiting = battle_queue(setup=duel(), seed=1, visitor="v")
    with pytest.raises(RefusedError, match="Only simulated battles"):
        curve_ask(battle=waiting, visitor="v")
    battle = finished_battle()
    Battle.objects.filter(pk=battle.pk).update(rules_version=battle_rules("meks-and-mercs").rules_version - 1)
    battle.refresh_from_db()
    with pytest.raises(RefusedError, match="earlier rules"):
        curve_ask(battle=battle, visitor="v")
    url = reverse("battles:curve", args=[battle.key])
    assert "earlier rules" in client.post(url, follow=True).content.decode()
    assert ">Calculate</button>" not in client.get(url, follow=True).content.decode()


def test_api_returns_the_curve(client):
    kim = player()
    client.force_login(kim)
    battle = finished_battle()
    url = f"/api/v1/battles/{battle.key}/curve/"
    assert client.get(url).status_code == 404
    assert client.post(url).status_code == 201
    row = calculated_curve(battle)
    answer = client.get(url).json()
    assert (answer["status"], answer["places_asked"]) == ("done", len(row.places))
    assert [place["events"] for place in answer["places"]] == row.places
    assert answer["places"][0]["a"]["share"] == view_of(row).points[0].a.share
    assert [moment["events"] for moment in answer["moments"]] == [
        [line.number for line in moment.lines] for moment in view_of(row).moments
    ]
    assert client.post(url).status_code == 200


def on_stage(client, battle: Battle, **query: int) -> str:
    """Return the part under the scrubber of the battle's page."""
    html = client.get(reverse("battles:battle", args=[battle.key], query=query)).content.decode()
    return html.partition('id="stage-curve"')[2].partition('class="map__keys"')[0]


UNDER_THE_SCRUBBER = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "stage-curve"}


def test_stage_loads_its_curve_in_place(client):
    battle = finished_battle()
    page = reverse("battles:curve", args=[battle.key])
    asking = on_stage(client, battle)
    assert f'hx-post="{page}"' in asking
    assert f'href="{page}"' in asking  # without scripts this leads to the section with the button
    counting = client.post(page, **UNDER_THE_SCRUBBER).content.decode()
    progress = reverse("battles:curve-progress", args=[battle.key])
    assert f'hx-get="{progress}"' in counting
    assert "<html" not in counting
    assert 'hx-swap-oob="true"' in counting  # the section below counts too
    calculated_curve(battle)
    over = client.get(progress, **UNDER_THE_SCRUBBER).content.decode()
    assert "hx-" not in over
    assert "course__chart" in over
    assert on_stage(client, battle).removesuffix("<div ").strip() in over


def test_stage_curve_links_to_its_steps(client):
    battle = next(
        battle for seed in range(20) if len(view_of(calculated_curve(battle := finished_battle(seed))).moments) > 1
    )
    stage = stage_curve(battle)
    assert stage
    steps = stage.board.steps_of_lines
    view = view_of(calculated_curve(battle))
    assert [moment.step for moment in stage.turned] == [steps[moment.lines[-1].number] for moment in view.moments]
    last = [number for number in steps if steps[number] <= 5]
    places = [point for point in view.points if point.events <= max(last)]
    assert stage.steps[max(step for step in stage.steps if step <= 5)] == places[-1]
    html = on_stage(client, battle)
    for moment in stage.turned:
        assert f'href="?step={moment.step}#map" data-to-step="{moment.step}"' in html
        assert f'<svg x="{moment.at}"' in html
    xs = [float(x) for x in re.findall(r"H([\d.]+)V", stage.areas[0])]
    assert xs == sorted(xs)
    assert xs[-1] == 1000


def test_stage_hides_impossible_curve_and_shows_refusal(client, monkeypatch):
    battle = finished_battle()

    def refuse(**asked: object) -> None:
        raise RefusedError("battles", "Too many at once: wait a moment.")

    monkeypatch.setattr("battles.views.battle.curve_ask", refuse)
    answer = client.post(reverse("battles:curve", args=[battle.key]), **UNDER_THE_SCRUBBER)
    assert (answer.status_code, "Too many at once" in answer.content.decode()) == (200, True)
    embedded = client.get(reverse("battles:embed", args=[battle.key])).content.decode()
    assert "stage-curve" not in embedded
    Battle.objects.filter(pk=battle.pk).update(rules_version=battle_rules("meks-and-mercs").rules_version - 1)
    assert on_stage(client, battle) == ""


def test_embedded_frame_shows_curve_but_cannot_ask(client):
    battle = finished_battle()
    calculated_curve(battle)
    embedded = client.get(reverse("battles:embed", args=[battle.key])).content.decode()
    assert "course__chart" in embedded
    assert "hx-post" not in embedded


def test_cancelled_curve_continues_from_the_stage(client):
    battle = finished_battle()
    row, _ = curve_ask(battle=battle, visitor="v")
    Curve.objects.filter(pk=row.pk).update(status=JobStatus.CALLED_OFF)
    assert ">Continue<" in on_stage(client, battle)
    client.post(reverse("battles:curve", args=[battle.key]), **UNDER_THE_SCRUBBER)
    row.refresh_from_db()
    assert row.status == JobStatus.QUEUED
