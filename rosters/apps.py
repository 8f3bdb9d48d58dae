from django.apps import AppConfig


class RostersConfig(AppConfig):
    name = "rosters"

    def ready(self) -> None:
        from rosters.api.scopes import DEMANDS
        from rosters.documents.takeout import PARTS
        from rosters.doors import checks, events, token_schema  # noqa: F401  (two are found by being imported)
        from rosters.doors.scopes import register_scopes
        from rosters.services import clearing, leaving, once, sign_ins, takeouts
        from rosters.services.leaving_part import PART
        from rosters.site.clearing import register_clearing
        from rosters.site.leaving import register_leaving
        from rosters.site.takeout import register_parts

        clearing.register_files(clearing.print_files_named)
        clearing.register_files(takeouts.takeout_files_named)
        register_clearing("old prints' files", clearing.clear_print_files)
        register_clearing("visitors' old prints", clearing.clear_visitors_prints)
        register_clearing("parts of prints that are over", clearing.clear_batches)
        register_clearing("files that no row names", clearing.clear_files)
        register_clearing("expired sessions", clearing.clear_sessions)
        register_clearing("expired tokens", clearing.clear_tokens)
        register_clearing("kept answers", once.clear_answers)
        register_clearing("old sign-ins", sign_ins.clear_sign_ins)
        register_clearing("sessions that are over, from their owners' lists", sign_ins.clear_ended_sessions)
        register_clearing("data that were packed for players", takeouts.clear_takeouts)
        register_clearing("players who leave", leaving.clear_leavers)
        register_parts(*PARTS)
        register_leaving(PART)
        register_scopes(DEMANDS)
        events.connect()
