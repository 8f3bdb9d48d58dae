from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        from battles.services.afterwards import register_step
        from campaigns.services import aftermath_write

        register_step(aftermath_write)
