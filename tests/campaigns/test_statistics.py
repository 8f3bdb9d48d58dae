"""Statistics: what each table counts, expected results, luck, and the pages, spreadsheet and API."""

import csv
import io

import pytest
from django.template.loader import render_to_string

from battles.models import Forecast
from campaigns.models import Campaign, MatchState
from campaigns.statistics.tables import (
    Battle,
    SideResult,
    UnitResult,
    build_calibration,
    build_luck,
    build_tables,
    table_csv_rows,
)
from systems import ROSTERS
from systems.simulation.summary import share
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import CASCADE, LOST, Faces, correct_match, report
from tests.campaigns.gazettes import close_round, confirm_result


def unit(design="Wasp", *arms, level="Green", is_lost=False, kills=0):
    return UnitResult(design=design, level=level, arms=arms or ("Cannon", "CIWS", "CIWS"), is_lost=is_lost, kills=kills)


def battle(score, chance=None, *, ground="Plain", doctrine="", units=((), ())):
    sides = [
        SideResult(
            player=name, role=role, doctrine=doctrine, score=own,
            chance=None if chance is None else (chance, 1 - chance)[at], units=units[at],
        )
        for at, (name, role, own) in enumerate((("ann", "Attacker", score), ("ben", "Defender", 1 - score)))
    ]  # fmt: skip
    return Battle(system="meks-and-mercs", is_open=True, scenario="Zone battle", ground=ground, sides=tuple(sides))


def lines(tables, slug):
    return {cell.label: cell for table in tables if table.slug == slug for cell in table.cells}


def test_line_has_wilson_interval_and_expected_share():
    found = lines(build_tables([battle(1.0, 0.25), battle(1.0), battle(0.0, 0.75)]), "role")
    cell = found["Attacker"]
    wilson = share(2, 3)
    assert (cell.number, cell.share, cell.low, cell.high) == (3, 2 / 3, wilson.low, wilson.high)
    assert (cell.expected, cell.expected_of) == (0.5, 2)
    assert found["Defender"].share == 1 / 3


def test_draw_counts_half_and_widens_the_interval():
    cell = lines(build_tables([battle(0.5), battle(1.0)]), "role")["Attacker"]
    assert cell.share == 0.75
    assert (cell.low, cell.high) == (share(1, 2).low, share(2, 2).high)


def test_weapon_counts_once_per_unit():
    own = (unit("Wasp", "Cannon", "CIWS", "CIWS", kills=2), unit("Viper", "Cannon", is_lost=True))
    found = build_tables([battle(1.0, units=(own, ()))])
    weapons = lines(found, "weapon")
    assert (weapons["Cannon"].number, weapons["Cannon"].share, weapons["Cannon"].mean) == (2, 0.5, 1.0)
    assert (weapons["CIWS"].number, weapons["CIWS"].share) == (1, 1.0)
    assert lines(found, "level")["Green"].number == 2
    assert set(lines(found, "design")) == {"Wasp", "Viper"}


def test_player_filter_counts_only_own_sides():
    games = [battle(1.0, ground="Plain"), battle(0.0, ground="Urban")]
    assert {label: cell.share for label, cell in lines(build_tables(games, "ben"), "ground").items()} == {
        "Plain": 0.0,
        "Urban": 1.0,
    }


def test_ai_styles_are_counted_only_in_simulations():
    assert lines(build_tables([battle(1.0)]), "doctrine") == {}
    assert lines(build_tables([battle(1.0, doctrine="Aggressive")]), "doctrine")["Aggressive"].number == 2


def test_calibration_compares_results_with_odds():
    games = [battle(1.0, 0.1), battle(0.0, 0.15), battle(1.0, 1.0), battle(1.0)]
    cells = {cell.label: cell for cell in build_calibration(games).cells}
    assert set(cells) == {"0% to 20%", "80% to 100%"}
    low = cells["0% to 20%"]
    assert (low.number, low.share, low.expected) == (2, 0.5, 0.125)


def test_luck_is_score_above_expectation_with_a_threshold():
    ann, ben = build_luck([battle(1.0, 0.2), battle(1.0, 0.4), battle(1.0)])
    assert (ann.player, ann.matches, ann.scored) == ("ann", 2, 2.0)
    assert (ann.expected, round(ann.over, 9), round(ann.spread**2, 9)) == (0.6000000000000001, 1.4, 0.4)
    assert (ann.is_clear, ben.over) == (True, -ann.over)
    assert not build_luck([battle(1.0, 0.5)])[0].is_clear


def test_few_matches_are_marked():
    assert lines(build_tables([battle(1.0)] * 3), "role")["Attacker"].is_few
    assert not lines(build_tables([battle(1.0)] * 40), "role")["Attacker"].is_few


@pytest.mark.parametrize("chance", [None, 0.5])
def test_odds_column_appears_only_with_odds(chance):
    [table] = [each for each in build_tables([battle(1, chance), battle(0)]) if each.slug == "role"]
    html = render_to_string("campaigns/_statistics_table.html", {"table": table})
    assert ("Expected" in html) is (chance is not None)
    assert html.count("<th ") - html.count('<th scope="row"') == 4 + (chance is not None)
    assert html.count("<td ") == len(table.cells) * (3 + (chance is not None))


def test_spreadsheet_contains_every_line():
    tables = build_tables([battle(1.0, 0.25, units=((unit(),), (unit(is_lost=True),)))])
    head, *body = table_csv_rows(tables)
    assert len(body) == sum(len(table.cells) for table in tables)
    assert {len(line) for line in body} == {len(head)}
    for line in (dict(zip(head, each, strict=True)) for each in body):
        assert line["low"] <= line["share"] <= line["high"]


@pytest.mark.parametrize("system", ROSTERS)
def test_every_game_names_its_weapons(system):
    rules = ROSTERS[system]
    named = [rules.arms(design.spec) for design in rules.published.values()]
    assert all(isinstance(name, str) and name for arms in named for name in arms)
    assert any(named) == (system != "mech-campaign")


# --- a club -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def campaign(db):
    return a_campaign(absent_rule="orders")


@pytest.fixture
def two(campaign):
    return [an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees")]


def play_match(campaign, two, winner="attacker"):
    def one_falls(match):
        ants, bees = map(list, match.forces)
        return {ants[0]: {"kills": 1}, bees[0]: LOST}

    row = a_round(campaign)
    game = confirm_result(a_match(row, *two), winner, one_falls)
    game.refresh_from_db()
    counts = {
        "battle": {"battles": 1000, "attacker_wins": 180, "defender_wins": 780},
        "units": {},
        "margins": {"0": 1000},
    }
    Forecast.objects.filter(pk=game.forecast_id).update(runs_done=1000, counts=counts, status="done")
    close_round(row)
    return game


def test_page_shows_tables_from_ten_matches_on(client, campaign, two):
    play_match(campaign, two)
    page = client.get(f"/clubs/{campaign.club.slug}/insights/").content.decode()
    assert "Statistics appear after 10 decided matches. Meks &amp; Mercs has 1 so far." in page
    assert 'id="luck"' not in page


def test_page_api_and_spreadsheet_agree(client, campaign, two, monkeypatch):
    monkeypatch.setattr("campaigns.statistics.selectors.MIN_MATCHES", 1)
    play_match(campaign, two)
    base = f"/clubs/{campaign.club.slug}/insights"
    page = client.get(f"{base}/").content.decode()
    assert "1 match of Meks &amp; Mercs." in page
    assert "Small numbers say little" in page
    data = client.get(f"/api/v1{base}/").json()
    cells = {(table["table"], cell["what"]): cell for table in data["tables"] for cell in table["cells"]}
    assert cells["weapon", "Cannon"]["number"] == 4
    assert cells["weapon", "Cannon"]["share"] == 0.75
    assert cells["design", "WASP"]["kills"] == 0.25
    assert (cells["role", "Attacker"]["share"], cells["role", "Attacker"]["expected"]) == (1.0, 0.2)
    assert data["odds"]["cells"][0]["what"] == "20% to 40%"
    lucky = {each["player"]: each["scored"] - each["expected"] for each in data["luck"]}
    assert lucky[two[0].company.owner.username] == 0.8
    answer = client.get(f"{base}.csv")
    assert answer["Content-Type"].startswith("text/csv")
    assert answer.content.startswith(b"\xef\xbb\xbf"), "the byte order mark, for Excel"
    body = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {(line["table"], line["what"]) for line in body} == {*cells, ("odds", "20% to 40%")}


@pytest.mark.parametrize("begins", ["=", "+", "-", "@"])
def test_spreadsheet_escapes_formulas(client, campaign, two, begins):
    play_match(campaign, two)
    campaign.rounds.get().matches.update(scenario_name=f"{begins}HYPERLINK(1)")
    answer = client.get(f"/clubs/{campaign.club.slug}/insights.csv").content.decode("utf-8-sig")
    names = [line["what"] for line in csv.DictReader(io.StringIO(answer)) if "HYPERLINK" in line["what"]]
    assert {what[:2] for what in names} == {f"'{begins}"}


def test_api_filters_by_player_and_ignores_unknown_players(client, campaign, two):
    play_match(campaign, two)
    base, name = f"/api/v1/clubs/{campaign.club.slug}/insights/", two[1].company.owner.username
    own = client.get(base, {"player": name}).json()
    assert [each["player"] for each in own["luck"]] == [name]
    assert [cell["what"] for table in own["tables"] if table["table"] == "role" for cell in table["cells"]] == [
        "Defender"
    ]
    assert client.get(base, {"player": "nobody"}).json()["player"] == ""
    assert client.get(f"/clubs/{campaign.club.slug}/insights/", {"player": name}).status_code == 200
    assert client.get(base, {"system": "chess"}).status_code == 400


def test_correction_updates_statistics_at_once(client, campaign, two, monkeypatch):
    faces = Faces(monkeypatch)
    assert faces is not None
    arbiter = campaign.club.memberships.first().player
    game = play_match(campaign, two)
    base = f"/api/v1/clubs/{campaign.club.slug}/insights/"

    def attackers():
        tables = client.get(base).json()["tables"]
        return [cell["share"] for table in tables for cell in table["cells"] if cell["what"] == "Attacker"]

    assert attackers() == [1.0]
    correct_match(game, report(game, "defender"), CASCADE, arbiter)
    assert attackers() == [0.0]
    correct_match(game, None, CASCADE, arbiter)
    assert game.state == MatchState.VOID
    assert attackers() == []
    assert "No statistics yet" in client.get(f"/clubs/{campaign.club.slug}/insights/").content.decode()


def test_private_matches_count_for_members_only(client, campaign, two):
    play_match(campaign, two)
    Campaign.objects.filter(pk=campaign.pk).update(is_public=False)
    base = f"/api/v1/clubs/{campaign.club.slug}/insights/"
    assert client.get(base).json()["matches"] == 0
    client.force_login(two[0].company.owner)
    assert client.get(base).json()["matches"] == 1
