"""The gazette on paper: the same text as its page, set in columns and rendered by the print engine."""

from __future__ import annotations

from django.template.loader import render_to_string

from campaigns.gazette.selectors import gazette_sheet
from campaigns.models import Gazette
from rosters.paper.engine import page_document, write_pdf
from rosters.paper.sheets import paper_size
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
