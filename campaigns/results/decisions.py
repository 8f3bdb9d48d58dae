"""Decide a match: its state, its battle, and the entries in both companies' ledgers. All decisions go through here."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from battles.models import ASKED_BY_SITE, Battle
from battles.services.battles import battle_row, sides_write_effects
from battles.services.dice import dice_open
from battles.services.results import build_result
from campaigns.activity_log import log_match_activity
from campaigns.army_lists.documents import side_forces
from campaigns.army_lists.services import lists_reveal
from campaigns.live_tables import match_table_close
from campaigns.locks import match_lock, require_undecided
from campaigns.models import DecidedBy, Match, MatchState, Outcome, RoundState
from campaigns.notifications import notify
from campaigns.policy import battle_visibility
from campaigns.results.aftermath import game_losses, game_scores
from campaigns.results.checks import describe_record_fault
from campaigns.results.reports import MatchReport
from campaigns.results.selectors import support_names, support_problem
from campaigns.watch_party_holds import watch_party_drop
from rosters.jobs import JobStatus
from rosters.models import Player, Unit
from rosters.services import RefusedError
from rosters.site.job_runs import wake
from systems import battle_rules
from systems.reading import read_setup
from systems.scenarios import SIDES


@transaction.atomic
def match_settle_report(
    *, match: Match, report: MatchReport, state: MatchState, decided_by: DecidedBy, by: Player | None
) -> Match:
    """Decide a match by a report: both companies get the result and the game's aftermath."""
    locked = match_lock(match)
    require_undecided(locked)
    locked = lists_reveal(match=locked)
    battle = battle_from_report(locked, result_of_report(locked, report), uuid.uuid4())
    return _settle_battle(locked, battle, state, decided_by, by)


@transaction.atomic
def match_settle_battle(*, match: Match, battle: Battle, by: Player | None) -> Match:
    """Decide a match by the battle that a worker simulated with both sides' orders."""
    locked = match_lock(match)
    require_undecided(locked)
    if battle.status != JobStatus.DONE or battle.result is None:
        raise RefusedError("battle", "The battle is not over yet.")
    if fault := describe_record_fault(locked, battle):
        raise RefusedError("battle", f"This battle can't decide the match: its record {fault}.")
    return _settle_battle(locked, battle, MatchState.AUTO_RESOLVED, DecidedBy.ORDERS, by)


@transaction.atomic
def match_settle_unfought(
    *, match: Match, state: MatchState, outcome: Outcome, decided_by: DecidedBy, by: Player | None
) -> Match:
    """Decide a match that nobody played: forfeited, refused, void. It changes no ledger."""
    if state in MatchState.fought():
        raise RefusedError("state", "A match that was fought needs its result.")
    locked = match_lock(match)
    require_undecided(locked)
    return _decide(locked, state, outcome, decided_by, by)


def result_of_report(match: Match, report: MatchReport) -> dict[str, object]:
    """Return the result document of the match's battle from the report. Raises RefusedError if it is impossible."""
    setup = read_setup(match.setup or {})
    known = {unit.key for side in setup.sides for unit in side.units}
    for key in report.units:
        if key not in known:
            raise RefusedError(f"units.{key}", _unknown_unit_reason(match, key))
    winner = None if report.winner == "draw" else setup.sides[SIDES.index(report.winner)].name
    used = (report.support.attacker, report.support.defender)
    result = build_result(setup, report.fates, winner, report.rounds, used)
    names = support_names(setup.system)
    for place, side, slugs in zip(SIDES, setup.sides, used, strict=True):
        if problem := support_problem(side.support, slugs, names):
            raise RefusedError(f"support.{place}", f"{side.name} {problem}")
    return result


def _unknown_unit_reason(match: Match, key: str) -> str:
    """Return why a key isn't in this match."""
    number = re.fullmatch(r"u([0-9]{1,9})", key)
    unit = Unit.objects.filter(pk=int(number[1])).first() if number else None
    if unit is None:
        return f"There is no unit “{key}” in this match."
    if unit.company_id in [enrolment.company_id for enrolment in (match.attacker, match.defender) if enrolment]:
        return f"{unit.name} was not fielded in this match."
    return f"The unit “{key}” and its pilot belong to another company than the two of this match."


def battle_from_report(match: Match, result: Mapping[str, object], key: uuid.UUID) -> Battle:
    """Return the battle of a match with revealed lists, as it ended at the table."""
    return battle_row(
        setup=read_setup(match.setup or {}),
        forces=side_forces(match),
        actor=None,  # no owner: the owner of a battle can undo its result
        visitor=ASKED_BY_SITE,
        visibility=battle_visibility(match.round.campaign),
        fought_by_hand=True,
        status=JobStatus.DONE,
        result=result,
        ended_at=timezone.now(),
        key=key,
        dice=match.dice,
    )


def _settle_battle(match: Match, battle: Battle, state: MatchState, decided_by: DecidedBy, by: Player | None) -> Match:
    sides = list(battle.sides.select_related("company"))
    match.battle = battle  # first, because the ledgers accept battles of matches only
    match.save(update_fields=["battle"])
    sides_write_effects(battle=battle, sides=sides, by=by)
    winner = (battle.result or {})["winner"]
    names = [side.name for side in sides]
    outcome = Outcome.DRAW if winner is None else (Outcome.ATTACKER, Outcome.DEFENDER)[names.index(winner)]
    match.figures = battle_figures(battle)
    return _decide(match, state, outcome, decided_by, by)


def battle_figures(battle: Battle) -> dict[str, list[int]]:
    """Return a battle's figures for standings and ratings, of attacker and defender. It needn't be saved."""
    setup = read_setup(battle.setup)
    losses = [game_losses(battle, setup, side.name) for side in setup.sides]
    scored = game_scores(battle, setup)
    return {
        "destroyed": [destroyed for destroyed, _, _ in losses],
        "lost": [lost for _, lost, _ in losses],
        "destroyed_points": [points for _, _, points in losses],
        **({"scored": scored} if scored else {}),
        **({"margin": [margin]} if (margin := battle_margin(battle)) is not None else {}),
    }


def battle_margin(battle: Battle) -> int | None:
    """Return the value of the first side's surviving units less the other's; None if the result lacks a unit."""
    setup = read_setup(battle.setup)
    worths = battle_rules(setup.system).worths(setup)
    lost = {unit["key"]: bool(unit["lost"]) for unit in (battle.result or {})["units"]}
    if not lost.keys() >= worths.keys():
        return None
    left = [sum(worths[unit.key] for unit in side.units if not lost[unit.key]) for side in setup.sides]
    return left[0] - left[1]


def _decide(match: Match, state: MatchState, outcome: Outcome, decided_by: DecidedBy, by: Player | None) -> Match:
    match.state, match.outcome, match.decided_by = state, outcome, decided_by
    match.decided_at, match.decider = timezone.now(), by
    match.flag = ""  # the reason why it wasn't decided
    match.save(update_fields=["state", "outcome", "decided_by", "decided_at", "decider", "battle", "figures", "flag"])
    if match.dice is not None:
        dice_open(dice=match.dice)
    match_table_close(match=match)
    watch_party_drop(match)
    text = f"{match.round}, {match}: {match.get_outcome_display()} ({match.get_decided_by_display()})"
    log_match_activity(match, text, by)
    notify.match_decided(match, by)
    if match.territory_id is not None and match.round.state == RoundState.CLOSED:  # its territories have paid
        campaign = match.round.campaign_id
        transaction.on_commit(lambda: wake("campaigns.tasks.income_settled", campaign))
    return match
