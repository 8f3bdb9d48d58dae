"""Forms that are sent twice, by a second press or because no answer came, and done once.

Every form carries a key (`templatetags/once.py`). The same form with the same fields is the same request, and gets the
first answer: it leads to the same place, and says the same there. With other fields it is another request, so that who
goes back and changes something is not held up. Only what was done is remembered: an answer that leads to another page
without an error. A page that shows its form again, or a refusal, leaves nothing behind, and may be tried again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils import timezone
from django.utils.timesince import timesince

from rosters.models import Player
from rosters.site.middleware import Middleware
from rosters.site.once import FIELD, Answer, hashed, once
from rosters.site.refusal_answers import refusal_answer
from rosters.site.visitors import visitor_mark

REPEAT_WINDOW = timedelta(seconds=10)  # a second press, or a request that was repeated because no answer came
ANEW = "To do it again, reload the page first."
View = Callable[..., HttpResponseBase]
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
NOT_HERE = (
    "admin:",
    "account_",
    "mfa_",
    "usersessions_",
)  # what allauth and the admin do twice, they refuse themselves


class DoneOnceMiddleware(Middleware):
    """Goes around the view of a posted form; the last of all, so that who posts it has been looked at."""

    def process_view(
        self, request: HttpRequest, view: View, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> HttpResponseBase | None:
        if request.method != "POST" or request.content_type not in FORMS or getattr(view, "csrf_exempt", False):
            return None
        key = request.POST.get(FIELD, "")
        if not key or (request.resolver_match and request.resolver_match.view_name.startswith(NOT_HERE)):
            return None
        fields = request.POST.copy()
        del fields[FIELD]
        request.POST = fields  # type: ignore[assignment]

        def act() -> tuple[HttpResponseBase, Answer | None]:
            response = view(request, *args, **kwargs)
            return response, _kept(request, response)

        try:
            found = once(who=_who(request), key=hashed(key, _asked(request)), asked="", waits=True, act=act)
        except ReauthenticationRequired:  # nothing was done; the view says it again where allauth hears it
            return None
        except Exception as exception:  # Django asks no middleware about what a view raises in here
            if answer := refusal_answer(request, exception):
                return answer
            raise
        return _again(request, found) if isinstance(found, Answer) else found


def _who(request: HttpRequest) -> str:
    """A player; a visitor by the secret that his browser had from the page with the form."""
    if isinstance(request.user, Player):
        return f"form of player {request.user.pk}"
    return f"form of visitor {request.COOKIES.get('csrftoken') or visitor_mark(request)}"


def _asked(request: HttpRequest) -> str:
    """The hash of where the form is sent to, and of its fields and files."""
    fields = [
        [name, values] for name, values in sorted(request.POST.lists()) if name not in ("csrfmiddlewaretoken", FIELD)
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
    """Where the answer leads, and what is said there."""
    if not isinstance(response, HttpResponseRedirect):
        return None
    said = [[one.level, str(one.message), one.extra_tags or ""] for one in _storage(request)._queued_messages]
    if any(level >= messages.ERROR for level, _, _ in said):
        return None
    return Answer(response.status_code, json.dumps([response.url, said]))


def _again(request: HttpRequest, answer: Answer) -> HttpResponse:
    """The answer once more. What waits to be said already is not said a second time.

    Who presses again after a while may mean it, on a page that he went back to: he is told that it is not done again.
    """
    url, said = json.loads(answer.text)
    if timezone.now() - answer.at > REPEAT_WINDOW:
        what = ": " + " ".join(text for _, text, _ in said) if said else "."
        is_new = timezone.now() - answer.at < timedelta(minutes=1)
        ago = "just now" if is_new else timesince(answer.at, depth=1).replace("\xa0", " ") + " ago"
        said = [[messages.INFO, f"You did this {ago}, so it was not done again{what} {ANEW}", ""]]
    storage = _storage(request)
    waiting = {(one.level, str(one.message)) for one in storage}
    storage.used = False  # looked at, not shown
    for level, text, tags in said:
        if (level, text) not in waiting:
            messages.add_message(request, level, text, tags)
    return HttpResponseRedirect(url)


def _storage(request: HttpRequest) -> Any:
    """The messages; which of them are new is nowhere said in public."""
    return messages.get_messages(request)
