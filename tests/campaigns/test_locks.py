"""Submitted or revealed units can't change before the decision, and a voided list costs only its own side."""

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.army_lists.services import list_submit, list_submit_by_orders, list_withdraw, lists_reveal
from campaigns.enrolments import services as enrolments
from campaigns.models import ActivityLogEntry, Round
from campaigns.results.rulings import match_rule
from campaigns.results.services import match_reveal_lists, report_make
from rosters import services as rosters
from rosters.ledger.records import differences
from rosters.models import LedgerEntry, Unit
from rosters.services import RefusedError
from tests.builders import a_crewed_unit, a_pilot
from tests.campaigns.builders import a_campaign, a_match, a_member, a_round, submit_list, waiting_for
from tests.campaigns.test_closing import close_round, fate
from tests.rosters.test_races import at_once

pytestmark = pytest.mark.django_db


def company(match, side=0):
    return (match.attacker, match.defender)[side].company


def first_unit(match, side=0):
    return company(match, side).units.order_by("pk").first()


def pass_deadline(match):
    """Move the deadline of the match's round into the past, with the round still open."""
    Round.objects.filter(pk=match.round.pk).update(deadline=timezone.now() - timedelta(minutes=1))
    match.round.refresh_from_db()
    return match


@pytest.fixture
def match():
    """A match of two companies with a spare WASP and a spare pilot each; an earlier game damaged the first attacker."""
    found = a_match(a_round(a_campaign(points=100)))
    for side in (0, 1):
        a_crewed_unit(company(found, side), pilot="Spare")
        a_pilot(company(found, side), "Bench")
    own, hurt = company(found), first_unit(found)
    rosters.company_apply_result(
        company=own,
        act=uuid.uuid4(),
        cause_ref="before",
        by=None,
        units=[rosters.UnitResult(unit=hurt.pk, pilot=hurt.pilot_id, after={"hits": 1})],
    )
    return found


ACTS = {
    "sell": lambda own, unit, by: rosters.unit_sell(company=own, by=by, unit=unit),
    "empty its seat": lambda own, unit, by: rosters.pilot_assign(company=own, by=by, unit=unit, pilot=None),
    "another pilot": lambda own, unit, by: rosters.pilot_assign(
        company=own, by=by, unit=unit, pilot=own.pilots.get(name="Bench")
    ),
    "its pilot elsewhere": lambda own, unit, by: rosters.pilot_assign(
        company=own, by=by, unit=own.units.get(pilot__name="Spare"), pilot=unit.pilot
    ),
    "repair": lambda own, unit, by: rosters.unit_repair(company=own, by=by, unit=unit),
    "rename": lambda own, unit, by: rosters.unit_rename(company=own, by=by, unit=unit, name="DRAKEN"),
    "dismiss its pilot": lambda own, unit, by: rosters.pilot_retire(company=own, by=by, pilot=unit.pilot),
    "rename its pilot": lambda own, unit, by: rosters.pilot_edit(company=own, by=by, pilot=unit.pilot, name="Bob"),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("is_open", [False, True])
def test_undecided_match_locks_its_units_and_pilots(match, act, is_open):
    submit_list(match, 0, 2)
    if is_open:
        submit_list(match, 1)
    own, unit = company(match), first_unit(match)
    before = own.ledger.count()
    word = "fielded in" if is_open else "in your list for"
    why = rf"is {word} round 1, match 1 against {company(match, 1).name},? (and stays locked )?until that"
    with pytest.raises(RefusedError, match=rf"\b(WASP|Pilot 1) {why}"):  # the refusal names the unit or the pilot
        ACTS[act](own, unit, own.owner)
    assert own.ledger.count() == before
    assert list(differences(own)) == []
    unit.refresh_from_db()
    assert (unit.status, unit.name, unit.pilot.name) == ("ready", "WASP", "Pilot 1")


@pytest.mark.parametrize("act", ACTS)
def test_decided_match_unlocks_its_units(match, act):
    submit_list(match, 0, 2)
    match_rule(match=match, verdict="void", reason="It never was.", by=a_member(match.round.campaign.club, "arbiter"))
    ACTS[act](company(match), first_unit(match), company(match).owner)


def test_unsubmitted_units_can_be_changed(match):
    submit_list(match, 0, 2)
    own = company(match)
    spare = own.units.get(pilot__name="Spare")
    rosters.pilot_assign(company=own, by=own.owner, unit=spare, pilot=own.pilots.get(name="Bench"))
    assert rosters.unit_sell(company=own, by=own.owner, unit=spare) == 9


def test_list_hash_dates_from_the_last_submission(match):
    submit_list(match)
    hour = timedelta(hours=1)
    match.sealed.update(submitted_at=timezone.now() - hour)
    assert timezone.now() - submit_list(match, most=1).sealed.get().submitted_at < hour


def test_act_behind_a_submitted_unit_cannot_be_undone(match):
    own = company(match)
    last = first_unit(match).pilot
    unit = own.units.get(pilot__name="Spare")
    rosters.pilot_assign(company=own, by=own.owner, unit=unit, pilot=last)
    list_submit(match=match, side=0, units=[unit.pk], doctrine="cautious", by=own.owner)
    with pytest.raises(RefusedError, match="is in your list for round 1, match 1"):
        rosters.undo_last_act(company=own, by=own.owner)
    page = signed_in(own.owner).get(reverse("rosters:company", args=[own.pk])).content.decode()
    assert "Undo last change…" not in page
    list_withdraw(match=match, side=0, by=own.owner)
    rosters.undo_last_act(company=own, by=own.owner)
    unit.refresh_from_db()
    assert unit.pilot.name == "Spare"


def test_company_with_an_open_match_can_withdraw_only(match):
    own = company(match)
    with pytest.raises(
        RefusedError, match="still has to play round 1, match 1 against .* You can disband it once that"
    ):
        rosters.company_disband(company=own, by=own.owner)
    enrolments.enrolment_withdraw(enrolment=match.attacker, by=own.owner)
    submit_list(match, 0)
    assert submit_list(match, 1).setup is not None  # the match is still played
    planned = a_match(a_round(a_campaign(name="Autumn War", club=match.round.campaign.club), "planned"))
    rosters.company_disband(company=company(planned), by=company(planned).owner)


def test_list_from_autoplay_orders_is_locked_after_the_reveal(match):
    lists_reveal(match=match)
    own = company(match)
    with pytest.raises(RefusedError, match="is fielded in round 1, match 1"):
        rosters.unit_sell(company=own, by=own.owner, unit=first_unit(match))


def test_undo_reveals_a_submitted_list_only_to_the_owner(match):
    """The last unit bought is first left at home, then submitted. Other readers' answers and ETags must be equal."""
    own, club = company(match), match.round.campaign.club
    own.visibility = "public"
    own.save()
    readers = [company(match, 1).owner, a_member(club, "arbiter"), club.memberships.get(role="organiser").player, None]
    newest, _ = a_crewed_unit(own, pilot="Newest")
    others = list(own.units.filter(status="ready").exclude(pk=newest.pk).values_list("pk", flat=True))[:2]

    def read(reader):
        client = Client()
        if reader is not None:
            client.force_login(reader)
        answer = client.get(reverse("api-company", args=[own.pk]))
        return answer.json(), answer["ETag"]

    answers = {}
    for submitted in (others, [newest.pk]):
        list_submit(match=match, side=0, units=submitted, doctrine="cautious", by=own.owner)
        answers[len(answers)] = [read(reader) for reader in readers], read(own.owner)
    assert answers[0][0] == answers[1][0]
    assert [answer["undo"] for answer, _ in answers[1][0]] == [None] * len(readers)
    assert answers[0][1][0]["undo"]["refusal"] == ""
    assert "in your list for" in answers[1][1][0]["undo"]["refusal"]


def test_skill_choice_waits_while_the_unit_is_submitted(match):
    own, pilot = company(match), first_unit(match).pilot
    roll = {"seed": "1", "face": 6, "bonus": 0, "needed": 5, "gained": True, "default": "accuracy"}
    LedgerEntry.objects.create(
        company=own, act=match.key, kind="skill-rolled", pilot=pilot, facts=roll, cause="result", cause_ref="x"
    )
    submit_list(match, 0)
    with pytest.raises(RefusedError, match="is in your list for"):
        rosters.pilot_learn(company=own, by=own.owner, pilot=pilot, skill="accuracy")
    submit_list(match, 1)
    rosters.pilot_learn(company=own, by=own.owner, pilot=pilot, skill="maneuver")


# --- withdrawing a list -----------------------------------------------------------------------------------------------


def test_list_can_be_withdrawn_until_the_reveal(match):
    own = company(match)
    with pytest.raises(RefusedError, match="You have no list to withdraw"):
        list_withdraw(match=match, side=0, by=own.owner)
    submit_list(match, 0)
    list_withdraw(match=match, side=0, by=own.owner)
    assert ActivityLogEntry.objects.filter(match=match).first().text == (
        f"{own.name} withdrew its list for Round 1, {match}"
    )
    rosters.unit_sell(company=own, by=own.owner, unit=first_unit(match))
    submit_list(match, 0)
    submit_list(match, 1)
    with pytest.raises(RefusedError, match="already revealed"):
        list_withdraw(match=match, side=0, by=own.owner)


def test_planned_round_refuses_lists():
    match = a_match(a_round(a_campaign(), "planned"))
    with pytest.raises(RefusedError, match="Round 1 hasn't been published yet"):
        submit_list(match)


def test_player_can_submit_by_autoplay_orders(match):
    match.attacker.orders = {"doctrine": "cautious"}
    match.attacker.save()
    submit_list(match, 1)
    opened = list_submit_by_orders(match=match, side=0, by=company(match).owner)
    assert len(opened.forces[0]) == 3
    assert opened.setup["sides"][0]["doctrine"] == "cautious"


# --- only one's own fault ---------------------------------------------------------------------------------------------


def unseat_pilot(match, side=0):
    """Take the pilot out of the first submitted unit, as a ruling on an earlier match may."""
    Unit.objects.filter(pk=first_unit(match, side).pk).update(pilot=None)


def test_impossible_list_is_voided_and_the_other_stays(match):
    submit_list(match, 0, 1)
    unseat_pilot(match)
    after = submit_list(match, 1)
    assert after.setup is None
    assert {row.side: row.fell for row in match.sealed.all()} == {0: "WASP has no pilot (MM-011).", 1: ""}
    text = f"The list of {company(match).name} for Round 1, {match} no longer counts: it is no longer legal"
    assert match.activity.get().text == text  # members read it, and the other side is one of them
    page = reverse("campaigns:match", args=[match.key])
    assert "WASP has no pilot" in signed_in(company(match).owner).get(page).content.decode()
    assert "WASP has no pilot" not in signed_in(company(match, 1).owner).get(page).content.decode()
    (item,) = [each for each in waiting_for(company(match).owner) if each.about == str(match)]
    assert (item.kind, item.what) == ("reseal", "Submit your list again: it is no longer valid")
    units = [company(match).units.get(pilot__name="Spare").pk]
    opened = list_submit(match=match, side=0, units=units, doctrine="cautious", by=company(match).owner)
    assert [len(force) for force in opened.forces] == [1, 3]
    assert not opened.sealed.exclude(fell="").exists()


def test_decided_match_asks_for_no_new_list(match):
    submit_list(match)
    list_withdraw(match=match, side=0, by=company(match).owner)
    page, request_text = (
        reverse("campaigns:match", args=[match.key]),
        "Your list no longer counts. Submit a new one before the deadline",
    )
    assert request_text in signed_in(company(match).owner).get(page).content.decode()
    match_rule(match=match, verdict="void", reason="It never was.", by=a_member(match.round.campaign.club, "arbiter"))
    assert request_text not in signed_in(company(match).owner).get(page).content.decode()


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("forfeit", ("forfeited", "defender")), ("draw", ("forfeited", "draw")), ("orders", ("auto-resolved", None))],
)
def test_voided_list_counts_against_its_own_side(rule, expected):
    match = a_match(a_round(a_campaign(absent_rule=rule)))
    submit_list(match, 0, 1)
    unseat_pilot(match)
    submit_list(match, 1)
    close_round(match.round)
    state, outcome, _ = fate(match)
    assert (state, outcome if rule != "orders" else None) == expected
    assert not match.flag
    if rule == "orders":
        assert [len(force) for force in match.forces] == [
            1,
            2,
        ]  # the other unit of the first side, and both units of the other side


def test_side_without_a_list_forfeits_to_the_other():
    match = a_match(a_round(a_campaign(absent_rule="orders")))
    submit_list(match, 1)
    company(match).units.update(pilot=None)
    close_round(match.round)
    assert fate(match)[:2] == ("forfeited", "defender")


# --- revealing --------------------------------------------------------------------------------------------------------


def reveal_as(match, side):
    by = company(match, side).owner if side is not None else a_member(match.round.campaign.club, "arbiter")
    return match_reveal_lists(match=match, side=side, by=by)


@pytest.mark.parametrize("side", [0, 1, None])
@pytest.mark.parametrize("seals_forces", [True, False])
def test_nobody_reveals_before_both_have_submitted(side, seals_forces):
    match = a_match(a_round(a_campaign(seals_forces=seals_forces)))
    submit_list(match, 0)
    with pytest.raises(RefusedError, match=f"{company(match, 1).name} has not submitted a list") as refused:
        reveal_as(match, side)
    assert refused.value.field == "forces"
    assert submit_list(match, 1).setup is not None


def test_arbiters_own_version_needs_both_lists_too():
    match = a_match()
    submit_list(match, 0)
    arbiter = a_member(match.round.campaign.club, "arbiter")
    own = {"muster": "report/1", "winner": "attacker", "units": {}}
    with pytest.raises(RefusedError, match="has not submitted a list"):
        match_rule(match=match, verdict="own", reason="I was there.", by=arbiter, content=own)
    match_rule(match=pass_deadline(match), verdict="own", reason="I was there.", by=arbiter, content=own)
    assert fate(match)[:2] == ("ruled", "attacker")


def test_side_with_a_list_reveals_after_the_deadline():
    match = a_match()
    submit_list(match, 0, 1)
    pass_deadline(match)
    with pytest.raises(RefusedError, match="and your side has submitted no list. An arbiter decides the match"):
        reveal_as(match, 1)
    assert [len(force) for force in reveal_as(match, 0).forces] == [1, 2]


def test_report_after_the_deadline_does_not_stand_alone():
    match = a_match()
    submit_list(match, 0)
    opened = reveal_as(pass_deadline(match), 0)
    content = {"muster": "report/1", "winner": "attacker", "units": {}}
    report_make(match=opened, side=0, content=content, by=company(match).owner)
    close_round(match.round)
    assert fate(match) == ("forfeited", "attacker", "deadline")
    assert not company(match).ledger.filter(kind="game").exists()


# --- pages and API ----------------------------------------------------------------------------------------------------


def signed_in(player):
    client = Client()
    client.force_login(player)
    return client


def test_pages_show_the_lock_to_the_owner(match):
    submit_list(match, 0, 2)
    own, unit = company(match), first_unit(match)
    client = signed_in(own.owner)
    path = reverse("rosters:unit", args=[own.pk, unit.pk])
    page = client.get(path).content.decode()
    assert f"WASP is in your list for round 1, match 1 against {company(match, 1).name}" in page
    assert "Sell…" not in page
    assert "Assign pilot" not in page
    pilot = client.get(reverse("rosters:pilot", args=[own.pk, unit.pilot.pk])).content.decode()
    assert "Pilot 1 is in your list for" in pilot
    assert "Retire…" not in pilot
    roster = client.get(reverse("rosters:company", args=[own.pk])).content.decode()
    assert roster.count("> locked<") == 4  # two units and their pilots
    settings = client.get(reverse("rosters:company_settings", args=[own.pk])).content.decode()
    assert "Disband…" not in settings
    theirs = signed_in(company(match, 1).owner).get(reverse("rosters:company", args=[own.pk])).content.decode()
    assert own.name in theirs
    assert "locked" not in theirs
    answer = client.post(reverse("rosters:unit_sell", args=[own.pk, unit.pk]), follow=True)
    assert "WASP is in your list for round 1" in answer.content.decode()
    assert own.units.get(pk=unit.pk).status == "ready"


def test_api_refuses_locked_units_and_withdraws_a_list(match):
    submit_list(match, 0)
    own, unit = company(match), first_unit(match)
    client = signed_in(own.owner)
    answer = client.post(reverse("api-unit-sell", args=[own.pk, unit.pk]))
    assert answer.status_code == 422
    assert "is in your list for round 1, match 1" in answer.json()["errors"][0]["reason"]
    forces = reverse("api-match-forces", args=[match.key])
    assert signed_in(company(match, 1).owner).delete(forces).status_code == 422
    answer = client.delete(forces)
    assert answer.status_code == 200
    assert [each["hash"] for each in answer.json()["seals"]] == ["", ""]
    assert client.delete(forces).json()["errors"][0]["reason"] == "You have no list to withdraw."


def test_list_page_withdraws_a_list_and_submits_orders(match):
    submit_list(match, 0)
    client = signed_in(company(match).owner)
    path = reverse("campaigns:match_forces", args=[match.key])
    assert "Withdraw list" in client.get(path).content.decode()
    answer = client.post(reverse("campaigns:match_forces_withdraw", args=[match.key]), follow=True)
    assert "Your list is withdrawn." in answer.content.decode()
    assert "Submit by autoplay orders" in answer.content.decode()
    answer = client.post(reverse("campaigns:match_forces_orders", args=[match.key]), follow=True)
    assert "list submitted" in answer.content.decode()
    assert match.sealed.get().document["units"] == list(company(match).units.values_list("pk", flat=True))


def test_report_page_names_the_missing_list(match):
    submit_list(match, 0)
    client = signed_in(company(match).owner)
    path = reverse("campaigns:match_report", args=[match.key])
    page = client.get(path).content.decode()
    assert f"{company(match, 1).name} has not submitted a list yet" in page
    assert "Reveal lists" not in page
    answer = client.post(path, {"do": "open"}, follow=True)
    assert "has not submitted a list" in answer.content.decode()
    match.refresh_from_db()
    assert match.setup is None
    pass_deadline(match)
    assert "Reveal lists" in client.get(path).content.decode()


@pytest.mark.parametrize(("seals_forces", "seen"), [(True, False), (False, True)])
def test_open_lists_are_visible_to_the_opponent(seals_forces, seen):
    match = a_match(a_round(a_campaign(seals_forces=seals_forces)))
    submit_list(match, 0, 1)
    path = reverse("campaigns:match", args=[match.key])
    found = re.search(r"List:</span> WASP</p>", signed_in(company(match, 1).owner).get(path).content.decode())
    assert bool(found) is seen
    assert "List:</span> WASP" in signed_in(company(match).owner).get(path).content.decode()


def test_former_member_still_plays_the_match():
    campaign = a_campaign(is_public=False)
    match = a_match(a_round(campaign))
    campaign.club.memberships.filter(player=company(match).owner).delete()
    path = reverse("campaigns:match_forces", args=[match.key])
    assert signed_in(company(match).owner).get(path).status_code == 200


@pytest.mark.slow
def test_company_page_queries_do_not_grow_with_matches(django_assert_max_num_queries):
    campaign = a_campaign()
    match = a_match(a_round(campaign))
    submit_list(match, 0)
    client = signed_in(company(match).owner)
    path = reverse("rosters:company", args=[company(match).pk])
    few = queries(client, path)
    for _ in range(4):
        submit_list(a_match(a_round(campaign), match.attacker, match.defender), 0)
    assert queries(client, path) == few <= 15


def queries(client, path):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200
    return len(asked)


# --- races ------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_concurrent_sale_and_submission_succeed_once():
    row = a_round(a_campaign())
    for _ in range(3):
        match = a_match(row)
        own, unit = company(match), first_unit(match)
        units = list(own.units.values_list("pk", flat=True))
        acts = iter(range(20))

        def act(own=own, unit=unit, units=units, acts=acts, match=match):
            if next(acts) % 2:
                rosters.unit_sell(company=own, by=own.owner, unit=unit)
            else:
                list_submit(match=match, side=0, units=units, doctrine="cautious", by=own.owner)

        at_once(act)
        unit.refresh_from_db()
        is_sealed = match.sealed.filter(side=0, fell="").exists()
        assert (unit.status, is_sealed) in (("sold", False), ("ready", True))
        assert list(differences(own)) == []


def test_api_shows_a_voided_lists_reason_to_its_player(match):
    own, forces = company(match), reverse("api-match-forces", args=[match.key])
    client = signed_in(own.owner)
    refused = client.post(forces, {"orders": True, "units": [1]}, "application/json")
    assert refused.status_code == 400
    assert client.post(forces, {}, "application/json").status_code == 400
    assert client.post(forces, {"orders": True}, "application/json").status_code == 200
    assert match.sealed.get().document["units"] == list(own.units.values_list("pk", flat=True))
    answer = client.delete(forces)
    assert [each["fell"] for each in answer.json()["seals"]] == ["You took it back.", ""]
    theirs = signed_in(company(match, 1).owner).get(forces).json()
    assert [each["fell"] for each in theirs["seals"]] == ["", ""]


def test_api_reveals_after_the_deadline_for_the_side_with_a_list(match):
    submit_list(match, 0)
    path = reverse("api-match-forces-reveal", args=[match.key])
    client = signed_in(company(match).owner)
    answer = client.post(path)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["reason"].startswith(f"{company(match, 1).name} has not submitted a list")
    match.round.deadline = timezone.now() - timedelta(hours=1)
    match.round.save(update_fields=["deadline"])
    assert signed_in(company(match, 1).owner).post(path).status_code == 422
    assert client.post(path).json()["is_open"] is True
