"""Whether all that an order names is known, asked before it is queued."""

from __future__ import annotations

from typing import Any

from rosters.paper.documents import NO_DATASHEET, can_print, paper_of, read_pilot, read_unit
from rosters.paper.orders import (
    BlankItem,
    Item,
    PilotItem,
    PrintOrder,
    ReferenceItem,
    RosterItem,
    ScenarioItem,
    SupportItem,
    UnitItem,
    units_in,
)
from systems import UnknownSystemError, roster_rules
from systems.documents import DocumentError, unknown_slug
from systems.roster import RosterSystem


def check_order(order: PrintOrder) -> None:
    """Raises DocumentError with the place of the first thing that is not known."""
    checked: set[int] = set()
    for path, unit in units_in(order):
        if id(unit) not in checked:
            checked.add(id(unit))
            read_unit(unit, path)
    for at, item in enumerate(order.items):
        _check(item, f"items[{at}]")


def _check(item: Item, path: str) -> None:
    options = getattr(item, "options", {})
    if options:
        _system(getattr(item, "system", ""), path).parse_options(options, f"{path}.options")
    match item:
        case UnitItem(what="datasheet", unit=unit) if unit.support:
            raise DocumentError(f"{path}.unit", NO_DATASHEET)
        case UnitItem(what="pilot-card", unit=unit) if unit.support or unit.pilot is None:
            raise DocumentError(f"{path}.unit.pilot", f"{unit.name} has no pilot to print a card of")
        case PilotItem():
            _system(item.system, path)
            read_pilot(item.system, item.pilot, f"{path}.pilot")
        case SupportItem():
            _support(item.system, item.support, path, f"{path}.support")
        case ScenarioItem():
            _system(item.system, path).parse_scenario(item.spec, f"{path}.spec")
        case ReferenceItem():
            for at, slug in enumerate(item.support):
                _support(item.system, slug, path, f"{path}.support[{at}]")
        case RosterItem():
            _system(item.roster.system, f"{path}.roster").parse_options(item.roster.options, f"{path}.roster.options")
            for at, pilot in enumerate(item.roster.pilots):
                read_pilot(item.roster.system, pilot, f"{path}.roster.pilots[{at}]")
        case BlankItem():
            _system(item.system, path)
    _refuse_what_is_not_made(item, path)


def _refuse_what_is_not_made(item: Item, path: str) -> None:
    holder = getattr(item, "unit", None) or getattr(item, "roster", None) or item
    system = getattr(holder, "system", "")
    if not system:  # the printer's test sheet, a break, a slip in nobody's words
        return
    paper_of(system, f"{path}.system")
    product = {"free-pilot-card": "pilot-card", "blank": getattr(item, "of", "")}.get(item.what, item.what)
    if not can_print(system, product, to_write_in=item.what == "blank"):
        raise DocumentError(path, f"{roster_rules(system).name} has no {product.replace('-', ' ')} to print")


def _system(slug: str, path: str) -> RosterSystem[Any, Any]:
    try:
        return roster_rules(slug)
    except UnknownSystemError as error:
        raise DocumentError(f"{path}.system", str(error)) from None


def _support(system: str, slug: str, path: str, where: str) -> None:
    names = _system(system, path).support_names
    if slug not in names:
        raise unknown_slug(where, "support", slug, names)
