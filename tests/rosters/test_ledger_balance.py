"""A company's cached ledger balance always matches its whole ledger."""

import random
import uuid
from collections import defaultdict
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rosters import selectors, services
from rosters.ledger import records
from rosters.ledger.drafts import UnitResult
from rosters.ledger.projection import project_entries
from rosters.ledger.records import company_record, current_record
from rosters.models import LedgerEntry
from rosters.selectors import company_sheet
from rosters.services import RefusedError, company_apply_result
from systems.report_fields import UnitFate
from tests.builders import a_company, a_crewed_unit, a_pilot, a_unit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def cache_every_balance(monkeypatch):
    cache.clear()
    monkeypatch.setattr(records, "MIN_CACHED_ENTRIES", 1)


@pytest.fixture
def cached_starts(monkeypatch):
    """Return a list: for each calculation so far, whether it began with the cached one."""
    began = []

    def recording(entries, since=None):
        began.append(since is not None)
        return project_entries(entries, since)

    monkeypatch.setattr(records, "project_entries", recording)
    return began


def whole_record(company):
    """Return the result of all entries, without what is gone."""
    record = company_record(company)
    return replace(
        record,
        units={pk: unit for pk, unit in record.units.items() if unit.status == "ready"},
        pilots={pk: pilot for pk, pilot in record.pilots.items() if pilot.status in ("active", "wounded")},
    )


def do_random_act(company, dice):
    """Do an act of the owner, or none if it is refused."""
    by, units = company.owner, list(company.units.filter(status="ready"))
    pilots = list(company.pilots.filter(status="active"))
    unit, pilot = (dice.choice(units) if units else None), (dice.choice(pilots) if pilots else None)
    acts = [
        lambda: a_unit(company),
        lambda: a_pilot(company),
        lambda: services.unit_sell(company=company, by=by, unit=unit),
        lambda: services.unit_rename(company=company, by=by, unit=unit, name=f"Ghost {dice.random():.3f}"),
        lambda: services.pilot_assign(company=company, by=by, unit=unit, pilot=pilot),
        lambda: services.pilot_retire(company=company, by=by, pilot=pilot),
        lambda: services.undo_last_act(company=company, by=by),
    ]
    act = dice.choice(acts if unit and pilot else acts[:2])
    try:
        with transaction.atomic():
            act()
    except RefusedError:
        return


def test_balance_matches_the_whole_ledger_after_any_act(cached_starts):
    company, dice = a_company(points=100), random.Random(11)
    for _ in range(80):
        do_random_act(company, dice)
        now = current_record(company)
        assert (now.record, now.entries) == (whole_record(company), company.ledger.count())
    assert cached_starts.count(True) > 30
    assert cached_starts.count(False) > 5  # acts that reach back are calculated from the start


def test_rulings_entry_counts_at_its_earlier_place():
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    current_record(company)
    first = company.ledger.filter(unit=unit).first()
    LedgerEntry.objects.create(
        company=company, act=first.act, kind="kill", unit=unit, pilot=pilot, facts={"count": 2, "place": first.pk + 1},
        cause="ruling",
    )  # fmt: skip
    assert current_record(company).record == whole_record(company)


def test_rolled_back_entries_do_not_count():
    company = a_company()
    try:
        with transaction.atomic():
            a_unit(company)
            assert len(current_record(company).record.units) == 1
            raise RefusedError("unit", "Not today.")
    except RefusedError:
        pass
    assert current_record(company).record == whole_record(company)
    a_pilot(company)
    assert current_record(company).record == whole_record(company)


def test_cached_balance_reads_new_entries_only():
    company = a_company()
    a_crewed_unit(company)
    last = current_record(company).last
    calls = []

    def note(execute, sql, params, many, context):
        calls.append(list(params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        current_record(company)
    assert calls == [[company.pk, last]]


@pytest.mark.any_database
def test_company_pages_do_not_grow_with_trades(client):
    company = a_company()
    a_crewed_unit(company)
    client.force_login(company.owner)
    pages = ("company", ""), ("company", "?show=ledger"), ("company_settings", "")
    sizes, asked = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for trades in (30, 30):
        for _ in range(trades):
            services.unit_sell(company=company, by=company.owner, unit=a_unit(company))
        for name, query in pages:
            path = reverse(f"rosters:{name}", args=[company.pk]) + query
            client.get(path)
            with CaptureQueriesContext(connection) as queries:
                sizes[path].append(len(client.get(path).content))
            asked[path].append(len(queries))
    for path in asked:
        assert asked[path][0] == asked[path][1] < 15, path
        assert sizes[path][1] < sizes[path][0] + 200, path  # the link to the next page, and longer numbers


def test_lost_unit_and_pilot_show_their_whole_record(client):
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    result = UnitResult(
        unit=unit.pk, pilot=pilot.pk, fate=UnitFate(kills=2, wounded=True), wounded_by="THOR", after={"hits": 1}
    )
    company_apply_result(company=company, act=uuid.uuid4(), cause_ref="b-1", by=None, units=[result])
    last = UnitResult(unit=unit.pk, pilot=pilot.pk, fate=UnitFate(destroyed=True, wounded=True), after={"hits": 0})
    company_apply_result(company=company, act=uuid.uuid4(), cause_ref="b-2", by=None, units=[last])
    services.pilot_retire(company=company, by=company.owner, pilot=pilot)
    record, sheet = company_record(company), company_sheet(company)
    gone = selectors.unit_of(company, sheet, unit.pk)
    assert (gone.status, gone.games, gone.kills, gone.times_lost) == ("destroyed", 2, 2, 1)
    assert (gone.games, gone.kills) == (record.units[unit.pk].games, record.units[unit.pk].kills)
    assert selectors.pilot_of(company, sheet, pilot.pk)[1].wounds == record.pilots[pilot.pk].wounds == 2
    client.force_login(company.owner)
    for kind, pk in (("unit", unit.pk), ("pilot", pilot.pk)):
        assert client.get(reverse(f"rosters:{kind}", args=[company.pk, pk])).status_code == 200
