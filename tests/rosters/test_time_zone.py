"""Dates are shown in the reader's time zone: that of the profile, or else that of the browser."""

import re
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from rosters.models import SignIn
from tests.builders import a_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(client):
    """Return a player who signed in once, at noon in Greenwich."""
    player = a_player()
    client.force_login(player)
    SignIn.objects.filter(player=player).delete()
    SignIn.objects.create(player=player, outcome="ok")
    SignIn.objects.update(occurred_at=datetime(2026, 7, 1, 12, tzinfo=UTC))
    return player


def sign_in_times(client) -> list[str]:
    return re.findall(r"1 Jul 2026 \d\d:\d\d", client.get(reverse("rosters:sign_ins"), follow=True).content.decode())


@pytest.mark.parametrize(
    ("cookie", "hour"),
    [
        ("Europe%2FVienna", "14:00"),
        ("Europe/Vienna", "14:00"),
        ("UTC", "12:00"),
        ("Mars%2FOlympus", "12:00"),
        ("", "12:00"),
    ],
)
def test_time_is_shown_in_the_browsers_zone(client, reader, cookie, hour):
    client.cookies["tz"] = cookie
    assert sign_in_times(client) == [f"1 Jul 2026 {hour}"]


def test_profile_zone_overrides_the_browsers(client, reader):
    client.cookies["tz"] = "Europe%2FVienna"
    reader.time_zone = "Asia/Tokyo"
    reader.save()
    assert sign_in_times(client) == ["1 Jul 2026 21:00"]
