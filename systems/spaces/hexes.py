"""Geometry of a hex plane in whole numbers: distances, neighbours, rings, lines, arcs, edges.

Hexes are flat on top and form straight columns, the odd columns half a hex lower. A hex has a column, counted from the
left, and a row, counted from the top, both from 0; on a map with a known number of columns it also has a number, row by
row. Directions are 0 to 5, clockwise from straight up. These are plain functions of whole numbers, so that a system can
list this module among its rules and have it compiled with them; results off the map are -1.

Based on the axial and cube coordinates of https://www.redblobgames.com/grids/hexagons/: a column is q, `diagonal_of`
gives r, and the third coordinate makes the sum 0.
"""

from __future__ import annotations

SIDES_OF_HEX = 6
STEP_ACROSS = (0, 1, 1, 0, -1, -1)  # change of column for a step in each direction
STEP_DIAGONAL = (-1, -1, 0, 1, 1, 0)  # ... and change of r
LINE_SHARE = (
    1_000_000  # a line passes its hexes' centres at (1, 2, -3) of so many parts, so that no point of it is on an edge
)


def diagonal_of(column: int, row: int) -> int:
    """Return the axial coordinate r of a hex."""
    return row - ((column - (column & 1)) >> 1)


def row_of(column: int, diagonal: int) -> int:
    """Return the row of the hex with that column and axial coordinate r."""
    return diagonal + ((column - (column & 1)) >> 1)


def hex_at(column: int, row: int, columns: int, rows: int) -> int:
    """Return the number of a hex; -1 if it is off the map."""
    if column < 0 or row < 0 or column >= columns or row >= rows:
        return -1
    return row * columns + column


def hex_opposite(at: int, columns: int, rows: int) -> int:
    """Return the hex that a hex is moved to by turning the map half a turn."""
    return columns * rows - 1 - at


def hex_distance(ac: int, ar: int, bc: int, br: int) -> int:
    """Return the number of steps from one hex to another."""
    q = bc - ac
    r = diagonal_of(bc, br) - diagonal_of(ac, ar)
    return max(abs(q), abs(r), abs(q + r))


def hex_beside(column: int, row: int, direction: int, columns: int, rows: int) -> int:
    """Return the number of the neighbour in a direction; -1 if it is off the map."""
    beside = column + STEP_ACROSS[direction]
    return hex_at(beside, row_of(beside, diagonal_of(column, row) + STEP_DIAGONAL[direction]), columns, rows)


def hex_on_line(ac: int, ar: int, bc: int, br: int, step: int, lean: int, columns: int, rows: int) -> int:
    """Return the number of the hex `step` steps along the line from a to b; -1 if it is off the map.

    Step 0 is a, step `hex_distance` is b. A line along edges leans to one side of them: `lean` is 1 or -1. All other
    lines are the same either way.
    """
    length = hex_distance(ac, ar, bc, br)
    if step == 0:
        return hex_at(ac, ar, columns, rows)
    if step == length:
        return hex_at(bc, br, columns, rows)
    whole = length * LINE_SHARE
    start = diagonal_of(ac, ar)
    q = (ac * length + (bc - ac) * step) * LINE_SHARE + lean * length
    r = (start * length + (diagonal_of(bc, br) - start) * step) * LINE_SHARE + 2 * lean * length
    column = (2 * q + whole) // (2 * whole)
    diagonal = (2 * r + whole) // (2 * whole)
    third = (whole - 2 * (q + r)) // (2 * whole)
    off_q = abs(column * whole - q)
    off_r = abs(diagonal * whole - r)
    off_third = abs(third * whole + q + r)
    if off_q > off_r and off_q > off_third:
        column = -diagonal - third
    elif off_r > off_third:
        diagonal = -column - third
    return hex_at(column, row_of(column, diagonal), columns, rows)


def is_in_front(column: int, row: int, facing: int, tc: int, tr: int) -> bool:
    """Return whether a hex is in the front third of the plane around a unit; the unit's own hex is."""
    q = tc - column
    r = diagonal_of(tc, tr) - diagonal_of(column, row)
    fq = STEP_ACROSS[facing]
    fr = STEP_DIAGONAL[facing]
    return q * fq >= 0 and r * fr >= 0 and (q + r) * (fq + fr) >= 0


def is_behind(column: int, row: int, facing: int, tc: int, tr: int) -> bool:
    """Return whether a hex is in the rear third of the plane around a unit; the unit's own hex isn't."""
    return (tc != column or tr != row) and is_in_front(column, row, (facing + 3) % SIDES_OF_HEX, tc, tr)


def direction_towards(ac: int, ar: int, bc: int, br: int, first: int) -> int:
    """Return the direction that leads closest from a to b; among equals the first one clockwise from `first`."""
    q = bc - ac
    r = diagonal_of(bc, br) - diagonal_of(ac, ar)
    best = first
    most = 0
    for turn in range(SIDES_OF_HEX):
        direction = (first + turn) % SIDES_OF_HEX
        dq = STEP_ACROSS[direction]
        dr = STEP_DIAGONAL[direction]
        nearness = q * dq + r * dr + (q + r) * (dq + dr)
        if turn == 0 or nearness > most:
            best = direction
            most = nearness
    return best
