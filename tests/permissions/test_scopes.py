"""Every operation that changes something, asked with a token of another scope and without the second factor it demands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from django.test import Client
from django.urls import NoReverseMatch

from tests.builders import a_token
from tests.doors.test_factors import OWN_AS_SENT, PLAYERS_OWN
from tests.doors.test_tokens import api, demands, of_clubs, operations

from .walk import address
from .world import World


def asked(world: World, client: Client, wanted: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, int, str]]:
    """Of these routes and methods: status and words of the answer, at the first address that the world has."""
    cases = [case for case in world.cases.values() if "?key" not in case]
    for route, method in sorted(set(wanted)):
        path = next(path for case in cases if (path := address_if_any(route, case)))
        answer = client.generic(method, path, "{}", content_type="application/json")
        yield route, method, answer.status_code, answer.content.decode()


def address_if_any(route: str, case: dict[str, object]) -> str | None:
    """The address of the route with what the case names; None where it lacks something."""
    try:
        return address(route, case)
    except NoReverseMatch:
        return None


def test_a_token_that_only_reads_changes_nothing_by_any_operation(world):
    told = list(asked(world, api(world.people["attacker"], "read"), operations()))
    wrong = [
        f"{method} {route}: {status}" for route, method, status, said in told if status != 403 or "scope" not in said
    ]
    assert told
    assert not wrong, "\n".join(wrong)


@pytest.mark.any_database
@pytest.mark.parametrize("has", ["companies", "club"])
def test_a_token_of_one_scope_does_nothing_of_the_other_by_any_operation(world, has):
    client, of = api(world.people["organiser"], has), demands()
    told = list(
        asked(world, client, (each for each in operations() if not callable(of[each[0]]) and of[each[0]] != has))
    )
    wrong = [
        f"{method} {route}: {status}" for route, method, status, said in told if status != 403 or "scope" not in said
    ]
    assert told
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("with_token", [True, False])
def test_of_what_clubs_are_for_the_api_lets_an_organiser_without_one_do_a_player_s_acts_alone(
    world, settings, with_token
):
    settings.ORGANISERS_NEED_FACTOR = True
    organiser = world.people["organiser"]
    client = Client(headers={"Authorization": f"Token {a_token(organiser)}"} if with_token else {})
    if not with_token:
        client.force_login(organiser)
    open_to_him = {
        (route, method) for route, method, _, said in asked(world, client, of_clubs()) if "second factor" not in said
    }
    assert open_to_him == PLAYERS_OWN | OWN_AS_SENT
