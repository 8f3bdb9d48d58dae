"""A bye is worth a win, so organisers who play can't give themselves one or a needless one."""

import pytest
from django.urls import reverse

from campaigns.campaign.services import campaign_change
from campaigns.enrolments.services import enrolment_withdraw
from campaigns.models import ActivityLogEntry, Enrolment, Match
from campaigns.planning.services import (
    match_add,
    match_change,
    match_remove,
    round_drop,
    round_open,
    round_plan,
    round_redraw,
)
from campaigns.standings.selectors import standings
from rosters.services import RefusedError
from tests.builders import a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
OWN = "their own match; no other organiser was free"


@pytest.fixture
def olga():
    return a_player("olga")


@pytest.fixture
def league(olga):
    """A campaign that Olga organises and plays in."""
    campaign = a_campaign(a_club(olga), pairing="swiss")
    an_enrolment(campaign, a_mustered_company(olga, name="Ants"))
    for name in ("Bees", "Cats", "Dogs"):
        an_enrolment(campaign, a_mustered_company(name=name))
    return campaign


def of(league, name):
    return Enrolment.objects.get(campaign=league, company__name=name)


def a_fifth(league):
    return an_enrolment(league, a_mustered_company(name="Eels"))


def matches(row):
    return {match.attacker.company.name: match for match in row.matches.select_related("attacker__company")}


def table(round_):
    """Return the Ants' match."""
    rows = Match.objects.filter(round=round_)
    return next(each for each in rows if "Ants" in str(each))


def change_match(match, by, attacker, defender):
    return match_change(
        match=match, by=by, attacker=attacker, defender=defender, scenario=0, terrain="", territory=match.territory
    )


def points(league):
    return {row.row.name: row.row.points for row in standings(league)}


def activity_log_texts(league):
    return [entry.text for entry in ActivityLogEntry.objects.filter(campaign=league).order_by("pk")]


# --- with another organiser -------------------------------------------------------------------------------------------


def test_organiser_cannot_turn_own_match_into_a_bye(client, league, olga):
    other = a_member(league.club, "organiser")
    row = round_plan(campaign=league, by=olga)
    match = table(row)
    sent = client.patch(
        reverse("api-pairing", args=[match.key]),
        {"attacker": of(league, "Ants").pk, "defender": None},
        "application/json",
        headers={"Authorization": f"Token {a_token(olga)}"},
    )
    assert (sent.status_code, sent.json()["errors"][0]["reason"]) == (
        422,
        f"Ants is yours, so {other} has to do this.",
    )
    assert str(table(row)) == str(match)
    round_open(round_=row, by=olga)
    assert set(points(league).values()) == {0}


@pytest.mark.parametrize("act", ["add a bye", "add a match", "change", "turn round", "remove"])
def test_own_pairing_is_changed_by_another_organiser(league, olga, act):
    other = a_member(league.club, "organiser")
    ants, bees, cats = (of(league, name) for name in ("Ants", "Bees", "Cats"))
    row = round_plan(campaign=league, by=olga, way="by-hand")
    match = None if act.startswith("add") else match_add(round_=row, attacker=ants, defender=bees, by=other)
    acts = {
        "add a bye": lambda by: match_add(round_=row, attacker=ants, defender=None, by=by),
        "add a match": lambda by: match_add(round_=row, attacker=bees, defender=ants, by=by),
        "change": lambda by: change_match(match, by, cats, ants),
        "turn round": lambda by: change_match(match, by, bees, ants),
        "remove": lambda by: match_remove(match=match, by=by),
    }
    with pytest.raises(RefusedError, match=f"Ants is yours, so {other} has to do this"):
        acts[act](olga)
    if match is not None:
        match.refresh_from_db()
    acts[act](other)


def test_own_pairing_made_meanwhile_is_noticed(league, olga):
    other = a_member(league.club, "organiser")
    row = round_plan(campaign=league, by=other, way="by-hand")
    match = match_add(round_=row, attacker=of(league, "Bees"), defender=of(league, "Cats"), by=other)
    read = Match.objects.get(pk=match.pk)
    change_match(match, other, of(league, "Ants"), of(league, "Bees"))
    for act in (
        lambda: change_match(read, olga, of(league, "Cats"), of(league, "Dogs")),
        lambda: match_remove(match=read, by=olga),
    ):
        with pytest.raises(RefusedError, match=f"Ants is yours, so {other} has to do this"):
            act()


def test_saving_an_unchanged_plan_is_allowed(league, olga):
    a_member(league.club, "organiser")
    row = round_plan(campaign=league, by=olga)
    for match in row.matches.all():
        match_change(
            match=match,
            by=olga,
            attacker=match.attacker,
            defender=match.defender,
            scenario=0,
            terrain=match.terrain,
            territory=match.territory,
        )


def test_drawn_own_bye_is_opened_by_another_organiser(league, olga):
    """So redrawing until one has the bye is useless."""
    other = a_member(league.club, "organiser")
    a_fifth(league)
    past = a_round(league, "closed")
    for name in ("Bees", "Cats", "Dogs", "Eels"):
        bye = a_match(past, of(league, name), of(league, "Ants"), state="bye", outcome="attacker")
        Match.objects.filter(pk=bye.pk).update(defender=None)
    row = round_redraw(round_=round_plan(campaign=league, by=olga), by=olga)
    assert table(row).defender_id is None
    with pytest.raises(RefusedError, match=f"Ants is yours and has a bye, so {other} has to do this"):
        round_open(round_=row, by=olga)
    assert round_open(round_=row, by=other).state == "open"


def test_other_draw_method_needs_a_neutral_organiser(league, olga):
    other = a_member(league.club, "organiser")
    row = round_plan(campaign=league, by=olga)
    refusal = f"and you play in it, so {other} has to do this"
    with pytest.raises(RefusedError, match=refusal):
        round_redraw(round_=row, by=olga, way="round-robin")
    round_drop(round_=row, by=olga)
    with pytest.raises(RefusedError, match=refusal):
        round_plan(campaign=league, by=olga, way="round-robin")
    assert round_plan(campaign=league, by=other, way="round-robin").number == 1


def test_needless_bye_for_an_ally_is_refused(league, olga):
    other = a_member(league.club, "organiser")
    row = round_plan(campaign=league, by=other, way="by-hand")
    with pytest.raises(RefusedError, match=f"an even number of companies and you play in it, so {other} has to"):
        match_add(round_=row, attacker=of(league, "Bees"), defender=None, by=olga)
    match = match_add(round_=row, attacker=of(league, "Bees"), defender=None, by=other)
    assert activity_log_texts(league)[-1] == f"Added {match} to Round 1"


def test_rival_is_withdrawn_by_a_neutral_organiser(league, olga):
    other = a_member(league.club, "organiser")
    with pytest.raises(RefusedError, match=f"You play in Spring War, so {other} has to do this"):
        enrolment_withdraw(enrolment=of(league, "Bees"), by=olga)
    assert enrolment_withdraw(enrolment=of(league, "Bees"), by=other).state == "withdrawn"
    assert enrolment_withdraw(enrolment=of(league, "Ants"), by=olga).state == "withdrawn"


def test_shorter_pace_needs_a_neutral_organiser(league, olga):
    other = a_member(league.club, "organiser")
    with pytest.raises(RefusedError, match=f"You play in Spring War, so {other} has to do this"):
        campaign_change(campaign=league, by=olga, pace_days=1)
    campaign_change(campaign=league, by=olga, pace_days=60)
    assert campaign_change(campaign=league, by=other, pace_days=1).pace_days == 1


# --- the only organiser -----------------------------------------------------------------------------------------------


def test_only_organiser_changing_own_pairing_is_logged(league, olga):
    row = round_plan(campaign=league, by=olga)
    match = table(row)
    match = change_match(match, olga, of(league, "Dogs"), of(league, "Ants"))
    assert activity_log_texts(league)[-1] == f"Changed table {match.number} of Round 1 ({OWN}): now {match}"


def test_only_organiser_gives_no_bye_at_even_numbers(league, olga):
    row = round_plan(campaign=league, by=olga, way="by-hand")
    for name in ("Ants", "Bees"):
        with pytest.raises(RefusedError, match=f"The number of companies is even, so {name} needs no bye"):
            match_add(round_=row, attacker=of(league, name), defender=None, by=olga)
    match = match_add(round_=row, attacker=of(league, "Ants"), defender=of(league, "Bees"), by=olga)
    with pytest.raises(RefusedError, match="needs no bye"):
        change_match(match, olga, of(league, "Ants"), None)


def test_only_organisers_own_bye_is_logged_and_rotates(league, olga):
    a_fifth(league)
    ants, bees, cats, dogs, eels = (of(league, name) for name in ("Ants", "Bees", "Cats", "Dogs", "Eels"))
    row = round_plan(campaign=league, by=olga, way="by-hand")
    bye = match_add(round_=row, attacker=ants, defender=None, by=olga)
    assert activity_log_texts(league)[-1] == f"Added {bye} to Round 1 ({OWN})"
    for one, two in ((bees, cats), (dogs, eels)):
        match_add(round_=row, attacker=one, defender=two, by=olga)
    round_open(round_=row, by=olga)
    assert activity_log_texts(league)[-1] == f"Published Round 1 ({OWN})"
    row = round_plan(campaign=league, by=olga, way="by-hand")
    with pytest.raises(RefusedError, match="Ants has had a bye before, and it is Bees's turn"):
        match_add(round_=row, attacker=ants, defender=None, by=olga)


def test_only_organiser_opens_no_bye_with_unpaired_companies(league, olga):
    a_fifth(league)
    ants, bees, cats, dogs, eels = (of(league, name) for name in ("Ants", "Bees", "Cats", "Dogs", "Eels"))
    row = round_plan(campaign=league, by=olga, way="by-hand")
    match_add(round_=row, attacker=ants, defender=None, by=olga)
    match_add(round_=row, attacker=bees, defender=cats, by=olga)
    with pytest.raises(RefusedError, match="Ants has a bye though Dogs has no opponent"):
        round_open(round_=row, by=olga)
    match_add(round_=row, attacker=dogs, defender=eels, by=olga)
    an_enrolment(league, a_mustered_company(name="Foxes"))  # enrolled after the plan
    with pytest.raises(RefusedError, match="Ants has a bye though Foxes has no opponent"):
        round_open(round_=row, by=olga)


def test_log_names_companies_left_out_of_a_round(league, olga):
    row = round_plan(campaign=league, by=olga, way="by-hand")
    match_add(round_=row, attacker=of(league, "Cats"), defender=of(league, "Bees"), by=olga)
    round_open(round_=row, by=olga)
    assert activity_log_texts(league)[-1] == "Published Round 1; not paired: Ants, Dogs"


def test_only_organisers_draw_method_is_logged(league, olga):
    round_plan(campaign=league, by=olga, way="round-robin")
    assert activity_log_texts(league)[-1] == f"Planned Round 1: round robin ({OWN})"
