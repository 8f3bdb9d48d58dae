"""Pages on which the sides of a match report it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns import policy
from campaigns.live.selectors import table_report
from campaigns.locks import describe_decision, side_enrolment
from campaigns.models import Match, MatchState, Report
from campaigns.musters.submitted_lists import opening
from campaigns.pages import for_match, match_context
from campaigns.results.compare import differences
from campaigns.results.forms import ReportForms
from campaigns.results.report import parse_stored_report
from campaigns.results.selectors import match_comparison, pilot_names, reported_sides
from campaigns.results.services import match_confirm, match_reveal_lists, report_make, report_withdraw
from campaigns.results.words import match_words
from campaigns.rows import match_or_404, own_side, require_permission
from rosters.services import RefusedError
from rosters.view_helpers import edited, player, say
from systems.documents import DocumentError

STATE_MESSAGES = {
    MatchState.REPORTED: "Reported. The other side can confirm it or report for itself.",
    MatchState.CONFIRMED: "Both reports agree: the match is confirmed.",
    MatchState.DISPUTED: "The two reports differ. An arbiter rules; you can still report anew or confirm the other's.",
}


@require_http_methods(["GET", "POST"])
@for_match
def report(request: HttpRequest, match: Match) -> HttpResponse:
    """Show the grid; while the lists are hidden, show who can still choose theirs."""
    side, by = own_side(request, match, done=reported_sides(match)), player(request)
    if _is_too_late(request, match):
        return redirect("campaigns:match", key=match.key)
    if match.setup is None:
        if request.POST.get("do") == "open":
            say(request, lambda: match_reveal_lists(match=match, side=side, by=by), "The forces are open.")
            return redirect(request.get_full_path())
        context = match_context(match, side=side, opening=opening(match, side))
        return render(request, "campaigns/report_open.html", context)
    with edited(request, match):
        return _grid(request, match, side)


def _grid(request: HttpRequest, match: Match, side: int) -> HttpResponse:
    by = player(request)
    own = match.reports.filter(side=side, is_current=True).first()
    data = request.POST if request.method == "POST" else None
    said = own.content if own else table_report(match, side)
    form = ReportForms(match, data, said=said, pilots=pilot_names(match))
    if data is not None and form.is_valid() and not _is_overtaken(match, form, own, data.get("read")):
        try:
            made = report_make(match=match, side=side, content=form.document(), by=by)
        except (RefusedError, DocumentError) as error:
            form.refuse(error)
        else:
            messages.success(request, STATE_MESSAGES[MatchState(made.state)])
            return redirect(
                "campaigns:compare" if made.state == MatchState.DISPUTED else "campaigns:match", key=match.key
            )
    read = str(own.pk) if own else "none"
    context = match_context(match, form=form, errors=form.errors, is_anew=own is not None, side=side, read=read)
    context["is_from_table"] = own is None and said is not None
    context["is_both"] = len(policy.sides_of(by, match)) == 2
    context["side_name"] = side_enrolment(match, side).company.name
    return render(request, "campaigns/report.html", context, status=422 if form.errors else 200)


def _is_overtaken(match: Match, form: ReportForms, own: Report | None, read: str | None) -> bool:
    """Return whether the side's report has changed since the page was opened; the form then shows the differences."""
    if read is None or read == (str(own.pk) if own else "none"):
        return False
    if own is None:
        form.refuse(
            RefusedError("", "Your report was taken back after you opened this page. Report again if it holds.")
        )
        return True
    try:
        rows = differences(parse_stored_report(own.content), form.report(), match_words(match))
    except DocumentError:
        return False  # the service reports what is wrong
    for row in rows:
        form.errors.append(("", row.label, f"by now your report says {row.attacker}; here stands {row.defender}."))
    if rows:
        again = "Your side has reported after you opened this page. Report again if this shall take its place."
        form.refuse(RefusedError("", again))
    return bool(rows)


@require_POST
@for_match
def withdraw(request: HttpRequest, match: Match) -> HttpResponse:
    side, by = own_side(request, match, done={0, 1} - reported_sides(match)), player(request)
    say(request, lambda: report_withdraw(match=match, side=side, by=by), "Your report is taken back.")
    return redirect("campaigns:match", key=match.key)


@require_http_methods(["GET", "POST"])
@for_match
def confirm(request: HttpRequest, match: Match) -> HttpResponse:
    """Show the other side's report before confirming; POST confirms it."""
    reported = reported_sides(match)
    side, by = own_side(request, match, done={at for at in (0, 1) if 1 - at not in reported}), player(request)
    if request.method == "POST":
        value = request.POST.get("report", "")
        pk = int(value) if value.isascii() and value.isdigit() and len(value) < 19 else 0
        done = "Confirmed. The result stands in both ledgers."
        say(request, lambda: match_confirm(match=match, side=side, report=pk, by=by), done)
        return redirect("campaigns:match", key=match.key)
    if _is_too_late(request, match):
        return redirect("campaigns:match", key=match.key)
    comparison = match_comparison(match)
    other = comparison and (comparison.defender, comparison.attacker)[side]
    if comparison is None or other is None:
        messages.info(request, "The other side has not reported yet.")
        return redirect("campaigns:match", key=match.key)
    lines = [(row.label, row.defender if side == 0 else row.attacker) for row in comparison.rows]
    context = match_context(match, other=other, lines=lines, has_own=side in reported, side=side)
    return render(request, "campaigns/confirm.html", context)


@require_GET
def compare(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show both reports side by side."""
    match = match_or_404(request, key)
    reported = reported_sides(match)
    rights = policy.rights_in(request.user, match.round.campaign.club)
    sees = policy.can_compare(request.user, match, reported, rights)
    if not sees and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    require_permission(sees)
    own = policy.sides_of(request.user, match)
    context = match_context(
        match,
        comparison=match_comparison(match),
        may_rule=match.state in MatchState.undecided() and policy.can_judge(request.user, match),
        may_confirm=match.state in MatchState.undecided() and any(1 - side in reported for side in own),
        may_report=match.state in MatchState.undecided() and bool(own),
        dispute=match.disputes.filter(closed_at=None).first(),
        ruling=match.rulings.select_related("by").first(),
    )
    return render(request, "campaigns/compare.html", context)


def _is_too_late(request: HttpRequest, match: Match) -> bool:
    """Return whether the match is decided; if so, add a message."""
    if match.state in MatchState.undecided():
        return False
    messages.info(request, describe_decision(match))
    return True
