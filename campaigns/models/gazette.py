"""The gazette: the news of a closed round as it was first reported, and its PDFs."""

from __future__ import annotations

import uuid

from django.db import models

from rosters.jobs import Job
from rosters.models import PaperSize, Player

from .matches import Round


class Gazette(models.Model):
    """An edition of a closed round's gazette. Its text never changes; a correction makes a new edition.

    `fixtures` are the next matches, set once: with the edition, or when the next round opens after it.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="gazettes")
    edition = models.PositiveSmallIntegerField(default=1)
    content = models.JSONField()  # a gazette/1 document
    headline = models.TextField()  # part of the content, as is the lead
    lead = models.TextField()
    fixtures = models.JSONField(null=True, blank=True)  # its part about the next matches
    by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )  # None: published when the round closed
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-round__number", "-edition"]
        constraints = [models.UniqueConstraint(fields=["round", "edition"], name="gazette_edition_once")]

    def __str__(self) -> str:
        return f"Gazette of {self.round}, edition {self.edition}"


class GazettePrint(Job):
    """An edition as PDF on one paper size, made by a worker. The newest for an edition and paper is served."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    gazette = models.ForeignKey(Gazette, on_delete=models.CASCADE, related_name="prints")
    paper = models.CharField(max_length=8, choices=PaperSize, default=PaperSize.A4)
    warning = models.CharField(max_length=300, blank=True)  # e.g. characters that no font on the machine has
    pages = models.PositiveIntegerField(null=True)
    seconds = models.FloatField(null=True)
    file = models.FileField(upload_to="prints/", blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.gazette} on {self.get_paper_display()}"

    @property
    def file_name(self) -> str:
        """Return the name of its PDF in the storage; the same for every worker."""
        return f"prints/{self.key}.pdf"
