"""What destroyed a unit, in words that follow "destroyed: "."""

from __future__ import annotations

from systems.meks_and_mercs.battle.setup import MINES, OFF_BOARD

NON_UNIT_DESTROYERS = {OFF_BOARD: "fire from off the board", MINES: "a mine"}  # destroyers that are no units


def describe_loss(lost_by: object, by: str) -> str:
    """Describe the cause of a loss.

    `lost_by` is as in an outcome; `by` is the name of the destroyer, "" for none.
    """
    doer = f" by {by}" if by else ""
    match lost_by:
        case "explosion":
            return f"reactor explosion, critical hit{doer}"
        case "hits":
            return f"no Hits left, the last taken{doer}" if by else "no Hits left"
        case "overheating":
            return "no Hits left, burnt by its own heat"
        case "morale":
            return "it broke under its losses"
        case "transport":
            return f"aboard its transport, destroyed{doer}"
        case "identification":
            return f"a decoy, seen through{doer}"
    return doer.strip()
