"""Refusals: errors for players who can't have what they asked for."""

from __future__ import annotations


class RefusedError(ValueError):
    """Raised for something a player can't have: `field` names their input, `reason` is a sentence for them."""

    def __init__(self, field: str, reason: str) -> None:
        self.field, self.reason = field, reason
        super().__init__(f"{field}: {reason}")


class OvertakenError(RefusedError):
    """Raised if something was changed since the player opened it."""


class TooOftenError(RefusedError):
    """Raised for something a player can only have later, after many requests; `wait` is the seconds to wait."""

    def __init__(self, field: str, reason: str, wait: int) -> None:
        super().__init__(field, reason)
        self.wait = wait
