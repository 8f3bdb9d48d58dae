"""Rulings on a company: points, units and pilots, with a preview, ledger entries that give the reason, and undo."""

from __future__ import annotations

import json
from functools import partial

import pytest
from django.urls import reverse

from campaigns.army_lists.legality import limit_of, reserves_of
from campaigns.army_lists.services import list_submit
from campaigns.corrections.adjustment_plan import Adjustment, validate_adjustments
from campaigns.corrections.services import adjustment_create, adjustment_preview, adjustment_undo
from campaigns.gazette.content import gazette_content
from campaigns.models import ActivityLogEntry, Ruling
from campaigns.notifications.selectors import describe_notification, notifications_of
from rosters.ledger.records import company_record, differences
from rosters.services import RefusedError, unit_repair, unit_sell
from rosters.services.results import undo_last_act
from systems import ROSTERS, roster_rules
from systems.documents import DocumentError
from systems.ledger import ACTIVE, DEAD, DESTROYED, READY, SOLD, UNDONE, WOUNDED
from tests.builders import a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.gazettes import close_round, forfeit_match
from tests.campaigns.test_results_races import run_concurrently

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga():
    return a_player("olga")


@pytest.fixture
def club(olga):
    return a_club(olga)


@pytest.fixture
def enrolment(club):
    return an_enrolment(a_campaign(club), a_mustered_company(a_member(club), name="Axes"))


def adjust(enrolment, by, *asked, reason="So be it."):
    """Preview the adjustments, then make them."""
    adjustments = [Adjustment(**each) for each in asked]
    preview = adjustment_preview(enrolment=enrolment, asked=adjustments, by=by)
    return adjustment_create(enrolment=enrolment, asked=adjustments, reason=reason, by=by, token=preview.token)


def record(enrolment):
    return company_record(enrolment.company)


def units(enrolment):
    return list(record(enrolment).units.values())


def pilots(enrolment):
    return list(record(enrolment).pilots.values())


def check_ledger(enrolment):
    enrolment.company.refresh_from_db()
    assert list(differences(enrolment.company)) == []


# --- effects ----------------------------------------------------------------------------------------------------------


def test_points_ruling_is_recorded_with_its_reason(enrolment, olga):
    before = record(enrolment).balance
    made = adjust(enrolment, olga, {"what": "points", "count": 12}, reason="Helped to clean the hall.")
    assert record(enrolment).balance == before + 12
    entry = enrolment.company.ledger.last()
    assert (entry.kind, entry.points, entry.cause, entry.created_by) == ("adjusted", 12, "adjustment", olga)
    assert entry.facts == {"reason": "by a ruling in Spring War"}
    assert (made.kind, made.title, made.reason) == ("adjustment", "Axes adjusted", "Helped to clean the hall.")
    assert ActivityLogEntry.objects.first().text == "Adjusted Axes: Balance (+12). Helped to clean the hall."
    adjust(enrolment, olga, {"what": "points", "count": -5})
    assert record(enrolment).balance == before + 7
    check_ledger(enrolment)


def test_points_ruling_changes_the_spending_limit(enrolment, olga):
    limit = limit_of(enrolment)
    adjust(enrolment, olga, {"what": "points", "count": 12})
    assert limit_of(enrolment) == limit + 12
    assert not reserves_of(enrolment.company)
    made = adjust(enrolment, olga, {"what": "points", "count": -20})
    assert limit_of(enrolment) == limit - 8
    adjustment_undo(ruling=made, reason="Too hard.", by=olga)
    assert limit_of(enrolment) == limit + 12


def test_forged_ledger_entries_raise_no_spending_limit(enrolment, olga):
    made = adjust(enrolment, olga, {"what": "points", "count": 12})
    other = an_enrolment(enrolment.campaign, a_mustered_company())
    limit = limit_of(other)
    forged = enrolment.company.ledger.last()
    other.company.ledger.create(
        act=forged.act, kind="adjusted", points=500, facts={}, cause="adjustment", cause_ref=forged.cause_ref
    )
    other.company.ledger.create(
        act=forged.act,
        kind="adjusted",
        points=500,
        facts={},
        cause="adjustment",
        cause_ref=f"{made.campaign_id}/99999999",
    )
    assert limit_of(other) == limit


@pytest.mark.parametrize("system", list(ROSTERS))
def test_ruling_adjusts_units_in_every_game(system):
    olga = a_player()
    campaign = a_campaign(a_club(olga), system=system, options={})
    design = next(iter(roster_rules(system).published))
    enrolment = an_enrolment(campaign, a_mustered_company(None, design, system=system))
    before = record(enrolment).balance
    adjust(enrolment, olga, {"what": "grant-unit", "design": design, "name": "Gift"})
    gift = next(unit for unit in units(enrolment) if unit.name == "Gift")
    assert (gift.status, record(enrolment).balance, gift.paid > 0) == (READY, before, True)
    row = enrolment.company.units.get(pk=gift.id)
    assert (row.status, row.spec) == ("ready", dict(gift.spec))

    def now():
        return record(enrolment).units[gift.id]

    rules = roster_rules(system)
    harm = rules.harm(rules.parse_spec(gift.spec), gift.condition)
    assert harm is not None
    adjust(enrolment, olga, {"what": "harm-unit", "unit": gift.id, "count": harm.most})
    assert rules.describe_condition(now().condition)
    assert rules.harm(rules.parse_spec(gift.spec), now().condition) is None
    adjust(enrolment, olga, {"what": "repair-unit", "unit": gift.id})
    assert now().condition == {}
    adjust(enrolment, olga, {"what": "destroy-unit", "unit": gift.id})
    assert now().status == DESTROYED
    adjust(enrolment, olga, {"what": "restore-unit", "unit": gift.id})
    assert (now().status, now().condition) == (READY, {})
    adjust(enrolment, olga, {"what": "take-unit", "unit": gift.id})
    assert now().status == SOLD
    assert record(enrolment).balance == before
    check_ledger(enrolment)


@pytest.mark.parametrize("system", [slug for slug in ROSTERS if roster_rules(slug).hire_points])
def test_ruling_adjusts_pilots_in_every_game_with_pilots(system):
    olga, rules = a_player(), roster_rules(system)
    design = next(iter(rules.published))
    enrolment = an_enrolment(
        a_campaign(a_club(olga), system=system, options={}), a_mustered_company(None, design, system=system)
    )
    before = record(enrolment).balance
    adjust(
        enrolment,
        olga,
        {"what": "grant-pilot", "name": "Gil", "callsign": "Gift", "level": next(iter(rules.hire_points))},
    )
    gil = next(pilot for pilot in pilots(enrolment) if pilot.name == "Gil")
    assert (gil.callsign, gil.status, record(enrolment).balance) == ("Gift", ACTIVE, before)
    for what, status in (("wound", WOUNDED), ("heal", ACTIVE), ("kill", DEAD), ("return", ACTIVE)):
        adjust(enrolment, olga, {"what": f"{what}-pilot", "pilot": gil.id})
        assert record(enrolment).pilots[gil.id].status == status
        assert enrolment.company.pilots.get(pk=gil.id).status == status
    if rules.counts_experience:
        adjust(enrolment, olga, {"what": "experience", "pilot": gil.id, "count": 4})
        adjust(enrolment, olga, {"what": "experience", "pilot": gil.id, "count": -1})
        assert record(enrolment).pilots[gil.id].points == 3
    *_, best = rules.level_names
    adjust(enrolment, olga, {"what": "promote", "pilot": gil.id, "level": best})
    assert record(enrolment).pilots[gil.id].experience == best
    for skill in list(rules.skill_names)[:1]:
        adjust(enrolment, olga, {"what": "skill", "pilot": gil.id, "skill": skill})
        assert record(enrolment).pilots[gil.id].skills == (skill,)
    check_ledger(enrolment)


def test_taken_unit_and_killed_pilot_leave_seats_empty(enrolment, olga):
    first, second = units(enrolment)
    adjust(enrolment, olga, {"what": "take-unit", "unit": first.id}, {"what": "kill-pilot", "pilot": second.pilot})
    seats = {unit.id: unit.pilot for unit in units(enrolment)}
    assert seats == {first.id: None, second.id: None}
    assert record(enrolment).pilots[first.pilot].status == ACTIVE
    check_ledger(enrolment)


def test_one_ruling_with_several_adjustments_is_one_act(enrolment, olga):
    unit = units(enrolment)[0]
    made = adjust(
        enrolment, olga, {"what": "harm-unit", "unit": unit.id, "count": 1}, {"what": "repair-unit", "unit": unit.id},
        {"what": "points", "count": 3},
    )  # fmt: skip
    acts = set(enrolment.company.ledger.filter(cause="adjustment").values_list("act", flat=True))
    assert len(acts) == 1
    assert made.decision["told"][-1] == "Balance (+3)"


# --- the preview ------------------------------------------------------------------------------------------------------


def test_preview_shows_all_changes_and_saves_none(enrolment, olga):
    unit, entries = units(enrolment)[0], enrolment.company.ledger.count()
    asked = [
        Adjustment(what="points", count=-4),
        Adjustment(what="harm-unit", unit=unit.id, count=1),
        Adjustment(what="grant-unit", design="wasp"),
    ]
    preview = adjustment_preview(enrolment=enrolment, asked=asked, by=olga)
    changes = {(each.name, each.what): (each.before, each.after) for each in preview.changes}
    assert changes[unit.name, "Damage"] == ("none", "1 Hit left")
    assert changes["Axes", "Balance"] == (str(preview.balance_before), str(preview.balance_before - 4))
    assert "WASP was damaged" in preview.sentences[1]
    assert enrolment.company.ledger.count() == entries
    assert not Ruling.objects.exists()


def test_ruling_on_an_outdated_preview_is_refused(enrolment, olga):
    asked = [Adjustment(what="points", count=5)]
    preview = adjustment_preview(enrolment=enrolment, asked=asked, by=olga)
    unit_sell(company=enrolment.company, by=enrolment.company.owner, unit=enrolment.company.units.first())
    with pytest.raises(RefusedError, match="Something has changed"):
        adjustment_create(enrolment=enrolment, asked=asked, reason="So be it.", by=olga, token=preview.token)
    other = [Adjustment(what="points", count=500)]
    preview = adjustment_preview(enrolment=enrolment, asked=asked, by=olga)
    with pytest.raises(RefusedError, match="Something has changed"):
        adjustment_create(enrolment=enrolment, asked=other, reason="So be it.", by=olga, token=preview.token)
    assert not Ruling.objects.exists()


INVALID = [
    ({"what": "points"}, "count"),
    ({"what": "points", "count": 0}, "count"),
    ({"what": "points", "count": 1001}, "count"),
    ({"what": "points", "count": 5, "unit": 1}, "unit"),
    ({"what": "grant-unit", "design": "dreadnought"}, "design"),
    ({"what": "take-unit", "unit": 99_999_999}, "unit"),
    ({"what": "restore-unit", "unit": "first"}, "unit"),
    ({"what": "repair-unit", "unit": "first"}, "unit"),
    ({"what": "harm-unit", "unit": "first", "count": 99}, "count"),
    ({"what": "harm-unit", "unit": "first", "count": 0}, "count"),
    ({"what": "grant-pilot", "name": "Gil", "level": "legend"}, "level"),
    ({"what": "grant-pilot", "name": " ", "level": "green"}, "name"),
    ({"what": "heal-pilot", "pilot": "first"}, "pilot"),
    ({"what": "return-pilot", "pilot": "first"}, "pilot"),
    ({"what": "kill-pilot", "pilot": 99_999_999}, "pilot"),
    ({"what": "experience", "pilot": "first", "count": 2}, "what"),
    ({"what": "promote", "pilot": "first", "level": "green"}, "level"),
    ({"what": "skill", "pilot": "first", "skill": "flying"}, "skill"),
]


@pytest.mark.parametrize(("asked", "wrong"), INVALID)
def test_invalid_adjustment_is_refused_at_its_field(enrolment, olga, asked, wrong):
    unit = units(enrolment)[0]
    known = {"unit": unit.id, "pilot": unit.pilot}
    given = {name: known[name] if value == "first" else value for name, value in asked.items()}
    with pytest.raises((RefusedError, DocumentError)) as refused:
        adjustment_preview(enrolment=enrolment, asked=[Adjustment(**given)], by=olga)
    place = refused.value.field if isinstance(refused.value, RefusedError) else refused.value.path
    assert place == f"adjustments[0].{wrong}"


def test_unit_of_another_company_is_refused(enrolment, olga):
    theirs = an_enrolment(enrolment.campaign, a_mustered_company())
    with pytest.raises(RefusedError, match="Axes has no unit"):
        adjustment_preview(enrolment=enrolment, asked=[Adjustment(what="take-unit", unit=units(theirs)[0].id)], by=olga)


def test_taking_more_points_than_the_balance_is_refused(enrolment, olga):
    with pytest.raises(RefusedError, match=r"Axes has \d+ points. You can't take more"):
        adjustment_preview(enrolment=enrolment, asked=[Adjustment(what="points", count=-1000)], by=olga)


def test_empty_and_oversized_rulings_are_refused():
    with pytest.raises(DocumentError, match="are missing"):
        validate_adjustments([])
    with pytest.raises(DocumentError, match="more than 40"):
        validate_adjustments([Adjustment(what="points", count=1)] * 41)


def test_submitted_units_refuse_adjustments_but_points_change(enrolment, olga):
    other = an_enrolment(enrolment.campaign)
    match = a_match(a_round(enrolment.campaign), enrolment, other)
    unit, other_unit = units(enrolment)
    list_submit(match=match, side=0, units=[unit.id], doctrine="cautious", by=enrolment.company.owner)
    refusals = []
    for each in (unit, other_unit):
        with pytest.raises(RefusedError) as refused:
            adjust(enrolment, olga, {"what": "take-unit", "unit": each.id})
        refusals.append(refused.value.reason)
    assert refusals[0] == refusals[1], "or trying each unit would reveal the submitted list"
    for asked in ({"what": "harm-unit", "unit": unit.id, "count": 1}, {"what": "wound-pilot", "pilot": unit.pilot}):
        with pytest.raises(RefusedError, match="has a submitted list"):
            adjust(enrolment, olga, asked)
    adjust(enrolment, olga, {"what": "points", "count": 5})


# --- undo -------------------------------------------------------------------------------------------------------------


def test_undone_ruling_restores_the_company(enrolment, olga):
    before = record(enrolment)
    unit = units(enrolment)[0]
    made = adjust(
        enrolment, olga, {"what": "grant-unit", "design": "wasp"}, {"what": "harm-unit", "unit": unit.id, "count": 1},
        {"what": "kill-pilot", "pilot": unit.pilot}, {"what": "points", "count": 7},
    )  # fmt: skip
    undone = adjustment_undo(ruling=made, reason="It was somebody else.", by=olga)
    after = record(enrolment)
    assert after.balance == before.balance
    assert {pk: unit.condition for pk, unit in after.units.items() if unit.status == READY} == {
        pk: unit.condition for pk, unit in before.units.items()
    }
    assert after.units[unit.id].pilot == unit.pilot
    assert [unit.status for pk, unit in after.units.items() if pk not in before.units] == [UNDONE]
    assert undone.decision["undoes"] == made.pk
    with pytest.raises(RefusedError, match="This ruling has already been undone"):
        adjustment_undo(ruling=made, reason="Again.", by=olga)
    check_ledger(enrolment)


def test_ruling_on_used_units_or_points_stays(enrolment, olga):
    unit = units(enrolment)[0]
    harmed = adjust(enrolment, olga, {"what": "harm-unit", "unit": unit.id, "count": 1})
    unit_repair(company=enrolment.company, by=enrolment.company.owner, unit=enrolment.company.units.get(pk=unit.id))
    with pytest.raises(RefusedError, match="a later entry: Repaired WASP"):
        adjustment_undo(ruling=harmed, reason="No.", by=olga)
    given = adjust(enrolment, olga, {"what": "points", "count": 5})
    adjust(enrolment, olga, {"what": "points", "count": -record(enrolment).balance})
    with pytest.raises(RefusedError, match="has already spent what the ruling gave"):
        adjustment_undo(ruling=given, reason="No.", by=olga)


def test_player_undoes_nothing_before_a_ruling(enrolment, olga):
    adjust(enrolment, olga, {"what": "points", "count": 5})
    with pytest.raises(RefusedError, match="A ruling has adjusted this company since"):
        undo_last_act(company=enrolment.company, by=enrolment.company.owner)


# --- permissions ------------------------------------------------------------------------------------------------------


def test_sole_organiser_adjusts_own_company_with_a_mark(club, olga):
    own = an_enrolment(a_campaign(club), a_mustered_company(olga, name="Own"))
    adjust(own, olga, {"what": "points", "count": 5})
    assert "Adjusted Own (their own match; no other organiser was free)" in ActivityLogEntry.objects.first().text
    arbiter = a_member(club, "arbiter")
    with pytest.raises(RefusedError, match=f"This company is yours, so {arbiter} has to do this"):
        adjust(own, olga, {"what": "points", "count": 5})
    adjust(own, arbiter, {"what": "points", "count": -5})
    assert "own case" not in ActivityLogEntry.objects.first().text


@pytest.mark.parametrize(
    ("state", "role", "refused"),
    [("open", "arbiter", True), ("planned", "organiser", True), ("planned", "arbiter", False)],
)
def test_opponent_leaves_the_ruling_to_another_judge(enrolment, club, olga, state, role, refused):
    judge = a_member(club, role)
    theirs = an_enrolment(enrolment.campaign, a_mustered_company(judge, name="Bees"))
    match = a_match(a_round(enrolment.campaign, state=state), theirs, enrolment)
    if refused:
        with pytest.raises(RefusedError, match=f"You are about to play Axes, so {olga} has to do this"):
            adjust(enrolment, judge, {"what": "points", "count": -5})
    else:  # planned rounds are hidden from arbiters
        adjust(enrolment, judge, {"what": "points", "count": -5})
    adjust(enrolment, olga, {"what": "points", "count": 5})
    club.memberships.filter(player=olga).update(role="member")
    adjust(enrolment, judge, {"what": "points", "count": -1})
    assert (
        "Adjusted Axes (their own match; no other organiser was free)" in ActivityLogEntry.objects.first().text
    ) is refused
    club.memberships.filter(player=olga).update(role="organiser")
    type(match).objects.update(state="void")
    adjust(enrolment, judge, {"what": "points", "count": -1})


def test_owner_and_opponent_rule_as_only_judges(enrolment, club, olga):
    own = an_enrolment(enrolment.campaign, a_mustered_company(olga, name="Own"))
    judge = a_member(club, "arbiter")
    a_match(a_round(enrolment.campaign), own, an_enrolment(enrolment.campaign, a_mustered_company(judge, name="Bees")))
    for by in (olga, judge):
        adjust(own, by, {"what": "points", "count": 1})
        assert "Adjusted Own (their own match; no other organiser was free)" in ActivityLogEntry.objects.first().text


def test_returning_pilots_respect_the_roster_limit(enrolment, olga, monkeypatch):
    first, second = pilots(enrolment)[:2]
    for each in (first, second):
        killed = adjust(enrolment, olga, {"what": "kill-pilot", "pilot": each.id})
    on_roll = sum(each.status in (ACTIVE, WOUNDED) for each in pilots(enrolment))
    for module in ("adjustment_plan", "services"):
        monkeypatch.setattr(f"campaigns.corrections.{module}.MAX_PILOTS", on_roll + 1)
    both = [{"what": "return-pilot", "pilot": each.id} for each in (first, second)]
    with pytest.raises(RefusedError, match=f"can have at most {on_roll + 1} pilots"):
        adjust(enrolment, olga, *both)
    adjust(enrolment, olga, both[0])
    with pytest.raises(
        RefusedError, match=f"has no room for what the ruling took: .* can have at most {on_roll + 1} pilots"
    ):
        adjustment_undo(ruling=killed, reason="No.", by=olga)
    assert [each.status for each in pilots(enrolment)[:2]] == [ACTIVE, DEAD]
    check_ledger(enrolment)


@pytest.mark.parametrize(("state", "says"), [("finished", "is finished"), ("draft", "is draft")])
def test_only_mustering_and_running_campaigns_allow_adjustments(enrolment, olga, state, says):
    enrolment.campaign.state = state
    enrolment.campaign.save()
    with pytest.raises(RefusedError, match=says):
        adjust(enrolment, olga, {"what": "points", "count": 5})


def test_withdrawn_company_allows_no_adjustment_or_undo(enrolment, olga):
    made = adjust(enrolment, olga, {"what": "points", "count": 5})
    enrolment.state = "withdrawn"
    enrolment.save()
    for act in (
        lambda: adjust(enrolment, olga, {"what": "points", "count": 5}),
        lambda: adjustment_undo(ruling=made, reason="So.", by=olga),
    ):
        with pytest.raises(RefusedError, match="isn't in"):
            act()


# --- pages, the API, the gazette --------------------------------------------------------------------------------------


def test_page_previews_before_making_the_ruling(client, enrolment, olga):
    client.force_login(olga)
    unit = units(enrolment)[0]
    url = reverse("campaigns:company_adjust", args=[enrolment.campaign_id, enrolment.pk])
    sent = {"points": "5", f"u{unit.id}": "harm-unit", f"u{unit.id}-count": "2", "reason": "Came late.", "do": "make"}
    assert "repaired" not in client.get(url).content.decode()
    unread = client.post(url, sent)
    assert (unread.status_code, "Something has changed" in unread.content.decode()) == (422, True)
    previewed = client.post(url, {**sent, "do": "look"})
    token = previewed.context["preview"].token
    assert "WASP was damaged" in previewed.content.decode()
    assert not Ruling.objects.exists()
    done = client.post(url, {**sent, "token": token}, follow=True)
    ruling = Ruling.objects.get()
    address = reverse(
        "campaigns:gazettes", args=[enrolment.campaign_id], query={"ruling": ruling.pk}, fragment="ruling"
    )
    assert done.redirect_chain[-1] == (address, 302)
    assert "Undo ruling" in done.content.decode()
    ledger = client.get(reverse("rosters:company", args=[enrolment.company_id])).content.decode()
    assert "by a ruling in Spring War" in ledger
    assert reverse("campaigns:ruling", args=[enrolment.campaign_id, ruling.pk]) in ledger
    undo = reverse("campaigns:adjustment_undo", args=[enrolment.campaign_id, ruling.pk])
    assert "WASP was damaged" in client.get(undo, follow=True).content.decode()
    client.post(undo, {"reason": "He had called."})
    assert "Undone by" in client.get(address).content.decode()
    check_ledger(enrolment)


def test_incomplete_or_invalid_form_shows_errors(client, enrolment, olga):
    client.force_login(olga)
    url = reverse("campaigns:company_adjust", args=[enrolment.campaign_id, enrolment.pk])
    assert "Choose at least one change" in client.post(url, {"reason": "Because."}).content.decode()
    answer = client.post(url, {"points": "5"})
    assert (answer.status_code, "reason" in answer.context["form"].errors) == (422, True)
    hostile = client.post(url, {"points": "many", "u1": "take-unit", "design": "none", "reason": "x"})
    assert hostile.status_code == 422


def test_page_without_pilots_offers_no_pilot_adjustments(client, club, olga):
    enrolment = an_enrolment(
        a_campaign(club, system="blazing-steel", options={}), a_mustered_company(None, "hawker", system="blazing-steel")
    )
    client.force_login(olga)
    page = client.get(reverse("campaigns:company_adjust", args=[enrolment.campaign_id, enrolment.pk])).content.decode()
    assert "Grant a unit" in page
    assert "Grant a pilot" not in page


def test_only_members_see_the_ruling_details(client, enrolment, olga):
    made = adjust(enrolment, olga, {"what": "take-unit", "unit": units(enrolment)[0].id})
    page, api_list = (
        reverse("campaigns:gazettes", args=[enrolment.campaign_id], query={"ruling": made.pk}),
        reverse("api-rulings", args=[enrolment.campaign_id]),
    )
    assert "Gave up" not in client.get(page).content.decode()
    assert client.get(api_list).json()["results"][0]["decision"] == {}
    client.force_login(enrolment.company.owner)
    assert "Gave up WASP" in client.get(page).content.decode()
    assert client.get(api_list).json()["results"][0]["decision"]["told"]


def api(client, route, *args, by, expects, **body):
    head = {"Authorization": f"Token {a_token(by)}"}
    answer = client.post(reverse(route, args=args), json.dumps(body), content_type="application/json", headers=head)
    assert answer.status_code == expects, answer.content
    return answer.json()


def test_api_previews_makes_and_undoes_a_ruling(client, enrolment, olga):
    at, asked = (enrolment.campaign_id, enrolment.pk), [{"what": "points", "count": 5}]
    preview = api(client, "api-adjustment-preview", *at, by=olga, expects=200, adjustments=asked)
    assert (preview["told"], preview["balance_after"] - preview["balance_before"]) == (["Balance (+5)"], 5)
    body = {"adjustments": asked, "reason": "So be it.", "token": preview["token"]}
    made = api(client, "api-adjustments", *at, by=olga, expects=201, **body)
    assert made["kind"] == "adjustment"
    again = api(client, "api-adjustments", *at, by=olga, expects=422, **body)
    assert again["errors"][0]["field"] == "token"
    undone = api(client, "api-adjustment-undo", enrolment.campaign_id, made["id"], by=olga, expects=201, reason="No.")
    assert undone["decision"]["undoes"] == made["id"]
    for wrong, where in (
        ({"what": "fly"}, "what"),
        ({"what": "points", "count": 1.5}, "count"),
        ({"what": "points", "count": 1, "x": 1}, "x"),
    ):
        refused = api(client, "api-adjustment-preview", *at, by=olga, expects=400, adjustments=[wrong])
        assert refused["errors"][0]["field"] == f"adjustments[0].{where}"
    api(client, "api-adjustments", *at, by=enrolment.company.owner, expects=403, **body)
    assert api(client, "api-adjustment-undo", enrolment.campaign_id, made["id"], by=olga, expects=422, reason="No.")


def test_gazette_lists_adjusted_companies_with_reasons(enrolment, olga):
    other = an_enrolment(enrolment.campaign)
    adjust(enrolment, olga, {"what": "points", "count": 5}, reason="Hosted the night.")
    first = a_match(a_round(enrolment.campaign), enrolment, other)
    forfeit_match(first)
    content = gazette_content(close_round(first.round))
    assert content.adjusted == ("Axes adjusted: Hosted the night.",)
    second = a_match(a_round(enrolment.campaign), enrolment, other)
    forfeit_match(second)
    assert gazette_content(close_round(second.round)).adjusted == ()


@pytest.mark.django_db(transaction=True)
def test_concurrent_rulings_on_one_preview_allow_one(enrolment, olga):
    asked = [Adjustment(what="points", count=5)]
    token = adjustment_preview(enrolment=enrolment, asked=asked, by=olga).token
    before = record(enrolment).balance
    act = partial(adjustment_create, enrolment=enrolment, asked=asked, reason="So be it.", by=olga, token=token)
    answers = run_concurrently([act, act])
    refused = [each for each in answers if isinstance(each, str)]
    assert len(refused) == 1
    assert "Something has changed" in refused[0]
    assert record(enrolment).balance == before + 5


def test_company_owner_is_notified_of_adjustment_and_undo(enrolment, olga):
    made = adjust(enrolment, olga, {"what": "points", "count": 7}, reason="A prize.")
    undone = adjustment_undo(ruling=made, reason="It was somebody else.", by=olga)
    notifications = notifications_of(enrolment.company.owner)
    assert [each.news.occasion for each in notifications] == ["adjustment-undone", "company-adjusted"]
    taken, given = map(describe_notification, notifications)
    assert given.text.startswith("olga adjusted Axes in Spring War: ")
    assert given.text.endswith(" A prize.")
    assert given.url == reverse("campaigns:ruling", args=[enrolment.campaign_id, made.pk])
    assert taken.text.startswith("olga undid an adjustment of Axes in Spring War: ")
    assert taken.url == reverse("campaigns:ruling", args=[enrolment.campaign_id, undone.pk])
    assert not notifications_of(olga).exists()
