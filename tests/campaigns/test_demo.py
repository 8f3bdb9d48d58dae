"""The demo campaign: loading, reloading and removing, without a worker."""

import io
from dataclasses import dataclass
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle, BattleSide, Forecast
from campaigns.enrolments.selectors import enrolment_check
from campaigns.models import ActivityLogEntry, Campaign, Club, Match, MatchState
from rosters.demo import Loaded, demo_load
from rosters.documents.snapshots import fielded, ready_units
from rosters.entries import kind_of
from rosters.ledger.records import differences
from rosters.models import Company, LedgerEntry, Player
from rosters.selectors import company_sheet
from systems import ROSTERS, roster_rules
from systems.ledger import ABOUT
from systems.roster import CompanyMember
from tests.builders import SYSTEM, a_company, a_player
from tests.campaigns.builders import a_campaign, a_club, a_member, an_enrolment, waiting_for

pytestmark = pytest.mark.django_db


@dataclass(frozen=True, slots=True)
class Demo:
    loaded: Loaded
    folder: Path
    output: str  # output of the command that loaded the demo
    queries: int  # number of queries the command made


def command(name: str, *options: str) -> str:
    out = io.StringIO()
    call_command(name, *options, stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def demo(rows_of_all, tmp_path_factory):
    """Load the demo once for all tests, by its command."""
    queries = 0

    def count_query(execute, *args):  # Django's own query log ends at 9,000
        nonlocal queries
        queries += 1
        return execute(*args)

    folder = tmp_path_factory.mktemp("demo")
    with override_settings(VAR_DIR=folder, DEMO_PASSWORD=""):
        with connection.execute_wrapper(count_query):
            output = command("demo")
        return Demo(demo_load(), folder, output, queries)


@pytest.fixture
def loaded_demo(demo, settings):
    settings.VAR_DIR, settings.DEMO_PASSWORD = demo.folder, ""
    return demo.loaded


def test_demo_simulates_few_battles_with_few_queries(demo):
    assert demo.queries <= 2_300 * len(ROSTERS), demo.queries
    games = Company.objects.values("system").distinct().count()
    assert games >= 5
    assert Battle.objects.count() == 2 * games
    assert {job.runs_done for job in Forecast.objects.all()} == {0}, "workers calculate the odds"


def test_demo_loads_once_and_its_login_works(client, demo, loaded_demo):
    counts = (Player.objects.count(), Company.objects.count(), LedgerEntry.objects.count())
    again = command("demo")
    assert (Player.objects.count(), Company.objects.count(), LedgerEntry.objects.count()) == counts
    assert counts[1] == 30, "two of each game to build on, four in each campaign"
    assert Player.objects.exclude(password__startswith="!").get().username == "demo", "the other players have no login"
    password = (demo.folder / "demo-password").read_text()
    assert password in demo.output
    assert password in again
    assert (demo.folder / "demo-password").stat().st_mode & 0o077 == 0
    assert client.login(username="demo", password=password)
    assert "agree" in command("reconcile")


def test_mech_campaign_companies_field_a_legal_force(loaded_demo):
    companies = [company for company in loaded_demo.companies if company.system == "mech-campaign"]
    assert [company.name for company in companies] == ["Rock Rats", "Claim Jumpers"]
    rules = roster_rules("mech-campaign")
    for company in companies:
        units = fielded(company, ready_units(company))
        members = [
            CompanyMember(unit.name, rules.parse_spec(unit.spec), rules.parse_pilot(None) if unit.pilot else None)
            for unit in units
        ]
        assert rules.check_company("claim-dispute", members).problems == ()
        assert company_sheet(company).check.legal


SYSTEMS = pytest.mark.parametrize(
    "system", ["meks-and-mercs", "mech-campaign", "blazing-steel", "mechastellar", "hex-core"]
)


@SYSTEMS
def test_demo_has_a_closed_and_an_open_round(loaded_demo, system):
    campaign = Campaign.objects.get(system=system)
    first, second = campaign.rounds.all()
    assert (campaign.state, first.state, second.state) == ("running", "closed", "open")
    assert [match.state for match in first.matches.all()] == [MatchState.CONFIRMED, MatchState.AUTO_RESOLVED]
    now = timezone.now()
    assert first.opens_at < first.closed_at == first.deadline <= second.opens_at < now < second.deadline
    assert campaign.created_at < campaign.mustering_at < campaign.running_at <= first.opens_at
    assert {entry.created_at.date() for entry in ActivityLogEntry.objects.filter(campaign=campaign)} != {now.date()}
    assert second.matches.count() == 2


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("meks-and-mercs", "Iron Hounds"),
        ("mech-campaign", "Rock Rats"),
        ("blazing-steel", "Long Eyes"),
        ("mechastellar", "Federal Line"),
        ("hex-core", "Six Sides"),
    ],
)
def test_demo_companies_were_legal_at_mustering(loaded_demo, system, name):
    campaign = Campaign.objects.get(system=system)
    one = Company.objects.get(name=name)
    assert not enrolment_check(one, campaign).problems, "a company that has not fought yet could join as well"
    assert campaign.enrolments.filter(state="accepted").values("company__owner").distinct().count() == 4


@SYSTEMS
def test_demo_player_has_waiting_items_and_pages_open(client, loaded_demo, system):
    kinds = {item.kind for item in waiting_for(loaded_demo.player)}
    assert kinds & {"confirm", "seal", "report"}, kinds
    client.force_login(loaded_demo.player)
    campaign = Campaign.objects.get(system=system)
    names = ("campaign", "campaign_companies", "standings", "campaign_settings", "gazettes")
    paths = [reverse(f"campaigns:{name}", args=[campaign.pk]) for name in names]
    paths += [reverse("campaigns:match", args=[match.key]) for match in Match.objects.filter(round__campaign=campaign)]
    companies = Company.objects.filter(enrolments__campaign=campaign)
    paths += [reverse("rosters:company", args=[company.pk]) for company in companies]
    assert [path for path in paths if client.get(path).status_code != 200] == []


def test_reloading_changes_nothing(loaded_demo):
    def counts():
        return [kind.objects.count() for kind in (Campaign, Match, Company, Player, LedgerEntry, ActivityLogEntry)]

    before = counts()
    Campaign.objects.filter(system="meks-and-mercs").update(name="Renamed by its organiser")
    again = demo_load()
    assert (again.made, counts()) == (0, before)
    assert [line for company in Company.objects.all() for line in differences(company)] == []


def test_entries_keep_only_the_facts_of_their_kind(loaded_demo):
    entries = LedgerEntry.objects.values_list("kind", "facts")
    found = {(kind, fact) for kind, facts in entries for fact in facts}
    assert len({kind for kind, _ in found}) > 12
    assert {(kind, fact) for kind, fact in found if fact not in (*kind_of(kind).facts, *ABOUT)} == set()


# --- removal ----------------------------------------------------------------------------------------------------------


def rows_left() -> dict[str, int]:
    """Count the rows of each table that people or workers fill."""
    found = {model._meta.label: model._default_manager.count() for model in apps.get_models(include_auto_created=True)}
    made_by_the_site = (
        "auth.Permission",
        "contenttypes.ContentType",
        "battles.Forecast",
    )  # old odds are deleted by themselves
    return {label: number for label, number in found.items() if number and label not in made_by_the_site}


def test_removal_leaves_no_rows(loaded_demo):
    assert "removed" in command("demo", "--remove")
    assert rows_left() == {}
    assert command("demo", "--remove") == "There is no demo club.\n"


def test_removal_keeps_other_players_rows(loaded_demo, demo, client):
    ann = a_player("ann")
    mine = a_company(ann, name="Own Hounds")
    club = Club.objects.get()
    a_member(club, player=ann)
    game = Battle.objects.create(system=SYSTEM, title="For fun", setup={}, setup_hash="", rules_version=1, asked_by=ann)
    for position, company in enumerate((mine, loaded_demo.companies[0])):
        game.sides.create(position=position, name=company.name, company=company)
    command("demo", "--remove")
    assert list(Player.objects.all()) == [ann]
    assert list(Company.objects.all()) == [mine]
    assert [side.company for side in game.sides.all()] == [mine, None]
    assert not Club.objects.exists()
    assert command("reconcile")
    with pytest.raises(CommandError, match="This site already has accounts"):
        command("demo")
    assert "left out" in command("demo", "--if-empty")
    assert list(Player.objects.all()) == [ann]


def test_demo_does_not_reload_on_a_site_with_accounts(loaded_demo):
    a_player("ann")
    company = Company.objects.get(name="Iron Hounds", owner=loaded_demo.player)
    Company.objects.filter(pk=company.pk).update(name="Renamed Hounds")
    before = rows_left()
    assert "left as it is" in command("demo", "--if-empty")
    assert rows_left() == before
    assert "Sign in at" in command("demo"), "the command prints the password again"


def test_removal_is_refused_after_a_foreign_battle(loaded_demo):
    mine = a_company(a_player("ann"), name="Own Hounds")
    side = Match.objects.exclude(battle=None).first().battle.sides.first()
    BattleSide.objects.filter(pk=side.pk).update(company=mine)
    before = rows_left()
    with pytest.raises(CommandError, match="Own Hounds, of ann, has fought in the demo club"):
        command("demo", "--remove")
    assert rows_left() == before


def test_removal_is_refused_during_a_foreign_enrolment(loaded_demo):
    an_enrolment(a_campaign(a_club(a_player("ann"))), loaded_demo.companies[0])
    with pytest.raises(CommandError, match="Iron Hounds of the demo club takes part in Spring War"):
        command("demo", "--remove")


def test_disabled_demo_is_not_loaded(settings):
    settings.DEMO = False
    with pytest.raises(CommandError, match="MUSTER_DEMO is 0"):
        command("demo")


def test_demo_login_has_a_confirmed_address_and_site_url(loaded_demo, settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://muster.example"]
    assert "Sign in at https://muster.example/accounts/login/ as demo" in command("demo")
    assert EmailAddress.objects.get(user__username="demo").verified
