"""Days and hours by the reader's clock, also on nights when the clocks change."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.http import QueryDict
from django.utils import timezone

from rosters.site.forms import LocalTimeField, days_later

BERLIN = ZoneInfo("Europe/Berlin")


class TimeForm(forms.Form):
    at = LocalTimeField()


@pytest.fixture(autouse=True)
def in_berlin():
    with timezone.override(BERLIN):
        yield


def time_form(text, which=""):
    return TimeForm(QueryDict(f"at={text}&at-which={which}"))


@pytest.mark.parametrize("zone", ["", "Europe/Berlin"])
def test_hour_stays_over_a_change_of_clocks(zone):
    start = datetime(2027, 3, 20, 19, tzinfo=BERLIN)
    assert days_later(start, 14, zone) == datetime(2027, 4, 3, 19, tzinfo=BERLIN)
    assert days_later(start, 14, "America/New_York") == datetime(2027, 4, 3, 18, tzinfo=UTC)
    assert days_later(start, 14, "Nowhere/None") == datetime(2027, 4, 3, 19, tzinfo=BERLIN)


def test_repeated_hour_offers_a_choice():
    form = time_form("2026-10-25T02:30")
    assert form.errors["at"] == [
        "On Sun 25 Oct the clocks go back and 02:30 happens twice. Choose the first or the second."
    ]
    assert "Choose one" in str(form["at"])
    assert "the first 02:30 (CEST)" in str(form["at"])
    for which, hour in (("first", 0), ("second", 1)):
        form = time_form("2026-10-25T02:30", which)
        assert form.is_valid()
        assert form.cleaned_data["at"].astimezone(UTC) == datetime(2026, 10, 25, hour, 30, tzinfo=UTC)
        assert f'value="{which}" selected' in str(TimeForm(initial={"at": form.cleaned_data["at"]})["at"])


def test_skipped_hour_is_refused():
    form = time_form("2026-03-29T02:30", "first")
    assert form.errors["at"] == ["On Sun 29 Mar the clocks go forward and there is no 02:30. Choose another time."]
    assert "<select" not in str(form["at"])


def test_ordinary_hour_offers_no_choice():
    form = time_form("2026-12-24T19:00", "second")
    assert form.is_valid()
    assert form.cleaned_data["at"] == datetime(2026, 12, 24, 19, tzinfo=BERLIN)
    assert "<select" not in str(form["at"])
    assert not time_form("soon").is_valid()
