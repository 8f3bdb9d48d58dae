"""Companies through their services: points, refusals, ledger, undo."""

from __future__ import annotations

import uuid

import pytest
from django.db import DatabaseError, connection, transaction

from rosters import hooks
from rosters.documents.snapshots import fielded, force_rows
from rosters.ledger.drafts import Draft
from rosters.ledger.records import company_balance, company_record, differences
from rosters.models import AppendOnlyError, Design, LedgerEntry, Unit
from rosters.services import (
    RefusedError,
    UnitResult,
    company_apply_result,
    company_change,
    company_clone,
    company_create,
    company_disband,
    company_reverse_result,
    design_clone,
    design_save,
    pilot_assign,
    pilot_edit,
    pilot_hire,
    pilot_retire,
    undo_last_act,
    unit_buy,
    unit_rename,
    unit_repair,
    unit_sell,
)
from rosters.services.base import Act
from rosters.services.results import drafts_write
from systems.report_fields import UnitFate
from tests.builders import SYSTEM, WASP, a_company, a_crewed_unit, a_pilot, a_player, a_unit

pytestmark = pytest.mark.django_db


def refused(field, service, **kwargs):
    with pytest.raises(RefusedError) as error:
        service(**kwargs)
    assert error.value.field == field
    return error.value.reason


def test_ledger_begins_with_the_founding_points():
    company = a_company(points=42)
    (entry,) = company.ledger.all()
    assert (entry.kind, entry.points, entry.created_by) == ("founded", 42, company.owner)
    assert company_balance(company) == 42


@pytest.mark.parametrize("points", [0, -5, 1001, True, "60", 2**70])
def test_founding_points_out_of_bounds_are_refused(points):
    assert "1 to 1000" in refused("points", company_create, owner=a_player(), system=SYSTEM, name="X", points=points)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": "nul\x00"}, "name"),
        ({"motto": "line\nbreak"}, "motto"),
        ({"colour": "red"}, "colour"),
        ({"visibility": "secret"}, "visibility"),
        ({"system": "chess"}, "system"),
    ],
)
def test_refused_founding_names_the_field(fields, field):
    refused(field, company_create, **{"owner": a_player(), "system": SYSTEM, "name": "Hounds", **fields})


def test_purchase_costs_the_designs_points():
    company = a_company()
    unit = a_unit(company, "draken")
    assert company_balance(company) == 60 - 24
    assert unit.ledger.get().facts["bill"][0] == ["Heavy chassis", 8]


def test_purchase_without_enough_points_is_refused():
    company = a_company(points=8)
    assert "costs 9 points; Iron Hounds has 8" in refused(
        "points", unit_buy, company=company, by=company.owner, published="wasp"
    )
    assert company.ledger.count() == 1
    assert not Unit.objects.exists()


def test_last_point_can_be_spent():
    company = a_company(points=9)
    a_unit(company)
    assert company_balance(company) == 0


def test_disbanded_company_cannot_buy():
    company = a_company()
    company_disband(company=company, by=company.owner)
    reason = refused("company", unit_buy, company=company, by=company.owner, published="wasp")
    assert reason == "Iron Hounds is disbanded. Undo that first."


def test_unit_is_locked_by_any_of_several_holds(monkeypatch):
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    held = {"company": "It stays.", "units": frozenset({unit.pk}), "pilots": frozenset({pilot.pk})}
    holds = [hooks.Hold(**held, reason="at the first match.", spares=frozenset({"renamed"}))]
    monkeypatch.setattr(hooks, "holds_on", lambda _company: holds)
    assert unit_rename(company=company, by=company.owner, unit=unit, name="Bee").name == "Bee"
    assert refused("unit", unit_sell, company=company, by=company.owner, unit=unit) == "Bee is at the first match."
    holds.append(hooks.Hold(**held, reason="at the second."))
    refusal = refused("unit", unit_rename, company=company, by=company.owner, unit=unit, name="Cee")
    assert refusal.endswith(" is at the second.")


def test_name_of_a_sold_unit_is_free_again():
    company = a_company()
    unit_sell(company=company, by=company.owner, unit=a_unit(company))
    assert a_unit(company).name == "WASP"


def test_wounded_pilot_still_uses_their_name():
    company = a_company()
    pilot = a_pilot(company)
    drafts_write(Act(company, None, cause="battle"), [Draft(kind="wounded", pilot=pilot.pk, facts={"misses": 1})])
    pilot.refresh_from_db()
    assert pilot.status == "wounded"
    assert pilot_edit(company=company, by=company.owner, pilot=pilot, name="Ada the Second").name == "Ada the Second"
    assert pilot_retire(company=company, by=company.owner, pilot=pilot).status == "retired"
    refused("pilot", pilot_edit, company=company, by=company.owner, pilot=pilot, name="Ada")


def test_illegal_design_can_be_saved_but_not_bought():
    company = a_company()
    spec = {"chassis": "light", "weapons": ["howitzer-cannon"], "systems": []}
    design = design_save(author=company.owner, system=SYSTEM, name="Toppler", spec=spec)
    reason = refused("design", unit_buy, company=company, by=company.owner, design=design)
    assert "MM-005" in reason


def test_strangers_design_must_be_cloned_before_purchase():
    company, design = a_company(), design_save(author=a_player(), system=SYSTEM, name="Hers", spec=WASP)
    assert "Clone it" in refused("design", unit_buy, company=company, by=company.owner, design=design)
    mine = design_clone(design=design, by=company.owner)
    assert unit_buy(company=company, by=company.owner, design=mine).design_name == "Hers"


def test_second_unit_of_a_design_gets_its_own_name():
    company = a_company()
    assert [a_unit(company).name, a_unit(company).name] == ["WASP", "WASP 2"]


def test_unused_unit_sells_at_full_price():
    company = a_company()
    assert unit_sell(company=company, by=company.owner, unit=a_unit(company)) == 9
    assert company_balance(company) == 60


def test_used_unit_sells_for_half_and_its_pilot_stays():
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk))
    assert unit_sell(company=company, by=company.owner, unit=unit) == 4
    unit.refresh_from_db()
    assert (unit.status, unit.pilot) == ("sold", None)
    assert "sold" in refused("unit", unit_sell, company=company, by=company.owner, unit=unit)


@pytest.mark.rule("MM-011")
def test_green_pilot_is_free_and_regular_costs_five():
    company = a_company()
    a_pilot(company, experience="green")
    assert company_balance(company) == 60
    a_pilot(company, experience="regular")
    assert company_balance(company) == 55
    refused("experience", pilot_hire, company=company, by=company.owner, name="Ace", experience="elite")


def test_assigning_a_seated_pilot_swaps_the_two():
    company = a_company()
    one, ada = a_crewed_unit(company, pilot="Ada")
    other, bo = a_crewed_unit(company, pilot="Bo")
    pilot_assign(company=company, by=company.owner, unit=one, pilot=bo)
    assert Unit.objects.get(pk=one.pk).pilot == bo
    assert Unit.objects.get(pk=other.pk).pilot == ada


def test_retired_pilot_leaves_the_seat():
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    pilot_retire(company=company, by=company.owner, pilot=pilot)
    assert Unit.objects.get(pk=unit.pk).pilot is None
    refused("pilot", pilot_assign, company=company, by=company.owner, unit=unit, pilot=pilot)


def test_units_and_pilots_of_another_company_are_refused():
    company, other = a_company(), a_company()
    refused("unit", unit_rename, company=company, by=company.owner, unit=a_unit(other), name="Mine")
    refused("pilot", pilot_assign, company=company, by=company.owner, unit=a_unit(company), pilot=a_pilot(other))


# --- results ---


def fight(company, *results, ref="b-1"):
    return company_apply_result(company=company, act=uuid.uuid4(), cause_ref=ref, by=None, units=results)


def test_result_with_another_companys_unit_or_pilot_is_refused():
    company, other = a_company(), a_company(name="Others")
    unit, _ = a_crewed_unit(company)
    stranger, his = a_crewed_unit(other)
    for reason, result in (
        (f"Unit {stranger.pk} doesn't belong to Iron Hounds.", UnitResult(unit=stranger.pk, pilot=None)),
        (f"Pilot {his.pk} doesn't belong to Iron Hounds.", UnitResult(unit=unit.pk, pilot=his.pk)),
    ):
        with pytest.raises(RefusedError) as error:
            fight(company, result)
        assert (error.value.field, error.value.reason) == ("units", reason)


def test_result_writes_games_kills_damage_and_wounds():
    company = a_company()
    unit, pilot = a_crewed_unit(company, "draken")
    result = UnitResult(
        unit=unit.pk,
        pilot=pilot.pk,
        fate=UnitFate(kills=2, wounded=True),
        after={"hits": 2, "weapons_lost": [3, 4], "systems_lost": [0], "legs": 1},
    )
    fight(company, result)
    record = company_record(company)
    flown, seated = record.units[unit.pk], record.pilots[pilot.pk]
    assert flown.condition == {"hits": 2, "weapons_lost": [3, 4], "systems_lost": [0], "legs": 1}
    assert (flown.games, flown.kills, seated.games, seated.kills, seated.wounds) == (1, 2, 1, 2, 1)
    assert seated.status == "active"
    assert list(differences(company)) == []


def test_repeated_result_is_written_once():
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    assert fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, fate=UnitFate(kills=1)))
    assert fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, fate=UnitFate(kills=1))) == []
    assert company_record(company).pilots[pilot.pk].kills == 1


def test_destroyed_unit_is_lost_but_its_pilot_stays():
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    fight(
        company,
        UnitResult(unit=unit.pk, pilot=pilot.pk, fate=UnitFate(destroyed=True), killed_by="THOR", after={"hits": 0}),
    )
    unit.refresh_from_db()
    assert (unit.status, unit.pilot) == ("destroyed", None)
    with pytest.raises(RefusedError):
        fielded(company, [unit.pk])


def test_unit_sold_before_the_result_stays_sold():
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    unit_sell(company=company, by=company.owner, unit=unit)
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, fate=UnitFate(destroyed=True, kills=1), after={"hits": 0}))
    assert Unit.objects.get(pk=unit.pk).status == "sold"
    assert company_record(company).pilots[pilot.pk].kills == 1
    assert list(differences(company)) == []


@pytest.mark.rule("MM-S09")
def test_repair_costs_a_point_per_loss_or_ciws_pair():
    company = a_company()
    unit, pilot = a_crewed_unit(company, "draken")
    fight(
        company,
        UnitResult(
            unit=unit.pk, pilot=pilot.pk, after={"hits": 2, "weapons_lost": [3, 4], "systems_lost": [0], "legs": 1}
        ),
    )
    balance = company_balance(company)
    assert unit_repair(company=company, by=company.owner, unit=unit) == 2 + 1 + 1 + 1
    assert company_balance(company) == balance - 5
    assert Unit.objects.get(pk=unit.pk).condition == {}
    refused("unit", unit_repair, company=company, by=company.owner, unit=unit)


def test_damage_of_parallel_battles_adds_up():
    company = a_company()
    unit, pilot = a_crewed_unit(company, "draken")
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, after={"hits": 2, "weapons_lost": [0]}), ref="b-1")
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, after={"hits": 3, "weapons_lost": [1]}), ref="b-2")
    assert Unit.objects.get(pk=unit.pk).condition == {"hits": 1, "weapons_lost": [0, 1]}
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, after={"hits": 1}), ref="b-3")
    assert Unit.objects.get(pk=unit.pk).condition["hits"] == 1, "it survived all three"


@pytest.mark.rule("MM-085", "MM-S09")
def test_repairs_made_in_a_battle_stay_and_are_free():
    company = a_company()
    unit, pilot = a_crewed_unit(company, "draken")
    battered = {"hits": 1, "weapons_lost": [0], "systems_lost": [0], "legs": 2}
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, after=battered), ref="b-1")
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, began=battered, after={"hits": 3, "legs": 1}), ref="b-2")
    unit.refresh_from_db()
    assert unit.condition == {"hits": 3, "legs": 1}
    assert company.ledger.filter(unit=unit).last().kind == "repaired"
    assert unit_repair(company=company, by=company.owner, unit=unit) == 1 + 1
    assert list(differences(company)) == []


@pytest.mark.rule("MM-085")
def test_battle_repairs_leave_damage_of_other_battles():
    company = a_company()
    unit, pilot = a_crewed_unit(company, "draken")
    began = {"hits": 2, "weapons_lost": [0]}
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, after=began), ref="b-1")
    fight(
        company,
        UnitResult(unit=unit.pk, pilot=pilot.pk, began=began, after={"hits": 1, "weapons_lost": [0, 1], "legs": 1}),
        ref="b-2",
    )
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, began=began, after={}), ref="b-3")
    assert Unit.objects.get(pk=unit.pk).condition == {"hits": 3, "weapons_lost": [1], "legs": 1}


def test_reversed_result_restores_the_unit():
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, fate=UnitFate(destroyed=True), after={"hits": 0}))
    company_reverse_result(company=company, cause_ref="b-1", by=company.owner)
    unit.refresh_from_db()
    assert (unit.status, unit.condition, unit.pilot_id) == ("ready", {}, pilot.pk)
    assert list(differences(company)) == []


def test_force_holds_spec_pilot_and_condition():
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, after={"hits": 1}))
    (row,) = fielded(company, [unit.pk])
    assert row.document() == {
        "key": f"u{unit.pk}",
        "name": "WASP",
        "design": WASP,
        "pilot": {"experience": "green", "skills": []},
        "condition": {"hits": 1},
    }
    assert force_rows(company, [unit.pk]) == {f"u{unit.pk}": {"unit": unit.pk, "pilot": pilot.pk}}


# --- undo ---


def test_undone_purchase_refunds_points_and_keeps_both_entries():
    company = a_company()
    unit = a_unit(company)
    undo_last_act(company=company, by=company.owner)
    assert company_balance(company) == 60
    assert Unit.objects.get(pk=unit.pk).status == "undone"
    assert [entry.kind for entry in company.ledger.all()] == ["founded", "bought", "reversed"]
    assert list(differences(company)) == []


def test_undone_sale_restores_unit_and_pilot():
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    unit_sell(company=company, by=company.owner, unit=unit)
    undo_last_act(company=company, by=company.owner)
    unit.refresh_from_db()
    assert (unit.status, unit.pilot_id, company_balance(company)) == ("ready", pilot.pk, 51)


def test_undo_may_empty_the_bank():
    company = a_company(points=9)
    unit_sell(company=company, by=company.owner, unit=a_unit(company))
    undo_last_act(company=company, by=company.owner)
    assert company_balance(company) == 0


def test_disbanded_company_does_not_count_towards_the_limit(monkeypatch):
    monkeypatch.setattr("rosters.services.companies.MAX_COMPANIES", 2)
    owner = a_player()
    first, _second = a_company(owner), a_company(owner)
    reason = refused("name", company_create, owner=owner, system=SYSTEM, name="Third")
    assert reason == "A player can have 2 companies at most. Disband one first."
    company_disband(company=first, by=owner)
    assert a_company(owner, name="Third").name == "Third"


def test_undo_goes_back_to_the_founding_but_no_further():
    company = a_company()
    one, _ = a_crewed_unit(company, pilot="Ada")
    _, bo = a_crewed_unit(company, "viper", pilot="Bo")
    pilot_assign(company=company, by=company.owner, unit=one, pilot=bo)
    company_change(company=company, by=company.owner, name="Steel Hounds")
    company_disband(company=company, by=company.owner)
    for _ in range(9):
        undo_last_act(company=company, by=company.owner)
        assert list(differences(type(company).objects.get(pk=company.pk))) == []
    assert company_balance(company) == 60
    assert "Nothing to undo." in refused("act", undo_last_act, company=company, by=company.owner)


def test_acts_before_a_battle_cannot_be_undone():
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk))
    assert "played a game since" in refused("act", undo_last_act, company=company, by=company.owner)


def test_undo_of_another_act_than_shown_is_refused():
    company = a_company()
    a_unit(company)
    shown_act = company.ledger.last().act
    a_unit(company)
    refused("act", undo_last_act, company=company, by=company.owner, act=shown_act)


def test_clone_has_units_and_pilots_without_a_record():
    company = a_company()
    unit, pilot = a_crewed_unit(company, "draken")
    fight(company, UnitResult(unit=unit.pk, pilot=pilot.pk, fate=UnitFate(kills=3), after={"hits": 1}))
    clone = company_clone(company=company, owner=a_player(), name="Copy")
    record = company_record(clone)
    (copy,), (flier,) = record.units.values(), record.pilots.values()
    assert (copy.spec, copy.condition, copy.pilot) == (unit.spec, {}, flier.id)
    assert (flier.name, flier.kills, record.balance) == ("Ada", 0, 36)


# --- the ledger is append-only ---


def test_model_refuses_to_change_or_delete_an_entry():
    entry = a_company().ledger.get()
    with pytest.raises(AppendOnlyError):
        entry.save()
    with pytest.raises(AppendOnlyError):
        entry.delete()


@pytest.mark.parametrize(
    "statement", ["UPDATE rosters_ledgerentry SET points = 1000", "DELETE FROM rosters_ledgerentry"]
)
def test_database_refuses_to_change_or_delete_an_entry(statement):
    company = a_company()
    with (
        pytest.raises(DatabaseError, match="never changed or deleted"),
        transaction.atomic(),
        connection.cursor() as sql,
    ):
        sql.execute(statement)
    with pytest.raises(DatabaseError, match="never changed or deleted"), transaction.atomic():
        LedgerEntry.objects.update(points=1000)
    with pytest.raises(DatabaseError, match="never changed or deleted"), transaction.atomic():
        LedgerEntry.objects.all()._raw_delete(using="default")
    assert company_balance(company) == 60


def test_reconcile_names_the_differences():
    company = a_company()
    unit = a_unit(company)
    Unit.objects.filter(pk=unit.pk).update(name="Forged", condition={"hits": 1})
    found = " ".join(differences(company))
    assert "'Forged'" in found
    assert "condition" in found


def test_deleted_design_leaves_its_bought_units():
    company = a_company()
    design = design_save(author=company.owner, system=SYSTEM, name="Mine", spec=WASP)
    unit = unit_buy(company=company, by=company.owner, design=design)
    Design.objects.all().delete()
    assert Unit.objects.get(pk=unit.pk).spec == WASP
