"""Uploaded pictures: checked with care and re-encoded, so that nothing else of the uploaded file is passed on."""

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
MAX_PIXELS = 24_000_000  # before scaling down; the size of a phone's photographs
MIN_SIDE, MAX_SIDE = 64, 960
PICTURE_FORMATS = ("JPEG", "PNG", "WEBP")
MOVING = ("PNG", "WEBP")  # formats that can contain animations
ONE_AT_A_TIME = Lock()  # limits the memory for large pictures to one at a time per process
UNREADABLE_BY = (
    UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError, TypeError, KeyError,
    AttributeError, OverflowError, struct.error,
)  # fmt: skip
FIELD = "picture"
UNREADABLE = "This file can’t be read as a picture. Save it anew as JPEG, PNG or WebP, and try that."


@dataclass(frozen=True, slots=True)
class ReencodedPicture:
    """The stored picture: WebP, upright, without metadata from cameras or programs."""

    picture: bytes
    width: int
    height: int

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.picture).hexdigest()[:32]


def reencode_picture(sent: bytes) -> ReencodedPicture:
    """Return the uploaded picture, scaled down for a page; raises RefusedError."""
    if not sent:
        raise RefusedError(FIELD, "This file is empty.")
    if len(sent) > MAX_BYTES:
        raise RefusedError(FIELD, "This file is larger than 2 MB. Make the picture smaller, and try again.")
    try:
        image = Image.open(BytesIO(sent), formats=PICTURE_FORMATS)
        _refuse_size(*image.size)
        if (
            image.format in MOVING and getattr(image, "n_frames", 1) > 1
        ):  # a phone's JPEG may contain more pictures beside the photograph
            raise RefusedError(FIELD, "A picture that moves can’t be put up; send a still one.")
        image.draft("RGB", (2 * MAX_SIDE, 2 * MAX_SIDE))
        with ONE_AT_A_TIME, _whole_only():
            image.load()
            image.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
        upright = ImageOps.exif_transpose(image)
        mode = "RGBA" if upright.has_transparency_data else "RGB"
        plain = upright.convert(mode)
    except RefusedError:  # also a ValueError
        raise
    except UNREADABLE_BY as error:
        raise RefusedError(FIELD, UNREADABLE) from error
    kept = Image.new(mode, plain.size)  # only pixels: no place, no date, no thumbnail of cropped parts
    kept.paste(plain)
    out = BytesIO()
    kept.save(out, "WEBP", quality=82, method=4)
    return ReencodedPicture(out.getvalue(), *kept.size)


@contextmanager
def _whole_only() -> Iterator[None]:
    """Refuse truncated pictures, even if a printing library has set the whole process to accept them."""
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
