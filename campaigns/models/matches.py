"""Rounds and matches, from the fixture to the result: lists, handicaps, dates, live tables, watch parties."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.db import models

from battles.models import Battle, Forecast, LiveTable, SealedDice
from campaigns.models.campaigns import Campaign, Enrolment, Territory
from campaigns.models.clubs import Club
from campaigns.states import MatchState, Outcome
from rosters.jobs import Job, JobStatus
from rosters.models import Player
from systems import system_choices


class RoundState(models.TextChoices):
    PLANNED = "planned", "planned"  # pairings can still be changed; players don't see them
    OPEN = "open", "open"
    CLOSED = "closed", "closed"


class Round(models.Model):
    """A round of a campaign."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=7, choices=RoundState, default=RoundState.PLANNED)
    opens_at = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    deadline_set_at = models.DateTimeField(null=True, blank=True)  # when it was last moved; None: never
    closed_at = models.DateTimeField(null=True, blank=True)
    is_finale = models.BooleanField(default=False)  # its battles are the campaign's last, by the game's rules for them
    settled_at = models.DateTimeField(null=True, blank=True)  # when its territories last paid; None: not yet

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="round_once")]

    def __str__(self) -> str:
        return f"Round {self.number}"


class RoundClose(Job):
    """The closing of a round, done step by step; every step can be repeated without harm."""

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="closing")
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    steps = models.JSONField(default=list)  # [{"step": slug, "title": ..., "state": "waiting|done", "text": ...}]

    def __str__(self) -> str:
        return f"closing of {self.round}"


class DecidedBy(models.TextChoices):
    AGREEMENT = "agreement", "both reports agree"
    OTHER_SIDE = "other-side", "confirmed by the other side"
    DEADLINE = "deadline", "only one report by the deadline"
    RULING = "ruling", "an arbiter's ruling"
    ORDERS = "orders", "simulated with autoplay orders"
    ORGANISER = "organiser", "the organiser"
    IMPORT = "import", "imported"


class Match(models.Model):
    """A match of two enrolled companies; a bye has no defender.

    `setup` and `forces` are fixed when both sides' lists are revealed: a setup/1 document, and per side unit key ->
    {"unit": id, "pilot": id}. `battle` keeps the result; its effects on the companies name it as their cause.
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="matches")
    number = models.PositiveSmallIntegerField()  # table
    scenario = models.JSONField()  # slug or spec, as set-ups take it
    scenario_name = models.CharField(max_length=60)
    terrain = models.CharField(max_length=40, blank=True)
    attacker = models.ForeignKey(Enrolment, on_delete=models.PROTECT, related_name="attacks")
    defender = models.ForeignKey(Enrolment, on_delete=models.PROTECT, null=True, blank=True, related_name="defences")
    territory = models.ForeignKey(Territory, on_delete=models.SET_NULL, null=True, blank=True, related_name="matches")
    state = models.CharField(max_length=13, choices=MatchState, default=MatchState.SCHEDULED)
    outcome = models.CharField(max_length=8, choices=Outcome, blank=True, default=Outcome.UNKNOWN)
    decided_by = models.CharField(max_length=10, choices=DecidedBy, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decider = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    setup = models.JSONField(null=True, blank=True)
    forces = models.JSONField(default=list, blank=True)
    dice = models.ForeignKey(SealedDice, on_delete=models.PROTECT, null=True, blank=True, related_name="matches")
    forecast = models.ForeignKey(Forecast, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    # The odds when the round closed: {"runs", "attacker_wins", "defender_wins", "margins": {text: n}}.
    odds = models.JSONField(null=True, blank=True)
    bonus = models.JSONField(default=list)  # [[side, territory, points, support rolls], ...] that its scenario includes
    no_odds = models.CharField(max_length=300, blank=True)  # why no odds could be published, if some were due
    battle = models.OneToOneField(Battle, on_delete=models.PROTECT, null=True, blank=True, related_name="match")
    figures = models.JSONField(default=dict, blank=True)  # of attacker and defender: see standings.Score
    flag = models.CharField(max_length=300, blank=True)  # why it needs another look
    refusing_side = models.PositiveSmallIntegerField(null=True, blank=True)  # the side that won't play the match
    refusal = models.CharField(max_length=300, blank=True)  # and why
    past = models.JSONField(null=True, blank=True)  # imported from before: {"attacker_kills": n, "defender_kills": n}

    class Meta:
        ordering = ["round", "number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="match_table_once")]
        indexes = [  # for the few undecided matches
            models.Index(
                fields=["round"],
                name="match_undecided",
                condition=models.Q(state__in=["scheduled", "reported", "disputed"]),
            )
        ]

    def __str__(self) -> str:
        return f"{self.attacker.company} against {self.defender.company if self.defender else 'nobody'}"


class Friendly(models.Model):
    """A company's game besides its matches, against a free opponent.

    It is announced with its provably fair dice before they are rolled, played once, and entered in the company's ledger
    whatever the result.
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="friendlies")
    enrolment = models.ForeignKey(Enrolment, on_delete=models.PROTECT, related_name="friendlies")
    opponent = models.CharField(max_length=60)  # name of a published list
    battle = models.OneToOneField(Battle, on_delete=models.PROTECT, null=True, blank=True, related_name="friendly")
    outcome = models.CharField(max_length=5, blank=True)  # of one imported without its battle
    commitment = models.CharField(max_length=64, blank=True)  # likewise
    created_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_column="by_id"
    )
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "friendlies"

    def __str__(self) -> str:
        return f"{self.enrolment.company} against {self.opponent}"


class FairDraw(Job):
    """The odds of all possible pairs of a planned round, calculated so that its matches can be as even as possible."""

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="fair_draw")
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    chances = models.JSONField(default=dict)  # "attacker-defender" -> chance of the attacker; a draw counts half
    pairs = models.PositiveIntegerField(default=0)  # to calculate in all
    ground = models.CharField(max_length=12, blank=True)  # that they were calculated on: `ground_key`

    def __str__(self) -> str:
        return f"fair draw of {self.round}"


class PairOdds(Job):
    """The odds of the pairs that an organiser made in a planned round, calculated as they are made.

    `counted` also keeps pairs that were changed again: the odds are there if the organiser comes back to one.
    """

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="pair_odds")
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    # by pair and ground: {"chance": of the attacker, a draw counts half}, or {"why": there are no odds}
    counted = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"odds of the pairs of {self.round}"


class SupportRoll(models.Model):
    """A support roll of one side, made on the match's provably fair dice when its lists were revealed."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="support_rolls")
    side = models.PositiveSmallIntegerField()  # 0 attacker, 1 defender
    number = models.PositiveSmallIntegerField()  # of that side, from 1
    faces = models.JSONField()
    result = models.SlugField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")

    class Meta:
        ordering = ["side", "number"]
        constraints = [models.UniqueConstraint(fields=["match", "side", "number"], name="support_roll_once")]

    def __str__(self) -> str:
        return f"{self.result} for side {self.side}"


class SubmittedList(models.Model):
    """One side's list and AI style for a match, hidden from the opponent until both have submitted or the deadline.

    `hash` is SHA-256 of salt and canonical document, shown at once, so that anyone can check later that nothing was
    changed. A list that has become impossible lapses: its row says why, and it doesn't count as submitted.
    """

    TAKEN_BACK = "You took it back."
    FELL_WITH_HANDICAP = "The handicap that it was submitted under no longer counts."

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="sealed")
    side = models.PositiveSmallIntegerField()  # 0 attacker, 1 defender
    document = models.JSONField()  # {"units": [unit ids], "doctrine": slug}
    # The list as submitted on the site of an archive, with that site's ids; None: it was submitted here.
    sealed_as = models.JSONField(null=True, blank=True, editable=False)
    salt = models.CharField(max_length=32)
    hash = models.CharField(max_length=64)
    words = models.CharField(max_length=100, blank=True)  # the player's own, for the dice
    submitted_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_column="by_id"
    )
    submitted_at = models.DateTimeField(auto_now_add=True, db_column="at")  # of the last submission
    opened_at = models.DateTimeField(null=True, blank=True)
    fell = models.CharField(max_length=300, blank=True)  # why it can't be fielded any more; empty: it is valid

    class Meta:
        db_table = "campaigns_matchforce"
        constraints = [models.UniqueConstraint(fields=["match", "side"], name="match_force_once")]

    def __str__(self) -> str:
        return f"force {self.hash[:12]}"


class MatchPreparation(models.Model):
    """One side's first two steps towards a match: the pilots who come, then its support rolls, on its own dice.

    The dice are sealed when the round opens. Only the side itself sees the rolls before the lists are revealed.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="preparations")
    side = models.PositiveSmallIntegerField()  # 0 attacker, 1 defender
    dice = models.OneToOneField(SealedDice, on_delete=models.PROTECT, related_name="preparation")
    pilots = models.JSONField(default=list)  # ids of the pilots who come
    rolls = models.JSONField(default=list)  # [{"faces": [..], "result": slug}], in the order they were rolled
    rolled = models.JSONField(default=dict)  # faces of other dice rolled before the purchase, by result
    rolled_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_column="by_id"
    )
    rolled_at = models.DateTimeField(null=True, blank=True)  # None: not yet

    class Meta:
        db_table = "campaigns_matchmuster"
        ordering = ["match", "side"]
        constraints = [models.UniqueConstraint(fields=["match", "side"], name="muster_once")]

    def __str__(self) -> str:
        return f"preparation of side {self.side} of {self.match_id}"

    @property
    def support(self) -> list[str]:
        """Return the slugs of the results rolled."""
        return [made["result"] for made in self.rolls]


class SavedList(models.Model):
    """Designs that a player likes to buy together; whether they are legal is checked when they are bought."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="saved_forces")
    system = models.SlugField(max_length=40, choices=system_choices)
    name = models.CharField(max_length=60)
    designs = models.JSONField()  # [{"design": slug or spec, "name": ...}]
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "campaigns_savedforce"
        ordering = ["name", "pk"]
        constraints = [models.UniqueConstraint(fields=["player", "system", "name"], name="saved_force_once")]

    def __str__(self) -> str:
        return self.name


class Handicap(Job):
    """A handicap of a match: calculated by a worker, in force once both sides have agreed to it."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="handicap")
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    side = models.PositiveSmallIntegerField(null=True, blank=True)  # that has the handicap: 0 attacker, 1 defender
    kind = models.CharField(max_length=12, blank=True)  # what is given up; empty: nothing is proposed
    # Maximum points of its list; support rolls it goes without; how much harder its task is, in the game's unit.
    value = models.PositiveIntegerField(default=0)
    chance = models.FloatField(null=True, blank=True)  # of the attacker without it; a draw counts half
    chance_with = models.FloatField(null=True, blank=True)
    tried = models.JSONField(default=list)  # as calculated: see army_lists.handicaps.TriedOffer
    basis = models.JSONField(null=True, blank=True)  # see army_lists.handicaps.HandicapBasis
    agreed = models.JSONField(default=list)  # the sides that have agreed
    reason = models.CharField(max_length=300, blank=True)  # why nothing is proposed

    def __str__(self) -> str:
        return f"handicap of {self.match}"

    @property
    def is_agreed(self) -> bool:
        """Return whether it is in force."""
        return bool(self.kind) and set(self.agreed) == {0, 1}


class MatchTable(models.Model):
    """The live table of a match: one for both sides' players."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="live")
    table = models.OneToOneField(LiveTable, on_delete=models.CASCADE, related_name="match_table")

    def __str__(self) -> str:
        return f"table of {self.match}"


class WatchParty(Job):
    """The watch party of a match: a job that waits for its time, simulates, waits for the end, and decides the match.

    Until then there is no battle. The record is kept here, encrypted with a key that is not in the database.
    """

    LIVE = (JobStatus.QUEUED, JobStatus.RUNNING)
    LATE = timedelta(minutes=1)  # a shorter delay isn't shown

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="watch_party")
    starts_at = models.DateTimeField(db_column="at")  # as it was announced
    pace = models.PositiveSmallIntegerField()  # seconds a step
    announced_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_column="by_id"
    )
    announced_at = models.DateTimeField(auto_now_add=True)
    is_cancelled = models.BooleanField(
        default=False, db_column="is_off"
    )  # called off too late for the round's closing: decided, not shown
    began_at = models.DateTimeField(null=True, editable=False)
    ends_at = models.DateTimeField(null=True, editable=False)
    cuts = models.JSONField(default=list, editable=False)  # number of the record's events at the end of each step
    record = models.TextField(blank=True, editable=False)  # encrypted; empty once the match is decided
    ended = models.CharField(max_length=300, blank=True)  # why it wasn't shown to its end; empty: it was

    class Meta:
        db_table = "campaigns_premiere"
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"watch party of {self.match}"

    @property
    def is_live(self) -> bool:
        """Return whether it is upcoming or running."""
        return self.status in self.LIVE

    @property
    def minutes_late(self) -> int:
        """Return how many minutes later than announced it began; 0 if nobody would notice."""
        if self.began_at is None or self.began_at - self.starts_at < self.LATE:
            return 0
        return round((self.began_at - self.starts_at).total_seconds() / 60)


class Availability(models.Model):
    """When a player can play: in one club, or in all clubs without an entry of their own. Days are calendar days."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="availabilities")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    weekdays = models.JSONField(default=list)  # evenings of every week, 0 is Monday
    days = models.JSONField(default=list)  # other evenings, as "2026-11-26"
    away = models.JSONField(default=list)  # [first day, last day], any number

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "availabilities"
        constraints = [
            models.UniqueConstraint(fields=["player", "club"], name="availability_once_per_club"),
            models.UniqueConstraint(fields=["player"], condition=models.Q(club=None), name="availability_once_for_all"),
        ]

    def __str__(self) -> str:
        return f"evenings of {self.player}{f' at {self.club}' if self.club else ''}"


class MatchDate(models.Model):
    """The date of a match: agreed by both sides, or proposed by one. An agreed date stays until another is agreed."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="date")
    agreed_at = models.DateTimeField(null=True, blank=True)  # when it is played
    proposed_at = models.DateTimeField(null=True, blank=True)  # when one side would like to play it
    side = models.PositiveSmallIntegerField(default=0)  # that proposed it: 0 attacker, 1 defender
    changed_at = models.DateTimeField(null=True, blank=True)  # when any of these changed last

    def __str__(self) -> str:
        return f"date of {self.match}"


class PlayerCalendar(models.Model):
    """The key that opens a player's calendar to a program without a session."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="calendar")
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    def __str__(self) -> str:
        return f"calendar of {self.player}"
