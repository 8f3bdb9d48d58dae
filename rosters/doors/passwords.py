"""What goes with a password: tokens made under it end when it changes, by whatever way it does."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser

from rosters.services.players import tokens_end

NEW_PASSWORD = "Eight characters or more, unlike your name and address, and none of those that everybody takes."
ENDS = "Changing it ends all other sessions and the API tokens that you have."


class EndsTokens:
    """A validator of Django's that refuses nothing; Django tells it of every changed password, of no rehashed one."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        return None

    def get_help_text(self) -> str:
        return ENDS

    def password_changed(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if user is not None and user.pk is not None:
            tokens_end(player_pk=user.pk)
