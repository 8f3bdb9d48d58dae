"""The export of a player's battles, odds and dice."""

from __future__ import annotations

from collections.abc import Iterator

from battles.live.keeping import TABLES_PART
from battles.models import SIMULATION_MODELS, Battle, Calculation, RecordCheck, SealedDice
from battles.solo.keeping import SOLO_PART as SOLO
from rosters.models import Player
from rosters.site.takeout import ExportFile, ExportPart, isoformat, file_path, to_json_text


def _record_files(player: Player) -> Iterator[ExportFile]:
    rows = Battle.objects.filter(asked_by=player, record__isnull=False).select_related("record").order_by("pk")
    for row in rows.iterator(chunk_size=20):
        yield file_path("battles", row.pk, row.title, "jsonl"), row.record.text


def _battle_files(player: Player) -> Iterator[ExportFile]:
    rows = Battle.objects.filter(asked_by=player).select_related("dice").order_by("pk")
    listed = [
        {
            "number": row.pk,
            "title": row.title,
            "state": row.status,
            "asked_at": isoformat(row.queued_at),
            "seen_by": row.visibility,
            "by_hand": row.fought_by_hand,
            "setup": row.setup,
            "result": row.result,
        }
        for row in rows.iterator(chunk_size=50)
    ]
    yield "battles.json", to_json_text(listed)


def _odds_files(player: Player) -> Iterator[ExportFile]:
    yield "odds.json", to_json_text([_count_to_dict(row) for kind in SIMULATION_MODELS for row in _asked_rows(kind, player)])


def _check_files(player: Player) -> Iterator[ExportFile]:
    rows = RecordCheck.objects.filter(asked_by=player).order_by("pk").defer("lines")
    told = [{"title": row.title, "asked_at": isoformat(row.waiting_since), "verdict": row.verdict} for row in rows]
    yield "checks-of-records.json", to_json_text(told)


def _asked_rows(kind: type[Calculation], player: Player) -> Iterator[Calculation]:
    yield from kind._default_manager.filter(asked_by=player).order_by("pk")


def _count_to_dict(row: Calculation) -> dict[str, object]:
    return {
        "what": type(row)._meta.verbose_name,
        "title": row.title,
        "asked_at": isoformat(row.asked_at),
        "setup": getattr(row, "setup", None),
        "change": getattr(row, "change", None),
        "seed": row.seed,
        "rules_version": row.rules_version,
        "battles_counted": row.runs_done,
        "counts": row.counts,
    }


def _dice_files(player: Player) -> Iterator[ExportFile]:
    rows = SealedDice.objects.filter(asked_by=player).order_by("pk")
    told = [
        {
            "hash": row.commitment,
            "sealed_at": isoformat(row.at),
            "rolled_at": isoformat(row.used_at),
            "words": [text for _, text in row.words],
        }
        for row in rows
    ]
    yield "dice.json", to_json_text(told)


EXPORT_PARTS = (
    TABLES_PART,
    SOLO,
    ExportPart(
        path="battles/",
        about="Records of the battles that you had fought, event by event; verify fights them again.",
        files=_record_files,
    ),
    ExportPart(path="battles.json", about="All of your battles with set-up and result.", files=_battle_files),
    ExportPart(path="odds.json", about="Odds, comparisons and matrices that you asked for last.", files=_odds_files),
    ExportPart(path="checks-of-records.json", about="Records that you had checked, and what came of it.", files=_check_files),
    ExportPart(
        path="dice.json",
        about="Dice that were sealed for you, with your words in them. The secrets of those that rolled are in the records.",
        files=_dice_files,
    ),
)
