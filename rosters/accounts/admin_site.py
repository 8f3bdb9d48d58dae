"""The admin site. It is open to staff members who have signed in on the site and have a second factor."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

SET_UP = "The admin needs two-factor sign-in. Set it up here, then open the admin again."


class OperatorSite(admin.AdminSite):
    """An admin site that uses the normal sign-in, because Django's form has no limits and no second factor."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and is_mfa_enabled(request.user)

    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        answer: HttpResponse = secure_admin_login(self._signed_in)(request)
        return answer

    def _signed_in(self, request: HttpRequest) -> HttpResponse:
        """Redirect a signed-in staff member to the admin, or to set up a second factor."""
        if self.has_permission(request):
            return redirect("admin:index")
        messages.warning(request, SET_UP)
        return redirect("mfa_index")
