"""The fast reader of database times returns the same as the driver."""

from datetime import UTC, datetime

import pytest
from django.db import DataError, connection

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _postgresql(db):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite stores times as text")


@pytest.mark.parametrize(
    "time",
    [
        datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        datetime(2026, 1, 2, 3, 4, 5, 100_000, tzinfo=UTC),
        datetime(2026, 1, 2, 3, 4, 5, 123_450, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ],
)
def test_time_is_read_unchanged(time):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::timestamptz", [time])
        (value,) = cursor.fetchone()
    assert (value, value.tzinfo) == (time, UTC)


def test_session_time_zone_changes_no_time():
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL TIME ZONE 'Asia/Kolkata'")
        cursor.execute("SELECT '2026-01-02 03:04:05+00'::timestamptz::text, '2026-01-02 03:04:05+00'::timestamptz")
        text, value = cursor.fetchone()
        assert text == "2026-01-02 08:34:05+05:30"
        assert (value, value.tzinfo) == (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), UTC)


@pytest.mark.parametrize("time", ["infinity", "12000-01-01", "0044-03-15 BC"])
def test_time_outside_pythons_range_is_refused_by_the_driver(time):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::timestamptz", [time])
        with pytest.raises(DataError):
            cursor.fetchone()
