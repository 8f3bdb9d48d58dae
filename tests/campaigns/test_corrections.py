"""Corrections: what each mode changes and keeps, and the reasons in the ledger."""

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from battles.models import Battle
from battles.services.battles import battle_take_back_effects, battle_write_effects
from campaigns.corrections.plan import VerdictWithoutBattle, correction_plan
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.models import ActivityLogEntry, MatchState, Outcome, Territory
from campaigns.notifications.selectors import describe_notification, notifications_of
from rosters.documents.company import read_company
from rosters.documents.import_export import company_document, company_import
from rosters.ledger.records import company_record
from rosters.ledger.selectors import ledger_of, service_record
from rosters.models import LedgerEntry, Pilot
from rosters.services import (
    RefusedError,
    pilot_assign,
    pilot_hire,
    pilot_learn,
    undo_last_act,
    unit_buy,
    unit_repair,
    unit_sell,
)
from systems import roster_rules
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import (
    CASCADE,
    COMPENSATE,
    FLAG,
    LOST,
    Faces,
    check_consistency,
    correct_match,
    play_match,
    report,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def faces(monkeypatch):
    return Faces(monkeypatch)


@pytest.fixture
def campaign():
    return a_campaign()


@pytest.fixture
def arbiter(campaign):
    return campaign.club.memberships.first().player


@pytest.fixture
def three(campaign):
    return [an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees", "Cats")]


def pilots(enrolment):
    return list(company_record(enrolment.company).pilots.values())


def units(enrolment):
    return list(company_record(enrolment.company).units.values())


def numbers(enrolment):
    """Return everything a ledger adds up to, without the entries."""
    record = company_record(enrolment.company)
    people = [(p.status, p.experience, p.skills, p.kills, p.games, p.wounds, p.pending) for p in record.pilots.values()]
    hangar = [(u.status, dict(u.condition), u.pilot, u.games, u.kills) for u in record.units.values()]
    return record.balance, record.debt, record.won, record.drawn, record.lost, record.season_points, people, hangar


# --- compensate -------------------------------------------------------------------------------------------------------


def test_compensate_moves_points_and_keeps_the_rest(campaign, three, arbiter, faces):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees, faces=faces, dice=(5, 1, 1, 1))
    company = ants.company
    pilot = Pilot.objects.filter(company=company).first()
    pilot_learn(company=company, by=company.owner, pilot=pilot, skill="spoof")
    unit_buy(company=company, by=company.owner, published="wasp")
    preview, done = correct_match(match, report(match, "defender"), COMPENSATE, arbiter)
    first, second = preview.companies
    assert (first.balance_before, first.balance_after) == (45, 39)  # 60 - 18 + 12 - 9, with 6 in place of 12
    assert (second.balance_before, second.balance_after) == (48, 54)
    assert first.spent == ("Bought WASP 3, a WASP (-9)",)
    assert [(row.name, row.points_before, row.points_after) for row in preview.standings] == [
        ("Bees", 0, 3),
        ("Ants", 3, 0),
    ]
    assert company_record(company).balance == 39
    assert pilots(ants)[0].skills == ("spoof",)  # the roll has the same result
    assert [pilot.experience for pilot in pilots(ants)] == ["regular", "regular"]
    assert (match.state, match.outcome, match.decided_by) == ("ruled", "defender", "ruling")
    assert match.battle.result["winner"] == "Bees"
    assert done.ruling.reason == "The photo shows it."
    assert ActivityLogEntry.objects.first().text.startswith("Round 1, Ants against Bees: corrected, now defender won")
    check_consistency()


def test_correction_entries_name_cause_and_reversed_entry(campaign, three, arbiter):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees)
    before = set(LedgerEntry.objects.values_list("pk", flat=True))
    old = str(match.battle.key)
    correct_match(match, report(match, "draw"), COMPENSATE, arbiter)
    written = LedgerEntry.objects.exclude(pk__in=before)
    reversals = written.filter(kind="reversed")
    assert set(written.values_list("cause", flat=True)) == {"ruling"}
    assert set(reversals.values_list("cause_ref", flat=True)) == {str(match.key)}
    assert set(reversals.values_list("reverses__cause_ref", flat=True)) == {old}
    assert set(written.exclude(kind="reversed").values_list("cause_ref", flat=True)) == {str(match.battle.key)}
    assert all(entry.facts["match"] == str(match.key) for entry in written)
    texts = ["".join(part.text for part in row.parts) for row in ledger_of(ants.company)]
    assert (
        "Reversed by a ruling on Round 1, Ants against Bees: Pilot 1 fought in WASP in “Ants against Bees, Plain”"
        in texts
    )
    assert any(text.endswith("(changed by a ruling on Round 1, Ants against Bees)") for text in texts)


def test_undoing_a_match_removes_the_earned_skill(campaign, three, arbiter, faces):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees, faces=faces, dice=(5, 1, 1, 1))
    company = ants.company
    pilot_learn(company=company, by=company.owner, pilot=Pilot.objects.filter(company=company).first(), skill="spoof")
    preview, _ = correct_match(match, None, COMPENSATE, arbiter)
    assert preview.companies[0].notes == (
        "Pilot 1 gained a skill: Spoof: undone, because the roll that earned it no longer counts.",
    )
    pilot = pilots(ants)[0]
    assert (pilot.experience, pilot.skills, pilot.games, pilot.pending) == ("green", (), 0, ())
    assert (match.state, match.outcome, match.battle) == ("void", "none", None)
    assert Battle.objects.get(key=preview_battle(match)).result["winner"] == "Ants"  # the old result stays readable
    check_consistency()


@pytest.mark.rule("MM-101", "MM-S11")
def test_skill_that_the_pilot_knows_by_then_is_undone(campaign, three, arbiter, faces):
    ants, bees, cats = three
    company = ants.company
    # As reported, the 5 is for the fate of Pilot 2; as ruled, it earns Pilot 1 a skill, which nobody chooses.
    first = play_match(campaign, ants, bees, attacker={1: LOST}, faces=faces, dice=(5, 1, 1, 1))
    play_match(campaign, ants, cats, faces=faces, dice=(5, 1, 1, 1))
    pilot_learn(
        company=company, by=company.owner, pilot=Pilot.objects.filter(company=company).first(), skill="accuracy"
    )
    preview, _ = correct_match(first, report(first, "attacker"), CASCADE, arbiter)
    assert preview.companies[0].notes == (
        "Pilot 1 gained a skill: Accuracy: undone, because the pilot already has it.",
    )
    assert pilots(ants)[0].skills == ("accuracy",)
    assert len(pilots(ants)[0].pending) == 1
    check_consistency()


def preview_battle(match):
    return match.corrections.get().before["battle"]


def test_house_lends_points_that_were_already_spent(campaign, three, arbiter):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees)
    for _ in range(6):
        unit_buy(company=ants.company, by=ants.company.owner, published="wasp")  # 54 - 54
    preview, _ = correct_match(match, None, COMPENSATE, arbiter)
    record = company_record(ants.company)
    assert (record.balance, record.debt) == (0, 12)
    assert preview.companies[0].balance_after == 0
    assert "Ants has already spent 12 points it no longer has" in preview.companies[0].notes[-1]
    check_consistency()
    play_match(campaign, ants, cats)
    record = company_record(ants.company)
    assert (record.balance, record.debt) == (0, 0)  # all 12 points of income kept
    correct_match(match, report(match, "attacker"), COMPENSATE, arbiter)
    record = company_record(ants.company)
    assert (record.balance, record.debt) == (12, 0)  # and back once the match counts again
    check_consistency()


def test_compensate_leaves_later_games_as_logged(campaign, three, arbiter, faces):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees)
    later = play_match(campaign, ants, cats, faces=faces, dice=(1, 1, 5, 1))
    entries = list(LedgerEntry.objects.filter(cause_ref=str(later.battle.key)).values_list("pk", flat=True))
    content = report(match, "defender", attacker={0: LOST})
    preview, _ = correct_match(match, content, COMPENSATE, arbiter)
    standing = LedgerEntry.objects.filter(cause_ref=str(later.battle.key), reversed_by=None)
    assert list(standing.values_list("pk", flat=True)) == entries
    assert pilots(ants)[0].status == "dead"  # a 1 on the fate die
    assert units(ants)[0].status == "destroyed"
    (line,) = preview.later
    assert line.is_flagged
    later.refresh_from_db()
    assert "WASP played although it was already destroyed" in later.flag
    assert "Pilot 1 played although already dead" in later.flag
    check_consistency()


def test_revived_pilot_keeps_the_current_seat(campaign, three, arbiter, faces):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees, "defender", attacker={0: LOST}, faces=faces, dice=(4, 1, 1, 1, 1))
    company = ants.company
    new = unit_buy(company=company, by=company.owner, published="wasp")
    pilot = Pilot.objects.filter(company=company).first()
    pilot_assign(company=company, by=company.owner, unit=new, pilot=pilot)
    correct_match(match, report(match, "defender"), COMPENSATE, arbiter)
    assert [(unit.status, unit.pilot) for unit in units(ants)][0] == ("ready", None)
    assert units(ants)[2].pilot == pilot.pk
    check_consistency()


# --- cascade ----------------------------------------------------------------------------------------------------------


def test_cascade_recalculates_both_sides_and_later_opponents(campaign, three, arbiter, faces):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees)
    later = play_match(campaign, ants, cats, faces=faces, dice=(1, 1, 5, 1))
    assert [pilot.pending for pilot in pilots(cats)] == [("accuracy",), ()]
    content = report(match, "defender", attacker={0: LOST}, defender={0: {"kills": 1}})
    preview, _ = correct_match(match, content, CASCADE, arbiter)
    dead, other = pilots(ants)
    assert (dead.status, dead.experience, dead.games) == ("dead", "green", 2)  # the pilot's later game still counts
    assert (other.status, other.experience, other.games) == ("active", "regular", 2)
    # The Ants roll one die less, so the 5 goes to the Cats' second pilot.
    assert [pilot.pending for pilot in pilots(cats)] == [(), ("accuracy",)]
    assert [company.name for company in preview.companies] == ["Ants", "Bees", "Cats"]
    assert preview.companies[0].balance_after == 42 + 6 + 12
    assert preview.later[0].text.startswith("recalculated with the same result and dice; WASP played")
    assert pilots(bees)[0].kills == 1
    check_consistency()
    assert later.battle.result["winner"] == "Ants"


def test_player_of_another_changed_company_is_notified(campaign, three, arbiter, faces):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees)
    play_match(campaign, ants, cats, faces=faces, dice=(1, 1, 5, 1))
    content = report(match, "defender", attacker={0: LOST}, defender={0: {"kills": 1}})
    correct_match(match, content, CASCADE, arbiter)
    newest = notifications_of(cats.company.owner)[0]
    assert newest.news.occasion == "company-changed"
    notification = describe_notification(newest)
    assert notification.text.startswith(f"{arbiter} corrected Ants against Bees, which changed Cats's ledger: ")
    assert notification.url == reverse("rosters:company_ledger", args=[cats.company_id])


def test_cascade_leaves_an_unaffected_opponent_alone(campaign, three, arbiter):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees)
    later = play_match(campaign, ants, cats)
    count = cats.company.ledger.count()
    preview, _ = correct_match(match, report(match, "draw"), CASCADE, arbiter)
    assert cats.company.ledger.count() == count
    assert (preview.later[0].key, preview.later[0].text) == (str(later.key), "no change")
    assert [company.name for company in preview.companies] == ["Ants", "Bees"]
    check_consistency()


@pytest.mark.rule("MM-100")
def test_cascade_removes_a_promotion_for_corrected_kills(campaign, three, arbiter):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees, attacker={0: {"kills": 2}}, defender={0: LOST, 1: LOST})
    for enrolment in (bees, cats):
        while len([unit for unit in units(enrolment) if unit.status == "ready"]) < 3:
            add_wasp(enrolment.company)
    play_match(campaign, ants, cats, attacker={0: {"kills": 2}}, defender={0: LOST, 1: LOST})
    play_match(campaign, ants, bees, attacker={0: {"kills": 1}}, defender={0: LOST})
    assert pilots(ants)[0].experience == "veteran"  # 5 kills, 3 games
    correct_match(
        match, report(match, "attacker", attacker={1: {"kills": 2}}, defender={0: LOST, 1: LOST}), CASCADE, arbiter
    )
    assert [(pilot.experience, pilot.kills) for pilot in pilots(ants)] == [("regular", 3), ("regular", 2)]
    check_consistency()


def add_wasp(company):
    owner = company.owner
    unit = unit_buy(company=company, by=owner, published="wasp")
    pilot_assign(company=company, by=owner, unit=unit, pilot=pilot_hire(company=company, by=owner, name="New"))


def test_cascade_reprices_repairs_and_sales(campaign, three, arbiter):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees, attacker={0: {"hits_lost": 1}})
    company = ants.company
    first, second = company.units.all()
    unit_repair(company=company, by=company.owner, unit=first)  # 1 point
    unit_sell(company=company, by=company.owner, unit=second)  # 9 // 2 = 4
    assert company_record(company).balance == 42 + 12 - 1 + 4
    preview, _ = correct_match(match, None, CASCADE, arbiter)
    assert company_record(company).balance == 42 + 9  # nothing to repair, and a unit that never fought
    assert preview.companies[0].notes == (
        "Repaired WASP: adjusted by 1 point more to fit the corrected history.",
        "Sold WASP 2: adjusted by 5 points more to fit the corrected history.",
    )
    check_consistency()


def test_cascade_undoes_the_sale_of_a_destroyed_unit(campaign, three, arbiter):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees)
    company = ants.company
    unit_sell(company=company, by=company.owner, unit=company.units.first())
    preview, _ = correct_match(match, report(match, "attacker", attacker={0: LOST}), CASCADE, arbiter)
    assert company_record(company).balance == 42 + 12
    assert units(ants)[0].status == "destroyed"
    assert preview.companies[0].notes == ("Sold WASP: undone, because it was already destroyed.",)
    check_consistency()


def sell_then_correct_to_destroyed(campaign, ants, bees, arbiter, *later):
    """Sell the Ants' first WASP after its match, then correct the match so that it was destroyed there."""
    match = play_match(campaign, ants, bees)
    company = ants.company
    unit_sell(company=company, by=company.owner, unit=company.units.order_by("pk").first())
    for opponent in later:
        play_match(campaign, ants, opponent)
    correct_match(match, report(match, "attacker", attacker={0: LOST}), CASCADE, arbiter)
    return match


def test_cascade_redoes_a_sale_that_a_cascade_undid(campaign, three, arbiter):
    ants, bees, cats = three
    match = sell_then_correct_to_destroyed(campaign, ants, bees, arbiter, cats)
    preview, _ = correct_match(match, report(match, "attacker"), CASCADE, arbiter)
    assert company_record(ants.company).balance == 42 + 12 + 4 + 12
    assert [unit.status for unit in units(ants)] == ["sold", "ready"]
    assert preview.companies[0].notes == ("Sold WASP: restored, because it is possible again.",)
    texts = ["".join(part.text for part in row.parts) for row in ledger_of(ants.company)]
    assert "Sold WASP (changed by a ruling on Round 1, Ants against Bees)" in texts
    check_consistency()
    correct_match(match, report(match, "attacker", attacker={0: LOST}), CASCADE, arbiter)
    assert (company_record(ants.company).balance, units(ants)[0].status) == (42 + 12 + 12, "destroyed")
    correct_match(match, report(match, "attacker"), CASCADE, arbiter)
    assert (company_record(ants.company).balance, units(ants)[0].status) == (42 + 12 + 4 + 12, "sold")
    check_consistency()


def test_redone_sale_survives_export_and_import(campaign, three, arbiter):
    ants, bees, _ = three
    match = sell_then_correct_to_destroyed(campaign, ants, bees, arbiter)
    correct_match(match, report(match, "attacker"), CASCADE, arbiter)
    document = company_document(ants.company)
    copy = company_import(document=read_company(document), owner=arbiter)
    (again,) = copy.ledger.filter(kind="sold", cause="ruling")
    assert copy.ledger.get(pk=again.facts["again"]).kind == "sold"


def test_compensate_redoes_no_sale_and_notes_why(campaign, three, arbiter):
    ants, bees, _ = three
    match = sell_then_correct_to_destroyed(campaign, ants, bees, arbiter)
    preview, _ = correct_match(match, report(match, "attacker"), COMPENSATE, arbiter)
    assert preview.companies[0].notes == ("Sold WASP: not restored, because only a cascade restores it.",)
    assert units(ants)[0].status == "ready"
    check_consistency()


def test_unit_used_since_is_not_sold_again(campaign, three, arbiter):
    ants, bees, cats = three
    match = sell_then_correct_to_destroyed(campaign, ants, bees, arbiter)
    correct_match(match, report(match, "attacker"), COMPENSATE, arbiter)
    pilot_assign(
        company=ants.company,
        by=ants.company.owner,
        unit=ants.company.units.order_by("pk").first(),
        pilot=Pilot.objects.filter(company=ants.company).order_by("pk").first(),
    )
    play_match(campaign, ants, cats)
    preview, _ = correct_match(match, report(match, "draw"), CASCADE, arbiter)
    assert "Sold WASP: not restored, because WASP has been used since its return." in preview.companies[0].notes
    assert [unit.status for unit in units(ants)] == ["ready", "ready"]
    check_consistency()


def test_cascade_redoes_a_repair_that_a_cascade_undid(campaign, three, arbiter):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees, attacker={0: {"hits_lost": 1}})
    company = ants.company
    unit_repair(company=company, by=company.owner, unit=company.units.order_by("pk").first())
    correct_match(match, report(match, "attacker", attacker={0: LOST}), CASCADE, arbiter)
    assert company_record(company).balance == 42 + 12
    correct_match(match, report(match, "attacker", attacker={0: {"hits_lost": 1}}), CASCADE, arbiter)
    assert (company_record(company).balance, units(ants)[0].condition) == (42 + 12 - 1, {})
    check_consistency()


@pytest.mark.parametrize("mode", [COMPENSATE, CASCADE])
def test_correction_redoes_a_skill_choice(campaign, three, arbiter, faces, mode):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees, faces=faces, dice=(5, 1, 1, 1))
    company = ants.company
    pilot_learn(company=company, by=company.owner, pilot=Pilot.objects.filter(company=company).first(), skill="spoof")
    correct_match(match, None, mode, arbiter)
    assert pilots(ants)[0].skills == ()
    preview, _ = correct_match(match, report(match, "attacker"), mode, arbiter)
    assert (pilots(ants)[0].skills, pilots(ants)[0].pending) == (("spoof",), ())
    assert preview.companies[0].notes == ("Pilot 1 gained a skill: Spoof: restored, because it is possible again.",)
    check_consistency()


def test_damage_in_later_games_applies_to_the_corrected_unit(campaign, three, arbiter):
    ants, bees, cats = three
    company = ants.company
    unit = unit_buy(company=company, by=company.owner, published="draken")
    pilot_assign(
        company=company, by=company.owner, unit=unit, pilot=pilot_hire(company=company, by=company.owner, name="D")
    )
    match = play_match(campaign, ants, bees, attacker={2: {"hits_lost": 1}})
    play_match(campaign, ants, cats, attacker={2: {"hits_lost": 1}})
    assert units(ants)[2].condition == {"hits": hits_of(unit) - 2}
    correct_match(match, report(match, "attacker"), CASCADE, arbiter)
    assert units(ants)[2].condition == {"hits": hits_of(unit) - 1}
    check_consistency()


def hits_of(unit):
    rules = roster_rules("meks-and-mercs")
    return rules.datasheet(rules.parse_spec(unit.spec), name="", design_name="").hits


def test_repeated_corrections_keep_ledgers_right(campaign, three, arbiter, faces):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees, faces=faces, dice=(5, 1, 1, 1))
    play_match(campaign, bees, cats, attacker={0: LOST}, defender={1: {"kills": 1}})
    play_match(campaign, ants, cats)
    before = [numbers(each) for each in three]
    correct_match(match, report(match, "defender", defender={1: LOST}, attacker={0: {"kills": 1}}), CASCADE, arbiter)
    assert [numbers(each) for each in three] != before
    check_consistency()
    correct_match(match, None, CASCADE, arbiter)
    check_consistency()
    correct_match(match, None if match.state != "void" else report(match), COMPENSATE, arbiter)
    check_consistency()
    match.refresh_from_db()
    assert match.corrections.count() == 3


def test_correction_and_its_reversal_change_no_number(campaign, three, arbiter, faces):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees, faces=faces, dice=(5, 1, 1, 1))
    play_match(campaign, bees, cats, attacker={0: LOST}, defender={1: {"kills": 1}})
    play_match(campaign, ants, cats)
    before = [numbers(each) for each in three]
    correct_match(match, report(match, "defender", defender={1: LOST}, attacker={0: {"kills": 1}}), CASCADE, arbiter)
    correct_match(match, report(match), CASCADE, arbiter)
    assert [numbers(each) for each in three] == before


def test_undone_match_is_restored_with_its_numbers(campaign, three, arbiter, faces):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees, faces=faces, dice=(5, 1, 1, 1), attacker={1: {"hits_lost": 1}})
    play_match(campaign, ants, cats)
    before = [numbers(each) for each in three]
    correct_match(match, None, CASCADE, arbiter)
    assert [numbers(each) for each in three] != before
    correct_match(match, report(match, attacker={1: {"hits_lost": 1}}), CASCADE, arbiter)
    assert [numbers(each) for each in three] == before
    check_consistency()


def test_service_record_keeps_the_order_of_games(campaign, three, arbiter):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees)
    play_match(campaign, ants, cats)
    correct_match(match, report(match, "draw"), CASCADE, arbiter)
    lines = [line for line in service_record(ledger_of(ants.company, pilot=pilots(ants)[0].id)) if line.number]
    assert [(line.number, line.battle) for line in lines] == [
        (1, "Ants against Bees, Plain"),
        (2, "Ants against Cats, Plain"),
    ]
    assert lines[0].ruling == "Round 1, Ants against Bees"
    assert lines[1].ruling == ""


def test_corrected_company_is_exported_and_imported(campaign, three, arbiter):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees, attacker={0: {"hits_lost": 1}})
    unit_repair(company=ants.company, by=ants.company.owner, unit=ants.company.units.first())
    correct_match(match, report(match, "draw"), CASCADE, arbiter)
    document = company_document(ants.company)
    copy = company_import(owner=arbiter, document=read_company(document))
    assert company_document(copy) == document
    assert company_record(copy).balance == company_record(ants.company).balance


# --- flag -------------------------------------------------------------------------------------------------------------


def test_flag_changes_the_table_but_no_ledger(campaign, three, arbiter):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees)
    later = play_match(campaign, ants, cats)
    before, count = [numbers(each) for each in three], LedgerEntry.objects.count()
    preview, _ = correct_match(match, report(match, "defender"), FLAG, arbiter)
    assert LedgerEntry.objects.count() == count
    assert [numbers(each) for each in three] == before
    assert [line.key for line in preview.later] == [str(later.key)]
    assert [row.name for row in preview.standings if row.points_before != row.points_after] == ["Ants", "Bees"]
    later.refresh_from_db()
    assert (match.outcome, match.flag) == (
        "defender",
        "Corrected by a ruling, without changing the ledgers: The photo shows it.",
    )
    assert later.flag == ("Round 1, Ants against Bees was corrected afterwards; the effects here were not applied.")
    check_consistency()


def test_flagged_match_can_be_compensated_later(campaign, three, arbiter):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees)
    correct_match(match, None, FLAG, arbiter)
    assert company_record(ants.company).won == 1
    check_consistency()
    correct_match(match, report(match, "defender"), COMPENSATE, arbiter)
    assert (company_record(ants.company).won, company_record(bees.company).won) == (0, 1)
    assert match.flag == ""
    check_consistency()


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_finished_campaign_refuses_cascade_but_not_compensate(campaign, three, arbiter):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees)
    campaign.state = "finished"
    campaign.save()
    preview = correction_preview(match=reload_match(match), after=None, mode=CASCADE, by=None)
    assert preview.refusal == "Spring War is finished, so its games can't be recalculated. Compensate or flag instead."
    with pytest.raises(RefusedError, match="is finished"):
        correction_apply(match=reload_match(match), after=None, mode=CASCADE, reason="x", by=arbiter, token="")
    correct_match(reload_match(match), None, COMPENSATE, arbiter)
    check_consistency()


def reload_match(match):
    return type(match).objects.get(pk=match.pk)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("scheduled", "only a decided one"),
        ("reported", "only a decided one"),
        ("disputed", "This match is disputed. Rule on the dispute first"),
    ],
)
def test_undecided_match_cannot_be_corrected(campaign, three, state, reason):
    match = a_match(a_round(campaign), three[0], three[1], state=state)
    with pytest.raises(RefusedError, match=reason):
        correction_preview(match=match, after=None, mode=COMPENSATE, by=None)


def test_impossible_report_is_refused(campaign, three):
    match = play_match(campaign, three[0], three[1])
    with pytest.raises(RefusedError, match="has 1 kills, but the other side lost only 0"):
        correction_preview(match=match, after=report(match, attacker={0: {"kills": 1}}), mode=COMPENSATE, by=None)


def test_outdated_preview_is_refused(campaign, three, arbiter):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees)
    preview = correction_preview(match=match, after=None, mode=COMPENSATE, by=None)
    unit_buy(company=ants.company, by=ants.company.owner, published="wasp")
    with pytest.raises(RefusedError, match="Something has changed since this preview"):
        correction_apply(match=match, after=None, mode=COMPENSATE, reason="x", by=arbiter, token=preview.token)


def test_fought_match_becomes_a_forfeit_and_back(campaign, three, arbiter):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees)
    after = VerdictWithoutBattle(state=MatchState.FORFEITED, outcome=Outcome.DEFENDER)
    preview, _ = correct_match(match, after, COMPENSATE, arbiter)
    assert (match.state, match.outcome, match.battle) == ("forfeited", "defender", None)
    assert company_record(ants.company).balance == 42
    assert [row.name for row in preview.standings] == ["Bees", "Cats", "Ants"]  # forfeiting puts a company last
    correct_match(match, report(match), CASCADE, arbiter)
    assert company_record(ants.company).balance == 54
    check_consistency()


def test_players_cannot_undo_a_ruling_or_match_result(campaign, three, arbiter):
    ants, bees, _ = three
    match = play_match(campaign, ants, bees)
    old = match.battle
    Battle.objects.filter(pk=old.pk).update(asked_by=ants.company.owner)
    old.refresh_from_db()
    with pytest.raises(RefusedError, match="Ask an arbiter of the club to correct it"):
        battle_take_back_effects(battle=old, actor=ants.company.owner)
    correct_match(match, report(match, "draw"), COMPENSATE, arbiter)
    with pytest.raises(RefusedError, match="Ask an arbiter of the club to correct it"):
        battle_write_effects(battle=old, actor=ants.company.owner)
    with pytest.raises(RefusedError, match="An arbiter has ruled"):
        undo_last_act(company=ants.company, by=ants.company.owner)


# --- plan and result agree --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [COMPENSATE, CASCADE, FLAG])
def test_plan_equals_the_ledgers_afterwards(campaign, three, arbiter, mode, faces):
    ants, bees, cats = three
    match = play_match(campaign, ants, bees, faces=faces, dice=(6, 5, 1, 1))
    play_match(campaign, ants, cats, attacker={0: LOST}, defender={0: {"kills": 1}})
    after = report(match, "defender", attacker={1: {"hits_lost": 1}})
    plan = correction_plan(reload_match(match), after, mode)
    correct_match(match, after, mode, arbiter)
    for pk, record in plan.records.items():
        now = company_record(next(each.company for each in three if each.company_id == pk))
        assert (now.balance, now.debt, now.won, now.lost) == (record.balance, record.debt, record.won, record.lost)
        assert now.units == record.units
        for key, pilot in now.pilots.items():
            planned = record.pilots[key]
            assert (pilot.status, pilot.skills, pilot.kills, pilot.games) == (
                planned.status,
                planned.skills,
                planned.kills,
                planned.games,
            )


def test_reconcile_finds_a_match_logged_by_mistake(campaign, three, capsys):
    match = play_match(campaign, three[0], three[1])
    call_command("reconcile")
    assert "rows and ledger agree" in capsys.readouterr().out
    type(match).objects.filter(pk=match.pk).update(state="void")
    with pytest.raises(CommandError) as error:
        call_command("reconcile")
    assert error.value.returncode == 1
    assert "appears 1 times in the ledger of Ants, not 0" in capsys.readouterr().out


def test_territory_falls_back_to_its_home_company():
    campaign = a_campaign(map_kind="zones")
    ants, bees = (an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    match = play_match(campaign, ants, bees)
    match.territory = Territory.objects.create(campaign=campaign, position=1, name="Wood", home=bees)
    match.save()
    preview = correction_preview(match=match, after=None, mode=COMPENSATE, by=None)
    assert preview.territory == ("Wood", "Ants", "Bees")
