"""Handicaps: calculated from odds, shown before both agree, kept with the match, and applied to the forces."""

import pytest
from django.urls import reverse

from campaigns.army_lists.checks import default_list
from campaigns.army_lists.handicaps import best_units_within
from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.handicaps.services import handicap_answer, handicap_ask, handicap_calculate
from campaigns.models import Handicap
from campaigns.notifications.selectors import describe_notification, notifications_of
from rosters.services import RefusedError
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment, waiting_for

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def the_match(rows_of_all):
    """Four WASPs against two, in a campaign with handicaps."""
    campaign = a_campaign(handicaps=True)
    strong, weak = (
        an_enrolment(campaign, a_mustered_company(None, *["wasp"] * count, name=name))
        for name, count in (("Strong", 4), ("Weak", 2))
    )
    return a_match(a_round(campaign), strong, weak)


@pytest.fixture
def match(the_match, db):
    the_match.refresh_from_db()
    return the_match


def calculate_handicap(match):
    """Let a worker calculate the match's handicap."""
    job = Handicap.claim(handicap_ask(match=match, by=match.attacker.company.owner).pk)
    assert handicap_calculate(job=job)
    job.refresh_from_db()
    return job


def answer(match, side, row, *, agrees=True):
    by = (match.attacker, match.defender)[side].company.owner
    return handicap_answer(match=match, side=side, agrees=agrees, kind=row.kind, value=row.value, by=by)


def agree(match):
    row = calculate_handicap(match)
    answer(match, 0, row)
    return answer(match, 1, row)


def fresh(match):
    return type(match).objects.get(pk=match.pk)


def test_stronger_side_gets_the_handicap_nearest_to_even(match):
    row = calculate_handicap(match)
    assert (row.side, row.kind, row.status) == (0, "points", "done")
    assert row.chance > 0.85
    assert abs(row.chance_with - 0.5) == min(abs(each["chance"] - 0.5) for each in row.tried) < 0.1
    assert row.value < 36  # the points of four WASPs


def test_agreed_handicap_limits_the_force(match):
    row = calculate_handicap(match)
    assert len(default_list(fresh(match), 0)["units"]) == 4
    assert not answer(match, 0, row).is_agreed
    assert len(default_list(fresh(match), 0)["units"]) == 4
    assert answer(match, 1, row).is_agreed
    lighter = default_list(fresh(match), 0)["units"]
    assert len(lighter) * 9 <= row.value < (len(lighter) + 1) * 9
    owner = match.attacker.company.owner
    everybody = list(match.attacker.company.units.values_list("pk", flat=True))
    with pytest.raises(RefusedError, match="points because of the handicap, but these units cost"):
        list_submit(match=match, side=0, units=everybody, doctrine="cautious", by=owner)
    opened = lists_reveal(match=fresh(match))
    assert [len(side["units"]) for side in opened.setup["sides"]] == [len(lighter), 2]


def test_list_over_the_handicap_is_voided_with_a_reason(match):
    owner = match.attacker.company.owner
    everybody = list(match.attacker.company.units.values_list("pk", flat=True))
    list_submit(match=match, side=0, units=everybody, doctrine="cautious", by=owner)
    agree(match)
    opened = lists_reveal(match=fresh(match))
    assert "because of the handicap" in match.sealed.get(side=0).fell
    assert len(opened.setup["sides"][0]["units"]) < 4


def test_even_match_gets_no_handicap(match):
    even = a_match(match.round, match.defender, an_enrolment(match.round.campaign))
    row = calculate_handicap(even)
    assert (row.kind, row.status) == ("", "done")
    assert "The odds are close enough to even, so no handicap is needed" in row.reason
    with pytest.raises(RefusedError, match="No handicap is proposed"):
        answer(even, 0, row)


def test_handicap_may_give_up_support_rolls(match):
    campaign = a_campaign(match.round.campaign.club, name="Breaches", handicaps=True)
    sides = [an_enrolment(campaign, each.company) for each in (match.attacker, match.defender)]
    at = a_match(a_round(campaign), *sides, scenario="hot-gates", scenario_name="Hot Gates", terrain="printed")
    rolls = {each["value"] for each in calculate_handicap(at).tried if each["kind"] == "support"}
    assert rolls
    Handicap.objects.update(kind="support", value=1, side=0, agreed=[0, 1])
    lists_reveal(match=fresh(at))
    made = [at.support_rolls.filter(side=side).count() for side in (0, 1)]
    assert made[0] == max(rolls) - 1 or made[0] == max(rolls, default=0) - 1


def test_missing_odds_give_a_reason(match):
    match.defender.company.units.update(pilot=None)
    row = calculate_handicap(match)
    assert row.kind == ""
    assert row.reason


def test_agreement_can_be_withdrawn_until_both_agree(match):
    row = calculate_handicap(match)
    answer(match, 0, row)
    assert answer(match, 0, row, agrees=False).agreed == []
    answer(match, 1, row)
    assert answer(match, 0, row).is_agreed
    with pytest.raises(RefusedError, match="can't be changed"):
        answer(match, 1, row, agrees=False)
    with pytest.raises(RefusedError, match="can't be changed"):
        handicap_ask(match=match, by=match.attacker.company.owner)


def test_agreement_needs_the_current_proposal(match):
    row = calculate_handicap(match)
    with pytest.raises(RefusedError, match="There is a newer proposal. Look at that one"):
        handicap_answer(match=match, side=1, agrees=True, kind="points", value=row.value + 1, by=a_player())
    assert Handicap.objects.get().agreed == []


def test_recalculation_clears_agreements(match):
    answer(match, 0, calculate_handicap(match))
    assert calculate_handicap(match).agreed == []


def test_concurrent_requests_share_one_calculation(match):
    one = handicap_ask(match=match, by=match.attacker.company.owner)
    assert handicap_ask(match=match, by=match.defender.company.owner) == one


def test_job_without_its_claim_saves_nothing(match):
    job = Handicap.claim(handicap_ask(match=match, by=match.attacker.company.owner).pk)
    Handicap.objects.update(lease=None)
    assert not handicap_calculate(job=job)
    assert Handicap.objects.get().kind == ""


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda match: type(match.round.campaign).objects.update(handicaps=False), "doesn't use handicaps"),
        (lambda match: type(match.round).objects.update(state="planned"), "This match has no opponent to agree with"),
        (lambda match: lists_reveal(match=match), "already revealed"),
        (lambda match: type(match).objects.update(state="confirmed"), "Ask an arbiter to correct it"),
        (lambda match: type(match.round.campaign).objects.update(state="finished"), "not running"),
    ],
)
def test_handicap_is_refused_outside_its_time(match, change, why):
    change(match)
    with pytest.raises(RefusedError, match=why):
        handicap_ask(match=fresh(match), by=match.attacker.company.owner)


def test_strongest_force_within_the_limit_is_taken():
    assert best_units_within([9, 9, 12], 21, lambda force: True) == (0, 2)
    assert best_units_within([9, 9, 12], 21, lambda force: 2 not in force) == (0, 1)
    assert best_units_within([9, 9, 12], 8, lambda force: True) == ()


# --- pages and API ----------------------------------------------------------------------------------------------------


def test_sides_agree_on_the_page_and_everybody_reads(client, match):
    page, act = (reverse(f"campaigns:{name}", args=[match.key]) for name in ("match", "match_handicap"))
    assert "Ask for a handicap" not in client.get(page).content.decode()
    client.force_login(match.attacker.company.owner)
    assert "Ask for a handicap" in client.get(page).content.decode()
    row = calculate_handicap(match)
    assert "fields" in client.get(page).content.decode()
    sent = {"act": "agree", "kind": row.kind, "value": row.value}
    assert "You have agreed" in client.post(act, sent, follow=True).content.decode()
    client.force_login(match.defender.company.owner)
    assert "the handicap counts" in client.post(act, sent, follow=True).content.decode()
    client.logout()
    assert f"Strong fields at most {row.value} points" in client.get(page).content.decode()


def test_only_players_of_the_match_answer(client, match):
    act = reverse("campaigns:match_handicap", args=[match.key])
    calculate_handicap(match)
    client.force_login(match.round.campaign.club.memberships.get(role="organiser").player)
    assert client.post(act, {"act": "agree", "kind": "points", "value": "1"}).status_code == 403
    client.force_login(match.attacker.company.owner)
    assert client.post(f"{act}?side=defender", {"act": "agree"}).status_code == 403
    assert Handicap.objects.get().agreed == []


def test_api_asks_agrees_and_returns_the_handicap(client, match):
    url = reverse("api-match-handicap", args=[match.key])
    client.force_login(match.attacker.company.owner)
    assert client.get(url).json()["status"] == "none"
    assert client.post(url, {"act": "ask"}, content_type="application/json").json()["status"] == "counting"
    handicap_calculate(job=Handicap.claim(Handicap.objects.get().pk))
    proposal = client.get(url).json()
    assert proposal["status"] == "proposed"
    sent = {"act": "agree", "kind": proposal["kind"], "value": proposal["value"]}
    assert client.post(url, sent, content_type="application/json").json()["agreed"] == ["Strong"]
    wrong = client.post(url, {**sent, "value": -1}, content_type="application/json")
    assert wrong.status_code == 422 or wrong.status_code == 400


def test_both_sides_are_notified_and_asked_until_they_agree(match):
    players = [side.company.owner for side in (match.attacker, match.defender)]

    def waits():
        return ["handicap" in [item.kind for item in waiting_for(player)] for player in players]

    assert waits() == [False, False]
    row = calculate_handicap(match)
    for player in players:
        (letter,) = notifications_of(player).filter(news__occasion="handicap-proposed")
        assert f"Strong against Weak: Strong fields at most {row.value} points" in describe_notification(letter).text
    assert waits() == [True, True]
    answer(match, 0, row)
    assert waits() == [False, True]
    answer(match, 0, row)  # agreeing twice notifies once
    (letter,) = notifications_of(players[1]).filter(news__occasion="handicap-agreed")
    assert describe_notification(letter).text.endswith("It applies once you agree too.")
    answer(match, 1, row)
    assert waits() == [False, False]
    (letter,) = notifications_of(players[0]).filter(news__occasion="handicap-agreed")
    assert describe_notification(letter).text.endswith("It applies now.")


def test_revealed_lists_end_the_waiting_handicap(match):
    calculate_handicap(match)
    lists_reveal(match=fresh(match))
    assert "handicap" not in [item.kind for item in waiting_for(match.attacker.company.owner)]
