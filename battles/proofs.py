"""The proof of a finished battle's dice: the hash published before, and whether secret and seed match it."""

from __future__ import annotations

from dataclasses import dataclass

from battles.models import Battle
from systems.engine.sealed import commitment, sealed_seed


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceProof:
    """The sealed dice of one recorded battle, opened."""

    commitment: str
    purpose: str
    words: tuple[str, ...]
    secret: str
    holds: bool  # the hash matches the secret, and the seed follows from it


def dice_proof(battle: Battle) -> DiceProof | None:
    """Return the proof; None before the dice are open, and for a battle without dice or without a roll. One query."""
    dice = battle.dice if battle.seed else None
    if dice is None or dice.revealed_at is None:
        return None
    words = tuple(text for _, text in dice.words)
    return DiceProof(
        commitment=dice.commitment,
        purpose="battle",
        words=words,
        secret=dice.secret,
        holds=commitment(dice.secret) == dice.commitment
        and str(sealed_seed(dice.secret, "battle", words)) == battle.seed,
    )
