"""The pages of live tables: access by key, use by two sides at once, and abuse."""

import re
from html import unescape

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from battles.live.services import table_join, table_open
from battles.live.sheet import WINNER
from battles.live.state import SEAL
from battles.models import LiveEvent, LiveSeat, LiveTable
from systems import BATTLES
from tests.battles.builders import company, company_battle, duel, player
from tests.battles.live.builders import GAMES, a_table, do, example, mark, state_of
from tests.builders import a_company, a_crewed_unit
from tests.campaigns.builders import a_mustered_company

pytestmark = pytest.mark.django_db
HITS = "a1.hits"


@pytest.fixture(autouse=True)
def empty_cache():
    cache.clear()


def page_of(seat, client=None):
    return (client or Client()).get(reverse("battles:seat", args=[seat.key]))


def act(seat, client=None, *, live=True, **fields):
    headers = {"HTTP_X_LIVE": "1"} if live else {}
    return (client or Client()).post(reverse("battles:seat-act", args=[seat.key]), fields, **headers)


def page_text(page):
    return unescape(re.sub(r"\s+", " ", page.content.decode()))


def test_two_visitors_start_and_join_a_table(client):
    form = client.get("/table/")
    first = form.context["first"]
    answer = client.post("/table/", {"system": "meks-and-mercs", "a": first[0], "b": first[1], "name": "Ann"})
    seat = LiveSeat.objects.get()
    assert answer["Location"] == reverse("battles:seat", args=[seat.key])
    code = seat.table.code
    assert code in page_text(page_of(seat))
    assert "open http://testserver/table/ and enter this code" in re.sub(r"<[^>]+>", "", page_text(page_of(seat)))
    other = Client()
    assert seat.table.title in page_text(other.get("/table/", {"code": code}))
    joined = other.post("/table/join/", {"code": code, "name": "Ben"})
    theirs = LiveSeat.objects.get(side=1)
    assert joined["Location"] == reverse("battles:seat", args=[theirs.key])
    assert "Mine" in page_text(page_of(theirs))
    assert code not in page_text(page_of(seat)), "the table is full"


def test_table_form_draws_the_chosen_force(client):
    form = client.get("/table/")
    bodies = form.content.decode().count('<svg class="body body--row"')
    assert bodies == sum(len(looks) for looks in form.context["looks"]) > 1
    part = client.get("/table/", {"part": "b", "b": form.context["first"][0]}).content.decode()
    assert part.lstrip().startswith('<p class="force-drawn" id="drawn-b">')
    assert part.count("<svg") == len(form.context["looks"][0])
    own = company(player(), "wasp", "draken")
    for value in (f"company:{own.pk}", "force:none", "", "company:x"):
        assert "<svg" not in client.get("/table/", {"part": "a", "a": value}).content.decode()
    client.force_login(own.owner)
    mine = client.get("/table/", {"part": "a", "a": f"company:{own.pk}"}).content.decode()
    assert mine.count("<svg") == 2
    assert own.colour in mine


def test_players_own_company_is_chosen_at_the_table(client):
    own = a_company(player(), system="hex-core", points=480)
    a_crewed_unit(own, "warden")
    client.force_login(own.owner)
    form = client.get("/table/").context
    assert (form["system"], form["first"][0]) == ("hex-core", f"company:{own.pk}")
    assert client.get("/table/", {"system": "meks-and-mercs"}).context["first"][0].startswith("force:")


@pytest.mark.parametrize("system", GAMES)
def test_every_game_starts_a_table_at_one_press(client, system):
    first = client.get("/table/", {"system": system}).context["first"]
    client.post("/table/", {"system": system, "a": first[0], "b": first[1]})
    page = page_text(page_of(LiveSeat.objects.get()))
    for unit in LiveSeat.objects.get().table.setup["sides"][0]["units"]:
        assert f'id="unit-{unit["key"]}"' in page


def test_scenario_with_chosen_units_is_played_at_a_table(client):
    form = {"system": "meks-and-mercs", "f-scenario": "zone-battle", "f-terrain": "plain", "f-visibility": "public"}
    form |= {"a-name": "Red", "b-name": "Blue", "a-doctrine": "aggressive", "b-doctrine": "cautious"}
    form |= {"a1-unit": "design:wasp", "a1-level": "regular", "b1-unit": "design:thor", "b1-level": "elite"}
    answer = client.post("/battles/new/", {**form, "do": "table"})
    assert answer["Location"] == reverse("battles:seat", args=[LiveSeat.objects.get().key])


@pytest.mark.parametrize(
    ("a", "b"), [("", ""), ("force:none", "force:none"), ("company:1", "company:1"), ("x", "\x00")]
)
def test_table_of_unknown_forces_is_refused(client, a, b):
    answer = client.post("/table/", {"system": "meks-and-mercs", "a": a, "b": b})
    assert answer.status_code == 422
    assert "Choose a force" in page_text(answer)
    assert not LiveTable.objects.exists()


def test_another_players_company_is_refused(client):
    other = company(player("other"))
    client.force_login(player())
    answer = client.post("/table/", {"system": "meks-and-mercs", "a": f"company:{other.pk}", "b": "force:garrison"})
    assert answer.status_code == 422


def test_joining_company_is_in_the_setup(client):
    own = company(player())
    seat = table_open(setup=duel(), name="Ann")
    client.force_login(own.owner)
    client.post("/table/join/", {"code": seat.table.code, "force": f"company:{own.pk}"})
    table = LiveTable.objects.get()
    assert table.setup["sides"][1]["name"] == own.name
    assert table.seats.get(side=1).company == own


def test_refused_to_join_keeps_what_was_typed(client):
    seat = table_open(setup=duel(), name="Ann")
    answer = client.post("/table/join/", {"code": seat.table.code, "force": "company:1", "name": "Ben"})
    assert answer.status_code == 422
    assert 'value="Ben"' in page_text(answer)
    wrong = client.post("/table/join/", {"code": "NOSUCH"})
    assert (wrong.status_code, 'value="NOSUCH"' in page_text(wrong)) == (422, True)


def test_guessing_codes_is_blocked(client):
    seat = table_open(setup=duel())
    tried = [client.get("/table/", {"code": f"AAAAA{number}"}).status_code for number in range(2, 14)]
    assert tried == [422] * 10 + [429] * 2
    assert client.post("/table/join/", {"code": seat.table.code}).status_code == 429, "even the right one"
    assert LiveSeat.objects.count() == 1


def test_right_code_does_not_count_as_a_guess(client):
    for _ in range(12):
        seat = table_open(setup=duel(), visitor="somebody")
        assert client.get("/table/join/", {"code": seat.table.code}, follow=True).status_code == 200


def test_mark_shows_on_both_phones_and_repeat_is_304():
    ann, ben = a_table()
    part = reverse("battles:seat-part", args=[ben.key])
    before = Client().get(part)
    assert Client().get(part, HTTP_IF_NONE_MATCH=before["ETag"]).status_code == 304
    assert Client().get(part, HTTP_IF_NONE_MATCH=f"W/{before['ETag']}").status_code == 304, (
        "the response to the mark shows the same"
    )
    answer = act(ann, set=f"{HITS}:1", act="key-of-ann-1", seen="0")
    assert answer.status_code == 200
    after = Client().get(part, HTTP_IF_NONE_MATCH=before["ETag"])
    assert after.status_code == 200
    assert '1</span><span class="muted"> of 2 lost' in after.content.decode()


def test_mark_without_script_returns_to_the_sheet():
    ann, _ = a_table()
    client = Client()
    page = page_of(ann, client).content.decode()
    button = re.search(r'name="set"\s+value="(a1\.hits:1)"', page)
    answer = act(ann, client, live=False, set=button[1], seen="0")
    assert answer["Location"] == reverse("battles:seat", args=[ann.key])
    assert state_of(ann).values[HITS] == 1


def test_same_key_of_both_sides_makes_two_acts():
    ann, ben = a_table()
    act(ann, set=f"{HITS}:1", act="key-of-ann-1")
    act(ann, set=f"{HITS}:1", act="key-of-ann-1")
    assert LiveEvent.objects.count() == 1
    act(ben, set=f"{HITS}:2", act="key-of-ann-1")
    assert list(LiveEvent.objects.values_list("side", flat=True)) == [0, 1]


def test_opponents_act_cannot_be_undone():
    ann, ben = a_table()
    act(ann, set=f"{HITS}:1", act="key-of-ann-1")
    answer = act(ben, undo="1", act="key-of-ben-1")
    assert (answer.status_code, "your own marks" in answer.json()["reason"]) == (422, True)


@pytest.mark.parametrize(
    "fields",
    [{}, {"set": ""}, {"set": "a1.hits"}, {"set": "a1.hits:x"}, {"set": "a1.hits:99999999999"}, {"undo": "x"}, {"open": "-1"},
     {"agree": "x"}, {"text": ""}, {"text": "x" * 301}, {"dice": "0", "sides": "6"}, {"dice": "1e9", "sides": "6"},
     {"faces": "7", "sides": "6", "do": "typed"}, {"faces": "a b", "do": "typed", "sides": "6"}, {"set": "a1.hits:1", "act": "x"}],
    ids=str,
)  # fmt: skip
def test_bad_act_is_refused_with_reason(fields):
    ann, _ = a_table()
    answer = act(ann, **{"act": "a-key-of-its-own", **fields})
    assert answer.status_code == 422
    assert answer.json()["reason"]
    assert not LiveEvent.objects.exists()


def test_forged_seen_number_hides_no_conflict():
    ann, ben = a_table()
    act(ben, set=f"{HITS}:2", act="key-of-ben-1", seen="999999")
    assert LiveEvent.objects.get().seen == 0


def test_sealed_note_is_hidden_until_revealed():
    ann, ben = a_table()
    place = do(ann, SEAL, text="A mine at the ford")
    hidden = state_of(ann).notes[0]
    own = page_text(page_of(ann))
    assert "A mine at the ford" in own
    assert re.search(rf'name="open"\s+value="{place}"', own)
    theirs = page_text(page_of(ben))
    assert hidden.hash in theirs
    assert "A mine at the ford" not in theirs
    assert hidden.hashed.split("\n")[0] not in theirs, "the salt, which would make guessing possible, isn't shown"
    act(ann, open=place, act="key-of-ann-1")
    assert "A mine at the ford" in page_text(page_of(ben))


def test_secret_of_the_dice_is_hidden_before_the_end():
    from battles.services.dice import dice_secret

    ann, ben = a_table()
    act(ann, dice="3", sides="6", what="fire", act="key-of-ann-1")
    secret = dice_secret(ann.table.dice)
    for seat in (ann, ben):
        assert secret not in page_text(page_of(seat))
        assert ann.table.dice.commitment in page_text(page_of(seat))


def test_players_seat_is_theirs_alone(client):
    seat = table_open(setup=duel(), actor=player())
    address = reverse("battles:seat", args=[seat.key])
    assert client.get(address)["Location"].startswith("/accounts/login/")
    client.force_login(player("another"))
    assert client.get(address).status_code == 404
    assert act(seat, client, set=f"{HITS}:1").status_code == 404
    client.force_login(seat.player)
    assert client.get(address).status_code == 200


def test_reopened_phone_shows_the_same_state():
    ann, ben = a_table()
    mark(ann, HITS, 1)
    mark(ben, "table.round", 3)
    page = page_of(ann, Client())
    assert page.context["page"].count == 2
    assert page.context["page"].mine[0].lost == 1


def test_conflicting_marks_are_shown_to_both():
    ann, ben = a_table()
    mark(ann, HITS, 1, seen=0)
    mark(ben, HITS, 2, seen=0)
    for seat in (ann, ben):
        (crossing,) = page_of(seat).context["page"].crossings
        assert [value for value, _ in crossing.offers] == [1, 2]
        assert "You both changed this at the same time" in page_text(page_of(seat))


def test_log_shows_acts_and_offers_undo_of_own_ones():
    ann, ben = a_table()
    mark(ann, HITS, 1)
    mark(ben, WINNER, "draw")
    lines = page_of(ann).context["page"].log
    assert [(line.who, line.text, line.may_undo) for line in lines] == [
        ("Ben", "Winner: not decided to Draw", False),
        ("Ann", "WASP, Hits: 0 to 1", True),
    ]


@pytest.mark.parametrize("system", GAMES)
def test_every_game_ends_in_a_report_that_both_confirm(system):
    ann, ben = a_table(example(system))
    mark(ann, WINNER, "draw")
    for seat in (ann, ben):
        digest = page_of(seat).context["page"].end.digest
        assert act(seat, agree=digest, act=f"key-of-{seat.side}-and-more").status_code == 200
    page = page_of(ann)
    assert "Both sides have agreed: the table is closed" in page_text(page)
    assert act(ann, set="table.round:2", act="one-more-key").status_code == 422


def test_closed_table_links_each_roll_to_its_check():
    ann, ben = a_table()
    act(ann, dice="5", sides="8", what="fire", act="key-of-ann-1")
    mark(ann, WINNER, "draw")
    assert "Check this roll" not in page_text(page_of(ann))
    for seat in (ann, ben):
        act(seat, agree=page_of(seat).context["page"].end.digest, act=f"key-of-{seat.side}-and-more")
    page = page_of(ann)
    link = re.search(r'href="(/dice/check/[^"]*purpose=table-1&[^"]*)"', unescape(page.content.decode()))
    checked = Client().get(link[1])
    assert "The secret is genuine: its hash matches the published one" in page_text(checked)
    (roll,) = page.context["page"].rolls
    assert checked.context["found"].faces[:5] == tuple(face for face, _ in roll.faces)


def test_page_names_the_step_and_the_initiative():
    ann, _ = a_table()
    page = page_text(page_of(ann))
    assert '<span class="live-bar__step">not begun</span>' in page
    assert "Initiative: nobody yet" in page


def test_fairness_is_shown_by_source_of_the_dice():
    ann, ben = a_table()
    act(ann, dice="30", sides="6", act="key-of-ann-1")
    act(ben, faces="4 2 6", sides="6", do="typed", act="key-of-ben-1")
    act(ben, faces="6", sides="6", do="typed", act="key-of-ben-2")
    act(ben, undo="3", act="key-of-ben-3")
    statistics = page_of(ann).context["page"].dice_statistics
    assert [(each.whose, each.fairness.count) for each in statistics] == [
        ("The table’s dice", 30),
        ("Entered by Ben", 3),
    ]
    assert "are too few to judge" in statistics[1].fairness.verdict


def test_dice_page_shows_no_secret_before_the_end(client):
    ann, _ = a_table()
    page = client.get(f"/dice/{ann.table.dice.key}/")
    assert page.status_code == 200
    assert ann.table.dice.commitment in page_text(page)
    assert page.context["sheet"].secret == ""


def helper(client, seat, asked):
    return client.get(reverse("battles:seat-aim", args=[seat.key]), asked, HTTP_HX_REQUEST="true")


def test_old_address_of_the_helper_leads_to_the_sheet(client):
    ann, _ = a_table(duel("wasp", "thor"))
    for query, asked in (("", "?shooter="), ("?shooter=a1&range=1", "?shooter=a1&range=1")):
        answer = client.get(reverse("battles:seat-aim", args=[ann.key]) + query)
        assert answer["Location"] == f"{reverse('battles:seat', args=[ann.key])}{asked}#aim"
        page = client.get(answer["Location"])
        assert 'id="aim-target"' in page_text(page)
        assert page.context["aim"].chosen["shooter"] == "a1"


def test_helper_shows_number_and_rules_and_rolls(client):
    ann, _ = a_table(duel("wasp", "thor", terrain="wood"))
    asked = {"shooter": "a1", "target": "b1", "weapon": "0", "range": "0", "so": ["doubled", "forged"]}
    page = helper(client, ann, asked)
    shot = page.context["page"].shot
    assert f"<b>{shot.need}+</b>" in page_text(page)
    assert "MM-044" in page_text(page)
    fields = dict(re.findall(r'type="hidden" name="(what|dice|sides|need)" value="([^"]*)"', page_text(page)))
    act(ann, client, live=False, do="roll", back="dice", **fields)
    (roll,) = page_of(ann).context["page"].rolls
    assert (roll.what, roll.need) == ("WASP fires its Cannon at THOR", shot.need)


@pytest.mark.parametrize(
    "asked", [{}, {"shooter": "x"}, {"target": "a1"}, {"weapon": "99"}, {"range": "-1"}, {"so": "\x00"}]
)
def test_helper_replaces_unknown_values_by_the_first(client, asked):
    ann, _ = a_table()
    page = helper(client, ann, asked)
    assert page.status_code == 200
    assert page.context["page"].chosen["shooter"] == "a1"


@pytest.mark.parametrize("slug", sorted(BATTLES))
def test_every_game_has_a_working_helper(client, slug):
    ann, _ = a_table(example(slug))
    assert "Attack helper" in page_text(page_of(ann))
    found = helper(client, ann, {}).context["page"]
    asked = [
        helper(client, ann, {"weapon": weapon, "range": far}).context["page"].shot
        for weapon, _ in found.terms.weapons or (("", ""),)
        for far, _ in found.terms.ranges or (("", ""),)
    ]
    assert any(shot is not None and 0 < shot.chance <= 1 for shot in asked)


def test_game_without_helper_has_no_helper_page(client, monkeypatch):
    ann, _ = a_table(example("hex-core"))
    monkeypatch.setattr(type(BATTLES["hex-core"]), "shot_terms", lambda *_: None)
    assert helper(client, ann, {}).status_code == 404
    assert "Attack helper" not in page_text(page_of(ann))


def test_roll_under_game_counts_low_faces_as_success(client):
    ann, _ = a_table(example("blazing-steel"))
    act(ann, client, live=False, do="typed", what="", sides="6", need="4", faces="3 4 5")
    (roll,) = page_of(ann).context["page"].rolls
    assert (roll.faces, roll.made) == (((3, True), (4, True), (5, False)), 2)
    assert "2 of 3 rolled 4 or less" in " ".join(page_text(page_of(ann)).split())


def test_list_of_battles_links_to_the_table(client):
    assert 'href="/table/"' in page_text(client.get("/battles/"))


def test_unchanged_part_makes_one_query(django_assert_num_queries):
    ann, _ = a_table()
    client, path = Client(), reverse("battles:seat-part", args=[ann.key])
    tag = client.get(path)["ETag"]
    with django_assert_num_queries(1):
        assert client.get(path, HTTP_IF_NONE_MATCH=tag).status_code == 304


def test_table_form_begins_with_the_players_company(client):
    own = a_mustered_company()
    client.force_login(own.owner)
    form = client.get("/table/", {"system": own.system})
    assert form.context["first"][0] == f"company:{own.pk}"
    assert form.context["looks"][0]
    assert client.post("/table/", {"system": own.system, "a": form.context["first"][0], "b": form.context["first"][1]})[
        "Location"
    ] == reverse("battles:seat", args=[LiveSeat.objects.get().key])


def test_table_form_skips_a_company_without_units(client):
    own = a_company()
    client.force_login(own.owner)
    assert client.get("/table/", {"system": own.system}).context["first"][0].startswith("force:")


def test_own_pilots_are_named_on_the_sheet_and_on_no_other_phone():
    owner = player()
    own = company(owner, "draken")
    setup, forces = company_battle(own)
    ann = table_open(setup=setup, forces=forces, actor=owner)
    ben = table_join(code=ann.table.code, name="Ben")
    signed_in = Client()
    signed_in.force_login(owner)
    mine = page_text(page_of(ann, signed_in))
    assert 'muted"><bdi>Pilot 1</bdi> · ' in mine
    assert re.search(r"Pilot <span class=\"small muted\"><bdi>Pilot 1</bdi> · Regular", mine)
    theirs = page_text(page_of(ben))
    assert "Pilot 1" not in theirs
    assert re.search(r"Pilot <span class=\"small muted\">Regular", theirs)
