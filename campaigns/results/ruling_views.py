"""Pages on which arbiters decide matches, and on which everybody reads their rulings."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from campaigns import policy
from campaigns.models import Match, MatchState, Ruling
from campaigns.musters.submitted_lists import opening
from campaigns.pages import for_match, match_context
from campaigns.results.forms import ReportForms, paper_form
from campaigns.results.paper_lists import can_enter_on_paper
from campaigns.results.rulings import MAX_REASON, Verdict, match_rule
from campaigns.results.selectors import (
    Comparison,
    match_comparison,
    pilot_names,
    reported_sides,
    rulers_of,
    ruling_of,
    rulings_page,
    undone_by,
)
from campaigns.results.services import match_reveal_lists
from campaigns.rows import campaign_or_404, require_permission
from rosters.models import Player
from rosters.services import RefusedError
from rosters.view_helpers import player, say, searched
from systems.documents import DocumentError


@require_http_methods(["GET", "POST"])
@for_match
def rule(request: HttpRequest, match: Match) -> HttpResponse:
    """Show both reports, all verdicts, and a form for the arbiter's own version, filled in from the reports.

    An arbiter who plays in the match is told on its page who rules on it instead.
    """
    rights = policy.rights_in(request.user, match.round.campaign.club)
    require_permission(rights.may_rule)
    if match.state not in MatchState.undecided() or match.defender is None:
        messages.info(request, f"This match is {match.get_state_display()}; there is nothing to rule on.")
        return redirect("campaigns:match", key=match.key)
    by = player(request)
    if why := policy.judge_refusal(by, match):
        messages.error(request, why)
        return redirect("campaigns:match", key=match.key)
    if request.POST.get("do") == "open":
        say(request, lambda: match_reveal_lists(match=match, side=None, by=by), "The forces are open.")
        return redirect("campaigns:rule", key=match.key)
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
    return render(request, "campaigns/rule.html", context, status=422 if errors else 200)


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
    said = next((report.content for report in reports if report), None)
    own = data if data is not None and data.get("verdict") == Verdict.OWN else None
    return ReportForms(match, own, said=said, pilots=pilot_names(match), rows=comparison.rows if comparison else ())


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
        found.append((Verdict.ATTACKER, f"The report of {attacker}", "as it stands, into both ledgers"))
    if comparison and comparison.defender:
        found.append((Verdict.DEFENDER, f"The report of {defender}", "as it stands, into both ledgers"))
    if form is not None:
        found.append((Verdict.OWN, "My own version", "the grid below, into both ledgers"))
    return [
        *found,
        (Verdict.ATTACKER_FORFEITS, f"{attacker} forfeits", f"{defender} wins; the ledgers stay as they are"),
        (Verdict.DEFENDER_FORFEITS, f"{defender} forfeits", f"{attacker} wins; the ledgers stay as they are"),
        (Verdict.DRAW, "A draw, not fought", "in the standings; the ledgers stay as they are"),
        (Verdict.REFUSED, "Refused", "a side would not play; counts for nothing"),
        (Verdict.VOID, "Void", "it never was; counts for nothing"),
    ]


@require_GET
def rulings(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the campaign's rulings, searched by words, kind and arbiter."""
    campaign = campaign_or_404(request, pk)
    search = {name: searched(request, name) for name in ("text", "kind", "by")}
    context = {
        "campaign": campaign,
        "can_run": policy.can_run_campaign(request.user, campaign),
        "slice": rulings_page(campaign, search, request.GET),
        "search": search,
        "is_search": any(search.values()),
        "kinds": Ruling.Kind.choices,
        "rulers": [(str(each.pk), str(each)) for each in rulers_of(campaign)],
    }
    return render(request, "campaigns/rulings.html", context)


@require_GET
def ruling(request: HttpRequest, pk: int, ruling_pk: int) -> HttpResponse:
    """Show one ruling."""
    campaign = campaign_or_404(request, pk)
    row = ruling_of(campaign, ruling_pk)
    if row is None:
        raise Http404("No such ruling")
    rights = policy.rights_in(request.user, campaign.club)
    context = {
        "campaign": campaign,
        "ruling": row,
        "can_run": rights.may_run,
        "told": row.decision.get("told", ()) if rights.is_member else (),
        "may_undo": row.kind == Ruling.Kind.ADJUSTMENT and rights.may_rule and "undoes" not in row.decision,
        "undone_by": undone_by(row),
    }
    return render(request, "campaigns/ruling.html", context)
