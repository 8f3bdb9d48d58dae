"""Plain and compiled runs of a system's rules: plain Python, or compiled by numba.

The plain run imports the rules modules and works on slotted dataclasses. The compiled run writes the same modules,
without imports and notes, into one generated file after the compiled dice, and works on record arrays with the same
fields. The file's name is the hash of everything that it was made from, so numba's cache beside it can never use an
outdated text. numba is imported only here, and only for the compiled run.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import dataclasses
import fcntl
import hashlib
import importlib
import importlib.util
import operator
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, get_args, get_type_hints

from systems.engine.dice import Dice, NullLog, SeededDice, TurnedDice, stream

if TYPE_CHECKING:
    import numpy as np
    from numpy import typing as npt


State: TypeAlias = Any  # a game's own tuple of records, which only its rules use
HEADER = '''"""Generated from the rules modules of {slug}; see systems/engine/runner.py."""
from __future__ import annotations

from math import floor, sqrt

import numpy as np
from numba import njit

from systems.engine.compiler import ProgramCompiler, part
{tables}from {records} import *  # noqa: F403
from {records} import State

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_entry = njit(cache=True, nogil=True, error_model="numpy", boundscheck={boundscheck}, pipeline_class=ProgramCompiler)
_called = part(inline=False, boundscheck={boundscheck})
_inline = part(inline=True, boundscheck={boundscheck})


@_inline
def mix(value):
    value = (value ^ (value >> _30)) * _FIRST
    value = (value ^ (value >> _27)) * _SECOND
    return value ^ (value >> _31)


@_inline
def roll(dice, sides):
    if dice[0] == dice[1]:
        dice[0] = dice[2]
    dice[0] += _GOLDEN
    return np.int64(((mix(dice[0]) >> _32) * np.uint64(sides)) >> _32) + 1


@_inline
def pick(dice, count):
    return 0 if count == 1 else roll(dice, count) - 1

'''

TABLES = "from systems.engine.compiler import borrow, overwrite, refill\n\n"
CHECKED_TABLES = """from systems.engine.compiler import overwrite

def _same(array):
    return array


def _copy(array, source):
    for at in range(len(array)):
        array[at] = source[at]


borrow = njit(_same)
refill = njit(_copy)

"""

RUNNER = """

@_entry
def run(battles, {lists}, seed, first, count_battles, begun, old_dice, start, turn, tally, unit_tallies, prints):
    own_battle = battles.copy()
{owned}
    battle = borrow(own_battle)
    first_tally = tally[0]
    tallies = borrow(unit_tallies)
{copies}
    dice = np.zeros(3, np.uint64)
    s = State(battle[0], {work})
    for k in range(count_battles):
        own_battle[0] = battles[0]
{resets}
        fresh = mix(seed + mix((first + np.uint64(k)) * _GOLDEN))
        dice[0] = start if old_dice else fresh
        dice[1] = turn if old_dice else fresh
        dice[2] = fresh
        if begun == 0:
            begin(s, dice, 0)
        while go_on(s, dice, 0):
            pass
        print_ = count(s, first_tally, tallies)
        if len(prints):
            prints[k] = print_
    return len(own_battle){alive}  # the owners of the borrowed memory live until here
"""


@dataclasses.dataclass(frozen=True, slots=True)
class Position:
    """A position in a battle, at the start or after a round, and its dice."""

    state: State
    begun: bool = False  # whether `begin` has been called
    dice: int | None = None  # state of the battle's own dice; None: only fresh dice
    turn: int = 0  # state of the battle's dice at which fresh dice replace them

    def fresh(self, seed: int, index: int) -> Dice:
        """Return the dice of battle `index` of the seed, from this position on."""
        return SeededDice(seed, index) if self.dice is None else TurnedDice(self.dice, self.turn, stream(seed, index))


def plain_battle(fight: Callable[..., None], template: State, dice: Dice, log: object) -> State:
    """Simulate one battle on a copy of the template, in plain Python; return its final state."""
    state = copy_state(template)
    fight(state, dice, log)
    return state


def copy_state(template: State) -> State:
    """Return a copy of a state, whose records can be changed freely."""
    return type(template)(
        *(
            list(map(_copier(type(part[0])), part)) if isinstance(part, list) and part else copy.copy(part)
            for part in template
        )
    )


def _copier(record: type) -> Callable[[Any], Any]:
    """Return a function that copies a class's records, six times as fast as `copy.copy`; a state has thousands."""
    names = [field.name for field in dataclasses.fields(record)]
    if len(names) == 1:
        (name,) = names
        return lambda row: record(getattr(row, name))
    values = operator.attrgetter(*names)
    return lambda row: record(*values(row))


def records_of(records: str) -> dict[str, type]:
    """Return the record classes of a system's state, by field name of State."""
    hints = get_type_hints(importlib.import_module(records).State)
    return {name: get_args(hint)[0] if get_args(hint) else hint for name, hint in hints.items()}


def dtype_of(record: type) -> np.dtype[np.void]:
    """Return the numpy record type for the fields of a record class: whole numbers, or floats."""
    import numpy as np

    kinds = {int: np.int64, float: np.float64}
    return np.dtype([(name, kinds[kind]) for name, kind in get_type_hints(record).items()], align=True)


def as_array(rows: Sequence[object], record: type) -> npt.NDArray[np.void]:
    """Return rows of a record class as a record array."""
    import numpy as np

    array = np.zeros(len(rows), dtype_of(record))
    for at, row in enumerate(rows):
        array[at] = tuple(getattr(row, field.name) for field in dataclasses.fields(record))
    return array


def functions_of(path: Path, called: frozenset[str], records: str) -> str:
    """Return the functions and constants of a rules module, decorated for the compiler.

    Functions named in `called` are called; all others are inlined. Names from the records module have no prefix in the
    generated file: `c.MEK` becomes `MEK` if that module is imported as `c`.
    """
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    lines = _bared(source.splitlines(), tree, records)
    kept: list[str] = []
    for node in ast.walk(tree):  # the compiled run has no log, so it needs neither words nor names
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _is_note(node.value):
            lines[node.lineno - 1 : node.end_lineno] = [
                " " * node.col_offset + "pass",
                *[""] * ((node.end_lineno or node.lineno) - node.lineno),
            ]
    for node in tree.body:
        text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        if isinstance(node, ast.FunctionDef):
            kept.append(f"@{'_called' if node.name in called else '_inline'}\n{text}\n\n")
        elif isinstance(node, ast.Assign):
            kept.append(f"{text}\n")
    return "\n".join(kept)


def _bared(lines: list[str], tree: ast.Module, records: str) -> list[str]:
    """Return a module's lines without its prefix for the records module."""
    aliases = {
        name.asname or name.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if f"{node.module}.{name.name}" == records
    }
    codes = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases
    ]
    for node in sorted(codes, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        line = lines[node.lineno - 1].encode()  # column offsets count bytes
        lines[node.lineno - 1] = (line[: node.col_offset] + node.attr.encode() + line[node.end_col_offset :]).decode()
    return lines


def _is_note(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "note"


@lru_cache(maxsize=8)
def compiled(
    slug: str, records: str, modules: tuple[str, ...], called: frozenset[str], boundscheck: bool = False
) -> ModuleType:
    """Return the rules of a system as a module of compiled functions; its `run` simulates many battles."""
    return _load(*_generated(slug, records, modules, called, boundscheck))


def is_compiled(slug: str, records: str, modules: tuple[str, ...], called: frozenset[str]) -> bool:
    """Return whether the compiled code is already in the cache, so that the first run needn't compile it."""
    _text, name = _generated(slug, records, modules, called, boundscheck=False)
    return any((cache_folder() / "__pycache__").glob(f"{name}.run-*.nbc"))


@lru_cache(maxsize=8)
def _generated(
    slug: str, records: str, modules: tuple[str, ...], called: frozenset[str], boundscheck: bool
) -> tuple[str, str]:
    """Return a system's rules as text for the compiler, and its name, a hash of everything that it depends on."""
    bodies = [functions_of(_path_of(name), called, records) for name in modules]
    lists = [name for name in records_of(records) if name != "battle"]
    text = HEADER.format(
        slug=slug,
        records=records,
        boundscheck=boundscheck,
        tables=CHECKED_TABLES if boundscheck else TABLES,
    )
    text += "\n\n" + "\n".join(bodies)
    text += RUNNER.format(
        lists=", ".join(f"t_{name}" for name in lists),
        owned="\n".join(f"    own_{name} = t_{name}.copy()" for name in lists),
        copies="\n".join(f"    {name} = borrow(own_{name})" for name in lists),
        alive="".join(f" + len(own_{name})" for name in lists),
        work=", ".join(lists),
        resets="\n".join(f"        refill(own_{name}, t_{name})" for name in lists),
    )
    stamp = hashlib.sha256()
    stamp.update(text.encode())
    stamp.update(_path_of(records).read_bytes())
    stamp.update(Path(__file__).with_name("compiler.py").read_bytes())
    stamp.update(f"{version('numba')} {sys.version_info[:2]}".encode())
    return text, f"muster_rules_{slug.replace('-', '_')}_{stamp.hexdigest()[:16]}"


@contextlib.contextmanager
def compiling(slug: str) -> Iterator[bool]:
    """Yield True if this process alone, on this machine, may compile that game; its lock ends with the process."""
    with _lock_of(slug).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            os.utime(file.fileno())
            yield True


def compiling_since(slug: str) -> float:
    """Return when the current compiling of that game started, in seconds since 1970."""
    return _lock_of(slug).stat().st_mtime


def _lock_of(slug: str) -> Path:
    return cache_folder() / f"compiling-{slug}"


def cache_folder() -> Path:
    """Return the folder of generated files and their compile cache.

    It is in MUSTER_VAR; if that isn't set, in `var/` of a checkout, or in the user's cache folder if only `systems` is
    installed.
    """
    checkout = Path(__file__).resolve().parents[2]
    if "MUSTER_VAR" in os.environ:
        var = Path(os.environ["MUSTER_VAR"])
    elif (checkout / "manage.py").exists():
        var = checkout / "var"
    else:
        var = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "muster"
    folder = var / "compiled"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _load(text: str, name: str) -> ModuleType:
    path = cache_folder() / f"{name}.py"
    if not path.exists():
        draft = path.with_suffix(f".{os.getpid()}.tmp")
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # the cached code looks up its module by name
    spec.loader.exec_module(module)
    return module


def _path_of(name: str) -> Path:
    file = importlib.import_module(name).__file__
    assert file is not None
    return Path(file)


def run_plain(
    fight: Callable[..., None],
    count: Callable[..., int],
    position: Position,
    seed: int,
    first: int,
    battles: int,
    tally: object,
    unit_tallies: Sequence[object],
) -> list[int]:
    """Simulate battles first .. first + battles - 1 of a seed in plain Python, and return their ends.

    The battles are added to the tallies.
    """
    log = NullLog()
    prints = []
    for index in range(first, first + battles):
        state = plain_battle(fight, position.state, position.fresh(seed, index), log)
        prints.append(count(state, tally, unit_tallies))
    return prints
