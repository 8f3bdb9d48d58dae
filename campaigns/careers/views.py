"""Pages for what a player decides between games."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.careers.selectors import skill_choices
from campaigns.results.aftermath import take_loan
from rosters import selectors
from rosters.entries.pilots import SkillRolled
from rosters.ledger.selectors import ledger_of
from rosters.models import Pilot
from rosters.rows import own_company
from rosters.services import RefusedError, pilot_learn
from rosters.view_helpers import company_context, player, say
from systems import season_rules


@login_required
@require_http_methods(["GET", "POST"])
def skill(request: HttpRequest, pk: int, pilot_pk: int) -> HttpResponse:
    """Show the skills that a pilot can choose from; on POST, the pilot learns the chosen one."""
    row = own_company(request, pk)
    sheet = selectors.company_sheet(row)
    member = selectors.pilot_of(row, sheet, pilot_pk)
    if member is None:
        raise Http404
    pilot, _record = member
    status = 200
    if request.method == "POST":
        chosen = Pilot.objects.get(company=row, pk=pilot_pk)
        try:
            pilot_learn(company=row, by=player(request), pilot=chosen, skill=request.POST.get("skill", ""))
        except RefusedError as error:
            messages.error(request, error.reason)
            status = 422
        else:
            messages.success(request, f"{pilot.name} has learned it; the ledger can undo it until the next game.")
            return redirect("rosters:pilot", pk=pk, pilot_pk=pilot_pk)
    choices = skill_choices(sheet, pilot)
    if not choices:
        if request.method == "GET":
            messages.info(request, f"{pilot.name} has no skill to choose.")
        return redirect("rosters:pilot", pk=pk, pilot_pk=pilot_pk)
    rolls = [line for line in ledger_of(row, pilot=pilot_pk) if line.kind == SkillRolled.slug and not line.is_reversed]
    context = {
        **company_context(request, row, sheet),
        "pilot": pilot,
        "groups": [
            (f"Of use in {pilot.seat.name}" if pilot.seat else "Skills", [each for each in choices if each.fits]),
            ("Others", [each for each in choices if not each.fits]),
        ],
        "default_name": next((each.name for each in choices if each.is_default), choices[0].name),
        "rolled": rolls[0].text if rolls else "",
    }
    return render(request, "campaigns/skill.html", context, status=status)


@login_required
@require_POST
def take_loan_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the house's loan for a company that has nothing to field."""
    row = own_company(request, pk)
    leaves = season_rules(row.system).lends_for_a_game
    terms = "they leave after the next battle." if leaves else "the house takes it out of later income."
    say(
        request,
        lambda: take_loan(company=row, by=player(request)),
        lambda units: f"Borrowed {', '.join(unit.name for unit in units)}; {terms}",
    )
    return redirect("rosters:company", pk=pk)
