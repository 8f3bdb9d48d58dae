"""Models of battles, records, odds, searches, live tables, online battles and dice."""

from __future__ import annotations

import math
import uuid
import zlib
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models.functions import Upper
from django.utils import timezone

from rosters.jobs import Job, JobStatus
from rosters.models import Company, Player, Visibility
from systems import system_choices


class LiveTable(models.Model):
    """A battle that two people play with miniatures, each with a phone."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    system = models.SlugField(max_length=40, choices=system_choices)
    title = models.CharField(max_length=140)
    setup = models.JSONField()  # a setup/1 document
    forces = models.JSONField(default=list)  # one per side: {"company": id, "units": unit key -> ids}, or null
    code = models.CharField(max_length=8, unique=True, null=True, blank=True)  # while the second seat is free
    dice = models.OneToOneField("battles.SealedDice", on_delete=models.PROTECT, related_name="table")
    made_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor without account
    length = models.PositiveIntegerField(default=0)  # the log's length: the place of its last event
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")
    touched_at = models.DateTimeField(auto_now_add=True, db_index=True)  # by the last event
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title


class LiveSeat(models.Model):
    """A side of a table, and its player. The key is the phone's address: for a visitor it is the only way in."""

    table = models.ForeignKey(LiveTable, on_delete=models.CASCADE, related_name="seats")
    side = models.PositiveSmallIntegerField()  # 0 or 1
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=60)
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="live_seats")
    is_closed = models.BooleanField(default=False)  # the player has left Muster: the key opens nothing
    company = models.ForeignKey(Company, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    joined_at = models.DateTimeField(auto_now_add=True, db_column="at")

    class Meta:
        ordering = ["side"]
        constraints = [models.UniqueConstraint(fields=["table", "side"], name="live_seat_once")]

    def __str__(self) -> str:
        return self.name

    def pilot_names(self) -> dict[str, str]:
        """Return the names of the pilots of the player's own company, by unit key."""
        if self.company is None:
            return {}
        names = {pilot.pk: str(pilot) for pilot in self.company.pilots.all()}
        units = self.table.forces[self.side]["units"]
        return {key: names[ref["pilot"]] for key, ref in units.items() if ref.get("pilot") in names}


class LiveEvent(models.Model):
    """One act at a table. It never changes: another act undoes it."""

    table = models.ForeignKey(LiveTable, on_delete=models.CASCADE, related_name="events")
    place = models.PositiveIntegerField()  # in the log, from 1
    side = models.PositiveSmallIntegerField()
    phone = models.CharField(max_length=32, blank=True)  # which of a side's phones
    once = models.CharField(max_length=64)  # the phone's key for this act, so that it is done once
    seen = models.PositiveIntegerField(default=0)  # the last place that the phone knew
    kind = models.SlugField(max_length=12)
    facts = models.JSONField(default=dict)
    occurred_at = models.DateTimeField(auto_now_add=True, db_column="at")

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["table", "place"], name="live_event_place_once"),
            models.UniqueConstraint(fields=["table", "side", "once"], name="live_event_done_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.place}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("acts at a table are never changed; another act undoes them")
        super().save(*args, **kwargs)


class SoloBattle(models.Model):
    """An unfinished online battle: set-up, dice, and the answers so far, which give its present state.

    The finished battle takes over its key, and this row is deleted.
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    system = models.SlugField(max_length=40, choices=system_choices)
    title = models.CharField(max_length=140)
    setup = models.JSONField()  # a setup/1 document
    rules_version = models.PositiveIntegerField()
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.LINK)
    sides = models.JSONField()  # 0 and 1: the sides that people play
    liveries = models.JSONField(default=dict)  # colours of the companies that fight in it, by the letter of their side
    dice = models.ForeignKey("battles.SealedDice", on_delete=models.PROTECT, related_name="+")
    answers = models.JSONField(default=list)  # a list of numbers each, see systems/engine/choices.py
    version = models.PositiveIntegerField(default=0)  # counts answers given and undone
    # for a recorded battle that was resumed
    after = models.PositiveIntegerField(default=0)  # rounds or turns that are kept; 0: not resumed after a round
    events = models.PositiveIntegerField(default=0)  # events that are kept, if it was resumed within a round; else 0
    seed = models.CharField(max_length=20, blank=True)  # of the part that is kept
    seed_dice = models.JSONField(null=True)  # the provably fair dice of that seed, as in its record
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")
    touched_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = "battle by hand"
        verbose_name_plural = "battles by hand"

    def __str__(self) -> str:
        return self.title


class PairedDice(models.Model):
    """Two sealed chains, in alphabetical order."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    first = models.CharField(max_length=26)
    second = models.CharField(max_length=26)
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True, db_column="at")

    class Meta:
        verbose_name_plural = "paired dice"
        constraints = [models.UniqueConstraint(fields=["first", "second"], name="paired_dice_once")]

    def __str__(self) -> str:
        return f"dice of {self.first[:5]} and {self.second[:5]}"

    @property
    def sealed(self) -> tuple[str, str]:
        return self.first, self.second


class PairedList(models.Model):
    """The rolls as one phone recorded them. Only somebody with its chain's last link can send them."""

    dice = models.ForeignKey(PairedDice, on_delete=models.CASCADE, related_name="lists")
    side = models.PositiveSmallIntegerField()  # 0: of the first chain
    name = models.CharField(max_length=40)  # of its player, as typed
    last = models.CharField(max_length=26)  # the last link of its chain
    rolls = models.JSONField()  # see live/dice.py
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")

    class Meta:
        ordering = ["side"]
        constraints = [models.UniqueConstraint(fields=["dice", "side"], name="paired_list_once")]

    def __str__(self) -> str:
        return f"{self.name} on {self.dice}"


ASKED_BY_SITE = "the site"  # the asker of the site's own jobs; a visitor's mark is hexadecimal
Body = Mapping[str, Any]  # a document in a JSON field; its structure is in its model in systems/


class SealedDice(models.Model):
    """Dice from a secret, whose hash is published before anybody rolls and which is revealed afterwards.

    Every seed is made from the secret, the players' words and its purpose. So anybody who knows the secret can repeat
    all rolls, and nobody can have picked better ones. Until then the database holds the secret only encrypted, with a
    key that is stored elsewhere (decision 0017).
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    secret = models.CharField(max_length=64, blank=True)  # 32 bytes in hex; empty until revealed
    hidden = models.CharField(max_length=64, blank=True, editable=False)  # the encrypted secret; empty once revealed
    hidden_under = models.CharField(max_length=16, blank=True, editable=False)  # the key's name
    commitment = models.CharField(max_length=64)  # SHA-256 of the secret, in hex; published at once
    words = models.JSONField(default=list)  # pairs of player and text; none can be added after the first roll
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor without account
    uses = models.JSONField(default=list)  # purposes that they have rolled for, in order
    sealed_at = models.DateTimeField(auto_now_add=True, db_column="at")
    used_at = models.DateTimeField(null=True, blank=True)  # the first roll
    revealed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "provably fair dice"

    def __str__(self) -> str:
        return f"provably fair dice {self.commitment[:12]}"


class Battle(Job):
    """A battle: its set-up, its seed, and its status."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    system = models.SlugField(max_length=40, choices=system_choices)
    title = models.CharField(max_length=140)
    title_upper = models.GeneratedField(expression=Upper("title"), output_field=models.TextField(), db_persist=True)
    setup = models.JSONField()  # a setup/1 document
    setup_hash = models.CharField(max_length=64, db_index=True)
    # 0 to 2^64 - 1, as text: too large for a signed column. On sealed dice, empty until the battle is simulated.
    seed = models.CharField(max_length=20, blank=True)
    seed_chosen = models.BooleanField(default=False)  # by the player; otherwise drawn by the server
    dice = models.ForeignKey(SealedDice, on_delete=models.PROTECT, null=True, blank=True, related_name="battles")
    rules_version = models.PositiveIntegerField()
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="battles")
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor, or the site
    fought_by_hand = models.BooleanField(default=False)  # logged from the table: no record, only a result
    result = models.JSONField(null=True, blank=True)  # an outcome document, from the record or entered manually
    # Columns for lists; 0 until the battle ends, and 0 rounds if nobody counted them. For battles from a table, and
    # old ones without a count of kills, kills are units lost.
    rounds = models.PositiveIntegerField(default=0, editable=False)  # or turns, as its game counts
    kills = models.PositiveIntegerField(default=0, editable=False)
    # from its record; None: not over yet, from a table, or too old
    criticals = models.PositiveIntegerField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["visibility", "status", "-id"], name="battle_public_list"),
            models.Index(fields=["visibility", "-id"], include=["title_upper"], name="battle_public_titles"),
            models.Index(fields=["-rounds", "-id"], name="battle_longest"),
            models.Index(fields=["-kills", "-id"], name="battle_deadliest"),
        ]

    def __str__(self) -> str:
        return self.title


class BattleSide(models.Model):
    """A side of a battle: its company, and its force at the time when the battle was queued."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="sides")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    company = models.ForeignKey(Company, on_delete=models.PROTECT, null=True, blank=True, related_name="battle_sides")
    force = models.JSONField(
        default=dict
    )  # unit key -> {"unit": id or None, "pilot": id or None}; the setup holds the specs

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["battle", "position"], name="battle_side_once")]

    def __str__(self) -> str:
        return self.name


class Record(models.Model):
    """The header, event log and outcome of a resolved battle, compressed; written once."""

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="record")
    lines = models.BinaryField()  # zlib of the JSON lines that `resolve` prints
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")

    def __str__(self) -> str:
        return f"record {self.digest[:12]}"

    @property
    def text(self) -> str:
        """The JSON lines, as `resolve` prints them."""
        return zlib.decompress(bytes(self.lines)).decode()


class Calculation(Job):
    """Base of everything that is simulated over many battles: runs asked for and done, and their results.

    Each question is simulated once, and anybody who asks it again gets the same row. So a row is reached by its link
    and never listed.
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    question = models.CharField(max_length=64, unique=True)  # hash of everything that the answer depends on
    system = models.SlugField(max_length=40, choices=system_choices)
    title = models.CharField(max_length=140)
    seed = models.CharField(max_length=20)
    rules_version = models.PositiveIntegerField()
    runs_asked = models.PositiveIntegerField()
    runs_done = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)  # the running totals, after runs_done runs
    ready_by = models.DateTimeField(null=True, editable=False)  # expected end of compiling the rules
    seconds = models.FloatField(default=0)
    asked_at = models.DateTimeField(default=timezone.now)  # when the question was last asked, by anybody
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="%(class)ss")
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor, or the site

    class Meta:
        abstract = True
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def speed(self) -> float:
        """Battles simulated per second; 0 before the first chunk."""
        return self.runs_done / self.seconds if self.seconds else 0.0

    @property
    def ready_in(self) -> int:
        """Expected seconds until the rules are compiled; 0 if that is overdue."""
        return max(0, math.ceil((self.ready_by - timezone.now()).total_seconds())) if self.ready_by else 0

    def claimed(self) -> models.QuerySet[Self]:
        """Return this row while workers simulate it. Several do at once, each with its own chunk."""
        return type(self)._default_manager.filter(pk=self.pk, status=JobStatus.RUNNING)

    def put_back(self, pause: timedelta) -> bool:
        """Leave the simulation to the other workers that share it; this worker joins again after the pause."""
        until = timezone.now() + pause + timedelta(seconds=settings.JOB_LEASE_SECONDS)
        return bool(self.claimed().update(lease_until=until, blips=models.F("blips") + 1))


class Chunk(models.Model):
    """A range of battles that one worker simulates.

    Once simulated, it waits for the chunks before it, and is deleted when it is added up.
    """

    count_key = models.UUIDField(editable=False)  # of one of COUNTS
    first = models.PositiveIntegerField()
    runs = models.PositiveIntegerField()
    lease = models.UUIDField(null=True, editable=False)  # None: simulated
    lease_until = models.DateTimeField(null=True, editable=False)
    tries = models.PositiveSmallIntegerField(default=1, editable=False)
    counts = models.JSONField(null=True)
    seconds = models.FloatField(default=0)

    class Meta:
        ordering = ["first"]
        constraints = [models.UniqueConstraint(fields=["count_key", "first"], name="chunk_once")]

    def __str__(self) -> str:
        return f"battles {self.first} to {self.first + self.runs - 1}"


class Forecast(Calculation):
    """Odds for a set-up."""

    setup = models.JSONField()
    setup_hash = models.CharField(max_length=64, db_index=True)
    # simulate until every interval is this narrow, or all is done
    half_width = models.FloatField(null=True, blank=True)
    picks_styles = models.BooleanField(default=False)  # a worker still has to choose the AI styles of its set-up

    @property
    def stopped_early(self) -> bool:
        """Whether the intervals were narrow enough before all runs were done."""
        return self.status == JobStatus.DONE and self.runs_done < self.runs_asked


class WhatIf(Calculation):
    """The effect of one change to a forecast's set-up on its odds, simulated on the same dice."""

    forecast = models.ForeignKey(Forecast, on_delete=models.CASCADE, related_name="what_ifs")
    change = models.JSONField()  # see odds/changes.py
    setup = models.JSONField()  # with the change


class Matrix(Calculation):
    """Every published design against every other, one on one; runs are the battles of all cells together."""

    terrain = models.SlugField(max_length=40)
    doctrines = models.JSONField()  # of side A and of side B
    battles = models.PositiveIntegerField()  # of each cell
    is_glance = models.BooleanField(default=False)  # requested by the lab itself, for an unfinished build

    class Meta(Calculation.Meta):
        verbose_name_plural = "matrices"


class Curve(Calculation):
    """The win chances at places of a battle's record, each from battles resumed there."""

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="curve")
    places = models.JSONField()  # numbers of events in the record before each place; rising, from 0
    battles = models.PositiveIntegerField()  # at each place


class Fork(Calculation):
    """A battle resumed at the start of a round with other AI styles: their effect on its win chances."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="forks")
    round = models.PositiveIntegerField()  # resumed at its start
    doctrines = models.JSONField()  # of both sides after that


class BestAnswer(Calculation):
    """A search by simulation for the best force in place of one side of a forecast's set-up."""

    forecast = models.ForeignKey(Forecast, on_delete=models.CASCADE, related_name="best_answers")
    side = models.PositiveSmallIntegerField()  # 0 or 1
    points = models.PositiveIntegerField()
    # the enemies of each force, see searches/forces.py; empty: the enemy in the set-up
    foes = models.JSONField(default=list)
    forces = models.JSONField()  # the published designs of each, without the side's own force
    battles = models.PositiveIntegerField()  # of a block; see systems/simulation/summary.py


class BestChange(Calculation):
    """A search for the single change to a forecast's set-up that helps a side most, all tried on the same dice."""

    forecast = models.ForeignKey(Forecast, on_delete=models.CASCADE, related_name="best_changes")
    side = models.PositiveSmallIntegerField()  # 0 or 1
    changes = models.JSONField()  # see odds/changes.py
    battles = models.PositiveIntegerField()  # of a block; see systems/simulation/summary.py


class BestBuild(Calculation):
    """A search by simulation for the best build in place of another, in a forecast's set-up or against enemies."""

    forecast = models.ForeignKey(Forecast, on_delete=models.CASCADE, null=True, related_name="best_builds")
    unit = models.CharField(max_length=30, blank=True)  # of the forecast's set-up; empty: against `foes`
    foes = models.JSONField(default=list)  # see searches/builds.py
    start = models.JSONField()  # name and spec of the build to improve
    points = models.PositiveIntegerField()
    kept = models.JSONField()  # keys of its parts that must stay
    builds = models.JSONField(default=list)  # specs, once they are listed, without the build to improve
    is_whole = models.BooleanField(default=False)  # the list has all possible builds
    battles_asked = models.PositiveIntegerField()  # about, for all builds together
    battles = models.PositiveIntegerField(default=0)  # of a block; 0: the builds aren't listed yet


class RecordCheck(Job):
    """A record that is simulated again and compared: of a battle on this site, or an uploaded file."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    title = models.CharField(max_length=140)
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, null=True, blank=True, related_name="checks")
    lines = models.BinaryField()  # zlib of the file; empty once it has been read
    verdict = models.JSONField(null=True)  # see services/battles.py; None: not checked yet
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="record_checks")
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def text(self) -> str:
        """The uploaded record."""
        return zlib.decompress(bytes(self.lines)).decode()


SIMULATION_MODELS: tuple[type[Calculation], ...] = (
    Forecast,
    WhatIf,
    Matrix,
    Curve,
    BestAnswer,
    BestChange,
    BestBuild,
    Fork,
)
JOBS: tuple[type[Battle] | type[Calculation] | type[RecordCheck], ...] = (Battle, RecordCheck, *SIMULATION_MODELS)
