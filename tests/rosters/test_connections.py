"""What PostgreSQL is told when a connection is made."""

import pytest
from django.db import connection

ASKED = "SELECT current_setting('jit')"


@pytest.fixture(autouse=True)
def _postgresql(db):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite compiles nothing")


def test_no_query_is_compiled():
    with connection.cursor() as cursor:
        cursor.execute(ASKED)
        assert cursor.fetchone() == ("off",)


def test_nor_is_one_of_a_new_connection_when_its_first_transaction_is_taken_back():
    new = connection.copy("another")
    try:
        new.set_autocommit(False)
        new.rollback()
        with new.cursor() as cursor:
            cursor.execute(ASKED)
            assert cursor.fetchone() == ("off",)
    finally:
        new.close()
