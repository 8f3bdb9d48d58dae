"""The pages of battles and odds: content, refusals, permissions, number of queries."""

import re
import uuid
from typing import Any

import pytest
from django.urls import reverse

from battles.choices import even_forces, nearest_force
from battles.forms.initial import first_units
from battles.models import Battle, Forecast
from battles.services import limits
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve, forecast_run
from rosters.jobs import JobStatus
from rosters.models import LedgerEntry, Visibility
from systems import BATTLES, roster_rules
from systems.simulation.records import verify
from tests.battles.builders import company, company_battle, duel, player, result_of
from tests.builders import a_company, a_crewed_unit, a_unit
from tests.systems.blazing_steel.battle.tables import document

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    """Keep jobs in their rows until a test runs them."""
    monkeypatch.setattr(battle_resolve, "delay", lambda *message: None)
    monkeypatch.setattr(forecast_run, "delay", lambda *message: None)


def finished_battle(seed: int = 5, **kwargs: Any) -> Battle:
    arguments: dict[str, Any] = {"setup": duel("demon", "saber"), "seed": seed, "visitor": "v"}
    battle = battle_queue(**(arguments | kwargs))
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    return battle


def page_of(battle: Battle, **query) -> str:
    return reverse("battles:battle", args=[battle.key], query=query or None)


def quick_data(**changes) -> dict[str, str]:
    data = {"f-terrain": "plain", "f-seed": "", "f-visibility": "public", "battles": "1000", "do": "fight"}
    for letter, name in (("a", "Attacker"), ("b", "Defender")):
        data |= {f"{letter}-name": name, f"{letter}-doctrine": "aggressive"}
        data |= {f"{letter}{number}-unit": "" for number in range(1, 7)}
    for row, values in first_units("meks-and-mercs").items():
        data |= {f"{row}-{name}": value for name, value in values.items()}
    return data | changes


# --- home ---


def test_visitor_fights_the_battle_of_the_home_page(client):
    html = client.get("/").content.decode()
    assert ">Simulate</button>" in html
    form = {"a": "force:night-shift", "b": "force:old-gods", "a_doctrine": "aggressive", "b_doctrine": "cautious"}
    answer = client.post("/try/", form | {"terrain": "wood", "do": "fight"})
    battle = Battle.objects.get()
    assert answer.headers["Location"] == page_of(battle)
    assert (battle.setup["terrain"], len(battle.setup["sides"][1]["units"])) == ("wood", 2)
    answer = client.post("/try/", form | {"terrain": "wood", "do": "odds"})
    assert answer.headers["Location"] == reverse("battles:forecast", args=[Forecast.objects.get().key])


STYLES = {"a_doctrine": "aggressive", "b_doctrine": "cautious"}


def initial_forces(client, **query):
    form = client.get("/try/", query).context["form"]
    return form["a"].value(), form["b"].value()


@pytest.mark.parametrize("system", BATTLES)
def test_first_battle_is_between_undamaged_lists_of_equal_points(client, system):
    for name in ("ann", "ben"):
        own = a_company(player(name), system=system, points=roster_rules(system).founding_points, visibility="public")
        a_unit(own, next(iter(roster_rules(system).published)))
        own.units.update(condition={"hits": 1})
    forces = even_forces(system)
    assert initial_forces(client, system=system) == tuple(f"force:{force.slug}" for force in forces)
    assert forces[0].points == forces[1].points
    html = client.get("/", {"system": system}).content.decode()
    assert own.name not in html
    assert html.count('<svg class="body body--row"') == sum(len(force.units) for force in forces)
    assert f"{forces[0].name} · {forces[0].points} pt" in html


def test_players_company_is_the_attacker_of_the_first_battle(client):
    own = a_company(player(), system="hex-core", points=roster_rules("hex-core").founding_points)
    a_crewed_unit(own, "bastion")
    client.force_login(own.owner)
    points = roster_rules("hex-core").check_design(roster_rules("hex-core").published["bastion"].spec).points
    assert initial_forces(client) == (f"company:{own.pk}", f"force:{nearest_force('hex-core', points).slug}")
    assert f"{own.name} · {points} pt" in client.get("/try/").content.decode()
    chosen = {"system": "hex-core", "terrain": "open-plain", "a": f"company:{own.pk}", "b": "force:line"}
    client.post("/try/", STYLES | chosen)
    assert Battle.objects.get().sides.get(position=0).company == own


def test_other_players_companies_are_refused_on_the_home_page(client):
    other = company(player("eve"), "wasp", visibility=Visibility.PUBLIC)
    answer = client.post("/try/", STYLES | {"terrain": "plain", "a": f"company:{other.pk}", "b": "force:night-shift"})
    assert answer.status_code == 422


def test_company_cannot_fight_itself(client):
    own = company(player(), "wasp", visibility=Visibility.PUBLIC)
    client.force_login(own.owner)
    form = {"a": f"company:{own.pk}", "b": f"company:{own.pk}", "a_doctrine": "aggressive", "b_doctrine": "cautious"}
    answer = client.post("/try/", form | {"terrain": "plain"})
    assert answer.status_code == 422  # a unit can be fielded only once


# --- the quick battle ---


def test_quick_form_is_ready_to_fight(client):
    answer = client.get("/battles/new/")
    assert answer.status_code == 200
    answer = client.post("/battles/new/", quick_data(**{"f-seed": "12", "a1-level": "elite", "a1-skills": "accuracy"}))
    battle = Battle.objects.get()
    assert answer.headers["Location"] == page_of(battle)
    assert battle.seed == "12"
    assert battle.setup["sides"][0]["units"][0]["pilot"] == {"experience": "elite", "skills": ["accuracy"]}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"b1-unit": ""}, "sides[1].units"),
        ({"f-terrain": "swamp"}, "swamp"),
        ({"f-seed": str(2**80)}, "20 characters"),
        ({"f-seed": "-1"}, "whole number"),
        ({"a1-unit": "design:nothing"}, "design:nothing"),
        ({"a1-unit": "unit:1"}, "unit:1"),
        ({"a1-level": "green", "a1-skills": "accuracy"}, "MM-102"),
        ({"a-name": "Same", "b-name": "Same"}, "same name"),
        ({"a-name": ""}, "required"),
        ({"do": "odds", "battles": "1000000"}, "100,000"),
        ({"do": "odds", "battles": "many"}, "whole number"),
    ],
)
def test_quick_form_shows_errors(client, changes: dict[str, str], reason: str):
    answer = client.post("/battles/new/", quick_data(**changes))
    assert answer.status_code == 422
    assert reason in answer.content.decode()
    assert not Battle.objects.exists()
    assert not Forecast.objects.exists()


def test_player_fields_own_units_with_their_pilots(client):
    owner = player()
    own = company(owner, "draken", "wasp")
    client.force_login(owner)
    draken, wasp = own.units.order_by("pk")
    rows = {"a1-unit": f"unit:{draken.pk}", "a2-unit": f"unit:{wasp.pk}", "f-visibility": "private"}
    client.post("/battles/new/", quick_data(**rows))
    battle = Battle.objects.get()
    side = battle.sides.get(position=0)
    assert side.company == own
    assert side.name == own.name  # the default name
    assert side.force[f"u{draken.pk}"] == {"unit": draken.pk, "pilot": draken.pilot_id}


def test_form_offers_each_reader_their_own_units(client):
    url = reverse("battles:quick-battle")
    for name in ("kim", "robin", "kim"):
        own = player(name).companies.first() or company(player(name), name=f"{name}'s dogs")
        client.force_login(player(name))
        html = client.get(url).content.decode()
        assert html.count(f'value="unit:{own.units.get().pk}"') == 6
        assert html.count('value="unit:') == 6
    client.logout()
    html = client.get(url).content.decode()
    assert 'value="unit:' not in html
    chosen = client.post(
        url, quick_data(**{"a1-unit": "design:demon", "a1-level": "elite", "do": "fill"})
    ).content.decode()
    assert '<option value="design:demon" selected>' in chosen
    assert '<option value="elite" selected>' in chosen
    assert '<option value="elite" selected>' not in client.get(url).content.decode()


def test_units_of_two_companies_on_one_side_are_refused(client):
    owner = player()
    one, two = company(owner, "draken"), company(owner, "wasp", name="Second")
    client.force_login(owner)
    rows = {"a1-unit": f"unit:{one.units.get().pk}", "a2-unit": f"unit:{two.units.get().pk}"}
    answer = client.post("/battles/new/", quick_data(**rows))
    assert "can use only one company" in answer.content.decode()


def test_deleted_unit_returns_in_a_rematch(client):
    owner = player()
    own = company(owner, "draken")
    setup, forces = company_battle(own)
    battle = finished_battle(setup=setup, forces=forces, actor=owner)
    client.force_login(owner)
    key = f"u{own.units.get().pk}"
    assert (
        f'<option value="unit:{key[1:]}" selected>' in client.get(f"/battles/new/?from={battle.key}").content.decode()
    )
    own.units.update(status="destroyed")
    html = client.get(f"/battles/new/?from={battle.key}").content.decode()
    assert f'<option value="kept:{key}" selected>' in html
    client.post("/battles/new/", quick_data(**{"from": str(battle.key), "a1-unit": f"kept:{key}", "a2-unit": ""}))
    new = Battle.objects.latest("pk")
    assert new.setup["sides"][0]["units"][0]["design"] == battle.setup["sides"][0]["units"][0]["design"]
    assert new.sides.get(position=0).company is None


def test_setup_is_loaded_for_editing(client):
    battle = finished_battle(setup=duel("odin", "thor", terrain="moors"))
    html = client.get(f"/battles/new/?from={battle.key}").content.decode()
    assert '<option value="design:odin" selected>' in html
    assert '<option value="moors" selected>' in html


def test_form_lists_the_unsupported_parts_of_a_setup(client):
    places = [{"design": "skimmer", "position": {"x": 5 * at, "y": 4}} for at in range(1, 9)]
    battle = finished_battle(setup=document(places, ["hawker"]))
    html = client.get(f"/battles/new/?from={battle.key}").content.decode()
    assert "Red&#x27;s units started at chosen places; here the AI deploys them." in html
    plain = finished_battle(setup=duel())
    assert (
        "Some of that battle can’t be copied here" not in client.get(f"/battles/new/?from={plain.key}").content.decode()
    )


# --- a battle ---


def test_waiting_battle_polls_until_its_end(client):
    battle = battle_queue(setup=duel(), visitor="v")
    html = client.get(page_of(battle)).content.decode()
    assert "hx-get" in html
    assert 'http-equiv="refresh"' in html
    waiting = client.get(reverse("battles:battle-progress", args=[battle.key]))
    assert "hx-trigger" in waiting.content.decode()
    assert "HX-Refresh" not in waiting.headers
    battle_resolve(battle.pk)
    over = client.get(reverse("battles:battle-progress", args=[battle.key]))
    assert "hx-trigger" not in over.content.decode()
    assert over.headers["HX-Refresh"] == "true"


def test_replay_shows_dice_rules_and_proof(client):
    battle = finished_battle()
    html = client.get(page_of(battle)).content.decode()
    assert 'class="die' in html
    assert "MM-028" in html
    assert battle.record.digest in html
    assert battle.setup_hash in html
    assert battle.seed in html


def test_battle_heading_names_its_ground_once(client):
    battle = battle_queue(setup=duel(terrain="wood"), visitor="v")

    def head() -> str:
        heading = re.search(
            r'<p class="page-head__kicker">(.*?)</h1>', client.get(page_of(battle)).content.decode(), re.S
        )
        assert heading
        return " ".join(re.sub(r"<[^>]*>", " ", heading[1]).split())

    assert head().endswith(battle.title)
    assert head().count("Wood") == battle.title.count("Wood") == 1
    Battle.objects.update(title="Red against Blue")  # like a title cut off before its ground
    assert head().endswith("· Wood Red against Blue")


def test_every_round_has_its_address(client):
    battle = finished_battle()
    rounds = result_of(battle)["rounds"]
    assert rounds > 1
    last = client.get(page_of(battle, round=rounds)).content.decode()
    assert f"Round {rounds} <span" in last
    assert 'data-step="next"' not in last
    assert 'data-step="prev"' in last
    for wrong in ("0", "999", "-1", "x", "1" * 500):
        assert "Round 1 <span" in client.get(page_of(battle, round=wrong)).content.decode()


def test_htmx_gets_the_round_alone(client):
    battle = finished_battle()
    part = client.get(page_of(battle, round=2), headers={"HX-Request": "true", "HX-Target": "replay"}).content.decode()
    assert part.startswith('<div class="replay"')
    assert "<html" not in part


def test_downloaded_record_verifies(client):
    battle = finished_battle()
    answer = client.get(reverse("battles:record", args=[battle.key]))
    assert verify(answer.content.decode()) is None
    assert (
        "Winner" in client.get(reverse("battles:report", args=[battle.key])).content.decode()
        or result_of(battle)["draw"]
    )


def test_failed_battle_keeps_its_dice_for_the_requester_only(client):
    asker = player("asker")
    battle = battle_queue(setup=duel(), actor=asker)
    dice = battle.dice
    assert Battle.claim(battle.pk).fail("The fault is ours.")
    page, again = (reverse(f"battles:{name}", args=[battle.key]) for name in ("battle", "battle-repeat"))
    client.force_login(player("other"))
    assert "Rematch" in client.get(page).content.decode()
    assert client.post(again).url != page
    battle.refresh_from_db()
    assert (battle.status, battle.dice) == (JobStatus.FAILED, dice)
    client.force_login(asker)
    assert "Try again with the same dice" in client.get(page).content.decode()
    assert client.post(again).url == page
    battle.refresh_from_db()
    assert (battle.status, battle.dice) == (JobStatus.QUEUED, dice)


def test_again_repeats_the_setup_with_another_seed(client):
    battle = finished_battle()
    client.post(reverse("battles:battle-repeat", args=[battle.key]))
    new = Battle.objects.latest("pk")
    assert new.pk != battle.pk
    assert new.setup_hash == battle.setup_hash
    assert new.seed != battle.seed


def test_odds_of_a_battle_use_its_setup(client):
    battle = finished_battle()
    client.post(reverse("battles:battle-odds", args=[battle.key]))
    client.post(reverse("battles:battle-odds", args=[battle.key]))
    assert Forecast.objects.get().setup_hash == battle.setup_hash


def test_odds_page_shows_figures_while_simulating(client):
    battle = finished_battle()
    client.post(reverse("battles:battle-odds", args=[battle.key]))
    forecast = Forecast.objects.get()
    page = reverse("battles:forecast", args=[forecast.key])
    assert "Waiting to start" in client.get(page).content.decode()
    forecast_run(forecast.pk)
    html = client.get(page).content.decode()
    assert "95% intervals" in html
    assert "hx-trigger" not in client.get(reverse("battles:forecast-progress", args=[forecast.key])).content.decode()


def test_odds_page_asks_for_more_odds_and_a_battle(client):
    client.post(reverse("battles:battle-odds", args=[finished_battle().key]))
    forecast = Forecast.objects.get()
    url = reverse("battles:forecast-simulate", args=[forecast.key])
    client.post(url, {"battles": "100000"})
    assert set(Forecast.objects.values_list("runs_asked", flat=True)) == {10_000, 100_000}
    for wrong in ("0", "x", "9" * 30):
        assert client.post(url, {"battles": wrong}).status_code == 302
    assert Forecast.objects.count() == 2
    client.post(url)
    assert Battle.objects.count() == 2


def test_result_is_logged_and_undone_from_the_page(client):
    owner = player()
    setup, forces = company_battle(company(owner))
    battle = finished_battle(setup=setup, forces=forces, actor=owner)
    client.force_login(owner)
    assert "Log result" in client.get(page_of(battle)).content.decode()
    url = reverse("battles:effects", args=[battle.key])
    client.post(url)
    assert LedgerEntry.objects.filter(cause_ref=str(battle.key)).exists()
    assert "Undo result" in client.get(page_of(battle)).content.decode()
    client.post(url, {"do": "take-back"})
    assert "Log result" in client.get(page_of(battle)).content.decode()


# --- log from the table ---


def test_table_battle_is_logged_through_the_pages(client):
    owner = player()
    own = company(owner, "draken")
    client.force_login(owner)
    unit = own.units.get()
    query = {key: value for key, value in quick_data().items() if key.partition("-")[0][1:] == "" and key[0] in "abf"}
    query |= {"a1-unit": f"unit:{unit.pk}", "b1-unit": "design:wasp"}
    grid = client.get("/battles/log/", query)
    assert grid.status_code == 200
    key = str(uuid.uuid4())
    data = {"key": key, "winner": "0", f"u{unit.pk}-hits_left": "3", f"u{unit.pk}-kills": "1"}
    data |= {"b1-hits_left": "0", "b1-kills": "0"}
    url = reverse("battles:log-battle", query=query)
    refused = client.post(url, data)
    assert refused.status_code == 422
    assert '<a href="#id_b1-destroyed">WASP, Destroyed</a>: WASP lost its last Hit' in refused.content.decode()
    answer = client.post(url, data | {"b1-destroyed": "on"})
    battle = Battle.objects.get()
    assert answer.headers["Location"] == page_of(battle)
    client.post(url, data | {"b1-destroyed": "on"})
    assert Battle.objects.count() == 1
    unit.refresh_from_db()
    assert unit.condition["hits"] == 3
    html = client.get(page_of(battle)).content.decode()
    assert "Played at the table" in html


def test_logging_needs_an_account(client):
    assert client.get("/battles/log/").status_code == 302


# --- permissions ---


def everything_of(battle: Battle) -> list[tuple[str, str]]:
    names = ["battle", "battle-progress", "record", "report"]
    posts = ["battle-repeat", "battle-odds", "battle-cancel", "effects"]
    return [("get", reverse(f"battles:{name}", args=[battle.key])) for name in names] + [
        ("post", reverse(f"battles:{name}", args=[battle.key])) for name in posts
    ]


def test_private_battle_is_404_for_strangers(client):
    owner = player()
    battle = finished_battle(actor=owner, visibility=Visibility.PRIVATE)
    eve = player("eve")
    for login in (None, eve):
        if login:
            client.force_login(login)
        for method, url in everything_of(battle):
            if login is None and url.endswith("/effects/"):
                continue
            assert getattr(client, method)(url).status_code == 404, url
    client.force_login(owner)
    assert client.get(page_of(battle)).status_code == 200


def test_link_battle_is_in_no_list(client):
    battle = finished_battle(actor=player(), visibility=Visibility.LINK)
    assert client.get(page_of(battle)).status_code == 200
    assert str(battle.key) not in client.get("/battles/").content.decode()
    assert str(battle.key) not in client.get("/").content.decode()


def test_stranger_cannot_cancel_or_log(client):
    owner = player()
    setup, forces = company_battle(company(owner))
    battle = finished_battle(setup=setup, forces=forces, actor=owner)
    client.force_login(player("eve"))
    client.post(reverse("battles:effects", args=[battle.key]))
    assert not LedgerEntry.objects.filter(cause_ref=str(battle.key)).exists()
    waiting = battle_queue(setup=duel(), actor=owner)
    client.post(reverse("battles:battle-cancel", args=[waiting.key]))
    waiting.refresh_from_db()
    assert waiting.status == "queued"


def test_unknown_keys_return_404(client):
    for name in ("battle", "record", "report", "forecast", "forecast-progress"):
        assert client.get(reverse(f"battles:{name}", args=[uuid.uuid4()])).status_code == 404


def test_get_on_a_post_address_is_refused(client):
    battle = finished_battle()
    for name in ("battle-repeat", "battle-odds", "battle-cancel"):
        assert client.get(reverse(f"battles:{name}", args=[battle.key])).status_code == 405


# --- lists ---


def test_list_filters_and_pages(client, monkeypatch):
    monkeypatch.setattr(limits, "OPEN_PLAYER", 50)
    owner = player()
    for seed in range(31):
        battle_queue(setup=duel(), seed=seed, actor=owner) if seed % 20 else finished_battle(seed, actor=owner)
    mine = finished_battle(setup=duel("thor", "odin", terrain="moors"), actor=owner, visibility=Visibility.PRIVATE)
    assert "31 battles" in client.get("/battles/").content.decode()
    first = client.get("/battles/").context["slice"]
    second = client.get("/battles/", {"after": first.after}).context["slice"]
    assert (len(first), len(second), first.before, second.after) == (30, 1, "", "")
    assert client.get("/battles/", {"before": second.before}).context["slice"].rows == first.rows
    assert client.get("/battles/?after=nonsense").context["slice"].rows == first.rows
    assert "2 battles" in client.get("/battles/?status=done").content.decode()
    assert "0 battles" in client.get("/battles/?kind=table").content.decode()
    client.force_login(owner)
    html = client.get("/battles/?text=moors&whose=mine").content.decode()
    assert "1 battle<" in html
    assert str(mine.key) in html


@pytest.mark.slow
def test_page_query_counts_are_constant(client, django_assert_max_num_queries):
    owner = player()
    own = company(owner, "draken", "wasp", "viper", visibility=Visibility.PUBLIC)
    setup, forces = company_battle(own)
    battle = finished_battle(setup=setup, forces=forces, actor=owner)
    client.force_login(owner)
    client.get(page_of(battle))  # fills the cache of rounds
    client.get("/battles/new/")  # seals dice for the next battle
    counts: dict[str, set[int]] = {}
    for more in (0, 6):
        for seed in range(more):
            finished_battle(seed, actor=player(f"p{seed}"))
        for url in ("/", "/battles/", page_of(battle), "/battles/new/"):
            with django_assert_max_num_queries(14) as queries:
                assert client.get(url).status_code == 200
            counts.setdefault(url, set()).add(len(queries.captured_queries))
    assert all(len(found) == 1 for found in counts.values()), counts
