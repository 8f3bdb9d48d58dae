"""Paper: unit cards and datasheets as PDF, made on the server so that they look the same everywhere.

A frozen unit document (`documents.py`) becomes the rule system's datasheet, that becomes blocks (`systems/`), blocks
become positioned boxes with measured text (`layout.py`), boxes become card pages (`cards.py`, WeasyPrint), and pages
are imposed with cut marks (`paper.py`, `impose.py`, pikepdf) and joined (`merge.py`). Datasheets are one HTML template
each (`sheets.py`).
Nothing here reads the database, and rendering never touches the network.
"""

from rosters.printing.cards import render_cards
from rosters.printing.documents import UnitDocument, read_units
from rosters.printing.engine import MissingPangoError
from rosters.printing.sheets import render_sheets

__all__ = ["MissingPangoError", "UnitDocument", "read_units", "render_cards", "render_sheets"]
