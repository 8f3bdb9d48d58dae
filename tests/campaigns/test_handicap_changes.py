"""Handicaps of companies that weaken themselves before the calculation: the match is played as both agreed."""

import re

import pytest
from django.urls import reverse

from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.enrolments.services import orders_set
from campaigns.handicaps.selectors import handicap_sheet
from campaigns.handicaps.services import handicap_answer, handicap_ask, handicap_calculate
from campaigns.models import Handicap, Match, SubmittedList
from campaigns.notifications.selectors import describe_notification, notifications_of
from campaigns.rounds.closing import ABSENT_ACTIONS
from rosters.services import RefusedError, pilot_assign, undo_last_act, unit_sell
from tests.builders import a_company
from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment
from tests.systems.toy import SLUG, reissue

pytestmark = pytest.mark.django_db
BAND = ("wasp", "wasp", "viper", "viper")


@pytest.fixture(autouse=True)
def few_counts(monkeypatch):
    monkeypatch.setattr("campaigns.army_lists.handicaps.HANDICAP_BATTLES", 500)
    monkeypatch.setattr("campaigns.handicaps.services.POINT_PERCENTAGES", (95, 80, 65, 50))


@pytest.fixture(scope="module")
def the_match(rows_of_all):
    """Ants against Bees, exactly alike, in a campaign with handicaps and hidden lists."""
    campaign = a_campaign(handicaps=True, seals_forces=True)
    sides = [an_enrolment(campaign, a_mustered_company(None, *BAND, name=name)) for name in ("Ants", "Bees")]
    return a_match(a_round(campaign), *sides)


@pytest.fixture
def match(the_match, db):
    return fresh(the_match)


def fresh(match):
    return Match.objects.get(pk=match.pk)


def owner(match, side):
    return (match.attacker, match.defender)[side].company.owner


def company(match, side):
    return type(match.attacker.company).objects.get(pk=(match.attacker, match.defender)[side].company_id)


def units(match, side):
    return list(company(match, side).units.filter(status="ready").order_by("position", "pk"))


def calculate_handicap(match):
    job = Handicap.claim(handicap_ask(match=fresh(match), by=owner(match, 0)).pk)
    assert handicap_calculate(job=job)
    return Handicap.objects.get(match=match)


def give_answer(match, side):
    row = Handicap.objects.get(match=match)
    return handicap_answer(
        match=fresh(match), side=side, agrees=True, kind=row.kind, value=row.value, by=owner(match, side)
    )


def submit(match, side):
    brought = [unit.pk for unit in units(match, side) if unit.pilot_id]
    return list_submit(match=fresh(match), side=side, units=brought, doctrine="aggressive", by=owner(match, side))


def texts_of(match, side):
    return [
        describe_notification(each).text
        for each in notifications_of(owner(match, side)).filter(news__occasion="handicap-fell")
    ]


# --- how a company weakens and strengthens itself -----------------------------------------------------------------------


def leave_seats(match, side, number):
    """Take this many pilots out of their seats, and return a function that puts them back."""
    left = [(unit, unit.pilot) for unit in units(match, side)[:number]]
    for unit, _ in left:
        pilot_assign(company=company(match, side), by=owner(match, side), unit=unit, pilot=None)

    def back():
        for unit, pilot in left:
            pilot_assign(company=company(match, side), by=owner(match, side), unit=unit, pilot=pilot)

    return back


def sell(match, side, number):
    """Sell one unit, and return a function that undoes the sale."""
    unit_sell(company=company(match, side), by=owner(match, side), unit=units(match, side)[-1])
    return lambda: undo_last_act(company=company(match, side), by=owner(match, side))


CHEATS = [
    pytest.param(leave_seats, 1, "pilots", id="a pilot out of a seat"),
    pytest.param(leave_seats, 3, "pilots", id="three pilots out of their seats"),
    pytest.param(sell, 1, "units", id="a unit sold"),
]


@pytest.mark.parametrize(("cheat", "number", "noun"), CHEATS)
def test_strengthening_before_agreement_drops_the_handicap(match, cheat, number, noun):
    back = cheat(match, 0, number)
    row = calculate_handicap(match)
    assert (row.kind, row.side) == ("points", 1)
    give_answer(match, 0)
    back()
    with pytest.raises(RefusedError, match="no longer counts: since it was calculated, the units of Ants have changed"):
        give_answer(match, 1)
    row.refresh_from_db()
    assert (row.is_agreed, row.kind, row.agreed) == (False, "", [])
    assert all("the units of Ants have changed" in text for side in (0, 1) for text in texts_of(match, side))
    assert [len(texts_of(match, side)) for side in (0, 1)] == [1, 1]


@pytest.mark.parametrize(("cheat", "number", "noun"), CHEATS)
def test_strengthening_after_agreement_drops_the_handicap(match, cheat, number, noun):
    """Bees have submitted what the handicap left them; Ants put everything back and submit all four."""
    back = cheat(match, 0, number)
    row = calculate_handicap(match)
    give_answer(match, 0)
    assert give_answer(match, 1).is_agreed
    light = [unit.pk for unit in units(match, 1)][: 4 - number]
    list_submit(match=fresh(match), side=1, units=light[:1], doctrine="aggressive", by=owner(match, 1))
    back()
    after = submit(match, 0)
    row.refresh_from_db()
    assert (row.is_agreed, row.kind) == (False, "")
    assert after.setup is None, "nothing is revealed before both know"
    assert match.sealed.get(side=1).fell == SubmittedList.FELL_WITH_HANDICAP
    assert match.sealed.get(side=0).fell == ""
    assert [len(texts_of(match, side)) for side in (0, 1)] == [1, 1]
    assert [len(side["units"]) for side in submit(match, 1).setup["sides"]] == [4, 4]


@pytest.mark.parametrize(("cheat", "number", "noun"), CHEATS)
def test_strengthening_before_the_reveal_drops_the_handicap(match, cheat, number, noun):
    """Nobody submits after the deadline, so both field what they have, and Bees aren't held to their short list."""
    back = cheat(match, 0, number)
    calculate_handicap(match)
    give_answer(match, 0)
    give_answer(match, 1)
    list_submit(match=fresh(match), side=1, units=[units(match, 1)[0].pk], doctrine="aggressive", by=owner(match, 1))
    back()
    opened = lists_reveal(match=fresh(match))
    assert [len(side["units"]) for side in opened.setup["sides"]] == [4, 4]
    assert not Handicap.objects.get(match=match).is_agreed
    assert [len(texts_of(match, side)) for side in (0, 1)] == [1, 1]


def test_list_voided_with_the_handicap_is_no_absence(match):
    back = leave_seats(match, 0, 1)
    calculate_handicap(match)
    give_answer(match, 0)
    give_answer(match, 1)
    list_submit(match=fresh(match), side=1, units=[units(match, 1)[0].pk], doctrine="aggressive", by=owner(match, 1))
    back()
    assert ABSENT_ACTIONS["forfeit"](fresh(match))
    assert fresh(match).outcome == "defender", "Ants submitted nothing; Bees did"


def test_bearer_keeps_the_handicap_at_the_deadline(match):
    """Ants are stronger and agree; then they make an unimportant change and wait for the deadline."""
    leave_seats(match, 1, 2)
    row = calculate_handicap(match)
    assert (row.kind, row.side) == ("points", 0)
    give_answer(match, 0)
    give_answer(match, 1)
    leave_seats(match, 0, 1)
    opened = lists_reveal(match=fresh(match))
    assert Handicap.objects.get(match=match).is_agreed
    assert len(opened.setup["sides"][0]["units"]) < 4


def test_bearer_fields_only_the_calculated_units_by_orders(match):
    """Ants take one pilot out of a seat for a smaller handicap, seat them again, and submit nothing."""
    leave_seats(match, 1, 2)
    back = leave_seats(match, 0, 1)
    row = calculate_handicap(match)
    assert (row.kind, row.side) == ("points", 0)
    weak = {unit["key"] for unit in row.basis["setup"]["sides"][0]["units"]}
    give_answer(match, 0)
    give_answer(match, 1)
    back()
    opened = lists_reveal(match=fresh(match))
    assert {unit["key"] for unit in opened.setup["sides"][0]["units"]} <= weak
    assert len(weak) == 3


def change_all_units(match):
    """Let Ants agree to bear a handicap, then damage all their units."""
    leave_seats(match, 1, 2)
    calculate_handicap(match)
    give_answer(match, 0)
    give_answer(match, 1)
    company(match, 0).units.update(condition={"hits": 1})


def test_bearer_without_unchanged_units_has_no_list(match):
    change_all_units(match)
    with pytest.raises(RefusedError, match="Ants has no legal list of units that are unchanged since its handicap"):
        lists_reveal(match=fresh(match))


def test_bearer_without_unchanged_units_forfeits(match):
    change_all_units(match)
    assert ABSENT_ACTIONS["orders"](fresh(match))
    assert (fresh(match).state, fresh(match).outcome) == ("forfeited", "defender")


def test_form_of_a_bearer_without_unchanged_units_ticks_none(client, match):
    change_all_units(match)
    client.force_login(owner(match, 0))
    page = client.get(f"{reverse('campaigns:match_forces', args=[match.key])}?side=attacker").content.decode()
    assert 'name="units"' in page
    assert not re.search(r'<input[^>]*name="units"[^>]*checked', page)


def test_bearer_submits_unchanged_units_under_the_handicap(match):
    """Just before the deadline Ants take a pilot out of a seat and submit, hoping to drop the handicap."""
    leave_seats(match, 1, 2)
    calculate_handicap(match)
    give_answer(match, 0)
    give_answer(match, 1)
    submit(match, 1)
    leave_seats(match, 0, 1)
    opened = list_submit(
        match=fresh(match), side=0, units=[units(match, 0)[-1].pk], doctrine="aggressive", by=owner(match, 0)
    )
    assert Handicap.objects.get(match=match).is_agreed
    assert [len(side["units"]) for side in opened.setup["sides"]] == [1, 2]


def test_bearer_cannot_submit_a_changed_unit(match):
    leave_seats(match, 1, 2)
    back = leave_seats(match, 0, 1)
    calculate_handicap(match)
    give_answer(match, 0)
    give_answer(match, 1)
    submit(match, 1)
    back()
    stronger = units(match, 0)[0]
    with pytest.raises(RefusedError, match=f"unchanged since it was calculated, not {stronger.name}"):
        list_submit(match=fresh(match), side=0, units=[stronger.pk], doctrine="aggressive", by=owner(match, 0))
    assert Handicap.objects.get(match=match).is_agreed
    assert match.sealed.get(side=1).fell == ""


def make_handicap_older(match):
    """Make the handicap an older one, calculated before each side had its best AI style."""
    row = Handicap.objects.get(match=match)
    row.basis = {name: value for name, value in row.basis.items() if name != "best_styles"}
    row.save(update_fields=["basis"])


def test_older_agreed_handicap_remains_valid(match):
    leave_seats(match, 0, 1)
    calculate_handicap(match)
    give_answer(match, 0)
    give_answer(match, 1)
    make_handicap_older(match)
    brought = units(match, 1)[0].pk
    list_submit(match=fresh(match), side=1, units=[brought], doctrine="aggressive", by=owner(match, 1))
    opened = submit(match, 0)
    assert Handicap.objects.get(match=match).is_agreed
    assert [len(side["units"]) for side in opened.setup["sides"]] == [3, 1]


def test_older_proposed_handicap_must_be_recalculated(match):
    leave_seats(match, 0, 1)
    calculate_handicap(match)
    make_handicap_older(match)
    with pytest.raises(RefusedError, match="since it was calculated, how it is calculated has changed"):
        give_answer(match, 0)


def test_damaged_unit_drops_the_proposal(match):
    leave_seats(match, 0, 1)
    row = calculate_handicap(match)
    row.basis["setup"]["sides"][1]["units"][0]["condition"] = {"hits": 1}
    row.save(update_fields=["basis"])
    with pytest.raises(RefusedError, match="the condition of the units of Bees has changed"):
        give_answer(match, 1)


def test_handicap_is_read_with_its_own_catalogue_version(monkeypatch, client):
    """After the calculation the campaign moves to a version whose catalogue has dropped a design."""
    reissue(monkeypatch)
    campaign = a_campaign(
        a_club(name="Carpet Table"), system=SLUG, handicaps=True, scenarios=[{"value": "skirmish", "name": "Skirmish"}], options={},
        tie_breakers=[], catalogue_release="2",
    )  # fmt: skip
    boxes = [a_company(system=SLUG, name=name, release="2", points=20) for name in ("Red", "Blue")]
    match = a_match(a_round(campaign), *(an_enrolment(campaign, box) for box in boxes))
    sides = [
        {"name": name, "doctrine": "aggressive", "units": [{"key": f"{key}1", "name": "Old", "design": "runner"}]}
        for name, key in (("Red", "a"), ("Blue", "b"))
    ]
    setup = {"system": SLUG, "release": "1", "scenario": "skirmish", "options": {}, "sides": sides}
    Handicap.objects.create(match=match, status="done", side=0, basis={"setup": setup, "rolls": [0, 0]})
    found = Match.objects.get(pk=match.pk)
    sheet = handicap_sheet(found, owner(found, 0), is_open=True)
    assert [side.units for side in sheet.sides] == [("Runner",), ("Runner",)]


def test_handicap_ignores_the_ai_style_of_a_side(match):
    honest = calculate_handicap(match)
    for side in (0, 1):
        enrolment = (match.attacker, match.defender)[side]
        orders_set(enrolment=enrolment, doctrine="cautious", by=owner(match, side))
        row = calculate_handicap(match)
        assert (row.chance, row.tried, row.basis) == (honest.chance, honest.tried, honest.basis)
    assert honest.basis["setup"]["sides"][0]["doctrine"] in ("aggressive", "cautious")


def test_unimportant_changes_keep_the_handicap(match):
    """A unit gets another name and another place in the list; the orders for the AI change."""
    leave_seats(match, 0, 1)
    calculate_handicap(match)
    give_answer(match, 0)
    give_answer(match, 1)
    company(match, 0).units.filter(pk=units(match, 0)[1].pk).update(name="Thunder", position=99)
    orders_set(enrolment=match.attacker, doctrine="cautious", by=owner(match, 0))
    brought = units(match, 1)[0].pk
    list_submit(match=fresh(match), side=1, units=[brought], doctrine="aggressive", by=owner(match, 1))
    opened = submit(match, 0)
    assert Handicap.objects.get(match=match).is_agreed
    assert [len(side["units"]) for side in opened.setup["sides"]] == [3, 1]


def test_dropped_proposal_is_replaced_by_a_new_one(match):
    leave_seats(match, 0, 1)
    calculate_handicap(match)
    leave_seats(match, 1, 1)
    with pytest.raises(RefusedError, match="the units of Bees have changed"):
        give_answer(match, 0)
    assert "The odds are close enough to even, so no handicap is needed" in calculate_handicap(match).reason


# --- what both sides see ------------------------------------------------------------------------------------------------


def test_both_sides_see_the_handicaps_basis_and_cancellation(client, match):
    page, api = reverse("campaigns:match", args=[match.key]), reverse("api-match-handicap", args=[match.key])
    back = leave_seats(match, 0, 1)
    row = calculate_handicap(match)
    for side in (0, 1):
        client.force_login(owner(match, side))
        answer = client.get(api).json()
        ants, bees = answer["sides"]
        assert (ants["company"], bees["company"]) == ("Ants", "Bees")
        assert sum(int(line[0]) if line[0].isdigit() else 1 for line in ants["units"]) == 3
        assert sum(int(line[0]) if line[0].isdigit() else 1 for line in bees["units"]) == 4
        assert ants["points"] < bees["points"]
        assert {ants["ai_style"], bees["ai_style"]} <= {"Aggressive", "Cautious"}
        assert all(each["units"] and len(each["styles"]) == 2 for each in answer["tried"])
        text = client.get(page).content.decode()
        assert "What it was calculated from" in text
        assert all(line in text for line in ants["units"])
    back()
    sent = {"act": "agree", "kind": row.kind, "value": row.value}
    refused = client.post(api, sent, content_type="application/json")
    assert (refused.status_code, "no longer counts" in refused.content.decode()) == (422, True)
    assert "no longer counts" in client.get(page).content.decode()
    assert client.get(api).json()["status"] == "nothing"


def test_units_of_the_calculation_are_visible_to_players_only(client, match):
    leave_seats(match, 0, 1)
    calculate_handicap(match)
    give_answer(match, 0)
    give_answer(match, 1)
    page, api = reverse("campaigns:match", args=[match.key]), reverse("api-match-handicap", args=[match.key])
    answer = client.get(api).json()
    assert (answer["status"], answer["sides"]) == ("agreed", [])
    assert not any(each["units"] for each in answer["tried"])
    assert "What it was calculated from" not in client.get(page).content.decode()
    client.force_login(owner(match, 0))
    assert len(client.get(api).json()["sides"]) == 2
