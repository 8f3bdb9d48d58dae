"""Seasons over several games: pairings, the games they agree on, and one table over everything."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from campaigns.campaign.services import campaign_change, campaign_move
from campaigns.corrections.plan import VerdictWithoutBattle
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.enrolments.services import enrolment_withdraw
from campaigns.models import (
    Campaign,
    CampaignState,
    Match,
    MatchState,
    Notification,
    NotificationEvent,
    Outcome,
    Round,
    RoundClose,
    Season,
    SeasonPairing,
    SeasonRound,
    Territory,
)
from campaigns.notifications.reminders import send_reminders
from campaigns.planning.services import round_plan
from campaigns.results.decisions import income_differences
from campaigns.seasons.entrants import season_enter, season_leave, team_add, team_line_up, team_remove
from campaigns.seasons.game_choice import game_accept, game_decide, game_propose, pairing_award, settle_due_pairings
from campaigns.seasons.rounds import (
    season_pairing_add,
    season_pairing_remove,
    season_round_draw,
    season_round_drop,
    season_round_open,
)
from campaigns.seasons.services import (
    game_add,
    game_remove,
    games_order,
    season_change,
    season_create,
    season_delete,
    season_finish,
    season_start,
)
from campaigns.statistics.glicko import calculate_ratings
from campaigns.statistics.ratings import club_ratings
from campaigns.tasks import season_games
from campaigns.territories.income import paid_rounds
from rosters.ledger.records import company_balance
from rosters.services import RefusedError
from systems.engine.dice import SeededDice, commitment, sealed_seed
from tests.builders import a_player
from tests.campaigns import builders
from tests.campaigns.builders import a_campaign, a_club, a_member, an_enrolment, waiting_for
from tests.campaigns.corrections import FLAG
from tests.campaigns.gazettes import close_round, forfeit_match
from tests.campaigns.season_builders import (
    GAMES,
    a_company_of,
    a_round,
    a_season,
    agree_on_games,
    an_unstarted_season,
    decide_matches,
    end_agreement_time,
)
from tests.leaving.builders import end_account

pytestmark = pytest.mark.django_db
MEKS, MECH, STEEL = GAMES
ALL = dict.fromkeys(("ann", "ben", "cy", "dora"), GAMES)


def pairs(ledger, row):
    """Return the players of each pairing in a round."""
    rows = row.pairings.select_related("one__player", "two__player").order_by("number")
    return [" ".join(sorted(name for name in ledger.names(each) if name)) for each in rows]


def pairing_of(row, *names):
    rows = row.pairings.select_related("round__season", "one__player", "two__player", "match")
    return next(
        each
        for each in rows
        if {each.one.player.username, each.two.player.username if each.two else None} >= set(names)
    )


def points(ledger):
    return {line.row.name: line.row.points for line in ledger.sheet.table}


def by_hand(ledger, *wanted):
    """Open a round of these pairs; None is a bye."""
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way="by-hand")
    for one, two in wanted:
        ids = ledger.entrant(one), ledger.entrant(two) if two else None
        season_pairing_add(round_=row, one=ids[0], two=ids[1], by=ledger.organiser)
    return season_round_open(round_=row, by=ledger.organiser)


# --- a whole season ---------------------------------------------------------------------------------------------------


def recalculated_table(results):
    """Recalculate the table of these results independently: points, direct, opponents' points, wins."""
    names = sorted({name for one, two, _ in results for name in (one, two) if name})
    worth = dict.fromkeys(names, 0)
    for one, two, won in results:
        for name in (one, two):
            if name:
                worth[name] += 1 if won == "draw" else 3 * (won == name)

    def rank(name):
        own = [each for each in results if name in each[:2]]
        others = [two if one == name else one for one, two, _ in own if two]
        direct = 0
        for one, two, won in own:
            other = two if one == name else one
            if two and worth[other] == worth[name]:
                direct += 1 if won == "draw" else 3 * (won == name)
        wins = sum(won == name for _, two, won in own if two)
        return -worth[name], -direct, -sum(worth[other] for other in others), -wins, name

    return [(name, worth[name]) for name in sorted(names, key=rank)]


def test_season_with_a_cup_is_played_to_its_end():
    ledger = a_season(cup_size=4, has_third_place=True)
    order = ["ann", "ben", "cy", "dora", "emil", "finn"]  # the earlier player wins
    for number in range(5):
        row = a_round(ledger, "round-robin")
        agree_on_games(ledger, row, number)
        decide_matches(ledger, row, *order[: 3 + number % 2], draws=["finn"] if number == 3 else ())
    met = [frozenset(pair[:2]) for pair in ledger.results if pair[1]]
    assert len(met) == len(set(met))
    assert frozenset(("emil", "finn")) not in met  # they have no game in common
    assert len(met) == 14
    assert [(line.row.name, line.row.points) for line in ledger.sheet.table] == recalculated_table(ledger.results)
    games = {each.match.round.campaign.system for each in SeasonPairing.objects.exclude(match=None)}
    assert games == set(GAMES)

    best = [name for name, _ in recalculated_table(ledger.results)[:4]]
    before = points(ledger)
    semis = a_round(ledger, "cup")
    assert pairs(ledger, semis) == [" ".join(sorted((best[0], best[3]))), " ".join(sorted((best[1], best[2])))]
    agree_on_games(ledger, semis, 1)
    decide_matches(ledger, semis, best[3], best[1])
    final = a_round(ledger, "cup")
    assert pairs(ledger, final) == [" ".join(sorted((best[3], best[1]))), " ".join(sorted((best[0], best[2])))]
    agree_on_games(ledger, final, 2)
    decide_matches(ledger, final, best[3], best[2])
    sheet = ledger.sheet
    assert (sheet.cup.winner, sheet.cup.second, sheet.cup.third) == (best[3], best[1], best[2])
    assert points(ledger) == before  # the cup isn't in the table
    season_finish(season=ledger.season, by=ledger.organiser)
    with pytest.raises(RefusedError, match="is finished, not running"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="swiss")


@pytest.mark.proof
def test_ratings_include_season_matches_by_game_and_overall():
    """Simulated matches have real battles and odds, and the ratings are recalculated from the matches alone."""
    ledger = a_season(real=GAMES)
    row = a_round(ledger, "swiss")
    for at, pairing in enumerate(row.pairings.filter(state="agreeing").select_related("one__player", "two__player")):
        for side in (pairing.one, pairing.two):
            game_propose(pairing=pairing, game=ledger.game(GAMES[1 - at % 2]), by=side.player)
    matches = list(Match.objects.filter(season_pairing__round=row).select_related("round__campaign"))
    assert len(matches) == 3
    Campaign.objects.update(absent_rule="orders")
    for round_ in {match.round for match in matches}:
        round_.deadline = timezone.now()
        round_.save()
        close_round(Round.objects.get(pk=round_.pk))
    assert {match.state for match in Match.objects.filter(season_pairing__round=row)} == {"auto-resolved"}
    club = ledger.season.club.pk
    for system in ("", *GAMES):
        played = [match for match in matches if system in ("", match.round.campaign.system)]
        assert sum(each.games for each in club_ratings(club, system).rated) == 2 * len(played)
    rated = club_ratings(club).rated
    found = {step.match.order: step.match for each in rated for point in each.history for step in point.steps}
    assert {each.player: each.rating for each in calculate_ratings(found.values())} == {
        each.player: each.rating for each in rated
    }
    assert sum(line.row.played for line in ledger.sheet.table) == 6


# --- agreeing on a game -----------------------------------------------------------------------------------------------


@pytest.fixture
def ledger():
    return a_season(played=ALL)


@pytest.fixture
def pairing(ledger):
    return pairing_of(by_hand(ledger, ("ann", "ben")), "ann", "ben")


def test_proposed_game_is_accepted_and_makes_a_match(ledger, pairing):
    ann, ben = ledger.players["ann"], ledger.players["ben"]
    game_propose(pairing=pairing, game=ledger.game(MECH), by=ann)
    row = game_accept(pairing=pairing, game=ledger.game(MECH), by=ben)
    assert (row.state, row.settled_by, row.match.round.campaign) == ("settled", "agreement", ledger.campaigns[MECH])
    assert {row.match.attacker.company.owner, row.match.defender.company.owner} == {ann, ben}
    assert row.match.round.state == "open"
    assert row.match.round.deadline == row.round.deadline
    assert row.match.dice is not None


def test_new_proposal_replaces_the_first(ledger, pairing):
    ann, ben = ledger.players["ann"], ledger.players["ben"]
    game_propose(pairing=pairing, game=ledger.game(MECH), by=ann)
    game_propose(pairing=pairing, game=ledger.game(STEEL), by=ben)
    with pytest.raises(RefusedError, match="There is no proposal to accept. Propose a game"):
        game_accept(pairing=pairing, game=ledger.game(MECH), by=ben)
    assert game_accept(pairing=pairing, game=ledger.game(STEEL), by=ann).game.campaign == ledger.campaigns[STEEL]


def test_equal_proposals_are_an_agreement(ledger, pairing):
    for name in ("ann", "ben"):
        game_propose(pairing=pairing, game=ledger.game(STEEL), by=ledger.players[name])
    assert SeasonPairing.objects.get(pk=pairing.pk).settled_by == "agreement"


def test_accepting_needs_the_current_proposal(ledger, pairing):
    ann, ben = ledger.players["ann"], ledger.players["ben"]
    game_propose(pairing=pairing, game=ledger.game(MECH), by=ann)
    game_propose(pairing=pairing, game=ledger.game(STEEL), by=ann)
    with pytest.raises(RefusedError, match="The other side has proposed a different game. Look at it again"):
        game_accept(pairing=pairing, game=ledger.game(MECH), by=ben)


def test_repeated_acceptance_makes_one_match(ledger, pairing):
    game_propose(pairing=pairing, game=ledger.game(MECH), by=ledger.players["ann"])
    stale = SeasonPairing.objects.select_related("round__season").get(pk=pairing.pk)
    game_accept(pairing=pairing, game=ledger.game(MECH), by=ledger.players["ben"])
    with pytest.raises(RefusedError, match="The game is already chosen: Mech Campaign"):
        game_accept(pairing=stale, game=ledger.game(MECH), by=ledger.players["ben"])
    assert Match.objects.count() == 1


@pytest.mark.parametrize("name", ["cy", "olga"])
def test_only_paired_players_agree_on_a_game(ledger, pairing, name):
    by = ledger.players.get(name, ledger.organiser)
    for act in (game_propose, game_accept):
        with pytest.raises(RefusedError, match="This isn't your pairing"):
            act(pairing=pairing, game=ledger.game(MECH), by=by)


def test_game_must_be_played_by_both():
    ledger = a_season()
    pairing = pairing_of(by_hand(ledger, ("ann", "dora")), "ann")
    with pytest.raises(
        RefusedError, match="You don't both play this game. Games in common: Meks & Mercs and Mech Campaign"
    ):
        game_propose(pairing=pairing, game=ledger.game(STEEL), by=ledger.players["ann"])


def test_only_common_game_is_settled_at_once():
    ledger = a_season()
    row = pairing_of(by_hand(ledger, ("ann", "finn")), "ann")
    assert (row.settled_by, row.match.round.campaign) == ("only", ledger.campaigns[MEKS])


def test_matches_of_a_season_round_share_a_campaign_round(ledger):
    row = by_hand(ledger, ("ann", "ben"), ("cy", "dora"))
    agree_on_games(ledger, row, 1)
    matches = Match.objects.filter(season_pairing__round=row).order_by("number")
    assert [match.number for match in matches] == [1, 2]
    assert len({match.round_id for match in matches}) == 1
    assert all(match.dice for match in matches)


def test_late_match_gets_a_round_of_its_own(ledger):
    row = by_hand(ledger, ("ann", "ben"), ("cy", "dora"))
    first = pairing_of(row, "ann")
    for name in ("ann", "ben"):
        game_propose(pairing=first, game=ledger.game(MECH), by=ledger.players[name])
    played = Match.objects.get().round
    RoundClose.objects.create(round=played, steps=[])
    agree_on_games(ledger, row, 1)
    second = pairing_of(row, "cy").match.round
    assert (second.number, second.campaign) == (2, played.campaign)


def test_players_are_notified_about_agreeing_and_proposals(ledger, pairing):
    ann, ben = ledger.players["ann"], ledger.players["ben"]
    assert [item.kind for item in waiting_for(ann)] == ["agree"]
    game_propose(pairing=pairing, game=ledger.game(MECH), by=ann)
    assert [item.kind for item in waiting_for(ann)] == []
    assert [(item.kind, item.about) for item in waiting_for(ben)] == [("agree", "ann against ben")]
    events = [letter.news.occasion for letter in Notification.objects.filter(player=ben).order_by("pk")]
    assert events == ["season-pairing", "season-game-proposed"]
    assert not waiting_for(ledger.players["cy"])


# --- no agreement -----------------------------------------------------------------------------------------------------


def test_first_game_in_order_is_played_without_agreement(ledger):
    games_order(season=ledger.season, games=[ledger.game(each) for each in (STEEL, MEKS, MECH)], by=ledger.organiser)
    row = by_hand(ledger, ("ann", "ben"))
    game_propose(pairing=pairing_of(row, "ann"), game=ledger.game(MECH), by=ledger.players["ann"])
    assert settle_due_pairings() == 0
    end_agreement_time(row)
    assert settle_due_pairings() == 1
    assert settle_due_pairings() == 0
    found = pairing_of(row, "ann")
    assert (found.settled_by, found.match.round.campaign) == ("order", ledger.campaigns[STEEL])


def test_lot_is_sealed_first_and_can_be_checked():
    ledger = a_season(played=ALL, settle_rule="lot")
    row = by_hand(ledger, ("ann", "ben"), ("cy", "dora"))
    row.refresh_from_db()
    promised = row.dice.commitment
    assert not row.dice.secret
    end_agreement_time(row)
    assert settle_due_pairings() == 2
    row.dice.refresh_from_db()
    assert commitment(row.dice.secret) == promised
    for pairing in row.pairings.select_related("match__round__campaign"):
        drawn = SeededDice(sealed_seed(row.dice.secret, f"game-{pairing.number}")).choice(3)
        assert (pairing.settled_by, pairing.match.round.campaign.system) == ("lot", GAMES[drawn])


def test_interrupted_settling_is_repeated(ledger, pairing, monkeypatch):
    from campaigns.seasons import game_choice as agreeing

    def dies(**given):
        raise SystemExit

    end_agreement_time(pairing.round)
    with monkeypatch.context() as patch:
        patch.setattr(agreeing, "match_create_outside_pairing", dies)
        with pytest.raises(SystemExit):
            settle_due_pairings()
    pairing.refresh_from_db()
    assert (pairing.state, Match.objects.count()) == ("agreeing", 0)
    assert settle_due_pairings() == 1
    assert Match.objects.count() == 1


def test_obstacle_is_shown_and_retried(ledger, pairing):
    campaign = ledger.campaigns[MECH]
    planned = builders.a_round(campaign, "planned")
    for name in ("ann", "ben"):
        game_propose(pairing=pairing, game=ledger.game(MECH), by=ledger.players[name])
    pairing.refresh_from_db()
    assert (pairing.state, pairing.match) == ("settled", None)
    assert "is already planned" in pairing.blocked_reason
    planned.delete()
    assert settle_due_pairings() == 1
    pairing.refresh_from_db()
    assert (pairing.blocked_reason, pairing.match.round.campaign) == ("", campaign)


def test_organiser_decides_on_a_game(ledger):
    game_decide(
        pairing=pairing_of(by_hand(ledger, ("ann", "ben")), "ann"), game=ledger.game(STEEL), by=ledger.organiser
    )
    assert SeasonPairing.objects.get().settled_by == "organiser"


def test_own_pairing_is_left_to_another_organiser(ledger, pairing):
    ann = ledger.players["ann"]
    ledger.season.club.memberships.filter(player=ann).update(role="organiser")
    with pytest.raises(RefusedError, match="your own pairing, so olga has to do this"):
        pairing_award(pairing=pairing, side=0, reason="Mine.", by=ann)
    with pytest.raises(RefusedError, match="your own pairing, so olga has to do this"):
        game_decide(pairing=pairing, game=ledger.game(MECH), by=ann)


def test_pairing_without_a_company_can_be_awarded(ledger, pairing):
    for enrolment in ledger.players["ben"].companies.all():
        enrolment_withdraw(enrolment=enrolment.enrolments.get(), by=ledger.players["ben"])
    end_agreement_time(pairing.round)
    assert settle_due_pairings() == 0
    pairing.refresh_from_db()
    assert "no game in common" in pairing.blocked_reason
    assert "season-no-game" in occasions_of(ledger.players["ann"], *STUCK)
    pairing_award(pairing=pairing, side=0, reason="Ben plays no more.", by=ledger.organiser)
    assert points(ledger)["ann"] == 3
    assert not waiting_for(ledger.players["ann"])


# --- no game in common


def withdraw_companies(ledger, name, *systems):
    """Withdraw the player's companies from these games."""
    player = ledger.players[name]
    for company in player.companies.filter(system__in=systems or GAMES):
        enrolment_withdraw(enrolment=company.enrolments.get(), by=player)


def occasions_of(player, *occasions):
    rows = (
        Notification.objects.filter(player=player, news__occasion__in=occasions).select_related("news").order_by("pk")
    )
    return [row.news.occasion for row in rows]


STUCK = ("season-no-game", "season-pairing-stuck")


def test_losing_the_last_common_game_notifies_players_and_organiser(ledger, pairing):
    game_propose(pairing=pairing, game=ledger.game(MECH), by=ledger.players["ann"])
    withdraw_companies(ledger, "ben")
    season_games()
    season_games()
    for name in ("ann", "ben"):
        assert occasions_of(ledger.players[name], *STUCK) == ["season-no-game"]
        assert not waiting_for(ledger.players[name])
    assert occasions_of(ledger.organiser, *STUCK) == ["season-pairing-stuck"]
    assert occasions_of(ledger.players["cy"], *STUCK) == []
    row = SeasonPairing.objects.get(pk=pairing.pk)
    assert (row.proposed, "no game in common" in row.blocked_reason) == (None, True)


def test_cup_pairing_without_a_common_game_is_notified():
    ledger = a_season(played={"ann": [MEKS, MECH], "ben": [MECH], "cy": [MECH]}, cup_size=2)
    row = by_hand(ledger, ("ann", "cy"), ("ben", None))
    decide_matches(ledger, row, "ann")
    withdraw_companies(ledger, "ann", MECH)
    a_round(ledger, "cup")
    assert occasions_of(ledger.players["ann"], *STUCK) == ["season-no-game"]
    assert occasions_of(ledger.organiser, *STUCK) == ["season-pairing-stuck"]


def test_playing_organiser_is_notified_as_a_player(ledger, pairing):
    ledger.season.club.memberships.filter(player=ledger.players["ann"]).update(role="organiser")
    withdraw_companies(ledger, "ben")
    season_games()
    assert occasions_of(ledger.players["ann"], *STUCK) == ["season-no-game"]


def test_regained_common_game_is_played_or_agreed_on(ledger, pairing):
    other = pairing_of(by_hand(ledger, ("cy", "dora")), "cy")
    for name in ("ben", "dora"):
        withdraw_companies(ledger, name)
    season_games()
    for name, system in (("ben", MECH), ("dora", MECH), ("dora", STEEL)):
        an_enrolment(ledger.campaigns[system], a_company_of(ledger.players[name], system, is_real=False))
    season_games()
    pairing.refresh_from_db()
    other.refresh_from_db()
    assert (pairing.settled_by, pairing.match.round.campaign) == ("only", ledger.campaigns[MECH])
    assert (other.state, other.blocked_reason) == ("agreeing", "")
    assert [item.kind for item in waiting_for(ledger.players["dora"])] == ["agree"]


# --- notifications about proposals


def notified_proposals(player):
    rows = Notification.objects.filter(player=player, news__occasion="season-game-proposed").order_by("pk")
    return [row.news.facts["game"] for row in rows]


def test_changed_proposals_are_notified_once_in_a_while(ledger, pairing):
    ann, ben = ledger.players["ann"], ledger.players["ben"]
    for _ in range(5):
        for system in (MECH, STEEL):
            game_propose(pairing=pairing, game=ledger.game(system), by=ann)
    assert notified_proposals(ben) == ["Mech Campaign"]
    season_games()
    assert notified_proposals(ben) == ["Mech Campaign"]
    date_notices_back(pairing)
    season_games()
    season_games()
    assert notified_proposals(ben) == ["Mech Campaign", "Blazing Steel"]


def test_proposal_changed_back_is_not_notified_again(ledger, pairing):
    ann, ben = ledger.players["ann"], ledger.players["ben"]
    for system in (MECH, STEEL, MECH):
        game_propose(pairing=pairing, game=ledger.game(system), by=ann)
    date_notices_back(pairing)
    season_games()
    assert notified_proposals(ben) == ["Mech Campaign"]


def test_mutual_proposals_are_notified_once_each(ledger, pairing):
    ann, ben = ledger.players["ann"], ledger.players["ben"]
    for _ in range(4):
        game_propose(pairing=pairing, game=ledger.game(MECH), by=ann)
        game_propose(pairing=pairing, game=ledger.game(STEEL), by=ben)
    assert (notified_proposals(ben), notified_proposals(ann)) == (["Mech Campaign"], ["Blazing Steel"])
    game_propose(pairing=pairing, game=ledger.game(MECH), by=ann)  # and this one stands
    date_notices_back(pairing)
    season_games()
    assert (notified_proposals(ben), notified_proposals(ann)) == (["Mech Campaign"] * 2, ["Blazing Steel"])


def test_agreement_stops_notifications_about_proposals(ledger, pairing):
    ann, ben = ledger.players["ann"], ledger.players["ben"]
    for system in (MECH, STEEL):
        game_propose(pairing=pairing, game=ledger.game(system), by=ann)
    game_accept(pairing=pairing, game=ledger.game(STEEL), by=ben)
    date_notices_back(pairing)
    season_games()
    assert notified_proposals(ben) == ["Mech Campaign"]


def date_notices_back(pairing):
    """Date the pairing's last notifications one hour back."""
    row = SeasonPairing.objects.get(pk=pairing.pk)
    for notice in row.last_notices.values():
        notice["at"] = (datetime.fromisoformat(notice["at"]) - timedelta(hours=1)).isoformat()
    row.save(update_fields=["last_notices"])


# --- reminders


def test_undecided_player_is_reminded_once_before_the_end(ledger, pairing):
    ann, ben = ledger.players["ann"], ledger.players["ben"]
    game_propose(pairing=pairing, game=ledger.game(MECH), by=ann)
    ends = pairing.round.agree_by
    assert send_reminders(now=ends - timedelta(hours=25)) == 0
    assert send_reminders(now=ends - timedelta(hours=23)) == 1
    assert send_reminders(now=ends - timedelta(hours=22)) == 0
    assert (occasions_of(ann, "agree-due"), occasions_of(ben, "agree-due")) == ([], ["agree-due"])
    assert send_reminders(now=ends + timedelta(minutes=1)) == 0


def test_no_reminder_without_a_common_game_or_too_early(ledger, pairing):
    opened = timezone.now()
    SeasonRound.objects.update(opens_at=opened, agree_by=opened + timedelta(hours=20))
    assert send_reminders(now=opened + timedelta(hours=9)) == 0
    assert send_reminders(now=opened + timedelta(hours=11)) == 2
    Notification.objects.all().delete()
    NotificationEvent.objects.all().delete()
    withdraw_companies(ledger, "ben")
    season_games()
    assert send_reminders(now=opened + timedelta(hours=12)) == 0


def test_cancelled_pairing_counts_for_nobody_until_corrected(ledger, pairing):
    pairing_award(pairing=pairing, side=None, reason="Both are ill.", by=ledger.organiser)
    assert set(points(ledger).values()) == {0}
    with pytest.raises(RefusedError, match="already cancelled"):
        pairing_award(pairing=pairing, side=None, reason="No.", by=ledger.organiser)
    pairing_award(pairing=pairing, side=0, reason="One of them came.", by=ledger.organiser)
    assert sorted(points(ledger).values())[-1] == 3


def test_pairing_with_a_match_is_left_to_arbiters(ledger, pairing):
    for name in ("ann", "ben"):
        game_propose(pairing=pairing, game=ledger.game(MECH), by=ledger.players[name])
    with pytest.raises(RefusedError, match="This pairing already has a match. Ask an arbiter to rule on that"):
        pairing_award(pairing=pairing, side=0, reason="So be it.", by=ledger.organiser)


# --- territories


def test_territory_pays_once_per_season_round(ledger):
    campaign = ledger.campaigns[MECH]
    campaign.map_kind = "ring"
    campaign.save()
    home = campaign.enrolments.get(company__owner=ledger.players["ann"])
    Territory.objects.create(campaign=campaign, position=1, name="Ford", income=3, home=home)
    row = by_hand(ledger, ("ann", "ben"), ("cy", "dora"))
    for name in ("ann", "ben"):
        game_propose(pairing=pairing_of(row, "ann"), game=ledger.game(MECH), by=ledger.players[name])
    first = forfeit_match(pairing_of(row, "ann").match).round
    close_round(first)
    for name in ("cy", "dora"):
        game_propose(pairing=pairing_of(row, "cy"), game=ledger.game(MECH), by=ledger.players[name])
    second = forfeit_match(pairing_of(row, "cy").match).round
    assert second != first
    before = company_balance(home.company)
    close_round(second)
    assert [each.number for each in paid_rounds(campaign)] == [first.number]
    assert company_balance(home.company) == before
    assert list(income_differences()) == []
    again = by_hand(ledger, ("ann", "cy"))
    agree_on_games(ledger, again, 1)
    third = forfeit_match(pairing_of(again, "ann").match).round
    close_round(third)
    assert [each.number for each in paid_rounds(campaign)] == [third.number, first.number]


# --- the table --------------------------------------------------------------------------------------------------------


def test_corrected_match_changes_the_table(ledger):
    row = by_hand(ledger, ("ann", "ben"))
    agree_on_games(ledger, row)
    decide_matches(ledger, row, "ann")
    assert (points(ledger)["ann"], points(ledger)["ben"]) == (3, 0)
    pairing = pairing_of(row, "ann")
    ann_attacks = pairing.match.attacker.company.owner.username == "ann"
    wanted = Outcome.DEFENDER if ann_attacks else Outcome.ATTACKER
    after = VerdictWithoutBattle(state=MatchState.FORFEITED, outcome=wanted)
    preview = correction_preview(match=pairing.match, after=after, mode=FLAG, by=ledger.organiser)
    assert "ben: place 1 with 3 points, not 4 with 0." in preview.season
    correction_apply(
        match=pairing.match, after=after, mode=FLAG, reason="Late.", by=ledger.organiser, token=preview.token
    )
    assert (points(ledger)["ann"], points(ledger)["ben"]) == (0, 3)


@pytest.mark.parametrize(
    ("state", "outcome", "expected"),
    [
        ("confirmed", "attacker", {3, 0}),
        ("ruled", "draw", {1}),
        ("forfeited", "none", {0}),
        ("refused", "none", {0}),
        ("void", "none", {0}),
        ("scheduled", "", {0}),
        ("disputed", "", {0}),
    ],
)
def test_campaign_results_count_in_the_season(ledger, state, outcome, expected):
    row = by_hand(ledger, ("ann", "ben"))
    agree_on_games(ledger, row)
    Match.objects.update(state=state, outcome=outcome)
    by_name = points(ledger)
    assert {by_name["ann"], by_name["ben"]} == expected
    assert ledger.sheet.rounds[0].undecided == (state in ("scheduled", "disputed"))


def test_table_of_one_game_counts_only_its_matches(ledger):
    from campaigns.seasons.selectors import season_page

    first = by_hand(ledger, ("ann", "ben"))
    agree_on_games(ledger, first, 0)
    decide_matches(ledger, first, "ann")
    second = by_hand(ledger, ("ann", "cy"))
    agree_on_games(ledger, second, 1)
    decide_matches(ledger, second, "cy")
    sheet = season_page(ledger.season, ledger.organiser, with_planned=True, game=MECH)
    assert [(line.row.name, line.row.points) for line in sheet.table] == [("cy", 3), ("ann", 0)]
    assert sheet.chosen_game.system == MECH


def test_bye_counts_as_win_once_its_round_opens(ledger):
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way="by-hand")
    season_pairing_add(round_=row, one=ledger.entrant("cy"), two=None, by=ledger.organiser)
    assert points(ledger)["cy"] == 0
    season_round_open(round_=row, by=ledger.organiser)
    assert points(ledger)["cy"] == 3


# --- drawing ----------------------------------------------------------------------------------------------------------


def test_swiss_pairs_equals_after_all_results(ledger):
    row = a_round(ledger, "swiss")
    with pytest.raises(RefusedError, match="Not decided yet"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="swiss")
    agree_on_games(ledger, row)
    decide_matches(ledger, row, "ann", "cy")
    winners = {name for name, worth in points(ledger).items() if worth == 3}
    second = season_round_draw(season=ledger.season, by=ledger.organiser, way="swiss")
    assert " ".join(sorted(winners)) in pairs(ledger, second)


def test_odd_number_gives_byes_in_turn():
    ledger = a_season(played=dict.fromkeys(("ann", "ben", "cy", "dora", "emil"), GAMES))
    met = []
    for _ in range(5):
        row = a_round(ledger, "round-robin")
        met += pairs(ledger, row)
    assert len([pair for pair in met if " " in pair]) == len({pair for pair in met if " " in pair}) == 10
    assert sorted(pair for pair in met if " " not in pair) == ["ann", "ben", "cy", "dora", "emil"]


def test_swiss_pairs_only_players_with_a_common_game():
    ledger = a_season()
    for _ in range(3):
        row = a_round(ledger, "swiss")
        assert "emil finn" not in pairs(ledger, row)
        agree_on_games(ledger, row)
        decide_matches(ledger, row, "emil", "finn")


def test_impossible_pairing_is_refused():
    ledger = a_season(
        played={"ann": [MEKS], "ben": [MEKS], "cy": [MEKS], "dora": [MECH], "emil": [MECH], "finn": [MECH]}
    )
    with pytest.raises(RefusedError, match="have no game in common. Pair the round yourself"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="swiss")
    assert not SeasonRound.objects.exists()


def test_pairings_by_hand_are_checked_and_changed(ledger):
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way="by-hand")
    ann, ben, cy = (ledger.entrant(name) for name in ("ann", "ben", "cy"))
    with pytest.raises(RefusedError, match="has no pairings yet. Add one first"):
        season_round_open(round_=row, by=ledger.organiser)
    made = season_pairing_add(round_=row, one=ann, two=ben, by=ledger.organiser)
    for one, two, reason in (
        (ann, cy, "ann would play twice"),
        (cy, cy, "Choose two different players"),
        (cy, 0, "no such player"),
    ):
        with pytest.raises(RefusedError, match=reason):
            season_pairing_add(round_=row, one=one, two=two, by=ledger.organiser)
    season_pairing_remove(pairing=made, by=ledger.organiser)
    season_pairing_add(round_=row, one=ann, two=cy, by=ledger.organiser)
    assert pairs(ledger, row) == ["ann cy"]
    season_round_open(round_=row, by=ledger.organiser)
    with pytest.raises(RefusedError, match="is open, so its pairings can't be changed"):
        season_pairing_add(round_=row, one=ben, two=None, by=ledger.organiser)


def test_pair_without_a_common_game_is_refused():
    ledger = a_season()
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way="by-hand")
    with pytest.raises(RefusedError, match="emil and finn have no game in common"):
        season_pairing_add(round_=row, one=ledger.entrant("emil"), two=ledger.entrant("finn"), by=ledger.organiser)


def test_one_planned_round_at_a_time_can_be_discarded(ledger):
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way="swiss")
    with pytest.raises(RefusedError, match="already planned"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="swiss")
    season_round_drop(round_=row, by=ledger.organiser)
    with pytest.raises(RefusedError, match="Somebody has discarded this round"):
        season_round_open(round_=row, by=ledger.organiser)
    assert not SeasonPairing.objects.exists()


def test_former_entrant_is_not_paired(ledger):
    season_leave(season=ledger.season, entrant=ledger.entrant("dora"), by=ledger.players["dora"])
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way="swiss")
    assert "dora" not in " ".join(pairs(ledger, row))
    season_leave(season=ledger.season, entrant=ledger.entrant("ann"), by=ledger.organiser)
    with pytest.raises(RefusedError, match="has left the season"):
        season_round_open(round_=row, by=ledger.organiser)


# --- teams ------------------------------------------------------------------------------------------------------------


def make_teams(ledger, **teams):
    for name, players in teams.items():
        made = team_add(season=ledger.season, name=name, by=ledger.organiser)
        seats = {ledger.entrant(player): made.pk for player in players.split()}
        team_line_up(season=ledger.season, teams=seats, by=ledger.organiser)


def test_teams_meet_on_boards_and_have_a_table(ledger):
    make_teams(ledger, Reds="ann ben", Blues="cy dora")
    row = a_round(ledger, "teams", boards=2)
    assert [each.board for each in row.pairings.all()] == [1, 2]
    agree_on_games(ledger, row)
    decide_matches(ledger, row, "ann", draws=["ben"])
    sheet = ledger.sheet
    assert [(team.name, team.points, team.victory_points) for team in sheet.teams] == [
        ("Reds", 3, 1.5),
        ("Blues", 0, 0.5),
    ]
    assert sheet.rounds[0].ties[0].points in ("1½–½", "½–1½")
    assert points(ledger)["ann"] == 3


def test_team_match_counts_once_all_boards_are_decided(ledger):
    make_teams(ledger, Reds="ann ben", Blues="cy dora")
    row = a_round(ledger, "teams", boards=2)
    agree_on_games(ledger, row)
    first = row.pairings.first().match
    Match.objects.filter(pk=first.pk).update(state="confirmed", outcome="attacker")
    assert [team.points for team in ledger.sheet.teams] == [0, 0]
    Match.objects.exclude(pk=first.pk).update(state="void", outcome="none")
    assert [team.points for team in ledger.sheet.teams] == [3, 0]


def test_correction_previews_its_effect_on_teams(ledger):
    make_teams(ledger, Reds="ann ben", Blues="cy dora")
    row = a_round(ledger, "teams", boards=2)
    agree_on_games(ledger, row)
    decide_matches(ledger, row, "ann", "ben")
    match = pairing_of(row, "ann").match

    def preview(state, outcome):
        after = VerdictWithoutBattle(state=state, outcome=outcome)
        return correction_preview(match=match, after=after, mode=FLAG, by=ledger.organiser).season

    assert not any("Reds" in text for text in preview(MatchState.VOID, Outcome.NONE))  # one won board is enough
    other = {"attacker": Outcome.DEFENDER, "defender": Outcome.ATTACKER}[match.outcome]
    assert "Reds: place 2 with 1 point, not 1 with 3." in preview(MatchState.FORFEITED, other)


def test_three_teams_take_turns_to_rest():
    names = ("ann", "ben", "cy", "dora", "emil", "finn")
    ledger = a_season(played=dict.fromkeys(names, GAMES))
    make_teams(ledger, Reds="ann ben", Blues="cy dora", Greens="emil finn")
    met = []
    for _ in range(3):
        row = a_round(ledger, "teams", boards=2)
        met += [" ".join(sorted(filter(None, (str(tie.one), tie.two and str(tie.two))))) for tie in row.ties.all()]
        agree_on_games(ledger, row)
        decide_matches(ledger, row, "ann", "ben", "cy", "dora")
    assert sorted(met) == ["Blues", "Blues Greens", "Blues Reds", "Greens", "Greens Reds", "Reds"]
    assert [(team.name, team.points) for team in ledger.sheet.teams][0] == ("Reds", 9)


def test_boards_are_rearranged_for_common_games():
    ledger = a_season(played={"ann": [MEKS], "ben": [MECH], "cy": [MECH], "dora": [MEKS]})
    make_teams(ledger, Reds="ann ben", Blues="cy dora")
    assert sorted(pairs(ledger, a_round(ledger, "teams", boards=2))) == ["ann dora", "ben cy"]


def test_teams_meet_again_if_others_cannot():
    ledger = a_season(
        played={name: [MEKS] for name in ("ann", "ben", "cy", "dora")}
        | {name: [MECH] for name in ("emil", "finn")}
        | {name: [MEKS, MECH] for name in ("gil", "hal")}
    )
    make_teams(ledger, Reds="ann ben", Blues="emil finn", Greens="cy dora", Whites="gil hal")
    for _ in range(3):  # Blues can only meet Whites, so Reds and Greens meet each time
        row = a_round(ledger, "teams", boards=2)
        assert sorted(" ".join(sorted((str(tie.one), str(tie.two)))) for tie in row.ties.all()) == [
            "Blues Whites",
            "Greens Reds",
        ]
        agree_on_games(ledger, row)
        Match.objects.filter(state="scheduled").update(state="confirmed", outcome="draw")


def test_team_without_players_is_left_out(ledger):
    make_teams(ledger, Reds="ann ben", Blues="cy dora", Greens="")
    row = a_round(ledger, "teams", boards=2)
    assert [(str(tie.one), str(tie.two)) for tie in row.ties.all()] in ([("Reds", "Blues")], [("Blues", "Reds")])


def test_teams_that_cannot_meet_are_refused(ledger):
    with pytest.raises(RefusedError, match="A team round needs at least two teams"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="teams", boards=2)
    make_teams(ledger, Reds="ann ben", Blues="cy")
    with pytest.raises(RefusedError, match="Blues can't fill 2 boards"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="teams", boards=2)
    with pytest.raises(RefusedError, match="2 to 6 boards"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="teams", boards=1)
    with pytest.raises(RefusedError, match="already has a team of that name. Choose another name"):
        team_add(season=ledger.season, name="reds", by=ledger.organiser)
    blues = ledger.season.teams.get(name="Blues")
    team_remove(season=ledger.season, team=blues.pk, by=ledger.organiser)
    assert ledger.season.entrants.filter(is_in=True).count() == 4


# --- the cup ----------------------------------------------------------------------------------------------------------


def a_cup(**settings):
    """Four players who have met, ranked in the order of their names."""
    ledger = a_season(played=ALL, **settings)
    for number, winners in enumerate((("ann", "cy"), ("ann", "ben"), ("ann", "ben"))):
        row = a_round(ledger, "round-robin")
        agree_on_games(ledger, row, number)
        decide_matches(ledger, row, *winners)
    return ledger


def test_drawn_tie_goes_by_tie_breakers_then_seed():
    ledger = a_cup(cup_size=2, tie_breakers=[])
    row = a_round(ledger, "cup")
    agree_on_games(ledger, row)
    one, two = ledger.names(row.pairings.select_related("one__player", "two__player").get())
    decide_matches(ledger, row, draws=[one, two])
    sheet = ledger.sheet
    assert sheet.cup.winner == sheet.table[0].row.name
    assert sheet.cup.ties[0].how == "by the better seed"


def test_cup_waits_for_the_table_and_its_ties():
    ledger = a_season(played=ALL)
    row = a_round(ledger, "swiss")
    with pytest.raises(RefusedError, match="Not decided yet"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="cup")
    agree_on_games(ledger, row)
    decide_matches(ledger, row, "ann", "cy")
    a_round(ledger, "cup")
    with pytest.raises(RefusedError, match="Not decided yet"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="cup")
    with pytest.raises(RefusedError, match="The cup has started"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="swiss")
    with pytest.raises(RefusedError, match="The cup has started, so its settings can't be changed"):
        season_change(season=ledger.season, by=ledger.organiser, cup_size=2)


def test_opponent_of_a_leaver_advances_and_void_ties_repeat():
    ledger = a_cup()
    semis = a_round(ledger, "cup")
    agree_on_games(ledger, semis)
    decide_matches(ledger, semis, "ann", "ben")
    Match.objects.filter(season_pairing__round=semis, season_pairing__number=2).update(state="void", outcome="none")
    again = a_round(ledger, "cup")
    assert [each.place for each in again.pairings.all()] == [3]
    agree_on_games(ledger, again)
    decide_matches(ledger, again, "ben")
    names = ledger.sheet.cup.ties[-1].sides
    season_leave(season=ledger.season, entrant=names[0].enrolment, by=ledger.organiser)
    a_round(ledger, "cup")
    assert ledger.sheet.cup.winner == names[1].name
    with pytest.raises(RefusedError, match=f"The cup is decided: {names[1].name} has won it"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="cup")


def test_discarded_cup_plan_is_drawn_again():
    ledger = a_cup()
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way="cup")
    season_round_drop(round_=row, by=ledger.organiser)
    assert ledger.sheet.cup is None
    season_change(season=ledger.season, by=ledger.organiser, cup_size=0)
    with pytest.raises(RefusedError, match="has no cup"):
        season_round_draw(season=ledger.season, by=ledger.organiser, way="cup")


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_differing_points_must_be_confirmed_before_the_start():
    ledger = an_unstarted_season()
    season, by = ledger.season, ledger.organiser
    ledger.campaigns[MECH].points += 20
    ledger.campaigns[MECH].save()
    reason = "60 points in War of meks-and-mercs, 80 points in War of mech-campaign and 60 points in War of"
    with pytest.raises(RefusedError, match=reason) as caught:
        season_start(season=season, by=by)
    assert caught.value.field == "points_may_differ"
    assert Season.objects.get(pk=season.pk).state == "gathering"
    season_change(season=season, by=by, points_may_differ=True)
    season_start(season=season, by=by)
    assert len({game.points for game in ledger.sheet.games}) > 1
    with pytest.raises(
        RefusedError, match="Points for results and companies can't be changed once the season is running"
    ):
        season_change(season=season, by=by, points_may_differ=False)


def test_running_season_refuses_a_campaign_with_other_points():
    ledger = a_season()
    other = a_campaign(ledger.season.club, name="Hexes", system="hex-core", options={}, tie_breakers=[], points=77)
    with pytest.raises(RefusedError, match="77 points in Hexes.* only be allowed before it starts"):
        game_add(season=ledger.season, campaign=other, by=ledger.organiser)
    assert ledger.season.games.count() == len(GAMES)


def test_api_confirms_differing_points(client):
    ledger = an_unstarted_season()
    Campaign.objects.filter(pk=ledger.campaigns[MECH].pk).update(points=80)
    client.force_login(ledger.organiser)
    request = {"path": f"/api/v1/seasons/{ledger.season.pk}/state/", "data": {"state": "running"}}
    refused = client.post(**request, content_type="application/json")
    assert (refused.status_code, "different points" in refused.content.decode()) == (422, True)
    page = f"/api/v1/seasons/{ledger.season.pk}/"
    answer = client.patch(page, {"points_may_differ": True}, content_type="application/json")
    assert answer.json()["points_may_differ"] is True
    assert client.post(**request, content_type="application/json").json()["state"] == "running"


def test_unsuitable_campaign_is_refused():
    ledger = an_unstarted_season()
    club, by = ledger.season.club, ledger.organiser
    other = season_create(club=club, by=by, name="Other Year")
    hex_core = {"system": "hex-core", "options": {}, "tie_breakers": []}
    for campaign, reason in (
        (ledger.campaigns[MEKS], "already in the season Long Year. A campaign can only be in one season"),
        (a_campaign(club, "draft", name="Draft", **hex_core), "Draft is draft"),
        (a_campaign(club, "finished", name="Over", **hex_core), "Over is finished"),
        (a_campaign(club, name="Cup", pairing="knock-out", **hex_core), "paired as knock-out"),
        (a_campaign(a_club(name="Far Table"), name="Far", **hex_core), "belongs to another club"),
    ):
        with pytest.raises(RefusedError, match=reason):
            game_add(season=other, campaign=campaign, by=by)
    assert not other.games.exists()
    twin = a_campaign(club, name="Twin", system=MEKS)
    with pytest.raises(RefusedError, match="already has a campaign for Meks & Mercs: War of meks-and-mercs"):
        game_add(season=ledger.season, campaign=twin, by=by)


def test_season_that_cannot_start_gives_the_reason():
    ledger = an_unstarted_season(played={"ann": [MEKS], "ben": [MEKS], "cy": [MECH]})
    season, by = ledger.season, ledger.organiser
    with pytest.raises(RefusedError, match="cy has no game in common with anybody"):
        season_start(season=season, by=by)
    season_leave(season=season, entrant=ledger.entrant("cy"), by=by)
    planned = builders.a_round(ledger.campaigns[STEEL], "planned")
    with pytest.raises(RefusedError, match="A round of War of blazing-steel is planned"):
        season_start(season=season, by=by)
    planned.delete()
    ledger.campaigns[STEEL].state = CampaignState.MUSTERING
    ledger.campaigns[STEEL].save()
    with pytest.raises(RefusedError, match="is open for sign-up. Start it first"):
        season_start(season=season, by=by)
    campaign_change(campaign=ledger.campaigns[STEEL], by=by, pairing="knock-out")  # after it was added
    Campaign.objects.filter(pk=ledger.campaigns[STEEL].pk).update(state=CampaignState.RUNNING)
    with pytest.raises(RefusedError, match="is paired as knock-out, not by a season"):
        season_start(season=season, by=by)
    for system in (STEEL, MECH):
        game_remove(season=season, game=ledger.game(system), by=by)
    with pytest.raises(RefusedError, match="at least 2 games"):
        season_start(season=season, by=by)
    assert Season.objects.get(pk=season.pk).state == "gathering"


def test_season_entry_needs_membership_and_a_campaign():
    olga = a_player("olga")
    season = season_create(club=a_club(olga), by=olga, name="Long Year")
    gil = a_player("gil")
    for by, reason in ((gil, "You don't belong to"), (olga, "gil doesn't belong to")):
        with pytest.raises(RefusedError, match=reason):
            season_enter(season=season, player=gil, by=by)
    with pytest.raises(RefusedError, match="Long Year has no campaigns yet"):
        season_enter(season=season, player=olga, by=olga)


def test_season_entry_needs_an_own_company():
    ledger = an_unstarted_season()
    gil = a_member(ledger.season.club, player=a_player("gil"))
    with pytest.raises(RefusedError, match="You have no company in War of meks-and-mercs"):
        season_enter(season=ledger.season, player=gil, by=gil)
    an_enrolment(ledger.campaigns[MEKS], a_company_of(gil, MEKS, is_real=False))
    with pytest.raises(RefusedError, match="Players join themselves, or an organiser adds them"):
        season_enter(season=ledger.season, player=gil, by=ledger.players["ann"])
    season_enter(season=ledger.season, player=gil, by=gil)
    with pytest.raises(RefusedError, match="You have already joined"):
        season_enter(season=ledger.season, player=gil, by=gil)
    stranger = a_player("hal")
    with pytest.raises(RefusedError, match="belong"):
        season_enter(season=ledger.season, player=stranger, by=stranger)


def test_running_season_blocks_its_campaigns_pairing_and_end(ledger):
    campaign = ledger.campaigns[MEKS]
    with pytest.raises(RefusedError, match="part of the season Long Year, which does the pairings"):
        round_plan(campaign=campaign, by=ledger.organiser)
    with pytest.raises(RefusedError, match="Finish the season first"):
        campaign_move(campaign=campaign, to="finished", by=ledger.organiser)
    season_finish(season=ledger.season, by=ledger.organiser)
    assert round_plan(campaign=campaign, by=ledger.organiser).number == 1


def test_season_is_finished_only_when_all_is_decided(ledger):
    row = by_hand(ledger, ("ann", "ben"))
    with pytest.raises(RefusedError, match="ann against ben is not decided yet"):
        season_finish(season=ledger.season, by=ledger.organiser)
    agree_on_games(ledger, row)
    decide_matches(ledger, row, "ann")
    season_round_draw(season=ledger.season, by=ledger.organiser, way="swiss")
    with pytest.raises(RefusedError, match="A round is planned. Publish or discard it first"):
        season_finish(season=ledger.season, by=ledger.organiser)


def test_played_game_stays_in_the_season(ledger):
    row = by_hand(ledger, ("ann", "ben"))
    agree_on_games(ledger, row, 1)
    with pytest.raises(RefusedError, match="have been played in War of mech-campaign"):
        game_remove(season=ledger.season, game=ledger.game(MECH), by=ledger.organiser)
    game_remove(season=ledger.season, game=ledger.game(STEEL), by=ledger.organiser)
    with pytest.raises(RefusedError, match="at least 2 games"):
        game_remove(season=ledger.season, game=ledger.game(MEKS), by=ledger.organiser)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"name": " "}, "name"),
        ({"win_points": 0}, "win_points"),
        ({"draw_points": 4}, "win_points"),
        ({"agree_days": 14}, "agree_days"),
        ({"cup_size": 1}, "cup_size"),
        ({"cup_size": 99}, "cup_size"),
        ({"tie_breakers": ["destroyed"]}, "tie_breakers"),
        ({"tie_breakers": ["wins", "wins"]}, "tie_breakers"),
        ({"settle_rule": "whim"}, "settle_rule"),
        ({"pace_days": True}, "pace_days"),
    ],
)
def test_invalid_season_setting_is_refused_at_its_field(settings, field):
    club = a_club()
    by = club.memberships.get().player
    with pytest.raises(RefusedError) as refused:
        season_create(club=club, by=by, **{"name": "Year", **settings})
    assert refused.value.field == field
    assert not Season.objects.exists()


def test_points_of_a_running_season_are_fixed(ledger):
    with pytest.raises(
        RefusedError, match="Points for results and companies can't be changed once the season is running"
    ):
        season_change(season=ledger.season, by=ledger.organiser, win_points=2)
    assert season_change(season=ledger.season, by=ledger.organiser, agree_days=5).agree_days == 5
    with pytest.raises(RefusedError, match="already running"):
        season_delete(season=ledger.season, by=ledger.organiser)


def test_season_not_started_can_be_deleted():
    ledger = an_unstarted_season()
    season_delete(season=ledger.season, by=ledger.organiser)
    assert not Season.objects.exists()
    assert ledger.season.club.campaigns.count() == 3


def test_correction_previews_the_right_cup_advancer():
    ledger = a_cup()
    semis = a_round(ledger, "cup")
    agree_on_games(ledger, semis)
    decide_matches(ledger, semis, "ann", "ben")
    final = a_round(ledger, "cup")
    agree_on_games(ledger, final)
    tie = next(each for each in semis.pairings.select_related("match") if each.match.outcome)
    other = {"attacker": Outcome.DEFENDER, "defender": Outcome.ATTACKER}[tie.match.outcome]
    after = VerdictWithoutBattle(state=MatchState.FORFEITED, outcome=other)
    preview = correction_preview(match=tie.match, after=after, mode=FLAG, by=ledger.organiser)
    assert "Semi-final" in preview.season[0]
    assert "The match of round 5 is unchanged but flagged." in preview.season[1]
    correction_apply(match=tie.match, after=after, mode=FLAG, reason="Late.", by=ledger.organiser, token=preview.token)
    assert "should play, not" in Match.objects.get(season_pairing__round=final).flag
    assert ledger.sheet.cup.ties[-1].strays


def test_leaving_the_site_leaves_seasons(ledger):
    row = by_hand(ledger, ("ann", "ben"))
    agree_on_games(ledger, row)
    decide_matches(ledger, row, "ann")
    end_account(ledger.players["ann"], "The old fox")
    assert {line.row.name: line.is_in for line in ledger.sheet.table if line.row.played} == {
        "The old fox": False,
        "ben": True,
    }


def test_late_match_gets_a_deadline_by_the_campaigns_pace(ledger, pairing):
    pairing.round.deadline = pairing.round.agree_by = timezone.now()
    pairing.round.save()
    assert settle_due_pairings() == 1
    pairing.refresh_from_db()
    assert pairing.match.round.deadline > timezone.now() + timedelta(days=13)
