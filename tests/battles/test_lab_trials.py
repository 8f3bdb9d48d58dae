"""A build of the lab against the published designs: started by a press, simulated by a worker, shown as it grows."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from battles.models import Matrix
from battles.odds.matrices import cell_setup, designs_of, trial_ask
from battles.services import limits
from battles.tasks import forecast_matrix
from rosters.designs.lab import lab_query
from rosters.jobs import JobStatus
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.odds import tally

pytestmark = pytest.mark.django_db

SPEC: dict[str, object] = {"chassis": "medium", "weapons": ["cannon", "cannon"], "systems": []}
BUILD = {"system": "meks-and-mercs", "name": "Mine", "chassis": "medium", "weapons": "cannon,cannon"}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    """Keep jobs in their rows until a test runs them."""
    monkeypatch.setattr(forecast_matrix, "delay", lambda *message: None)


def test_build_fights_each_published_design_on_both_sides(client, monkeypatch):
    monkeypatch.setattr(
        "battles.odds.matrix_views.trial_ask", lambda **arguments: trial_ask(**{**arguments, "battles": 20})
    )
    answer = client.post(reverse("battles:trials"), BUILD)
    trial = Matrix.objects.get()
    assert answer.headers["Location"] == reverse("battles:trial", args=[trial.key])
    assert "Waiting to start" in client.get(answer.headers["Location"]).content.decode()
    forecast_matrix(trial.pk)
    trial.refresh_from_db()
    designs, doctrines = designs_of("meks-and-mercs"), (trial.doctrines[0], trial.doctrines[1])
    assert (trial.status, trial.runs_done) == (JobStatus.DONE, 2 * len(designs) * 20)
    first = cell_setup("meks-and-mercs", trial.terrain, doctrines, SPEC, designs[0])
    last = cell_setup("meks-and-mercs", trial.terrain, doctrines, designs[-1], SPEC)
    for at, setup in ((0, first), (-1, last)):
        battle = tally(read_setup(setup), int(trial.seed), 0, 20).battle
        assert trial.counts["cells"][at] == [battle["attacker_wins"], battle["defender_wins"], battle["draws"]]
    page = client.get(answer.headers["Location"])
    assert len(re.findall(r'<td class="match match--(?!empty)', page.content.decode())) == 2 * len(designs)
    assert page.context["page"].rows[-1].defending.count == trial.counts["cells"][-1][1]
    assert page.context["page"].lab == lab_query("meks-and-mercs", "Mine", SPEC)
    assert "hx-trigger" not in client.get(reverse("battles:trial-progress", args=[trial.key])).content.decode()
    client.post(reverse("battles:trials"), BUILD)
    assert Matrix.objects.count() == 1


def test_trial_is_no_matrix_of_published_designs(client):
    trial = trial_ask(system="meks-and-mercs", name="Mine", spec=SPEC, battles=20, visitor="v")[0]
    Matrix.objects.update(status=JobStatus.DONE)
    assert client.get(reverse("battles:matrix", args=[trial.key])).status_code == 404
    assert client.get(reverse("api-matrix", args=[trial.key])).status_code == 404
    assert trial.title not in client.get(reverse("battles:matrices")).content.decode()


def test_illegal_build_is_refused_with_reason(client):
    answer = client.post(reverse("battles:trials"), {**BUILD, "weapons": "cannon,cannon,cannon"}, follow=True)
    assert "MM-005" in " ".join(str(message) for message in answer.context["messages"])
    assert answer.context["lab"].name == "Mine"
    assert not Matrix.objects.exists()


def test_game_without_duels_offers_no_trial(client):
    with pytest.raises(DocumentError, match="one on one"):
        trial_ask(system="mech-campaign", name="Mine", spec={"kind": "light-mech"}, visitor="v")
    lab, trials = reverse("rosters:lab"), reverse("battles:trials")
    assert trials not in client.get(lab, {"system": "mech-campaign"}).content.decode()
    assert trials in client.get(lab, {"system": "blazing-steel"}).content.decode()


def test_failed_trial_resumes(client):
    trial = trial_ask(system="meks-and-mercs", name="Mine", spec=SPEC, battles=20, visitor="v")[0]
    Matrix.objects.update(status=JobStatus.FAILED)
    answer = client.post(reverse("battles:trial-repeat", args=[trial.key]))
    trial.refresh_from_db()
    assert answer.headers["Location"] == reverse("battles:trial", args=[trial.key])
    assert trial.status == JobStatus.QUEUED


def test_quick_trial_fights_fewer_battles(client):
    client.post(reverse("battles:trials"), {**BUILD, "glance": "1"})
    trial = Matrix.objects.get()
    assert trial.battles == 200
    assert "are at most ± 7 percentage points" in " ".join(
        client.get(reverse("battles:trial", args=[trial.key])).content.decode().split()
    )
    client.post(reverse("battles:trials"), BUILD)  # by a press
    assert sorted(Matrix.objects.values_list("battles", flat=True)) == [200, 300]


def run_quick_trial(client, weapons: str, **more: str):
    return client.post(reverse("battles:trials"), {**BUILD, "weapons": weapons, "glance": "1"} | more, follow=True)


def test_quick_trials_spend_no_quota_of_odds(client, monkeypatch):
    monkeypatch.setattr(limits, "FORECASTS_AN_HOUR_VISITOR", 1)
    for weapons in ("cannon", "cannon,cannon"):
        run_quick_trial(client, weapons)
    assert Matrix.objects.filter(is_glance=True).count() == 2
    client.post(reverse("battles:trials"), BUILD)  # by a press: this counts as requested odds
    client.post(reverse("battles:trials"), {**BUILD, "weapons": "cannon"})
    assert Matrix.objects.filter(is_glance=False).count() == 1
    run_quick_trial(client, "")
    assert Matrix.objects.filter(is_glance=True).count() == 3


def test_quick_trials_have_their_own_hourly_limit(client, monkeypatch):
    monkeypatch.setattr(limits, "GLANCES_AN_HOUR_VISITOR", 2)
    run_quick_trial(client, "cannon")
    run_quick_trial(client, "cannon,cannon")
    assert "an hour" not in run_quick_trial(client, "cannon").content.decode()  # simulated before, so it costs nothing
    html = " ".join(run_quick_trial(client, "").content.decode().split())
    assert "limit of 2 automatic win chances an hour. Try again in 60 minutes" in html
    assert Matrix.objects.count() == 2
    client.post(reverse("battles:trials"), {**BUILD, "weapons": ""})
    assert Matrix.objects.count() == 3
    Matrix.objects.update(queued_at=timezone.now() - limits.HOUR)
    run_quick_trial(client, "")
    assert Matrix.objects.count() == 4


def test_failed_quick_trial_resumes_as_a_quick_one(client, monkeypatch):
    run_quick_trial(client, "cannon")
    Matrix.objects.update(status=JobStatus.FAILED)
    monkeypatch.setattr(limits, "FORECASTS_AN_HOUR_VISITOR", 0)
    client.post(reverse("battles:trial-repeat", args=[Matrix.objects.get().key]))
    assert Matrix.objects.get().status == JobStatus.QUEUED


def test_lab_simulates_automatically_only_when_switched_on(client):
    itself, preview = 'hx-trigger="load delay:1s"', reverse("rosters:lab_preview")
    assert itself not in client.post(preview, BUILD).content.decode()
    assert itself in client.post(preview, {**BUILD, "counting": "1"}).content.decode()
    assert (
        itself
        not in client.post(preview, {**BUILD, "weapons": "cannon,cannon,cannon", "counting": "1"}).content.decode()
    )
    page = client.get(reverse("rosters:lab"), BUILD).content.decode()
    assert 'name="counting"' in page
    assert itself not in page
    back = client.get(reverse("rosters:lab"), {**BUILD, "counting": "1"})  # going back keeps it on
    assert itself in back.content.decode()
    assert "counting" not in back.context["lab"].query  # and a shared build doesn't include it
    heavy = {"system": "mech-campaign", "kind": "heavy-mech", "counting": "1"}
    html = client.post(preview, heavy).content.decode()
    assert itself not in html
    assert "has no duels" in html
    assert 'name="counting"' not in client.get(reverse("rosters:lab"), heavy).content.decode()
