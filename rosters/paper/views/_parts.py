"""Parts shared by the print views: who requests a print, their printers, and errors shown on the form."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from rosters.models import Player, PrinterProfile, PrintJob
from rosters.paper.counts import PaperCounts, counts_of
from rosters.paper.documents import PrintSettings
from rosters.paper.forms import ProductsForm, options_initial, settings_initial, settings_of
from rosters.paper.orders import PrintOrder
from rosters.paper.selectors import printers_of
from rosters.paper.services.prints import order_of, print_ask
from rosters.rows import seen_print
from rosters.services import RefusedError
from rosters.site.visitors import visitor_mark
from systems.documents import DocumentError

START = ("from", "preset", "only", "key")  # query parameters of a form: its initial values, and the key to see it


class Asker(TypedDict):
    """The player or visitor who requests a print, as arguments for the services."""

    actor: Player | None
    visitor: str


def asker_of(request: HttpRequest) -> Asker:
    actor = request.user if isinstance(request.user, Player) else None
    return {"actor": actor, "visitor": visitor_mark(request)}


def usual_settings(request: HttpRequest, printers: Sequence[PrinterProfile]) -> PrintSettings:
    """Return the default settings of this player or visitor."""
    return settings_of(request.user.paper if isinstance(request.user, Player) else "a4", printers)


def with_key(request: HttpRequest, url: str) -> str:
    """Return the URL, with the key of a shared link if the visitor came with one."""
    try:
        return f"{url}{'&' if '?' in url else '?'}key={uuid.UUID(request.GET['key'])}"
    except (KeyError, ValueError):
        return url


def form_path(request: HttpRequest) -> str:
    """Return this page's path, without the initial values and without a key."""
    query = [(name, value) for name, values in request.GET.lists() if name not in START for value in values]
    return f"{request.path}?{urlencode(query)}" if query else request.path


def earlier_job(request: HttpRequest) -> PrintJob | None:
    """Return the print in `?from=`, if the visitor may see it."""
    try:
        return seen_print(request, uuid.UUID(request.GET.get("from", "")))
    except (ValueError, Http404):
        return None


def refuse(form: forms.Form, error: RefusedError | DocumentError) -> None:
    """Add an error to the form."""
    place = error.field if isinstance(error, RefusedError) else error.path
    reason = error.reason[:1].upper() + error.reason[1:]
    if isinstance(error, DocumentError) and place not in ("items", "products"):
        reason = f"{place}: {error.reason}"
    form.add_error(place if place in form.fields else None, reason)


def asked(form: forms.Form, make: Callable[[], PrintJob]) -> PrintJob | None:
    """Return the queued job; None if it was refused, with the error on the form."""
    try:
        return make()
    except (RefusedError, DocumentError) as error:
        refuse(form, error)
        return None


def sheet_counts(make: Callable[[], PrintOrder]) -> PaperCounts | None:
    """Return how much paper the order takes; None if there is nothing to print, or something no longer exists."""
    try:
        return counts_of(make())
    except DocumentError:
        return None


def products_page(
    request: HttpRequest,
    *,
    products: Sequence[tuple[str, str]],
    order: Callable[[list[str], PrintSettings, int, dict[str, object]], PrintOrder],
    context: Mapping[str, object],
    chosen: Sequence[str] = (),
    with_copies: bool = True,
    system: str = "",
    template: str = "rosters/print_products.html",
) -> HttpResponse:
    """Show the page that prints one thing: what to print, how, and how much paper it takes.

    `order` makes the order of the chosen products, settings, copies and house rules; it raises DocumentError. `chosen`
    are ticked at first. `with_copies` False: no field for copies. `system`: the system whose house rules can be chosen;
    empty: they are fixed, and not shown.
    """
    printers = printers_of(request.user)
    before = earlier_job(request)
    settings = order_of(before).settings if before else usual_settings(request, printers)
    if request.GET.get("medium") == "screen":
        settings = settings.model_copy(update={"medium": "screen"})
    initial = settings_initial(settings, printers)
    known = {slug for slug, _ in products}
    again = before.choice.get("products") if before else None
    ticked = [slug for slug in again or chosen or [products[0][0]] if slug in known]
    copies = before.choice.get("copies") if before else None
    if not isinstance(copies, int):
        copies = 1
    told = before.choice.get("options") if before and system else None
    options: dict[str, object] = dict(told) if isinstance(told, Mapping) else {}
    initial |= {"products": ticked, "copies": copies, **options_initial(options)}
    data = request.POST.copy() if request.method == "POST" else None
    do, _, of = data.get("do", "print").partition(":") if data is not None else ("", "", "")
    if data is not None and do == "size":
        data["card"] = of
    form = ProductsForm(data, products=products, system=system, printers=printers, initial=initial)
    if not with_copies:
        form.fields["copies"].widget = forms.HiddenInput()
    fields = (ticked, settings, copies, options)
    if data is not None and form.is_valid():
        fields = (form.products_chosen(), form.settings(), form.cleaned_data["copies"], form.options())
        if do not in ("count", "size"):
            choice = {"products": fields[0], "copies": fields[2], "options": fields[3]}
            job = asked(
                form,
                lambda: print_ask(
                    order=order(*fields), choice=choice, form_path=form_path(request), **asker_of(request)
                ),
            )
            if job:
                return redirect(with_key(request, reverse("rosters:print-job", args=[job.key])))
    more = {"form": form, "counts": sheet_counts(lambda: order(*fields)), "with_copies": with_copies}
    if do == "count":
        return render(request, "rosters/_print_count.html", more)
    return render(request, template, {**more, **context}, status=422 if form.errors else 200)
