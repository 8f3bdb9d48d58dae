"""A table as whoever watches sees it: after any act, without a sealed word, by the table's own key alone."""

import json
import re
import uuid
from html import unescape
from xml.etree.ElementTree import fromstring

import pytest
from django.test import Client
from django.urls import reverse

from battles.live.board import SidesBoard
from battles.live.fold import OPEN, ROLL, SEAL, TYPED, UNDO, Act, Running, fold
from battles.live.services import table_close
from battles.live.sheet import ROUND
from battles.live.told import table_as_seen, table_frames, table_stage
from battles.models import LiveEvent, LiveTable
from tests.battles.live.builders import GAMES, a_table, acts, do, example, mark, sheet_of

pytestmark = pytest.mark.django_db
HITS = "a1.hits"


def address(seat):
    return reverse("battles:table-told", args=[seat.table.key])


def said(page):
    return unescape(re.sub(r"\s+", " ", page.content.decode()))


def table(seat):
    return LiveTable.objects.get(pk=seat.table_id)


def hits(told):
    return next(unit.shown.lost for _, units in told.sides for unit in units if unit.shown.plate.key == "a1")


def frames(seat):
    return json.loads(table_frames(table(seat)))


def looks(seat, kind):
    """How the parts of that kind look, step by step."""
    found = frames(seat)
    return [[found[kind][place] for place in frame[kind]] for frame in found["frames"]]


def test_a_table_is_shown_after_each_of_its_acts():
    ann, ben = a_table()
    mark(ben, HITS, 1)
    mark(ann, HITS, 2)
    assert [hits(table_as_seen(table(ann), at)) for at in (0, 1, 2, None, 99)] == [0, 1, 2, 2, 2]
    second = frames(ann)["frames"][2]
    assert second["says"] == "Ann: WASP, Hits: 1 to 2"
    assert ["is-touched" in chit[1] for chit in looks(ann, "chits")[2]] == [True, False]
    assert [units[0][1] for units in looks(ann, "units")] == ["2/2", "1/2", "0/2"]


def test_whole_and_part_of_a_log_come_to_the_same():
    sheet = sheet_of()
    cells = [cell.id for cell in sheet.cells.values() if cell.kind == "boxes"][:4]
    made = list(acts(*((at % 2, cells[at % 3], at % 2) for at in range(12))))
    for place, undone in ((13, 3), (14, 12), (15, 1)):
        made.append(Act(place=place, side=0, kind=UNDO, facts={"place": undone}))
    running = Running(sheet.start())
    for number, each in enumerate(made, start=1):
        running.take(each)
        assert running.values == fold(sheet, made[:number]).values


def test_an_act_that_is_taken_back_later_stands_until_then():
    ann, _ben = a_table()
    place = mark(ann, HITS, 1)
    do(ann, UNDO, place=place)
    assert hits(table_as_seen(table(ann), place)) == 1
    assert hits(table_as_seen(table(ann), None)) == 0


def test_rounds_lead_to_the_act_that_began_them():
    ann, _ben = a_table()
    mark(ann, HITS, 1)
    mark(ann, ROUND, 2)
    turns = table_stage(table(ann), None).map.turns
    assert [(turn.title, turn.step, turn.is_here) for turn in turns] == [
        ("Set-up", 1, False),
        ("Round 1", 2, False),
        ("Round 2", 3, True),
    ]


def test_a_kill_and_a_lost_weapon_are_moments():
    ann, ben = a_table()
    mark(ann, "a1.weapons-cannon", 1)
    mark(ann, HITS, 1)
    mark(ben, HITS, 2)
    stage = table_stage(table(ann), 1)
    assert [(moment.step, moment.mark) for moment in stage.map.moments] == [(2, "critical"), (4, "kill")]
    assert stage.map.following_moment == 2
    assert frames(ann)["moments"] == [2, 4]
    words = [{burst[3] for burst in bursts} - {None} for bursts in looks(ann, "bursts")]
    assert [word.pop() if word else "" for word in words] == ["", "Cannon lost", "−1", "destroyed"]


def test_dice_are_told_die_by_die_and_typed_ones_as_typed():
    ann, ben = a_table()
    do(ann, TYPED, what="To hit", faces=[3, 5], sides=6, need=4)
    do(ben, ROLL, what="Armor", dice=1, sides=6)
    _, typed, rolled = frames(ann)["frames"]
    ((_look, dice, sentence, mods, rule),) = typed["lines"]
    assert (dice, sentence, mods, rule) == (["3-", "5+"], "Ann: typed dice for To hit: 3, 5 (needed 4+)", [], "")
    assert rolled["lines"][0][2].startswith("Ben: rolled for Armor")


def test_a_hidden_unit_is_a_contact_in_every_step_until_its_note_is_open():
    ann, _ben = a_table()
    sealed = do(ann, SEAL, text="a1 hides in the wood")
    row = LiveEvent.objects.get(table=ann.table, place=sealed)
    LiveEvent.objects.filter(pk=row.pk).update(facts=row.facts | {"hides": "a1"})
    mark(ann, HITS, 2)
    stage, sent = table_stage(table(ann), None), table_frames(table(ann)).decode()
    assert "WASP" not in sent
    assert stage.map.units[0].name == "Contact"
    assert not stage.map.moments, "that something died is not told"
    page = said(Client().get(address(ann)))
    assert not any(path in page for path in shapes(ann)), "nor is its shape"
    do(ann, OPEN, place=sealed)
    assert "WASP" in table_frames(table(ann)).decode()
    assert all(path in said(Client().get(address(ann))) for path in shapes(ann))


def shapes(seat):
    """The paths of a1's symbol, where it is drawn."""
    board = SidesBoard(sheet_of(table(seat).setup), [], ("Ann", "Ben"))
    (symbol,) = [each for each in board.art.symbols if each.side == "a"]
    return [data for _look, data in symbol.paths]


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
    first = said(watcher.get(address(ann)))
    assert 'hx-trigger="every 2s"' in first
    assert 'data-step="1"' in first
    assert watcher.get(address(ann), {"have": "0"}, **htmx).status_code == 204
    mark(ann, HITS, 1)
    new = watcher.get(address(ann), {"have": "0"}, **htmx)
    assert new.content.decode().lstrip().startswith("<section")
    assert "have=1" in said(new)
    assert 'data-step="2"' in said(new)


def test_a_table_that_is_closed_is_followed_no_more():
    ann, _ben = a_table()
    mark(ann, HITS, 1)
    table_close(table=table(ann))
    page = Client().get(address(ann), {"have": "1"}, HTTP_HX_REQUEST="true")
    assert page.status_code == 200
    assert "hx-trigger" not in said(page)


@pytest.mark.parametrize("name", ["at", "step"])
@pytest.mark.parametrize("at", ["x", "-1", "9999999999", "1e3", ""])
def test_an_act_that_is_none_shows_the_beginning_or_the_end(client, at, name):
    ann, _ben = a_table()
    mark(ann, HITS, 1)
    assert client.get(address(ann), {name: at}).status_code == 200


def test_links_step_where_there_is_no_script(client):
    ann, _ben = a_table()
    for hits in (1, 2):
        mark(ann, HITS, hits)
    page = said(client.get(address(ann), {"step": 2}))
    assert 'data-step="2"' in page
    assert re.search(r'data-go="prev" href="\?step=1#map"', page)
    assert re.search(r'data-go="next" href="\?step=3#map"', page)
    assert 'data-step="2"' in said(client.get(address(ann), {"at": 1})), "links of before lead to the same act"


def test_a_step_is_a_picture_to_pass_on(client):
    ann, _ben = a_table()
    mark(ann, HITS, 1)
    answer = client.get(reverse("battles:table-moment", args=[ann.table.key]), {"step": 2})
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    fromstring(answer.content)
    assert "is-touched" in answer.content.decode()


def test_it_costs_the_same_few_queries_however_long_the_log_is(client, django_assert_max_num_queries):
    ann, _ben = a_table()
    client.get(address(ann))
    for at in range(30):
        mark(ann, HITS, at % 2)
    with django_assert_max_num_queries(4):
        client.get(address(ann))
    with django_assert_max_num_queries(3):
        assert len(client.get(reverse("battles:table-frames", args=[ann.table.key])).json()["frames"]) == 31


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
