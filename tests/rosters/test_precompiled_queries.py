"""A precompiled query returns the same as its query set, for any parameters."""

import json
import subprocess
import sys
import uuid
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.exceptions import FieldError
from django.db import connection
from django.db.models import F, Value
from django.db.models.fields.json import KeyTextTransform
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rosters.database.queries import PreparedQuery
from rosters.models import Company, LedgerEntry, Unit
from tests.builders import a_company, a_crewed_unit, a_player

pytestmark = pytest.mark.django_db


def fields(row):
    """Return all fields of a model read from the database, and the names of the related objects read with it."""
    return {name: value for name, value in vars(row).items() if name != "_state"}, set(row._state.fields_cache)


def test_models_match_the_query_set():
    def question(owner, name):
        rows = Unit.objects.filter(company__owner=owner, company__name=name).select_related("company__owner", "pilot")
        return rows.annotate(at=F("position"), said=Value("100 %"))

    compiled = PreparedQuery(question, owner=int, name=str)
    for name in ("Iron Hounds", "100 % 'sure'", "%s"):
        company = a_company(name=name)
        a_crewed_unit(company)
        (row,), (asked,) = compiled.rows(owner=company.owner_id, name=name), question(company.owner_id, name)
        for made, model in ((row, asked), (row.pilot, asked.pilot), (row.company, asked.company)):
            assert fields(made) == fields(model)
        assert fields(row.company.owner) == fields(asked.company.owner)
        assert (row, row._state.db, row._state.adding) == (asked, "default", False)
    assert compiled.rows(owner=company.owner_id, name="Nobody") == []
    assert compiled.row(owner=-1, name="%s") is None


def test_values_match_the_query_set():
    company = a_company()
    a_crewed_unit(company)

    def question(company, since):
        rows = LedgerEntry.objects.filter(company=company, created_at__gt=since).order_by("pk")
        return rows.values_list("pk", "act", "facts", "created_at", "points")

    compiled = PreparedQuery(question, company=int, since=timezone.datetime)
    for since in (timezone.now() - timedelta(days=1), timezone.now() + timedelta(days=1)):
        assert compiled.rows(company=company.pk, since=since) == list(question(company.pk, since))
    assert len(compiled.rows(company=company.pk, since=timezone.now() - timedelta(days=1))) == company.ledger.count()


def test_uuid_is_found_in_either_database():
    company, compiled = a_company(), PreparedQuery(lambda key: Company.objects.filter(link_key=key), key=uuid.UUID)
    assert compiled.rows(key=company.link_key) == [company]
    assert compiled.rows(key=uuid.uuid4()) == []


def test_each_call_is_one_fresh_query():
    owner = a_player()
    compiled = PreparedQuery(lambda owner: Company.objects.filter(owner=owner).order_by("pk"), owner=int)
    assert compiled.rows(owner=owner.pk) == []
    company = a_company(owner)
    with CaptureQueriesContext(connection) as queries:
        assert compiled.rows(owner=owner.pk) == [company]
    assert len(queries) == 1


PLANS = """
import django
django.setup()
from django.db import connection
from rosters.models import Company
from rosters.database.queries import PreparedQuery

def asked(compiled, **given):
    for value in range(3):
        compiled.rows(**{name: kind(value) for name, kind in given.items()})
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*), sum(generic_plans), sum(custom_plans) FROM pg_prepared_statements")
        print(*cursor.fetchone())

asked(PreparedQuery(lambda owner: Company.objects.filter(owner=owner), owner=int), owner=int)
asked(PreparedQuery(lambda name: Company.objects.filter(name__contains=name), name=str), name=str)
"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no cached plans")
def test_query_is_planned_once_but_text_search_each_time(site_env):
    done = subprocess.run(
        [sys.executable, "-c", PLANS], env=site_env, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    assert (done.stdout.splitlines(), done.returncode) == (["1 3 0", "1 3 0"], 0), done.stderr


def test_unused_parameter_is_refused():
    compiled = PreparedQuery(lambda pk, other: Company.objects.filter(pk=pk), pk=int, other=int)
    with pytest.raises(FieldError, match="not all stand in the query"):
        compiled.rows(pk=1, other=1)


def test_text_search_matches_the_query_set():
    def question(owner, name):
        return Company.objects.filter(owner=owner, name__icontains=name).order_by("pk")

    owner, compiled = a_player(), PreparedQuery(question, owner=int, name=str)
    for name in ("Iron Hounds", "100 % 'sure'", "a_b", "a\\b", "axb"):
        a_company(owner, name=name)
    for part in ("iron", "ON H", "%", "%s", "_", "\\", "'", "x", "Iron Hounds", "nobody"):
        assert compiled.rows(owner=owner.pk, name=part) == list(question(owner.pk, part))
    assert [row.name for row in compiled.rows(owner=owner.pk, name="_")] == ["a_b"]


@pytest.mark.parametrize(
    "condition",
    [
        {},
        {"name": "Zoë \u2028 \x7f '%s' \"", "n": [1, -2.5, 1e300, 10**40, True, None, ""], "": {"": []}},
        ["a"] * 3,
        "words",
        0.1 + 0.2,
        pytest.param([[[]]] * 2, id="lists"),
    ],
)
def test_json_matches_the_query_set(condition):
    unit = a_crewed_unit(a_company())[0]
    Unit.objects.filter(pk=unit.pk).update(condition=condition)

    def question(unit):
        return Unit.objects.filter(pk=unit).values_list("condition", "spec", KeyTextTransform("chassis", "spec"))

    assert PreparedQuery(question, unit=int).rows(unit=unit.pk) == list(question(unit.pk))


def test_deeply_nested_json_is_read():
    unit = a_crewed_unit(a_company())[0]
    deep = "[" * 400 + "]" * 400
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rosters_unit SET condition = %s WHERE id = %s", [deep, unit.pk])
    (row,) = PreparedQuery(lambda unit: Unit.objects.filter(pk=unit).values_list("condition"), unit=int).rows(
        unit=unit.pk
    )
    assert json.dumps(row[0]) == deep
