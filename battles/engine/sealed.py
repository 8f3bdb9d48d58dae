"""Sealed dice: how a seed is made of a secret whose hash was published before. Pure; docs/sealed-dice.md shows it."""

import hashlib
from collections.abc import Sequence

FORMAT = "muster-dice/1"


def commitment(secret: str) -> str:
    """What is published before anybody rolls: SHA-256 of the secret's text, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def sealed_seed(secret: str, purpose: str, words: Sequence[str] = ()) -> int:
    """The seed of one use of the dice, 0 .. 2^64 - 1: the first 16 hex digits of SHA-256 over these lines."""
    lines = "\n".join([FORMAT, secret, purpose, *words])
    return int(hashlib.sha256(lines.encode()).hexdigest()[:16], 16)
