"""Pages on which organisers enter the results of a whole evening, or import past results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.files import File
from django.db.models import QuerySet, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from campaigns import policy
from campaigns.locks import side_enrolment
from campaigns.models import Campaign, Match, MatchState, Round, RoundState
from campaigns.planning.selectors import FixtureRow, round_of, round_sheet
from campaigns.results.forms import ImportForm, ReportForms, paper_form
from campaigns.results.imported_table import COLUMNS, DATE_ORDERS, OPTIONAL, Answers, ImportedTable
from campaigns.results.imports import company_names, import_results, preview_results
from campaigns.results.reports import differences, parse_stored_report
from campaigns.results.selectors import match_words
from campaigns.results.services import can_enter_on_paper, match_enter, match_fingerprint, match_reveal_lists
from campaigns.shortcuts import campaign_or_404, require_permission
from rosters.database.queries import PreparedQuery
from rosters.models import Pilot, Player
from rosters.services import RefusedError
from rosters.site.exceptions import StaleEditError
from rosters.site.spreadsheets import read_file
from rosters.view_helpers import player, row_id, run_and_flash
from systems.documents import DocumentError
from systems.legality import join_words
from systems.text import pluralize


@dataclass(slots=True, kw_only=True)
class EntryRow:
    """An undecided match of the evening: its form, or why there is none."""

    match: Match
    form: ReportForms | None
    mark: str
    reports_summary: str  # the reports so far
    waits: str  # why nothing can be entered now
    may_open: bool
    is_prefilled: bool
    is_touched: bool = False

    @property
    def prefix(self) -> str:
        return prefix_of(self.match)


def prefix_of(match: Match) -> str:
    """Return the prefix of this match's field names."""
    return f"m{match.pk}-"


@login_required
@require_http_methods(["GET", "POST"])
def enter_results(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show all undecided matches of a round, each with its form. POST enters those that were filled in, one by one.

    A match that can't be entered shows its errors and keeps what was typed.
    """
    campaign = campaign_or_404(request, pk)
    require_permission(policy.can_rule(request.user, campaign))
    row = round_of(campaign, number)
    if row is None or row.state == RoundState.PLANNED:
        raise Http404("No such round")
    by = player(request)
    if given := request.POST.get("open"):
        match = _matches(row.pk).filter(pk=row_id(given)).first()
        if match is not None:
            run_and_flash(request, lambda: match_reveal_lists(match=match, side=None, by=by), "Lists revealed.")
        return redirect("campaigns:results_entry", pk=pk, number=number)
    tables = _entry_rows(campaign, row, by, request.POST if request.method == "POST" else None)
    failed = False
    if request.method == "POST":
        entered, failed = _enter_results(tables, request.POST, by)
        overtaken = _describe_overtaken(row, tables, request.POST)
        for text in overtaken:
            messages.warning(request, text)
        if entered:
            messages.success(request, f"Entered: {join_words(entered)}.")
        if not failed:
            if not entered and not overtaken:
                messages.info(request, "Nothing was entered. Fill in at least one match.")
            return redirect("campaigns:results_entry", pk=pk, number=number)
    context = {
        "campaign": campaign,
        "club": campaign.club,
        "can_run": policy.can_run_campaign(request.user, campaign),
        "round": row,
        "tables": [table for table in tables if table.match.state in MatchState.undecided()],
        "has_forms": any(table.form and table.match.state in MatchState.undecided() for table in tables),
        "decided": _decided(campaign, row, request),
    }
    return render(request, "campaigns/results_entry.html", context, status=422 if failed else 200)


def _matches(row: int) -> QuerySet[Match]:
    rows = Match.objects.filter(round=row, defender__isnull=False).order_by("number")
    return rows.select_related(
        "round__campaign__club", "attacker__company__owner", "defender__company__owner", "dice", "battle", "territory"
    )


UNDECIDED_MATCHES = PreparedQuery(lambda round: _matches(round).filter(state__in=MatchState.undecided()), round=int)


def _entry_rows(campaign: Campaign, row: Round, by: Player, data: QueryDict | None) -> list[EntryRow]:
    """Return a row for each undecided match; it has a form if the lists are revealed and this judge may enter it."""
    matches = UNDECIDED_MATCHES.rows(round=row.pk)
    prefetch_related_objects(matches, "reports", "sealed")
    pilots = _pilot_names(matches)
    return [_entry_row(match, by, data, pilots) for match in matches]


def _entry_row(match: Match, by: Player, data: QueryDict | None, pilots: Mapping[int, str]) -> EntryRow:
    reports = [report for report in match.reports.all() if report.is_current]
    names = [side_enrolment(match, report.side).company.name for report in reports]
    waits, may_open = _blocked_reason(match, by)
    content = reports[0].content if len(reports) == 1 else None
    form, is_touched = None, False
    if not waits and match.setup is None:
        form, is_touched, waits = _paper_entry(match, data)
    elif not waits:
        seats = {key: pilots.get(ref["pilot"] or 0, "") for force in match.forces for key, ref in force.items()}
        prefix = prefix_of(match)
        form = ReportForms(match, data, report=content, pilots=seats, prefix=prefix)
        is_touched = data is not None and (
            f"{prefix}take" in data or any(part.has_changed() for _, part in form.parts())
        )
        if data is not None and not is_touched:
            form = ReportForms(match, report=content, pilots=seats, prefix=prefix)
    return EntryRow(
        match=match,
        form=form,
        mark=match_fingerprint(match),
        reports_summary=f"{' and '.join(names)} reported" if names else "",
        waits=waits,
        may_open=may_open,
        is_prefilled=content is not None and not waits,
        is_touched=is_touched,
    )


def _paper_entry(match: Match, data: QueryDict | None) -> tuple[ReportForms | None, bool, str]:
    """Return the form of a match without lists, whether it was filled in, and why there is none."""
    prefix = prefix_of(match)
    is_sent = data is not None and bool(data.get(f"{prefix}mark"))
    try:
        form = paper_form(match, data if is_sent else None, prefix=prefix)
        is_touched = is_sent and (bool(form.errors) or any(part.has_changed() for _, part in form.parts()))
        return form if is_touched or not is_sent else paper_form(match, None, prefix=prefix), is_touched, ""
    except RefusedError as error:
        return None, False, error.reason


def _blocked_reason(match: Match, by: Player) -> tuple[str, bool]:
    """Return why nothing can be entered for a match now, and whether a button could change that."""
    if policy.sides_of(by, match):
        return "You're playing in this match, so report it from your own match page.", False
    if match.state == MatchState.DISPUTED:
        return "The reports differ. Make a ruling on the match page.", False
    if match.setup is not None:
        return "", False
    sealed = {force.side for force in match.sealed.all() if not force.fell}
    missing = [side_enrolment(match, side).company.name for side in (0, 1) if side not in sealed]
    is_late = match.round.deadline is not None and match.round.deadline <= timezone.now()
    if not missing or is_late:
        return "The lists aren't revealed yet.", True
    if can_enter_on_paper(match, by):
        return "", False
    return f"{' and '.join(missing)} {'has' if len(missing) == 1 else 'have'} not submitted a list yet.", False


def _pilot_names(matches: Iterable[Match]) -> dict[int, str]:
    """Return the names of the pilots in all these matches. One query."""
    seats = {ref["pilot"] for match in matches for force in match.forces for ref in force.values() if ref["pilot"]}
    return dict(Pilot.objects.filter(pk__in=seats).values_list("pk", "name")) if seats else {}


def _enter_results(tables: list[EntryRow], data: QueryDict, by: Player) -> tuple[list[str], bool]:
    """Enter the results that were filled in. Return the names of the entered matches, and whether any failed."""
    entered, failed = [], False
    for table in tables:
        form = table.form
        if form is None or not table.is_touched:
            continue
        if form.is_valid() and _enter_result(table, form, data, by):
            entered.append(f"table {table.match.number}")
            table.match.state = MatchState.CONFIRMED
        else:
            failed = True
    return entered, failed


def _enter_result(table: EntryRow, form: ReportForms, data: QueryDict, by: Player) -> bool:
    read = data.get(f"{table.prefix}mark", "")
    try:
        match_enter(match=table.match, content=form.document(), by=by, read=read)
    except StaleEditError:
        _add_reports(table, form)
    except (RefusedError, DocumentError) as error:
        form.refuse(error)
    else:
        return True
    return False


def _add_reports(table: EntryRow, form: ReportForms) -> None:
    """Add to the form what a side has reported since the page was opened, where it differs from what was typed."""
    form.refuse(RefusedError("", f"By now {table.reports_summary or 'nobody reports it'}. Enter it again to confirm."))
    try:
        typed = form.report()
    except DocumentError as error:
        form.refuse(error)
        return
    for report in table.match.reports.all():
        if not report.is_current or table.match.setup is None:
            continue
        name = side_enrolment(table.match, report.side).company.name
        for row in differences(parse_stored_report(report.content), typed, match_words(table.match)):
            form.errors.append(("", row.label, f"{name} reported {row.attacker}; you entered {row.defender}."))


def _describe_overtaken(row: Round, tables: list[EntryRow], data: QueryDict) -> list[str]:
    """Return messages about filled-in matches that were decided in the meantime: they weren't overwritten."""
    on_page = {table.match.pk for table in tables}
    decided = [match for match in _matches(row.pk).exclude(state__in=MatchState.undecided()) if match.pk not in on_page]
    return [
        f"Table {match.number}, {match}, was decided after you opened this page: "
        f"{match.get_outcome_display()}. Your entry wasn't saved."
        for match in decided
        if data.get(f"{prefix_of(match)}r-winner") or f"{prefix_of(match)}take" in data
    ]


def _decided(campaign: Campaign, row: Round, request: HttpRequest) -> tuple[FixtureRow, ...]:
    return tuple(
        each for each in round_sheet(campaign, row, request.user).fixtures if not each.is_open and each.defender
    )


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
                return redirect("campaigns:campaign", pk=pk)
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
        raise RefusedError("file", f"The file is larger than {MAX_FILE_SIZE // 1024 // 1024} MB. Import it in parts.")
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
