"""Pages of scenarios, published ones and players' own, and the form with a map for writing them."""

from __future__ import annotations

import json
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from rosters import policy, services
from rosters.forms import VisibilityForm
from rosters.models import Scenario, Visibility
from rosters.scenarios import selectors
from rosters.scenarios.selectors import ScenarioCard
from rosters.services import RefusedError, StaleEditError
from rosters.shortcuts import own_scenario, visible_scenario
from rosters.site.forms import refuse_stale_edit, row_version, systems_offered, systems_with
from rosters.view_helpers import locked_for_edit, player, run_and_flash
from systems import ROSTERS, roster_rules, system_choices
from systems.documents import MAX_BYTES, DocumentError
from systems.legality import Check, Problem
from systems.reading import read_scenario

FORM = "scenario-form"


@require_GET
def scenarios(request: HttpRequest) -> HttpResponse:
    """List the published scenarios, the player's own, and other players' public ones."""
    return _scenarios_page(request)


def _scenarios_page(request: HttpRequest, refusal: str = "", text: str = "") -> HttpResponse:
    """Show the list; `refusal` is why the document `text` was not saved."""
    system = request.GET.get("system", "")
    only = {"system": system} if system in ROSTERS else {}
    sort = request.GET.get("sort", "")
    published = selectors.scenarios_sorted(selectors.scenarios_published(), sort)
    context: dict[str, object] = {
        "published": [each for each in published if not only or each.system == system],
        "games": system_choices(),
        "system": system if only else "",
        "sort": sort,
        "refusal": refusal,
        "text": text,
    }
    if request.user.is_authenticated:
        rows = selectors.scenarios_own(request.user).filter(**only)
        context["slice"], context["own"] = selectors.scenario_page(rows, request.GET)
    rows = selectors.scenarios_public(request.user).filter(**only)
    context["others"], context["public"] = selectors.scenario_page(rows, request.GET, "public-")
    return render(request, "rosters/scenarios.html", context, status=422 if refusal else 200)


@require_GET
def scenario_published(request: HttpRequest, system: str, slug: str) -> HttpResponse:
    """Show a published scenario."""
    return _page(request, _published(system, slug), is_published=True)


@require_GET
def scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's scenario."""
    return _own_or_seen(request, visible_scenario(request, pk))


def _own_or_seen(request: HttpRequest, row: Scenario, share: VisibilityForm | None = None) -> HttpResponse:
    """Show a player's scenario; `share` is the visibility form if somebody changed the scenario meanwhile."""
    link = request.build_absolute_uri(reverse("rosters:scenario", args=[row.pk])) + f"?key={row.link_key}"
    card, is_own = selectors.scenario_card(row), policy.can_change(request.user, row)
    return _page(request, card, share, is_own=is_own, link=link)


def _page(
    request: HttpRequest, card: ScenarioCard, share: VisibilityForm | None = None, **context: object
) -> HttpResponse:
    is_own = bool(context.get("is_own"))
    status = 422 if share else 200
    if is_own and share is None:
        share = VisibilityForm(initial={"visibility": card.visibility})
    rulebook = roster_rules(card.system).rulebook
    return render(
        request,
        "rosters/scenario.html",
        {
            **context,
            "scenario": card,
            "sheet": card.sheet,
            "rulebook": rulebook,
            "victory_rule": rulebook.get(card.sheet.victory_rule),
            "share": share,
            "has_form": FORM in roster_rules(card.system).parts,
            "systems": systems_offered(card.system),
            "can_play": card.check.legal and (is_own or card.visibility in ("", Visibility.PUBLIC)),
        },
        status=status,
    )


@require_GET
def scenario_json(request: HttpRequest, pk: int) -> HttpResponse:
    """Download a player's scenario."""
    return _file(selectors.scenario_card(visible_scenario(request, pk)))


@require_GET
def scenario_published_json(request: HttpRequest, system: str, slug: str) -> HttpResponse:
    """Download a published scenario."""
    return _file(_published(system, slug))


def _file(card: ScenarioCard) -> HttpResponse:
    text = json.dumps(card.document, indent=2, ensure_ascii=False) + "\n"
    name = slugify(card.name) or "scenario"
    return HttpResponse(
        text,
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.json"'},
    )


# --- the form ---------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def scenario_new(request: HttpRequest) -> HttpResponse:
    """Show and save the form for a new scenario."""
    return _form(request, None)


@login_required
@require_http_methods(["GET", "POST"])
def scenario_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and save the form for one of the player's own scenarios."""
    with locked_for_edit(request, own_scenario(request, pk)) as row:
        return _form(request, row)


@login_required
@require_POST
def scenario_preview(request: HttpRequest) -> HttpResponse:
    """Render the parts of the page that change with the form or when a zone is painted."""
    context = _sent_context(request, _system(request, None))
    return render(request, "rosters/_scenario_preview.html", {**context, "is_part": True})


def _form(request: HttpRequest, row: Scenario | None) -> HttpResponse:
    system = _system(request, row)
    if request.method != "POST":
        name, spec = (row.name, row.spec) if row else ("", roster_rules(system).form_spec({}))
        return render(
            request,
            "rosters/scenario_form.html",
            {**_form_context(system, name, spec), "row": row, "read": row_version(row) if row else ""},
        )
    refused: list[RefusedError] = []
    read = request.POST.get("read", "")
    if "paint" not in request.POST and request.POST.get("do") == "save":
        try:
            name, spec = request.POST.get("name", "").strip(), _spec_json(request, system)
            if row:
                refuse_stale_edit(row, read, name, spec)
            saved = services.scenario_save(author=player(request), system=system, name=name, spec=spec, scenario=row)
        except StaleEditError as error:
            refused.append(error)
            read = row_version(row) if row else ""
        except RefusedError as error:
            refused.append(error)
        except DocumentError as error:
            refused.append(RefusedError(error.path, error.reason))
        else:
            messages.success(request, f"Saved {saved.name}.")
            return redirect("rosters:scenario", pk=saved.pk)
    context = _sent_context(request, system) | {"row": row, "refused": refused, "read": read}
    return render(request, "rosters/scenario_form.html", context, status=422 if refused else 200)


def _system(request: HttpRequest, row: Scenario | None) -> str:
    """Return the row's game, else the requested one, else the first; 404 if it has no form for scenarios."""
    systems = systems_with(FORM)
    asked = row.system if row else request.POST.get("system") or request.GET.get("system") or next(iter(systems), "")
    if asked not in systems:
        raise Http404("This game has no scenario editor")
    return asked


def _spec_json(request: HttpRequest, system: str) -> dict[str, object]:
    return roster_rules(system).form_spec(_fields(request))


def _fields(request: HttpRequest) -> dict[str, str]:
    return {key: str(value) for key, value in request.POST.items()}


def _sent_context(request: HttpRequest, system: str) -> dict[str, object]:
    """Return the context of the submitted form. An invalid field keeps its text and is reported as a problem."""
    name, brush = request.POST.get("name", ""), request.POST.get("brush", "")
    try:
        return _form_context(system, name, _spec_json(request, system), brush)
    except DocumentError as error:
        rules = roster_rules(system)
        context = _form_context(system, name, rules.form_spec({}), brush)
        problem = Problem("", f"{error.path.removeprefix('spec.').capitalize()}: {error.reason}.", error.path)
        if unread := rules.form_unread(_fields(request), brush):
            form, check = unread
            return {**context, "form": form, "check": check if check.problems else Check(0, (problem,))}
        return {**context, "check": Check(0, (problem,))}


def _form_context(system: str, name: str, spec: dict[str, object], brush: str = "") -> dict[str, object]:
    rules = roster_rules(system)
    parsed = rules.parse_scenario(spec)
    return {
        "name": name,
        "form": rules.scenario_form(parsed, brush),
        "sheet": rules.scenario_sheet(parsed),
        "check": rules.check_scenario(parsed),
        "rulebook": rules.rulebook,
        "system": system,
        "systems": systems_offered(system, FORM),
        "system_name": rules.name,
        "form_lead": rules.scenario_lead,
    }


# --- actions ----------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def scenario_upload(request: HttpRequest) -> HttpResponse:
    """Import a scenario/1 document, from a file or as text, as the player's own scenario."""
    if request.method == "GET":
        return redirect(reverse("rosters:scenarios", query=request.GET, fragment="upload"))
    file, text = request.FILES.get("file"), request.POST.get("text", "")
    try:
        document, _ = read_scenario(file.read(MAX_BYTES + 1) if file else text)
        row = services.scenario_save(
            author=player(request), system=document.system, name=document.name, spec=document.spec
        )
    except (DocumentError, RefusedError) as error:
        return _scenarios_page(request, str(error), text)
    messages.success(request, f"Uploaded {row.name}.")
    return redirect("rosters:scenario", pk=row.pk)


@login_required
@require_POST
def scenario_clone(request: HttpRequest, pk: int) -> HttpResponse:
    """Copy a scenario to the player's own scenarios."""
    row = visible_scenario(request, pk)
    return _cloned(request, lambda: services.scenario_clone(by=player(request), scenario=row))


@login_required
@require_POST
def scenario_published_clone(request: HttpRequest, system: str, slug: str) -> HttpResponse:
    """Copy a published scenario to the player's own scenarios."""
    _published(system, slug)
    return _cloned(request, lambda: services.scenario_clone(by=player(request), system=system, published=slug))


def _cloned(request: HttpRequest, clone: Callable[[], Scenario]) -> HttpResponse:
    try:
        row = clone()
    except RefusedError as error:
        messages.error(request, error.reason)
        return redirect("rosters:scenarios")
    messages.success(request, "Copied to your scenarios.")
    return redirect("rosters:scenario_edit", pk=row.pk)


@login_required
@require_POST
def scenario_share(request: HttpRequest, pk: int) -> HttpResponse:
    """Change who can see the scenario."""
    with locked_for_edit(request, own_scenario(request, pk)) as row:
        form = VisibilityForm(request.POST, initial={"visibility": row.visibility})
        if form.is_valid():
            run_and_flash(
                request,
                lambda: services.scenario_save(
                    author=player(request),
                    system=row.system,
                    name=row.name,
                    spec=row.spec,
                    scenario=row,
                    **form.cleaned_data,
                ),
                "Saved.",
            )
        elif form.is_overtaken:
            return _own_or_seen(request, row, form)
    return redirect("rosters:scenario", pk=pk)


@login_required
@require_POST
def scenario_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete the scenario."""
    row = own_scenario(request, pk)
    run_and_flash(request, lambda: services.scenario_delete(scenario=row, by=player(request)), f"Deleted {row.name}.")
    return redirect("rosters:scenarios")


def _published(system: str, slug: str) -> ScenarioCard:
    if system not in ROSTERS or slug not in ROSTERS[system].scenarios:
        raise Http404
    return selectors.scenario_published(system, slug)
