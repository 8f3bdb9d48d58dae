"""Meks & Mercs between battles: aftermath, advancement, leagues, the campaign story, loans, concessions.

Order of events: MM-S02. Order of dice: MM-S13; side by side, with all of a side's fates before its first skill roll and
rich uncles' dice last.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import cast

from systems.catalogue import load_table
from systems.engine.dice import Dice, roll
from systems.legality import pluralize
from systems.meks_and_mercs.build import SYSTEM as ROSTERS
from systems.meks_and_mercs.build.legality import force_limits
from systems.meks_and_mercs.build.scenario import (
    ScenarioSpec,
    SideFields,
    parse_scenario,
    published_spec,
    scenario_json,
)
from systems.meks_and_mercs.build.scenario_check import MAX_POINTS, MAX_ROLLS, MIN_POINTS, check_scenario
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.options import FRESH_BUILD, STANDING_COMPANY, Options
from systems.roster import CompanyMember, PilotSpec
from systems.season import (
    OBJECTIVE,
    POINTS,
    SUPPORT,
    CampaignSystem,
    Career,
    Concession,
    EvenTerms,
    Fate,
    FateRoll,
    Flight,
    FlightAfter,
    GameSide,
    Result,
    SideAfter,
    SkillRoll,
    StorylineBonus,
    StorylineRules,
    StorylineStep,
    Takings,
)

TIE_BREAKERS = ("destroyed", "destroyed-points")  # MM-S12; between season points and the name
LOAN_DESIGN = "wasp"  # MM-S10
LOAN_LEVEL = "green"
SEASON_MODES_HELP = (  # MM-S06
    "Fresh build, as the text has it: Meks are bought again for each match, from its scenario’s points, and only pilots "
    "stay. Standing company: Meks, damage and money go from match to match."
)
MAX_LOAN = 12  # the most units that a side fields


def house_loan(scenario: str, members: Sequence[CompanyMember[MekSpec]], *, side: str | None = None) -> int:
    """Return how many WASPs with Green pilots the house must lend for a legal force. MM-S10.

    `members` are all units that could be fielded; without a scenario any legal Mek is a force. None are lent if WASPs
    wouldn't help: Opening Shots also needs a Medium.
    """
    rules = {"season-mode": "standing-company"}
    lent = [loan_member(number) for number in range(1, MAX_LOAN + 1)]
    for count in range(MAX_LOAN + 1):
        if best_force(scenario, [*members, *lent[:count]], rules, side=side):
            return count
    return 0


def loan_member(number: int) -> CompanyMember[MekSpec]:
    """Return a lent WASP with its Green pilot."""
    design = ROSTERS.published[LOAN_DESIGN]
    return CompanyMember(f"{design.name} {number}", design.spec, PilotSpec(LOAN_LEVEL), is_new_pilot=True)


def best_force(
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[MekSpec]],
    options: Mapping[str, object],
    *,
    side: str | None = None,
    most: int = MAX_LOAN,
) -> tuple[int, ...]:
    """Return the indexes of the legal force worth the most points. MM-010.

    Among equals, the force with the earliest Meks; empty if there is no legal force. The search is exact: for each
    number of Meks (by size, if the scenario requires sizes) and each sum of points, the first choice is kept. Where
    `scenario` isn't a scenario, there are no limits.
    """
    limits = force_limits(scenario, side)
    wanted = limits.composition if limits else {}
    points = {
        place: ROSTERS.check_design(member.spec, options).points
        for place, member in enumerate(members)
        if _is_sound(member, options) and (limits is None or member.spec.chassis in limits.sizes)
    }
    allowed = limits.points if limits else sum(points.values())
    if not wanted and len(points) <= most and sum(points.values()) <= allowed:
        return tuple(points)
    if limits is None:
        return tuple(sorted(sorted(points, key=lambda place: (-points[place], place))[:most]))
    choices: dict[tuple[tuple[str, ...], int], tuple[int, ...]] = {((), 0): ()}
    for place, price in points.items():
        size = members[place].spec.chassis if wanted else ""
        for (sizes, total), chosen in list(choices.items()):
            if len(chosen) == most or total + price > allowed:
                continue
            if wanted and sizes.count(size) == wanted.get(size, 0):
                continue
            key, found = (tuple(sorted((*sizes, size))), total + price), (*chosen, place)
            choices[key] = min(choices.get(key, found), found)
    exact = tuple(sorted(size for size, count in wanted.items() for _ in range(count)))
    forces = [
        (total, chosen) for (sizes, total), chosen in choices.items() if chosen and (not wanted or sizes == exact)
    ]
    return min(forces, key=lambda force: (-force[0], force[1]), default=(0, ()))[1]


def _is_sound(member: CompanyMember[MekSpec], options: Mapping[str, object]) -> bool:
    """Return whether Mek and pilot are legal in every scenario."""
    return all(problem.place == "scenario" for problem in ROSTERS.check_company("", [member], options).problems)


FRESH = {"season-mode": "fresh-build"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFields:
    """A step as written in the TOML file."""

    slug: str  # of its scenario
    leaves: StorylineBonus = StorylineBonus()
    why: str = ""
    even: EvenTerms | None = None


_STEPS = load_table(Path(__file__).with_name("storyline.toml"), StepFields)
STORYLINE = StorylineRules(
    name="Six-scenario war",
    about="The six printed scenarios in order: half the companies always attack, the others defend. Meks are bought for "
    "each game, pilots stay, and winners get a bonus in the next.",
    steps=tuple(
        StorylineStep(scenario=slug, leaves=each.leaves, why=each.why, even=each.even) for slug, each in _STEPS.items()
    ),
    options=FRESH,
)


def has_terms(given: str | Mapping[str, object]) -> bool:
    """Return whether the scenario has its own points and support rolls; a zone battle has none."""
    return not isinstance(given, str) or given in CATALOGUE.scenarios


def change_terms(given: str | Mapping[str, object], gains: Sequence[StorylineBonus]) -> dict[str, object]:
    """Return a scenario, as name and spec, with changed points and support rolls.

    `given` is a published scenario's slug, or name and spec.
    """
    name, spec = name_and_spec(given)
    attacker, defender = (_side(side, gain) for (_, side), gain in zip(spec.sides(), gains, strict=True))
    spec = spec.model_copy(update={"attacker": attacker, "defender": defender})
    return {"name": name, "spec": scenario_json(spec)}


def name_and_spec(given: str | Mapping[str, object]) -> tuple[str, ScenarioSpec]:
    """Return name and spec of a scenario, given as a published one's slug or as name and spec."""
    if isinstance(given, str):
        scenario = CATALOGUE.scenarios[given]
        return scenario.name, published_spec(scenario)
    return str(given["name"]), parse_scenario(given["spec"])


def _side(side: SideFields, gain: StorylineBonus) -> SideFields:
    points = min(MAX_POINTS, max(MIN_POINTS, side.points + gain.points))
    rolls = min(MAX_ROLLS, max(0, side.support_rolls + gain.rolls))
    return side.model_copy(update={"points": points, "support_rolls": rolls})


SHARED_OBJECTIVE = "last-standing"


def concessions(given: str | Mapping[str, object], side: int) -> Sequence[Concession]:
    """Return what a side can concede: turns, up to half the scenario's. MM-091.

    The attacker gets that many fewer, or the defender has to hold for that many more. Where the last side standing
    wins, neither side has its own objective that could be made harder (MM-096).
    """
    return tuple(_concessions(given, side))


def _concessions(given: str | Mapping[str, object], side: int) -> Iterator[Concession]:
    name, spec = name_and_spec(given)
    if spec.objective.kind in (None, SHARED_OBJECTIVE):
        return
    known = len(check_scenario(spec).warnings)
    for turns in range(1, spec.turn_limit // 2 + 1):
        limit = spec.turn_limit + (turns if side else -turns)
        changed = spec.model_copy(update={"turn_limit": limit})
        check = check_scenario(changed)
        if check.problems or len(check.warnings) > known:
            return  # with so few or so many turns it would be a different scenario
        more = f"has to last {pluralize(turns, 'turn')} more" if side else f"has {pluralize(turns, 'turn')} fewer"
        yield Concession(
            value=turns,
            task=f"{more}, {limit} in all",
            scenario={"name": name, "spec": scenario_json(changed)},
        )


FIRST_SKILL = 5  # MM-101: the number needed by a pilot without skills
FAMILIARITY = "chassis-familiarity"
DEFAULT_SKILLS = (  # MM-S11; chassis-familiarity means the one with the size piloted
    "accuracy",
    "guidance",
    "steady-hand",
    "pinpoint-attack",
    "sharpshooter",
    "maneuver",
    "damage-control",
    FAMILIARITY,
    "gunnery",
    "spoof",
    "agility",
    "ice-man",
    "quick-draw",
    "tactics",
    "hawkeye",
    "log-hero",
)
FAMILY = {"accuracy": "cannon", "guidance": "missile", "steady-hand": "laser", "gunnery": "cannon"}


def level_after(level: str, kills: int, games: int) -> str:
    """Return the highest level whose conditions these totals meet, at least the current one. MM-100, MM-D82."""
    order = list(CATALOGUE.levels)
    met = [at.slug for at in CATALOGUE.levels.values() if kills >= at.kills and games >= at.games]
    return max([level, *met], key=order.index)


def number_needed(skills: int) -> int:
    """Return the number that a pilot with this many skills needs for a skill roll. MM-101."""
    return skills or FIRST_SKILL


def can_gain(level: str, skills: int) -> bool:
    """Return whether a skill roll is allowed and could succeed. MM-101, MM-102, MM-S13."""
    bonus = CATALOGUE.levels[level].skill_roll
    return bonus is not None and number_needed(skills) <= 6 + bonus


def skill_roll(level: str, known: Sequence[str], spec: MekSpec, dice: Dice) -> SkillRoll | None:
    """Make the skill roll of a pilot who survived a game; None if they have no roll. MM-101."""
    bonus = CATALOGUE.levels[level].skill_roll
    if bonus is None or not can_gain(level, len(known)):
        return None
    face, needed = roll(dice, 6), number_needed(len(known))
    return SkillRoll(
        face=face, bonus=bonus, needed=needed, default=default_skill(known, spec) if face + bonus >= needed else ""
    )


def skill_choices(known: Sequence[str]) -> tuple[str, ...]:
    """Return every skill not yet known; familiarity once per size. MM-D46, MM-D84."""
    return tuple(slug for slug in CATALOGUE.skills if slug not in known)


def fits(skill: str, spec: MekSpec) -> bool:
    """Return whether the skill is of any use in this Mek. MM-S11."""
    if CATALOGUE.skills[skill].chassis is not None:
        return CATALOGUE.skills[skill].chassis == spec.chassis
    family = FAMILY.get(skill)
    return family is None or any(CATALOGUE.weapons[weapon].family == family for weapon in spec.weapons)


def default_skill(known: Sequence[str], spec: MekSpec) -> str:
    """Return the skill that this Mek's pilot learns if nobody chooses. MM-S11.

    No pilot can have so many skills that none fits.
    """
    order = [f"{FAMILIARITY}-{spec.chassis}" if slug == FAMILIARITY else slug for slug in DEFAULT_SKILLS]
    left = skill_choices(known)
    return next(slug for slug in order if slug in left and fits(slug, spec))


SEASON_POINTS: dict[Result, int] = {"won": 3, "drawn": 1, "lost": 0}  # MM-S01
INCOME: dict[Result, int] = {"won": 12, "drawn": 9, "lost": 6}  # MM-S08
KILLED_UP_TO, INJURED_UP_TO = 1, 3  # MM-S03
EXPLODED_KILLED_UP_TO, EXPLODED_INJURED_UP_TO = 3, 5


def aftermath(sides: Sequence[GameSide[MekSpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
    """Return the aftermath for each side, in order. MM-S02, MM-S13."""
    results = [_side_after(side, dice, standing) for side in sides]
    if not standing:  # MM-087: with new builds the uncle has already paid for Meks before the game
        return tuple(results)
    return tuple(_with_gifts(result, side.gifts, dice) for side, result in zip(sides, results, strict=True))


def gifts(support: Sequence[str]) -> int:
    """Return how many of the support results are rich uncles. MM-S07."""
    return list(support).count("rich-uncle")


def _with_gifts(result: SideAfter, count: int, dice: Dice) -> SideAfter:
    """Add 1d6 points for the bank from each rich uncle. MM-S07, MM-087."""
    faces = tuple(roll(dice, 6) for _ in range(count))
    return replace(result, takings=replace(result.takings, gifts=faces))


def _side_after(side: GameSide[MekSpec], dice: Dice, standing: bool) -> SideAfter:
    fates = [_fate(flight, dice) if flight.fate.is_lost else None for flight in side.flights]
    flights = tuple(_flight_after(flight, fate, dice) for flight, fate in zip(side.flights, fates, strict=True))
    return SideAfter(flights=flights, takings=takings(side.result, standing=standing, debt=side.debt))


def _fate(flight: Flight[MekSpec], dice: Dice) -> FateRoll:
    """Return the fate rolled at the table (with face 0), otherwise roll it. MM-S03."""
    exploded = "exploded" in flight.fate
    if "fate" in flight.fate:
        return FateRoll(face=0, exploded=exploded, fate=cast(Fate, flight.fate["fate"]))
    return fate_roll(exploded, dice)


def fate_roll(exploded: bool, dice: Dice) -> FateRoll:
    """Roll the fate of a pilot whose Mek was destroyed. MM-S03."""
    face = roll(dice, 6)
    return FateRoll(face=face, exploded=exploded, fate=fate_of(face, exploded))


def fate_of(face: int, exploded: bool) -> Fate:
    """Return the fate for a die face. MM-S03."""
    killed, injured = (EXPLODED_KILLED_UP_TO, EXPLODED_INJURED_UP_TO) if exploded else (KILLED_UP_TO, INJURED_UP_TO)
    if face <= killed:
        return "killed"
    return "injured" if face <= injured else "unhurt"


def _flight_after(flight: Flight[MekSpec], fate: FateRoll | None, dice: Dice) -> FlightAfter:
    before, kills = flight.before, flight.before.kills + flight.fate.kills  # MM-099
    if fate is not None and fate.fate == "killed":  # MM-S03: the game wasn't survived, so no promotion or skill
        return FlightAfter(key=flight.key, after=_career(before, before.level, kills, before.games), fate=fate)
    games = before.games + 1  # MM-S04, MM-S05: took part and survived, even if the Mek didn't
    level = level_after(before.level, kills, games)
    return FlightAfter(
        key=flight.key,
        after=_career(before, level, kills, games),
        fate=fate,
        promoted=level != before.level,
        skill=skill_roll(level, before.skills, flight.spec, dice),  # MM-D84: after the promotion
    )


def _career(before: Career, level: str, kills: int, games: int) -> Career:
    return Career(level=level, kills=kills, games=games, skills=before.skills)


def takings(result: Result, *, standing: bool, debt: int = 0) -> Takings:
    """Return season points, and a standing company's income after debt. MM-S01, MM-S06, MM-S08, MM-S10."""
    if not standing:
        return Takings(season_points=SEASON_POINTS[result])
    income = INCOME[result]
    return Takings(season_points=SEASON_POINTS[result], income=income, repaid=min(income, debt))


class MeksAndMercsCampaign(CampaignSystem[MekSpec]):
    slug = "meks-and-mercs"
    loan_design = LOAN_DESIGN
    loan_pilot = PilotSpec(LOAN_LEVEL)
    season_points = MappingProxyType(SEASON_POINTS)
    explicit_options = MappingProxyType({"season-mode": STANDING_COMPANY})
    new_options = MappingProxyType({"season-mode": FRESH_BUILD})
    option_help_texts = MappingProxyType({"season-mode": SEASON_MODES_HELP})
    tie_breakers = TIE_BREAKERS
    gives_up = (POINTS, SUPPORT, OBJECTIVE)
    has_bonuses = True
    storyline = STORYLINE
    skill_effects = MappingProxyType({skill.slug: skill.effect for skill in CATALOGUE.skills.values()})

    aftermath = staticmethod(aftermath)

    def builds_fresh(self, options: Mapping[str, object]) -> bool:
        return Options.read(options).builds_fresh

    gifts = staticmethod(gifts)

    def changed(
        self, scenario: str | Mapping[str, object], gains: Sequence[StorylineBonus]
    ) -> str | Mapping[str, object]:
        return change_terms(scenario, gains) if any(gains) and has_terms(scenario) else scenario

    def concessions(self, scenario: str | Mapping[str, object], side: int) -> Sequence[Concession]:
        return concessions(scenario, side) if has_terms(scenario) else ()

    skill_choices = staticmethod(skill_choices)
    fits = staticmethod(fits)

    def standing_force(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[MekSpec]],
        options: Mapping[str, object],
        *,
        side: str,
        most: int,
        allows: Callable[[tuple[int, ...]], bool],
    ) -> tuple[int, ...]:
        return best_force(scenario, members, options, side=side, most=most)

    house_loan = staticmethod(house_loan)


SYSTEM = MeksAndMercsCampaign()


__all__ = ["SYSTEM"]
