"""Paper: cards, datasheets and other pages as PDF, made on the server so that they look the same everywhere.

An order (`orders.py`) says what to print, in items of products (`products/`, a file each). Cards: a frozen document becomes the rule system's datasheet, that becomes
blocks (`systems/`), blocks become positioned boxes with measured text (`layout/`, `faces.py`), boxes become card pages
(`drawing.py`, WeasyPrint) that are kept (`cards.py`, `cache.py`) and imposed with cut marks (`sheets.py`, `impose.py`, pikepdf). Other
pages are one HTML template each (`pages.py`). `press.py` makes the whole print.
Nothing here reads the database, and rendering never touches the network.
"""

from rosters.paper.engine import MissingPangoError
from rosters.paper.press import Printed, render_order

__all__ = ["MissingPangoError", "Printed", "render_order"]
