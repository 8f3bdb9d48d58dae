"""Pages of designs, published ones and players' own, of units built from them, and of the lab."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from rosters import policy, services
from rosters.designs import selectors
from rosters.designs.lab import (
    FillForm,
    Lab,
    advice_of,
    compare_design,
    fill_design,
    has_counts,
    is_soon_advised,
    lab_of,
    lab_query,
)
from rosters.designs.selectors import DesignCard
from rosters.forms import VisibilityForm
from rosters.galleries import list_gallery_units, unit_sizes
from rosters.hooks import records_of_designs
from rosters.models import Company, Design
from rosters.printing.screen_cards import card_of_design
from rosters.selectors import companies_to_buy_for
from rosters.services import RefusedError, StaleEditError
from rosters.shortcuts import own_design, visible_design
from rosters.site.forms import refuse_stale_edit, row_version, systems_offered
from rosters.view_helpers import locked_for_edit, player, run_and_flash
from systems import BATTLES, ROSTERS, battle_rules, roster_rules, system_choices


@require_GET
def designs(request: HttpRequest) -> HttpResponse:
    """List the published designs of all games and the player's own, or (`?show=units`) units of public companies."""
    wanted, size, sort = (request.GET.get(name, "") for name in ("system", "size", "sort"))
    context: dict[str, object] = {"games": system_choices(), "system": wanted, "size": size, "sort": sort}
    if request.GET.get("show") == "units":
        context |= {"tab": "units", "slice": list_gallery_units(request.GET), "sizes": unit_sizes()}
        return render(request, "rosters/designs.html", context)
    context |= {"tab": "designs", "published": selectors.published_gallery(wanted, size, sort)}
    if request.user.is_authenticated:
        context["slice"], context["own"] = selectors.designs_of(player(request), request.GET)
    return render(request, "rosters/designs.html", context)


@require_GET
def units(request: HttpRequest) -> HttpResponse:
    """Redirect to the units, which are shown with the designs."""
    query = request.GET.copy()
    query["show"] = "units"
    return redirect(reverse("rosters:designs", query=query))


@require_GET
def design_published(request: HttpRequest, system: str, slug: str) -> HttpResponse:
    """Show a published design."""
    if system not in ROSTERS or slug not in ROSTERS[system].published:
        raise Http404
    return _design_page(request, selectors.design_published(system, slug), is_published=True)


@require_GET
def design(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's design."""
    return _own_or_seen(request, visible_design(request, pk))


def _own_or_seen(request: HttpRequest, row: Design, share: VisibilityForm | None = None) -> HttpResponse:
    """Show a player's design; `share` is the visibility form if somebody changed the design meanwhile."""
    link = request.build_absolute_uri(reverse("rosters:design", args=[row.pk])) + f"?key={row.link_key}"
    card, is_own = selectors.design_card(row), policy.can_change(request.user, row)
    return _design_page(request, card, share, is_own=is_own, link=link, read=row_version(row))


def _design_page(
    request: HttpRequest, card: DesignCard, share: VisibilityForm | None = None, *, read: str = "", **context: object
) -> HttpResponse:
    is_own = bool(context.get("is_own"))
    status = 422 if share else 200
    if is_own and share is None:
        share = VisibilityForm(initial={"visibility": card.visibility})
    is_published = bool(context.get("is_published"))
    can_buy = is_own or is_published
    rebuild, lab, query = card.key if is_own else "", "", ""
    if roster_rules(card.system).has("lab"):
        lab = f"{reverse('rosters:lab')}?{lab_query(card.system, card.name, dict(card.spec), rebuild, read)}"
        query = lab_query(card.system, card.name, dict(card.spec))
    return render(
        request,
        "rosters/design.html",
        {
            **context,
            "design": card,
            "card": card_of_design(card.system, card.name, card.spec),
            "rulebook": roster_rules(card.system).rulebook,
            "lab_url": lab,
            "lab_query": query,
            "lab_pairs": parse_qsl(query),
            "record": records_of_designs([card.system]).get((card.system, card.key)) if is_published else None,
            "duels": card.system in BATTLES and bool(battle_rules(card.system).duel),
            "share": share,
            "buyers": companies_to_buy_for(request.user, card.system) if can_buy else (),
        },
        status=status,
    )


@require_http_methods(["GET", "POST"])
def lab(request: HttpRequest) -> HttpResponse:
    """Show the lab. The design is in the URL, so that it can be shared; a submitted form redirects to that URL.

    `?with=` compares the design with another one, `?fill=` fills it up at random.
    """
    lab = lab_of(request.POST if request.method == "POST" else request.GET)
    if lab.check and (request.method == "POST" or has_counts(request.GET)):
        return redirect(f"{reverse('rosters:lab')}?{lab.query}")
    context: dict[str, object] = {
        "lab": lab,
        "card": _lab_card(lab),
        "choices": systems_offered(lab.system, "lab"),
        "buyer": _buyer(request, lab.system, lab.company),
        "counting": "counting" in request.GET,
        **_compared_and_filled(request, lab),
    }
    is_whole = not request.htmx  # type: ignore[attr-defined]  # with htmx, going back and forth replaces only the form
    if lab.check and ("tell" in request.GET or (is_whole and is_soon_advised(lab))):
        context["advised"] = advice_of(lab)
    return render(request, "rosters/lab.html", context)


def _compared_and_filled(request: HttpRequest, lab: Lab) -> dict[str, object]:
    """Return the context of the comparison and of the random design, if the URL asks for them."""
    context: dict[str, object] = {}
    more = {}  # what the page asks for when the design changes
    if "with" in request.GET:
        by = player(request) if request.user.is_authenticated else None
        compared = compare_design(lab, by, request.GET["with"])
        context["compared"], more["with"] = compared, compared.chosen
    is_filled = "fill-points" in request.GET
    if is_filled or "fill" in request.GET:
        form = FillForm(request.GET if is_filled else None, lab=lab)
        context["fill_form"], more["fill"] = form, ""
        context["filling"] = fill_design(lab, form.asked) if form.is_valid() else None
    return {**context, "more_query": urlencode(more)}


@require_http_methods(["GET", "POST"])
def lab_preview(request: HttpRequest) -> HttpResponse:
    """Render the part of the lab that changes with its form."""
    given = request.POST if request.method == "POST" else request.GET
    lab = lab_of(given)
    context = {"lab": lab, "card": _lab_card(lab), "is_part": True, "counting": "counting" in given}
    response = render(request, "rosters/_lab_preview.html", context)
    if lab.check:
        trigger_client_event(response, "lab-built", {"address": f"{reverse('rosters:lab')}?{lab.query}"})
    return response


def _lab_card(lab: Lab) -> SafeString:
    """Return the card of the lab's design; empty if the design can't be read."""
    return card_of_design(lab.system, lab.name, lab.spec, "folded") if lab.check else mark_safe("")


@require_GET
def lab_advice(request: HttpRequest) -> HttpResponse:
    """Render the advice on the design in the URL: how to fix problems, and what each option would change."""
    lab = lab_of(request.GET)
    context = {"lab": lab, "is_advice": True, "advised": advice_of(lab) if lab.check else None}
    return render(request, "rosters/_lab_advice.html", context)


@require_GET
def lab_compare(request: HttpRequest) -> HttpResponse:
    """Redirect to the comparison, which is shown in the lab."""
    query = request.GET.copy()
    query.setdefault("with", "")
    return redirect(reverse("rosters:lab", query=query, fragment="compare"))


@require_GET
def lab_fill(request: HttpRequest) -> HttpResponse:
    """Redirect to the random design, which is shown in the lab."""
    query = request.GET.copy()
    query.setdefault("fill", "")
    return redirect(reverse("rosters:lab", query=query, fragment="fill"))


@require_POST
def design_save(request: HttpRequest) -> HttpResponse:
    """Save the design in the lab's form. Visitors are sent to sign in first, and then return to the design."""
    lab = lab_of(request.POST)
    back = f"{reverse('rosters:lab')}?{lab.query}"
    if not request.user.is_authenticated:
        messages.info(request, "Sign in to save your design. We've kept it for you.")
        return redirect(f"{reverse('account_login')}?{urlencode({'next': back})}")
    if lab.check is None:
        messages.error(request, lab.refusal)
        return redirect(back)
    if not lab.design or len(lab.design) >= 19:
        return _saved(request, lab, None)
    with locked_for_edit(request, own_design(request, int(lab.design))) as old:
        return _saved(request, lab, old)


def _saved(request: HttpRequest, lab: Lab, old: Design | None) -> HttpResponse:
    """Save the design, in place of the old one if given; refuse if somebody changed that one meanwhile."""
    try:
        if old is not None:
            refuse_stale_edit(old, lab.read, lab.name, lab.spec)
        saved = services.design_save(
            author=player(request), system=lab.system, name=lab.name, spec=lab.spec, design=old
        )
    except StaleEditError as error:
        assert old is not None
        messages.error(request, error.reason)
        return redirect(f"{reverse('rosters:lab')}?{replace(lab, read=row_version(old)).query}")
    except RefusedError as error:
        messages.error(request, error.reason)
        return redirect(f"{reverse('rosters:lab')}?{lab.query}")
    messages.success(request, f"Saved {saved.name}.")
    buyer = _buyer(request, saved.system, request.POST.get("buy", ""))
    if buyer is not None and run_and_flash(
        request,
        lambda: services.unit_buy(company=buyer, by=player(request), design=saved),
        lambda unit: f"Bought {unit.name}.",
        of=buyer,
    ):
        return redirect("rosters:company", pk=buyer.pk)
    return redirect("rosters:design", pk=saved.pk)


def _buyer(request: HttpRequest, system: str, pk: str) -> Company | None:
    """Return the reader's company with this ID if it could buy a design of this game, else None."""
    return (
        next((each for each in companies_to_buy_for(request.user, system) if str(each.pk) == pk), None) if pk else None
    )


@login_required
@require_POST
def design_share(request: HttpRequest, pk: int) -> HttpResponse:
    """Change who can see the design."""
    with locked_for_edit(request, own_design(request, pk)) as row:
        form = VisibilityForm(request.POST, initial={"visibility": row.visibility})
        if form.is_valid():
            run_and_flash(
                request,
                lambda: services.design_save(
                    author=player(request),
                    system=row.system,
                    name=row.name,
                    spec=row.spec,
                    design=row,
                    **form.cleaned_data,
                ),
                "Saved.",
            )
        elif form.is_overtaken:
            return _own_or_seen(request, row, form)
    return redirect("rosters:design", pk=pk)


@login_required
@require_POST
def design_clone(request: HttpRequest, pk: int) -> HttpResponse:
    """Copy a design to the player's own designs."""
    row = visible_design(request, pk)
    try:
        copy = services.design_clone(design=row, by=player(request))
    except RefusedError as error:
        messages.error(request, error.reason)
        return redirect("rosters:designs")
    messages.success(request, "Copied to your designs.")
    return redirect("rosters:design", pk=copy.pk)


@login_required
@require_POST
def design_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete the design."""
    row = own_design(request, pk)
    run_and_flash(request, lambda: services.design_delete(design=row, by=player(request)), f"Deleted {row.name}.")
    return redirect("rosters:designs")
