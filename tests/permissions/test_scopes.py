"""Every changing operation, with a token of another scope, and without the second factor it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from django.test import Client
from django.urls import NoReverseMatch

from tests.accounts.test_second_factor import OWN_AS_SENT, PLAYERS_OWN
from tests.accounts.test_tokens import api, club_operations, operations, required_scopes
from tests.builders import a_token

from .routes import address
from .world import World


def send_requests(
    world: World, client: Client, wanted: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str, int, str]]:
    """Yield route, method, status and body of these requests, each at the first address that exists."""
    cases = [case for case in world.cases.values() if "?key" not in case]
    for route, method in sorted(set(wanted)):
        path = next(path for case in cases if (path := address_if_any(route, case)))
        answer = client.generic(method, path, "{}", content_type="application/json")
        yield route, method, answer.status_code, answer.content.decode()


def address_if_any(route: str, case: dict[str, object]) -> str | None:
    """Return the route's address for the case; None if the case lacks an argument."""
    try:
        return address(route, case)
    except NoReverseMatch:
        return None


def test_read_token_changes_nothing(world):
    responses = list(send_requests(world, api(world.people["attacker"], "read"), operations()))
    wrong = [
        f"{method} {route}: {status}"
        for route, method, status, body in responses
        if status != 403 or "scope" not in body
    ]
    assert responses
    assert not wrong, "\n".join(wrong)


@pytest.mark.any_database
@pytest.mark.parametrize("has", ["companies", "club"])
def test_token_of_one_scope_is_refused_for_the_other(world, has):
    client, of = api(world.people["organiser"], has), required_scopes()
    responses = list(
        send_requests(
            world, client, (each for each in operations() if not callable(of[each[0]]) and of[each[0]] != has)
        )
    )
    wrong = [
        f"{method} {route}: {status}"
        for route, method, status, body in responses
        if status != 403 or "scope" not in body
    ]
    assert responses
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("with_token", [True, False])
def test_organiser_without_second_factor_gets_player_operations_only(world, settings, with_token):
    settings.ORGANISERS_NEED_FACTOR = True
    organiser = world.people["organiser"]
    client = Client(headers={"Authorization": f"Token {a_token(organiser)}"} if with_token else {})
    if not with_token:
        client.force_login(organiser)
    allowed = {
        (route, method)
        for route, method, _, body in send_requests(world, client, club_operations())
        if "second factor" not in body
    }
    assert allowed == PLAYERS_OWN | OWN_AS_SENT
