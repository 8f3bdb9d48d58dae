"""A note on the page of a waiting job while no worker is running."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from rosters.site.workers import is_served

register = template.Library()


@register.simple_tag
def no_worker(queue: str) -> SafeString | str:
    """Return a note if no worker of this queue is running, else nothing. One query."""
    if is_served(queue):
        return ""
    said = "No worker is running at the moment; this waits and starts by itself as soon as one is back."
    return format_html('<div class="note note--warn"><p>{}</p></div>', said)
