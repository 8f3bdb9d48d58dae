"""Check that every decided match is in both companies' ledgers exactly once, for `manage.py reconcile`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from campaigns.models import Correction, CorrectionMode, Match, MatchState
from rosters.entries.games import Game
from rosters.models import LedgerEntry
from systems import SEASONS

MATCH_CHUNK_SIZE = 500  # matches read at a time


def match_differences() -> Iterator[str]:
    """Yield a sentence for each difference; nothing if all is well."""
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
    told = corrections[0].before if corrections else None
    for correction in corrections:
        if correction.mode != CorrectionMode.FLAG:
            told = correction.after or {"state": MatchState.VOID, "battle": ""}
    if told is None:
        return match.state in MatchState.fought() and match.battle is not None
    return told["state"] in MatchState.fought() and bool(told["battle"])
