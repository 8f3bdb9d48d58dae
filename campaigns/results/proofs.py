"""Whether a match's record was made with its provably fair dice and its lists; checked when it is decided and later."""

from __future__ import annotations

from collections.abc import Iterator

from battles.models import Battle, Record
from battles.services.dice import dice_secret
from campaigns.models import Match
from rosters.services import RefusedError
from systems.documents import DocumentError
from systems.engine.sealed import commitment, sealed_seed
from systems.reading import read_setup
from systems.setups import setup_hash
from systems.simulation.resolve import read_header

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
