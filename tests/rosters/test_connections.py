"""The settings that PostgreSQL gets when a connection is made."""

import pytest
from django.db import connection

SETTINGS_QUERY = "SELECT current_setting('jit')"


@pytest.fixture(autouse=True)
def _postgresql(db):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no JIT")


def test_queries_are_not_jit_compiled():
    with connection.cursor() as cursor:
        cursor.execute(SETTINGS_QUERY)
        assert cursor.fetchone() == ("off",)


@pytest.mark.parametrize(("threshold", "mode"), [(5, "force_generic_plan"), (None, "auto")])
def test_plan_mode_follows_prepared_statements(threshold, mode):
    new = connection.copy("another")
    new.settings_dict = {**new.settings_dict, "OPTIONS": {"prepare_threshold": threshold}}
    assert "options" not in new.get_connection_params()
    try:
        with new.cursor() as cursor:
            cursor.execute("SELECT current_setting('plan_cache_mode')")
            assert cursor.fetchone() == (mode,)
    finally:
        new.close()


def test_jit_stays_off_after_a_first_rollback():
    new = connection.copy("another")
    try:
        new.set_autocommit(False)
        new.rollback()
        with new.cursor() as cursor:
            cursor.execute(SETTINGS_QUERY)
            assert cursor.fetchone() == ("off",)
    finally:
        new.close()
