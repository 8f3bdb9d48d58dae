"""The report/1 document: one side's report of a match. Pure.

`units` is by key of the match's set-up; what a unit's entry leaves out is zero or false. `support` is what each side
used, by its slug.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pydantic

from systems.documents import MAX_INTEGER, Document, parse_document, with_example
from systems.fates import CountField, FateField, UnitFate, one_of
from systems.force_limits import SIDES
from systems.hand import MAX_ROUNDS
from systems.reading import fate_fields
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
    units: dict[Key, ReportUnit] = {}
    support: ReportSupport = ReportSupport()

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

    Raises DocumentError. Whether it is possible in its match is checked in `settling`.
    """
    return parse_document(_report_model(fate_fields(system)), data)


def parse_stored_report(content: Mapping[str, object]) -> MatchReport:
    """Return a report that was accepted before, whatever bounds its game had then."""
    fields = (replace(each, most=MAX_INTEGER) if isinstance(each, CountField) else each for each in fate_fields())
    return parse_document(_report_model(tuple(fields)), content)
