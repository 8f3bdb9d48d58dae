"""The admin, with the sign-in that all players use: a signed-in staff member with a second factor."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

SET_UP = "The admin asks for a second factor. Set one up here, then open the admin again."


class OperatorSite(admin.AdminSite):
    """An admin site without its own login form, which would have no limits and no second factor."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and is_mfa_enabled(request.user)

    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        answer: HttpResponse = secure_admin_login(self._signed_in)(request)
        return answer

    def _signed_in(self, request: HttpRequest) -> HttpResponse:
        """Redirect a staff member who opened the login URL, or who lacks a second factor."""
        if self.has_permission(request):
            return redirect("admin:index")
        messages.warning(request, SET_UP)
        return redirect("mfa_index")
