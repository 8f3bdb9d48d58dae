"""The choices for an emblem, each drawn as the emblem with that choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from systems.paper.emblems import Emblem, random_emblem
from systems.paper.emblems.charges import CHARGES
from systems.paper.emblems.divisions import DIVISIONS
from systems.paper.emblems.shields import SHIELDS
from systems.paper.emblems.tinctures import DARK, LIGHT, TINCTURES

SHAPES: Mapping[str, Mapping[str, object]] = {"shield": SHIELDS, "division": DIVISIONS, "charge": CHARGES}
GROUNDS = {"dark": "Light on dark", "light": "Dark on light"}
MAX_LENGTH = 40  # of the text for rolling


@dataclass(frozen=True, slots=True)
class EmblemOption:
    value: str
    name: str
    emblem: Emblem  # with this choice
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class EmblemOptionGroup:
    """One thing to choose, with its query parameter."""

    slug: str
    title: str
    options: tuple[EmblemOption, ...]


def chosen(asked: Mapping[str, str], now: Emblem, name: str) -> Emblem:
    """Return the requested emblem: rolled, or the current one with the requested parts replaced."""
    if (words := asked.get("roll")) is not None:
        return random_emblem(f"{name} {words[:MAX_LENGTH]}" if words else name)
    made = replace(now, **{part: asked[part] for part, known in SHAPES.items() if asked.get(part) in known})
    dark, light = _paints(now)
    dark = asked["dark"] if asked.get("dark") in DARK else dark
    light = asked["light"] if asked.get("light") in LIGHT else light
    ground = asked["ground"] if asked.get("ground") in GROUNDS else ground_of(now)
    return painted(made, dark, light, ground)


def emblem_option_groups(shown: Emblem) -> tuple[EmblemOptionGroup, ...]:
    """Return all choices, starting from the shown emblem."""
    dark, light = _paints(shown)
    ground = ground_of(shown)
    paints = {letter: tincture.name for letter, tincture in TINCTURES.items()}
    return (
        _shapes("charge", "On the shield", shown, {letter: each.name for letter, each in CHARGES.items()}),
        _shapes("shield", "Shield", shown, {letter: each.name for letter, each in SHIELDS.items()}),
        _shapes("division", "Field", shown, {letter: each.name for letter, each in DIVISIONS.items()}),
        EmblemOptionGroup("dark", "Dark colour", tuple(
            EmblemOption(each, paints[each], painted(shown, each, light, ground), each == dark) for each in DARK
        )),
        EmblemOptionGroup("light", "Light colour", tuple(
            EmblemOption(each, paints[each], painted(shown, dark, each, ground), each == light) for each in LIGHT
        )),
        EmblemOptionGroup("ground", "Which on which", tuple(
            EmblemOption(each, name, painted(shown, dark, light, each), each == ground) for each, name in GROUNDS.items()
        )),
    )  # fmt: skip


def ground_of(emblem: Emblem) -> str:
    return "light" if TINCTURES[emblem.field].is_light else "dark"


def painted(emblem: Emblem, dark: str, light: str, ground: str) -> Emblem:
    """Return the emblem in these colours."""
    field, other = (light, dark) if ground == "light" else (dark, light)
    return replace(emblem, field=field, other=other)


def _paints(emblem: Emblem) -> tuple[str, str]:
    """Return its dark and light colours."""
    return (emblem.other, emblem.field) if TINCTURES[emblem.field].is_light else (emblem.field, emblem.other)


def _shapes(slug: str, title: str, shown: Emblem, names: Mapping[str, str]) -> EmblemOptionGroup:
    options = tuple(
        EmblemOption(letter, name, replace(shown, **{slug: letter}), getattr(shown, slug) == letter)
        for letter, name in names.items()
    )
    return EmblemOptionGroup(slug, title, options)
