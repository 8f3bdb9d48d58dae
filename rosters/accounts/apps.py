"""The app config that sets the admin site. It is a separate module, because it is imported before any model."""

from django.contrib.admin.apps import AdminConfig


class OperatorAdminConfig(AdminConfig):
    default_site = "rosters.accounts.admin_site.OperatorSite"
