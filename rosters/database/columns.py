"""Columns of a query by the names of the fields that they fill, so that no two can be swapped."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache


def columns(row: Callable[..., object], /, **paths: str) -> tuple[str, ...]:
    """Return the columns for `values_list`, in the order in which `row` takes them.

    `row`: the class or function that is called with the values of each row. `paths`: the column of each of its
    arguments; an argument without one is filled from the column of its own name. Raise TypeError for a path of an
    argument that `row` doesn't take.
    """
    names = _arguments(row)
    if unknown := paths.keys() - set(names):
        raise TypeError(f"{row.__qualname__} takes no {', '.join(sorted(unknown))}")
    return tuple(paths.get(name, name) for name in names)


@cache
def _arguments(row: Callable[..., object]) -> tuple[str, ...]:
    return tuple(inspect.signature(row).parameters)
