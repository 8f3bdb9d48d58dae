"""The list of event types: when each happens, who is notified, and its texts for every channel. Pure data.

Texts name facts in braces: `{campaign}`. A fact whose name ends in `_at` is a time, shown in the reader's zone.
docs/occasions.md is written from this list.
"""

from __future__ import annotations

from campaigns.notifications.campaign_events import CAMPAIGN_EVENTS
from campaigns.notifications.event_classes import EventType
from campaigns.notifications.match_events import MATCH_EVENTS

EVENT_TYPES: dict[str, EventType] = {each.slug: each for each in MATCH_EVENTS + CAMPAIGN_EVENTS}
WEBHOOK_EVENTS = tuple(each.slug for each in EVENT_TYPES.values() if each.aloud)  # what a webhook can receive
