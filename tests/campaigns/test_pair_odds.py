"""The odds of pairs that an organiser makes by hand: counted beside the plan, once each, whoever changes it meanwhile."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import FairDraw, PairOdds
from campaigns.pair_odds import services
from campaigns.pair_odds.fair import fair_count
from campaigns.pair_odds.selectors import ground_key, odds_of_pair, odds_of_pairs, pair_key
from campaigns.pair_odds.services import pair_odds_ask, pair_odds_count
from campaigns.rounds.services import ground_choices, match_add, match_change, round_open, round_plan
from rosters.services import RefusedError
from tests.campaigns.builders import a_campaign, a_mustered_company, an_enrolment

pytestmark = pytest.mark.django_db


@pytest.fixture
def woken(monkeypatch):
    """The jobs that workers were told of."""
    found: list[int] = []
    monkeypatch.setattr(services, "wake", lambda task, pk: found.append(pk))
    return found


@pytest.fixture
def counted(monkeypatch):
    """The pairs that were counted, in order, each even but for the strongest."""
    found: list[tuple[str, str]] = []

    def chance(match):
        found.append((match.attacker.company.name, match.defender.company.name))
        return 0.75 if match.attacker.company.name == "Axes" else 0.5

    monkeypatch.setattr(services, "match_chance", chance)
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
    """What the form of a round says, with the defenders of its two tables changed over or not."""
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


def asked_again(client, row):
    url = reverse("campaigns:round_odds", args=[row.campaign_id, row.number])
    return client.get(url, headers={"HX-Request": "true"})


def words(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def work(job):
    claimed = PairOdds.claim(job.pk)
    assert claimed is not None
    return pair_odds_count(job=claimed)


def test_a_swap_has_its_pairs_counted_and_the_page_asks_how_far_it_is(
    client, campaign, row, woken, counted, django_capture_on_commit_callbacks
):
    client.force_login(organiser_of(campaign))
    page = client.get(reverse("campaigns:round", args=[campaign.pk, row.number]))
    assert "Count their odds" in words(page)
    with django_capture_on_commit_callbacks(execute=True):
        act(client, row, "save", **seats(row, swap=True))
    job = PairOdds.objects.get()
    assert woken == [job.pk]
    page = client.get(reverse("campaigns:round", args=[campaign.pk, row.number]))
    assert 'hx-trigger="every 1s"' in page.content.decode()
    assert words(page).count("odds are being counted") == 2
    assert "Count their odds" not in words(page)
    part = asked_again(client, row)
    assert "<html" not in part.content.decode()
    assert "0 / 2" in words(part)
    assert part.content.decode().count("hx-swap-oob") == 2
    assert work(job)
    assert len(counted) == 2
    part = asked_again(client, row)
    assert 'hx-trigger="every 1s"' not in part.content.decode()
    assert "75.0 % for the attacker" in words(part)


def test_a_match_that_is_added_on_the_page_is_counted_without_another_press(client, campaign, row, woken, counted):
    client.force_login(organiser_of(campaign))
    match = row.matches.order_by("number").last()
    act(client, row, "remove-" + str(match.pk), **seats(row))
    work(PairOdds.objects.get())
    added = {"add-attacker": match.defender_id, "add-defender": match.attacker_id, "add-ground": f"0:{match.terrain}"}
    assert act(client, row, "add", **seats(row), **added).status_code == 302
    assert row.matches.count() == 2
    assert PairOdds.objects.get().status == "queued"


def test_who_changes_back_finds_the_odds_and_nothing_is_counted_twice(client, campaign, row, woken, counted):
    by = organiser_of(campaign)
    client.force_login(by)
    pair_odds_ask(round_=row, by=by)
    work(PairOdds.objects.get())
    before = list(counted)
    act(client, row, "save", **seats(row, swap=True))
    work(PairOdds.objects.get())
    assert len(counted) == 4
    assert set(counted[2:]).isdisjoint(before)
    act(client, row, "save", **seats(row, swap=True))
    job = PairOdds.objects.get()
    assert job.status == "done"
    assert PairOdds.claim(job.pk) is None
    assert len(counted) == 4
    matches = list(row.matches.all())
    assert odds_of_pairs(matches, None, job).known == 2


def test_what_changes_while_a_worker_counts_is_counted_by_that_job(campaign, row, woken, monkeypatch):
    by = organiser_of(campaign)
    pair_odds_ask(round_=row, by=by)
    first, second = row.matches.order_by("number")
    seen = []

    def chance(match):
        seen.append(match.pk)
        if len(seen) == 2:  # the last of those that were there: somebody turns the first about
            given = {"attacker": first.defender, "defender": first.attacker, "scenario": 0, "terrain": "plain"}
            match_change(match=first, by=by, **given)
            pair_odds_ask(round_=row, by=by)
        return 0.5

    monkeypatch.setattr(services, "match_chance", chance)
    assert work(PairOdds.objects.get())
    assert seen == [first.pk, second.pk, first.pk]
    assert PairOdds.objects.get().status == "done"
    first.refresh_from_db()
    assert pair_key(first) in PairOdds.objects.get().counted


def test_a_worker_that_dies_in_between_costs_no_pair_that_it_had(campaign, row, woken, monkeypatch):
    pair_odds_ask(round_=row, by=organiser_of(campaign))
    pk = PairOdds.objects.get().pk
    seen = []

    def chance(match):
        seen.append(match.pk)
        if len(seen) == 2:
            raise KeyboardInterrupt  # as one that is killed: nothing is written any more
        return 0.5

    monkeypatch.setattr(services, "match_chance", chance)
    dead = PairOdds.claim(pk)
    with pytest.raises(KeyboardInterrupt):
        pair_odds_count(job=dead)
    PairOdds.objects.filter(pk=pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert work(PairOdds.objects.get())
    first, second = row.matches.order_by("number")
    assert seen == [first.pk, second.pk, second.pk]
    assert not dead.renew(counted={})  # and if it lives after all, it has lost its claim


def test_a_pair_that_can_not_be_fought_says_why_and_is_tried_again_when_it_is_asked_for(
    client, campaign, row, woken, monkeypatch
):
    def chance(match):
        raise RefusedError("units", f"{match.attacker.company.name} has no unit that is ready and has a pilot.")

    monkeypatch.setattr(services, "match_chance", chance)
    by = organiser_of(campaign)
    client.force_login(by)
    pair_odds_ask(round_=row, by=by)
    work(PairOdds.objects.get())
    page = client.get(reverse("campaigns:round", args=[campaign.pk, row.number]))
    assert words(page).count("no odds:") == 2
    assert "has no unit that is ready and has a pilot" in words(page)
    act(client, row, "save", **seats(row))  # nobody has asked for that again
    assert PairOdds.objects.get().status == "done"
    monkeypatch.setattr(services, "match_chance", lambda match: 0.5)
    act(client, row, "odds", **seats(row))
    work(PairOdds.objects.get())
    page = client.get(reverse("campaigns:round", args=[campaign.pk, row.number]))
    assert "no odds:" not in words(page)


def test_pairs_of_a_fair_draw_are_known_already_on_its_ground(campaign, row, woken, counted):
    chances = {f"{match.attacker_id}-{match.defender_id}": 0.5 for match in row.matches.all()}
    one, two = row.matches.order_by("number")
    ground = ground_key(one.scenario, one.terrain)
    assert ground != ground_key(two.scenario, two.terrain)
    draw = FairDraw.objects.create(round=row, chances=chances, ground=ground, status="done")
    assert odds_of_pair(one, draw, None).chance == 0.5
    assert odds_of_pair(two, draw, None).chance is None  # those of another ground say nothing about this one
    pair_odds_ask(round_=row, by=organiser_of(campaign))
    work(PairOdds.objects.get())
    assert counted == [(two.attacker.company.name, two.defender.company.name)]


def test_a_fair_draw_has_pairs_that_it_drew_on_other_grounds_counted_there(campaign, woken, counted, monkeypatch):
    monkeypatch.setattr("campaigns.pair_odds.fair.match_chance", services.match_chance)
    row = round_plan(campaign=campaign, by=organiser_of(campaign), way="fair")
    assert fair_count(job=FairDraw.claim(row.fair_draw.pk))
    of_the_draw = len(counted)
    work(PairOdds.objects.get())
    first = ground_choices(campaign)[0]
    elsewhere = [each for each in row.matches.all() if (each.scenario, each.terrain) != (first.value, first.terrain)]
    assert elsewhere
    assert len(counted) == of_the_draw + len(elsewhere)
    row.refresh_from_db()
    odds = odds_of_pairs(row.matches.all(), FairDraw.objects.get(), PairOdds.objects.get())
    assert (odds.missing, odds.pairs) == (0, 2)


def test_a_fair_draw_that_was_broken_off_on_another_ground_begins_anew(campaign, woken, counted, monkeypatch):
    monkeypatch.setattr("campaigns.pair_odds.fair.match_chance", services.match_chance)
    row = round_plan(campaign=campaign, by=organiser_of(campaign), way="fair")
    FairDraw.objects.update(chances={"1-2": 0.9}, ground="another")
    assert fair_count(job=FairDraw.claim(row.fair_draw.pk))
    draw = FairDraw.objects.get()
    assert set(draw.chances.values()) <= {0.5, 0.75}
    assert draw.ground != "another"


def test_a_match_that_is_added_by_hand_is_counted_on_its_own_ground(campaign, row, woken, counted):
    by = organiser_of(campaign)
    pair_odds_ask(round_=row, by=by)
    work(PairOdds.objects.get())
    match = row.matches.order_by("number").first()
    given = {"attacker": match.attacker, "defender": match.defender, "scenario": 0}
    match_change(match=match, by=by, terrain="urban", **given)
    pair_odds_ask(round_=row, by=by)
    work(PairOdds.objects.get())
    assert len(counted) == 3
    match_add(round_=row, by=by, terrain="plain", **given)
    pair_odds_ask(round_=row, by=by)
    assert PairOdds.objects.get().status == "done"  # that pair was there before


def test_the_odds_are_those_that_anybody_may_reckon_with(campaign, row):
    """What a player ordered for his absence changes nothing of what an organiser, who may be his enemy, reads."""
    match = row.matches.order_by("number").first()
    before = services.match_chance(match)
    side = match.attacker
    unit = side.company.units.first()
    side.orders = {**side.orders, "standing": {str(unit.pk): {"retreat": 1}}}
    side.save(update_fields=["orders"])
    match.refresh_from_db()
    assert services.match_chance(match) == before
    assert 0 < before < 1


def test_once_the_round_is_open_there_is_nothing_to_count_or_to_see(client, campaign, row, woken, counted):
    by = organiser_of(campaign)
    client.force_login(by)
    pair_odds_ask(round_=row, by=by)
    round_open(round_=row, by=by)
    assert work(PairOdds.objects.get())
    assert counted == []
    assert asked_again(client, row)["HX-Redirect"] == reverse("campaigns:round", args=[campaign.pk, row.number])
    plain = client.get(reverse("campaigns:round_odds", args=[campaign.pk, row.number]))
    assert plain.status_code == 302  # without its script a browser goes back to the page


@pytest.mark.django_db(transaction=True)
def test_of_many_organisers_who_save_at_once_one_has_the_odds_counted(campaign, row, woken):
    from tests.campaigns.test_results_races import each_at_once
    from tests.rosters.test_races import THREADS

    by = organiser_of(campaign)
    answers = each_at_once([lambda: pair_odds_ask(round_=row, by=by)] * THREADS)
    assert answers == [None] * THREADS
    assert woken == [PairOdds.objects.get().pk]


def test_who_saves_after_another_organiser_is_told_so_and_nothing_is_counted_for_him(client, campaign, row, woken):
    client.force_login(organiser_of(campaign))
    fields = seats(row, swap=True)
    row.matches.order_by("number").last().delete()
    refused = act(client, row, "save", **fields)
    assert refused.status_code == 422
    assert "was taken out after you opened this page" in words(refused)
    assert not PairOdds.objects.exists()
