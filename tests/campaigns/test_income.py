"""Territory income: points when a round closes, and a bonus in the next match."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from campaigns.army_lists.legality import points_earned_in
from campaigns.corrections.plan import VerdictWithoutBattle
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.enrolments.services import enrolment_accept, enrolment_ask, enrolment_withdraw
from campaigns.models import CorrectionMode, DecidedBy, MatchState, Outcome, RoundClose, Season, SeasonGame, Territory
from campaigns.planning.services import match_add, match_create_outside_pairing, round_open, round_plan
from campaigns.results import decisions
from campaigns.results.decisions import income_differences, match_settle_unfought
from campaigns.rounds.closing import round_close, round_close_work
from campaigns.starting.services import campaign_create_from_template
from campaigns.tasks import income_settled
from campaigns.territories.income import Yield, describe_income, income_changes, paid_rounds
from campaigns.territories.services import campaigns_with_late_results, income_pay, income_settle, yields_set
from rosters.ledger.records import company_balance, company_record, undo_refusal
from rosters.ledger.selectors import ledger_of
from rosters.models import LedgerEntry
from rosters.services import RefusedError, pilot_hire
from systems import roster_rules
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment

COMPENSATE, FLAG = CorrectionMode.COMPENSATE, CorrectionMode.FLAG
VOID = None


@pytest.fixture
def organiser(db):
    return a_player("olga")


@pytest.fixture
def campaign(organiser):
    made = a_campaign(a_club(organiser), map_kind="ring", absent_rule="forfeit")
    for at, (name, income) in enumerate((("Ford", 3), ("Hill", 2), ("Mill", 0)), start=1):
        Territory.objects.create(campaign=made, position=at, name=name, income=income)
    return made


@pytest.fixture
def two_companies(campaign):
    return [an_enrolment(campaign, an_outfit(name)) for name in ("Ants", "Bees")]


def an_outfit(name):
    """A company that has spent all its points."""
    return a_mustered_company(None, "wasp", "wasp", name=name, spends_all=True)


def place(campaign, name):
    return campaign.territories.get(name=name)


def win_territory(campaign, winner, loser, name, row=None):
    """Decide a match for the territory by forfeit, in an open round."""
    match = a_match(row or a_round(campaign), winner, loser, territory=place(campaign, name))
    return match_settle_unfought(
        match=match, state=MatchState.FORFEITED, outcome=Outcome.ATTACKER, decided_by=DecidedBy.RULING, by=None
    )


def close_round(row):
    job = RoundClose.claim(round_close(round_=row, by=None).pk)
    assert round_close_work(job=job)
    row.refresh_from_db()
    return RoundClose.objects.get(pk=job.pk)


def close_at_deadline(row):
    """Close the round as if its deadline had passed."""
    row.deadline = row.opens_at
    row.save()
    return close_round(row)


def balances(*enrolments):
    return [company_balance(each.company) for each in enrolments]


def correct(match, outcome, mode, by):
    after = VerdictWithoutBattle(state=MatchState.FORFEITED, outcome=outcome) if outcome else VOID
    preview = correction_preview(match=match, after=after, mode=mode, by=None)
    assert not preview.refusal
    correction_apply(match=match, after=after, mode=mode, reason="The photo shows it.", by=by, token=preview.token)
    return preview


def check_consistency():
    out = StringIO()
    call_command("reconcile", stdout=out)
    return out.getvalue()


def test_closing_pays_holders_and_logs_their_territories(campaign, two_companies):
    ants, bees = two_companies
    row = a_round(campaign)
    win_territory(campaign, ants, bees, "Ford", row)
    win_territory(campaign, ants, bees, "Hill", row)
    job = close_at_deadline(row)
    assert balances(ants, bees) == [5, 0]
    assert [step["text"] for step in job.steps if step["step"] == "income"] == ["paid to Ants"]
    entry = LedgerEntry.objects.get(company=ants.company, kind="territory-income")
    assert (entry.points, entry.facts["bill"], entry.created_by) == (5, [["Ford", 3], ["Hill", 2]], None)
    ledger_line = ledger_of(ants.company)[0]
    assert (ledger_line.points, ledger_line.cause_ref) == (5, "")  # no battle to link to
    assert describe_income(row) == ("Ants earned 5 points from Ford (3) and Hill (2).",)
    assert points_earned_in(campaign, [ants.company, bees.company]) == {ants.company_id: 5, bees.company_id: 0}
    check_consistency()


def test_each_round_pays_once(campaign, two_companies):
    ants, bees = two_companies
    row = win_territory(campaign, ants, bees, "Ford").round
    close_at_deadline(row)
    assert income_pay(round_=row) == ()
    assert balances(ants, bees) == [3, 0]
    close_at_deadline(win_territory(campaign, bees, ants, "Hill").round)
    assert balances(ants, bees) == [6, 2]
    assert [each.number for each in paid_rounds(campaign)] == [2, 1]


def test_interrupted_job_does_not_pay_twice(campaign, two_companies, monkeypatch):
    ants, bees = two_companies
    row = win_territory(campaign, ants, bees, "Ford").round
    row.deadline = row.opens_at
    row.save()
    job = RoundClose.claim(round_close(round_=row, by=None).pk)
    renew, calls = RoundClose.renew, []

    def dies(self, **fields):
        calls.append(fields)
        if any(step["step"] == "income" and step["state"] == "done" for step in fields.get("steps", ())):
            raise KeyboardInterrupt
        return renew(self, **fields)

    monkeypatch.setattr(RoundClose, "renew", dies)
    with pytest.raises(KeyboardInterrupt):
        round_close_work(job=job)
    monkeypatch.undo()
    assert balances(ants) == [3]
    assert round_close_work(job=RoundClose.objects.get(pk=job.pk))
    assert balances(ants) == [3]
    check_consistency()


def test_absent_company_gets_no_back_pay(campaign, two_companies, organiser):
    ants, bees = two_companies
    close_at_deadline(win_territory(campaign, ants, bees, "Ford").round)
    enrolment_withdraw(enrolment=ants, by=ants.company.owner)
    close_at_deadline(a_round(campaign))
    enrolment_accept(
        enrolment=enrolment_ask(campaign=campaign, company=ants.company, by=ants.company.owner), by=organiser
    )
    close_at_deadline(a_round(campaign))
    assert [each.number for each in paid_rounds(campaign)] == [3, 1]
    assert balances(ants) == [6]
    check_consistency()


def test_withdrawn_company_keeps_income_but_gets_no_more(campaign, two_companies):
    ants, bees = two_companies
    close_at_deadline(win_territory(campaign, ants, bees, "Ford").round)
    enrolment_withdraw(enrolment=ants, by=ants.company.owner)
    close_at_deadline(win_territory(campaign, bees, an_enrolment(campaign), "Mill").round)
    assert balances(ants) == [3]
    assert income_changes(campaign) == ()


def test_correction_moves_income_to_the_right_company(campaign, two_companies, organiser):
    ants, bees = two_companies
    cats = an_enrolment(campaign, an_outfit("Cats"))
    match = win_territory(campaign, ants, bees, "Ford")
    close_at_deadline(match.round)
    close_at_deadline(a_round(campaign))
    assert balances(ants, bees, cats) == [6, 0, 0]
    preview = correct(match, Outcome.DEFENDER, COMPENSATE, organiser)
    assert balances(ants, bees, cats) == [0, 6, 0]
    effects = {each.name: each for each in preview.companies}
    assert (effects["Ants"].balance_before, effects["Ants"].balance_after) == (6, 0)
    assert effects["Bees"].balance_after == 6
    assert "Territories of round 1: nothing, not Ford (3)." in effects["Ants"].notes
    assert points_earned_in(campaign, [ants.company, bees.company]) == {ants.company_id: 0, bees.company_id: 6}
    check_consistency()
    correct(match, Outcome.ATTACKER, CorrectionMode.CASCADE, organiser)  # and back again
    assert balances(ants, bees, cats) == [6, 0, 0]
    check_consistency()


def test_correction_leaves_a_later_holders_income(campaign, two_companies, organiser):
    ants, bees = two_companies
    cats = an_enrolment(campaign, an_outfit("Cats"))
    match = win_territory(campaign, ants, bees, "Ford")
    close_at_deadline(match.round)
    close_at_deadline(win_territory(campaign, cats, ants, "Ford").round)
    correct(match, Outcome.DEFENDER, COMPENSATE, organiser)
    assert balances(ants, bees, cats) == [0, 3, 3]
    check_consistency()


def test_undone_match_returns_income_to_the_former_holder(campaign, two_companies, organiser):
    ants, bees = two_companies
    cats = an_enrolment(campaign, an_outfit("Cats"))
    close_at_deadline(win_territory(campaign, cats, bees, "Ford").round)
    match = win_territory(campaign, ants, bees, "Ford")  # Cats held Ford and don't play in this match
    close_at_deadline(match.round)
    assert balances(ants, cats) == [3, 3]
    preview = correct(match, VOID, COMPENSATE, organiser)
    assert "Cats" in [each.name for each in preview.companies]
    assert balances(ants, cats) == [0, 6]
    check_consistency()


@pytest.fixture
def valuable_ford(campaign):
    """Make Ford pay the price of a regular pilot."""
    Territory.objects.filter(name="Ford").update(income=5)
    return campaign


def hire_regular_pilot(enrolment):
    company = enrolment.company
    pilot_hire(company=company, by=company.owner, name="New hand", experience="regular")
    assert company_balance(company) == 0


def test_spent_income_is_lent_by_the_house(valuable_ford, two_companies, organiser):
    ants, bees = two_companies
    match = win_territory(valuable_ford, ants, bees, "Ford")
    close_at_deadline(match.round)
    hire_regular_pilot(ants)
    preview = correct(match, Outcome.DEFENDER, COMPENSATE, organiser)
    record = company_record(ants.company)
    assert (record.balance, record.debt) == (0, 5)
    assert any("a debt" in note for each in preview.companies for note in each.notes)
    check_consistency()
    correct(match, Outcome.ATTACKER, COMPENSATE, organiser)
    record = company_record(ants.company)
    assert (record.balance, record.debt) == (0, 0)
    check_consistency()


def test_flag_correction_keeps_income_of_closed_rounds(campaign, two_companies, organiser):
    ants, bees = two_companies
    match = win_territory(campaign, ants, bees, "Ford")
    close_at_deadline(match.round)
    correct(match, Outcome.DEFENDER, FLAG, organiser)
    assert balances(ants, bees) == [3, 0]
    assert income_settle(campaign=campaign) == ()
    check_consistency()
    close_at_deadline(a_round(campaign))  # later rounds go by the map
    assert balances(ants, bees) == [3, 3]
    correct(match, Outcome.ATTACKER, FLAG, organiser)
    check_consistency()
    correct(match, Outcome.DEFENDER, COMPENSATE, organiser)
    assert balances(ants, bees) == [0, 6]
    check_consistency()


def test_late_ruling_moves_income(campaign, two_companies, organiser, monkeypatch, django_capture_on_commit_callbacks):
    woken = []
    monkeypatch.setattr(decisions, "wake", lambda *given: woken.append(given))
    ants, bees = two_companies
    cats = an_enrolment(campaign, an_outfit("Cats"))
    win_territory(campaign, cats, bees, "Ford", a_round(campaign))
    row = campaign.rounds.get()
    match = a_match(row, ants, cats, territory=place(campaign, "Ford"), state="disputed")
    close_at_deadline(row)
    assert balances(ants, cats) == [0, 3]
    assert campaigns_with_late_results() == [campaign]  # decided just before closing: checked again without a change
    with django_capture_on_commit_callbacks(execute=True):
        match_settle_unfought(
            match=match, state=MatchState.FORFEITED, outcome=Outcome.ATTACKER, decided_by=DecidedBy.RULING, by=None
        )
    assert woken == [("campaigns.tasks.income_settled", campaign.pk)]
    assert [each.points for each in income_changes(campaign)] == [3, -3]
    income_settled(campaign.pk)
    income_settled(campaign.pk)
    assert balances(ants, cats) == [3, 0]
    check_consistency()


def test_late_result_lends_income_that_was_spent(valuable_ford, two_companies):
    ants, bees = two_companies
    row = win_territory(valuable_ford, bees, ants, "Ford").round
    match = a_match(row, ants, bees, territory=place(valuable_ford, "Ford"), state="disputed")
    close_at_deadline(row)
    hire_regular_pilot(bees)
    match_settle_unfought(
        match=match, state=MatchState.FORFEITED, outcome=Outcome.ATTACKER, decided_by=DecidedBy.RULING, by=None
    )
    income_settled(valuable_ford.pk)
    record = company_record(bees.company)
    assert (record.balance, record.debt) == (0, 5)
    assert points_earned_in(valuable_ford, [bees.company])[bees.company_id] == 0
    check_consistency()


def test_reconcile_reports_income_missing_from_the_ledger(campaign, two_companies):
    ants, bees = two_companies
    close_at_deadline(win_territory(campaign, ants, bees, "Ford").round)
    assert list(income_differences()) == []
    campaign.rounds.get().incomes.filter(enrolment=ants).update(points=7, places=[["Ford", 7]])
    found = list(income_differences())
    assert len(found) == 2
    assert "has 3 points of them, not 7" in found[0]
    assert "is owed Ford (3)" in found[1]


def test_acts_before_an_income_cannot_be_undone(campaign, two_companies):
    ants, bees = two_companies
    close_at_deadline(win_territory(campaign, ants, bees, "Ford").round)
    entries = list(ants.company.ledger.order_by("-pk")[:1])
    assert "territories have paid" in undo_refusal(entries)


# --- bonus in the next match -


@pytest.fixture
def bonus(campaign):
    Territory.objects.filter(name="Mill").update(bonus_rolls=1, bonus_points=5)
    campaign.scenarios = [*campaign.scenarios, {"value": "opening-shots", "name": "Opening Shots"}]
    campaign.save()
    return campaign


def test_scenario_without_points_takes_no_bonus(bonus, two_companies, organiser):
    ants, bees = two_companies
    close_at_deadline(win_territory(bonus, ants, bees, "Mill").round)
    row = round_plan(campaign=bonus, by=organiser, way="by-hand")
    match = match_add(round_=row, attacker=bees, defender=ants, by=organiser)
    round_open(round_=row, by=organiser)
    match.refresh_from_db()
    assert (match.scenario, match.bonus) == ("zone-battle", [])


def test_holder_at_opening_gets_the_bonus(bonus, two_companies, organiser):
    ants, bees = two_companies
    close_at_deadline(win_territory(bonus, ants, bees, "Mill").round)
    row = round_plan(campaign=bonus, by=organiser, way="by-hand")
    match = match_add(round_=row, attacker=bees, defender=ants, by=organiser, scenario=1)
    plain = match.scenario
    round_open(round_=row, by=organiser)
    match.refresh_from_db()
    assert match.bonus == [[1, "Mill", 5, 1]]
    rules = roster_rules(bonus.system)
    before, after = rules.scenarios[plain].spec, rules.parse_scenario(match.scenario["spec"])
    assert after.defender.points == before.defender.points + 5
    assert after.defender.support_rolls == before.defender.support_rolls + 1
    assert after.attacker == before.attacker
    assert not rules.check_scenario(after).problems


def test_joining_match_gets_only_its_own_bonus(bonus, two_companies):
    ants, bees = two_companies
    close_at_deadline(win_territory(bonus, ants, bees, "Mill").round)
    bonus.scenarios = [{"value": "opening-shots", "name": "Opening Shots"}]
    bonus.save()
    deadline = timezone.now() + timedelta(days=7)
    first = match_create_outside_pairing(campaign=bonus, one=ants, two=bees, deadline=deadline, beside=None, by=None)
    held = [[[first.attacker_id, first.defender_id].index(ants.pk), "Mill", 5, 1]]
    assert first.bonus == held
    others = [an_enrolment(bonus, an_outfit(name)) for name in ("Cats", "Dogs")]
    second = match_create_outside_pairing(
        campaign=bonus, one=others[0], two=others[1], deadline=deadline, beside=first.round, by=None
    )
    first.refresh_from_db()
    assert (first.bonus, second.bonus, second.round) == (held, [], first.round)


def test_correction_flags_a_match_with_a_wrong_bonus(bonus, two_companies, organiser):
    ants, bees = two_companies
    lost = win_territory(bonus, ants, bees, "Mill")
    close_at_deadline(lost.round)
    row = round_plan(campaign=bonus, by=organiser, way="by-hand")
    match = match_add(round_=row, attacker=bees, defender=ants, by=organiser, scenario=1)
    round_open(round_=row, by=organiser)
    correct(lost, Outcome.DEFENDER, COMPENSATE, organiser)
    match.refresh_from_db()
    assert (
        "for Mill should not have gone to Ants here" in match.flag
        or "for Mill should have gone to Bees here" in match.flag
    )


def a_later_match(campaign, attacker, defender, organiser, scenario=1):
    """An open match in a round of its own."""
    row = round_plan(campaign=campaign, by=organiser, way="by-hand")
    match = match_add(round_=row, attacker=attacker, defender=defender, by=organiser, scenario=scenario)
    round_open(round_=row, by=organiser)
    match.refresh_from_db()
    return match


def flag_of(match):
    match.refresh_from_db()
    return match.flag


def test_match_without_possible_bonus_is_not_flagged(bonus, two_companies, organiser):
    ants, bees = two_companies
    lost = win_territory(bonus, ants, bees, "Mill")
    close_at_deadline(lost.round)
    plain = a_later_match(bonus, bees, ants, organiser, scenario=0)
    assert (plain.scenario, plain.bonus) == ("zone-battle", [])
    correct(lost, Outcome.DEFENDER, COMPENSATE, organiser)
    assert flag_of(plain) == ""


def test_flag_names_both_sides_with_a_wrong_bonus(bonus, two_companies, organiser):
    ants, bees = two_companies
    lost = win_territory(bonus, ants, bees, "Mill")
    close_at_deadline(lost.round)
    later = a_later_match(bonus, bees, ants, organiser)
    correct(lost, Outcome.DEFENDER, COMPENSATE, organiser)
    assert "for Mill should have gone to Bees here." in flag_of(later)
    assert "for Mill should not have gone to Ants here." in flag_of(later)


def test_match_opened_before_the_win_is_not_flagged(bonus, two_companies, organiser):
    ants, bees = two_companies
    row = a_round(bonus)
    fight = a_match(row, ants, bees, territory=place(bonus, "Mill"))
    later = a_later_match(bonus, bees, ants, organiser)
    assert later.bonus == []
    match_settle_unfought(
        match=fight, state=MatchState.FORFEITED, outcome=Outcome.ATTACKER, decided_by=DecidedBy.RULING, by=None
    )
    close_at_deadline(row)
    fight.refresh_from_db()
    correct(fight, Outcome.DEFENDER, COMPENSATE, organiser)
    assert flag_of(later) == ""


def test_bye_is_not_flagged_for_a_bonus(bonus, two_companies, organiser):
    ants, bees = two_companies
    lost = win_territory(bonus, ants, bees, "Mill")
    close_at_deadline(lost.round)
    bye = a_later_match(bonus, bees, None, organiser)
    correct(lost, Outcome.DEFENDER, COMPENSATE, organiser)
    assert flag_of(bye) == ""


# --- settings -----------


@pytest.fixture
def draft(campaign):
    campaign.state = "draft"
    campaign.save()
    return campaign


def test_organiser_sets_yields_line_by_line(draft, organiser):
    yields_set(
        campaign=draft, by=organiser, lines=["ford: 4 points, 1 support roll", "Mill: 5 bonus points", "Hill: 2"]
    )
    found = draft.territories.values_list("income", "bonus_points", "bonus_rolls")
    assert list(found) == [(4, 0, 1), (2, 0, 0), (0, 5, 0)]
    yields_set(campaign=draft, by=organiser, lines=[])
    assert not draft.territories.exclude(income=0, bonus_points=0, bonus_rolls=0).exists()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Fort: 3", "no territory “Fort”"),
        ("Ford: much", "Write the yield of Ford"),
        ("Ford:", "Write the yield of Ford"),
        ("Ford: 1001 points", "at most 1000 points per round"),
        ("Ford: 4 rolls", "at most 3 support rolls"),
        ("Ford: -3", "Write the yield of Ford"),
    ],
)
def test_invalid_yields_are_refused_without_changes(draft, organiser, line, reason):
    with pytest.raises(RefusedError, match=reason):
        yields_set(campaign=draft, by=organiser, lines=["Hill: 9", line])
    assert place(draft, "Hill").income == 2


def test_fresh_build_campaign_refuses_income(draft, organiser):
    draft.options = {"season-mode": "fresh-build"}
    draft.save()
    with pytest.raises(RefusedError, match="Give Ford a bonus instead"):
        yields_set(campaign=draft, by=organiser, brings={"Ford": Yield(income=1)})
    yields_set(campaign=draft, by=organiser, brings={"Ford": Yield(bonus_rolls=1)})


def test_game_without_bonuses_refuses_them(organiser):
    made = a_campaign(a_club(organiser), state="draft", system="hex-core", map_kind="ring", scenarios=[], options={})
    Territory.objects.create(campaign=made, position=1, name="Ford")
    with pytest.raises(RefusedError, match="has no match bonuses. Give"):
        yields_set(campaign=made, by=organiser, brings={"Ford": Yield(bonus_rolls=1)})
    yields_set(campaign=made, by=organiser, brings={"Ford": Yield(income=20)})


def test_running_campaign_refuses_new_yields(campaign, organiser):
    with pytest.raises(RefusedError, match="can't be changed once the campaign is running"):
        yields_set(campaign=campaign, by=organiser, lines=["Ford: 9"])


def test_copies_and_documents_keep_yields(bonus, organiser):
    copy = campaign_create_from_template(
        club=bonus.club, by=organiser, system=bonus.system, after=f"copy-{bonus.pk}", begins_mustering=False
    )
    wanted = [("Ford", 3, 0, 0), ("Hill", 2, 0, 0), ("Mill", 0, 5, 1)]
    fields = ("name", "income", "bonus_points", "bonus_rolls")
    assert list(copy.territories.values_list(*fields)) == wanted


def test_map_and_gazette_show_income(client, campaign, two_companies):
    ants, bees = two_companies
    close_at_deadline(win_territory(campaign, ants, bees, "Ford").round)
    page = client.get(reverse("campaigns:campaign_map", args=[campaign.pk])).content.decode()
    assert "3 points per round" in page
    assert "Territory income" in page
    gazette = client.get(reverse("campaigns:gazette", args=[campaign.pk, 1])).content.decode()
    assert "Ants earned 3 points from Ford (3)." in gazette


def test_season_campaign_map_shows_income_per_season_round(client, campaign):
    season = Season.objects.create(club=campaign.club, name="Long Year")
    SeasonGame.objects.create(season=season, campaign=campaign, position=1)
    page = client.get(reverse("campaigns:campaign_map", args=[campaign.pk])).content.decode()
    assert "3 points per season round" in page
    assert "2 points per season round" in page


def test_api_returns_the_map_and_paid_income(client, campaign, two_companies):
    ants, bees = two_companies
    close_at_deadline(win_territory(campaign, ants, bees, "Ford").round)
    answer = client.get(f"/api/v1/campaigns/{campaign.pk}/map/").json()
    assert answer["territories"][0] == {
        "name": "Ford", "holder": "Ants", "since": 1, "income": 3, "bonus_points": 0, "bonus_rolls": 0,
    }  # fmt: skip
    line = {"company": "Ants", "points": 3, "places": [{"name": "Ford", "points": 3}]}
    assert answer["paid"] == [{"round": 1, "lines": [line]}]


def test_api_sets_and_returns_yields(client, draft, organiser):
    client.force_login(organiser)
    url = f"/api/v1/campaigns/{draft.pk}/"
    sent = {"yields": {"Ford": {"income": 7}, "Mill": {"bonus_rolls": 2}}}
    answer = client.patch(url, sent, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert answer.json()["yields"] == {
        "Ford": {"income": 7, "bonus_points": 0, "bonus_rolls": 0},
        "Mill": {"income": 0, "bonus_points": 0, "bonus_rolls": 2},
    }
    refused = client.patch(url, {"yields": {"Ford": {"gold": 7}}}, content_type="application/json")
    assert refused.status_code == 400
