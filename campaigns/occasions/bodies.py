"""What is sent to a webhook, and how it is signed."""

from __future__ import annotations

import hashlib
import hmac
import json
import string
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from campaigns.boxes import boxed, unboxed
from campaigns.models import Club, News, Webhook
from campaigns.occasions.declared import OCCASIONS, heading
from campaigns.occasions.words import escape_markdown, path_of, sentence, stamped
from rosters.site.leaving import Farewell

FORMAT = "occasion/1"
MAX_DISCORD_LENGTH = 2000  # characters of a message
TEST = "test"
BOX = "webhooks"


def body_of(webhook: Webhook, news: News, site: str) -> str:
    """The news as this webhook takes it."""
    occasion = OCCASIONS[news.occasion]
    path = path_of(occasion, news.facts)
    url = f"{site}{path}" if site and path else ""
    if webhook.kind == Webhook.Kind.DISCORD:
        return _discord(heading(occasion), stamped(occasion.aloud, news.facts), url)
    named = {name for _, name, _, _ in string.Formatter().parse(occasion.aloud) if name}
    campaign = news.campaign
    return _json(
        {
            "muster": FORMAT,
            "occasion": news.occasion,
            "at": _iso(news.at),
            "title": heading(occasion),
            "text": sentence(occasion.aloud, news.facts, UTC),
            "url": url,
            "club": _club(webhook.club),
            "campaign": {"id": campaign.pk, "name": campaign.name} if campaign else None,
            "match": news.facts.get("match"),
            "facts": {name: news.facts[name] for name in sorted(named) if name in news.facts},
        }
    )


def test_body(webhook: Webhook, now: datetime) -> str:
    """What a test sends."""
    text = f"This is a test of {webhook.club.name}: if you read it, word gets through."
    if webhook.kind == Webhook.Kind.DISCORD:
        return _discord("A test", text, "")
    return _json(
        {
            "muster": FORMAT,
            "occasion": TEST,
            "at": _iso(now),
            "title": "A test",
            "text": text,
            "url": "",
            "club": _club(webhook.club),
            "campaign": None,
            "match": None,
            "facts": {},
        }
    )


def body_forgotten(body: str, gone: Farewell) -> str:
    """The body with the new name of a player who left; of one that names him not, the same byte for byte."""
    known: dict[str, Any] = json.loads(body)
    fresh: dict[str, object] = {}
    if "content" in known:
        fresh["content"] = _marked(gone).text(known["content"])
    for name in ("text", "title"):
        if name in known:
            fresh[name] = gone.text(known[name])
    if facts := known.get("facts"):
        fresh["facts"] = {name: gone.text(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}
    fresh = {**known, **fresh}
    return body if fresh == known else _json(fresh)


def headers_of(webhook: Webhook, body: bytes, delivery: str, occasion: str, now: datetime) -> dict[str, str]:
    """The headers of a sending; signed JSON is signed at the moment at which it goes."""
    headers = {"Content-Type": "application/json", "User-Agent": "Muster-Webhook/1", "Connection": "close"}
    if webhook.kind == Webhook.Kind.DISCORD:
        return headers
    at = int(now.timestamp())
    return {
        **headers,
        "Muster-Delivery": delivery,
        "Muster-Occasion": occasion,
        "Muster-Signature": f"t={at},v1={signature(secret_shown(webhook.secret), at, body)}",
    }


def signature(secret: str, at: int, body: bytes) -> str:
    """HMAC-SHA256 under the secret's text of the time in seconds, a dot, and the body; in hex."""
    return hmac.digest(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hex()


def secret_hidden(secret: str) -> str:
    """As a row keeps it: a dump of the database signs nothing."""
    return boxed(secret, BOX)


def secret_shown(text: str) -> str:
    """The secret; where its key is lost, nothing, which no receiver takes."""
    return unboxed(text, BOX)


def _marked(gone: Farewell) -> Farewell:
    """The same, all names as Discord is sent them."""
    names, shared, addresses, longer = (
        frozenset(map(escape_markdown, texts)) for texts in (gone.names, gone.shared, gone.addresses, gone.longer)
    )
    return replace(
        gone, name=escape_markdown(gone.name), names=names, shared=shared, addresses=addresses, longer=longer
    )


def _club(club: Club) -> dict[str, object]:
    return {"slug": club.slug, "name": club.name}


def _discord(title: str, text: str, url: str) -> str:
    """A message that calls nobody, whatever a company is named."""
    room = MAX_DISCORD_LENGTH - len(url) - len(title) - 8
    content = f"**{title}** {text[:room]}" + (f"\n{url}" if url else "")
    return _json({"content": content, "allowed_mentions": {"parse": []}})


def _json(document: Mapping[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")
