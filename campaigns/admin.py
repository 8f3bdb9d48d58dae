"""Clubs in the operator's admin."""

from collections.abc import Sequence

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import BaseInlineFormSet
from django.http import HttpRequest

from campaigns.models import ActivityLogEntry, Club, Invitation, JoinRequest, Membership, Role


class MembersFormSet(BaseInlineFormSet):
    """Refuse to save a club without an organiser, in the admin too."""

    def clean(self) -> None:
        super().clean()
        kept = [form.cleaned_data for form in self.forms if not form.cleaned_data.get("DELETE")]
        if not any(row.get("role") == Role.ORGANISER and row.get("player") for row in kept):
            raise ValidationError("A club needs an organiser.")


class MembershipInline(admin.TabularInline):
    model = Membership
    formset = MembersFormSet
    extra = 0
    raw_id_fields = ["player"]


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):
    list_display = ["name", "slug", "place", "is_public", "takes_requests", "founded_at"]
    list_filter = ["is_public", "takes_requests"]
    search_fields = ["name", "slug", "place"]
    inlines = [MembershipInline]

    def get_deleted_objects(
        self, objs: Sequence[Model] | QuerySet[Model], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Return what is deleted with a club, including its activity log, although no entry can be deleted alone."""
        to_delete, counts, needed, protected = super().get_deleted_objects(objs, request)
        needed.discard(ActivityLogEntry._meta.verbose_name)
        return to_delete, counts, needed, protected


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):
    list_display = ["club", "player", "role", "created_by", "created_at", "expires_at", "uses_left", "withdrawn_at"]
    list_filter = ["role"]
    list_select_related = ["club", "player", "created_by"]
    search_fields = ["club__name", "key"]
    raw_id_fields = ["club", "player", "created_by"]
    readonly_fields = ["key"]


@admin.register(JoinRequest)
class JoinRequestAdmin(admin.ModelAdmin):
    list_display = ["club", "player", "state", "asked_at", "decided_by", "decided_at"]
    list_filter = ["state"]
    list_select_related = ["club", "player", "decided_by"]
    search_fields = ["club__name", "player__username"]
    raw_id_fields = ["club", "player", "decided_by"]


@admin.register(ActivityLogEntry)
class ActivityLogEntryAdmin(admin.ModelAdmin):
    """Read only: entries are written together with the act and never changed."""

    list_display = ["created_at", "club", "campaign", "text", "created_by"]
    list_select_related = ["club", "campaign", "created_by"]
    search_fields = ["club__name", "text"]
    date_hierarchy = "created_at"

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False
