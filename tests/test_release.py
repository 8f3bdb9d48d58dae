"""`make release` builds and tags the committed state, and refuses anything unfit for a release."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

from tests.tools import canary

ROOT = Path(__file__).resolve().parent.parent
IDENTITY = {
    "GIT_AUTHOR_NAME": "Kim",
    "GIT_AUTHOR_EMAIL": "kim@muster.example",
    "GIT_COMMITTER_NAME": "Kim",
    "GIT_COMMITTER_EMAIL": "kim@muster.example",
}
PYTHON = """#!/bin/sh
[ -e ../no-network ] && exit 1
mkdir -p dist && : >dist/muster_systems-1.2.3-py3-none-any.whl
"""


def git(folder: Path, *words: str) -> str:
    command = ["git", *words]
    return subprocess.run(
        command, cwd=folder, env=os.environ | IDENTITY, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a small committed project with the real release script, and a Python that only creates the wheel's file."""
    folder = tmp_path / "project"
    (folder / "deploy").mkdir(parents=True)
    for name in ("release.sh", "Dockerfile", "Dockerfile.dockerignore"):
        shutil.copy(ROOT / "deploy" / name, folder / "deploy" / name)
    ignore = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text(encoding="utf-8")
    for name in re.findall(r"^!(.+)$", ignore, re.MULTILINE):
        if "." not in name:
            (folder / name).mkdir(exist_ok=True)
            (folder / name / "__init__.py").touch()
    for name in ("manage.py", "requirements.txt"):
        (folder / name).touch()
    (folder / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (folder / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3\n\nNews.\n")
    (folder / ".gitignore").write_text("dist/\n")
    python = tmp_path / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "The first")
    return folder


def release(project: Path, what: str = "all") -> subprocess.CompletedProcess[str]:
    environment = os.environ | IDENTITY | {"PYTHON": str(project.parent / "python")}
    return subprocess.run(
        [project / "deploy" / "release.sh", what], cwd=project, env=environment, capture_output=True, text=True
    )


def change(project: Path, name: str, text: str) -> None:
    (project / name).write_text(text)
    git(project, "commit", "-qam", "Change")


def test_release_builds_everything_and_tags_the_commit(project: Path):
    done = release(project)
    assert (done.returncode, done.stderr) == (0, "")
    assert git(project, "rev-parse", "v1.2.3^{commit}") == git(project, "rev-parse", "HEAD")
    assert "git push origin HEAD v1.2.3" in done.stdout
    made = {path.name for path in (project / "dist").iterdir()}
    assert made == {"muster_systems-1.2.3-py3-none-any.whl", "muster-1.2.3-image.tar.gz", "SHA256SUMS"}
    assert subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=project / "dist").returncode == 0


def test_image_context_holds_the_files_of_the_dockerfile(project: Path):
    (project / "deploy" / "compose.env").write_text("MUSTER_SECRET_KEY=a secret that nobody committed\n")
    (project / ".gitignore").write_text("dist/\ndeploy/compose.env\n")
    git(project, "commit", "-qam", "Ignore settings")
    assert release(project).returncode == 0
    with tarfile.open(project / "dist" / "muster-1.2.3-image.tar.gz") as context:
        held = {name.split("/")[0] for name in context.getnames()}
        assert "deploy/Dockerfile" in context.getnames()
        assert "deploy/compose.env" not in context.getnames()
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (project / "deploy" / "Dockerfile").read_text(), re.MULTILINE)
    assert held == {name for line in copied for name in line.split()}


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("CHANGELOG.md", "# Changelog\n\n## 1.2.2\n", 'CHANGELOG.md has no section "## 1.2.3"'),
        ("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 1.2.3\n", 'has a section "## Unreleased"'),
        ("pyproject.toml", 'version = "1.2.4"\n', 'CHANGELOG.md has no section "## 1.2.4"'),
    ],
)
def test_release_refuses_a_changelog_without_the_version(project: Path, name: str, text: str, complaint: str):
    change(project, name, text)
    refused(project, complaint)


def test_release_refuses_uncommitted_changes(project: Path):
    (project / "manage.py").write_text("# changed\n")
    refused(project, "commit or put aside these first:\n M manage.py")


def test_release_refuses_a_tagged_version(project: Path):
    git(project, "tag", "v1.2.3")
    done = release(project)
    assert done.returncode == 1
    assert "v1.2.3 is there already. Raise the version" in done.stderr


def test_failed_wheel_build_tags_nothing(project: Path):
    (project.parent / "no-network").touch()
    refused(project, "")


def refused(project: Path, complaint: str) -> None:
    done = release(project)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert git(project, "tag") == ""
    assert not (project / "dist" / "SHA256SUMS").exists()


def test_changelog_has_the_version_of_the_project():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    sections = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert version in sections
    assert set(sections[: sections.index(version)]) <= {"Unreleased"}


def test_files_named_by_the_canary_and_its_page_exist():
    page = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    for library, (inside, tests) in canary.TESTS.items():
        assert canary.pinned(library)
        first, *beside = inside.split(", ")
        for path in [first, *(str(Path(first).with_name(name)) for name in beside), *tests]:
            assert (ROOT / path).is_file(), path
            assert Path(path).name in page


@pytest.mark.slow
def test_canary_reports_passed_and_failed_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    passes, fails = tmp_path / "test_passes.py", tmp_path / "test_fails.py"
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = proof\n")
    passes.write_text("def test_one():\n    assert True\n")
    fails.write_text("def test_one():\n    assert False\n")
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE")  # these tests don't need the site
    monkeypatch.setattr(canary, "ROOT", tmp_path)
    monkeypatch.setattr(canary, "FOLDER", tmp_path)
    monkeypatch.setattr(
        canary, "TESTS", {"numba": ("", (passes,)), "weasyprint": ("", (fails,)), "django": ("", ("none",))}
    )
    assert canary.run_tests(Path(sys.executable), "numba") == (True, "1 passed")
    assert canary.run_tests(Path(sys.executable), "weasyprint") == (False, "1 failed; see weasyprint.log")
    assert not canary.run_tests(Path(sys.executable), "django")[0]
