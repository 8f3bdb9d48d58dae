"""The set-up in docs/running.md, followed line by line with real servers."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.walk_site import caddy_conf, nginx_conf

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.proof
def test_site_behind_nginx_and_tls_works_as_documented():
    if not (shutil.which("nginx", path="/usr/sbin:/usr/bin") and shutil.which("openssl")):
        pytest.skip("needs nginx and openssl")
    done = subprocess.run(
        [sys.executable, "-m", "tests.tools.walk_production"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all as docs/running.md says\n")


@pytest.mark.parametrize("conf", [nginx_conf, caddy_conf])
def test_documented_proxies_give_each_request_an_id(conf: Callable[..., str], tmp_path: Path):
    text = conf(tmp_path, plain=8080, tls=8443, web=8001)
    assert "127.0.0.1:8001" in text
    assert re.search(r"X-Request-ID (\$request_id;|\{http\.request\.uuid\})", text)


def test_documented_nginx_drops_other_host_names_on_both_ports(tmp_path: Path):
    text = nginx_conf(tmp_path, plain=8080, tls=8443, web=8001)
    other_names = text.rpartition("server {")[2]
    assert "listen 127.0.0.1:8080 default_server;" in other_names
    assert "listen 127.0.0.1:8443 ssl default_server;" in other_names
    assert "ssl_reject_handshake on;" in other_names
    assert "return 444;" in other_names
    addresses = re.findall(r"\blisten ([^\s;]+)", text)
    assert sorted(addresses) == sorted(["127.0.0.1:8080", "[::1]:8080", "127.0.0.1:8443", "[::1]:8443"] * 2)
