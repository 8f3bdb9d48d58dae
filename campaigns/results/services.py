"""Report, confirm, dispute, refuse and enter the results of matches, including games played on paper."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from campaigns.activity_log import log_match_activity
from campaigns.arbiters import check_judge
from campaigns.army_lists.checks import autoplay_list, list_as_played, valid_lists
from campaigns.army_lists.documents import match_document
from campaigns.army_lists.purchases import buys_units_per_match
from campaigns.army_lists.services import lists_reveal, sides_present
from campaigns.locks import companies_lock, match_lock, require_running, require_undecided, side_enrolment
from campaigns.models import DecidedBy, Dispute, Match, MatchState, Report, Round, RoundState
from campaigns.notifications import notify
from campaigns.policy import Reader, sides_of
from campaigns.results.decisions import match_settle_report, result_of_report
from campaigns.results.reports import (
    ComparisonRow,
    MatchReport,
    differences,
    merge_reports,
    parse_report,
    parse_stored_report,
)
from campaigns.results.selectors import match_words
from rosters.documents.snapshots import force_rows, ready_units
from rosters.models import Pilot, Player, Unit
from rosters.services import RefusedError
from rosters.services.base import clean_lines
from rosters.site.exceptions import StaleEditError
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitChoice:
    """A unit that may have played, and whether it is on the list now."""

    id: int
    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLists:
    """The lists of a match as a judge would enter it; no set-up if units are bought for each match."""

    setup: Setup | None
    pilots: Mapping[str, str]  # by key of the unit
    choices: tuple[tuple[UnitChoice, ...], ...]  # of attacker and defender

    @property
    def chosen(self) -> str:
        """Return the units of both lists as text; the form sends it to say which units its grid shows."""
        return chosen_text([[each.id for each in side if each.is_chosen] for side in self.choices])


def chosen_text(sides: Sequence[Sequence[int]]) -> str:
    return "|".join(",".join(map(str, sorted(units))) for units in sides)


def can_enter_on_paper(match: Match, by: Reader) -> bool:
    """Return whether this judge may enter the match although neither side has submitted a list."""
    return (
        match.setup is None
        and match.defender is not None
        and match.state in MatchState.undecided()
        and match.round.state == RoundState.OPEN
        and not any(not force.fell for force in match.sealed.all())
        and not sides_of(by, match)
    )


def paper_lists(match: Match, chosen: Mapping[int, Sequence[int]] | None = None) -> PaperLists:
    """Return the units that Muster picks for both sides, or the chosen ones. Raises RefusedError if they can't meet."""
    if buys_units_per_match(match.round.campaign):
        return PaperLists(setup=None, pilots={}, choices=())
    sides = []
    for side in (0, 1):
        units = (chosen or {}).get(side)
        force = list_as_played(match, side, units) if units else autoplay_list(match, side)
        sides.append((_side_name(match, side), side_enrolment(match, side), force))
    try:
        setup = read_setup(match_document(match, sides))
    except DocumentError as error:
        raise RefusedError("forces", f"These lists can't be played against each other: {error.reason}") from None
    rows: dict[str, int | None] = {}
    choices = []
    for _, enrolment, force in sides:
        rows |= {key: row["pilot"] for key, row in force_rows(enrolment.company, force["units"]).items()}
        ready = ready_units(enrolment.company)
        names = dict(Unit.objects.filter(pk__in=ready).values_list("pk", "name"))
        choices.append(tuple(UnitChoice(id=pk, name=names[pk], is_chosen=pk in force["units"]) for pk in ready))
    names = dict(Pilot.objects.filter(pk__in=[pk for pk in rows.values() if pk]).values_list("pk", "name"))
    pilots = {key: names.get(pk or 0, "") for key, pk in rows.items()}
    return PaperLists(setup=setup, pilots=pilots, choices=tuple(choices))


def units_in_report(match: Match, report: MatchReport) -> dict[int, list[int]]:
    """Return the units of each side that a report names: those that played."""
    keys = [int(found[1]) for key in report.units if (found := re.fullmatch(r"u([0-9]{1,9})", key))]
    owners = dict(Unit.objects.filter(pk__in=keys).values_list("pk", "company"))
    companies = [side_enrolment(match, side).company_id for side in (0, 1)]
    return {side: [pk for pk in keys if owners.get(pk) == company] for side, company in enumerate(companies)}


def _side_name(match: Match, side: int) -> str:
    """Return the name of a side in the set-up, the same as if the lists were revealed."""
    names = [side_enrolment(match, at).company.name for at in (0, 1)]
    return f"{names[1][:57]} II" if side == 1 and names[0] == names[1] else names[side]


MAX_REFUSAL_LENGTH = 300


@transaction.atomic
def match_reveal_lists(*, match: Match, side: int | None, by: Player) -> Match:
    """Reveal the lists after the deadline, for a side that has submitted its own or for an arbiter (`side` None).

    A side without a list gets one by its autoplay orders. Before the deadline only the side itself chooses.
    """
    locked = _open_match(match)
    if side is None:
        check_judge(locked, by)
    if locked.setup is None:
        check_reveal_allowed(locked, side)
        locked = lists_reveal(match=locked)
        who = "An arbiter" if side is None else _name(locked, side)
        log_match_activity(locked, f"{who} said that {_where(locked)} was played; lists revealed", by)
        notify.lists_revealed(locked, by)
    return locked


def check_reveal_allowed(match: Match, side: int | None) -> None:
    """Raise RefusedError while another side can still choose its list; `side` None: an arbiter asks.

    The companies of the match are locked from here on, so lists that are valid now are still valid when revealed.
    """
    companies_lock(match)
    sealed = valid_lists(match)
    if len(sealed) == 2:
        return
    missing = [_name(match, at) for at in (0, 1) if at not in sealed]
    deadline = match.round.deadline
    if deadline is None or timezone.now() < deadline:
        raise RefusedError(
            "forces",
            f"{' and '.join(missing)} {'has' if len(missing) == 1 else 'have'} not submitted a list yet. "
            "Lists are revealed "
            "when both sides have submitted; after the deadline Muster picks the list of a side that submitted none.",
        )
    if side is not None and side not in sides_present(match):
        raise RefusedError(
            "forces", "The deadline has passed, and your side has submitted no list. An arbiter decides the match."
        )


def reveal_lists_for_judge(match: Match, content: bytes | str | Mapping[str, object], by: Player) -> Match:
    """Reveal the lists of a locked match for the result that a judge enters with it.

    If no list is valid, the game was played on paper: before and after the deadline, a side's list is then the units
    that the report names, or what Muster picks if it names none. A judge who plays in the match must wait for the
    lists.
    """
    if match.setup is not None:
        return match
    companies_lock(match)
    if valid_lists(match) or sides_of(by, match):
        check_reveal_allowed(match, None)
        return lists_reveal(match=match)
    played = units_in_report(match, parse_report(content, match.round.campaign.system))
    opened = lists_reveal(match=match, played=played)
    log_match_activity(opened, f"{_where(opened)} was played on paper; no list had been submitted", by)
    return opened


@transaction.atomic
def report_make(*, match: Match, side: int, content: bytes | str | Mapping[str, object], by: Player) -> Match:
    """Make one side's report, which replaces its earlier one.

    Two reports that agree confirm the match; two that differ open a dispute, which locks this match and nothing else.
    Raises DocumentError or RefusedError for an impossible report.
    """
    locked = _open_match(match)
    if locked.setup is None:
        raise RefusedError("forces", "The lists aren't revealed yet. Both sides have to submit theirs first.")
    report = check_report(locked, content)
    current = {row.side: row for row in locked.reports.filter(is_current=True)}
    document, own, other = report.model_dump(mode="json"), current.get(side), current.get(1 - side)
    if own is not None and own.content == document:
        return locked
    if own is not None:
        _drop(own)
    Report.objects.create(match=locked, side=side, content=document, submitted_by=by)
    log_match_activity(
        locked, f"{_name(locked, side)} reported its {_against(locked, side)}{' again' if own else ''}", by
    )
    if locked.refusing_side == side:
        locked.refusing_side, locked.refusal = None, ""
        locked.save(update_fields=["refusing_side", "refusal"])
    if other is None:
        notify.report_waiting(locked, side, by)
        return _set_state(locked, MatchState.REPORTED)
    reports = [report, parse_stored_report(other.content)]
    attacker, defender = reports if side == 0 else reversed(reports)
    differ = differences(attacker, defender, match_words(locked))
    if differ:
        return _dispute_open(locked, differ)
    return _settle(locked, merge_reports(attacker, defender), MatchState.CONFIRMED, DecidedBy.AGREEMENT, by)


@transaction.atomic
def report_withdraw(*, match: Match, side: int, by: Player) -> Match:
    """Withdraw a side's report, and close the dispute if there is one."""
    locked = _open_match(match)
    current = {row.side: row for row in locked.reports.filter(is_current=True)}
    if side not in current:
        raise RefusedError("report", "You have no report to withdraw.")
    if locked.round.state == RoundState.CLOSED:  # nothing would settle the other report any more
        raise RefusedError(
            "report",
            f"{locked.round} is closed, so you can't withdraw your report. Change it, confirm the other one, "
            "or ask an arbiter to rule.",
        )
    _drop(current[side])
    disputes_close(locked)
    log_match_activity(locked, f"{_name(locked, side)} withdrew its report of the {_against(locked, side)}", by)
    return _set_state(locked, MatchState.REPORTED if 1 - side in current else MatchState.SCHEDULED)


@transaction.atomic
def match_confirm(*, match: Match, side: int, report: int, by: Player) -> Match:
    """Confirm the other side's report as it is; `report` is the id of the one that was read."""
    locked = _open_match(match)
    other = locked.reports.filter(side=1 - side, is_current=True).first()
    if other is None:
        raise RefusedError("report", "The other side hasn't reported yet.")
    if other.pk != report:
        raise RefusedError("report", "The other side has changed its report. Read it again.")
    return _settle(locked, parse_stored_report(other.content), MatchState.CONFIRMED, DecidedBy.OTHER_SIDE, by)


@transaction.atomic
def match_confirm_by_deadline(*, match: Match) -> Match | None:
    """Confirm the only report of a match, if the campaign allows it; None if there is nothing to settle.

    A report made after the deadline isn't confirmed: the other side had no time to answer it.
    """
    locked = match_lock(match)
    if locked.state != MatchState.REPORTED or not locked.round.campaign.confirms_by_deadline:
        return None
    reports = list(locked.reports.filter(is_current=True))
    deadline = locked.round.deadline
    if len(reports) != 1 or (deadline is not None and reports[0].submitted_at > deadline):
        return None
    return _settle(locked, parse_stored_report(reports[0].content), MatchState.CONFIRMED, DecidedBy.DEADLINE, None)


def confirm_single_reports(round_: Round) -> list[Match]:
    """Settle every match of the round that only one side has reported, each by itself. Return those settled.

    A match that can't be settled is flagged for the organiser, and the others go on.
    """
    settled = []
    for match in round_.matches.filter(state=MatchState.REPORTED):
        try:
            confirmed = match_confirm_by_deadline(match=match)
        except (RefusedError, DocumentError) as error:
            Match.objects.filter(pk=match.pk).update(flag=f"The report couldn't be used: {error.reason}"[:300])
            continue
        if confirmed is not None:
            settled.append(confirmed)
    return settled


@transaction.atomic
def match_refuse(*, match: Match, side: int, reason: str, by: Player) -> Match:
    """Declare that one side won't play; an arbiter or the organiser decides the match."""
    locked = _open_match(match)
    text = clean_lines("reason", reason, longest=MAX_REFUSAL_LENGTH)
    if not text:
        raise RefusedError("reason", "Give a reason. Club members can read it.")
    if locked.reports.filter(side=side, is_current=True).exists():
        raise RefusedError("match", "You have reported this match as played. Withdraw your report first.")
    if locked.refusing_side == 1 - side:
        raise RefusedError("match", "The other side has already said that it can't play. An arbiter decides.")
    locked.refusing_side, locked.refusal = side, text
    locked.save(update_fields=["refusing_side", "refusal"])
    log_match_activity(locked, f"{_name(locked, side)} can't play its {_against(locked, side)}: {text}", by)
    notify.match_refused(locked, side, by)
    return locked


@transaction.atomic
def match_withdraw_refusal(*, match: Match, side: int, by: Player) -> Match:
    """Declare that the side will play after all."""
    locked = _open_match(match)
    if locked.refusing_side != side:
        raise RefusedError("match", "Your side hasn't said that it can't play.")
    locked.refusing_side, locked.refusal = None, ""
    locked.save(update_fields=["refusing_side", "refusal"])
    log_match_activity(locked, f"{_name(locked, side)} will play its {_against(locked, side)} after all", by)
    return locked


def check_report(match: Match, content: bytes | str | Mapping[str, object]) -> MatchReport:
    """Return the report if it is possible in this match with revealed lists. Raises DocumentError or RefusedError."""
    report = parse_report(content, match.round.campaign.system)
    result_of_report(match, report)
    return report


def disputes_close(match: Match) -> None:
    """Close the open dispute without a ruling: the sides agree after all, or one has withdrawn its report."""
    match.disputes.filter(closed_at=None).update(closed_at=timezone.now())


def _settle(match: Match, report: MatchReport, state: MatchState, decided_by: DecidedBy, by: Player | None) -> Match:
    disputes_close(match)
    if by is not None and len(sides_of(by, match)) == 2:
        log_match_activity(match, f"Both companies in {_where(match)} belong to {by}, who acts for both", by)
    return match_settle_report(match=match, report=report, state=state, decided_by=decided_by, by=by)


def _open_match(match: Match) -> Match:
    """Return the locked match, if its sides can still act in it."""
    locked = match_lock(match)
    require_running(locked.round.campaign)
    require_undecided(locked)
    side_enrolment(locked, 1)
    if locked.round.state == RoundState.PLANNED:
        raise RefusedError("round", f"{locked.round} hasn't been published yet.")
    return locked


def _dispute_open(match: Match, differ: tuple[ComparisonRow, ...]) -> Match:
    disputes_close(match)
    Dispute.objects.create(match=match, differences=[row.to_json() for row in differ])
    fields = "1 field" if len(differ) == 1 else f"{len(differ)} fields"
    log_match_activity(match, f"The reports of {_where(match)} differ in {fields}; an arbiter has to rule", None)
    notify.reports_differ(match, len(differ))
    return _set_state(match, MatchState.DISPUTED)


def _drop(report: Report) -> None:
    report.is_current = False
    report.save(update_fields=["is_current"])


def _set_state(match: Match, state: MatchState) -> Match:
    match.state = state
    match.save(update_fields=["state"])
    return match


def _name(match: Match, side: int) -> str:
    return side_enrolment(match, side).company.name


def _where(match: Match) -> str:
    return f"{match.round}, {match}"


def _against(match: Match, side: int) -> str:
    """Name the match from that side, as "round 2 match against Bees"."""
    return f"round {match.round.number} match against {_name(match, 1 - side)}"


@transaction.atomic
def match_enter(
    *, match: Match, content: bytes | str | Mapping[str, object], by: Player, read: str | None = None
) -> Match:
    """Decide a match by a result that a judge enters; `read` is the fingerprint of the match as they read it.

    Lists need not have been submitted, see `reveal_lists_for_judge`. Raises RefusedError if `by` plays in the match, or
    if its reports differ, which takes a ruling; DocumentError or RefusedError for an impossible result; StaleEditError
    if a side has reported since.
    """
    locked = match_lock(match)
    require_running(locked.round.campaign)
    require_undecided(locked)
    if locked.round.state == RoundState.PLANNED:
        raise RefusedError("round", f"{locked.round} hasn't been published yet.")
    side_enrolment(locked, 1)
    check_judge(locked, by)
    if sides_of(by, locked):
        raise RefusedError("judge", "You're playing in this match, so report it from your own match page.")
    if read is not None and read != match_fingerprint(locked):
        raise StaleEditError("match", "This match has changed since you opened the page. Look at it again.")
    if locked.state == MatchState.DISPUTED:
        raise RefusedError("match", "The reports of this match differ. Rule on the dispute.")
    locked = reveal_lists_for_judge(locked, content, by)
    report = check_report(locked, content)
    decided = match_settle_report(
        match=locked, report=report, state=MatchState.CONFIRMED, decided_by=DecidedBy.ORGANISER, by=by
    )
    reported = list(locked.reports.filter(is_current=True).values_list("side", flat=True))
    if reported:
        names = " and ".join(side_enrolment(locked, side).company.name for side in sorted(reported))
        log_match_activity(decided, f"{locked.round}, {locked}: entered over the report of {names}", by)
    return decided


def match_fingerprint(match: Match) -> str:
    """Return a fingerprint of the match as it is now: its state, current reports, whether its lists are revealed."""
    reports = sorted(row.pk for row in match.reports.all() if row.is_current)
    return f"{match.state} {'open' if match.setup is not None else 'closed'} {' '.join(map(str, reports))}".strip()
