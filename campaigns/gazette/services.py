"""Gazettes are written: the first edition when a round is closed, others when what they tell was corrected."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable
from functools import partial

from django.db import transaction

from campaigns.gazette.content import fixtures_content, gazette_content
from campaigns.gazette.document import GazetteDocument
from campaigns.gazette.front import headline, lead
from campaigns.gazette.paper import gazette_pdf
from campaigns.models import Campaign, Gazette, GazettePrint, Membership, Round, RoundState
from campaigns.occasions import raised
from campaigns.services._base import campaign_diary, campaign_lock
from rosters.jobs import JobStatus
from rosters.models import Paper, Player
from rosters.paper import MissingPangoError
from rosters.paper.engine import glyph_warning, missing_glyphs, open_pdf
from rosters.services import RefusedError
from rosters.services.clearing import AT_WORK, keys_in
from rosters.services.job_files import drop_file, finish_with_file
from rosters.site.job_runs import wake


@transaction.atomic
def gazette_write(*, round_: Round) -> Gazette:
    """The first edition of a closed round's gazette; the one that is there, if it was written before."""
    campaign, row = _closed(round_)
    if known := row.gazettes.first():
        return known
    made = _edition(campaign, row, gazette_content(row), number=1, by=None)
    raised.gazette_out(made, campaign)
    return made


@transaction.atomic
def gazette_new_edition(*, round_: Round, by: Player | None) -> Gazette:
    """Another edition, told as the rows are now; no player: the clock had it written. Refused while nothing has changed. Earlier ones stay readable."""
    campaign, row = _closed(round_)
    last = row.gazettes.first()
    content = gazette_content(row)
    if last is not None and GazetteDocument.model_validate(last.content) == content:
        raise RefusedError("edition", f"Nothing that edition {last.edition} tells has changed.")
    made = _edition(campaign, row, content, number=last.edition + 1 if last else 1, by=by)
    text = f"Wrote edition {made.edition} of the gazette of {row}"
    campaign_diary(campaign, text, by)
    return made


@transaction.atomic
def gazette_add_fixtures(*, campaign: Campaign) -> Gazette | None:
    """Tells in the newest gazette what is played next, if it could not yet; its paper is drawn again."""
    newest = Gazette.objects.select_for_update(of=("self",), no_key=True).select_related("round")
    row = newest.filter(round__campaign=campaign).first()
    if row is None or row.fixtures is not None:
        return None
    fixtures = fixtures_content(campaign, after=row.round.number)
    if fixtures is None:
        return None
    row.fixtures = fixtures.model_dump(mode="json")
    row.save(update_fields=["fixtures"])
    for paper in Paper.values:
        _print(row, paper)
    return row


@transaction.atomic
def gazette_amend(*, gazette: Gazette, content: dict[str, object]) -> None:
    """Other names in an edition that stays the same; its papers go, and are drawn anew."""
    told = GazetteDocument.model_validate(content)
    Gazette.objects.filter(pk=gazette.pk).update(content=content, headline=headline(told), lead=lead(told))
    papers = gazette.prints.all()
    for name in [row.file.name or row.file_name for row in papers]:
        transaction.on_commit(partial(drop_file, name))
    papers.delete()
    for paper in Paper.values:
        _print(gazette, paper)


@transaction.atomic
def gazette_print_again(*, gazette: Gazette, paper: str) -> GazettePrint:
    """The newest print on this paper, drawn anew if it failed or there is none."""
    if paper not in Paper.values:
        raise RefusedError("paper", "Choose A4 or Letter.")
    Gazette.objects.select_for_update(no_key=True).get(pk=gazette.pk)
    known = gazette.prints.filter(paper=paper).first()
    if known is not None and known.status not in (JobStatus.FAILED, JobStatus.CALLED_OFF):
        return known
    return _print(gazette, paper)


def gazette_print_render(*, job: GazettePrint) -> bool:
    """Draws a claimed print and stores its file. False if the claim was lost meanwhile: nothing is left behind then."""
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


def gazette_files_named(names: Iterable[str]) -> set[str]:
    """Those of the names of files that are an edition's paper, drawn or being drawn."""
    rows = GazettePrint.objects.filter(key__in=keys_in(names), status__in=(*AT_WORK, JobStatus.DONE))
    return {row.file.name or row.file_name for row in rows.only("key", "file")}


@transaction.atomic
def feed_key_renew(*, membership: Membership) -> Membership:
    """Another key for a member's feed and calendar links; the old one opens nothing from now on."""
    row = Membership.objects.select_for_update(no_key=True).get(pk=membership.pk)
    row.feed_key = uuid.uuid4()
    row.save(update_fields=["feed_key"])
    return row


def _closed(round_: Round) -> tuple[Campaign, Round]:
    """The campaign, locked, and its round; refused before the round is closed."""
    campaign = campaign_lock(round_.campaign)
    row = Round.objects.get(pk=round_.pk)
    if row.state != RoundState.CLOSED:
        raise RefusedError("round", f"{row} is {row.get_state_display()}; its gazette is written when it is closed.")
    row.campaign = campaign
    return campaign, row


def _edition(campaign: Campaign, row: Round, content: GazetteDocument, *, number: int, by: Player | None) -> Gazette:
    fixtures = fixtures_content(campaign, after=row.number)
    made = Gazette.objects.create(
        round=row,
        edition=number,
        content=content.model_dump(mode="json"),
        headline=headline(content),
        lead=lead(content),
        fixtures=fixtures.model_dump(mode="json") if fixtures else None,
        by=by,
    )
    for paper in Paper.values:
        _print(made, paper)
    return made


def _print(gazette: Gazette, paper: str) -> GazettePrint:
    job = GazettePrint.objects.create(gazette=gazette, paper=paper)
    transaction.on_commit(lambda: wake("campaigns.tasks.print_gazette", job.pk))
    return job
