"""The parts of a rule system, with a sentence for each missing one: what to add, and where."""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import get_template

import systems
from battles.choices import published_forces
from battles.replay.boards import BOARDS
from systems import BATTLES, GAMES, PAPER, ROSTERS, SEASONS
from systems.artwork import silhouette
from systems.reading import read_setup
from systems.setups import setup_json
from systems.simulation.records import resolve
from systems.spaces import LOOKS, Zones
from tests.battles.record_ends import final_situation
from tests.systems.any_battle import any_battle
from tests.tools.replays import golden_replays
from tests.tools.rules import cited_by_tests

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = (  # contracts of import-linter that name each game
    "Inside systems, imports go one way, and no game knows another",
    "What all games stand on names no game",
)
TALLY = {"battles", "attacker_wins", "defender_wins", "draws", "rounds"}


@dataclass(frozen=True)
class Part:
    """A part that every system needs. `has` returns false or raises if it is missing."""

    name: str
    add: str
    has: Callable[[str], object]


def slugs() -> list[str]:
    """Return every installed system, even broken ones."""
    return [*GAMES, *systems.BROKEN]


def missing(slug: str) -> list[str]:
    """Return a sentence for each missing part of the system, with the error if there was one."""
    if slug in systems.BROKEN:
        return [f"{slug} can't be taken in and is left out: {systems.BROKEN[slug]}"]
    return [f"{slug} has no {part.name}: {part.add}{why}" for part in PARTS if (why := _lack(part, slug)) is not None]


def _lack(part: Part, slug: str) -> str | None:
    """Return why the part is missing: empty, or the error in brackets. None if the system has it."""
    try:
        return None if part.has(slug) else ""
    except Exception as error:  # anything may be missing
        return f" ({type(error).__name__}: {error})"


def tests_of(slug: str) -> Path:
    """Return the folder of the system's tests and golden replays."""
    return ROOT / "tests" / "systems" / slug.replace("-", "_")


def _folder(slug: str) -> Path:
    """Return the folder of the game."""
    file = importlib.import_module(systems.packages()[slug]).__file__
    assert file
    return Path(file).parent


def _named(slug: str) -> bool:
    rules, others = ROSTERS[slug], [each for other, each in ROSTERS.items() if other != slug]
    return (
        bool(rules.name)
        and len(rules.prefix) == 2
        and all(rules.name != each.name and rules.prefix != each.prefix for each in others)
    )


def _round_trip(slug: str) -> bool:
    rules = ROSTERS[slug]
    specs = [design.spec for design in rules.published.values()]
    return bool(specs) and all(rules.parse_spec(rules.spec_json(spec)) == spec for spec in specs)


def _has_complete_datasheets(slug: str) -> bool:
    """Return whether datasheets have everything that lists need, with the right points."""
    rules = ROSTERS[slug]
    for design in rules.published.values():
        sheet = rules.datasheet(design.spec, name=design.name, design_name=design.name)
        figures = (sheet.size, sheet.size_name, sheet.armor, sheet.hits, sheet.hits_left, sheet.columns, sheet.state)
        if sheet.points != rules.check_design(design.spec).points or len(figures) != 7:
            return False
    return bool(rules.published)


def _lab(slug: str) -> bool:
    """Return whether builds survive the lab's address and counts unchanged, or the game has no lab."""
    rules = ROSTERS[slug]
    if not rules.has("lab"):
        return True
    for spec in (rules.parse_spec(rules.lab_spec({})), *(design.spec for design in rules.published.values())):
        data, editor = rules.spec_json(spec), rules.editor(spec)
        address = rules.lab_address(data)
        again = [rules.lab_spec({name: address.get(name, "") for name in rules.lab_fields})]
        if editor.groups:
            counts = {choice.slug: choice.count for group in editor.groups for choice in group.choices}
            again.append(rules.editor_spec(editor.frame, counts, data))
        for other in again:
            if rules.parse_spec(other) != spec:
                raise LookupError(f"{data} is read back as {other}")
    return bool(editor.frames)


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
    """Return whether all templates and static files that it names exist; it may name none."""
    named = [*ROSTERS[slug].parts.values(), BATTLES[slug].words.illustration]
    if slug in PAPER:
        named += [PAPER[slug].sheet_template, PAPER[slug].scenario_template]
    for name in filter(None, named):
        if name.endswith(".html"):
            get_template(name)
        elif finders.find(name) is None:
            raise FileNotFoundError(name)
    space = BATTLES[slug].space
    return space is None or space.board in BOARDS


def _silhouettes(slug: str) -> bool:
    sheets = [_sheet(slug, design) for design in ROSTERS[slug].published]
    for sheet in sheets:
        if not silhouette(sheet.size):
            raise LookupError(sheet.size)
    return bool(sheets)


def _sheet(slug: str, design: str) -> Any:
    published = ROSTERS[slug].published[design]
    return ROSTERS[slug].datasheet(published.spec, name=published.name, design_name=published.name)


def _drawn(slug: str) -> bool:
    """Return whether every design has a card, and the other prints that the game offers."""
    paper = PAPER[slug]
    for design in ROSTERS[slug].published:
        sheet = _sheet(slug, design)
        paper.card(sheet, "full")
        for question in ("counter", "sheet_context", "roster_line"):
            if paper.answers(question):
                getattr(paper, question)(sheet)
    return True


def _fold(slug: str) -> bool:
    """Return whether a replay ends with the outcome of its battle."""
    record = resolve(BATTLES[slug].example(), 1)
    destroyed = {view.key: view.destroyed for view in final_situation(record).units}
    return {unit["key"]: unit["lost"] for unit in record.outcome["units"]}.items() <= destroyed.items()


def _ground(slug: str) -> bool:
    """Return whether a map of zones can be drawn; types ensure that for other spaces."""
    space, setup = BATTLES[slug].space, BATTLES[slug].example()
    zones = space.ground(setup, ()) if isinstance(space, Zones) else ()
    for at, zone in enumerate(zones, start=1):
        if zone.number != at or zone.look not in ("", *LOOKS):
            raise LookupError(zone)
    return True


def _every_event_is_a_sentence(slug: str) -> bool:
    """Return whether every event of a battle has a sentence, and every step a title."""
    rules = BATTLES[slug]
    setup = rules.example()
    record = resolve(setup, 1)
    tell = rules.narrator(setup)
    steps = {event.step for event in record.events}
    return all(tell(event) for event in record.events) and all(rules.step_title(step) for step in steps)


def _tests(slug: str) -> bool:
    return all(any((tests_of(slug) / part).glob("test_*.py")) for part in ("build", "battle", "season"))


def _rules_tested(slug: str) -> bool:
    done = {rule.id for rule in ROSTERS[slug].rulebook.values() if rule.status == "done"}
    if untested := sorted(done - set(cited_by_tests(ROSTERS[slug].prefix))):
        raise LookupError(", ".join(untested))
    return bool(done)


def _rulings(slug: str) -> bool:
    """Return whether every ruling names an existing test."""
    entries = re.split(r"\n(?=\*\*\d+\. )", (_folder(slug) / "rulings.md").read_text(encoding="utf-8"))[1:]
    for entry in entries:
        named = re.findall(r"`((?:tests/[\w/]+/)?test_\w+\.py)::(test_\w+)`", entry)
        if not named:
            raise LookupError(f"no test in {entry.splitlines()[0]}")
        for file, test in named:
            path = ROOT / file if file.startswith("tests/") else tests_of(slug) / "battle" / file
            if f"def {test}(" not in path.read_text(encoding="utf-8"):
                raise LookupError(f"no {test} in {file}")
    return bool(entries)


def _has_bodies(slug: str) -> bool:
    rules = ROSTERS[slug]
    return any(rules.body(design.spec) for design in rules.published.values())


def _contracts(slug: str) -> bool:
    """Return whether no other game may import it, nor the shared modules; installed games don't need this."""
    if slug not in systems.PACKAGES or systems.PACKAGES[slug].partition(".")[0] != "systems":
        return True
    kept = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    named = {each["name"]: (*_layers(each), *each.get("forbidden_modules", ())) for each in kept}
    return all(systems.PACKAGES[slug] in named[contract] for contract in CONTRACTS)


def _layers(contract: Mapping[str, Any]) -> Iterator[str]:
    """Yield the modules of the contract's layers."""
    for container in contract.get("containers", ()):
        for layer in contract["layers"]:
            yield from (f"{container}.{name.strip()}" for name in layer.split("|"))


PARTS: Iterable[Part] = (
    Part(
        "roster rules",
        "copy systems/<package>/build/ of a game, name it as `roster` of GAME, and add the package to PACKAGES in systems/__init__.py",
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
    Part("paper", "describe its cards and sheets in systems/<package>/paper/ and name it as `paper` of GAME", PAPER.get),
    Part(
        "unique name and prefix",
        "give its RosterSystem a `name`, and the two letters of its rule IDs as `prefix`, which no other game has",
        _named,
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
        "put designs into `published`; parse_spec must read the output of spec_json back as an equal spec",
        lambda slug: ROSTERS[slug].catalogue_release and _round_trip(slug),
    ),
    Part("datasheets", "let `datasheet` return every figure that lists need, with the points of check_design", _has_complete_datasheets),
    Part(
        "design lab",
        "name every field of a spec in `lab_fields`, and fields that hold several slugs in `lab_lists` too; `editor_spec` must"
        " turn the counts of `editor` back into the spec; override `lab_spec` and `lab_address` for any other field",
        _lab,
    ),
    Part("pilots' levels", "name every level of hire_points and of its BattleSystem in `level_names`, which may be empty", _levels),
    Part("default scenario", "name one of the BattleSystem's scenarios as `plain_scenario`, and its terrain", _setting),
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
    Part("playable battle", "let `example` return a set-up that passes check_setup and can be played to its end", _fights),
    Part(
        "tally",
        "let the last module of `rules` count battles, both sides' wins, draws, rounds, and lost units",
        _counts,
    ),
    Part("sentence for each event", "let `narrator` return a sentence for each event, and `step_title` a title for each step", _every_event_is_a_sentence),
    Part("replay that ends like its battle", "let `opening` and `follow` lead to the result of `outcome`", _fold),
    Part("map that can be drawn", "number the zones of `ground` from 1 on, in order, and give each a look from LOOKS in systems/spaces/__init__.py, or none", _ground),
    Part("existing templates and static files", "add the template to systems/<package>/templates/<slug>/, the style to static/css/, the drawing to BOARDS of battles/replay/boards.py", _templates),
    Part("silhouette for each size", "name one for it in LIKE of systems/artwork/__init__.py, or draw one", _silhouettes),
    Part("paper for each design", "let its SystemPaper draw every published design", _drawn),
    Part(
        "season points",
        "give its CampaignSystem `season_points` for won, drawn and lost games",
        lambda slug: set(SEASONS[slug].season_points) == {"won", "drawn", "lost"},
    ),
    Part(
        "golden replay",
        "store the record of a short battle as tests/systems/<package>/replays/<name>.jsonl",
        golden_replays,
    ),
    Part("tests", "write tests in tests/systems/<package>/{build,battle,season}/", _tests),
    Part("test for every finished rule", "mark one with @pytest.mark.rule, or set the rule to planned", _rules_tested),
    Part(
        "ruling with its test",
        "write systems/<package>/rulings.md with an entry `**1. ...**` for each ruling, naming `test_file.py::test_name`",
        _rulings,
    ),
    Part(
        "data for the tests of any battle",
        "define in tests/systems/<package>/any_battle.py its set-ups and the facts that are acts (`ANY`)",
        any_battle,
    ),
    Part(
        "maker of builds",
        "give ANY of tests/systems/<package>/any_battle.py a `build`, because its units are drawn",
        lambda slug: any_battle(slug).build or not _has_bodies(slug),
    ),
    Part(
        "entry in the import contracts",
        "name systems.<package> in pyproject.toml: next to the other games in `layers` of \"{}\", in `forbidden_modules` of \"{}\"".format(*CONTRACTS),
        _contracts,
    ),
)  # fmt: skip
