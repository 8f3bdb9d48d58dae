"""A player's texts and pictures of companies, units and pilots, with private notes, for the archive of their data."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.models import Player, Portrait, Description
from rosters.site.takeout import ExportFile, ExportPart, isoformat, file_path, to_json_text


def _text_files(player: Player) -> Iterator[ExportFile]:
    rows = Description.objects.filter(company__owner=player).select_related("company", "unit", "pilot").order_by("pk")
    found = [
        {
            "company": row.company.name,
            "unit": row.unit.name if row.unit else None,
            "pilot": str(row.pilot) if row.pilot else None,
            "story": row.story,
            "notes": row.notes,
            "changed_at": isoformat(row.changed_at),
        }
        for row in rows
    ]
    if found:
        yield "words.json", to_json_text(found)


def _portrait_files(player: Player) -> Iterator[ExportFile]:
    rows = Portrait.objects.filter(company__owner=player).select_related("company", "unit", "pilot").order_by("pk")
    for row in rows.iterator(chunk_size=10):
        whose = str(row.unit or row.pilot or row.company)
        yield file_path("pictures", row.pk, whose, "webp"), bytes(row.picture)


APPEARANCE_PARTS = (
    ExportPart(
        path="words.json",
        about="What you wrote of your companies, units and pilots, with the notes that nobody else reads.",
        files=_text_files,
    ),
    ExportPart(
        path="pictures/",
        about="The pictures that you put up of your companies, units and pilots, as WebP.",
        files=_portrait_files,
    ),
)
