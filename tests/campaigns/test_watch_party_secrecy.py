"""During a watch party every page, API and row is checked for events that the clock hasn't reached."""

import json

import pytest
from django.apps import apps
from django.core import serializers

from battles.models import Battle
from battles.services.dice import dice_secret
from campaigns.models import ClubDisplay, NotificationEvent
from rosters.models import LedgerEntry
from rosters.services.companies import company_change
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.watch_parties import announce, begin, delay_next_step, finish, unseen_facts
from tests.permissions.routes import address, ask, client_of, table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


class MatchCases:
    """The cases of the route table, all about one match; the reader organises its club and plays in it."""

    def __init__(self):
        self.reader = a_player("ora")
        club = a_club(self.reader, is_public=True)
        campaign = a_campaign(club, name="The long war", absent_rule="orders", map_kind="zones")
        companies = [a_mustered_company(owner, name=name) for owner, name in self.owners()]
        sides = [an_enrolment(campaign, company) for company in companies]
        for company in companies:
            company_change(company=company, by=company.owner, visibility="public")
        self.match = a_match(a_round(campaign), *sides)
        self.ledger = LedgerEntry.objects.count()
        self.watch_party = delay_next_step(begin(announce(self.match)))
        self.match.refresh_from_db()
        member = club.memberships.get(player=self.reader)
        pk = {"pk": campaign.pk}
        unit = companies[0].units.first()
        company = {"pk": companies[0].pk, "unit_pk": unit.pk, "pilot_pk": unit.pilot_id, "digest": "d" * 32}
        key = {"key": self.match.key}
        self.cases = {
            "public-club": {"slug": club.slug},
            "public-campaign": pk,
            "public-campaign?key": {**pk, "?key": str(member.feed_key)},
            "public-enrolment": {**pk, "enrolment_pk": sides[0].pk},
            "public-round": {**pk, "number": 1},
            "public-gazette": {**pk, "number": 1, "paper": "a4"},
            "public-rating": {"slug": club.slug, "username": self.reader.username},
            "public-wall": {"key": ClubDisplay.objects.create(club=club, created_by=self.reader).key},
            "company": company,
            "public": company,
            "odds": {"key": self.match.forecast.key},
            "-": {},
            **dict.fromkeys(("public-match", "public-reported", "public-decided", "public-past"), key),
            "public-premiere": key,
            "public-match-dice": {"key": self.match.dice.key},
        }

    def owners(self):
        other = a_player("otto")
        return [(self.reader, "Quiet Quails"), (other, "Mute Swans")]

    def paths(self):
        """Return the addresses of all routes that may show the match, each once."""
        rows = [row for row in table() if row.case in self.cases and "GET" in row.expected]
        return sorted({address(row.route, self.cases[row.case]) for row in rows if not row.route.startswith("account")})


@pytest.fixture
def cases():
    return MatchCases()


def test_no_page_shows_later_events(cases):
    secrets = unseen_facts(cases.watch_party) | {dice_secret(cases.match.dice)}

    class Signed:
        people = {"reader": cases.reader}

    client, read, asked = client_of(Signed, "reader"), [], 0
    for path in cases.paths():
        answer, body = ask(client, "GET", path)
        asked += answer.status_code == 200
        read += [f"{path} shows {secret[:60]}" for secret in secrets if secret in body]
    assert not read, "\n".join(read)
    assert asked > 80


def test_no_database_row_contains_later_events(cases):
    rows = [row for model in apps.get_models(include_auto_created=True) for row in model._default_manager.all()]
    dump = serializers.serialize("json", rows)
    assert str(cases.match.key) in dump
    rows_dumped = json.loads(dump)
    assert rows_dumped
    for secret in unseen_facts(cases.watch_party) | {dice_secret(cases.match.dice)}:
        assert json.dumps(secret)[1:-1] not in dump


def test_watch_party_has_no_effects_before_its_end(cases):
    news = {"premiere-announced", "forces-open", "round-closed", "gazette-out"}
    assert not Battle.objects.exists()
    assert LedgerEntry.objects.count() == cases.ledger
    assert set(NotificationEvent.objects.values_list("occasion", flat=True)) <= news
    assert (cases.match.state, cases.match.outcome, cases.match.figures) == ("scheduled", "", {})
    finish(cases.watch_party)
    assert Battle.objects.count() == 1
    assert LedgerEntry.objects.count() > cases.ledger
    assert NotificationEvent.objects.filter(occasion="match-decided").count() == 1


def test_finished_watch_party_is_shown_on_the_same_pages(cases):
    """Without this, the test above could pass by looking nowhere."""
    later = unseen_facts(cases.watch_party)

    class Signed:
        people = {"reader": cases.reader}

    finish(cases.watch_party)
    cases.match.refresh_from_db()
    client = client_of(Signed, "reader")
    bodies = [ask(client, "GET", path)[1] for path in (f"/battles/{cases.match.battle.key}/record.jsonl",)]
    assert [secret for secret in later if any(json.dumps(secret)[1:-1] in body for body in bodies)]


def test_member_sees_no_more_than_visitors(cases, client):
    member = a_player("mia")
    a_member(cases.match.round.campaign.club, "player", member)
    url = f"/matches/{cases.match.key}/premiere/now/"
    bodies = [client.get(url).content]
    client.force_login(member)
    bodies.append(client.get(url).content)
    assert bodies[0] == bodies[1]
