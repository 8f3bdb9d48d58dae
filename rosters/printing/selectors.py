"""Reads of the print pages: changes since the last print, presets, printers, a company's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pydantic
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from rest_framework.request import Request

from rosters import hooks, policy
from rosters.database.queries import PreparedQuery
from rosters.hooks import Reader
from rosters.jobs import JobStatus
from rosters.models import Company, Player, PrinterProfile, PrintJob, PrintPreset, Visibility
from rosters.paper.documents import PrintSettings, Shift
from rosters.paper.sources import Link
from rosters.printing.orders import CompanyChoice, CompanyPrint, PrintOrder, company_print, kept_order, subject_items
from rosters.products import OF_A_UNIT, PRODUCTS
from rosters.products.base import Item
from rosters.selectors import CompanySheet
from systems import roster_rules

PRINTS_LOOKED_AT = 60  # how many of the newest prints are searched for the last print of a unit or pilot
PRINTS_COMPARED = 5  # how many prints' documents are read to describe differences


def rolled_support(company: Company, reader: Reader) -> dict[str, str]:
    """Return the unused support that the company has rolled, name by slug; empty for all but the owner."""
    if not reader.is_authenticated or reader.pk != company.owner_id:
        return {}
    names = roster_rules(company.system, company.catalogue_release).support_names
    found = dict.fromkeys(slug for rolled in hooks.rolled_support for slug in rolled(company))
    return {slug: names[slug] for slug in found if slug in names}


# --- house rules ------------------------------------------------------------------------------------------------------


def house_rules_of(company: Company, reader: Reader) -> dict[str, object]:
    """Return the house rules that the company plays by; empty if there are none or the reader may not see them."""
    known = roster_rules(company.system, company.catalogue_release).house_rules
    for rules in hooks.house_rules:
        if found := rules(company, reader):
            return {slug: value for slug, value in found.items() if slug in known}
    return {}


# --- changes since the last print -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The changes to a unit or pilot since the reader's last print."""

    is_new: bool  # whether it was never printed
    reasons: tuple[str, ...] = ()  # descriptions of the changes; empty if there are none

    @property
    def differs(self) -> bool:
        return self.is_new or bool(self.reasons)

    @property
    def text(self) -> str:
        if self.is_new:
            return "not printed yet"
        return "; ".join(self.reasons)


@dataclass(frozen=True, slots=True)
class _Last:
    """The reader's last print of a unit or pilot as one product."""

    fingerprint: str
    job: int
    place: int

    def is_of(self, item: Item) -> bool:
        """Return whether the print has the same contents as the item."""
        return PRODUCTS[item.what].is_as_printed(item, self.fingerprint)

    def changes(self, order: PrintOrder, item: Item) -> tuple[str, ...]:
        """Return descriptions of the changes since the print, whose order is given."""
        printed = order.items[self.place] if self.place < len(order.items) else None
        is_same_kind = printed is not None and printed.what == item.what
        return PRODUCTS[item.what].changes(printed, item) if is_same_kind else ()


def changes_of(company: CompanySheet, choice: CompanyChoice, reader: Reader) -> dict[str, Change]:
    """Return the changes since the reader's last prints, for each unit and pilot that can be chosen; two queries."""
    items = subject_items(company, choice)
    last = _last_prints(company.id, reader)
    found: dict[str, Change] = {}
    differing: list[tuple[str, Item, _Last]] = []
    for subject, printed in items.items():
        known = last.get(subject, {})
        states = [(item, known.get(PRODUCTS[item.what].sold_as)) for item in printed]
        found[subject] = Change(is_new=any(before is None for _, before in states))
        differing += [(subject, item, before) for item, before in states if before and not before.is_of(item)]
    orders = _orders(before.job for _, _, before in differing)
    for subject, item, before in differing:
        if not found[subject].is_new:
            order = orders.get(before.job)
            reasons = before.changes(order, item) if order else ()
            merged = dict.fromkeys((*found[subject].reasons, *(reasons or ("changed",))))
            found[subject] = Change(is_new=False, reasons=tuple(merged))
    return found


def only_changed(choice: CompanyChoice, changes: Mapping[str, Change]) -> CompanyChoice:
    """Return the choice, limited to units and pilots with changes."""
    differing = [subject for subject, change in changes.items() if change.differs]
    units = [int(subject[1:]) for subject in differing if subject[0] == "u"]
    pilots = [int(subject[1:]) for subject in differing if subject[0] == "p"]
    if choice.units is not None:
        units = [pk for pk in choice.units if pk in units]
    return choice.model_copy(update={"units": tuple(units), "pilots": tuple(pilots), "only": "all"})


def changed_cards(company: CompanySheet, reader: Reader) -> int:
    """Return how many of the reader's printed cards and data sheets are out of date; one query."""
    last = _last_prints(company.id, reader)
    if not last:
        return 0
    count = 0
    choice = CompanyChoice(products=tuple(OF_A_UNIT))
    for subject, items in subject_items(company, choice).items():
        known = last.get(subject, {})
        for item in items:
            before = known.get(PRODUCTS[item.what].sold_as)
            count += before is not None and not before.is_of(item)
    return count


def _last_prints(company: int, reader: Reader) -> dict[str, dict[str, _Last]]:
    if not isinstance(reader, Player):
        return {}
    last: dict[str, dict[str, _Last]] = {}
    for pk, subjects in LAST_PRINTS.rows(company=company, reader=reader.pk):
        for subject, products in subjects.items():
            of = last.setdefault(subject, {})
            for product, (mark, place) in products.items():
                of.setdefault(product, _Last(mark, pk, place))
    return last


def _done(company: int, reader: int) -> QuerySet[PrintJob, tuple[int, Mapping[str, Mapping[str, tuple[str, int]]]]]:
    done = PrintJob.objects.filter(company=company, asked_by=reader, status=JobStatus.DONE).exclude(subjects={})
    return done.order_by("-pk").values_list("pk", "subjects")[:PRINTS_LOOKED_AT]


LAST_PRINTS = PreparedQuery(_done, company=int, reader=int)


def _orders(jobs: Iterable[int]) -> dict[int, PrintOrder]:
    wanted = sorted(set(jobs), reverse=True)[:PRINTS_COMPARED]
    if not wanted:
        return {}
    rows = PrintJob.objects.filter(pk__in=wanted).values_list("pk", "content")
    return {pk: kept_order(content) for pk, content in rows}


# --- presets and printers ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A stored choice that was fitted to a company, with notes on what had to be left out."""

    choice: CompanyChoice
    notes: tuple[str, ...] = ()


def presets_of(reader: Reader) -> list[PrintPreset]:
    """Return the reader's presets, by name."""
    return PRESETS.rows(reader=reader.pk) if isinstance(reader, Player) else []


def preset_of(reader: Reader, pk: int) -> PrintPreset | None:
    """Return the reader's preset with this ID; None if there is none."""
    return next((preset for preset in presets_of(reader) if preset.pk == pk), None)


def printers_of(reader: Reader) -> list[PrinterProfile]:
    """Return the reader's printers, by name."""
    return PRINTERS.rows(reader=reader.pk) if isinstance(reader, Player) else []


PRESETS = PreparedQuery(lambda reader: PrintPreset.objects.filter(player=reader).select_related("company"), reader=int)
PRINTERS = PreparedQuery(lambda reader: PrinterProfile.objects.filter(player=reader), reader=int)


def printer_settings(printer: PrinterProfile) -> PrintSettings:
    """Return the settings for this printer, including its offsets."""
    return with_printer(PrintSettings(paper=printer.paper, backs=printer.flip), printer)  # type: ignore[arg-type]


def preset_taken(preset: PrintPreset, company: CompanySheet) -> Taken:
    """Return the preset fitted to this company, with notes on what had to be left out."""
    choice = read_choice(preset.choice)
    if choice is None:
        return Taken(choice=CompanyChoice(), notes=(f"{preset.name} no longer works. Save it again.",))
    if preset.company_name and preset.company_id != company.id:
        whose = preset.company_name
        if preset.company is None:
            reason = f"{preset.name} was made for {whose}, which no longer exists"
        elif preset.company.disbanded_at:
            reason = f"{preset.name} was made for {whose}, which is disbanded"
        else:
            reason = f"{preset.name} was made for {whose}"
        choice = choice.model_copy(update={"units": None, "pilots": None, "breaks": ()})
        return Taken(choice=choice, notes=(f"{reason}, so only its settings are used, not its units.",))
    return _fitting(choice, company)


def choice_taken(data: Mapping[str, object], company: CompanySheet) -> Taken:
    """Return the choice of an earlier print fitted to the company's current state."""
    choice = read_choice(data)
    return _fitting(choice, company) if choice else Taken(choice=CompanyChoice())


def read_choice(data: object) -> CompanyChoice | None:
    """Return a stored choice; None if it is invalid."""
    try:
        return CompanyChoice.model_validate(data, strict=False)
    except pydantic.ValidationError:
        return None


def _fitting(choice: CompanyChoice, company: CompanySheet) -> Taken:
    if choice.units is None:
        return Taken(choice=choice)
    ready = {unit.id for unit in company.units}
    gone = len(set(choice.units) - ready)
    if not gone:
        return Taken(choice=choice)
    units = tuple(pk for pk in choice.units if pk in ready)
    note = f"{gone} of its units {'are' if gone > 1 else 'is'} no longer in the company."
    return Taken(choice=choice.model_copy(update={"units": units}), notes=(note,))


def with_printer(settings: PrintSettings, printer: PrinterProfile | None) -> PrintSettings:
    """Return the settings with this printer's offsets; without a printer, with no offsets."""
    if printer is None:
        return settings.model_copy(update={"front": Shift(), "back": Shift()})
    (front_x, front_y), (back_x, back_y) = printer.front, printer.back
    return settings.model_copy(update={"front": Shift(x=front_x, y=front_y), "back": Shift(x=back_x, y=back_y)})


def made_print(
    request: HttpRequest | Request, row: Company, sheet: CompanySheet, choice: CompanyChoice, support: Sequence[str]
) -> CompanyPrint:
    """Return the order of a choice, with QR codes that link to pages of this site.

    If the choice has no house rules, those of the company's campaign apply.
    """
    if choice.options is None:
        choice = choice.model_copy(update={"options": house_rules_of(row, request.user)})
    as_of = date_format(timezone.localdate(), "j F Y")
    return company_print(sheet, choice, link=link_of(request, row), support=support, as_of=as_of)


def link_of(request: HttpRequest | Request, row: Company) -> Link:
    """Return a function for the URLs of a company's pages.

    They contain the company's key if it is shared by link and the reader has the key.
    """
    key = ""
    if row.visibility == Visibility.LINK:
        has_key = policy.can_change(request.user, row) or request.GET.get("key") == str(row.link_key)
        key = f"?key={row.link_key}" if has_key else ""

    def link(*, unit: int | None = None, pilot: int | None = None) -> str:
        path = reverse("rosters:company", args=[row.pk])
        if unit is not None:
            path = reverse("rosters:unit", args=[row.pk, unit])
        elif pilot is not None:
            path = reverse("rosters:pilot", args=[row.pk, pilot])
        return request.build_absolute_uri(path) + key

    return link
