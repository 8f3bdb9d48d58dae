"""Rulebooks, code and tests cite the same rules."""

import re
from pathlib import Path

import pytest

from systems import ROSTERS
from tests.tools.examples import BOOKS, examples_worked, list_text
from tests.tools.rules import cited_by_tests, cited_in_sources, rule_marks


@pytest.fixture(params=ROSTERS.values(), ids=ROSTERS)
def system(request):
    return request.param


def test_every_rule_cited_in_code_is_in_the_rulebook(system):
    cited = cited_in_sources(system.prefix)
    assert cited, f"no source cites a {system.prefix} rule: is the search looking in the right place?"
    missing = {rule: files for rule, files in cited.items() if rule not in system.rulebook}
    assert not missing, f"add these to the rulebook of {system.slug} or correct the citation: {missing}"


def test_every_rule_cited_by_tests_is_in_the_rulebook(system):
    cited = cited_by_tests(system.prefix)
    assert cited, f"no test cites a {system.prefix} rule"
    missing = {rule: files for rule, files in cited.items() if rule not in system.rulebook}
    assert not missing, f"add these to the rulebook of {system.slug} or correct the mark: {missing}"


def test_every_done_rule_has_a_test(system):
    done = [rule.id for rule in system.rulebook.values() if rule.status == "done"]
    assert done, f"no rule of {system.slug} is done"
    cited = cited_by_tests(system.prefix)
    unpinned = [rule for rule in done if rule not in cited]
    assert not unpinned, f"mark a test with @pytest.mark.rule for these, or set them to planned: {unpinned}"


def test_every_rule_has_its_systems_prefix(system):
    assert all(rule.startswith(f"{system.prefix}-") for rule in system.rulebook)


def test_sources_are_headings_of_the_book(system):
    sources = {rule.id: rule.source for rule in system.rulebook.values() if not rule.is_ours}
    no_heading = re.compile(r"^L\d|passim|implied|not printed|derived|ledger|^\d[\d.; -]*$", re.IGNORECASE)
    assert not {rule: source for rule, source in sources.items() if no_heading.search(source)}


def test_rulings_cite_only_published_rules(system):
    rulings = {ruling.number: ruling for rule in system.rulebook.values() for ruling in rule.rulings}
    assert rulings
    for ruling in rulings.values():
        cited = re.findall(rf"\b{system.prefix}-[A-Z]*\d+", ruling.title + ruling.text)
        assert set(cited) <= set(system.rulebook), ruling
        assert not re.search(r"ledger \d|ledger's \d|the ledger names", ruling.text), ruling
        assert ruling.text.rstrip()[-1] in ".)", ruling


ROOT = Path(__file__).resolve().parents[1]
NOT_IN_THE_REPOSITORY = re.compile(r"[Ll]edger(?:'s)? \d|[Rr]ules'? ledger|\b[A-Z]{2}-D\d\d")


@pytest.mark.parametrize(
    "path",
    [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("systems/*/rulings.md"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_docs_cite_only_files_of_the_repository(path):
    assert not NOT_IN_THE_REPOSITORY.findall(path.read_text(encoding="utf-8"))


def test_glossary_entries_name_rules(system):
    assert all(entry.rule in system.rulebook for entries in system.glossary.values() for entry in entries)


def test_only_marks_on_ordinary_tests_are_citations():
    source = """
import pytest

@pytest.mark.rule("MM-001", "MM-002")
def test_a():
    text = "@pytest.mark.rule('MM-003')"

@pytest.mark.rule("MM-004")
def helper():
    pass

@pytest.mark.proof
@pytest.mark.rule("MM-005")
def test_a_million():
    pass
"""
    assert sorted(rule_marks(source)) == ["MM-001", "MM-002"]


@pytest.mark.parametrize("book", BOOKS, ids=[book.package for book in BOOKS])
def test_every_worked_example_is_tested_and_listed(book):
    missing = [example for example, tests in examples_worked(book).items() if not tests]
    assert not missing, f"these examples have no test: {missing}"
    assert book.list.read_text(encoding="utf-8") == list_text(book), "run `python -m tests.tools.examples`"
