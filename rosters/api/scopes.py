"""The token scopes required by the writing operations of the rosters API."""

from __future__ import annotations

from rosters.scopes import Scope

DEMANDS = dict.fromkeys(
    (
        "api-designs-check",
        "api-designs",
        "api-design",
        "api-scenarios-check",
        "api-scenarios",
        "api-scenario",
        "api-scenarios-copy",
        "api-scenario-clone",
        "api-prints",
        "api-companies",
        "api-company",
        "api-company-import",
        "api-company-undo",
        "api-company-release",
        "api-units",
        "api-unit",
        "api-unit-sell",
        "api-unit-repair",
        "api-unit-refit",
        "api-unit-assign",
        "api-pilots",
        "api-pilot",
        "api-pilot-retire",
    ),
    Scope.COMPANIES,
)
