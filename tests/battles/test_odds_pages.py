"""Margins, repair costs, early stop, what-if and the matchup matrix, through pages and forms."""

import html as html_text
import json
import re
import uuid
from typing import Any

import pytest
from django.urls import reverse

from battles.models import Battle, Forecast, Matrix, WhatIf
from battles.odds import chunks, matrices, services
from battles.odds.chunks import simulate_chunks
from battles.odds.matrices import cell_setup, designs_of, matrix_ask, matrix_work
from battles.odds.selectors import what_if_row
from battles.odds.services import forecast_ask, forecast_work, what_if_ask, what_if_work
from battles.services import limits
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve, forecast_matrix, forecast_run, forecast_what_if
from battles.templatetags.battles import change, change_from, points_of
from rosters.jobs import JobStatus
from rosters.services import RefusedError
from rosters.templatetags.components import percent
from systems import BATTLES
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.analysis import dice_luck
from systems.simulation.odds import compare, differences, tally
from systems.simulation.records import read_record
from systems.simulation.summary import odds
from tests.battles.builders import count_out, duel, player, result_of
from tests.builders import SYSTEM
from tests.systems.mech_campaign.battle.tables import document

pytestmark = pytest.mark.django_db
LEVEL = {"what": "level", "of": "a1", "to": "elite"}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    """Keep jobs in their rows until a test runs them."""
    for task in (battle_resolve, forecast_run, forecast_what_if, forecast_matrix):
        monkeypatch.setattr(task, "delay", lambda *message: None)


def calculated_forecast(runs: int = 2_000, **kwargs: Any) -> Forecast:
    arguments: dict[str, Any] = {"setup": duel("demon", "saber"), "runs": runs, "visitor": "v"}
    forecast = count_out(forecast_ask(**(arguments | kwargs))[0])
    return forecast


def compare_change(forecast: Forecast, runs: int = 2_000, **change: Any) -> WhatIf:
    row = what_if_ask(forecast=forecast, change=change or LEVEL, runs=runs, visitor="v")[0]
    forecast_what_if(row.pk)
    row.refresh_from_db()
    return row


def page(client, name: str, row: Any) -> str:
    answer = client.get(reverse(f"battles:{name}", args=[row.key]))
    assert answer.status_code == 200
    return answer.content.decode()


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


# --- the forecast's page ---


@pytest.mark.parametrize("system", ["meks-and-mercs", "mech-campaign"])
def test_odds_page_uses_its_games_words(client, system):
    setups = {"meks-and-mercs": duel("demon", "saber"), "mech-campaign": document("picket", "rock-rats")}
    words_of_games = {
        "meks-and-mercs": ("not destroyed", "Average kills"),
        "mech-campaign": ("not eliminated", "Average units eliminated"),
    }
    text = words(page(client, "forecast", calculated_forecast(100, setup=setups[system])))
    for each, game_words in words_of_games.items():
        assert [word in text for word in game_words] == [each == system] * 2


def test_odds_page_shows_repair_costs_and_margins(client):
    forecast = calculated_forecast()
    html = page(client, "forecast", forecast)
    found = odds(tally(read_setup(forecast.setup), 0, 0, 2_000), read_setup(forecast.setup))
    assert found.margins is not None
    assert '<svg class="chart"' in html
    bars = re.findall(r'class="chart__bar[^"]*"', html)
    assert len(bars) == sum(part.share.count > 0 for part in found.margins.bins) >= 3
    text = words(html)
    for part in found.margins.bins:
        assert part.share.count == 0 or f" {part.share.count:,} " in text
    for side in found.sides:
        assert side.repair is not None
        assert f"{side.repair.value:.2f} {side.repair.low:.2f} to {side.repair.high:.2f}" in text
    assert "MM-S09" in text


def test_old_odds_without_margins_are_shown(client):
    forecast = calculated_forecast()
    counts = forecast.counts
    del counts["margins"]
    counts["battle"] = {name: value for name, value in counts["battle"].items() if "repair" not in name}
    for unit in counts["units"].values():
        del unit["repair"]
    Forecast.objects.update(counts=counts)
    html = page(client, "forecast", forecast)
    assert "Win chances" in html
    assert "Margin of victory" not in html
    assert "repair cost" not in html


def test_unfinished_forecast_of_older_format_starts_over():
    forecast = calculated_forecast(500)
    before = forecast.counts
    former = {"battle": before["battle"], "units": before["units"]}
    Forecast.objects.update(counts=former, status=JobStatus.QUEUED, runs_done=250)
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert (forecast.status, forecast.runs_done, forecast.counts) == (JobStatus.DONE, 500, before)


# --- early stop ---


def test_simulation_stops_when_intervals_are_narrow(client):
    forecast = calculated_forecast(50_000, half_width=0.01)
    setup = read_setup(forecast.setup)
    assert forecast.status == JobStatus.DONE
    assert forecast.runs_done < 50_000
    assert forecast.runs_done % services.INTERVAL_CHECK_STEP == 0
    assert odds(tally(setup, 0, 0, forecast.runs_done), setup).half_width <= 0.01
    assert odds(tally(setup, 0, 0, forecast.runs_done - services.INTERVAL_CHECK_STEP), setup).half_width > 0.01
    assert f"Stopped after {forecast.runs_done:,} battles" in page(client, "forecast", forecast)


@pytest.mark.parametrize(("first", "largest", "seconds"), [(7, 900, 3), (3_000, 3_000, 0), (50_000, 50_000, 3)])
def test_stop_does_not_depend_on_chunk_sizes(monkeypatch, first, largest, seconds):
    monkeypatch.setattr(chunks, "FIRST_CHUNK", first)
    monkeypatch.setattr(chunks, "LARGEST_CHUNK", largest)
    forecast = forecast_ask(setup=duel("demon", "saber"), runs=50_000, half_width=0.012, visitor="v")[0]
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    while simulate_chunks(job=claimed, work=forecast_work(forecast=claimed), seconds=seconds):
        pass
    forecast.refresh_from_db()
    setup = read_setup(forecast.setup)
    stop = next(n for n in range(2_000, 50_000, 2_000) if odds(tally(setup, 0, 0, n), setup).half_width <= 0.012)
    assert (forecast.status, forecast.runs_done) == (JobStatus.DONE, stop)
    assert forecast.counts == tally(setup, 0, 0, stop).to_json()


def test_earlier_results_do_not_move_the_stop():
    calculated_forecast(20_000)
    forecast = calculated_forecast(50_000, half_width=0.02)
    assert forecast.runs_done < 20_000


def test_goal_out_of_reach_is_shown(client):
    assert "the widest interval is still" in page(client, "forecast", calculated_forecast(2_000, half_width=0.001))


@pytest.mark.parametrize("half_width", [0.0, -0.1, 0.5, 0.0001])
def test_bad_half_width_is_refused(half_width):
    with pytest.raises(DocumentError, match="half_width"):
        calculated_forecast(half_width=half_width)


def test_pages_ask_for_narrow_intervals(client):
    forecast = calculated_forecast(100)
    client.post(reverse("battles:forecast-simulate", args=[forecast.key]), {"battles": "~0.5"})
    assert Forecast.objects.get(half_width=0.005).runs_asked == 50_000
    for wrong in ("~0.1", "~7", "~"):  # 0.1 needs an account
        assert (
            client.post(reverse("battles:forecast-simulate", args=[forecast.key]), {"battles": wrong}).status_code
            == 302
        )
    assert Forecast.objects.count() == 2


# --- what if ---


def test_what_if_page_shows_difference_of_a_change(client):
    forecast = calculated_forecast()
    html = page(client, "what-if-create", forecast)
    assert 'value="level|a1|elite"' in html
    answer = client.post(
        reverse("battles:what-if-create", args=[forecast.key]), {"change": "level|a1|elite", "battles": "3000"}
    )
    row = WhatIf.objects.get()
    assert answer.headers["Location"] == reverse("battles:explore", args=[row.key])
    assert "Waiting to start" in page(client, "explore", row)
    forecast_what_if(row.pk)
    text = words(page(client, "explore", row))
    before = read_setup(forecast.setup)
    comparison = compare(before, read_setup(row.setup), 0, 0, 3_000)
    (a, _, _) = differences(comparison)
    assert a.is_clear  # an Elite pilot is better than a Regular
    (_, _, was, now, _), *_ = what_if_row(WhatIf.objects.get()).chances
    assert f"Red wins {points_of(change_from(now.share, was.share))} points more often" in text
    assert f" {a.gained:,} {a.lost:,} " in text
    assert html_text.escape(row.title, quote=True) in page(client, "what-if-create", forecast)
    assert "hx-trigger" not in page(client, "what-if-progress", row)


def test_comparison_uses_the_same_dice():
    setup = read_setup(duel("demon", "saber"))
    same = compare(setup, setup, 3, 0, 500)
    assert sum(same.table[k][k] for k in range(3)) == 500
    a, b, draw = differences(same)
    assert (a.change, b.change, draw.change) == (0, 0, 0)
    assert not a.is_clear


def test_comparison_does_not_depend_on_chunks():
    before, after = read_setup(duel("demon", "saber")), read_setup(duel("demon", "wasp"))
    whole = compare(before, after, 5, 0, 900)
    assert compare(before, after, 5, 0, 1) + compare(before, after, 5, 1, 899) == whole
    assert compare(before, after, 5, 0, 60, compiled=False) == compare(before, after, 5, 0, 60)
    assert sum(map(sum, whole.table)) == whole.battles == 900
    assert sum(whole.table[0]) == whole.before.battle["attacker_wins"]
    assert sum(row[1] for row in whole.table) == whole.after.battle["defender_wins"]


def test_long_comparison_yields_and_resumes(monkeypatch):
    monkeypatch.setattr(chunks, "FIRST_CHUNK", 200)
    monkeypatch.setattr(forecast_what_if, "delay", lambda *message: None)
    forecast = calculated_forecast(100)
    row = what_if_ask(forecast=forecast, change=LEVEL, runs=500, visitor="v")[0]
    claimed = WhatIf.claim(row.pk)
    assert claimed is not None
    assert simulate_chunks(job=claimed, work=what_if_work(what_if=claimed), seconds=0) is True
    row.refresh_from_db()
    assert (row.status, row.runs_done) == (JobStatus.RUNNING, 200)
    forecast_what_if(row.pk, str(claimed.lease))
    row.refresh_from_db()
    whole = compare(read_setup(forecast.setup), read_setup(row.setup), 0, 0, 500)
    assert (row.status, row.counts) == (JobStatus.DONE, whole.to_json())
    ended = row.ended_at
    forecast_what_if(row.pk)  # the message is delivered twice
    row.refresh_from_db()
    assert row.ended_at == ended


def test_same_change_is_simulated_once():
    forecast = calculated_forecast(100)
    assert compare_change(forecast, 200).pk == compare_change(forecast, 200).pk
    assert compare_change(forecast, 201).pk != compare_change(forecast, 200).pk


@pytest.mark.parametrize(
    ("change", "title", "found"),
    [
        ({"what": "terrain", "to": "wood"}, "Wood instead of Plain", lambda s: s["terrain"] == "wood"),
        (
            {"what": "doctrine", "of": "Red", "to": "cautious"},
            "Red fights cautious",
            lambda s: s["sides"][0]["doctrine"] == "cautious",
        ),
        ({"what": "design", "of": "b1", "to": "odin"}, "ODIN instead of", lambda s: s["sides"][1]["units"][0]["design"] == "odin"),
        (
            {"what": "skill", "of": "a1", "to": "accuracy"},
            "pilot has Accuracy",
            lambda s: s["sides"][0]["units"][0]["pilot"]["skills"] == ["accuracy"],
        ),
    ],
)  # fmt: skip
def test_terrain_style_design_and_skill_can_change(change, title, found):
    row = compare_change(calculated_forecast(100), 50, **change)
    assert (row.status, title in row.title) == (JobStatus.DONE, True)
    assert found(row.setup)


@pytest.mark.parametrize(
    "change",
    [
        {"what": "terrain", "to": "plain"},
        {"what": "terrain", "to": "swamp"},
        {"what": "terrain", "to": {}},
        {"what": "doctrine", "of": "Green", "to": "cautious"},
        {"what": "level", "of": "a9", "to": "elite"},
        {"what": "level", "of": "a1", "to": "regular"},
        {"what": "level", "of": "a1", "to": "godlike"},
        {"what": "skill", "of": "a1", "to": "flying"},
        {"what": "no-skill", "of": "a1", "to": "accuracy"},
        {"what": "design", "of": "a1", "to": "nothing"},
        {"what": "design", "of": "a1", "to": {"chassis": "light", "weapons": ["howitzer-cannon"] * 9, "systems": []}},
        {"what": "colour", "to": "red"},
        {"what": "terrain", "to": "wood", "more": 1},
    ],
)
def test_empty_or_bad_change_is_refused_with_reason(client, change):
    forecast = calculated_forecast(100)
    with pytest.raises(DocumentError) as refused:
        what_if_ask(forecast=forecast, change=change, runs=100, visitor="v")
    assert refused.value.reason
    text = "|".join(str(change.get(part, "")) for part in ("what", "of", "to"))
    if "more" not in change:
        answer = client.post(reverse("battles:what-if-create", args=[forecast.key]), {"change": text, "battles": "100"})
        assert answer.status_code == 422
    assert not WhatIf.objects.exists()


def test_comparisons_count_towards_the_visitors_limit(monkeypatch):
    forecast = calculated_forecast(100)
    monkeypatch.setattr(limits, "FORECASTS_AN_HOUR_VISITOR", 2)
    compare_change(forecast, 100)
    with pytest.raises(RefusedError, match="an hour"):
        compare_change(forecast, 101)
    with pytest.raises(RefusedError, match="100,000"):
        compare_change(forecast, 100_001)


# --- the matrix ---


def ask_matrix(**kwargs: Any) -> Matrix:
    arguments: dict[str, Any] = {
        "system": "meks-and-mercs",
        "terrain": "plain",
        "doctrines": ("aggressive", "cautious"),
    }
    return matrix_ask(**(arguments | {"battles": 40, "visitor": "v"} | kwargs))[0]


def test_matrix_holds_every_pair_of_published_designs(client, monkeypatch):
    monkeypatch.setattr("battles.odds.matrix_views.matrix_ask", lambda **arguments: matrix_ask(**arguments, battles=40))
    form = {"terrain": "wood", "a": "cautious", "b": "aggressive"}
    answer = client.post(reverse("battles:matrices"), form)
    matrix = Matrix.objects.get()
    assert answer.headers["Location"] == reverse("battles:matrix", args=[matrix.key])
    assert "Waiting to start" in page(client, "matrix", matrix)
    forecast_matrix(matrix.pk)
    matrix.refresh_from_db()
    designs = designs_of("meks-and-mercs")
    assert (matrix.status, matrix.runs_done, len(designs)) == (JobStatus.DONE, 81 * 40, 9)
    for at in (0, 5, 40, 80):
        setup = cell_setup("meks-and-mercs", "wood", ("cautious", "aggressive"), designs[at // 9], designs[at % 9])
        battle = tally(read_setup(setup), 0, 0, 40).battle
        assert matrix.counts["cells"][at] == [battle["attacker_wins"], battle["defender_wins"], battle["draws"]]
    html = page(client, "matrix", matrix)
    assert len(re.findall(r'<td class="match match--(?!empty)', html)) == 81
    assert html.count('<svg class="body body--chit"') == 9
    assert "hx-trigger" not in page(client, "matrix-progress", matrix)
    assert matrix.title in client.get(reverse("battles:matrices")).content.decode()
    client.post(reverse("battles:matrices"), form)
    assert Matrix.objects.count() == 1


def test_matrix_is_simulated_in_slices_and_shown_meanwhile(client, monkeypatch):
    monkeypatch.setattr(chunks, "FIRST_CHUNK", 40)
    monkeypatch.setattr(chunks, "LARGEST_CHUNK", 40)
    matrix = ask_matrix()
    claimed = Matrix.claim(matrix.pk)
    assert claimed is not None
    for done in (1, 2, 3):
        assert simulate_chunks(job=claimed, work=matrix_work(matrix=claimed), seconds=0) is True
        matrix.refresh_from_db()
        assert (matrix.status, len(matrix.counts["cells"])) == (JobStatus.RUNNING, done)
    html = page(client, "matrix", matrix)
    assert len(re.findall(r'<td class="match match--(?!empty)', html)) == 3
    assert "120 / 3,240" in html


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"terrain": "swamp"}, "terrain"),
        ({"doctrines": ("aggressive", "wild")}, "doctrines[1]"),
        ({"battles": 0}, "battles"),
        ({"battles": 10**6}, "battles"),
        ({"seed": -1}, "seed"),
    ],
)
def test_empty_matrix_is_refused(changes, field):
    with pytest.raises(DocumentError) as refused:
        ask_matrix(**changes)
    assert refused.value.path == field


def test_page_shows_why_a_matrix_is_refused(client):
    answer = client.post(reverse("battles:matrices"), {"terrain": "swamp", "a": "aggressive", "b": "cautious"})
    assert answer.status_code == 422
    assert "swamp" in answer.content.decode()


# --- all of them ---


def test_changed_rules_stop_the_simulation(monkeypatch):
    what_if, matrix = compare_change(calculated_forecast(100), 100), ask_matrix()
    for row in (what_if, matrix):
        type(row).objects.update(status=JobStatus.QUEUED, rules_version=0)
    forecast_what_if(what_if.pk)
    forecast_matrix(matrix.pk)
    for row in (what_if, matrix):
        row.refresh_from_db()
        assert row.status == JobStatus.FAILED
        assert "rules have changed" in row.failure


def test_deleted_row_is_skipped():
    forecast_what_if(0)
    forecast_matrix(0)


def test_unknown_keys_return_404(client):
    for name in ("what-if-create", "what-if", "explore", "what-if-progress", "matrix", "matrix-progress"):
        assert client.get(reverse(f"battles:{name}", args=[uuid.uuid4()])).status_code == 404


@pytest.mark.slow
def test_odds_page_query_count_is_constant(client, django_assert_max_num_queries):
    client.force_login(player())
    forecast, matrix = calculated_forecast(100), ask_matrix(battles=5)
    forecast_matrix(matrix.pk)
    what_if = compare_change(forecast, 100)
    urls = [
        reverse("battles:forecast", args=[forecast.key]),
        reverse("battles:what-if-create", args=[forecast.key]),
        reverse("battles:explore", args=[what_if.key]),
        reverse("battles:matrices"),
        reverse("battles:matrix", args=[matrix.key]),
    ]
    counts: dict[str, set[int]] = {}
    for more in range(2):
        if more:
            compare_change(forecast, 100, what="terrain", to="wood")
            compare_change(forecast, 100, what="terrain", to="moors")
            forecast_matrix(ask_matrix(battles=5, terrain="wood").pk)
        for url in urls:
            with django_assert_max_num_queries(8) as queries:
                assert client.get(url).status_code == 200
            counts.setdefault(url, set()).add(len(queries.captured_queries))
    assert all(len(found) == 1 for found in counts.values()), counts


def test_matrix_stays_within_the_players_limit():
    assert len(designs_of("meks-and-mercs")) ** 2 * matrices.MAX_CELL_BATTLES <= limits.RUNS_PLAYER


# --- luck ---


def finished_battle(**kwargs: Any) -> Battle:
    arguments: dict[str, Any] = {"setup": duel("demon", "saber"), "seed": 5, "visitor": "v"}
    battle = battle_queue(**(arguments | kwargs))
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    return battle


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_battle_is_ranked_among_battles_of_its_setup(client, seed):
    battle = finished_battle(seed=seed)
    assert "Calculate the odds to see" in page(client, "battle", battle)
    forecast = calculated_forecast()
    text = words(page(client, "battle", battle))
    assert "Calculate the odds to see" not in text
    result = result_of(battle)
    left = [points * (not unit["lost"]) for points, unit in zip((15, 14), result["units"], strict=True)]
    margin, sign = left[0] - left[1], -1 if result["winner"] == "Blue" else 1
    worse = same = 0
    for other, found in tally(read_setup(forecast.setup), 0, 0, 2_000).margins.items():
        worse += found * (sign * other < sign * margin)
        same += found * (other == margin)
    who = "Blue" if sign < 0 else "Red"
    assert f"Worse for {who} {percent(worse / 2_000)} The same {percent(same / 2_000)}" in text
    html = page(client, "battle", battle)
    assert "chart__mark" in html
    assert "css/odds.css" in html.partition("</head>")[0]


def test_battle_page_counts_its_dice(client):
    battle = finished_battle()
    setup = read_setup(battle.setup)
    text = words(page(client, "battle", battle))
    rows = dice_luck(setup, read_record(battle.record.text).events)
    assert {row.side for row in rows} == {"Red", "Blue"}
    for row in rows:
        kind = "to hit" if row.what == "hit" else "saves"
        assert f"{row.side}, {kind} {row.dice} {row.successes} {row.expected:.1f} {row.verdict}" in text


def test_odds_of_other_rules_or_few_battles_rank_nothing(client):
    battle = finished_battle()
    calculated_forecast(999)
    assert "Calculate the odds to see" in page(client, "battle", battle)
    calculated_forecast(2_000)
    Forecast.objects.update(rules_version=0)
    assert "Calculate the odds to see" in page(client, "battle", battle)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [(0.40049, 0.52051, "+12.1"), (0.3996, 0.5201, "+12.0"), (0.478, 0.3876, "−9.0"), (0.5, 0.5, "0.0")],
)
def test_change_is_the_difference_of_the_shown_figures(before, after, expected):
    assert change(change_from(after, before)) == expected
    difference = float(percent(after).removesuffix("%")) - float(percent(before).removesuffix("%"))
    assert difference == pytest.approx(float(expected.replace("−", "-")))


# --- matrices that Muster ships ---


@pytest.mark.slow
def test_shipped_matrices_match_the_current_rules():
    data = json.loads(matrices.PUBLISHED_MATRICES.read_text(encoding="utf-8"))
    duels = [slug for slug, rules in BATTLES.items() if rules.duel]
    stale = [slug for slug in duels if data.get(slug, {}).get("question") != matrices.published_question(slug)[0]]
    assert not stale, "recalculate them: python -m tests.tools.published_odds"
    assert all(len(data[slug]["cells"]) == len(designs_of(slug)) ** 2 for slug in duels)
    assert all(sum(cell) <= matrices.CELL_BATTLES for slug in duels for cell in data[slug]["cells"])


@pytest.mark.slow
@pytest.mark.django_db
def test_new_site_has_the_shipped_matrices(client):
    assert matrices.matrices_publish() == [slug for slug, rules in BATTLES.items() if rules.duel]
    assert matrices.matrices_publish() == []
    html = client.get(reverse("battles:matrices")).content.decode()
    assert html.count("<tr>") == 10  # the heads and the nine published Meks
    assert ">Calculate</button>" in html
    asked, is_new = matrix_ask(system=SYSTEM, terrain="plain", doctrines=("aggressive", "aggressive"), visitor="v")
    assert (asked.status, is_new) == (JobStatus.DONE, False)


@pytest.mark.slow
@pytest.mark.django_db
def test_shipped_cell_matches_a_workers_result(compiled_rules):
    matrices.matrices_publish()
    matrix = Matrix.objects.get(system=SYSTEM)
    at = 11  # the second design against the third
    cells = matrix_work(matrix=matrix).count(at * matrix.battles, matrix.battles)
    assert cells == [matrix.counts["cells"][at]]
