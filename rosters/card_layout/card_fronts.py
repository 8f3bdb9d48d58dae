"""Choose the contents of a card's two sides: as much of the rule system's text as has room, its code, its marks.

Nothing here draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from rosters.card_layout import ROUNDING, CardPage, CardSize, fits, height_of, lay_out, room_left
from systems.artwork import Drawing
from systems.paper.blocks import Addition, Block, CardContent, CardFace, Detail, Entries, Entry

ROOMY_TYPE = 0.92  # of a poker card's type: a card with its full text is never set smaller
ADDED_SCALE = 0.64  # of a size's own type: additions never make a card's type smaller than this
MAX_MISSING = 3  # of the additions: to place these, a front may be set as small as possible
CLOSE_TYPE = 0.84  # of a poker card's type: only additions with no other place make it smaller
AT_THE_TABLE = "At the table"
CODE_TYPE = 0.94  # a code that would make a front smaller than this goes to the back
SIDE_BAR = (1.25, 0.9)  # mm: from the top edge, and height
BELOW_BAND = (0.15, 0.5)  # mm: from the colour, and height
SIDE_PIECES = 6
SHORTER: tuple[Detail, ...] = ("brief", "terse")
ALL: tuple[Detail, ...] = ("full", "brief")

Make = Callable[[Detail], CardContent]


@dataclass(frozen=True, slots=True)
class Side:
    """One card: its front and back, both of the same size."""

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
    """Return the card's sides, with as much text as has room; the code is on the front unless it crowds it.

    The foot (house rules and the like) is on the back, or on the front where no backs are printed. Below it come as
    many of the first entries of `more` as need neither another card nor shorter text elsewhere, and last the additions
    that have room. A card of a battle is marked with its side; the tag is in the first corner of its front.
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
    """Return the first try with the fewest cards and, among those, the least shortened text.

    Tries after one that takes a single card in full are not evaluated.
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
    """Return the number of cards, then how far their text was shortened."""
    return _cards(sides), sum(side.shorter for side in sides)


def _cards(sides: tuple[_Set, _Set]) -> int:
    return max(side.count for side in sides)


def _sides(
    contents: _Contents, size: CardSize, details: Sequence[Detail], url: str, has_backs: bool
) -> tuple[_Set, _Set]:
    """Return front and back, with the code on one of them."""
    all_fronts, all_backs = contents.fronts(details), contents.backs(details)
    fronts = _first_whole(all_fronts, url, size, CODE_TYPE / size.unit) if url and has_backs else None
    code_is_behind = bool(url) and has_backs and fronts is None
    if fronts is None:
        fronts = _side(all_fronts, "" if code_is_behind else url, size)
    backs = _side(all_backs, url if code_is_behind else "", size)
    if code_is_behind and backs.count > 1:  # a crowded front with the code is better than one more card
        crowded = _first_whole(all_fronts, url, size, 0.0)
        fronts, backs = (crowded, _side(all_backs, "", size)) if crowded else (fronts, backs)
    return fronts, backs


class _Set:
    """A side to be set and its contents; it is laid out only when needed."""

    def __init__(self, face: CardFace, size: CardSize, shorter: int = 0, *, is_whole: bool = False) -> None:
        self.face, self.size = face, size
        self.shorter = shorter  # number of detail levels that had no room
        self.is_whole = is_whole or fits(face, size)

    @cached_property
    def pages(self) -> list[CardPage]:
        return lay_out(self.face, self.size)

    @property
    def count(self) -> int:
        return 1 if self.is_whole else len(self.pages)

    def padded(self, count: int) -> list[CardPage]:
        """Return that many pages; the first page is repeated if there are fewer."""
        return [*self.pages, *self.pages[:1] * (count - len(self.pages))]


class _Added:
    """A side with additions below its own text."""

    def __init__(self, side: _Set) -> None:
        self.side = side
        self._blocks: dict[int, Block] = {}
        self._entries: dict[int, Entry] = {}
        self._room: dict[float, float] = {}  # room the side itself leaves, by scale

    def _added(self) -> list[Block]:
        """Return the additions: blocks first, each kind in its order."""
        blocks = [block for _, block in sorted(self._blocks.items())]
        if self._entries:
            entries = tuple(entry for _, entry in sorted(self._entries.items()))
            blocks.append(Entries(title=AT_THE_TABLE, entries=entries))
        return blocks

    def has_room(self, least: float) -> bool:
        """Return whether everything fits on one page at a scale of `least` or more."""
        if least not in self._room:
            self._room[least] = room_left(self.side.face, self.side.size, least)
        needed = sum(height_of(block, self.side.size, least) for block in self._added())
        return self._room[least] - needed >= -ROUNDING

    def takes(self, at: int, added: Block | Entry, least: float) -> bool:
        """Add something at that place, replacing what was there, if there is room; return whether there was."""
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
        """Return the side with the additions."""
        face = self.side.face
        added = self._added()
        whole = replace(face, blocks=(*face.blocks, *added))
        return _Set(whole, self.side.size, self.side.shorter, is_whole=True) if added else self.side


@dataclass(slots=True)
class _Trial:
    """A trial of additions on a front and one of its possible backs."""

    front: _Added | None
    back: _Added | None
    held: dict[int, _Added] = field(default_factory=dict)  # which side has which addition

    @property
    def sides(self) -> list[_Added]:
        return [side for side in (self.front, self.back) if side]


def _add(
    additions: Sequence[Addition], front: _Set, backs: Iterable[_Set | None], size: CardSize, *, in_full: bool
) -> tuple[_Set, _Set | None]:
    """Return the front with the additions that fit, and the back that takes most of the rest, with those.

    The first back wins a tie.
    """
    best: _Trial | None = None
    for back in backs:
        trial = _in_short(additions, front, back, size)
        if best is None or len(trial.held) > len(best.held):
            best = trial
        if len(best.held) == sum(each.brief is not None for each in additions):
            break
    assert best is not None
    if in_full:
        _in_full(additions, best, max(ROOMY_TYPE / size.unit, ADDED_SCALE))
    return best.front.settle() if best.front else front, best.back.settle() if best.back else None


def _in_short(additions: Sequence[Addition], front: _Set, back: _Set | None, size: CardSize) -> _Trial:
    """Place each addition in turn below the front if that doesn't crowd it, else below the back, else nowhere."""
    trial = _Trial(
        _Added(front) if front.is_whole else None,
        _Added(back) if back and back.is_whole else None,
    )
    roomy, closest = max(ROOMY_TYPE / size.unit, ADDED_SCALE), size.scales[-1]
    close = max(CLOSE_TYPE / size.unit, closest)
    is_crowded = trial.front is not None and not trial.front.has_room(close)
    least = closest if is_crowded else close  # a front that is crowded anyway may be full
    places = [(trial.front, roomy), (trial.back, roomy), (trial.front, least), (trial.back, closest)]
    for at, each in enumerate(additions):
        if each.brief:
            tried = [*places, (trial.front, closest)] if at < MAX_MISSING else places
            found = next((side for side, least in tried if side and side.takes(at, each.brief, least)), None)
            if found:
                trial.held[at] = found
    return trial


def _in_full(additions: Sequence[Addition], trial: _Trial, least: float) -> None:
    """Replace short additions by their full text wherever everything already placed keeps its place."""
    for at, each in enumerate(additions):
        found = next((side for side in trial.sides if side.takes(at, each.block, least)), None)
        if found and trial.held.get(at, found) is not found:
            trial.held[at].loses(at)


def mark_side(page: CardPage, side: str) -> None:
    """Mark the side with a bar along the top edge, below any colour: solid for side A, broken for side B."""
    top, height = (page.band_mm + BELOW_BAND[0], BELOW_BAND[1]) if page.band_mm else SIDE_BAR
    side_bar(page, side, page.size.safe, top, page.size.width - 2 * page.size.safe, height)
    page.say(describe_printed_side(side))


def side_bar(page: CardPage, side: str, left: float, top: float, width: float, height: float) -> None:
    """Draw the mark of a side as a bar of that place and size."""
    pieces = 1 if side == "a" else SIDE_PIECES
    pitch = width / pieces
    length = pitch if pieces == 1 else pitch / 2
    for at in range(pieces):
        x = left + at * pitch + (pitch - length) / 2
        page.path("shape", f"M{x:.2f} {top:.2f}h{length:.2f}v{height:.2f}h-{length:.2f}z")


def describe_printed_side(side: str) -> str:
    return f"Side {side.upper()}" if side else ""


class _Contents:
    """A card's contents; each level of detail is made at most once, and only when needed."""

    def __init__(self, make: Make, picture: Drawing | None, tag: str, has_backs: bool) -> None:
        self._make = make
        self._picture = picture
        self._tag = tag
        self._has_backs = has_backs
        self._foot = ""
        self._made: dict[Detail, CardContent] = {}

    def under(self, foot: str, more: Sequence[str]) -> _Contents:
        """Return a copy with these texts at the foot of the side that is sure to be printed."""
        footed = copy(self)
        footed._foot = "\n".join(filter(None, (foot, *more)))
        return footed

    def fronts(self, details: Sequence[Detail]) -> list[Callable[[], CardFace]]:
        return [lambda detail=detail: self._front(detail) for detail in details]  # type: ignore[misc]

    def backs(self, details: Sequence[Detail]) -> list[Callable[[], CardFace]]:
        return [lambda detail=detail: self._back(detail) for detail in details]  # type: ignore[misc]

    def shorter_back(self, back: _Set, detail: Detail) -> _Set | None:
        """Return that back at a shorter level of detail; None if its text is the same or needs more than a page."""
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
    """Return the first face that fits whole at its smallest type; else the last one, on as many cards as it needs."""
    whole = _first_whole(faces[:-1], url, size, ROOMY_TYPE / size.unit)
    if whole:
        return whole
    return _Set(replace(faces[-1](), url=url), size, len(faces) - 1)


def _first_whole(faces: Sequence[Callable[[], CardFace]], url: str, size: CardSize, least: float) -> _Set | None:
    """Return the first face that fits whole, the last of them in type as small as `least`; None if none fits."""
    for at, make in enumerate(faces):
        floor = least if at == len(faces) - 1 else ROOMY_TYPE / size.unit
        face = replace(make(), url=url)
        if fits(face, size, floor):
            return _Set(face, size, at, is_whole=True)
    return None
