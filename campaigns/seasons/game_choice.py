"""The two players of a pairing agree on a game, or the season's rule decides when their time is up.

Then the match is created in that game's campaign, and is like any other. Every act locks the season's row, so of two at
the same time one is refused.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from battles.services.dice import dice_open, dice_use
from campaigns.arbiters import OWN_CASE, refusal_of
from campaigns.models import (
    Enrolment,
    PairingMethod,
    PairingState,
    Role,
    Round,
    Season,
    SeasonGame,
    SeasonPairing,
    SeasonRound,
    SeasonRoundState,
    SeasonState,
    SettledBy,
)
from campaigns.notifications import notify
from campaigns.planning.services import match_create_outside_pairing
from campaigns.policy import join_with_or, members_of
from campaigns.seasons.queries import PlayableCompany, common_games, games_of, playable_companies
from campaigns.seasons.services import log_season_activity, notify_proposal, season_lock, season_running
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import clean_text
from rosters.site.forms import days_later
from rosters.site.heartbeats import skip_unreadable
from systems import roster_rules
from systems.engine.dice import SeededDice
from systems.legality import join_words

log = logging.getLogger(__name__)
MIN_MATCH_TIME = timedelta(days=1)  # for a match, even if its game is settled late
NO_GAME = "The players have no game in common."


@transaction.atomic
def game_propose(*, pairing: SeasonPairing, game: int, by: Player) -> SeasonPairing:
    """Propose a game (by its id in the season) for a side, replacing an earlier proposal.

    If the other side has proposed the same game, it is agreed.
    """
    season, row = _agreeing(pairing)
    side = _side(row, by)
    known = _common_games(season, row)
    chosen = next((each for each in known if each.pk == game), None)
    if chosen is None:
        named = join_words([roster_rules(each.campaign.system).name for each in known])
        raise RefusedError("game", f"You don't both play this game. Games in common: {named or 'none'}.")
    if row.proposed_id == chosen.pk and row.proposing_side == 1 - side:
        return _settle(row, chosen, SettledBy.AGREEMENT, by)
    if (row.proposed_id, row.proposing_side) != (chosen.pk, side):
        row.proposed, row.proposing_side, row.blocked_reason = chosen, side, ""
        notify_proposal(row)
        row.save(update_fields=["proposed", "proposing_side", "blocked_reason", "last_notices"])
    return row


@transaction.atomic
def game_accept(*, pairing: SeasonPairing, game: int, by: Player) -> SeasonPairing:
    """Accept the other side's proposal. `game` names it, so that nobody accepts a proposal they haven't read."""
    season, row = _agreeing(pairing)
    side = _side(row, by)
    if row.proposed is None or row.proposing_side != 1 - side:
        raise RefusedError("game", "There is no proposal to accept. Propose a game.")
    if row.proposed_id != game:
        raise RefusedError("game", "The other side has proposed a different game. Look at it again.")
    if row.proposed not in _common_games(season, row):
        raise RefusedError("game", "One of you no longer has a company in this game. Propose another.")
    return _settle(row, row.proposed, SettledBy.AGREEMENT, by)


@transaction.atomic
def game_decide(*, pairing: SeasonPairing, game: int, by: Player) -> SeasonPairing:
    """Decide as an organiser which game is played; not in their own pairing, if another organiser can."""
    season, row = _agreeing(pairing)
    own_case = _own_case(season, row, by)
    chosen = next((each for each in _common_games(season, row) if each.pk == game), None)
    if chosen is None:
        raise RefusedError("game", "The players don't both play this game.")
    log_season_activity(season, f"Chose {chosen.campaign.name} for {row}{own_case}", by)
    return _settle(row, chosen, SettledBy.ORGANISER, by)


@transaction.atomic
def pairing_award(*, pairing: SeasonPairing, side: int | None, reason: str, by: Player) -> SeasonPairing:
    """End a pairing that has no match: award it to a side, or with None call it off, so that it counts for nobody.

    An earlier decision like this is corrected, and so is a bye: it is called off, or counts again. An organiser's own
    pairing must be ended by another organiser. If only the opponent is one, each can award it to the other.
    """
    season, row = _locked(pairing)
    own_case = _check_award(season, row, side, by)
    row.reason = clean_text("reason", reason, longest=300)
    row.state, row.awarded = _awarded(row, side)
    row.blocked_reason, row.proposed, row.proposing_side = "", None, None
    row.save(update_fields=["reason", "state", "awarded", "blocked_reason", "proposed", "proposing_side"])
    winner = (row.one, row.two)[side or 0]
    assert winner is not None
    done = f"Cancelled {row}" if side is None else f"Awarded {row} to {winner.player}"
    if row.state == PairingState.BYE:
        done = f"Gave {winner.player} the bye of {row.round} again"
    log_season_activity(season, f"{done}{own_case}: {row.reason}", by)
    _open_dice_if_done(row.round)
    return row


def pairing_begin(*, pairing: SeasonPairing, by: Player | None) -> SeasonPairing | None:
    """Begin a pairing of a round that is being opened: a bye counts, and the only game in common is played.

    Return the pairing if its players have to agree on a game. The season must be locked.
    """
    season = pairing.round.season
    if pairing.two_id is None:
        pairing.state = PairingState.BYE
        pairing.save(update_fields=["state"])
        return None
    known = _common_games(season, pairing)
    if len(known) == 1:
        _settle(pairing, known[0], SettledBy.ONLY, by)
        return None
    if not known:
        _note_no_game(pairing)
        return None
    return pairing


def check_pairings() -> int:
    """Find pairings of open rounds that have lost their last game in common, or have one again. Return how many.

    Run by the timer; running it twice does no harm.
    """
    rows = SeasonPairing.objects.filter(
        state=PairingState.AGREEING, round__state=SeasonRoundState.OPEN, round__season__state=SeasonState.RUNNING
    )
    found: dict[int, list[SeasonPairing]] = {}
    for row in rows.exclude(two=None).select_related("round__season", "one", "two").order_by("pk"):
        found.setdefault(row.round.season_id, []).append(row)
    number = 0
    for pairings in found.values():
        season = pairings[0].round.season
        with skip_unreadable(f"season {season.pk}"):
            games, plays = games_of(season), playable_companies(season)
            for row in pairings:
                assert row.two is not None
                has_game = bool(common_games(games, plays, row.one.player_id, row.two.player_id))
                if has_game == bool(row.blocked_reason):
                    with (
                        skip_unreadable(f"pairing {row.key}"),
                        suppress(RefusedError),
                    ):  # its round was closed meanwhile
                        number += check_pairing(pairing=row)
    return number


@transaction.atomic
def check_pairing(*, pairing: SeasonPairing) -> bool:
    """Update a pairing whose players have lost their last game in common, or have one again. Return whether it changed.

    Players and organisers are notified if there is none. If there is one again and only one, it is played.
    """
    season, row = _locked(pairing)
    if season.state != SeasonState.RUNNING or row.state != PairingState.AGREEING or row.two_id is None:
        return False
    known = _common_games(season, row)
    if bool(known) != bool(row.blocked_reason):
        return False
    if not known:
        _note_no_game(row)
    elif len(known) == 1:
        _settle(row, known[0], SettledBy.ONLY, None)
    else:
        row.blocked_reason = ""
        row.save(update_fields=["blocked_reason"])
    return True


def settle_due_pairings() -> int:
    """Settle pairings that weren't agreed in time, and create matches that were blocked. Return how many.

    Run by the timer; running it twice does no harm.
    """
    waiting = SeasonPairing.objects.filter(
        round__state=SeasonRoundState.OPEN, round__season__state=SeasonState.RUNNING, match=None
    ).exclude(two=None)
    late = waiting.filter(state=PairingState.AGREEING, round__agree_by__lte=timezone.now())
    stuck = waiting.filter(state=PairingState.SETTLED)
    rows = late.select_related("round__season") | stuck.select_related("round__season")
    number = 0
    for row in rows.order_by("pk"):
        with skip_unreadable(f"pairing {row.key}"):
            try:
                number += settle_due_pairing(pairing=row)
            except RefusedError as error:
                log.info("%s: %s", row.key, error)
    return number


@transaction.atomic
def settle_due_pairing(*, pairing: SeasonPairing) -> bool:
    """Settle one pairing by the season's rule if it is due. Return whether it got its match."""
    season, row = _locked(pairing)
    if season.state != SeasonState.RUNNING or row.match_id is not None or row.two_id is None:
        return False
    if row.state == PairingState.SETTLED:
        return _create_match(row, None).match_id is not None
    is_late = row.round.agree_by is not None and row.round.agree_by <= timezone.now()
    if row.state != PairingState.AGREEING or not is_late:
        return False
    known = _common_games(season, row)
    if not known:
        if not row.blocked_reason:
            _note_no_game(row)
        return False
    chosen, how = known[0], SettledBy.ORDER
    if row.round.dice is not None and len(known) > 1:
        seed = dice_use(dice=row.round.dice, purpose=f"game-{row.number}")
        chosen, how = known[SeededDice(seed).choice(len(known))], SettledBy.LOT
    return _settle(row, chosen, how, None).match_id is not None


# --- parts ------------------------------------------------------------------------------------------------------------


def _locked(pairing: SeasonPairing) -> tuple[Season, SeasonPairing]:
    """Return the season, locked, and the pairing as it is now. Raise RefusedError if its round isn't open."""
    season = season_lock(pairing.round.season)
    rows = SeasonPairing.objects.select_related(
        "round__season__club", "round__dice", "one__player", "two__player", "proposed__campaign", "game__campaign"
    )
    row = rows.filter(pk=pairing.pk).first()
    if row is None or row.round.state != SeasonRoundState.OPEN:
        raise RefusedError("pairing", "This pairing's round isn't open.")
    return season, row


def _agreeing(pairing: SeasonPairing) -> tuple[Season, SeasonPairing]:
    season, row = _locked(pairing)
    season_running(season)
    if row.state != PairingState.AGREEING:
        if row.state == PairingState.SETTLED and row.game:
            raise RefusedError("game", f"The game is already chosen: {roster_rules(row.game.campaign.system).name}.")
        raise RefusedError("game", f"This pairing is {_describe_award(row)}, so it needs no game.")
    return season, row


def _side(row: SeasonPairing, by: Player) -> int:
    """Return the player's side: 0 or 1."""
    if row.one.player_id == by.pk:
        return 0
    if row.two is not None and row.two.player_id == by.pk:
        return 1
    raise RefusedError("pairing", "This isn't your pairing.")


def _awarded(row: SeasonPairing, side: int | None) -> tuple[PairingState, int | None]:
    """Return the state of a pairing that ends like this, and the side that it is awarded to."""
    if side is None:
        return PairingState.CALLED_OFF, None
    return (PairingState.BYE, None) if row.two_id is None else (PairingState.AWARDED, side)


def _check_award(season: Season, row: SeasonPairing, side: int | None, by: Player) -> str:
    """Raise RefusedError if a pairing can't be ended like this. Return a note for the log on an organiser's own one."""
    season_running(season)
    if row.round.state != SeasonRoundState.OPEN:
        raise RefusedError("pairing", "This pairing's round isn't open.")
    if row.match_id is not None:
        raise RefusedError("pairing", "This pairing already has a match. Ask an arbiter to rule on that.")
    is_bye = row.two_id is None
    if side not in ((0, None) if is_bye else (0, 1, None)):
        raise RefusedError("side", "A bye has one side." if is_bye else "A pairing has two sides.")
    gives = side is not None and not is_bye and side != _side_or_none(row, by)
    own_case = _own_case(season, row, by, concedes=gives)
    is_decided = row.state not in (PairingState.AGREEING, PairingState.SETTLED)
    if own_case and is_decided and not gives and not (is_bye and side is None):
        raise RefusedError(
            "pairing", "This is your own pairing and already decided, so another organiser has to do this."
        )
    if (row.state, row.awarded) == _awarded(row, side):
        raise RefusedError("pairing", f"This pairing is already {_describe_award(row)}.")
    _check_cup(season, row)
    return own_case


def award_choices(pairing: SeasonPairing, by: Player) -> tuple[tuple[int | None, ...], str]:
    """Return how an organiser can end a pairing without a match, or why they can't at all. Locks nothing."""
    allowed: list[int | None] = []
    refusal = ""
    for side in (0, 1, None) if pairing.two_id is not None else (0, None):
        try:
            _check_award(pairing.round.season, pairing, side, by)
            allowed.append(side)
        except RefusedError as error:
            refusal = error.reason
    return tuple(allowed), "" if allowed else refusal


def decide_refusal(pairing: SeasonPairing, by: Player) -> str:
    """Return why an organiser can't decide which game a pairing plays; empty if they can."""
    return refusal_of(lambda: _own_case(pairing.round.season, pairing, by))


def _side_or_none(row: SeasonPairing, by: Player) -> int | None:
    sides = [each.player_id if each is not None else None for each in (row.one, row.two)]
    return sides.index(by.pk) if by.pk in sides else None


def _describe_award(row: SeasonPairing) -> str:
    """Return how a pairing without a match ended, in words."""
    if row.state == PairingState.AWARDED:
        winner = (row.one, row.two)[row.awarded or 0]
        return f"awarded to {winner.player}" if winner is not None else "awarded"
    return "a bye" if row.state == PairingState.BYE else row.get_state_display()


def _check_cup(season: Season, row: SeasonPairing) -> None:
    """Raise RefusedError if a later cup round was drawn from this decided tie."""
    if row.place is None or row.state in (PairingState.AGREEING, PairingState.SETTLED):
        return
    if season.rounds.filter(way=PairingMethod.CUP, number__gt=row.round.number).exists():
        raise RefusedError("pairing", "A later cup round depends on this pairing, so it can't be changed.")


def _common_games(season: Season, row: SeasonPairing) -> list[SeasonGame]:
    """Return the games that both play, in the season's order."""
    if row.two is None:
        return []
    known = common_games(games_of(season), playable_companies(season), row.one.player_id, row.two.player_id)
    rows = season.games.select_related("campaign__club").in_bulk([each.id for each in known])
    return [rows[each.id] for each in known]


def _note_no_game(row: SeasonPairing) -> None:
    """Note that there is no game in common, drop any proposal, and notify players and organisers."""
    row.blocked_reason, row.proposed, row.proposing_side, row.last_notices = NO_GAME, None, None, {}
    row.save(update_fields=["blocked_reason", "proposed", "proposing_side", "last_notices"])
    notify.season_no_game(row)


def _settle(row: SeasonPairing, game: SeasonGame, how: SettledBy, by: Player | None) -> SeasonPairing:
    row.state, row.game, row.settled_by, row.settled_at = PairingState.SETTLED, game, how, timezone.now()
    row.proposed, row.proposing_side, row.blocked_reason = None, None, ""
    row.save(
        update_fields=["state", "game", "settled_by", "settled_at", "proposed", "proposing_side", "blocked_reason"]
    )
    played = _create_match(row, by)
    _open_dice_if_done(row.round)
    return played


def _create_match(row: SeasonPairing, by: Player | None) -> SeasonPairing:
    """Create the match of a settled pairing, or note why it can't be created."""
    assert row.game is not None
    assert row.two is not None
    season, now = row.round.season, timezone.now()
    plays = playable_companies(season)
    sides = [plays.get(each.player_id, {}).get(row.game.pk) for each in (row.one, row.two)]
    deadline = row.round.deadline or now
    if deadline < now + MIN_MATCH_TIME:
        deadline = days_later(now, row.game.campaign.pace_days, by.time_zone if by else "")
    try:
        with transaction.atomic():
            one, two = _enrolments(row, sides)
            campaign = row.game.campaign
            row.match = match_create_outside_pairing(
                campaign=campaign, one=one, two=two, deadline=deadline, beside=_shared_round(row), by=by
            )
            row.one_attacks, row.blocked_reason = row.match.attacker_id == one.pk, ""
            row.save(update_fields=["match", "one_attacks", "blocked_reason"])
    except RefusedError as error:
        row.match, row.blocked_reason = None, error.reason[:300]
        row.save(update_fields=["match", "blocked_reason"])
    return row


def _enrolments(row: SeasonPairing, sides: Sequence[PlayableCompany | None]) -> tuple[Enrolment, Enrolment]:
    found = []
    for side, entrant in zip(sides, (row.one, row.two), strict=True):
        if side is None:
            assert entrant is not None
            assert row.game is not None
            reason = f"{entrant.player} no longer has a company in {row.game.campaign.name}."
            raise RefusedError("game", reason)
        found.append(Enrolment.objects.select_related("company", "campaign").get(pk=side.enrolment))
    return found[0], found[1]


def _shared_round(row: SeasonPairing) -> Round | None:
    """Return the campaign's round in which other pairings of this season's round are played."""
    assert row.game is not None
    rounds = Round.objects.filter(
        matches__season_pairing__round=row.round_id, campaign=row.game.campaign_id, deadline__gte=row.round.deadline
    )
    return rounds.order_by("-number").first()


def _open_dice_if_done(round_: SeasonRound) -> None:
    """Open the dice of a round if nothing is left to draw."""
    if round_.dice_id is None or round_.pairings.filter(state=PairingState.AGREEING).exclude(two=None).exists():
        return
    dice = SeasonRound.objects.select_related("dice").get(pk=round_.pk).dice
    assert dice is not None
    dice_open(dice=dice)


def _own_case(season: Season, row: SeasonPairing, by: Player, *, concedes: bool = False) -> str:
    """Return a note for the log if an organiser decides on their own pairing. Raise RefusedError if another could.

    An opponent who is an organiser doesn't count as another, but may concede.
    """
    players = {row.one.player_id, row.two.player_id if row.two else None}
    if by.pk not in players:
        return ""
    others = [each for each in members_of(season.club, [Role.ORGANISER]) if each.is_active and each.pk != by.pk]
    free = [each for each in others if each.pk not in players]
    if not free and others and not concedes:
        raise RefusedError("pairing", "This is your own pairing. Agree on a game, or concede.")
    if free:
        raise RefusedError("pairing", f"This is your own pairing, so {join_with_or(free)} has to do this.")
    return f" ({OWN_CASE})"
