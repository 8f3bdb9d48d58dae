"""A template loader that removes the layout of templates, so that pages don't contain it.

It removes white space with a line break, of which HTML shows one space, or none beside the tag of a block. The result
is the page as if written on one line; see docs/decisions/0025-templates-to-the-eye.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.template.base import Origin
from django.template.loaders import filesystem

BLOCK = re.compile(
    "!doctype|html|head|title|meta|link|base|script|style|body|header|footer|main|nav|section|article|aside|search|div"
    "|p|pre|h[1-6]|hgroup|blockquote|figure|figcaption|hr|address|ul|ol|li|dl|dt|dd|form|fieldset|legend|details"
    "|summary|dialog|table|caption|colgroup|col|thead|tbody|tfoot|tr|td|th|option|optgroup|datalist"
    "|defs|symbol|pattern|g|path|rect|circle|line|polygon|polyline|use|desc|text"
).fullmatch
FRAME = re.compile("button|select|svg|tspan").fullmatch  # inline outside, a block inside
OPENS = re.compile(r"\{% *(?:block|slot) ").match
CLOSES = re.compile(r"\{% *(?:endblock|endslot) ").match
NOTHING = ("", "", "")
VERBATIM = frozenset({"pre", "textarea", "script", "style"})
BRACES = r"\{%.*?%\}|\{\{.*?\}\}"
QUOTED = rf""""(?:{BRACES}|[^"])*"|'(?:{BRACES}|[^'])*'"""
BREAK = r"[ \t\r\f]*\n[ \t\r\f\n]*"
TOKEN = re.compile(
    r"(?P<silent>\{% *(?:comment\b.*?\{% *endcomment|load\b[^%]*|extends\b[^%]*|csrf_token|(?:(?!%\}).)* as \w+) *%\}|\{#.*?#\})"
    rf"|(?P<braces>{BRACES})"
    rf"|(?P<tag></?(?P<name>[a-zA-Z!][\w-]*)(?:{BRACES}|{QUOTED}|[^<>\"'])*>)"
    rf"|(?P<layout>{BREAK})",
    re.DOTALL,
)
IN_TAG = re.compile(
    rf"(?P<quoted>{QUOTED})"
    r"|\s+(?P<opens>(?:\{% (?:if|for) .*?%\}\s*)+)"  # the space before an attribute belongs to its condition
    r"|(?P<turns>\{% (?:else|elif .*?) %\})\s*(?=[\w:@-])"
    rf"|{BREAK}(?P<closes>\{{% end|\{{% el|/?>)"
    rf"|(?P<layout>{BREAK})",
    re.DOTALL,
)


class Loader(filesystem.Loader):
    """Reads the project's own templates, without their layout."""

    def get_contents(self, origin: Origin) -> str:
        contents: str = super().get_contents(origin)
        return compact(contents) if str(origin.name).endswith(".html") else contents


def compact(source: str) -> str:
    """Return the template in as few lines as possible, with everything that its page shows."""
    tokens = [NOTHING, *_tokens(source), NOTHING]
    kept = []
    for before, (kind, text, _), after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if kind == "layout":
            text = "" if _ends(before) or _begins(after) else " "
        elif kind == "text" and not text.strip(" ") and OPENS(before[1]) and CLOSES(after[1]):
            text = ""  # of an empty block
        elif kind == "tag":
            text = IN_TAG.sub(_attribute, text)
        elif kind == "silent" and ("comment" in text[:12] or text.startswith("{#")):
            text = ""
        kept.append(text)
    return "".join(kept)


def _tokens(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield kind and text of each token, and the name of the element if it is a tag."""
    at = 0
    while found := TOKEN.search(source, at):
        if found.start() > at:
            yield "text", source[at : found.start()], ""
        name = (found["name"] or "").lower()
        yield ("tag" if name else str(found.lastgroup)), found[0], name
        at = found.end()
        if name in VERBATIM and not found[0].startswith("</"):
            end = source.index(f"</{name}", at)
            yield "verbatim", source[at:end], ""
            at = end
    if at < len(source):
        yield "text", source[at:], ""


def _ends(token: tuple[str, str, str]) -> bool:
    """Return whether white space after the token is not shown."""
    kind, text, name = token
    return bool(kind == "silent" or OPENS(text) or BLOCK(name) or (FRAME(name) and not text.startswith("</")))


def _begins(token: tuple[str, str, str]) -> bool:
    """Return whether white space before the token is not shown."""
    _, text, name = token
    return bool(CLOSES(text) or BLOCK(name) or (FRAME(name) and text.startswith("</")))


def _attribute(found: re.Match[str]) -> str:
    if found["quoted"]:
        return re.sub(BREAK, " ", found["quoted"])
    if found["opens"]:
        return re.sub(r"%\}\s+", "%}", found["opens"]) + " "
    if found["turns"]:
        return found["turns"] + " "
    return found["closes"] or " "
