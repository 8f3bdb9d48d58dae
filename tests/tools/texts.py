"""The texts in templates, Python, Markdown and TOML that a person reads, each with its line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser

Found = Iterator[tuple[int, str]]  # line and text

VALUE, BREAK, OTHERWISE = "\ue000", "\ue001", "\ue002"  # a variable, the end of a text, `else`: as one character each
LONG_WORD = re.compile(r"(?<!\w)[^\W\d_]{2,}")


def clean(raw: str) -> str:
    """Return a text in one line: variables and code as {…}, the alternatives of `else` after a slash."""
    text = " ".join(re.sub(r"`[^`\s]+`", VALUE, raw).replace(BREAK, " ").replace(OTHERWISE, " / ").split())
    return text.strip(" /·").replace(VALUE, "{…}")


# --- templates --------------------------------------------------------------------------------------------------------

TAG = re.compile(r"\{%-?\s*(\w+)(.*?)%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
COMMENT = re.compile(r"\{%\s*comment\b.*?%\}.*?\{%\s*endcomment\s*%\}|<!--.*?-->", re.DOTALL)
ARGUMENT = re.compile(r"""(?:(\w+)=|(\w+):|\b)?(?:"([^"]*)"|'([^']*)')""")
READ_ARGUMENTS = {"label", "help", "title", "submit", "label_a", "label_b"}
READ_TAGS = {"nothing", "match_head"}  # whose only argument is a text
FORMATS = {"date", "time", "join"}  # filters whose argument is no text
READ_ATTRIBUTES = {"title", "alt", "aria-label", "placeholder", "aria-description", "data-confirm"}
INVISIBLE = {"if", "endif", "for", "endfor", "with", "endwith", "url", "load", "csrf_token", "localize", "endlocalize"}
SEPARATE = {"include", "block", "endblock", "extends", "field", "nothing", "endnothing", "match_head", "endmatch_head"}
SEPARATE |= {"element", "endelement", "slot", "endslot"}
HIDDEN = {"script", "style", "pre", "code"}
INLINE = set(
    re.findall(r"\w+", "a abbr b bdi cite code em i kbd mark q s small span strong sub sup time u var wbr svg path use")
)


class _Page(HTMLParser):
    """Collect text nodes, joined over inline tags, and the attributes that are read."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self._open, self._line, self._after_link, self._hidden = "", 0, False, 0
        self.feed(source)
        self.close()
        self._flush()

    def _flush(self) -> None:
        self.found.append((self._line, self._open))
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(self.getpos()[0], value) for name, value in attrs if name in READ_ATTRIBUTES and value]
        if tag.strip(VALUE) not in INLINE or (tag == "a" and self._after_link):
            self._flush()
        if tag in HIDDEN:
            self._hidden += 1
            self._open += VALUE

    def handle_endtag(self, tag: str) -> None:
        self._after_link = tag == "a"
        self._hidden -= self._hidden > 0 and tag in HIDDEN
        if tag not in INLINE:
            self._flush()

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        self._after_link = self._after_link and not data.strip()
        for at, part in enumerate(data.split(BREAK)):
            if at:
                self._flush()
            if not self._open.strip():
                before = data.split(BREAK)[:at]
                blank = len(part) - len(part.lstrip())
                self._line = self.getpos()[0] + sum(each.count("\n") for each in before) + part[:blank].count("\n")
            self._open += part


def read_template(source: str) -> Found:
    """Yield the texts of a template: text nodes, attributes, and arguments of template tags."""
    source = COMMENT.sub(lambda match: "\n" * match[0].count("\n"), source)
    for match in TAG.finditer(source):
        line = source.count("\n", 0, match.start()) + 1
        for name, filter_name, *quoted in ARGUMENT.findall(match[0]):
            text = "".join(quoted)
            if name in READ_ARGUMENTS or match[1] in READ_TAGS or (" " in text and filter_name not in FORMATS):
                yield line, text
    yield from _Page(TAG.sub(_placeholder, source)).found


def _placeholder(match: re.Match[str]) -> str:
    lines = "\n" * match[0].count("\n")
    if match[1] in ("else", "elif", "empty"):
        return OTHERWISE + lines
    if match[1] in SEPARATE:
        return BREAK + lines
    return lines if match[1] in INVISIBLE or match[0].startswith("{#") else VALUE + lines


# --- Python -----------------------------------------------------------------------------------------------------------

NAMED_TEXTS = {"label", "help_text", "verbose_name", "verbose_name_plural", "title", "empty_label", "description"}
OTHER_CALLS = {"execute", "RawSQL", "cast", "getattr", "TypeVar", "namedtuple", "import_string"}
OTHER_CALLS |= {"TypeError", "KeyError", "IndexError", "LookupError", "RuntimeError", "NotImplementedError"}
OTHER_MODULES = {"re", "log", "logger", "logging", "struct", "subprocess"}
OTHER_KEYS = {"class", "style", "d", "points", "viewBox", "transform", "class_", "classes", "Cache-Control"}
NAMES_FIRST = {"Fact": 4}  # calls whose first arguments are names
FIELD = re.compile(r"\{\w*(![rs])?(:[^{}]*)?\}|%\(\w+\)[sd]|%[sd]")  # of str.format and of %
METHODS = {"get", "post", "put", "patch", "delete"}
MARKUP = re.compile(r"</?[a-z][\w-]*[\s>/]")
NOT_TEXT = re.compile(
    r"\\[wdsbnS.]|\(\?[:P=!<]|\[\^"  # a regular expression
    r"|^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|LOCK|SET|WITH|VACUUM|COPY)\b|\b(FROM|WHERE|ORDER BY)\b"
    r"|=[\"']|/>|[\"']>|^[a-z-]+:\S|;\s*$|[{}];|translate\("  # a part of a tag, CSS, a drawing
    r"|\w(--|__)\w|^(?=.*_)[\w? ]+$"  # classes, names of fields
    r"|\n(def|from|import) |; ?charset|no-store|max-age|%[YmdHMB]\b"  # code, a header, a format
)


class _Strings(ast.NodeVisitor):
    """Collect the strings that are texts: two words and a space at least, or an argument such as `label`."""

    def __init__(self, source: str, *, is_api: bool) -> None:
        self.found: list[tuple[int, str]] = []
        self._is_api = is_api
        self.visit(ast.parse(source))

    def _add(self, node: ast.AST, text: str, *, is_named: bool = False) -> None:
        line = getattr(node, "lineno", 0)
        text = FIELD.sub(VALUE, text)
        if MARKUP.search(text):
            self.found += [(line + at - 1, each) for at, each in _Page(text).found if not NOT_TEXT.search(each)]
        elif is_named or (" " in text.strip() and len(LONG_WORD.findall(text)) > 1 and not NOT_TEXT.search(text)):
            self.found.append((line, text))

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = getattr(node, "name", "_")
            is_described = isinstance(node, ast.ClassDef) or name in METHODS
            body = node.body
            if ast.get_docstring(node, clean=False) is not None:
                if self._is_api and is_described and not name.startswith("_"):
                    self._add(body[0], ast.get_docstring(node) or "")
                body = body[1:]
            others = [*getattr(node, "decorator_list", ()), *getattr(node, "keywords", ())]
            if arguments := getattr(node, "args", None):
                others += [each for each in (*arguments.defaults, *arguments.kw_defaults) if each]
            for each in (*others, *body):
                self.visit(each)
        else:
            super().generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring of a field
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        owner = getattr(node.func, "value", None)
        is_split = name == "split" and isinstance(owner, ast.Constant)
        if name not in OTHER_CALLS and getattr(owner, "id", "") not in OTHER_MODULES and not is_split:
            for each in (*node.args[NAMES_FIRST.get(name, 0) :], *node.keywords, node.func):
                self.visit(each)

    def visit_keyword(self, node: ast.keyword) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) and node.arg in NAMED_TEXTS:
            self._add(node.value, node.value.value, is_named=True)
        elif node.arg not in OTHER_KEYS:
            self.visit(node.value)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if not (isinstance(key, ast.Constant) and key.value in OTHER_KEYS):
                self.visit(value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._add(
            node,
            "".join(str(part.value) if isinstance(part, ast.Constant) else VALUE for part in node.values),
        )
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._add(node, node.value)


def read_python(source: str, *, is_api: bool = False) -> Found:
    """Yield the texts of a module; of the API, also the docstrings that describe it."""
    yield from _Strings(source, is_api=is_api).found


# --- Markdown and TOML ------------------------------------------------------------------------------------------------


def read_markdown(source: str) -> Found:
    """Yield headings, paragraphs, items and cells, without code, and links as their text."""
    source = re.sub(r"^```.*?^```|<!--.*?-->", lambda match: "\n" * match[0].count("\n"), source, flags=re.M | re.S)
    source = re.sub(r"`[^`\n]+`", VALUE, source)
    source = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", source).replace("*", "")
    start, text = 0, ""
    for line, row in enumerate(source.splitlines(), start=1):
        if not row.strip() or re.match(r"\s*([-|#>]|\d+\. )", row):
            yield start, text
            text = ""
        if row.startswith("|"):
            yield from ((line, cell) for cell in row.split("|") if " " in cell.strip())
        elif row.strip():
            start = start if text else line
            text += "\n" + re.sub(r"^\s*([-#>]+|\d+\.) ", "", row)
    yield start, text


TOML = re.compile(r'#[^\n]*|"""(?P<long>.*?)"""|"(?P<short>(?:[^"\\\n]|\\.)*)"|(?P<key>[\w-]+)\s*=', re.DOTALL)
OTHER_TOML_KEYS = {"art", "source", "pilot", "callsign"}


def read_toml(source: str) -> Found:
    """Yield the strings of two words or more, but those of keys that hold drawings, sources and names of pilots."""
    key = ""
    for match in TOML.finditer(source):
        key = match["key"] or key
        text = match["long"] or match["short"] or ""
        if key not in OTHER_TOML_KEYS and len(text.split()) > 1:
            yield source.count("\n", 0, match.start()) + 1, text
