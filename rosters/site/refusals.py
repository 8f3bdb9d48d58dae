"""Refusals: what is told to a player who can't have what he asked for."""

from __future__ import annotations


class RefusedError(ValueError):
    """Raised for what a player can't have: `field` names what he gave, `reason` is a sentence for him."""

    def __init__(self, field: str, reason: str) -> None:
        self.field, self.reason = field, reason
        super().__init__(f"{field}: {reason}")


class OvertakenError(RefusedError):
    """Raised where something was changed since the player looked at it."""


class TooOftenError(RefusedError):
    """Raised for what a player can have later, who has asked for much: `wait` seconds are worth waiting."""

    def __init__(self, field: str, reason: str, wait: int) -> None:
        super().__init__(field, reason)
        self.wait = wait
