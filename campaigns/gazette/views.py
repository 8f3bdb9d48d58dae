"""Pages of the news: all gazettes and rulings, a round's front page, its paper and picture; feed, calendar of fixtures."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.contrib.syndication.views import Feed
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.feedgenerator import Rss201rev2Feed
from django.utils.text import slugify
from django.views.decorators.http import conditional_page, require_GET, require_http_methods, require_POST

from campaigns import policy
from campaigns.corrections.forms import UndoForm
from campaigns.corrections.services import (
    adjustment_undo,
    adjustment_undo_refusal,
    describe_entries,
    unreversed_entries,
)
from campaigns.gazette import services
from campaigns.gazette.selectors import GazetteRow, changes_since, editions_of, gazette_rows, gazette_sheet
from campaigns.icalendar import fixtures_calendar
from campaigns.models import Campaign, Enrolment, Gazette, Membership, RoundState, Ruling
from campaigns.results.selectors import rulers_of, ruling_of, rulings_page, undone_by
from campaigns.shortcuts import CAMPAIGN, campaign_or_404, require_permission
from campaigns.view_helpers import campaign_context
from rosters.jobs import JobStatus
from rosters.models import PaperSize
from rosters.open_graph import MAX_ROWS, PreviewImage, PreviewRow, preview_response
from rosters.services import RefusedError
from rosters.view_helpers import player, row_id, run_and_flash, run_for_form, searched
from systems import roster_rules
from systems.text import end_sentence, printable_text


@require_GET
def gazettes(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the news: the gazettes of all closed rounds, rulings by words, kind and arbiter, feed and calendar.

    With a ruling in the query string (`ruling`), show it in full.
    """
    campaign = campaign_or_404(request, pk)
    asked = request.GET.get("ruling", "")
    return _news_page(request, campaign, _ruling_or_404(campaign, row_id(asked)) if asked else None)


def _news_page(
    request: HttpRequest, campaign: Campaign, chosen: Ruling | None = None, undo: UndoForm | None = None
) -> HttpResponse:
    """Render the news, with a ruling and the refused form that should undo it, if they are given."""
    rounds = campaign.rounds.filter(state=RoundState.CLOSED, gazettes=None)
    search = {name: searched(request, name) for name in ("text", "kind", "by")}
    context = {
        **campaign_context(request, campaign),
        "lines": gazette_rows(campaign),
        "unwritten": list(rounds.values_list("number", flat=True)),
        "slice": rulings_page(campaign, search, request.GET),
        "search": search,
        "is_search": any(search.values()),
        "kinds": Ruling.Kind.choices,
        "rulers": [(str(each.pk), str(each)) for each in rulers_of(campaign)],
        **_links(request, campaign),
    }
    if chosen is not None:
        context |= _ruling_context(request, campaign, chosen, undo)
    return render(request, "campaigns/gazettes.html", context, status=422 if undo else 200)


def _ruling_context(request: HttpRequest, campaign: Campaign, row: Ruling, undo: UndoForm | None) -> dict[str, object]:
    rights, later = policy.rights_in(request.user, campaign.club), undone_by(row)
    context: dict[str, object] = {
        "chosen": row,
        "sentences": row.decision.get("told", ()) if rights.is_member else (),
        "undone_by": later,
        "form": undo or UndoForm(),
    }
    may_undo = rights.may_rule and not later and "undoes" not in row.decision
    if _is_undoable(row) and (may_undo or undo):
        company = Enrolment.objects.select_related("company").get(pk=row.decision["enrolment"]).company
        context |= {
            "company": company,
            "entries": describe_entries(company, unreversed_entries(row, company)),
            "refusal": adjustment_undo_refusal(row),
        }
    return context


def _is_undoable(row: Ruling) -> bool:
    return row.kind == Ruling.Kind.ADJUSTMENT and bool(row.decision.get("enrolment"))


def _ruling_or_404(campaign: Campaign, pk: int) -> Ruling:
    row = ruling_of(campaign, pk)
    if row is None:
        raise Http404("No such ruling")
    return row


def _ruling_address(row: Ruling, fragment: str = "ruling", query: Mapping[str, str] = MappingProxyType({})) -> str:
    query = {**query, "ruling": str(row.pk)}
    return reverse("campaigns:gazettes", args=[row.campaign_id], query=query, fragment=fragment)


@require_GET
def ruling(request: HttpRequest, pk: int, ruling_pk: int) -> HttpResponse:
    """Redirect to the ruling in the campaign's news."""
    row = _ruling_or_404(campaign_or_404(request, pk), ruling_pk)
    return redirect(_ruling_address(row, query=request.GET.dict()))


@login_required
@require_http_methods(["GET", "POST"])
def undo_adjustment(request: HttpRequest, pk: int, ruling_pk: int) -> HttpResponse:
    """Undo a ruling on a company; GET redirects to the ruling."""
    campaign = campaign_or_404(request, pk)
    row = _ruling_or_404(campaign, ruling_pk)
    if not _is_undoable(row):
        raise Http404("No such ruling")
    require_permission(policy.can_rule(request.user, campaign))
    if request.method != "POST":
        return redirect(_ruling_address(row, "undo"))
    form = UndoForm(request.POST)
    if form.is_valid():
        reason, by = form.cleaned_data["reason"], player(request)
        made = run_for_form(form, lambda: adjustment_undo(ruling=row, reason=reason, by=by))
        if made is not None:
            messages.success(request, "Undone. The ledger shows what changed.")
            return redirect(_ruling_address(made))
    return _news_page(request, campaign, row, form)


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
            lambda made: f"Edition {made.edition} is ready.",
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


MAX_ROUNDS = 30  # rounds in the feed
FeedItem = tuple[Campaign, GazetteRow]


class GazetteFeed(Feed):
    """The gazettes of a campaign as RSS, the newest round first."""

    feed_type = Rss201rev2Feed
    language = "en"
    item_guid_is_permalink = False

    def __call__(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return _private(super().__call__(request, *args, **kwargs))

    def get_object(self, request: HttpRequest, pk: int) -> Campaign:
        return _campaign(request, pk)

    def title(self, obj: Campaign) -> str:
        return printable_text(f"Gazette of {obj.name}")

    def description(self, obj: Campaign) -> str:
        return printable_text(end_sentence(f"Round by round: {obj.name}, a campaign of {obj.club.name}"))

    def link(self, obj: Campaign) -> str:
        return reverse("campaigns:gazettes", args=[obj.pk])

    def items(self, obj: Campaign) -> list[FeedItem]:
        return [(obj, line) for line in gazette_rows(obj, most=MAX_ROUNDS)]

    def item_title(self, item: FeedItem) -> str:
        _, line = item
        edition = f", edition {line.edition}" if line.edition > 1 else ""
        return printable_text(f"Round {line.number}{edition}: {line.headline}")

    def item_description(self, item: FeedItem) -> str:
        return printable_text(item[1].lead)

    def item_link(self, item: FeedItem) -> str:
        campaign, line = item
        return reverse("campaigns:gazette", args=[campaign.pk, line.number])

    def item_guid(self, item: FeedItem) -> str:
        campaign, line = item
        return f"muster-gazette-{campaign.pk}-{line.number}-{line.edition}"

    def item_pubdate(self, item: FeedItem) -> datetime:
        return item[1].at


@require_GET
def feed(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the gazettes as RSS."""
    return GazetteFeed()(request, pk=pk)


@require_GET
@conditional_page
def calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the fixtures of the open rounds as iCalendar; `company` limits them to one company's."""
    campaign = _campaign(request, pk)
    company = _company(campaign, request.GET.get("company", ""))

    def match_url(key: UUID) -> str:
        return request.build_absolute_uri(reverse("campaigns:match", args=[key]))

    body = fixtures_calendar(campaign, company=company, match_url=match_url)
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{slugify(campaign.name) or "fixtures"}.ics"'
    return _private(response)


def _campaign(request: HttpRequest, pk: int) -> Campaign:
    """Return the campaign if the reader, or the member whose key is in the link, may see it."""
    campaign = CAMPAIGN.row(pk=pk)
    if campaign is None:
        raise Http404("No such campaign")
    holder = policy.holder_of_key(request.GET.get("key", ""), campaign.club)
    if not policy.can_see_campaign(holder or request.user, campaign):
        raise Http404("No such campaign")
    return campaign


def _company(campaign: Campaign, given: str) -> int | None:
    if not given:
        return None
    company = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
    if not campaign.enrolments.filter(company=company).exists():
        raise Http404("No such company in this campaign")
    return company


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, max-age=300"
    return response


@require_GET
def gazette_picture(request: HttpRequest, pk: int, number: int) -> HttpResponseBase:
    """Return a picture of a round's front page: its headline and results."""
    campaign = campaign_or_404(request, pk)
    editions = editions_of(campaign, number)
    if not editions:
        raise Http404("No such gazette")
    sheet = gazette_sheet(editions[0])
    image = PreviewImage(
        kicker=f"{campaign.name} Gazette · Round {sheet.number}",
        title=sheet.headline,
        rows=tuple(
            PreviewRow(
                f"{line.attacker.name} against {line.defender.name}" if line.defender else line.attacker.name,
                line.word,
            )
            for line in sheet.content.results[: MAX_ROWS - 1]
        ),
        foot=campaign.club.name,
    )
    return preview_response(request, image, is_public=policy.can_anyone_see_campaign(campaign))
