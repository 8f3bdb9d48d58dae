"""A table through its spectator link: after any act, without sealed notes, opened by the table's own key only."""

import json
import re
import uuid
from html import unescape
from xml.etree.ElementTree import fromstring

import pytest
from django.test import Client
from django.urls import reverse

from battles.live.board import SidesBoard
from battles.live.selectors import table_after_act, table_frames, table_stage
from battles.live.services import table_close
from battles.live.sheet import ROUND
from battles.live.state import OPEN, ROLL, SEAL, TYPED, UNDO, Act, Running, table_state
from battles.models import LiveEvent, LiveTable
from tests.battles.live.builders import GAMES, a_table, acts, do, example, mark, sheet_of

pytestmark = pytest.mark.django_db
HITS = "a1.hits"


def address(seat):
    return reverse("battles:table-replay", args=[seat.table.key])


def page_text(page):
    return unescape(re.sub(r"\s+", " ", page.content.decode()))


def table(seat):
    return LiveTable.objects.get(pk=seat.table_id)


def hits(page):
    return next(unit.panel.lost for _, units in page.sides for unit in units if unit.panel.table_unit.key == "a1")


def frames(seat):
    return json.loads(table_frames(table(seat)))


def looks(seat, kind):
    """Return the appearances of the parts of that kind, step by step."""
    found = frames(seat)
    return [[found[kind][place] for place in frame[kind]] for frame in found["frames"]]


def test_table_is_shown_after_each_act():
    ann, ben = a_table()
    mark(ben, HITS, 1)
    mark(ann, HITS, 2)
    assert [hits(table_after_act(table(ann), at)) for at in (0, 1, 2, None, 99)] == [0, 1, 2, 2, 2]
    second = frames(ann)["frames"][2]
    assert second["says"] == "Ann: WASP, Hits: 1 to 2"
    assert ["is-touched" in chit[1] for chit in looks(ann, "chits")[2]] == [True, False]
    assert [units[0][1] for units in looks(ann, "units")] == ["2/2", "1/2", "0/2"]


def test_running_state_matches_the_replayed_log():
    sheet = sheet_of()
    cells = [cell.id for cell in sheet.cells.values() if cell.kind == "boxes"][:4]
    made = list(acts(*((at % 2, cells[at % 3], at % 2) for at in range(12))))
    for place, undone in ((13, 3), (14, 12), (15, 1)):
        made.append(Act(place=place, side=0, kind=UNDO, facts={"place": undone}))
    running = Running(sheet.start())
    for number, each in enumerate(made, start=1):
        running.take(each)
        assert running.values == table_state(sheet, made[:number]).values


def test_undone_act_counts_until_its_undo():
    ann, _ben = a_table()
    place = mark(ann, HITS, 1)
    do(ann, UNDO, place=place)
    assert hits(table_after_act(table(ann), place)) == 1
    assert hits(table_after_act(table(ann), None)) == 0


def test_rounds_link_to_their_first_act():
    ann, _ben = a_table()
    mark(ann, HITS, 1)
    mark(ann, ROUND, 2)
    turns = table_stage(table(ann), None).map.turns
    assert [(turn.title, turn.step, turn.is_here) for turn in turns] == [
        ("Set-up", 1, False),
        ("Round 1", 2, False),
        ("Round 2", 3, True),
    ]


def test_kill_and_lost_weapon_are_turning_points():
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


def test_typed_dice_are_marked_among_listed_dice():
    ann, ben = a_table()
    do(ann, TYPED, what="To hit", faces=[3, 5], sides=6, need=4)
    do(ben, ROLL, what="Armor", dice=1, sides=6)
    _, typed, rolled = frames(ann)["frames"]
    ((_look, dice, sentence, mods, rule),) = typed["lines"]
    assert (dice, sentence, mods, rule) == (["3-", "5+"], "Ann: entered dice for To hit: 3, 5 (needed 4+)", [], "")
    assert rolled["lines"][0][2].startswith("Ben: rolled for Armor")


def test_hidden_unit_is_a_contact_until_revealed():
    ann, _ben = a_table()
    sealed = do(ann, SEAL, text="a1 hides in the wood")
    row = LiveEvent.objects.get(table=ann.table, place=sealed)
    LiveEvent.objects.filter(pk=row.pk).update(facts=row.facts | {"hides": "a1"})
    mark(ann, HITS, 2)
    stage, sent = table_stage(table(ann), None), table_frames(table(ann)).decode()
    assert "WASP" not in sent
    assert stage.map.units[0].name == "Contact"
    assert not stage.map.moments, "the death of a hidden unit isn't shown"
    page = page_text(Client().get(address(ann)))
    assert not any(path in page for path in shapes(ann)), "the shape of a hidden unit isn't shown"
    do(ann, OPEN, place=sealed)
    assert "WASP" in table_frames(table(ann)).decode()
    assert all(path in page_text(Client().get(address(ann))) for path in shapes(ann))


def shapes(seat):
    """Return the paths of a1's symbol where it is drawn."""
    board = SidesBoard(sheet_of(table(seat).setup), [], ("Ann", "Ben"))
    (symbol,) = [each for each in board.art.symbols if each.side == "a"]
    return [data for _look, data in symbol.paths]


@pytest.mark.parametrize("system", GAMES)
def test_every_game_has_a_spectator_link_without_sealed_notes(client, system):
    ann, ben = a_table(example(system))
    do(ann, SEAL, text="The mine lies at the ford")
    do(ben, ROLL, what="To hit", dice=2, sides=6, need=4)
    page = client.get(address(ann))
    assert page.status_code == 200
    text = page_text(page)
    assert "sealed a note" in text
    assert "ford" not in text
    assert "rolled for To hit" in text
    assert str(ann.key) not in text
    assert str(ben.key) not in text


def test_unknown_key_or_seat_key_returns_404(client):
    ann, _ben = a_table()
    for key in (uuid.uuid4(), ann.key):
        assert client.get(reverse("battles:table-replay", args=[key])).status_code == 404


def test_following_page_gets_new_acts_only():
    ann, _ben = a_table()
    watcher, htmx = Client(), {"HTTP_HX_REQUEST": "true"}
    first = page_text(watcher.get(address(ann)))
    assert 'hx-trigger="every 2s"' in first
    assert 'data-step="1"' in first
    assert watcher.get(address(ann), {"have": "0"}, **htmx).status_code == 204
    mark(ann, HITS, 1)
    new = watcher.get(address(ann), {"have": "0"}, **htmx)
    assert new.content.decode().lstrip().startswith("<section")
    assert "have=1" in page_text(new)
    assert 'data-step="2"' in page_text(new)


def test_closed_table_stops_polling():
    ann, _ben = a_table()
    mark(ann, HITS, 1)
    table_close(table=table(ann))
    page = Client().get(address(ann), {"have": "1"}, HTTP_HX_REQUEST="true")
    assert page.status_code == 200
    assert "hx-trigger" not in page_text(page)


@pytest.mark.parametrize("name", ["at", "step"])
@pytest.mark.parametrize("at", ["x", "-1", "9999999999", "1e3", ""])
def test_bad_act_number_shows_the_beginning_or_the_end(client, at, name):
    ann, _ben = a_table()
    mark(ann, HITS, 1)
    assert client.get(address(ann), {name: at}).status_code == 200


def test_steps_are_links_without_scripts(client):
    ann, _ben = a_table()
    for hits in (1, 2):
        mark(ann, HITS, hits)
    page = page_text(client.get(address(ann), {"step": 2}))
    assert 'data-step="2"' in page
    assert re.search(r'data-go="prev" href="\?step=1#map"', page)
    assert re.search(r'data-go="next" href="\?step=3#map"', page)
    assert 'data-step="2"' in page_text(client.get(address(ann), {"at": 1})), "earlier links lead to the same act"


def test_step_has_a_picture_to_share(client):
    ann, _ben = a_table()
    mark(ann, HITS, 1)
    answer = client.get(reverse("battles:table-step-picture", args=[ann.table.key]), {"step": 2})
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    fromstring(answer.content)
    assert "is-touched" in answer.content.decode()


@pytest.mark.slow
def test_spectator_query_count_does_not_grow_with_the_log(client, django_assert_max_num_queries):
    ann, _ben = a_table()
    client.get(address(ann))
    for at in range(30):
        mark(ann, HITS, at % 2)
    with django_assert_max_num_queries(4):
        client.get(address(ann))
    with django_assert_max_num_queries(3):
        assert len(client.get(reverse("battles:table-frames", args=[ann.table.key])).json()["frames"]) == 31


def test_sheet_shows_its_spectator_link():
    ann, _ben = a_table()
    assert address(ann) in page_text(Client().get(reverse("battles:seat", args=[ann.key])))


# --- the same through the API ---


def get_table(seat, **query):
    return Client().get(reverse("api-live-table", args=[seat.table.key]), query)


def test_api_shows_acts_without_sealed_notes():
    ann, ben = a_table()
    mark(ben, HITS, 1)
    sealed = do(ann, SEAL, text="The mine lies at the ford")
    do(ben, ROLL, what="To hit", dice=2, sides=6, need=4)
    data = get_table(ann).json()
    assert (data["length"], data["at"], data["round"], data["ended_at"], data["secret"]) == (3, 3, 1, None, "")
    assert data["sides"][0]["units"][0]["lost"] == 1
    assert [act["kind"] for act in data["acts"]] == ["set", "seal", "roll"]
    assert list(data["acts"][1]["facts"]) == ["hash"]
    assert "ford" not in json.dumps(data)
    do(ann, OPEN, place=sealed)
    assert get_table(ann).json()["acts"][1]["facts"]["text"] == "The mine lies at the ford"


def test_api_pages_through_acts():
    ann, _ben = a_table()
    for hits in (1, 2, 1):
        mark(ann, HITS, hits)
    before = get_table(ann, at=1, after=2).json()
    assert (before["at"], before["length"], before["sides"][0]["units"][0]["lost"]) == (1, 3, 1)
    assert [act["place"] for act in before["acts"]] == [3]


def test_api_marks_undone_acts_and_finally_reveals_dice():
    ann, _ben = a_table()
    do(ann, UNDO, place=mark(ann, HITS, 1))
    table_close(table=table(ann))
    data = get_table(ann).json()
    assert [act["taken_back"] for act in data["acts"]] == [True, False]
    assert len(data["secret"]) == 64


@pytest.mark.parametrize("query", [{"at": "x"}, {"at": "-1"}, {"of": "1"}])
def test_api_refuses_bad_act_number(query):
    ann, _ben = a_table()
    answer = get_table(ann, **query)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] in query
