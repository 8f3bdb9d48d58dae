"""Prints and how to make them, workers and answers kept for repeated requests."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from rosters.jobs import Job
from rosters.models.accounts import PaperSize, Player
from rosters.models.companies import Company

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
