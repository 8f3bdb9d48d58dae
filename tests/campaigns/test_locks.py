"""What is sealed or open in a match stays as it is until the match is decided; the other side never pays for a seal."""

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.enrolments import services as enrolments
from campaigns.models import DiaryEntry, Round
from campaigns.musters.forces import force_seal, force_seal_by_orders, force_withdraw, forces_open
from campaigns.results.rulings import match_rule
from campaigns.results.services import match_open_forces, report_make
from rosters import services as rosters
from rosters.ledger.reconcile import differences
from rosters.models import LedgerEntry, Unit
from rosters.services import RefusedError
from tests.builders import a_crewed_unit, a_pilot
from tests.campaigns.builders import a_campaign, a_match, a_member, a_round, waiting_for
from tests.campaigns.test_closing import closed, fate
from tests.rosters.test_races import at_once

pytestmark = pytest.mark.django_db


def company(match, side=0):
    return (match.attacker, match.defender)[side].company


def seal(match, side=0, most=None):
    """Seals the first units of a side; all of them without a number."""
    units = list(company(match, side).units.filter(status="ready").values_list("pk", flat=True))[:most]
    return force_seal(match=match, side=side, units=units, doctrine="cautious", by=company(match, side).owner)


def first_unit(match, side=0):
    return company(match, side).units.order_by("pk").first()


def late(match):
    """The deadline of the match's round has passed, and nobody has closed the round yet."""
    Round.objects.filter(pk=match.round.pk).update(deadline=timezone.now() - timedelta(minutes=1))
    match.round.refresh_from_db()
    return match


@pytest.fixture
def match():
    """A match of two companies with a spare WASP and a spare pilot each; the first attacker is damaged by a game before."""
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
    "rename its pilot": lambda own, unit, by: rosters.pilot_rename(company=own, by=by, pilot=unit.pilot, name="Bob"),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("is_open", [False, True])
def test_no_act_changes_what_is_in_an_undecided_match(match, act, is_open):
    seal(match, 0, 2)
    if is_open:
        seal(match, 1)
    own, unit = company(match), first_unit(match)
    before = own.ledger.count()
    word = "fielded in" if is_open else "sealed for"
    why = rf"is {word} round 1, match 1 against {company(match, 1).name}, until that"
    with pytest.raises(RefusedError, match=rf"\b(WASP|Pilot 1) {why}"):  # called as they are called
        ACTS[act](own, unit, own.owner)
    assert own.ledger.count() == before
    assert list(differences(own)) == []
    unit.refresh_from_db()
    assert (unit.status, unit.name, unit.pilot.name) == ("ready", "WASP", "Pilot 1")


@pytest.mark.parametrize("act", ACTS)
def test_every_act_is_free_again_once_the_match_is_decided(match, act):
    seal(match, 0, 2)
    match_rule(match=match, verdict="void", reason="It never was.", by=a_member(match.round.campaign.club, "arbiter"))
    ACTS[act](company(match), first_unit(match), company(match).owner)


def test_what_was_not_sealed_can_be_changed(match):
    seal(match, 0, 2)
    own = company(match)
    spare = own.units.get(pilot__name="Spare")
    rosters.pilot_assign(company=own, by=own.owner, unit=spare, pilot=own.pilots.get(name="Bench"))
    assert rosters.unit_sell(company=own, by=own.owner, unit=spare) == 9


def test_the_hash_of_a_force_is_as_old_as_its_last_seal(match):
    seal(match)
    hour = timedelta(hours=1)
    match.sealed.update(at=timezone.now() - hour)
    assert timezone.now() - seal(match, most=1).sealed.get().at < hour


def test_an_act_that_made_what_is_sealed_is_not_undone(match):
    own = company(match)
    last = first_unit(match).pilot
    unit = own.units.get(pilot__name="Spare")
    rosters.pilot_assign(company=own, by=own.owner, unit=unit, pilot=last)
    force_seal(match=match, side=0, units=[unit.pk], doctrine="cautious", by=own.owner)
    with pytest.raises(RefusedError, match="is sealed for round 1, match 1"):
        rosters.undo_last_act(company=own, by=own.owner)
    page = signed_in(own.owner).get(reverse("rosters:company", args=[own.pk])).content.decode()
    assert "Undo the last act…" not in page
    force_withdraw(match=match, side=0, by=own.owner)
    rosters.undo_last_act(company=own, by=own.owner)
    unit.refresh_from_db()
    assert unit.pilot.name == "Spare"


def test_a_company_with_a_match_to_play_is_not_disbanded_but_may_withdraw(match):
    own = company(match)
    with pytest.raises(RefusedError, match="has round 1, match 1 against .* to play. It can be disbanded once that"):
        rosters.company_disband(company=own, by=own.owner)
    enrolments.enrolment_withdraw(enrolment=match.attacker, by=own.owner)
    seal(match, 0)
    assert seal(match, 1).setup is not None  # the match is played all the same
    planned = a_match(a_round(a_campaign(name="Autumn War", club=match.round.campaign.club), "planned"))
    rosters.company_disband(company=company(planned), by=company(planned).owner)


def test_what_comes_by_orders_is_locked_once_the_forces_are_open(match):
    forces_open(match=match)
    own = company(match)
    with pytest.raises(RefusedError, match="is fielded in round 1, match 1"):
        rosters.unit_sell(company=own, by=own.owner, unit=first_unit(match))


def test_nobody_but_the_owner_reads_what_an_undo_says_of_a_submitted_list(match):
    """The unit bought last is left at home, then submitted: no reader's answer and no ETag may differ."""
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
        force_seal(match=match, side=0, units=submitted, doctrine="cautious", by=own.owner)
        answers[len(answers)] = [read(reader) for reader in readers], read(own.owner)
    assert answers[0][0] == answers[1][0]
    assert [answer["undo"] for answer, _ in answers[1][0]] == [None] * len(readers)
    assert answers[0][1][0]["undo"]["refusal"] == ""
    assert "sealed for" in answers[1][1][0]["undo"]["refusal"]


def test_a_skill_is_chosen_when_the_set_up_stands_and_not_while_it_is_sealed(match):
    own, pilot = company(match), first_unit(match).pilot
    roll = {"seed": "1", "face": 6, "bonus": 0, "needed": 5, "gained": True, "default": "accuracy"}
    LedgerEntry.objects.create(
        company=own, act=match.key, kind="skill-rolled", pilot=pilot, facts=roll, cause="result", cause_ref="x"
    )
    seal(match, 0)
    with pytest.raises(RefusedError, match="is sealed for"):
        rosters.pilot_learn(company=own, by=own.owner, pilot=pilot, skill="accuracy")
    seal(match, 1)
    rosters.pilot_learn(company=own, by=own.owner, pilot=pilot, skill="maneuver")


# --- taking a seal back -----------------------------------------------------------------------------------------------


def test_a_seal_is_taken_back_until_the_forces_are_open(match):
    own = company(match)
    with pytest.raises(RefusedError, match="no seal of yours"):
        force_withdraw(match=match, side=0, by=own.owner)
    seal(match, 0)
    force_withdraw(match=match, side=0, by=own.owner)
    assert DiaryEntry.objects.filter(match=match).first().text == (
        f"{own.name} took back what it had sealed for Round 1, {match}"
    )
    rosters.unit_sell(company=own, by=own.owner, unit=first_unit(match))
    seal(match, 0)
    seal(match, 1)
    with pytest.raises(RefusedError, match="open already"):
        force_withdraw(match=match, side=0, by=own.owner)


def test_nothing_is_sealed_before_the_round_is_open():
    match = a_match(a_round(a_campaign(), "planned"))
    with pytest.raises(RefusedError, match="Round 1 has not been opened yet"):
        seal(match)


def test_what_standing_orders_bring_can_be_sealed_in_so_many_words(match):
    match.attacker.orders = {"doctrine": "cautious"}
    match.attacker.save()
    seal(match, 1)
    opened = force_seal_by_orders(match=match, side=0, by=company(match).owner)
    assert len(opened.forces[0]) == 3
    assert opened.setup["sides"][0]["doctrine"] == "cautious"


# --- own fault only ---------------------------------------------------------------------------------------------------


def ruined(match, side=0):
    """The first unit of the side's seal loses its pilot, as a ruling on an earlier match could have it."""
    Unit.objects.filter(pk=first_unit(match, side).pk).update(pilot=None)


def test_a_seal_that_became_impossible_falls_and_the_other_side_stands(match):
    seal(match, 0, 1)
    ruined(match)
    after = seal(match, 1)
    assert after.setup is None
    assert {row.side: row.fell for row in match.sealed.all()} == {0: "WASP has no pilot (MM-011).", 1: ""}
    told = f"The seal of {company(match).name} for Round 1, {match} fell: what it held can't come any more"
    assert match.diary.get().text == told  # members read it, and the other side is one
    page = reverse("campaigns:match", args=[match.key])
    assert "WASP has no pilot" in signed_in(company(match).owner).get(page).content.decode()
    assert "WASP has no pilot" not in signed_in(company(match, 1).owner).get(page).content.decode()
    (item,) = [each for each in waiting_for(company(match).owner) if each.about == str(match)]
    assert (item.kind, item.what) == ("reseal", "Seal anew: what you had sealed doesn't count any more")
    units = [company(match).units.get(pilot__name="Spare").pk]
    opened = force_seal(match=match, side=0, units=units, doctrine="cautious", by=company(match).owner)
    assert [len(force) for force in opened.forces] == [1, 3]
    assert not opened.sealed.exclude(fell="").exists()


def test_nobody_is_asked_to_seal_anew_for_a_match_that_is_decided(match):
    seal(match)
    force_withdraw(match=match, side=0, by=company(match).owner)
    page, anew = reverse("campaigns:match", args=[match.key]), "seal again before the deadline"
    assert anew in signed_in(company(match).owner).get(page).content.decode()
    match_rule(match=match, verdict="void", reason="It never was.", by=a_member(match.round.campaign.club, "arbiter"))
    assert anew not in signed_in(company(match).owner).get(page).content.decode()


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("forfeit", ("forfeited", "defender")), ("draw", ("forfeited", "draw")), ("orders", ("auto-resolved", None))],
)
def test_a_fallen_seal_is_its_own_sides_loss_at_the_deadline(rule, expected):
    match = a_match(a_round(a_campaign(absent_rule=rule)))
    seal(match, 0, 1)
    ruined(match)
    seal(match, 1)
    closed(match.round)
    state, outcome, _ = fate(match)
    assert (state, outcome if rule != "orders" else None) == expected
    assert not match.flag
    if rule == "orders":
        assert [len(force) for force in match.forces] == [1, 2]  # its other unit, and both of the side that sealed


def test_a_side_that_can_bring_nothing_any_more_forfeits_and_the_sealed_one_wins():
    match = a_match(a_round(a_campaign(absent_rule="orders")))
    seal(match, 1)
    company(match).units.update(pilot=None)
    closed(match.round)
    assert fate(match)[:2] == ("forfeited", "defender")


# --- opening ----------------------------------------------------------------------------------------------------------


def opened_by(match, side):
    by = company(match, side).owner if side is not None else a_member(match.round.campaign.club, "arbiter")
    return match_open_forces(match=match, side=side, by=by)


@pytest.mark.parametrize("side", [0, 1, None])
@pytest.mark.parametrize("seals_forces", [True, False])
def test_nobody_opens_what_the_other_side_can_still_choose(side, seals_forces):
    match = a_match(a_round(a_campaign(seals_forces=seals_forces)))
    seal(match, 0)
    with pytest.raises(RefusedError, match=f"{company(match, 1).name} has not submitted a list") as refused:
        opened_by(match, side)
    assert refused.value.field == "forces"
    assert seal(match, 1).setup is not None


def test_an_arbiters_own_version_does_not_open_them_either():
    match = a_match()
    seal(match, 0)
    arbiter = a_member(match.round.campaign.club, "arbiter")
    own = {"muster": "report/1", "winner": "attacker", "units": {}}
    with pytest.raises(RefusedError, match="has not submitted a list"):
        match_rule(match=match, verdict="own", reason="I was there.", by=arbiter, content=own)
    match_rule(match=late(match), verdict="own", reason="I was there.", by=arbiter, content=own)
    assert fate(match)[:2] == ("ruled", "attacker")


def test_after_the_deadline_the_side_that_sealed_opens_them_and_the_other_comes_by_orders():
    match = a_match()
    seal(match, 0, 1)
    late(match)
    with pytest.raises(RefusedError, match="your side has submitted no list; an arbiter decides"):
        opened_by(match, 1)
    assert [len(force) for force in opened_by(match, 0).forces] == [1, 2]


def test_a_report_made_after_the_deadline_does_not_stand_by_itself():
    match = a_match()
    seal(match, 0)
    opened = opened_by(late(match), 0)
    told = {"muster": "report/1", "winner": "attacker", "units": {}}
    report_make(match=opened, side=0, content=told, by=company(match).owner)
    closed(match.round)
    assert fate(match) == ("forfeited", "attacker", "deadline")
    assert not company(match).ledger.filter(kind="game").exists()


# --- pages and API ----------------------------------------------------------------------------------------------------


def signed_in(player):
    client = Client()
    client.force_login(player)
    return client


def test_pages_show_the_lock_to_the_owner_and_offer_nothing(match):
    seal(match, 0, 2)
    own, unit = company(match), first_unit(match)
    client = signed_in(own.owner)
    path = reverse("rosters:unit", args=[own.pk, unit.pk])
    page = client.get(path).content.decode()
    assert f"WASP is sealed for round 1, match 1 against {company(match, 1).name}" in page
    assert "Sell…" not in page
    assert "Assign the pilot" not in page
    pilot = client.get(reverse("rosters:pilot", args=[own.pk, unit.pilot.pk])).content.decode()
    assert "Pilot 1 is sealed for" in pilot
    assert "Retire…" not in pilot
    roster = client.get(reverse("rosters:company", args=[own.pk])).content.decode()
    assert roster.count("> locked<") == 4  # two units and their pilots
    settings = client.get(reverse("rosters:company_settings", args=[own.pk])).content.decode()
    assert "Disband the company" not in settings
    theirs = signed_in(company(match, 1).owner).get(reverse("rosters:company", args=[own.pk])).content.decode()
    assert own.name in theirs
    assert "locked" not in theirs
    answer = client.post(reverse("rosters:unit_sell", args=[own.pk, unit.pk]), follow=True)
    assert "WASP is sealed for round 1" in answer.content.decode()
    assert own.units.get(pk=unit.pk).status == "ready"


def test_the_api_refuses_with_the_reason_and_takes_a_seal_back(match):
    seal(match, 0)
    own, unit = company(match), first_unit(match)
    client = signed_in(own.owner)
    answer = client.post(reverse("api-unit-sell", args=[own.pk, unit.pk]))
    assert answer.status_code == 422
    assert "is sealed for round 1, match 1" in answer.json()["errors"][0]["reason"]
    forces = reverse("api-match-forces", args=[match.key])
    assert signed_in(company(match, 1).owner).delete(forces).status_code == 422
    answer = client.delete(forces)
    assert answer.status_code == 200
    assert [each["hash"] for each in answer.json()["seals"]] == ["", ""]
    assert client.delete(forces).json()["errors"][0]["reason"] == "There is no seal of yours to take back."


def test_a_seal_is_taken_back_on_its_page_and_orders_are_sealed_there(match):
    seal(match, 0)
    client = signed_in(company(match).owner)
    path = reverse("campaigns:match_forces", args=[match.key])
    assert "Take your seal back" in client.get(path).content.decode()
    answer = client.post(reverse("campaigns:match_forces_withdraw", args=[match.key]), follow=True)
    assert "Your seal is taken back." in answer.content.decode()
    assert "Seal what my standing orders bring" in answer.content.decode()
    answer = client.post(reverse("campaigns:match_forces_orders", args=[match.key]), follow=True)
    assert "force sealed" in answer.content.decode()
    assert match.sealed.get().document["units"] == list(company(match).units.values_list("pk", flat=True))


def test_the_page_of_a_report_says_whose_choice_it_still_is(match):
    seal(match, 0)
    client = signed_in(company(match).owner)
    path = reverse("campaigns:report", args=[match.key])
    page = client.get(path).content.decode()
    assert f"{company(match, 1).name} has not submitted a list yet" in page
    assert "open the forces" not in page
    answer = client.post(path, {"do": "open"}, follow=True)
    assert "has not submitted a list" in answer.content.decode()
    match.refresh_from_db()
    assert match.setup is None
    late(match)
    assert "open the forces" in client.get(path).content.decode()


@pytest.mark.parametrize(("seals_forces", "seen"), [(True, False), (False, True)])
def test_where_forces_are_not_hidden_the_other_side_sees_what_is_sealed(seals_forces, seen):
    match = a_match(a_round(a_campaign(seals_forces=seals_forces)))
    seal(match, 0, 1)
    path = reverse("campaigns:match", args=[match.key])
    found = re.search(r"Brings</span> WASP</p>", signed_in(company(match, 1).owner).get(path).content.decode())
    assert bool(found) is seen
    assert "Brings</span> WASP" in signed_in(company(match).owner).get(path).content.decode()


def test_a_side_that_is_no_member_any_more_still_plays_its_match():
    campaign = a_campaign(is_public=False)
    match = a_match(a_round(campaign))
    campaign.club.memberships.filter(player=company(match).owner).delete()
    path = reverse("campaigns:match_forces", args=[match.key])
    assert signed_in(company(match).owner).get(path).status_code == 200


def test_the_page_of_a_company_asks_no_more_however_many_matches_hold_it(django_assert_max_num_queries):
    campaign = a_campaign()
    match = a_match(a_round(campaign))
    seal(match, 0)
    client = signed_in(company(match).owner)
    path = reverse("rosters:company", args=[company(match).pk])
    few = queries(client, path)
    for _ in range(4):
        seal(a_match(a_round(campaign), match.attacker, match.defender), 0)
    assert queries(client, path) == few <= 15


def queries(client, path):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200
    return len(asked)


# --- at once ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_selling_and_sealing_at_once_exactly_one_has_its_way():
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
                force_seal(match=match, side=0, units=units, doctrine="cautious", by=own.owner)

        at_once(act)
        unit.refresh_from_db()
        is_sealed = match.sealed.filter(side=0, fell="").exists()
        assert (unit.status, is_sealed) in (("sold", False), ("ready", True))
        assert list(differences(own)) == []


def test_the_api_seals_standing_orders_and_says_why_a_seal_fell_to_its_player_alone(match):
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


def test_the_api_opens_forces_after_the_deadline_for_a_side_that_has_sealed(match):
    seal(match, 0)
    path = reverse("api-match-forces-open", args=[match.key])
    client = signed_in(company(match).owner)
    answer = client.post(path)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["reason"].startswith(f"{company(match, 1).name} has not submitted a list")
    match.round.deadline = timezone.now() - timedelta(hours=1)
    match.round.save(update_fields=["deadline"])
    assert signed_in(company(match, 1).owner).post(path).status_code == 422
    assert client.post(path).json()["is_open"] is True
