"""What a token may do besides reading: each operation of the API that changes something demands a scope.

Each app says which of its operations demands what. One that nobody speaks for is refused to every token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.db import models
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from rosters.models import Player


class Scope(models.TextChoices):
    READ = "read", "Read what you may see"
    COMPANIES = "companies", "Act for your companies: buy, sell, seal, report, print, ask for odds"
    CLUB = "club", "Act in your clubs: join and leave; organise campaigns, rule on matches"


Demand = Scope | Callable[[Request, Player], Scope]
Guard = Callable[[Player, str, str], str]
_guards: list[Guard] = []
_demands: dict[str, Demand] = {}  # by the route's name


def register_scopes(demands: Mapping[str, Demand]) -> None:
    """From now on whatever these routes change demands these scopes."""
    _demands.update(demands)


def register_guard(guard: Guard) -> None:
    """From now on this is asked of every token that would change something: why its player may not; empty if he may."""
    _guards.append(guard)


def objection(player: Player, route: str, method: str) -> str:
    """Why a player may not call the route so, whatever token he has; empty if he may."""
    return next((reason for guard in _guards if (reason := guard(player, route, method))), "")


def demanded(request: Request, player: Player, route: str) -> Scope | None:
    """The scope that the operation demands; None if nobody has said."""
    if request.method in SAFE_METHODS:
        return Scope.READ
    demand = _demands.get(route)
    return demand if isinstance(demand, Scope) or demand is None else demand(request, player)
