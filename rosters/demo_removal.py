"""Remove the demo club: its players and everything they own, and nothing of anybody else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import CASCADE, Field, Model, QuerySet

from rosters import hooks
from rosters.demo import demo_player, password_file
from rosters.models import Company, CompanyErasure, LedgerEntry, Player
from rosters.site.refusals import RefusedError

Found = dict[type[Model], set[Any]]


@transaction.atomic
def demo_remove() -> int:
    """Remove the demo club; return the number of deleted rows, 0 if there is none.

    Raises RefusedError if other players' history needs a part of it.
    """
    demo = demo_player()
    if demo is None:
        return 0
    found: Found = defaultdict(set)
    _add(found, Player.objects.filter(pk=demo.pk))
    for answer in hooks.demo_remains:
        for rows in answer(demo):
            _add(found, rows)
    companies = Company.objects.filter(pk__in=found[Company])
    foreign = LedgerEntry.objects.filter(pk__in=found[LedgerEntry]) | LedgerEntry.objects.filter(by__in=found[Player])
    if entry := foreign.exclude(company__in=companies).select_related("company").first():
        raise RefusedError("demo", f"The demo club's players have written to the ledger of {entry.company}.")
    CompanyErasure.objects.bulk_create(CompanyErasure(company=each) for each in companies)  # unlocks their ledgers
    _add(found, CompanyErasure.objects.filter(company__in=companies))
    _end_sessions(found[Player])
    _let_go(found)
    # Foreign keys are checked at the end of the transaction; only the ledger's own guard needs this order.
    for model in sorted(found, key=lambda each: each is not LedgerEntry):
        model._default_manager.filter(pk__in=found[model])._raw_delete("default")
    transaction.on_commit(lambda: password_file().unlink(missing_ok=True))
    return sum(map(len, found.values()))


def _add(found: Found, rows: QuerySet[Model]) -> None:
    """Add these rows and all rows that can't exist without them."""
    waiting: list[tuple[type[Model], set[Any]]] = [(rows.model, set(rows.values_list("pk", flat=True)))]
    while waiting:
        model, keys = waiting.pop()
        new = keys - found[model]
        found[model] |= new
        for field in _references(model) if new else ():
            if not _can_let_go(field):
                needed = field.model._default_manager.filter(**{f"{field.name}__in": new})
                waiting.append((field.model, set(needed.values_list("pk", flat=True))))


def _let_go(found: Found) -> None:
    """Clear all references from remaining rows to the rows found."""
    for model, keys in list(found.items()):
        for field in filter(_can_let_go, _references(model)):
            staying = field.model._default_manager.filter(**{f"{field.name}__in": keys})
            staying.exclude(pk__in=found[field.model]).update(**{field.name: None})


def _references(model: type[Model]) -> Iterator[Field[object, object]]:
    """Yield the fields of all models that refer to this one."""
    for relation in model._meta.get_fields(include_hidden=True):
        if relation.auto_created and (relation.one_to_many or relation.one_to_one):
            yield relation.field  # type: ignore[union-attr]


def _can_let_go(field: Field[object, object]) -> bool:
    return field.null and field.remote_field.on_delete is not CASCADE  # type: ignore[union-attr]


def _end_sessions(players: Iterable[Any]) -> None:
    keys = Player.objects.filter(pk__in=players, usersession__isnull=False).values_list("usersession__session_key")
    Session.objects.filter(session_key__in=[key for (key,) in keys]).delete()
