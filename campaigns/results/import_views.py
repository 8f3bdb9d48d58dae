"""Results of before: pasted or uploaded, looked at line by line, then taken over."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns import policy
from campaigns.results.forms import ImportForm
from campaigns.results.imported_table import COLUMNS, MAX_BYTES, OPTIONAL, ImportedTable, decoded
from campaigns.results.imports import company_names, results_import, results_read
from campaigns.rows import campaign_or_404, need
from rosters.services import RefusedError
from rosters.views._parts import player


@require_http_methods(["GET", "POST"])
def past_results(request: HttpRequest, pk: int) -> HttpResponse:
    """`do` = import takes over what was looked at; anything else posted is looked at."""
    campaign = campaign_or_404(request, pk)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    need(policy.can_run_campaign(request.user, campaign))
    form = ImportForm(request.POST or None, request.FILES or None)
    table: ImportedTable | None = None
    text = ""
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        text = decoded(file.read(MAX_BYTES + 1)) if file else form.cleaned_data["text"]
        if request.POST.get("do") == "import":
            try:
                rounds = results_import(campaign=campaign, text=text, by=player(request))
            except RefusedError as error:
                form.add_error(None, error.reason)
            else:
                count = sum(each.matches.count() for each in rounds)
                messages.success(request, f"{count} results taken over, in {len(rounds)} closed rounds.")
                return redirect("campaigns:rounds", pk=pk)
        table = results_read(campaign=campaign, text=text)
    context = {
        "campaign": campaign,
        "can_run": True,
        "form": form,
        "table": table,
        "text": text,
        "columns": COLUMNS,
        "optional": OPTIONAL,
        "companies": company_names(campaign).exact(),
    }
    is_wrong = bool(form.errors) or (table is not None and not table.is_clean)
    return render(request, "campaigns/past_results.html", context, status=422 if is_wrong else 200)
