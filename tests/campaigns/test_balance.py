"""The balance over all clubs: residuals calculated by hand, the matches that count, privacy, the page and the API."""

import csv
import io
import math

import pytest
from django.urls import reverse

from campaigns.models import BalanceReport, Campaign, Match
from campaigns.statistics.balance import (
    OTHER_TERMS,
    OWN_SCENARIO,
    BalanceCounter,
    MatchResult,
    read_odds,
    read_tables,
    recalculate_balances,
    residual_csv_rows,
)
from campaigns.tasks import balances
from systems import ROSTERS
from tests.campaigns.builders import a_campaign, a_club, a_match, a_round, an_enrolment
from tests.campaigns.gazettes import confirm_result

MEKS = "meks-and-mercs"


def match_fact(score, chance, *, scenario="Citadel", designs=((), ()), weapons=((), ())):
    return MatchResult(
        scenario=scenario,
        score=score,
        chance=chance,
        designs=(frozenset(designs[0]), frozenset(designs[1])),
        weapons=(frozenset(weapons[0]), frozenset(weapons[1])),
    )


def balance_of(*facts):
    count = BalanceCounter()
    for each in facts:
        count.add(each)
    return count


def lines(count, slug):
    return {line.label: line for table in count.tables if table.slug == slug for line in table.lines}


def test_residual_is_score_minus_chance_with_wider_interval():
    line = lines(balance_of(match_fact(1.0, 0.25), match_fact(0.0, 0.5), match_fact(1.0, 0.75)), "scenario")["Citadel"]
    assert (line.number, line.score, line.chance) == (3, 2 / 3, 0.5)
    assert line.residual == pytest.approx((0.75 - 0.5 + 0.25) / 3)
    by_chance = 0.25 * 0.75 + 0.5 * 0.5 + 0.75 * 0.25
    seen = sum((each - line.residual) ** 2 for each in (0.75, -0.5, 0.25)) * 3 / 2
    assert seen > by_chance
    assert line.high - line.residual == pytest.approx(1.959963984540054 * math.sqrt(seen) / 3)


def test_interval_is_no_narrower_than_the_odds_imply():
    line = lines(balance_of(*[match_fact(1.0, 0.5)] * 16), "scenario")[
        "Citadel"
    ]  # all alike, so the observed spread is zero
    assert line.residual - line.low == pytest.approx(1.959963984540054 * math.sqrt(16 * 0.25) / 16)
    assert line.is_clear


def test_few_matches_never_stand_out():
    count = balance_of(*[match_fact(1.0, 0.01)] * 9)
    line = lines(count, "scenario")["Citadel"]
    assert line.low > 0
    assert (line.is_few, line.is_clear) == (True, False)


def test_residuals_of_both_roles_are_opposite():
    found = lines(balance_of(match_fact(1.0, 0.3), match_fact(0.5, 0.6)), "role")
    assert found["Attacker"].residual == pytest.approx(-found["Defender"].residual)
    assert found["Attacker"].residual == pytest.approx((0.7 - 0.1) / 2)


def test_design_counts_only_where_one_side_has_the_design():
    count = balance_of(
        match_fact(1.0, 0.5, designs=({"Wasp"}, {"Wasp", "Thor"}), weapons=({"CIWS"}, {"CIWS"})),
        match_fact(0.0, 0.5, designs=({"Wasp"}, ())),
    )
    found = lines(count, "design")
    assert (found["Wasp"].number, found["Wasp"].residual) == (1, -0.5)
    assert (found["Thor"].number, found["Thor"].residual) == (1, -0.5)
    assert lines(count, "weapon") == {}


def test_saved_sheet_reads_back_unchanged():
    count = balance_of(match_fact(1.0, 0.1, designs=({"Wasp"}, ())), match_fact(0.0, 0.9))
    sheet = count.sheet(clubs=1, campaigns=1, is_cut=False)
    assert read_tables(sheet) == count.tables
    assert [cell.label for cell in read_odds(sheet).cells] == ["0% to 20%", "80% to 100%"]
    head, *body = residual_csv_rows(read_odds(sheet), count.tables)
    assert len(body) == 2 + sum(len(table.lines) for table in count.tables)
    assert {len(line) for line in body} == {len(head)}


# --- all clubs --------------------------------------------------------------------------------------------------------


def a_match_with_odds(campaign=None, *, attacker_wins=300, **fields):
    """A match with odds from 1,000 battles, won by its attacker."""
    campaign = campaign or a_campaign(a_club(name=f"Club {Campaign.objects.count()}"))
    sides = [an_enrolment(campaign) for _ in range(2)]
    match = confirm_result(a_match(a_round(campaign), *sides), winner="attacker")
    odds = {"runs": 1000, "attacker_wins": attacker_wins, "defender_wins": 1000 - attacker_wins, "margins": {}}
    Match.objects.filter(pk=match.pk).update(odds=odds, **fields)
    return Match.objects.get(pk=match.pk)


def report_of(system=MEKS):
    return BalanceReport.objects.get(system=system)


def labels(slug, system=MEKS):
    return {
        line.label: line for table in read_tables(report_of(system).sheet) if table.slug == slug for line in table.lines
    }


@pytest.mark.django_db
def test_public_matches_are_recalculated_only_after_changes(django_assert_num_queries):
    one = a_match_with_odds()
    a_match_with_odds(scenario={"name": "Zone battle", "spec": {}})
    a_match_with_odds(scenario={"name": "Olga's Ridge", "spec": {}})
    assert recalculate_balances() == 1
    assert (report_of().matches, report_of().sheet["clubs"], report_of().sheet["campaigns"]) == (3, 3, 3)
    assert set(labels("scenario")) == {"Zone battle", f"Zone battle{OTHER_TERMS}", OWN_SCENARIO}
    assert labels("role")["Attacker"].residual == pytest.approx(0.7)
    with django_assert_num_queries(2):
        balances()  # nothing has changed
    Match.objects.filter(pk=one.pk).update(outcome="defender")
    assert recalculate_balances() == 1
    assert labels("role")["Attacker"].residual == pytest.approx((0.7 + 0.7 - 0.3) / 3)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "hide",
    [
        lambda match: Campaign.objects.update(is_public=False),
        lambda match: type(match.round.campaign.club).objects.update(is_public=False),
        lambda match: Match.objects.update(odds=None),
        lambda match: Match.objects.update(state="void", outcome="none"),
        lambda match: Match.objects.update(state="forfeited"),
    ],
)
def test_private_and_unplayed_matches_are_left_out(hide):
    match = a_match_with_odds()
    recalculate_balances()
    assert report_of().matches == 1
    hide(match)
    assert recalculate_balances() == 1
    assert (report_of().matches, report_of().sheet["tables"]) == (0, [])


@pytest.mark.django_db
def test_only_the_newest_matches_are_counted(monkeypatch):
    monkeypatch.setattr("campaigns.statistics.balance.MAX_MATCHES", 1)
    for wins in (100, 900):
        a_match_with_odds(attacker_wins=wins)
    recalculate_balances()
    assert (report_of().matches, report_of().sheet["is_cut"]) == (1, True)
    assert labels("role")["Attacker"].chance == pytest.approx(0.9)


@pytest.mark.django_db
def test_unreadable_match_is_skipped_with_a_log_line(caplog):
    broken = a_match_with_odds(attacker_wins=900)
    a_match_with_odds(attacker_wins=100)
    setup = broken.setup | {"system": "no-such-game"}
    Match.objects.filter(pk=broken.pk).update(setup=setup)
    assert recalculate_balances() == 1
    assert report_of().matches == 1
    assert labels("role")["Attacker"].chance == pytest.approx(0.1)
    assert f"match {broken.pk} in the balance was skipped" in caplog.text
    assert recalculate_balances() == 0


@pytest.mark.django_db
@pytest.mark.parametrize("odds", ["words", ["a", 1], {"runs": 10}, {"runs": "many", "attacker_wins": 1}])
def test_match_with_unreadable_odds_is_skipped_and_logged(odds, caplog):
    broken = a_match_with_odds()
    a_match_with_odds(attacker_wins=100)
    Match.objects.filter(pk=broken.pk).update(odds=odds)
    balances()
    assert report_of().matches == 1
    lines = [each for each in caplog.messages if f"match {broken.pk} in the balance was skipped" in each]
    assert len(lines) == 1
    assert "\n" not in lines[0]


@pytest.mark.django_db
def test_odds_without_battles_hide_no_older_match(monkeypatch):
    monkeypatch.setattr("campaigns.statistics.balance.MAX_MATCHES", 2)
    for wins in (100, 300):
        a_match_with_odds(attacker_wins=wins)
    Match.objects.filter(pk=a_match_with_odds().pk).update(odds={"runs": 0})
    recalculate_balances()
    assert (report_of().matches, report_of().sheet["is_cut"]) == (1, True)


@pytest.mark.django_db
def test_game_without_odds_promises_no_recalculation(client, django_assert_num_queries):
    """Rounds may be closed before a worker has calculated their odds, as in the demo."""
    Match.objects.filter(pk=a_match_with_odds().pk).update(odds=None)
    assert recalculate_balances() == 0
    text = client.get(reverse("campaigns:balance", args=[MEKS])).content.decode()
    assert "No match with odds yet" in text
    assert "every ten minutes" not in text
    assert client.get(f"/api/v1/balance/{MEKS}/").json()["counted_at"]
    with django_assert_num_queries(2):
        assert recalculate_balances() == 0


@pytest.mark.django_db
def test_page_shows_the_balance_without_names(client):
    page = reverse("campaigns:balance", args=[MEKS])
    assert "No figures yet" in client.get(page).content.decode()
    match = a_match_with_odds()
    recalculate_balances()
    text = client.get(page).content.decode()
    assert "<b>1 match</b> of 1 campaign in" in " ".join(text.split())
    assert "Zone battle" in text
    assert "stands out" not in text  # one match isn't enough
    most_played = client.get(reverse("campaigns:balance")).content.decode()
    assert most_played.partition("<main")[2] == text.partition("<main")[2]
    assert match.attacker.company.name not in text
    assert match.attacker.company.owner.username not in text
    Match.objects.update(odds=None)
    recalculate_balances()
    assert "No match with odds yet" in client.get(page).content.decode()
    assert client.get(reverse("campaigns:balance", args=["chess"])).status_code == 404


@pytest.mark.django_db
def test_api_and_csv_agree(client):
    a_match_with_odds()
    recalculate_balances()
    answer = client.get(f"/api/v1/balance/{MEKS}/").json()
    assert (answer["matches"], answer["clubs"]) == (1, 1)
    by_table = {each["table"]: each["lines"] for each in answer["tables"]}
    assert {"role", "scenario"} <= set(by_table)
    assert by_table["scenario"][0] | {"low": 0, "high": 0} == {
        "what": "Zone battle", "number": 1, "score": 1.0, "chance": 0.3, "residual": pytest.approx(0.7), "low": 0, "high": 0,
        "clear": False, "in_matrix": None,
    }  # fmt: skip
    sheet = list(
        csv.reader(io.StringIO(client.get(reverse("campaigns:balance_csv", args=[MEKS])).content.decode("utf-8-sig")))
    )
    assert ["scenario", "Zone battle", "1", "1.0", "0.3", "0.7"] in [line[:6] for line in sheet]
    assert client.get("/api/v1/balance/chess/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("system", ROSTERS)
def test_every_game_has_a_balance_page(client, system):
    assert client.get(reverse("campaigns:balance", args=[system])).status_code == 200
