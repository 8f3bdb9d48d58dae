"""The datasheet of a unit (ledger 7.1): a page of paper with all of its numbers."""

from __future__ import annotations

from collections.abc import Mapping

from rosters.systems.mech_campaign.datasheet import Datasheet

from .cards import back, cells, damage_boxes, marker_ticks, words

LONG_NAME = 24


def sheet_context(sheet: Datasheet) -> Mapping[str, object]:
    face = back()
    actions, markers, resolve = face.blocks
    design = [sheet.design_name] if sheet.design_name not in (sheet.name, sheet.size_name) else []
    return {
        "sheet": sheet,
        "kicker": " · ".join(["Mech Campaign datasheet", *([sheet.company] if sheet.company else [])]),
        "identity": " · ".join([sheet.size_name, *design]),
        "is_long": len(sheet.name) > LONG_NAME,
        "cells": cells(sheet),
        "damage": damage_boxes(sheet),
        "markers": marker_ticks(sheet),
        "hits": tuple((hit.name, f"{hit.number}+", f"{float(hit.chance):.0%}") for hit in sheet.to_hit),
        "abilities": words(sheet) or "none",
        "numbers": _numbers(sheet),
        "record": _record(sheet),
        "actions": actions,
        "marker_rules": markers,
        "resolve": resolve,
    }


def _numbers(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    reach = tuple((f"Reach for {points} point{'s' if points > 1 else ''}", far) for points, far in sheet.reach)
    damage = tuple(
        (f"Expected damage for {points} point{'s' if points > 1 else ''}", f"{float(mean):.2g}")
        for points, mean in sheet.expected_damage
    )
    return (*reach, *damage)


def _record(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    if sheet.service is None:
        return (("Battles", ""), ("Eliminations", ""), ("Times lost", ""))
    lost = "" if sheet.service.times_lost is None else str(sheet.service.times_lost)
    return (
        ("Battles", str(sheet.service.games)),
        ("Eliminations", str(sheet.service.kills)),
        ("Times lost", lost),
    )
