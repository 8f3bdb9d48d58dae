"""The demo campaign: worth clicking through at once, the same when loaded again, and needing no worker."""

import pytest
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Campaign, DiaryEntry, Match, MatchState
from campaigns.selectors.mustering import muster_problems
from rosters.demo import demo_load
from rosters.ledger.kinds import kind_of
from rosters.ledger.reconcile import differences
from rosters.models import Company, LedgerEntry, Player
from systems.ledger import ABOUT
from tests.campaigns.builders import waiting_for

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def demo(rows_of_all, tmp_path_factory):
    with override_settings(VAR_DIR=tmp_path_factory.mktemp("demo"), DEMO_PASSWORD="sesame-for-the-demo"):
        return demo_load()


@pytest.fixture
def loaded(demo, settings, tmp_path):
    settings.VAR_DIR, settings.DEMO_PASSWORD = tmp_path, "sesame-for-the-demo"
    return demo


SYSTEMS = pytest.mark.parametrize("system", ["meks-and-mercs", "mech-campaign", "blazing-steel", "mechastellar"])


@SYSTEMS
def test_it_has_a_round_behind_it_and_a_round_under_way(loaded, system):
    campaign = Campaign.objects.get(system=system)
    first, second = campaign.rounds.all()
    assert (campaign.state, first.state, second.state) == ("running", "closed", "open")
    assert [match.state for match in first.matches.all()] == [MatchState.CONFIRMED, MatchState.AUTO_RESOLVED]
    now = timezone.now()
    assert first.opens_at < first.closed_at == first.deadline <= second.opens_at < now < second.deadline
    assert campaign.created_at < campaign.mustering_at < campaign.running_at <= first.opens_at
    assert {entry.at.date() for entry in DiaryEntry.objects.filter(campaign=campaign)} != {now.date()}
    assert second.matches.count() == 2


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("meks-and-mercs", "Iron Hounds"),
        ("mech-campaign", "Rock Rats"),
        ("blazing-steel", "Long Eyes"),
        ("mechastellar", "Federal Line"),
    ],
)
def test_companies_were_legal_when_they_mustered(loaded, system, name):
    campaign = Campaign.objects.get(system=system)
    one = Company.objects.get(name=name)
    assert not muster_problems(one, campaign).problems, "a company that has not fought yet could join as well"
    assert campaign.enrolments.filter(state="accepted").values("company__owner").distinct().count() == 4


@SYSTEMS
def test_something_waits_for_the_demo_player_and_every_page_of_it_opens(client, loaded, system):
    kinds = {item.kind for item in waiting_for(loaded.player)}
    assert kinds & {"confirm", "seal", "report"}, kinds
    client.force_login(loaded.player)
    campaign = Campaign.objects.get(system=system)
    names = ("campaign", "campaign_companies", "rounds", "standings", "campaign_map", "campaign_settings", "rulings")
    paths = [reverse(f"campaigns:{name}", args=[campaign.pk]) for name in names]
    paths += [reverse("campaigns:match", args=[match.key]) for match in Match.objects.filter(round__campaign=campaign)]
    companies = Company.objects.filter(enrolments__campaign=campaign)
    paths += [reverse("rosters:company", args=[company.pk]) for company in companies]
    assert [path for path in paths if client.get(path).status_code != 200] == []


def test_loaded_again_it_is_as_it_was(loaded):
    def counts():
        return [kind.objects.count() for kind in (Campaign, Match, Company, Player, LedgerEntry, DiaryEntry)]

    before = counts()
    Campaign.objects.filter(system="meks-and-mercs").update(name="Renamed by its organiser")
    again = demo_load()
    assert (again.made, counts()) == (0, before)
    assert [line for company in Company.objects.all() for line in differences(company)] == []


def test_every_entry_keeps_the_facts_that_its_kind_names_and_no_others(loaded):
    entries = LedgerEntry.objects.values_list("kind", "facts")
    found = {(kind, fact) for kind, facts in entries for fact in facts}
    assert len({kind for kind, _ in found}) > 12
    assert {(kind, fact) for kind, fact in found if fact not in (*kind_of(kind).facts, *ABOUT)} == set()
