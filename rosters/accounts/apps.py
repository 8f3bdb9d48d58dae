"""The site class of the admin, in a module of its own because it is imported before any model."""

from django.contrib.admin.apps import AdminConfig


class OperatorAdminConfig(AdminConfig):
    default_site = "rosters.accounts.admin_site.OperatorSite"
