"""What the views of this app share: who asks, what he may see, and how a refusal becomes a page."""

from typing import TypedDict
from uuid import UUID

from django.http import Http404, HttpRequest

from battles.models import Battle, Forecast
from battles.selectors import battle_readable, forecast_readable
from rosters.documents import DocumentError
from rosters.models import Player
from rosters.services import RefusedError
from rosters.visitors import visitor_mark


def actor_of(request: HttpRequest) -> Player | None:
    """The signed-in player; None for a visitor."""
    return request.user if request.user.is_authenticated else None


class Asker(TypedDict):
    """Who asks for a battle or for odds, as the services take it."""

    actor: Player | None
    visitor: str


def asker_of(request: HttpRequest) -> Asker:
    return {"actor": actor_of(request), "visitor": visitor_mark(request)}


def player_of(request: HttpRequest) -> Player:
    """The player of a page that needs an account."""
    assert isinstance(request.user, Player)
    return request.user


def battle_or_404(request: HttpRequest, key: UUID) -> Battle:
    battle = battle_readable(key, actor_of(request))
    if battle is None:
        raise Http404("No such battle")
    return battle


def forecast_or_404(key: UUID) -> Forecast:
    forecast = forecast_readable(key)
    if forecast is None:
        raise Http404("No such odds")
    return forecast


def refusal_of(error: RefusedError | DocumentError) -> tuple[str, str]:
    """The field and the reason."""
    return (error.path if isinstance(error, DocumentError) else error.field), error.reason
