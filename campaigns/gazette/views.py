"""Pages of the gazette: all rounds, one round's front page, its paper."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns import policy
from campaigns.gazette import services
from campaigns.gazette.selectors import changes_since, editions_of, gazette_rows, gazette_sheet
from campaigns.models import Campaign, Gazette, Membership, RoundState
from campaigns.shortcuts import campaign_or_404, require_permission
from campaigns.view_helpers import campaign_context
from rosters.jobs import JobStatus
from rosters.models import PaperSize
from rosters.services import RefusedError
from rosters.view_helpers import player, run_and_flash
from systems import roster_rules


@require_GET
def gazettes(request: HttpRequest, pk: int) -> HttpResponse:
    """List the gazettes of all closed rounds, with the links of feed and calendar."""
    campaign = campaign_or_404(request, pk)
    rounds = campaign.rounds.filter(state=RoundState.CLOSED, gazettes=None)
    context = {
        **campaign_context(request, campaign),
        "lines": gazette_rows(campaign),
        "unwritten": list(rounds.values_list("number", flat=True)),
        **_links(request, campaign),
    }
    return render(request, "campaigns/gazettes.html", context)


@require_http_methods(["GET", "POST"])
def gazette(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show a round's front page in its newest or an earlier edition. A POST by an organiser writes a new edition."""
    campaign = campaign_or_404(request, pk)
    can_run = policy.can_run_campaign(request.user, campaign)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        require_permission(can_run)
        row = campaign.rounds.filter(number=number, state=RoundState.CLOSED).first()
        if row is None:
            raise Http404("No such round")
        by = player(request)
        run_and_flash(
            request,
            lambda: services.gazette_new_edition(round_=row, by=by),
            lambda made: f"Edition {made.edition} is written.",
        )
        return redirect("campaigns:gazette", pk=pk, number=number)
    editions = _editions(campaign, number)
    gazette = _edition(editions, request.GET.get("edition", ""))
    context = {
        **campaign_context(request, campaign, can_run=can_run),
        "sheet": gazette_sheet(gazette),
        "has_pilots": bool(roster_rules(campaign.system, campaign.catalogue_release).hire_points),
        "editions": editions,
        "is_newest": gazette == editions[0],
        "changes": changes_since(gazette),
        "papers": [(label, _paper_url(gazette, value)) for value, label in PaperSize.choices],
    }
    return render(request, "campaigns/gazette.html", context)


@require_http_methods(["GET", "POST"])
def gazette_pdf(request: HttpRequest, pk: int, number: int, paper: str) -> HttpResponse | FileResponse:
    """Return the PDF, or the progress page while it is rendered.

    A POST prints a failed one again. The URL never changes.
    """
    campaign = campaign_or_404(request, pk)
    gazette = _edition(_editions(campaign, number), request.GET.get("edition", ""))
    if paper not in PaperSize.values:
        raise Http404("No such paper")
    url = _paper_url(gazette, paper)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(url)
        try:
            services.gazette_print_again(gazette=gazette, paper=paper)
        except RefusedError as error:
            messages.error(request, error.reason)
        return redirect(url)
    job = gazette.prints.filter(paper=paper).first()
    is_part = request.htmx and request.htmx.target == "job"  # type: ignore[attr-defined]
    if (
        job
        and job.status == JobStatus.DONE
        and job.file.name
        and job.file.storage.exists(job.file.name)
        and not is_part
    ):
        name = f"{slugify(campaign.name) or 'campaign'}-gazette-{number}-{paper}.pdf"
        response = FileResponse(job.file.open("rb"), content_type="application/pdf", filename=name)
        response["Cache-Control"] = "private, no-cache"  # the next round's fixtures may still be added
        return response
    context = {
        **campaign_context(request, campaign),
        "job": job,
        "is_over": job is None or job.is_over,
        "number": number,
        "paper": PaperSize(paper).label,
        "url": url,
        "link": request.build_absolute_uri(url),
    }
    template = "campaigns/_gazette_print.html" if is_part else "campaigns/gazette_print.html"
    return render(request, template, context, status=200 if is_part else 202)


@login_required
@require_POST
def feed_key_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Create a new key for the reader's feed and calendar. Links with the old one stop working."""
    campaign = campaign_or_404(request, pk)
    membership = Membership.objects.filter(club=campaign.club, player=player(request)).first()
    require_permission(membership is not None)
    assert membership is not None
    services.feed_key_renew(membership=membership)
    messages.success(request, "You have a new key. Links with the old one no longer work.")
    return redirect("campaigns:gazettes", pk=pk)


def _editions(campaign: Campaign, number: int) -> list[Gazette]:
    """Return all editions of a round's gazette, newest first. Raise Http404 if there is none."""
    rows = editions_of(campaign, number)
    if not rows:
        raise Http404("No such gazette")
    return rows


def _edition(editions: list[Gazette], given: str) -> Gazette:
    if not given:
        return editions[0]
    for each in editions:
        if str(each.edition) == given:
            return each
    raise Http404("No such edition")


def _paper_url(gazette: Gazette, paper: str) -> str:
    url = reverse("campaigns:gazette_pdf", args=[gazette.round.campaign_id, gazette.round.number, paper])
    return f"{url}?edition={gazette.edition}"


def _links(request: HttpRequest, campaign: Campaign) -> dict[str, object]:
    """Return the links of feed and calendars, with the member's key if they would need a session otherwise."""
    is_open = campaign.is_public and campaign.club.is_public and campaign.state != "draft"
    user = request.user
    membership = None
    if user.is_authenticated and not is_open:
        membership = Membership.objects.filter(club=campaign.club, player=user).first()
    key = {"key": str(membership.feed_key)} if membership else {}

    def link(name: str, **more: str) -> str:
        query = urlencode({**more, **key})
        return request.build_absolute_uri(reverse(name, args=[campaign.pk]) + (f"?{query}" if query else ""))

    own = (
        campaign.enrolments.filter(state="accepted", company__owner=user.pk).select_related("company")
        if user.is_authenticated
        else []
    )
    return {
        "has_key": bool(key),
        "feed_url": link("campaigns:gazette_feed"),
        "calendars": [
            (campaign.name, link("campaigns:campaign_calendar")),
            *((each.company.name, link("campaigns:campaign_calendar", company=str(each.company_id))) for each in own),
        ],
    }
