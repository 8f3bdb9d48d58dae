"""A club's hall of fame on pages and in the API: derived from matches and ledgers, and corrected with them."""

import pytest

from campaigns.corrections.plan import VerdictWithoutBattle
from campaigns.hall_of_fame.history import match_history_of
from campaigns.hall_of_fame.selectors import company_honours
from campaigns.models import MatchState, Outcome
from rosters.models import Company
from rosters.services import pilot_edit
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import CASCADE, COMPENSATE, FLAG, LOST, Faces, correct_match, play_match, report
from tests.campaigns.gazettes import close_round, confirm_result

pytestmark = pytest.mark.django_db


def scoring(kills, **more):
    """Build sides in which the attacker's first unit destroys this many of the defender's, from the last one up."""
    fallen = {4 - at: LOST for at in range(kills)}
    return {"attacker": {0: {"kills": kills}}, "defender": fallen | more.get("defender", {})}


TRIPLE = scoring(3)


@pytest.fixture
def faces(monkeypatch):
    return Faces(monkeypatch)


@pytest.fixture
def campaign():
    return a_campaign()


@pytest.fixture
def arbiter(campaign):
    return campaign.club.memberships.first().player


@pytest.fixture
def two(campaign):
    return [an_enrolment(campaign, a_mustered_company(None, *["wasp"] * 5, name=name)) for name in ("Ants", "Bees")]


def medals(campaign):
    """List the medals with their winners."""
    return [(award.medal.slug, award.to.name) for award in match_history_of(campaign.club_id).awards]


def first_pilot(enrolment):
    return enrolment.company.pilots.order_by("pk").first()


def test_undone_match_loses_its_medals(campaign, two, arbiter, faces):
    match = play_match(campaign, *two, **TRIPLE, faces=faces)
    assert ("hat-trick", "Pilot 1") in medals(campaign)
    assert ("clean-sheet", "Ants") in medals(campaign)
    correct_match(match, None, COMPENSATE, arbiter)
    assert medals(campaign) == []
    assert match_history_of(campaign.club_id).games == ()


@pytest.mark.parametrize("mode", [COMPENSATE, CASCADE])
def test_correction_moves_the_medal_to_another_pilot(campaign, two, arbiter, faces, mode):
    match = play_match(campaign, *two, **TRIPLE, faces=faces)
    play_match(campaign, *two, attacker={0: {"kills": 2}}, defender={0: LOST, 1: LOST}, faces=faces)
    assert ("ace", "Pilot 1") in medals(campaign)
    correct_match(
        match,
        report(match, "defender", attacker={0: LOST, 2: LOST, 3: LOST}, defender={1: {"kills": 3}}),
        mode,
        arbiter,
    )
    found = match_history_of(campaign.club_id)
    assert [(each.medal.slug, each.to.id, each.game.match) for each in found.awards if each.medal.slug == "hat-trick"] == [
        ("hat-trick", two[1].company.pilots.order_by("pk")[1].pk, match.key)
    ]  # fmt: skip
    assert "ace" not in dict(medals(campaign))
    assert [game.match for game in found.games][0] == match.key  # the match keeps its place


def test_match_corrected_to_a_forfeit_gives_no_medals(campaign, two, arbiter, faces):
    match = play_match(campaign, *two, **TRIPLE, faces=faces)
    correct_match(match, VerdictWithoutBattle(state=MatchState.FORFEITED, outcome=Outcome.ATTACKER), CASCADE, arbiter)
    assert medals(campaign) == []


def test_flag_changes_the_winner_but_no_medals(campaign, two, arbiter, faces):
    match = play_match(campaign, *two, **TRIPLE, faces=faces)
    correct_match(match, report(match, "defender"), FLAG, arbiter)
    (game,) = match_history_of(campaign.club_id).games
    assert (game.winner, game.parts[0].kills) == (1, 0)  # the counting battle is another one, which no ledger holds


def test_renamed_pilot_appears_at_once(campaign, two, faces):
    play_match(campaign, *two, **TRIPLE, faces=faces)
    assert ("hat-trick", "Pilot 1") in medals(campaign)
    company = two[0].company
    pilot_edit(company=company, by=company.owner, pilot=first_pilot(two[0]), name="Ada", callsign="Moth")
    assert ("hat-trick", "Ada “Moth”") in medals(campaign)


def test_chronicle_is_cached_until_something_changes(campaign, two, faces, django_assert_num_queries):
    play_match(campaign, *two, **TRIPLE, faces=faces)
    match_history_of(campaign.club_id)
    with django_assert_num_queries(2):
        again = match_history_of(campaign.club_id)
    assert again.games
    play_match(campaign, *two, faces=faces)
    with django_assert_num_queries(3):
        assert len(match_history_of(campaign.club_id).games) == 2


def test_pages_show_heroes_records_medals_and_fallen_pilots(client, campaign, two, faces):
    sides = {**TRIPLE, "attacker": {0: {"kills": 3}, 1: LOST}, "defender": {4: LOST, 3: LOST, 2: {**LOST, "kills": 1}}}
    match = play_match(campaign, *two, **sides, faces=faces)
    address = f"/clubs/{campaign.club.slug}/fame/"
    hall = client.get(address).content.decode()
    assert "Hat trick" in hall
    assert "3 kills" in hall
    assert f"/matches/{match.key}/" in hall
    medals_page = client.get(f"{address}medals/").content.decode()
    assert "Parting shot" in medals_page
    assert "Nobody yet." in medals_page
    roll = client.get(f"{address}fallen/").content.decode()
    assert "Pilot 2" in roll
    assert "Ants" in roll
    assert client.get(f"{address}medals/?medal=hat-trick").status_code == 200
    assert client.get(f"{address}medals/?medal=none-such").status_code == 200


def test_pages_of_a_club_without_matches_are_empty(client, campaign):
    address = f"/clubs/{campaign.club.slug}/fame/"
    assert "No heroes yet" in client.get(address).content.decode()
    assert "No fallen pilots" in client.get(f"{address}fallen/").content.decode()
    assert client.get("/api/v1/clubs/iron-table/fame/").json()["records"] == []


def test_api_agrees_with_the_pages(client, campaign, two, faces):
    match = play_match(campaign, *two, **TRIPLE, faces=faces)
    base = f"/api/v1/clubs/{campaign.club.slug}"
    hall = client.get(f"{base}/fame/").json()
    assert (hall["matches"], hall["fallen"]) == (1, 3)
    assert hall["hall"][0]["medals"] == ["hat-trick"]
    found = client.get(f"{base}/medals/", {"medal": "hat-trick"}).json()
    (award,) = found["awards"]
    assert (award["to"]["kind"], award["to"]["name"], award["match"]["match"]) == ("pilot", "Pilot 1", str(match.key))
    assert {medal["slug"]: medal["given"] for medal in found["medals"]}["hat-trick"] == 1
    dead = client.get(f"{base}/fallen/").json()["results"][0]
    assert (dead["who"]["company_name"], dead["against"]) == ("Bees", "Ants")
    assert client.get(f"{base}/medals/", {"medal": "golden-calf"}).status_code == 400


def test_medals_of_a_private_campaign_are_members_only(client, campaign, two, faces):
    play_match(campaign, *two, **TRIPLE, faces=faces)
    type(campaign).objects.filter(pk=campaign.pk).update(is_public=False)
    address = f"/clubs/{campaign.club.slug}/fame/"
    assert "Hat trick" not in client.get(address).content.decode()
    Company.objects.filter(pk=two[0].company_id).update(visibility="public")
    pilot = f"/companies/{two[0].company_id}/pilots/{first_pilot(two[0]).pk}/"
    assert "Hat trick" not in client.get(pilot).content.decode()
    client.force_login(campaign.club.memberships.first().player)
    assert "Hat trick" in client.get(address).content.decode()
    assert "Hat trick" in client.get(pilot).content.decode()


def test_company_pilot_and_unit_pages_show_their_medals(client, campaign, two, faces):
    play_match(campaign, *two, **scoring(5), faces=faces)
    company = two[0].company
    client.force_login(company.owner)
    pilot, unit = first_pilot(two[0]), company.units.order_by("pk").first()
    page = client.get(f"/companies/{company.pk}/").content.decode()
    assert "Clean sheet" in page
    assert "Hat trick" in page
    of_pilot = client.get(f"/companies/{company.pk}/pilots/{pilot.pk}/").content.decode()
    assert "5th kill, against Bees" in of_pilot
    assert "signed on with Ants" in of_pilot
    assert "Medals: Ace and Hat trick." in of_pilot
    assert "Notched barrel" in client.get(f"/companies/{company.pk}/units/{unit.pk}/").content.decode()
    honours = client.get(f"/api/v1/companies/{company.pk}/honours/").json()["results"]
    assert {each["medal"] for each in honours} == {"ace", "hat-trick", "notches", "clean-sheet"}
    life = client.get(f"/api/v1/companies/{company.pk}/pilots/{pilot.pk}/biography/").json()["sentences"]
    assert life[-2] == "Medals: Ace and Hat trick."


def test_pages_follow_corrections_names_and_visibility(client, campaign, two, arbiter, faces):
    first = play_match(campaign, *two, **TRIPLE, faces=faces)
    address = f"/clubs/{campaign.club.slug}/fame/"

    def all_pages():
        return [client.get(f"{address}{page}").content.decode() for page in ("", "medals/", "fallen/")]

    hall, medals_page, roll = all_pages()
    assert "Ants" in hall
    assert "took out 3 Bees units" in medals_page
    assert roll.count('data-label="Kills"') == 3
    play_match(campaign, *two, attacker={0: {"kills": 1}}, defender={0: LOST}, faces=faces)
    hall, _, roll = all_pages()
    assert "4 kills in 2" in " ".join(hall.split())
    assert roll.count('data-label="Kills"') == 4
    Company.objects.filter(pk=two[0].company_id).update(name="Wasps")
    assert all("Wasps" in page and "Ants" not in page for page in all_pages())
    type(campaign).objects.filter(pk=campaign.pk).update(is_public=False)
    assert not any("Wasps" in page for page in all_pages())
    client.force_login(arbiter)
    assert all("Wasps" in page for page in all_pages())
    client.logout()
    assert not any("Wasps" in page for page in all_pages())
    type(campaign).objects.filter(pk=campaign.pk).update(is_public=True)
    correct_match(first, None, COMPENSATE, arbiter)
    hall, medals_page, roll = all_pages()
    assert "Hat trick" not in hall
    assert "took out 3 Bees units" not in medals_page
    assert roll.count('data-label="Kills"') == 1


def test_honours_leave_out_clubs_the_reader_cannot_see(campaign, two, faces):
    play_match(campaign, *two, **TRIPLE, faces=faces)
    type(campaign.club).objects.filter(pk=campaign.club_id).update(is_public=False)
    assert company_honours(two[0].company_id, a_player()).awards == ()
    assert company_honours(two[0].company_id, two[0].company.owner).awards


def test_gazette_lists_the_medals_of_its_round(client, campaign, two):
    def three_fall(match):
        ants, bees = map(list, match.forces)
        return {ants[0]: {"kills": 3}, **dict.fromkeys(bees[:3], LOST)}

    row = a_round(campaign)
    confirm_result(a_match(row, *two), "attacker", three_fall)
    close_round(row)
    page = client.get(f"/campaigns/{campaign.pk}/gazette/{row.number}/").content.decode()
    assert "<b>Hat trick</b>" in page
    assert row.gazettes.get().content["medals"][0]["cause"] == "took out 3 Bees units"  # in words common to all games
