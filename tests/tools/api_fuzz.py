"""Send requests to every operation of the API, valid and invalid by its description, and check the responses.

The cases come from schemathesis: examples, edge values of every field, and random ones, well-formed and malformed. All
its checks are made. Each case is sent by a random role, often for rows that exist, and is rolled back. Most well-formed
cases are sent by a permitted role with values of existing rows, so that they succeed. A request that fits the
description may still be refused (400, 422) by the rules of a game.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import hypothesis
import schemathesis
from django.core import signals
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.db import close_old_connections, transaction
from django.urls import Resolver404, resolve
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.generation.hypothesis.builder import HypothesisTestConfig, HypothesisTestMode, create_test
from schemathesis.openapi.checks import RejectedPositiveData
from werkzeug.test import Client

from tests.builders import a_token
from tests.permissions.routes import table
from tests.permissions.world import ROLES as TABLE_ROLES
from tests.permissions.world import World

from .api_values import Knowledge, Place

ROLES = ("anonymous", "stranger", "member", "attacker", "defender", "arbiter", "organiser")
EDGE_MODES = [HypothesisTestMode.EXAMPLES, HypothesisTestMode.COVERAGE]
EXPECTED_STATUSES = ["2xx", "400", "401", "403", "404", "409", "410", "422"]  # statuses for a well-formed request
PRECONDITION_FAILED = 412  # also possible with If-Match
EXISTING_ROW_SHARE = 0.6  # of cases with the address of an existing row
PERMITTED_ROLE_SHARE = 0.9  # share of well-formed cases sent by a permitted role
OPTIONAL_PARAMETER_SHARE = 0.3  # share of those that keep drawn optional parameters
WELL_FORMED_SHARE = 2 / 3  # share of the drawn cases


@dataclass
class Found:
    """The results: numbers of cases by operation and by status, and responses that don't fit the description."""

    cases: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)  # answered 2xx, by operation
    wrong: dict[str, str] = field(default_factory=dict, repr=False)  # the first case of each kind of failure
    seconds: float = 0

    def __str__(self) -> str:
        counts = "\n".join(f"  {status}  {count:6}" for status, count in sorted(self.statuses.items()))
        never = sorted(set(self.cases) - set(self.done))
        return (
            f"{self.cases.total()} cases of {len(self.cases)} operations in {self.seconds:.0f} s\n{counts}\n"
            f"done: {self.done.total()} cases of {len(self.done)} operations; never done: {', '.join(never) or 'none'}\n"
            f"{sum(count for status, count in self.statuses.items() if status >= 500)} server errors, "
            f"{len(self.wrong)} kinds of violations"
        )


@contextmanager
def _one_connection() -> Iterator[None]:
    """Keep the database connected between requests, which all run in the test's transaction."""
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
    """Send each operation its edge cases and `drawn` random ones; `only`: parts of paths, separated by commas."""
    began = time.monotonic()
    schema = schemathesis.openapi.from_wsgi("/api/schema/?format=json", WSGIHandler(), config=_config("all"))
    asked = _Fuzz(world, random.Random(seed))
    well = round(drawn * WELL_FORMED_SHARE)
    for result in schema.get_all_operations():
        operation = result.ok()
        if any(part in operation.path for part in only.split(",")):
            for modes, kind, most in (
                (EDGE_MODES if edges else [], "all", 1),
                ([HypothesisTestMode.FUZZING], "positive", well),
                ([HypothesisTestMode.FUZZING], "all", drawn - well),
            ):
                if modes and most:
                    project = _config(kind).projects.get_default()
                    plan = HypothesisTestConfig(
                        project=project, modes=modes, settings=_settings(modes, most), seed=seed
                    )
                    create_test(operation=operation, test_func=asked.ask, config=plan)()
    asked.found.seconds = time.monotonic() - began
    return asked.found


def _config(mode: str) -> SchemathesisConfig:
    checks = {"positive_data_acceptance": {"expected-statuses": EXPECTED_STATUSES}}
    return SchemathesisConfig.from_dict({"checks": checks, "generation": {"mode": mode}})


def _settings(modes: list[HypothesisTestMode], most: int) -> hypothesis.settings:
    draws = HypothesisTestMode.FUZZING in modes
    return hypothesis.settings(
        max_examples=most,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate if draws else hypothesis.Phase.explicit],
        suppress_health_check=list(hypothesis.HealthCheck),
    )


class _Fuzz:
    def __init__(self, world: World, chance: random.Random) -> None:
        self.chance, self.found, self.knows = chance, Found(), Knowledge(world)
        self.tokens = {role: a_token(world.people[role]) for role in ROLES[1:]}
        self.rows: dict[str, list[tuple[Place, dict[str, str]]]] = {}
        for row in table():
            self.rows.setdefault(row.route, []).append((world.cases[row.case], row.expected))

    def ask(self, case: schemathesis.Case) -> None:
        role = self._fit(case) if self._is_well_formed(case) and self.chance.random() < PERMITTED_ROLE_SHARE else None
        if role is None:
            self._place(case)
            role = self.chance.choice(ROLES)
        headers = {"Accept-Encoding": "identity", **self._authorization(role)}  # no middleware would unpack it
        label = case.operation.label
        cache.clear()
        with transaction.atomic():
            answer = case.call(headers=headers)
            self.found.cases[label] += 1
            self.found.statuses[answer.status_code] += 1
            if case.method == case.operation.method.upper() and answer.status_code < 300:
                self.found.done[label] += 1
            try:
                case.validate_response(answer, headers=headers)
            except FailureGroup as group:
                for failure in group.exceptions:
                    if not _is_conflict(failure, case, answer.status_code):
                        request_text = (
                            f"{role}: {case.as_curl_command()}\n{answer.status_code} {answer.text[:600]}\n{failure}"
                        )
                        self.found.wrong.setdefault(f"{label}: {type(failure).__name__}", request_text)
            transaction.set_rollback(True)

    def _authorization(self, role: str) -> dict[str, str]:
        return {"Authorization": f"Token {self.tokens[role]}"} if role in self.tokens else {}

    def _is_well_formed(self, case: schemathesis.Case) -> bool:
        return case.meta is not None and case.meta.generation.mode.is_positive

    def _fit(self, case: schemathesis.Case) -> str | None:
        """Make the case fit an existing row; return a permitted role, or None if the table permits none."""
        places = self._places(case)
        method = case.method
        able = [
            (place, [role for role in ROLES if expected[method][TABLE_ROLES.index(role)] == "."])
            for place, expected in places
            if method in expected
        ]
        able = [(place, roles) for place, roles in able if roles]
        if not able:
            return None
        place, roles = self.chance.choice(able)
        names = {name: name if name in place else "pk" for name in case.path_parameters or ()}
        case.path_parameters = {name: str(place[known]) for name, known in names.items()}
        role = self.chance.choice(roles if len(roles) == 1 or self.chance.random() < 0.1 else _signed_in(roles))
        if self.chance.random() > OPTIONAL_PARAMETER_SHARE:
            case.query = {"key": place["?key"]} if "?key" in place and method == "GET" else {}
        operation = case.operation.definition.raw.get("operationId", "")
        if isinstance(case.body, dict):
            case.body = self.knows.fit(operation, case.body, dict(case.path_parameters), self.chance)
        if "If-Match" in (case.headers or {}) and self.chance.random() < EXISTING_ROW_SHARE:
            read = Client(WSGIHandler()).get(case.formatted_path, headers=self._authorization(role))
            case.headers["If-Match"] = read.headers.get("ETag", "*")
        return role

    def _places(self, case: schemathesis.Case) -> list[tuple[Place, dict[str, str]]]:
        """Return the URL arguments of the route's existing rows, with the permissions of each role."""
        try:
            route = resolve(case.formatted_path).url_name or ""
        except (Resolver404, ValueError):
            return []
        names = set(case.path_parameters or ())
        return [row for row in self.rows.get(route, ()) if names <= set(row[0]) | ({"id"} if "pk" in row[0] else set())]

    def _place(self, case: schemathesis.Case) -> None:
        """Often replace the arguments of the URL by those of an existing row."""
        places = self._places(case)
        if case.path_parameters and places and self.chance.random() < EXISTING_ROW_SHARE:
            found = self.chance.choice(places)[0]
            case.path_parameters = {name: str(found.get(name, found.get("pk"))) for name in case.path_parameters}


def _signed_in(roles: list[str]) -> list[str]:
    return [role for role in roles if role != ROLES[0]] or roles


def _is_conflict(failure: Failure, case: schemathesis.Case, status: int) -> bool:
    """Return whether it was refused because of its If-Match header."""
    return isinstance(failure, RejectedPositiveData) and status == PRECONDITION_FAILED and "If-Match" in case.headers
