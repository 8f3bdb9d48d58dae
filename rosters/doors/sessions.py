"""Django's database sessions with a compiled query, because every page of a signed-in user reads one."""

from __future__ import annotations

from datetime import datetime

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from rosters.site.compiled import PreparedQuery

OPEN = PreparedQuery(lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now), key=str, now=datetime)


class SessionStore(db.SessionStore):
    """Django's session store with a compiled query."""

    def _get_session_from_db(self) -> Session | None:
        found = OPEN.row(key=self.session_key or "", now=timezone.now())
        if found is None:
            self._session_key = None
        return found
