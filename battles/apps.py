from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
        from battles.api.scopes import DEMANDS
        from battles.services import clearing
        from rosters.clearing import register_clearing
        from rosters.doors.scopes import register_scopes

        register_clearing("visitors' old battles", clearing.clear_battles)
        register_clearing("old comparisons", clearing.clear_what_ifs)
        register_clearing("old odds", clearing.clear_forecasts)
        register_clearing("old matchup matrices", clearing.clear_matrices)
        register_clearing("dice of nobody", clearing.clear_dice)
        register_clearing("parts of odds that are over", clearing.clear_chunks)
        register_scopes(DEMANDS)
