"""Pages on which sides report a match, arbiters rule, and players decide on skills and loans."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns import policy
from campaigns.army_lists.selectors import opening
from campaigns.live_tables import table_report
from campaigns.locks import describe_decision, side_enrolment
from campaigns.models import Match, MatchState, Report
from campaigns.results.aftermath import skill_choices, take_loan
from campaigns.results.forms import ReportForms, paper_form
from campaigns.results.reports import differences, parse_stored_report
from campaigns.results.rulings import MAX_REASON, Verdict, match_rule
from campaigns.results.selectors import (
    Comparison,
    match_comparison,
    match_words,
    pilot_names,
    reported_sides,
)
from campaigns.results.services import (
    can_enter_on_paper,
    match_confirm,
    match_reveal_lists,
    report_make,
    report_withdraw,
)
from campaigns.shortcuts import campaign_or_404, match_or_404, own_side, require_permission
from campaigns.view_helpers import for_match, match_context
from rosters import selectors
from rosters.models import Pilot, Player
from rosters.services import RefusedError, pilot_learn
from rosters.shortcuts import own_company
from rosters.view_helpers import locked_for_edit, player, run_and_flash
from systems import season_rules
from systems.documents import DocumentError
from systems.scenarios import SIDES

STATE_MESSAGES = {
    MatchState.REPORTED: "Result reported. Your opponent can confirm it or send their own report.",
    MatchState.CONFIRMED: "Both reports agree, so the match is confirmed.",
    MatchState.DISPUTED: "The reports differ, so an arbiter has to rule. You can still change your report or "
    "confirm the other one.",
}


@require_http_methods(["GET", "POST"])
def report(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a match's result: the reports that the reader may see, and what they can do; POST reports.

    While the lists are hidden, show who can still choose theirs.
    """
    match = match_or_404(request, key)
    reported, is_open = reported_sides(match), match.state in MatchState.undecided()
    if request.method != "POST" and not (is_open and policy.sides_of(request.user, match)):
        if refused := _check_reader(request, match, reported):
            return refused
        return render(request, "campaigns/report.html", _reports_context(request, match, match_comparison(match)))
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    side, by = own_side(request, match, done=reported), player(request)
    if not is_open:
        messages.info(request, describe_decision(match))
        return redirect("campaigns:match", key=match.key)
    if match.setup is None:
        if request.POST.get("do") == "open":
            run_and_flash(request, lambda: match_reveal_lists(match=match, side=side, by=by), "Lists revealed.")
            return redirect(request.get_full_path())
        context = match_context(match, side=side, opening=opening(match, side))
        return render(request, "campaigns/report.html", context)
    with locked_for_edit(request, match):
        return _grid(request, match, side)


def _check_reader(request: HttpRequest, match: Match, reported: set[int]) -> HttpResponse | None:
    """Return a redirect to the login for visitors who may not see the reports. Raise 403 for players who may not."""
    rights = policy.rights_in(request.user, match.round.campaign.club)
    sees = policy.can_compare(request.user, match, reported, rights)
    if not sees and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    require_permission(sees)
    return None


def _reports_context(
    request: HttpRequest, match: Match, comparison: Comparison | None, side: int | None = None, **more: object
) -> dict[str, object]:
    """Return the context of a result page. `side` is the side that the reader can report for, if any."""
    is_open = match.state in MatchState.undecided()
    return match_context(
        match,
        side=side,
        comparison=comparison,
        may_rule=is_open and policy.can_judge(request.user, match),
        dispute=match.disputes.filter(closed_at=None).first(),
        ruling=match.rulings.select_related("decided_by").first(),
        **more,
    )


def _grid(request: HttpRequest, match: Match, side: int) -> HttpResponse:
    by, comparison = player(request), match_comparison(match)
    assert comparison is not None
    own, other = (comparison.attacker, comparison.defender)[:: -1 if side else 1]
    data = request.POST if request.method == "POST" else None
    report = own.content if own else table_report(match, side)
    form = ReportForms(match, data, report=report, pilots=pilot_names(match))
    if data is not None and form.is_valid() and not _is_overtaken(match, form, own, data.get("read")):
        try:
            made = report_make(match=match, side=side, content=form.document(), by=by)
        except (RefusedError, DocumentError) as error:
            form.refuse(error)
        else:
            messages.success(request, STATE_MESSAGES[MatchState(made.state)])
            is_disputed = made.state == MatchState.DISPUTED
            return redirect("campaigns:match_report" if is_disputed else "campaigns:match", key=match.key)
    context = _reports_context(
        request,
        match,
        comparison,
        side,
        form=form,
        errors=form.errors,
        own=own,
        other=other,
        lines=[(row.label, row.defender if side == 0 else row.attacker) for row in comparison.rows],
        read=str(own.pk) if own else "none",
        is_from_table=own is None and report is not None,
        is_both=len(policy.sides_of(by, match)) == 2,
        side_name=side_enrolment(match, side).company.name,
    )
    return render(request, "campaigns/report.html", context, status=422 if form.errors else 200)


def _is_overtaken(match: Match, form: ReportForms, own: Report | None, read: str | None) -> bool:
    """Return whether the side's report has changed since the page was opened; the form then shows the differences."""
    if read is None or read == (str(own.pk) if own else "none"):
        return False
    if own is None:
        form.refuse(
            RefusedError("", "Your report was withdrawn after you opened this page. Report again to confirm this one.")
        )
        return True
    try:
        rows = differences(parse_stored_report(own.content), form.report(), match_words(match))
    except DocumentError:
        return False  # the service reports what is wrong
    for row in rows:
        form.errors.append(("", row.label, f"your report now says {row.attacker}; you entered {row.defender}."))
    if rows:
        again = "Your side has reported since you opened this page. Report again to replace that report."
        form.refuse(RefusedError("", again))
    return bool(rows)


@require_POST
@for_match
def withdraw(request: HttpRequest, match: Match) -> HttpResponse:
    side, by = own_side(request, match, done={0, 1} - reported_sides(match)), player(request)
    run_and_flash(request, lambda: report_withdraw(match=match, side=side, by=by), "Your report is withdrawn.")
    return redirect("campaigns:match", key=match.key)


@require_http_methods(["GET", "POST"])
@for_match
def confirm(request: HttpRequest, match: Match) -> HttpResponse:
    """Confirm the other side's report; GET redirects to it."""
    reported = reported_sides(match)
    side, by = own_side(request, match, done={at for at in (0, 1) if 1 - at not in reported}), player(request)
    if request.method != "POST":
        return redirect(f"{reverse('campaigns:match_report', args=[match.key])}?side={SIDES[side]}#their-report")
    value = request.POST.get("report", "")
    pk = int(value) if value.isascii() and value.isdigit() and len(value) < 19 else 0
    done = "Confirmed. The result is in both ledgers."
    run_and_flash(request, lambda: match_confirm(match=match, side=side, report=pk, by=by), done)
    return redirect("campaigns:match", key=match.key)


@require_GET
def compare(request: HttpRequest, key: UUID) -> HttpResponse:
    """Redirect to the reports on the match's result page."""
    match = match_or_404(request, key)
    page = reverse("campaigns:match_report", args=[key]) + "#reports"
    return _check_reader(request, match, reported_sides(match)) or redirect(page)


@require_http_methods(["GET", "POST"])
@for_match
def rule(request: HttpRequest, match: Match) -> HttpResponse:
    """Show both reports, all verdicts, and a form for the arbiter's own version, filled in from the reports.

    An arbiter who plays in the match sees on its page who rules on it instead.
    """
    rights = policy.rights_in(request.user, match.round.campaign.club)
    require_permission(rights.may_rule)
    if match.state not in MatchState.undecided() or match.defender is None:
        messages.info(request, f"This match is {match.get_state_display()}, so there is nothing to rule on.")
        return redirect("campaigns:match", key=match.key)
    by = player(request)
    if why := policy.judge_refusal(by, match):
        messages.error(request, why)
        return redirect("campaigns:match", key=match.key)
    if request.POST.get("do") == "open":
        run_and_flash(request, lambda: match_reveal_lists(match=match, side=None, by=by), "Lists revealed.")
        return redirect("campaigns:match_ruling", key=match.key)
    sees = policy.can_compare(request.user, match, reported_sides(match), rights)
    comparison = match_comparison(match) if sees else None
    data = request.POST if request.method == "POST" else None
    form = _own_version(match, data, comparison, by)
    errors: list[tuple[str, str, str]] = []
    if data is not None:
        errors = _make_ruling(request, match, form)
        if not errors:
            return redirect("campaigns:match", key=match.key)
    context = match_context(
        match,
        comparison=comparison,
        form=form,
        opening=opening(match, None) if form is None else None,
        errors=errors,
        verdicts=_verdicts(match, comparison, form),
        chosen=request.POST.get("verdict", ""),
        reason=request.POST.get("reason", ""),
        reason_most=MAX_REASON,
        plays=bool(policy.sides_of(by, match)),
        sees=sees,
    )
    return render(request, "campaigns/match_ruling.html", context, status=422 if errors else 200)


def _own_version(match: Match, data: QueryDict | None, comparison: Comparison | None, by: Player) -> ReportForms | None:
    """Return the grid, filled in from the attacker's report, or else the defender's.

    Return None while the lists are hidden, unless the match was played on paper.
    """
    if match.setup is None:
        own = data if data is not None and data.get("verdict") == Verdict.OWN else None
        try:
            return paper_form(match, own) if can_enter_on_paper(match, by) else None
        except RefusedError:
            return None
    reports = (comparison.attacker, comparison.defender) if comparison else ()
    content = next((report.content for report in reports if report), None)
    own = data if data is not None and data.get("verdict") == Verdict.OWN else None
    return ReportForms(
        match, own, report=content, pilots=pilot_names(match), rows=comparison.rows if comparison else ()
    )


def _make_ruling(request: HttpRequest, match: Match, form: ReportForms | None) -> list[tuple[str, str, str]]:
    """Make the posted ruling. Return the errors."""
    verdict, content = request.POST.get("verdict", ""), None
    if verdict == Verdict.OWN and form is not None:
        if not form.is_valid():
            return form.errors
        content = form.document()
    try:
        made = match_rule(
            match=match, verdict=verdict, reason=request.POST.get("reason", ""), by=player(request), content=content
        )
    except RefusedError as error:
        if error.field in ("verdict", "reason"):
            return [(f"id_{error.field}", error.field.capitalize(), error.reason)]
        return _ruling_errors(form, error)
    except DocumentError as error:
        return _ruling_errors(form, error)
    messages.success(request, f"Ruled: {made.title}.")
    return []


def _ruling_errors(form: ReportForms | None, error: RefusedError | DocumentError) -> list[tuple[str, str, str]]:
    if form is None:
        return [("", "", error.reason)]
    form.refuse(error)
    return form.errors


def _verdicts(match: Match, comparison: Comparison | None, form: ReportForms | None) -> list[tuple[str, str, str]]:
    """Return value, name and consequence of every verdict that is possible now."""
    assert match.defender is not None
    attacker, defender = match.attacker.company.name, match.defender.company.name
    found: list[tuple[str, str, str]] = []
    if comparison and comparison.attacker:
        found.append((Verdict.ATTACKER, f"The report of {attacker}", "entered in both ledgers"))
    if comparison and comparison.defender:
        found.append((Verdict.DEFENDER, f"The report of {defender}", "entered in both ledgers"))
    if form is not None:
        found.append((Verdict.OWN, "My own version", "the grid below, entered in both ledgers"))
    return [
        *found,
        (Verdict.ATTACKER_FORFEITS, f"{attacker} forfeits", f"{defender} wins; ledgers don't change"),
        (Verdict.DEFENDER_FORFEITS, f"{defender} forfeits", f"{attacker} wins; ledgers don't change"),
        (Verdict.DRAW, "A draw, not played", "counts in the standings; ledgers don't change"),
        (Verdict.REFUSED, "Refused", "one side wouldn't play; doesn't count"),
        (Verdict.VOID, "Void", "the match is erased"),
    ]


@require_GET
def rulings(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect to the rulings on the campaign's news page."""
    campaign_or_404(request, pk)
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    return redirect(f"{reverse('campaigns:gazettes', args=[pk])}{query}#rulings")


@login_required
@require_http_methods(["GET", "POST"])
def skill(request: HttpRequest, pk: int, pilot_pk: int) -> HttpResponse:
    """Let a pilot learn the chosen skill. GET redirects to the pilot's page, which shows the choice."""
    row = own_company(request, pk)
    sheet = selectors.company_sheet(row)
    member = selectors.pilot_of(row, sheet, pilot_pk)
    if member is None:
        raise Http404
    pilot, _record = member
    page = reverse("rosters:pilot", args=[pk, pilot_pk])
    if request.method == "POST":
        chosen = Pilot.objects.get(company=row, pk=pilot_pk)
        done = f"{pilot.name} has learned the skill. You can undo it in the ledger until the next game."
        learn = partial(pilot_learn, company=row, by=player(request), pilot=chosen, skill=request.POST.get("skill", ""))
        return redirect(page if run_and_flash(request, learn, done) else f"{page}#skill")
    if not skill_choices(sheet, pilot):
        messages.info(request, f"{pilot.name} has no skill to choose.")
        return redirect(page)
    return redirect(f"{page}#skill")


@login_required
@require_POST
def take_loan_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the house's loan for a company that has nothing to field."""
    row = own_company(request, pk)
    leaves = season_rules(row.system).lends_for_a_game
    terms = "returned after the next battle." if leaves else "repaid from later income."
    run_and_flash(
        request,
        lambda: take_loan(company=row, by=player(request)),
        lambda units: f"Borrowed {', '.join(unit.name for unit in units)}; {terms}",
    )
    return redirect("rosters:company", pk=pk)
