"""Campaigns: their game, rules and length, the companies enrolled, and upgrades of the catalogue."""

from __future__ import annotations

from django.db import models

from campaigns.models.clubs import Club
from campaigns.states import EnrolmentState
from rosters.models import Company, Player
from systems import system_choices


class CampaignState(models.TextChoices):
    """States of a campaign; it only moves forward, in this order."""

    DRAFT = "draft", "draft"
    MUSTERING = "mustering", "open for sign-up"
    RUNNING = "running", "running"
    FINISHED = "finished", "finished"


class CampaignPairingMethod(models.TextChoices):
    ROUND_ROBIN = "round-robin", "round robin"
    SWISS = "swiss", "Swiss, no rematches"
    FAIR = "fair", "even matches, by the odds"
    KNOCK_OUT = "knock-out", "knock-out: the loser is out"
    GROUPS = "groups", "groups, then play-offs"
    STORYLINE = "arc", "storyline: linked scenarios, attackers against defenders"
    BY_HAND = "by-hand", "by the organiser"


class AbsentRule(models.TextChoices):
    """What happens to a match that nobody has reported by the deadline."""

    FORFEIT = "forfeit", "forfeit by the side that did nothing"
    DRAW = "draw", "a draw"
    ORDERS = "orders", "simulated with autoplay orders"


class TerritoryMap(models.TextChoices):
    NONE = "none", "no map"
    ZONES = "zones", "nine zones"
    RING = "ring", "a ring of named territories"


class AttackRule(models.TextChoices):
    """Which territories a company may fight for."""

    FREE = "free", "any"
    NEIGHBOURS = "neighbours", "only neighbours of its own, or any if it has none"


class Campaign(models.Model):
    """A campaign of a club in one rule system. Its rules are fixed when mustering begins."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="campaigns")
    system = models.SlugField(max_length=40, choices=system_choices)
    name = models.CharField(max_length=60)
    about = models.TextField(max_length=2000, blank=True)
    state = models.CharField(max_length=9, choices=CampaignState, default=CampaignState.DRAFT)
    is_public = models.BooleanField("seen by everybody", default=True)
    points = models.PositiveIntegerField()  # most that a company may be worth when it is mustered
    scenarios = models.JSONField(default=list)  # available: [{"value": slug or spec, "name": ...}], as set-ups take it
    options = models.JSONField(default=dict)  # house rules of the system, as set-ups take them
    pace_days = models.PositiveSmallIntegerField(default=14)  # length of a round
    pairing = models.CharField(max_length=12, choices=CampaignPairingMethod, default=CampaignPairingMethod.SWISS)
    tie_breakers = models.JSONField(default=list)  # slugs, see standings; in the organiser's order
    map_kind = models.CharField(max_length=6, choices=TerritoryMap, default=TerritoryMap.NONE)
    attack_rule = models.CharField(max_length=10, choices=AttackRule, default=AttackRule.FREE)
    absent_rule = models.CharField(max_length=8, choices=AbsentRule, default=AbsentRule.FORFEIT)
    confirms_by_deadline = models.BooleanField("a single report stands at the deadline", default=True)
    seals_forces = models.BooleanField("forces are hidden until both are in", default=True)
    handicaps = models.BooleanField("uneven matches may be given a handicap", default=False)
    counts_odds = models.BooleanField("odds of its matches are counted and published", default=True)
    seats = models.PositiveSmallIntegerField(default=40)  # maximum number of companies
    fills_seats = models.BooleanField("a place that falls free goes to the next by itself", default=False)
    friendlies = models.PositiveSmallIntegerField(default=0)  # games besides its matches, per company and round
    catalogue_release = models.CharField(max_length=20)  # after mustering it only changes to newer ones
    mustering_at = models.DateTimeField(null=True, blank=True)
    running_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="campaign_name_once_per_club")]

    def __str__(self) -> str:
        return self.name

    @property
    def scenario_names(self) -> list[str]:
        return [each["name"] for each in self.scenarios]


class Enrolment(models.Model):
    """A company in a campaign.

    `orders` are its autoplay orders, {"doctrine": slug, "standing": see `campaigns.autoplay_orders`}: how it plays when its
    player is absent. An exception is the organiser's permission for this company to muster although it has problems. It
    is valid only for the state of the company whose hash it names, and lapses with the next change.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="enrolments")
    company = models.ForeignKey(Company, on_delete=models.PROTECT, related_name="enrolments")
    state = models.CharField(max_length=9, choices=EnrolmentState, default=EnrolmentState.ASKED)
    orders = models.JSONField(default=dict)
    asked_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    decision = models.CharField(max_length=300, blank=True)  # why it was declined
    exception_hash = models.CharField(max_length=64, blank=True)
    excused_points = models.PositiveIntegerField(default=0)  # value of units and hired pilots at the exception
    carried_points = models.IntegerField(default=0)  # points the campaign had earned it before its import here
    exception_reason = models.CharField(max_length=300, blank=True)
    exception_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    exception_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["campaign", "company"], name="enrolled_once")]

    def __str__(self) -> str:
        return f"{self.company} in {self.campaign}"


class Territory(models.Model):
    """A place on the campaign map. Its holder is not stored: it is the winner of the last match fought for it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="territories")
    position = models.PositiveSmallIntegerField()  # zone 1 to 9, or the place on the ring
    name = models.CharField(max_length=40)
    home = models.ForeignKey(Enrolment, on_delete=models.SET_NULL, null=True, blank=True, related_name="homes")
    neighbours = models.JSONField(default=list, blank=True)  # positions; empty: by the map's shape
    income = models.PositiveSmallIntegerField(default=0)  # points for its holder when a round closes
    # On top of the printed income, for its holder when a round opens: for that match only.
    bonus_points = models.PositiveSmallIntegerField(default=0)
    bonus_rolls = models.PositiveSmallIntegerField(default=0)  # support rolls

    class Meta:
        ordering = ["position"]
        verbose_name_plural = "territories"
        constraints = [models.UniqueConstraint(fields=["campaign", "position"], name="territory_once")]

    def __str__(self) -> str:
        return self.name


class UpgradeState(models.TextChoices):
    PLANNED = "planned", "planned"
    ADOPTED = "adopted", "adopted"
    CALLED_OFF = "called-off", "cancelled"
    UNDONE = "undone", "undone"


class CatalogueUpgrade(models.Model):
    """A campaign's change of its catalogue version, between two rounds: at once, before a given round, or on a day."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="adoptions")
    before = models.CharField(max_length=20)
    release = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=UpgradeState, default=UpgradeState.PLANNED)
    from_round = models.PositiveSmallIntegerField(null=True, blank=True)  # the change is made before this round
    from_day = models.DateField(null=True, blank=True)  # in the site's own time zone
    options_before = models.JSONField(default=dict)  # the house rules before; the newer version may have retired some
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    adopted_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)  # called off or undone
    waits = models.CharField(max_length=300, blank=True)  # why it was due and couldn't be done

    class Meta:
        db_table = "campaigns_releaseadoption"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=models.Q(state="planned"), name="one_release_planned_per_campaign"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign} to release {self.release}"
