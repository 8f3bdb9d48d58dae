"""Pages and API of seasons: players' acts at the table, and everything an organiser does."""

import re

import pytest
from django.urls import reverse

from campaigns.models import Season, SeasonPairing
from campaigns.seasons.rounds import season_round_draw
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club
from tests.campaigns.season_builders import (
    GAMES,
    a_round,
    a_season,
    agree_on_games,
    an_unstarted_season,
    decide_matches,
)

pytestmark = pytest.mark.django_db
MEKS, MECH, STEEL = GAMES
FOUR = dict.fromkeys(("ann", "ben", "cy", "dora"), GAMES)


@pytest.fixture
def ledger():
    return a_season(played=FOUR)


def get_page(client, route, *args, as_=None, **query):
    """Return the page as this player sees it."""
    if as_ is not None:
        client.force_login(as_)
    answer = client.get(reverse(f"campaigns:{route}", args=args), query)
    assert answer.status_code == 200, answer.content[:300]
    return " ".join(answer.content.decode().split())


def post_page(client, route, *args, as_, **fields):
    """Post to the page, and return the page that follows."""
    client.force_login(as_)
    answer = client.post(reverse(f"campaigns:{route}", args=args), fields, follow=True)
    assert answer.status_code == 200, answer.content[:300]
    return " ".join(answer.content.decode().split())


def a_pairing(ledger, name="ann"):
    row = a_round(ledger, "swiss")
    rows = row.pairings.select_related("one__player", "two__player")
    return next(each for each in rows if name in ledger.names(each))


def test_season_is_set_up_and_started_on_its_pages(client):
    club = a_club(a_player("olga"))
    olga = club.memberships.get().player
    html = post_page(
        client, "season_new", club.slug, as_=olga, name="Long Year", win_points=3, draw_points=1, loss_points=0,
        agree_days=3, pace_days=14, settle_rule="lot", cup_size=4, tie_1="direct",
    )  # fmt: skip
    assert "Long Year is created" in html
    season = Season.objects.get()
    assert (season.settle_rule, season.cup_size, season.tie_breakers) == ("lot", 4, ["direct"])
    for system in GAMES[:2]:
        campaign = a_campaign(club, system=system, name=f"War of {system}", options={}, tie_breakers=[])
        assert "is added" in post_page(client, "season_act", season.pk, as_=olga, act="game-add", campaign=campaign.pk)
    assert "A season needs at least 2 players." in post_page(client, "season_act", season.pk, as_=olga, act="start")
    assert "New season" in get_page(client, "club", club.slug)
    assert "Long Year" in get_page(client, "club", club.slug)


def test_invalid_setting_is_refused_at_its_field(client):
    club = a_club(a_player("olga"))
    client.force_login(club.memberships.get().player)
    fields = {"name": "Year", "win_points": 1, "draw_points": 2, "loss_points": 0, "agree_days": 3, "pace_days": 14}
    path = reverse("campaigns:season_new", args=[club.slug])
    answer = client.post(path, {**fields, "settle_rule": "order", "cup_size": 4})
    assert answer.status_code == 422
    assert "A win must be worth more than a loss, with a draw in between" in answer.content.decode()
    assert not Season.objects.exists()


def test_players_agree_on_a_game_on_the_page(client, ledger):
    pairing = a_pairing(ledger)
    one, two = pairing.one.player, pairing.two.player
    assert "Which game do you want to play?" in get_page(client, "season", ledger.season.pk, as_=one)
    html = post_page(client, "season_pairing", pairing.key, as_=one, act="propose", game=ledger.game(MECH))
    assert "Proposed. Wait for your opponent’s answer." in html
    assert "Which game do you want to play?" not in get_page(client, "season", ledger.season.pk, as_=one)
    assert "Accept Mech Campaign" in get_page(client, "season", ledger.season.pk, as_=two)
    html = post_page(client, "season_pairing", pairing.key, as_=two, act="accept", game=ledger.game(MECH))
    assert "Here is your match" in html
    pairing.refresh_from_db()
    assert reverse("campaigns:match", args=[pairing.match.key]) in html


@pytest.mark.parametrize(
    "fields", [{}, {"act": "accept"}, {"act": "accept", "game": "x"}, {"act": "what", "game": "0"}]
)
def test_invalid_answers_change_nothing(client, ledger, fields):
    pairing = a_pairing(ledger)
    html = post_page(client, "season_pairing", pairing.key, as_=pairing.one.player, **fields)
    assert "You don&#x27;t both play this game" in html or "There is no proposal to accept. Propose a game" in html
    pairing.refresh_from_db()
    assert (pairing.state, pairing.proposed) == ("agreeing", None)


def test_planned_round_is_hidden_from_players(client, ledger):
    season_round_draw(season=ledger.season, by=ledger.organiser, way="swiss")
    pairing = SeasonPairing.objects.first()
    assert "Round 1" not in get_page(client, "season", ledger.season.pk, as_=ledger.players["ann"])
    assert client.get(reverse("campaigns:season_pairing", args=[pairing.key])).status_code == 404
    assert "Round 1" in get_page(client, "season_run", ledger.season.pk, as_=ledger.organiser)


def test_organiser_draws_opens_and_awards_on_the_page(client, ledger):
    olga, pk = ledger.organiser, ledger.season.pk
    assert "Round 1 is planned" in post_page(client, "season_act", pk, as_=olga, act="draw", way="by-hand")
    one, two = ledger.entrant("ann"), ledger.entrant("ben")
    assert "Paired: ann against ben" in post_page(client, "season_act", pk, as_=olga, act="pair", one=one, two=two)
    assert "would play twice" in post_page(client, "season_act", pk, as_=olga, act="pair", one=one, two="")
    assert "Removed" in post_page(client, "season_act", pk, as_=olga, act="unpair", number=1)
    post_page(client, "season_act", pk, as_=olga, act="pair", one=one, two=two)
    assert "Round 1 is published" in post_page(client, "season_act", pk, as_=olga, act="open")
    key = SeasonPairing.objects.get().key
    refused = client.post(
        reverse("campaigns:season_pairing", args=[key]), {"act": "award", "verdict": "0", "reason": ""}
    )
    assert refused.status_code == 422
    html = post_page(client, "season_pairing", key, as_=olga, act="award", verdict="1", reason="Ann moved away.")
    assert "Ann moved away." in html
    assert "ben won" in get_page(client, "season", pk)
    assert "finished" in post_page(client, "season_act", pk, as_=olga, act="finish")


def test_organiser_changes_teams_players_and_games(client):
    ledger = an_unstarted_season(played=FOUR)
    olga, pk = ledger.organiser, ledger.season.pk
    for name in ("Reds", "Blues"):
        assert f"{name} is added" in post_page(client, "season_act", pk, as_=olga, act="team-add", team=name)
    reds = ledger.season.teams.get(name="Reds")
    seats = {f"team-{row.pk}": reds.pk for row in ledger.season.entrants.all()}
    assert "Teams saved" in post_page(client, "season_act", pk, as_=olga, act="line-up", **seats)
    assert ledger.season.entrants.filter(team=reds).count() == 4
    assert "Removed" in post_page(client, "season_act", pk, as_=olga, act="leave", entrant=ledger.entrant("dora"))
    assert "1 player added" in post_page(client, "season_act", pk, as_=olga, act="enter-all")
    steel = ledger.game(STEEL)
    assert "Order changed" in post_page(client, "season_act", pk, as_=olga, act="game-first", game=steel)
    assert ledger.season.games.first().pk == steel
    assert "There is no such action" in post_page(client, "season_act", pk, as_=olga, act="burn")
    assert "is deleted" in post_page(client, "season_act", pk, as_=olga, act="delete")


def test_player_enters_and_leaves_a_season(client):
    ledger = an_unstarted_season(played=FOUR)
    ann, pk = ledger.players["ann"], ledger.season.pk
    assert "You have left the season. You still have to play your current pairings" in post_page(
        client, "season_part", pk, as_=ann, act="leave"
    )
    assert "Join season" in get_page(client, "season", pk)
    assert "You have joined Long Year" in post_page(client, "season_part", pk, as_=ann, act="enter")


def test_settings_of_a_running_season_omit_fixed_fields(client, ledger):
    page = get_page(client, "season_run", ledger.season.pk, as_=ledger.organiser)
    assert 'name="agree_days"' in page
    assert 'name="win_points"' not in page
    url = reverse("campaigns:season_settings", args=[ledger.season.pk])
    sent = {"name": "Longer Year", "agree_days": 4, "pace_days": 20, "settle_rule": "lot", "cup_size": 2}
    wrong = client.post(url, sent | {"name": ""})
    assert (wrong.status_code, '<details class="fold" open>' in wrong.content.decode()) == (422, True)
    client.post(url, sent)
    ledger.season.refresh_from_db()
    assert (ledger.season.name, ledger.season.win_points) == ("Longer Year", 3)


def test_season_page_has_a_tab_for_each_game(client, ledger):
    page = get_page(client, "season", ledger.season.pk)
    assert re.findall(r'href="\?game=([^"]+)"', page) == list(GAMES)
    alone = get_page(client, "season", ledger.season.pk, game=MECH)
    assert re.findall(r'href="\?game=([^"]+)" aria-current="page"', alone) == [MECH]


def test_season_with_a_private_campaign_is_members_only(client, ledger):
    ledger.campaigns[MEKS].is_public = False
    ledger.campaigns[MEKS].save()
    pk, club = ledger.season.pk, ledger.season.club
    assert client.get(reverse("campaigns:season", args=[pk])).status_code == 404
    assert "Long Year" not in get_page(client, "club", club.slug)
    assert "Long Year" in get_page(client, "club", club.slug, as_=ledger.players["ann"])


def test_dice_of_the_lot_are_visible_to_season_viewers(client):
    ledger = a_season(played=FOUR, settle_rule="lot")
    row = a_round(ledger, "swiss")
    assert row.dice.commitment in get_page(client, "dice", row.dice.key)
    agree_on_games(ledger, row)
    decide_matches(ledger, row, "ann")
    row.dice.refresh_from_db()
    assert row.dice.secret in get_page(client, "dice", row.dice.key)


# --- the API ----------------------------------------------------------------------------------------------------------


def test_api_runs_a_whole_season(client):
    ledger = an_unstarted_season(played={"ann": GAMES, "ben": GAMES, "cy": GAMES[:2]})
    olga, ann, ben = ledger.organiser, ledger.players["ann"], ledger.players["ben"]
    root = f"/api/v1/seasons/{ledger.season.pk}/"

    def ask(method, path, by, expects, **body):
        client.force_login(by)
        answer = getattr(client, method)(path, body, content_type="application/json")
        assert answer.status_code == expects, answer.content
        return answer.json() if answer.content else None

    made = ask("post", f"/api/v1/clubs/{ledger.season.club.slug}/seasons/", olga, 201, name="Second", win_points=2)
    ask("patch", f"/api/v1/seasons/{made['id']}/", olga, 200, about="Soon.")
    ask("delete", f"/api/v1/seasons/{made['id']}/", olga, 204)
    seasons = ask("get", f"/api/v1/clubs/{ledger.season.club.slug}/seasons/", ann, 200)
    assert [(row["name"], row["players"], len(row["games"])) for row in seasons] == [("Long Year", 3, 3)]

    ask("delete", f"{root}players/{ledger.entrant('cy')}/", ledger.players["cy"], 204)
    ask("delete", f"{root}games/{ledger.game(STEEL)}/", olga, 204)
    ask("post", f"{root}games/", olga, 201, campaign=ledger.campaigns[STEEL].pk)
    order = [ledger.game(system) for system in (MECH, STEEL, MEKS)]
    data = ask("post", f"{root}games/order/", olga, 200, games=order)
    assert [game["id"] for game in data["games"]] == order
    team = ask("post", f"{root}teams/", olga, 201, name="Reds")["id"]
    data = ask("post", f"{root}teams/line-up/", olga, 200, teams=[{"player": ledger.entrant("ann"), "team": team}])
    assert [each["team"] for each in data["players"]] == [team, None]
    ask("delete", f"{root}teams/{team}/", olga, 204)
    ask("post", f"{root}players/", ledger.players["cy"], 201)
    ask("delete", f"{root}players/{ledger.entrant('cy')}/", ann, 403)
    ask("delete", f"{root}players/{ledger.entrant('cy')}/", olga, 204)
    assert ask("post", f"{root}state/", olga, 200, state="running")["state"] == "running"

    ask("post", f"{root}rounds/", olga, 201, way="by-hand")
    made = ask("post", f"{root}rounds/1/pairings/", olga, 201, one=ledger.entrant("ann"), two=ledger.entrant("ben"))
    ask("delete", f"/api/v1/seasons/pairings/{made['key']}/", olga, 204)
    ask("delete", f"{root}rounds/1/", olga, 204)
    drawn = ask("post", f"{root}rounds/", olga, 201, way="swiss")
    key = drawn["pairings"][0]["key"]
    assert ask("get", f"{root}rounds/1/", ann, 404)
    ask("post", f"{root}rounds/1/open/", olga, 200)
    pairing = f"/api/v1/seasons/pairings/{key}/"
    assert [game["id"] for game in ask("get", pairing, ann, 200)["choices"]] == order
    ask("post", pairing, ann, 400, act="propose")
    data = ask("post", pairing, ann, 200, act="propose", game=order[1])
    assert (data["proposed"]["id"], data["proposing"], data["match"]) == (order[1], "ann", None)
    ask("post", pairing, ledger.players["cy"], 403, act="accept", game=order[1])
    data = ask("post", pairing, ben, 200, act="accept", game=order[1])
    assert (data["game"], bool(data["match"])) == ("Blazing Steel", True)
    ask("post", pairing, olga, 422, act="award", side="one", reason="No.")
    row = ledger.season.rounds.get()
    decide_matches(ledger, row, "ann")
    data = ask("get", root, ann, 200)
    assert [(each["name"], each["points"]) for each in data["standings"]] == [("ann", 3), ("ben", 0)]
    assert ask("post", f"{root}state/", olga, 200, state="finished")["state"] == "finished"
