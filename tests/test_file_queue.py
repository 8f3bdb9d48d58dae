"""The embedded message broker: messages are complete or absent, and an unreadable one stops no worker."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection

from tests.services import Worker, wait_until

WHOLE = "a message that says something " * 2000


def connection(folder: Path) -> Connection:
    options = {"folder": str(folder / "queue"), "unreadable_folder": str(folder / "queue-unreadable")}
    return Connection("files://localhost//", transport_options=options)


@pytest.fixture
def channel(tmp_path: Path) -> Iterator[Any]:
    import config.celery  # noqa: F401  (names the transport)

    with connection(tmp_path) as opened:
        yield opened.default_channel


def put(channel: Any, body: str, queue: str = "battles") -> None:
    channel.basic_publish(channel.prepare_message(body), "", queue)


def body_of(channel: Any, queue: str = "battles") -> Any:
    message = channel.basic_get(queue, no_ack=True)
    return message and message.body.decode()


def test_messages_come_out_whole_and_in_order(channel: Any):
    for number in range(25):
        put(channel, str(number))
    put(channel, "another's", "print")
    assert [body_of(channel) for _ in range(26)] == [*map(str, range(25)), None]
    assert body_of(channel, "print") == "another's"


def test_queue_longer_than_one_listing_keeps_its_order(channel: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("config.file_queue.MAX_NAMES", 4)
    for number in range(11):
        put(channel, str(number))
    assert [body_of(channel) for _ in range(11)] == [*map(str, range(11))]


def test_message_is_taken_once(tmp_path: Path, channel: Any):
    with connection(tmp_path) as other:
        for number in range(10):
            put(channel, str(number))
        taken = [body_of(who) for _ in range(6) for who in (channel, other.default_channel)]
    assert sorted(filter(None, taken)) == [*map(str, range(10))]


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '{"body": "x"}', '{"properties": {}}', "\x00\xff", '{"body":"?","properties":{"delivery_tag":1,"body_encoding":"base64"}}'])  # fmt: skip
def test_unreadable_message_is_set_aside(channel: Any, tmp_path: Path, text: str):
    put(channel, "first")
    folder = tmp_path / "queue" / "battles"
    (folder / "0-broken.msg").write_bytes(text.encode("latin-1"))
    assert body_of(channel) == "first"
    assert [path.name for path in (tmp_path / "queue-unreadable").iterdir()] == ["0-broken.msg"]
    assert list(folder.iterdir()) == []


def test_unreadable_unmovable_file_blocks_nobody(channel: Any, tmp_path: Path):
    put(channel, "first")
    (tmp_path / "queue" / "battles" / "0-a-folder.msg").mkdir()
    (tmp_path / "queue-unreadable").write_text("no folder")
    assert body_of(channel) == "first"
    assert body_of(channel) is None


def test_files_with_celerys_own_names_are_read(channel: Any, tmp_path: Path):
    put(channel, "from before")
    (path,) = (tmp_path / "queue" / "battles").iterdir()
    path.rename(tmp_path / "queue" / "123_some-id.battles.msg")
    assert body_of(channel) == "from before"


def test_queue_is_counted_and_purged(channel: Any):
    for number in range(3):
        put(channel, str(number))
    assert channel.queue_declare("battles").message_count == 3
    assert channel.queue_purge("battles") == 3
    with pytest.raises(Empty):
        channel._get("battles")


def test_queue_cannot_name_a_place_outside_its_folder(channel: Any):
    from kombu.exceptions import ChannelError

    with pytest.raises(ChannelError):
        put(channel, "x", "../battles")


def write_many(folder: Path, count: int) -> None:
    import config.celery  # noqa: F401

    with connection(folder) as opened:
        for _ in range(count):
            put(opened.default_channel, WHOLE)


@pytest.mark.slow
def test_reader_never_sees_half_a_message(tmp_path: Path, channel: Any):
    context = get_context("spawn")
    writers = [context.Process(target=write_many, args=(tmp_path, 150)) for _ in range(3)]
    for writer in writers:
        writer.start()
    read = 0
    while read < 450 and (any(writer.is_alive() for writer in writers) or channel._size("battles")):
        body = body_of(channel)
        assert body in (None, WHOLE)
        read += body is not None
    assert read == 450
    assert not (tmp_path / "queue-unreadable").exists()


@pytest.mark.slow
@pytest.mark.any_database
def test_worker_survives_every_broken_message(start_worker: Callable[..., Worker], settings: Any):
    from config.celery import app

    worker = start_worker()
    queue, unreadable = settings.VAR_DIR / "queue", settings.VAR_DIR / "queue-unreadable"
    app.send_task("celery.backend_cleanup", queue="nobody-reads-this")
    (path,) = (queue / "nobody-reads-this").iterdir()
    broken = ["", "{", "\udcff", *map(json.dumps, spoilt(json.loads(path.read_text())))]
    for number, text in enumerate(broken):
        (queue / "battles" / f"0-{number:04d}.msg").write_bytes(os.fsencode(text))
    (queue / "1_x.battles.msg").touch()  # the place and name that kombu's own transport uses
    app.send_task("celery.backend_cleanup", queue="battles", task_id="after")
    is_alive = lambda: worker.process.poll() is None  # noqa: E731
    wait_until(lambda: "[after] succeeded" in worker.output(), "the job after", alive=is_alive)
    wait_until(lambda: (unreadable / "1_x.battles.msg").exists(), "the stray", alive=is_alive)
    assert {"0-0000.msg", "0-0001.msg", "0-0002.msg"} < {path.name for path in unreadable.iterdir()}
    assert list((queue / "battles").iterdir()) == []
    assert "set aside" in worker.output()
    worker.kill()  # a clean stop isn't tested here: junk in a time limit may affect it


def spoilt(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the message with each of its parts missing or replaced by a wrong value."""
    wholes = [((), message)] + [((name,), message[name]) for name in ("headers", "properties")]
    wholes.append((("properties", "delivery_info"), message["properties"]["delivery_info"]))
    for where, whole in wholes:
        for name in whole:
            for junk in (None, 7, "x", [], {}, "missing"):
                copy = json.loads(json.dumps(message))
                part = copy
                for step in where:
                    part = part[step]
                part[name] = junk
                if junk == "missing":
                    del part[name]
                yield copy
