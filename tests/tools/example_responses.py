"""Example responses of the API, for its description and its pages.

`MUSTER_TEST_WRITE_ANSWERS=1 python -m pytest tests/permissions/test_example_responses.py` writes them to rosters/api/answers/.
They are responses of the site in the world of the permissions tests. Values that differ each time (IDs, keys, digests,
times) are replaced by fixed ones, and lists are shortened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.test import Client

from battles.models import Forecast
from rosters.api.schema import ANSWERS
from tests.battles.builders import count_out, duel
from tests.permissions.routes import address
from tests.permissions.world import SECRET_UNIT, World

Json = Any
MAX_ENTRIES = 2  # entries of a list that are shown
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
ASKED: Mapping[str, tuple[str, str, str]] = {  # by operation: route, case and role
    "companies_retrieve": ("api-company", "company", "attacker"),
    "companies_export": ("api-company-export", "company", "attacker"),
    "units_retrieve": ("api-unit", "company", "attacker"),
    "pilots_retrieve": ("api-pilot", "company", "attacker"),
    "designs_retrieve": ("api-design", "public-design", "attacker"),
    "scenarios_retrieve": ("api-scenario", "public-scenario", "attacker"),
    "battles_retrieve": ("api-battle", "public-fought", "attacker"),
    "forecasts_retrieve": ("api-forecast", "odds", "attacker"),
    "prints_retrieve": ("api-print", "print-job", "attacker"),
    "clubs_retrieve": ("api-club", "public-club", "organiser"),
    "clubs_archive_retrieve": ("api-club-archive", "public-club", "organiser"),
    "clubs_restore_retrieve": ("api-club-restore-job", "restore", "attacker"),
    "campaigns_retrieve": ("api-campaign", "public-campaign", "organiser"),
    "enrolments_retrieve": ("api-enrolment", "public-enrolment", "organiser"),
    "standings_list": ("api-standings", "public-campaign", "attacker"),
    "map_retrieve": ("api-campaign-map", "public-campaign", "attacker"),
    "rounds_retrieve": ("api-round", "public-round", "attacker"),
    "matches_retrieve": ("api-match", "public-reported", "attacker"),
    "gazettes_retrieve": ("api-gazette", "public-gazette", "attacker"),
    "storylines_retrieve": ("api-storyline", "public-six-scenarios", "attacker"),
    "cups_retrieve": ("api-cup", "public-campaign", "attacker"),
    "seasons_retrieve": ("api-season", "public-season", "attacker"),
    "ratings_list": ("api-ratings", "public-club", "attacker"),
    "guests_retrieve": ("api-guest", "public-guest", "organiser"),
    "inbox_list": ("api-inbox", "", "attacker"),
}
SENT: Mapping[str, tuple[str, Mapping[str, Json]]] = {  # by operation: route, and the body that a visitor sends
    "battles_create": ("api-battles", {"setup": duel()}),
    "forecasts_create": ("api-forecasts", {"setup": duel(), "battles": 1_000}),
}
STEADY: Mapping[str, Json] = {  # values that differ in every run
    "seconds": 0.008,
    "signature": "XudppjJiGTLTagW7XckHJ1liE3Zo4U8oIsQE1AnhTVA",
}
EXAMPLES = {*ASKED, *SENT}


def example_answers(world: World) -> Iterator[tuple[str, Json]]:
    """Yield each operation with its present response."""
    count_out(Forecast.objects.get(key=world.cases["odds"]["key"]))
    for operation, (route, case, role) in ASKED.items():
        client = Client()
        client.force_login(world.people[role])
        answer = client.get(address(route, world.cases[case] if case else {}))
        assert answer.status_code == 200, f"{operation}: {answer.status_code} {answer.content[:200]!r}"
        yield operation, answer.json()
    for operation, (route, sent) in SENT.items():
        with transaction.atomic():
            answer = Client().post(address(route, {}), json.dumps(sent), content_type="application/json")
            transaction.set_rollback(True)
        assert answer.status_code == 201, f"{operation}: {answer.status_code} {answer.content[:200]!r}"
        yield operation, answer.json()


def anonymized(value: Json) -> Json:
    """Return a response as it is stored."""
    if isinstance(value, dict):
        return {anonymized(name): STEADY.get(name, anonymized(each)) for name, each in value.items()}
    if isinstance(value, list):
        return [anonymized(each) for each in value[:MAX_ENTRIES]]
    if isinstance(value, str):
        value = UUID.sub("0b54b56e-2a7c-4f0e-9d7e-5f0f6c1f3c11", value)
        value = DIGEST.sub("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", value)
        value = value.replace(SECRET_UNIT, "Grey Heron")  # the permissions tests search pages for it
        return TIMESTAMP.sub("2026-12-01T19:00:00Z", value).replace("http://testserver", "https://muster.example.org")
    return value


def write(operation: str, answer: Json) -> None:
    """Store the response."""
    ANSWERS.mkdir(exist_ok=True)
    text = json.dumps(anonymized(answer), indent=1, ensure_ascii=False)
    (ANSWERS / f"{operation}.json").write_text(f"{text}\n", encoding="utf-8")
