"""The print shop: renders cards, data sheets and other pages as PDF on the server, so that they look alike everywhere.

An order (`orders.py`) is a list of items, each of a product (`rosters/products/`). For a card, a frozen document
becomes the game's data sheet; the data sheet becomes blocks (`systems/`); blocks become positioned boxes with measured
text (`rosters/card_layout/`); boxes become card pages (`rosters/paper/drawing.py`, WeasyPrint), which are cached
(`cache.py`) and imposed with cut marks (`rosters/paper/sheets.py`, `impose.py`, pikepdf). Every other page is an HTML
template. `rendering.py` produces the whole print. Rendering uses neither the database nor the network.
"""

from rosters.paper.engine import MissingPangoError
from rosters.printing.rendering import Printed, render_order

__all__ = ["MissingPangoError", "Printed", "render_order"]
