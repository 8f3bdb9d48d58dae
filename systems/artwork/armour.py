"""Drawings of special armour: bricks, scales, layers, nets, plates, vanes, liners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from systems.artwork.canvas import MIDDLE, Pen, Point, arc, box, disc, hatching, slab

Layer = Literal["behind", "front", "over"]
Anchors = Mapping[str, Point]


def _liner(pen: Pen, at: Anchors, count: int) -> None:
    """A lining: a riveted hem around the chest."""
    x, y = at["chest"]
    half, depth = at["half"]
    for row in (-0.3, 0.26):
        pen.ink(*(disc(x + half * step, y + depth * row, 6, 6) for step in (-0.84, -0.62, 0.62, 0.84)), least=MIDDLE)
    pen.line([(x - half * 0.9, y + depth * 0.34), (x + half * 0.9, y + depth * 0.34)], least=0)


def _bricks(pen: Pen, at: Anchors, count: int) -> None:
    """Reactive armour: bricks."""
    x, y = at["chest"]
    half, depth = at["half"]
    for sign in (-1, 1):
        for row in range(2):
            for column in range(2):
                left = x + sign * half * (0.58 + 0.2 * column) - half * 0.085
                top = y + depth * (-0.14 + 0.17 * row)
                pen.plate(
                    box(left, top, left + half * 0.17, top + depth * 0.13, 3), tint=True, shade=False, least=MIDDLE
                )
    limb, tall = at["limb"]
    for sign in (-1, 1):
        for row in range(3):
            left = 500 + sign * at["leg"][0] - limb * 0.3
            pen.plate(
                box(
                    left,
                    at["leg"][1] + row * limb * 0.24,
                    left + limb * 0.6,
                    at["leg"][1] + row * limb * 0.24 + limb * 0.18,
                    3,
                ),
                tint=True,
                shade=False,
                least=MIDDLE,
            )


def _scales(pen: Pen, at: Anchors, count: int) -> None:
    """Armour against beams: overlapping scales."""
    x, y = at["chest"]
    half, depth = at["half"]
    for sign in (-1, 1):
        for row in range(3):
            cx, cy = x + sign * half * 0.7, y + depth * (-0.18 + 0.14 * row)
            pen.line(
                arc(cx - half * 0.12, cy, half * 0.12, 0, 180, 6), arc(cx + half * 0.12, cy, half * 0.12, 0, 180, 6)
            )
    limb, _ = at["limb"]
    for sign in (-1, 1):
        for row in range(3):
            pen.line(arc(500 + sign * at["leg"][0], at["leg"][1] + row * limb * 0.26, limb * 0.3, 0, 180, 6))


def _layers(pen: Pen, at: Anchors, count: int) -> None:
    """Spaced armour: a second plate in front of the first."""
    limb, tall = at["limb"]
    for sign in (-1, 1):
        x = 500 + sign * (at["leg"][0] + limb * 0.1)
        pen.plate([(x - limb * 0.42, at["leg"][1] - limb * 0.7), (x + limb * 0.42, at["leg"][1] - limb * 0.7),
                   (x + limb * 0.34, at["leg"][1] + limb * 0.2), (x - limb * 0.34, at["leg"][1] + limb * 0.2)])  # fmt: skip
        pen.line([(x - limb * 0.3, at["leg"][1] - limb * 0.54), (x + limb * 0.3, at["leg"][1] - limb * 0.54)])
    x, y = at["shoulder"]
    for sign in (-1, 1):
        pen.plate(slab(500 + sign * (x + limb * 0.62), y - limb * 0.5, y + limb * 0.5, limb * 0.3, limb * 0.36, 5))


def _net(pen: Pen, at: Anchors, count: int) -> None:
    """A net over one shoulder and the chest."""
    x, y = at["chest"]
    half, depth = at["half"]
    cloth = [(x - half * 1.2, y - depth * 0.46), (x - half * 0.3, y - depth * 0.5), (x + half * 0.25, y + depth * 0.1),
             (x - half * 0.1, y + depth * 0.56), (x - half * 0.5, y + depth * 0.3), (x - half * 1.0, y + depth * 0.5),
             (x - half * 1.25, y + depth * 0.1)]  # fmt: skip
    with pen.detail(MIDDLE):
        pen.plate(cloth, shade=False)
        placed = pen.placed(cloth)
        for slope in (0.8, -0.8):
            pen.fine(*hatching(placed, 24, slope), least=MIDDLE)


def _vanes(pen: Pen, at: Anchors, count: int) -> None:
    """Steering vanes on calves and shoulders, for a nimble machine."""
    limb, _ = at["limb"]
    x, y = at["shoulder"]
    for sign in (-1, 1):
        outer = 500 + sign * (x + limb * 0.3)
        pen.plate(
            [
                (outer, y - limb * 0.3),
                (outer + sign * limb * 0.7, y - limb * 1.1),
                (outer + sign * limb * 0.5, y + limb * 0.1),
            ],
            tint=True,
            shade=False,
        )
        leg = 500 + sign * (at["leg"][0] + limb * 0.4)
        pen.plate(
            [
                (leg, at["leg"][1] - limb * 0.2),
                (leg + sign * limb * 0.55, at["leg"][1] + limb * 0.5),
                (leg, at["leg"][1] + limb * 0.4),
            ],
            tint=True,
            shade=False,
        )


def _hull_plates(pen: Pen, at: Anchors, count: int) -> None:
    """A keel on each forearm, for a machine that turns into a boat."""
    x, y = at["shoulder"]
    limb, tall = at["limb"]
    for sign in (-1, 1):
        left = 500 + sign * (x + limb * 0.95)
        pen.plate([(left - limb * 0.2, y), (left + limb * 0.2, y), (left + limb * 0.26, y + tall * 0.2), (left, y + tall * 0.34),
                   (left - limb * 0.26, y + tall * 0.2)], inset=10)  # fmt: skip
