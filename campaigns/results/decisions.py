"""Decide a match: its state, its battle, and the entries in both companies' ledgers. All decisions go through here.

For `manage.py reconcile`, check that decided matches and paid income agree with records and ledgers.
"""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from battles.models import ASKED_BY_SITE, Battle, Record
from battles.services.battles import battle_row, sides_write_effects
from battles.services.dice import dice_open, dice_secret
from battles.services.results import build_result
from campaigns.activity_log import log_match_activity
from campaigns.army_lists.documents import side_forces
from campaigns.army_lists.services import lists_reveal
from campaigns.live_tables import match_table_close
from campaigns.locks import match_lock, require_undecided
from campaigns.models import (
    Campaign,
    Club,
    Correction,
    CorrectionMode,
    DecidedBy,
    Match,
    MatchState,
    Outcome,
    RoundState,
    TerritoryIncome,
)
from campaigns.notifications import notify
from campaigns.policy import battle_visibility
from campaigns.results.aftermath import game_losses, game_scores
from campaigns.results.reports import MatchReport
from campaigns.results.selectors import support_names, support_problem
from campaigns.territories.income import describe_places, income_changes
from campaigns.watch_party_holds import watch_party_drop
from rosters.entries.company import Game
from rosters.entries.company import TerritoryIncome as Kind
from rosters.jobs import JobStatus
from rosters.models import LedgerEntry, Player, Unit
from rosters.services import RefusedError
from rosters.site.job_runs import wake
from systems import SEASONS, battle_rules
from systems.documents import DocumentError
from systems.engine.dice import commitment, sealed_seed
from systems.reading import read_setup
from systems.scenarios import SIDES
from systems.setups import setup_hash
from systems.simulation.records import read_header


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
        raise RefusedError("battle", "The battle isn't over yet.")
    if fault := describe_record_fault(locked, battle):
        raise RefusedError("battle", f"This battle can't decide the match: its record {fault}.")
    return _settle_battle(locked, battle, MatchState.AUTO_RESOLVED, DecidedBy.ORDERS, by)


@transaction.atomic
def match_settle_unfought(
    *, match: Match, state: MatchState, outcome: Outcome, decided_by: DecidedBy, by: Player | None
) -> Match:
    """Decide a match that nobody played: forfeited, refused, void. It changes no ledger."""
    if state in MatchState.fought():
        raise RefusedError("state", "A match that was played needs a result.")
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
        return f"{unit.name} wasn't fielded in this match."
    return f"The unit “{key}” and its pilot don't belong to either company of this match."


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


RECORD_CHUNK_SIZE = 100  # matches read at a time, each with its record


def describe_record_fault(match: Match, battle: Battle) -> str:
    """Return what is wrong with the record of a battle that decides the match; empty if nothing is.

    Records of earlier versions don't name their dice; the seed must still be that of the match's dice. Raises
    DiceKeyLostError.
    """
    record = Record.objects.filter(battle=battle).first()
    if record is None:
        return "was not written"
    try:
        header, wanted = read_header(record.text), setup_hash(read_setup(match.setup or {}))
    except DocumentError as error:
        return f"can't be read: {error}"
    if header.setup_hash != wanted:
        return "is not of its forces"
    if match.dice is None:
        return ""
    words = tuple(text for _, text in match.dice.words)
    named = header.dice
    if named is not None and (named.commitment, named.words) != (match.dice.commitment, words):
        return "was not fought on its dice"
    is_sealed = header.seed == sealed_seed(dice_secret(match.dice), "battle", words)
    return "" if is_sealed and (named is None or named.is_committed) else "was not fought on its dice"


def proof_differences() -> Iterator[str]:
    """Yield what `manage.py reconcile` reports about decided matches whose dice or records are wrong."""
    rows = Match.objects.exclude(battle=None, dice__revealed_at=None).select_related(
        "round__campaign", "attacker__company", "defender__company", "battle", "dice"
    )
    after = 0
    while chunk := list(rows.filter(pk__gt=after).order_by("pk")[:RECORD_CHUNK_SIZE]):
        for match in chunk:
            where = f"match {match.key} ({match.round.campaign}, {match.round}, {match})"
            yield from (f"{where}: {what}" for what in match_faults(match))
        after = chunk[-1].pk


def match_faults(match: Match) -> Iterator[str]:
    dice, battle = match.dice, match.battle
    if dice is not None and dice.revealed_at is not None and commitment(dice.secret) != dice.commitment:
        yield "its dice show a secret that was not sealed"
    elif battle is not None and not battle.fought_by_hand:
        try:
            fault = describe_record_fault(match, battle)
        except RefusedError:
            fault = "can't be checked: the key is missing that its dice were sealed under"
        if fault:
            yield f"its record {fault}"


MATCH_CHUNK_SIZE = 500  # matches read at a time


def match_differences() -> Iterator[str]:
    """Yield a sentence for each difference between decided matches and ledgers."""
    played = Match.objects.filter(setup__isnull=False, round__campaign__system__in=list(SEASONS))
    rows = played.select_related("round__campaign", "attacker__company", "defender__company", "battle").order_by("pk")
    after = 0
    while chunk := list(rows.filter(pk__gt=after)[:MATCH_CHUNK_SIZE]):
        yield from find_differences(chunk)
        after = chunk[-1].pk


def find_differences(matches: Sequence[Match]) -> Iterator[str]:
    """Yield a sentence for each difference in these matches."""
    corrections: dict[int, list[Correction]] = {}
    for correction in Correction.objects.filter(match__in=matches).order_by("pk"):
        corrections.setdefault(correction.match_id, []).append(correction)
    keys = {match.pk: _keys(match, corrections.get(match.pk, [])) for match in matches}
    counts = Counter(
        LedgerEntry.objects.filter(
            kind=Game.slug,
            cause_ref__in=[key for each in keys.values() for key in each],
            reverses=None,
            reversed_by=None,
        ).values_list("cause_ref", "company")
    )
    for match in matches:
        wanted = 1 if _is_booked(match, corrections.get(match.pk, [])) else 0
        for side in (match.attacker, match.defender):
            if side is None:
                continue
            found = sum(counts[key, side.company_id] for key in keys[match.pk])
            if found != wanted:
                where = f"match {match.key} ({match.round.campaign}, {match.round}, {match})"
                yield f"{where}: appears {found} times in the ledger of {side.company}, not {wanted}"


def _keys(match: Match, corrections: Sequence[Correction]) -> set[str]:
    """Return the keys of all battles that decide the match or have decided it."""
    keys = {each.before.get("battle", "") for each in corrections}
    return (keys | {str(match.battle.key) if match.battle else ""}) - {""}


def _is_booked(match: Match, corrections: Sequence[Correction]) -> bool:
    """Return whether the ledgers should hold a result. Corrections in the mode FLAG leave the ledgers unchanged."""
    verdict = corrections[0].before if corrections else None
    for correction in corrections:
        if correction.mode != CorrectionMode.FLAG:
            verdict = correction.after or {"state": MatchState.VOID, "battle": ""}
    if verdict is None:
        return match.state in MatchState.fought() and match.battle is not None
    return verdict["state"] in MatchState.fought() and bool(verdict["battle"])


def income_differences(club: Club | None = None) -> Iterator[str]:
    """Yield a sentence for each difference between territory income and ledgers, in one club's campaigns if given."""
    campaigns = Campaign.objects.all() if club is None else Campaign.objects.filter(club=club)
    standing = LedgerEntry.objects.filter(kind=Kind.slug, reverses=None, reversed_by=None).order_by()
    rows = TerritoryIncome.objects.filter(round__campaign__in=campaigns)
    for row in rows.select_related("round__campaign", "enrolment__company").order_by("pk"):
        company = row.enrolment.company_id
        found = standing.filter(company=company, cause_ref=str(row.key)).aggregate(total=Sum("points"))["total"] or 0
        if found != row.points:
            where = f"territories of {row.round} of {row.round.campaign}"
            yield f"{where}: the ledger of {row.enrolment.company} has {found} points of them, not {row.points}"
    for campaign in campaigns.filter(rounds__settled_at__isnull=False).distinct().order_by("pk"):
        for each in income_changes(campaign):
            owed, stands = describe_places(each.after) or "nothing", describe_places(each.before) or "nothing"
            where = f"territories of {each.row.round} of {campaign}"
            yield f"{where}: {each.company} has {stands} of them and is owed {owed}"
