"""The doors at which every game meets bad input: its commands and the API. What they answer, once checked that they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from battles.models import Battle, Forecast
from tests.battles.builders import player


def written(folder: Path, document: object) -> str:
    """Where the document lies, for a command."""
    path = folder / "given.json"
    path.write_text(json.dumps(document))
    return str(path)


def refused_by_command(folder: Path, command: str, document: object, *more: str) -> str:
    """What a command says that ends with 2 for that document."""
    with pytest.raises(CommandError) as refused:
        call_command(command, written(folder, document), *more)
    assert refused.value.returncode == 2
    return str(refused.value)


def refused_by_api(client: Client, where: str, setup: object, **asked: object) -> tuple[str, str]:
    """Field and reason of the one error with which the API answers 422 to that set-up; nothing is kept."""
    client.force_login(player())
    answer = client.post(f"/api/v1/{where}/", {"setup": setup, **asked}, content_type="application/json")
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert not Battle.objects.exists()
    assert not Forecast.objects.exists()
    return error["field"], error["reason"]


def design_document(system: str, spec: object) -> dict[str, Any]:
    return {"muster": "design/1", "system": system, "name": "Bad", "spec": spec}


def checked_by_api(client: Client, document: object) -> tuple[bool, str]:
    """Whether the API can read a design, and as JSON what it says is wrong with it."""
    client.force_login(player())
    answer = client.post("/api/v1/designs/check/", document, content_type="application/json")
    assert answer.status_code in (200, 422)
    is_read = answer.status_code == 200
    return is_read, json.dumps(answer.json()["problems" if is_read else "errors"])
