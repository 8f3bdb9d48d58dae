"""A made-up game on the pages of the others: shared code knows no game by name."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from battles.models import Battle, Forecast, Record
from battles.services.battles import battle_queue
from battles.services.dice import dice_seal
from battles.services.setups import SideChoice, UnitChoice, company_choices, setup_document
from battles.tasks import battle_resolve, forecast_run
from campaigns.campaign.services import campaign_create
from campaigns.models import Campaign, Match
from rosters.models import Company, LedgerEntry, PrintJob
from rosters.printing.services import print_ask
from rosters.services import company_create, unit_buy
from rosters.tasks import print_run
from systems import ROSTERS, battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.odds import tally
from systems.simulation.records import read_record, resolve, verify
from tests.battles.record_ends import final_situation
from tests.builders import a_player
from tests.campaigns.builders import a_club, a_round, an_enrolment
from tests.campaigns.gazettes import close_round, confirm_result
from tests.rosters.paper import pdf
from tests.rosters.paper.forms import form_fields
from tests.systems.toy import SLUG, install

pytestmark = pytest.mark.django_db
MEKS = re.compile(r"\bMeks?\b|MM-\w?\d+|[Zz]one|[Ss]kills?\b|[Ss]upport")


@pytest.fixture(autouse=True)
def toy(monkeypatch) -> None:
    install(monkeypatch)
    monkeypatch.setattr(battle_resolve, "delay", lambda *message: None)
    monkeypatch.setattr(forecast_run, "delay", lambda *message: None)
    monkeypatch.setattr(print_run, "delay", lambda *message: None)


def a_toy_company(owner=None, *kinds: str, name: str = "Toy Box") -> Company:
    owner = owner or a_player()
    company = company_create(owner=owner, system=SLUG, name=name, points=60, visibility="public")
    for kind in kinds or ("knight", "runner"):
        unit_buy(company=company, by=owner, published=kind)
    return company


def main_of(response, status: int = 200) -> str:
    """Return the page without its frame, whose menus are the same for all games."""
    assert response.status_code == status, response.content.decode()[:3000]
    html = response.content.decode()
    return html.partition("<main")[2].partition("</main>")[0]


def visible_texts(page: str) -> str:
    """Return the readable text of the page, without its navigation."""
    return re.sub(r"<[^>]+>", " ", re.sub(r"<nav.*?</nav>", "", page, flags=re.S))


def a_setup(**changes) -> dict:
    sides = [
        SideChoice(name="Red", doctrine="charge", units=[UnitChoice(design="knight"), UnitChoice(design="runner")]),
        SideChoice(name="Blue", doctrine="wait", units=[UnitChoice(design="runner"), UnitChoice(design="runner")]),
    ]
    return setup_document(system=SLUG, terrain="carpet", sides=sides)[0] | changes


def a_finished_battle(**fields) -> Battle:
    battle = battle_queue(**({"setup": a_setup(), "seed": 3, "visitor": "v"} | fields))
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert battle.status == "done", battle.failure
    return battle


def form_data(client, url: str) -> dict[str, str]:
    """Return what the page's form sends when left untouched."""
    html = client.get(url).content.decode()
    data = {}
    for name, value in re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', html):
        data[name] = value
    for name, options in re.findall(r'<select[^>]*name="([\w-]+)"[^>]*>(.*?)</select>', html, flags=re.S):
        chosen = re.search(r'value="([^"]*)"\s+selected', options) or re.search(r'value="([^"]*)"', options)
        data[name] = chosen[1] if chosen else ""
    for tag in re.findall(r'<input type="text"[^>]*>', html):
        name, value = re.search(r'name="([\w-]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name:
            data[name[1]] = value[1] if value else ""
    return data


def test_home_page_offers_toy_forces_and_fights_battle(client):
    page = main_of(client.get("/?system=toy"))
    assert "Red Box" in page
    assert "Toy Soldiers" in page
    assert "Nine zones" not in page
    form = {"system": SLUG, "a": "force:red-box", "b": "force:blue-box", "a_doctrine": "charge", "b_doctrine": "wait"}
    client.post("/try/", form | {"terrain": "carpet", "do": "fight"})
    battle = Battle.objects.get()
    assert (battle.system, battle.setup["scenario"]) == (SLUG, "skirmish")


def test_quick_battle_offers_toys_and_hides_other_games(client):
    url = reverse("battles:quick-battle")
    assert 'href="?system=toy"' in client.get(url).content.decode()
    page = main_of(client.get(url, {"system": SLUG}))
    assert "Published units" in page
    assert not MEKS.search(visible_texts(page))
    data = form_data(client, f"{url}?system=toy") | {"f-visibility": "public", "do": "fight", "battles": "1000"}
    answer = client.post(url, data)
    assert answer.status_code == 302, main_of(answer, 422)
    battle = Battle.objects.get()
    assert battle.system == SLUG
    assert [unit["pilot"] for side in battle.setup["sides"] for unit in side["units"]] == [None] * 4
    client.post(url, data | {"do": "odds"})
    assert Forecast.objects.get().system == SLUG


def test_company_is_not_offered_in_other_games_battle(client):
    owner = a_player()
    a_toy_company(owner)
    client.force_login(owner)
    assert "Toy Box" in main_of(client.get(reverse("battles:quick-battle"), {"system": SLUG}))
    assert "Toy Box" not in main_of(client.get(reverse("battles:quick-battle")))
    assert "Toy Box" not in main_of(client.get("/try/?system=meks-and-mercs"))
    assert "Toy Box" in main_of(client.get("/?system=toy"))
    assert "Toy Box" in main_of(client.get("/try/"))  # the game of the player's newest company


def test_recorded_battle_is_shown_without_map(client):
    battle = a_finished_battle()
    page = main_of(client.get(reverse("battles:battle", args=[battle.key])))
    assert "walks to" in page
    assert "The battle on the map" not in page
    assert "Range bands" not in page
    assert client.get(reverse("battles:frames", args=[battle.key])).status_code == 404
    text = Record.objects.get(battle=battle).text
    assert verify(text) is None
    assert "strikes at" in client.get(reverse("battles:report", args=[battle.key])).content.decode()


def test_repeated_setup_keeps_its_system(client):
    battle = a_finished_battle()
    page = main_of(client.get(reverse("battles:quick-battle"), {"from": battle.key}))
    assert "Toy Soldiers" in page
    client.post(reverse("battles:battle-repeat", args=[battle.key]))
    assert Battle.objects.order_by("-pk").first().system == SLUG


@pytest.mark.parametrize("seed", range(20))
def test_replaying_events_gives_final_state(seed: int):
    record = resolve(read_setup(a_setup()), seed)
    assert read_record(record.text()).digest == record.digest
    views = {view.key: (max(view.hits, 0), view.destroyed) for view in final_situation(record).units}
    assert views == {unit["key"]: (unit["hits"], unit["lost"]) for unit in record.outcome["units"]}


def test_compiled_toy_matches_plain_one():
    setup = read_setup(a_setup())
    assert tally(setup, 7, 0, 200) == tally(setup, 7, 0, 200, compiled=False)


def test_odds_and_luck_show_only_toy_figures(client):
    battle = a_finished_battle()
    client.post(reverse("battles:battle-odds", args=[battle.key]))
    forecast = Forecast.objects.get()
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    while forecast.status == "running":
        forecast_run(forecast.pk, str(forecast.lease))
        forecast.refresh_from_db()
    assert forecast.status == "done", forecast.failure
    page = main_of(client.get(reverse("battles:forecast", args=[forecast.key])))
    assert "Average knock-outs" in page
    for missing in ("Pilot wounded", "Withdrew", "repair cost", "Stalemates"):
        assert missing not in page
    changes = main_of(client.get(reverse("battles:what-if-create", args=[forecast.key])))
    assert "Wait" in changes
    assert "level" not in changes
    assert not MEKS.search(visible_texts(changes))
    assert "Luck" in main_of(client.get(reverse("battles:battle", args=[battle.key])))


def test_matrix_omits_game_without_duels(client):
    page = main_of(client.get(reverse("battles:matrices"), {"system": SLUG}))
    assert "Toy Soldiers" not in page
    assert "Meks &amp; Mercs" in page
    answer = client.post(reverse("battles:matrices"), {"system": SLUG, "terrain": "carpet", "a": "wait", "b": "wait"})
    assert "has no matchups" in main_of(answer, 422)


def test_battle_log_asks_only_toy_fields(client):
    owner = a_player()
    company = a_toy_company(owner)
    client.force_login(owner)
    units = [f"unit:{pk}" for pk in company.units.order_by("pk").values_list("pk", flat=True)]
    query = form_data(client, f"{reverse('battles:log-battle')}?system=toy&scenario=skirmish")
    query |= {
        "a1-unit": units[0],
        "a2-unit": units[1],
        "a-name": "Toy Box",
        "b-name": "Blue",
        "b1-unit": "design:runner",
    }
    query.pop("csrfmiddlewaretoken", None)
    page = main_of(client.get(reverse("battles:log-battle"), query))
    assert "Knocked out" in page
    for missing in ("Reactor", "fate", "wounded"):
        assert missing not in page
    keys = [f"u{unit.removeprefix('unit:')}" for unit in units]
    rows = {f"{keys[0]}-hits_left": "1", f"{keys[0]}-kills": "1", f"{keys[1]}-hits_left": "2", f"{keys[1]}-kills": "0"}
    theirs = {name: value for key in ("b1", "b2") for name, value in ((f"{key}-hits_left", "0"), (f"{key}-kills", "0"))}
    rows |= {f"{key}-springs_broken": "0" for key in (*keys, "b1", "b2")}
    key = re.search(r'name="key" value="([^"]+)"', page)
    assert key
    form_fields = {"key": key[1], "winner": "0", "rounds": "3", "b1-destroyed": "on", "b2-destroyed": "on"}
    answer = client.post(f"{reverse('battles:log-battle')}?{urlencode(query)}", rows | theirs | form_fields)
    assert answer.status_code == 302, main_of(answer, 422)
    battle = Battle.objects.get()
    assert battle.result["winner"] == "Toy Box"
    assert LedgerEntry.objects.filter(company=company, cause_ref=str(battle.key)).exists()


def test_company_pages_omit_what_toys_lack(client):
    owner = a_player()
    company = a_toy_company(owner)
    client.force_login(owner)
    page = main_of(client.get(reverse("rosters:company", args=[company.pk])))
    assert "Knight" in page
    assert "Hire a pilot" not in page
    assert "nobody" not in page
    unit = company.units.first()
    assert unit is not None
    assert client.get(reverse("rosters:unit", args=[company.pk, unit.pk])).status_code == 200
    assert "Knight" in main_of(client.get(reverse("rosters:lab"), {"system": SLUG}))
    assert client.get(reverse("rosters:design_published", args=[SLUG, "knight"])).status_code == 200
    assert client.get(reverse("rosters:scenario_new"), {"system": SLUG}).status_code == 404
    assert client.get(reverse("rosters:rules"), {"system": SLUG}).status_code == 200


def a_toy_campaign(client) -> tuple[Campaign, Match]:
    club = a_club()
    organiser = club.memberships.get().player
    client.force_login(organiser)
    form = main_of(client.get(reverse("campaigns:campaign_new", args=[club.slug]), {"system": SLUG}))
    assert "Skirmish" in form
    campaign = campaign_create(
        club=club,
        by=organiser,
        system=SLUG,
        options={},
        name="Carpet War",
        points=60,
        scenarios=[{"value": "skirmish", "name": "Skirmish"}],
    )
    Campaign.objects.filter(pk=campaign.pk).update(state="running", catalogue_release="1")
    campaign.refresh_from_db()
    sides = [an_enrolment(campaign, a_toy_company(name=name)) for name in ("Red Box", "Blue Box")]
    match = Match.objects.create(
        round=a_round(campaign), number=1, scenario="skirmish", scenario_name="Skirmish", terrain="carpet",
        attacker=sides[0], defender=sides[1], dice=dice_seal(),
    )  # fmt: skip
    return campaign, match


def test_toy_match_is_submitted_reported_and_confirmed(client):
    campaign, match = a_toy_campaign(client)
    match_url = reverse("campaigns:match", args=[match.key])
    for enrolment in (match.attacker, match.defender):
        client.force_login(enrolment.company.owner)
        page = main_of(client.get(reverse("campaigns:match_forces", args=[match.key])))
        assert "it has no pilot" not in page
        units = list(enrolment.company.units.values_list("pk", flat=True))
        answer = client.post(reverse("campaigns:match_forces", args=[match.key]), {"units": units, "doctrine": "wait"})
        assert answer.status_code == 302, main_of(answer, 422)
    match.refresh_from_db()
    assert match.setup["system"] == SLUG
    report = main_of(client.get(reverse("campaigns:match_report", args=[match.key])))
    assert "Knocked out" in report
    assert not MEKS.search(visible_texts(report))
    key = match.setup["sides"][1]["units"][0]["key"]
    report_fields = {"r-winner": "attacker", "r-rounds": "4", f"{key}-destroyed": "on", f"{key}-hits_lost": "3"}
    mine = match.setup["sides"][0]["units"][0]["key"]
    client.post(reverse("campaigns:match_report", args=[match.key]), report_fields | {f"{mine}-kills": "1"})
    client.force_login(match.attacker.company.owner)
    client.post(reverse("campaigns:match_report", args=[match.key]), report_fields)
    match.refresh_from_db()
    assert match.state == "disputed"
    compared = main_of(client.get(reverse("campaigns:match_report", args=[match.key])))
    assert "knock-outs" in compared
    client.post(reverse("campaigns:match_report", args=[match.key]), report_fields | {f"{mine}-kills": "1"})
    match.refresh_from_db()
    assert (match.state, match.outcome) == ("confirmed", "attacker")
    assert main_of(client.get(match_url))
    for name in ("campaign", "standings", "campaign_companies"):
        assert client.get(reverse(f"campaigns:{name}", args=[campaign.pk])).status_code == 200
    assert "2" in main_of(client.get(reverse("campaigns:standings", args=[campaign.pk])))


def test_toy_company_units_match_their_setup():
    company = a_toy_company()
    chosen = company_choices(company)
    assert [(unit.design, unit.pilot) for unit in chosen] == [({"kind": "knight"}, None), ({"kind": "runner"}, None)]
    assert battle_rules(SLUG).space is None


def drawn_text(job: PrintJob, folder: Path) -> str:
    """Return the text of a print once it is drawn."""
    print_run(job.pk)
    job.refresh_from_db()
    assert job.status == "done", job.failure
    path = folder / "print.pdf"
    path.write_bytes(job.file.read())
    return pdf.text(path)


@pytest.mark.slow
def test_print_shop_prints_all_toy_products(client, tmp_path):
    owner = a_player()
    company = a_toy_company(owner)
    client.force_login(owner)
    url = reverse("rosters:print-company", args=[company.pk])
    form = client.get(url).context["form"]
    made = [slug for slug, _ in form.fields["products"].choices]
    assert made == ["unit-card", "datasheet", "roster", "counter", "standee"]
    assert form.blanks == ["unit-card", "datasheet", "roster", "slip"]
    blanks = {f"blank_{of}": "1" for of in form.blanks}
    order = [str(unit.pk) for unit in company.units.all()]
    answer = client.post(url, {"order": order, **form_fields(form, products=made, **blanks)})
    assert answer.status_code == 302, main_of(answer, 422)
    text = drawn_text(PrintJob.objects.get(), tmp_path)
    for words in ("Knight", "Runner", "DENTS", "Toy Soldiers datasheet", "Knock-outs", "knocked out", "Toy Box"):
        assert words in text, words
    assert not MEKS.search(text)


def test_toy_design_prints_without_pilot(client, tmp_path):
    url = reverse("rosters:print-design-published", args=[SLUG, "knight"])
    assert "No pilot needed." in main_of(client.get(url))
    form = client.get(url).context["form"]
    answer = client.post(url, form_fields(form, products=["unit-card", "datasheet"]))
    assert answer.status_code == 302, main_of(answer, 422)
    assert "Knight" in drawn_text(PrintJob.objects.get(), tmp_path)


@pytest.mark.slow
def test_toy_battle_prints_slip_without_reference(client, tmp_path):
    url = reverse("battles:print-packet", args=[a_finished_battle().key])
    form = client.get(url).context["form"]
    offered = [slug for slug, _ in form.fields["products"].choices]
    assert offered == ["unit-card", "counter", "standee", "roster", "slip"]
    answer = client.post(url, form_fields(form, products=offered))
    assert answer.status_code == 302, main_of(answer, 422)
    assert "Dents" in drawn_text(PrintJob.objects.get(), tmp_path)


@pytest.mark.parametrize(
    ("item", "refusal"),
    [
        ({"what": "reference", "system": SLUG}, "items[0]: Toy Soldiers has no reference to print"),
        ({"what": "blank", "of": "pilot-card", "system": SLUG}, "items[0]: Toy Soldiers has no pilot card to print"),
    ],
)
def test_product_without_paper_is_refused(item: dict, refusal: str):
    with pytest.raises(DocumentError) as refused:
        print_ask(order={"muster": "print/1", "title": "Toys", "items": [item]})
    assert str(refused.value) == refusal


def test_toy_round_closes_with_standings_and_gazette(client):
    campaign, match = a_toy_campaign(client)
    confirm_result(match, "attacker", lambda match: {match.setup["sides"][1]["units"][0]["key"]: {"destroyed": True}})
    round_ = close_round(match.round)
    table = visible_texts(main_of(client.get(reverse("campaigns:standings", args=[campaign.pk]))))
    assert re.search(r"Red Box +player\d+ +W +won +2 +1 +1-0-0 +1, 0", table), table
    gazette = main_of(client.get(reverse("campaigns:gazette", args=[campaign.pk, round_.number])))
    assert "Red Box leads after round 1" in visible_texts(gazette)
    assert "Units knocked out: 1–0" in visible_texts(gazette)
    assert "Pilots" not in gazette
    assert not MEKS.search(visible_texts(gazette))
    for name in ("campaign", "campaign_companies", "gazettes"):
        assert client.get(reverse(f"campaigns:{name}", args=[campaign.pk])).status_code == 200


def test_game_without_house_rules_has_no_form(client):
    assert "House rules" not in main_of(client.get(reverse("battles:quick-battle"), {"system": SLUG}))
    assert "House rules" in main_of(client.get(reverse("battles:quick-battle"), {"system": "meks-and-mercs"}))
    club = a_club()
    client.force_login(club.memberships.get().player)
    new = reverse("campaigns:campaign_new", args=[club.slug])
    assert "House rules" not in main_of(client.get(new, {"system": SLUG}))
    assert "House rules" in main_of(client.get(new, {"system": "meks-and-mercs"}))


def test_game_without_lab_offers_none(client, monkeypatch):
    monkeypatch.setattr(ROSTERS[SLUG], "frame_first", "")
    owner = a_player()
    client.force_login(owner)
    assert "Build a design" not in main_of(client.get(reverse("rosters:company", args=[a_toy_company(owner).pk])))
    assert "Use as a start" not in main_of(client.get(reverse("rosters:design_published", args=[SLUG, "knight"])))
    assert client.get(reverse("rosters:lab"), {"system": SLUG}).status_code == 404
    assert "Toy Soldiers" not in main_of(client.get(reverse("rosters:lab")))
