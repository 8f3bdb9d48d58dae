"""The admin of rosters. Everything that the ledger records is read-only here, and is changed only through the site."""

from __future__ import annotations

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.admin import UserAdmin
from django.db.models import Count, Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rosters.accounts.deletion import account_remove, removal_fates
from rosters.models import (
    AccessToken,
    Company,
    Design,
    LedgerEntry,
    Pilot,
    Player,
    PrinterProfile,
    PrintJob,
    PrintPreset,
    Scenario,
    SignIn,
    Unit,
)
from rosters.services.players import name_remember
from rosters.site.exceptions import RefusedError

admin.site.site_header = admin.site.site_title = "Muster"
admin.site.index_title = "The operator's view"


class ReadOnlyAdmin(admin.ModelAdmin):
    """Base class of the admins of read-only models."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Player)
class PlayerAdmin(UserAdmin):
    list_display = (
        *("username", "name_shown", "email", "is_active", "is_staff", "companies_count", "prints_count"),
        "date_joined",
    )
    actions = ("remove_accounts",)
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Muster", {"fields": ("name_shown", "time_zone", "paper")}))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        counts = {f"{name}_count": Count(name, distinct=True) for name in ("companies", "prints")}
        rows: QuerySet[Player] = super().get_queryset(request)
        return rows.annotate(**counts)

    @admin.display(description="companies", ordering="companies_count")
    def companies_count(self, player: Player) -> int:
        return int(player.companies_count)  # type: ignore[attr-defined]

    @admin.display(description="prints", ordering="prints_count")
    def prints_count(self, player: Player) -> int:
        return int(player.prints_count)  # type: ignore[attr-defined]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False: the action below removes accounts, and keeps what other players need."""
        return False

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("rosters.delete_player")

    @admin.action(description="Remove selected accounts", permissions=["remove"])
    def remove_accounts(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        """Show what happens to the players' data and ask for confirmation; if confirmed, remove the accounts."""
        players = list(queryset.order_by("username"))
        if "confirmed" in request.POST:
            for player in players:
                self._remove(request, player)
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": "Remove accounts",
            "accounts": [(player, removal_fates(player)) for player in players],
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return render(request, "admin/remove_accounts.html", context)

    def _remove(self, request: HttpRequest, player: Player) -> None:
        try:
            handed_on = account_remove(player=player)
        except RefusedError as refused:
            self.message_user(request, f"{player.username}: {refused.reason}", messages.ERROR)
        else:
            self.message_user(request, " ".join([f"{player.username} is removed.", *handed_on]), messages.SUCCESS)

    def save_model(self, request: HttpRequest, obj: Player, form: ModelForm[Player], change: bool) -> None:
        """Save the player; if they are renamed, remember the old names."""
        if change:
            before = Player.objects.get(pk=obj.pk)
            name_remember(obj, before.username, before.name_shown)
        super().save_model(request, obj, form, change)


@admin.register(SignIn)
class SignInAdmin(ReadOnlyAdmin):
    list_display = ("occurred_at", "player", "outcome", "second_factor", "agent", "address")
    list_filter = ("outcome", "second_factor")
    list_select_related = ("player",)
    search_fields = ("player__username", "address")


@admin.register(AccessToken)
class AccessTokenAdmin(ReadOnlyAdmin):
    """Access tokens. The operator can delete them; only players create them."""

    list_display = ("name", "user", "scopes", "created", "expiry", "used_at")
    list_select_related = ("user",)
    exclude = ("digest",)
    search_fields = ("name", "user__username")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(Company)
class CompanyAdmin(ReadOnlyAdmin):
    list_display = ("name", "owner", "system", "visibility", "founded_at", "disbanded_at")
    list_filter = ("system", "visibility")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")


@admin.register(Unit)
class UnitAdmin(ReadOnlyAdmin):
    list_display = ("name", "design_name", "company", "pilot", "status")
    list_filter = ("status",)
    list_select_related = ("company", "pilot")
    search_fields = ("name", "company__name")


@admin.register(Pilot)
class PilotAdmin(ReadOnlyAdmin):
    list_display = ("name", "callsign", "company", "status")
    list_filter = ("status",)
    list_select_related = ("company",)
    search_fields = ("name", "callsign", "company__name")


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "company", "kind", "unit", "pilot", "points", "cause", "created_by")
    list_filter = ("kind", "cause")
    list_select_related = ("company", "unit", "pilot", "created_by")
    search_fields = ("company__name", "cause_ref")
    show_full_result_count = False


@admin.register(Design)
class DesignAdmin(admin.ModelAdmin):
    list_display = ("name", "author", "system", "visibility", "changed_at")
    list_filter = ("system", "visibility")
    list_select_related = ("author",)
    readonly_fields = ("author", "system", "spec", "link_key")
    search_fields = ("name", "author__username")


@admin.register(Scenario)
class ScenarioAdmin(admin.ModelAdmin):
    list_display = ("name", "author", "system", "visibility", "changed_at")
    list_filter = ("system", "visibility")
    list_select_related = ("author",)
    readonly_fields = ("author", "system", "spec", "link_key")
    search_fields = ("name", "author__username")


@admin.register(PrintJob)
class PrintJobAdmin(ReadOnlyAdmin):
    list_display = ("title", "status", "pages", "asked_by", "queued_at")
    list_filter = ("status",)
    list_select_related = ("asked_by",)


@admin.register(PrintPreset)
class PrintPresetAdmin(ReadOnlyAdmin):
    list_display = ("name", "player", "company", "changed_at")
    list_select_related = ("player", "company")


@admin.register(PrinterProfile)
class PrinterProfileAdmin(ReadOnlyAdmin):
    list_display = ("name", "player", "paper", "flip", "is_default")
    list_select_related = ("player",)
