"""Blank cards: every box that any unit or pilot can need, and lines to write on."""

from __future__ import annotations

from systems.mech_campaign.options import BY_THE_BOOK, Options
from systems.paper.blocks import Block, CardContent, CardFace, Cell, Entries, Lines, Strip, Ticks, Track

from .cards import ACTIVATED, RULER_IN, action_track, damage_boxes, marker_ticks, unit_back
from .pilots import pilot_back, tracks, wound_ticks

SITUATIONS = ("In the open", "Target in cover", "From higher ground", "With a friend's lock")
RULE_LINES = 2


def blank_unit_card(options: Options = BY_THE_BOOK) -> CardContent:
    blocks: tuple[Block, ...] = (
        _empty_cells("KIND", "MOVE", "FIRE", "TO HIT"),
        Track(label="DAMAGE", boxes=damage_boxes(), is_large=True),
        action_track(),
        Ticks(items=(ACTIVATED, *marker_ticks())),
        Ticks(items=tuple((word, (False,)) for word in ("can lock", "can repair", "can take special actions"))),
        Lines(
            title="To hit", heads=("D6",), cell_mm=9.0, count=len(SITUATIONS), leads=("open", "cover", "hill", "lock")
        ),
        Lines(title="Rules", count=RULE_LINES),
        Entries(title="Pilot"),
        Entries(title="Base vehicle"),
    )
    front = CardFace(
        title="",
        kicker="Name of the unit",
        corner_label="points",
        blocks=blocks,
        notes="Armament and notes",
        ruler_in=RULER_IN,
    )
    return CardContent(front=front, back=unit_back(options=options))


def blank_pilot_card() -> CardContent:
    blocks: tuple[Block, ...] = (
        Entries(title="Callsign"),
        _empty_cells("RANK", "EXPERIENCE"),
        *tracks(0, 0, 0),
        Ticks(items=wound_ticks()),
        Entries(title="Flies"),
        Entries(title="Company"),
    )
    return CardContent(
        front=CardFace(title="", kicker="Name of the pilot", blocks=blocks, notes="Notes"), back=pilot_back(None)
    )


def _empty_cells(*labels: str) -> Strip:
    return Strip(cells=tuple(Cell(label=label, value="") for label in labels))
