"""The replay page of a battle without a map: the field of range bands, and the words beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from battles.replay.band_drawing import BandDrawing, BandField, draw_bands, field_of
from battles.replay.parts import Row, StepPage
from battles.replay.zone_board import FIELD_COLUMNS, ZoneBoard, ZonePanel, band_table, field_rows, pair_facts
from battles.replay.zone_frames import MapReplay, ZoneFrame
from systems.spaces.zones import ZoneView

MAX_LINES = 4  # most lines a summary lists; for more it gives only the result


@dataclass(frozen=True, slots=True)
class BandPage(StepPage):
    """The field at one step, as its page shows it."""

    has_bands: ClassVar = True

    terrain: tuple[str, str]  # slug and name
    sides: Sequence[str]
    field: BandField
    drawing: BandDrawing
    panel: ZonePanel


class BandBoard(ZoneBoard):
    """The replay of a battle without a map."""

    kind = "bands"
    columns = FIELD_COLUMNS

    def __init__(
        self, replay: MapReplay, bands: Sequence[str], sides: Sequence[str], turn_word: str, terrain: tuple[str, str]
    ) -> None:
        super().__init__(replay, bands, sides, turn_word)
        self.terrain = terrain
        self.field = field_of(replay, bands, terrain[0])

    def title(self, frame: ZoneFrame) -> str:
        return " · ".join(part for part in (frame.chapter.phase, frame.chapter.step) if part)

    def summary(self, frame: ZoneFrame) -> str:
        if frame.number == 1:
            return "Both sides before they meet."
        if len(frame.lines) <= MAX_LINES:
            return " ".join(line.sentence for line in frame.lines)
        return " ".join(frame.says) or "Nobody closes in and nobody is hurt."

    def page(self, step: int, place: int) -> StepPage:
        """Return the field at that step; it has no places to look at closely."""
        frame = self.at(step)
        pairs = frame.situation.bands
        table = band_table(pairs, self.names, self.bands, frame.sights) if pairs else None
        return BandPage(
            *self.told(frame),
            chosen=0,
            terrain=self.terrain,
            sides=self.sides,
            field=self.field,
            drawing=draw_bands(self.replay, frame, self.field),
            panel=ZonePanel("Range bands", table),
        )

    def place(self, unit: ZoneView) -> str:
        return "destroyed" if unit.destroyed else "withdrew" if unit.withdrew else ""

    def rows(self, frame: ZoneFrame) -> Mapping[str, Iterable[Row]]:
        return field_rows(draw_bands(self.replay, frame, self.field))

    def facts(self, frame: ZoneFrame) -> Mapping[str, object]:
        return {"zone": 0, "bands": pair_facts(frame)}
