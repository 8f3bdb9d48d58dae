"""What pages show of a battle in any game: scenario terms, effects of support, units at one moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

MAX_BOXES = 60  # up to this many, one box per hit is drawn
BOX_PATTERN = 500  # hits per box in games that count hits in thousands


def boxes_of(left: int, total: int) -> tuple[int, int]:
    """Return how many boxes are left and how many there are, with one box per hit or per 500 hits."""
    box = BOX_PATTERN if total > MAX_BOXES else 1
    return -(-max(0, min(left, total)) // box), -(-total // box)


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit as a replay shows it; spaces add its position, games add their own fields."""

    key: str
    name: str
    side: int
    chassis: str  # slug of the counter it is drawn as
    hits: int
    max_hits: int
    destroyed: bool = False
    withdrew: bool = False
    wounded: bool = False
    kills: int = 0  # units destroyed

    @property
    def is_reserve(self) -> bool:
        """Return whether the unit isn't in play: it may still arrive, or it has left."""
        return False

    @property
    def lost_parts(self) -> tuple[str, ...]:
        """Return the names of the lost parts."""
        return ()

    @property
    def struck(self) -> int:
        """Return how many of its parts are lost or crippled; its counter is drawn with that many marks."""
        return len(self.lost_parts)

    @property
    def kept(self) -> Mapping[str, int | tuple[int, ...]]:
        """Return the lasting damage besides lost hits, by the outcome's field names."""
        return {}

    @property
    def notes(self) -> tuple[str, ...]:
        """Return notes on the unit, shown beside its hits at the end of a round."""
        return ()


@dataclass(frozen=True, slots=True)
class BandView:
    """The range band between two opposing units."""

    a_key: str
    d_key: str
    band: int  # 0 Short, 1 Medium, 2 Long
    broken: bool


@dataclass(frozen=True, slots=True)
class Situation:
    """A battle at one moment, as a spectator sees it, after the events so far."""

    units: tuple[UnitView, ...]
    bands: tuple[BandView, ...] = ()

    def changed(self, key: str | None, change: Callable[[UnitView], UnitView]) -> Situation:
        """Return the situation with one unit changed by `change`."""
        return replace(self, units=tuple(change(unit) if unit.key == key else unit for unit in self.units))


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTerms:
    """The terms of a scenario for one side."""

    points: int | None  # None: no limit
    rolls: int = 0  # of support, as printed in the scenario
    fields: str  # sizes and composition, in words
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
    round_word: str = "turn"  # what a battle is divided into
    is_terrain_free: bool = True  # the book prints no terrain, so a player may choose one
    ground: tuple[str, ...] = ()  # terrain of each zone, by name; empty if there are no zones
    sides: tuple[SideTerms, SideTerms]


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleWords:
    """A system's texts about battles for shared pages; empty ones aren't shown."""

    lead: str = ""  # what kinds of battles there are
    plain: str = ""  # what is played if nobody chooses a scenario
    whole_game: str = ""  # about the game that the home page offers
    choices: str = ""  # the parts of a battle that can be chosen, half a sentence
    pilots: str = ""  # what pilots cost in a scenario
    duel: str = ""  # the sides of the matchup matrix, half a sentence
    repair: str = ""  # how a repair bill is calculated
    illustration: str = ""  # template of the home page's illustration
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
    is_kept: bool = False  # always in effect, never used up at one moment


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
    faces: tuple[int, ...] = ()  # dice of the roll; empty if the result was chosen
    uses: tuple[SupportUse, ...] = ()
    is_used: bool = False


def used_support(lines: tuple[SupportLine, ...], sides: int = 2) -> list[list[str]]:
    """Return the slugs of the support that each side used, as in a result document."""
    return [[line.result.slug for line in lines if line.side == at and line.is_used] for at in range(sides)]


def describe_ground(ground: tuple[str, ...]) -> str:
    """Describe the terrain of the zones: one word if all are alike, otherwise each kind with its zones."""
    kinds: Mapping[str, list[str]] = {name: [] for name in ground}
    for zone, name in enumerate(ground, start=1):
        kinds[name].append(str(zone))
    if not ground:
        return ""
    if len(kinds) == 1:
        return f"{ground[0]} in all {len(ground)} zones"
    return ", ".join(
        f"{name} in {'zone' if len(zones) == 1 else 'zones'} {_join_zones(zones)}" for name, zones in kinds.items()
    )


def _join_zones(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
