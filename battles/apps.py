from functools import partial

from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
        from battles.endpoints import REQUIRED_SCOPES
        from battles.examples import worked_example
        from battles.live.dice import clear_paired_dice
        from battles.models import (
            Battle,
            BestAnswer,
            BestBuild,
            BestChange,
            Curve,
            Forecast,
            Fork,
            Matrix,
            RecordCheck,
            WhatIf,
        )
        from battles.odds.matrices import design_records
        from battles.player_data import DELETION_PART, EXPORT_PARTS
        from battles.services import retention
        from battles.services.retention import clear_solo, clear_tables
        from rosters import hooks

        hooks.clearings.connect(
            ("visitors' old battles", retention.clear_battles),
            ("old comparisons", partial(retention.clear_counts, WhatIf)),
            ("old searches for the best answer", partial(retention.clear_counts, BestAnswer)),
            ("old searches for the best change", partial(retention.clear_counts, BestChange)),
            ("old searches for the best build", partial(retention.clear_counts, BestBuild)),
            ("old forks", partial(retention.clear_counts, Fork)),
            ("old odds", partial(retention.clear_counts, Forecast)),
            ("old matchups", partial(retention.clear_counts, Matrix)),
            ("old record checks", retention.clear_checks),
            ("old win chance curves", partial(retention.clear_counts, Curve)),
            ("visitors' old tables", clear_tables),
            ("abandoned online battles", clear_solo),
            ("old two-phone dice", clear_paired_dice),
            ("unused dice", retention.clear_dice),
            ("parts of finished odds", retention.clear_chunks),
        )
        hooks.jobs.connect(
            (Battle, "battles.tasks.battle_resolve"),
            (RecordCheck, "battles.tasks.battle_check"),
            (Forecast, "battles.tasks.forecast_run"),
            (WhatIf, "battles.tasks.forecast_what_if"),
            (Matrix, "battles.tasks.forecast_matrix"),
            (Curve, "battles.tasks.forecast_curve"),
            (BestAnswer, "battles.tasks.forecast_best_answer"),
            (BestChange, "battles.tasks.forecast_best_change"),
            (Fork, "battles.tasks.forecast_fork"),
            (BestBuild, "battles.tasks.forecast_best_build"),
        )
        hooks.takeout_parts.connect(*EXPORT_PARTS)
        hooks.leaving_parts.connect(DELETION_PART)
        hooks.demands.connect(REQUIRED_SCOPES)
        hooks.examples.connect(worked_example)
        hooks.design_records.connect(design_records)
