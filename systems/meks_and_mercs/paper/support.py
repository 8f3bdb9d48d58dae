"""The card of a support result: when it is used, its effect and its unit; on the back, all results (ledger 2.11)."""

from __future__ import annotations

from systems.meks_and_mercs.build import SYSTEM
from systems.meks_and_mercs.build.datasheet import support_card
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.catalogue.types import Support
from systems.paper.blocks import Block, CardContent, CardFace, Detail, Entries, Entry, Ticks
from systems.paper.metrics import isolated

from .cards import NOTES, support_blocks
from .rules import SUPPORT_TABLES

UNIT_RULE = "MM-088"  # the rule of all support vehicles


def result_card(result: Support, company: str, detail: Detail) -> CardContent:
    return CardContent(front=_result_front(result, company), back=_result_back(detail))


def _result_front(result: Support, company: str) -> CardFace:
    rules = SYSTEM.rulebook
    blocks: list[Block] = [
        Entries(title="When", entries=(Entry(name="", text=result.when),)),
        Entries(title="Effect", entries=(Entry(name="", text=result.effect),)),
    ]
    if result.rule != UNIT_RULE:
        blocks.append(Entries(title="In detail", entries=(Entry(name="", text=rules[result.rule].text),)))
    if result.unit:
        unit = support_card(result.unit, company)
        blocks.append(Entries(title="Unit", note=unit.name))
        blocks += support_blocks(unit)
        if unit.hits:
            blocks.append(Entries(title="Support units", entries=(Entry(name="", text=rules[UNIT_RULE].text),)))
    else:
        blocks.append(Ticks(items=(("used", (False,)),)))
    return CardFace(
        title=result.name,
        kicker=" · ".join(filter(None, ("Support", isolated(company)))),
        corner=f"{result.table}{result.face}",
        corner_label="support roll",
        blocks=tuple(blocks),
        notes=NOTES,
    )


def _result_back(detail: Detail) -> CardFace:
    """Return the support tables: first die the table, second die the entry."""
    blocks = tuple(
        Entries(
            title=f"Table {table}",
            note=f"first die {faces}",
            entries=tuple(
                Entry(lead=str(result.face), name=result.name, text=result.effect if detail == "full" else "")
                for result in sorted(CATALOGUE.support.values(), key=lambda result: result.face)
                if result.table == table
            ),
        )
        for table, faces in SUPPORT_TABLES.items()
    )
    return CardFace(title="Support rolls", kicker="Meks & Mercs · two dice", blocks=blocks)
