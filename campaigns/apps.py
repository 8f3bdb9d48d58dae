from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        from battles.services.afterwards import register_claim, register_step
        from battles.tasks import TASK_OF
        from campaigns.demo import demo_load
        from campaigns.models import FairDraw, GazettePrint, RoundClose
        from campaigns.policy import shares_company
        from campaigns.services import aftermath_write
        from campaigns.services.gazette import gazette_files_named
        from campaigns.services.past_check import match_differences
        from campaigns.services.past_plan import match_claim
        from campaigns.support import rolled_support
        from rosters.demo import register_demo
        from rosters.policy import register_sharing
        from rosters.reconcile import register_check
        from rosters.selectors_printing import register_rolled_support
        from rosters.services.clearing import register_files

        register_files(gazette_files_named)
        TASK_OF[FairDraw] = "campaigns.tasks.fair_draw"
        TASK_OF[GazettePrint] = "campaigns.tasks.print_gazette"
        TASK_OF[RoundClose] = "campaigns.tasks.round_close_run"
        register_step(aftermath_write)
        register_claim(match_claim)
        register_check(match_differences)
        register_sharing(shares_company)
        register_demo(demo_load)
        register_rolled_support(rolled_support)
