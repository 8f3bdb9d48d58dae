"""Guests: sides without an account. Each has one personal link, and only its digest is stored."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from rosters.models import Player

from .clubs import Club


class Guest(models.Model):
    """A player whom an organiser added by name only. Whoever claims them takes over the player; the row says when."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="guests")
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="guest_in")
    name = models.CharField(max_length=60)  # for the page of a link that has ended
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "player"], condition=models.Q(player__isnull=False), name="guest_once_in_a_club"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name}, guest of {self.club}"

    @property
    def is_over(self) -> bool:
        """Return whether they are no longer a guest."""
        return self.claimed_at is not None or self.removed_at is not None


class GuestLink(models.Model):
    """A guest's link: a new one ends the one before. Rows of ended links stay for a while, to say why they ended."""

    class End(models.TextChoices):
        RENEWED = "renewed", "renewed"
        ENDED = "ended", "ended by an organiser"
        REMOVED = "removed", "the guest was removed"
        CLAIMED = "claimed", "the guest has an account now"

    guest = models.ForeignKey(Guest, on_delete=models.CASCADE, related_name="links")
    digest = models.CharField(max_length=64, unique=True)
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)  # when it was last used to come in
    ended_at = models.DateTimeField(null=True, blank=True)
    end = models.CharField(max_length=8, choices=End, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["guest"], condition=models.Q(ended_at__isnull=True), name="guest_link_one_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"link of {self.guest}"

    @property
    def is_open(self) -> bool:
        """Return whether it still lets the guest in."""
        return self.ended_at is None and self.expires_at > timezone.now()
