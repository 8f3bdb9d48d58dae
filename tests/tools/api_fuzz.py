"""Asks every operation of the API what its description allows, and what it forbids, and holds the answers to it.

The cases are schemathesis': examples, edges of every field, and drawn ones, well and ill formed; all of its checks are
made. Each case is asked by somebody else, of things that are there as often as of others, and everything it did is
undone. A request that fits the description may still be refused (400, 422) for what only the rules of a game know.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import hypothesis
import schemathesis
from django.core import signals
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.db import close_old_connections, transaction
from django.urls import Resolver404, resolve
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup
from schemathesis.generation.hypothesis.builder import HypothesisTestConfig, HypothesisTestMode, create_test

from tests.builders import a_token
from tests.permissions.walk import table
from tests.permissions.world import World

ROLES = ("anonymous", "stranger", "attacker", "defender", "arbiter", "organiser")
MODES = [HypothesisTestMode.EXAMPLES, HypothesisTestMode.COVERAGE, HypothesisTestMode.FUZZING]
REFUSED = ["2xx", "400", "401", "403", "404", "409", "410", "422"]  # what a well-formed request may come to
OF_WHAT_IS_THERE = 0.6  # of the cases whose address is well formed


@dataclass
class Found:
    """What came of the cases: how many by operation and by status, and where an answer was not as described."""

    cases: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)  # the first case of each kind of failure

    def __str__(self) -> str:
        told = ", ".join(f"{status}: {count}" for status, count in sorted(self.statuses.items()))
        return (
            f"{self.cases.total()} cases of {len(self.cases)} operations; {told}; {len(self.wrong)} kinds of violations"
        )


@contextmanager
def _one_connection() -> Iterator[None]:
    """The database stays connected between requests: all of them are asked in the test's own transaction."""
    ends = (signals.request_started, signals.request_finished)
    for each in ends:
        each.disconnect(close_old_connections)
    try:
        yield
    finally:
        for each in ends:
            each.connect(close_old_connections)


@_one_connection()
def fuzz(world: World, *, drawn: int, seed: int = 1, only: str = "", edges: bool = True) -> Found:
    """Asks each operation its edges and so many drawn cases; `only` those whose path has one of these parts, by comma."""
    config = SchemathesisConfig.from_dict({"checks": {"positive_data_acceptance": {"expected-statuses": REFUSED}}})
    schema = schemathesis.openapi.from_wsgi("/api/schema/?format=json", WSGIHandler(), config=config)
    settings = hypothesis.settings(
        max_examples=max(drawn, 1),
        derandomize=True,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.explicit, *([hypothesis.Phase.generate] if drawn else [])],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    asked = _Asked(world, random.Random(seed))
    modes = MODES if edges else MODES[2:]
    for result in schema.get_all_operations():
        operation = result.ok()
        if any(part in operation.path for part in only.split(",")):
            plan = HypothesisTestConfig(project=schema.config, modes=modes, settings=settings, seed=seed)
            create_test(operation=operation, test_func=asked.ask, config=plan)()
    return asked.found


class _Asked:
    def __init__(self, world: World, chance: random.Random) -> None:
        self.world, self.chance, self.found = world, chance, Found()
        self.tokens = {role: a_token(world.people[role]) for role in ROLES[1:]}
        self.rows: dict[str, list[dict[str, Any]]] = {}
        for row in table():
            self.rows.setdefault(row.route, []).append(world.cases[row.case])

    def ask(self, case: schemathesis.Case) -> None:
        self._place(case)
        role = self.chance.choice(ROLES)
        headers = {"Accept-Encoding": "identity"}  # nothing between here and the site would unpack it
        if role in self.tokens:
            headers["Authorization"] = f"Token {self.tokens[role]}"
        name = f"{case.method} {case.operation.path}"
        cache.clear()
        with transaction.atomic():
            answer = case.call(headers=headers)
            self.found.cases[case.operation.label] += 1
            self.found.statuses[answer.status_code] += 1
            try:
                case.validate_response(answer, headers=headers)
            except FailureGroup as group:
                for failure in group.exceptions:
                    told = f"{role}: {case.as_curl_command()}\n{answer.status_code} {answer.text[:600]}\n{failure}"
                    self.found.wrong.setdefault(f"{name}: {type(failure).__name__}", told)
            transaction.set_rollback(True)

    def _place(self, case: schemathesis.Case) -> None:
        """Often, in the place of an address that leads nowhere, one of what is there."""
        try:
            route = resolve(case.formatted_path).url_name or ""
        except (Resolver404, ValueError):
            return
        places = [each for each in self.rows.get(route, ()) if set(case.path_parameters or ()) <= set(each)]
        if case.path_parameters and places and self.chance.random() < OF_WHAT_IS_THERE:
            found = self.chance.choice(places)
            case.path_parameters = {name: str(found[name]) for name in case.path_parameters}
