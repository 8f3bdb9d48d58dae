"""Where there is no demo campaign."""

import pytest

from campaigns.models import Campaign, Membership
from rosters.demo import demo_load
from tests.builders import a_player

pytestmark = pytest.mark.django_db


def test_without_its_players_there_is_no_campaign(settings, tmp_path):
    settings.VAR_DIR, settings.DEMO_PASSWORD = tmp_path, "sesame-for-the-demo"
    a_player("demo-teodor")  # somebody of that name who is no part of it
    loaded = demo_load()
    assert Membership.objects.filter(player=loaded.player).exists()
    assert not Campaign.objects.exists()
