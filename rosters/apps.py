from django.apps import AppConfig


class RostersConfig(AppConfig):
    name = "rosters"

    def ready(self) -> None:
        from rosters import hooks
        from rosters.accounts import data_export as takeouts
        from rosters.accounts import deletion as leaving
        from rosters.accounts import sign_ins
        from rosters.accounts import sign_ins as events
        from rosters.accounts.data_export import PARTS
        from rosters.accounts.ownership import DELETION_PART
        from rosters.api import schema as token_schema  # noqa: F401  (two are found by being imported)
        from rosters.models import Company, DataExport, Player, PrintJob
        from rosters.scopes import DEMANDS
        from rosters.services import retention as clearing
        from rosters.site import idempotency as once

        hooks.files.connect(clearing.print_files_named, takeouts.data_export_files_in_rows)
        hooks.clearings.connect(
            ("old prints' files", clearing.clear_print_files),
            ("visitors' old prints", clearing.clear_visitors_prints),
            ("parts of prints that are over", clearing.clear_batches),
            ("files that no row names", clearing.clear_files),
            ("half-written files", clearing.clear_unfinished),
            ("expired sessions", clearing.clear_sessions),
            ("expired tokens", clearing.clear_tokens),
            ("kept answers", once.clear_answers),
            ("old sign-ins", sign_ins.clear_sign_ins),
            ("sessions that are over, from their owners' lists", sign_ins.clear_ended_sessions),
            ("data that were packed for players", takeouts.clear_data_exports),
            ("players who leave", leaving.clear_leavers),
        )
        hooks.jobs.connect((PrintJob, "rosters.tasks.print_run"), (DataExport, "rosters.tasks.takeout_run"))
        hooks.takeout_parts.connect(*PARTS)
        hooks.leaving_parts.connect(DELETION_PART)
        hooks.names.connect((Company, "name"), (Player, "name_shown"), (Player, "username"))
        hooks.demands.connect(DEMANDS)
        events.connect_signals()
