from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        from battles.services.afterwards import register_claim, register_finish, register_keeper, register_step
        from battles.tasks import TASK_OF
        from campaigns.api.scopes import DEMANDS
        from campaigns.corrections.check import match_differences
        from campaigns.corrections.plan import match_claim
        from campaigns.demo.club import demo_load
        from campaigns.gazette.services import gazette_files_named
        from campaigns.house_rules import company_house_rules
        from campaigns.matches.support import rolled_support
        from campaigns.middleware import why_not_without_factor
        from campaigns.models import Campaign, Club, FairDraw, GazettePrint, RoundClose
        from campaigns.policy import shares_company
        from campaigns.selectors.allowance import reserves_of
        from campaigns.services import aftermath_write
        from campaigns.services.books import books_kept
        from campaigns.services.friendlies import friendly_settle
        from campaigns.services.holds import holds_of
        from campaigns.services.leaving import PART
        from campaigns.services.proofs import proof_differences
        from campaigns.takeout import PARTS
        from rosters import hooks
        from rosters.demo import register_demo
        from rosters.doors.scopes import register_guard, register_scopes
        from rosters.ledger.reconcile import register_check
        from rosters.models import Pilot
        from rosters.paper.selectors import register_house_rules, register_rolled_support
        from rosters.policy import register_sharing
        from rosters.services.clearing import register_files
        from rosters.site.leaving import register_leaving, register_named
        from rosters.site.takeout import register_parts

        register_files(gazette_files_named)
        TASK_OF[FairDraw] = "campaigns.tasks.fair_draw"
        TASK_OF[GazettePrint] = "campaigns.tasks.print_gazette"
        TASK_OF[RoundClose] = "campaigns.tasks.round_close_run"
        register_step(aftermath_write)
        register_claim(match_claim)
        register_keeper(books_kept)
        register_finish(friendly_settle)
        register_check(match_differences)
        register_check(proof_differences)
        register_sharing(shares_company)
        hooks.holds.register(holds_of)
        hooks.reserves.register(reserves_of)
        register_demo(demo_load)
        register_rolled_support(rolled_support)
        register_house_rules(company_house_rules)
        register_parts(*PARTS)
        register_leaving(PART)
        register_named((Club, "name"), (Campaign, "name"), (Pilot, "name"))
        register_scopes(DEMANDS)
        register_guard(why_not_without_factor)
