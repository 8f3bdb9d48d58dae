"""Print the first non-empty sheet of a spreadsheet as JSON; this module runs in a process of its own.

Even a small file can contain a cell at the far end of a sheet, and then the library tries to allocate too much memory
and ends the process. So the file is read in this separate process, with limited memory and time.
"""

import datetime
import io
import json
import resource
import sys

import python_calamine

MEMORY = 1024 * 1024 * 1024  # bytes of address space; only a small part is used
SECONDS = 10
MAX_ROWS, MAX_COLUMNS, MAX_CELL = 1100, 60, 300


def cell_text(value: object) -> str:
    """Return the cell's value as a person would type it."""
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ", "minutes")
    if isinstance(value, float):
        value = int(value) if value.is_integer() else value
    return str(value)[:MAX_CELL]


def rows_of(data: bytes) -> list[list[str]]:
    """Return the rows of the first non-empty sheet, starting with its first row."""
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    for name in book.sheet_names:
        sheet = book.get_sheet_by_name(name)
        if sheet.start is None:
            continue
        rows: list[list[str]] = []
        for row in sheet.iter_rows():
            if len(rows) > MAX_ROWS:
                break
            rows.append([cell_text(value) for value in row[:MAX_COLUMNS]])
        return rows
    return []


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    json.dump(rows_of(sys.stdin.buffer.read()), sys.stdout)
