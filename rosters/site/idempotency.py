"""Execute a request or a form only once, even if it is sent again.

A repeated request with the same key gets the stored response to the first one. Key and changes are written in one
transaction, so after a crash there are either both or neither. Every form has a key (`templatetags/form_fields.py`). If
a form is submitted again with the same fields, it is the same request, and gets the same redirect and messages. With
other fields it is a new request, so users can go back, change something and submit the form again. Only completed
actions are stored, which end with a redirect and no error message. If the form is shown again or an error occurs,
nothing is stored and the user can try again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils import timezone
from django.utils.timesince import timesince

from rosters.database.transactions import lock_named
from rosters.models import IdempotentResponse, Player
from rosters.site.exceptions import refusal_answer
from rosters.site.middleware import Middleware
from rosters.site.retention import Clearing, clear_rows, expiry_cutoff
from rosters.site.visitors import visitor_mark

ResultT = TypeVar("ResultT")
FORM_KEY_FIELD = "once"  # the hidden field with the form's key


class RequestInProgressError(Exception):
    """Raised if the first request with this key is still running."""


class DifferentRequestError(Exception):
    """Raised if the key was already used for another request."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The part of a response that is stored."""

    status: int
    text: str
    at: datetime = field(default_factory=timezone.now)


def hashed(*parts: str) -> str:
    """Return a hash of several texts; it also depends on how they are divided."""
    return hashlib.sha256("".join(f"{len(part)}:{part}" for part in parts).encode()).hexdigest()


def run_once(
    *, who: str, key: str, asked: str, waits: bool, act: Callable[[], tuple[ResultT, Answer | None]]
) -> ResultT | Answer:
    """Call `act` and return its result, or return the stored response to the first request of `who` with this key.

    `act` returns its result and the part to store. If that part is None, nothing is stored and the next request calls
    `act` again. If `act` raises, all its changes are rolled back. With `waits`, a simultaneous request waits for the
    first one; else it gets RequestInProgressError.
    """
    digest = hashed(who, key)
    with transaction.atomic():
        if not lock_named(digest, waits=waits):
            raise RequestInProgressError
        first = IdempotentResponse.objects.filter(digest=digest).first()
        if first is not None:
            if first.asked != asked:
                raise DifferentRequestError
            return Answer(first.status, first.answer, first.created_at)
        result, answer = act()
        if answer is not None:
            IdempotentResponse.objects.create(digest=digest, asked=asked, status=answer.status, answer=answer.text)
        return result


def clear_answers(run: Clearing) -> int:
    """Delete stored responses that are expired."""
    old = expiry_cutoff(run.now, settings.KEEP_ANSWERS_DAYS)
    return clear_rows(IdempotentResponse.objects.filter(created_at__lt=old).only("pk"), run) if old else 0


REPEAT_WINDOW = timedelta(seconds=10)  # for a second click, or a browser that repeats a request without response
RELOAD_TO_REPEAT = "To do it again, reload the page first."
View = Callable[..., HttpResponseBase]
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
NOT_HERE = (
    "admin:",
    "account_",
    "mfa_",
    "usersessions_",
)  # views that refuse duplicates themselves


class FormOnceMiddleware(Middleware):
    """Makes submitted forms act only once; the last middleware before the view, after all checks of the user."""

    def process_view(
        self, request: HttpRequest, view: View, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> HttpResponseBase | None:
        if request.method != "POST" or request.content_type not in FORMS or getattr(view, "csrf_exempt", False):
            return None
        key = request.POST.get(FORM_KEY_FIELD, "")
        if not key or (request.resolver_match and request.resolver_match.view_name.startswith(NOT_HERE)):
            return None
        fields = request.POST.copy()
        del fields[FORM_KEY_FIELD]
        request.POST = fields  # type: ignore[assignment]

        def act() -> tuple[HttpResponseBase, Answer | None]:
            response = view(request, *args, **kwargs)
            return response, _kept(request, response)

        try:
            found = run_once(who=_who(request), key=hashed(key, _asked(request)), asked="", waits=True, act=act)
        except ReauthenticationRequired:  # Django now calls the view, which raises it where allauth catches it
            return None
        except Exception as exception:  # Django doesn't pass exceptions of a view called here to other middleware
            if answer := refusal_answer(request, exception):
                return answer
            raise
        return _again(request, found) if isinstance(found, Answer) else found


def _who(request: HttpRequest) -> str:
    """Return an ID of the player, or for a visitor an ID from the secret that their browser got with the page."""
    if isinstance(request.user, Player):
        return f"form of player {request.user.pk}"
    return f"form of visitor {request.COOKIES.get('csrftoken') or visitor_mark(request)}"


def _asked(request: HttpRequest) -> str:
    """Return a hash of the form's URL, fields and files."""
    fields = [
        [name, values]
        for name, values in sorted(request.POST.lists())
        if name not in ("csrfmiddlewaretoken", FORM_KEY_FIELD)
    ]
    files = []
    for name, sent in sorted(request.FILES.lists()):
        for file in sent:
            content = hashlib.sha256()
            for chunk in file.chunks():
                content.update(chunk)
            file.seek(0)
            files.append([name, file.name, content.hexdigest()])
    return hashed(request.get_full_path(), json.dumps([fields, files]))


def _kept(request: HttpRequest, response: HttpResponseBase) -> Answer | None:
    """Return the redirect and its messages to be stored; None for any other response."""
    if not isinstance(response, HttpResponseRedirect):
        return None
    queued = [[one.level, str(one.message), one.extra_tags or ""] for one in _storage(request)._queued_messages]
    if any(level >= messages.ERROR for level, _, _ in queued):
        return None
    return Answer(response.status_code, json.dumps([response.url, queued]))


def _again(request: HttpRequest, answer: Answer) -> HttpResponse:
    """Return the first response again, without those of its messages that are still waiting to be shown.

    If the form is submitted again after a while, the user may have gone back to the page and want it done twice, so a
    message says that it was not done again.
    """
    url, stored = json.loads(answer.text)
    if timezone.now() - answer.at > REPEAT_WINDOW:
        what = ": " + " ".join(text for _, text, _ in stored) if stored else "."
        is_new = timezone.now() - answer.at < timedelta(minutes=1)
        ago = "just now" if is_new else timesince(answer.at, depth=1).replace("\xa0", " ") + " ago"
        stored = [[messages.INFO, f"You already did this {ago}, so we didn't do it again{what} {RELOAD_TO_REPEAT}", ""]]
    storage = _storage(request)
    waiting = {(one.level, str(one.message)) for one in storage}
    storage.used = False  # the messages were only read here, not shown
    for level, text, tags in stored:
        if (level, text) not in waiting:
            messages.add_message(request, level, text, tags)
    return HttpResponseRedirect(url)


def _storage(request: HttpRequest) -> Any:
    """Return Django's message storage, because no public function tells which messages are new."""
    return messages.get_messages(request)
