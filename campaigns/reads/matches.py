"""The page of a match: who, what, where, how it stands, and what the reader can do about it now."""

from __future__ import annotations

from dataclasses import dataclass

from battles.documents import read_setup
from battles.selectors import SideLine, sides_of
from battles.services.setups import SIDE_LETTERS
from battles.systems import get_system
from campaigns import policy
from campaigns.compare import Row, compare
from campaigns.models import CampaignState, DiaryEntry, Match, MatchState, Report, RoundState, Ruling
from campaigns.policy import UNDECIDED
from campaigns.reports import read_report
from campaigns.words import match_words
from rosters.models import Pilot, Visibility

from .past import CorrectionLine, corrections_of
from .told import Told, told

DIARY_MOST = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSide:
    """One side of a match."""

    letter: str
    place: str  # "Attacker" or "Defender"
    name: str
    owner: str
    company: int | None  # its page, if the reader may see it
    is_own: bool
    has_sealed: bool
    has_reported: bool
    refusal: str  # why it says that it will not play; members read it


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPage:
    """What the page of a match shows; `may_` is what its reader can do now."""

    told: Told
    sides: tuple[MatchSide, ...]
    terrain: str
    forces: tuple[SideLine, ...]
    diary: tuple[DiaryEntry, ...]
    rulings: tuple[Ruling, ...]  # but for corrections
    corrections: tuple[CorrectionLine, ...]
    is_open: bool  # its sides can still say something about it
    may_report: bool
    may_report_anew: bool
    may_confirm: bool
    may_compare: bool
    may_rule: bool
    may_correct: bool
    may_refuse: bool
    may_play_after_all: bool
    may_seal: bool


def match_page(match: Match, reader: policy.Reader) -> MatchPage:
    """The match as this reader sees it; `match` comes with its sides, round and campaign."""
    reported = {row.side for row in match.reports.filter(is_current=True).only("side", "match_id")}
    sealed = set(match.sealed.values_list("side", flat=True)) if match.setup is None else {0, 1}
    campaign = match.round.campaign
    own, may_rule = policy.side_of(reader, match), policy.can_rule(reader, campaign)
    is_member = policy.can_read_diary(reader, campaign.club)
    is_open = (
        match.state in UNDECIDED
        and match.defender is not None
        and match.round.state != RoundState.PLANNED
        and campaign.state == CampaignState.RUNNING
    )
    plays = is_open and own is not None
    has_own = own in reported
    return MatchPage(
        told=told(match, tuple(sorted(reported))),
        sides=_sides(match, own, reported, sealed, may_rule=may_rule, is_member=is_member),
        terrain=get_system(campaign.system).terrains.get(match.terrain, match.terrain),
        forces=sides_of(read_setup(match.setup)) if match.setup else (),
        diary=tuple(match.diary.select_related("by")[:DIARY_MOST]) if is_member else (),
        rulings=tuple(match.rulings.exclude(kind=Ruling.Kind.CORRECTION).select_related("by")),
        corrections=corrections_of(match),
        is_open=is_open,
        may_report=plays and not has_own,
        may_report_anew=plays and has_own,
        may_confirm=plays and own is not None and 1 - own in reported,
        may_compare=bool(reported) and policy.can_compare(reader, match, reported),
        may_rule=may_rule and is_open,
        may_correct=may_rule and match.state not in (*UNDECIDED, MatchState.BYE),
        may_refuse=plays and not has_own and match.refusing_side is None,
        may_play_after_all=plays and match.refusing_side == own,
        may_seal=plays and match.setup is None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Both reports side by side; fields of which neither says anything are only counted."""

    rows: tuple[Row, ...]
    left_out: int
    attacker: Report | None
    defender: Report | None

    @property
    def differ(self) -> int:
        return sum(row.differs for row in self.rows)


def match_comparison(match: Match) -> Comparison | None:
    """The current reports of a match, field by field; None if its forces are not open yet."""
    if match.setup is None:
        return None
    current = {row.side: row for row in match.reports.filter(is_current=True).select_related("by")}
    attacker, defender = (read_report(current[side].content) if side in current else None for side in (0, 1))
    rows = compare(attacker, defender, match_words(match))
    told_rows = tuple(row for row in rows if not row.is_nothing)
    return Comparison(
        rows=told_rows,
        left_out=len(rows) - len(told_rows),
        attacker=current.get(0),
        defender=current.get(1),
    )


def reported_sides(match: Match) -> set[int]:
    """Which sides have a report of their own."""
    return set(match.reports.filter(is_current=True).values_list("side", flat=True))


def _sides(
    match: Match, own: int | None, reported: set[int], sealed: set[int], *, may_rule: bool, is_member: bool
) -> tuple[MatchSide, ...]:
    found = []
    for side, place in enumerate(("Attacker", "Defender")):
        enrolment = (match.attacker, match.defender)[side]
        if enrolment is None:
            continue
        company = enrolment.company
        seen = company.visibility == Visibility.PUBLIC or own is not None or may_rule
        found.append(
            MatchSide(
                letter=SIDE_LETTERS[side],
                place=place,
                name=company.name,
                owner=str(company.owner),
                company=company.pk if seen else None,
                is_own=own == side,
                has_sealed=side in sealed,
                has_reported=side in reported,
                refusal=match.refusal if is_member and match.refusing_side == side else "",
            )
        )
    return tuple(found)


def pilot_names(match: Match) -> dict[str, str]:
    """Who sits in each unit of the open forces, by its key."""
    seats = {key: ref["pilot"] for force in match.forces for key, ref in force.items()}
    names = dict(Pilot.objects.filter(pk__in=seats.values()).values_list("pk", "name"))
    return {key: names.get(pilot, "") for key, pilot in seats.items()}
