from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
        from battles.api.scopes import DEMANDS
        from battles.services import clearing
        from battles.services.leaving import PART
        from battles.takeout import PARTS
        from rosters.doors.scopes import register_scopes
        from rosters.site.clearing import register_clearing
        from rosters.site.leaving import register_leaving
        from rosters.site.takeout import register_parts

        register_clearing("visitors' old battles", clearing.clear_battles)
        register_clearing("old comparisons", clearing.clear_what_ifs)
        register_clearing("old odds", clearing.clear_forecasts)
        register_clearing("old matchup matrices", clearing.clear_matrices)
        register_clearing("dice of nobody", clearing.clear_dice)
        register_clearing("parts of odds that are over", clearing.clear_chunks)
        register_parts(*PARTS)
        register_leaving(PART)
        register_scopes(DEMANDS)
