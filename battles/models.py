"""Battles, their sides and records, odds, searches, live tables, battles against the AI, dice."""

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
    """A battle that two people play with miniatures, each with a phone beside it."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    system = models.SlugField(max_length=40, choices=system_choices)
    title = models.CharField(max_length=140)
    setup = models.JSONField()  # a setup/1 document
    forces = models.JSONField(default=list)  # one per side: {"company": id, "units": unit key -> ids}, or null
    code = models.CharField(max_length=8, unique=True, null=True, blank=True)  # while the other seat is free
    dice = models.OneToOneField("battles.SealedDice", on_delete=models.PROTECT, related_name="table")
    made_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor without account
    length = models.PositiveIntegerField(default=0)  # the log's length: the place of its last event
    at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(auto_now_add=True, db_index=True)  # by the last event
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title


class LiveSeat(models.Model):
    """A side of a table, and its player. The key is its phone's address: for a visitor it is the only way in."""

    table = models.ForeignKey(LiveTable, on_delete=models.CASCADE, related_name="seats")
    side = models.PositiveSmallIntegerField()  # 0 or 1
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=60)
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="live_seats")
    is_closed = models.BooleanField(default=False)  # its player is gone: the key lets nobody in
    company = models.ForeignKey(Company, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["side"]
        constraints = [models.UniqueConstraint(fields=["table", "side"], name="live_seat_once")]

    def __str__(self) -> str:
        return self.name


class LiveEvent(models.Model):
    """One act at a table. Never changed: a wrong one is undone by another."""

    table = models.ForeignKey(LiveTable, on_delete=models.CASCADE, related_name="events")
    place = models.PositiveIntegerField()  # in the log, from 1
    side = models.PositiveSmallIntegerField()
    phone = models.CharField(max_length=32, blank=True)  # which of a side's phones
    once = models.CharField(max_length=64)  # the phone's own key of this act: sent twice, it is done once
    seen = models.PositiveIntegerField(default=0)  # the last place that the phone knew of
    kind = models.SlugField(max_length=12)
    facts = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

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
            raise TypeError("what was done at a table is never changed; it is taken back by another act")
        super().save(*args, **kwargs)


class SoloBattle(models.Model):
    """Everything needed to replay a battle up to its present state: set-up, dice, and the answers so far.

    The finished battle gets its key; then this row is deleted.
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
    version = models.PositiveIntegerField(default=0)  # grows with every answer, and with every one taken back
    # for a recorded battle that was resumed
    after = models.PositiveIntegerField(default=0)  # its rounds, or turns, that stay; 0: none was resumed
    events = models.PositiveIntegerField(default=0)  # its events that stay, if that ends within a round; or 0
    seed = models.CharField(max_length=20, blank=True)  # the seed of the part that stays
    seed_dice = models.JSONField(null=True)  # the sealed dice of that seed, as its record names them
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor
    at = models.DateTimeField(auto_now_add=True)
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
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name_plural = "paired dice"
        constraints = [models.UniqueConstraint(fields=["first", "second"], name="paired_dice_once")]

    def __str__(self) -> str:
        return f"dice of {self.first[:5]} and {self.second[:5]}"

    @property
    def sealed(self) -> tuple[str, str]:
        return self.first, self.second


class PairedList(models.Model):
    """The rolls as one phone has them. Only the holder of its chain's last link can send it."""

    dice = models.ForeignKey(PairedDice, on_delete=models.CASCADE, related_name="lists")
    side = models.PositiveSmallIntegerField()  # 0: the first chain's
    name = models.CharField(max_length=40)  # as its player called themselves
    last = models.CharField(max_length=26)  # link of its chain
    rolls = models.JSONField()  # see sent.py
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["side"]
        constraints = [models.UniqueConstraint(fields=["dice", "side"], name="paired_list_once")]

    def __str__(self) -> str:
        return f"{self.name} on {self.dice}"


ASKED_BY_SITE = "the site"  # the asker if nobody asked; a visitor's mark is hexadecimal
Body = Mapping[str, Any]  # a document as a JSON field holds it; its structure is in its model in systems/


class SealedDice(models.Model):
    """A secret whose hash is published before anybody rolls, and which is shown afterwards.

    Every seed is made from the secret, the players' own words and its purpose. Anybody who knows the secret can
    calculate all rolls again, and nobody could have shopped for better ones. Until they are opened, the secret is not
    in the database but encrypted with a key that is stored elsewhere (decision 17).
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    secret = models.CharField(max_length=64, blank=True)  # 32 bytes in hex; empty before revealed_at
    hidden = models.CharField(max_length=64, blank=True, editable=False)  # the encrypted secret; empty afterwards
    hidden_under = models.CharField(max_length=16, blank=True, editable=False)  # the key's name
    commitment = models.CharField(max_length=64)  # SHA-256 of the secret, in hex; published at once
    words = models.JSONField(default=list)  # [player, text] each; closed with the first roll
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor without account
    uses = models.JSONField(default=list)  # their purposes, in order of use
    at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True)  # the first roll
    revealed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "sealed dice"

    def __str__(self) -> str:
        return f"sealed dice {self.commitment[:12]}"


class Battle(Job):
    """A battle: its set-up, its seed, and its status."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    system = models.SlugField(max_length=40, choices=system_choices)
    title = models.CharField(max_length=140)
    title_upper = models.GeneratedField(expression=Upper("title"), output_field=models.TextField(), db_persist=True)
    setup = models.JSONField()  # a setup/1 document
    setup_hash = models.CharField(max_length=64, db_index=True)
    # 0 .. 2^64 - 1, as text: it doesn't fit a signed column. With sealed dice, empty until it was fought.
    seed = models.CharField(max_length=20, blank=True)
    seed_chosen = models.BooleanField(default=False)  # by the player; else drawn by the server
    dice = models.ForeignKey(SealedDice, on_delete=models.PROTECT, null=True, blank=True, related_name="battles")
    rules_version = models.PositiveIntegerField()
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="battles")
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor, or the site
    fought_by_hand = models.BooleanField(default=False)  # logged from the table: no record, only a result
    result = models.JSONField(null=True, blank=True)  # an outcome document, from the record or entered manually
    # What a list shows and sorts by; 0 until it is over, and 0 rounds if nobody counted them. For battles from a table,
    # or from before kills were counted, kills are units lost.
    rounds = models.PositiveIntegerField(default=0, editable=False)  # or turns, as its game counts
    kills = models.PositiveIntegerField(default=0, editable=False)
    # from its record; None: not over, from a table, or from before they were counted
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
    """A side of a battle: its company, and its force as it was when the battle was queued."""

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
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"record {self.digest[:12]}"

    @property
    def text(self) -> str:
        """The JSON lines, as `resolve` prints them."""
        return zlib.decompress(bytes(self.lines)).decode()


class Calculation(Job):
    """Base of everything that is simulated over many battles: the number of runs asked for and done, and their results.

    A question is simulated once, and anybody who asks it again gets that answer; so it is reached by its link and never
    listed.
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    question = models.CharField(max_length=64, unique=True)  # hash of all that the answer depends on
    system = models.SlugField(max_length=40, choices=system_choices)
    title = models.CharField(max_length=140)
    seed = models.CharField(max_length=20)
    rules_version = models.PositiveIntegerField()
    runs_asked = models.PositiveIntegerField()
    runs_done = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)  # the running totals, after runs_done runs
    ready_by = models.DateTimeField(null=True, editable=False)  # while the rules are compiled: when that should be done
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
        """Battles per second of pure computing; 0 before the first chunk."""
        return self.runs_done / self.seconds if self.seconds else 0.0

    @property
    def ready_in(self) -> int:
        """Seconds until the rules should be compiled; 0 if that is overdue."""
        return max(0, math.ceil((self.ready_by - timezone.now()).total_seconds())) if self.ready_by else 0

    def held(self) -> models.QuerySet[Self]:
        """Return this row while workers simulate it; many do at once, and each holds its own chunk."""
        return type(self)._default_manager.filter(pk=self.pk, status=JobStatus.RUNNING)

    def put_back(self, pause: timedelta) -> bool:
        """Leave the count to the other workers that share it, and to this worker again after the pause."""
        until = timezone.now() + pause + timedelta(seconds=settings.JOB_LEASE_SECONDS)
        return bool(self.held().update(lease_until=until, blips=models.F("blips") + 1))


class Chunk(models.Model):
    """Battles of a count that one worker has taken on.

    Once simulated, it waits for those before it, and is deleted when added.
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
    picks_styles = models.BooleanField(default=False)  # a worker still has to choose the AI styles in its set-up

    @property
    def stopped_early(self) -> bool:
        """True if the intervals were narrow enough before all runs were done."""
        return self.status == JobStatus.DONE and self.runs_done < self.runs_asked


class WhatIf(Calculation):
    """The effect of one change to a forecast's set-up on its odds: both are simulated on the same dice."""

    forecast = models.ForeignKey(Forecast, on_delete=models.CASCADE, related_name="what_ifs")
    change = models.JSONField()  # see what_if.py
    setup = models.JSONField()  # the changed one


class Matrix(Calculation):
    """Every published design against every other, one against one; runs are battles of all cells together."""

    terrain = models.SlugField(max_length=40)
    doctrines = models.JSONField()  # of side A and of side B
    battles = models.PositiveIntegerField()  # of each cell
    is_glance = models.BooleanField(default=False)  # of an unfinished build, which the lab asked for itself

    class Meta(Calculation.Meta):
        verbose_name_plural = "matrices"


class Curve(Calculation):
    """The win chances of a fought battle at places of its record, each from battles resumed there."""

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="curve")
    places = models.JSONField()  # after how many events of the record; rising, from 0
    battles = models.PositiveIntegerField()  # at each place


class Fork(Calculation):
    """A fought battle resumed at the start of a round: the effect of other AI styles on its win chances."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="forks")
    round = models.PositiveIntegerField()  # at whose start it is resumed
    doctrines = models.JSONField()  # of both sides from there on


class BestAnswer(Calculation):
    """Which force would do best in place of one side of a forecast's set-up, found by simulation."""

    forecast = models.ForeignKey(Forecast, on_delete=models.CASCADE, related_name="best_answers")
    side = models.PositiveSmallIntegerField()  # 0 or 1
    points = models.PositiveIntegerField()
    # see searches/forces.py: the enemies of each force; empty: the enemy of the set-up
    foes = models.JSONField(default=list)
    forces = models.JSONField()  # published designs of each; the side's own force isn't one of them
    battles = models.PositiveIntegerField()  # of a block; see systems/simulation/halving.py


class BestChange(Calculation):
    """Which single change to a forecast's set-up would help a side most: every possible one, tried on the same dice."""

    forecast = models.ForeignKey(Forecast, on_delete=models.CASCADE, related_name="best_changes")
    side = models.PositiveSmallIntegerField()  # 0 or 1
    changes = models.JSONField()  # see odds/changes.py
    battles = models.PositiveIntegerField()  # of a block; see systems/simulation/halving.py


class BestBuild(Calculation):
    """Which build would do best in place of one, found by simulation: in a forecast's set-up, or against enemies alone."""

    forecast = models.ForeignKey(Forecast, on_delete=models.CASCADE, null=True, related_name="best_builds")
    unit = models.CharField(max_length=30, blank=True)  # of the forecast's set-up; empty: against `foes`
    foes = models.JSONField(default=list)  # see searches/builds.py
    start = models.JSONField()  # name and spec of the build to be improved
    points = models.PositiveIntegerField()
    kept = models.JSONField()  # keys of the parts of it that stay
    builds = models.JSONField(default=list)  # specs, once they are listed; the build to be improved isn't one of them
    is_whole = models.BooleanField(default=False)  # there are no others
    battles_asked = models.PositiveIntegerField()  # of all builds together, about
    battles = models.PositiveIntegerField(default=0)  # of a block; 0: the builds aren't listed yet


class RecordCheck(Job):
    """A record simulated again and compared: of a battle here, or a file that somebody uploaded."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    title = models.CharField(max_length=140)
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, null=True, blank=True, related_name="checks")
    lines = models.BinaryField()  # zlib of the file; empty once it has been read
    verdict = models.JSONField(null=True)  # see services/battles.py; None: not yet
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="record_checks")
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def text(self) -> str:
        """The record as it was uploaded."""
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
