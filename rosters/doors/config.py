"""Which site the admin is: a module of its own, for it is read before any model is."""

from django.contrib.admin.apps import AdminConfig


class OperatorAdminConfig(AdminConfig):
    default_site = "rosters.doors.operator.OperatorSite"
