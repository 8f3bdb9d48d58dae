"""Other players' things on the home page: their latest battles, and companies to try."""

from django.db.models import Exists, OuterRef, QuerySet

from battles.models import Battle
from battles.selectors.listing import with_list_columns
from rosters.jobs import JobStatus
from rosters.models import Company, Unit, UnitStatus, Visibility
from rosters.site.compiled import PreparedQuery

LATEST_SHOWN, TRIALS_OFFERED = 6, 12


def _latest() -> QuerySet[Battle]:
    rows = Battle.objects.filter(visibility=Visibility.PUBLIC, status=JobStatus.DONE)
    return with_list_columns(rows).order_by("-pk")[:LATEST_SHOWN]


def _trial_companies(system: str) -> QuerySet[Company]:
    ready = Exists(Unit.objects.filter(company=OuterRef("pk"), status=UnitStatus.READY))
    rows = Company.objects.filter(ready, visibility=Visibility.PUBLIC, disbanded_at=None, system=system)
    return rows.order_by("-pk")[:TRIALS_OFFERED]


LATEST = PreparedQuery(_latest)
TRIAL_COMPANIES = PreparedQuery(_trial_companies, system=str)


def latest_public() -> list[Battle]:
    """Return the newest battles whose result everybody may see."""
    return LATEST.rows()


def trial_companies(system: str) -> list[Company]:
    """Return public companies of that system with a unit to field, for a visitor to try."""
    return TRIAL_COMPANIES.rows(system=system)
