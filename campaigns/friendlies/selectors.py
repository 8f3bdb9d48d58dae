"""The friendly games of a campaign, as everybody sees them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from campaigns.models import Campaign, Enrolment, EnrolmentState, Friendly
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.site.compiled import PreparedQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendlyRow:
    """A friendly game: when it was announced, its dice, and how it ended. `outcome` is empty until it is done."""

    key: UUID
    round: int
    enrolment: int
    company: str
    opponent: str
    by: str
    at: datetime
    dice: UUID | None
    commitment: str
    battle: UUID | None  # None: it was imported without one
    outcome: str  # "won", "drawn", "lost"; "failed" for a server error, which doesn't use up a game

    @property
    def told(self) -> str:
        failed = "not fought, by the server's fault; it does not count"
        return {"failed": failed, "": "being fought"}.get(self.outcome, self.outcome)


def friendly_rows(campaign: Campaign) -> list[FriendlyRow]:
    """Return all friendly games of the campaign, newest first; one query."""
    return [_line(row) for row in LINES.rows(campaign=campaign.pk)]


def own_entrants(campaign: Campaign, reader: object) -> list[Enrolment]:
    """Return the reader's companies that take part."""
    return ENTRANTS.rows(campaign=campaign.pk, owner=reader.pk) if isinstance(reader, Player) else []


def _entrants(campaign: int, owner: int) -> QuerySet[Enrolment]:
    rows = Enrolment.objects.filter(campaign=campaign, company__owner=owner, state=EnrolmentState.ACCEPTED)
    return rows.select_related("company__owner", "campaign__club").order_by("pk")


BESIDE = ("round", "enrolment__company", "battle__dice", "by")
LINES = PreparedQuery(
    lambda campaign: Friendly.objects.filter(round__campaign=campaign).select_related(*BESIDE), campaign=int
)
ENTRANTS = PreparedQuery(_entrants, campaign=int, owner=int)


def _line(row: Friendly) -> FriendlyRow:
    battle, outcome = row.battle, row.outcome
    dice = battle.dice if battle else None
    if battle and battle.status == JobStatus.DONE:
        winner = (battle.result or {})["winner"]
        outcome = "drawn" if winner is None else "won" if winner == battle.setup["sides"][0]["name"] else "lost"
    elif battle and battle.status == JobStatus.FAILED:
        outcome = "failed"
    return FriendlyRow(
        key=row.key,
        round=row.round.number,
        enrolment=row.enrolment_id,
        company=row.enrolment.company.name,
        opponent=row.opponent,
        by=str(row.by) if row.by else "",
        at=row.at,
        dice=dice.key if dice else None,
        commitment=dice.commitment if dice else row.commitment,
        battle=battle.key if battle else None,
        outcome=outcome,
    )
