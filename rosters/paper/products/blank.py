"""Blank products to be filled in by pen: any product that defines an empty version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rosters.paper.documents import Copies, Options, PrintSettings
from rosters.paper.faces import Side
from rosters.paper.page_layout import Frame
from rosters.paper.product import AnyProduct, Item, Product
from systems.reading import read_system


class BlankItem(Item):
    """A blank product. The registry has the possible values of `of`; see `products.BlankItem`."""

    what: Literal["blank"]
    of: str
    system: str
    options: Options = {}
    copies: Copies = 1


class Blank(Product[BlankItem]):
    slug = "blank"

    def __init__(self, item: type[BlankItem], products: Mapping[str, AnyProduct]) -> None:
        self.item, self._products = item, products

    def check(self, item: BlankItem, path: str) -> None:
        read_system(item.system, f"{path}.system")

    def lacked(self, item: BlankItem) -> str:
        return "" if self._products[item.of].is_made_blank(item.system) else item.of

    def is_card_item(self, item: BlankItem) -> bool:
        return self._products[item.of].is_card

    def sides(self, item: BlankItem, settings: PrintSettings) -> tuple[Side, ...]:
        return self._products[item.of].blank_sides(item.system, item.options, settings)

    def look(self, item: BlankItem) -> set[str]:
        return self._products[item.of].look(item)

    def frame(self, item: BlankItem, settings: PrintSettings) -> Frame:
        return self._products[item.of].blank_frame(item.system, item.options, settings)
