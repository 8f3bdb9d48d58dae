"""Past results as a club uploads them: the lines of a table, with every mistake reported by line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from unicodedata import normalize

from rosters.site.exceptions import RefusedError
from rosters.site.spreadsheets import read_rows

MAX_BYTES = 256 * 1024
MAX_LINES = 1000
MAX_ROUND = 999
MAX_KILLS = 999
MAX_UNKNOWN = 40  # names asked about in one go
COLUMNS = ("date", "round", "attacker", "defender", "winner")
OPTIONAL = ("attacker kills", "defender kills", "scenario")
YEAR_FIRST = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?:[T ].*)?")
DAY_FIRST = re.compile(r"([0-9]{1,2})\. ?([0-9]{1,2})\. ?([0-9]{4}|[0-9]{2})")
AMBIGUOUS_DATE = re.compile(r"([0-9]{1,2})[/-]([0-9]{1,2})[/-]([0-9]{4}|[0-9]{2})")  # 3/4/2025
MIN_SIMILARITY = 0.6  # minimum similarity, of 1, for a name to be suggested
COLUMN_ALIASES = {  # other common names of these columns
    "date": ("day", "when", "datum", "played", "played on", "game date"),
    "round": ("rd", "week", "matchday", "runde", "round no", "round number"),
    "attacker": ("home", "player 1", "team 1", "company 1", "side a", "side 1", "angreifer"),
    "defender": ("away", "player 2", "team 2", "company 2", "side b", "side 2", "opponent", "verteidiger"),
    "winner": ("won", "won by", "victor", "result", "sieger"),
    "attacker kills": ("kills attacker", "attackers kills", "kills 1", "kills a", "home kills"),
    "defender kills": ("kills defender", "defenders kills", "kills 2", "kills b", "away kills"),
    "scenario": ("mission", "map", "szenario"),
}
DRAW = ("draw", "drawn", "tie")
SIDES = ("attacker", "defender")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedResult:
    """One past match; companies by id."""

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
    """A company of the campaign and its player."""

    name: str
    player: str = ""  # as others see them
    username: str = ""


class CompanyNames:
    """Find a campaign's companies by their names in a table: "The Twins", or of two such "The Twins (bob)"."""

    def __init__(self, companies: Mapping[int, CompanyName]) -> None:
        self._found: dict[str, set[int]] = {}
        alike: dict[str, list[int]] = {}
        for pk, each in companies.items():
            alike.setdefault(_normalize_name(each.name), []).append(pk)
        labels: dict[int, list[str]] = {}
        for pk, each in companies.items():
            number = alike[_normalize_name(each.name)].index(pk) + 1
            suffixes = [each.player, each.username, f"{each.username or each.player} #{number}"]
            labels[pk] = [each.name, *(f"{each.name} ({suffix})" for suffix in suffixes if suffix)]
            for label in labels[pk]:
                self._found.setdefault(_normalize_name(label), set()).add(pk)
        self._exact = {
            pk: next((label for label in mine if len(self._found[_normalize_name(label)]) == 1), mine[0])
            for pk, mine in labels.items()
        }

    def find(self, text: str) -> Collection[int]:
        """Return all companies that this text may mean."""
        return self._found.get(_normalize_name(text), ())

    def guess(self, text: str) -> str:
        """Return the exact name of the most similarly named company; empty if none is similar."""
        close = difflib.get_close_matches(_normalize_name(text)[:100], self._found, n=1, cutoff=MIN_SIMILARITY)
        return self.exact(self._found[close[0]])[0] if close else ""

    def exact(self, companies: Collection[int] | None = None) -> list[str]:
        """Return the unambiguous names of all companies, or of these, from A to Z."""
        names = [name for pk, name in self._exact.items() if companies is None or pk in companies]
        return sorted(names, key=lambda name: (name.casefold(), name))


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLine:
    """One line of the table: its cells, and either the result or the problems."""

    number: int  # in the text; the head is line 1
    cells: tuple[str, ...]  # as COLUMNS, then OPTIONAL
    result: ImportedResult | None = None
    problems: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[tuple[str, str], ...]:
        """Return each cell with the name of its column."""
        return tuple(zip(COLUMNS + OPTIONAL, self.cells, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Answers about a table that can't be read without them."""

    columns: Mapping[str, str] = field(default_factory=dict)  # the table's name of a column -> ours; empty: ignore it
    names: Mapping[str, str] = field(default_factory=dict)  # the table's name of a company -> the company's exact name
    day_first: bool | None = None  # whether 3/4/2025 is 3 April


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadColumn:
    """A column of the table: its name, the column of ours that it is or may be, and its first cell."""

    name: str
    column: str
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownName:
    """A name in the table that no company has, and the company that may be meant."""

    name: str
    guess: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTable:
    """A parsed text: its lines, the problem of the text as a whole, and what has to be asked about it."""

    lines: tuple[ImportedLine, ...] = ()
    problem: str = ""
    heads: tuple[HeadColumn, ...] = ()  # empty: its columns have our names
    unknown: tuple[UnknownName, ...] = ()
    either: str = ""  # an example of an ambiguous date
    day_first: bool | None = None  # how such dates were read

    @property
    def asks_dates(self) -> bool:
        return bool(self.either) and self.day_first is None

    @property
    def either_days(self) -> tuple[str, str]:
        """Return that date in words, read day first and month first."""
        days = [read_day(self.either, is_first) for is_first in (True, False)]
        first, second = (format_day(day) if day else "" for day in days)
        return first, second

    @property
    def objection(self) -> str:
        """Return why nothing can be imported; empty if everything can."""
        if self.problem:
            return self.problem
        if self.asks_dates:
            first, second = self.either_days
            return f"“{self.either}” can be {first} or {second}. Say whether the day or the month comes first."
        wrong = next((line for line in self.lines if line.problems), None)
        return f"Line {wrong.number}: {wrong.problems[0]}. Nothing was imported." if wrong else ""

    @property
    def is_clean(self) -> bool:
        return bool(self.lines) and not self.objection

    @property
    def results(self) -> tuple[ImportedResult, ...]:
        return tuple(line.result for line in self.lines if line.result is not None)

    @property
    def wrong(self) -> int:
        """Return how many lines have a problem."""
        return sum(bool(line.problems) for line in self.lines)


NO_ANSWERS = Answers()
DATE_ORDERS = {"day-first": True, "month-first": False}


def parse_results(
    text: str, companies: CompanyNames, taken: Sequence[int], today: date, answers: Answers = NO_ANSWERS
) -> ImportedTable:
    """Read results from CSV with a head line; columns in any order, separated by comma, semicolon or tab.

    `companies` are those of the campaign; `taken` are the numbers of its existing rounds.
    """
    if len(text.encode()) > MAX_BYTES:
        return ImportedTable(problem=f"The text is longer than {MAX_BYTES // 1024} KB. Import it in parts.")
    try:
        rows = read_rows(text) if "\0" not in text else []
    except RefusedError as error:
        return ImportedTable(problem=error.reason)
    if not rows:
        return ImportedTable(
            problem="The table is empty. The first line names the columns, each further line is one match."
        )
    heads = _match_columns(rows, answers.columns)
    own = heads if any(_normalize_name(head.name) != head.column for head in heads) else ()
    if problem := _head_problem(heads, answers.columns):
        return ImportedTable(problem=problem, heads=heads)
    if len(rows) - 1 > MAX_LINES:
        return ImportedTable(
            problem=f"The table has {len(rows) - 1} lines, but the maximum is {MAX_LINES}. Import it in parts.",
            heads=own,
        )
    if len(rows) == 1:
        return ImportedTable(problem="There are no matches below the column names.", heads=own)
    names = [head.column for head in heads]
    cells = [(number, dict(zip(names, row, strict=False))) for number, row in rows[1:]]
    either, day_first = _day_order([line.get("date", "") for _, line in cells])
    if answers.day_first is not None:
        day_first = answers.day_first
    called = {_normalize_name(name): company for name, company in answers.names.items() if company}
    seen: dict[tuple[int, frozenset[int]], int] = {}
    lines = []
    for number, given in cells:
        meant = {
            name: called.get(_normalize_name(cell), cell) if name in (*SIDES, "winner") else cell
            for name, cell in given.items()
        }
        line = _parse_line(number, meant, companies, taken, today, day_first)
        if line.result is not None:
            pair = (line.result.round, frozenset((line.result.attacker, line.result.defender)))
            if pair in seen:
                again = f"the same companies already meet in round {pair[0]}, in line {seen[pair]}"
                line = ImportedLine(number=number, cells=line.cells, problems=(again,))
            else:
                seen[pair] = number
        lines.append(line)
    sides = dict.fromkeys(line.get(name, "") for _, line in cells for name in SIDES)
    unknown = [name for name in sides if name and not companies.find(name)][:MAX_UNKNOWN]
    return ImportedTable(
        lines=tuple(lines),
        heads=own,
        unknown=tuple(
            UnknownName(name=name, guess=called.get(_normalize_name(name)) or companies.guess(name)) for name in unknown
        ),
        either=either,
        day_first=day_first,
    )


def kills_as_figures(attacker: int | None, defender: int | None) -> dict[str, list[int]]:
    """Return the standings' figures for both sides' kills: one side's kills are the other's losses. {} if unknown."""
    if attacker is None and defender is None:
        return {}
    kills = [attacker or 0, defender or 0]
    return {"destroyed": kills, "lost": kills[::-1]}


def read_day(text: str, day_first: bool | None) -> date | None:
    """Return the day that a text names; `day_first` decides how to read 3/4/2025, None counts as day first."""
    if found := YEAR_FIRST.fullmatch(text):
        year, month, day = found.groups()
    elif found := DAY_FIRST.fullmatch(text):
        day, month, year = found.groups()
    elif found := AMBIGUOUS_DATE.fullmatch(text):
        day, month, year = found.groups()
        if day_first is False:
            day, month = month, day
    else:
        return None
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None


def format_day(day: date) -> str:
    return f"{day:%a} {day.day} {day:%b %Y}"


def _day_order(texts: Iterable[str]) -> tuple[str, bool | None]:
    """Return an ambiguous date of these, and whether the day comes first in the unambiguous ones.

    The latter is None if they don't show it.
    """
    either, orders = "", set()
    for text in texts:
        if found := AMBIGUOUS_DATE.fullmatch(text):
            first, second = int(found[1]), int(found[2])
            if first <= 12 and second <= 12:
                either = either or (text if first != second else "")
            else:
                orders.add(first > 12)
    return either, orders.pop() if len(orders) == 1 else None


def _normalize_name(name: str) -> str:
    return " ".join(normalize("NFC", name).replace("_", " ").casefold().split())


def _match_columns(rows: Sequence[tuple[int, Sequence[str]]], answers: Mapping[str, str]) -> tuple[HeadColumn, ...]:
    """Return the columns of the first row: by our names or the answers, else with a guess."""
    known = COLUMNS + OPTIONAL
    answered = {_normalize_name(name): column for name, column in answers.items()}
    plain = [_normalize_name(name) for name in rows[0][1]]
    taken = {answered.get(name, name) for name in plain} & set(known)
    heads = []
    for at, name in enumerate(plain):
        column = answered.get(name, name if name in known else "")
        if name and not column and name not in answered:
            left = [each for each in known if each not in taken]
            alike = difflib.get_close_matches(name, left, n=1, cutoff=0.7)
            column = next((each for each in left if name in COLUMN_ALIASES[each]), alike[0] if alike else "")
            taken.add(column)
        example = next((row[at] for _, row in rows[1:] if at < len(row) and row[at]), "")
        heads.append(HeadColumn(name=rows[0][1][at], column=column, example=example))
    return tuple(heads)


def _head_problem(heads: Sequence[HeadColumn], answers: Mapping[str, str]) -> str:
    """Return the problem of the columns. A column is known by our name or by an answer, never by a guess."""
    answered = {_normalize_name(name) for name in answers}
    sure = [
        head.column
        for head in heads
        if _normalize_name(head.name) in answered or _normalize_name(head.name) == head.column
    ]
    missing = [name for name in COLUMNS if name not in sure]
    lacks = f" Missing: {', '.join(missing)}." if missing else ""
    unknown = [
        f"“{head.name[:40]}”" for head in heads if head.name and not {_normalize_name(head.name)} & {*sure, *answered}
    ]
    if unknown:
        return f"Say what is in {'this column' if len(unknown) == 1 else 'these columns'}: "
        f"{', '.join(unknown[:8])}.{lacks}"
    if missing:
        return f"The first line must name the columns; missing: {', '.join(missing)}."
    twice = next((name for name in sure if name and sure.count(name) > 1), "")
    return f"The column {twice} appears twice. Remove one." if twice else ""


def _parse_line(
    number: int,
    cells: Mapping[str, str],
    companies: CompanyNames,
    taken: Sequence[int],
    today: date,
    day_first: bool | None,
) -> ImportedLine:
    problems: list[str] = []

    on = read_day(cells.get("date", ""), day_first)
    if on is None:
        problems.append("the date must look like 2025-03-14, 14.3.2025 or 14/3/2025")
    elif on > today:
        problems.append("the date is in the future")
    round_number = _number(cells.get("round", ""), 1, MAX_ROUND)
    if round_number is None:
        problems.append(f"the round is not a number from 1 to {MAX_ROUND}")
    elif round_number in taken:
        problems.append(f"the campaign already has a round {round_number}")
    found = [companies.find(cells.get(name, "")) for name in SIDES]
    for name, each in zip(SIDES, found, strict=True):
        if not each:
            problems.append(_no_company(cells.get(name, ""), name, companies))
        elif len(each) > 1:
            problems.append(f"{_describe_ambiguity(cells[name], companies.exact(each))} ({name})")
    sides = [next(iter(each)) if len(each) == 1 else None for each in found]
    if sides[0] is not None and sides[0] == sides[1]:
        problems.append("a company can't meet itself")
    winners = _winners(cells, found, companies)
    if not winners:
        problems.append("the winner must be attacker, defender, draw or one of the two companies")
    elif len(winners) > 1 and None not in sides:
        problems.append("the winner could be either company; write attacker, defender or draw")
    kills: dict[str, int | None] = {}
    for name in SIDES:
        value = cells.get(f"{name} kills", "")
        kills[name] = _number(value, 0, MAX_KILLS) if value else None
        if value and kills[name] is None:
            problems.append(f"the {name}'s kills are not a number from 0 to {MAX_KILLS}")
    values = tuple(cells.get(name, "") for name in COLUMNS + OPTIONAL)
    if on is not None and (day_first is not None or not AMBIGUOUS_DATE.fullmatch(values[0])):
        values = (format_day(on), *values[1:])
    if problems or on is None or round_number is None or sides[0] is None or sides[1] is None:
        return ImportedLine(number=number, cells=values, problems=tuple(problems))
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
    return ImportedLine(number=number, cells=values, result=result)


def _no_company(text: str, side: str, companies: CompanyNames) -> str:
    if not text:
        return f"the {side} is missing"
    guess = companies.guess(text)
    meant = f"; did you mean “{guess}”?" if guess else ""
    return f"no company of the campaign is called “{text[:60]}” ({side}){meant}"


def _number(text: str, least: int, most: int) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        return None
    return int(text) if least <= int(text) <= most else None


def _describe_ambiguity(text: str, names: Sequence[str]) -> str:
    """Return why a text that may mean several companies is refused, and how to name one of them."""
    return f"“{text[:60]}” is the name of {len(names)} companies; write {' or '.join(f'“{name}”' for name in names)}"


def _winners(cells: Mapping[str, str], found: Sequence[Collection[int]], companies: CompanyNames) -> list[str]:
    """Return what the winner's cell may mean: "draw", or the sides that it may name."""
    text = cells.get("winner", "")
    winner = _normalize_name(text)
    if winner in DRAW:
        return ["draw"]
    if winner in SIDES or not winner:
        return [winner] if winner else []
    named = set(companies.find(text))
    return [
        side
        for side, each in zip(SIDES, found, strict=True)
        if named & set(each) or winner == _normalize_name(cells.get(side, ""))
    ]
