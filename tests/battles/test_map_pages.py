"""The replay on the map as a page: readable without scripts, step by step, by everybody who may see the battle."""

import gzip
import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from django.urls import reverse

from battles.models import Battle
from battles.services.battles import battle_queue, battle_write_effects
from battles.tasks import battle_resolve
from rosters.entries.units_and_pilots import Wounded
from rosters.models import LedgerEntry, Visibility
from systems import roster_rules
from tests.battles.builders import company, company_battle, duel, player
from tests.systems.meks_and_mercs.battle.games import COMPANIES, document

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)


def finished_battle(scenario: str = "hot-gates", seed: int = 1, **kwargs: Any) -> Battle:
    arguments: dict[str, Any] = {"setup": document(scenario), "seed": seed, "visitor": "v", "visibility": "public"}
    battle = battle_queue(**(arguments | kwargs))
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    return battle


def page_of(battle: Battle, **query) -> str:
    return reverse("battles:battle", args=[battle.key], query=query or None)


def frames_of(client, battle: Battle) -> dict[str, Any]:
    return client.get(reverse("battles:frames", args=[battle.key])).json()


def first_fight(frames: dict[str, Any]) -> int:
    """Return the first step in which a unit is in contact."""
    return next(at for at, frame in enumerate(frames["frames"], start=1) if frame["zone"])


@pytest.mark.parametrize(("pair", "expected"), [(("demon", "demon"), ["A1", "B1"]), (("demon", "saber"), [])])
def test_counters_of_equal_units_are_numbered(client, pair, expected):
    html = client.get(page_of(finished_battle(setup=duel(*pair)))).content.decode()
    assert re.findall(r'<text class="chit__tag[^"]*"[^>]*>([^<]*)</text>', html) == expected


@pytest.mark.slow
@pytest.mark.parametrize("scenario", COMPANIES)
def test_every_scenario_is_shown_on_its_map(client, scenario: str):
    battle = finished_battle(scenario)
    frames = frames_of(client, battle)["frames"]
    html = client.get(page_of(battle)).content.decode()
    assert html.count('<a class="zone') == 9
    assert f"1</span> / {len(frames)}" in html
    last = client.get(page_of(battle, step=len(frames))).content.decode()
    assert frames[-1]["says"] in last
    assert 'data-go="next" role="link" aria-disabled="true"' in last


def test_every_step_zone_and_round_has_its_own_drawing(client):
    queries = ({"step": 5}, {"step": 9}, {"step": 9, "zone": 2}, {"round": 2})
    asked = [(battle, query) for battle in (finished_battle(), finished_battle(seed=2)) for query in queries]

    def replay(battle: Battle, query: dict[str, int]) -> str:
        html = client.get(page_of(battle, **query)).content.decode()
        map_html = html[html.index('id="map"') : html.index('id="proof"')]
        return re.sub(r'name="(?:csrfmiddlewaretoken|once)" value="[^"]*"', "", map_html)

    first = [replay(battle, query) for battle, query in asked]
    assert len(set(first)) == len(asked)
    assert [replay(battle, query) for battle, query in reversed(asked)] == first[::-1]


def test_step_has_its_address_without_scripts(client):
    battle = finished_battle()
    frames = frames_of(client, battle)
    step = first_fight(frames) + 1
    html = client.get(page_of(battle, step=step)).content.decode()
    frame = frames["frames"][step - 1]
    assert f'data-map-says aria-live="polite">{frame["says"]}<' in html
    assert f'data-go="prev" href="?step={step - 1}#map"' in html
    assert f'data-go="next" href="?step={step + 1}#map"' in html
    assert f'href="?step={step}&amp;zone=3#map"' in html
    for place, label in zip(frame["zones"], re.findall(r'data-to-zone="\d" aria-label="([^"]*)"', html), strict=True):
        assert frames["zones"][place][1] == label
    assert html.count(" hidden") >= 3  # works with scripts only
    assert '<a href="#report">' in html
    assert '<a href="#map">' in html


def test_step_out_of_range_shows_the_nearest(client):
    battle = finished_battle()
    last = len(frames_of(client, battle)["frames"])
    assert f"{last}</span> / {last}" in client.get(page_of(battle, step=99_999)).content.decode()
    for step in ("0", "-4", "x", "1" * 30):
        answer = client.get(page_of(battle, step=step, zone="77"))
        assert answer.status_code == 200
        assert f"1</span> / {last}" in answer.content.decode()


def test_zone_shows_units_and_their_distances(client):
    battle = finished_battle()
    frames = frames_of(client, battle)
    step = first_fight(frames)
    frame = frames["frames"][step - 1]
    html = client.get(page_of(battle, step=step, zone=frame["zone"])).content.decode()
    assert f"Zone {frame['zone']}:" in html
    assert 'class="bands"' in html
    assert '<span class="vh">Long</span>' in html  # contact is made at Long
    assert {pair[3] for pair in frame["bands"] if pair[0] == frame["zone"]} == {2}
    empty = client.get(page_of(battle, step=1, zone=frame["zone"])).content.decode()
    assert "No units in contact here" in empty


def test_events_of_a_step_show_their_rules(client):
    battle = finished_battle()
    frames = frames_of(client, battle)
    step = first_fight(frames)
    panel = client.get(page_of(battle, step=step)).content.decode().partition('id="map-panel"')[2]
    assert '<a href="/rules/meks-and-mercs/">Rules of Meks &amp; Mercs</a>' in panel
    rule = roster_rules("meks-and-mercs").rulebook["MM-024"]
    assert rule.title in panel.partition('id="map-units"')[0]
    assert "MM-024" in [line[4] for line in frames["frames"][step - 1]["lines"]]
    rulings = [[each.heading, each.text] for each in rule.rulings]
    assert rulings
    assert frames["rules"]["MM-024"] == [rule.title, rule.text, rule.origin, rulings]
    assert f'<p class="rule__source">{rule.origin.replace(">", "&gt;")}</p>' in panel
    assert f"<b>{rule.rulings[0].heading}</b>" in panel


def test_battle_without_map_is_drawn_across_range_bands(client):
    battle = finished_battle(setup=duel("demon", "saber"))
    frames = frames_of(client, battle)
    closing = next(at for at, frame in enumerate(frames["frames"], start=1) if "closes with" in frame["says"])
    html = client.get(page_of(battle, step=closing)).content.decode()
    assert 'class="map__svg map__svg--bands"' in html
    drawn = re.findall(r'data-part="chits" transform="([^"]*)"', html)
    closing_frame = frames["frames"][closing - 1]
    assert drawn == [frames["chits"][place][0] for place in closing_frame["chits"]]
    before = [frames["chits"][place][0] for place in frames["frames"][closing - 2]["chits"]]
    assert drawn != before
    assert 'class="ladder' in html  # the text below shows it unchanged


def test_log_opens_at_the_turn_of_its_step(client):
    battle = finished_battle()
    frames = frames_of(client, battle)["frames"]
    step = next(at for at, frame in enumerate(frames, start=1) if frame["turn"] == 2)
    html = client.get(page_of(battle, step=step)).content.decode()
    assert 'id="round-head" tabindex="-1">Turn 2' in html
    assert f'data-to-step="{step}"' in html


def test_frames_are_cached_while_the_record_is_unchanged(client):
    battle = finished_battle()
    url = reverse("battles:frames", args=[battle.key])
    assert "max-age" not in client.get(url).get("Cache-Control", "")
    digest = battle.record.digest
    answer = client.get(url, {"v": digest}, headers={"Accept-Encoding": "gzip"})
    assert "public" in answer["Cache-Control"]
    assert "immutable" in answer["Cache-Control"]
    assert json.loads(gzip.decompress(answer.content))["frames"]
    linked = finished_battle(seed=2, visibility=Visibility.LINK)
    answer = client.get(reverse("battles:frames", args=[linked.key]), {"v": linked.record.digest})
    assert "private" in answer["Cache-Control"]


def test_map_of_a_private_battle_is_hidden(client):
    owner = player()
    battle = finished_battle(actor=owner, visitor="", visibility=Visibility.PRIVATE)
    assert client.get(page_of(battle, step=3)).status_code == 404
    assert client.get(reverse("battles:frames", args=[battle.key])).status_code == 404
    client.force_login(owner)
    assert client.get(page_of(battle, step=3)).status_code == 200


def test_picture_shows_the_field_of_a_fight(client):
    battle = finished_battle()
    fight = first_fight(frames_of(client, battle))

    def drawings(step: int) -> int:
        picture = client.get(reverse("battles:step-picture", args=[battle.key], query={"step": step}))
        return picture.content.decode().count('class="map__svg')

    assert drawings(1) == 1
    assert drawings(fight) == 2


def test_picture_holds_the_parts_of_its_step_only(client):
    battle = finished_battle()
    at = {"step": first_fight(frames_of(client, battle))}
    page = client.get(reverse("battles:embed", args=[battle.key], query=at)).content.decode()
    picture = client.get(reverse("battles:step-picture", args=[battle.key], query=at)).content.decode()
    tree = ElementTree.fromstring(picture)
    part_classes = [each.get("class") for each in tree.iter("{http://www.w3.org/2000/svg}g") if each.get("data-part")]
    parts = re.findall(r'<g\b[^>]*?class="([^"]*)"[^>]*data-part=', page)
    assert any("is-away" in part for part in parts)
    assert part_classes == [part for part in parts if "is-away" not in part]
    signs = {each.get("id") for each in tree.iter("{http://www.w3.org/2000/svg}symbol")}
    assert signs == {each.get("href", "")[1:] for each in tree.iter("{http://www.w3.org/2000/svg}use")}
    assert "@font-face" in picture
    assert "../fonts/" not in picture


@pytest.mark.parametrize(("name", "fonts"), [("Señor Ruiz", 1), ("Łódzka Żelazna", 2)])
def test_picture_embeds_the_fonts_of_its_text_only(client, name: str, fonts: int):
    setup = document("hot-gates")
    setup["sides"][0]["name"] = name
    picture = client.get(reverse("battles:step-picture", args=[finished_battle(setup=setup).key])).content.decode()
    assert name in picture
    assert picture.count("data:font/woff2;base64,") == fonts


@pytest.mark.parametrize(("visibility", "kept"), [("public", "public"), ("link", "private")])
def test_only_public_frames_are_kept_in_shared_caches(client, visibility: str, kept: str):
    battle = finished_battle(visibility=visibility)
    answer = client.get(reverse("battles:embed", args=[battle.key]))
    assert answer["Cache-Control"] == f"{kept}, max-age=60"


@pytest.mark.slow
def test_replay_page_query_count_is_constant(client, django_assert_max_num_queries):
    counts = set()
    for scenario in ("head-to-head", "citadel"):
        battle = finished_battle(scenario)
        client.get(page_of(battle))  # fills the cache
        for step in (1, 20):
            with django_assert_max_num_queries(8) as queries:
                client.get(page_of(battle, step=step))
            counts.add(len(queries))
            with django_assert_max_num_queries(2):
                client.get(reverse("battles:frames", args=[battle.key]))
    assert len(counts) == 1


@pytest.mark.rule("MM-056")
def test_wound_in_the_service_record_names_its_cause(client):
    owner = player()
    own = company(owner, "draken")
    setup, forces = company_battle(own, "draken")
    for seed in range(200):
        battle = finished_battle(setup=setup, forces=forces, seed=seed, actor=owner, visitor="")
        mine = next(unit for unit in battle.result["units"] if unit["side"] == own.name)
        if mine["wounded"]:
            break
    assert mine["wounded"]
    battle_write_effects(battle=battle, actor=owner)
    entry = LedgerEntry.objects.get(kind=Wounded.slug, facts__by__isnull=False)
    assert entry.facts["by"]
    client.force_login(owner)
    html = client.get(reverse("rosters:pilot", args=[own.pk, entry.pilot_id])).content.decode()
    assert f"Was wounded by {entry.facts['by']}" in html
    assert page_of(battle) in html
