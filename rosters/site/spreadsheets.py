"""Read spreadsheet files as text, and send tables as CSV files for spreadsheet programs."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable
from pathlib import Path

from django.http import HttpResponse

from rosters.site.exceptions import RefusedError

CHILD = Path(__file__).with_name("spreadsheet_child.py")
WAIT = 20  # seconds
ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"  # first bytes of .xlsx and .ods files, and of .xls files
UNREADABLE = "This file can't be read as a spreadsheet. Save it as .xlsx, .ods or .csv and try again."
NO_TABLE = "This can't be read as a table: a quotation mark isn't closed, or a cell is very long."
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # first characters of texts that spreadsheet programs take as formulas


def read_file(data: bytes) -> str:
    """Return the first sheet of a spreadsheet file as CSV, or the text of any other file.

    RefusedError if a spreadsheet can't be read.
    """
    return _sheet_text(data) if data.startswith((ZIP, OLE)) else decode_text(data)


def decode_text(data: bytes) -> str:
    """Decode a text file in one of the encodings that spreadsheet programs write: UTF-8, UTF-16 or Windows-1252."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    start = data[:200]
    if len(start) > 1 and start.count(0) >= len(start) // 3:
        return data.decode("utf-16-le" if start[1] == 0 else "utf-16-be", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def read_rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the non-empty rows of a CSV text, each with its line number. RefusedError if the text is not a table.

    Cells are separated by commas, semicolons or tabs, or by the separator that a first line like `sep=;` names. All
    line endings are accepted, and letters with separate accents too.
    """
    text = unicodedata.normalize("NFC", text.lstrip("\ufeff")).replace("\r\n", "\n").replace("\r", "\n")
    first, _, rest = text.partition("\n")
    skipped = 0
    if first.strip().strip('"').lower().startswith("sep=") and len(first.strip().strip('"')) == 5:
        separator, text, skipped = first.strip().strip('"')[4], rest, 1
    elif first.strip('" ').lower() == "sep=\t":
        separator, text, skipped = "\t", rest, 1
    else:
        head = text.lstrip("\n ").partition("\n")[0]
        separator = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    found, line = [], skipped
    try:
        for row in reader:
            begins, line = line + 1, skipped + reader.line_num
            if any(cell.strip() for cell in row):
                found.append((begins, [cell.strip() for cell in row]))
    except csv.Error:
        raise RefusedError("text", NO_TABLE) from None
    return found


def csv_download(rows: Iterable[Iterable[str | float | None]], name: str) -> HttpResponse:
    """Return the rows as a CSV download. It starts with a byte order mark, by which Excel recognises UTF-8."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(map(escape_csv_formulas, rows))
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(f"\ufeff{text.getvalue()}", content_type="text/csv; charset=utf-8", headers=headers)


def escape_csv_formulas(line: Iterable[str | float | None]) -> list[str | float | None]:
    """Return the line with all texts escaped that a spreadsheet program would take as formulas."""
    return [f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell for cell in line]


def _sheet_text(data: bytes) -> str:
    command = [sys.executable, "-P", str(CHILD)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=WAIT, check=True)
        rows = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError):
        raise RefusedError("file", UNREADABLE) from None
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([cell.replace("\n", " ") for cell in row] for row in rows)
    return text.getvalue()
