"""Organisers who play in a season can't give themselves byes or points, directly or through others' pairings."""

import pytest
from django.urls import reverse

from campaigns.models import ActivityLogEntry, SeasonTie
from campaigns.seasons.entrants import season_leave, team_add, team_line_up
from campaigns.seasons.game_choice import award_choices, game_decide, pairing_award
from campaigns.seasons.rounds import (
    season_pairing_add,
    season_pairing_remove,
    season_round_draw,
    season_round_drop,
    season_round_open,
)
from campaigns.seasons.services import games_order, season_change
from rosters.services import RefusedError
from tests.builders import a_token
from tests.campaigns.season_builders import GAMES, a_season
from tests.campaigns.test_seasons import pairing_of, points

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
OWN = "their own match; no other organiser was free"
FOUR = dict.fromkeys(("ann", "ben", "cy", "dora"), GAMES[:2])
FIVE = dict.fromkeys(("ann", "ben", "cy", "dora", "emil"), GAMES[:2])


def a_year(played):
    """A season in which Ann takes part and organises, beside Olga who doesn't play."""
    ledger = a_season(played=played)
    ledger.season.club.memberships.filter(player=ledger.players["ann"]).update(role="organiser")
    return ledger


def alone(ledger):
    ledger.season.club.memberships.filter(player=ledger.organiser).update(role="player")


def plan_round(ledger, by, *wanted, way="by-hand"):
    row = season_round_draw(season=ledger.season, by=by, way=way)
    for one, two in wanted:
        ids = ledger.entrant(one), ledger.entrant(two) if two else None
        season_pairing_add(round_=row, one=ids[0], two=ids[1], by=by)
    return row


def activity_log_texts(ledger):
    return [entry.text for entry in ActivityLogEntry.objects.filter(club=ledger.season.club).order_by("pk")]


# --- with another organiser -------------------------------------------------------------------------------------------


def test_own_pairings_by_hand_are_refused(client):
    ledger = a_year(FOUR)
    ann = ledger.players["ann"]
    row = season_round_draw(season=ledger.season, by=ann, way="by-hand")
    for one, two in (("ann", None), ("ann", "ben"), ("ben", "ann")):
        with pytest.raises(RefusedError, match="This is your own pairing, so olga has to do this"):
            season_pairing_add(round_=row, one=ledger.entrant(one), two=two and ledger.entrant(two), by=ann)
    sent = client.post(
        reverse("api-season-pairings", args=[ledger.season.pk, row.number]),
        {"one": ledger.entrant("ann"), "two": None},
        "application/json",
        headers={"Authorization": f"Token {a_token(ann)}"},
    )
    assert sent.status_code == 422
    assert not row.pairings.exists()


def test_own_pairing_cannot_be_removed():
    ledger = a_year(FOUR)
    ann = ledger.players["ann"]
    row = plan_round(ledger, ledger.organiser, ("ann", "ben"), ("cy", "dora"))
    with pytest.raises(RefusedError, match="This is your own pairing, so olga has to do this"):
        season_pairing_remove(pairing=pairing_of(row, "ann"), by=ann)
    season_pairing_remove(pairing=pairing_of(row, "cy"), by=ann)


def test_drawn_own_bye_is_opened_by_another_organiser():
    ledger = a_year(FIVE)
    ann = ledger.players["ann"]
    row = season_round_draw(season=ledger.season, by=ann, way="round-robin")
    for _ in range(5):
        if row.pairings.filter(one__player=ann, two=None).exists():
            break
        season_round_drop(round_=row, by=ann)
        done = plan_round(ledger, ledger.organiser, *_turn(ledger))
        season_round_open(round_=done, by=ledger.organiser)
        row = season_round_draw(season=ledger.season, by=ann, way="round-robin")
    assert row.pairings.filter(one__player=ann, two=None).exists()
    with pytest.raises(RefusedError, match=f"You have a bye in {row}, so olga has to do this"):
        season_round_open(round_=row, by=ann)
    assert season_round_open(round_=row, by=ledger.organiser).state == "open"


def _turn(ledger):
    """Return the pairs of one round of a round robin of five, so that the next round rests another player."""
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way="round-robin")
    rows = row.pairings.select_related("one__player", "two__player").order_by("number")
    pairs = [ledger.names(each) for each in rows]
    season_round_drop(round_=row, by=ledger.organiser)
    return pairs


def test_needless_bye_for_an_ally_is_refused():
    ledger = a_year(FOUR)
    ann = ledger.players["ann"]
    row = season_round_draw(season=ledger.season, by=ann, way="by-hand")
    with pytest.raises(RefusedError, match="even number of players and you are one of them, so olga has to do this"):
        season_pairing_add(round_=row, one=ledger.entrant("ben"), two=None, by=ann)
    alone(ledger)
    with pytest.raises(RefusedError, match="The number of players is even, so ben needs no bye"):
        season_pairing_add(round_=row, one=ledger.entrant("ben"), two=None, by=ann)


def test_rivals_and_teams_are_changed_by_neutral_organisers():
    ledger = a_year(FOUR)
    ann, refusal = ledger.players["ann"], "You play in Long Year, so olga has to do this"
    with pytest.raises(RefusedError, match=refusal):
        season_leave(season=ledger.season, entrant=ledger.entrant("ben"), by=ann)
    with pytest.raises(RefusedError, match=refusal):
        season_change(season=ledger.season, by=ann, pace_days=4)
    red, blue = (team_add(season=ledger.season, name=name, by=ann) for name in ("Red", "Blue"))
    team_line_up(season=ledger.season, teams={ledger.entrant("ann"): red.pk}, by=ann)  # no teams have met yet
    row = plan_round(ledger, ledger.organiser, ("ann", "ben"))
    SeasonTie.objects.create(round=row, number=1, one=red, two=blue)
    with pytest.raises(RefusedError, match=refusal):
        team_line_up(season=ledger.season, teams={ledger.entrant("ann"): blue.pk}, by=ann)
    season_leave(season=ledger.season, entrant=ledger.entrant("ann"), by=ann)


def test_settle_rule_needs_an_organiser_without_open_pairing():
    ledger = a_year(FOUR)
    ann = ledger.players["ann"]
    row = plan_round(ledger, ledger.organiser, ("ann", "ben"), ("cy", "dora"))
    season_round_open(round_=row, by=ledger.organiser)
    games = list(ledger.season.games.values_list("pk", flat=True))
    refusal = "You still have to agree on a game, so olga has to do this"
    with pytest.raises(RefusedError, match=refusal):
        games_order(season=ledger.season, games=games[::-1], by=ann)
    with pytest.raises(RefusedError, match=refusal):
        season_change(season=ledger.season, by=ann, settle_rule="lot")
    with pytest.raises(RefusedError, match=refusal):
        season_change(season=ledger.season, by=ann, settle_rule="lot", agree_days=ledger.season.agree_days - 1)
    games_order(season=ledger.season, games=games[::-1], by=ledger.organiser)


# --- the only organiser -----------------------------------------------------------------------------------------------


def test_only_organisers_own_bye_needs_a_turn():
    ledger = a_year(FIVE)
    ann = ledger.players["ann"]
    alone(ledger)
    row = plan_round(ledger, ann, ("ann", None), ("ben", "cy"))
    assert f"Long Year: Added ann against nobody to Round 1 ({OWN})" in activity_log_texts(ledger)
    with pytest.raises(RefusedError, match="You have a bye though dora has no opponent"):
        season_round_open(round_=row, by=ann)
    season_pairing_add(round_=row, one=ledger.entrant("dora"), two=ledger.entrant("emil"), by=ann)
    season_round_open(round_=row, by=ann)
    assert activity_log_texts(ledger)[-1] == f"Long Year: Published Round 1 ({OWN})"
    row = season_round_draw(season=ledger.season, by=ann, way="by-hand")
    with pytest.raises(RefusedError, match="ann has had a bye before, and it is"):
        season_pairing_add(round_=row, one=ledger.entrant("ann"), two=None, by=ann)


def test_edited_round_robin_needs_an_opponent_for_everybody():
    ledger = a_year(FIVE)
    ann = ledger.players["ann"]
    alone(ledger)
    row = season_round_draw(season=ledger.season, by=ann, way="round-robin")
    row.pairings.all().delete()
    season_pairing_add(round_=row, one=ledger.entrant("ann"), two=None, by=ann)
    season_pairing_add(round_=row, one=ledger.entrant("ben"), two=ledger.entrant("cy"), by=ann)
    with pytest.raises(RefusedError, match="You have a bye though dora has no opponent"):
        season_round_open(round_=row, by=ann)


def test_log_names_players_left_out_of_a_round():
    ledger = a_year(FOUR)
    season_round_open(round_=plan_round(ledger, ledger.organiser, ("ben", "cy")), by=ledger.organiser)
    assert activity_log_texts(ledger)[-1] == "Long Year: Published Round 1; not paired: ann, dora"


# --- corrections ------------------------------------------------------------------------------------------------------


def test_bye_is_cancelled_and_given_again(client):
    ledger = a_year(FIVE)
    row = plan_round(ledger, ledger.organiser, ("ann", None), ("ben", "cy"), ("dora", "emil"))
    season_round_open(round_=row, by=ledger.organiser)
    bye = pairing_of(row, "ann", None)
    with pytest.raises(RefusedError, match="This is your own pairing, so olga has to do this"):
        pairing_award(pairing=bye, side=None, reason="I give it up.", by=ledger.players["ann"])
    for side in (0, 1):
        with pytest.raises(RefusedError, match="is already a bye|A bye has one side"):
            pairing_award(pairing=bye, side=side, reason="So be it.", by=ledger.organiser)
    assert points(ledger)["ann"] == 3
    client.force_login(ledger.organiser)
    url = reverse("campaigns:season_pairing", args=[bye.key])
    assert "Correct the result" in client.get(url).content.decode()
    sent = client.post(url, {"act": "award", "verdict": "off", "reason": "Given by mistake."})
    assert sent.status_code == 302
    assert points(ledger)["ann"] == 0
    pairing_award(pairing=bye, side=0, reason="It was right.", by=ledger.organiser)
    assert points(ledger)["ann"] == 3
    assert activity_log_texts(ledger)[-1] == "Long Year: Gave ann the bye of Round 1 again: It was right."


def test_only_organiser_can_only_give_up_own_bye():
    ledger = a_year(FIVE)
    ann = ledger.players["ann"]
    row = plan_round(ledger, ledger.organiser, ("ann", None), ("ben", "cy"), ("dora", "emil"))
    season_round_open(round_=row, by=ledger.organiser)
    alone(ledger)
    bye = pairing_of(row, "ann", None)
    pairing_award(pairing=bye, side=None, reason="I give it up.", by=ann)
    assert OWN in activity_log_texts(ledger)[-1]
    with pytest.raises(
        RefusedError, match="This is your own pairing and already decided, so another organiser has to do this"
    ):
        pairing_award(pairing=bye, side=0, reason="No.", by=ann)


def test_only_organiser_cannot_change_others_decisions():
    ledger = a_year(FOUR)
    row = plan_round(ledger, ledger.organiser, ("ann", "ben"))
    season_round_open(round_=row, by=ledger.organiser)
    pairing = pairing_of(row, "ann", "ben")
    refusal = "This is your own pairing and already decided, so another organiser has to do this"
    for decided, mine in ((1, (0, None)), (None, (0,))):
        pairing_award(pairing=pairing, side=decided, reason="So be it.", by=ledger.organiser)
        alone(ledger)
        for side in mine:
            with pytest.raises(RefusedError, match=refusal):
                pairing_award(pairing=pairing, side=side, reason="No.", by=ledger.players["ann"])
        ledger.season.club.memberships.filter(player=ledger.organiser).update(role="organiser")


def test_award_can_be_corrected():
    ledger = a_year(FOUR)
    row = plan_round(ledger, ledger.organiser, ("ben", "cy"))
    season_round_open(round_=row, by=ledger.organiser)
    pairing = pairing_of(row, "ben", "cy")
    pairing_award(pairing=pairing, side=0, reason="Cy is ill.", by=ledger.organiser)
    with pytest.raises(RefusedError, match="This pairing is already awarded to ben"):
        pairing_award(pairing=pairing, side=0, reason="Cy is ill.", by=ledger.organiser)
    pairing_award(pairing=pairing, side=1, reason="It was Ben.", by=ledger.organiser)
    assert (points(ledger)["ben"], points(ledger)["cy"]) == (0, 3)


def test_paired_organisers_can_only_concede():
    ledger = a_year(FOUR)
    ledger.season.club.memberships.filter(player=ledger.players["ben"]).update(role="organiser")
    row = plan_round(ledger, ledger.organiser, ("ann", "ben"))
    season_round_open(round_=row, by=ledger.organiser)
    alone(ledger)
    ann, pairing = ledger.players["ann"], pairing_of(row, "ann", "ben")
    assert award_choices(pairing, ann) == ((1,), "")
    for side in (0, None):
        with pytest.raises(RefusedError, match="This is your own pairing. Agree on a game, or concede"):
            pairing_award(pairing=pairing, side=side, reason="I want it.", by=ann)
    with pytest.raises(RefusedError, match="Agree on a game, or concede"):
        game_decide(pairing=pairing, game=ledger.game(GAMES[1]), by=ann)
    pairing_award(pairing=pairing, side=1, reason="I can't come.", by=ann)
    assert points(ledger)["ben"] == 3


def test_cup_pairing_before_a_later_round_is_kept():
    ledger = a_season(played=FOUR, cup_size=3)
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way="cup")
    season_round_open(round_=row, by=ledger.organiser)
    bye = row.pairings.filter(two=None).select_related("round__season").first()
    for each in row.pairings.exclude(two=None).select_related("round__season"):
        pairing_award(pairing=each, side=0, reason="Ill.", by=ledger.organiser)
    if bye is not None:
        pairing_award(pairing=bye, side=None, reason="Drawn by mistake.", by=ledger.organiser)
        pairing_award(pairing=bye, side=0, reason="It was right.", by=ledger.organiser)
    first = row.pairings.exclude(two=None).select_related("round__season")[0]
    season_round_draw(season=ledger.season, by=ledger.organiser, way="cup")
    with pytest.raises(RefusedError, match="A later cup round depends on this pairing, so it can't be changed"):
        pairing_award(pairing=first, side=1, reason="No, Cy.", by=ledger.organiser)
