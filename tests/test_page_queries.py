"""The number of queries of a list doesn't grow with its rows, and its pages hold every row once."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from battles.live.services import table_open_for
from battles.models import Battle, LiveSeat
from campaigns.guests.services import guest_add
from campaigns.models import (
    ActivityLogEntry,
    Campaign,
    Club,
    ClubDisplay,
    Cup,
    MatchmakingOffer,
    Notification,
    NotificationEvent,
    Placeholder,
    Ruling,
    Season,
    SeasonPairing,
    Storyline,
    Territory,
)
from rosters.models import Company, Design, LedgerEntry, Player, PrintJob, Scenario
from systems import roster_rules
from tests.battles.builders import duel
from tests.battles.live.builders import mark
from tests.builders import SYSTEM, WASP, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_round, an_enrolment

pytestmark = pytest.mark.django_db
MAX_QUERIES = 14  # per page
MAX_QUERIES_OF = {
    "/campaigns/{campaign}/": 17,
    "/clubs/iron-table/": 15,
    "/clubs/iron-table/members/": 15,
}  # pages that show more


@dataclass
class Reader:
    """The reader, and their rows."""

    player: Player
    campaign: Campaign
    made: int = 0


@pytest.fixture
def reader(client):
    player = a_player("reader")
    club = a_club(player)
    found = Reader(player, a_campaign(club, map_kind="zones", friendlies=2, pairing="arc"))
    Territory.objects.create(campaign=found.campaign, position=1, name="Ford")
    match = a_match(a_round(found.campaign, "closed"))
    Storyline.objects.create(campaign=found.campaign).rounds.create(round=match.round, step=1)
    cup = Cup.objects.create(campaign=found.campaign)
    for seed, side in enumerate((match.attacker, match.defender), start=1):
        cup.places.create(enrolment=side, seed=seed)
    client.force_login(player)
    return found


def companies(reader, numbers):
    rows = [Company(owner=reader.player, system=SYSTEM, name=f"Own {number}") for number in numbers]
    rows += [Company(owner=a_player(), system=SYSTEM, name=f"Other {n}", visibility="public") for n in numbers]
    for row in Company.objects.bulk_create(rows):
        row.ledger.create(act=row.link_key, kind="founded", points=60, facts={"to": {"name": row.name}}, cause="act")


def units(reader, numbers):
    """Make units, each in its own company, with a battle and a kill."""
    for number in numbers:
        company = Company.objects.create(owner=a_player(), system=SYSTEM, name=f"Pack {number}", visibility="public")
        unit = company.units.create(name=f"Owl {number}", design_name="Owl", spec=WASP)
        for kind, facts in (("fought", {}), ("kill", {"count": number, "victims": []})):
            company.ledger.create(act=uuid4(), kind=kind, unit=unit, facts=facts, cause="result")


def battles(reader, numbers):
    setup, sent = duel(), timezone.now()
    Battle.objects.bulk_create(
        Battle(
            system=SYSTEM, title=f"Battle {number}", setup=setup, setup_hash="-", seed=str(number), rules_version=1,
            asked_by=a_player(), status="done", queued_at=sent, result={"winner": "Red", "draw": False, "rounds": 3},
        )
        for number in numbers
    )  # fmt: skip


def clubs(reader, numbers):
    Club.objects.bulk_create(Club(name=f"Club {number}", slug=f"club-{number}") for number in numbers)


def campaigns(reader, numbers):
    for number in numbers:
        a_campaign(reader.campaign.club, name=f"War {number}")


def activity_log_texts(reader, numbers):
    ActivityLogEntry.objects.bulk_create(
        ActivityLogEntry(
            club=reader.campaign.club, campaign=reader.campaign, created_by=a_player(), text=f"Act {number}"
        )
        for number in numbers
    )


def notifications(reader, numbers):
    campaign = reader.campaign
    facts = {"round": "Round 1", "round_number": 1, "campaign": campaign.name, "campaign_id": campaign.pk}
    for _ in numbers:
        news = NotificationEvent.objects.create(
            occasion="round-closed", club=campaign.club, campaign=campaign, facts=facts
        )
        Notification.objects.create(player=reader.player, news=news)


def waiting(reader, numbers):
    """Make companies that are ready for a game, and proposed games between some of them."""
    soon = timezone.now() + timedelta(hours=1)
    for number in numbers:
        pair = [Company.objects.create(owner=a_player(), system=SYSTEM, name=f"Keen {number}") for _ in "12"]
        for company in pair:
            reader.campaign.club.ready.create(company=company, expires_at=soon)
        MatchmakingOffer.objects.create(
            club=reader.campaign.club, attacker=pair[0], defender=pair[1], chance=0.5, expires_at=soon
        )


def rulings(reader, numbers):
    match = reader.campaign.rounds.get().matches.get()
    Ruling.objects.bulk_create(
        Ruling(
            campaign=reader.campaign,
            kind="match",
            title=f"Case {n}",
            reason="So be it.",
            decided_by=a_player(),
            match=match,
        )
        for n in numbers
    )


def designs(reader, numbers):
    Design.objects.bulk_create(
        Design(author=reader.player, system=SYSTEM, name=f"Owl {number}", spec=WASP) for number in numbers
    )


def scenarios(reader, numbers):
    rules = roster_rules(SYSTEM)
    spec = rules.scenario_json(rules.scenarios["head-to-head"].spec)
    for author in (reader.player, a_player()):
        Scenario.objects.bulk_create(
            Scenario(author=author, system=SYSTEM, name=f"Ridge {number}", spec=spec, visibility="public")
            for number in numbers
        )


def prints(reader, numbers):
    PrintJob.objects.bulk_create(
        PrintJob(asked_by=reader.player, title=f"Cards {number}", content={}, queued_at=timezone.now())
        for number in numbers
    )


def trades(reader, numbers):
    company = Company.objects.filter(owner=reader.player).first()
    if company is None:
        companies(reader, [0])
        company = Company.objects.get(owner=reader.player)
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            company=company, act=uuid4(), kind="adjusted", points=number, facts={"reason": "-"}, cause="act",
            created_by=a_player(),
        )
        for number in numbers
    )  # fmt: skip


def players(reader, numbers):
    """Make players, each with a company in the campaign and a match in the newest round."""
    row, campaign = reader.campaign.rounds.get(), reader.campaign
    figures = {"destroyed": [1, 0], "lost": [0, 1]}
    for number in numbers:
        sides = []
        for word in ("Red", "Blue"):
            company = Company.objects.create(owner=a_player(), system=SYSTEM, name=f"{word} {number}")
            company.ledger.create(act=uuid4(), kind="founded", points=60, facts={"to": {"name": word}}, cause="act")
            sides.append(an_enrolment(campaign, company))
        a_match(row, *sides, state="confirmed", outcome="attacker", figures=figures)


def rounds(reader, numbers):
    """Make closed rounds with the same pairing."""
    match = reader.campaign.rounds.earliest("number").matches.first()
    for _ in numbers:
        a_match(a_round(reader.campaign, "closed"), match.attacker, match.defender, state="confirmed", outcome="draw")


def long_ledgers(reader, numbers):
    """Make long ledgers for all companies in the campaign."""
    for enrolment in reader.campaign.enrolments.select_related("company"):
        LedgerEntry.objects.bulk_create(
            LedgerEntry(company=enrolment.company, act=uuid4(), kind="adjusted", points=0, facts={"reason": "-"}, cause="act")
            for _ in numbers
        )  # fmt: skip


def guests(reader, numbers):
    """Make guests, each with a company and an open match."""
    row = a_round(reader.campaign)
    for number in numbers:
        guest = guest_add(club=reader.campaign.club, by=reader.player, name=f"Guest number {number + 2}0{number}")
        company = Company.objects.create(owner=guest.player, system=SYSTEM, name=f"Strays {number}")
        a_match(row, an_enrolment(reader.campaign, company), an_enrolment(reader.campaign, company=_nobodys(number)))


def places(reader, numbers):
    """Make placeholders for players from an archive."""
    for _ in numbers:
        Placeholder.objects.create(club=reader.campaign.club, player=a_player())


def _nobodys(number):
    return Company.objects.create(owner=a_player(), system=SYSTEM, name=f"Nobodys {number}")


OF_A_CAMPAIGN = (
    "",
    "companies/",
    "rounds/1/",
    "standings/",
    "map/",
    "gazette/",
    "friendlies/",
    "release/",
    "cup/",
    "war/",
)


def tables(reader, numbers):
    for number in numbers:
        table_open_for(setup=duel(), players=[reader.player, a_player(f"opposite-{number}")])


def marks(reader, numbers):
    """Make marks at the reader's first table."""
    if not LiveSeat.objects.exists():
        tables(reader, [0])
    for number in numbers:
        mark(LiveSeat.objects.get(side=0), "table.round", 1 + number)


def pairings(reader, numbers):
    """Make pairings of a season over the reader's campaign, with a company in it for each player."""
    season, _ = Season.objects.get_or_create(club=reader.campaign.club, name="Long Year", state="running")
    game, _ = season.games.get_or_create(campaign=reader.campaign, position=1)
    soon = timezone.now() + timedelta(days=1)
    opened = {"way": "swiss", "state": "open", "agree_by": soon, "deadline": soon}
    row, _ = season.rounds.get_or_create(number=1, defaults=opened)
    for number in numbers:
        sides = []
        for _ in "12":
            company = Company.objects.create(owner=a_player(), system=SYSTEM, name=f"Keen {number}")
            an_enrolment(reader.campaign, company)
            sides.append(season.entrants.create(player=company.owner))
        row.pairings.create(
            number=row.pairings.count() + 1, one=sides[0], two=sides[1], proposed=game, proposing_side=0
        )


def seasons(reader, numbers):
    for number in numbers:
        Season.objects.create(club=reader.campaign.club, name=f"Year {number}")


PAGES = [
    ("/companies/", companies),
    ("/companies/?q=Other", companies),
    ("/companies/{company}/", trades),
    ("/companies/{company}/?show=ledger", trades),
    ("/companies/{company}/?show=cards", trades),
    *((f"/designs/?show=units{asked}", units) for asked in ("", "&sort=kills&size=Light", "&sort=name")),
    ("/battles/", battles),
    ("/battles/?whose=mine&status=done&text=Battle", battles),
    *((f"/battles/?sort={sort}", battles) for sort in ("rounds", "kills")),
    ("/clubs/", clubs),
    ("/clubs/iron-table/", campaigns),
    ("/clubs/iron-table/diary/", activity_log_texts),
    ("/clubs/iron-table/fame/", players),
    ("/clubs/iron-table/insights/", players),
    ("/balance/meks-and-mercs/", rounds),
    ("/clubs/iron-table/insights/", rounds),
    ("/clubs/iron-table/fame/", rounds),
    ("/clubs/iron-table/evening/", waiting),
    ("/clubs/iron-table/", seasons),
    ("/seasons/{season}/", pairings),
    ("/seasons/{season}/run/", pairings),
    ("/seasons/pairings/{pairing}/", pairings),
    ("/api/v1/seasons/{season}/", pairings),
    ("/campaigns/{campaign}/gazette/", rulings),
    ("/designs/", designs),
    ("/scenarios/", scenarios),
    ("/api/v1/companies/", companies),
    ("/api/v1/battles/", battles),
    ("/api/v1/battles/?sort=kills", battles),
    ("/api/v1/clubs/", clubs),
    ("/api/v1/campaigns/", campaigns),
    ("/api/v1/campaigns/{campaign}/rulings/", rulings),
    ("/api/v1/companies/{enrolled}/honours/", rounds),
    ("/api/v1/designs/", designs),
    ("/api/v1/scenarios/", scenarios),
    ("/api/v1/prints/", prints),
    *((f"/campaigns/{{campaign}}/{page}", players) for page in OF_A_CAMPAIGN),
    *((f"/campaigns/{{campaign}}/{page}", rounds) for page in OF_A_CAMPAIGN),
    *((f"/campaigns/{{campaign}}/{page}", long_ledgers) for page in OF_A_CAMPAIGN),
    ("/clubs/iron-table/members/", players),
    ("/clubs/iron-table/members/", guests),
    ("/api/v1/clubs/iron-table/guests/", guests),
    ("/clubs/iron-table/archive/", places),
    ("/api/v1/clubs/iron-table/places/", places),
    ("/wall/{wall}/", players),
    ("/wall/{wall}/now/", rounds),
    ("/matches/{match}/", players),
    ("/matches/{match}/", long_ledgers),
    ("/companies/{enrolled}/", rounds),
    ("/companies/{enrolled}/", long_ledgers),
    ("/table/", tables),
    ("/tonight/", tables),
    ("/tonight/", players),
    ("/table/{seat}/", marks),
    ("/table/{seat}/part/", marks),
    ("/", companies),
    ("/", players),
    ("/", rounds),
    ("/", activity_log_texts),
    ("/", notifications),
    ("/inbox/", notifications),
    ("/calendar/", players),
    ("/calendar/", rounds),
    ("/api/v1/calendar/", rounds),
    ("/inbox/?show=unread", notifications),
    ("/api/v1/inbox/", notifications),
    ("/", trades),
]


@pytest.mark.any_database
@pytest.mark.parametrize("make", dict.fromkeys(make for _, make in PAGES))
def test_list_query_count_does_not_grow_with_rows(client, reader, make):
    """All pages that show these rows are checked at once, because making the rows takes longer than reading pages."""
    paths, asked = [path for path, of in PAGES if of is make], []
    for numbers in (range(3), range(3, 30)):
        make(reader, numbers)
        given = places_of(reader)
        asked.append({path: queries_of(client, path.format(**given)) for path in paths})
    few, many = asked
    most = {path: MAX_QUERIES_OF.get(path, MAX_QUERIES) for path in paths}
    assert {path: (few[path], many[path]) for path in paths if not few[path] == many[path] <= most[path]} == {}


def places_of(reader) -> dict[str, object]:
    """Return the current arguments of the pages' addresses."""
    match = reader.campaign.rounds.earliest("number").matches.first()
    return {
        "seat": LiveSeat.objects.filter(side=0).values_list("key", flat=True).first(),
        "company": Company.objects.filter(owner=reader.player).order_by("pk").values_list("pk", flat=True).first(),
        "campaign": reader.campaign.pk,
        "match": match.key,
        "enrolled": match.attacker.company_id,
        "wall": ClubDisplay.objects.get_or_create(club=reader.campaign.club)[0].key,
        "season": season.pk if (season := Season.objects.first()) else 0,
        "pairing": pairing.key if (pairing := SeasonPairing.objects.first()) else "",
    }


def queries_of(client, path: str) -> int:
    client.get(path)  # fill caches
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    assert answer.status_code == 200, (path, answer.content[:500])
    return len(queries)


@pytest.mark.parametrize(
    ("path", "make"),
    [
        ("/api/v1/companies/", companies),
        ("/api/v1/battles/", battles),
        ("/api/v1/clubs/", clubs),
        ("/api/v1/campaigns/", campaigns),
        ("/api/v1/designs/", designs),
    ],
)
def test_list_pages_hold_every_row_once_both_ways(client, reader, path, make):
    make(reader, range(9))
    whole = client.get(path, {"limit": 100}).json()
    by_offset = client.get(path, {"limit": 100, "offset": 0}).json()
    assert whole["results"] == by_offset["results"]
    there: list[Any] = []
    answer = client.get(path, {"limit": 4}).json()
    while True:
        there += answer["results"]
        assert answer["count"] == whole["count"]
        if answer["next"] is None:
            break
        answer = client.get(answer["next"]).json()
    assert there == whole["results"]
    back: list[Any] = answer["results"]
    while answer["previous"]:
        answer = client.get(answer["previous"]).json()
        back = answer["results"] + back
    assert back[-len(there) :] == there


def test_new_rows_move_no_page(client, reader):
    companies(reader, range(8))
    first = client.get("/api/v1/companies/?limit=3").json()
    companies(reader, [-1])  # "Other -1" and "Own -1" come before the others
    second = client.get(first["next"]).json()
    names = [row["name"] for row in (*first["results"], *second["results"])]
    assert names == sorted(names)
    assert len(set(names)) == 6


@pytest.mark.parametrize(
    "place", ["x", "0", "-4", "9" * 25, "1", "¹.Own 1", "1.\x00", ".Own", "9223372036854775808.Own"]
)
def test_bad_place_shows_first_page_but_api_refuses(client, reader, place):
    companies(reader, range(3))
    answer = client.get("/companies/", {"after": place, "own-after": place})
    assert [row.name for row in answer.context["public"]] == ["Other 0", "Other 1", "Other 2"]
    refused = client.get("/api/v1/companies/", {"after": place})
    assert (refused.status_code, "a place in this list" in refused.content.decode()) == (400, True)


def test_own_disbanded_companies_come_last(client, reader):
    companies(reader, range(40))
    Company.objects.filter(name="Own 0").update(disbanded_at=timezone.now())
    first = client.get("/companies/").context["own"]
    second = client.get("/companies/", {"own-after": first.after}).context["own"]
    assert (len(first), len(second), second.after) == (30, 10, "")
    assert second.rows[-1].name == "Own 0"
