"""The best build: which design within the given points does best, started from the lab and from odds."""

from typing import Any

import pytest
from django.urls import reverse

from battles.models import BestBuild
from battles.odds import chunks
from battles.odds.services import forecast_ask
from battles.searches.builds import (
    best_build_ask,
    best_build_of_unit_ask,
    best_build_work,
    fights_against,
    fights_of,
    published_opponents,
)
from battles.searches.selectors import BestBuildPage
from battles.tasks import forecast_best_build, forecast_run
from rosters.designs.lab import lab_query
from rosters.models import Design, Unit
from rosters.services import RefusedError
from systems import BATTLES, battle_rules, roster_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import setup_json
from systems.simulation.odds import tally
from tests.battles.builders import duel, player
from tests.builders import SYSTEM, WASP, a_company
from tests.example_shares import in_every_run

pytestmark = pytest.mark.django_db

LIGHT = {"chassis": "light", "weapons": ["cannon"], "systems": []}
KEPT_PARTS = ["chassis", "cannon"]


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    """Keep jobs in their rows until a test runs them."""
    for task in (forecast_run, forecast_best_build):
        monkeypatch.setattr(task, "delay", lambda *message: None)


def ask_best_build(**given: Any) -> BestBuild:
    """Ask for a search of a small space: a light frame with a cannon, against a Wasp."""
    fields: dict[str, Any] = {
        "spec": LIGHT,
        "foes": [published_opponents(SYSTEM)["wasp"]],
        "points": 7,
        "kept": KEPT_PARTS,
        **given,
    }
    return best_build_ask(system=SYSTEM, name="Tin", visitor="v", **fields)[0]


def play_out(row: BestBuild) -> BestBuild:
    while not row.is_over:
        forecast_best_build(row.pk, str(row.lease) if row.lease else None)
        row.refresh_from_db()
    return row


def test_best_build_matches_full_simulation():
    row = play_out(ask_best_build(battles=30_000))
    assert row.status == "done", row.failure
    assert row.is_whole
    full_count = {}
    for at, spec in enumerate([None, *row.builds]):
        ends = 0.0
        for fight in fights_of(row):
            battle = tally(fight.with_build(spec), 77, 0, 5_000).battle
            wins = (battle["attacker_wins"], battle["defender_wins"])
            ends += wins[fight.side] + battle["draws"] / 2
        full_count[at] = ends / 10_000
    page = BestBuildPage(row)
    best = page.climb.order()[0]
    assert max(full_count.values()) > min(full_count.values()) + 0.1  # there is a difference to find
    assert full_count[best.candidate] >= max(full_count.values()) - 0.03
    assert abs(best.mean - full_count[best.candidate]) < 0.03


@pytest.mark.slow
def test_seed_gives_one_answer_however_jobs_are_split(monkeypatch):
    whole = play_out(ask_best_build(battles=800))
    counts, builds = whole.counts, whole.builds
    whole.delete()
    monkeypatch.setattr(chunks, "FIRST_CHUNK", 1)
    monkeypatch.setattr(chunks, "CHUNK_SECONDS", 0.000001)
    again = play_out(ask_best_build(battles=800))
    assert (again.counts, again.builds) == (counts, builds)
    assert ask_best_build(battles=800) == again  # and isn't simulated twice


def test_two_workers_draw_up_the_same_builds():
    row = ask_best_build(battles=800)
    other = BestBuild.objects.get(pk=row.pk)
    BestBuild.objects.filter(pk=row.pk).update(status="running")
    best_build_work(row=row)
    first = BestBuild.objects.get(pk=row.pk)
    best_build_work(row=other)
    second = BestBuild.objects.get(pk=row.pk)
    assert first.builds
    assert (first.builds, first.battles, first.runs_asked) == (second.builds, second.battles, second.runs_asked)


def test_rung_waits_for_the_rung_below():
    row = ask_best_build(battles=800)
    BestBuild.objects.filter(pk=row.pk).update(status="running")
    row.refresh_from_db()
    work = best_build_work(row=row)
    row.refresh_from_db()
    first = BestBuildPage(row).climb.open_blocks * row.battles
    taken = chunks._take(row, work, size=10**9)
    assert taken is not None
    assert (taken.first, taken.runs) == (0, first)
    assert chunks._take(row, work, size=10**9) is None  # the next rung isn't known yet


@pytest.mark.parametrize("system", in_every_run((SYSTEM,), (slug for slug in BATTLES if roster_rules(slug).has("lab"))))
def test_every_game_searches_against_published_designs(system, monkeypatch):
    monkeypatch.setattr("systems.lab.random_builds.MAX_RIVAL_TRIES", 60)
    monkeypatch.setattr("systems.lab.random_builds.MAX_CHANGES", 60)
    monkeypatch.setattr("systems.lab.random_builds.MAX_RIVALS", 5)
    rules = roster_rules(system)
    design = next(each for each in rules.published.values() if rules.check_design(each.spec).legal)
    foes = list(published_opponents(system).values())[:2]
    spec = rules.spec_json(design.spec)
    assert {fight.side for fight in fights_against(system, spec, foes)} == {0, 1}
    row = play_out(best_build_ask(system=system, name="Tin", spec=spec, foes=foes, battles=100, visitor="v")[0])
    assert row.status == "done", row.failure
    page = BestBuildPage(row)
    assert page.standing is not None
    assert sum(line.placed.battles for line in page.lines) == row.runs_done == row.runs_asked
    assert all(line.points <= row.points for line in page.lines)


@pytest.mark.parametrize("system", in_every_run((SYSTEM,), (slug for slug in BATTLES if roster_rules(slug).has("lab"))))
def test_every_game_searches_in_place_of_a_unit(system, monkeypatch):
    monkeypatch.setattr("systems.lab.random_builds.MAX_RIVAL_TRIES", 60)
    monkeypatch.setattr("systems.lab.random_builds.MAX_CHANGES", 60)
    monkeypatch.setattr("systems.lab.random_builds.MAX_RIVALS", 3)
    setup = battle_rules(system).example()
    forecast, _ = forecast_ask(setup=setup_json(setup), runs=10, visitor="v")
    unit = setup.sides[1].units[0].key
    row = play_out(best_build_of_unit_ask(forecast=forecast, unit=unit, battles=80, visitor="v")[0])
    assert row.status == "done", row.failure
    assert BestBuildPage(row).against == setup.sides[0].name
    there = fights_of(row)[0].with_build(row.builds[0])
    assert [len(side.units) for side in there.sides] == [len(side.units) for side in setup.sides]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"points": 0}, "whole number from 1"),
        ({"battles": 0}, "1 or more"),
        ({"kept": ["no-such-part"]}, "no-such-part"),
        ({"foes": []}, "enemies"),
        ({"spec": {"chassis": "light", "weapons": ["hammer-missile"] * 4, "systems": []}}, "must be a legal build"),
    ],
)
def test_question_without_answer_is_refused(given, reason):
    with pytest.raises((RefusedError, DocumentError), match=reason):
        ask_best_build(**given)
    assert not BestBuild.objects.exists()


def test_search_without_other_legal_builds_fails():
    row = play_out(ask_best_build(points=1))
    assert row.status == "failed"
    assert "no other legal build of 1 points or less" in row.failure


def test_lab_search_leads_back_to_lab_and_company(client):
    kim = player()
    client.force_login(kim)
    company = a_company(kim)
    query = lab_query(SYSTEM, "Tin", LIGHT)
    page = f"{reverse('battles:best-builds')}?{query}"
    lab = client.get(f"{reverse('rosters:lab')}?{query}").content.decode()
    assert reverse("battles:best-builds") in lab
    form = client.get(page).content.decode()
    assert "all published designs" in form
    assert "Cannon" in form
    parameters = dict(pair.split("=") for pair in query.split("&"))
    refused = client.post(page, {**parameters, "best-against": "field", "best-points": "0", "best-seed": "0"})
    assert refused.status_code == 422
    given = {**parameters, "name": "Tin", "best-against": "published:demon", "best-points": "7", "best-seed": "0"}
    sent = client.post(page, {**given, "best-keep": KEPT_PARTS})
    row = BestBuild.objects.get()
    answer = reverse("battles:explore", args=[row.key])
    assert sent.headers["Location"] == answer
    assert reverse("battles:best-build-progress", args=[row.key]) in client.get(answer).content.decode()
    play_out(row)
    html = client.get(answer).content.decode()
    best = BestBuildPage(row).best
    assert best is not None
    assert f"Save and buy for {company.name}" in html
    assert "sure that it’s really better" in html
    units = Unit.objects.filter(company=company).count()
    client.post(reverse("rosters:design_save"), {**dict(best.pairs), "buy": str(company.pk)})
    assert roster_rules(SYSTEM).parse_spec(Design.objects.get(author=kim).spec) == roster_rules(SYSTEM).parse_spec(
        best.spec
    )
    assert Unit.objects.filter(company=company).count() == units + 1


def test_illegal_build_is_sent_back_to_the_lab(client):
    query = lab_query(SYSTEM, "Bare", {"chassis": "light", "weapons": ["hammer-missile"] * 4, "systems": []})
    html = client.get(f"{reverse('battles:best-builds')}?{query}").content.decode()
    assert "This build isn’t legal" in html


def test_odds_page_searches_in_place_of_a_unit(client):
    forecast, _ = forecast_ask(setup=duel("demon", "saber"), runs=100, visitor="v")
    page = reverse("battles:unit-best-build-create", args=[forecast.key])
    assert page in client.get(reverse("battles:what-if-create", args=[forecast.key])).content.decode()
    unit = read_setup(forecast.setup).sides[1].units[0].key
    assert f"?unit={unit}" in client.get(page).content.decode()
    assert client.get(f"{page}?unit=nobody").status_code == 404
    sent = client.post(f"{page}?unit={unit}", {"best-points": "12", "best-seed": "5", "best-keep": ["chassis"]})
    row = BestBuild.objects.get()
    assert sent.headers["Location"] == reverse("battles:explore", args=[row.key])
    assert (row.seed, row.kept, row.unit) == ("5", ["chassis"], unit)
    assert row.title in client.get(page).content.decode()


def test_api_gives_the_same_answer_as_the_page(client):
    kim = player()
    client.force_login(kim)
    body = {
        "system": SYSTEM,
        "spec": LIGHT,
        "against": ["demon", WASP],
        "points": 7,
        "keep": KEPT_PARTS,
        "battles": 2_000,
    }
    made = client.post(reverse("api-best-builds"), body, content_type="application/json")
    assert made.status_code == 201, made.content
    row = play_out(BestBuild.objects.get())
    data = client.get(reverse("api-best-build", args=[row.key])).json()
    assert data["status"] == "done"
    assert data["whole"] is True
    assert [each["spec"] for each in data["builds"]] == [line.spec for line in BestBuildPage(row).lines]
    assert data["battles_done"] == sum(each["battles"] for each in data["builds"]) == data["battles_to_play"]
    for wrong, field in (({"against": ["nobody"]}, "against[0]"), ({"system": "chess"}, "system")):
        refused = client.post(reverse("api-best-builds"), {**body, **wrong}, content_type="application/json")
        assert refused.status_code == 400
        assert refused.json()["errors"][0]["field"] == field
    forecast, _ = forecast_ask(setup=duel("demon", "saber"), runs=100, actor=kim)
    url = reverse("api-unit-best-builds", args=[forecast.key])
    assert client.post(url, {"unit": "nobody"}, content_type="application/json").status_code == 400
    unit = read_setup(forecast.setup).sides[0].units[0].key
    answer = client.post(url, {"unit": unit, "battles": 500}, content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert answer.json()["forecast"] == str(forecast.key)


def test_builds_follow_the_catalogue_version_of_the_setup(client, monkeypatch):
    """An old campaign's battles use its own catalogue version, and so do its searches."""
    from battles.searches import builds as services

    setup = read_setup({**duel("wasp", "wasp"), "release": "1"})
    assert roster_rules(SYSTEM).newest != "1"
    forecast, _ = forecast_ask(setup=setup_json(setup), runs=100, visitor="v")
    row, _ = best_build_of_unit_ask(forecast=forecast, unit="a1", points=9, kept=KEPT_PARTS, battles=400, visitor="v")
    drawn = []
    rivals = services.build_rivals
    monkeypatch.setattr(services, "build_rivals", lambda rules, *a, **k: drawn.append(rules) or rivals(rules, *a, **k))
    play_out(row)
    assert [rules.catalogue_release for rules in drawn] == ["1"]
    html = client.get(reverse("battles:explore", args=[row.key])).content.decode()
    assert "catalogue version 1;" in html
    newest = read_setup({**duel("wasp", "wasp"), "release": roster_rules(SYSTEM).newest})
    forecast, _ = forecast_ask(setup=setup_json(newest), runs=100, visitor="v")
    row, _ = best_build_of_unit_ask(forecast=forecast, unit="a1", points=9, kept=KEPT_PARTS, battles=400, visitor="v")
    assert "catalogue version" not in client.get(reverse("battles:explore", args=[row.key])).content.decode()
