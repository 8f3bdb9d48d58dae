"""Changes companies to a newer version of their game's catalogue. Past prices stay."""

from __future__ import annotations

import uuid

from django.db import transaction

from rosters import hooks
from rosters.entries.company import ReleaseAdopted
from rosters.ledger.records import RELEASE
from rosters.models import Company, Player
from rosters.services.base import Act, company_lock, release_of, rules_of
from rosters.site.exceptions import RefusedError


@transaction.atomic
def release_adopt(*, company: Company, by: Player, release: str = "") -> Company:
    """Change the company to this version, by default the newest; RefusedError if older, or if a campaign decides."""
    locked = company_lock(company)
    to = refuse_backwards(locked, release)
    if reason := hooks.release_kept(locked):
        raise RefusedError("release", reason)
    follow(Act(locked, by), to)
    return locked


def refuse_backwards(company: Company, release: str) -> str:
    """Return the requested version, by default the newest; RefusedError if it is unknown or not newer."""
    rules = rules_of(company)
    to = release_of(rules, release).catalogue_release
    if to == rules.catalogue_release:
        raise RefusedError("release", f"{company.name} already uses catalogue version {to}.")
    if int(to) < int(rules.catalogue_release):
        raise RefusedError(
            "release",
            f"{company.name} uses catalogue version {rules.catalogue_release} and can't go back to an older one.",
        )
    return to


def follow(act: Act, to: str, campaign: str = "") -> None:
    """Change the act's locked company to the version `to`, and record it.

    `campaign` is the name of the campaign that the company follows, if any.
    """
    company = act.company
    facts = {"from": company.catalogue_release, "to": to} | ({"campaign": campaign} if campaign else {})
    company.catalogue_release = to
    company.save(update_fields=["catalogue_release"])
    act.write(ReleaseAdopted, facts=facts)


def following(company: Company, by: Player | None, ref: str) -> Act:
    """Return the act of a locked company that follows its campaign; the player can't undo it alone."""
    return Act(company, by, cause=RELEASE, cause_ref=ref, key=uuid.uuid4())
