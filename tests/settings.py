"""Settings of a test run: the site's own, with a separate folder that is deleted at the end."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

if "MUSTER_TEST_VAR" not in os.environ:
    os.environ["MUSTER_TEST_VAR"] = tempfile.mkdtemp(prefix="muster-test-")
    _owner = os.getpid()

    @atexit.register
    def _remove() -> None:
        if os.getpid() == _owner:
            shutil.rmtree(os.environ["MUSTER_TEST_VAR"], ignore_errors=True)


_var = Path(os.environ["MUSTER_TEST_VAR"]) / os.environ.get("PYTEST_XDIST_WORKER", "main")
_compiled = Path(__file__).resolve().parent.parent / "var" / "compiled"
_compiled.mkdir(parents=True, exist_ok=True)
_var.mkdir(parents=True, exist_ok=True)
if not (_var / "compiled").exists():
    (_var / "compiled").symlink_to(_compiled)  # files are named by their contents, so runs can share them
for _name in [name for name in os.environ if name.startswith("MUSTER_") and not name.startswith("MUSTER_TEST_")]:
    del os.environ[_name]  # the developer's environment must not change the results
os.environ["MUSTER_VAR"] = str(_var)

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, STATIC_ROOT, STORAGES, VAR_DIR  # noqa: E402

STATIC_ROOT.mkdir(exist_ok=True)
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A file, because workers and commands of a test are other processes. conftest.py replaces it by PostgreSQL.
DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
