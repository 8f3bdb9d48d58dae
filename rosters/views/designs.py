"""Pages of designs: published and own ones, and the lab where they are built."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from rosters import policy, selectors, services
from rosters.choices import systems_offered
from rosters.forms import VisibilityForm
from rosters.lab import has_counts, lab_of, lab_query
from rosters.models import Design
from rosters.rows import own_design, seen_design
from rosters.selectors import DesignCard
from rosters.systems import SYSTEMS, get_system

from ._parts import player, say


@require_GET
def designs(request: HttpRequest) -> HttpResponse:
    """Published designs of every system, and the player's own."""
    context: dict[str, object] = {
        "systems": [(system, selectors.designs_published(system.slug)) for system in SYSTEMS.values()]
    }
    if request.user.is_authenticated:
        context["slice"], context["own"] = selectors.designs_of(player(request), request.GET)
    return render(request, "rosters/designs.html", context)


@require_GET
def design_published(request: HttpRequest, system: str, slug: str) -> HttpResponse:
    """A published design."""
    if system not in SYSTEMS or slug not in SYSTEMS[system].published:
        raise Http404
    return _design_page(request, selectors.design_published(system, slug), is_published=True)


@require_GET
def design(request: HttpRequest, pk: int) -> HttpResponse:
    """A player's design."""
    row = seen_design(request, pk)
    link = request.build_absolute_uri(reverse("rosters:design", args=[pk])) + f"?key={row.link_key}"
    return _design_page(request, selectors.design_card(row), is_own=policy.can_change(request.user, row), link=link)


def _design_page(request: HttpRequest, card: DesignCard, **context: object) -> HttpResponse:
    is_own = bool(context.get("is_own"))
    can_buy = is_own or bool(context.get("is_published"))
    rebuild = card.key if is_own else ""
    return render(
        request,
        "rosters/design.html",
        {
            **context,
            "design": card,
            "rulebook": get_system(card.system).rulebook,
            "lab_url": f"{reverse('rosters:lab')}?{lab_query(card.system, card.name, dict(card.spec), rebuild)}",
            "share": VisibilityForm(initial={"visibility": card.visibility}) if is_own else None,
            "buyers": selectors.companies_to_buy_for(request.user, card.system) if can_buy else (),
        },
    )


@require_http_methods(["GET", "POST"])
def lab(request: HttpRequest) -> HttpResponse:
    """The lab: the build is in the URL, so a link to it shares it. A sent form leads to the address of its build."""
    bench = lab_of(request.POST if request.method == "POST" else request.GET)
    if bench.check and (request.method == "POST" or has_counts(request.GET)):
        return redirect(f"{reverse('rosters:lab')}?{bench.query}")
    return render(request, "rosters/lab.html", {"lab": bench, "choices": systems_offered(bench.system)})


@require_http_methods(["GET", "POST"])
def lab_preview(request: HttpRequest) -> HttpResponse:
    """The changing part of the lab for what its form holds."""
    bench = lab_of(request.POST if request.method == "POST" else request.GET)
    response = render(request, "rosters/_lab_preview.html", {"lab": bench, "is_part": True})
    if bench.check:
        response["HX-Replace-Url"] = f"{reverse('rosters:lab')}?{bench.query}"
    return response


@require_POST
def design_save(request: HttpRequest) -> HttpResponse:
    """Saves what the lab's form holds; a visitor signs in first and finds it again."""
    bench = lab_of(request.POST)
    back = f"{reverse('rosters:lab')}?{bench.query}"
    if not request.user.is_authenticated:
        messages.info(request, "Sign in to save the design; it waits for you.")
        return redirect(f"{reverse('account_login')}?{_next(back)}")
    if bench.check is None:
        messages.error(request, bench.refusal)
        return redirect(back)
    old = own_design(request, int(bench.design)) if bench.design and len(bench.design) < 19 else None
    saved: list[Design] = []
    ok = say(
        request,
        lambda: saved.append(
            services.design_save(
                author=player(request), system=bench.system, name=bench.name, spec=bench.spec, design=old
            )
        ),
        f"{bench.name} is saved.",
    )
    return redirect("rosters:design", pk=saved[0].pk) if ok else redirect(back)


@login_required
@require_POST
def design_share(request: HttpRequest, pk: int) -> HttpResponse:
    """Who may see the design."""
    row = own_design(request, pk)
    form = VisibilityForm(request.POST)
    if form.is_valid():
        say(
            request,
            lambda: services.design_save(
                author=player(request), system=row.system, name=row.name, spec=row.spec, design=row, **form.cleaned_data
            ),
            "Saved.",
        )
    return redirect("rosters:design", pk=pk)


@login_required
@require_POST
def design_clone(request: HttpRequest, pk: int) -> HttpResponse:
    """A copy of a design as one's own."""
    row = seen_design(request, pk)
    copies: list[Design] = []
    if say(
        request,
        lambda: copies.append(services.design_clone(design=row, by=player(request))),
        "The copy is yours.",
    ):
        return redirect("rosters:design", pk=copies[0].pk)
    return redirect("rosters:designs")


@login_required
@require_POST
def design_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Deletes the design."""
    row = own_design(request, pk)
    say(request, lambda: services.design_delete(design=row, by=player(request)), f"{row.name} is deleted.")
    return redirect("rosters:designs")


def _next(url: str) -> str:
    return urlencode({"next": url})
