"""Sessions as Django keeps them in the database; that of a request is asked for on every page of who is signed in."""

from __future__ import annotations

from datetime import datetime

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from rosters.site.compiled import Compiled

OPEN = Compiled(lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now), key=str, now=datetime)


class SessionStore(db.SessionStore):
    """Django's own, whose question is written once."""

    def _get_session_from_db(self) -> Session | None:
        found = OPEN.row(key=self.session_key or "", now=timezone.now())
        if found is None:
            self._session_key = None
        return found
