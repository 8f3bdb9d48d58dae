"""Bad input to a game through commands and API. Each helper checks the refusal and returns its text."""

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


def write_document(folder: Path, document: object) -> str:
    """Write the document to a file; return its path, for a command."""
    path = folder / "given.json"
    path.write_text(json.dumps(document))
    return str(path)


def refused_by_command(folder: Path, command: str, document: object, *more: str) -> str:
    """Return the error of a command that exits with 2 for that document."""
    with pytest.raises(CommandError) as refused:
        call_command(command, write_document(folder, document), *more)
    assert refused.value.returncode == 2
    return str(refused.value)


def refused_by_api(client: Client, where: str, setup: object, **arguments: object) -> tuple[str, str]:
    """Return field and reason of the only error of the API's 422 for that set-up, and check that nothing is saved."""
    client.force_login(player())
    answer = client.post(f"/api/v1/{where}/", {"setup": setup, **arguments}, content_type="application/json")
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert not Battle.objects.exists()
    assert not Forecast.objects.exists()
    return error["field"], error["reason"]


def design_document(system: str, spec: object) -> dict[str, Any]:
    return {"muster": "design/1", "system": system, "name": "Bad", "spec": spec}


def checked_by_api(client: Client, document: object) -> tuple[bool, str]:
    """Return whether the API can read a design, and its problems or errors as JSON."""
    client.force_login(player())
    answer = client.post("/api/v1/designs/check/", document, content_type="application/json")
    assert answer.status_code in (200, 422)
    is_read = answer.status_code == 200
    return is_read, json.dumps(answer.json()["problems" if is_read else "errors"])
