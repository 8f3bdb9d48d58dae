"""The page of a campaign's standings: the table, the map, the cup, the story, and the organiser's forms for these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from campaigns import policy
from campaigns.arbiters import refusal_of
from campaigns.campaign.phases import last_rounds, phases_of
from campaigns.campaign.selectors import tie_breaker_names
from campaigns.cups import services as cups
from campaigns.cups.forms import CupForm, SeatsForm, cup_initial
from campaigns.cups.selectors import CupSheet, cup_of, cup_sheet
from campaigns.models import AttackRule, Campaign, CampaignState, Cup, CupEntrant, TerritoryMap
from campaigns.planning.selectors import FixtureRow, contested_territories, open_fixture_rows, round_numbers
from campaigns.scoring import campaign_scoring, describe_bye
from campaigns.shortcuts import campaign_or_404, require_permission
from campaigns.standings.selectors import PLACES, Entrant, enrolments_of, scored_matches, standings_and_map
from campaigns.standings.table import SCORE_TIE_BREAKERS
from campaigns.standings.views import embed_codes
from campaigns.storylines.forms import StorylineForm
from campaigns.storylines.selectors import StorylinePage, has_storyline, storyline_page
from campaigns.storylines.services import storyline_set
from campaigns.territories.drawing import MapDrawing, map_drawing
from campaigns.territories.selectors import MapSheet, map_sheet
from campaigns.view_helpers import campaign_context
from rosters.services import RefusedError
from rosters.view_helpers import locked_for_edit, player, run_for_form
from systems import battle_rules, season_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class MapSection:
    """The map on the page."""

    sheet: MapSheet
    drawing: MapDrawing
    contests: tuple[tuple[str, FixtureRow], ...]  # territories that open matches are played for
    needs_border: bool

    @property
    def contested(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.contests)


@dataclass(frozen=True, slots=True, kw_only=True)
class CupSection:
    """The cup on the page, with the organiser's forms that can still change something."""

    cup: Cup | None  # None: not set up
    description: str
    sheet: CupSheet | None  # None: not drawn
    form: CupForm | None
    seats: SeatsForm | None
    seat_refusal: str
    can_draw: bool
    can_play: bool
    is_offered: bool  # to the organiser of a campaign that can do without a cup

    @property
    def is_wrong(self) -> bool:
        return any(each is not None and each.is_bound for each in (self.form, self.seats))


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylineSection:
    """The story on the page, with the organiser's form if it can still change something."""

    sheet: StorylinePage
    form: StorylineForm | None
    can_plan: bool

    @property
    def is_wrong(self) -> bool:
        return self.form is not None and self.form.is_bound


@require_GET
def standings(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the table and the map, now or after a round, and the cup and the story."""
    return _standings_page(request, campaign_or_404(request, pk))


def _standings_page(
    request: HttpRequest,
    row: Campaign,
    *,
    cup_section: CupSection | None = None,
    storyline_section: StorylineSection | None = None,
) -> HttpResponse:
    """Show the page. A section whose form has errors takes the place of the one that the page would show."""
    can_run = policy.can_run_campaign(request.user, row)
    after, numbers = _round_from_query(request), round_numbers(row)
    enrolments, matches = enrolments_of(row), scored_matches(row)
    places = PLACES.rows(campaign=row.pk) if row.map_kind != TerritoryMap.NONE else ()
    table, _ = standings_and_map(row, up_to=after, places=places, matches=matches, enrolments=enrolments)
    sheet = map_sheet(row, up_to=after, places=places, matches=matches, enrolments=enrolments)
    cup_part = cup_section or _cup_section(request, row, can_run=can_run, enrolments=enrolments)
    story = storyline_section or _storyline_section(row, can_run=can_run, enrolments=enrolments)
    context = {
        **campaign_context(request, row, can_run=can_run),
        "rows": table,
        "after": after,
        "numbers": numbers,
        "phases": last_rounds(phases_of(row), numbers),
        "tie_breakers": tie_breaker_names(row),
        "bye_worth": describe_bye(campaign_scoring(row)),
        "shares_places": season_rules(row.system).shares_places,
        "has_scores": any(slug in SCORE_TIE_BREAKERS for slug in row.tie_breakers),
        "labels": battle_rules(row.system).hand.fields,
        "codes": embed_codes(request, row),
        "map": _map_section(request, row, sheet, is_now=after is None) if sheet else None,
        "cup": cup_part,
        "story": story,
    }
    is_wrong = (cup_part and cup_part.is_wrong) or (story and story.is_wrong)
    return render(request, "campaigns/standings.html", context, status=422 if is_wrong else 200)


def _round_from_query(request: HttpRequest) -> int | None:
    """Return the number of the round after which to show the campaign; None: now."""
    given = request.GET.get("after", "")
    return int(given) if given.isdecimal() and len(given) < 6 else None


# --- map --------------------------------------------------------------------------------------------------------------


def _map_section(request: HttpRequest, row: Campaign, sheet: MapSheet, *, is_now: bool) -> MapSection:
    contested = contested_territories(open_fixture_rows(row, request.user)) if is_now else {}
    return MapSection(
        sheet=sheet,
        drawing=map_drawing(row.map_kind, sheet.places),
        contests=tuple(contested.items()),
        needs_border=row.attack_rule == AttackRule.NEIGHBOURS,
    )


@require_GET
def campaign_map(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect to the map on the page of the standings."""
    row = campaign_or_404(request, pk)
    if row.map_kind == TerritoryMap.NONE:
        raise Http404("This campaign has no map")
    return redirect(_section(request, row, "map"))


def _section(request: HttpRequest, row: Campaign, name: str) -> str:
    """Return the address of a section of the page."""
    return reverse("campaigns:standings", args=[row.pk], query=request.GET, fragment=name)


# --- cup --------------------------------------------------------------------------------------------------------------


def _cup_section(
    request: HttpRequest, row: Campaign, *, can_run: bool, enrolments: Mapping[int, Entrant] | None = None
) -> CupSection | None:
    """Return the cup; None if there is none and the reader can't set one up."""
    cup = cup_of(row)
    form, seats = _cup_forms(request, row, cup, can_run=can_run)
    is_offered = cup is None and row.pairing not in cups.CUP_PAIRINGS
    if is_offered and form is None:
        return None
    is_running = row.state == CampaignState.RUNNING
    return CupSection(
        cup=cup,
        description=cups.describe_cup(cup) if cup is not None else "",
        sheet=cup_sheet(row, cup, with_planned=can_run, enrolments=enrolments) if cup is not None else None,
        form=form,
        seats=seats,
        seat_refusal=refusal_of(lambda: cups.seat_own_case(row, player(request))) if seats is not None else "",
        can_draw=form is not None and cup is not None and is_running,
        can_play=can_run and is_running,
        is_offered=is_offered,
    )


def _cup_forms(
    request: HttpRequest, row: Campaign, cup: Cup | None, *, can_run: bool
) -> tuple[CupForm | None, SeatsForm | None]:
    """Return the organiser's forms, or None for those that can't change anything any more."""
    if not can_run or row.state == CampaignState.FINISHED:
        return None, None
    if cup is not None and cups.has_begun(row, cup):
        return None, None
    act = request.POST.get("act", "")
    form = CupForm(request.POST if act == "settings" else None, initial=cup_initial(cup, row.pairing))
    places = list(CupEntrant.objects.filter(cup=cup).select_related("enrolment__company")) if cup else []
    if cup is None or not places:
        return form, None
    return form, SeatsForm(request.POST if act == "seats" else None, places=places, groups=cup.groups)


@require_http_methods(["GET", "POST"])
def cup(request: HttpRequest, pk: int) -> HttpResponse:
    """Set up the cup (`act`: settings, draw or seats); GET redirects to it on the page of the standings."""
    found = campaign_or_404(request, pk)
    can_run = policy.can_run_campaign(request.user, found)
    if request.method != "POST":
        if found.pairing not in cups.CUP_PAIRINGS and not can_run and cup_of(found) is None:
            raise Http404("This campaign has no cup")
        return redirect(_section(request, found, "cup"))
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    require_permission(can_run)
    with locked_for_edit(request, found) as row:
        section = _cup_section(request, row, can_run=True)
        done = _act_on_cup(request, row, section)
    if section is not None and section.is_wrong and not done:
        return _standings_page(request, row, cup_section=section)
    if done:
        messages.success(request, done)
    return redirect(_section(request, row, "cup"))


def _act_on_cup(request: HttpRequest, row: Campaign, section: CupSection | None) -> str:
    """Run the posted act and return its message; empty if it was refused, with the reason on the page."""
    by = player(request)
    if request.POST.get("act") == "draw":
        try:
            cups.cup_make_draw(campaign=row, by=by)
        except RefusedError as error:
            messages.error(request, error.reason)
            return ""
        return "The cup is drawn. Check it, then plan its first round."
    form, seats = (section.form, section.seats) if section else (None, None)
    if form is None:
        messages.error(request, "The cup has started, so its draw can't be changed.")
    elif form.is_bound and form.is_valid():
        return "Cup saved." if run_for_form(form, lambda: cups.cup_set(campaign=row, by=by, **form.settings())) else ""
    elif seats is not None and seats.is_bound and seats.is_valid():
        saved = run_for_form(seats, lambda: cups.cup_seat(campaign=row, by=by, seats=seats.seats()))
        return "Seeds saved." if saved else ""
    return ""


# --- story ------------------------------------------------------------------------------------------------------------


def _storyline_section(
    row: Campaign,
    *,
    can_run: bool,
    request: HttpRequest | None = None,
    enrolments: Mapping[int, Entrant] | None = None,
) -> StorylineSection | None:
    """Return the story, None if the campaign has none; with the posted form of `request`, if given."""
    sheet = storyline_page(row, with_planned=can_run, enrolments=enrolments)
    if sheet is None:
        return None
    is_editable = row.state != CampaignState.FINISHED and (not sheet.has_begun or bool(sheet.unassigned))
    return StorylineSection(
        sheet=sheet,
        form=StorylineForm(request.POST if request else None, sheet=sheet) if can_run and is_editable else None,
        can_plan=can_run and row.state == CampaignState.RUNNING and sheet.is_ready,
    )


@require_http_methods(["GET", "POST"])
def storyline(request: HttpRequest, pk: int) -> HttpResponse:
    """Change the settings of the story; GET redirects to it on the page of the standings."""
    found = campaign_or_404(request, pk)
    if request.method != "POST":
        if not has_storyline(found):
            raise Http404("This campaign has no story")
        return redirect(_section(request, found, "story"))
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    require_permission(policy.can_run_campaign(request.user, found))
    with locked_for_edit(request, found) as row:
        section = _storyline_section(row, can_run=True, request=request)
        if section is None:
            raise Http404("This campaign has no story")
        form, saved = section.form, None
        if form is not None and form.is_valid():
            by, given = player(request), form.settings()
            saved = run_for_form(form, lambda: storyline_set(campaign=row, by=by, **given))
    if form is None:
        messages.error(request, "The story has started, so its roles and points can't be changed.")
    elif saved is None:
        return _standings_page(request, row, storyline_section=section)
    else:
        messages.success(request, "Saved.")
    return redirect(_section(request, row, "story"))
