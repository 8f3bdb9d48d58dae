"""The API's documentation: pasted code works, and every operation is listed."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from config.api_docs import operations
from systems.reading import read_setup


def documentation(client) -> str:
    answer = client.get(reverse("api-docs"))
    assert answer.status_code == 200
    return answer.content.decode()


def code_block(page: str, label: str) -> str:
    """Return the text that a reader copies from a block of the page."""
    (block,) = re.findall(rf'<pre [^>]*aria-label="{label}"[^>]*><code>(.*?)</code></pre>', page, re.S)
    return html.unescape(block)


@pytest.mark.django_db
def test_page_has_musters_layout(client):
    page = documentation(client)
    assert '<html lang="en"' in page
    assert 'aria-label="Main"' in page
    assert "swagger" not in page.lower()


@pytest.mark.django_db
def test_every_operation_is_on_the_page(client):
    described = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    expected = {operation["operationId"] for methods in described.values() for operation in methods.values()}
    assert set(re.findall(r'<details class="op" id="(\w+)">', documentation(client))) == expected


def test_every_body_has_an_example_with_required_fields():
    operations_with_fields = [each for _, _, found in operations() for each in found if each.fields]
    assert len(operations_with_fields) > 30
    for each in operations_with_fields:
        is_upload = each.example.startswith("curl ")
        fields = set(re.findall(r'-F "(\w+)=', each.example)) if is_upload else json.loads(each.example).keys()
        assert {field.name for field in each.fields if field.is_required} <= fields, each.id


def test_battle_example_is_a_valid_setup():
    (fight,) = [each for _, _, found in operations() for each in found if each.id == "battles_create"]
    assert [side.name for side in read_setup(json.loads(fight.example)["setup"]).sides] == ["Red", "Blue"]


@pytest.fixture
def environment(transactional_db) -> dict[str, str]:
    """Return the environment of a player without a token."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MUSTER_")}


def run(command: list[str], environment: dict[str, str]) -> str:
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.slow
def test_python_quick_start_works_when_pasted(client, live_server, start_worker, environment):
    start_worker()
    code = code_block(documentation(client), "Quick start with Python").replace("http://testserver", live_server.url)
    output = run([sys.executable, "-c", code], environment)
    assert re.fullmatch(rf"(Red|Blue|Nobody) won: {live_server.url}/battles/[0-9a-f-]+/\n", output)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_quick_start_works_when_pasted(client, live_server, environment):
    code = code_block(documentation(client), "Quick start with curl").replace("http://testserver", live_server.url)
    designs, battle = (
        json.loads(part)
        for part in run(["bash", "-ec", code.replace("\n\n", "\necho\n")], environment).split("\n")
        if part
    )
    assert designs[0]["muster"] == "design/1"
    assert battle["status"] == "queued"
    assert client.get(f"/api/v1/battles/{battle['key']}/").json()["title"] == battle["title"]
