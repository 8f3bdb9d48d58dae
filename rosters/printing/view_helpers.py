"""Helpers of the print views: the asker, their settings, errors on forms, and estimates of the paper needed."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from rosters.card_layout import CardSize
from rosters.models import Player, PrinterProfile, PrintJob
from rosters.paper.documents import PrintSettings
from rosters.paper.sheets import Run, sheets_of
from rosters.printing.forms import ProductsForm, options_initial, settings_initial, settings_of
from rosters.printing.orders import PrintOrder
from rosters.printing.rendering import page_groups
from rosters.printing.selectors import printers_of
from rosters.printing.services import order_of, print_ask
from rosters.products import PRODUCTS, is_card
from rosters.products.base import BreakItem, Item, copies_of
from rosters.services import RefusedError
from rosters.shortcuts import visible_print
from rosters.site.visitors import visitor_mark
from systems.documents import DocumentError
from systems.text import pluralize

ENTRIES_ON_ONE = {"poker": 10, "tarot": 17, "a7": 12, "a6": 34}  # number of weapons, systems and skills that always fit
LARGER = {"a7": "A7", "tarot": "tarot", "a6": "A6"}  # sizes larger than poker, smallest first
LETTERS_AN_ENTRY = 40  # letters of names that need the room of one entry


@dataclass(frozen=True, slots=True)
class PaperCounts:
    """The number of cards, of sheets of paper for them (printed on one or both sides), and of other pages."""

    cards: int
    sheets: int
    pages: int
    is_least: bool = False  # whether a card is so full that it may continue on a second one
    has_backs: bool = False  # whether backs are printed on the other side of the paper
    larger: str = ""  # the smallest larger size at which no card continues; empty if there is none

    @property
    def larger_name(self) -> str:
        return LARGER.get(self.larger, "")

    def __str__(self) -> str:
        least = "at least " if self.is_least else ""
        if not self.cards:
            return pluralize(self.pages, "pages") if self.pages else "nothing selected"
        cards = f"{least}{pluralize(self.cards, 'cards')} on {pluralize(self.sheets, 'sheets')}"
        sides = ", front and back" if self.has_backs else ""
        return f"{cards}{sides}, and {pluralize(self.pages, 'more pages')}" if self.pages else f"{cards}{sides}"


def counts_of(order: PrintOrder) -> PaperCounts:
    """Estimate how much paper an order needs.

    Not included are further pages of long data sheets and rosters, and the second cards that `is_least` warns of.
    """
    cards = sheets = 0
    has_backs = False
    for run in _runs(order):
        number = sum(run.values())
        cards += number
        has_backs |= order.settings.is_two_sided and any(size.has_back for size in run)
        if order.settings.medium == "paper":
            sheets += _sheets(order, run)
        else:
            sheets += number
    is_least = any(may_continue(item, order) for item in order.items)
    larger = _larger(order) if is_least else ""
    return PaperCounts(cards, sheets, _pages(order), is_least, has_backs, larger)


def _larger(order: PrintOrder) -> str:
    """Return the smallest size at which no card continues on a second one; empty if there is none."""
    least = ENTRIES_ON_ONE[order.settings.card]
    sizes = [size for size in LARGER if ENTRIES_ON_ONE[size] > least]
    most = max(map(_entries, order.items))
    return next((size for size in sizes if most <= ENTRIES_ON_ONE[size]), "")


def _sheets(order: PrintOrder, cards: Mapping[CardSize, int]) -> int:
    """Return the number of sheets for the cards between two breaks; cards of one kind share sheets."""
    settings = order.settings
    kinds: dict[tuple[str, bool], list[Run]] = {}
    for size, count in cards.items():
        is_folded = size.folds or (settings.backs == "fold-over" and size.has_back)
        kinds.setdefault((size.slug, size.folds), []).append(Run((size.width, size.height), count, is_folded))
    return sum(
        1
        for runs in kinds.values()
        for _sheet in sheets_of(settings.paper, runs, settings.bleed_mm, marks=settings.marks)
    )


def may_continue(item: Item, order: PrintOrder) -> bool:
    """Return whether the card may be too full for its size, without laying it out.

    True for all cards that are too full, and for a few others.
    """
    return _entries(item) > ENTRIES_ON_ONE[order.settings.card]


def _entries(item: Item) -> int:
    """Return the number of entries on a card; long names count as further entries."""
    entries, names = PRODUCTS[item.what].fill(item) or (0, ())
    return entries + sum(map(len, names)) // LETTERS_AN_ENTRY


def _runs(order: PrintOrder) -> Iterator[dict[CardSize, int]]:
    """Yield the number of cards between breaks, by size."""
    run: dict[CardSize, int] = {}
    for item in order.items:
        if isinstance(item, BreakItem):
            yield run
            run = {}
        elif is_card(item):
            size = PRODUCTS[item.what].size_of(item, order.settings)
            run[size] = run.get(size, 0) + copies_of(item)
    yield run


def _pages(order: PrintOrder) -> int:
    beside_cards = (("", BreakItem(what="break") if is_card(item) else item) for item in order.items)
    groups = page_groups(beside_cards, order.settings)
    return sum(PRODUCTS[item.what].pages_of(item, order.settings) for (_, item), *_ in groups)


START = ("from", "preset", "only", "key")  # query parameters with a form's initial values, and the key of a shared link


class Asker(TypedDict):
    """The user who requests a print, as arguments for services."""

    actor: Player | None
    visitor: str


def asker_of(request: HttpRequest) -> Asker:
    actor = request.user if isinstance(request.user, Player) else None
    return {"actor": actor, "visitor": visitor_mark(request)}


def usual_settings(request: HttpRequest, printers: Sequence[PrinterProfile]) -> PrintSettings:
    """Return the default settings of this user."""
    return settings_of(request.user.paper if isinstance(request.user, Player) else "a4", printers)


def with_key(request: HttpRequest, url: str) -> str:
    """Return the URL with the key of a shared link, if the request has one."""
    try:
        return f"{url}{'&' if '?' in url else '?'}key={uuid.UUID(request.GET['key'])}"
    except (KeyError, ValueError):
        return url


def form_path(request: HttpRequest) -> str:
    """Return the path of this page, without initial values and key."""
    query = [(name, value) for name, values in request.GET.lists() if name not in START for value in values]
    return f"{request.path}?{urlencode(query)}" if query else request.path


def earlier_job(request: HttpRequest) -> PrintJob | None:
    """Return the print in `?from=` if the user may see it, else None."""
    try:
        return visible_print(request, uuid.UUID(request.GET.get("from", "")))
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
    """Return the queued job; if it is refused, add the error to the form and return None."""
    try:
        return make()
    except (RefusedError, DocumentError) as error:
        refuse(form, error)
        return None


def sheet_counts(make: Callable[[], PrintOrder]) -> PaperCounts | None:
    """Return how much paper the order needs; None if it is empty, or if something in it no longer exists."""
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
) -> HttpResponse:
    """Show the page for printing one thing: products, settings, and the paper needed. On a POST, queue the print.

    `order` returns the order for the chosen products, settings, copies and house rules, or raises DocumentError.
    `chosen` products are ticked by default. If `with_copies` is False, there is no field for copies. `system` is the
    game whose house rules can be chosen; if it is empty, they are fixed and not shown.
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
    stored = before.choice.get("options") if before and system else None
    options: dict[str, object] = dict(stored) if isinstance(stored, Mapping) else {}
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
    return render(request, "rosters/print.html", {**more, **context}, status=422 if form.errors else 200)
