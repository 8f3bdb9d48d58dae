"""What it takes to load the demo campaign, and where there is none."""

import pytest
from django.db import connection

from battles.models import Battle, Forecast
from campaigns.models import Campaign, Membership
from rosters.demo import demo_load
from systems import ROSTERS
from tests.builders import a_player

pytestmark = pytest.mark.django_db


def test_it_fights_few_battles_and_asks_the_database_little(settings, tmp_path):
    settings.VAR_DIR, settings.DEMO_PASSWORD = tmp_path, "sesame-for-the-demo"
    asked = 0

    def counted(execute, *args):  # Django's own log of queries ends at 9,000
        nonlocal asked
        asked += 1
        return execute(*args)

    with connection.execute_wrapper(counted):
        demo_load()
    assert asked <= 2_000 * len(ROSTERS), asked
    assert Battle.objects.count() == 2 * len(ROSTERS)
    assert {job.runs_done for job in Forecast.objects.all()} == {0}, "odds are left to the workers"


def test_without_its_players_there_is_no_campaign(settings, tmp_path):
    settings.VAR_DIR, settings.DEMO_PASSWORD = tmp_path, "sesame-for-the-demo"
    a_player("demo-teodor")  # somebody of that name who is no part of it
    loaded = demo_load()
    assert Membership.objects.filter(player=loaded.player).exists()
    assert not Campaign.objects.exists()
