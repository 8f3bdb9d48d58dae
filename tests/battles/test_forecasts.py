"""Odds in the database: requested once, simulated in chunks, the same for any chunk sizes."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from battles import tasks
from battles.models import Chunk, Forecast
from battles.odds import chunks as shares
from battles.odds import services
from battles.odds.chunks import next_chunk, simulate_chunks
from battles.odds.selectors import forecast_odds
from battles.odds.services import forecast_ask, forecast_cancel, forecast_work
from battles.services import limits
from battles.tasks import forecast_run, rules_compile
from config.celery import app
from rosters.jobs import JobStatus
from rosters.services import RefusedError
from systems.documents import DocumentError
from systems.engine import runner
from systems.reading import read_setup
from systems.simulation.odds import Tally, tally, warm
from tests.battles.builders import count_out, duel, player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("compiled_rules")]


@pytest.fixture(autouse=True)
def sent_messages(monkeypatch) -> list[tuple[Any, ...]]:
    """Return the messages sent to the broker."""
    messages: list[tuple[Any, ...]] = []
    monkeypatch.setattr(forecast_run, "delay", lambda *message: messages.append(message))
    return messages


def ask_odds(runs: int = 3_000, **kwargs: Any) -> Forecast:
    question: dict[str, Any] = {"setup": duel(), "runs": runs, "seed": 9, "visitor": "v"}
    return forecast_ask(**(question | kwargs))[0]


def counts_of(runs: int, seed: int = 9) -> dict:
    return tally(read_setup(duel()), seed, 0, runs).to_json()


def test_forecast_is_simulated_to_the_end():
    forecast = ask_odds()
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert (forecast.status, forecast.runs_done) == (JobStatus.DONE, 3_000)
    assert forecast.counts == counts_of(3_000)
    odds = forecast_odds(forecast)
    assert odds is not None
    assert sum(side.wins.count for side in odds.sides) + odds.draws.count + odds.unfinished == 3_000
    assert forecast.speed > 0


def test_same_question_is_simulated_once():
    first, is_new = forecast_ask(setup=duel(), runs=100, visitor="v")
    again, is_again_new = forecast_ask(setup=duel(), runs=100, actor=player())
    assert (is_new, is_again_new) == (True, False)
    assert first.pk == again.pk
    forecast_run(first.pk)
    ended = Forecast.objects.get().ended_at
    forecast_run(first.pk)
    assert Forecast.objects.get().ended_at == ended


@pytest.mark.parametrize("other", [{"runs": 101}, {"seed": 10}, {"setup": duel(terrain="wood")}])
def test_different_question_is_another_forecast(other: dict):
    assert ask_odds(100).pk != ask_odds(**({"runs": 100} | other)).pk


def test_results_do_not_depend_on_chunk_sizes(monkeypatch):
    monkeypatch.setattr(shares, "FIRST_CHUNK", 7)
    monkeypatch.setattr(shares, "LARGEST_CHUNK", 61)
    forecast = ask_odds(500)
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert forecast.counts == counts_of(500)


def test_long_forecast_yields_after_a_slice_and_resumes(sent_messages, monkeypatch):
    monkeypatch.setattr(shares, "FIRST_CHUNK", 100)
    monkeypatch.setattr(shares, "LARGEST_CHUNK", 100)
    forecast = ask_odds(300)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    for done in (100, 200):
        assert simulate_chunks(job=claimed, work=forecast_work(forecast=claimed), seconds=0) is True
        forecast.refresh_from_db()
        assert (forecast.status, forecast.runs_done) == (JobStatus.RUNNING, done)
    forecast_run(forecast.pk, str(claimed.lease))
    forecast.refresh_from_db()
    assert (forecast.status, forecast.counts) == (JobStatus.DONE, counts_of(300))


def test_long_forecast_yields_to_a_waiting_one(sent_messages, monkeypatch):
    monkeypatch.setattr(shares, "FIRST_CHUNK", 100)
    monkeypatch.setattr(shares, "LARGEST_CHUNK", 100)
    long, short = ask_odds(1_000), ask_odds(100, seed=10)
    forecast_run(long.pk)
    long.refresh_from_db()
    assert (long.status, long.runs_done) == (JobStatus.RUNNING, 100)
    assert sent_messages[-1] == (long.pk, str(long.lease))
    forecast_run(short.pk)
    forecast_run(*sent_messages[-1])
    long.refresh_from_db()
    assert long.counts == counts_of(1_000)


def test_first_worker_of_a_long_forecast_invites_others(sent_messages, monkeypatch):
    monkeypatch.setattr(shares, "FIRST_CHUNK", 10)
    monkeypatch.setattr(shares, "LARGEST_CHUNK", 10)
    forecast = ask_odds(1_000)
    ask_odds(10, seed=10)  # a waiting forecast makes slices short
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert sent_messages == [(forecast.pk, str(forecast.lease))] * shares.MAX_SHARING_WORKERS
    forecast_run(*sent_messages[0])
    assert len(sent_messages) == shares.MAX_SHARING_WORKERS + 1


def test_short_forecast_invites_no_workers(sent_messages):
    forecast_run(ask_odds(500).pk)
    assert sent_messages == []


def test_invitation_to_an_expired_claim_is_declined(sent_messages):
    forecast = ask_odds(100)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    Forecast.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert Forecast.claim(forecast.pk) is not None
    forecast_run(forecast.pk, str(claimed.lease))
    assert Forecast.objects.get().runs_done == 0


def test_chunks_add_up_in_order():
    forecast = ask_odds(300)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    work = forecast_work(forecast=claimed)
    first, second, third = (shares._take(claimed, work, 100) for _ in range(3))
    assert shares._take(claimed, work, 100) is None
    for chunk, done in ((third, 0), (first, 100), (second, 300)):
        assert chunk
        part = work.count(chunk.first, chunk.runs)
        shares._hand_in(claimed, chunk, part, 0.1, work, None)
        assert Forecast.objects.get().runs_done == done
    forecast.refresh_from_db()
    assert (forecast.status, forecast.counts) == (JobStatus.DONE, counts_of(300))
    assert not Chunk.objects.exists()


def test_chunk_of_a_killed_worker_is_added_once():
    forecast = ask_odds(200)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    work = forecast_work(forecast=claimed)
    lost = shares._take(claimed, work, 100)
    assert lost
    Chunk.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    again = shares._take(claimed, work, 100)
    assert again
    assert (again.first, again.pk, again.lease != lost.lease) == (0, lost.pk, True)
    part = work.count(0, 100)
    assert shares._hand_in(claimed, again, part, 0.1, work, None) == (None, True)
    assert shares._hand_in(claimed, lost, part, 0.1, work, None) == (None, True)  # it was still alive
    assert Forecast.objects.get().runs_done == 100
    forecast_run(forecast.pk, str(claimed.lease))
    assert Forecast.objects.get().counts == counts_of(200)


def test_chunk_that_kills_every_worker_fails_the_forecast():
    forecast = ask_odds(200)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    work = forecast_work(forecast=claimed)
    for _ in range(Forecast.MAX_TRIES):
        assert shares._take(claimed, work, 100)
        Chunk.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert shares._take(claimed, work, 100) is None
    forecast.refresh_from_db()
    assert (forecast.status, "the server stopped each time" in forecast.failure) == (JobStatus.FAILED, True)


def test_stop_does_not_depend_on_the_order_of_chunks():
    forecast = ask_odds(100_000, half_width=0.012)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    work = forecast_work(forecast=claimed)
    chunks = [shares._take(claimed, work, size) for size in (6_000, 1, 5_000, 4_000, 9_000)]
    for chunk in reversed(chunks):
        assert chunk
        shares._hand_in(claimed, chunk, work.count(chunk.first, chunk.runs), 0.1, work, None)
    forecast.refresh_from_db()
    alone = ask_odds(99_999, half_width=0.012)
    count_out(alone)
    assert forecast.status == alone.status == JobStatus.DONE
    assert (forecast.runs_done, forecast.counts) == (alone.runs_done, alone.counts)


def test_killed_forecast_resumes_from_its_row():
    forecast = ask_odds(400)
    Forecast.claim(forecast.pk)
    half = tally(read_setup(duel()), 9, 0, 250)
    Forecast.objects.update(runs_done=250, counts=half.to_json(), lease_until=timezone.now() - timedelta(seconds=1))
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert (forecast.status, forecast.counts) == (JobStatus.DONE, counts_of(400))


def test_cancelled_odds_stop_simulating():
    forecast = ask_odds(1_000)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    work = forecast_work(forecast=claimed)
    chunk = shares._take(claimed, work, 10)
    assert chunk
    forecast_cancel(forecast=forecast, actor=None, visitor="v")
    assert shares._hand_in(claimed, chunk, work.count(0, 10), 0.1, work, 10) == (None, False)
    assert simulate_chunks(job=claimed, work=work) is False
    forecast.refresh_from_db()
    assert (forecast.status, forecast.runs_done) == (JobStatus.CALLED_OFF, 0)


def test_cancelled_odds_resume_when_requested_again(sent_messages, django_capture_on_commit_callbacks):
    forecast = ask_odds(400)
    Forecast.objects.update(runs_done=250, counts=tally(read_setup(duel()), 9, 0, 250).to_json())
    assert forecast_cancel(forecast=forecast, actor=None, visitor="v")
    with django_capture_on_commit_callbacks(execute=True):
        again = ask_odds(400)
    assert again.pk == forecast.pk
    assert (again.status, again.runs_done, sent_messages[-1]) == (JobStatus.QUEUED, 250, (again.pk,))
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert forecast.counts == counts_of(400)


def test_only_the_requester_cancels_odds():
    with pytest.raises(RefusedError):
        forecast_cancel(forecast=ask_odds(), actor=None, visitor="somebody else")


def test_larger_forecast_starts_from_existing_results():
    forecast_run(ask_odds(200).pk)
    more = ask_odds(300)
    assert (more.runs_done, more.counts) == (200, counts_of(200))
    forecast_run(more.pk)
    more.refresh_from_db()
    assert more.counts == counts_of(300)


def test_smaller_forecast_counts_its_own_battles():
    forecast_run(ask_odds(300).pk)
    fewer = ask_odds(200)
    assert fewer.runs_done == 0
    forecast_run(fewer.pk)
    fewer.refresh_from_db()
    assert fewer.counts == counts_of(200)


def test_odds_of_older_rules_are_not_continued():
    forecast = ask_odds(100)
    Forecast.objects.update(rules_version=0)
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert forecast.status == JobStatus.FAILED


@pytest.mark.parametrize("runs", [0, -1, True, "10"])
def test_bad_number_of_battles_is_refused(runs: object):
    with pytest.raises(DocumentError, match="battles"):
        ask_odds(runs)  # type: ignore[arg-type]


def test_visitor_gets_fewer_battles_than_player():
    with pytest.raises(RefusedError, match="100,000"):
        ask_odds(limits.RUNS_VISITOR + 1)
    kim = player()
    assert ask_odds(limits.RUNS_PLAYER, actor=kim).runs_asked == limits.RUNS_PLAYER
    with pytest.raises(RefusedError, match="1,000,000"):
        ask_odds(limits.RUNS_PLAYER + 1, actor=kim)


def test_hourly_limit_of_odds_leaves_known_ones_free(monkeypatch):
    monkeypatch.setattr(limits, "FORECASTS_AN_HOUR_VISITOR", 1)
    ask_odds(100)
    ask_odds(100)
    with pytest.raises(RefusedError, match="an hour"):
        ask_odds(101)


def test_chunk_size_follows_measured_speed():
    assert next_chunk(2_000, 0.02) == 20_000  # at most tenfold
    assert next_chunk(20_000, 0.2) == 30_000
    assert next_chunk(30_000, 3.0) == 3_000
    assert next_chunk(10, 100.0) == 1
    assert next_chunk(400_000, 0.01) == shares.LARGEST_CHUNK


def test_tally_survives_the_database():
    counts = tally(read_setup(duel()), 1, 0, 50)
    forecast = ask_odds(50)
    Forecast.objects.update(runs_done=50, counts=counts.to_json())
    forecast.refresh_from_db()
    assert Tally.from_json(forecast.counts).to_json() == counts.to_json()


# --- while the rules are compiled ---


@pytest.fixture
def own_lock(monkeypatch, tmp_path):
    """Load the rules and use a lock of this test, whatever else compiles on this machine."""
    warm("meks-and-mercs")
    monkeypatch.setenv("MUSTER_VAR", str(tmp_path))


@pytest.mark.usefixtures("own_lock")
def test_one_worker_compiles_while_others_retry(sent_messages, monkeypatch, client):
    later: list[tuple[Any, ...]] = []
    monkeypatch.setattr(services, "is_warm", lambda slug: False)
    monkeypatch.setattr(forecast_run, "apply_async", lambda message, countdown: later.append(message))
    forecast = ask_odds(100)
    url = reverse("battles:forecast", args=[forecast.key])
    assert "Waiting to start" in client.get(url).content.decode()
    with runner.compiling("meks-and-mercs") as is_mine:
        assert is_mine
        forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert later == [(forecast.pk, str(forecast.lease))]
    assert (forecast.status, forecast.runs_done) == (JobStatus.RUNNING, 0)
    html = client.get(url).content.decode()
    assert "One-time preparation on this server" in html
    assert "s left" in html
    Forecast.objects.update(ready_by=timezone.now() - timedelta(seconds=1))
    assert "almost done" in client.get(url).content.decode()
    forecast_run(*later[0])  # nobody else compiles now: this task does, or finds it done
    forecast.refresh_from_db()
    assert (forecast.status, forecast.counts, forecast.ready_by) == (JobStatus.DONE, counts_of(100), None)


@pytest.mark.usefixtures("own_lock")
def test_one_process_compiles_a_game_at_a_time():
    with runner.compiling("meks-and-mercs") as first, runner.compiling("meks-and-mercs") as second:
        assert (first, second) == (True, False)
        with runner.compiling("mech-campaign") as other:
            assert other
    with runner.compiling("meks-and-mercs") as again:
        assert again


@pytest.mark.usefixtures("own_lock")
def test_viewed_form_compiles_its_game_once(monkeypatch, client):
    messages: list[tuple[Any, ...]] = []
    ready: set[str] = set()
    monkeypatch.setattr(services, "_REQUESTED_RULES", set())
    monkeypatch.setattr(services, "is_warm", lambda slug: slug in ready)
    monkeypatch.setattr(rules_compile, "delay", lambda *message: messages.append(message))
    client.get(reverse("home"))
    assert messages == []
    for _ in range(2):
        client.get(reverse("battles:quick-battle") + "?system=mech-campaign")
    assert messages == [("mech-campaign",)]
    ready.add("meks-and-mercs")
    client.get(reverse("battles:quick-battle") + "?system=meks-and-mercs")
    assert messages == [("mech-campaign",)]


@pytest.mark.usefixtures("own_lock")
def test_game_is_compiled_once_unless_ready(monkeypatch):
    made: list[str] = []
    monkeypatch.setattr(tasks, "is_warm", lambda slug: slug == "meks-and-mercs" or slug in made)
    monkeypatch.setattr(tasks, "warm", made.append)
    rules_compile("no-such-game")
    rules_compile("meks-and-mercs")
    with runner.compiling("mech-campaign"):
        rules_compile("mech-campaign")
    assert made == []
    rules_compile("mech-campaign")
    rules_compile("mech-campaign")
    assert made == ["mech-campaign"]


def test_new_forecasts_and_slices_have_different_queues():
    route = app.amqp.router.route
    assert route({}, forecast_run.name, args=(1,))["queue"].name == "battles"
    assert route({}, forecast_run.name, args=(1, "a-claim"))["queue"].name == "forecasts"
    assert route({}, "battles.tasks.rules_compile", args=("mech-campaign",))["queue"].name == "forecasts"
