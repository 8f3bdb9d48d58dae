"""The form of a battle shows each chosen unit, and adds a row on request."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from battles.choices import design_points
from battles.forms.initial import first_initial, first_units
from battles.forms.sides import ROWS
from battles.models import Battle
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve
from rosters.services import company_disband
from rosters.unit_cache import unit_drawing, unit_svg
from systems import roster_rules
from systems.setups import setup_json
from tests.battles.builders import company, player
from tests.systems.blazing_steel.battle.tables import document
from tests.systems.meks_and_mercs.battle.games import LIGHTS, crew, game

SYSTEM = "meks-and-mercs"
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    monkeypatch.setattr(battle_resolve, "delay", lambda *message: None)


def data(**changes: str) -> dict[str, Any]:
    """Return what an untouched form sends."""
    found: dict[str, Any] = {"system": SYSTEM, "f-scenario": "zone-battle", "f-terrain": "plain"}
    for prefix, values in first_units(SYSTEM).items():
        found |= {f"{prefix}-{name}": value for name, value in values.items() if value}
    for letter, name in (("a", "Red"), ("b", "Blue")):
        found |= {f"{letter}-name": name, f"{letter}-doctrine": "cautious"}
    return found | changes


def unit_picture(slug: str) -> str:
    rules = roster_rules(SYSTEM)
    return unit_svg(unit_drawing(SYSTEM, rules.spec_json(rules.published[slug].spec)), "row")


def figures(html: str) -> dict[str, str]:
    """Return the HTML of each row's figure, by row."""
    found = re.findall(r'<div class="unit-figure" id="(\w+)-figure"[^>]*>(.*?)</div>', html, re.DOTALL)
    return dict(found)


def rows(html: str, letter: str) -> int:
    return len(re.findall(rf'<select name="{letter}\d+-unit"', html))


@pytest.mark.django_db
@pytest.mark.parametrize("system", ["meks-and-mercs", "mech-campaign", "blazing-steel", "hex-core", "mechastellar"])
def test_each_row_shows_its_unit(client, system: str):
    drawn_figures = figures(client.get("/battles/new/", {"system": system}).content.decode())
    assert {row[0] for row in drawn_figures} == {"a", "b"}
    for row, values in first_initial(system, "", None).items():
        if values.get("unit"):
            assert '<svg class="body body--row"' in drawn_figures[row]
            assert re.search(r"\d+ pt", drawn_figures[row])
            assert len(re.findall(r"<span>[^<]+</span>", drawn_figures[row])) == 2  # its worth, and its weapons


@pytest.mark.django_db
def test_chosen_unit_is_shown_at_once(client):
    sent = data(**{"a1-unit": "design:odin", "a2-unit": ""})
    html = client.post(reverse("battles:quick-battle-part") + "?part=tally", sent).content.decode()
    drawn_figures = figures(html)
    assert unit_picture("odin") in drawn_figures["a1"]
    assert "<svg" not in drawn_figures["a2"]
    assert html.count('-figure" hx-swap-oob="true"') == len(drawn_figures)
    without_scripts = client.post("/battles/new/", sent | {"do": "fill"}).content.decode()
    assert figures(without_scripts) == drawn_figures


@pytest.mark.django_db
def test_own_units_damage_and_colour_are_shown_to_owner_only(client):
    own = company(player(), "draken")
    unit = own.units.get()
    unit.condition = {"hits": 1}
    unit.save()
    client.force_login(player())
    url, sent = reverse("battles:quick-battle-part") + "?part=tally", data(**{"a1-unit": f"unit:{unit.pk}"})
    mine = figures(client.post(url, sent).content.decode())["a1"]
    assert "1 of 4 Hits left" in mine
    assert own.colour in mine
    client.force_login(player("eve"))
    assert "<svg" not in figures(client.post(url, sent).content.decode())["a1"]


@pytest.mark.django_db
@pytest.mark.parametrize("value", ["design:none", "unit:1", "force:none:7", "kept:a1", "design:viper:1", "\u2400"])
def test_bad_unit_value_is_not_shown(client, value: str):
    html = client.post(
        reverse("battles:quick-battle-part") + "?part=tally", data(**{"a1-unit": value})
    ).content.decode()
    assert "<svg" not in figures(html)["a1"]


@pytest.mark.django_db
@pytest.mark.parametrize("letter", "ab")
def test_added_row_keeps_the_forms_input(client, letter: str):
    sent = data(**{
        "a1-level": "elite", "a1-skills": "accuracy", "a-name": "Dogs", "f-seed": "77", "f-terrain": "wood",
        "a-standing-1-who": "1", "a-standing-1-what": "range:long", "do": f"more-{letter}", "words": "by candle light",
    })  # fmt: skip
    other = "b" if letter == "a" else "a"
    for html in (
        client.post("/battles/new/", sent).content.decode(),
        client.post(reverse("battles:quick-battle-part"), sent).content.decode(),
    ):
        assert (rows(html, letter), rows(html, other)) == (4, 3)
        assert re.search(rf'<select name="{letter}4-unit"[^>]*autofocus', html)
        assert html.count("autofocus") == 1
        assert '<option value="elite" selected>' in html
        assert re.search(r'name="a1-skills" value="accuracy" [^>]*checked', html)
        assert 'value="Dogs"' in html
        assert '<option value="wood" selected>' in html
        assert '<option value="range:long" selected>' in html
    assert 'value="77"' in client.post("/battles/new/", sent).content.decode()
    assert not Battle.objects.exists()


@pytest.mark.django_db
def test_side_takes_the_maximum_of_units(client):
    sent = data()
    for number in range(4, ROWS + 1):
        html = client.post("/battles/new/", sent | {"do": "more-a"}).content.decode()
        assert rows(html, "a") == number
        sent[f"a{number}-unit"] = "design:wasp"
    assert 'value="more-a"' not in html
    assert 'value="more-b"' in html
    assert rows(client.post("/battles/new/", sent | {"do": "more-a"}).content.decode(), "a") == ROWS
    answer = client.post("/battles/new/", sent | {"a3-unit": "design:wasp", "a2-unit": "design:wasp", "do": "fight"})
    assert answer.status_code == 302
    assert len(Battle.objects.get().setup["sides"][0]["units"]) == ROWS


@pytest.mark.django_db
@pytest.mark.parametrize("junk", ["more-", "more-c", "more-ab", "more-a-b"])
def test_unknown_side_gets_no_row(client, junk: str):
    html = client.post("/battles/new/", data(do=junk)).content.decode()
    assert (rows(html, "a"), rows(html, "b")) == (3, 3)


def visible_selects(html: str) -> list[str]:
    """Return the selects of the form that are visible at first."""
    main = re.sub(r"<details.*?</details>", "", html.partition("<main")[2], flags=re.DOTALL)
    return re.findall(r'<select[^>]*name="([\w-]+)"', main)


@pytest.mark.django_db
def test_log_opens_a_row_when_one_is_filled(client):
    client.force_login(player())
    html = client.get(reverse("battles:log-battle"), {"system": SYSTEM}).content.decode()
    assert visible_selects(html) == [
        "f-scenario", "f-terrain", "a-force", "a1-unit", "b-force", "b1-unit", "f-visibility",
    ]  # fmt: skip
    assert html.count('<select name="a1-level"') == 1  # behind a fold
    sent = {"for": "log", "system": SYSTEM, "f-scenario": "zone-battle", "f-terrain": "plain", "stock": "zone-battle"}
    for number in range(1, 4):
        sent |= {f"a{number}-unit": "design:wasp", f"a{number}-level": "regular", "b1-unit": ""}
        html = client.post(reverse("battles:quick-battle-part"), sent).content.decode()
        assert (rows(html, "a"), rows(html, "b")) == (number + 1, 1)
        assert "autofocus" not in html  # focus stays where it is
    whole = client.post(
        reverse("battles:quick-battle-part"), sent | {"b-force": "force:kettle-drummers"}
    ).content.decode()
    assert rows(whole, "a") == 4


@pytest.mark.django_db
@pytest.mark.parametrize("system", ["meks-and-mercs", "mech-campaign", "blazing-steel", "hex-core", "mechastellar"])
def test_log_shows_at_most_nine_fields_at_first(client, system: str):
    client.force_login(player())
    html = client.get(reverse("battles:log-battle"), {"system": system}).content.decode()
    assert 5 <= len(visible_selects(html)) <= 9
    assert len(re.findall(r'<input type="hidden" name="[ab]-doctrine" value="[\w-]+"', html)) == 2


@pytest.mark.django_db
def test_log_adds_a_row_and_continues(client):
    client.force_login(player())
    sent = data(**{"for": "log", "f-visibility": "private", "b1-level": "elite", "b1-skills": "accuracy"})
    first = max(int(key[1]) for key in sent if re.fullmatch(r"b\d-unit", key))
    html = client.get(reverse("battles:log-battle"), sent | {"do": "more-b"}).content.decode()
    assert rows(html, "b") == first + 1
    assert re.search(rf'<select name="b{first + 1}-unit"[^>]*autofocus', html)
    assert '<option value="private" selected>' in html
    assert '<span class="tag">Elite, 1 skill</span>' in html
    assert unit_picture("viper") in html or "<svg" in figures(html)["b1"]
    grid = client.get(reverse("battles:log-battle"), sent | {f"b{first + 1}-unit": "design:wasp"}).content.decode()
    assert "Results by unit" in grid
    assert "WASP" in grid


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_next_log_row_opens_by_itself_on_a_phone(phone: Page, client, live_server):
    client.force_login(player())
    phone.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    phone.goto(f"/battles/log/?system={SYSTEM}")
    phone.locator("#id_a1-unit").select_option("design:odin")
    expect(phone.locator("#id_a2-unit")).to_be_visible()
    expect(phone.locator("#id_a1-unit")).to_have_value("design:odin")
    expect(phone.locator("#a1-figure svg")).to_be_visible()
    assert phone.locator("#id_b2-unit").count() == 0
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    phone.evaluate(AXE)
    assert phone.evaluate("axe.run().then((found) => found.violations.map((each) => each.id))") == []


@pytest.mark.django_db
def test_large_battle_returns_whole(client):
    most = 10  # Warmechs of a force (BS-014)
    battle = battle_queue(setup=document(["skimmer"] * most, ["hawker"]), seed=5, visitor="v")
    html = client.get(f"/battles/new/?from={battle.key}").content.decode()
    assert (rows(html, "a"), rows(html, "b")) == (most, 3)
    assert html.count('<option value="design:skimmer" selected>') == most
    assert "left out" not in html


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("width", [1280, 360])
def test_unit_is_chosen_and_another_added_by_keyboard(page: Page, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/battles/new/")
    before = page.locator("#a1-figure svg").inner_html()
    page.locator("#id_a1-unit").select_option("design:odin")
    caption = page.locator("#a1-figure .unit-figure__summary")
    expect(caption).to_contain_text(f"{design_points(SYSTEM, 'odin')} pt")
    assert page.locator("#a1-figure svg").inner_html() != before
    page.locator("button[value=more-a]").press("Enter")
    expect(page.locator("#id_a4-unit")).to_be_focused()
    expect(page.locator("#id_a1-unit")).to_have_value("design:odin")
    page.locator("#id_a4-unit").select_option("design:wasp")
    expect(page.locator("#a4-figure svg")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.evaluate(AXE)
    assert page.evaluate("axe.run().then((found) => found.violations.map((each) => each.id))") == []


@pytest.mark.django_db
def test_requested_company_is_ready_for_its_owner_only(client):
    owner = player()
    own = company(owner)
    arguments = {"system": SYSTEM, "company": str(own.pk)}
    for reader, stands in ((None, False), (player("another"), False), (owner, True)):
        if reader:
            client.force_login(reader)
        html = client.get(reverse("battles:quick-battle"), arguments).content.decode()
        assert (f'value="{own.name}"' in html) is stands
        units = [f'value="unit:{unit.pk}" selected' in html for unit in own.units.all()]
        assert units == [stands]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "why",
    ["has been disbanded.", "None of its units has a pilot", "None of its units is ready.", "It has no units."],
)
def test_requested_company_that_cannot_fight_shows_reason(client, why):
    owner = player()
    own = company(owner)
    if "disbanded" in why:
        company_disband(company=own, by=owner)
    elif "pilot" in why:
        own.units.update(pilot=None)
    elif "no units" in why:
        own.units.update(status="sold", pilot=None)
    else:
        own.units.update(status="destroyed")
    arguments = {"system": SYSTEM, "company": str(own.pk)}
    reason_text = f"<b>{own.name} can’t fight now.</b>"
    for reader, is_owner in ((player("another"), False), (owner, True)):
        client.force_login(reader)
        html = client.get(reverse("battles:quick-battle"), arguments).content.decode()
        assert (reason_text in html) is is_owner
        assert (why in html) is is_owner


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["x", "-1", "9" * 19, "9" * 5000])
def test_bad_company_number_is_ignored(client, number):
    client.force_login(player())
    page = client.get(reverse("battles:quick-battle"), {"system": SYSTEM, "company": number})
    assert page.status_code == 200
    assert "can’t fight now" not in page.content.decode()


@pytest.mark.django_db
def test_rematch_ignores_the_requested_company(client):
    own = company(player())
    battle = battle_queue(setup=document(["skimmer"], ["hawker"]), seed=5, visitor="v")
    client.force_login(player())
    arguments = {"from": str(battle.key), "system": SYSTEM, "company": str(own.pk)}
    html = client.get(reverse("battles:quick-battle"), arguments).content.decode()
    assert f'value="{own.name}"' not in html
    assert html.count('<option value="design:skimmer" selected>') == 1


@pytest.mark.django_db
@pytest.mark.rule("MM-010")
def test_battle_of_14_units_is_fought_and_returns(client):
    lights = game("citadel", attackers=[crew(LIGHTS[7], "green")] * 14)
    battle = battle_queue(setup=setup_json(lights), seed=5, visitor="v", visibility="public")
    battle_resolve(battle.pk)
    assert client.get(reverse("battles:battle", args=[battle.key])).status_code == 200
    html = client.get(reverse("battles:quick-battle"), {"from": str(battle.key)}).content.decode()
    assert rows(html, "a") == 14
