"""Seasons over several games: campaigns, players, teams and rounds, and the game that each pairing has agreed on.

The leader is not stored: the standings are calculated from the matches.
"""

from __future__ import annotations

import uuid

from django.db import models

from battles.models import SealedDice
from rosters.models import Player

from .campaigns import Campaign
from .clubs import Club
from .matches import Match


class SeasonState(models.TextChoices):
    """States of a season; it only moves forward, in this order."""

    GATHERING = "gathering", "open for sign-up"
    RUNNING = "running", "running"
    FINISHED = "finished", "finished"


class SettleRule(models.TextChoices):
    """Which game is played if two players haven't agreed on one in time."""

    ORDER = "order", "the first game in the season's order that both play"
    LOT = "lot", "a random game that both play"


class PairingMethod(models.TextChoices):
    """How the pairings of a season's round are made."""

    ROUND_ROBIN = "round-robin", "round robin"
    SWISS = "swiss", "Swiss, no rematches"
    TEAMS = "teams", "team against team"
    CUP = "cup", "the cup: the loser is out"
    BY_HAND = "by-hand", "by the organiser"


class SettledBy(models.TextChoices):
    """How it was decided which game a pairing plays."""

    AGREEMENT = "agreement", "both agreed"
    ONLY = "only", "the only game that both play"
    ORDER = "order", "no agreement: first in the season's order"
    LOT = "lot", "no agreement: drawn by lot"
    ORGANISER = "organiser", "the organiser"


class Season(models.Model):
    """A season of a club: it covers campaigns of several games and pairs their players."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=60)
    about = models.TextField(max_length=2000, blank=True)
    state = models.CharField(max_length=9, choices=SeasonState, default=SeasonState.GATHERING)
    win_points = models.PositiveSmallIntegerField(default=3)
    draw_points = models.PositiveSmallIntegerField(default=1)
    loss_points = models.PositiveSmallIntegerField(default=0)
    tie_breakers = models.JSONField(default=list)  # slugs, in the organiser's order
    agree_days = models.PositiveSmallIntegerField(default=3)  # days in which to agree on a game
    pace_days = models.PositiveSmallIntegerField(default=14)  # from the opening of a round to its deadline
    settle_rule = models.CharField(max_length=5, choices=SettleRule, default=SettleRule.ORDER)
    cup_size = models.PositiveSmallIntegerField(
        default=4
    )  # number of players, from the top of the standings, in the cup; 0: no cup
    has_third_place = models.BooleanField(default=False)  # the losers of the semi-finals play for it
    points_may_differ = models.BooleanField(default=False)  # companies of its campaigns may be worth different points
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="season_name_once_per_club")]

    def __str__(self) -> str:
        return self.name


class SeasonGame(models.Model):
    """A campaign of a season, in which the season's matches of that game are played."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="games")
    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="season_game")
    position = models.PositiveSmallIntegerField()  # in the season's order

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["season", "position"], name="season_game_place_once")]

    def __str__(self) -> str:
        return f"{self.campaign} in {self.season}"


class SeasonTeam(models.Model):
    """A team of a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(max_length=40)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["season", "name"], name="season_team_name_once")]

    def __str__(self) -> str:
        return self.name


class SeasonEntrant(models.Model):
    """A player in a season. The games they can play follow from where their companies are enrolled."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="season_entries")
    team = models.ForeignKey(SeasonTeam, on_delete=models.SET_NULL, null=True, blank=True, related_name="entrants")
    is_in = models.BooleanField(default=True)  # players who have left get no new pairings
    seed = models.PositiveSmallIntegerField(null=True, blank=True)  # in the cup, from 1, the best
    joined_at = models.DateTimeField(auto_now_add=True, db_column="at")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "player"], name="season_entrant_once"),
            models.UniqueConstraint(fields=["season", "seed"], name="season_seed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.season}"


class SeasonRoundState(models.TextChoices):
    PLANNED = "planned", "planned"  # pairings can still be changed; players don't see them
    OPEN = "open", "open"


class SeasonRound(models.Model):
    """A round of a season. Whether it has ended follows from its matches."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    way = models.CharField(max_length=11, choices=PairingMethod)
    boards = models.PositiveSmallIntegerField(default=0)  # per match of two teams
    state = models.CharField(max_length=7, choices=SeasonRoundState, default=SeasonRoundState.PLANNED)
    opens_at = models.DateTimeField(null=True, blank=True)
    agree_by = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    dice = models.ForeignKey(SealedDice, on_delete=models.PROTECT, null=True, blank=True, related_name="season_rounds")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["season", "number"], name="season_round_once")]

    def __str__(self) -> str:
        return f"Round {self.number}"


class SeasonTie(models.Model):
    """Team against team in a round; without a second team it is a bye."""

    round = models.ForeignKey(SeasonRound, on_delete=models.CASCADE, related_name="ties")
    number = models.PositiveSmallIntegerField()
    one = models.ForeignKey(SeasonTeam, on_delete=models.RESTRICT, related_name="+")
    two = models.ForeignKey(SeasonTeam, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["round", "number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="season_tie_once")]

    def __str__(self) -> str:
        return f"{self.one} against {self.two or 'nobody'}"


class PairingState(models.TextChoices):
    """How far a pairing is until it has its match; after that see the match's state."""

    AGREEING = "agreeing", "choosing a game"
    SETTLED = "settled", "game chosen"
    BYE = "bye", "bye"
    AWARDED = "awarded", "awarded"  # by the organiser, without a match
    CALLED_OFF = "called-off", "cancelled"  # counts for nobody


class SeasonPairing(models.Model):
    """Two players who meet in a round, in a game that they agree on; a bye has no second player."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    round = models.ForeignKey(SeasonRound, on_delete=models.CASCADE, related_name="pairings")
    number = models.PositiveSmallIntegerField()
    one = models.ForeignKey(SeasonEntrant, on_delete=models.RESTRICT, related_name="+")
    two = models.ForeignKey(SeasonEntrant, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    tie = models.ForeignKey(SeasonTie, on_delete=models.CASCADE, null=True, blank=True, related_name="pairings")
    board = models.PositiveSmallIntegerField(default=0)  # of a match of two teams, from 1
    place = models.PositiveSmallIntegerField(null=True, blank=True)  # in the cup's bracket, see cups.bracket
    state = models.CharField(max_length=10, choices=PairingState, default=PairingState.AGREEING)
    proposed = models.ForeignKey(SeasonGame, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    proposing_side = models.PositiveSmallIntegerField(null=True, blank=True, db_column="proposing")  # 0 one, 1 two
    game = models.ForeignKey(SeasonGame, on_delete=models.RESTRICT, null=True, blank=True, related_name="pairings")
    settled_by = models.CharField(max_length=9, choices=SettledBy, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    match = models.OneToOneField(Match, on_delete=models.PROTECT, null=True, blank=True, related_name="season_pairing")
    one_attacks = models.BooleanField(default=True)  # in the match
    last_notices = models.JSONField(default=dict, blank=True, db_column="told")  # by side: see seasons.services
    blocked_reason = models.CharField(
        max_length=300, blank=True, db_column="obstacle"
    )  # why there is no match, although there should be one
    awarded = models.PositiveSmallIntegerField(null=True, blank=True)  # the side that wins it
    reason = models.CharField(max_length=300, blank=True)  # why it was awarded or called off

    class Meta:
        ordering = ["round", "number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="season_pairing_once")]
        indexes = [
            models.Index(fields=["round"], name="season_to_agree", condition=models.Q(state="agreeing")),
        ]

    def __str__(self) -> str:
        return f"{self.one.player} against {self.two.player if self.two else 'nobody'}"
