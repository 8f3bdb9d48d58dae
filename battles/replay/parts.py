"""What all drawn replays share: the links to their turns and the tables that the browser draws from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from systems.battle import Chapter

Row = tuple[str | None, ...]


class Step(Protocol):
    """A frame of any replay."""

    @property
    def number(self) -> int: ...

    @property
    def turn(self) -> int: ...

    @property
    def chapter(self) -> Chapter: ...


@dataclass(frozen=True, slots=True)
class TurnLink:
    title: str
    step: int  # its first frame
    is_here: bool


def turn_links(frames: Iterable[Step], here: Step, word: str) -> tuple[TurnLink, ...]:
    """A link to each turn's first frame."""
    firsts: dict[int, int] = {}
    for each in frames:
        firsts.setdefault(each.turn, each.number)
    return tuple(
        TurnLink(f"{word} {turn}" if turn else "Set-up", step, turn == here.turn) for turn, step in firsts.items()
    )


def step_title(frame: Step, word: str) -> str:
    """The heading of a step: turn, phase and step."""
    turn = f"{word} {frame.turn}" if frame.turn else ""
    return " · ".join(part for part in (turn, frame.chapter.phase, frame.chapter.step) if part)


class Looks:
    """How the parts of a drawing look in all its frames, for the browser.

    Each kind of part (`data-part` in the drawing) has columns: a selector within the part, empty for itself, and the
    attribute that is set there, empty for its text. Its rows are the distinct looks; a frame holds for each part, in the
    order of the drawing, the place of its row. None in a row leaves what is there.
    """

    def __init__(self, columns: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        self.columns = columns
        self._rows: dict[str, dict[Row, int]] = {kind: {} for kind in columns}

    def places(self, kind: str, rows: Iterable[Row]) -> list[int]:
        """The places of the rows of one frame."""
        known = self._rows[kind]
        return [known.setdefault(row, len(known)) for row in rows]

    def to_json(self, frames: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """All that the browser is sent."""
        return {"columns": self.columns, **{kind: list(rows) for kind, rows in self._rows.items()}, "frames": frames}
