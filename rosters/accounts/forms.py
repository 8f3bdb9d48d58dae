"""Account forms that don't reveal, by their texts or the time they take, which addresses have an account."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm, ResetPasswordForm, ResetPasswordKeyForm, SignupForm
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from rosters.accounts import limits
from rosters.accounts.passwords import ENDS, NEW_PASSWORD, reset_ask
from rosters.accounts.sign_ins import sign_in_note
from rosters.models import SignInOutcome
from rosters.site.mails import mail_server_answers

NO_RESET = "The mail server does not answer, so no mail could be sent. Nothing was changed; ask again in a few minutes."


class ResetForm(ResetPasswordForm):
    """Form to reset a password. A worker looks up the account, and sends either the link or a mail that there is none.

    The mail server is checked before any lookup, so its failure is shown to everybody alike.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "E-mail address"

    def clean_email(self) -> str:
        email: str = get_adapter().clean_email(self.cleaned_data["email"].lower())
        return email

    def save(self, request: HttpRequest, **_more: object) -> str:
        email: str = self.cleaned_data["email"]
        if not mail_server_answers():
            messages.error(request, NO_RESET)
            raise ImmediateHttpResponse(redirect("account_reset_password"))
        reset_ask(email=email)
        return email


class ChangeForm(ChangePasswordForm):
    """Form to change a password. Wrong old passwords count as sign-ins, so that an open session can't guess faster."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        labels = ("Password now", "New password", "New password again")
        for name, label in zip(("oldpassword", "password1", "password2"), labels, strict=True):
            self.fields[name].label = label
        self.fields["password1"].help_text = f"{NEW_PASSWORD} {ENDS}"

    def clean_oldpassword(self) -> str:
        request = context.request
        accounts = [limits.account_key(self.user)]
        try:
            attempt = limits.count_password_attempt(request, accounts)
        except limits.TooManyAttemptsError as refused:
            raise ImmediateHttpResponse(limits.too_many(request, refused.wait)) from refused
        try:
            given: str = super().clean_oldpassword()
        except ValidationError:
            limits.password_wrong(request, accounts)
            sign_in_note(request=request, player=self.user, outcome=SignInOutcome.WRONG_PASSWORD)
            raise
        attempt.give_back()
        return given


class ResetKeyForm(ResetPasswordKeyForm):
    """Form for a new password, for a player who follows the link in a mail."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = f"{NEW_PASSWORD} {ENDS}"


class SignUpForm(SignupForm):
    """Form to sign up. It hashes the password even if the account exists, because hashing takes most of the time."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "E-mail address"
        self.fields["password1"].help_text = NEW_PASSWORD

    def try_save(self, request: HttpRequest) -> tuple[AbstractBaseUser | None, HttpResponse | None]:
        if self.account_already_exists:
            make_password(self.cleaned_data.get("password1"))
        saved: tuple[AbstractBaseUser | None, HttpResponse | None] = super().try_save(request)
        return saved
