"""Terms of a scenario and effects of support in a battle, as pages show them, the same for all systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTerms:
    """The terms of a scenario for one side."""

    points: int | None  # None: no limit
    rolls: int = 0  # of support, as printed in the scenario
    fields: str  # in words: sizes, composition
    starts: str  # where it starts, in words
    extra: str = ""  # additions by the scenario, in words


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioTerms:
    """The terms of a scenario for both sides."""

    slug: str
    name: str
    brief: str
    victory_rule: str  # rule ID
    turns: int
    counted: str = "turn"  # the word for one of them
    is_terrain_free: bool = True  # the book prints no terrain, so a player may choose one
    ground: tuple[str, ...] = ()  # terrain of each zone, by name; empty if there are no zones
    sides: tuple[SideTerms, SideTerms]


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleWords:
    """A system's texts about battles for shared pages; empty ones are left out."""

    lead: str = ""  # what a battle can be
    plain: str = ""  # what is played if no scenario is chosen
    whole_game: str = ""  # about the game that the home page offers
    choices: str = ""  # what a battle can be made of, half a sentence
    pilots: str = ""  # what pilots cost in a scenario
    duel: str = ""  # the sides of the matchup matrix, half a sentence
    repair: str = ""  # how a repair bill is calculated
    plate: str = ""  # template of the home page's figure
    trials: Mapping[str, str] = field(
        default_factory=lambda: {"hit": "to hit", "save": "saves"}
    )  # dice that luck statistics cover


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportResult:
    """A possible result of a support roll."""

    slug: str
    name: str
    table: str
    effect: str
    rule: str
    is_kept: bool = False  # works by being there, without a moment of use


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportRoll:
    """A support roll with its dice."""

    faces: tuple[int, ...]
    slug: str


@dataclass(frozen=True, slots=True)
class SupportUse:
    """A moment when a support result had an effect."""

    round: int
    number: int  # of the event in the record, from 1
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportLine:
    """A support result of a side, where it came from and what it did."""

    side: int
    result: SupportResult
    faces: tuple[int, ...] = ()  # of the roll; empty if it was chosen
    uses: tuple[SupportUse, ...] = ()
    is_used: bool = False


def used_support(lines: tuple[SupportLine, ...], sides: int = 2) -> list[list[str]]:
    """Return the slugs of the support that each side used, as in a result document."""
    return [[line.result.slug for line in lines if line.side == at and line.is_used] for at in range(sides)]


def describe_ground(ground: tuple[str, ...]) -> str:
    """Describe the terrain of the zones: in one word if all are alike, else each kind with its zones."""
    kinds: Mapping[str, list[str]] = {name: [] for name in ground}
    for zone, name in enumerate(ground, start=1):
        kinds[name].append(str(zone))
    if not ground:
        return ""
    if len(kinds) == 1:
        return f"{ground[0]} in all {len(ground)} zones"
    return ", ".join(
        f"{name} in {'zone' if len(zones) == 1 else 'zones'} {_listed(zones)}" for name, zones in kinds.items()
    )


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
