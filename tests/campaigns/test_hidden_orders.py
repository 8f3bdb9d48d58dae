"""A side's secret orders stay hidden until the match is decided.

Tried on every page and API by readers who would gain.
"""

import json
import re

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from battles.live.selectors import _cached_view
from battles.live.sheet import WINNER, table_sheet
from battles.live.state import report_digest
from battles.models import Forecast, LiveEvent, LiveTable
from campaigns.army_lists.services import list_hash, list_submit, preparation_roll
from campaigns.clubs.services import display_link_create
from campaigns.live_tables import match_table_seat, table_report
from campaigns.models import Match, MatchState, SubmittedList
from campaigns.results.decisions import match_settle_unfought
from campaigns.results.services import report_make
from rosters.ledger.records import differences
from rosters.services import RefusedError
from systems.reading import stored_setup
from systems.setups import without_orders
from tests.battles.live.builders import do, mark, state_of
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_member
from tests.campaigns.fresh_builds import FRESH_BUILD, a_fresh_match, a_purchase, fix_support_dice
from tests.permissions.routes import steady

pytestmark = pytest.mark.django_db

ORDERS = {"minefield": {"zone": 7}, "hidden-mek": {"unit": "b2"}}
STANDING = {"all": {"retreat": 2}, "2": {"range": "long"}}
ORDER_TEXTS = (
    "Laid in",
    "Unit that hides",
    "breaks contact when",
    "keeps away at Long",
    "minefield&quot;: {",
    "retreat&quot;",
)


def owner_of(match, side):
    return (match.attacker, match.defender)[side].company.owner


@pytest.fixture
def match(monkeypatch):
    """At the Hot Gates with revealed forces: the defender has a minefield and a hidden unit."""
    campaign = a_campaign(
        scenarios=[{"value": "hot-gates", "name": "At the Hot Gates"}], options=FRESH_BUILD, counts_odds=True
    )
    found = a_fresh_match("hot-gates", campaign=campaign)
    sides = (
        ((3, 6, 4), [a_purchase("draken"), a_purchase("demon"), a_purchase("demon")], {}, {"all": {"retreat": 1}}),
        ((1, 6, 3, 1, 1, 3), [a_purchase("draken", "regular"), a_purchase("wasp", "regular")], ORDERS, STANDING),
    )
    for side, (faces, buys, orders, standing) in enumerate(sides):
        by = owner_of(found, side)
        fix_support_dice(monkeypatch, *faces)
        preparation_roll(match=found, side=side, by=by)
        found = list_submit(
            match=found, side=side, buys=buys, doctrine="cautious", orders=orders, standing=standing, by=by
        )
    assert found.setup["sides"][1]["orders"] == ORDERS
    return Match.objects.get(pk=found.pk)


def client_of(player):
    client = Client()
    if player is not None:
        client.force_login(player)
    return client


def others(match):
    """Return everybody but the defender: opponent, arbiter, organiser, member, visitor."""
    club = match.round.campaign.club
    return [
        owner_of(match, 0),
        a_member(club, "arbiter"),
        club.memberships.get(role="organiser").player,
        a_member(club),
        None,
    ]


def secrets_of(side):
    """Return what a side of a set-up reveals of its orders."""
    return {name: side[name] for name in ("orders", "standing") if name in side} | {
        unit["key"]: unit["standing"] for unit in side["units"] if "standing" in unit
    }


def page_of(client, name, *args):
    htmx = {"HTTP_HX_REQUEST": "true"} if name == "battles:seat-aim" else {}
    return client.get(reverse(name, args=args), **htmx).content.decode()


def test_api_shows_orders_to_their_own_side_only(match):
    path = reverse("api-match", args=[match.key])
    for reader in others(match):
        attacker, defender = client_of(reader).get(path).json()["setup"]["sides"]
        assert secrets_of(defender) == {}
        assert bool(secrets_of(attacker)) == (reader == owner_of(match, 0))
    attacker, defender = client_of(owner_of(match, 1)).get(path).json()["setup"]["sides"]
    assert secrets_of(attacker) == {}
    assert secrets_of(defender)["orders"] == ORDERS


def test_page_hides_orders_and_the_text_of_the_list(match):
    sealed = SubmittedList.objects.get(match=match, side=1)
    for reader in others(match):
        page = page_of(client_of(reader), "campaigns:match", match.key)
        assert sealed.hash in page, "the hash is public"
        assert sealed.salt not in page
        assert [word for word in ORDER_TEXTS if word in page and reader != owner_of(match, 0)] == []
        assert "eeps away" not in page
    own = page_of(client_of(owner_of(match, 1)), "campaigns:match", match.key)
    assert sealed.salt in own
    assert "breaks contact when" in own


def test_published_odds_ignore_orders(match):
    bare = without_orders(match.setup)
    for side in bare["sides"]:
        side["doctrine"] = "aggressive"  # until a worker has chosen the best AI styles
    assert match.forecast.setup == bare
    assert [secrets_of(side) for row in Forecast.objects.all() for side in row.setup["sides"]] == [{}, {}]
    answer = client_of(None).get(reverse("api-forecast", args=[match.forecast.key])).content.decode()
    page = page_of(client_of(None), "battles:forecast", match.forecast.key)
    for word in (*ORDER_TEXTS, "standing", "hidden-mek"):
        assert word not in answer
    assert [word for word in ORDER_TEXTS if word in page] == []


def test_print_page_hides_orders(match):
    for reader in others(match):
        page = page_of(client_of(reader), "campaigns:print_packet", match.key)
        assert [word for word in ORDER_TEXTS if word in page] == []


def test_table_keeps_orders_as_sealed_notes(match):
    seats = [match_table_seat(match=match, side=side, by=owner_of(match, side)) for side in (0, 1)]
    table = LiveTable.objects.get()
    assert [secrets_of(side) for side in table.setup["sides"]] == [{}, {}]
    hashes = [act.facts["hash"] for act in LiveEvent.objects.order_by("place")]
    assert len(hashes) == 2
    theirs, own = (page_of(client_of(owner_of(match, at)), "battles:seat", seats[at].key) for at in (0, 1))
    assert "Minefield. Laid in: Zone 7." in own
    assert "Hidden Mek. Unit that hides: WASP." in own
    assert [digest for digest in hashes if digest not in theirs] == []
    assert [word for word in ORDER_TEXTS if word in theirs] == []
    for name in ("battles:table-replay", "api-live-table"):
        text = page_of(client_of(None), name, table.key)
        assert [word for word in (*ORDER_TEXTS, "hides") if word in text] == []
    assert table_report(match, 0) is None, "nothing has been played yet"


def test_hidden_unit_is_a_contact_until_its_note_opens(match):
    seats = [match_table_seat(match=match, side=side, by=owner_of(match, side)) for side in (0, 1)]
    table = LiveTable.objects.get()
    mark(seats[1], "b2.hits", 1)

    def all_pages():
        clients = [client_of(owner_of(match, at)) for at in (0, 1)]
        pages = [page_of(clients[at], "battles:seat", seats[at].key) for at in (0, 1)]
        pages += [page_of(clients[0], "battles:seat-aim", seats[0].key)]
        return [
            *pages,
            *(page_of(client_of(None), name, table.key) for name in ("battles:table-replay", "api-live-table")),
        ]

    theirs, own, aim, watched, answer = all_pages()
    assert "WASP" in own
    assert [page for page in (theirs, aim, watched, answer) if "WASP" in page] == []
    assert [page for page in (theirs, watched, answer) if "Contact" not in page] == []
    first = client_of(None).get(reverse("battles:table-replay", args=[table.key]), {"at": 0}).content.decode()
    assert "WASP" not in first, "nor before the first act"
    assert [act["facts"] for act in json.loads(answer)["acts"] if act["kind"] == "set"] == [{"changes": []}]
    note = LiveEvent.objects.get(facts__hides="b2")
    do(seats[1], "open", place=note.place)
    theirs, own, _, watched, answer = all_pages()
    assert [page for page in (theirs, own, watched, answer) if "WASP" not in page] == []


def clear_caches():
    """Clear the caches, which the site itself never has to clear."""
    caches["process"].clear()
    _cached_view.cache_clear()


def test_marks_of_a_hidden_unit_leak_nowhere(match):
    """All that the opponent and spectators can open stays the same, whatever is marked on the hidden unit."""
    seats = [match_table_seat(match=match, side=side, by=owner_of(match, side)) for side in (0, 1)]
    table, club = LiveTable.objects.get(), match.round.campaign.club
    wall = display_link_create(club=club, by=club.memberships.get(role="organiser").player)
    mark(seats[0], "a1.fate-kills", 1)
    sheet = table_sheet(stored_setup(table.setup))
    cells = [cell for table_unit in sheet.table_units if table_unit.key == "b2" for cell in table_unit.cells()]
    ticks = [cell for cell in cells if cell.is_tick and cell.field]
    assert {cell.field for cell in ticks} >= {"withdrew", "destroyed"}

    def read():
        """Read everything, without the parts that differ each time."""
        theirs, nobody = client_of(owner_of(match, 0)), client_of(None)
        pages = [
            page_of(theirs, "battles:seat", seats[0].key),
            page_of(theirs, "battles:seat-aim", seats[0].key),
            page_of(theirs, "campaigns:match_report", match.key),
            *(page_of(nobody, f"battles:table-{name}", table.key) for name in ("replay", "frames", "step-picture")),
            page_of(nobody, "api-live-table", table.key),
            page_of(nobody, "campaigns:club_display_part", wall.key),
        ]
        return [steady(page) for page in pages]

    first = mark(seats[1], ticks[0].id, 0)
    nothing = read()
    assert "Contact" in nothing[0]
    assert '"key":"b-contact-1","name":"Contact"' in nothing[6]
    assert '"b2' not in nothing[6]
    marks = {"changes": [[cell.id, 0, 1] for cell in ticks]}
    LiveEvent.objects.filter(table=table, place=first).update(facts=marks)
    clear_caches()
    assert read() == nothing
    own = page_of(client_of(owner_of(match, 1)), "campaigns:match_report", match.key)
    assert len(re.findall(r'name="b2-\w+"[^>]* checked', own)) == len(ticks), "the owner's form is filled in"
    note = LiveEvent.objects.get(facts__hides="b2")
    do(seats[1], "open", place=note.place)
    clear_caches()
    assert "b2-destroyed" in str(re.findall(r'name="b2-\w+"[^>]* checked', read()[2]))


def test_result_with_a_hidden_unit_cannot_be_agreed(match):
    seats = [match_table_seat(match=match, side=side, by=owner_of(match, side)) for side in (0, 1)]
    mark(seats[0], WINNER, "draw")
    state = state_of(seats[0])
    sheet = table_sheet(stored_setup(LiveTable.objects.get().setup))
    for guess in (report_digest(sheet.report(state.values)), "another"):
        with pytest.raises(RefusedError, match="still hidden"):
            do(seats[0], "agree", digest=guess)
    do(seats[1], "open", place=LiveEvent.objects.get(facts__hides="b2").place)
    assert do(seats[0], "agree", digest=report_digest(sheet.report(state.values)))


def test_decided_match_reveals_hashed_lists_for_checking(match):
    match_settle_unfought(match=match, state=MatchState.VOID, outcome="none", decided_by="ruling", by=None)
    sealed = SubmittedList.objects.get(match=match, side=1)
    for reader in (*others(match), owner_of(match, 1)):
        client = client_of(reader)
        assert sealed.salt in page_of(client, "campaigns:match", match.key)
        setup = client.get(reverse("api-match", args=[match.key])).json()["setup"]
        assert secrets_of(setup["sides"][1])["orders"] == ORDERS
    assert sealed.hash == list_hash(sealed.salt, sealed.document)


def test_orders_appear_once_both_sides_confirm(match):
    path = reverse("api-match", args=[match.key])
    report_make(match=match, side=0, content={"muster": "report/1", "winner": "draw"}, by=owner_of(match, 0))
    assert secrets_of(client_of(None).get(path).json()["setup"]["sides"][1]) == {}
    report_make(match=match, side=1, content={"muster": "report/1", "winner": "draw"}, by=owner_of(match, 1))
    match.refresh_from_db()
    assert match.state == MatchState.CONFIRMED
    assert secrets_of(client_of(a_player()).get(path).json()["setup"]["sides"][1])["orders"] == ORDERS
    assert secrets_of(match.battle.setup["sides"][1])["orders"] == ORDERS
    assert [line for side in (match.attacker, match.defender) for line in differences(side.company)] == []
