"""Password changes: they end the account's tokens, however the password is changed."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser

from rosters.services.players import tokens_end

NEW_PASSWORD = "Eight characters or more, unlike your name and address, and none of those that everybody takes."
ENDS = "Changing it ends all other sessions and the API tokens that you have."


class EndTokensValidator:
    """A validator that accepts everything; Django calls it for every changed password, but not for rehashed ones."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        return None

    def get_help_text(self) -> str:
        return ENDS

    def password_changed(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if user is not None and user.pk is not None:
            tokens_end(player_pk=user.pk)
