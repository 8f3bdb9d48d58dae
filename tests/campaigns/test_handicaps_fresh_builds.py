"""Handicaps of fresh lists and of objectives: in the purchase, the battle and the archive."""

import pytest
from django.urls import reverse

from battles.choices import forces_for
from campaigns.army_lists.checks import default_list
from campaigns.army_lists.handicaps import describe_handicap, recalculate
from campaigns.army_lists.purchases import build_buying_side
from campaigns.army_lists.services import list_submit, lists_reveal, preparation_roll
from campaigns.handicaps.services import handicap_answer, handicap_ask, handicap_calculate
from campaigns.models import Handicap, Match
from rosters.services import RefusedError, pilot_hire
from systems import battle_rules
from systems.reading import read_setup
from systems.simulation.odds import tally
from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.fresh_builds import (
    FRESH_BUILD,
    SCENARIO_NAMES,
    a_fresh_match,
    a_purchase,
    fix_support_dice,
    preparation_of,
)

pytestmark = pytest.mark.django_db
SIXTY = [a_purchase("draken", "regular"), a_purchase("demon"), a_purchase("demon")]  # 24 + 5 + 15 + 15 = 59 of 60


@pytest.fixture(autouse=True)
def few_counts(monkeypatch):
    monkeypatch.setattr("campaigns.army_lists.handicaps.HANDICAP_BATTLES", 100)
    monkeypatch.setattr("campaigns.handicaps.services.POINT_PERCENTAGES", (90, 70))


def a_book(scenario="buying-time", club=None):
    """A fresh-build match in a campaign with handicaps; Ants attack with 60 points, Bees have 30."""
    played = [{"value": slug, "name": name} for slug, name in SCENARIO_NAMES.items()]
    return a_fresh_match(scenario, campaign=a_campaign(club, scenarios=played, options=FRESH_BUILD, handicaps=True))


def fresh(match):
    return Match.objects.get(pk=match.pk)


def owner_of(match, side):
    return (match.attacker, match.defender)[side].company.owner


def calculate_handicap(match):
    job = Handicap.claim(handicap_ask(match=match, by=owner_of(match, 0)).pk)
    assert handicap_calculate(job=job)
    return Handicap.objects.get(match=match)


def agree(match, kind, place=0):
    """Agree on the calculated handicap in that place of this kind, whatever was proposed."""
    row = calculate_handicap(match)
    assert row.tried, row.reason
    offer = [each for each in row.tried if each["kind"] == kind][place]
    row.kind, row.value, row.chance_with = kind, offer["value"], offer["chance"]
    row.save(update_fields=["kind", "value", "chance_with"])
    for side in (0, 1):
        handicap_answer(match=match, side=side, agrees=True, kind=row.kind, value=row.value, by=owner_of(match, side))
    return Handicap.objects.get(match=match)


@pytest.fixture
def attacker_bears(monkeypatch):
    """Make the attacker bear the handicap, whichever side is stronger."""
    for module in ("handicaps.services", "army_lists.handicaps"):
        monkeypatch.setattr(f"campaigns.{module}.stronger_side", lambda chance: 0)


def points_of(match, side=0):
    """Return the points that the match's scenario gives this side."""
    return match.scenario["spec"][("attacker", "defender")[side]]["points"]


def test_buying_side_can_give_up_points_support_or_turns():
    row = calculate_handicap(a_book())
    assert row.side == 0
    assert {each["kind"] for each in row.tried} == {"points", "support", "objective"}
    assert all(each["value"] < 60 for each in row.tried)
    assert row.kind
    assert abs(row.chance_with - 0.5) == min(abs(each["chance"] - 0.5) for each in row.tried)


def test_recalculation_with_the_agreed_handicap_is_unchanged():
    row = calculate_handicap(a_book())
    found, tried = recalculate(row)
    assert found == {name: getattr(row, name) for name in found}
    assert tried == row.tried


def test_handicap_lowers_the_purchase_limit(client):
    match = a_book()
    row = agree(match, "points", 1)
    match = fresh(match)
    assert (points_of(match), points_of(match, 1)) == (row.value, 30)
    assert build_buying_side(match, 0, match.attacker).points == row.value < 60
    client.force_login(owner_of(match, 0))
    page = client.get(f"{reverse('campaigns:match_forces', args=[match.key])}?side=attacker").content.decode()
    assert f"Ants fields at most {row.value} points, agreed by both sides" in page
    answer = client.get(reverse("api-match-preparation", args=[match.key])).json()
    assert (answer["limit"], answer["handicap"]) == (row.value, f"Ants fields at most {row.value} points")
    client.force_login(owner_of(match, 1))
    answer = client.get(reverse("api-match-preparation", args=[match.key])).json()
    assert (answer["limit"], answer["handicap"]) == (30, "")


def test_purchase_over_the_handicap_is_refused(monkeypatch):
    match = a_book()
    row = agree(match, "points")
    fix_support_dice(monkeypatch, 1, 3)
    preparation_roll(match=match, side=0, by=owner_of(match, 0))
    with pytest.raises(RefusedError, match=f"costs 59 points; Buying us some time.. allows {row.value}"):
        list_submit(match=match, side=0, buys=SIXTY, doctrine="aggressive", by=owner_of(match, 0))
    assert not match.sealed.exists()


def test_older_list_over_the_handicap_is_replaced_by_orders(monkeypatch):
    match = a_book()
    fix_support_dice(monkeypatch, 1, 3)
    preparation_roll(match=match, side=0, by=owner_of(match, 0))
    list_submit(match=match, side=0, buys=SIXTY, doctrine="aggressive", by=owner_of(match, 0))
    row = agree(match, "points")
    fix_support_dice(monkeypatch, 1, 3)
    opened = lists_reveal(match=fresh(match))
    assert f"allows {row.value}" in match.sealed.get(side=0).fell
    assert opened.setup["scenario"]["spec"]["attacker"]["points"] == row.value  # as the battle keeps it
    assert read_setup(opened.setup)
    too_much = [*opened.setup["sides"][0]["units"], {**opened.setup["sides"][0]["units"][0], "key": "a99"}]
    cheat = {**opened.setup, "sides": [{**opened.setup["sides"][0], "units": too_much}, opened.setup["sides"][1]]}
    with pytest.raises(ValueError, match=f"allows {row.value}"):
        read_setup(cheat)


@pytest.mark.rule("MM-087")
def test_rich_uncle_adds_to_the_handicap_limit(monkeypatch):
    match = a_book()
    row = agree(match, "points")
    fix_support_dice(monkeypatch, 3, 6, 4)  # table B, entry 6, and the uncle's die
    preparation_roll(match=match, side=0, by=owner_of(match, 0))
    with pytest.raises(RefusedError, match=f"allows {row.value + 4}"):
        list_submit(
            match=match, side=0, buys=[*SIXTY, a_purchase("wasp")], doctrine="aggressive", by=owner_of(match, 0)
        )


@pytest.mark.slow
def test_handicap_odds_ignore_secret_support_rolls(monkeypatch):
    match = a_book()
    before = calculate_handicap(match)
    fix_support_dice(monkeypatch, 3, 6, 6)  # an uncle with six points
    preparation_roll(match=match, side=0, by=owner_of(match, 0))
    after = calculate_handicap(match)
    assert (after.basis, after.tried) == (before.basis, before.tried)


def test_handicap_cancels_a_support_roll(monkeypatch, client):
    match = a_book()
    agree(match, "support")
    assert preparation_roll(match=fresh(match), side=0, by=owner_of(match, 0)).rolls == []
    other = a_book(club=a_club(name="Far Table"))
    fix_support_dice(monkeypatch, 3, 6, 4)
    preparation_roll(match=other, side=0, by=owner_of(other, 0))
    agree(other, "support")
    client.force_login(owner_of(other, 0))
    answer = client.get(reverse("api-match-preparation", args=[other.key])).json()
    assert (answer["rolls"], answer["limit"]) == ([], 60)  # the uncle's points go too
    fix_support_dice(monkeypatch, 1, 3)
    assert lists_reveal(match=fresh(other)).setup["sides"][0]["support"] == []
    assert preparation_of(other).rolls  # the rolls are kept


@pytest.mark.slow
@pytest.mark.rule("MM-091")
@pytest.mark.usefixtures("attacker_bears")
def test_handicap_shortens_the_turn_limit():
    match = a_book("hot-gates")
    row = agree(match, "objective", 1)
    assert describe_handicap(match, row) == "Ants has 2 turns fewer, 10 in all"
    opened = lists_reveal(match=fresh(match))
    assert opened.setup["scenario"]["spec"]["turn_limit"] == 10
    assert tally(read_setup(opened.setup), 7, 0, 20).battle["rounds"] <= 20 * 10


@pytest.mark.slow
@pytest.mark.rule("MC-124")
@pytest.mark.usefixtures("attacker_bears")
def test_handicap_moves_the_beacons_away():
    beacons = {"value": "survey-beacons", "name": "Survey Beacons"}
    campaign = a_campaign(
        system="mech-campaign", options={}, scenarios=[beacons], tie_breakers=[], handicaps=True, points=400
    )
    sides = [
        an_enrolment(campaign, a_mustered_company(None, *designs, name=name, system="mech-campaign"))
        for name, designs in (("Many", ["heavy-mech"] * 3 + ["light-mech"] * 2), ("Few", ["light-mech"] * 4))
    ]
    match = a_match(
        a_round(campaign), *sides, scenario="survey-beacons", scenario_name="Survey Beacons", terrain="open"
    )
    row = agree(match, "objective")
    assert describe_handicap(match, row) == "Many has the beacons 2 in farther away"
    assert recalculate(row)[1] == row.tried
    match = fresh(match)
    assert match.scenario["spec"]["places"] == [[6.0, 20.0], [18.0, 20.0], [30.0, 20.0]]
    assert len(default_list(match, 0)["units"]) == 5  # nothing else is given up
    assert lists_reveal(match=match).setup["scenario"] == match.scenario


@pytest.mark.slow
def test_proposed_forces_respect_the_handicap():
    match = a_book()
    row = agree(match, "points")
    assert all(force.points <= row.value for force in forces_for("meks-and-mercs", fresh(match).scenario, 0))


def hire_pilots(match, number, experience="regular"):
    """Hire this many pilots for the attacker."""
    company = match.attacker.company
    return [
        pilot_hire(company=company, by=company.owner, name=f"P{at}", experience=experience).pk for at in range(number)
    ]


@pytest.mark.slow
def test_autoplay_leaves_later_hires_at_home(attacker_bears, monkeypatch):
    match = a_book()
    known = hire_pilots(match, 1, "green")
    agree(match, "points")
    monkeypatch.setattr(type(battle_rules(match.round.campaign.system)), "max_units", 8)
    hire_pilots(match, 9)  # more than a side has seats
    lists_reveal(match=fresh(match))
    assert preparation_of(match).pilots == known


@pytest.mark.slow
def test_later_hires_cannot_fly_under_the_handicap(attacker_bears, monkeypatch):
    match = a_book()
    agree(match, "points")
    (ace,) = hire_pilots(match, 1)
    fix_support_dice(monkeypatch, 1, 3)
    preparation_roll(match=match, side=0, pilots=[ace], by=owner_of(match, 0))
    with pytest.raises(RefusedError, match="unchanged since it was calculated, not P0"):
        list_submit(
            match=match, side=0, buys=[{"design": "wasp", "pilot": ace}], doctrine="aggressive", by=owner_of(match, 0)
        )
