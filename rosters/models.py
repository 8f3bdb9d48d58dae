"""Companies, pilots, units, designs and the append-only ledger that explains every number of them."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone

from rosters.jobs import Job
from rosters.systems import system_choices


class Paper(models.TextChoices):
    A4 = "a4", "A4"
    LETTER = "letter", "Letter"


class Visibility(models.TextChoices):
    PRIVATE = "private", "only me"
    LINK = "link", "anyone with the link"
    PUBLIC = "public", "everybody"


class Player(AbstractUser):
    """Somebody with an account."""

    name_shown = models.CharField("name shown", max_length=60, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    paper = models.CharField(max_length=8, choices=Paper, default=Paper.A4)

    def __str__(self) -> str:
        return self.name_shown or self.username


def player_display(player: Player) -> str:
    """What others see of a player."""
    return str(player)


class Company(models.Model):
    """A mercenary company of one rule system."""

    owner = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="companies")
    system = models.SlugField(max_length=40, choices=system_choices)
    name = models.CharField(max_length=60)
    motto = models.CharField(max_length=120, blank=True)
    colour = models.CharField(max_length=7, default="#8a2b1d", validators=[RegexValidator(r"^#[0-9a-f]{6}$")])
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PRIVATE)
    link_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    catalogue_release = models.CharField(max_length=20)
    disbanded_at = models.DateTimeField(null=True, blank=True)
    founded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name_plural = "companies"
        indexes = [
            models.Index(fields=["owner", "name", "id"], name="company_of_owner"),
            models.Index(
                fields=["name", "id"],
                name="company_public",
                condition=models.Q(visibility="public", disbanded_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PilotStatus(models.TextChoices):
    ACTIVE = "active"
    WOUNDED = "wounded"
    DEAD = "dead"
    RETIRED = "retired"
    UNDONE = "undone", "hiring undone"  # the row stays, because the ledger names it


class Pilot(models.Model):
    """Who sits in a unit. Experience, kills, games and skills are folds of the ledger."""

    company = models.ForeignKey(Company, on_delete=models.PROTECT, related_name="pilots")
    name = models.CharField(max_length=60)
    callsign = models.CharField(max_length=30, blank=True)
    status = models.CharField(max_length=8, choices=PilotStatus, default=PilotStatus.ACTIVE)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name} “{self.callsign}”" if self.callsign else self.name


class Design(models.Model):
    """A player's build of a unit. Points and problems are computed from the spec, never stored."""

    author = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="designs")
    system = models.SlugField(max_length=40, choices=system_choices)
    name = models.CharField(max_length=60)
    spec = models.JSONField()
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PRIVATE)
    link_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [models.UniqueConstraint(fields=["author", "system", "name"], name="design_name_once_per_author")]

    def __str__(self) -> str:
        return self.name


class Scenario(models.Model):
    """A player's own scenario. Its problems are computed from the spec, never stored; with one it can't be played."""

    author = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="scenarios")
    system = models.SlugField(max_length=40, choices=system_choices)
    name = models.CharField(max_length=60)
    spec = models.JSONField()
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PRIVATE)
    link_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["author", "system", "name"], name="scenario_name_once_per_author")
        ]
        indexes = [
            models.Index(fields=["name", "id"], name="scenario_public", condition=models.Q(visibility="public")),
        ]

    def __str__(self) -> str:
        return self.name


class UnitStatus(models.TextChoices):
    READY = "ready"
    DESTROYED = "destroyed"
    SOLD = "sold"
    UNDONE = "undone", "purchase undone"  # the row stays, because the ledger names it


class Unit(models.Model):
    """A machine of a company: the design it was bought as, frozen, and its condition.

    `condition` holds what is not whole, as the rule system has it. An empty one is a unit in full repair.
    """

    company = models.ForeignKey(Company, on_delete=models.PROTECT, related_name="units")
    name = models.CharField(max_length=60)
    design_name = models.CharField(max_length=60)
    spec = models.JSONField()
    pilot = models.OneToOneField(Pilot, on_delete=models.PROTECT, null=True, blank=True, related_name="unit")
    condition = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=9, choices=UnitStatus, default=UnitStatus.READY)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return self.name


class AppendOnlyError(TypeError):
    """Raised when somebody tries to change or delete what is written once."""


class LedgerEntry(models.Model):
    """One fact about a company, written once; balances and records are folds of these."""

    class Kind(models.TextChoices):
        FOUNDED = "founded"
        BOUGHT = "bought"
        SOLD = "sold"
        HIRED = "hired"
        RETIRED = "retired"
        ASSIGNED = "assigned"
        RENAMED = "renamed"
        CHANGED = "changed"
        DISBANDED = "disbanded"
        FOUGHT = "fought"
        KILL = "kill"
        DAMAGED = "damaged"
        DESTROYED = "destroyed"
        WOUNDED = "wounded"
        DIED = "died"
        SKILL_GAINED = "skill-gained"
        PROMOTED = "promoted"
        UNHURT = "unhurt"
        RECOVERED = "recovered"
        SKILL_ROLLED = "skill-rolled"
        EXPERIENCE = "experience"
        RETURNED = "returned"
        GAME = "game"
        REPAIRED = "repaired"
        ADJUSTED = "adjusted"
        REVERSED = "reversed"

    company = models.ForeignKey(Company, on_delete=models.PROTECT, related_name="ledger")
    act = models.UUIDField(
        db_index=True
    )  # entries of one act of a player, one battle ... share it and are undone together
    kind = models.CharField(max_length=20, choices=Kind)
    unit = models.ForeignKey(Unit, on_delete=models.PROTECT, null=True, blank=True, related_name="ledger")
    pilot = models.ForeignKey(Pilot, on_delete=models.PROTECT, null=True, blank=True, related_name="ledger")
    points = models.IntegerField(default=0)  # what it does to the company's balance
    facts = models.JSONField(default=dict)  # kind's own facts, e.g. {"from": "Old", "to": "New"}
    cause = models.CharField(max_length=20)  # "act", "battle", "result", "undo", "ruling"
    cause_ref = models.CharField(max_length=60, blank=True)  # e.g. the battle's key
    by = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    reverses = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="reversed_by")

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "ledger entries"
        indexes = [
            models.Index(fields=["company", "id"], name="ledger_of_company"),
            models.Index(fields=["company", "cause_ref"], name="ledger_by_cause", condition=~models.Q(cause_ref="")),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.points:+d})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError("Ledger entries are never changed; write a reversing entry instead.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError("Ledger entries are never deleted; write a reversing entry instead.")


class PrintJob(Job):
    """Paper asked for: cards or datasheets of a company or a design, rendered by a worker."""

    class Kind(models.TextChoices):
        CARDS = "cards", "unit cards"
        SHEETS = "sheets", "datasheets"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="prints")
    company = models.ForeignKey(Company, on_delete=models.CASCADE, null=True, blank=True, related_name="prints")
    title = models.CharField(max_length=120)
    kind = models.CharField(max_length=8, choices=Kind)
    paper = models.CharField(max_length=8, choices=Paper, default=Paper.A4)
    content = models.JSONField()  # what is printed, frozen when asked: a list of unit documents
    duplex = models.BooleanField(default=True)  # cards only: backs on the page after
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor without account
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # what there is to draw; 0: not known yet
    warning = models.CharField(max_length=300, blank=True)  # e.g. characters that no font on the machine has
    pages = models.PositiveIntegerField(null=True)
    seconds = models.FloatField(null=True)
    file = models.FileField(upload_to="prints/", blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title
