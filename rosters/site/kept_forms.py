"""Keep a form that was submitted after the session ended, and fill it in again when its user has signed in.

Every form names the account for which it was rendered (`templatetags/form_fields.py`). If it is submitted without a
session, its action is not done. Its fields are kept for that account only, and the browser is redirected to the sign-in
page and from there to the form's page, where the fields are filled in again. Nothing is ever submitted automatically.
Passwords, files, tokens and form keys are not kept.
"""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import resolve_url
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from redis.exceptions import RedisError

from rosters.models import Player
from rosters.site.exceptions import is_api
from rosters.site.form_filling import Filled, fill_form, insert_notice
from rosters.site.idempotency import FORM_KEY_FIELD
from rosters.site.middleware import Middleware

ACCOUNT, PAGE = "form_account", "form_page"  # hidden fields of a form: its account, and its page
HEADER = "X-Form-Account"  # the account, in htmx requests
PARAMETER = "kept"  # the URL parameter with the key of the form that is kept for the page
NEVER_KEPT = frozenset({"csrfmiddlewaretoken", FORM_KEY_FIELD, ACCOUNT, PAGE})
MAX_BYTES = 500_000  # of names and values; larger forms are not kept
MAX_FORMS = 3  # per account; only the newest are kept
KEEP_SECONDS = 2 * 60 * 60
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
SIGN_IN_ROUTES = (
    "account_login",
    "account_logout",
    "account_signup",
    "account_reset_password",
    "account_reauthenticate",
    "mfa_reauthenticate",
)
PREVIEWS = (
    "rosters:lab_preview",
    "rosters:scenario_preview",
    "battles:quick-battle-part",
)  # submitted while the user types
REDIRECTS = (301, 302, 303, 307, 308)
# The salt contains an old name of this module, so that forms on pages that are already open stay valid.
_signer = Signer(salt="rosters.site.forms.kept")


@dataclass(frozen=True)
class KeptForm:
    """The fields of a form on `page` that was submitted to `path` without a session."""

    page: str
    path: str
    fields: dict[str, list[str]]
    has_files: bool = False
    is_too_large: bool = False
    by_reader: bool = False  # submitted while signed in, but the user had to do something else first
    was_shown: bool = False  # already filled in again on its page


class KeptFormMiddleware(Middleware):
    """Keeps forms without a session; it comes after the middleware for users and htmx, before FormOnceMiddleware."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        key = _take_parameter(request)
        response = self.get_response(request)
        if is_api(request):
            return response
        if key:
            response = _put_back(request, response, key)
        elif request.method == "POST" and response.status_code < 400:
            _forget_sent(request)
        account = _account_of(request.headers.get(HEADER, "")) if request.method == "POST" else None
        if account is not None and response.status_code in (403, 404) and not request.user.is_authenticated:
            return keep_and_redirect(request, account)  # a button without a form, after the session ended
        return _to_sign_in(request, response, key)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponseBase | None:
        if request.method != "POST" or request.content_type not in FORMS or is_api(request):
            return None
        account = _account_of(request.POST.get(ACCOUNT, ""))
        name = request.resolver_match.view_name if request.resolver_match else ""
        if account is not None and not request.user.is_authenticated and name not in SIGN_IN_ROUTES + PREVIEWS:
            return keep_and_redirect(request, account)
        if ACCOUNT in request.POST or PAGE in request.POST:
            fields = request.POST.copy()
            fields.pop(ACCOUNT, None)
            request.form_page = (fields.pop(PAGE, None) or [""])[-1]  # type: ignore[attr-defined]
            request.POST = fields  # type: ignore[assignment]
        return None


def account_field(request: HttpRequest) -> str:
    """Return the signed account for which a form is rendered; empty for a visitor."""
    if not hasattr(request, "_form_account"):
        user = getattr(request, "user", None)
        signed = _sign_account(user.pk) if user is not None and user.is_authenticated else ""
        request._form_account = signed  # type: ignore[attr-defined]
    return str(request._form_account)  # type: ignore[attr-defined]


def page_field(request: HttpRequest) -> str:
    """Return the page of a form that is shown in response to a POST, as that URL may not support GET; else empty."""
    if request.method != "POST" or request.headers.get("HX-Request"):
        return ""
    return getattr(request, "form_page", "") or form_page(request)


def form_page(request: HttpRequest) -> str:
    """Return the path of the page on this site with the submitted form; empty if the browser doesn't send it."""
    stated = getattr(request, "form_page", "") or (request.POST.get(PAGE, "") if request.method == "POST" else "")
    for url in (request.headers.get("HX-Current-URL", ""), stated, request.headers.get("Referer", "")):
        if url and url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure()):
            parts = urlsplit(url)
            if re.match(r"/(?![/\\])", parts.path):  # browsers read two slashes at the start as a host
                return parts.path + (f"?{parts.query}" if parts.query else "")
    return ""


def keep_rejected(request: HttpRequest) -> HttpResponse | None:
    """Return the response to a form with an expired CSRF token; None if it was not rendered for this user."""
    if is_api(request) or request.method != "POST" or request.content_type not in FORMS:
        return None
    account = _account_of(request.POST.get(ACCOUNT, ""))
    if account is None or (request.user.is_authenticated and request.user.pk != account):
        return None
    return keep_and_redirect(request, account)


def keep_and_redirect(request: HttpRequest, account: int) -> HttpResponse:
    """Keep the form for the account and redirect to its page, by way of the sign-in page if nobody is signed in."""
    form = _form_sent(request)
    page = _with_parameter(form.page, _keep(account, form))
    return _redirect(request, page if request.user.is_authenticated else redirect_to_login(page).url)


def keep_form_of_user(request: HttpRequest) -> None:
    """Keep the form of a signed-in user who has to do something else first; `kept_page` leads back to it."""
    if request.user.pk is not None and request.content_type in FORMS:
        _keep(request.user.pk, _form_sent(request))


def kept_page(account: int | None) -> str:
    """Return the page of the account's newest kept form that was not yet filled in again; empty if there is none."""
    forms = _forms(account) if account is not None else {}
    waiting = [_with_parameter(form.page, key) for key, form in forms.items() if not form.was_shown]
    return waiting[-1] if waiting else ""


# --- keeping


def _sign_account(account: int) -> str:
    """Return the account and the current day, signed. With the day only, pages stay the same between requests."""
    return _signer.sign(f"{account}.{timezone.now().toordinal()}")


def _account_of(signed: str) -> int | None:
    """Return the form's account if our signature is valid and not older than the longest session; else None."""
    try:
        account, day = map(int, _signer.unsign(signed).split("."))
    except (BadSignature, ValueError):
        return None
    age = timedelta(days=timezone.now().toordinal() - day)
    return account if age <= timedelta(seconds=settings.SESSION_COOKIE_AGE, days=1) else None


def _form_sent(request: HttpRequest) -> KeptForm:
    fields = {
        name: [str(value) for value in values]
        for name, values in request.POST.lists()
        if name not in NEVER_KEPT and "password" not in name
    }
    size = sum(len(text.encode("utf-8", "replace")) for name, values in fields.items() for text in (name, *values))
    is_too_large = size > MAX_BYTES
    return KeptForm(
        page=form_page(request) or request.get_full_path(),
        path=request.get_full_path(),
        fields={} if is_too_large else fields,
        has_files=bool(request.FILES),
        is_too_large=is_too_large,
        by_reader=request.user.is_authenticated,
    )


def _cache_key(account: int) -> str:
    return f"kept-forms-2-{account}"  # 2: forms pickled under this module's current name


def _keep(account: int, form: KeptForm) -> str:
    key = secrets.token_urlsafe(9)
    _store(account, dict([*_forms(account).items(), (key, form)][-MAX_FORMS:]))
    return key


def _forms(account: int) -> dict[str, KeptForm]:
    """Return the account's kept forms by key, newest last; empty if the cache is down (then nobody can sign in)."""
    try:
        return cache.get(_cache_key(account)) or {}
    except RedisError:
        return {}


def _store(account: int, forms: dict[str, KeptForm]) -> None:
    with suppress(RedisError):
        cache.set(_cache_key(account), forms, KEEP_SECONDS)


def _forget_sent(request: HttpRequest) -> None:
    """Delete the kept form of the page whose form was submitted now."""
    key = dict(parse_qsl(urlsplit(form_page(request)).query)).get(PARAMETER)
    if not key or not isinstance(request.user, Player):
        return
    forms = _forms(request.user.pk)
    if forms.pop(key, None):
        _store(request.user.pk, forms)


# --- filling in again


def _take_parameter(request: HttpRequest) -> str:
    """Return the key of the kept form in the URL, and remove it from the request, so that views never see it."""
    if f"{PARAMETER}=" not in request.META.get("QUERY_STRING", ""):
        return ""
    query = QueryDict(request.META["QUERY_STRING"], mutable=True)
    key = (query.pop(PARAMETER, None) or [""])[-1]
    request.META["QUERY_STRING"] = query.urlencode()
    request.GET = query  # type: ignore[assignment]
    query._mutable = False
    return str(key) if request.method == "GET" else ""


def _put_back(request: HttpRequest, response: HttpResponse, key: str) -> HttpResponse:
    """Return the page with the kept form filled in and a notice about it."""
    if response.status_code in REDIRECTS and not _is_to_sign_in(response):
        location = response["Location"]
        if url_has_allowed_host_and_scheme(location, {request.get_host()}):
            response["Location"] = _with_parameter(location, key)
        return response
    is_page = response.get("Content-Type", "").startswith("text/html") and not response.streaming
    if not is_page or not isinstance(request.user, Player):
        return response
    forms = _forms(request.user.pk)
    form = forms.get(key)
    if form is not None and not form.was_shown:
        _store(request.user.pk, forms | {key: replace(form, was_shown=True)})
    html = response.content.decode(response.charset)
    filled = Filled(html)
    if form is not None:
        filled = fill_form(html, page=request.get_full_path(), path=form.path, fields=form.fields)
    context = {"form": form, "filled": filled, "hours": KEEP_SECONDS // 3600}
    notice = render_to_string("_restored_form.html", context)
    response.content = insert_notice(filled.html, notice).encode(response.charset)
    response["Cache-Control"] = "no-store"
    if response.has_header("ETag"):
        del response["ETag"]
    if response.has_header("Content-Length"):
        response["Content-Length"] = str(len(response.content))
    return response


def _to_sign_in(request: HttpRequest, response: HttpResponse, key: str) -> HttpResponse:
    """Make the sign-in page lead back to a page, not to the URL of a POST; with htmx, redirect the whole window."""
    if not _is_to_sign_in(response) or f"{PARAMETER}%3D" in response["Location"]:
        return response
    is_part = request.headers.get("HX-Request") == "true"
    page = form_page(request) if request.method == "POST" or is_part else ""
    if key and not page:
        page = _with_parameter(request.get_full_path(), key)
    url = redirect_to_login(page).url if page else response["Location"]
    if not is_part and url == response["Location"]:
        return response
    return _redirect(request, url, response)


def _is_to_sign_in(response: HttpResponseBase) -> bool:
    if response.status_code != 302:
        return False
    parts = urlsplit(response["Location"])
    return parts.path == resolve_url(settings.LOGIN_URL) and "next" in dict(parse_qsl(parts.query))


def _redirect(request: HttpRequest, url: str, before: HttpResponse | None = None) -> HttpResponse:
    """Redirect the whole window, also after an htmx request for a part of the page."""
    if request.headers.get("HX-Request") == "true":
        answer = HttpResponse(headers={"HX-Redirect": url})
    else:
        answer = HttpResponseRedirect(url)
    if before is not None:
        answer.cookies = before.cookies
    answer["Cache-Control"] = "no-store"
    return answer


def _with_parameter(page: str, key: str) -> str:
    parts = urlsplit(page)
    query = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name != PARAMETER]
    return parts._replace(query=urlencode([*query, (PARAMETER, key)])).geturl()
