"""The routes of the site, and the outcome of a request in a role."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from .world import World

TABLE = Path(__file__).with_name("table.txt")
CHANGING_PARTS = re.compile(
    r'name="(?:csrfmiddlewaretoken|once)" value="[^"]*"|(?<="X-CSRFToken": ")[^"]*|(?<=data-at=")[^"]*|(?<=>)[^<>]*(?:ago|now)(?=</time>)|(?<=nonce=")[^"]*|(?<=nonce-)[\w+/=-]*'
)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Row:
    """A route with the arguments of a case, and the expected outcomes of all roles, by method (and posted field)."""

    route: str
    case: str
    expected: dict[str, str]


def table() -> list[Row]:
    """Return the rows of table.txt, one per case."""
    rows = []
    for line in TABLE.read_text().splitlines():
        route, *words = line.split("#")[0].split() or [""]
        if route:
            cases, *methods_and_letters = words
            expected = dict(zip(methods_and_letters[::2], methods_and_letters[1::2], strict=True))
            rows += [Row(route, case, expected) for case in cases.split(",")]
    return rows


def routes() -> set[str]:
    """Return the names of all routes, with namespaces, without the admin's."""
    return {name for name in _names(get_resolver(), "") if not name.startswith("admin:")}


def _names(resolver: URLResolver, space: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name or pattern.pattern}"
        else:
            yield from _names(pattern, f"{space}{pattern.namespace}:" if pattern.namespace else space)


def address(route: str, arguments: dict[str, Any]) -> str:
    """Return the route's path. The case may have more arguments than the route takes."""
    key = arguments.get("?key")
    for names in _argument_names(route):
        if set(names) <= set(arguments):
            path = reverse(route, kwargs={name: arguments[name] for name in names})
            return f"{path}?key={key}" if key else path
    raise NoReverseMatch(f"{route} takes {_argument_names(route)}")


@functools.cache
def _argument_names(route: str) -> list[tuple[str, ...]]:
    """Return the arguments of the patterns with the route's name, longest first."""
    *spaces, name = route.split(":")
    found: list[tuple[str, ...]] = []

    def look(resolver: URLResolver, left: list[str], taken: tuple[str, ...]) -> None:
        for pattern in resolver.url_patterns:
            names = (
                taken
                + tuple(pattern.pattern.converters)
                + tuple(each for each in pattern.pattern.regex.groupindex if each not in pattern.pattern.converters)
            )
            if isinstance(pattern, URLPattern):
                if not left and pattern.name == name:
                    found.append(names)
            elif pattern.namespace is None:
                look(pattern, left, names)
            elif left and pattern.namespace == left[0]:
                look(pattern, left[1:], names)

    look(get_resolver(), spaces, ())
    return sorted(found, key=len, reverse=True)


def client_of(world: World, role: str) -> Client:
    """Return a client that is signed in as that role and raises server errors."""
    client = Client()
    if role != "anonymous":
        client.force_login(world.people[role])
    return client


def ask(client: Client, method: str, path: str, data: str = "") -> tuple[Any, str]:
    """Send a request; return the response and its body. Everything it did is rolled back."""
    is_api = path.startswith("/api/")
    kind = "application/json" if is_api else "application/x-www-form-urlencoded"
    cookies = client.cookies.copy()
    with transaction.atomic():
        answer = client.generic(method, path, "{}" if is_api else data, content_type=kind)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer, body.decode(errors="replace")


def get_page(client: Client, path: str) -> tuple[Any, str]:
    """Follow redirects, as old addresses have them; return the response, and its path with the query."""
    answer = client.get(path, follow=True)
    query = answer.request["QUERY_STRING"]
    return answer, answer.request["PATH_INFO"] + (f"?{query}" if query else "")


def steady(body: str) -> str:
    """Return the body without the parts that always differ: form tokens, script nonces, times."""
    return CHANGING_PARTS.sub("", body)


def outcome(answer: Any) -> str:
    """Return one letter: . allowed, L redirected to sign in, 3 forbidden, 4 not found, 5 method not allowed, ! error."""
    status = answer.status_code
    if status == 401 or (status == 302 and "/accounts/login/" in answer["Location"]):
        return "L"
    if status >= 500:
        return "!"
    return {403: "3", 404: "4", 405: "5"}.get(status, ".")
