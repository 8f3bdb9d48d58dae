"""Results of before, as a club brings them: lines of a table, read with every mistake named by its line."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

MAX_BYTES = 256 * 1024
MAX_LINES = 1000
MAX_ROUND = 999
MAX_KILLS = 999
COLUMNS = ("date", "round", "attacker", "defender", "winner")
OPTIONAL = ("attacker kills", "defender kills", "scenario")
DATES = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y")
DRAW = ("draw", "drawn", "tie")
SIDES = ("attacker", "defender")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedResult:
    """One match of before; companies by their ids."""

    line: int
    on: date
    round: int
    attacker: int
    defender: int
    winner: str  # "attacker", "defender" or "draw"
    attacker_kills: int | None = None
    defender_kills: int | None = None
    scenario: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyName:
    """A company of the campaign and whose it is."""

    name: str
    player: str = ""  # as others see them
    username: str = ""


class CompanyNames:
    """Finds the companies of a campaign by what a table calls them: "The Twins", or one of two such as "The Twins (bob)"."""

    def __init__(self, companies: Mapping[int, CompanyName]) -> None:
        self._found: dict[str, set[int]] = {}
        alike: dict[str, list[int]] = {}
        for pk, each in companies.items():
            alike.setdefault(_plain(each.name), []).append(pk)
        labels: dict[int, list[str]] = {}
        for pk, each in companies.items():
            number = alike[_plain(each.name)].index(pk) + 1
            suffixes = [each.player, each.username, f"{each.username or each.player} #{number}"]
            labels[pk] = [each.name, *(f"{each.name} ({suffix})" for suffix in suffixes if suffix)]
            for label in labels[pk]:
                self._found.setdefault(_plain(label), set()).add(pk)
        self._exact = {
            pk: next((label for label in mine if len(self._found[_plain(label)]) == 1), mine[0])
            for pk, mine in labels.items()
        }

    def find(self, text: str) -> Collection[int]:
        """All companies that this text may mean."""
        return self._found.get(_plain(text), ())

    def exact(self, companies: Collection[int] | None = None) -> list[str]:
        """The names that mean one company alone, of all companies or of these, from A to Z."""
        names = [name for pk, name in self._exact.items() if companies is None or pk in companies]
        return sorted(names, key=lambda name: (name.casefold(), name))


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLine:
    """One line of the table: what it says, and either the result or why there is none."""

    number: int  # in the text, the head being line 1
    cells: tuple[str, ...]  # as COLUMNS, then OPTIONAL
    result: ImportedResult | None = None
    problems: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[tuple[str, str], ...]:
        """Each cell with the name of its column."""
        return tuple(zip(COLUMNS + OPTIONAL, self.cells, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTable:
    """A text read: its lines, and what is wrong with it as a whole."""

    lines: tuple[ImportedLine, ...] = ()
    problem: str = ""

    @property
    def is_clean(self) -> bool:
        return bool(self.lines) and not self.problem and not any(line.problems for line in self.lines)

    @property
    def results(self) -> tuple[ImportedResult, ...]:
        return tuple(line.result for line in self.lines if line.result is not None)

    @property
    def wrong(self) -> int:
        """How many lines have a problem."""
        return sum(bool(line.problems) for line in self.lines)


def decoded(data: bytes) -> str:
    """The text of a file as spreadsheets write it: UTF-8, else Windows' own."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def read_imported(text: str, companies: CompanyNames, taken: Sequence[int], today: date) -> ImportedTable:
    """The results in a CSV text with a head line; columns in any order, set apart by comma, semicolon or tab.

    `companies` are those of the campaign; `taken` the numbers of the rounds that it has already.
    """
    if len(text.encode()) > MAX_BYTES:
        return ImportedTable(problem=f"The text is longer than {MAX_BYTES // 1024} KB; bring it in parts.")
    if "\0" in text or not text.strip():
        return ImportedTable(
            problem="There is nothing to read: the first line names the columns, each further line is one match."
        )
    text = text.lstrip("\ufeff")
    head = text.lstrip().splitlines()[0]
    separator = max(",;\t", key=head.count)
    try:
        rows = [(reader_line, row) for reader_line, row in _rows(text, separator)]
    except csv.Error as error:
        return ImportedTable(problem=f"This can't be read as a table: {error}.")
    names = [_plain(name) for name in rows[0][1]]
    if problem := _head_problem(names):
        return ImportedTable(problem=problem)
    if len(rows) - 1 > MAX_LINES:
        return ImportedTable(problem=f"These are {len(rows) - 1} lines; {MAX_LINES} are the most at once.")
    if len(rows) == 1:
        return ImportedTable(problem="There is a head line and no match under it.")
    seen: dict[tuple[int, frozenset[int]], int] = {}
    lines = []
    for number, row in rows[1:]:
        line = _line(number, dict(zip(names, row, strict=False)), companies, taken, today)
        if line.result is not None:
            pair = (line.result.round, frozenset((line.result.attacker, line.result.defender)))
            if pair in seen:
                again = f"the same companies met in round {pair[0]} in line {seen[pair]} already"
                line = ImportedLine(number=number, cells=line.cells, problems=(again,))
            else:
                seen[pair] = number
        lines.append(line)
    return ImportedTable(lines=tuple(lines))


def kills_as_figures(attacker: int | None, defender: int | None) -> dict[str, list[int]]:
    """What standings need of the kills of both sides: what one destroyed the other lost. Nothing if none are known."""
    if attacker is None and defender is None:
        return {}
    kills = [attacker or 0, defender or 0]
    return {"destroyed": kills, "lost": kills[::-1]}


def _rows(text: str, separator: str) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    found = []
    for row in reader:
        if any(cell.strip() for cell in row):
            found.append((reader.line_num, [cell.strip() for cell in row]))
    return found


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").casefold().split())


def _head_problem(names: Sequence[str]) -> str:
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        return f"The first line must name the columns; missing: {', '.join(missing)}."
    unknown = [name for name in names if name and name not in COLUMNS + OPTIONAL]
    if unknown:
        return f"No such column: {', '.join(unknown)[:80]}. Known are {', '.join(COLUMNS + OPTIONAL)}."
    twice = next((name for name in names if names.count(name) > 1), "")
    return f"The column {twice} is there twice." if twice else ""


def _line(
    number: int, cells: Mapping[str, str], companies: CompanyNames, taken: Sequence[int], today: date
) -> ImportedLine:
    problems: list[str] = []

    def told(problem: str) -> None:
        problems.append(problem)

    on = _date(cells.get("date", ""))
    if on is None:
        told("the date is not like 2025-03-14, 14.3.2025 or 14/3/2025")
    elif on > today:
        told("the date is still to come")
    round_number = _number(cells.get("round", ""), 1, MAX_ROUND)
    if round_number is None:
        told(f"the round is not a number from 1 to {MAX_ROUND}")
    elif round_number in taken:
        told(f"the campaign has a round {round_number} already")
    found = [companies.find(cells.get(name, "")) for name in SIDES]
    for name, each in zip(SIDES, found, strict=True):
        if not each:
            told(f"no company of the campaign is called {cells.get(name, '')[:60]!r} ({name})")
        elif len(each) > 1:
            told(f"{_several(cells[name], companies.exact(each))} ({name})")
    sides = [next(iter(each)) if len(each) == 1 else None for each in found]
    if sides[0] is not None and sides[0] == sides[1]:
        told("a company can't meet itself")
    winners = _winners(cells, found, companies)
    if not winners:
        told("the winner is neither attacker, defender, draw, nor one of the two companies")
    elif len(winners) > 1 and None not in sides:
        told("the winner may be either company; write attacker, defender or draw")
    kills: dict[str, int | None] = {}
    for name in SIDES:
        value = cells.get(f"{name} kills", "")
        kills[name] = _number(value, 0, MAX_KILLS) if value else None
        if value and kills[name] is None:
            told(f"the {name}'s kills are not a number from 0 to {MAX_KILLS}")
    shown = tuple(cells.get(name, "") for name in COLUMNS + OPTIONAL)
    if problems or on is None or round_number is None or sides[0] is None or sides[1] is None:
        return ImportedLine(number=number, cells=shown, problems=tuple(problems))
    result = ImportedResult(
        line=number,
        on=on,
        round=round_number,
        attacker=sides[0],
        defender=sides[1],
        winner=winners[0],
        attacker_kills=kills["attacker"],
        defender_kills=kills["defender"],
        scenario=cells.get("scenario", "")[:60],
    )
    return ImportedLine(number=number, cells=shown, result=result)


def _date(text: str) -> date | None:
    for form in DATES:
        try:
            return datetime.strptime(text, form).date()  # noqa: DTZ007 - a day at the table has no zone
        except ValueError:
            continue
    return None


def _number(text: str, least: int, most: int) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        return None
    return int(text) if least <= int(text) <= most else None


def _several(text: str, names: Sequence[str]) -> str:
    """Why the text is refused that may mean any of these companies, and how to name one of them."""
    return f"“{text[:60]}” is the name of {len(names)} companies; write {' or '.join(f'“{name}”' for name in names)}"


def _winners(cells: Mapping[str, str], found: Sequence[Collection[int]], companies: CompanyNames) -> list[str]:
    """What the winner's cell may mean: "draw", or the sides that it may name."""
    text = cells.get("winner", "")
    winner = _plain(text)
    if winner in DRAW:
        return ["draw"]
    if winner in SIDES or not winner:
        return [winner] if winner else []
    named = set(companies.find(text))
    return [
        side
        for side, each in zip(SIDES, found, strict=True)
        if named & set(each) or winner == _plain(cells.get(side, ""))
    ]
