"""Odds in the database: asked once, counted in chunks, the same however they are cut."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from battles import tasks
from battles.models import Chunk, Forecast
from battles.selectors.odds import forecast_odds
from battles.services import forecasts, limits, shares
from battles.services.forecasts import forecast_ask, forecast_call_off, forecast_work
from battles.services.shares import next_chunk, share
from battles.tasks import forecast_run, rules_compile
from config.celery import app
from rosters.jobs import JobStatus
from rosters.services import RefusedError
from systems.documents import DocumentError
from systems.engine import twin
from systems.reading import read_setup
from systems.simulation.odds import Tally, tally, warm
from tests.battles.builders import count_out, duel, player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("compiled_rules")]


@pytest.fixture(autouse=True)
def sent(monkeypatch) -> list[tuple[Any, ...]]:
    """The messages that went to the broker."""
    messages: list[tuple[Any, ...]] = []
    monkeypatch.setattr(forecast_run, "delay", lambda *message: messages.append(message))
    return messages


def asked(runs: int = 3_000, **kwargs: Any) -> Forecast:
    question: dict[str, Any] = {"setup": duel(), "runs": runs, "seed": 9, "visitor": "v"}
    return forecast_ask(**(question | kwargs))[0]


def counts_of(runs: int, seed: int = 9) -> dict:
    return tally(read_setup(duel()), seed, 0, runs).to_json()


def test_odds_are_counted_to_the_end():
    forecast = asked()
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert (forecast.status, forecast.runs_done) == (JobStatus.DONE, 3_000)
    assert forecast.counts == counts_of(3_000)
    odds = forecast_odds(forecast)
    assert odds is not None
    assert sum(side.wins.count for side in odds.sides) + odds.draws.count + odds.unfinished == 3_000
    assert forecast.speed > 0


def test_the_same_question_is_never_counted_twice():
    first, is_new = forecast_ask(setup=duel(), runs=100, visitor="v")
    again, is_again_new = forecast_ask(setup=duel(), runs=100, actor=player())
    assert (is_new, is_again_new) == (True, False)
    assert first.pk == again.pk
    forecast_run(first.pk)
    ended = Forecast.objects.get().ended_at
    forecast_run(first.pk)
    assert Forecast.objects.get().ended_at == ended


@pytest.mark.parametrize("other", [{"runs": 101}, {"seed": 10}, {"setup": duel(terrain="wood")}])
def test_another_question_is_another_answer(other: dict):
    assert asked(100).pk != asked(**({"runs": 100} | other)).pk


def test_however_the_battles_are_cut_the_counts_are_the_same(monkeypatch):
    monkeypatch.setattr(shares, "FIRST_CHUNK", 7)
    monkeypatch.setattr(shares, "LARGEST_CHUNK", 61)
    forecast = asked(500)
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert forecast.counts == counts_of(500)


def test_a_long_forecast_gives_way_after_a_slice_and_goes_on(sent, monkeypatch):
    monkeypatch.setattr(shares, "FIRST_CHUNK", 100)
    monkeypatch.setattr(shares, "LARGEST_CHUNK", 100)
    forecast = asked(300)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    for done in (100, 200):
        assert share(job=claimed, work=forecast_work(forecast=claimed), seconds=0) is True
        forecast.refresh_from_db()
        assert (forecast.status, forecast.runs_done) == (JobStatus.RUNNING, done)
    forecast_run(forecast.pk, str(claimed.lease))
    forecast.refresh_from_db()
    assert (forecast.status, forecast.counts) == (JobStatus.DONE, counts_of(300))


def test_a_long_forecast_gives_way_at_once_when_somebody_waits(sent, monkeypatch):
    monkeypatch.setattr(shares, "FIRST_CHUNK", 100)
    monkeypatch.setattr(shares, "LARGEST_CHUNK", 100)
    long, short = asked(1_000), asked(100, seed=10)
    forecast_run(long.pk)
    long.refresh_from_db()
    assert (long.status, long.runs_done) == (JobStatus.RUNNING, 100)
    assert sent[-1] == (long.pk, str(long.lease))
    forecast_run(short.pk)
    forecast_run(*sent[-1])
    long.refresh_from_db()
    assert long.counts == counts_of(1_000)


def test_who_begins_a_long_forecast_invites_others_and_they_invite_nobody(sent, monkeypatch):
    monkeypatch.setattr(shares, "FIRST_CHUNK", 10)
    monkeypatch.setattr(shares, "LARGEST_CHUNK", 10)
    forecast = asked(1_000)
    asked(10, seed=10)  # waits, so that slices are short
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert sent == [(forecast.pk, str(forecast.lease))] * shares.SHARERS
    forecast_run(*sent[0])
    assert len(sent) == shares.SHARERS + 1


def test_a_short_forecast_invites_nobody(sent):
    forecast_run(asked(500).pk)
    assert sent == []


def test_an_invitation_to_a_claim_that_is_over_is_declined(sent):
    forecast = asked(100)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    Forecast.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert Forecast.claim(forecast.pk) is not None
    forecast_run(forecast.pk, str(claimed.lease))
    assert Forecast.objects.get().runs_done == 0


def test_chunks_add_up_in_their_order_whoever_ends_first():
    forecast = asked(300)
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


def test_the_chunk_of_a_killed_worker_is_counted_by_another_and_added_once():
    forecast = asked(200)
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
    assert shares._hand_in(claimed, lost, part, 0.1, work, None) == (None, True)  # it was not dead after all
    assert Forecast.objects.get().runs_done == 100
    forecast_run(forecast.pk, str(claimed.lease))
    assert Forecast.objects.get().counts == counts_of(200)


def test_a_chunk_that_kills_every_worker_ends_the_forecast():
    forecast = asked(200)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    work = forecast_work(forecast=claimed)
    for _ in range(Forecast.MAX_TRIES):
        assert shares._take(claimed, work, 100)
        Chunk.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert shares._take(claimed, work, 100) is None
    forecast.refresh_from_db()
    assert (forecast.status, "the worker died each time" in forecast.failure) == (JobStatus.FAILED, True)


def test_where_it_stops_does_not_depend_on_which_chunk_ends_first():
    forecast = asked(100_000, half_width=0.012)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    work = forecast_work(forecast=claimed)
    chunks = [shares._take(claimed, work, size) for size in (6_000, 1, 5_000, 4_000, 9_000)]
    for chunk in reversed(chunks):
        assert chunk
        shares._hand_in(claimed, chunk, work.count(chunk.first, chunk.runs), 0.1, work, None)
    forecast.refresh_from_db()
    alone = asked(99_999, half_width=0.012)
    count_out(alone)
    assert forecast.status == alone.status == JobStatus.DONE
    assert (forecast.runs_done, forecast.counts) == (alone.runs_done, alone.counts)


def test_a_forecast_killed_midway_resumes_where_its_row_stands():
    forecast = asked(400)
    Forecast.claim(forecast.pk)
    half = tally(read_setup(duel()), 9, 0, 250)
    Forecast.objects.update(runs_done=250, counts=half.to_json(), lease_until=timezone.now() - timedelta(seconds=1))
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert (forecast.status, forecast.counts) == (JobStatus.DONE, counts_of(400))


def test_odds_called_off_are_counted_no_further():
    forecast = asked(1_000)
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    work = forecast_work(forecast=claimed)
    chunk = shares._take(claimed, work, 10)
    assert chunk
    forecast_call_off(forecast=forecast, actor=None, visitor="v")
    assert shares._hand_in(claimed, chunk, work.count(0, 10), 0.1, work, 10) == (None, False)
    assert share(job=claimed, work=work) is False
    forecast.refresh_from_db()
    assert (forecast.status, forecast.runs_done) == (JobStatus.CALLED_OFF, 0)


def test_odds_called_off_keep_their_counts_and_go_on_when_asked_again(sent, django_capture_on_commit_callbacks):
    forecast = asked(400)
    Forecast.objects.update(runs_done=250, counts=tally(read_setup(duel()), 9, 0, 250).to_json())
    assert forecast_call_off(forecast=forecast, actor=None, visitor="v")
    with django_capture_on_commit_callbacks(execute=True):
        again = asked(400)
    assert again.pk == forecast.pk
    assert (again.status, again.runs_done, sent[-1]) == (JobStatus.QUEUED, 250, (again.pk,))
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert forecast.counts == counts_of(400)


def test_only_who_asked_calls_odds_off():
    with pytest.raises(RefusedError):
        forecast_call_off(forecast=asked(), actor=None, visitor="somebody else")


def test_more_battles_start_from_the_counts_there_are():
    forecast_run(asked(200).pk)
    more = asked(300)
    assert (more.runs_done, more.counts) == (200, counts_of(200))
    forecast_run(more.pk)
    more.refresh_from_db()
    assert more.counts == counts_of(300)


def test_odds_of_former_rules_are_not_mixed_with_new_ones():
    forecast = asked(100)
    Forecast.objects.update(rules_version=0)
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert forecast.status == JobStatus.FAILED


@pytest.mark.parametrize("runs", [0, -1, True, "10"])
def test_a_number_of_battles_that_is_none_is_refused(runs: object):
    with pytest.raises(DocumentError, match="battles"):
        asked(runs)  # type: ignore[arg-type]


def test_a_visitor_counts_fewer_battles_than_a_player():
    with pytest.raises(RefusedError, match="100,000"):
        asked(limits.RUNS_VISITOR + 1)
    kim = player()
    assert asked(limits.RUNS_PLAYER, actor=kim).runs_asked == limits.RUNS_PLAYER
    with pytest.raises(RefusedError, match="1,000,000"):
        asked(limits.RUNS_PLAYER + 1, actor=kim)


def test_a_visitor_has_so_many_odds_an_hour_but_known_ones_are_free(monkeypatch):
    monkeypatch.setattr(limits, "FORECASTS_AN_HOUR_VISITOR", 1)
    asked(100)
    asked(100)
    with pytest.raises(RefusedError, match="within the hour"):
        asked(101)


def test_chunks_are_measured_to_a_few_hundred_milliseconds():
    assert next_chunk(2_000, 0.02) == 20_000  # at most tenfold
    assert next_chunk(20_000, 0.2) == 30_000
    assert next_chunk(30_000, 3.0) == 3_000
    assert next_chunk(10, 100.0) == 1
    assert next_chunk(400_000, 0.01) == shares.LARGEST_CHUNK


def test_tallies_come_back_from_the_database_as_they_went_in():
    counted = tally(read_setup(duel()), 1, 0, 50)
    forecast = asked(50)
    Forecast.objects.update(runs_done=50, counts=counted.to_json())
    forecast.refresh_from_db()
    assert Tally.from_json(forecast.counts).to_json() == counted.to_json()


# --- while the rules are compiled -------------------------------------------------------------------------------------


@pytest.fixture
def own_lock(monkeypatch, tmp_path):
    """The rules are loaded, and who else compiles on this machine is no concern of the test."""
    warm("meks-and-mercs")
    monkeypatch.setenv("MUSTER_VAR", str(tmp_path))


@pytest.mark.usefixtures("own_lock")
def test_one_worker_compiles_and_the_others_come_back(sent, monkeypatch, client):
    later: list[tuple[Any, ...]] = []
    monkeypatch.setattr(forecasts, "is_warm", lambda slug: False)
    monkeypatch.setattr(forecast_run, "apply_async", lambda message, countdown: later.append(message))
    forecast = asked(100)
    url = reverse("battles:forecast", args=[forecast.key])
    assert "Waiting for a free worker" in client.get(url).content.decode()
    with twin.compiling("meks-and-mercs") as is_mine:
        assert is_mine
        forecast_run(forecast.pk)
    forecast.refresh_from_db()
    assert later == [(forecast.pk, str(forecast.lease))]
    assert (forecast.status, forecast.runs_done) == (JobStatus.RUNNING, 0)
    html = client.get(url).content.decode()
    assert "The rules are being compiled for this machine, once" in html
    assert "s more" in html
    Forecast.objects.update(ready_by=timezone.now() - timedelta(seconds=1))
    assert "that should be over any moment" in client.get(url).content.decode()
    forecast_run(*later[0])  # nobody else compiles now: this one does, or finds it done
    forecast.refresh_from_db()
    assert (forecast.status, forecast.counts, forecast.ready_by) == (JobStatus.DONE, counts_of(100), None)


@pytest.mark.usefixtures("own_lock")
def test_only_one_process_compiles_a_game_at_a_time_and_no_game_waits_for_another():
    with twin.compiling("meks-and-mercs") as first, twin.compiling("meks-and-mercs") as second:
        assert (first, second) == (True, False)
        with twin.compiling("mech-campaign") as other:
            assert other
    with twin.compiling("meks-and-mercs") as again:
        assert again


@pytest.mark.usefixtures("own_lock")
def test_only_the_game_whose_form_is_looked_at_is_compiled_ahead_and_that_once(monkeypatch, client):
    told: list[tuple[Any, ...]] = []
    ready: set[str] = set()
    monkeypatch.setattr(forecasts, "_WANTED", set())
    monkeypatch.setattr(forecasts, "is_warm", lambda slug: slug in ready)
    monkeypatch.setattr(rules_compile, "delay", lambda *message: told.append(message))
    client.get(reverse("home"))
    assert told == []
    for _ in range(2):
        client.get(reverse("battles:quick") + "?system=mech-campaign")
    assert told == [("mech-campaign",)]
    ready.add("meks-and-mercs")
    client.get(reverse("battles:quick") + "?system=meks-and-mercs")
    assert told == [("mech-campaign",)]


@pytest.mark.usefixtures("own_lock")
def test_a_game_is_compiled_unless_it_is_or_somebody_does_it(monkeypatch):
    made: list[str] = []
    monkeypatch.setattr(tasks, "is_warm", lambda slug: slug == "meks-and-mercs" or slug in made)
    monkeypatch.setattr(tasks, "warm", made.append)
    rules_compile("no-such-game")
    rules_compile("meks-and-mercs")
    with twin.compiling("mech-campaign"):
        rules_compile("mech-campaign")
    assert made == []
    rules_compile("mech-campaign")
    rules_compile("mech-campaign")
    assert made == ["mech-campaign"]


def test_a_count_nobody_has_begun_does_not_wait_behind_the_slices_of_others():
    route = app.amqp.router.route
    assert route({}, forecast_run.name, args=(1,))["queue"].name == "battles"
    assert route({}, forecast_run.name, args=(1, "a-claim"))["queue"].name == "forecasts"
    assert route({}, "battles.tasks.rules_compile", args=("mech-campaign",))["queue"].name == "forecasts"
