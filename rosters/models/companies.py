"""Models of companies, pilots, units, designs and scenarios, and the append-only ledger that explains their numbers."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Upper
from django.utils import timezone

from rosters.entries import kind_choices
from rosters.models.accounts import Player, Visibility
from systems import system_choices
from systems.text import full_name


class Company(models.Model):
    """A mercenary company of one game."""

    owner = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="companies")
    system = models.SlugField(max_length=40, choices=system_choices)
    name = models.CharField(max_length=60)
    name_upper = models.GeneratedField(expression=Upper("name"), output_field=models.TextField(), db_persist=True)
    motto = models.CharField(max_length=120, blank=True)
    colour = models.CharField(max_length=7, default="#8a2b1d", validators=[RegexValidator(r"^#[0-9a-f]{6}$")])
    emblem = models.CharField(max_length=5, blank=True)  # its code; if empty, it is derived from the name
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
                include=["name_upper", "owner", "system"],
                name="company_public_names",
                condition=models.Q(visibility="public", disbanded_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class OriginKind(models.TextChoices):
    SIGNED = "signed", "exported and signed by this site, unchanged since"
    UNSIGNED = "unsigned", "not signed by this site"
    ARCHIVE = "archive", "from a club archive"


class CompanyOrigin(models.Model):
    """The origin of a company that wasn't founded here. Unless it is proven, its ledger up to then is only a claim."""

    company = models.OneToOneField(Company, on_delete=models.CASCADE, related_name="origin")
    kind = models.CharField(max_length=8, choices=OriginKind)
    imported_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_column="by_id"
    )  # None for the operator
    imported_at = models.DateTimeField(default=timezone.now, db_column="at")
    stood_at = models.DateTimeField(null=True, blank=True)  # time of the last entry, if this site signed it
    last_entry = models.PositiveBigIntegerField()  # ID of the last imported ledger entry
    claims = models.JSONField(default=dict)  # facts about its past, see `rosters.documents.origins`

    def __str__(self) -> str:
        return f"origin of {self.company}"

    @property
    def is_proven(self) -> bool:
        """Whether this site wrote all of the imported ledger."""
        return self.kind == OriginKind.SIGNED


class PilotStatus(models.TextChoices):
    ACTIVE = "active"
    WOUNDED = "wounded"
    DEAD = "dead"
    RETIRED = "retired"
    UNDONE = "undone", "hiring undone"  # the row stays, because the ledger names it


class Pilot(models.Model):
    """A pilot. Experience, kills, games and skills are calculated from the ledger."""

    company = models.ForeignKey(Company, on_delete=models.PROTECT, related_name="pilots")
    name = models.CharField(max_length=60)
    callsign = models.CharField(max_length=30, blank=True)
    status = models.CharField(max_length=8, choices=PilotStatus, default=PilotStatus.ACTIVE)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return full_name(self.name, self.callsign)


class Work(models.Model):
    """Base class of designs and scenarios. Everything that the rules say about a spec is calculated, never stored."""

    system = models.SlugField(max_length=40, choices=system_choices)
    name = models.CharField(max_length=60)
    spec = models.JSONField()
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PRIVATE)
    link_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Design(Work):
    """A player's unit design."""

    author = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="designs")

    class Meta(Work.Meta):
        constraints = [models.UniqueConstraint(fields=["author", "system", "name"], name="design_name_once_per_author")]


class Scenario(Work):
    """A player's own scenario. It can't be played while it has problems."""

    author = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="scenarios")

    class Meta(Work.Meta):
        constraints = [
            models.UniqueConstraint(fields=["author", "system", "name"], name="scenario_name_once_per_author")
        ]
        indexes = [
            models.Index(fields=["name", "id"], name="scenario_public", condition=models.Q(visibility="public")),
        ]


class UnitStatus(models.TextChoices):
    READY = "ready"
    DESTROYED = "destroyed"
    SOLD = "sold"
    UNDONE = "undone", "purchase undone"  # the row stays, because the ledger names it


class Unit(models.Model):
    """A unit of a company: a frozen copy of its design at the purchase, and its condition.

    `condition` is the damage in the game's format. Empty means fully repaired.
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


class Description(models.Model):
    """An owner's texts about a company, a unit or a pilot: a public story, and private notes.

    They aren't part of the ledger. The owner can change and delete them freely, and they are deleted when the owner
    leaves.
    """

    company = models.ForeignKey(Company, on_delete=models.CASCADE, related_name="words")
    unit = models.OneToOneField(Unit, on_delete=models.CASCADE, null=True, blank=True, related_name="words")
    pilot = models.OneToOneField(Pilot, on_delete=models.CASCADE, null=True, blank=True, related_name="words")
    story = models.TextField(blank=True)
    notes = models.TextField(blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "rosters_words"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["company"], name="words_once_of_a_company", condition=models.Q(unit=None, pilot=None)
            ),
            models.CheckConstraint(name="words_of_one", condition=models.Q(unit=None) | models.Q(pilot=None)),
        ]

    def __str__(self) -> str:
        return f"of {self.unit or self.pilot or self.company}"


class Portrait(models.Model):
    """A picture of a company, a unit or a pilot that the player uploaded in place of the drawn one; re-encoded.

    It is stored in the row, so that it is included in backups, rolled back with transactions, and deleted when its
    owner leaves.
    """

    company = models.ForeignKey(Company, on_delete=models.CASCADE, related_name="portraits")
    unit = models.OneToOneField(Unit, on_delete=models.CASCADE, null=True, blank=True, related_name="portrait")
    pilot = models.OneToOneField(Pilot, on_delete=models.CASCADE, null=True, blank=True, related_name="portrait")
    digest = models.CharField(max_length=32)  # of the picture; used in its URL
    picture = models.BinaryField()  # WebP
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    put_up_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["company"], name="portrait_once_of_a_company", condition=models.Q(unit=None, pilot=None)
            ),
            models.CheckConstraint(name="portrait_of_one", condition=models.Q(unit=None) | models.Q(pilot=None)),
        ]

    def __str__(self) -> str:
        return f"of {self.unit or self.pilot or self.company}"


class AppendOnlyError(TypeError):
    """Raised on an attempt to change or delete an append-only row."""


class LedgerEntry(models.Model):
    """A fact about a company, which is never changed. Balances and records are calculated from these entries."""

    company = models.ForeignKey(Company, on_delete=models.PROTECT, related_name="ledger")
    act = models.UUIDField(db_index=True)  # shared by all entries of one act or battle, which are undone together
    kind = models.CharField(max_length=20, choices=kind_choices)
    unit = models.ForeignKey(Unit, on_delete=models.PROTECT, null=True, blank=True, related_name="ledger")
    pilot = models.ForeignKey(Pilot, on_delete=models.PROTECT, null=True, blank=True, related_name="ledger")
    points = models.IntegerField(default=0)  # change of the company's balance
    facts = models.JSONField(default=dict)  # details that depend on the kind, e.g. {"from": "Old", "to": "New"}
    cause = models.CharField(max_length=20)  # "act", "battle", "result", "undo", "ruling", "adjustment", "territories"
    cause_ref = models.CharField(max_length=60, blank=True)  # e.g. the battle's key
    created_by = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_column="by_id"
    )
    created_at = models.DateTimeField(default=timezone.now, db_column="at")
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

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError("Ledger entries are never deleted; write a reversing entry instead.")
