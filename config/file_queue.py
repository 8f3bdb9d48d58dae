"""The message broker of the embedded set-up: a folder per queue, a file per message.

kombu's own file transport writes a message in the folder that others are reading, so they may see half of it. Here a
message is written elsewhere on the same file system and then renamed into its queue. The process that removes a file
owns its message, and a file that isn't a message is set aside. There are no other guarantees: a killed worker loses its
messages, and the sweep sends new ones for the rows of its jobs.
"""

from __future__ import annotations

import contextlib
import heapq
import logging
import os
import re
import time
import uuid
from collections import deque
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from typing import Any

from kombu import Connection
from kombu.exceptions import ChannelError
from kombu.transport import virtual
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps, loads

log = logging.getLogger(__name__)

MAX_NAMES = 1_000  # names kept from one listing of a queue
WRITING = ".writing"  # the folder where messages are written; no queue can have that name
FORGOTTEN_SECONDS = 3600.0  # after which a half-written message counts as abandoned
QUEUE_NAME = re.compile(r"[A-Za-z0-9_@-][A-Za-z0-9._@-]*")

Message = dict[str, Any]  # as kombu writes it


class Channel(virtual.Channel):
    """A channel that delivers a queue's messages in the order of their file names, which begin with the time."""

    def __init__(self, connection: virtual.Transport, **kwargs: object) -> None:
        super().__init__(connection, **kwargs)
        options = (connection.client.transport_options if connection.client else None) or {}
        self.root = Path(options["folder"])
        self.unreadable = Path(options["unreadable_folder"])
        self._first_names: dict[str, deque[str]] = {}
        self._stuck: set[str] = set()

    def _put(self, queue: str, message: Message, **kwargs: object) -> None:
        folder = self._folder(queue)
        name = f"{time.time_ns():020d}-{uuid.uuid4().hex}.msg"
        written = self.root / WRITING / name
        content = str_to_bytes(dumps(message))
        try:
            written.write_bytes(content)
            written.rename(folder / name)
        except FileNotFoundError:  # the first message of a queue, or the folder was emptied
            written.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(parents=True, exist_ok=True)
            written.write_bytes(content)
            written.rename(folder / name)

    def _get(self, queue: str, timeout: float | None = None) -> Message:
        folder = self._folder(queue)
        names = self._first_names.get(queue) or self._list(queue)
        while names:
            path = folder / names.popleft()
            try:
                message = self._read(path)
                path.unlink()
            except FileNotFoundError:
                continue  # another worker was first
            except Exception as error:  # a bad message must not block the next one
                self._set_aside(path, error)
                continue
            return message
        raise Empty

    def _read(self, path: Path) -> Message:
        """Return the message in a file; raise some exception if a consumer couldn't use it."""
        message: Message = loads(path.read_bytes())
        self.Message(message, channel=self)
        hash(message["properties"]["delivery_tag"])  # a consumer needs this and the next line's values
        self._lookup(*(message["properties"]["delivery_info"][name] for name in ("exchange", "routing_key")))
        return message

    def _list(self, queue: str) -> deque[str]:
        """Return the next messages of a queue, oldest first."""
        folder = self._folder(queue)
        for stray in self._strays(queue):
            with contextlib.suppress(FileNotFoundError):  # another worker was first
                stray.rename(folder / stray.name)
        names = (name for name in self._names(queue) if name not in self._stuck)
        self._first_names[queue] = deque(heapq.nsmallest(MAX_NAMES, names))
        return self._first_names[queue]

    def _strays(self, queue: str) -> list[Path]:
        """Return messages of this queue that are in the folder used by kombu's own transport."""
        try:
            with os.scandir(self.root) as entries:
                suffix = f"{queue}.msg"
                return [Path(e.path) for e in entries if e.name.partition(".")[2] == suffix and e.is_file()]
        except FileNotFoundError:
            return []

    def _names(self, queue: str) -> list[str]:
        try:
            return [name for name in os.listdir(self._folder(queue)) if name.endswith(".msg")]
        except FileNotFoundError:
            return []

    def _get_and_deliver(self, queue: str, callback: Callable[[Message, str], None]) -> None:
        """Deliver a message; if the consumer fails on it, set the message aside instead of ending the consumer."""
        message = self._get(queue)
        try:
            callback(message, queue)
        except OSError:  # not the message's fault: connect again
            raise
        except Exception as error:
            self.qos.ack(message["properties"]["delivery_tag"])
            path = self.root / WRITING / f"{time.time_ns():020d}-{uuid.uuid4().hex}.msg"
            path.write_text(dumps(message))
            self._set_aside(path, error)

    def _set_aside(self, path: Path, error: Exception) -> None:
        reason = f"{type(error).__name__}: {error}"
        try:
            self.unreadable.mkdir(parents=True, exist_ok=True)
            path.rename(self.unreadable / path.name)
        except FileNotFoundError:
            return  # another worker was first
        except OSError as trouble:
            self._stuck.add(path.name)
            log.error("queue: %s is no message (%s) and can't be set aside (%s)", path, reason, trouble)
        else:
            log.error("queue: %s is no message (%s); set aside in %s", path, reason, self.unreadable)

    def _new_queue(self, queue: str, **kwargs: object) -> None:
        self._folder(queue).mkdir(parents=True, exist_ok=True)
        writing = self.root / WRITING
        writing.mkdir(exist_ok=True)
        for path in writing.iterdir():  # left by a writer that was killed
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - FORGOTTEN_SECONDS:
                    path.unlink()

    def _has_queue(self, queue: str, **kwargs: object) -> bool:
        return self._folder(queue).is_dir()

    def _size(self, queue: str) -> int:
        return len(self._names(queue))

    def _purge(self, queue: str) -> int:
        count = 0
        for name in self._names(queue):
            with contextlib.suppress(OSError):
                (self._folder(queue) / name).unlink()
                count += 1
        return count

    def _delete(self, queue: str, *args: object, **kwargs: object) -> None:
        self._purge(queue)
        with contextlib.suppress(OSError):
            self._folder(queue).rmdir()

    def _folder(self, queue: str) -> Path:
        if not QUEUE_NAME.fullmatch(queue):
            raise ChannelError(f"No name of a queue: {queue!r}")
        return self.root / queue


class Transport(virtual.Transport):
    """The transport. Its options `folder` and `unreadable_folder` name folders that are created when first needed."""

    Channel = Channel
    global_state = virtual.BrokerState()  # the queues this process has declared
    default_port = 0
    driver_type = "files"
    driver_name = "files"
    # With a full disk or an unreachable folder the worker reconnects until it works, instead of ending.
    connection_errors = (*virtual.Transport.connection_errors, OSError)

    def __init__(self, client: Connection, **kwargs: object) -> None:
        super().__init__(client, **kwargs)
        self.state = self.global_state

    def driver_version(self) -> str:
        return "1"
