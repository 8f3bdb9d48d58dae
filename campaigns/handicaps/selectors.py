"""The handicap of a match as its page and the API show it."""

from __future__ import annotations

from dataclasses import dataclass

from campaigns import policy
from campaigns.handicaps.terms import can_be_given_up, gives_up, handicap_told
from campaigns.models import Handicap, Match
from rosters.site.jobs import JobStatus

AT_WORK = (JobStatus.QUEUED, JobStatus.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Something that was counted."""

    words: str
    chance: float  # of the attacker, a draw counted half


@dataclass(frozen=True, slots=True, kw_only=True)
class HandicapSheet:
    """What there is to say of it, and what the reader can do."""

    can_be: str  # what can be given up in this game, in words
    status: str  # none, counting, failed, nothing, proposed or agreed
    told: str
    kind: str
    value: int
    chance: float | None
    chance_with: float | None
    reason: str
    tried: tuple[Tried, ...]
    agreed: tuple[str, ...]  # the companies that have agreed
    may_ask: bool
    may_agree: tuple[str, ...]  # sides of the reader's that have not agreed: "attacker", "defender"
    may_take_back: tuple[str, ...]


def handicap_sheet(match: Match, reader: policy.Reader, *, is_open: bool) -> HandicapSheet | None:
    """The handicap of a match; None where its campaign has none and none was agreed. `is_open`: its sides can still act."""
    row: Handicap | None = getattr(match, "handicap", None)
    own = policy.sides_of(reader, match)
    campaign = match.round.campaign
    can_act = is_open and bool(own) and match.setup is None and campaign.handicaps
    if row is None:
        return _none(campaign.system, may_ask=True) if can_act else None
    status = _status(row)
    if status != "agreed" and not can_act:
        return None
    words = ("attacker", "defender")
    waits = status == "proposed" and can_act
    companies = [side.company.name for side in (match.attacker, match.defender) if side is not None]
    return HandicapSheet(
        can_be=can_be_given_up(campaign.system),
        status=status,
        told=handicap_told(match, row),
        kind=row.kind,
        value=row.value,
        chance=row.chance,
        chance_with=row.chance_with,
        reason=row.failure or row.reason,
        tried=tuple(
            Tried(words=gives_up(each["kind"], each["value"], each.get("told", "")), chance=each["chance"])
            for each in row.tried
        ),
        agreed=tuple(companies[side] for side in row.agreed),
        may_ask=can_act and status not in ("agreed", "counting"),
        may_agree=tuple(words[side] for side in own if waits and side not in row.agreed),
        may_take_back=tuple(words[side] for side in own if waits and side in row.agreed),
    )


def _status(row: Handicap) -> str:
    if row.status in AT_WORK:
        return "counting"
    if row.status != JobStatus.DONE:
        return "failed"
    if not row.kind:
        return "nothing"
    return "agreed" if row.is_agreed else "proposed"


def _none(system: str, *, may_ask: bool) -> HandicapSheet:
    return HandicapSheet(
        can_be=can_be_given_up(system),
        status="none",
        told="",
        kind="",
        value=0,
        chance=None,
        chance_with=None,
        reason="",
        tried=(),
        agreed=(),
        may_ask=may_ask,
        may_agree=(),
        may_take_back=(),
    )
