"""Queue small battles as pages do, but without quotas: python -m tests.tools.soak_jobs FIRST COUNT SECONDS."""

from __future__ import annotations

import sys
import time

import django

django.setup()

from django.db import transaction  # noqa: E402

from battles.services.battles import battle_row  # noqa: E402
from battles.tasks import battle_resolve  # noqa: E402
from systems.reading import read_setup  # noqa: E402
from tests.battles.builders import duel  # noqa: E402


def main(first: int, count: int, seconds: float) -> None:
    """Queue `count` battles with seeds from `first`, evenly over `seconds`, or as fast as possible."""
    setup = read_setup(duel())
    began = time.monotonic()
    for number in range(count):
        time.sleep(max(0.0, began + seconds * number / count - time.monotonic()))
        with transaction.atomic():
            battle = battle_row(setup=setup, forces=(), actor=None, visibility="public", seed=str(first + number))
            transaction.on_commit(lambda pk=battle.pk: battle_resolve.delay(pk))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
