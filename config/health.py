"""Health endpoints for whoever runs the server: is the process up, can it serve?"""

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse


def live(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers."""
    return JsonResponse({"status": "ok"})


def ready(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and is migrated, else 503 with the reason."""
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Exception as error:  # whatever the driver raises, the answer is the same: not ready
        return JsonResponse({"status": "unavailable", "reason": type(error).__name__}, status=503)
    if pending:
        return JsonResponse({"status": "unavailable", "reason": f"{len(pending)} migrations pending"}, status=503)
    return JsonResponse({"status": "ok"})
