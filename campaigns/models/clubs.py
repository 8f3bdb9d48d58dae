"""Clubs: members, invitations and activity log; their guests, game nights, display and archives."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from battles.models import LiveTable
from rosters.jobs import Job
from rosters.models import Company, Player


class Role(models.TextChoices):
    ORGANISER = "organiser", "organiser"
    ARBITER = "arbiter", "arbiter"
    PLAYER = "player", "player"


class RequestState(models.TextChoices):
    ASKED = "asked", "asked to join"
    ACCEPTED = "accepted", "accepted"
    DECLINED = "declined", "declined"
    WITHDRAWN = "withdrawn", "withdrawn"


class Club(models.Model):
    """A club. Everybody may read its page if it is public; it always has at least one organiser."""

    name = models.CharField(max_length=60, unique=True)
    slug = models.SlugField(max_length=60, unique=True)
    about = models.TextField(max_length=2000, blank=True)
    place = models.CharField(max_length=80, blank=True)
    is_public = models.BooleanField("seen by everybody", default=True)
    takes_requests = models.BooleanField("players may ask to join", default=True)
    shows_portraits = models.BooleanField("companies show pictures of their own", default=True)
    founded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A player in a club, in one role. An organiser may do everything that an arbiter may."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.PLAYER)
    joined_at = models.DateTimeField(auto_now_add=True)
    feed_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)  # opens feed and calendar, as they may

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "player"], name="member_once")]

    def __str__(self) -> str:
        return f"{self.player}, {self.get_role_display()} of {self.club}"


class Invitation(models.Model):
    """A way into a club: a link that anyone may use until it expires, or an invitation of one player by name."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role, default=Role.PLAYER)
    created_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+", db_column="by_id")
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")
    expires_at = models.DateTimeField()
    uses_left = models.PositiveSmallIntegerField(null=True, blank=True)  # None: no limit
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"invitation to {self.club}"

    @property
    def is_open(self) -> bool:
        """Return whether it still lets somebody in."""
        return self.withdrawn_at is None and self.expires_at > timezone.now() and self.uses_left != 0


class JoinRequest(models.Model):
    """A player's request to join a club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="requests")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="join_requests")
    message = models.CharField(max_length=300, blank=True)
    state = models.CharField(max_length=10, choices=RequestState, default=RequestState.ASKED)
    asked_at = models.DateTimeField(auto_now_add=True, db_column="at")
    decided_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "player"], condition=models.Q(state="asked"), name="join_asked_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} asks to join {self.club}"


class ActivityLogEntry(models.Model):
    """An entry of a club's activity log, written together with the act and never changed. It records every decision."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="activity")
    campaign = models.ForeignKey(
        "campaigns.Campaign", on_delete=models.CASCADE, null=True, blank=True, related_name="activity"
    )
    match = models.ForeignKey(
        "campaigns.Match", on_delete=models.CASCADE, null=True, blank=True, related_name="activity"
    )
    text = models.CharField(max_length=400)  # a sentence in the past tense, names included
    created_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_column="by_id"
    )  # None: the timer
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")

    class Meta:
        db_table = "campaigns_diaryentry"
        ordering = ["-pk"]
        verbose_name_plural = "activity log entries"

    def __str__(self) -> str:
        return self.text


class Guest(models.Model):
    """A player whom an organiser added by name only. An account that claims them takes over the player."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="guests")
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="guest_in")
    name = models.CharField(max_length=60)  # for the page of a link that has ended
    created_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_column="by_id"
    )
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")
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
    created_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_column="by_id"
    )
    created_at = models.DateTimeField(default=timezone.now, db_column="at")
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


class MatchmakingEntry(models.Model):
    """A company that waits for a game at a club's game night; in one club at a time."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="ready")
    company = models.OneToOneField(Company, on_delete=models.CASCADE, related_name="ready")
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")
    expires_at = models.DateTimeField(db_column="until")

    class Meta:
        db_table = "campaigns_readycompany"
        ordering = ["pk"]
        verbose_name_plural = "matchmaking entries"

    def __str__(self) -> str:
        return f"{self.company} at {self.club}"


class OfferState(models.TextChoices):
    PROPOSED = "proposed", "proposed"
    ACCEPTED = "accepted", "accepted"
    DECLINED = "declined", "declined"
    EXPIRED = "expired", "expired"


class MatchmakingOffer(models.Model):
    """A game that Muster proposed to two ready companies because its odds are close to even."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="even_games")
    attacker = models.ForeignKey(Company, on_delete=models.CASCADE, related_name="+")
    defender = models.ForeignKey(Company, on_delete=models.CASCADE, related_name="+")
    scenario_name = models.CharField(max_length=60)
    ground = models.CharField(max_length=60, blank=True)
    chance = models.FloatField()  # of the attacker; a draw counts half
    state = models.CharField(max_length=8, choices=OfferState, default=OfferState.PROPOSED)
    accepted = models.JSONField(default=list)  # sides that have accepted: 0 attacker, 1 defender
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")
    expires_at = models.DateTimeField()
    table = models.OneToOneField(LiveTable, on_delete=models.SET_NULL, null=True, blank=True, related_name="even_game")

    class Meta:
        db_table = "campaigns_evengame"
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.attacker} against {self.defender}"


class ClubDisplay(models.Model):
    """The secret link of a club's display: anyone who has it sees what members see of running campaigns."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="club_display")
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    created_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+", db_column="by_id")
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")

    class Meta:
        db_table = "campaigns_wall"

    def __str__(self) -> str:
        return f"display of {self.club}"


ACTIVE_STATUSES = ["queued", "running"]


class ClubArchive(Job):
    """Everything in a club, packed for its organisers by a worker. The file is kept for some days."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="archives")
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # tables to pack; 0: not known yet
    size = models.PositiveBigIntegerField(null=True)  # bytes
    file = models.FileField(upload_to="archives/", blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(status__in=ACTIVE_STATUSES), name="club_archive_one_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"archive of {self.club}"

    @property
    def file_name(self) -> str:
        """Return the name of its ZIP in the storage; the same for every worker."""
        return f"archives/{self.key}.zip"


class ClubRestore(Job):
    """An uploaded archive that becomes a club of this site. The file is deleted when the job ends."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="restores")
    title = models.CharField(max_length=60)  # name of the club in the archive
    name = models.CharField(max_length=60, blank=True)  # of the club here; empty: the one in the archive
    stands_for = models.CharField(max_length=150, blank=True)  # the asker's username in the archive; empty: not in it
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # tables to check and to restore; 0: not known yet
    club = models.ForeignKey(
        Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )  # the restored club
    told = models.JSONField(default=list)  # sentences about what differs from the archive
    file = models.FileField(upload_to="archives/", blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["asked_by"], condition=models.Q(status__in=ACTIVE_STATUSES), name="club_restore_one_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"restoring {self.title}"

    @property
    def file_name(self) -> str:
        """Return the name of the uploaded file in the storage."""
        return f"archives/in-{self.key}.zip"


class Placeholder(models.Model):
    """A player who came with an archive and can't sign in yet. Anyone with the link takes over their place and past."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="placeholder")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="placeholders")
    username = models.CharField(max_length=150, blank=True)  # in the archive; here anyone can take it
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, db_column="at")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"place of {self.player}"
