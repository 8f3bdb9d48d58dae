from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        from battles.services.afterwards import register_claim, register_step
        from campaigns.policy import shares_company
        from campaigns.services import aftermath_write
        from campaigns.services.past_check import match_differences
        from campaigns.services.past_plan import match_claim
        from rosters.policy import register_sharing
        from rosters.reconcile import register_check

        register_step(aftermath_write)
        register_claim(match_claim)
        register_check(match_differences)
        register_sharing(shares_company)
