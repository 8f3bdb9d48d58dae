"""Write gazettes and their PDFs: the first edition when a round is closed, later ones after corrections."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable
from functools import partial

from django.db import transaction
from django.template.loader import render_to_string

from campaigns.activity_log import log_campaign_activity
from campaigns.gazette.content import fixtures_content, gazette_content
from campaigns.gazette.document import GazetteDocument
from campaigns.gazette.prose import build_headline, build_lead
from campaigns.gazette.selectors import gazette_sheet
from campaigns.locks import campaign_lock
from campaigns.models import Campaign, Gazette, GazettePrint, Membership, Round, RoundState
from campaigns.notifications import notify
from rosters.jobs import JobStatus
from rosters.models import PaperSize, Player
from rosters.paper.engine import glyph_warning, missing_glyphs, open_pdf, page_document, write_pdf
from rosters.paper.sheets import paper_size
from rosters.printing import MissingPangoError
from rosters.services import RefusedError
from rosters.services.retention import AT_WORK, keys_in
from rosters.site.job_runs import drop_file, finish_with_file, wake
from systems import roster_rules


def gazette_pdf(gazette: Gazette, paper: str) -> bytes:
    """Return an edition as tagged PDF (PDF/UA-1), because it is read on screens too. Same edition, same bytes."""
    return write_pdf(page_document(gazette_html(gazette, paper)))


def gazette_html(gazette: Gazette, paper: str) -> str:
    """Return the HTML for WeasyPrint. Times are UTC, because paper has no reader's time zone."""
    width, height = paper_size(paper)
    sheet, system = (
        gazette_sheet(gazette),
        roster_rules(gazette.round.campaign.system, gazette.round.campaign.catalogue_release),
    )
    context = {
        "sheet": sheet,
        "has_pilots": bool(system.hire_points),
        "attribution": system.attribution,
        "width": width,
        "height": height,
    }
    return render_to_string("print/gazette.html", context)


@transaction.atomic
def gazette_write(*, round_: Round) -> Gazette:
    """Write the first edition of a closed round's gazette, or return the existing one."""
    campaign, row = _closed(round_)
    if known := row.gazettes.first():
        return known
    made = _edition(campaign, row, gazette_content(row), number=1, by=None)
    notify.gazette_published(made, campaign)
    return made


@transaction.atomic
def gazette_new_edition(*, round_: Round, by: Player | None) -> Gazette:
    """Write another edition from the current rows. `by` is None if the timer calls it.

    Earlier editions stay readable. Raise RefusedError if nothing has changed.
    """
    campaign, row = _closed(round_)
    last = row.gazettes.first()
    content = gazette_content(row)
    if last is not None and GazetteDocument.model_validate(last.content) == content:
        raise RefusedError("edition", f"Nothing has changed since edition {last.edition}.")
    made = _edition(campaign, row, content, number=last.edition + 1 if last else 1, by=by)
    text = f"Wrote edition {made.edition} of the gazette of {row}"
    log_campaign_activity(campaign, text, by)
    return made


@transaction.atomic
def gazette_add_fixtures(*, campaign: Campaign) -> Gazette | None:
    """Add the next fixtures to the newest gazette if it has none, and print it again."""
    newest = Gazette.objects.select_for_update(of=("self",), no_key=True).select_related("round")
    row = newest.filter(round__campaign=campaign).first()
    if row is None or row.fixtures is not None:
        return None
    fixtures = fixtures_content(campaign, after=row.round.number)
    if fixtures is None:
        return None
    row.fixtures = fixtures.model_dump(mode="json")
    row.save(update_fields=["fixtures"])
    for paper in PaperSize.values:
        _print(row, paper)
    return row


def new_fixtures_add(campaign: Campaign) -> None:
    """Add the fixtures of a round that was opened; see `hooks.new_fixtures`."""
    gazette_add_fixtures(campaign=campaign)


def round_report(round_: Round) -> str:
    """Write the gazette of a round that is being closed; see `hooks.round_reports`."""
    return f"edition {gazette_write(round_=round_).edition} written"


def late_results_add(round_: Round) -> None:
    """Write another edition if there is one without the results of watch parties; see `hooks.late_results`."""
    if round_.gazettes.exists():
        gazette_new_edition(round_=round_, by=None)


@transaction.atomic
def gazette_amend(*, gazette: Gazette, content: dict[str, object]) -> None:
    """Replace names in an edition that otherwise stays the same. Its prints are deleted and made again."""
    document = GazetteDocument.model_validate(content)
    Gazette.objects.filter(pk=gazette.pk).update(
        content=content, headline=build_headline(document), lead=build_lead(document)
    )
    papers = gazette.prints.all()
    for name in [row.file.name or row.file_name for row in papers]:
        transaction.on_commit(partial(drop_file, name))
    papers.delete()
    for paper in PaperSize.values:
        _print(gazette, paper)


@transaction.atomic
def gazette_print_again(*, gazette: Gazette, paper: str) -> GazettePrint:
    """Return the newest print in this paper size; make one if it failed or there is none."""
    if paper not in PaperSize.values:
        raise RefusedError("paper", "Choose A4 or Letter.")
    Gazette.objects.select_for_update(no_key=True).get(pk=gazette.pk)
    known = gazette.prints.filter(paper=paper).first()
    if known is not None and known.status not in (JobStatus.FAILED, JobStatus.CALLED_OFF):
        return known
    return _print(gazette, paper)


def gazette_print_render(*, job: GazettePrint) -> bool:
    """Render a claimed print and store its file.

    Return False if the claim was lost meanwhile; then nothing is left behind.
    """
    started = time.perf_counter()
    try:
        with missing_glyphs() as missing:
            pdf = gazette_pdf(job.gazette, job.paper)
    except MissingPangoError as error:
        return not job.fail(str(error))
    with open_pdf(pdf) as opened:
        pages = len(opened.pages)
    return finish_with_file(
        job,
        job.file_name,
        pdf,
        pages=pages,
        seconds=time.perf_counter() - started,
        warning=glyph_warning(missing)[:300],
    )


def gazette_files_among(names: Iterable[str]) -> set[str]:
    """Return those file names that belong to a gazette's print, finished or in progress."""
    rows = GazettePrint.objects.filter(key__in=keys_in(names), status__in=(*AT_WORK, JobStatus.DONE))
    return {row.file.name or row.file_name for row in rows.only("key", "file")}


@transaction.atomic
def feed_key_renew(*, membership: Membership) -> Membership:
    """Give the member a new key for feed and calendar links. The old one stops working."""
    row = Membership.objects.select_for_update(no_key=True).get(pk=membership.pk)
    row.feed_key = uuid.uuid4()
    row.save(update_fields=["feed_key"])
    return row


def _closed(round_: Round) -> tuple[Campaign, Round]:
    """Lock the campaign and return it with its round. Raise RefusedError if the round isn't closed."""
    campaign = campaign_lock(round_.campaign)
    row = Round.objects.get(pk=round_.pk)
    if row.state != RoundState.CLOSED:
        raise RefusedError("round", f"{row} is {row.get_state_display()}. Its gazette is written when it closes.")
    row.campaign = campaign
    return campaign, row


def _edition(campaign: Campaign, row: Round, content: GazetteDocument, *, number: int, by: Player | None) -> Gazette:
    fixtures = fixtures_content(campaign, after=row.number)
    made = Gazette.objects.create(
        round=row,
        edition=number,
        content=content.model_dump(mode="json"),
        headline=build_headline(content),
        lead=build_lead(content),
        fixtures=fixtures.model_dump(mode="json") if fixtures else None,
        published_by=by,
    )
    for paper in PaperSize.values:
        _print(made, paper)
    return made


def _print(gazette: Gazette, paper: str) -> GazettePrint:
    job = GazettePrint.objects.create(gazette=gazette, paper=paper)
    transaction.on_commit(lambda: wake("campaigns.tasks.print_gazette", job.pk))
    return job
