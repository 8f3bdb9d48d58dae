"""Tags for whole pages: meta tags, the account, the way back after signing in."""

from __future__ import annotations

from urllib.parse import urlencode

from django import template
from django.conf import settings
from django.template import Context
from django.templatetags.static import static
from django.utils.crypto import salted_hmac
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from rosters.accounts.sign_ins import describe_user_agent
from rosters.models import SignIn, SignInOutcome
from rosters.open_graph import HEIGHT, WIDTH
from rosters.site.visitors import shortened

register = template.Library()
OF_THE_SITE = (
    "A free companion for five tabletop mech games: build companies, print their cards, simulate battles"
    " and run your club's campaigns."
)
MAX_SIGN_INS = 50  # of each outcome
MAX_LENGTH = 200  # of a description; sites that show link previews cut off longer ones


@register.simple_tag(takes_context=True)
def share(context: Context, *parts: object, title: str = "", picture: str = "") -> SafeString:
    """Return the meta tags for description and link preview; `picture` is the path of the page's own preview image."""
    request = context.get("request")
    description = " ".join("".join(map(str, parts)).split()) or OF_THE_SITE
    if len(description) > MAX_LENGTH:
        description = f"{description[: MAX_LENGTH - 1].rsplit(' ', 1)[0]}…"
    described = format_html('<meta name="description" content="{}">', description)
    if request is None:
        return described
    properties = (
        ("og:site_name", "Muster"),
        ("og:type", "website"),
        ("og:title", title or "Muster"),
        ("og:description", description),
        ("og:url", request.build_absolute_uri(request.path)),
        ("og:image", request.build_absolute_uri(picture or static("img/plate.png"))),
        ("og:image:width", str(WIDTH)),
        ("og:image:height", str(HEIGHT)),
        ("og:image:alt", title or "Muster"),
    )
    tags = format_html_join("", '<meta property="{}" content="{}">', properties)
    return format_html('{}{}<meta name="twitter:card" content="summary_large_image">', described, tags)


VISITOR = "visitor"


@register.simple_tag(takes_context=True)
def account_mark(context: Context) -> str:
    """Return a mark of the reader's account that doesn't reveal the account; empty if the reader is unknown."""
    user = context.get("user")
    if user is None:
        return ""
    if not user.is_authenticated:
        return VISITOR
    return salted_hmac("rosters.network", str(user.pk)).hexdigest()[:20]


register.filter("agent_words", describe_user_agent)
register.filter("shortened_address", shortened)


@register.simple_tag(takes_context=True)
def back_here(context: Context) -> str:
    """Return `?next=` with this page, so that users come back to it after they sign in or up.

    It is empty on the first page, on account pages, and if the URL is a secret (`address_is_secret`).
    """
    request = context.get("request")
    if request is None or request.method != "GET" or request.path == "/" or context.get("address_is_secret"):
        return ""
    if request.path.startswith("/accounts/"):
        return f"?{urlencode({'next': request.GET['next']})}" if request.GET.get("next") else ""
    return f"?{urlencode({'next': request.get_full_path()})}"


@register.simple_tag
def sign_up_mode() -> str:
    """Return whether people may sign up: "open", "invited" or "closed"."""
    return str(settings.SIGN_UP)


@register.inclusion_tag("rosters/_sign_ins.html", takes_context=True)
def sign_ins(context: Context) -> dict[str, object]:
    """Show the player's sign-ins and failed attempts, newest first, up to MAX_SIGN_INS of each."""
    own = SignIn.objects.filter(player=context["user"]).order_by("-occurred_at", "-pk")
    came_in = own.filter(outcome=SignInOutcome.OK)[:MAX_SIGN_INS]
    refused = own.exclude(outcome=SignInOutcome.OK)[:MAX_SIGN_INS]
    rows = sorted([*came_in, *refused], key=lambda row: (row.occurred_at, row.pk), reverse=True)
    return {"sign_ins": rows, "limit": MAX_SIGN_INS, "days": settings.KEEP_SIGN_INS_DAYS}
