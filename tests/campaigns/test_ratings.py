"""Ratings: the documented example digit for digit, each rule, and the same digits from the club's document."""

import re
from datetime import UTC, datetime, timedelta
from math import isclose
from pathlib import Path

import pytest

from battles.models import Forecast
from campaigns.models import Campaign
from campaigns.statistics.glicko import (
    MAX_DEVIATION,
    MIN_DEVIATION,
    START_RATING,
    RatedMatch,
    StoredOdds,
    calculate_ratings,
    score_of,
)
from campaigns.statistics.ratings import club_ratings
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import CASCADE, LOST, Faces, correct_match, report
from tests.campaigns.gazettes import close_round, confirm_result, forfeit_match

DOCS = Path(__file__).parents[2] / "docs" / "ratings.md"
FIRST = datetime(2026, 3, 1, 20, tzinfo=UTC)
ODDS = StoredOdds(
    runs=1000, attacker_wins=180, defender_wins=780, margins={-30: 300, -12: 400, -4: 140, 6: 160}
)  # fmt: skip


def match(number=1, attacker="ann", defender="ben", outcome="attacker", **more):
    """The match of this round, two weeks after the one before."""
    at = FIRST + timedelta(days=14 * (number - 1))
    fields = {"closed_at": at, "campaign": 0, "round": number, "table": 1, "system": "meks-and-mercs"} | more
    return RatedMatch(attacker=attacker, defender=defender, outcome=outcome, **fields)


def by_player(matches):
    return {each.player: each for each in calculate_ratings(matches)}


def test_worked_example_has_these_digits():
    lost = match(outcome="defender", odds=ODDS, margin=-4)
    again = match(2, attacker="ben", defender="ann")
    first, both = by_player([lost]), by_player([lost, again])
    (step,) = both["ben"].history[1].steps
    assert score_of(lost) == 0.385
    assert step.expected == 0.47550908834498967
    assert [(of[player].rating, of[player].deviation) for of in (first, both) for player in ("ann", "ben")] == [
        (1511.683304392272, 294.39836385510625),
        (1488.316695607728, 294.39836385510625),
        (1372.4653723208796, 251.51861667957894),
        (1627.5346276791204, 251.51861667957894),
    ]


def test_guide_has_the_example():
    rows = re.findall(
        r"^\| (score|rating).*?\| ([\d.]+) \| ([\d.]+) \|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert rows == [("score", "0.385", "0.615"), ("rating", "1512", "1488"), ("rating", "1372", "1628")]


def test_close_defeat_against_the_odds_costs_nothing():
    close = by_player([match(outcome="defender", odds=ODDS, margin=-4)])["ann"]
    rout = by_player([match(outcome="defender", odds=ODDS, margin=-30)])["ann"]
    assert close.rating > START_RATING > rout.rating


def test_expected_result_moves_a_rating_less_than_an_upset():
    sure = StoredOdds(runs=1000, attacker_wins=900, defender_wins=100)
    won, lost = (
        by_player([match(outcome=side, odds=sure)])["ann"].rating - START_RATING for side in ("attacker", "defender")
    )
    assert 0 < won < -lost


def test_equally_known_players_gain_and_lose_the_same():
    found = by_player([match(odds=ODDS, margin=6)])
    assert isclose(found["ann"].rating - START_RATING, START_RATING - found["ben"].rating)


def test_draw_of_equals_without_odds_changes_nothing():
    assert by_player([match(outcome="draw")])["ann"].rating == START_RATING


def test_matches_of_a_round_are_rated_together():
    round_ = [
        match(table=1),
        match(table=2, attacker="cay", defender="ann"),
        match(table=3, attacker="ben", defender="cay"),
    ]
    assert calculate_ratings(round_) == calculate_ratings(round_[::-1])
    assert {point.round for each in calculate_ratings(round_) for point in each.history} == {1}


def test_playing_narrows_the_deviation_and_absence_widens():
    one = by_player([match()])["ann"]
    many = by_player([match(number, outcome=("attacker", "defender")[number % 2]) for number in range(1, 30)])["ann"]
    assert MIN_DEVIATION <= many.deviation < one.deviation < MAX_DEVIATION
    assert (one.is_provisional, many.is_provisional) == (True, False)
    later = by_player([match(), match(140, attacker="cay", defender="ben")])["ann"]
    assert later.rating == one.rating
    assert later.deviation == MAX_DEVIATION


def test_match_against_oneself_is_not_rated():
    assert calculate_ratings([match(defender="ann")]) == ()


def test_removed_match_changes_later_ratings():
    first, second = match(), match(2, attacker="ann", defender="cay")
    assert by_player([second])["cay"].rating != by_player([first, second])["cay"].rating


# --- a club -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def campaign(db):
    return a_campaign(absent_rule="orders")


@pytest.fixture
def faces(monkeypatch):
    return Faces(monkeypatch)


@pytest.fixture
def two(campaign):
    return [an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees")]


def with_odds(game):
    """Give the match odds as a worker would have calculated them."""
    game.refresh_from_db()
    counts = {"battle": {"battles": 1000, "attacker_wins": 180, "defender_wins": 780}, "units": {}, "margins": {"-9": 700, "0": 140, "9": 160}}  # fmt: skip
    Forecast.objects.filter(pk=game.forecast_id).update(runs_done=1000, counts=counts, status="done")
    return game


def play_round(campaign, two, winner="attacker", units=None):
    """Close a round with a match of both companies whose odds were calculated before."""
    row = a_round(campaign)
    game = confirm_result(a_match(row, *two), winner, units)
    with_odds(game)
    close_round(row)
    game.refresh_from_db()
    return game


def digits(club):
    return [(each.player, each.rating, each.deviation) for each in club_ratings(club).rated]


def test_closed_round_is_rated_with_its_saved_odds(campaign, two, django_assert_num_queries):
    game = play_round(campaign, two)
    assert (game.odds["runs"], game.odds["margins"], game.figures["margin"]) == (
        1000,
        {"-9": 700, "0": 140, "9": 160},
        [0],
    )
    found = club_ratings(campaign.club_id).rated[0].history[-1].steps[0].match
    assert (found.odds.chance, found.margin, score_of(found)) == (0.2, 0, 0.885)
    before = digits(campaign.club_id)
    assert [player for player, _, _ in before] == [two[0].company.owner.username, two[1].company.owner.username]
    Forecast.objects.update(runs_done=9999, counts={"battle": {"attacker_wins": 1, "defender_wins": 1}})
    with django_assert_num_queries(2):
        assert digits(campaign.club_id) == before  # later odds change nothing


def test_rating_chart_uses_one_scale(client, campaign, two):
    play_round(campaign, two)
    page = client.get(f"/clubs/{campaign.club.slug}/insights/").content.decode()
    bars = re.findall(r'interval__range" d="M([\d.]+) 10H([\d.]+)".*?odds" d="M([\d.]+) .*?cx="([\d.]+)"', page)
    assert len(bars) == 2
    figures = [[float(figure) for figure in bar] for bar in bars]
    assert min(low for low, *_ in figures) == 0
    assert max(high for _, high, *_ in figures) == 200
    assert all(low < dot < high for low, high, _, dot in figures)
    assert len({start for _, _, start, _ in figures}) == 1
    assert figures[0][3] > figures[0][2] > figures[1][3]  # one gained from 1500, the other lost


def test_open_rounds_and_forfeits_are_not_rated(campaign, two):
    confirm_result(a_match(a_round(campaign), *two), "attacker")
    row = a_round(campaign)
    forfeit_match(a_match(row, *two))
    close_round(row)
    assert club_ratings(campaign.club_id).rated == ()


def test_correction_and_undo_change_the_ratings(campaign, two, faces):
    arbiter = campaign.club.memberships.first().player
    game = play_round(campaign, two)
    play_round(campaign, two)
    before = digits(campaign.club_id)
    correct_match(game, report(game, "defender", attacker={0: LOST}), CASCADE, arbiter)
    after = digits(campaign.club_id)
    assert after != before
    game.refresh_from_db()
    assert game.figures["margin"] == [-9]
    correct_match(game, None, CASCADE, arbiter)
    assert [each.games for each in club_ratings(campaign.club_id).rated] == [1, 1]


def test_pages_and_api_show_ratings(client, campaign, two):
    play_round(campaign, two)
    play_round(campaign, two)
    owner = two[0].company.owner
    base = f"/clubs/{campaign.club.slug}/ratings/"
    statistics = f"/clubs/{campaign.club.slug}/insights/"
    page = client.get(statistics).content.decode()
    assert "provisional" in page
    assert f"{base}{owner.username}/" in page
    own = client.get(f"{base}{owner.username}/", {"system": "meks-and-mercs"}).content.decode()
    assert "Spring War, round 2" in own
    assert "rating-chart__line" in own
    assert client.get(f"{base}nobody/").status_code == 404
    assert "No ratings yet" in client.get(statistics, {"system": "hex-core"}).content.decode()
    ratings = client.get(f"/api/v1{base}").json()["results"]
    assert [(each["player"], each["rating"], each["deviation"]) for each in ratings] == digits(campaign.club_id)
    player_ratings = client.get(f"/api/v1{base}{owner.username}/").json()
    assert [line["where"] for line in player_ratings["history"]] == ["Spring War, round 2", "Spring War, round 1"]
    assert player_ratings["history"][-1]["matches"][0]["score"] == 0.885
    assert client.get(f"/api/v1{base}", {"system": "chess"}).status_code == 400


def test_private_campaign_is_not_named_to_strangers(client, campaign, two):
    play_round(campaign, two)
    Campaign.objects.filter(pk=campaign.pk).update(is_public=False)
    address = f"/clubs/{campaign.club.slug}/ratings/{two[0].company.owner.username}/"
    secrets = ("Spring War", f"{two[1].company.owner}: ")  # the campaign, and who was met in it
    page = client.get(address).content.decode()
    assert not any(each in page for each in secrets)
    client.force_login(two[0].company.owner)
    page = client.get(address).content.decode()
    assert all(each in page for each in secrets)
