"""The API description of tokens and their scopes, and of signed-in users, who need none."""

from __future__ import annotations

from drf_spectacular.authentication import SessionScheme as BrowserScheme
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_spectacular.openapi import AutoSchema


class TokenScheme(KnoxTokenScheme):
    target_class = "rosters.doors.tokens.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, object]:
        told: dict[str, object] = super().get_security_definition(auto_schema)
        text = (
            "Made on your page. It reads; what changes something needs one with the scope `companies` or `club`. "
            "A battle without companies, and odds, can be asked for with none."
        )
        return {**told, "description": text}


class SessionScheme(BrowserScheme):
    target_class = "rosters.doors.tokens.SessionAuthentication"
