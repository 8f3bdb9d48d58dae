"""Sealed dice: a seed is made from a secret whose hash was published before; meanwhile the secret is hidden.

Pure; docs/sealed-dice.md explains the seed, docs/decisions/0017-where-secrets-live.md how the secret is hidden.
"""

import hashlib
import hmac
from collections.abc import Sequence

SEALED_FORMAT = "muster-dice/1"
HIDING_FORMAT = "muster-dice-hidden/1"


def commitment(secret: str) -> str:
    """Return the hash published before anybody rolls: SHA-256 of the secret's text, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def sealed_seed(secret: str, purpose: str, words: Sequence[str] = ()) -> int:
    """Return the seed of one use of the dice, 0 .. 2^64 - 1: the first 16 hex digits of SHA-256 over these lines."""
    lines = "\n".join([SEALED_FORMAT, secret, purpose, *words])
    return int(hashlib.sha256(lines.encode()).hexdigest()[:16], 16)


def key_name(key: str) -> str:
    """Return the name that a row stores for its secret's key: enough to find the key, not enough to calculate it."""
    return hashlib.sha256(f"{HIDING_FORMAT}\nname\n{key}".encode()).hexdigest()[:16]


def hide_secret(secret: str, key: str, name: str) -> str:
    """Hide 64 hex digits, or show hidden ones again.

    The pad depends on key and name, so a name stands for one secret only. The commitment shows whether the key was
    right.
    """
    pad = hmac.digest(key.encode(), f"{HIDING_FORMAT}\n{name}".encode(), "sha256")
    return bytes(left ^ right for left, right in zip(bytes.fromhex(secret), pad, strict=True)).hex()
