"""The parts of a rule system, and one sentence for each that is missing: what to add, and where."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from django.template.loader import get_template

from battles.published_forces import published_forces
from battles.replay.boards import BOARDS
from systems import BATTLES, BROKEN, GAMES, PAPER, ROSTERS, SEASONS
from systems.engine.resolve import resolve
from systems.reading import read_setup
from systems.setups import setup_json
from tests.tools.replays import golden_replays

ROOT = Path(__file__).resolve().parents[2]
TALLY = {"battles", "attacker_wins", "defender_wins", "draws", "rounds"}


@dataclass(frozen=True)
class Part:
    """A part that every system has; `has` is false, or raises, while it is missing."""

    name: str
    add: str
    has: Callable[[str], object]


def slugs() -> list[str]:
    """Every system that is here, those that can't be loaded too."""
    return [*GAMES, *BROKEN]


def missing(slug: str) -> list[str]:
    """A sentence for each part that the system lacks, with what went wrong where something did."""
    if slug in BROKEN:
        return [f"{slug} can't be loaded: {BROKEN[slug]}"]
    return [f"{slug} has no {part.name}: {part.add}{why}" for part in PARTS if (why := _lack(part, slug)) is not None]


def _lack(part: Part, slug: str) -> str | None:
    """Why the part is missing, in brackets if something went wrong; None: it is there."""
    try:
        return None if part.has(slug) else ""
    except Exception as error:  # whatever is not there yet
        return f" ({type(error).__name__}: {error})"


def package(slug: str) -> str:
    return slug.replace("-", "_")


def _round_trip(slug: str) -> bool:
    rules = ROSTERS[slug]
    specs = [design.spec for design in rules.published.values()]
    return bool(specs) and all(rules.parse_spec(rules.spec_json(spec)) == spec for spec in specs)


def _designs_told(slug: str) -> bool:
    """Points and a datasheet that lists can read."""
    rules = ROSTERS[slug]
    for design in rules.published.values():
        sheet = rules.datasheet(design.spec, name=design.name, design_name=design.name)
        told = (sheet.size, sheet.size_name, sheet.armor, sheet.hits, sheet.hits_left, sheet.columns, sheet.state)
        if sheet.points != rules.check_design(design.spec).points or len(told) != 7:
            return False
    return bool(rules.published)


def _lab(slug: str) -> bool:
    rules = ROSTERS[slug]
    spec = rules.parse_spec(rules.lab_spec({}))
    address = rules.lab_address(rules.spec_json(spec))
    return rules.parse_spec(rules.lab_spec(address)) == spec and bool(rules.bench(spec).frames)


def _levels(slug: str) -> bool:
    rules = ROSTERS[slug]
    return set(rules.hire_points) <= set(rules.level_names) and set(BATTLES[slug].levels) <= set(rules.level_names)


def _setting(slug: str) -> bool:
    rules = BATTLES[slug]
    return rules.plain_scenario in rules.scenarios and bool(rules.match_terrains(rules.plain_scenario))


def _fights(slug: str) -> bool:
    setup = BATTLES[slug].example()
    read_setup(setup_json(setup))
    return bool(resolve(setup, 1).events)


def _counts(slug: str) -> bool:
    rules = BATTLES[slug]
    modules = [importlib.import_module(name) for name in (*rules.rules, rules.records)]
    tally = modules[len(rules.rules) - 1]
    fields = set(tally.BattleTally.__dataclass_fields__)
    return fields >= TALLY and "lost" in tally.UnitTally.__dataclass_fields__ and callable(tally.count)


def _templates(slug: str) -> bool:
    """That every template it names is there; none need be named."""
    names = [name for name in ROSTERS[slug].parts.values() if name.endswith(".html")]
    names += filter(None, [BATTLES[slug].words.plate])
    board = BATTLES[slug].board
    return (not board or board in BOARDS) and all(get_template(name) for name in names)


def _tests(slug: str) -> bool:
    folder = ROOT / "tests" / "systems" / package(slug)
    return all(any((folder / part).glob("test_*.py")) for part in ("build", "battle", "season"))


PARTS: Iterable[Part] = (
    Part(
        "roster rules",
        "copy systems/<package>/build/ of a game, name it as `roster` of GAME, and add the package to HERE in systems/__init__.py",
        lambda slug: ROSTERS[slug].slug == slug,
    ),
    Part(
        "battle rules",
        "copy systems/<package>/battle/ of a game and name it as `battle` of GAME",
        lambda slug: BATTLES[slug].slug == slug,
    ),
    Part(
        "campaign rules",
        "copy systems/<package>/season/ of a game and name it as `season` of GAME",
        lambda slug: SEASONS[slug].slug == slug,
    ),
    Part("paper", "say in systems/<package>/paper/ how its cards and sheets are drawn, and name it as `paper` of GAME", PAPER.get),
    Part(
        "name and prefix",
        "give its RosterSystem a `name`, and the two letters of its rule IDs as `prefix`",
        lambda slug: ROSTERS[slug].name and len(ROSTERS[slug].prefix) == 2,
    ),
    Part(
        "rulebook",
        "list its rules in systems/<package>/rulebook.toml, each ID with the system's prefix",
        lambda slug: (
            ROSTERS[slug].rulebook and all(rule.startswith(f"{ROSTERS[slug].prefix}-") for rule in ROSTERS[slug].rulebook)
        ),
    ),
    Part(
        "catalogue",
        "put designs into `published`, whose specs come back equal from spec_json and parse_spec",
        lambda slug: ROSTERS[slug].catalogue_release and _round_trip(slug),
    ),
    Part("datasheets", "let `datasheet` tell what lists ask for, with the points that check_design finds", _designs_told),
    Part("design lab", "let `lab_spec`, `lab_address` and `bench` agree on how a build starts", _lab),
    Part("pilots' levels", "name in `level_names` every level of hire_points and of its BattleSystem; none is fine", _levels),
    Part("scenario to begin with", "name one of the BattleSystem's scenarios as `plain_scenario`, and its terrain", _setting),
    Part(
        "doctrine presets",
        "give its BattleSystem two `doctrines` or more",
        lambda slug: len(BATTLES[slug].doctrines) >= 2,
    ),
    Part(
        "demo forces",
        "put two forces or more into systems/<package>/forces.toml (`forces = load_forces(...)`)",
        lambda slug: len(published_forces(slug)) >= 2,
    ),
    Part("battle that can be fought", "let `example` give a set-up that passes check_setup and is fought to its end", _fights),
    Part(
        "tally",
        "let the last module of `rules` count battles, both sides' wins, draws, rounds, and of units what was lost",
        _counts,
    ),
    Part("template or drawing that it names", "add it under systems/<package>/templates/<slug>/ or to BOARDS of battles/replay/boards.py", _templates),
    Part(
        "points in the season",
        "give its CampaignSystem `season_points` of a game won, drawn and lost",
        lambda slug: set(SEASONS[slug].season_points) == {"won", "drawn", "lost"},
    ),
    Part(
        "golden replay",
        "keep the record of a short battle as tests/systems/<package>/replays/<name>.jsonl",
        golden_replays,
    ),
    Part("tests", "write tests in tests/systems/<package>/{build,battle,season}/", _tests),
    Part(
        "page of rulings",
        "begin systems/<package>/rulings.md",
        lambda slug: (ROOT / "systems" / package(slug) / "rulings.md").exists(),
    ),
)  # fmt: skip
