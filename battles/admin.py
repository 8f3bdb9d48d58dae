"""Battles and odds in the admin."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from battles.models import (
    Battle,
    BattleSide,
    BestAnswer,
    BestBuild,
    BestChange,
    Curve,
    Forecast,
    Fork,
    Matrix,
    RecordCheck,
    WhatIf,
)


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


class CountAdmin(admin.ModelAdmin):
    """Simulations over many battles."""

    list_display = ["title", "status", "runs_done", "runs_asked", "seconds", "asked_by", "queued_at", "tries"]
    list_filter = ["status", "system"]
    list_select_related = ["asked_by"]
    search_fields = ["title", "key"]


@admin.register(Forecast)
class ForecastAdmin(CountAdmin):
    search_fields = [*CountAdmin.search_fields, "setup_hash"]
    readonly_fields = ["key", "question", "setup", "setup_hash", "seed", "rules_version", "counts", "asked_by"]


@admin.register(WhatIf)
class WhatIfAdmin(CountAdmin):
    readonly_fields = ["key", "question", "forecast", "change", "setup", "seed", "rules_version", "counts", "asked_by"]


@admin.register(Matrix)
class MatrixAdmin(CountAdmin):
    readonly_fields = [
        "key", "question", "terrain", "doctrines", "battles", "seed", "rules_version", "counts", "asked_by",
    ]  # fmt: skip


@admin.register(Curve)
class CurveAdmin(CountAdmin):
    readonly_fields = ["key", "question", "battle", "places", "battles", "seed", "rules_version", "counts", "asked_by"]


@admin.register(Fork)
class ForkAdmin(CountAdmin):
    readonly_fields = ["key", "question", "battle", "round", "doctrines", "seed", "rules_version", "counts", "asked_by"]


@admin.register(BestAnswer)
class BestAnswerAdmin(CountAdmin):
    readonly_fields = [
        "key", "question", "forecast", "side", "points", "foes", "battles", "seed", "rules_version", "counts", "asked_by",
    ]  # fmt: skip


@admin.register(BestChange)
class BestChangeAdmin(CountAdmin):
    readonly_fields = [
        "key", "question", "forecast", "side", "changes", "battles", "seed", "rules_version", "counts", "asked_by",
    ]  # fmt: skip


@admin.register(BestBuild)
class BestBuildAdmin(CountAdmin):
    readonly_fields = [
        "key", "question", "forecast", "unit", "foes", "start", "points", "kept", "builds", "is_whole", "battles", "seed",
        "rules_version", "counts", "asked_by",
    ]  # fmt: skip


@admin.register(RecordCheck)
class RecordCheckAdmin(admin.ModelAdmin):
    list_display = ["title", "status", "asked_by", "queued_at", "tries"]
    list_filter = ["status"]
    list_select_related = ["asked_by"]
    search_fields = ["title", "key"]
    readonly_fields = ["key", "battle", "verdict", "asked_by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[RecordCheck]:
        return super().get_queryset(request).defer("lines")
