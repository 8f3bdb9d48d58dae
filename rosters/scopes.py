"""Token scopes: what a token may do besides reading, and the scopes that the rosters API requires.

Each app lists the scopes that its operations demand (`hooks.demands`). All tokens are refused an operation that isn't
listed.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import models
from rest_framework.request import Request

from rosters.models import Player


class Scope(models.TextChoices):
    READ = "read", "Read what you can see"
    COMPANIES = "companies", "Manage your companies: buy, sell, submit lists, report, print, simulate"
    CLUB = "club", "Act in your clubs: join, leave, organise campaigns, rule on matches"


Demand = Scope | Callable[[Request, Player], Scope]


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
