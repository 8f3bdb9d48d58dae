"""The report/1 document: what one side says happened in a match. Pure.

`units` is by key of the match's set-up; what a unit's entry leaves out is zero or false. `support` is what each side
used, by its slug.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import pydantic

from systems.documents import Document, parse_document, with_example
from systems.setups import Key, Slug

SIDES = ("attacker", "defender")
Winner = Literal["attacker", "defender", "draw"]
Few = Annotated[int, pydantic.Field(ge=0, le=100)]


class ReportUnit(Document):
    """What became of one unit."""

    hits_lost: Few = 0  # since it began the match, or since it was mended in it
    mended: bool = False  # made as new by support
    kills: Few = 0
    specials: Few = 0  # special actions that the scenario counts
    destroyed: bool = False
    exploded: bool = False  # its reactor did
    withdrew: bool = False
    wounded: bool = False  # its pilot
    fate: Literal["", "unhurt", "injured", "killed"] = ""  # of its pilot, rolled at the table; empty: on sealed dice


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
    rounds: Annotated[int, pydantic.Field(ge=0, le=999)] | None = None
    units: dict[Key, ReportUnit] = {}
    support: ReportSupport = ReportSupport()


def read_report(data: bytes | str | Mapping[str, object]) -> MatchReport:
    """The report, checked in itself; raises DocumentError. Whether it can be so in its match is `settling`'s matter."""
    return parse_document(MatchReport, data)
