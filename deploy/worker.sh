#!/bin/sh
# One Celery worker for all queues, a process per core. More options are handed on: -B runs the sweep's timer in it.
set -eu
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
exec celery -A config worker -P prefork -c "${MUSTER_WORKER_PROCESSES:-$cores}" -Q battles,forecasts,print \
    -l "${MUSTER_LOG_LEVEL:-warning}" --without-gossip --without-mingle --without-heartbeat "$@"
