"""Simulate the shipped matchup matrices of games whose rules have changed; takes minutes on one core.

python -m tests.tools.published_odds
"""

from __future__ import annotations

import json
import os
import time
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from battles.models import Matrix  # noqa: E402
from battles.odds.matrices import PUBLISHED_MATRICES, matrix_work, published_question  # noqa: E402
from systems import BATTLES  # noqa: E402
from systems.simulation.odds import warm  # noqa: E402


def calculate_matrix(system: str) -> dict[str, Any]:
    """Return the matrix of a game as stored in the file."""
    question, fields = published_question(system)
    matrix = Matrix(question=question, **fields)
    warm(system)
    began = time.process_time()
    cells = matrix_work(matrix=matrix).count(0, matrix.runs_asked)
    return {"question": question, "seconds": round(time.process_time() - began, 1), "cells": cells}


def main() -> None:
    known = json.loads(PUBLISHED_MATRICES.read_text(encoding="utf-8")) if PUBLISHED_MATRICES.exists() else {}
    for system, rules in BATTLES.items():
        if rules.duel and known.get(system, {}).get("question") != published_question(system)[0]:
            known[system] = calculate_matrix(system)
            print(f"{system}: {len(known[system]['cells'])} cells in {known[system]['seconds']} s", flush=True)
            lines = (f"{json.dumps(slug)}: {json.dumps(known[slug])}" for slug in BATTLES if slug in known)
            PUBLISHED_MATRICES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
