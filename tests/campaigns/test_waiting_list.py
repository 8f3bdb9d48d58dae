"""Seats in a campaign: a waiting list in the order of asking, from which companies move up."""

import pytest
from django.urls import reverse

from campaigns.campaign.selectors import enrolment_rows
from campaigns.campaign.services import campaign_change
from campaigns.enrolments.services import enrolment_accept, enrolment_ask, enrolment_decline, enrolment_withdraw
from campaigns.models import Campaign, Enrolment, Notification
from campaigns.planning.services import round_plan
from campaigns.waiting_list import places_free, places_in_line
from rosters.services import RefusedError
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_member, a_mustered_company, an_enrolment, waiting_for
from tests.campaigns.test_results_races import run_concurrently


@pytest.fixture
def organiser(db):
    return a_player("olga")


@pytest.fixture
def campaign(organiser):
    """A campaign with two seats, both taken."""
    made = a_campaign(a_club(organiser), state="mustering", seats=2)
    for name in ("Ants", "Bees"):
        an_enrolment(made, a_mustered_company(name=name))
    return made


def ask_to_join(campaign, name, company=None):
    company = company or a_mustered_company(a_member(campaign.club), name=name)
    return enrolment_ask(campaign=campaign, company=company, by=company.owner)


def ask_without_units(campaign, name):
    """Let a company without units ask to join."""
    from tests.builders import a_company

    return ask_to_join(campaign, name, a_company(a_member(campaign.club), name=name))


def line(campaign):
    return [(each.name, each.waits) for each in enrolment_rows(campaign, a_player()) if each.waits]


def states(campaign):
    return {row.company.name: row.state for row in campaign.enrolments.select_related("company")}


def event_types_of(player):
    return [
        each.news.occasion for each in Notification.objects.filter(player=player).select_related("news").order_by("pk")
    ]


def leave(campaign, name):
    row = campaign.enrolments.get(company__name=name)
    return enrolment_withdraw(enrolment=row, by=row.company.owner)


def test_full_campaign_has_a_waiting_list_in_order(campaign, organiser):
    cats, dogs = ask_to_join(campaign, "Cats"), ask_to_join(campaign, "Dogs")
    assert line(campaign) == [("Cats", 1), ("Dogs", 2)]
    assert places_in_line(campaign) == {cats.pk: 1, dogs.pk: 2}
    with pytest.raises(RefusedError, match="is full: 2 companies"):
        enrolment_accept(enrolment=cats, by=organiser)
    assert waiting_for(organiser) == ()  # an organiser has nothing to decide


def test_company_asking_again_goes_to_the_end(campaign):
    cats, dogs = ask_to_join(campaign, "Cats"), ask_to_join(campaign, "Dogs")
    enrolment_withdraw(enrolment=cats, by=cats.company.owner)
    ask_to_join(campaign, "Cats", cats.company)
    assert line(campaign) == [("Dogs", 1), ("Cats", 2)]
    enrolment_decline(enrolment=dogs, by=cats.company.owner)
    assert line(campaign) == [("Cats", 1)]


def test_freed_seat_is_given_by_the_organiser(campaign, organiser):
    cats = ask_to_join(campaign, "Cats")
    leave(campaign, "Ants")
    assert states(campaign)["Cats"] == "asked"
    assert event_types_of(organiser)[-1] == "place-free"
    assert len(waiting_for(organiser)) == 1
    enrolment_accept(enrolment=cats, by=organiser)
    assert places_free(campaign) == 0


@pytest.fixture
def filling(campaign):
    campaign.fills_seats = True
    campaign.save()
    return campaign


def test_next_company_moves_up_automatically_and_is_notified(filling):
    cats, dogs = ask_to_join(filling, "Cats"), ask_to_join(filling, "Dogs")
    leave(filling, "Ants")
    assert states(filling) == {"Ants": "withdrawn", "Bees": "accepted", "Cats": "accepted", "Dogs": "asked"}
    assert "company-moved-up" in event_types_of(cats.company.owner)
    assert "company-moved-up" not in event_types_of(dogs.company.owner)
    assert line(filling) == [("Dogs", 1)]


def test_declined_seat_goes_to_the_next(filling):
    ask_to_join(filling, "Cats")
    ask_to_join(filling, "Dogs")
    leave(filling, "Ants")
    leave(filling, "Cats")
    assert states(filling)["Dogs"] == "accepted"


def test_unfit_company_is_skipped_but_keeps_its_place(filling):
    ask_without_units(filling, "Cats")
    ask_to_join(filling, "Dogs")
    leave(filling, "Ants")
    assert states(filling)["Dogs"] == "accepted"
    assert line(filling) == [("Cats", 1)]


def test_leaving_the_waiting_list_frees_no_seat(filling):
    cats = ask_to_join(filling, "Cats")
    ask_to_join(filling, "Dogs")
    enrolment_withdraw(enrolment=cats, by=cats.company.owner)
    assert states(filling)["Dogs"] == "asked"
    assert line(filling) == [("Dogs", 1)]


def test_additional_seats_are_filled_in_order(filling, organiser):
    for name in ("Cats", "Dogs", "Eels"):
        ask_to_join(filling, name)
    campaign_change(campaign=filling, by=organiser, seats=4)
    assert [name for name, state in states(filling).items() if state == "accepted"] == ["Ants", "Bees", "Cats", "Dogs"]
    with pytest.raises(RefusedError, match="4 companies are in already"):
        campaign_change(campaign=filling, by=organiser, seats=3)


def test_company_moving_up_plays_from_the_next_round(filling, organiser):
    cats = ask_to_join(filling, "Cats")
    Campaign.objects.filter(pk=filling.pk).update(state="running")
    filling.refresh_from_db()
    campaign_change(campaign=filling, by=organiser, seats=3)
    row = round_plan(campaign=filling, by=organiser, way="round-robin")
    playing = {pk for match in row.matches.all() for pk in (match.attacker_id, match.defender_id)}
    assert cats.pk in playing


def test_company_is_notified_when_the_last_seat_goes(organiser):
    made = a_campaign(a_club(organiser), state="mustering", seats=2)
    an_enrolment(made)
    cats, dogs = ask_to_join(made, "Cats"), ask_to_join(made, "Dogs")
    enrolment_accept(enrolment=cats, by=organiser)
    assert "company-waits" in event_types_of(dogs.company.owner)
    assert line(made) == [("Dogs", 1)]


def test_initially_free_seat_is_not_filled_automatically(organiser):
    made = a_campaign(a_club(organiser), state="mustering", seats=3, fills_seats=True)
    an_enrolment(made, a_mustered_company(name="Ants"))
    an_enrolment(made, a_mustered_company(name="Bees"))
    ask_to_join(made, "Cats")  # the organiser still has to decide
    leave(made, "Ants")
    assert states(made)["Cats"] == "asked"


@pytest.mark.django_db(transaction=True)
def test_concurrent_acceptances_fill_the_last_seat_once():
    organiser = a_player("olga")
    made = a_campaign(a_club(organiser), state="mustering", seats=2)
    an_enrolment(made)
    both = [ask_to_join(made, "Cats"), ask_to_join(made, "Dogs")]
    answers = run_concurrently([lambda row=row: enrolment_accept(enrolment=row, by=organiser) for row in both])
    assert sum("is full" in str(each) for each in answers) == 1
    assert made.enrolments.filter(state="accepted").count() == 2


@pytest.mark.django_db(transaction=True)
def test_concurrent_leavers_are_replaced_one_by_one():
    organiser = a_player("olga")
    made = a_campaign(a_club(organiser), state="mustering", seats=2, fills_seats=True)
    leaving = [an_enrolment(made), an_enrolment(made)]
    for name in ("Cats", "Dogs", "Eels"):
        ask_to_join(made, name)
    run_concurrently([lambda row=row: enrolment_withdraw(enrolment=row, by=row.company.owner) for row in leaving])
    accepted = Enrolment.objects.filter(campaign=made, state="accepted").values_list("company__name", flat=True)
    assert sorted(accepted) == ["Cats", "Dogs"]


def test_pages_show_the_place_on_the_waiting_list(client, campaign):
    ask_to_join(campaign, "Cats")
    dogs = a_mustered_company(a_member(campaign.club), name="Dogs")
    client.force_login(dogs.owner)
    url = reverse("campaigns:campaign_companies", args=[campaign.pk])
    assert "is full. Your company joins the waiting list, and we’ll tell you when it gets a place" in " ".join(
        client.get(url).content.decode().split()
    )
    answer = client.post(url, {"company": dogs.pk, "doctrine": "cautious"}, follow=True).content.decode()
    assert "Dogs is number 2 on the waiting list" in answer
    row = campaign.enrolments.get(company=dogs)
    page = client.get(reverse("campaigns:enrolment", args=[campaign.pk, row.pk])).content.decode()
    assert "2 of the waiting list" in " ".join(page.split())


def test_organiser_declines_a_waiting_company(client, campaign, organiser):
    cats = ask_to_join(campaign, "Cats")
    client.force_login(organiser)
    page = client.get(reverse("campaigns:campaign_companies", args=[campaign.pk])).content.decode()
    assert 'id="decide"' in page
    assert f'value="decline-{cats.pk}"' in page
    assert f'value="accept-{cats.pk}"' not in page
    url = reverse("campaigns:enrolments_decide", args=[campaign.pk])
    assert client.post(url, {"act": f"decline-{cats.pk}"}).status_code == 302
    assert states(campaign)["Cats"] == "declined"


def test_api_shows_and_fills_the_waiting_list(client, campaign, organiser):
    dogs = a_mustered_company(a_member(campaign.club), name="Dogs")
    client.force_login(dogs.owner)
    answer = client.post(
        f"/api/v1/campaigns/{campaign.pk}/enrolments/", {"company": dogs.pk}, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["state"], answer.json()["waits"]) == (201, "asked", 1)
    client.force_login(organiser)
    url = f"/api/v1/campaigns/{campaign.pk}/"
    answer = client.patch(url, {"seats": 3, "fills_seats": True}, content_type="application/json").json()
    assert (answer["seats"], answer["fills_seats"]) == (3, True)
    assert states(campaign)["Dogs"] == "accepted"
