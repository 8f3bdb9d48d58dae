"""Saving, naming, sharing, copying and deleting a player's own designs."""

from __future__ import annotations

from django.db import transaction

from rosters.models import Design, Player, Visibility
from rosters.site.refusals import RefusedError

from ._base import clean_text, free_name, read_spec, system_of

DESIGNS_MOST = 500  # of one player


@transaction.atomic
def design_save(
    *,
    author: Player,
    system: str,
    name: str,
    spec: object,
    design: Design | None = None,
    visibility: str | None = None,
) -> Design:
    """A new design, or the given one rebuilt. It may have problems; only buying needs a legal one."""
    rules = system_of(system)
    parsed = read_spec(rules, spec)
    name = clean_text("name", name, longest=60, now=design.name if design else None)
    if visibility is not None and visibility not in Visibility.values:
        raise RefusedError("visibility", f"must be one of {', '.join(Visibility.values)}.")
    Player.objects.select_for_update(no_key=True).get(pk=author.pk)  # names are free or taken until the end of this
    others = Design.objects.filter(author=author, system=rules.slug)
    if design is not None:
        if design.author_id != author.pk:
            raise RefusedError("design", "This design is not yours; clone it first.")
        if design.system != rules.slug:
            raise RefusedError("system", "A design keeps its rule system.")
        others = others.exclude(pk=design.pk)
    elif others.count() >= DESIGNS_MOST:
        raise RefusedError("name", f"A player keeps {DESIGNS_MOST} designs at most.")
    if others.filter(name=name).exists():
        raise RefusedError("name", f"You have a design called {name} already.")
    row = design or Design(author=author, system=rules.slug)
    row.name, row.spec = name, rules.spec_json(parsed)
    if visibility is not None:
        row.visibility = visibility
    row.save()
    return row


def design_rename(*, design: Design, by: Player, name: str) -> Design:
    """The design under another name."""
    return design_save(author=by, system=design.system, name=name, spec=design.spec, design=design)


@transaction.atomic
def design_clone(*, design: Design, by: Player) -> Design:
    """A copy of somebody's design as one's own, under a free name."""
    taken = Design.objects.filter(author=by, system=design.system).values_list("name", flat=True)
    return design_save(author=by, system=design.system, name=free_name(design.name, taken), spec=design.spec)


@transaction.atomic
def design_delete(*, design: Design, by: Player) -> None:
    """The design gone; units bought from it keep their own copy of the spec."""
    if design.author_id != by.pk:
        raise RefusedError("design", "This design is not yours.")
    design.delete()
