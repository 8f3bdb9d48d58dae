"""Models of prints, presets and printers; worker heartbeats; responses stored for repeated requests."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from rosters.jobs import Job
from rosters.models.accounts import PaperSize, Player
from rosters.models.companies import Company

MAX_PREVIEWS = 12  # pages of a print that get a preview


class PrintJob(Job):
    """A print: an order of cards and pages that a worker draws."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="prints")
    company = models.ForeignKey(Company, on_delete=models.CASCADE, null=True, blank=True, related_name="prints")
    title = models.CharField(max_length=120)
    content = models.JSONField()  # the order as a print/1 document, frozen at the request
    choice = models.JSONField(default=dict, blank=True)  # the choices on the print page, for printing again
    form_path = models.TextField(blank=True)  # path of that page
    subjects = models.JSONField(
        default=dict, blank=True
    )  # by unit or pilot, then by product: [fingerprint, index of the item]
    asked_from = models.CharField(
        max_length=32, blank=True, db_index=True, editable=False
    )  # a visitor without an account
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # number of parts to draw; 0 if it isn't known yet
    warning = models.CharField(max_length=300, blank=True)  # e.g. about characters that no font has
    pages = models.PositiveIntegerField(null=True)
    previews = models.PositiveSmallIntegerField(null=True)  # pages with a preview; None if none are drawn yet
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
        """The name of its PDF in the storage, which is the same for every worker."""
        return f"prints/{self.key}.pdf"

    def preview_name(self, number: int) -> str:
        """Return the name of a page's preview in the storage; pages are numbered from 1."""
        return f"prints/{self.key}-{number}.webp"


class PrintPreset(models.Model):
    """A player's saved print choices. A preset of a company also contains the units and their order."""

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
    """A player's printer: its paper, the edge over which it turns the paper, and its offsets.

    Offsets are in tenths of a mm; they move the drawing right and down, seen from the printed side.
    """

    class Flip(models.TextChoices):
        LONG = "long-edge", "on the long edge"
        SHORT = "short-edge", "on the short edge"

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
        """The offset of the front in mm, to the right and down."""
        return self.front_x / 10, self.front_y / 10

    @property
    def back(self) -> tuple[float, float]:
        return self.back_x / 10, self.back_y / 10


class PrintBatch(Job):
    """Some cards of a print, drawn by one worker. The drawings go to the card cache; the row is only the job."""

    job = models.ForeignKey(PrintJob, on_delete=models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()
    items = models.JSONField()  # indexes of the cards in the order

    class Meta:
        ordering = ["job", "number"]
        constraints = [models.UniqueConstraint(fields=["job", "number"], name="print_batch_once")]

    def __str__(self) -> str:
        return f"batch {self.number} of print {self.job_id}"


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
    """The first response to a request with an idempotency key. Repeated requests get it, and aren't executed again."""

    digest = models.CharField(max_length=64, unique=True)  # of the user and the key
    asked = models.CharField(max_length=64)  # digest of the request
    status = models.PositiveSmallIntegerField()
    answer = models.TextField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True, db_column="at")

    class Meta:
        db_table = "rosters_keptanswer"

    def __str__(self) -> str:
        return f"answer {self.status} of {self.created_at:%Y-%m-%d %H:%M}"
