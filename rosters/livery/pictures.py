"""Pictures that players put up: read with mistrust, and drawn anew, so that nothing of the file sent is passed on."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from threading import Lock

from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

from rosters.site.refusals import RefusedError

MAX_BYTES = 2 * 1024 * 1024
MAX_PIXELS = 24_000_000  # before it is made smaller: what a phone's camera makes
MIN_SIDE, MAX_SIDE = 64, 960
FORMATS = ("JPEG", "PNG", "WEBP")
MOVING = ("PNG", "WEBP")  # of these, which can hold several pictures
ONE_AT_A_TIME = Lock()  # what a picture of many points takes of memory, a process gives once
UNREADABLE_BY = (
    UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError, TypeError, KeyError,
    AttributeError, OverflowError, struct.error,
)  # fmt: skip
FIELD = "picture"
UNREADABLE = "This file can’t be read as a picture. Save it anew as JPEG, PNG or WebP, and try that."


@dataclass(frozen=True, slots=True)
class Drawn:
    """The picture as it is kept: WebP, upright, without anything that a camera or a program wrote beside it."""

    picture: bytes
    width: int
    height: int

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.picture).hexdigest()[:32]


def drawn_anew(sent: bytes) -> Drawn:
    """The picture that was sent, small enough for a page; raises RefusedError."""
    if not sent:
        raise RefusedError(FIELD, "This file is empty.")
    if len(sent) > MAX_BYTES:
        raise RefusedError(FIELD, "This file is larger than 2 MB. Make the picture smaller, and try again.")
    try:
        image = Image.open(BytesIO(sent), formats=FORMATS)
        _refuse_size(*image.size)
        if (
            image.format in MOVING and getattr(image, "n_frames", 1) > 1
        ):  # a phone's JPEG has others beside the photograph
            raise RefusedError(FIELD, "A picture that moves can’t be put up; send a still one.")
        image.draft("RGB", (2 * MAX_SIDE, 2 * MAX_SIDE))
        with ONE_AT_A_TIME, _whole_only():
            image.load()
            image.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
        upright = ImageOps.exif_transpose(image)
        mode = "RGBA" if upright.has_transparency_data else "RGB"
        plain = upright.convert(mode)
    except RefusedError:  # a ValueError too
        raise
    except UNREADABLE_BY as error:
        raise RefusedError(FIELD, UNREADABLE) from error
    kept = Image.new(mode, plain.size)  # pixels alone: no place, no date, no thumbnail of what was cut off
    kept.paste(plain)
    out = BytesIO()
    kept.save(out, "WEBP", quality=82, method=4)
    return Drawn(out.getvalue(), *kept.size)


@contextmanager
def _whole_only() -> Iterator[None]:
    """What breaks off is refused, even where a printing library has told the whole process to fill up such pictures."""
    before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, False
    try:
        yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before


def _refuse_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise RefusedError(FIELD, "This picture has more than 24 million points. Make it smaller, and try again.")
    if min(width, height) < MIN_SIDE:
        raise RefusedError(FIELD, f"This picture is too small: {MIN_SIDE} points to each side is the least.")
    if max(width, height) > 12 * min(width, height):
        raise RefusedError(FIELD, "This picture is too long and thin to be shown.")
