"""Companies, pilots, units, designs and the append-only ledger that explains all their numbers."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Coalesce, NullIf, Upper
from django.utils import timezone
from knox.models import AbstractAuthToken

from rosters.entries import kind_choices
from rosters.jobs import Job
from systems import system_choices
from systems.text import full_name


class PaperSize(models.TextChoices):
    A4 = "a4", "A4"
    LETTER = "letter", "Letter"


class Visibility(models.TextChoices):
    PRIVATE = "private", "only me"
    LINK = "link", "anyone with the link"
    PUBLIC = "public", "everybody"


class Player(AbstractUser):  # type: ignore[django-manager-missing]  # of its tokens, whose manager carries no types
    """A user with an account, or a guest."""

    name_shown = models.CharField("name shown", max_length=60, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    paper = models.CharField(max_length=8, choices=PaperSize, default=PaperSize.A4)
    names_before = models.JSONField(default=list, blank=True, editable=False)  # older texts still have them
    leaves_at = models.DateTimeField(
        null=True, blank=True, editable=False
    )  # they asked to leave; they can change their mind until then
    leaves_as = models.CharField(max_length=60, blank=True, editable=False)  # the name under which their history stays
    left_at = models.DateTimeField(null=True, blank=True, editable=False)  # only a name is left
    is_guest = models.BooleanField(default=False, editable=False)  # plays through a club's link; can't sign in

    def __str__(self) -> str:
        return self.name_shown or self.username


def player_display(player: Player) -> str:
    """Return the name that others see of a player."""
    return str(player)


def name_shown(player: str) -> Coalesce:
    """Return the same as a query expression, for the player at this path."""
    return Coalesce(NullIf(f"{player}__name_shown", models.Value("")), f"{player}__username")


class AccessToken(AbstractAuthToken):
    """A program's API token: what it may do besides reading, and until when. Only a digest of its secret is stored."""

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
    )  # None: no such account
    at = models.DateTimeField(default=timezone.now, db_index=True)
    address = models.CharField(max_length=50)  # shortened, so that it identifies no machine
    agent = models.CharField(max_length=60)  # as described by rosters.accounts.sign_ins
    outcome = models.CharField(max_length=8, choices=SignInOutcome)
    second_factor = models.BooleanField(default=False)

    class Meta:
        ordering = ["-at"]
        indexes = [models.Index(fields=["player", "-at"], name="sign_in_of_player")]

    def __str__(self) -> str:
        return f"{self.get_outcome_display()} from {self.address}"


class Company(models.Model):
    """A mercenary company of one rule system."""

    owner = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="companies")
    system = models.SlugField(max_length=40, choices=system_choices)
    name = models.CharField(max_length=60)
    name_upper = models.GeneratedField(expression=Upper("name"), output_field=models.TextField(), db_persist=True)
    motto = models.CharField(max_length=120, blank=True)
    colour = models.CharField(max_length=7, default="#8a2b1d", validators=[RegexValidator(r"^#[0-9a-f]{6}$")])
    emblem = models.CharField(max_length=5, blank=True)  # its code; empty: derived from the name
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
    SIGNED = "signed", "exported and signed by this site, and unchanged since"
    UNSIGNED = "unsigned", "a document that this site has not signed"
    ARCHIVE = "archive", "the archive of a club"


class CompanyOrigin(models.Model):
    """How a company that was not founded here got here. Its ledger up to then is only a claim about its past."""

    company = models.OneToOneField(Company, on_delete=models.CASCADE, related_name="origin")
    kind = models.CharField(max_length=8, choices=OriginKind)
    by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )  # None: the operator
    at = models.DateTimeField(default=timezone.now)
    stood_at = models.DateTimeField(null=True, blank=True)  # if signed by this site: the time of its last entry
    last_entry = models.PositiveBigIntegerField()  # of the ledger that it came with
    claims = models.JSONField(default=dict)  # the facts it came with, see `rosters.documents.origins`

    def __str__(self) -> str:
        return f"origin of {self.company}"

    @property
    def is_proven(self) -> bool:
        """Whether everything it came with was written on this site before."""
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
    """Something a player made. Everything its rules say about the spec is calculated, never stored."""

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
    """A unit of a company: a frozen copy of the design it was bought as, and its condition.

    `condition` holds the damage in the rule system's format. Empty means fully repaired.
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
    """An owner's texts about their company, one of its units or one of its pilots: a public story, and private notes.

    They are not part of the ledger: the owner changes and deletes them freely, and they are deleted when the owner
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
    """A player's own picture of a company, a unit or a pilot, instead of the drawn one; re-encoded by this site.

    It is stored in the row, so that it follows the row in backups, in transactions that roll back, and when its owner
    leaves.
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
    """One fact about a company, written once; balances and records are calculated from these."""

    company = models.ForeignKey(Company, on_delete=models.PROTECT, related_name="ledger")
    act = models.UUIDField(
        db_index=True
    )  # entries of one act of a player, one battle ... share it and are undone together
    kind = models.CharField(max_length=20, choices=kind_choices)
    unit = models.ForeignKey(Unit, on_delete=models.PROTECT, null=True, blank=True, related_name="ledger")
    pilot = models.ForeignKey(Pilot, on_delete=models.PROTECT, null=True, blank=True, related_name="ledger")
    points = models.IntegerField(default=0)  # change of the company's balance
    facts = models.JSONField(default=dict)  # facts of this kind, e.g. {"from": "Old", "to": "New"}
    cause = models.CharField(max_length=20)  # "act", "battle", "result", "undo", "ruling", "adjustment", "territories"
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

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError("Ledger entries are never deleted; write a reversing entry instead.")


MAX_PREVIEWS = 12  # pages of a print


class PrintJob(Job):
    """A print request: an order of cards and pages, drawn by a worker."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="prints")
    company = models.ForeignKey(Company, on_delete=models.CASCADE, null=True, blank=True, related_name="prints")
    title = models.CharField(max_length=120)
    content = models.JSONField()  # what to print, frozen at the request: a print/1 document
    choice = models.JSONField(default=dict, blank=True)  # the choices on the print page, for printing again
    form_path = models.TextField(blank=True)  # of that page
    subjects = models.JSONField(default=dict, blank=True)  # unit or pilot -> product -> [fingerprint, place in items]
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor without account
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # what there is to draw; 0: not known yet
    warning = models.CharField(max_length=300, blank=True)  # e.g. about characters that no font has
    pages = models.PositiveIntegerField(null=True)
    previews = models.PositiveSmallIntegerField(null=True)  # pages with a preview; None: not drawn yet
    seconds = models.FloatField(null=True)
    file = models.FileField(upload_to="prints/", blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["lease_until"],
                name="print_without_pictures",
                condition=models.Q(status="done", previews__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def file_name(self) -> str:
        """Name of its PDF in the storage, the same for every worker."""
        return f"prints/{self.key}.pdf"

    def preview_name(self, number: int) -> str:
        """Return the name in the storage of a page's preview; pages are numbered from 1."""
        return f"prints/{self.key}-{number}.webp"


class PrintPreset(models.Model):
    """A player's saved print choices. With a company it also has the units and their order."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="print_presets")
    name = models.CharField(max_length=60)
    company = models.ForeignKey(Company, on_delete=models.SET_NULL, null=True, blank=True, related_name="print_presets")
    company_name = models.CharField(max_length=60, blank=True)  # kept when the company is deleted
    choice = models.JSONField()  # a CompanyChoice
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [models.UniqueConstraint(fields=["player", "name"], name="print_preset_once")]

    def __str__(self) -> str:
        return self.name


class PrinterProfile(models.Model):
    """A player's printer: its paper, the edge it turns paper over, and its offsets.

    Offsets are in tenths of a mm: the drawing is moved right and down by them, seen from the printed side.
    """

    class Flip(models.TextChoices):
        LONG = "long-edge", "over the long edge"
        SHORT = "short-edge", "over the short edge"

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="printers")
    name = models.CharField(max_length=60)
    paper = models.CharField(max_length=8, choices=PaperSize, default=PaperSize.A4)
    flip = models.CharField("turns the paper", max_length=10, choices=Flip, default=Flip.LONG)
    front_x = models.SmallIntegerField(default=0)
    front_y = models.SmallIntegerField(default=0)
    back_x = models.SmallIntegerField(default=0)
    back_y = models.SmallIntegerField(default=0)
    is_default = models.BooleanField(default=False)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["player", "name"], name="printer_once"),
            models.UniqueConstraint(fields=["player"], name="printer_one_default", condition=models.Q(is_default=True)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def front(self) -> tuple[float, float]:
        """Offset in mm to the right and down."""
        return self.front_x / 10, self.front_y / 10

    @property
    def back(self) -> tuple[float, float]:
        return self.back_x / 10, self.back_y / 10


class PrintBatch(Job):
    """Cards of a print that one worker draws. The drawings are in the card cache; the row only records the worker."""

    job = models.ForeignKey(PrintJob, on_delete=models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()
    items = models.JSONField()  # places among the order's cards

    class Meta:
        ordering = ["job", "number"]
        constraints = [models.UniqueConstraint(fields=["job", "number"], name="print_batch_once")]

    def __str__(self) -> str:
        return f"batch {self.number} of print {self.job_id}"


class DataExport(Job):
    """An archive of all of a player's data, packed by a worker. Only the player can download it, for some days."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="takeouts")
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # number of parts to pack; 0: not known yet
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
        """Name of its ZIP in the storage, the same for every worker."""
        return f"takeouts/{self.key}.zip"


class CompanyErasure(models.Model):
    """A company being deleted with its owner, including its ledger: its entries may be deleted while this row exists.

    Written and deleted in the transaction that deletes the company; see `rosters.ledger.triggers`.
    """

    company = models.OneToOneField(Company, on_delete=models.CASCADE, primary_key=True, related_name="+")

    def __str__(self) -> str:
        return f"end of company {self.company_id}"


class AccountMerge(models.Model):
    """A guest being replaced by a player: ledger entries may change their player while this row exists.

    Written and deleted in the transaction that does it; see `rosters.ledger.triggers`.
    """

    before = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="+")
    heir = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")

    class Meta:
        db_table = "rosters_playersuccession"

    def __str__(self) -> str:
        return f"player {self.before_id} becomes player {self.heir_id}"


class WorkerHeartbeat(models.Model):
    """A worker and the time of its last heartbeat."""

    name = models.CharField(max_length=120, unique=True)  # host and process
    queues = models.CharField(max_length=120)  # separated by commas
    seen_at = models.DateTimeField()

    class Meta:
        db_table = "rosters_workerseen"

    def __str__(self) -> str:
        return self.name


class IdempotentResponse(models.Model):
    """The first response to a request with an idempotency key; a repeated request gets it and is not executed again."""

    digest = models.CharField(max_length=64, unique=True)  # of the user and the key
    asked = models.CharField(max_length=64)  # digest of the request
    status = models.PositiveSmallIntegerField()
    answer = models.TextField()
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        db_table = "rosters_keptanswer"

    def __str__(self) -> str:
        return f"answer {self.status} of {self.at:%Y-%m-%d %H:%M}"
