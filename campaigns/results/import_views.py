"""Past results: pasted or uploaded, shown line by line, then imported."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.files import File
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns import policy
from campaigns.results.forms import ImportForm
from campaigns.results.imported_table import COLUMNS, DATE_ORDERS, OPTIONAL, Answers, ImportedTable
from campaigns.results.imports import company_names, import_results, preview_results
from campaigns.rows import campaign_or_404, require_permission
from rosters.services import RefusedError
from rosters.site.spreadsheets import read_file
from rosters.view_helpers import player
from systems.words import pluralize

MAX_FILE_SIZE = 2 * 1024 * 1024


@require_http_methods(["GET", "POST"])
def past_results(request: HttpRequest, pk: int) -> HttpResponse:
    """Import the previewed results if `do` is "import"; preview anything else that is posted."""
    campaign = campaign_or_404(request, pk)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    require_permission(policy.can_run_campaign(request.user, campaign))
    form = ImportForm(request.POST or None, request.FILES or None)
    table: ImportedTable | None = None
    text = ""
    answers = _table_answers(request.POST)
    if request.method == "POST" and form.is_valid():
        file, text = form.cleaned_data["file"], form.cleaned_data["text"]
        try:
            text = _file_text(file) if file else text
            if request.POST.get("do") == "import":
                rounds = import_results(campaign=campaign, text=text, by=player(request), answers=answers)
                count = sum(each.matches.count() for each in rounds)
                words = f"{pluralize(count, 'results')} imported, in {pluralize(len(rounds), 'closed rounds')}."
                messages.success(request, words)
                return redirect("campaigns:rounds", pk=pk)
        except RefusedError as error:
            form.add_error("file" if error.field == "file" else None, error.reason)
        if not form.errors.get("file"):
            table = preview_results(campaign=campaign, text=text, answers=answers)
    context = {
        "campaign": campaign,
        "can_run": True,
        "form": form,
        "table": table,
        "text": text,
        "answers": answers,
        "orders": _date_orders(table),
        "columns": COLUMNS,
        "optional": OPTIONAL,
        "companies": company_names(campaign).exact(),
    }
    is_wrong = bool(form.errors) or (table is not None and not table.is_clean)
    return render(request, "campaigns/past_results.html", context, status=422 if is_wrong else 200)


def _file_text(file: File[bytes]) -> str:
    data = file.read(MAX_FILE_SIZE + 1)
    if len(data) > MAX_FILE_SIZE:
        raise RefusedError("file", f"The file is larger than {MAX_FILE_SIZE // 1024 // 1024} MB; bring it in parts.")
    return read_file(data)


def _table_answers(data: QueryDict) -> Answers:
    """Return the answers about the table: pairs of its own name and ours, and how to read its dates."""
    columns = zip(data.getlist("head"), data.getlist("column"), strict=False)
    names = zip(data.getlist("called"), data.getlist("company"), strict=False)
    return Answers(
        columns={head: column for head, column in columns if column in ("", *COLUMNS, *OPTIONAL)},
        names={called: company for called, company in names if company},
        day_first=DATE_ORDERS.get(data.get("dates", "")),
    )


def _date_orders(table: ImportedTable | None) -> list[tuple[str, str, bool]]:
    """Return how ambiguous dates may be read: value, an example in words, and whether that is chosen."""
    if table is None or not table.either:
        return []
    first, second = table.either_days
    found = [("day-first", f"Day first: {first}", table.day_first is True)]
    return [*found, ("month-first", f"Month first: {second}", table.day_first is False)]
