"""A table as whoever watches sees it: after any act, without a sealed word, by the table's own key alone."""

import json
import re
import uuid
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from battles.live.fold import OPEN, ROLL, SEAL, UNDO
from battles.live.models import LiveTable
from battles.live.services import table_close
from battles.live.sheet import ROUND
from battles.live.told import table_told
from tests.battles.live.builders import GAMES, a_table, do, example, mark

pytestmark = pytest.mark.django_db
HITS = "a1.hits"


def address(seat):
    return reverse("battles:table-told", args=[seat.table.key])


def said(page):
    return unescape(re.sub(r"\s+", " ", page.content.decode()))


def table(seat):
    return LiveTable.objects.get(pk=seat.table_id)


def hits(told):
    return next(unit.shown.lost for _, _, units in told.sides for unit in units if unit.shown.plate.key == "a1")


def test_a_table_is_shown_after_each_of_its_acts():
    ann, ben = a_table()
    mark(ben, HITS, 1)
    mark(ann, HITS, 2)
    assert [hits(table_told(table(ann), at)) for at in (0, 1, 2, None, 99)] == [0, 1, 2, 2, 2]
    second = table_told(table(ann), 2)
    assert (second.before, second.after, second.line.who) == (1, None, "Ann")
    assert [unit.is_touched for _, _, units in second.sides for unit in units] == [True, False]


def test_an_act_that_is_taken_back_later_stands_until_then():
    ann, _ben = a_table()
    place = mark(ann, HITS, 1)
    do(ann, UNDO, place=place)
    assert hits(table_told(table(ann), place)) == 1
    assert hits(table_told(table(ann), None)) == 0


def test_rounds_lead_to_the_act_that_began_them():
    ann, _ben = a_table()
    mark(ann, HITS, 1)
    place = mark(ann, ROUND, 2)
    assert table_told(table(ann), None).rounds == ((1, 0, False), (2, place, True))


@pytest.mark.parametrize("system", GAMES)
def test_every_game_is_shown_to_who_has_the_address_and_no_sealed_note(client, system):
    ann, ben = a_table(example(system))
    do(ann, SEAL, text="The mine lies at the ford")
    do(ben, ROLL, what="To hit", dice=2, sides=6, need=4)
    page = client.get(address(ann))
    assert page.status_code == 200
    text = said(page)
    assert "sealed a note" in text
    assert "ford" not in text
    assert "rolled for To hit" in text
    assert str(ann.key) not in text
    assert str(ben.key) not in text


def test_nobody_finds_a_table_by_a_key_that_is_none_or_a_seats(client):
    ann, _ben = a_table()
    for key in (uuid.uuid4(), ann.key):
        assert client.get(reverse("battles:table-told", args=[key])).status_code == 404


def test_a_page_that_follows_gets_what_is_new_and_nothing_while_there_is_nothing():
    ann, _ben = a_table()
    watcher, htmx = Client(), {"HTTP_HX_REQUEST": "true"}
    assert 'hx-trigger="every 2s"' in said(watcher.get(address(ann)))
    assert watcher.get(address(ann), {"have": "0"}, **htmx).status_code == 204
    mark(ann, HITS, 1)
    new = watcher.get(address(ann), {"have": "0"}, **htmx)
    assert new.content.decode().lstrip().startswith("<div")
    assert "have=1" in said(new)
    assert "hx-trigger" not in said(watcher.get(address(ann), {"at": "0"})), "who looks back is left where he is"


def test_a_table_that_is_closed_is_followed_no_more():
    ann, _ben = a_table()
    mark(ann, HITS, 1)
    table_close(table=table(ann))
    page = Client().get(address(ann), {"have": "1"}, HTTP_HX_REQUEST="true")
    assert page.status_code == 200
    assert "hx-trigger" not in said(page)


@pytest.mark.parametrize("at", ["x", "-1", "9999999999", "1e3", ""])
def test_an_act_that_is_none_shows_the_beginning_or_the_end(client, at):
    ann, _ben = a_table()
    mark(ann, HITS, 1)
    assert client.get(address(ann), {"at": at}).status_code == 200


def test_it_costs_the_same_few_queries_however_long_the_log_is(client, django_assert_max_num_queries):
    ann, _ben = a_table()
    client.get(address(ann))
    for at in range(30):
        mark(ann, HITS, at % 2)
    with django_assert_max_num_queries(4):
        client.get(address(ann))


def test_the_sheet_leads_to_it():
    ann, _ben = a_table()
    assert address(ann) in said(Client().get(reverse("battles:seat", args=[ann.key])))


# --- the same through the API -----------------------------------------------------------------------------------------


def asked(seat, **query):
    return Client().get(reverse("api-table", args=[seat.table.key]), query)


def test_the_api_tells_the_same_and_opens_no_note():
    ann, ben = a_table()
    mark(ben, HITS, 1)
    sealed = do(ann, SEAL, text="The mine lies at the ford")
    do(ben, ROLL, what="To hit", dice=2, sides=6, need=4)
    told = asked(ann).json()
    assert (told["length"], told["at"], told["round"], told["ended_at"], told["secret"]) == (3, 3, 1, None, "")
    assert told["sides"][0]["units"][0]["lost"] == 1
    assert [act["kind"] for act in told["acts"]] == ["set", "seal", "roll"]
    assert list(told["acts"][1]["facts"]) == ["hash"]
    assert "ford" not in json.dumps(told)
    do(ann, OPEN, place=sealed)
    assert asked(ann).json()["acts"][1]["facts"]["text"] == "The mine lies at the ford"


def test_the_api_goes_back_and_on():
    ann, _ben = a_table()
    for hits in (1, 2, 1):
        mark(ann, HITS, hits)
    before = asked(ann, at=1, after=2).json()
    assert (before["at"], before["length"], before["sides"][0]["units"][0]["lost"]) == (1, 3, 1)
    assert [act["place"] for act in before["acts"]] == [3]


def test_the_api_says_what_is_taken_back_and_what_the_dice_were_once_it_is_over():
    ann, _ben = a_table()
    do(ann, UNDO, place=mark(ann, HITS, 1))
    table_close(table=table(ann))
    told = asked(ann).json()
    assert [act["taken_back"] for act in told["acts"]] == [True, False]
    assert len(told["secret"]) == 64


@pytest.mark.parametrize("query", [{"at": "x"}, {"at": "-1"}, {"of": "1"}])
def test_the_api_refuses_what_is_no_act_in_words(query):
    ann, _ben = a_table()
    answer = asked(ann, **query)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] in query
