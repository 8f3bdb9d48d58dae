from django.apps import AppConfig


class RostersConfig(AppConfig):
    name = "rosters"

    def ready(self) -> None:
        from rosters import hooks
        from rosters.accounts import (
            checks,  # noqa: F401  (registered by being imported)
            data_export,
            deletion,
            sign_ins,
        )
        from rosters.accounts.data_export import PARTS
        from rosters.accounts.ownership import DELETION_PART
        from rosters.api import schema  # noqa: F401  (its extensions are found by being imported)
        from rosters.models import Company, DataExport, Player, PrintJob
        from rosters.scopes import DEMANDS
        from rosters.services import retention
        from rosters.site import idempotency

        hooks.files.connect(retention.print_files_named, data_export.data_export_files_in_rows)
        hooks.clearings.connect(
            ("old prints' files", retention.clear_print_files),
            ("visitors' old prints", retention.clear_visitors_prints),
            ("parts of prints that are over", retention.clear_batches),
            ("files that no row names", retention.clear_files),
            ("half-written files", retention.clear_unfinished),
            ("expired sessions", retention.clear_sessions),
            ("expired tokens", retention.clear_tokens),
            ("kept answers", idempotency.clear_answers),
            ("old sign-ins", sign_ins.clear_sign_ins),
            ("sessions that are over, from their owners' lists", sign_ins.clear_ended_sessions),
            ("data that were packed for players", data_export.clear_data_exports),
            ("players who leave", deletion.clear_leavers),
        )
        hooks.jobs.connect((PrintJob, "rosters.tasks.print_run"), (DataExport, "rosters.tasks.takeout_run"))
        hooks.takeout_parts.connect(*PARTS)
        hooks.leaving_parts.connect(DELETION_PART)
        hooks.names.connect((Company, "name"), (Player, "name_shown"), (Player, "username"))
        hooks.demands.connect(DEMANDS)
        sign_ins.connect_signals()
