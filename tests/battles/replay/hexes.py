"""A handmade battle on hexes: two machines and a drone on a small map, a shot, a falling building, an objective."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace

import battles.replay.base
import battles.replay.hex_frames
import battles.replay.symbols
from battles.replay.hex_board import HexBoard
from battles.replay.hex_frames import HexReplay, hex_replay
from systems.battle import Chapter
from systems.battle_display import Situation, UnitView
from systems.engine.events import Event
from systems.report_fields import HandTerms
from systems.simulation.analysis import EventLine
from systems.spaces.hex_map import (
    HexAim,
    HexArea,
    HexCell,
    HexGround,
    HexMark,
    HexSpace,
    HexSpot,
    HexStand,
    HexTerrain,
    HexView,
)

COLUMNS, ROWS = 8, 7
LOOKS = ("plain", "barred", "woods", "sand", "smoke", "snow", "shallows", "deep")
KINDS = {look: HexTerrain(look, look.capitalize(), look) for look in LOOKS}
LIES = {
    (0, 3): "barred", (1, 3): "woods", (1, 4): "woods", (5, 2): "sand", (6, 4): "smoke", (2, 1): "snow",
    (7, 3): "shallows", (7, 4): "deep",
}  # fmt: skip
BUILDING = (3, 3)
NAMES = ("Head", "Torso", "Left arm", "Right arm", "Left leg", "Right leg")
WHOLE = (4, 18, 5, 5, 6, 6)


@dataclass(frozen=True, slots=True)
class Machine(HexView):
    left: tuple[int, ...] = WHOLE
    is_prone: bool = False

    @property
    def areas(self) -> tuple[HexArea, ...]:
        return tuple(map(HexArea, NAMES, self.left, WHOLE))

    @property
    def marks(self) -> tuple[HexMark, ...]:
        return (HexMark("P", "prone"),) if self.is_prone else ()


def cell(column: int, row: int) -> HexCell:
    floors = 10 if (column, row) == BUILDING else 0
    side = 1 if row == 0 else 0 if row == ROWS - 1 else None
    level = {"shallows": -1, "deep": -2}.get(LIES.get((column, row), ""), 0) or int((column, row) == (4, 5))
    return HexCell(column, row, KINDS[LIES.get((column, row), "plain")], level, floors, floors // 5, side)


class Skirmish(HexSpace):
    def ground(self, setup: object) -> HexGround:
        cells = tuple(cell(column, row) for row in range(ROWS) for column in range(COLUMNS))
        return HexGround(COLUMNS, ROWS, cells, points=(0, 0))

    def follow(self, ground: HexGround, event: Event) -> HexGround:
        if event.kind == "placed":
            spot = HexSpot("Objective 1", "1", 4, 3)
            return replace(ground, spots=(*ground.spots, spot))
        if event.kind == "scored":
            return replace(ground, spots=(replace(ground.spots[0], side=0),), points=(1, 0))
        if event.kind == "fell":
            at = BUILDING[1] * COLUMNS + BUILDING[0]
            ruin = replace(ground.cells[at], terrain=KINDS["smoke"], floors=0, top=0)
            return replace(ground, cells=(*ground.cells[:at], ruin, *ground.cells[at + 1 :]))
        return ground

    def aim(self, event: Event) -> HexAim | None:
        if event.kind == "shot":
            word = "hit" if event.result["hit"] else "evaded"
            return HexAim(event.unit or "", event.target, bool(event.result["hit"]), word)
        if event.kind == "shelled":
            return HexAim(event.unit or "", None, True, "hit", *BUILDING)
        return None

    def points_given(self, event: Event) -> tuple[str, int] | None:
        return (event.unit or "", 9) if event.kind == "turn" else None

    def points_spent(self, event: Event) -> int:
        return 3 if event.kind in {"shot", "shelled"} else 0


def make_event(kind: str, unit: str | None = None, target: str | None = None, **result: int | bool) -> Event:
    return Event(1 if kind not in {"placed", "set-up"} else 0, kind, kind, "HX-001", unit, target, result=result)


EVENTS = (
    make_event("placed"),
    make_event("set-up", "a1", column=3, row=6, facing=0),
    make_event("set-up", "b1", column=3, row=0, facing=3),
    make_event("set-up", "b2", column=4, row=0, facing=3),
    make_event("turn", "a1"),
    make_event("moved", "a1", column=3, row=5, facing=0),
    make_event("moved", "a1", column=3, row=4, facing=0),
    make_event("shelled", "a1"),
    make_event("fell", "a1"),
    make_event("shot", "a1", "b1", hit=True),
    make_event("hurt", "b1"),
    make_event("shot", "a1", "b2", hit=False),
    make_event("turn", "b1"),
    make_event("moved", "b1", column=3, row=1, facing=2),
    make_event("moved", "b2", column=3, row=1, facing=2),
    make_event("destroyed", "b2"),
    make_event("scored"),
)


class Rules:
    space = Skirmish()
    hand = HandTerms()

    def opening(self, setup: object) -> Situation:
        return Situation(
            (
                Machine("a1", "Warden", 0, "heavy", 44, 44),
                Machine("b1", "Longbow", 1, "heavy", 44, 44),
                HexView("b2", "Drone", 1, "drone", 3, 3),
            )
        )

    def follow(self, situation: Situation, event: Event) -> Situation:
        def change(unit: UnitView) -> UnitView:
            if event.kind in {"set-up", "moved"}:
                return replace(unit, stand=HexStand(*(event.number(name) for name in ("column", "row", "facing"))))
            if event.kind == "hurt":
                return replace(unit, left=(0, 7, 5, 5, 6, 6), is_prone=True)
            return replace(unit, destroyed=True) if event.kind == "destroyed" else unit

        return situation.changed(event.unit, change)

    def chapters(self, setup: object):
        phase = ["Set-up"]

        def chapter(event: Event) -> Chapter:
            phase[0] = f"Turn of {event.unit}" if event.kind == "turn" else phase[0]
            return Chapter(phase[0], event.kind)

        return chapter

    def unit_names(self, setup: object) -> Mapping[str, str]:
        return {"a1": "Warden A1", "b1": "Longbow B1", "b2": "Drone B2"}


def replay(monkeypatch, events: tuple[Event, ...] = EVENTS) -> HexReplay:
    """Return the battle in frames. The registry of games returns this one instead."""
    for module in (battles.replay.hex_frames, battles.replay.base):
        monkeypatch.setattr(module, "battle_rules", lambda system: Rules())
    monkeypatch.setattr(battles.replay.symbols, "unit_drawing", lambda setup, unit: None)
    record = SimpleNamespace(setup=SimpleNamespace(system="by-hand", sides=()), events=events)
    lines = [
        EventLine(number, event, f"{event.unit or 'Somebody'} {event.kind}.", "", None)
        for number, event in enumerate(events, start=1)
    ]
    found = hex_replay(record, lines)
    assert found is not None
    return found


def board(monkeypatch) -> HexBoard:
    return HexBoard(replay(monkeypatch), ("Olive", "Steel"))
