"""Chooses the contents of a card's front and back: as much of the game's text as fits, the QR code, and marks.

This module draws nothing except marks of sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from rosters.card_layout import ROUNDING, CardPage, CardSize, fits, free_height, height_of, lay_out
from systems.artwork import Drawing
from systems.paper.blocks import Addition, Block, CardContent, CardFace, Detail, Entries, Entry

# Type sizes as shares of a poker card's type, or (ADDED_SCALE) of the card size's own type.
ROOMY_TYPE = 0.92  # full text is never set smaller
ADDED_SCALE = 0.64  # additions in full never make the type smaller
MAX_MISSING = 3  # number of first additions for which a front may be set as small as possible
CLOSE_TYPE = 0.84  # only additions that fit nowhere else make the type smaller
AT_THE_TABLE = "At the table"
CODE_TYPE = 0.94  # a QR code that would make the front's type smaller goes to the back
SIDE_BAR = (1.25, 0.9)  # mm: distance from the top edge, and height
BELOW_BAND = (0.15, 0.5)  # mm: distance from the colour band, and height
SIDE_PIECES = 6
SHORTER: tuple[Detail, ...] = ("brief", "terse")
ALL: tuple[Detail, ...] = ("full", "brief")

Make = Callable[[Detail], CardContent]


@dataclass(frozen=True, slots=True)
class Side:
    """The front and the back of one card, both of the same size."""

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
    more: Sequence[str] = (),
    additions: Sequence[Addition] = (),
) -> tuple[Side, ...]:
    """Return the card's sides with as much text as fits. The QR code is on the front unless that gets too crowded.

    The foot (such as house rules) is on the back, or on the front if no backs are printed. Below it come the first
    entries of `more`, as long as they need neither another card nor shorter text, and then the additions that fit. A
    card for a battle is marked with its side; the tag is in the top left corner of its front.
    """
    contents = _Contents(make, picture, tag, has_backs)
    footed, (fronts, backs) = _fewest(
        (footed, _sides(footed, size, details, url, has_backs))
        for footed in (contents.under(foot, more[:count]) for count in reversed(range(len(more) + 1)))
    )
    if additions:
        shorter = (
            each.shorter_back(backs, how) for each in (footed, contents.under(foot, more[:1])) for how in SHORTER
        )
        tried = chain([backs], filter(None, shorter)) if has_backs else [None]
        fronts, behind = _add(additions, fronts, tried, size, in_full="full" in details)
        backs = behind or backs
    count = _cards((fronts, backs))
    sides = tuple(Side(*pages) for pages in zip(fronts.padded(count), backs.padded(count), strict=True))
    for page in {id(page): page for each in sides for page in (each.front, each.back)}.values():
        if colour:
            page.band, page.band_mm = colour, size.band
        if side:
            mark_side(page, side)
    return sides


def _fewest(tries: Iterable[tuple[_Contents, tuple[_Set, _Set]]]) -> tuple[_Contents, tuple[_Set, _Set]]:
    """Return the try with the fewest cards and, among those, the least shortened text; the first wins a tie.

    Stops at a try that needs a single card and shortens nothing.
    """
    best: tuple[_Contents, tuple[_Set, _Set]] | None = None
    for each in tries:
        if best is None or _price(each[1]) < _price(best[1]):
            best = each
        if _price(best[1]) == (1, 0):
            break
    assert best is not None
    return best


def _price(sides: tuple[_Set, _Set]) -> tuple[int, int]:
    """Return the number of cards, and how many levels of detail their text was shortened by."""
    return _cards(sides), sum(side.shorter for side in sides)


def _cards(sides: tuple[_Set, _Set]) -> int:
    return max(side.count for side in sides)


def _sides(
    contents: _Contents, size: CardSize, details: Sequence[Detail], url: str, has_backs: bool
) -> tuple[_Set, _Set]:
    """Return the front and the back, with the QR code on one of them."""
    all_fronts, all_backs = contents.fronts(details), contents.backs(details)
    fronts = _first_whole(all_fronts, url, size, CODE_TYPE / size.unit) if url and has_backs else None
    code_is_behind = bool(url) and has_backs and fronts is None
    if fronts is None:
        fronts = _side(all_fronts, "" if code_is_behind else url, size)
    backs = _side(all_backs, url if code_is_behind else "", size)
    if code_is_behind and backs.count > 1:  # a crowded front with the code is better than another card
        crowded = _first_whole(all_fronts, url, size, 0.0)
        fronts, backs = (crowded, _side(all_backs, "", size)) if crowded else (fronts, backs)
    return fronts, backs


class _Set:
    """A side and its contents; it is laid out only when its pages are needed."""

    def __init__(self, face: CardFace, size: CardSize, shorter: int = 0, *, is_whole: bool = False) -> None:
        self.face, self.size = face, size
        self.shorter = shorter  # number of levels of detail that didn't fit
        self.is_whole = is_whole or fits(face, size)

    @cached_property
    def pages(self) -> list[CardPage]:
        return lay_out(self.face, self.size)

    @property
    def count(self) -> int:
        return 1 if self.is_whole else len(self.pages)

    def padded(self, count: int) -> list[CardPage]:
        """Return `count` pages; if there are fewer, the first page is repeated."""
        return [*self.pages, *self.pages[:1] * (count - len(self.pages))]


class _Added:
    """A side and the additions below its own text."""

    def __init__(self, side: _Set) -> None:
        self.side = side
        self._blocks: dict[int, Block] = {}
        self._entries: dict[int, Entry] = {}
        self._room: dict[float, float] = {}  # mm that the side's own text leaves free, by scale

    def _added(self) -> list[Block]:
        """Return the additions in order, blocks before entries."""
        blocks = [block for _, block in sorted(self._blocks.items())]
        if self._entries:
            entries = tuple(entry for _, entry in sorted(self._entries.items()))
            blocks.append(Entries(title=AT_THE_TABLE, entries=entries))
        return blocks

    def has_room(self, least: float) -> bool:
        """Return whether everything fits on one page at a scale of `least` or more."""
        if least not in self._room:
            self._room[least] = free_height(self.side.face, self.side.size, least)
        needed = sum(height_of(block, self.side.size, least) for block in self._added())
        return self._room[least] - needed >= -ROUNDING

    def takes(self, at: int, added: Block | Entry, least: float) -> bool:
        """Put an addition in this place, instead of the one there, if everything fits; return whether it does."""
        kept = self._blocks.copy(), self._entries.copy()
        self.loses(at)
        if isinstance(added, Entry):
            self._entries[at] = added
        else:
            self._blocks[at] = added
        if self.has_room(least):
            return True
        self._blocks, self._entries = kept
        return False

    def loses(self, at: int) -> None:
        self._blocks.pop(at, None)
        self._entries.pop(at, None)

    def settle(self) -> _Set:
        """Return the side with its additions."""
        face = self.side.face
        added = self._added()
        whole = replace(face, blocks=(*face.blocks, *added))
        return _Set(whole, self.side.size, self.side.shorter, is_whole=True) if added else self.side


@dataclass(slots=True)
class _Trial:
    """A trial of placing additions on a front and one of its possible backs."""

    front: _Added | None
    back: _Added | None
    placed: dict[int, _Added] = field(default_factory=dict)  # the side of each placed addition

    @property
    def sides(self) -> list[_Added]:
        return [side for side in (self.front, self.back) if side]


def _add(
    additions: Sequence[Addition], front: _Set, backs: Iterable[_Set | None], size: CardSize, *, in_full: bool
) -> tuple[_Set, _Set | None]:
    """Return the front with the additions that fit, and with the rest the back on which the most of them fit.

    The first back wins a tie.
    """
    best: _Trial | None = None
    for back in backs:
        trial = _in_short(additions, front, back, size)
        if best is None or len(trial.placed) > len(best.placed):
            best = trial
        if len(best.placed) == sum(each.brief is not None for each in additions):
            break
    assert best is not None
    if in_full:
        _in_full(additions, best, max(ROOMY_TYPE / size.unit, ADDED_SCALE))
    return best.front.settle() if best.front else front, best.back.settle() if best.back else None


def _in_short(additions: Sequence[Addition], front: _Set, back: _Set | None, size: CardSize) -> _Trial:
    """Place the short form of each addition in turn: on the front if that isn't crowded by it, else on the back."""
    trial = _Trial(
        _Added(front) if front.is_whole else None,
        _Added(back) if back and back.is_whole else None,
    )
    roomy, closest = max(ROOMY_TYPE / size.unit, ADDED_SCALE), size.scales[-1]
    close = max(CLOSE_TYPE / size.unit, closest)
    is_crowded = trial.front is not None and not trial.front.has_room(close)
    least = closest if is_crowded else close  # a front that is already crowded may be filled completely
    places = [(trial.front, roomy), (trial.back, roomy), (trial.front, least), (trial.back, closest)]
    for at, each in enumerate(additions):
        if each.brief:
            tried = [*places, (trial.front, closest)] if at < MAX_MISSING else places
            found = next((side for side, least in tried if side and side.takes(at, each.brief, least)), None)
            if found:
                trial.placed[at] = found
    return trial


def _in_full(additions: Sequence[Addition], trial: _Trial, least: float) -> None:
    """Replace short additions with their full text where everything else still fits."""
    for at, each in enumerate(additions):
        found = next((side for side in trial.sides if side.takes(at, each.block, least)), None)
        if found and trial.placed.get(at, found) is not found:
            trial.placed[at].loses(at)


def mark_side(page: CardPage, side: str) -> None:
    """Mark the page with its side: a bar along the top edge, below any colour band, solid for A and broken for B."""
    top, height = (page.band_mm + BELOW_BAND[0], BELOW_BAND[1]) if page.band_mm else SIDE_BAR
    side_bar(page, side, page.size.safe, top, page.size.width - 2 * page.size.safe, height)
    page.say(describe_printed_side(side))


def side_bar(page: CardPage, side: str, left: float, top: float, width: float, height: float) -> None:
    """Draw the mark of a side as a bar with this position and size."""
    pieces = 1 if side == "a" else SIDE_PIECES
    pitch = width / pieces
    length = pitch if pieces == 1 else pitch / 2
    for at in range(pieces):
        x = left + at * pitch + (pitch - length) / 2
        page.path("shape", f"M{x:.2f} {top:.2f}h{length:.2f}v{height:.2f}h-{length:.2f}z")


def describe_printed_side(side: str) -> str:
    return f"Side {side.upper()}" if side else ""


class _Contents:
    """A card's contents at each level of detail, made at most once and only when needed."""

    def __init__(self, make: Make, picture: Drawing | None, tag: str, has_backs: bool) -> None:
        self._make = make
        self._picture = picture
        self._tag = tag
        self._has_backs = has_backs
        self._foot = ""
        self._made: dict[Detail, CardContent] = {}

    def under(self, foot: str, more: Sequence[str]) -> _Contents:
        """Return a copy with these texts at the foot of the back, or of the front if no backs are printed."""
        footed = copy(self)
        footed._foot = "\n".join(filter(None, (foot, *more)))
        return footed

    def fronts(self, details: Sequence[Detail]) -> list[Callable[[], CardFace]]:
        return [lambda detail=detail: self._front(detail) for detail in details]  # type: ignore[misc]

    def backs(self, details: Sequence[Detail]) -> list[Callable[[], CardFace]]:
        return [lambda detail=detail: self._back(detail) for detail in details]  # type: ignore[misc]

    def shorter_back(self, back: _Set, detail: Detail) -> _Set | None:
        """Return the back at a shorter level of detail; None if its text is the same or needs more than a page."""
        face = replace(self._back(detail), url=back.face.url)
        found = _Set(face, back.size, back.shorter) if face != back.face else None
        return found if found and found.is_whole else None

    def _content(self, detail: Detail) -> CardContent:
        if detail not in self._made:
            self._made[detail] = self._make(detail)
        return self._made[detail]

    def _front(self, detail: Detail) -> CardFace:
        face = replace(self._content(detail).front, picture=self._picture, tag=self._tag)
        return face if self._has_backs else self._footed(face)

    def _back(self, detail: Detail) -> CardFace:
        face = self._content(detail).back
        return self._footed(face) if self._has_backs else face

    def _footed(self, face: CardFace) -> CardFace:
        return replace(face, foot="\n".join(filter(None, (face.foot, self._foot))))


def _side(faces: Sequence[Callable[[], CardFace]], url: str, size: CardSize) -> _Set:
    """Return the first face that fits on one card; else the last face, on as many cards as it needs."""
    whole = _first_whole(faces[:-1], url, size, ROOMY_TYPE / size.unit)
    if whole:
        return whole
    return _Set(replace(faces[-1](), url=url), size, len(faces) - 1)


def _first_whole(faces: Sequence[Callable[[], CardFace]], url: str, size: CardSize, least: float) -> _Set | None:
    """Return the first face that fits on one card; None if none fits.

    Only the last face may be set as small as `least`; the others only as small as ROOMY_TYPE.
    """
    for at, make in enumerate(faces):
        floor = least if at == len(faces) - 1 else ROOMY_TYPE / size.unit
        face = replace(make(), url=url)
        if fits(face, size, floor):
            return _Set(face, size, at, is_whole=True)
    return None
