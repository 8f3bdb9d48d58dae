"""One world for all permissions tests."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import rows_until_the_end
from tests.permissions.world import World, the_world


@pytest.fixture(scope="package")
def the_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Build the rows once for the tests in this folder that don't commit.

    pytest-django runs those that commit last.
    """
    with rows_until_the_end(django_db_blocker):
        yield the_world()


@pytest.fixture
def world(the_rows: World, db: None) -> World:
    return copy.deepcopy(the_rows)
