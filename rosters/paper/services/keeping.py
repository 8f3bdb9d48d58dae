"""Print presets and printer profiles of a player."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TypeVar

from django.db import transaction
from django.db.models import QuerySet

from rosters.models import Company, PaperSize, Player, PrinterProfile, PrintPreset
from rosters.paper.documents import MAX_OFFSET_MM
from rosters.paper.orders import CompanyChoice
from rosters.services._base import clean_text
from rosters.site.refusals import RefusedError

MAX_PRESETS = 50  # per player
MAX_PRINTERS = 20
OFFSETS = ("front_x", "front_y", "back_x", "back_y")
TOO_FAR_OFF = (
    f"At most {MAX_OFFSET_MM:g} mm either way. A printer that is farther off has another paper set, or fits the page: "
    "choose actual size."
)
RowT = TypeVar("RowT", PrintPreset, PrinterProfile)


@transaction.atomic
def preset_save(
    *,
    player: Player,
    name: str,
    choice: CompanyChoice,
    company: Company | None = None,
    preset: PrintPreset | None = None,
) -> PrintPreset:
    """Save a new preset, or overwrite the given one. Without a company it has no units."""
    name = clean_text("preset_name", name, longest=60, now=preset.name if preset else None)
    _others(PrintPreset.objects.all(), player, preset, "preset", name, field="preset_name", most=MAX_PRESETS)
    if company is None:
        choice = choice.model_copy(update={"units": None, "pilots": None, "breaks": ()})
    row = preset or PrintPreset(player=player)
    row.name, row.company, row.company_name = name, company, company.name if company else ""
    row.choice = choice.model_dump(mode="json")
    row.save()
    return row


@transaction.atomic
def preset_rename(*, preset: PrintPreset, player: Player, name: str) -> PrintPreset:
    _own_row(preset, player, "preset")
    name = clean_text("name", name, longest=60)
    _others(PrintPreset.objects.all(), player, preset, "preset", name)
    preset.name = name
    preset.save(update_fields=["name", "changed_at"])
    return preset


def preset_delete(*, preset: PrintPreset, player: Player) -> None:
    _own_row(preset, player, "preset")
    preset.delete()


@transaction.atomic
def printer_save(
    *,
    player: Player,
    name: str,
    paper: str = PaperSize.A4,
    flip: str = PrinterProfile.Flip.LONG,
    offsets: dict[str, Decimal | float | str] | None = None,
    is_default: bool = False,
    printer: PrinterProfile | None = None,
) -> PrinterProfile:
    """Save a new printer, or change the given one. `offsets` are mm, to a tenth: front_x, front_y, back_x, back_y."""
    name = clean_text("name", name, longest=60, now=printer.name if printer else None)
    if paper not in PaperSize.values:
        raise RefusedError("paper", "Choose A4 or Letter.")
    if flip not in PrinterProfile.Flip.values:
        raise RefusedError("flip", "Choose the edge that the printer turns the paper over.")
    tenths = {field: _tenths(field, (offsets or {}).get(field, 0)) for field in OFFSETS}
    others = _others(PrinterProfile.objects.all(), player, printer, "printer", name, most=MAX_PRINTERS)
    if is_default:
        others.filter(is_default=True).update(is_default=False)
    row = printer or PrinterProfile(player=player)
    row.name, row.paper, row.flip, row.is_default = name, paper, flip, is_default
    for field, value in tenths.items():
        setattr(row, field, value)
    row.save()
    return row


def printer_delete(*, printer: PrinterProfile, player: Player) -> None:
    _own_row(printer, player, "printer")
    printer.delete()


def _tenths(field: str, value: object) -> int:
    try:
        millimetres = Decimal(str(value))
    except InvalidOperation:
        raise RefusedError(field, "must be a number of mm.") from None
    if not millimetres.is_finite() or abs(millimetres) > Decimal(str(MAX_OFFSET_MM)):
        raise RefusedError(field, TOO_FAR_OFF)
    return int((millimetres * 10).to_integral_value())


def _own_row(row: PrintPreset | PrinterProfile, player: Player, what: str) -> None:
    if row.player_id != player.pk:
        raise RefusedError(what, f"This {what} is not yours.")


def _others(
    rows: QuerySet[RowT], player: Player, row: RowT | None, what: str, name: str, *, field: str = "name", most: int = 0
) -> QuerySet[RowT]:
    """Return the player's other rows, after checking that the name is free and a new row is within `most`.

    The player's row is locked, so the name stays free until the end of the transaction.
    """
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    others = rows.filter(player=player)
    if row is not None:
        _own_row(row, player, what)
        others = others.exclude(pk=row.pk)
    elif others.count() >= most:
        raise RefusedError(field, f"A player keeps {most} {what}s at most; delete one first.")
    if others.filter(name=name).exists():
        raise RefusedError(field, f"You have a {what} called {name} already.")
    return others
