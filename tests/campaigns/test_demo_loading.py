"""Loading the demo where its campaign can't be made."""

import pytest
from django.core.management import CommandError, call_command

from campaigns.models import Campaign, Membership
from rosters.demo import demo_load
from rosters.models import Company, Player
from tests.builders import a_player

pytestmark = pytest.mark.django_db


def test_demo_without_its_players_has_no_campaign(settings, tmp_path):
    settings.VAR_DIR, settings.DEMO_PASSWORD = tmp_path, "sesame-for-the-demo"
    a_player("demo-teodor")  # another player of that name, not part of the demo
    loaded = demo_load()
    assert Membership.objects.filter(player=loaded.player).exists()
    assert not Campaign.objects.exists()


def test_existing_player_named_demo_gets_no_companies(settings, tmp_path):
    settings.VAR_DIR, settings.DEMO_PASSWORD = tmp_path, ""
    a_player("demo")
    with pytest.raises(CommandError, match="already has accounts"):
        call_command("demo")
    assert (Player.objects.count(), Company.objects.count()) == (1, 0)
    call_command("demo", "--remove")
    assert Player.objects.count() == 1
