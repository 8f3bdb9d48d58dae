"""Token scopes: what a token may do besides reading. Each writing operation of the API demands a scope.

Each app lists the demands of its operations (`hooks.demands`). An operation without one is refused to all tokens.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import models
from rest_framework.request import Request

from rosters.models import Player


class Scope(models.TextChoices):
    READ = "read", "Read what you may see"
    COMPANIES = "companies", "Act for your companies: buy, sell, seal, report, print, ask for odds"
    CLUB = "club", "Act in your clubs: join and leave; organise campaigns, rule on matches"


Demand = Scope | Callable[[Request, Player], Scope]
