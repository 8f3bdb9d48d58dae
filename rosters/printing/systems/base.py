"""SystemPaper: what a rule system has to say about its paper."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from rosters.printing.blocks import CardContent


class SystemPaper(ABC):
    """Turns a rule system's datasheet into card blocks and into the context of its sheet template."""

    sheet_template: str  # one page of paper per unit

    @abstractmethod
    def card(self, sheet: Any) -> CardContent:
        """Both sides of the card of a unit or support unit."""

    @abstractmethod
    def support_sheet(self, slug: str, path: str, *, company: str = "") -> Any:
        """What the card of that support unit shows, and for whom it fights; raises DocumentError."""

    @abstractmethod
    def sheet_context(self, sheet: Any) -> Mapping[str, object]:
        """What the sheet template shows, nothing left to compute."""
