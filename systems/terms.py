"""What a scenario asks of the sides, and what support did in a battle: as pages show it, the same for all systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTerms:
    """What one side of a scenario may field."""

    points: int | None  # None: no limit
    rolls: int = 0  # of support, as the scenario prints them
    fields: str  # in words: sizes, composition
    starts: str  # where it starts, in words
    extra: str = ""  # what the scenario adds to it, in words


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioTerms:
    """What a scenario asks of both sides."""

    slug: str
    name: str
    brief: str
    victory_rule: str  # rule ID
    turns: int
    counted: str = "turn"  # what they are called, one of them
    is_terrain_free: bool = True  # the source prints none, so a player may choose one
    ground: tuple[str, ...] = ()  # terrain of each zone, by name; none where there are no zones
    sides: tuple[SideTerms, SideTerms]


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleWords:
    """What shared pages say of a system's battles; a sentence that is empty is left out."""

    lead: str = ""  # what a battle can be
    plain: str = ""  # what is played where no scenario is chosen
    whole_game: str = ""  # of the game that the home page offers
    choices: str = ""  # what a battle can be made of, in half a sentence
    pilots: str = ""  # what pilots cost in a scenario
    duel: str = ""  # who meets whom in the matchup matrix, in half a sentence
    repair: str = ""  # how a repair bill is counted
    plate: str = ""  # template of the home page's figure
    trials: Mapping[str, str] = field(
        default_factory=lambda: {"hit": "to hit", "save": "saves"}
    )  # dice that luck is told of


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportResult:
    """Something that a support roll can bring."""

    slug: str
    name: str
    table: str
    effect: str
    rule: str
    is_kept: bool = False  # of use by being there: needs no moment of use


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportRoll:
    """A support roll with its dice."""

    faces: tuple[int, ...]
    slug: str


@dataclass(frozen=True, slots=True)
class SupportUse:
    """A moment at which a support result did something."""

    round: int
    number: int  # of the event in the record, from 1
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportLine:
    """A support result that a side had, where it came from and what it did."""

    side: int
    result: SupportResult
    faces: tuple[int, ...] = ()  # of the roll; none if it was chosen
    uses: tuple[SupportUse, ...] = ()
    is_used: bool = False


def used_support(lines: tuple[SupportLine, ...], sides: int = 2) -> list[list[str]]:
    """Slugs of what each side used, as a result document has them."""
    return [[line.result.slug for line in lines if line.side == at and line.is_used] for at in range(sides)]


def describe_ground(ground: tuple[str, ...]) -> str:
    """The terrain of the zones in words: all alike in one word, else each kind with its zones."""
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
