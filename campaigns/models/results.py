"""Players' reports, where they differ, and arbiters' decisions. Reports and rulings don't change once written."""

from __future__ import annotations

from django.db import models

from rosters.models import Player

from .campaigns import Campaign
from .matches import Match


class Report(models.Model):
    """One side's report of a match: a report/1 document. A later one from the same side replaces it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="reports")
    side = models.PositiveSmallIntegerField()  # 0 attacker, 1 defender
    content = models.JSONField()
    by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
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
    by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

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

    COMPENSATE = "compensate", "change this match's own effects and nothing later"
    CASCADE = "cascade", "work everything later out anew"
    FLAG = "flag", "leave the ledgers and flag what depends on it"


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
    by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
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
