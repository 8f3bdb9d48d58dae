"""A card's two sides from what a rule system says on it: as much as its size has room for, its code, its marks.

Nothing here draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rosters.paper.layout import CardPage, CardSize, lay_out, lay_out_whole
from systems.paper.blocks import CardContent, CardFace, Detail
from systems.paper.bodies import Drawing

ROOMY_TYPE = 0.92  # of a poker card's type: a card that says everything is set no smaller
CODE_TYPE = 0.94  # a code that would push a front below this goes to the back
SIDE_BAR = (1.25, 0.9)  # mm: from the top edge, and high
BELOW_BAND = (0.15, 0.5)  # mm: from the colour, and high
SIDE_PIECES = 6
ALL: tuple[Detail, ...] = ("full", "brief")

Make = Callable[[Detail], CardContent]


@dataclass(frozen=True, slots=True)
class Side:
    """One card: its front and its back, of one size."""

    front: CardPage
    back: CardPage


def card_sides(
    make: Make,
    size: CardSize,
    details: Sequence[Detail] = ALL,
    *,
    url: str = "",
    picture: Drawing | None = None,
    colour: str = "",
    side: str = "",
    tag: str = "",
    has_backs: bool = True,
    foot: str = "",
) -> tuple[Side, ...]:
    """The card's sides: as much said as its size has room for, the code on the front unless that would crowd it.

    The foot, house rules and such, stands on the back, or on the front where no backs are printed. A card of
    a battle is marked with its side; the tag stands in the first corner of its front.
    """
    contents = _Contents(make if not foot else lambda detail: _with_foot(make(detail), foot, has_backs), picture, tag)
    fronts = _first_whole(contents.fronts(details), url, size, CODE_TYPE / size.unit) if url and has_backs else None
    code_is_behind = bool(url) and has_backs and fronts is None
    if fronts is None:
        fronts = _side(contents.fronts(details), "" if code_is_behind else url, size)
    backs = _side(contents.backs(details), url if code_is_behind else "", size)
    if code_is_behind and len(backs) > 1:  # a crowded front with the code is better than a card more
        crowded = _first_whole(contents.fronts(details), url, size, 0.0)
        fronts, backs = (crowded, _side(contents.backs(details), "", size)) if crowded else (fronts, backs)
    count = max(len(fronts), len(backs))
    fronts += fronts[:1] * (count - len(fronts))
    backs += backs[:1] * (count - len(backs))
    for page in (*fronts, *backs):
        if colour:
            page.band, page.band_mm = colour, size.band
        if side:
            mark_side(page, side)
    return tuple(Side(front, back) for front, back in zip(fronts, backs, strict=True))


def mark_side(page: CardPage, side: str) -> None:
    """A bar along the top edge, below the colour if there is one: whole for side A, broken for side B."""
    top, height = (page.band_mm + BELOW_BAND[0], BELOW_BAND[1]) if page.band_mm else SIDE_BAR
    side_bar(page, side, page.size.safe, top, page.size.width - 2 * page.size.safe, height)
    page.say(side_said(side))


def side_bar(page: CardPage, side: str, left: float, top: float, width: float, height: float) -> None:
    """The mark of a side as a bar in that room."""
    pieces = 1 if side == "a" else SIDE_PIECES
    pitch = width / pieces
    length = pitch if pieces == 1 else pitch / 2
    for at in range(pieces):
        x = left + at * pitch + (pitch - length) / 2
        page.path("shape", f"M{x:.2f} {top:.2f}h{length:.2f}v{height:.2f}h-{length:.2f}z")


def side_said(side: str) -> str:
    return f"Side {side.upper()}" if side else ""


def _with_foot(content: CardContent, foot: str, has_backs: bool) -> CardContent:
    """The card with that at the foot of the side that is sure to be printed."""
    face = content.back if has_backs else content.front
    told = replace(face, foot="\n".join(filter(None, (face.foot, foot))))
    return replace(content, back=told) if has_backs else replace(content, front=told)


class _Contents:
    """A card's contents, each detail of it made once and only if it is asked for."""

    def __init__(self, make: Make, picture: Drawing | None, tag: str) -> None:
        self._make = make
        self._picture = picture
        self._tag = tag
        self._made: dict[Detail, CardContent] = {}

    def _content(self, detail: Detail) -> CardContent:
        if detail not in self._made:
            made = self._make(detail)
            made = replace(made, front=replace(made.front, picture=self._picture, tag=self._tag))
            self._made[detail] = made
        return self._made[detail]

    def fronts(self, details: Sequence[Detail]) -> list[Callable[[], CardFace]]:
        return [lambda detail=detail: self._content(detail).front for detail in details]  # type: ignore[misc]

    def backs(self, details: Sequence[Detail]) -> list[Callable[[], CardFace]]:
        return [lambda detail=detail: self._content(detail).back for detail in details]  # type: ignore[misc]


def _side(faces: Sequence[Callable[[], CardFace]], url: str, size: CardSize) -> list[CardPage]:
    """The first face that fits whole at its least type size; the last one in any case, on as many cards as it needs."""
    whole = _first_whole(faces[:-1], url, size, ROOMY_TYPE / size.unit)
    return whole or lay_out(replace(faces[-1](), url=url), size)


def _first_whole(
    faces: Sequence[Callable[[], CardFace]], url: str, size: CardSize, least: float
) -> list[CardPage] | None:
    """The first face that fits whole, the last of them in type as small as `least`; None if none does."""
    for at, face in enumerate(faces, start=1):
        floor = least if at == len(faces) else ROOMY_TYPE / size.unit
        page = lay_out_whole(replace(face(), url=url), size, floor)
        if page:
            return [page]
    return None
