"""The check of records: battles of this site and uploaded files are simulated again and compared."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from battles.models import Battle, RecordCheck
from battles.services import limits
from battles.services.battles import battle_queue, check_of_battle
from battles.services.dice import dice_waiting
from battles.tasks import battle_check, battle_resolve
from rosters.services import RefusedError
from systems import battle_rules
from systems.reading import read_setup
from systems.simulation.records import resolve
from tests.battles.builders import duel, player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep jobs in their rows until a test runs them."""
    for task in (battle_resolve, battle_check):
        monkeypatch.setattr(task, "delay", lambda *message: None)


def finished_battle(**arguments: Any) -> Battle:
    battle = battle_queue(setup=duel(), seed=1, **({"visitor": "v"} | arguments))
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    return battle


def upload_record(client: Any, text: str | bytes, *, status: int = 200, noted: str = "") -> str:
    data = text if isinstance(text, bytes) else text.encode()
    sent = {"record": SimpleUploadedFile("battle.jsonl", data), "noted": noted}
    answer = client.post(reverse("battles:record-check"), sent, follow=True)
    assert answer.status_code == status
    if status == 200:
        battle_check(RecordCheck.objects.latest("pk").pk)
        answer = client.get(answer.redirect_chain[-1][0])
    return " ".join(answer.content.decode().split())


def test_battle_is_checked_from_its_page(client):
    battle = finished_battle()
    html = client.get(reverse("battles:battle", args=[battle.key])).content.decode()
    action = reverse("battles:battle-check", args=[battle.key])
    assert action in html
    there = client.post(action).headers["Location"]
    assert "Waiting for a free worker" in client.get(there).content.decode()
    battle_check(RecordCheck.objects.get().pk)
    assert "The battle came out as the record has it, to the last byte." in client.get(there).content.decode()


def test_uploaded_file_is_checked_with_its_dice(client):
    html = upload_record(client, resolve(read_setup(duel()), 7).text())
    assert "<b>Same.</b>" in html
    assert "The seed was chosen, not sealed" in html


def test_forged_record_shows_its_first_different_line(client):
    lines = resolve(read_setup(duel()), 7).text().splitlines(keepends=True)
    forged = next(at for at, line in enumerate(lines) if '"faces":[' in line and '"faces":[]' not in line)
    lines[forged] = lines[forged].replace('"faces":[', '"faces":[9', 1)
    html = upload_record(client, "".join(lines))
    assert f"It differs in line {forged + 1}." in html
    assert "[9" in html


def test_different_line_ending_is_named(client):
    html = upload_record(client, resolve(read_setup(duel()), 7).text().replace("\n", "\r\n"))
    assert "<b>It differs in line 1.</b> Ends with a carriage return and a line feed, not a line feed." in html


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "line 1"), (b"\xff\xfe", "not UTF-8"), (b'{"muster": "setup/1"}', "line 1"), (b"[]" * 40, "line 1")],
)
def test_file_without_record_is_refused(client, data, reason):
    assert reason in upload_record(client, data, status=422)
    assert not RecordCheck.objects.exists()


def test_form_without_file_shows_error(client):
    answer = client.post(reverse("battles:record-check"))
    assert answer.status_code == 422
    assert "Choose the file of a record" in answer.content.decode()


def test_record_of_other_rules_is_not_fought_again(client):
    text = resolve(read_setup(duel()), 7).text()
    version = battle_rules("meks-and-mercs").rules_version
    html = upload_record(client, text.replace(f'"rules_version":{version}', f'"rules_version":{version + 1}', 1))
    assert f"This battle was simulated with rules {version + 1}, but the current rules are {version}" in html
    assert "You can play it back here but not run it again." in html
    assert bytes(RecordCheck.objects.get().lines) == b""


def test_battle_of_older_rules_is_marked(client):
    battle = finished_battle(visibility="public")
    page, api = reverse("battles:battle", args=[battle.key]), reverse("api-battle", args=[battle.key])
    action = reverse("battles:battle-check", args=[battle.key])
    assert client.get(api).json()["other_rules"] == ""
    Battle.objects.filter(pk=battle.pk).update(rules_version=1)
    html = " ".join(client.get(page).content.decode().split())
    message = "was simulated with rules 1, but the current rules are 3 (rules 1 of 21 Nov 2026, rules 3 of 28 Nov 2026)"
    assert f"This battle {message}" in html
    assert "You can play it back but not run it again." in html
    assert action not in html
    assert client.get(api).json()["other_rules"].startswith(message)


def test_check_of_a_private_battle_is_hidden(client):
    owner = player("owner")
    battle = finished_battle(actor=owner, visitor="", visibility="private")
    check = check_of_battle(battle=battle, actor=owner)
    page = reverse("battles:record-check-result", args=[check.key])
    assert client.get(page).status_code == 404
    client.force_login(owner)
    assert client.get(page).status_code == 200


def test_checks_count_as_battles_and_keep_no_file(client, monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 2)
    text = resolve(read_setup(duel()), 7).text()
    for _ in range(2):
        assert "<b>Same.</b>" in upload_record(client, text)
    assert "2 battles within the hour" in upload_record(client, text, status=422)
    assert [bytes(check.lines) for check in RecordCheck.objects.all()] == [b"", b""]


def test_large_file_is_refused(client, monkeypatch):
    text = resolve(read_setup(duel()), 7).text()
    for module in ("battles.services.battles", "battles.views.home"):
        monkeypatch.setattr(f"{module}.MAX_RECORD_BYTES", len(text) - 1)
    assert "larger than" in upload_record(client, text, status=422)
    assert not RecordCheck.objects.exists()


def test_queued_battle_has_nothing_to_check():
    with pytest.raises(RefusedError, match="no record"):
        check_of_battle(battle=battle_queue(setup=duel(), seed=1, visitor="v"), visitor="v")


def test_noted_hash_is_compared(client):
    dice = dice_waiting(actor=None, visitor="v")
    battle = battle_queue(setup=duel(), visitor="v", dice=dice.commitment)
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    noted = f" {dice.commitment[:32].upper()} {dice.commitment[32:]}"
    assert "These dice were noted." in upload_record(client, battle.record.text, noted=noted)
    assert "These are other dice." in upload_record(client, battle.record.text, noted="0" * 64)
    html = upload_record(client, battle.record.text)
    assert "Compare their hash" in html
    assert "These dice" not in html


def test_chosen_seed_has_no_hash_to_compare(client):
    html = upload_record(client, resolve(read_setup(duel()), 7).text(), noted="0" * 64)
    assert "It has no hash that could be the one you noted." in html
