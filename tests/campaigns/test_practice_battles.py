"""A campaign decides what its companies' ledgers record: its own battles, and no practice."""

import json
from html import unescape

import pytest
from django.urls import reverse

from battles.models import Battle
from battles.services.battles import battle_queue, battle_simulate, battle_take_back_effects, battle_write_effects
from battles.services.results import battle_log_result
from campaigns.army_lists.services import lists_reveal
from campaigns.campaign.services import campaign_move
from campaigns.corrections.adjustment_plan import Adjustment
from campaigns.corrections.services import adjustment_create, adjustment_preview, adjustment_undo
from campaigns.enrolments.services import enrolment_accept, enrolment_ask, enrolment_decline, enrolment_withdraw
from campaigns.models import Enrolment, Match
from campaigns.results.services import match_confirm, report_make
from rosters.services import RefusedError
from systems.report_fields import UnitFate
from tests.battles.builders import company_battle
from tests.builders import a_token
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import FLAG, confirm_match, correct_match, report

pytestmark = pytest.mark.django_db
CLOSED = "enrolled in Spring War, so only that campaign's games count in its ledger"


def log_free_battle(company, enemy="wasp", seed=7):
    """Fight a practice battle with a chosen seed."""
    setup, forces = company_battle(company, enemy=enemy)
    battle = battle_queue(setup=setup, forces=forces, actor=company.owner, seed=seed)
    assert battle_simulate(battle=Battle.claim(battle.pk))
    battle.refresh_from_db()
    return battle


def entries(company):
    return company.ledger.count()


@pytest.mark.parametrize("state", ["mustering", "running"])
def test_practice_is_not_logged_to_an_enrolled_company(state):
    company = an_enrolment(a_campaign(state=state)).company
    battle, before = log_free_battle(company), entries(company)
    with pytest.raises(RefusedError, match=CLOSED):
        battle_write_effects(battle=battle, actor=company.owner)
    assert entries(company) == before


def test_practice_is_not_logged_while_enrolment_is_pending():
    campaign = a_campaign(state="mustering")
    enrolment = an_enrolment(campaign, state="asked")
    battle = log_free_battle(enrolment.company)
    with pytest.raises(RefusedError, match="has asked to join Spring War"):
        battle_write_effects(battle=battle, actor=enrolment.company.owner)
    enrolment_decline(enrolment=enrolment, by=campaign.club.memberships.get(role="organiser").player)
    assert battle_write_effects(battle=battle, actor=enrolment.company.owner) == 1


def test_battle_from_before_enrolment_stays_practice():
    company = a_mustered_company()
    battle = log_free_battle(company)
    campaign = a_campaign()
    an_enrolment(campaign, company)
    with pytest.raises(RefusedError, match=CLOSED):
        battle_write_effects(battle=battle, actor=company.owner)


def test_logged_result_cannot_be_undone_during_a_campaign():
    company = a_mustered_company()
    battle = log_free_battle(company)
    battle_write_effects(battle=battle, actor=company.owner)
    enrolment = an_enrolment(a_campaign(), company)
    before = entries(company)
    with pytest.raises(RefusedError, match=CLOSED):
        battle_take_back_effects(battle=battle, actor=company.owner)
    assert entries(company) == before
    Enrolment.objects.filter(pk=enrolment.pk).update(state="withdrawn")
    assert battle_take_back_effects(battle=battle, actor=company.owner) == 1


def test_finished_campaign_allows_logging():
    company = an_enrolment(a_campaign(state="finished")).company
    assert battle_write_effects(battle=log_free_battle(company), actor=company.owner) == 1


def test_battle_logged_by_hand_stays_practice():
    company = an_enrolment(a_campaign()).company
    setup, forces = company_battle(company)
    before = entries(company)
    unit = company.units.first()
    battle = battle_log_result(
        setup=setup,
        forces=forces,
        units={f"u{unit.pk}": UnitFate(kills=1), "b1": UnitFate(hits_lost=2, destroyed=True)},
        winner=company.name,
        actor=company.owner,
    )
    assert (battle.status, entries(company)) == ("done", before)


def test_battle_is_logged_to_the_unenrolled_company_only():
    enrolled = an_enrolment(a_campaign()).company
    free = a_mustered_company(enrolled.owner, name="Free Lances")
    battle = log_free_battle(enrolled)
    battle.sides.filter(position=1).update(
        company=free, force={"b1": {"unit": free.units.first().pk, "pilot": free.units.first().pilot_id}}
    )
    before = entries(enrolled)
    assert battle_write_effects(battle=battle, actor=enrolled.owner) == 1
    assert entries(enrolled) == before
    assert free.ledger.filter(cause="battle").exists()


def test_match_result_is_logged_to_both_companies():
    match = lists_reveal(match=a_match())
    content = {"muster": "report/1", "winner": "attacker", "units": {}}
    report_make(match=match, side=0, content=content, by=match.attacker.company.owner)
    made = match.reports.get()
    decided = match_confirm(match=match, side=1, report=made.pk, by=match.defender.company.owner)
    for company in (match.attacker.company, match.defender.company):
        assert company.ledger.filter(kind="game", cause_ref=str(decided.battle.key)).count() == 1


def test_withdrawn_company_that_logged_elsewhere_cannot_return():
    campaign = a_campaign()
    match = lists_reveal(match=a_match(a_round(campaign)))
    enrolment, owner = match.attacker, match.attacker.company.owner
    enrolment_withdraw(enrolment=enrolment, by=owner)
    Match.objects.filter(pk=match.pk).update(state="void")
    battle = log_free_battle(enrolment.company)
    battle_write_effects(battle=battle, actor=owner)
    with pytest.raises(RefusedError, match="has logged a battle elsewhere since it withdrew from Spring War"):
        enrolment_ask(campaign=campaign, company=enrolment.company, by=owner)
    battle_take_back_effects(battle=battle, actor=owner)
    assert enrolment_ask(campaign=campaign, company=enrolment.company, by=owner).state == "asked"


def test_withdrawn_company_adjusted_elsewhere_cannot_return():
    campaign, points = a_campaign(), [Adjustment(what="points", count=40)]
    match = a_match(a_round(campaign))
    enrolment, owner = match.attacker, match.attacker.company.owner
    organiser = campaign.club.memberships.get(role="organiser").player
    preview = adjustment_preview(enrolment=enrolment, asked=points)
    adjustment_create(enrolment=enrolment, asked=points, reason="Here.", by=organiser, token=preview.token)
    enrolment_withdraw(enrolment=enrolment, by=owner)
    Match.objects.filter(pk=match.pk).update(state="void")
    other = an_enrolment(a_campaign(a_club(name="Kind club"), name="Kind War"), enrolment.company)
    judge = other.campaign.club.memberships.get(role="organiser").player
    preview = adjustment_preview(enrolment=other, asked=points)
    made = adjustment_create(enrolment=other, asked=points, reason="For them.", by=judge, token=preview.token)
    undone = adjustment_undo(ruling=made, reason="No.", by=judge)
    assert undone.pk
    preview = adjustment_preview(enrolment=other, asked=points)
    made = adjustment_create(enrolment=other, asked=points, reason="For them.", by=judge, token=preview.token)
    Enrolment.objects.filter(pk=other.pk).update(state="withdrawn")
    with pytest.raises(
        RefusedError, match="was adjusted by a ruling in another campaign after it withdrew from Spring War"
    ):
        enrolment_ask(campaign=campaign, company=enrolment.company, by=owner)
    Enrolment.objects.filter(pk=other.pk).update(state="accepted")
    adjustment_undo(ruling=made, reason="No.", by=judge)
    Enrolment.objects.filter(pk=other.pk).update(state="withdrawn")
    assert enrolment_ask(campaign=campaign, company=enrolment.company, by=owner).state == "asked"


def test_withdrawn_company_returns_after_a_correction():
    campaign = a_campaign()
    match = lists_reveal(match=a_match(a_round(campaign)))
    enrolment, owner = match.attacker, match.attacker.company.owner
    enrolment_withdraw(enrolment=enrolment, by=owner)
    match = confirm_match(match, report(match))
    correct_match(match, report(match, "defender"), FLAG, a_member(campaign.club, "arbiter"))
    assert enrolment_ask(campaign=campaign, company=enrolment.company, by=owner).state == "asked"


def test_company_that_never_played_may_ask_again():
    campaign = a_campaign(state="mustering")
    enrolment = an_enrolment(campaign, state="asked")
    owner = enrolment.company.owner
    enrolment_withdraw(enrolment=enrolment, by=owner)
    battle_write_effects(battle=log_free_battle(enrolment.company), actor=owner)
    assert enrolment_ask(campaign=campaign, company=enrolment.company, by=owner).state == "asked"


# --- page and API -----------------------------------------------------------------------------------------------------


def test_battle_pages_name_the_campaign_and_refuse_logging(client):
    enrolment = an_enrolment(a_campaign())
    company = enrolment.company
    client.force_login(company.owner)
    chosen = {"a1-unit": f"unit:{company.units.first().pk}", "b1-unit": "design:wasp"}
    before = client.post(reverse("battles:quick-battle-part") + "?part=tally", chosen).content.decode()
    link = reverse("campaigns:campaign", args=[enrolment.campaign_id])
    assert f'in <a href="{link}">Spring War</a>, so only that campaign&#x27;s games count in its ledger' in before
    battle = log_free_battle(company)
    page = reverse("battles:battle", args=[battle.key])
    html = client.get(page).content.decode()
    assert f'in <a href="{link}">Spring War</a>, so only that campaign&#x27;s games count in its ledger' in html
    assert "Log result" not in html
    answer = client.post(reverse("battles:effects", args=[battle.key]), follow=True).content.decode()
    assert CLOSED in unescape(answer)
    assert not company.ledger.filter(cause="battle").exists()


def test_log_page_warns_before_the_grid_is_sent(client):
    company = an_enrolment(a_campaign()).company
    client.force_login(company.owner)
    chosen = {
        "a-name": "Own", "a-doctrine": "aggressive", "b-name": "Blue", "b-doctrine": "cautious", "f-terrain": "plain",
        "f-scenario": "zone-battle", "a1-unit": f"unit:{company.units.first().pk}", "b1-unit": "design:wasp",
    }  # fmt: skip
    answer = client.get(reverse("battles:log-battle"), chosen)
    assert answer.status_code == 200
    assert ">Spring War</a>, so only that campaign&#x27;s games count in its ledger" in answer.content.decode()


def test_api_reports_the_battle_as_practice(client):
    company = an_enrolment(a_campaign()).company
    setup, _ = company_battle(company)
    token = {"headers": {"Authorization": f"Token {a_token(company.owner)}"}}
    asked = json.dumps({"setup": setup, "companies": [company.pk, None]})
    made = client.post("/api/v1/battles/", asked, content_type="application/json", **token)
    assert made.status_code == 201, made.content
    (note,) = made.json()["practice"]
    assert CLOSED in note
    assert client.get(f"/api/v1/battles/{made.json()['key']}/").json()["practice"] == []


def test_mustering_campaign_closes_the_ledger_to_practice():
    campaign = a_campaign(state="draft")
    organiser = campaign.club.memberships.get(role="organiser").player
    company = a_mustered_company()
    campaign_move(campaign=campaign, to="mustering", by=organiser)
    campaign.club.memberships.create(player=company.owner, role="player")
    enrolment = enrolment_ask(campaign=campaign, company=company, by=company.owner)
    assert enrolment_accept(enrolment=enrolment, by=organiser).state == "accepted"
    with pytest.raises(RefusedError, match=CLOSED):
        battle_write_effects(battle=log_free_battle(company), actor=company.owner)
