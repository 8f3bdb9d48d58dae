"""Render cards, datasheets and other pages as PDF, on the server, so that they look the same everywhere.

An order (`orders.py`) lists what to print, as items of products (`products/`, one file per product). For cards, a
frozen document becomes the rule system's datasheet; the datasheet becomes blocks (`systems/`); blocks become positioned
boxes with measured text (`layout/`, `faces.py`); boxes become card pages (`drawing.py`, WeasyPrint), which are cached
(`cards.py`, `cache.py`) and imposed with cut marks (`sheets.py`, `impose.py`, pikepdf). Every other page is one HTML
template (`pages.py`). `press.py` makes the whole print.
Nothing here reads the database, and rendering never uses the network.
"""

from rosters.paper.engine import MissingPangoError
from rosters.printing.rendering import Printed, render_order

__all__ = ["MissingPangoError", "Printed", "render_order"]
