"""Models of players: accounts, tokens, sign-ins, data exports, and accounts that are deleted or merged."""

from __future__ import annotations

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Coalesce, NullIf
from django.utils import timezone
from knox.models import AbstractAuthToken

from rosters.jobs import Job


class PaperSize(models.TextChoices):
    A4 = "a4", "A4"
    LETTER = "letter", "Letter"


class Visibility(models.TextChoices):
    PRIVATE = "private", "only me"
    LINK = "link", "anyone with the link"
    PUBLIC = "public", "everybody"


class Player(AbstractUser):  # type: ignore[django-manager-missing]  # the manager of its tokens has no types
    """A user with an account, or a guest."""

    name_shown = models.CharField("name shown", max_length=60, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    paper = models.CharField(max_length=8, choices=PaperSize, default=PaperSize.A4)
    names_before = models.JSONField(default=list, blank=True, editable=False)  # older texts may still contain them
    leaves_at = models.DateTimeField(
        null=True, blank=True, editable=False
    )  # when the account will be deleted; until then the player can cancel that
    leaves_as = models.CharField(max_length=60, blank=True, editable=False)  # the name that will stay in the history
    left_at = models.DateTimeField(null=True, blank=True, editable=False)  # since then only a name is left
    is_guest = models.BooleanField(default=False, editable=False)  # plays through a club's link; can't sign in

    def __str__(self) -> str:
        return self.name_shown or self.username


def player_display(player: Player) -> str:
    """Return the name that others see of a player."""
    return str(player)


def player_display_name(player: str) -> Coalesce:
    """Return a query expression for the name that others see of the player at this path."""
    return Coalesce(NullIf(f"{player}__name_shown", models.Value("")), f"{player}__username")


class AccessToken(AbstractAuthToken):
    """An API token of a program, with its scopes and its expiry. Only a digest of its secret is stored."""

    name = models.CharField(max_length=60, blank=True)
    scopes = models.CharField(max_length=60, default="read")  # values of rosters.scopes
    used_at = models.DateTimeField(null=True, blank=True)  # accurate to a few minutes

    def __str__(self) -> str:
        return self.name or f"{self.token_key}…"

    @property
    def scope_set(self) -> frozenset[str]:
        return frozenset({"read", *self.scopes.split()})


class SignInOutcome(models.TextChoices):
    OK = "ok", "signed in"
    WRONG_PASSWORD = "password", "wrong password"
    WRONG_CODE = "code", "wrong code"


class SignIn(models.Model):
    """A sign-in or a failed attempt. Kept for MUSTER_KEEP_SIGN_INS_DAYS and shown to the account's owner."""

    player = models.ForeignKey(
        Player, null=True, on_delete=models.CASCADE, related_name="sign_ins"
    )  # None if there is no such account
    occurred_at = models.DateTimeField(default=timezone.now, db_index=True, db_column="at")
    address = models.CharField(max_length=50)  # shortened, so that it doesn't identify a machine
    agent = models.CharField(max_length=60)  # as described by rosters.accounts.sign_ins
    outcome = models.CharField(max_length=8, choices=SignInOutcome)
    second_factor = models.BooleanField(default=False)

    class Meta:
        ordering = ["-occurred_at"]
        indexes = [models.Index(fields=["player", "-occurred_at"], name="sign_in_of_player")]

    def __str__(self) -> str:
        return f"{self.get_outcome_display()} from {self.address}"


class DataExport(Job):
    """An archive of a player's data, packed by a worker. Only the player can download it, for some days."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="takeouts")
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # number of parts to pack; 0 if it isn't known yet
    size = models.PositiveBigIntegerField(null=True)  # bytes
    file = models.FileField(upload_to="takeouts/", blank=True)

    class Meta:
        db_table = "rosters_takeout"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=models.Q(status__in=["queued", "running"]), name="takeout_one_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"data of {self.player}"

    @property
    def file_name(self) -> str:
        """The name of its ZIP in the storage, which is the same for every worker."""
        return f"takeouts/{self.key}.zip"


class CompanyErasure(models.Model):
    """A company that is being deleted; its ledger entries may be deleted while this row exists.

    The row is written and deleted in the transaction that deletes the company; see `rosters.ledger.triggers`.
    """

    company = models.OneToOneField("rosters.Company", on_delete=models.CASCADE, primary_key=True, related_name="+")

    def __str__(self) -> str:
        return f"end of company {self.company_id}"


class AccountMerge(models.Model):
    """A guest who is being replaced by an account; ledger entries may change their player while this row exists.

    The row is written and deleted in the transaction that merges the two; see `rosters.ledger.triggers`.
    """

    before = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="+")
    heir = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")

    class Meta:
        db_table = "rosters_playersuccession"

    def __str__(self) -> str:
        return f"player {self.before_id} becomes player {self.heir_id}"
