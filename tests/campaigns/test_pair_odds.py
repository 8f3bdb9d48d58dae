"""Odds of hand-made pairs: calculated once each beside the plan, whatever changes meanwhile."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import FairDraw, PairOdds
from campaigns.planning import pairing_odds
from campaigns.planning.draws import ground_choices
from campaigns.planning.pairing_odds import (
    calculate_fair_odds,
    calculate_pair_odds,
    ground_key,
    pair_key,
    pair_odds_row,
    queue_pair_odds,
    round_odds_status,
)
from campaigns.planning.services import match_add, match_change, round_open, round_plan
from rosters.services import RefusedError
from tests.campaigns.builders import a_campaign, a_mustered_company, an_enrolment

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued_jobs(monkeypatch):
    """Record the jobs that wake a worker."""
    found: list[int] = []
    monkeypatch.setattr(pairing_odds, "wake", lambda task, pk: found.append(pk))
    return found


@pytest.fixture
def calculated_pairs(monkeypatch):
    """Record the calculated pairs in order; each is even except for the strongest."""
    found: list[tuple[str, str]] = []

    def chance(match):
        found.append((match.attacker.company.name, match.defender.company.name))
        return 0.75 if match.attacker.company.name == "Axes" else 0.5

    monkeypatch.setattr(pairing_odds, "match_chance", chance)
    return found


@pytest.fixture
def campaign():
    made = a_campaign()
    for name in ("Axes", "Bears", "Crows", "Dogs"):
        an_enrolment(made, a_mustered_company(name=name))
    return made


@pytest.fixture
def row(campaign):
    return round_plan(campaign=campaign, by=organiser_of(campaign))


def organiser_of(campaign):
    return campaign.club.memberships.get(role="organiser").player


def seats(row, *, swap=False):
    """Return what a round's form sends, with the defenders of its two tables swapped or not."""
    matches = list(row.matches.order_by("number"))
    defenders = [match.defender_id for match in matches]
    if swap:
        defenders.reverse()
    fields = {}
    for match, defender in zip(matches, defenders, strict=True):
        one = f"m{match.pk}-"
        fields |= {
            f"{one}attacker": match.attacker_id,
            f"{one}defender": defender,
            f"{one}ground": f"0:{match.terrain}",
        }
    return fields


def act(client, row, act, **given):
    return client.post(reverse("campaigns:round_act", args=[row.campaign_id, row.number]), {"act": act, **given})


def poll(client, row):
    url = reverse("campaigns:round_odds", args=[row.campaign_id, row.number])
    return client.get(url, headers={"HX-Request": "true"})


def page_words(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def work(job):
    claimed = PairOdds.claim(job.pk)
    assert claimed is not None
    return calculate_pair_odds(job=claimed)


def test_swapped_pairs_are_calculated_with_progress(
    client, campaign, row, queued_jobs, calculated_pairs, django_capture_on_commit_callbacks
):
    client.force_login(organiser_of(campaign))
    page = client.get(reverse("campaigns:round", args=[campaign.pk, row.number]))
    assert "Calculate odds" in page_words(page)
    with django_capture_on_commit_callbacks(execute=True):
        act(client, row, "save", **seats(row, swap=True))
    job = PairOdds.objects.get()
    assert queued_jobs == [job.pk]
    page = client.get(reverse("campaigns:round", args=[campaign.pk, row.number]))
    assert 'hx-trigger="every 1s"' in page.content.decode()
    assert page_words(page).count("calculating odds") == 2
    assert "Calculate odds" not in page_words(page)
    part = poll(client, row)
    assert "<html" not in part.content.decode()
    assert "0 / 2" in page_words(part)
    assert part.content.decode().count("hx-swap-oob") == 2
    assert work(job)
    assert len(calculated_pairs) == 2
    part = poll(client, row)
    assert 'hx-trigger="every 1s"' not in part.content.decode()
    assert "attacker’s win chance 75.0%" in page_words(part)


def test_added_match_is_calculated_by_itself(client, campaign, row, queued_jobs, calculated_pairs):
    client.force_login(organiser_of(campaign))
    match = row.matches.order_by("number").last()
    act(client, row, "remove-" + str(match.pk), **seats(row))
    work(PairOdds.objects.get())
    added = {"add-attacker": match.defender_id, "add-defender": match.attacker_id, "add-ground": f"0:{match.terrain}"}
    assert act(client, row, "add", **seats(row), **added).status_code == 302
    assert row.matches.count() == 2
    assert PairOdds.objects.get().status == "queued"


def test_restored_pair_is_not_calculated_again(client, campaign, row, queued_jobs, calculated_pairs):
    by = organiser_of(campaign)
    client.force_login(by)
    queue_pair_odds(round_=row, by=by)
    work(PairOdds.objects.get())
    before = list(calculated_pairs)
    act(client, row, "save", **seats(row, swap=True))
    work(PairOdds.objects.get())
    assert len(calculated_pairs) == 4
    assert set(calculated_pairs[2:]).isdisjoint(before)
    act(client, row, "save", **seats(row, swap=True))
    job = PairOdds.objects.get()
    assert job.status == "done"
    assert PairOdds.claim(job.pk) is None
    assert len(calculated_pairs) == 4
    matches = list(row.matches.all())
    assert round_odds_status(matches, None, job).known == 2


def test_change_during_the_job_is_calculated_too(campaign, row, queued_jobs, monkeypatch):
    by = organiser_of(campaign)
    queue_pair_odds(round_=row, by=by)
    first, second = row.matches.order_by("number")
    seen = []

    def chance(match):
        seen.append(match.pk)
        if len(seen) == 2:  # the last pair is being calculated; somebody swaps the first
            given = {"attacker": first.defender, "defender": first.attacker, "scenario": 0, "terrain": "plain"}
            match_change(match=first, by=by, **given)
            queue_pair_odds(round_=row, by=by)
        return 0.5

    monkeypatch.setattr(pairing_odds, "match_chance", chance)
    assert work(PairOdds.objects.get())
    assert seen == [first.pk, second.pk, first.pk]
    assert PairOdds.objects.get().status == "done"
    first.refresh_from_db()
    assert pair_key(first) in PairOdds.objects.get().counted


def test_interrupted_job_keeps_finished_pairs(campaign, row, queued_jobs, monkeypatch):
    queue_pair_odds(round_=row, by=organiser_of(campaign))
    pk = PairOdds.objects.get().pk
    seen = []

    def chance(match):
        seen.append(match.pk)
        if len(seen) == 2:
            raise KeyboardInterrupt  # like a killed worker: nothing more is written
        return 0.5

    monkeypatch.setattr(pairing_odds, "match_chance", chance)
    dead = PairOdds.claim(pk)
    with pytest.raises(KeyboardInterrupt):
        calculate_pair_odds(job=dead)
    PairOdds.objects.filter(pk=pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert work(PairOdds.objects.get())
    first, second = row.matches.order_by("number")
    assert seen == [first.pk, second.pk, second.pk]
    assert not dead.renew(counted={})  # if it's still alive, it has lost its claim


def test_failed_pair_shows_a_reason_and_is_retried(client, campaign, row, queued_jobs, monkeypatch):
    def chance(match):
        raise RefusedError("units", f"{match.attacker.company.name} has no ready unit with a pilot.")

    monkeypatch.setattr(pairing_odds, "match_chance", chance)
    by = organiser_of(campaign)
    client.force_login(by)
    queue_pair_odds(round_=row, by=by)
    work(PairOdds.objects.get())
    page = client.get(reverse("campaigns:round", args=[campaign.pk, row.number]))
    assert page_words(page).count("no odds:") == 2
    assert "has no ready unit with a pilot" in page_words(page)
    act(client, row, "save", **seats(row))  # saving doesn't retry
    assert PairOdds.objects.get().status == "done"
    monkeypatch.setattr(pairing_odds, "match_chance", lambda match: 0.5)
    act(client, row, "odds", **seats(row))
    work(PairOdds.objects.get())
    page = client.get(reverse("campaigns:round", args=[campaign.pk, row.number]))
    assert "no odds:" not in page_words(page)


def test_fair_draw_odds_are_reused_on_the_same_ground(campaign, row, queued_jobs, calculated_pairs):
    chances = {f"{match.attacker_id}-{match.defender_id}": 0.5 for match in row.matches.all()}
    one, two = row.matches.order_by("number")
    ground = ground_key(one.scenario, one.terrain)
    assert ground != ground_key(two.scenario, two.terrain)
    draw = FairDraw.objects.create(round=row, chances=chances, ground=ground, status="done")
    assert pair_odds_row(one, draw, None).chance == 0.5
    assert pair_odds_row(two, draw, None).chance is None  # odds on another ground don't count
    queue_pair_odds(round_=row, by=organiser_of(campaign))
    work(PairOdds.objects.get())
    assert calculated_pairs == [(two.attacker.company.name, two.defender.company.name)]


def test_fair_draw_calculates_pairs_on_other_grounds(campaign, queued_jobs, calculated_pairs, monkeypatch):
    monkeypatch.setattr("campaigns.planning.pairing_odds.match_chance", pairing_odds.match_chance)
    row = round_plan(campaign=campaign, by=organiser_of(campaign), way="fair")
    assert calculate_fair_odds(job=FairDraw.claim(row.fair_draw.pk))
    of_the_draw = len(calculated_pairs)
    work(PairOdds.objects.get())
    first = ground_choices(campaign)[0]
    elsewhere = [each for each in row.matches.all() if (each.scenario, each.terrain) != (first.value, first.terrain)]
    assert elsewhere
    assert len(calculated_pairs) == of_the_draw + len(elsewhere)
    row.refresh_from_db()
    odds = round_odds_status(row.matches.all(), FairDraw.objects.get(), PairOdds.objects.get())
    assert (odds.missing, odds.pairs) == (0, 2)


def test_fair_draw_restarts_after_a_change_of_ground(campaign, queued_jobs, calculated_pairs, monkeypatch):
    monkeypatch.setattr("campaigns.planning.pairing_odds.match_chance", pairing_odds.match_chance)
    row = round_plan(campaign=campaign, by=organiser_of(campaign), way="fair")
    FairDraw.objects.update(chances={"1-2": 0.9}, ground="another")
    assert calculate_fair_odds(job=FairDraw.claim(row.fair_draw.pk))
    draw = FairDraw.objects.get()
    assert set(draw.chances.values()) <= {0.5, 0.75}
    assert draw.ground != "another"


def test_added_pair_is_calculated_on_its_ground(campaign, row, queued_jobs, calculated_pairs):
    by = organiser_of(campaign)
    queue_pair_odds(round_=row, by=by)
    work(PairOdds.objects.get())
    match = row.matches.order_by("number").first()
    given = {"attacker": match.attacker, "defender": match.defender, "scenario": 0}
    match_change(match=match, by=by, terrain="urban", **given)
    queue_pair_odds(round_=row, by=by)
    work(PairOdds.objects.get())
    assert len(calculated_pairs) == 3
    match_add(round_=row, by=by, terrain="plain", **given)
    queue_pair_odds(round_=row, by=by)
    assert PairOdds.objects.get().status == "done"  # that pair was known already


def test_pair_odds_ignore_orders(campaign, row):
    """An organiser may be the opponent, so orders must not show in the odds."""
    match = row.matches.order_by("number").first()
    before = pairing_odds.match_chance(match)
    side = match.attacker
    unit = side.company.units.first()
    side.orders = {**side.orders, "standing": {str(unit.pk): {"retreat": 1}}}
    side.save(update_fields=["orders"])
    match.refresh_from_db()
    assert pairing_odds.match_chance(match) == before
    assert 0 < before < 1


def test_opened_round_has_no_pair_odds(client, campaign, row, queued_jobs, calculated_pairs):
    by = organiser_of(campaign)
    client.force_login(by)
    queue_pair_odds(round_=row, by=by)
    round_open(round_=row, by=by)
    assert work(PairOdds.objects.get())
    assert calculated_pairs == []
    assert poll(client, row)["HX-Redirect"] == reverse("campaigns:round", args=[campaign.pk, row.number])
    plain = client.get(reverse("campaigns:round_odds", args=[campaign.pk, row.number]))
    assert plain.status_code == 302  # without the script a browser returns to the page


@pytest.mark.django_db(transaction=True)
def test_concurrent_saves_make_one_job(campaign, row, queued_jobs):
    from tests.campaigns.test_results_races import run_concurrently
    from tests.rosters.test_races import THREADS

    by = organiser_of(campaign)
    answers = run_concurrently([lambda: queue_pair_odds(round_=row, by=by)] * THREADS)
    assert answers == [None] * THREADS
    assert queued_jobs == [PairOdds.objects.get().pk]


def test_outdated_save_is_refused_and_makes_no_job(client, campaign, row, queued_jobs):
    client.force_login(organiser_of(campaign))
    fields = seats(row, swap=True)
    row.matches.order_by("number").last().delete()
    refused = act(client, row, "save", **fields)
    assert refused.status_code == 422
    assert "was removed after you opened this page. Add it again if you want it" in page_words(refused)
    assert not PairOdds.objects.exists()
