"""The token scopes needed to ask for a battle or for odds."""

from __future__ import annotations

from rosters.scopes import Scope

REQUIRED_SCOPES = dict.fromkeys(
    (
        "api-battles",
        "api-battle-curve",
        "api-battle-forks",
        "api-forecasts",
        "api-what-ifs",
        "api-best-answers",
        "api-unit-best-builds",
        "api-best-builds",
        "api-matrices",
    ),
    Scope.COMPANIES,
)
