"""The report of a match by one side, report/1, and the comparison of two reports. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pydantic

from systems.documents import MAX_INTEGER, Document, parse_document, with_example
from systems.reading import fate_fields
from systems.report_fields import MAX_ROUNDS, CountField, FateField, UnitFate, one_of
from systems.scenarios import SIDES
from systems.setups import Key, Slug

NO_WINNER = one_of((*SIDES, "draw"))


def _winner(answer: object) -> object:
    if answer not in (*SIDES, "draw"):
        raise ValueError(NO_WINNER)
    return answer


Winner = Annotated[Literal["attacker", "defender", "draw"], pydantic.BeforeValidator(_winner)]
FIELDS = fate_fields()


def _unit_model(fields: Sequence[FateField]) -> type[Document]:
    forms: dict[str, Any] = {each.name: (each.form, each.nothing) for each in fields}
    return pydantic.create_model("ReportUnit", __base__=Document, __doc__="What became of one unit.", **forms)


if TYPE_CHECKING:
    ReportUnit = Document
else:
    ReportUnit = _unit_model(FIELDS)


class ReportSupport(Document):
    attacker: tuple[Slug, ...] = ()
    defender: tuple[Slug, ...] = ()


class MatchReport(Document):
    model_config = with_example(
        muster="report/1",
        winner="attacker",
        rounds=6,
        units={"u12": {"hits_lost": 2, "kills": 1}, "u31": {"destroyed": True, "fate": "injured"}},
    )

    muster: Literal["report/1"]
    winner: Winner
    rounds: Annotated[int, pydantic.Field(ge=0, le=MAX_ROUNDS)] | None = None
    units: dict[Key, ReportUnit] = {}  # by key of the set-up; what an entry leaves out is zero or false
    support: ReportSupport = ReportSupport()  # what each side used, by slug

    @property
    def fates(self) -> dict[str, UnitFate]:
        """Return the reported fates of units, by key."""
        return {key: UnitFate(unit.model_dump()) for key, unit in self.units.items()}


@cache
def _report_model(fields: tuple[FateField, ...]) -> type[MatchReport]:
    """Return the model of a report whose units have these fields."""
    units: Any = (dict[Key, _unit_model(fields)], {})  # type: ignore[misc]
    return MatchReport if fields == FIELDS else pydantic.create_model("MatchReport", __base__=MatchReport, units=units)


def parse_report(data: bytes | str | Mapping[str, object], system: str = "") -> MatchReport:
    """Return the parsed report, checked by itself against the bounds of that game, or the widest of all games.

    Raises DocumentError. Whether it is possible in its match is checked in `decisions`.
    """
    return parse_document(_report_model(fate_fields(system)), data)


def parse_stored_report(content: Mapping[str, object]) -> MatchReport:
    """Return a report that was accepted before, whatever bounds its game had then."""
    fields = (replace(each, most=MAX_INTEGER) if isinstance(each, CountField) else each for each in fate_fields())
    return parse_document(_report_model(tuple(fields)), content)


NOT_COUNTED = "not counted"
EMPTY_ANSWERS = ("0", "no", "none", NOT_COUNTED, "not rolled")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLabels:
    """The names of sides, units and support results, and the fields of a unit, in the match's game."""

    sides: tuple[str, str]
    units: Mapping[str, str]  # by key, in the order of the set-up
    support: Mapping[str, str]
    fields: Sequence[FateField]  # in the order of a report


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """One field of both reports, in words; empty for a missing report."""

    path: str
    of: str  # the unit or side that it is about; empty for the whole match
    field: str
    attacker: str
    defender: str
    differs: bool

    @property
    def label(self) -> str:
        return f"{self.of}: {self.field}" if self.of else self.field[:1].upper() + self.field[1:]

    @property
    def is_empty(self) -> bool:
        """Return whether neither report says anything here."""
        return not self.differs and {self.attacker, self.defender} <= {*EMPTY_ANSWERS, ""}

    def to_json(self) -> dict[str, str]:
        """Return the field as a dispute stores it."""
        return {"path": self.path, "label": self.label, "attacker": self.attacker, "defender": self.defender}


def compare_reports(
    attacker: MatchReport | None, defender: MatchReport | None, words: ReportLabels
) -> tuple[ComparisonRow, ...]:
    """Return every field of two reports; nothing differs from a missing one."""
    return tuple(_rows((attacker, defender), words))


def differences(attacker: MatchReport, defender: MatchReport, words: ReportLabels) -> tuple[ComparisonRow, ...]:
    """Return the fields in which two reports contradict each other.

    What a report leaves open contradicts nothing: uncounted rounds, a fate that wasn't rolled at the table, and, for a
    unit that both call destroyed, whether it was repaired before and how many Hits it lost.
    """
    return tuple(row for row in compare_reports(attacker, defender, words) if row.differs)


def merge_reports(attacker: MatchReport, defender: MatchReport) -> MatchReport:
    """Combine two agreeing reports: rounds if either side counted them, fates if either side rolled them."""
    first, second = (attacker, defender) if attacker.rounds is not None else (defender, attacker)
    units = {}
    for key, unit in first.units.items():
        other = second.units.get(key, unit)
        units[key] = unit.model_copy(update={name: getattr(other, name) for name, answer in unit if answer == ""})
    return first.model_copy(update={"units": units})


def _rows(reports: Sequence[MatchReport | None], words: ReportLabels) -> Iterator[ComparisonRow]:
    winners = dict(zip(SIDES, words.sides, strict=True)) | {"draw": "draw"}
    yield _row("winner", "", "winner", [winners[report.winner] if report else None for report in reports])
    rounds = [_rounds(report) if report else None for report in reports]
    yield _row("rounds", "", "rounds", rounds, open_to=NOT_COUNTED)
    fates = [report.fates if report else None for report in reports]
    for key, name in words.units.items():
        reported = [units.get(key, UnitFate()) if units is not None else None for units in fates]
        is_gone = all(fate is None or fate.is_lost for fate in reported)
        for each in words.fields:
            answers = [fate.get(each.name, each.nothing) if fate is not None else None for fate in reported]
            values = [None if answer is None else each.in_words(answer) for answer in answers]
            never = is_gone and each.is_of_hits
            yield _row(f"units.{key}.{each.name}", name, each.label, values, open_to=each.open_as, never=never)
    for side, name in zip(SIDES, words.sides, strict=True):
        used = [_support(getattr(report.support, side), words) if report else None for report in reports]
        yield _row(f"support.{side}", name, "support used", used)


def _row(
    path: str, of: str, field: str, values: Sequence[str | None], *, open_to: str = "", never: bool = False
) -> ComparisonRow:
    attacker, defender = values
    known = None not in values and not never and open_to not in values
    return ComparisonRow(
        path=path,
        of=of,
        field=field,
        attacker=attacker or "",
        defender=defender or "",
        differs=known and attacker != defender,
    )


def _rounds(report: MatchReport) -> str:
    return NOT_COUNTED if report.rounds is None else str(report.rounds)


def _support(slugs: Sequence[str], words: ReportLabels) -> str:
    return ", ".join(sorted(words.support.get(slug, slug) for slug in slugs)) or "none"
