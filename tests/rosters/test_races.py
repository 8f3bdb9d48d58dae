"""Parallel requests: the points are spent once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from rosters.ledger.records import company_balance, differences
from rosters.models import Company
from rosters.services import RefusedError, design_clone, design_save, undo_last_act, unit_buy
from tests.builders import SYSTEM, WASP, a_company, a_player, a_unit

THREADS = 20

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(act):
    """Return what each of many threads got: True, or the refusal's reason."""
    gate = threading.Barrier(THREADS)

    def run(_):
        try:
            gate.wait()
            act()
            return True
        except RefusedError as error:
            return error.reason
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def test_last_points_are_spent_once_by_parallel_purchases():
    company = a_company(points=9)
    answers = at_once(lambda: unit_buy(company=company, by=company.owner, published="wasp"))
    assert answers.count(True) == 1
    assert {answer for answer in answers if answer is not True} == {"WASP costs 9 points; Iron Hounds has 0."}
    assert company_balance(company) == 0
    assert company.units.count() == 1
    assert list(differences(Company.objects.get(pk=company.pk))) == []


def test_act_is_undone_once_by_parallel_requests():
    company = a_company()
    a_unit(company)
    act = company.ledger.last().act
    answers = at_once(lambda: undo_last_act(company=company, by=company.owner, act=act))
    assert answers.count(True) == 1
    assert company_balance(company) == 60


def test_parallel_copies_of_a_design_get_free_names():
    design, by = design_save(author=a_player(), system=SYSTEM, name="Wasp", spec=WASP), a_player()
    assert at_once(lambda: design_clone(design=design, by=by)) == [True] * THREADS
    assert set(by.designs.values_list("name", flat=True)) == {"Wasp", *(f"Wasp {number}" for number in range(2, 21))}
