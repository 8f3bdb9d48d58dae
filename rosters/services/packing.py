"""Pack the archive of a player's data: the files of all apps, in one ZIP."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime

from rosters import hooks
from rosters.database.moments import read_snapshot
from rosters.models import Player
from rosters.site.takeout import ExportPart
from systems.words import pluralize


def count_parts() -> int:
    """Return the number of steps of `pack_files`."""
    return len(hooks.takeout_parts)


def pack_files(player: Player, *, at: datetime, step: Callable[[int], object] = lambda done: None) -> bytes:
    """Return the ZIP. Each part is a consistent snapshot; `step` is called after each with the number done."""
    held = io.BytesIO()
    counts: list[tuple[ExportPart, int]] = []
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for done, part in enumerate(hooks.takeout_parts, start=1):
            number = 0
            with read_snapshot():
                for path, text in part.files(player):
                    archive.writestr(path, text)
                    number += 1
            counts.append((part, number))
            step(done)
        archive.writestr("README.txt", _readme(player, counts, at))
    return held.getvalue()


def _readme(player: Player, counts: Iterable[tuple[ExportPart, int]], at: datetime) -> str:
    return "\n".join(
        [
            f"Everything in Muster that is {player.username}'s, packed on {at.astimezone(UTC):%d %B %Y, %H:%M} UTC.",
            "",
            "All files are text (UTF-8). Those with a line \"muster\" in them are documents that any Muster reads:",
            "  company/1    manage.py import_company FILE --owner NAME",
            "  design/1     manage.py check_design FILE",
            "  scenario/1   the page Scenarios, \"Upload a document\"",
            "  print/1      manage.py print_cards FILE",
            "  records of battles (.jsonl)    manage.py verify FILE",
            "",
            *(line for part, number in counts for line in _part_lines(part, number)),
            "Not in here: passwords, tokens, the secret of a second factor, keys of links. They can't be read out, or",
            "would let in whoever finds this file. Words of other players are theirs, and are not in here either.",
            "",
        ]
    )  # fmt: skip


def _part_lines(part: ExportPart, number: int) -> Iterator[str]:
    yield f"{part.path}  ({pluralize(number, 'files')})"
    yield f"  {part.about}"
    yield ""
