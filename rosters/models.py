"""Companies, pilots, units, designs and the append-only ledger that explains every number of them."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Coalesce, NullIf, Upper
from django.utils import timezone
from knox.models import AbstractAuthToken

from rosters.ledger.kinds import kind_choices
from rosters.site.jobs import Job
from systems import system_choices


class Paper(models.TextChoices):
    A4 = "a4", "A4"
    LETTER = "letter", "Letter"


class Visibility(models.TextChoices):
    PRIVATE = "private", "only me"
    LINK = "link", "anyone with the link"
    PUBLIC = "public", "everybody"


class Player(AbstractUser):  # type: ignore[django-manager-missing]  # of its tokens, whose manager carries no types
    """Somebody with an account."""

    name_shown = models.CharField("name shown", max_length=60, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    paper = models.CharField(max_length=8, choices=Paper, default=Paper.A4)
    names_before = models.JSONField(default=list, blank=True, editable=False)  # shown once, still in what was written
    leaves_at = models.DateTimeField(
        null=True, blank=True, editable=False
    )  # he has asked to leave; until then he may stay
    leaves_as = models.CharField(max_length=60, blank=True, editable=False)  # under which name the history stays
    left_at = models.DateTimeField(null=True, blank=True, editable=False)  # what is left is a name
    is_guest = models.BooleanField(default=False, editable=False)  # plays by a club's link; can't sign in

    def __str__(self) -> str:
        return self.name_shown or self.username


def player_display(player: Player) -> str:
    """What others see of a player."""
    return str(player)


def name_shown(player: str) -> Coalesce:
    """The same in a query, of the player whom this path leads to."""
    return Coalesce(NullIf(f"{player}__name_shown", models.Value("")), f"{player}__username")


class AccessToken(AbstractAuthToken):
    """A program's key to the API: what it may do besides reading, and until when. Its secret is kept as a digest only."""

    name = models.CharField(max_length=60, blank=True)
    scopes = models.CharField(max_length=60, default="read")  # words of rosters.doors.scopes
    used_at = models.DateTimeField(null=True, blank=True)  # to some minutes

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
    """Somebody signed in, or tried to. Kept for MUSTER_KEEP_SIGN_INS_DAYS and shown to the account's owner."""

    player = models.ForeignKey(
        Player, null=True, on_delete=models.CASCADE, related_name="sign_ins"
    )  # None: of no account
    at = models.DateTimeField(default=timezone.now, db_index=True)
    address = models.CharField(max_length=50)  # shortened: it names no machine
    agent = models.CharField(max_length=60)  # in words, as rosters.doors.agents has them
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
    emblem = models.CharField(max_length=5, blank=True)  # its code; empty: the one that its name gives
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
    """How a company came here that was not founded here. What its ledger said by then is what it claims of its past."""

    company = models.OneToOneField(Company, on_delete=models.CASCADE, related_name="origin")
    kind = models.CharField(max_length=8, choices=OriginKind)
    by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )  # None: the operator
    at = models.DateTimeField(default=timezone.now)
    stood_at = models.DateTimeField(null=True, blank=True)  # of what this site signed: when its last entry was written
    last_entry = models.PositiveBigIntegerField()  # of its ledger that it came with
    claims = models.JSONField(default=dict)  # what it came with, as `rosters.origins.claims` has it

    def __str__(self) -> str:
        return f"origin of {self.company}"

    @property
    def is_proven(self) -> bool:
        """Whether all that it came with was written here before."""
        return self.kind == OriginKind.SIGNED


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


class Work(models.Model):
    """What a player makes himself. What its rules say of the spec is computed from it, never stored."""

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
    """A player's build of a unit."""

    author = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="designs")

    class Meta(Work.Meta):
        constraints = [models.UniqueConstraint(fields=["author", "system", "name"], name="design_name_once_per_author")]


class Scenario(Work):
    """A player's own scenario. With a problem it can't be played."""

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


class Words(models.Model):
    """What an owner writes of his company, or of one unit or pilot of it: a story for all who see it, notes for himself.

    It stands beside the ledger: it is changed and deleted as he likes, and goes when he leaves.
    """

    company = models.ForeignKey(Company, on_delete=models.CASCADE, related_name="words")
    unit = models.OneToOneField(Unit, on_delete=models.CASCADE, null=True, blank=True, related_name="words")
    pilot = models.OneToOneField(Pilot, on_delete=models.CASCADE, null=True, blank=True, related_name="words")
    story = models.TextField(blank=True)
    notes = models.TextField(blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "words"
        constraints = [
            models.UniqueConstraint(
                fields=["company"], name="words_once_of_a_company", condition=models.Q(unit=None, pilot=None)
            ),
            models.CheckConstraint(name="words_of_one", condition=models.Q(unit=None) | models.Q(pilot=None)),
        ]

    def __str__(self) -> str:
        return f"of {self.unit or self.pilot or self.company}"


class Portrait(models.Model):
    """A picture of one's own of a company, a unit or a pilot, in place of the drawn one; as it was drawn anew here.

    It stands in the row, so that it goes with the row, in a backup, in an undone transaction, when its owner leaves.
    """

    company = models.ForeignKey(Company, on_delete=models.CASCADE, related_name="portraits")
    unit = models.OneToOneField(Unit, on_delete=models.CASCADE, null=True, blank=True, related_name="portrait")
    pilot = models.OneToOneField(Pilot, on_delete=models.CASCADE, null=True, blank=True, related_name="portrait")
    digest = models.CharField(max_length=32)  # of the picture; its address
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
    """Raised when somebody tries to change or delete what is written once."""


class LedgerEntry(models.Model):
    """One fact about a company, written once; balances and records are folds of these."""

    company = models.ForeignKey(Company, on_delete=models.PROTECT, related_name="ledger")
    act = models.UUIDField(
        db_index=True
    )  # entries of one act of a player, one battle ... share it and are undone together
    kind = models.CharField(max_length=20, choices=kind_choices)
    unit = models.ForeignKey(Unit, on_delete=models.PROTECT, null=True, blank=True, related_name="ledger")
    pilot = models.ForeignKey(Pilot, on_delete=models.PROTECT, null=True, blank=True, related_name="ledger")
    points = models.IntegerField(default=0)  # what it does to the company's balance
    facts = models.JSONField(default=dict)  # kind's own facts, e.g. {"from": "Old", "to": "New"}
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


class PrintJob(Job):
    """Paper asked for: an order of cards and pages, drawn by a worker."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="prints")
    company = models.ForeignKey(Company, on_delete=models.CASCADE, null=True, blank=True, related_name="prints")
    title = models.CharField(max_length=120)
    content = models.JSONField()  # what is printed, frozen when asked: a print/1 document
    choice = models.JSONField(default=dict, blank=True)  # what was chosen on the page that asked, for asking again
    form_path = models.TextField(blank=True)  # of that page
    subjects = models.JSONField(default=dict, blank=True)  # unit or pilot -> product -> [fingerprint, place in items]
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor without account
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # what there is to draw; 0: not known yet
    warning = models.CharField(max_length=300, blank=True)  # e.g. characters that no font on the machine has
    pages = models.PositiveIntegerField(null=True)
    previews = models.PositiveSmallIntegerField(null=True)  # pages that there is a picture of; None: not drawn yet
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
        """Name in the storage of its PDF, whichever worker writes it."""
        return f"prints/{self.key}.pdf"

    def preview_name(self, number: int) -> str:
        """Name in the storage of the picture of a page, from 1."""
        return f"prints/{self.key}-{number}.webp"


class PrintPreset(models.Model):
    """What a player likes to print, and how. With a company it also holds which of its units, and their order."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="print_presets")
    name = models.CharField(max_length=60)
    company = models.ForeignKey(Company, on_delete=models.SET_NULL, null=True, blank=True, related_name="print_presets")
    company_name = models.CharField(max_length=60, blank=True)  # stays when the company goes
    choice = models.JSONField()  # a CompanyChoice
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [models.UniqueConstraint(fields=["player", "name"], name="print_preset_once")]

    def __str__(self) -> str:
        return self.name


class PrinterProfile(models.Model):
    """A player's printer: its paper, the edge it turns over, and by how much it prints beside the mark.

    Offsets are in tenths of a mm: by so much the drawing is moved right and down, as one looks at that side.
    """

    class Flip(models.TextChoices):
        LONG = "long-edge", "over the long edge"
        SHORT = "short-edge", "over the short edge"

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="printers")
    name = models.CharField(max_length=60)
    paper = models.CharField(max_length=8, choices=Paper, default=Paper.A4)
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
        """mm to the right and down."""
        return self.front_x / 10, self.front_y / 10

    @property
    def back(self) -> tuple[float, float]:
        return self.back_x / 10, self.back_y / 10


class PrintBatch(Job):
    """Cards of a print that one worker draws. What is drawn lies in the cache of cards: the row only says who does it."""

    job = models.ForeignKey(PrintJob, on_delete=models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()
    items = models.JSONField()  # places among the order's cards

    class Meta:
        ordering = ["job", "number"]
        constraints = [models.UniqueConstraint(fields=["job", "number"], name="print_batch_once")]

    def __str__(self) -> str:
        return f"batch {self.number} of print {self.job_id}"


class Takeout(Job):
    """Everything that is a player's, packed for him by a worker. Only he gets the file, and for some days."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="takeouts")
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # what there is to pack; 0: not known yet
    size = models.PositiveBigIntegerField(null=True)  # bytes
    file = models.FileField(upload_to="takeouts/", blank=True)

    class Meta:
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
        """Name in the storage of its ZIP, whichever worker writes it."""
        return f"takeouts/{self.key}.zip"


class CompanyErasure(models.Model):
    """A company that goes with its owner, ledger and all: its entries may be deleted while this row is there.

    Written and deleted in the transaction that deletes the company; see `rosters.ledger.guard`.
    """

    company = models.OneToOneField(Company, on_delete=models.CASCADE, primary_key=True, related_name="+")

    def __str__(self) -> str:
        return f"end of company {self.company_id}"


class PlayerSuccession(models.Model):
    """A player who was a guest becomes another: entries of ledgers may say so while this row is there.

    Written and deleted in the transaction that does it; see `rosters.ledger.guard`.
    """

    before = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="+")
    heir = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"player {self.before_id} becomes player {self.heir_id}"


class WorkerSeen(models.Model):
    """A worker and when it last gave a sign of life."""

    name = models.CharField(max_length=120, unique=True)  # host and process
    queues = models.CharField(max_length=120)  # by comma
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class KeptAnswer(models.Model):
    """The first answer to a request that carried a key, so that the same request is answered and not done again."""

    digest = models.CharField(max_length=64, unique=True)  # of who asked, and his key
    asked = models.CharField(max_length=64)  # of what was asked
    status = models.PositiveSmallIntegerField()
    answer = models.TextField()
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"answer {self.status} of {self.at:%Y-%m-%d %H:%M}"
