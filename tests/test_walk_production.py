"""The set-up of docs/running.md, walked line by line with real servers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.proof
def test_a_site_behind_nginx_and_tls_is_as_the_page_says():
    if not (shutil.which("nginx", path="/usr/sbin:/usr/bin") and shutil.which("openssl")):
        pytest.skip("needs nginx and openssl")
    done = subprocess.run(
        [sys.executable, "-m", "tests.tools.walk_production"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all as docs/running.md says\n")
