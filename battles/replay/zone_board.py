"""Replay pages of battles on zones and on range bands: a drawing, texts, and tables.

The page draws one frame; the browser gets all of them as data to put into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from battles.replay.band_drawing import BandDrawing, BandField, draw_bands, field_of
from battles.replay.base import Row, StepBoard, StepPage, UnitRow, box_paths
from battles.replay.drawing import ACTION_COLUMNS
from battles.replay.zone_drawing import TRAY_HEIGHT, TRAY_TITLES, ZONE, Chit, Drawing, draw, tray_of, tray_top, width_of
from battles.replay.zone_frames import MapReplay, ZoneFrame, join_words
from systems.battle_display import BandView
from systems.setups import SIDE_LETTERS
from systems.spaces import Sight, ZoneView, zone_space

COLUMNS = {  # of the parts of the drawing, as `Looks` has them
    "chits": (("", "transform"), ("", "class"), (".chit__hits", ""), (".chit__art", "href"), (".chit__parts", "d")),
    "zones": (("", "class"), ("", "aria-label"), (".zone__more.side-a", ""), (".zone__more.side-b", "")),
    "trays": ((".zone__more.side-a", ""), (".zone__more.side-b", "")),
    "arrows": (("", "d"),),
    **ACTION_COLUMNS,
    "fights": (("", "class"),),
}
FIELD = "field-"  # prefix of the parts of a fight's field
FIELD_COLUMNS = {
    "chits": COLUMNS["chits"],
    "ties": (("", "class"), ("", "d")),
    "tracks": (("", "d"),),
    **ACTION_COLUMNS,
}
COLUMNS |= {f"{FIELD}{kind}": columns for kind, columns in FIELD_COLUMNS.items()}


@dataclass(frozen=True, slots=True)
class Cell:
    """The range band between two opponents, in a table of bands."""

    band: str  # "0", "1", "2", "broken", "none"
    letter: str
    description: str
    sights: tuple[tuple[str, bool, str], ...] = ()  # side letter, found, in words


@dataclass(frozen=True, slots=True)
class BandTable:
    """All pairs of a fight: units of side A in rows, of side B in columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    has_sights: bool

    @property
    def pair(self) -> tuple[str, str, int | None, bool] | None:
        """If there is only one pair: two names, the band, and whether contact is broken."""
        if len(self.columns) != 1 or len(self.rows) != 1:
            return None
        name, (cell,) = self.rows[0]
        return name, self.columns[0], int(cell.band) if cell.band.isdecimal() else None, cell.band == "broken"


@dataclass(frozen=True, slots=True)
class ZonePanel:
    """A close view of a zone: the range bands between its units."""

    title: str
    bands: BandTable | None


@dataclass(frozen=True, slots=True)
class ZonePage(StepPage):
    """The map of a replay at one step, as its page shows it."""

    tray_height: ClassVar = TRAY_HEIGHT - 8
    zone_side: ClassVar = ZONE

    frame: ZoneFrame
    zone: int  # of the close view; 0: none
    view_box: str
    signs: tuple[str, ...]
    has_bands: bool  # whether a close view shows the range bands between units
    drawing: Drawing
    panel: ZonePanel | None
    sides: Sequence[str]
    field: BandField
    fight: BandDrawing

    @property
    def fight_classes(self) -> str:
        return fight_classes(self.frame)


class ZoneBoard(StepBoard[ZoneFrame]):
    """The replay of a game on the map."""

    kind = "zones"
    columns: Mapping[str, Sequence[tuple[str, str]]] = COLUMNS

    def __init__(self, replay: MapReplay, bands: Sequence[str], sides: Sequence[str], turn_word: str = "Turn") -> None:
        super().__init__(replay.frames, replay.names, turn_word, replay.art)
        self.replay, self.bands, self.sides = replay, bands, sides
        self.field = field_of(replay, bands)

    def summary(self, frame: ZoneFrame) -> str:
        if frame.number == 1:
            return f"Both forces before the first {self.turn_word.lower()}."
        if not frame.moves and (not frame.chapter.zone or len(frame.lines) <= 2):
            text = " ".join(line.sentence for line in frame.lines)
            return "Nobody moves." if text == f"{frame.chapter.phase}." else text
        return " ".join(frame.says) or "Nobody moves and nobody is hurt."

    def page(self, step: int, place: int) -> StepPage:
        """Return the map at that step with a close view of that zone; 0: the zone of the fight, if there is one."""
        frame = self.at(step)
        chosen = place if 0 < place <= len(self.replay.ground) else 0
        zone = chosen or frame.chapter.zone
        return ZonePage(
            *self.page_head(frame),
            chosen=chosen,
            zone=zone,
            view_box=f"0 0 {width_of(self.replay)} {tray_top(self.replay) + TRAY_HEIGHT}",
            signs=self.replay.signs,
            has_bands=bool(self.bands),
            drawing=draw(self.replay, frame, zone),
            panel=self.panel(frame, zone) if zone else None,
            sides=self.sides,
            field=self.field,
            fight=draw_bands(self.replay, frame, self.field),
        )

    def unit_rows(self, frame: ZoneFrame) -> Sequence[UnitRow]:
        return [self.unit(unit) for unit in zone_space(frame.situation)]

    def unit(self, unit: ZoneView) -> UnitRow:
        """Return the unit's row in the list."""
        states = [*(mark.replace("-", " ") for mark in unit.marks), *unit.harm]
        if unit.wounded and not unit.destroyed:
            states.append("pilot wounded")
        if unit.lost_parts:
            states.append(f"lost: {join_words(unit.lost_parts)}")
        return UnitRow(
            name=self.names[unit.key],
            tag="",
            letter=SIDE_LETTERS[unit.side],
            side=self.sides[unit.side],
            hits=f"{unit.hits}/{unit.max_hits}",
            boxes=box_paths(unit.hits, unit.max_hits),
            place=self.place(unit),
            states=", ".join(states),
            is_lost=unit.destroyed,
            is_away=unit.is_reserve,
        )

    def place(self, unit: ZoneView) -> str:
        """Describe where the unit is."""
        tray = tray_of(unit)
        return TRAY_TITLES[tray].lower() if tray else f"zone {unit.zone}"

    def panel(self, frame: ZoneFrame, number: int) -> ZonePanel:
        """Return the close view of the zone in that frame."""
        keys = {unit.key for unit in frame.units if unit.zone == number}
        pairs = [pair for pair in frame.situation.bands if pair.a_key in keys and pair.d_key in keys]
        bands = band_table(pairs, self.names, self.bands, frame.sights) if pairs else None
        return ZonePanel(self.zone_title(number), bands)

    def zone_title(self, number: int) -> str:
        """Return a zone's title with its terrain and marks."""
        ground = self.replay.ground[number - 1]
        return " · ".join((f"Zone {number}: {ground.terrain_name}", *ground.marks))

    def rows(self, frame: ZoneFrame) -> Mapping[str, Iterable[Row]]:
        drawing = draw(self.replay, frame, 0)
        return {
            "chits": map(look_of, drawing.chits),
            "zones": ((square.classes, square.label, *square.more) for square in drawing.squares),
            "trays": (tray.more for tray in drawing.trays),
            "arrows": ((path,) for path in drawing.arrows for _halo in range(2)),
            **drawing.action.rows,
            "fights": [(fight_classes(frame),)],
            **{f"{FIELD}{kind}": rows for kind, rows in field_rows(draw_bands(self.replay, frame, self.field)).items()},
        }

    def facts(self, frame: ZoneFrame) -> Mapping[str, object]:
        return {"zone": frame.chapter.zone, "bands": pair_facts(frame)}

    def to_json(self) -> dict[str, object]:
        units = [self.names[unit.key] for unit in zone_space(self.frames[0].situation)]
        zones = [self.zone_title(ground.number) for ground in self.replay.ground]
        return super().to_json() | {"names": units, "bands": self.bands, "closes": zones}


def fight_classes(frame: ZoneFrame) -> str:
    """Return the classes of the fight's field, which is hidden when nobody fights."""
    return "map__fight-field" if frame.chapter.zone else "map__fight-field is-away"


def field_rows(drawing: BandDrawing) -> dict[str, Iterable[Row]]:
    """Return the looks of the parts of a field."""
    return {
        "chits": map(look_of, drawing.chits),
        "ties": ((tie.classes, tie.path) for tie in drawing.ties),
        "tracks": ((path,) for path in drawing.tracks for _halo in range(2)),
        **drawing.action.rows,
    }


def pair_facts(frame: ZoneFrame) -> list[list[int]]:
    """Return the pairs in contact, for the browser.

    Each is zone, places of both, band (-1: broken), and the sight of each (1 found, 0 not found, -1 none).
    """
    places = {unit.key: at for at, unit in enumerate(frame.situation.units)}
    zones = {unit.key: unit.zone for unit in frame.units}
    seen = {(sight.unit, sight.target): int(sight.found) for sight in frame.sights}
    return [
        [
            zones[pair.a_key],
            places[pair.a_key],
            places[pair.d_key],
            -1 if pair.broken else pair.band,
            seen.get((pair.a_key, pair.d_key), -1),
            seen.get((pair.d_key, pair.a_key), -1),
        ]
        for pair in frame.situation.bands
        if zones.get(pair.a_key) == zones.get(pair.d_key, -1)
    ]


def look_of(chit: Chit) -> Row:
    """Return a counter as a row; a counter that isn't shown stays where it was."""
    if not chit.scale:
        return None, chit.classes, None, None, None
    return chit.transform, chit.classes, chit.hits, chit.art, chit.parts


def band_table(
    pairs: Sequence[BandView], names: Mapping[str, str], bands: Sequence[str], sights: Iterable[Sight] = ()
) -> BandTable:
    """Return pairs as a table: units of side A in rows, of side B in columns."""
    rows = list(dict.fromkeys(pair.a_key for pair in pairs))
    columns = list(dict.fromkeys(pair.d_key for pair in pairs))
    found = {(pair.a_key, pair.d_key): pair for pair in pairs}
    seen = {(sight.unit, sight.target): sight.found for sight in sights}

    def cell(a: str, d: str) -> Cell:
        pair = found.get((a, d))
        if pair is None:
            return Cell("none", "", "not in contact")
        marks = tuple(
            (
                letter,
                seen[unit, target],
                f"{names[unit]} has {'' if seen[unit, target] else 'not '}found {names[target]}",
            )
            for letter, unit, target in (("a", a, d), ("b", d, a))
            if (unit, target) in seen
        )
        if pair.broken:
            return Cell("broken", "–", "contact broken", marks)
        return Cell(str(pair.band), bands[pair.band][0], bands[pair.band], marks)

    table = tuple((names[a], tuple(cell(a, d) for d in columns)) for a in rows)
    return BandTable(
        columns=tuple(names[d] for d in columns),
        rows=table,
        has_sights=any(each.sights for _name, cells in table for each in cells),
    )


MAX_LINES = 4  # lines that a summary lists; for more it gives only the result


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
        """Return the field at that step; `place` is ignored, because there is no close view."""
        frame = self.at(step)
        pairs = frame.situation.bands
        table = band_table(pairs, self.names, self.bands, frame.sights) if pairs else None
        return BandPage(
            *self.page_head(frame),
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
