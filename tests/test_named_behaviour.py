"""Whatever Muster does is named by a test of `make test`: routes, API operations, events, products, jobs.

For rules of the games, see tests/test_rulebook.py.
"""

from __future__ import annotations

import ast
from pathlib import Path

from campaigns.notifications.event_types import EVENT_TYPES
from config.celery import app
from rosters.products import PRODUCTS
from tests.permissions import test_permissions
from tests.permissions.routes import routes, table
from tests.tools.named import is_in_every_run, words_of_tests


def test_every_route_is_requested():
    """The walk of the table requests each row, a page or an API operation, in one or two roles."""
    rows = table()
    assert {row.route for row in rows} == routes()
    assert all(map(test_permissions.roles_for, rows))
    source = ast.parse(Path(test_permissions.__file__).read_text(encoding="utf-8"))
    walks = [each for each in source.body if isinstance(each, ast.FunctionDef) and "for_sampled_roles" in each.name]
    assert walks
    assert all(map(is_in_every_run, walks))


def test_every_event_is_named_by_a_test():
    assert len(EVENT_TYPES) > 50
    assert not EVENT_TYPES.keys() - words_of_tests()


def test_every_printed_product_is_named_by_a_test():
    assert len(PRODUCTS) > 10
    assert not PRODUCTS.keys() - words_of_tests()


def test_every_job_is_named_by_a_test():
    app.loader.import_default_modules()
    jobs = {job.run.__name__ for name, job in app.tasks.items() if not name.startswith("celery.")}
    assert len(jobs) > 30
    assert not jobs - words_of_tests()
