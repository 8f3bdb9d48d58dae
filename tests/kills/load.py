"""A steady load of API requests, each with a unique mark that is stored with its row."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.rosters.paper.units import unit

WASP_AGAINST_DRAKEN = {
    "muster": "setup/1",
    "system": "meks-and-mercs",
    "scenario": "zone-battle",
    "terrain": "plain",
    "options": {},
}


@dataclass(frozen=True)
class Act:
    """A request: its kind, its mark, and the status of the response (None if there was none)."""

    kind: str
    mark: str
    status: int | None


@dataclass
class Load:
    """Some clients, one per player, that send one request after another until they are stopped."""

    port: int
    players: list[dict[str, Any]]  # token and company of each player
    seed: int
    acts: list[Act] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        self.threads = [
            threading.Thread(target=self._client, args=(number, player), daemon=True)
            for number, player in enumerate(self.players)
        ]
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        self.stopped.set()
        for thread in self.threads:
            thread.join(60)

    def count_answers(self) -> Counter[str]:
        return Counter(f"{act.kind} {act.status or 'no answer'}" for act in self.acts)

    def _client(self, number: int, player: dict[str, Any]) -> None:
        chance = random.Random(self.seed * 1_000 + number)
        mine: list[int] = []
        for at in range(1_000_000):
            if self.stopped.wait(chance.uniform(0.05, 0.4)):
                return
            kind = chance.choices(["bought", "sold", "battle", "forecast", "print"], [5, 4, 5, 2, 2])[0]
            if kind == "sold" and not mine:
                kind = "bought"
            mark = f"{kind} {number}-{at}"
            if kind == "sold":
                unit = mine.pop()
                mark = str(unit)
                path, body = f"companies/{player['company']}/units/{unit}/sell/", None
            elif kind == "bought":
                path, body = f"companies/{player['company']}/units/", {"published": "wasp", "name": mark}
            elif kind == "battle":
                path, body = "battles/", {"setup": _setup(mark)}
            elif kind == "forecast":
                path, body = "forecasts/", {"setup": _setup(mark), "battles": chance.choice([2_000, 60_000])}
            else:
                path, body = "prints/", _order(mark, chance.choice([1, 2, 12, 90]))
            status, answer = self._ask(path, body, player["token"])
            self.acts.append(Act(kind, mark, status))
            if kind == "bought" and status == 201:
                mine.append(answer["id"])

    def _ask(self, path: str, body: Any, token: str) -> tuple[int | None, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
            connection.request("POST", f"/api/v1/{path}", json.dumps(body or {}), headers)
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if answer.status < 300 else None
        except (OSError, http.client.HTTPException, ValueError):
            time.sleep(0.2)
            return None, None
        finally:
            connection.close()


def _setup(mark: str) -> dict[str, Any]:
    sides = [
        {"name": mark, "doctrine": "aggressive", "support": [], "units": [{"key": "a1", "design": "wasp", "pilot": None}]},
        {"name": "Blue", "doctrine": "cautious", "support": [], "units": [{"key": "b1", "design": "draken", "pilot": None}]},
    ]  # fmt: skip
    return WASP_AGAINST_DRAKEN | {"sides": sides}


def _order(mark: str, cards: int) -> dict[str, Any]:
    items = [{"what": "unit-card", "unit": unit(name=f"{mark} {at}")} for at in range(cards)]
    return {"muster": "print/1", "title": mark, "settings": {"backs": "none"}, "items": items}
