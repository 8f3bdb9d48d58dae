"""The list of all printed products, and everything that is derived from it. No other module names a product."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import pydantic

from rosters.products.base import AnyProduct, Blank, Break, Item, UnitProduct
from rosters.products.base import BlankItem as _BlankItem
from rosters.products.base import UnitItem as _UnitItem
from rosters.products.cards import FreePilotCard, PilotCard, SupportCard, UnitCard
from rosters.products.company_pages import Datasheet, Reference, Roster
from rosters.products.counters import Counter, Standee
from rosters.products.hex_map import KitHexMap, KitHexTiles, SmallHexMap, SmallHexTiles
from rosters.products.match_pages import Scenario, Slip
from rosters.products.test_sheet import TestSheet

_PRODUCTS: tuple[AnyProduct, ...] = (  # in the order of the print form
    UnitCard(), PilotCard(), FreePilotCard(), SupportCard(), Datasheet(), Roster(), Reference(), Scenario(), Slip(),
    Counter(), Standee(), KitHexMap(), SmallHexMap(), KitHexTiles(), SmallHexTiles(),
)  # fmt: skip
PACKET = (
    "unit-card",
    "counter",
    "standee",
    "roster",
    "scenario",
    "reference",
    "slip",
)  # in printing order

EXAMPLE: Mapping[str, pydantic.JsonValue] = {  # an example of an order
    "title": "A reference",
    "items": [{"what": "reference", "system": "meks-and-mercs", "support": ["air-strike"]}],
}

_KNOWN = {product.slug: product for product in _PRODUCTS}
OF_A_UNIT = {product.slug: product for product in _PRODUCTS if isinstance(product, UnitProduct)}
CARD = OF_A_UNIT[UnitCard.slug]  # the product that web pages show for a unit
OFFERED: Mapping[str, str] = {product.slug: product.label for product in _PRODUCTS if product.label}
BLANKS: Mapping[str, str] = {product.slug: product.blank_label for product in _PRODUCTS if product.blank_label}

if TYPE_CHECKING:  # type checkers can't derive these from the list
    OfAUnit: TypeAlias = str
    Offered: TypeAlias = str
    BlankOf: TypeAlias = str
else:
    OfAUnit, Offered, BlankOf = (Literal[tuple(slugs)] for slugs in (OF_A_UNIT, OFFERED, BLANKS))

*_first, _last = (product.phrase for product in OF_A_UNIT.values())


class UnitItem(_UnitItem):
    __doc__ = f"Something made from one unit: {', '.join(_first)} or {_last}."

    what: OfAUnit


class BlankItem(_BlankItem):
    """A blank product, to be filled in by pen."""

    of: BlankOf


for _product in OF_A_UNIT.values():
    _product.item = UnitItem
_BESIDE: tuple[AnyProduct, ...] = (Blank(BlankItem, _KNOWN), TestSheet(), Break())
PRODUCTS: Mapping[str, AnyProduct] = _KNOWN | {product.slug: product for product in _BESIDE}

if TYPE_CHECKING:
    AnyItem: TypeAlias = Item
else:
    _items = (product.item for product in PRODUCTS.values())
    AnyItem = Annotated[reduce(or_, _items), pydantic.Field(discriminator="what")]


def is_card(item: Item) -> bool:
    """Return whether the item is a card, which is printed on a sheet with others and cut out."""
    return PRODUCTS[item.what].is_card_item(item)
