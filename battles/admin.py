"""Battles and odds as the operator sees them."""

from django.contrib import admin

from battles.models import Battle, BattleSide, Forecast


class BattleSideInline(admin.TabularInline):
    model = BattleSide
    extra = 0
    can_delete = False
    readonly_fields = ["position", "name", "company", "force"]


@admin.register(Battle)
class BattleAdmin(admin.ModelAdmin):
    list_display = ["title", "status", "visibility", "asked_by", "queued_at", "ended_at", "tries"]
    list_filter = ["status", "visibility", "fought_by_hand", "system"]
    list_select_related = ["asked_by"]
    search_fields = ["title", "key", "setup_hash"]
    readonly_fields = ["key", "setup", "setup_hash", "seed", "seed_chosen", "rules_version", "result", "asked_by"]
    inlines = [BattleSideInline]


@admin.register(Forecast)
class ForecastAdmin(admin.ModelAdmin):
    list_display = ["title", "status", "runs_done", "runs_asked", "seconds", "asked_by", "queued_at", "tries"]
    list_filter = ["status", "system"]
    list_select_related = ["asked_by"]
    search_fields = ["title", "key", "setup_hash"]
    readonly_fields = ["key", "question", "setup", "setup_hash", "seed", "rules_version", "counts", "asked_by"]
