"""Saves texts and pictures of a company, its units and pilots.

Uploaded pictures are checked and re-encoded, so that only their pixels are passed on.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from threading import Lock

from django.db import transaction
from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

from rosters import hooks
from rosters.models import Company, Description, Pilot, Player, Portrait, Unit
from rosters.services.base import clean_lines, company_lock, own
from rosters.site.exceptions import RefusedError

MAX_BYTES = 2 * 1024 * 1024
MAX_PIXELS = 24_000_000  # before scaling down; phones take photographs of this size
MIN_SIDE, MAX_SIDE = 64, 960
PICTURE_FORMATS = ("JPEG", "PNG", "WEBP")
MOVING = ("PNG", "WEBP")  # formats that can contain animations
ONE_AT_A_TIME = Lock()  # limits memory: each process loads one large picture at a time
UNREADABLE_BY = (
    UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError, TypeError, KeyError,
    AttributeError, OverflowError, struct.error,
)  # fmt: skip
FIELD = "picture"
UNREADABLE = "This file isn’t a picture we can read. Save it as JPEG, PNG or WebP and try again."


@dataclass(frozen=True, slots=True)
class ReencodedPicture:
    """A picture as it is stored: WebP, upright, without metadata."""

    picture: bytes
    width: int
    height: int

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.picture).hexdigest()[:32]


def reencode_picture(sent: bytes) -> ReencodedPicture:
    """Return the uploaded picture, re-encoded and scaled down for a page; RefusedError if it isn't acceptable."""
    if not sent:
        raise RefusedError(FIELD, "This file is empty. Choose another.")
    if len(sent) > MAX_BYTES:
        raise RefusedError(FIELD, "This file is larger than 2 MB. Make the picture smaller and try again.")
    try:
        image = Image.open(BytesIO(sent), formats=PICTURE_FORMATS)
        _refuse_size(*image.size)
        if (
            image.format in MOVING and getattr(image, "n_frames", 1) > 1
        ):  # not for JPEG: a phone's photograph may contain further pictures
            raise RefusedError(FIELD, "Animated pictures aren’t allowed. Upload a still one.")
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
    kept = Image.new(mode, plain.size)  # only pixels: no location, no date, no thumbnail of cropped parts
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
        raise RefusedError(FIELD, "This picture has more than 24 million pixels. Make it smaller and try again.")
    if min(width, height) < MIN_SIDE:
        raise RefusedError(FIELD, f"This picture is too small. Each side needs at least {MIN_SIDE} pixels.")
    if max(width, height) > 12 * min(width, height):
        raise RefusedError(FIELD, "This picture is too long and thin. Crop it and try again.")


MAX_STORY_LENGTH, MAX_NOTES_LENGTH = 4000, 4000


@transaction.atomic
def description_save(
    *, company: Company, by: Player, story: str, notes: str, unit: Unit | None = None, pilot: Pilot | None = None
) -> None:
    """Save the texts about the company, or about one of its units or pilots; delete the row if both are empty."""
    locked = _locked(company, by, unit, pilot)
    now = Description.objects.filter(company=locked, unit=unit, pilot=pilot).first()
    made = {
        "story": clean_lines("story", story, longest=MAX_STORY_LENGTH, now=now.story if now else None),
        "notes": clean_lines("notes", notes, longest=MAX_NOTES_LENGTH, now=now.notes if now else None),
    }
    if any(made.values()):
        Description.objects.update_or_create(company=locked, unit=unit, pilot=pilot, defaults=made)
    elif now:
        now.delete()


def portrait_set(
    *, company: Company, by: Player, sent: bytes, unit: Unit | None = None, pilot: Pilot | None = None
) -> Portrait:
    """Save an uploaded picture, in place of the drawn one or an earlier upload.

    RefusedError if the picture isn't acceptable, or if the company may show none.
    """
    drawn = reencode_picture(sent)
    with transaction.atomic():
        locked = _locked(company, by, unit, pilot)
        if reason := hooks.portraits_barred([locked.pk]).get(locked.pk):
            raise RefusedError(FIELD, reason)
        made = {"digest": drawn.digest, "picture": drawn.picture, "width": drawn.width, "height": drawn.height}
        row, _ = Portrait.objects.update_or_create(company=locked, unit=unit, pilot=pilot, defaults=made)
        return row


@transaction.atomic
def portrait_remove(*, company: Company, by: Player, unit: Unit | None = None, pilot: Pilot | None = None) -> bool:
    """Remove the picture, so that the drawn one is shown again; return whether there was one."""
    locked = _locked(company, by, unit, pilot)
    gone, _ = Portrait.objects.filter(company=locked, unit=unit, pilot=pilot).delete()
    return bool(gone)


def _locked(company: Company, by: Player, unit: Unit | None, pilot: Pilot | None) -> Company:
    """Lock the company and return it; RefusedError if the unit or pilot isn't the company's."""
    locked = company_lock(company)
    assert locked.owner_id == by.pk, "only the owner can change the pictures of a company"
    for row, field in ((unit, "unit"), (pilot, "pilot")):
        if row is not None:
            own(locked, row, field)
    return locked
