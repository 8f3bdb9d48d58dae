"""Check that decided matches and paid income agree with records and ledgers, for `manage.py reconcile`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from django.db.models import Sum

from battles.models import Battle, Record
from battles.services.dice import dice_secret
from campaigns.models import Campaign, Club, Correction, CorrectionMode, Match, MatchState, TerritoryIncome
from campaigns.territories.income import describe_places, income_changes
from rosters.entries.company import TerritoryIncome as Kind
from rosters.entries.games import Game
from rosters.models import LedgerEntry
from rosters.services import RefusedError
from systems import SEASONS
from systems.documents import DocumentError
from systems.engine.dice import commitment, sealed_seed
from systems.reading import read_setup
from systems.setups import setup_hash
from systems.simulation.records import read_header

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
                yield f"{where}: stands {found} times in the ledger of {side.company}, not {wanted}"


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
