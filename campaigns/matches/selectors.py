"""The page of a match: sides, scenario, place and state, and what the reader can do now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from battles.models import Forecast
from battles.odds.selectors import forecast_odds
from battles.selectors.records import SideRow, sides_after, sides_of
from campaigns import policy
from campaigns.army_lists.purchases import buys_units_per_match
from campaigns.availability.selectors import DateSheet, date_of, date_sheet
from campaigns.corrections.selectors import CorrectionRow, corrections_of
from campaigns.cups.bracket import stage_name
from campaigns.cups.selectors import describe_draws
from campaigns.handicaps.selectors import HandicapSheet, handicap_sheet
from campaigns.models import (
    ActivityLogEntry,
    CampaignState,
    Match,
    MatchPreparation,
    MatchState,
    Report,
    RoundState,
    Ruling,
    SubmittedList,
    SupportRoll,
)
from campaigns.planning.selectors import MatchStatus, match_status
from campaigns.results.selectors import support_names, visible_setup
from campaigns.storylines.selectors import describe_terms
from campaigns.territories.income import describe_bonuses
from campaigns.watch_parties.selectors import WatchPartyNote, watch_party_note
from campaigns.watch_party_holds import hold_reason
from rosters.database.queries import PreparedQuery
from rosters.models import Unit, Visibility
from systems import battle_rules
from systems.reading import stored_setup
from systems.scenarios import SIDES
from systems.setups import SIDE_LETTERS, canonical
from systems.simulation.summary import Odds

MAX_LOG_LINES = 50
REPORTED = PreparedQuery(
    lambda match: Report.objects.filter(match=match, is_current=True).order_by().values_list("side"), match=int
)
SUBMITTED_LISTS = PreparedQuery(lambda match: SubmittedList.objects.filter(match=match), match=int)
ACTIVITY_LOG = PreparedQuery(
    lambda match: ActivityLogEntry.objects.filter(match=match).select_related("created_by")[:MAX_LOG_LINES], match=int
)
RULINGS = PreparedQuery(
    lambda match: Ruling.objects.filter(match=match).exclude(kind=Ruling.Kind.CORRECTION).select_related("decided_by"),
    match=int,
)
SUPPORT_ROLLS = PreparedQuery(lambda match: SupportRoll.objects.filter(match=match), match=int)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSide:
    """One side of a match."""

    letter: str
    place: str  # "Attacker" or "Defender"
    name: str
    emblem: str
    owner: str
    company: int | None  # ID of its page, if the reader may see it
    is_own: bool
    has_sealed: bool
    hash: str  # of its submitted list; empty if there is none
    can_be_checked: bool  # on this site; lists from before the club was imported are checked on the old one
    hashed: str  # the text with this SHA-256, once lists are revealed; the other side's once the match is decided
    has_reported: bool
    refusal: str  # its reason for refusing to play; for members
    brings: tuple[str, ...]  # its submitted units, if the reader may see them before lists are revealed
    fell: str  # why its submitted list was voided; for its own player


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportRollRow:
    """A support roll made with the match's provably fair dice."""

    letter: str
    company: str
    number: int
    faces: tuple[int, ...]
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOdds:
    """The published odds of the match. `odds` is None until the first battles are simulated."""

    forecast: Forecast
    odds: Odds | None
    with_forces: bool  # for the revealed lists, not for everything the companies could field
    by_named_styles: bool  # the AI played the match


@dataclass(frozen=True, slots=True, kw_only=True)
class SideActs:
    """What the player of both sides can do for one of them."""

    word: str  # "attacker" or "defender"
    name: str
    may_seal: bool
    has_sealed: bool
    has_reported: bool
    may_report: bool
    may_confirm: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPage:
    """The page of a match. `may_` fields are what its reader can do now."""

    status: MatchStatus
    stage: str  # of the cup; empty if the match isn't a tie of it
    draws: str  # how a draw is decided in the cup
    war: tuple[str, ...]  # how the war changes its terms, a sentence each
    bonuses: tuple[str, ...]  # bonuses of territories, a sentence each
    date: DateSheet | None
    agreed_at: datetime | None  # when its sides play
    handicap: HandicapSheet | None
    watch_party: WatchPartyNote | None
    sides: tuple[MatchSide, ...]
    terrain: str
    forces: tuple[SideRow, ...]
    support_rolls: tuple[SupportRollRow, ...]
    preparation_dice: tuple[tuple[str, UUID], ...]  # sides that rolled on their own dice: name and key of the dice
    odds: MatchOdds | None
    activity: tuple[ActivityLogEntry, ...]
    rulings: tuple[Ruling, ...]  # except corrections
    corrections: tuple[CorrectionRow, ...]
    is_open: bool  # its sides can still act
    may_report: bool
    may_report_again: bool
    may_confirm: bool
    may_compare: bool
    may_rule: bool
    may_correct: bool
    may_refuse: bool
    may_play_after_all: bool
    may_seal: bool
    may_play: bool  # with a phone at the table
    may_run: bool  # as an organiser
    both: tuple[SideActs, ...]  # if the reader plays both sides: what they can do for each
    no_judge: str  # why an arbiter or organiser can't judge it; empty: they can, or aren't one
    may_consent: bool
    has_consented: bool
    may_unseal: bool

    @property
    def needs_list(self) -> bool:
        return self.may_seal and not self.may_unseal

    @property
    def needs_report(self) -> bool:
        return self.may_report and self.may_play

    @property
    def has_actions(self) -> bool:
        """Whether the reader can do something, or there is a reason why they can't."""
        reports = (self.is_open and self.may_report) or self.may_report_again or self.may_confirm
        plays = self.may_refuse or self.may_play_after_all or self.may_seal
        judges = self.may_rule or self.may_correct or bool(self.no_judge)
        return reports or plays or judges or self.may_consent or self.has_consented


def match_page(match: Match, reader: policy.Reader, *, with_availability: bool = False) -> MatchPage:
    """Return the match as this reader sees it. `match` comes with its sides, round and campaign.

    `with_availability` adds the availability of both sides.
    """
    reported = {side for (side,) in REPORTED.rows(match=match.pk)}
    sealed = {force.side: force for force in SUBMITTED_LISTS.rows(match=match.pk)}
    campaign = match.round.campaign
    own, rights = policy.sides_of(reader, match), policy.rights_in(reader, campaign.club)
    no_judge = policy.judge_refusal(reader, match) if rights.may_rule else ""
    may_rule = rights.may_rule and not no_judge
    may_consent = bool(own) and policy.can_consent(reader, match)
    consents = {each.side for each in match.consents.filter(ruling=None)} if may_consent else set()
    is_open = (
        match.state in MatchState.undecided()
        and match.defender is not None
        and match.round.state != RoundState.PLANNED
        and campaign.state == CampaignState.RUNNING
        and not hold_reason(match)
    )
    standing = {side for side, force in sealed.items() if not force.fell}
    present = {side for side, force in sealed.items() if force.fell in ("", SubmittedList.FELL_WITH_HANDICAP)}
    reporting = {side for side in own if _can_reveal_or_report(match, side, standing, present)}
    acts = tuple(_acts(match, side, reported, standing, reporting) for side in own) if is_open else ()
    plays = is_open and bool(own)
    has_own = bool(own) and reported >= set(own)
    tie, date = getattr(match, "tie", None), date_of(match)
    return MatchPage(
        status=match_status(match, tuple(sorted(reported))),
        stage=stage_name(tie.place) if tie is not None else "",
        draws=describe_draws(campaign.tie_breakers) if tie is not None and match.defender is not None else "",
        war=describe_terms(campaign, match),
        bonuses=describe_bonuses(match),
        date=date_sheet(match, date, reader, rights, with_availability=with_availability),
        agreed_at=date.agreed_at,
        handicap=handicap_sheet(match, reader, is_open=is_open),
        watch_party=watch_party_note(match, rights),
        sides=_sides(match, reader, own, reported, sealed, rights),
        terrain=battle_rules(campaign.system).terrains.get(match.terrain, match.terrain),
        forces=_forces(match, reader),
        support_rolls=_support_rolls(match),
        preparation_dice=_preparation_dice(match),
        odds=_odds(match),
        activity=tuple(ACTIVITY_LOG.rows(match=match.pk)) if rights.is_member else (),
        rulings=tuple(RULINGS.rows(match=match.pk)),
        corrections=corrections_of(match),
        is_open=is_open,
        may_report=plays and not has_own and bool(reporting - reported),
        may_report_again=plays and has_own and match.setup is not None,
        may_confirm=any(each.may_confirm for each in acts),
        may_compare=bool(reported) and policy.can_compare(reader, match, reported, rights),
        may_rule=may_rule and is_open,
        may_correct=may_rule and match.state not in MatchState.undecided(),
        may_refuse=plays and not reported & set(own) and match.refusing_side is None,
        may_play_after_all=plays and match.refusing_side in own,
        may_seal=plays and match.setup is None,
        may_play=plays and match.setup is not None,
        may_run=rights.may_run,
        may_unseal=plays and match.setup is None and bool(standing & set(own)),
        no_judge=no_judge if is_open or match.state not in MatchState.undecided() else "",
        both=acts if len(acts) == 2 else (),
        may_consent=may_consent and not consents & set(own),
        has_consented=bool(consents & set(own)),
    )


def _forces(match: Match, reader: policy.Reader) -> tuple[SideRow, ...]:
    """Return both lists once they are revealed; after the battle, with what happened to each unit."""
    if match.battle is not None:
        return sides_after(match.battle)
    setup = visible_setup(match, reader)
    return sides_of(stored_setup(setup)) if setup else ()


def _can_reveal_or_report(match: Match, side: int, sealed: set[int], present: set[int]) -> bool:
    """Return whether the lists are revealed, or this side may reveal them now: see `check_reveal_allowed`."""
    deadline = match.round.deadline
    is_late = deadline is not None and deadline <= timezone.now()
    return match.setup is not None or len(sealed) == 2 or (is_late and side in present)


def _acts(match: Match, side: int, reported: set[int], sealed: set[int], reporting: set[int]) -> SideActs:
    enrolment = (match.attacker, match.defender)[side]
    assert enrolment is not None
    return SideActs(
        word=SIDES[side],
        name=enrolment.company.name,
        may_seal=match.setup is None,
        has_sealed=side in sealed,
        has_reported=side in reported,
        may_report=side in reporting,
        may_confirm=1 - side in reported,
    )


def _sides(
    match: Match,
    reader: policy.Reader,
    own: tuple[int, ...],
    reported: set[int],
    sealed: dict[int, SubmittedList],
    rights: policy.Rights,
) -> tuple[MatchSide, ...]:
    found = []
    brought = _visible_units(match, reader, sealed)
    for side, place in enumerate(("Attacker", "Defender")):
        enrolment = (match.attacker, match.defender)[side]
        if enrolment is None:
            continue
        company, row = enrolment.company, sealed.get(side)
        force = row if row is not None and not row.fell else None
        seen = company.visibility == Visibility.PUBLIC or bool(own) or rights.may_rule
        found.append(
            MatchSide(
                letter=SIDE_LETTERS[side],
                place=place,
                name=company.name,
                emblem=company.emblem,
                owner=str(company.owner),
                company=company.pk if seen else None,
                is_own=side in own,
                has_sealed=force is not None,
                hash=force.hash if force else "",
                can_be_checked=bool(force and force.salt),
                hashed=_hashed_text(match, reader, force),
                has_reported=side in reported,
                refusal=match.refusal if rights.is_member and match.refusing_side == side else "",
                brings=brought.get(side, ()),
                fell=row.fell if row is not None and side in own and match.setup is None else "",
            )
        )
    return tuple(found)


def _hashed_text(match: Match, reader: policy.Reader, force: SubmittedList | None) -> str:
    """Return the text behind a list's hash, once the reader may see all of it: the list and its orders."""
    if force is None or match.setup is None or not force.salt:
        return ""
    if not policy.can_see_orders(reader, match, force.side):
        return ""
    return f"{force.salt}\n{canonical(force.sealed_as or force.document)}"


def _visible_units(match: Match, reader: policy.Reader, sealed: dict[int, SubmittedList]) -> dict[int, tuple[str, ...]]:
    """Return the submitted units that the reader may see before lists are revealed, by side. One query at most."""
    if match.setup is not None:
        return {}
    seen = {side: row.document for side, row in sealed.items() if not row.fell}
    seen = {side: force for side, force in seen.items() if policy.can_see_list(reader, match, side)}
    wanted = {pk for force in seen.values() for pk in force["units"]}
    names = dict(Unit.objects.filter(pk__in=wanted).values_list("pk", "name")) if wanted else {}
    return {
        side: (*(names[pk] for pk in force["units"] if pk in names), *(buy["name"] for buy in force.get("buys", ())))
        for side, force in seen.items()
    }


def _support_rolls(match: Match) -> tuple[SupportRollRow, ...]:
    if match.setup is None or match.defender is None:
        return ()
    sides, names = (match.attacker, match.defender), support_names(match.round.campaign.system)
    return tuple(
        SupportRollRow(
            letter=SIDE_LETTERS[made.side],
            company=sides[made.side].company.name,
            number=made.number,
            faces=tuple(made.faces),
            name=names.get(made.result, made.result),
        )
        for made in SUPPORT_ROLLS.rows(match=match.pk)
    )


def _preparation_dice(match: Match) -> tuple[tuple[str, UUID], ...]:
    if match.setup is None or match.defender is None or not buys_units_per_match(match.round.campaign):
        return ()
    sides = (match.attacker, match.defender)
    rows = MatchPreparation.objects.filter(match=match).values_list("side", "dice__key")
    return tuple((sides[side].company.name, key) for side, key in rows)


def _odds(match: Match) -> MatchOdds | None:
    if match.forecast is None:
        return None
    return MatchOdds(
        forecast=match.forecast,
        odds=forecast_odds(match.forecast),
        with_forces=match.setup is not None,
        by_named_styles=match.state == MatchState.AUTO_RESOLVED,
    )
