from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        from battles.services.afterwards import register_step
        from battles.tasks import TASK_OF
        from campaigns.demo import demo_load
        from campaigns.models import FairDraw, RoundClose
        from campaigns.policy import shares_company
        from campaigns.services import aftermath_write
        from rosters.demo import register_demo
        from rosters.policy import register_sharing

        TASK_OF[FairDraw] = "campaigns.tasks.fair_draw"
        TASK_OF[RoundClose] = "campaigns.tasks.round_close_run"
        register_step(aftermath_write)
        register_sharing(shares_company)
        register_demo(demo_load)
