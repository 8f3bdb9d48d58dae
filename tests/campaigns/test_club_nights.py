"""Game nights: ready companies are paired by odds; both accept, or the proposal expires."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.club_nights.services import (
    club_propose_games,
    clubs_propose_games,
    game_answer,
    ready_set,
    ready_withdraw,
    win_chance,
)
from campaigns.models import MatchmakingEntry, MatchmakingOffer
from campaigns.notifications.selectors import describe_notification, notifications_of
from rosters.services import RefusedError
from tests.builders import a_player
from tests.campaigns.builders import a_club, a_member, a_mustered_company, waiting_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return a_club()


def get_ready(club, *designs, name, owner=None, hours=3, system="meks-and-mercs"):
    """Make the player's company ready, and the player a member."""
    owner = owner or a_member(club)
    company = a_mustered_company(owner, *(designs or ("wasp", "wasp")), name=name, system=system)
    ready_set(club=club, company=company, hours=hours, by=owner)
    return company


def answer(game, side, *, accepts=True):
    return game_answer(game=game, side=side, accepts=accepts, by=(game.attacker, game.defender)[side].owner)


def let_pass(minutes):
    """Let this many minutes pass, by moving the rows back."""
    by = timedelta(minutes=minutes)
    for game in MatchmakingOffer.objects.all():
        MatchmakingOffer.objects.filter(pk=game.pk).update(
            expires_at=game.expires_at - by, created_at=game.created_at - by
        )
    for row in MatchmakingEntry.objects.all():
        MatchmakingEntry.objects.filter(pk=row.pk).update(expires_at=row.expires_at - by)


def test_companies_of_equal_strength_are_paired(club):
    strong, weak = ("viper", "viper", "viper"), ("wasp", "wasp")
    ants, bees = get_ready(club, *strong, name="Ants"), get_ready(club, *weak, name="Bees")
    assert not club_propose_games(club=club)  # too uneven
    cats, dogs = get_ready(club, *strong, name="Cats"), get_ready(club, *weak, name="Dogs")
    games = club_propose_games(club=club)
    pairs = {frozenset((game.attacker_id, game.defender_id)) for game in games}
    assert pairs == {frozenset((ants.pk, cats.pk)), frozenset((bees.pk, dogs.pk))}
    assert all(abs(game.chance - 0.5) <= 0.15 for game in games)
    assert games[0].chance == win_chance(games[0].attacker, games[0].defender)


def test_company_with_an_open_proposal_gets_no_other(club):
    get_ready(club, name="Ants"), get_ready(club, name="Bees")
    assert clubs_propose_games() == 1
    get_ready(club, name="Cats")
    assert clubs_propose_games() == 0


def test_accepted_game_ends_the_wait_for_both(club):
    get_ready(club, name="Ants"), get_ready(club, name="Bees")
    (game,) = club_propose_games(club=club)
    assert answer(game, 0).state == "proposed"
    assert answer(game, 1).state == "accepted"
    assert not MatchmakingEntry.objects.exists()
    with pytest.raises(RefusedError, match="This game is already accepted"):
        answer(game, 0, accepts=False)


def test_declined_game_leaves_both_waiting_for_others(club):
    get_ready(club, name="Ants"), get_ready(club, name="Bees")
    (game,) = club_propose_games(club=club)
    assert answer(game, 1, accepts=False).state == "declined"
    assert MatchmakingEntry.objects.count() == 2
    assert not club_propose_games(club=club)
    get_ready(club, name="Cats")
    assert len(club_propose_games(club=club)) == 1


def test_expired_proposal_removes_the_silent_company(club):
    get_ready(club, name="Ants"), get_ready(club, name="Bees")
    (game,) = club_propose_games(club=club)
    answer(game, 0)
    let_pass(11)
    with pytest.raises(RefusedError, match="This game is already expired"):
        answer(game, 1)
    club_propose_games(club=club)
    assert MatchmakingOffer.objects.get().state == "expired"
    assert [row.company for row in MatchmakingEntry.objects.all()] == [game.attacker]


def test_company_stops_waiting_after_its_hours(club):
    get_ready(club, name="Ants", hours=1), get_ready(club, name="Bees")
    let_pass(61)
    assert not club_propose_games(club=club)
    assert [row.company.name for row in MatchmakingEntry.objects.all()] == ["Bees"]


def test_companies_of_one_player_or_different_games_stay_unpaired(club):
    owner = a_member(club)
    get_ready(club, name="Ants", owner=owner), get_ready(club, name="Bees", owner=owner)
    get_ready(club, "heavy-mech", name="Mechs", system="mech-campaign")
    assert not club_propose_games(club=club)


def test_former_members_and_empty_companies_are_skipped(club):
    gone, bare = get_ready(club, name="Ants"), get_ready(club, name="Bees")
    get_ready(club, name="Cats")
    club.memberships.filter(player=gone.owner).delete()
    bare.units.update(pilot=None)
    games = club_propose_games(club=club)
    assert gone.pk not in {pk for game in games for pk in (game.attacker_id, game.defender_id)}


def test_withdrawing_declines_the_proposed_game(club):
    ants, _ = get_ready(club, name="Ants"), get_ready(club, name="Bees")
    (game,) = club_propose_games(club=club)
    ready_withdraw(club=club, company=ants, by=ants.owner)
    game.refresh_from_db()
    assert game.state == "declined"
    with pytest.raises(RefusedError, match="isn't looking for a game"):
        ready_withdraw(club=club, company=ants, by=ants.owner)


def test_only_members_offer_their_own_company(club):
    ants = get_ready(club, name="Ants")
    other = a_club(ants.owner, name="Other")
    cases = [
        ({"club": other}, "is looking for a game at Iron Table"),
        ({"by": a_member(club)}, "isn't your company"),
        ({"by": a_player()}, "aren't a member"),
        ({"hours": 0}, "1 to 8 hours"),
        ({"hours": 9}, "1 to 8 hours"),
    ]
    for given, why in cases:
        with pytest.raises(RefusedError, match=why):
            ready_set(**{"club": club, "company": ants, "hours": 2, "by": ants.owner, **given})
    assert MatchmakingEntry.objects.count() == 1


def test_number_of_ready_companies_is_limited(club, monkeypatch):
    monkeypatch.setattr("campaigns.club_nights.services.MAX_READY", 2)
    ants = get_ready(club, name="Ants")
    get_ready(club, name="Bees")
    with pytest.raises(RefusedError, match="2 companies are already looking for a game at Iron Table. Try again later"):
        get_ready(club, name="Cats")
    ready_set(club=club, company=ants, hours=5, by=ants.owner)
    ready_withdraw(club=club, company=ants, by=ants.owner)
    get_ready(club, name="Dogs")


def test_ready_companies_per_player_are_limited(club, monkeypatch):
    monkeypatch.setattr("campaigns.club_nights.services.MAX_READY", 4)
    kim = a_member(club)
    mine = [get_ready(club, name=name, owner=kim) for name in ("Ants", "Bees", "Cats")]
    with pytest.raises(
        RefusedError, match="You can look for a game with up to 3 companies at Iron Table. Remove one first"
    ):
        get_ready(club, name="Dogs", owner=kim)
    ready_set(club=club, company=mine[0], hours=5, by=kim)
    gone = get_ready(club, name="Elks").owner
    gone.memberships.filter(club=club).delete()
    get_ready(club, name="Foxes")


def test_player_cannot_answer_for_the_other_side(club):
    get_ready(club, name="Ants"), get_ready(club, name="Bees")
    (game,) = club_propose_games(club=club)
    with pytest.raises(RefusedError, match="isn't your side"):
        game_answer(game=game, side=1, accepts=True, by=game.attacker.owner)
    assert MatchmakingOffer.objects.get().accepted == []


# --- page and API -----------------------------------------------------------------------------------------------------


def test_player_gets_ready_and_answers_on_the_page(client, club):
    owner = a_member(club)
    ants = a_mustered_company(owner, name="Ants")
    page = reverse("campaigns:club_night", args=[club.slug])
    client.force_login(owner)
    assert "Nobody is looking for a game" in client.get(page).content.decode()
    assert client.post(page, {"act": "ready", "company": ants.pk, "hours": "2"}).status_code == 302
    get_ready(club, name="Bees")
    (game,) = club_propose_games(club=club)
    html = client.get(page).content.decode()
    assert "Accept</button>" in html
    side = "attacker" if game.attacker == ants else "defender"
    answer = client.post(page, {"act": "accept", "game": game.key, "side": side}, follow=True).content.decode()
    assert "You accepted" in answer
    other = {"attacker": "defender", "defender": "attacker"}[side]
    refused = client.post(page, {"act": "accept", "game": game.key, "side": other}, follow=True).content.decode()
    assert "This isn&#x27;t your side" in refused


@pytest.mark.parametrize(
    "sent",
    [
        {"act": "accept", "game": "x", "side": "attacker"},
        {"act": "accept", "game": "00000000-0000-0000-0000-000000000000", "side": "attacker"},
        {"act": "accept"},
        {"act": "away", "company": "x"},
    ],
)
def test_page_refuses_unknown_games_and_companies(client, club, sent):
    client.force_login(a_member(club))
    answered = client.post(reverse("campaigns:club_night", args=[club.slug]), sent, follow=True).content.decode()
    assert "Reload the page" in answered


def test_page_refuses_another_players_company(client, club):
    owner = a_member(club)
    a_mustered_company(owner, name="Ants")
    bees = a_mustered_company(name="Bees")
    client.force_login(owner)
    answered = client.post(
        reverse("campaigns:club_night", args=[club.slug]), {"act": "ready", "company": bees.pk, "hours": 2}
    )
    assert answered.status_code == 422
    assert not MatchmakingEntry.objects.exists()


def test_api_lists_ready_companies_and_takes_answers(client, club):
    owner = a_member(club)
    ants = a_mustered_company(owner, name="Ants")
    url = reverse("api-club-night", args=[club.slug])
    client.force_login(owner)

    def post(**body):
        return client.post(url, body, content_type="application/json")

    assert post(act="ready", company=ants.pk).json()["ready"][0]["name"] == "Ants"
    get_ready(club, name="Bees")
    (game,) = club_propose_games(club=club)
    side = "attacker" if game.attacker == ants else "defender"
    assert post(act="accept", game=str(game.key), side=side).json()["proposed"][0]["accepted"] == ["Ants"]
    assert post(act="accept").status_code in (400, 422)
    assert post(act="away", company=ants.pk).json()["proposed"] == []
    let_pass(0)
    assert client.get(url).json()["ready"][0]["name"] == "Bees"


def test_repeated_timer_proposes_once(club):
    get_ready(club, name="Ants"), get_ready(club, name="Bees")
    assert [clubs_propose_games(), clubs_propose_games()] == [1, 0]
    assert MatchmakingOffer.objects.get().expires_at > timezone.now()


def kinds(player):
    return [item.kind for item in waiting_for(player)]


def test_both_players_are_notified_and_asked_until_they_answer(club):
    ants, bees = get_ready(club, name="Ants"), get_ready(club, name="Bees")
    (game,) = club_propose_games(club=club)
    sides = (game.attacker, game.defender)
    for side, other in (sides, sides[::-1]):
        (letter,) = notifications_of(side.owner)
        notification = describe_notification(letter)
        assert f"{side.name} could play {other.name} at Iron Table now" in notification.text
        assert notification.url == reverse("campaigns:club_night", args=[club.slug])
    (item,) = waiting_for(ants.owner)
    assert (item.kind, item.due, item.url) == (
        "game",
        game.expires_at,
        reverse("campaigns:club_night", args=[club.slug]),
    )
    answer(game, 0)
    assert (kinds(sides[0].owner), kinds(sides[1].owner)) == ([], ["game"])
    answer(game, 1)
    assert (kinds(ants.owner), kinds(bees.owner)) == ([], [])
    assert [letter.news.occasion for letter in notifications_of(sides[0].owner)] == [
        "even-game-agreed",
        "even-game-found",
    ]
    assert [letter.news.occasion for letter in notifications_of(sides[1].owner)] == ["even-game-found"]


def test_expired_proposal_is_no_longer_waiting(club):
    ants = get_ready(club, name="Ants")
    get_ready(club, name="Bees")
    club_propose_games(club=club)
    let_pass(11)
    assert kinds(ants.owner) == []


def test_accepted_game_gets_a_table_with_two_seats(club, client):
    get_ready(club, name="Ants"), get_ready(club, name="Bees")
    (game,) = club_propose_games(club=club)
    assert answer(game, 0).table is None
    table = answer(game, 1).table
    assert [side["name"] for side in table.setup["sides"]] == [game.attacker.name, game.defender.name]
    assert table.code is None, "nobody else can join"
    page = reverse("campaigns:club_night", args=[club.slug])
    for at, side in enumerate((game.attacker, game.defender)):
        client.force_login(side.owner)
        seat = reverse("battles:seat", args=[table.seats.get(side=at).key])
        assert seat in client.get(page).content.decode()
        assert client.get(seat).status_code == 200
    client.force_login(a_member(club))
    assert reverse("battles:table-replay", args=[table.key]) in client.get(page).content.decode()
    accepted = client.get(reverse("api-club-night", args=[club.slug])).json()["accepted"]
    assert [each["table"] for each in accepted] == [reverse("battles:table-replay", args=[table.key])]


def test_accepted_game_without_a_force_gets_no_table(club):
    ants = get_ready(club, name="Ants")
    get_ready(club, name="Bees")
    (game,) = club_propose_games(club=club)
    answer(game, 0)
    ants.units.update(pilot=None)
    assert answer(game, 1).state == "accepted"
    assert MatchmakingOffer.objects.get().table is None
