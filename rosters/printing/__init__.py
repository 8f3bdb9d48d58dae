"""Render cards, datasheets and other pages as PDF, on the server, so that they look the same everywhere.

An order (`orders.py`) lists what to print, as items of products (`rosters/products/`). For cards, a frozen document
becomes the rule system's datasheet; the datasheet becomes blocks (`systems/`); blocks become positioned boxes with
measured text (`rosters/card_layout/`); boxes become card pages (`rosters/paper/drawing.py`, WeasyPrint), which are
cached (`cache.py`) and imposed with cut marks (`rosters/paper/sheets.py`, `impose.py`, pikepdf). Every other page is
one HTML template. `rendering.py` makes the whole print. Rendering reads no database and never uses the network.
"""

from rosters.paper.engine import MissingPangoError
from rosters.printing.rendering import Printed, render_order

__all__ = ["MissingPangoError", "Printed", "render_order"]
