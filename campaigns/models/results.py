"""Reports, disputes, rulings and corrections; the gazettes and balance written from results."""

from __future__ import annotations

import uuid

from django.db import models

from campaigns.models.campaigns import Campaign
from campaigns.models.matches import Match, Round
from rosters.jobs import Job
from rosters.models import PaperSize, Player
from systems import system_choices


class Report(models.Model):
    """One side's report of a match: a report/1 document. A later one from the same side replaces it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="reports")
    side = models.PositiveSmallIntegerField()  # 0 attacker, 1 defender
    content = models.JSONField()
    submitted_by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_column="by_id")
    submitted_at = models.DateTimeField(auto_now_add=True, db_column="at")
    is_current = models.BooleanField(default=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "side"], condition=models.Q(is_current=True), name="report_current_once"
            )
        ]

    def __str__(self) -> str:
        return f"report on {self.match}"


class Ruling(models.Model):
    """An arbiter's decision with its reason; a precedent for the next one."""

    class Kind(models.TextChoices):
        DISPUTE = "dispute"
        MATCH = "match"  # a decision on a match that nobody disputed: forfeited, refused, void
        CORRECTION = "correction"
        EXCEPTION = "exception"
        ADJUSTMENT = "adjustment"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="rulings")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, blank=True, related_name="rulings")
    kind = models.CharField(max_length=10, choices=Kind)
    title = models.CharField(max_length=120)
    reason = models.TextField(max_length=2000)
    decision = models.JSONField(default=dict)  # the report/1 that is valid now, or facts of the kind
    decided_by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_column="by_id")
    decided_at = models.DateTimeField(auto_now_add=True, db_column="at")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title


class Dispute(models.Model):
    """Two reports that differ; it locks its match and nothing else."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="disputes")
    differences = models.JSONField()  # [{"path": ..., "label": ..., "attacker": ..., "defender": ...}]
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    ruling = models.OneToOneField(Ruling, on_delete=models.PROTECT, null=True, blank=True, related_name="dispute")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=models.Q(closed_at__isnull=True), name="dispute_open_once"
            )
        ]

    def __str__(self) -> str:
        return f"dispute on {self.match}"


class CorrectionMode(models.TextChoices):
    """How later effects are treated when a decided match is undone or edited."""

    COMPENSATE = "compensate", "recalculate only this match"
    CASCADE = "cascade", "recalculate this match and later ones"
    FLAG = "flag", "change no ledger, only flag"


class Correction(models.Model):
    """The undoing or editing of a decided match: before, after, and the effects on everything later."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="corrections")
    ruling = models.OneToOneField(Ruling, on_delete=models.PROTECT, related_name="correction")
    mode = models.CharField(max_length=10, choices=CorrectionMode)
    before = models.JSONField()
    after = models.JSONField(null=True)  # None: undone
    effects = models.JSONField(default=list)  # what the preview listed and the correction did

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"correction of {self.match}"


class ArbiterConsent(models.Model):
    """One side's consent that the opponent rules on their match, if nobody else in the club can. For one ruling."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="consents")
    side = models.PositiveSmallIntegerField()  # that consents: 0 attacker, 1 defender
    created_by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_column="by_id")
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")
    ruling = models.ForeignKey(  # None: not used yet, and can be withdrawn
        Ruling, on_delete=models.CASCADE, null=True, blank=True, related_name="consents"
    )

    class Meta:
        db_table = "campaigns_judgeconsent"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "side"], condition=models.Q(ruling__isnull=True), name="judge_consent_once"
            )
        ]

    def __str__(self) -> str:
        return f"consent to a ruling on {self.match}"


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
    published_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_column="by_id"
    )  # None: published when the round closed
    published_at = models.DateTimeField(auto_now_add=True, db_column="at")

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


class BalanceReport(models.Model):
    """The balance of a game, recalculated by the timer when its matches have changed. It names nobody."""

    system = models.SlugField(max_length=40, choices=system_choices, unique=True)
    seen = models.JSONField(default=list)  # fingerprint of the matches it was calculated from
    matches = models.PositiveIntegerField(default=0)  # number of matches with odds that it includes
    sheet = models.JSONField(default=dict)  # see statistics.balance.StoredBalance
    counted_at = models.DateTimeField()

    class Meta:
        db_table = "campaigns_balance"
        ordering = ["system"]

    def __str__(self) -> str:
        return f"balance of {self.system}"
